import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from lastviz import CARTClassifier, CARTLCClassifier
from lastviz.pruning import (
    PRUNERS,
    best_step,
    cost_complexity_path,
    held_out_losses,
    prune_cost_complexity,
)
from lastviz.tree import Action, Reason
from tests import naive_cost_complexity as naive
from tests.conftest import waveform

RISKS = {"misclassification": naive.misclassification_risk, "gini": naive.gini_risk}


def grown(seed, n=150, tied=False):
    X, y = waveform(n, seed)
    X = np.round(X[:, 5:9]) if tied else X[:, 5:9]
    return CARTClassifier().fit(X, y).tree_


@pytest.mark.kernel
@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("tied", [False, True])
def test_every_tree_of_the_path_is_the_smallest_optimum_at_its_price(risk, tied):
    tree = grown(0, tied=tied)
    path = cost_complexity_path(tree, risk)
    node_risk = RISKS[risk](tree)
    assert path.n_steps > 5
    assert path.alpha[0] == 0.0
    assert (np.diff(path.alpha) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert path.n_leaves[-1] == 1
    between = np.r_[(path.alpha[1:] + path.alpha[:-1]) / 2, path.alpha[-1] + 1]
    for step, alpha in enumerate(between):
        _, leaves = naive.smallest_optimum(tree, node_risk, alpha)
        assert path.step_at(alpha) == path.step_at(path.alpha[step]) == step
        pruned, log = prune_cost_complexity(tree, path, step)
        assert pruned.n_leaves == len(leaves) == path.n_leaves[step]
        assert path.risk[step] == pytest.approx(node_risk[leaves].sum(), abs=1e-12)
        kept = np.flatnonzero(pruned.n_children == 0)
        assert sorted(pruned.key[kept]) == sorted(tree.key[leaves])
        assert set(log.action) <= {Action.PRUNE}
        assert set(log.reason) <= {Reason.WEAKEST_LINK}
        assert (np.diff(log.score) >= 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_path_is_that_of_scikit_learn(seed):
    X, y = waveform(300, seed)
    X = X.astype(np.float32).astype(float)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    path = cost_complexity_path(CARTClassifier().fit(X, y).tree_, "gini")
    expected = theirs.cost_complexity_pruning_path(X, y)
    last = np.r_[np.diff(expected.ccp_alphas) > 1e-12, True]  # the last of those that tie
    alphas, impurities = expected.ccp_alphas[last], expected.impurities[last]
    np.testing.assert_allclose(path.alpha, alphas, atol=1e-12)
    np.testing.assert_allclose(path.risk, impurities, atol=1e-12)


@pytest.mark.parametrize("tied", [False, True])
def test_held_out_errors_are_those_of_each_tree(tied):
    tree = grown(1, tied=tied)
    X, y = waveform(80, seed=9)
    X = X[:, 5:9]
    path = cost_complexity_path(tree)
    errors, _ = held_out_losses(tree, path, X, y)
    for step in range(path.n_steps):
        pruned, _ = prune_cost_complexity(tree, path, step)
        pruned.validate()
        assert errors[step] == np.count_nonzero(pruned.predict(X) != y)
        _, leaves = naive.smallest_optimum(
            tree, naive.misclassification_risk(tree), path.alpha[step] + 1e-9
        )
        assert errors[step] == naive.errors_of(tree, set(leaves), X, y)


def test_the_smallest_of_the_best_trees_is_chosen():
    errors = np.array([12.0, 10.0, 10.0, 11.0, 13.0, 40.0])
    assert best_step(errors, 100) == 2
    assert best_step(errors, 100, "1se") == 4
    assert best_step(np.zeros(3), 10, "1se") == 2


def test_hyperplanes_stay_with_their_nodes():
    X, y = waveform(400, seed=3)
    tree = CARTLCClassifier(pruning_fraction=0.0).fit(X, y).tree_
    path = cost_complexity_path(tree)
    pruned, log = prune_cost_complexity(tree, path, path.n_steps // 2)
    pruned.validate(X)
    assert 1 < pruned.n_leaves < tree.n_leaves
    inner = np.flatnonzero(pruned.n_children > 0)
    old = pruned.grown_node[inner]
    np.testing.assert_array_equal(pruned.split_row[inner], tree.split_row[old])
    np.testing.assert_array_equal(pruned.key[inner], tree.key[old])
    assert (pruned.grown_node[pruned.n_children == 0] == -1).all()
    assert len(np.unique(log.node)) == len(log)


def test_a_single_leaf_is_its_whole_path():
    X, y = np.zeros((6, 2)), np.array([0, 1, 1, 0, 1, 1])
    tree = CARTClassifier().fit(X, y).tree_
    path = cost_complexity_path(tree)
    assert (path.n_steps, path.n_leaves.tolist()) == (1, [1])
    pruned, log = PRUNERS["cost_complexity"].prune(tree, ccp_alpha=1.0)
    assert (pruned.n_nodes, len(log)) == (1, 0)
