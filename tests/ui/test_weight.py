"""The house gets no heavier: no figure of benchmarks/weight.py rises above the committed one."""

import pytest

from benchmarks.weight import figures, risen


@pytest.mark.ci
def test_no_figure_rises():
    assert risen(figures()) == {}


def test_what_has_risen_is_named():
    assert risen({"texts": 10**6}).keys() == {"texts"}
    assert risen({"texts": 1, "ways out": 1}) == {}
