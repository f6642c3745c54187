"""The verified numbers of the textbook chapter: ID3, C4.5 and pruning on the loan data."""

import numpy as np
import pytest

from lastviz import C45Classifier, ID3Classifier
from lastviz.criteria import class_entropy
from lastviz.datasets import load_dataset, regression_5_2
from lastviz.inspection import split_search
from lastviz.tree import Kind

LOAN = load_dataset("loan")
X, Y = LOAN.X, LOAN.y.to_numpy()
FEATURES = ("age", "job", "house", "credit")
GAIN = (0.083007, 0.323650, 0.419973, 0.362990)
RATIO = (0.052372, 0.352447, 0.432538, 0.231854)
AS_PRINTED = (0.085491, 0.333333, 0.432538, 0.373850)
TREES = [
    ID3Classifier(),
    ID3Classifier(criterion="gain_ratio"),
    ID3Classifier(criterion="gain_ratio_entropy"),
    C45Classifier(pruning="none"),
    C45Classifier(pruning="none", criterion="gain"),
    C45Classifier(pruning="none", criterion="chi2"),
    C45Classifier(pruning="none", criterion="g_statistic"),
]


def at(estimator, node, column):
    search = split_search(estimator.fit(X, Y), X, Y, node)
    return dict(zip(search.feature.tolist(), search.columns[column].tolist(), strict=True))


def test_the_tables_are_those_of_the_book():
    assert LOAN.X.shape == (15, 4)
    assert list(LOAN.class_counts) == [9, 6]
    curve = regression_5_2()
    assert curve.is_regression
    assert curve.y.sum() == pytest.approx(66.18)
    assert curve.select(["x"]).digest == curve.digest


@pytest.mark.parametrize("estimator", TREES, ids=str)
def test_house_then_job(estimator):
    tree = estimator.fit(X, Y).tree_
    tree.validate(estimator.encode(X))
    assert [tree.feature_names[f] for f in tree.feature[tree.kind == Kind.CATEGORIES]] == [
        "house", "job",
    ]  # fmt: skip
    assert (tree.n_nodes, tree.n_leaves) == (5, 3)
    assert estimator.score(X, Y) == 1.0


def test_gains_and_ratios_of_the_root():
    assert class_entropy([9, 6]) == pytest.approx(0.970951, abs=1e-6)
    root = range(4)
    for estimator, column, expected in (
        (ID3Classifier(), "gain", GAIN),
        (ID3Classifier(criterion="gain_ratio"), "gain_ratio", RATIO),
        (ID3Classifier(criterion="gain_ratio_entropy"), "gain_ratio_entropy", AS_PRINTED),
        (C45Classifier(), "gain", GAIN),
        (C45Classifier(), "gain_ratio", RATIO),
    ):
        found = at(estimator, 0, column)
        np.testing.assert_allclose([found[f] for f in root], expected, atol=1e-6)


def test_the_node_without_a_house():
    estimator = ID3Classifier().fit(X, Y)
    node = int(np.flatnonzero(estimator.grown_tree_.n_children > 0)[1])
    assert estimator.grown_tree_.n_node_samples[node] == 9
    assert estimator.grown_tree_.impurity[node] == pytest.approx(0.918296, abs=1e-6)
    found = at(estimator, node, "gain")
    assert 2 not in found, "house is asked once on a path"
    np.testing.assert_allclose([found[f] for f in (0, 1, 3)], [0.251629, 0.918296, 0.473851],
                               atol=1e-6)  # fmt: skip


def test_where_the_price_of_a_leaf_cuts():
    def leaves_at(alpha, literal):
        estimator = ID3Classifier(entropy_alpha=alpha, literal=literal)
        return estimator.fit(X, Y).tree_.n_leaves

    alphas = (0.0, 7.28, 7.2822, 8.26, 8.265)
    leaves = {(a, how): leaves_at(a, how) for a in alphas for how in (False, True)}
    assert [leaves[a, False] for a in (0.0, 7.28, 7.2822, 8.265)] == [3, 3, 1, 1]
    assert [leaves[a, True] for a in (7.2822, 8.26, 8.265)] == [3, 3, 1]


def test_the_threshold_of_the_gain():
    assert ID3Classifier(min_gain=0.42).fit(X, Y).tree_.n_nodes == 1
    assert ID3Classifier(min_gain=0.419).fit(X, Y).tree_.n_nodes == 5
    assert ID3Classifier(criterion="gain_ratio", min_gain=0.43).fit(X, Y).tree_.n_nodes == 5
    assert ID3Classifier(criterion="gain_ratio", min_gain=0.44).fit(X, Y).tree_.n_nodes == 1


def test_a_split_that_gains_nothing_is_not_made():
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert ID3Classifier().fit(corners, [0, 1, 1, 0]).tree_.n_nodes == 1
