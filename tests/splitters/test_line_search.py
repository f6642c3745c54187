import numpy as np
import pytest

from lastviz.criteria import CRITERIA, entropy_scale
from lastviz.criteria.scan_kernels import log_table
from lastviz.splitters.oblique.line_kernels import Classes, search_line
from lastviz.splitters.oblique.oblique_search import scratch_for
from tests import naive_oblique


def searched(V, D, y, n_classes, criterion, min_leaf=1, gap=1e-10, farthest=1e9):
    n = len(V)
    classes = Classes(
        y, np.bincount(y, minlength=n_classes), log_table(n, entropy_scale(n)),
        CRITERIA[criterion].code, min_leaf,
    )  # fmt: skip
    return search_line(V, D, classes, scratch_for(n, n_classes), gap, farthest)


def lines(rng, kind, n):
    if kind == "random":
        return rng.normal(size=n), rng.normal(size=n)
    if kind == "tied":
        return rng.integers(-3, 4, n) + 0.5, rng.integers(-2, 3, n).astype(float)
    if kind == "constant":
        return rng.normal(size=n), np.full(n, -1.0)
    if kind == "still":
        return rng.normal(size=n), np.where(np.arange(n) == 0, 1.0, 0.0)
    return 1e7 + rng.normal(size=n), rng.normal(size=n)  # "offset"


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", naive_oblique.SCORES)
@pytest.mark.parametrize("kind", ["random", "tied", "constant", "still", "offset"])
def test_the_search_equals_trying_every_interval(kind, criterion):
    rng = np.random.default_rng(0)
    found = 0
    for size in [*range(2, 24), 70, 90]:
        n_classes = int(rng.integers(2, 4))
        y = rng.integers(0, n_classes, size)
        V, D = lines(rng, kind, size)
        least = int(rng.integers(1, 3))
        score = naive_oblique.SCORES[criterion]
        twin = naive_oblique.best_on_line(V, D, y, n_classes, score, least)
        goodness, a = searched(V, D, y, n_classes, criterion, least)
        if twin is None:
            assert goodness == -np.inf
        else:
            assert a == twin[1]
            found += 1
    assert found > 15 or kind in ("still", "tied")


@pytest.mark.kernel
def test_rows_on_either_side_of_the_origin_change_sides_in_both_directions():
    """An unsigned sort of -V / D would count the rows with D < 0 on the wrong side."""
    V = np.array([-1.0, -1.0, 1.0, 1.0])
    D = np.array([1.0, -2.0, 4.0, -3.0])
    y = np.array([0, 0, 1, 1])
    _, a = searched(V, D, y, 2, "gini")
    first = V + a * D <= 0
    assert set(y[first]).isdisjoint(y[~first])


@pytest.mark.kernel
def test_values_far_from_the_origin_are_parted_when_no_limit_is_set():
    position = 1e12 + np.arange(6.0)
    y = np.array([0, 0, 0, 1, 1, 1])
    down = np.full(6, -1.0)
    assert searched(position, down, y, 2, "twoing")[0] == -np.inf
    assert searched(position, down, y, 2, "twoing", gap=0.0, farthest=np.inf)[1] == 1e12 + 2.5


@pytest.mark.kernel
def test_rows_closer_than_the_gap_stay_together():
    position = np.array([1.0, 1.0 + 1e-13, 2.0])
    _, a = searched(position, np.full(3, -1.0), np.array([0, 1, 1]), 2, "gini")
    assert a > 1.1


@pytest.mark.kernel
@pytest.mark.parametrize("n_classes", [2, 3])
def test_values_crowded_at_one_place_are_sorted_all_the_same(n_classes):
    """Nearly all rows share a bucket, too many for the pass that finishes."""
    rng = np.random.default_rng(2)
    V, D = 1e7 + rng.normal(size=300), np.full(300, -1.0)
    V[:3] = [-1.0, 0.5, 2.0]
    y = rng.integers(0, n_classes, 300)
    twin = naive_oblique.best_on_line(V, D, y, n_classes, naive_oblique.SCORES["twoing"], 1)
    goodness, a = searched(V, D, y, n_classes, "twoing")
    assert goodness > 0.0
    assert a == twin[1]
