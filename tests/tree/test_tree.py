from dataclasses import replace

import numpy as np
import pytest

from lastviz import CARTClassifier
from tests.conftest import waveform


@pytest.fixture(scope="module")
def fitted():
    X, y = waveform(300, seed=5)
    return X, y, CARTClassifier().fit(X, y).tree_


def slow_apply(tree, x):
    node = 0
    while not tree.is_leaf(node):
        first, second = tree.children(node)
        node = first if x[tree.feature[node]] <= tree.threshold[node] else second
    return node


@pytest.mark.kernel
def test_rows_are_routed_as_the_tests_say(fitted):
    X, _, tree = fitted
    fresh, _ = waveform(200, seed=6)
    inner = np.flatnonzero(tree.feature >= 0)
    on_the_edge = X[[tree.node_samples(node)[0][0] for node in inner]]
    on_the_edge[np.arange(len(inner)), tree.feature[inner]] = tree.threshold[inner]
    fresh = np.concatenate([fresh, on_the_edge])
    np.testing.assert_array_equal(tree.apply(fresh), [slow_apply(tree, x) for x in fresh])


def test_a_node_holds_the_rows_that_reach_it(fitted):
    X, y, tree = fitted
    leaf = tree.apply(X)
    for node in range(tree.n_nodes):
        below = tree.subtree(node)
        rows, weights = tree.node_samples(node)
        np.testing.assert_array_equal(rows, np.flatnonzero(np.isin(leaf, below)))
        np.testing.assert_array_equal(np.bincount(y[rows], weights, minlength=3), tree.value[node])


def test_paths_lead_from_the_root(fitted):
    _, _, tree = fitted
    for node in range(tree.n_nodes):
        path = tree.path(node)
        assert path[0] == 0
        assert path[-1] == node
        assert len(path) == tree.depth[node] + 1
    assert len(np.unique(tree.key)) == tree.n_nodes


BREAKS = {
    "wrong depth": lambda t: {"depth": t.depth + (np.arange(t.n_nodes) == 3)},
    "number of children": lambda t: {"parent": np.where(np.arange(t.n_nodes) == 2, 1, t.parent)},
    "class counts": lambda t: {"value": t.value + 1.0},
    "most frequent class": lambda t: {"prediction": t.value.argmin(axis=1)},
    "threshold missing": lambda t: {"threshold": np.full(t.n_nodes, np.nan)},
    "split_row and kind": lambda t: {"split_row": np.zeros(t.n_nodes, dtype=np.intp)},
    "not in the table": lambda t: {
        "kind": np.where(t.kind == 1, 3, 0),
        "feature": np.full(t.n_nodes, -1),
        "threshold": np.full(t.n_nodes, np.nan),
        "split_row": np.where(t.kind == 1, 5, -1),
    },
    "wrong key": lambda t: {"key": t.key[::-1]},
    "is routed": lambda t: {"threshold": t.threshold + 3.0},
    "leave a gap": lambda t: {
        "start": t.start - (np.arange(t.n_nodes) == 2),
        "n_node_samples": t.n_node_samples + (np.arange(t.n_nodes) == 2),
    },
}


@pytest.mark.parametrize("what", BREAKS)
def test_validation_names_the_broken_invariant(fitted, what):
    X, _, tree = fitted
    tree.validate(X)
    wanted = {"number of children": "children", "wrong key": "key"}.get(what, what)
    with pytest.raises(ValueError, match=f"tree is broken at node .*{wanted}"):
        replace(tree, **BREAKS[what](tree)).validate(X)


@pytest.mark.parametrize("where", ["feature_names", "feature_categories", "classes"])
@pytest.mark.parametrize("code", [0xD800, 0xDFFF])
def test_a_name_that_no_file_can_hold_is_refused(fitted, where, code):
    tree, sign = fitted[2], chr(code)
    names = (f"a{sign}", *map(str, range(tree.n_features - 1)))
    odd = {"feature_names": names, "classes": (f"b{sign}", "c", "d")}
    odd["feature_categories"] = (*((None,) * (tree.n_features - 1)), ("u", sign))
    with pytest.raises(ValueError, match=rf"holds '\\u{code:x}', half of a character"):
        replace(tree, **{where: odd[where]})


@pytest.mark.parametrize("label", [0, 1])
def test_a_class_from_a_share_of_nothing_is_said_always(label):
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    tree = CARTClassifier().fit(X, y).tree_
    assert (tree.with_threshold(label, 0.0).prediction == label).all()
    leaves = tree.with_threshold(label, 1.0).prediction[tree.apply(X)]
    assert list(leaves) == list(y)
