"""The widget without a browser: what is selected, which rows come there, and edits by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import lastviz
from lastviz import CARTClassifier, CARTRegressor, from_sklearn, what_if
from lastviz.datasets import load_dataset
from lastviz.splitters.edits import Cut

pytest.importorskip("anywidget", reason="anywidget is not installed")

IRIS = load_dataset("iris")
X, Y = IRIS.X.to_numpy(), np.asarray(IRIS.class_order)[IRIS.codes]


def rows_at(tree, node: int) -> list[int]:
    """Return the rows that come to a node, asked one by one."""
    found = []
    for i, row in enumerate(X):
        at = 0
        while at != node and not tree.is_leaf(at):
            at = tree.first_child[at] + int(row[tree.feature[at]] > tree.threshold[at])
        if at == node:
            found.append(i)
    return found


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (CARTClassifier(max_depth=3), Y),
        (CARTRegressor(max_depth=3), X[:, 0] * 2.0),
        (DecisionTreeClassifier(max_depth=3, random_state=0), Y),
    ],
    ids=["classes", "numbers", "scikit-learn"],
)
def test_rows_are_those_that_come_to_the_node(model, y):
    model.fit(X, y)
    shown = lastviz.widget(model, X, y)
    tree = (from_sklearn(model) if isinstance(model, DecisionTreeClassifier) else model).tree_
    seen = []
    shown.observe(lambda change: seen.append(change["new"].tolist()), "rows")
    for node in range(1, tree.n_nodes):
        shown.node = node
        assert shown.rows.tolist() == rows_at(tree, node) == seen[-1]
    with pytest.raises(ValueError, match=str(tree.n_nodes)):
        shown.node = tree.n_nodes
    assert shown.node == tree.n_nodes - 1


def test_an_edit_gives_the_estimator_and_can_be_taken_back():
    model = CARTClassifier(max_depth=3).fit(X, Y)
    shown = lastviz.widget(model, X, Y)
    assert shown.estimator is model
    shown.edit(Cut((1,)))
    expected = what_if(model, X, Y, [Cut((1,))])
    assert shown.estimator.tree_.n_leaves == expected.tree_.n_leaves < model.tree_.n_leaves
    np.testing.assert_array_equal(shown.estimator.predict(X), expected.predict(X))
    shown.undo()
    np.testing.assert_array_equal(shown.estimator.predict(X), model.predict(X))
    assert shown.edits == ()
    shown.undo()  # nothing is left to take back


def test_what_cannot_be_shown_or_changed_is_refused_in_a_sentence():
    forest = RandomForestClassifier(n_estimators=3, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="of a forest name one in tree"):
        lastviz.widget(forest, X, Y)
    theirs = lastviz.widget(DecisionTreeClassifier(max_depth=2).fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="grown by lastviz"):
        theirs.edit(Cut((0,)))


def test_of_a_slice_is_said_how_many_rows_lie_on_their_colour():
    model = CARTClassifier(max_depth=3).fit(X, Y)
    shown = lastviz.widget(model, X, Y, features=[0, 1])
    fixed = np.tile(np.median(X, axis=0), (len(X), 1))
    fixed[:, :2] = X[:, :2]
    share = 100 * np.mean(model.predict(fixed) == model.predict(X))
    assert 0 < share < 100
    assert f"2 other features fixed; {share:.1f} % of the rows" in shown._bar["said"]
    plain = CARTClassifier(max_depth=3).fit(X[:, 2:], Y)
    assert lastviz.widget(plain, X[:, 2:], Y)._bar["said"] == "Node 0: 150 of 150 rows"
