"""A growth in one line: the stage of the page, its history, and the tree at the end."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from lastviz import C45Classifier, CARTClassifier, GrowthDisplay
from lastviz.displays.boundary_display import regions_in_plane
from lastviz.estimators import make_imported
from lastviz.estimators.scikit_learn import from_sklearn, growth_of
from lastviz.inspection import growth_frames
from lastviz.tree import Action
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.figures import figure_of, growth_scene
from lastviz.ui.shared.figures import plane_of
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, scenes, selected, traces


def corners(figure, frame):
    """The corners of all regions that a frame fills, by class, in no order."""
    found = {}
    for number, places in zip(frame.traces, frame.data, strict=True):
        meta = figure.data[number].meta
        if meta["role"] == "region":
            xy = np.column_stack([places.x, places.y])
            found.setdefault(meta["class"], set()).update(map(tuple, xy[~np.isnan(xy[:, 0])]))
    return {label: places for label, places in found.items() if places}


@pytest.mark.parametrize(("key", "data", "features"), list(scenes()))
def test_it_plays_the_history_on_the_stage_of_the_page(key, data, features):
    selection = selected(key, data, features)
    estimator, X, y = in_a_notebook(selection)
    which = {"tree": 0} if hasattr(estimator, "estimators_") else {}
    display = GrowthDisplay.from_estimator(estimator, X, y, features=features, **which)
    if not which:
        scene = growth_scene(
            Work(selection), plane_of(Work(selection), alone=True), "plane", "light"
        )
        assert traces(display.drawing()) == traces(figure_of(scene))
    grown = display.model.estimator
    history = growth_frames(grown)
    frames = display.figure_.frames
    assert len(frames) == min(history.n_frames, 300) + 1
    assert len(display.figure_.layout.sliders[0].steps) == len(frames)
    final = regions_in_plane(grown, display.plane)
    wanted = {}
    for i in final.visible():
        places = set(map(tuple, final.polygon(i)))
        wanted.setdefault(int(final.prediction[i]), set()).update(places)
    assert corners(display.figure_, frames[-1]) == {k: v for k, v in wanted.items() if v}


def test_a_raised_branch_takes_its_place_as_in_the_final_tree():
    X, y = make_moons(200, noise=0.25, random_state=0)
    X = X.round(1)
    tree = C45Classifier().fit(X, y)
    assert Action.RAISE in tree.growth_log_.action
    display = GrowthDisplay.from_estimator(tree, X, y)
    assert display.n_leaves == tree.tree_.n_leaves
    assert any("a branch takes its place" in display.words(k) for k in range(len(display.steps)))


@pytest.mark.parametrize("how", [{}, {"max_leaf_nodes": 7}, {"splitter": "random"}])
def test_splits_of_scikit_learn_come_in_its_own_order(how):
    model = DecisionTreeClassifier(random_state=0, **how).fit(X, y)
    log, tree = growth_of(model), from_sklearn(model).tree_
    assert sorted(log.node) == np.flatnonzero(tree.n_children > 0).tolist()
    seen = {0}
    for node in log.node.tolist():
        assert node in seen
        seen |= set(tree.children(node))
    if how.get("max_leaf_nodes"):  # best first: the tree of fewer leaves is the same growth, cut
        small = DecisionTreeClassifier(random_state=0, max_leaf_nodes=4).fit(X, y)
        pairs = [
            [(int(t.feature[n]), float(t.threshold[n])) for n in growth_of(m).node]
            for m, t in ((small, from_sklearn(small).tree_), (model, tree))
        ]
        assert pairs[0] == pairs[1][:3]
    display = GrowthDisplay.from_estimator(model, X, y)
    assert display.n_leaves == model.get_n_leaves()
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    single = GrowthDisplay.from_estimator(forest, X, y, tree=1)
    assert single.n_leaves == forest.estimators_[1].get_n_leaves()


def test_what_is_not_known_is_said_in_a_sentence():
    tree = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="read from a file"):
        GrowthDisplay.from_estimator(make_imported([tree.tree_], named=False), X, y)
    with pytest.raises(ValueError, match="very rows"):
        GrowthDisplay.from_estimator(DecisionTreeClassifier().fit(X, y), X[:50], y[:50])
    with pytest.raises(ValueError, match="y must be given"):
        GrowthDisplay.from_estimator(tree, X, None)
