"""Rank mutual information from class counts against its definition by pairs of rows."""

import numpy as np
import pytest

from lastviz.criteria import rank_entropy, rank_mutual_information
from lastviz.criteria.rank_kernels import RANK
from lastviz.splitters import presort
from lastviz.splitters.cells.presort import pack
from lastviz.splitters.threshold.curves_kernels import score_curves
from tests import naive_monotone


def cuts(seed):
    """A feature with ties, classes, and all cuts of it."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(2, 30)), int(rng.integers(2, 7))
    x, y = rng.integers(0, 12, n).astype(float), rng.integers(0, n_classes, n)
    return x, y, n_classes, [x <= value for value in np.unique(x)[:-1]]


@pytest.mark.ci
@pytest.mark.parametrize("dominance", ["ascending", "descending", "mean"])
def test_counts_say_what_all_pairs_say_on_300_random_cases(dominance):
    n_cuts = 0
    for seed in range(300):
        _, y, n_classes, sides = cuts(seed)
        for low in sides:
            left = np.bincount(y[low], minlength=n_classes)
            right = np.bincount(y[~low], minlength=n_classes)
            expected = naive_monotone.information(low, y, dominance, 1)
            assert abs(rank_mutual_information(left, right, dominance) - expected) <= 1e-12
            falling = naive_monotone.information(low, y, dominance, -1)
            assert abs(rank_mutual_information(right, left, dominance) - falling) <= 1e-12
            assert rank_mutual_information(left, right, dominance) <= (
                rank_entropy(left + right, dominance) + 1e-12
            )
            n_cuts += 1
    assert n_cuts > 2000


@pytest.mark.kernel
@pytest.mark.parametrize(
    "direction", [(1, 0), (-1, 1), (0, 2)], ids=["rising", "falling", "either"]
)
@pytest.mark.parametrize("code", [0, 1, 2], ids=["ascending", "descending", "mean"])
def test_the_kernel_scores_every_cut(code, direction):
    sign, turn = direction
    for seed in range(20):
        x, y, n_classes, sides = cuts(seed)
        here = presort(x[:, None])
        cells, packing = pack(here, y, n_classes)
        logs = np.log(np.maximum(np.arange(len(y) + 1), 1))
        curve, n_cuts = np.empty((1, len(y) - 1)), np.empty(1, dtype=np.int64)
        codes = np.array([RANK + code + 4 * turn])
        table = np.empty(0, dtype=np.int64)
        counts = np.bincount(y, minlength=n_classes)
        score_curves(cells, packing, counts, logs, table, codes, 1, curve, n_cuts)
        found = curve[0][here.fresh[0, 1:]] / len(y)
        name = ("ascending", "descending", "mean")[code]
        expected = [naive_monotone.information(low, y, name, sign) for low in sides]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_rank_entropy_is_the_information_of_a_perfect_feature():
    assert rank_entropy([3, 0, 0]) == 0
    assert rank_entropy([0, 0]) == 0
    assert rank_entropy([2, 2]) == pytest.approx(-0.5 * np.log(0.5))
    assert rank_mutual_information([2, 0], [0, 2]) == pytest.approx(rank_entropy([2, 2]))
    assert rank_mutual_information([0, 2], [2, 1]) < 0
    assert rank_entropy([3, 1], "descending") == pytest.approx(-0.75 * np.log(0.75))
    tables = np.array([[[3, 1], [1, 2]], [[0, 2], [2, 2]]])
    assert rank_mutual_information(tables[0], tables[1]).shape == (2,)
