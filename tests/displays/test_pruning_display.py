"""Errors over leaves in one line: the curve of the page *pruning*."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier

from lastviz import CARTClassifier, PruningDisplay
from lastviz.estimators import ESTIMATORS
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.figures import curve_figure
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.state.selection import DEFAULT
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, selected, traces


@pytest.mark.parametrize("key", ["cart", "c45", "gsodt", "hybrid", "oc1"])
def test_the_curve_is_that_of_the_page(key):
    asked = replace(DEFAULT.pruning, beside=(), folds=3)
    selection = selected(key, "moons", None, pruning=asked)
    scene = pruning_scene(Work(selection), "light")
    display = PruningDisplay.from_estimator(
        *in_a_notebook(selection), cv=3, random_state=selection.seed, value=scene.value
    )
    assert traces(display.drawing()) == traces(curve_figure(scene))


@pytest.mark.parametrize("key", ESTIMATORS)
@pytest.mark.parametrize("pruning", ["cost_complexity", "replacement"])
def test_training_errors_are_those_of_the_trees(key, pruning):
    estimator = ESTIMATORS[key].cls().fit(X.round(1), y)
    which = {"tree": 0} if hasattr(estimator, "estimators_") else {}
    if key == "svm_tree":
        with pytest.raises(ValueError, match="it is not cut back"):
            PruningDisplay.from_estimator(estimator, X.round(1), y)
        return
    display = PruningDisplay.from_estimator(estimator, X.round(1), y, pruning=pruning, **which)
    rows = display.model.training_rows(which.get("tree"))
    values, codes = display.model.values[rows], display.model.label[rows]
    for i in range(len(display.trees)):
        tree = display.trees.pruned(i)
        assert display.curve.training[i] == pytest.approx(np.mean(tree.predict(values) != codes))
        assert display.curve.n_leaves[i] == tree.n_leaves


def test_a_tree_of_scikit_learn_is_cut_as_it_cuts_itself():
    X, y = make_moons(200, noise=0.3, random_state=0)
    other, labels = make_moons(200, noise=0.3, random_state=1)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    display = PruningDisplay.from_estimator(
        model, X, y, X_test=other, y_test=labels, risk="gini", cv=4
    )
    path = model.cost_complexity_pruning_path(X, y)
    assert np.allclose(np.unique(display.trees.value), np.unique(path.ccp_alphas))
    for i, alpha in enumerate(display.trees.value[:-1]):
        between = (alpha + display.trees.value[i + 1]) / 2
        cut = DecisionTreeClassifier(random_state=0, ccp_alpha=between).fit(X, y)
        assert display.curve.held_out[i] == pytest.approx(1 - cut.score(other, labels))
        assert display.curve.n_leaves[i] == cut.get_n_leaves()
    assert 0.0 < display.curve.cross_validated[display.chosen] < 0.5


WRONG = {
    "pruning must be one of": {"pruning": "scissors"},
    "risk must be one of": {"risk": "luck"},
    "cv must be from 2": {"cv": 1},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_does_not_fit_is_said_in_a_sentence(sentence):
    with pytest.raises(ValueError, match=sentence):
        PruningDisplay.from_estimator(CARTClassifier().fit(X, y), X, y, **WRONG[sentence])


def test_a_single_leaf_has_nothing_to_cut():
    y = np.zeros(len(X), dtype=int)
    with pytest.raises(ValueError, match="single leaf"):
        PruningDisplay.from_estimator(DecisionTreeClassifier().fit(X, y), X, y)
