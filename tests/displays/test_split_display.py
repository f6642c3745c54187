"""Why a node splits, in one line: the figure of the page *splits*."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from lastviz import C45Classifier, CARTClassifier, OC1Classifier, SplitDisplay, TAOClassifier
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.splitters import same_split, stored_split
from lastviz.tree import Kind
from lastviz.ui.compute.work import Work
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.splits.threshold import lab_figure
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, scenes, selected, traces

THRESHOLDS = ("c45", "cart", "gsodt", "lsodt", "hybrid", "remt")


@pytest.mark.parametrize(
    ("key", "data", "features"), [scene for scene in scenes() if scene[0] in THRESHOLDS]
)
def test_the_figure_is_that_of_the_page(key, data, features):
    selection = selected(key, data, features)
    scene = split_scene(node_view(Work(selection), "light"))
    axes = None if key in ("gsodt", "lsodt") else features
    display = SplitDisplay.from_estimator(*in_a_notebook(selection), features=axes)
    assert traces(display.drawing()) == traces(lab_figure(scene))
    assert display.chosen == scene.chosen


@pytest.mark.parametrize(
    ("key", "sentence"),
    [("oc1", "turns a hyperplane"), ("cart_lc", "turns a hyperplane"), ("svm_tree", "by machines"),
     ("id3", "has categories")],
)  # fmt: skip
def test_searches_that_are_none_of_thresholds_say_so(key, sentence):
    with pytest.raises(ValueError, match=sentence):
        SplitDisplay.from_estimator(ESTIMATORS[key].cls().fit(X.round(1), y), X.round(1), y)


@pytest.mark.parametrize("key", ["mcdf", "adaboost_m1"])
def test_a_tree_of_a_forest(key):
    forest = ESTIMATORS[key].cls().fit(X, y)
    display = SplitDisplay.from_estimator(forest, X, y, tree=1)
    tree = forest.estimators_[1].tree_
    assert int(display.table.feature[display.chosen]) == int(tree.feature[0])
    assert display.inside.all()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_split_of_scikit_learn_is_a_best_candidate_by_its_criterion(criterion):
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    inner = np.flatnonzero(SplitDisplay.from_estimator(model, X, y).model.tree.n_children > 0)
    for node in inner.tolist():
        display = SplitDisplay.from_estimator(model, X, y, node=node)
        assert display.read == ({"gini": "gini", "entropy": "gain"}[criterion],)
        assert display.rank(display.read[0])[display.chosen] == 1


@pytest.mark.parametrize("cls", [RandomForestClassifier, ExtraTreesClassifier])
def test_rows_that_a_forest_of_scikit_learn_drew(cls):
    X, y = load_iris(return_X_y=True)
    forest = cls(3, random_state=0).fit(X, y)
    display = SplitDisplay.from_estimator(forest, X, y, tree=2)
    drawn = np.unique(forest.estimators_samples_[2])
    assert np.array_equal(display.training_rows, drawn)
    assert display.chosen is not None


def test_a_picked_candidate_criteria_and_components():
    tree = CARTClassifier().fit(X, y)
    display = SplitDisplay.from_estimator(tree, X, y, pick=("x1", 0.0), criteria=["gain", "csn"])
    at = display.picked
    assert display.table.threshold[at] <= 0.0 < display.table.upper[at]
    assert display.table.feature[at] == 0
    latent = SplitDisplay.from_estimator(ESTIMATORS["gsodt"].cls().fit(X, y), X, y, features=["u2"])
    assert latent.axes == (1, 1)


WRONG = {
    "is a leaf": {"node": 1},
    "at most four of": {"criteria": ["beauty"]},
    "one side empty": {"pick": (0, 99.0)},
    "is no feature": {"features": ["z"]},
    "node must be from": {"node": 99},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_does_not_fit_is_said_in_a_sentence(sentence):
    tree = CARTClassifier(max_depth=1).fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        SplitDisplay.from_estimator(tree, X, y, **WRONG[sentence])


def test_of_many_rows_some_are_drawn_and_all_count():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12_000, 2)), np.repeat([0, 1], 6_000)
    X[:, 0] += 3 * y
    display = SplitDisplay.from_estimator(DecisionTreeClassifier(max_depth=1).fit(X, y), X, y)
    drawn = [t for t in display.drawing().traces if t["meta"]["role"] == "training"]
    assert sum(len(trace["x"]) for trace in drawn) == 5_000
    assert display.table.counts.sum() == 12_000


def test_other_rows_and_missing_values_are_refused():
    with pytest.raises(ValueError, match="very rows"):
        SplitDisplay.from_estimator(DecisionTreeClassifier().fit(X, y), X + 0.5, y)
    holes = np.where(X > 1.5, np.nan, X)
    with pytest.raises(ValueError, match="missing values"):
        SplitDisplay.from_estimator(C45Classifier().fit(holes, y), holes, y)


@pytest.mark.parametrize("start", ["cart", "c45", "optimal", OC1Classifier(max_depth=3)])
@pytest.mark.parametrize("oblique", [False, True])
def test_nodes_of_tao_are_drawn_as_they_were_searched_or_refused_in_a_sentence(start, oblique):
    data = load_dataset("moons")
    X, y = data.numeric_X.to_numpy(), data.codes
    model = TAOClassifier(start=start, oblique=oblique, max_depth=3).fit(X, y)
    tree, grown = model.tree_, model.grown_tree_
    for node in np.flatnonzero(tree.n_children).tolist():
        rows, at = np.sort(tree.node_samples(node)[0]), int(tree.grown_node[node])
        same = same_split(stored_split(tree, node), stored_split(grown, at))
        if tree.kind[node] == Kind.OBLIQUE or not (same and rows.size == grown.n_node_samples[at]):
            with pytest.raises(
                ValueError, match=f"^node {node} (is split by a hyperplane|was not)"
            ):
                SplitDisplay.from_estimator(model, X, y, node=node)
            continue
        shown = SplitDisplay.from_estimator(model, X, y, node=node)
        np.testing.assert_array_equal(shown.training_rows[shown.inside], rows)
        values = X[rows, tree.feature[node]]
        assert shown.table.feature[shown.chosen] == tree.feature[node]
        threshold = shown.table.threshold[shown.chosen]
        np.testing.assert_array_equal(values <= threshold, values <= tree.threshold[node])
    assert (len(tree.oblique) > 0) == (oblique or not isinstance(start, str))
