"""The house gets no heavier: no figure of benchmarks/weight.py rises above the committed one."""

import subprocess
import sys

import pytest

from benchmarks.weight import risen
from tests.patience import LONG

from .conftest import ROOT


@pytest.mark.ci
def test_no_figure_rises():
    """In a process of its own: what other tests left in memory changes the number of calls."""
    command = [sys.executable, "-m", "benchmarks.weight"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_has_risen_is_named():
    assert risen({"texts": 10**6}).keys() == {"texts"}
    assert risen({"texts": 1, "ways out": 1}) == {}
