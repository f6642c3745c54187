"""Partition, rules, prices and steps of the textbook's trees."""

import itertools
import math

import numpy as np
import pytest

from lastviz import CARTRegressor
from lastviz.inspection import (
    literal_prices,
    optimal_prices,
    parting_prices,
    partition,
    prune_at_price,
    rule_cover,
    steps,
)
from lastviz.pruning import cost_complexity_path, prune_cost_complexity
from lastviz.ui.textbook.scene import fitted_tree
from tests.inspection.test_worked_example import CATEGORIES, CLASSES, LOAN, table_of
from tests.naive_textbook import id3, regression_nodes
from tests.random_trees import random_tree

Y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]


def grown(table):
    codes, labels = table.codes.tolist(), table.labels.tolist()
    return id3(codes, labels, table.categories, table.features, table.classes)


@pytest.fixture
def loan():
    return table_of([row.split() for row in LOAN.split(",")])


@pytest.fixture
def tree(loan):
    return grown(loan)


def random_table(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 25))
    rows = [[str(rng.choice(c)) for c in (*CATEGORIES, CLASSES)] for _ in range(n)]
    return table_of(rows)


def test_the_tree_of_example_5_3_has_three_leaves_and_exclusive_complete_rules(loan, tree):
    tree.validate()
    assert [loan.features[f] for f in tree.feature[tree.n_children > 0]] == ["house", "job"]
    assert tree.n_leaves == 3
    cover = rule_cover(tree)
    assert cover.n_combinations == 36
    assert cover.by_rules.tolist() == [0, 36, 0, 0]
    assert sorted(cover.covered.tolist()) == [9, 9, 18]
    assert cover.exclusive
    assert cover.complete


@pytest.mark.parametrize("algorithm", ["slow twin", "c45", "cart", "id3"])
@pytest.mark.parametrize("seed", range(12))
def test_the_rules_of_any_tree_say_what_its_routing_does(seed, algorithm):
    table = random_table(seed)
    if algorithm == "slow twin":
        tree = grown(table)
    else:
        params = {"pruning": "none"} if algorithm == "c45" else {}
        tree = fitted_tree(algorithm, params, table, range(4))
    cover = rule_cover(tree)
    assert cover.exclusive
    assert cover.complete or algorithm != "c45"  # it has a branch for every category
    everything = np.array(list(itertools.product(*(range(len(c)) for c in CATEGORIES))))
    reached = np.bincount(tree.apply(everything.astype(float)), minlength=tree.n_nodes)
    assert cover.covered.tolist() == reached[cover.leaves].tolist()
    assert cover.by_rules[0] == reached[tree.n_children > 0].sum()


@pytest.mark.parametrize("seed", range(4))
def test_every_row_lies_in_the_cell_of_its_leaf(seed):
    table = random_table(seed)
    tree = grown(table)
    cells = partition(tree, table)
    assert cells.node.size == 36
    x, y = cells.cell.T
    assert cells.node[y, x].tolist() == tree.apply(table.codes.astype(float)).tolist()
    assert (cells.x_codes[x] == table.codes[:, cells.x_features]).all()
    assert (cells.y_codes[y] == table.codes[:, cells.y_features]).all()


def test_the_loan_tree_has_one_rectangle_a_leaf(loan, tree):
    cells = partition(tree, loan)
    for leaf in np.unique(cells.node):
        y, x = np.nonzero(cells.node == leaf)
        assert len(x) == (np.ptp(x) + 1) * (np.ptp(y) + 1)


def test_too_many_combinations_are_refused_in_a_sentence(tree, loan):
    from dataclasses import replace

    many = tuple(str(i) for i in range(40))
    wide = replace(loan, categories=(many,) * 4)
    with pytest.raises(ValueError, match="2,560,000 combinations"):
        partition(tree, wide)
    with pytest.raises(ValueError, match="more than the 200,000 that are tried"):
        rule_cover(replace(tree, feature_categories=(many,) * 4))


def test_the_printed_loop_keeps_the_loan_tree_too_long(tree):
    assert optimal_prices(tree).tolist() == pytest.approx([7.2821295], abs=1e-6)
    assert literal_prices(tree).tolist() == pytest.approx([8.2646625], abs=1e-6)
    ((low, high),) = parting_prices(tree)
    assert (low, high) == pytest.approx((7.2821295, 8.2646625), abs=1e-6)
    optimal, literal = (prune_at_price(tree, 7.5, literal=word) for word in (False, True))
    assert (optimal.tree.n_leaves, literal.tree.n_leaves) == (1, 3)
    assert optimal.entropy[[0]].tolist() == pytest.approx([14.564259], abs=1e-6)


@pytest.mark.parametrize("seed", range(25))
def test_both_ways_part_just_where_they_are_said_to(seed):
    tree = random_tree(seed)
    intervals = parting_prices(tree)
    most = max([1.0, *(high for _, high in intervals)])
    for alpha in np.linspace(0.0131, 1.2 * most, 60):
        sizes = {prune_at_price(tree, alpha, literal=word).tree.n_nodes for word in (False, True)}
        inside = any(low < alpha < high for low, high in intervals)
        assert (len(sizes) == 2) == inside


def test_the_steps_of_table_5_2_are_those_of_the_slow_twin_and_exercise_5_2_is_nested():
    x = np.arange(1.0, 11.0)
    tree = CARTRegressor().fit(x[:, None], Y).tree_
    found = steps(tree)
    naive = {node[:2]: node[2:] for node in regression_nodes(x.tolist(), Y)}
    assert len(naive) == tree.n_nodes
    for i in range(tree.n_nodes):
        mean, loss, n, depth, threshold = naive[found.low[i], found.high[i]]
        assert found.mean[i] == pytest.approx(mean)
        assert found.loss[i] == pytest.approx(loss, abs=1e-9)
        assert (found.n_samples[i], found.depth[i]) == (n, depth)
        assert found.leaf[i] == math.isnan(threshold)
        assert found.threshold[i] == threshold or found.leaf[i]
    path = cost_complexity_path(tree, "squared_error")
    assert path.n_leaves.tolist() == list(range(10, 0, -1))
    prices = [0, 0.0128, 0.045, 0.0726, 0.1058, 0.2562667, 0.36125, 0.867, 1.6380033, 24.27364]
    assert (10 * path.alpha).tolist() == pytest.approx(prices, abs=1e-6)
    for leaves, means in ((3, [5.06, 7.475, 8.643333]), (4, [4.72, 5.57, 7.475, 8.643333])):
        cut, _ = prune_cost_complexity(tree, path, 10 - leaves)
        shown = steps(cut)
        order = np.argsort(shown.low[shown.leaf])
        assert shown.mean[shown.leaf][order].tolist() == pytest.approx(means, abs=1e-6)


def test_steps_need_numbers_on_one_feature(tree):
    with pytest.raises(ValueError, match="regression tree on one feature"):
        steps(tree)
