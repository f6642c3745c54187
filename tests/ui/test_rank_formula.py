"""The terms of rank mutual information add up to what the criterion says."""

import numpy as np
import pytest

from lastviz.criteria import CRITERIA
from lastviz.ui.shared.rank_formula import rank_latex, rank_terms, sides

LEFT, COUNTS = np.array([5, 2, 1, 0]), np.array([6, 5, 4, 3])


def added_up(lower, upper, *, descending):
    n = lower.sum() + upper.sum()
    return sum(
        term.rows * np.log(n * term.with_side / (term.side * term.with_node))
        for term in rank_terms(lower, upper, descending=descending)
    ) / n  # fmt: skip


@pytest.mark.parametrize("direction", [1, -1, 0])
def test_the_terms_add_up(direction):
    for name, downs in (
        ("rmi", (False,)),
        ("rmi_descending", (True,)),
        ("rmi_mean", (False, True)),
    ):
        lower, upper = sides(LEFT, COUNTS, direction, name)
        value = np.mean([added_up(lower, upper, descending=down) for down in downs])
        expected = CRITERIA[name].score(LEFT, COUNTS - LEFT)
        turned = CRITERIA[name].score(COUNTS - LEFT, LEFT)
        wanted = {1: expected, -1: turned, 0: max(expected, turned)}[direction]
        assert value == pytest.approx(wanted)


def test_the_formula_has_the_counts_in_it():
    text = rank_latex("rmi", LEFT, COUNTS - LEFT, 0.25)
    assert r"1 \ln \tfrac{18 \cdot 10}{10 \cdot 18}" in text
    assert r"3 \ln \tfrac{18 \cdot 3}{10 \cdot 3}" in text
    assert r"= \mathbf{0.25}" in text
    assert r"\tfrac{1}{36}" in rank_latex("rmi_mean", LEFT, COUNTS - LEFT, 0.25)
