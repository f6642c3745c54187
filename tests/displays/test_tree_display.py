"""A tree in one line: the figure of the page *rules*."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import CARTClassifier, TreeDisplay
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import rules
from lastviz.plots import rule_tree_plot, split_words
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, scenes, selected, traces


@pytest.mark.parametrize(("key", "data", "features"), list(scenes()))
def test_every_rule_stands_in_its_row_with_its_numbers(key, data, features):
    estimator, X, y = in_a_notebook(selected(key, data, features))
    which = {"tree": 0} if hasattr(estimator, "estimators_") else {}
    display = TreeDisplay.from_estimator(estimator, X, y, row=0, **which)
    tree = display.model.tree
    numbers = {rule.node: rule.number for rule in rules(tree)}
    texts = {n: split_words(tree, n) for n in range(tree.n_nodes) if not tree.is_leaf(n)}
    path = display.path
    visited = dict(zip(path.node.tolist(), path.weight.tolist(), strict=True))
    wanted = rule_tree_plot(
        tree, numbers=numbers, theme="light", texts=texts, class_names=display.model.class_names,
        hover={}, width_hint=980, most=60, visited=visited,
    )  # fmt: skip
    assert traces(display.drawing()) == traces(wanted)
    assert display.path.ends.tolist() == tree.leaf_weights(display.model.values[:1])[1].tolist()


@pytest.mark.parametrize("style", ["rules", "icicle", "flow", "node-link"])
def test_a_tree_of_scikit_learn_needs_no_rows(style):
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    display = TreeDisplay.from_estimator(tree, style=style, class_names=["up", "down"], max_depth=2)
    assert display.figure_.layout.legend.orientation == "h"
    assert "up" in [trace.name for trace in display.figure_.data]
    forest = RandomForestClassifier(4, random_state=0).fit(X, y)
    shown = TreeDisplay.from_estimator(forest, tree=2, style=style, node=1).model.tree
    codes = forest.estimators_[2].predict(X).astype(int)
    assert np.array_equal(shown.predict(X), codes)


def test_what_does_not_fit_is_said_in_a_sentence():
    tree = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="predicts numbers"):
        TreeDisplay.from_estimator(DecisionTreeRegressor().fit(X, y * 1.0))
    with pytest.raises(ValueError, match="name one of this forest"):
        TreeDisplay.from_estimator(ESTIMATORS["mcdf"].cls().fit(X, y))
    with pytest.raises(ValueError, match="style must be one of"):
        TreeDisplay.from_estimator(tree, style="round")
    with pytest.raises(ValueError, match="row must be a row of X"):
        TreeDisplay.from_estimator(tree, row=3)
