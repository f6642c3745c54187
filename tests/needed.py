"""What a test needs that not all machines have: ``make test`` does without, ``test-all`` not."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

ALL = "LASTVIZ_TEST_ALL"  # set by tests/stages.py --all


def needs(module_or_found: str | bool, what: str) -> None:
    """Skip the test where a module, or what was looked for, is not there; with ALL it fails."""
    there = module_or_found
    if isinstance(module_or_found, str):
        there = find_spec(module_or_found) is not None
    if not there and os.environ.get(ALL):
        pytest.fail(f"{what} is not installed; make test-all installs it", pytrace=False)
    if not there:
        pytest.skip(f"{what} is not installed; make test-all installs it")
