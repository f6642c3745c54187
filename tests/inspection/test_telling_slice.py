"""A plane that shows a border, found among those through rows."""

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier, GSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import slice_agreement, telling_slice


def boxes(n=400, seed=0):
    """Class 1 only where three of five features are large: a plane through the means has none."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 5))
    return X, (X[:, :3] > 0.62).all(axis=1).astype(np.intp)


def colours(tree, X, found):
    f, g = found.features
    points = np.repeat(X[[found.row]], 400, axis=0)
    ends = [np.linspace(X[:, c].min(), X[:, c].max(), 20) for c in (f, g)]
    points[:, f], points[:, g] = np.tile(ends[0], 20), np.repeat(ends[1], 20)
    return np.unique(tree.predict(points))


def test_a_border_is_found_where_the_plane_through_the_means_has_none():
    X, y = boxes()
    estimator = CARTClassifier(min_samples_leaf=10).fit(X, y)
    tree = estimator.tree_
    through_means = np.tile(np.median(X, axis=0), (400, 1))
    through_means[:, 3:] = np.random.default_rng(1).uniform(size=(400, 2))
    assert len(np.unique(tree.predict(through_means))) == 1
    found = telling_slice([tree], X, y, estimator.feature_importances_)
    assert set(found.features) <= {0, 1, 2}
    assert colours(tree, X, found).tolist() == [0, 1]
    assert found.agreement > 0.6


@pytest.mark.parametrize("key", ["wine", "iris", "waveform", "breast_cancer"])
@pytest.mark.parametrize("cls", [CARTClassifier, GSODTClassifier])
def test_measured_data_have_one(key, cls):
    dataset = load_dataset(key)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    tree = cls().fit(X, y).tree_
    found = telling_slice([tree], X, y, np.ones(X.shape[1]))
    assert len(colours(tree, X, found)) > 1
    assert 1 / dataset.n_classes < found.agreement <= 1


def test_a_tree_of_one_leaf_has_none_and_features_that_cannot_stand_on_an_axis_do_not():
    X, y = boxes()
    tree = CARTClassifier(min_samples_split=1000).fit(X, y).tree_
    assert telling_slice([tree], X, y, np.ones(5)) is None
    X[::7, 0] = np.nan
    estimator = CARTClassifier().fit(X, y)
    found = telling_slice([estimator.tree_], X, y, np.array([1.0, -1, 1.0, -1, -1]))
    assert found.features == (0, 2)
    assert telling_slice([estimator.tree_], X, y, np.array([1.0, -1, -1, -1, -1])) is None


def test_of_two_trees_the_plane_serves_both():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    tree = CARTClassifier(max_leaf_nodes=6).fit(X, y).tree_
    other = CARTClassifier(max_leaf_nodes=6).fit(X, (X[:, 2] > 0).astype(int)).tree_
    assert telling_slice([tree, tree], X, y, np.ones(4)) == telling_slice([tree], X, y, np.ones(4))
    mixed = telling_slice([tree, other], X, y, np.ones(4))
    through = X[[mixed.row]]
    each = [slice_agreement([one], X, y, mixed.features, through)[0] for one in (tree, other)]
    # One colour below all rows agrees with one class of two.
    assert mixed.agreement == pytest.approx(np.mean([0.5 if a < 0 else a for a in each]))


def test_one_axis_at_least_is_a_number_and_a_category_has_its_own_cells():
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"a": rng.choice(list("xyz"), 240), "b": rng.choice(list("uv"), 240),
                      "c": rng.normal(size=240)})  # fmt: skip
    y = ((X["a"] == "x") | (X["c"] > 0.5)).to_numpy(dtype=int)
    model = CARTClassifier(max_leaf_nodes=6).fit(X, y)
    found = telling_slice([model.tree_], model.encode(X), y, np.array([3.0, 2.0, 1.0]))
    assert found.features == (0, 2)
    assert found.agreement > 0.9
