"""Features that no survivor can come from are left out, and nothing changes by it."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from lastviz.criteria.column_kernels import BNM5, N_CURVES, prepare_geometry
from lastviz.criteria.margin_kernels import margin_bounds, margin_curves
from lastviz.splitters import HybridSplitter, presort
from lastviz.splitters.cells.presort import pack
from lastviz.splitters.hybrid.hybrid import hybrid_choice, with_scale
from lastviz.splitters.hybrid.hybrid_kernels import search_hybrid
from lastviz.splitters.hybrid.workspace import workspace_of


def choice(criterion="bnm+csn", w2=0.01, k=5, root=False, penalty="approximate", least=1):
    return hybrid_choice(
        criterion, w1=1.0, w2=w2, k=k, alpha=0.5, min_samples_leaf=least, node_rule=False,
        penalty=penalty, ecoc="one_vs_rest", fewest=False, root=root,
    )  # fmt: skip


def bench_of(presorted, y, n_classes, chosen):
    """The cells of a root, their layout and room for its search."""
    cells, packing = pack(presorted, y, n_classes)
    options = chosen.options
    bench = workspace_of(presorted.columns, packing, n_classes, chosen.need, options, chosen.k)
    return cells, packing, bench


def searched(presorted, y, n_classes, chosen):
    """What growth's kernel chooses at the root, and which features it measured."""
    chosen = with_scale(chosen, len(y))
    cells, _, bench = bench_of(presorted, y, n_classes, chosen)
    rows, counts = np.arange(len(y)), np.bincount(y, minlength=n_classes)
    found = search_hybrid(cells, 0, len(y), rows, counts, bench, chosen)
    return found, bench.best > -np.inf


@pytest.mark.kernel
@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize(("n", "m"), [(12, 40), (60, 61), (90, 7), (300, 30)])
def test_no_margin_is_above_its_bound(n, m, root):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, m)) * 10.0 ** rng.integers(-9, 9, size=m)
    X[:, 0] = np.round(X[:, 0] / X[:, 0].std())
    X[:, 1] = 3.0
    y = rng.integers(0, 3, n)
    X[y == 1, 2:4] = X[0, 2:4] * (1 + 1e-13)  # a class that is all but a point there
    X[y == 2] += 5 * X.std(axis=0)
    presorted, chosen = presort(X), choice(root=root)
    cells, packing, bench = bench_of(presorted, y, 3, chosen)
    scoring, need = bench.scoring, np.zeros(N_CURVES, dtype=bool)
    need[BNM5] = True
    rows, counts = np.arange(n), np.bincount(y, minlength=3)
    prepare_geometry(cells, 0, n, rows, counts, need, scoring, chosen.options)
    margins, bounds = np.full((m, n), np.nan), np.full((m, n), np.nan)
    given = packing, counts, scoring.geometry, scoring.inverse, root
    margin_curves(cells, 0, n, *given, margins)
    for f in range(m):
        margin_bounds(cells[f], 0, n, m, *given, bounds[f])
    feature, position = np.nonzero(presorted.fresh[:, 1:])
    assert (bounds[feature, position] >= margins[feature, position]).all()
    assert np.median(bounds[feature, position]) < 4.0 * m  # they say something


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", ["bnm", "bnm+csn"])
@pytest.mark.parametrize("options", [
    {}, {"w2": 0.0}, {"w2": 0.3}, {"root": True, "w2": 0.05}, {"penalty": "none"},
    {"penalty": "exact"}, {"k": 40}, {"least": 6},
], ids=str)  # fmt: skip
@pytest.mark.parametrize(("n", "m"), [(150, 12), (40, 60)])
def test_the_search_of_promising_features_is_that_of_all(criterion, options, n, m):
    for seed in range(4):
        X, y = make_classification(
            n, m, n_informative=4, n_classes=3, n_clusters_per_class=1, random_state=seed
        )
        X = np.round(X, seed)  # ties at first
        presorted, chosen = presort(X), choice(criterion, **options)
        (feature, position, score), _ = searched(presorted, y, 3, chosen)
        splitter = HybridSplitter(presorted, y, 3, chosen)
        split = splitter.search(splitter.root()).split
        threshold = presorted.columns[feature, presorted.order[feature, position]]
        assert (split.feature, split.threshold, split.score) == (feature, threshold, score)


@pytest.mark.kernel
def test_few_of_many_features_are_measured():
    X, y = make_classification(1000, 80, n_informative=5, n_classes=3, random_state=0)
    _, measured = searched(presort(X), y, 3, choice(w2=0.001, k=10))
    assert measured.sum() < 20
    _, measured = searched(presort(X), y, 3, choice(w2=100.0, k=10))
    assert measured.sum() > 70  # where margins say it all they are all measured
