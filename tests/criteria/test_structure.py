"""The structural criteria: definitions, kernels and slow twins say the same."""

import math

import numpy as np
import pytest

from lastviz import criteria
from lastviz.criteria import structure
from lastviz.criteria.column_kernels import Options
from lastviz.splitters import presort
from lastviz.splitters.hybrid.hybrid import ECOC, PENALTIES
from lastviz.splitters.hybrid.workspace import score_candidates
from tests import naive_hybrid

COLUMNS = (
    "gini", "gain", "gain_ratio", "hellinger", "segments", "segment_sum", "ratio", "bnm5",
    "penalty", "bnm", "csn",
)  # fmt: skip


def node(rng, n, m, n_classes):
    """Ties, constants, one-hot columns and plain numbers; every class at least once."""
    X = rng.normal(size=(n, m))
    X[:, rng.random(m) < 0.3] = rng.integers(0, 5, size=(n, 1))
    X[:, rng.random(m) < 0.15] = 7.5
    X[:, rng.random(m) < 0.25] = rng.integers(0, 2, size=(n, 1))
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def scored(X, y, n_classes, penalty="approximate", ecoc="one_vs_rest", minimum=False, root=False):
    options = Options(1.0, 1, PENALTIES[penalty], ECOC[ecoc], minimum, root)
    return score_candidates(presort(X), y, n_classes, COLUMNS, options)


def compare(found, expected, columns=COLUMNS):
    assert len(found.feature) == len(expected)
    np.testing.assert_array_equal(found.feature, [r["feature"] for r in expected])
    np.testing.assert_array_equal(found.threshold, [r["threshold"] for r in expected])
    for name in columns:
        if name in found.columns:
            twin = np.array([r[name] for r in expected])
            np.testing.assert_allclose(
                found.columns[name], twin, rtol=1e-9, atol=1e-9, err_msg=name
            )
    return len(expected)


@pytest.mark.parametrize(("seed", "n_candidates"), [
    pytest.param(0, 10_000, marks=pytest.mark.ci), pytest.param(1, 1000, marks=pytest.mark.kernel),
])  # fmt: skip
def test_thousands_of_candidates_equal_their_slow_twins(seed, n_candidates):
    rng = np.random.default_rng(seed)
    compared = 0
    while compared < n_candidates:
        n, m = int(rng.integers(5, 40)), int(rng.integers(1, 9))
        n_classes = int(rng.integers(2, 6))
        X, y = node(rng, n, m, n_classes)
        options = {"ecoc": str(rng.choice(list(ECOC))), "root": bool(rng.random() < 0.3)}
        compared += compare(
            scored(X, y, n_classes, **options),
            naive_hybrid.table(X, y, n_classes, ranked=True, **options),
        )


@pytest.mark.kernel
@pytest.mark.parametrize("ecoc", ECOC)
@pytest.mark.parametrize("seed", range(3))
def test_exact_penalty_and_fewest_segments_equal_their_slow_twins(seed, ecoc):
    rng = np.random.default_rng(seed)
    X, y = node(rng, 30, 4, 4)
    options = {"ecoc": ecoc, "minimum": True}
    found = scored(X, y, 4, penalty="exact", **options)
    assert compare(found, naive_hybrid.table(X, y, 4, penalty_of="exact", ranked=True, **options))


@pytest.mark.kernel
def test_rows_fewer_than_features_are_scored_by_their_products():
    rng = np.random.default_rng(5)
    X, y = node(rng, 12, 30, 3)
    compare(scored(X, y, 3), naive_hybrid.table(X, y, 3, ranked=True))


@pytest.mark.kernel
def test_columns_of_any_size_are_scored(make_data):
    X, y = make_data(2, n=25, m=3, n_classes=3)
    y[:3] = np.arange(3)
    compare(scored(X, y, 3), naive_hybrid.table(X, y, 3, ranked=True))


def test_a_range_that_overflows_is_normalised():
    X = np.array([[-1.7e308], [0.0], [1.7e308], [1.6e308]])
    np.testing.assert_allclose(criteria.scale_to_range(X)[:, 0], [0, 0.5, 1, 0.970588], atol=1e-6)
    y = np.array([0, 1, 0, 1])
    compare(scored(X, y, 2), naive_hybrid.table(X, y, 2, ranked=True))


@pytest.mark.parametrize("seed", range(4))
def test_definitions_equal_their_slow_twins(seed):
    rng = np.random.default_rng(seed)
    X, y = node(rng, 30, 4, 2 + seed)
    Z = criteria.scale_to_range(X)
    np.testing.assert_allclose(Z, naive_hybrid.normalise(X), atol=1e-15)
    for row in naive_hybrid.table(X, y, 2 + seed, penalty_of="exact"):
        f = row["feature"]
        left = X[:, f] <= row["threshold"]
        L, R = (np.bincount(y[side], minlength=2 + seed) for side in (left, ~left))
        pairs = {
            "hellinger": criteria.hellinger(L, R),
            "segments": criteria.expected_segments(Z, y, left, f),
            "ratio": criteria.segment_ratio(Z, y, left, f),
            "bnm5": criteria.between_margin(Z, y, left),
            "penalty": criteria.exact_penalty(Z, y, left),
            "csn": criteria.compactness(Z, y, left),
        }
        for name, ours in pairs.items():
            assert ours == pytest.approx(row[name], abs=1e-9), name
        nearest = criteria.nearest_penalty(Z[:, f], y, left, Z[left, f].max())
        assert nearest == pytest.approx(
            naive_hybrid.penalty(Z[:, f], y, left, Z[left, f].max()), abs=1e-12
        )
        for ecoc in ECOC:
            ours = criteria.compactness(Z, y, left, ecoc=ecoc)
            assert ours == pytest.approx(naive_hybrid.csn(Z, y, left, ecoc), rel=1e-9)


def test_known_values():
    Z = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y, left = np.array([0, 1, 1, 0]), np.array([True, True, False, False])
    assert criteria.between_margin(Z, y, left) == 2.0
    assert criteria.between_margin(Z, y, left, squared=False) == pytest.approx(math.sqrt(2))
    assert criteria.nearest_penalty(Z[:, 0], y, left, 0.0) == 2.0
    assert criteria.exact_penalty(Z, y, left) == 2.0
    assert criteria.compactness(Z, y, left) == 0.0
    assert criteria.child_compactness(Z, y) == math.inf
    assert criteria.child_compactness(Z[:1], y[:1]) == 0.0
    assert structure.segments(np.array([1, 2, 2, 3]), np.array([0, 1, 0, 1])) == 2
    assert criteria.hellinger([4, 0], [0, 4]) == pytest.approx(math.sqrt(2))
    assert criteria.hellinger([4, 0], [3, 0]) == 0.0


def test_every_criterion_has_a_column_or_needs_none():
    for name in COLUMNS:
        criterion = criteria.CRITERIA[name]
        assert criterion.reads in ("counts", "order", "geometry")
        assert criterion.smaller_is_better == (
            name in ("csn", "penalty", "segments", "segment_sum")
        )
