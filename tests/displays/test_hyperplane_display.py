"""A search for a hyperplane in one line: the figure of the page *splits*."""

import numpy as np
import pytest

from lastviz import CARTClassifier, HyperplaneDisplay
from lastviz.estimators import ESTIMATORS
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.hyperplane_search import search_figure
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.searches import hyperplane_scene
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, selected, traces


@pytest.mark.parametrize("key", ["oc1", "cart_lc"])
@pytest.mark.parametrize("data", ["moons", "wine"])
def test_the_figure_is_that_of_the_page(key, data):
    selection = selected(key, data, None)
    scene = hyperplane_scene(node_view(Work(selection), "light"))
    display = HyperplaneDisplay.from_estimator(*in_a_notebook(selection))
    assert display.move == scene.move == scene.search.winner
    wanted = search_figure(
        scene.search, scene.move, scene.X, scene.y, scene.at.rows, theme="light",
        feature_names=scene.at.tree.feature_names, class_names=scene.at.class_names,
        score=scene.criterion, equal=scene.equal,
    )  # fmt: skip
    assert traces(display.drawing()) == traces(wanted)
    weights = display.search.weights[display.move]
    assert np.array_equal(weights, display.model.tree.oblique.weights[0])


def test_what_does_not_fit_is_said_in_a_sentence():
    tree = ESTIMATORS["oc1"].cls(n_restarts=2).fit(X, y)
    with pytest.raises(ValueError, match="SplitDisplay shows thresholds"):
        HyperplaneDisplay.from_estimator(CARTClassifier().fit(X, y), X, y)
    leaf = int(np.flatnonzero(tree.tree_.n_children == 0)[0])
    with pytest.raises(ValueError, match="is a leaf"):
        HyperplaneDisplay.from_estimator(tree, X, y, node=leaf)
    with pytest.raises(ValueError, match="move must be from 0"):
        HyperplaneDisplay.from_estimator(tree, X, y, move=10_000)
