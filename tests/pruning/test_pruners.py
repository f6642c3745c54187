import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from lastviz import C45Classifier, CARTClassifier, CARTRegressor
from lastviz.datasets import load_dataset
from lastviz.pruning import (
    PRUNERS,
    HeldOutRows,
    TrainingRows,
    cost_complexity_path,
    cost_complexity_table,
    entropy_cost_table,
    prune_cost_complexity,
    prune_table,
    with_ancestors,
)
from lastviz.tree import Action
from tests import naive, naive_cost_complexity, naive_entropy_cost, naive_pruning
from tests.conftest import waveform
from tests.random_trees import random_tree

SEEDS = st.integers(0, 10**6)
SETS = {"iris": {}, "breast_cancer": {}, "waveform": {"n_samples": 3000}, "xor": {}}


def leaves_of(pruned, grown):
    """The leaves of a pruned tree by their numbers in the grown tree."""
    return frozenset(
        np.flatnonzero(np.isin(grown.key, pruned.key[pruned.n_children == 0])).tolist()
    )


def some_kept(tree, seed):
    """A mask of nodes, often none."""
    rng = np.random.default_rng(seed)
    return rng.random(tree.n_nodes) < rng.choice([0.0, 0.1, 0.3])


def costs(tree, key, held_out):
    """The pruner's parameters, and the cost of a leaf and of a split by the slow twin."""
    cf = 0.1
    none = lambda node: 0.0  # noqa: E731
    cost = naive_cost_complexity.gini_risk(tree)
    limit = naive_pruning.expected_errors(tree, cf, np.interp(cf, *naive.QUINLAN))
    return {
        "cost_complexity": (
            {"ccp_alpha": 0.02, "risk": "gini"}, lambda node: cost[node] + 0.02, none),
        "entropy_cost": (
            {"alpha": 3.0}, lambda node: naive_entropy_cost.cost(tree, [node], 3.0), none),
        "replacement": ({"confidence": cf}, limit, none),
        "reduced_error": ({}, naive_pruning.held_out_errors(tree, held_out.X, held_out.y), none),
        "minimum_error": ({"m": 2.5}, naive_pruning.m_estimate(tree, 2.5), none),
        "mdl": ({}, naive_pruning.bits_of_classes(tree), naive_pruning.bits_of_split(tree)),
    }[key]  # fmt: skip


def held_out_for(tree, seed):
    """Rows with known categories and random classes."""
    rng = np.random.default_rng(seed)
    return HeldOutRows(rng.integers(0, 2, (12, 1)).astype(float), rng.integers(0, 3, 12))


@pytest.mark.kernel
@pytest.mark.parametrize(
    "key",
    ["cost_complexity", "entropy_cost", "replacement", "reduced_error", "minimum_error", "mdl"],
)
def test_100_random_trees_are_cut_as_exhaustive_search_cuts_them(key):
    cut_somewhere = spared = 0
    for seed in range(100):
        tree = random_tree(seed)
        kept, held_out = some_kept(tree, seed), held_out_for(tree, seed)
        params, as_leaf, inner = costs(tree, key, held_out)
        rows = {"held_out": held_out} if PRUNERS[key].needs == "held_out" else {}
        for mask in (None, kept):
            names = () if mask is None else np.flatnonzero(mask)
            cost, leaves = naive_pruning.cheapest(tree, as_leaf, inner, names)
            table = PRUNERS[key].table(tree, kept=mask, **rows, **params)
            pruned, log = PRUNERS[key].prune(tree, kept=mask, **rows, **params)
            pruned.validate()
            assert table.cost[0] == pytest.approx(cost, abs=1e-9)
            assert leaves_of(pruned, tree) == leaves
            assert set(log.action) <= {Action.PRUNE}
            assert set(log.reason) <= {PRUNERS[key].reason}
            cut_somewhere += mask is None and len(log) > 0
        free = PRUNERS[key].prune(tree, **rows, **params)[0]
        spared += free.n_leaves < pruned.n_leaves
    assert cut_somewhere > 20
    assert spared > 5


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS)
def test_pessimistic_pruning_goes_from_the_root_down(seed):
    tree = random_tree(seed)
    kept = some_kept(tree, seed)
    for mask in (None, kept):
        names = () if mask is None else np.flatnonzero(mask)
        pruned, log = PRUNERS["pessimistic"].prune(tree, kept=mask)
        assert leaves_of(pruned, tree) == naive_pruning.pessimistic(tree, kept=names)
        gone = set(tree.parent[log.node].tolist())
        assert not gone & set(log.node.tolist())


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, share=st.floats(0.0, 1.2))
def test_the_tree_at_a_price_is_that_of_the_weakest_links(seed, share):
    tree = random_tree(seed, most_inner=12)
    kept = some_kept(tree, seed)
    total = tree.weighted_n_node_samples[0]
    for risk in ("misclassification", "gini", "entropy"):
        for mask in (None, kept):
            path = cost_complexity_path(tree, risk, kept=mask)
            for alpha in (*path.alpha, share * (path.alpha[-1] + 0.01)):
                linked, _ = prune_cost_complexity(tree, path, path.step_at(alpha))
                table = cost_complexity_table(tree, float(alpha), risk, kept=mask)
                by_table, _ = PRUNERS["cost_complexity"].prune(
                    tree, ccp_alpha=float(alpha), risk=risk, kept=mask
                )
                assert leaves_of(linked, tree) == leaves_of(by_table, tree)
                assert leaves_of(linked, tree) == leaves_of_table(tree, table)
                if risk == "entropy":
                    bits = entropy_cost_table(tree, float(alpha) * total, kept=mask)
                    assert leaves_of_table(tree, bits) == leaves_of_table(tree, table)


def leaves_of_table(tree, table):
    """Nodes that are leaves and below no cut."""
    leaf = table.cut | (tree.n_children == 0)
    return {n for n in np.flatnonzero(leaf) if not table.cut[tree.path(n)[:-1]].any()}


def test_a_split_that_is_kept_survives_any_price_and_a_mask_of_another_length_is_refused():
    tree = random_tree(12, most_inner=12)
    deepest = int(np.flatnonzero(tree.n_children)[np.argmax(tree.depth[tree.n_children > 0])])
    kept = np.zeros(tree.n_nodes, dtype=bool)
    kept[deepest] = True
    above = set(tree.path(deepest))
    assert tree.depth[deepest] > 1
    assert set(np.flatnonzero(with_ancestors(tree, kept)).tolist()) == above
    pruned, log = PRUNERS["cost_complexity"].prune(tree, ccp_alpha=1e6, kept=kept)
    assert set(pruned.grown_node[pruned.n_children > 0].tolist()) == above
    assert not above & set(log.node.tolist())
    assert np.isfinite(cost_complexity_path(tree, kept=kept).risk).all()
    with pytest.raises(ValueError, match=f"each of the {tree.n_nodes} nodes"):
        prune_table(tree, np.zeros(tree.n_nodes), kept=np.zeros(3, dtype=bool))


@pytest.mark.kernel
@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("in_parts", [False, True])
def test_error_based_pruning_spares_what_is_kept(raising, in_parts):
    X, y = waveform(300, seed=4)
    if in_parts:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    tree = C45Classifier(pruning="none").fit(X, y).tree_
    assert (len(tree.samples) > len(X)) == in_parts
    training = TrainingRows(X.T, y, lambda counts: np.zeros(len(counts)))
    how = {"confidence": 0.01, "subtree_raising": raising}
    prune = PRUNERS["error_based"].prune
    free, log = prune(tree, training=training, **how)
    gone = log.node[np.argmax(tree.depth[log.node])]
    kept = np.zeros(tree.n_nodes, dtype=bool)
    kept[gone] = True
    held, held_log = prune(tree, training=training, kept=kept, **how)
    held.validate()
    above = tree.path(gone)
    assert not set(above) & set(held_log.node.tolist())
    assert set(above) <= set(held.grown_node.tolist())
    assert held.n_leaves > free.n_leaves
    nothing = prune(tree, training=training, kept=np.zeros(tree.n_nodes, dtype=bool), **how)[0]
    np.testing.assert_array_equal(nothing.key, free.key)


# CART with entropy: leaves, test errors in percent; 49 % of the rows grow it, 21 % are held out.
EXPECTED = {  # of iris, breast_cancer, waveform and xor
    "grown": ((5, 2.2), (7, 7.6), (148, 28.6), (12, 12.5)),
    "reduced_error": ((5, 2.2), (4, 8.2), (56, 27.7), (11, 11.7)),
    "pessimistic": ((3, 0), (7, 7.6), (101, 27.3), (10, 13.3)),
    "minimum_error": ((3, 0), (7, 7.6), (134, 28.2), (12, 12.5)),
    "replacement": ((3, 0), (7, 7.6), (130, 28.2), (12, 12.5)),
    "mdl": ((3, 0), (3, 8.2), (22, 27.0), (10, 13.3)),
    "entropy_cost": ((3, 0), (7, 7.6), (127, 28.0), (11, 13.3)),
}


def grown_on(name):
    """The tree, its held-out rows, its test rows."""
    data = load_dataset(name, **SETS[name])
    X, y = np.asarray(data.X, dtype=float), np.unique(data.y, return_inverse=True)[1]
    rest, test = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=0)
    part, out = train_test_split(rest, test_size=0.3, stratify=y[rest], random_state=0)
    tree = CARTClassifier(criterion="entropy").fit(X[part], y[part]).tree_
    return tree, HeldOutRows(X[out], y[out]), X[test], y[test]


@pytest.fixture(scope="module", params=SETS)
def grown(request):
    return request.param, *grown_on(request.param)


@pytest.mark.parametrize("key", EXPECTED)
def test_leaves_and_test_errors(grown, key):
    name, tree, held_out, X, y = grown
    pruned = tree
    if key != "grown":
        rows = {"held_out": held_out} if PRUNERS[key].needs else {}
        params = {"alpha": 4.0} if key == "entropy_cost" else {}
        pruned, _ = PRUNERS[key].prune(tree, **rows, **params)
    errors = 100 * np.mean(pruned.predict(X) != y)
    assert (pruned.n_leaves, round(errors, 1)) == EXPECTED[key][[*SETS].index(name)]


def test_smaller_confidence_leaves_smaller_trees_that_are_not_nested():
    tree, *_ = grown_on("waveform")
    trees = [
        PRUNERS["replacement"].prune(tree, confidence=cf)[0]
        for cf in (0.5, 0.25, 0.1, 0.05, 0.01, 0.001)
    ]
    assert [t.n_leaves for t in trees] == [146, 130, 118, 103, 74, 38]
    inner = [set(t.key[t.n_children > 0].tolist()) for t in trees]
    assert any(not small <= large for large, small in itertools.pairwise(inner))


@pytest.mark.parametrize("key", PRUNERS)
def test_every_pruner_says_what_it_lacks(key):
    pruner = PRUNERS[key]
    numbers = CARTRegressor(max_depth=3).fit(np.arange(20.0)[:, None], np.arange(20.0)).tree_
    if pruner.needs:
        with pytest.raises(ValueError, match=f"needs rows: give {pruner.needs}"):
            pruner.prune(random_tree(3))
        return
    with pytest.raises(ValueError, match="unknown parameter 'size'"):
        pruner.prune(random_tree(3), size=3)
    if pruner.numbers:
        assert pruner.prune(numbers, ccp_alpha=40.0, risk="squared_error")[0].n_leaves == 1
    with pytest.raises(ValueError, match="predicts numbers"):
        pruner.prune(numbers)


def test_error_based_pruning_has_no_table():
    tree = random_tree(3)
    training = TrainingRows(np.zeros((1, 1)), np.zeros(1, dtype=int), np.sum)
    assert training.columns.shape == (1, 1)
    with pytest.raises(ValueError, match="no table"):
        PRUNERS["error_based"].table(tree)


@pytest.mark.parametrize(("key", "params", "match"), [
    ("minimum_error", {"m": -1.0}, "m must be"),
    ("replacement", {"confidence": 0.7}, "confidence must be"),
    ("cost_complexity", {"ccp_alpha": -0.1}, "ccp_alpha must be"),
    ("entropy_cost", {"alpha": float("nan")}, "alpha must be"),
])  # fmt: skip
def test_a_parameter_out_of_range_is_refused(key, params, match):
    with pytest.raises(ValueError, match=match):
        PRUNERS[key].prune(random_tree(3), **params)


def test_reduced_error_pruning_needs_a_row():
    with pytest.raises(ValueError, match="needs rows held out"):
        PRUNERS["reduced_error"].prune(
            random_tree(3), held_out=HeldOutRows(np.zeros((0, 1)), np.zeros(0, dtype=int))
        )
