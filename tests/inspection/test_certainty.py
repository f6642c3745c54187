"""How sure a tree is of a leaf's class."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from lastviz import CARTClassifier, MCDFClassifier, REMTClassifier, SVMTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import FEW_ROWS, certainty, smoothed_shares, tells_certainty


def divided(name, **params):
    dataset = load_dataset(name, **params)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    return train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)


def log_loss(tree, X, y, smoothing, m=2.0):
    """Mean bits of the true class on rows the tree has not seen."""
    shares = smoothed_shares(tree, smoothing, m)[tree.apply(X)]
    with np.errstate(divide="ignore"):
        return -np.log2(shares[np.arange(len(y)), y]).mean()


# Held-out log loss of the full tree and with 20 rows a leaf: raw, Laplace, m = 2, m = 10.
LOSSES = [
    ("iris", {}, (np.inf, 0.234, 0.207, 0.396), (0.215, 0.274, 0.255, 0.398)),
    ("breast_cancer", {}, (np.inf, 0.349, 0.333, 0.284), (np.inf, 0.329, 0.331, 0.318)),
    (
        "waveform", {"n_samples": 3000},
        (np.inf, 1.120, 1.196, 0.987), (np.inf, 0.873, 0.886, 0.873),
    ),
]  # fmt: skip
RULES = (("raw", 2.0), ("laplace", 2.0), ("m", 2.0), ("m", 10.0))


@pytest.mark.parametrize(("name", "params", "full", "of_20"), LOSSES)
def test_no_smoothing_is_best_everywhere(name, params, full, of_20):
    X, X_new, y, y_new = divided(name, **params)
    for least, expected in ((1, full), (20, of_20)):
        tree = CARTClassifier(min_samples_leaf=least).fit(X, y).tree_
        found = [log_loss(tree, X_new, y_new, *rule) for rule in RULES]
        assert found == pytest.approx(list(expected), abs=0.0015)


def test_shares_are_those_of_the_formulas():
    X, _, y, _ = divided("iris")
    tree = CARTClassifier(max_depth=2).fit(X, y).tree_
    counts, n = tree.value, tree.value.sum(axis=1)
    for node in range(tree.n_nodes):
        for c in range(3):
            prior = counts[0, c] / n[0]
            assert smoothed_shares(tree, "m", 3)[node, c] == pytest.approx(
                (counts[node, c] + 3 * prior) / (n[node] + 3)
            )
            assert smoothed_shares(tree, "laplace")[node, c] == pytest.approx(
                (counts[node, c] + 1) / (n[node] + 3)
            )
            assert smoothed_shares(tree, "raw")[node, c] == pytest.approx(counts[node, c] / n[node])


@pytest.mark.parametrize("smoothing", ["raw", "laplace", "m"])
def test_degrees_run_from_chance_to_certainty(smoothing):
    X, _, y, _ = divided("waveform", n_samples=300)
    tree = CARTClassifier(max_depth=4).fit(X, y).tree_
    found = certainty(tree, smoothing, 20.0)
    assert ((found.degree >= 0) & (found.degree <= 1)).all()
    assert (found.few == (tree.n_node_samples < FEW_ROWS)).all()
    pure = (tree.value > 0).sum(axis=1) == 1
    if smoothing == "raw":
        assert (found.degree[pure] == 1).all()
    else:
        assert (found.degree[pure] < 1).all()


def test_more_rows_make_a_pure_leaf_more_certain():
    y = np.array([0, 0, *[1] * 40, *[0] * 30])
    tree = CARTClassifier().fit(np.arange(len(y))[:, None], y).tree_
    leaves = np.flatnonzero(tree.n_children == 0)
    order = leaves[np.argsort(tree.n_node_samples[leaves])]
    assert (np.diff(certainty(tree).degree[order]) > 0).all()


def test_only_trees_whose_shares_mean_it_tell():
    dataset = load_dataset("iris")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    assert tells_certainty(CARTClassifier().fit(X, y))
    assert tells_certainty(REMTClassifier(leaf="majority").fit(X, y))
    assert not tells_certainty(REMTClassifier().fit(X, y))
    assert not tells_certainty(REMTClassifier(leaf="majority", monotone=True).fit(X, y))
    assert not tells_certainty(MCDFClassifier().fit(X, y))
    assert not tells_certainty(SVMTreeClassifier().fit(X, y))


@pytest.mark.parametrize(
    ("about", "message"),
    [(("none", 2.0), "smoothing must be"), (("m", -1.0), "m must be"), (("m", np.nan), "m must")],
)
def test_wrong_smoothing_is_told(about, message):
    dataset = load_dataset("iris")
    tree = CARTClassifier().fit(dataset.numeric_X.to_numpy(), dataset.codes).tree_
    with pytest.raises(ValueError, match=message):
        certainty(tree, *about)
