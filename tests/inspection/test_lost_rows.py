"""Where wrong rows were lost, and a tree that holds other rows than it was grown on."""

import numpy as np
import pytest

from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import NEVER, holding, lost_rows, supports

CASES = [
    ("iris", "cart"),
    ("waveform", "c45"),
    ("waveform", "gsodt"),
    ("moons", "oc1"),
    ("three_spirals", "svm_tree"),
    ("monotone", "remt"),
]


def grown(data, key, **params):
    dataset = load_dataset(data)
    train, held = dataset.split(0.4, 3)
    X, y = dataset.numeric_X.to_numpy(dtype=float), dataset.codes
    model = ESTIMATORS[key].cls(**params).fit(X[train], y[train])
    return model.tree_, X[held], y[held]


def naive_lost(tree, row, label):
    """The last node on the way down with the row's class, and the one that follows it."""
    path = tree.path(int(tree.apply(row[None])[0]))
    own = [i for i, node in enumerate(path) if tree.prediction[node] == label]
    if not own:
        return NEVER, NEVER
    return path[own[-1]], path[own[-1] + 1] if own[-1] + 1 < len(path) else NEVER


@pytest.mark.parametrize(("data", "key"), CASES)
def test_each_wrong_row_is_lost_where_a_walk_down_loses_it_and_rows_held_are_counted(data, key):
    tree, X, y = grown(data, key)
    found = lost_rows(tree, X, y)
    assert found.row.tolist() == np.flatnonzero(tree.predict(X) != y).tolist()
    walked = [naive_lost(tree, X[i], y[i]) for i in found.row]
    assert list(zip(found.node.tolist(), found.child.tolist(), strict=True)) == walked
    assert (tree.prediction[found.end] == found.predicted).all()
    assert found.by_node(tree.n_nodes).sum() == np.count_nonzero(found.node != NEVER)
    other, stops = holding(tree, X, y), tree.apply(X)
    for node in range(tree.n_nodes):
        here = np.isin(stops, tree.subtree(node))
        n_classes = tree.value.shape[1]
        assert other.value[node].tolist() == np.bincount(y[here], minlength=n_classes).tolist()
        right = np.count_nonzero(y[here] == tree.prediction[node])
        assert supports(other).confidence[node] == pytest.approx(right / max(here.sum(), 1))
    assert other.n_node_samples[0] == len(y)
    assert (other.prediction == tree.prediction).all()


def test_a_row_whose_class_no_node_on_its_path_has_was_never_held():
    tree, X, y = grown("iris", "cart", min_samples_split=10**6)
    found = lost_rows(tree, X, y)
    assert len(found.row) > 0
    assert (found.node == NEVER).all()
    assert (found.child == NEVER).all()


def test_a_row_in_parts_has_the_path_of_its_largest_part():
    dataset = load_dataset("iris")
    X, y = dataset.numeric_X.to_numpy(dtype=float).copy(), dataset.codes
    X[np.random.default_rng(0).random(X.shape) < 0.3] = np.nan
    tree = ESTIMATORS["c45"].cls().fit(X, y).tree_
    found = lost_rows(tree, X, y)
    assert len(found.row) > 0
    for row, end, node in zip(found.row, found.end, found.node, strict=True):
        assert end == tree.apply(X[[row]])[0]
        assert node in (NEVER, *tree.path(int(end)))
