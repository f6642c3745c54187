import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz import criteria
from lastviz.criteria import CRITERIA
from lastviz.criteria.goodness_kernels import MAX_MINORITY, SUM_MINORITY, TWOING, goodness
from lastviz.criteria.scan_kernels import GAIN, GINI, log_table
from tests import naive, naive_mixed, naive_oblique

SIDES = st.integers(2, 5).flatmap(
    lambda k: st.tuples(*[st.lists(st.integers(0, 40), min_size=k, max_size=k)] * 2)
).filter(lambda sides: sum(sides[0]) and sum(sides[1]))  # fmt: skip


@settings(deadline=None)
@given(SIDES)
def test_scores_equal_their_slow_twins(sides):
    for name, twin in (naive_oblique.SCORES | naive_mixed.STATISTICS).items():
        assert CRITERIA[name].score(*sides) == pytest.approx(twin(*sides), abs=1e-12), name
    ratio = naive.gain(*sides, naive.entropy) / naive.entropy([sum(side) for side in sides])
    assert CRITERIA["gain_ratio"].score(*sides) == pytest.approx(ratio, abs=1e-12)


@settings(deadline=None)
@given(SIDES)
def test_swapping_the_children_changes_nothing(sides):
    symmetric = [c for c in CRITERIA.values() if c.score and not c.ordered_classes]
    for criterion in symmetric:
        assert criterion.score(*sides) == pytest.approx(criterion.score(*sides[::-1]), abs=1e-15)


def test_known_values():
    assert criteria.twoing([5, 0], [0, 5]) == 0.25
    assert criteria.twoing([2, 1], [4, 2]) == pytest.approx(0.0, abs=1e-15)
    assert criteria.sum_minority([3, 1], [1, 3]) == pytest.approx(2 / 8)
    assert criteria.max_minority([3, 1], [1, 3]) == pytest.approx(3 / 8)
    assert criteria.misclassification([[6, 2], [0, 0]]).tolist() == [0.25, 0.0]


def test_a_decrease_is_the_impurity_less_that_of_the_children():
    left, right = np.array([7, 2, 1]), np.array([1, 5, 9])
    for name, criterion in CRITERIA.items():
        if criterion.is_decrease:
            decrease = criteria.impurity_decrease(left, right, criterion.impurity)
            assert criterion.score(left, right) == pytest.approx(decrease), name


@pytest.mark.kernel
def test_goodness_orders_partitions_as_the_score_does():
    rng = np.random.default_rng(0)
    codes = {"twoing": TWOING, "gini": GINI, "gain": GAIN, "sum_minority": SUM_MINORITY,
             "max_minority": MAX_MINORITY}  # fmt: skip
    table = log_table(200, 2.0**40)
    for name, code in codes.items():
        assert CRITERIA[name].code == code
        for _ in range(20):
            counts = rng.integers(1, 30, 3)
            parts = rng.integers(0, counts + 1, (40, 3))
            parts = parts[(parts.sum(axis=1) > 0) & (parts.sum(axis=1) < counts.sum())]
            n = int(counts.sum())
            ours = np.array([goodness(p, counts, int(p.sum()), n, table, code) for p in parts])
            scores = CRITERIA[name].score(parts, counts - parts)
            slope = np.polyfit(scores, ours, 1)
            np.testing.assert_allclose(np.polyval(slope, scores), ours, rtol=1e-9, atol=1e-6)
            assert slope[0] > 0
