import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz import CARTClassifier
from lastviz.pruning import PRUNERS, entropy_bits, entropy_cost_table, prune_entropy_cost
from lastviz.tree import Action, Reason
from tests import naive_entropy_cost as naive
from tests.pruning.test_pruners import leaves_of
from tests.random_trees import random_tree

SEEDS = st.integers(0, 10**6)
PRICES = st.one_of(st.just(0.0), st.floats(0.0, 40.0))


def contains(larger, smaller, tree):
    """Whether every leaf of `larger` is, or lies below, a leaf of `smaller`."""
    return all(smaller & set(tree.path(leaf)) for leaf in larger)


def test_200_random_trees_are_cut_as_exhaustive_search_cuts_them():
    cut_somewhere, literal_misses = 0, 0
    for seed in range(200):
        tree = random_tree(seed)
        alpha = float(np.random.default_rng(seed).uniform(0.0, 8.0))
        best = min(naive.minimisers(tree, alpha), key=len)
        pruned, log = prune_entropy_cost(tree, alpha)
        pruned.validate()
        assert leaves_of(pruned, tree) == best
        costs = entropy_cost_table(tree, alpha)
        assert costs.cost[0] == pytest.approx(naive.cost(tree, best, alpha), abs=1e-9)
        printed, _ = prune_entropy_cost(tree, alpha, literal=True)
        assert leaves_of(printed, tree) == naive.printed_loop(tree, alpha)
        assert entropy_cost_table(tree, alpha, literal=True).cost[0] >= costs.cost[0] - 1e-9
        cut_somewhere += len(log) > 0
        literal_misses += leaves_of(printed, tree) != best
    assert cut_somewhere > 50
    assert literal_misses > 5


@settings(max_examples=150, deadline=None)
@given(seed=SEEDS, alpha=PRICES)
def test_exercise_5_3_there_is_one_smallest_minimiser(seed, alpha):
    tree = random_tree(seed)
    pruned = leaves_of(prune_entropy_cost(tree, alpha)[0], tree)
    minimisers = naive.minimisers(tree, alpha)
    assert [m for m in minimisers if len(m) == min(map(len, minimisers))] == [pruned]
    assert all(contains(other, pruned, tree) for other in minimisers)


@settings(max_examples=150, deadline=None)
@given(seed=SEEDS, one=PRICES, other=PRICES)
def test_exercise_5_4_a_higher_price_gives_a_nested_tree(seed, one, other):
    tree = random_tree(seed)
    low, high = sorted((one, other))
    larger, smaller = (leaves_of(prune_entropy_cost(tree, a)[0], tree) for a in (low, high))
    assert contains(larger, smaller, tree)
    assert len(larger) >= len(smaller)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_exercise_5_4_finitely_many_trees_each_best_on_an_interval(seed):
    tree = random_tree(seed)
    alphas = np.linspace(0.0, 40.0, 60)
    trees = [leaves_of(prune_entropy_cost(tree, float(a))[0], tree) for a in alphas]
    changes = sum(a != b for a, b in itertools.pairwise(trees))
    assert changes == len(set(trees)) - 1  # none comes back once it was left
    assert changes <= (tree.n_children > 0).sum()


def loan_tree():
    """Table 5.1 as numbers: own house 1 yes 0 no, job 1 yes 0 no; grown by CART."""
    house = np.isin(np.arange(15), [3, 7, 8, 9, 10, 11])
    job = np.isin(np.arange(15), [2, 3, 7, 12, 13])
    approved = ["no", "no", "yes", "yes", "no", "no", "no"] + ["yes"] * 7 + ["no"]
    return CARTClassifier().fit(np.c_[house, job], approved).tree_


@pytest.mark.parametrize(("alpha", "best", "printed"), [
    (0.0, 3, 3), (7.28, 3, 3), (7.2822, 1, 3), (8.0, 1, 3), (8.2646, 1, 3), (8.2648, 1, 1),
])  # fmt: skip
def test_the_printed_loop_misses_the_minimum_of_the_loan_tree(alpha, best, printed):
    tree = loan_tree()
    assert PRUNERS["entropy_cost"].prune(tree, alpha=alpha)[0].n_leaves == best
    assert prune_entropy_cost(tree, alpha, literal=True)[0].n_leaves == printed


def test_the_costs_of_the_loan_tree_in_bits_and_what_each_cut_saves():
    tree = loan_tree()
    costs = entropy_cost_table(tree, 7.0)
    assert tree.feature.tolist() == [0, 1, -1, -1, -1]
    np.testing.assert_allclose(
        entropy_bits(tree), [15 * 0.9709505944546686, 9 * 0.9182958340544896, 0, 0, 0], atol=1e-9
    )
    assert costs.cost[0] == 21.0
    whole = entropy_cost_table(tree, 14.564258916820003 / 2)
    assert whole.cut.tolist() == [True, False, False, False, False]  # a tie prunes
    _, log = prune_entropy_cost(tree, 9.0)
    assert log.node.tolist() == [1, 0]
    assert set(log.action) == {Action.PRUNE}
    assert set(log.reason) == {Reason.ENTROPY_COST}
    lower = 18.0 - (9 * 0.9182958340544896 + 9.0)
    np.testing.assert_allclose(log.score[0], lower, atol=1e-9)
    assert log.score[1] > 0


@pytest.mark.parametrize("alpha", [-0.1, np.nan, np.inf])
def test_a_price_out_of_range_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be a finite number >= 0 of bits per leaf"):
        prune_entropy_cost(loan_tree(), alpha)
