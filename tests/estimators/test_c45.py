"""C4.5's own rules."""

import numpy as np
import pytest

from lastviz import C45Classifier
from tests.conftest import waveform


def test_cutting_at_values_only_lowers_thresholds_to_data():
    X, y = waveform(400, seed=0)
    X = np.round(X, 1)
    middle = C45Classifier(pruning="none").fit(X, y).tree_
    value = C45Classifier(pruning="none", threshold="value").fit(X, y).tree_
    inner = middle.n_children > 0
    np.testing.assert_array_equal(middle.feature, value.feature)
    assert (value.threshold[inner] <= middle.threshold[inner]).all()
    for feature, threshold in zip(value.feature[inner], value.threshold[inner], strict=True):
        assert threshold in X[:, feature]
    value.validate(X)


def test_a_pruned_node_names_the_grown_node_whose_split_it_has():
    X, y = waveform(1500, seed=2)
    fitted = C45Classifier(mdl_correction=False, confidence=0.1).fit(X, y)
    grown, tree = fitted.grown_tree_, fitted.tree_
    assert tree.n_nodes < grown.n_nodes
    inner = tree.n_children > 0
    np.testing.assert_array_equal(tree.feature[inner], grown.feature[tree.grown_node[inner]])
    np.testing.assert_array_equal(tree.threshold[inner], grown.threshold[tree.grown_node[inner]])
    assert (tree.grown_node[~inner] == -1).all()
    raised = tree.n_node_samples[inner] > grown.n_node_samples[tree.grown_node[inner]]
    assert raised.any(), "the data should show subtree raising"


def test_smaller_confidence_prunes_more():
    X, y = waveform(800, seed=3)
    sizes = [C45Classifier(confidence=c).fit(X, y).tree_.n_nodes for c in (0.001, 0.05, 0.25, 0.5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_the_price_of_a_threshold_keeps_noise_from_splitting():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), rng.integers(0, 2, 500)
    with_price = C45Classifier(pruning="none").fit(X, y).tree_.n_nodes
    without = C45Classifier(pruning="none", mdl_correction=False).fit(X, y).tree_.n_nodes
    assert with_price * 5 < without


@pytest.mark.parametrize("n_classes", [2, 26])
def test_many_classes_and_a_constant_column(n_classes):
    rng = np.random.default_rng(1)
    y = np.arange(520) % n_classes
    X = np.column_stack([y + 0.1 * rng.random(520), np.ones(520)])
    fitted = C45Classifier().fit(X, y)
    assert fitted.score(X, y) == 1.0
    assert set(fitted.tree_.feature) == {0, -1}
