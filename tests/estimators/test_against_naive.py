"""Whole trees: kernels against their slow twins."""

from functools import partial

import pytest

from lastviz import C45Classifier, CARTClassifier
from tests import naive
from tests.naive import contiguous

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("min_leaf", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_cart_grows_the_naive_tree(make_data, criterion, min_leaf, seed):
    X, y = make_data(seed, n=45, m=3, n_classes=2 + seed % 3)
    y = contiguous(y)
    impurity = {"gini": naive.gini, "entropy": naive.entropy}[criterion]
    split = partial(naive.cart_split, impurity=impurity, min_leaf=min_leaf)
    nested = naive.grow(X, y, y.max() + 1, split, min_split=2 * min_leaf)
    fitted = CARTClassifier(criterion=criterion, min_samples_leaf=min_leaf).fit(X, y)
    naive.same_tree(fitted.tree_, nested)
    fitted.tree_.validate(X)


@pytest.mark.parametrize("options", [
    {}, {"mdl_correction": False}, {"average_gain": False}, {"criterion": "gain"},
    {"criterion": "gain", "mdl_correction": False}, {"min_samples_leaf": 5},
])  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_c45_grows_the_naive_tree(make_data, options, seed):
    X, y = make_data(seed, n=50, m=3, n_classes=2 + seed)
    y = contiguous(y)
    split = partial(
        naive.c45_split,
        min_leaf=options.get("min_samples_leaf", 2),
        mdl=options.get("mdl_correction", True),
        average=options.get("average_gain", True),
        ratio=options.get("criterion", "gain_ratio") == "gain_ratio",
    )
    least = 2 * options.get("min_samples_leaf", 2)
    nested = naive.grow(X, y, y.max() + 1, split, min_split=least)
    fitted = C45Classifier(pruning="none", **options).fit(X, y)
    naive.same_tree(fitted.tree_, nested)
    fitted.tree_.validate(X)


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("normal", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_c45_prunes_as_the_naive_pruner(make_data, raising, normal, seed):
    X, y = make_data(seed, n=80, m=3, n_classes=2 + seed % 2)
    y = contiguous(y)
    n_classes = y.max() + 1
    split = partial(naive.c45_split, mdl=False)
    nested = naive.grow(X, y, n_classes, split, min_split=4)
    naive.collapse(nested)
    z = 0.6744897501960817 if normal else 0.6925
    limit = (
        partial(naive.normal_limit, z=z)
        if normal
        else lambda n, e: e + naive.add_errors(n, e, 0.25, z)
    )
    naive.prune(nested, X, y, n_classes, limit, raising)
    fitted = C45Classifier(
        pruning="error_based_normal" if normal else "error_based",
        subtree_raising=raising,
        mdl_correction=False,
    ).fit(X, y)
    naive.same_tree(fitted.tree_, nested)
    fitted.tree_.validate(X)
    fitted.grown_tree_.validate(X)
