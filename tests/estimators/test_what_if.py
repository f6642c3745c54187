"""Trees changed by hand: what is forced is there, the rest grows as the algorithm says."""

import doctest
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

import lastviz as lv
from lastviz.builders import GrowthEvent, Stop
from lastviz.datasets import load_dataset
from lastviz.estimators import what_if_in_steps
from lastviz.export import as_json, tree_from_json
from lastviz.inspection import growth_frames, split_search
from lastviz.pruning import with_ancestors
from lastviz.splitters import same_split, stored_split
from lastviz.splitters.edits import (
    CategorySplit,
    ClassSplit,
    Cut,
    ForcedSplit,
    Kept,
    MadeLeaf,
    ObliqueSplit,
    Split,
    Without,
    node_at,
    path_of,
)
from lastviz.tree import Kind, Missing, Reason
from tests.conftest import walked
from tests.credit import credit_table
from tests.naive_edits import grown_anew
from tests.same_trees import differences

THRESHOLDS = [
    lv.CARTClassifier(),
    lv.CARTClassifier(criterion="entropy", ccp_alpha=0.01),
    lv.CARTClassifier(criterion="twoing"),
    lv.C45Classifier(),
    lv.C45Classifier(threshold="value"),
    lv.HybridTreeClassifier(),
    lv.HybridTreeClassifier(criterion="gain_ratio"),
    lv.HybridTreeClassifier(criterion="rule"),
    lv.OC1Classifier(n_restarts=2),
    lv.CARTLCClassifier(),
]
LATENT = [
    lv.GSODTClassifier(),
    lv.LSODTClassifier(levels=2),
    lv.LSODTClassifier(levels=None),
    lv.LSODTClassifier(levels=3, latent="none"),
]
WINE = load_dataset("wine")
X, y = WINE.X, WINE.y


def line_through(X, *features):
    """A hyperplane of some features that parts the rows about evenly."""
    weights = np.zeros(X.shape[1])
    weights[list(features)] = 1.0 / X.iloc[:, list(features)].std().to_numpy()
    return ObliqueSplit(weights, float(np.median(X.to_numpy() @ weights)))


def assert_sound(model, X, y):
    """Invariants, the log and replay of an edited tree."""
    for tree in (model.grown_tree_, model.tree_):
        tree.validate(model.encode(X))
        if not len(tree.kernel):
            told = tree_from_json(as_json(tree))
            assert_array_equal(told.predict(model.encode(X)), tree.predict(model.encode(X)))
    frames, grown, log = growth_frames(model), model.grown_tree_, model.growth_log_
    assert_array_equal(frames.first_child[log.n_growth_events], grown.first_child)
    alive = frames.alive(frames.n_frames - 1)
    assert_array_equal(grown.key[alive], model.tree_.key)
    assert_array_equal(frames.split_of[-1, alive], model.tree_.grown_node)
    reasons = dict(zip(log.node[: log.n_growth_events].tolist(), log.reason.tolist(), strict=False))
    for node in np.flatnonzero(grown.n_children > 0).tolist():
        by_hand = reasons[node] == Reason.CHOSEN_BY_HAND
        forced = {e.path for e in model.edits_ if isinstance(e, ForcedSplit)}
        assert by_hand == (path_of(grown, node) in forced)
        if not by_hand:
            found = model.as_stored(split_search(model, X, y, node).split, X)
            assert same_split(found, stored_split(grown, node)), node


def test_xor_needs_four_leaves_once_its_root_is_forced():
    xor = load_dataset("xor", n_samples=200, noise=0.14, random_state=2)
    tree = lv.CARTClassifier().fit(xor.X, xor.y)
    forced = lv.what_if(tree, xor.X, xor.y, [ForcedSplit((), Split(0, 0.5))])
    assert (tree.get_n_leaves(), forced.get_n_leaves()) == (9, 4)
    assert stored_split(forced.tree_, 0).threshold == 0.5


def test_the_page_of_the_documentation_says_what_comes_out(capsys):
    page = (Path(__file__).parents[2] / "docs" / "what_if.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(code, {})
    leaves, changes = capsys.readouterr().out.splitlines()
    assert leaves == "9 4"
    better, worse, p_value = map(float, changes.split())
    assert better > worse
    assert p_value < 0.05


def test_the_example_of_the_documentation_holds():
    finder = doctest.DocTestFinder()
    (example,) = finder.find(lv.what_if, "what_if", globs={})
    assert doctest.DocTestRunner().run(example).failed == 0
    assert example.examples


@pytest.mark.parametrize("estimator", THRESHOLDS, ids=str)
def test_edited_trees_are_sound(estimator):
    model = estimator.fit(X, y)
    middle = float(X.iloc[:, 0].median())
    before = differences(model.tree_, model.tree_), model.tree_.n_nodes, len(model.growth_log_)
    for edits in (
        [ForcedSplit((), Split(0, middle)), Cut((0,)), Kept((1,))],
        [ForcedSplit((), line_through(X, 0, 9))],
        [Without((), (6,)), Without((0,), (9, 10), below=True)],
        [Without((), (0, 6, 9, 12), below=True), MadeLeaf((0,))],
        [ForcedSplit((1,), Split(0, middle)), ForcedSplit((0,), Split(2, 2.3))],
    ):
        changed = lv.what_if(model, X, y, edits)
        assert_sound(changed, X, y)
        assert not changed.void_edits_
        assert set(changed.edits_) == set(edits)
        for edit in edits:
            node = node_at(changed.grown_tree_, edit.path)
            if isinstance(edit, MadeLeaf):
                assert changed.grown_tree_.is_leaf(node)
            if isinstance(edit, ForcedSplit):
                stored = stored_split(changed.grown_tree_, node)
                assert same_split(stored, changed.as_stored(edit.split, X))
                assert np.isfinite(stored.score) or isinstance(edit.split, ObliqueSplit)
            if isinstance(edit, Without) and edit.below:
                below = changed.grown_tree_.subtree(node)
                assert not set(changed.grown_tree_.feature[below]) & set(edit.features)
    assert before == ([], model.tree_.n_nodes, len(model.growth_log_))
    assert model.edits_ == ()


@pytest.mark.parametrize("estimator", LATENT, ids=str)
def test_edited_trees_of_latent_spaces_are_sound(estimator):
    model = estimator.fit(X, y)
    basis = model.grown_tree_.bases[0]
    middle = float(np.median(X.to_numpy() @ basis.directions[:, 1]))
    along = lv.what_if(model, X, y, [ForcedSplit((), Split(1, middle))])
    assert_sound(along, X, y)
    if model.latent == "none":
        assert along.grown_tree_.feature[0] == 1
    else:
        assert_array_equal(along.grown_tree_.oblique.weights[0], basis.directions[:, 1])
    for edits in (
        [ForcedSplit((), line_through(X, 0, 9))],
        [MadeLeaf((0,)), ForcedSplit((1,), line_through(X, 0, 9))],
    ):
        assert_sound(lv.what_if(model, X, y, edits), X, y)


def test_rows_without_classes_still_take_part():
    known = np.arange(0, len(WINE.X), 2)
    beside = WINE.X.drop(index=WINE.X.index[known])
    X, y = WINE.X.iloc[known], WINE.y.iloc[known]
    for estimator in (lv.GSODTClassifier(), lv.LSODTClassifier(levels=3)):
        model = estimator.fit(X, y, unlabelled=beside)
        edits = [ForcedSplit((), line_through(X, 0, 9))]
        changed = lv.what_if(model, X, y, edits)
        assert_sound(changed, X, y)
        at_once = clone(estimator).fit(X, y, unlabelled=beside, edits=edits)
        assert differences(changed.tree_, at_once.tree_) == []
        alone = lv.what_if(clone(estimator).fit(X, y), X, y, edits)
        assert differences(changed.tree_, alone.tree_) != []


def test_a_component_keeps_its_score_if_it_is_forced_where_it_won():
    model = lv.GSODTClassifier().fit(X, y)
    chosen = stored_split(model.grown_tree_, 0)
    directions = model.grown_tree_.bases[0].directions.T
    component = int(np.flatnonzero((directions == chosen.weights).all(axis=1))[0])
    forced = lv.what_if(model, X, y, [ForcedSplit((), Split(component, chosen.threshold))])
    assert set(differences(model.grown_tree_, forced.grown_tree_)) <= {"score"}
    assert forced.grown_tree_.score[0] == pytest.approx(chosen.score, abs=1e-12)


@pytest.mark.parametrize("estimator", THRESHOLDS, ids=str)
def test_forcing_what_was_chosen_changes_the_log_alone(estimator):
    model = estimator.fit(X, y)
    grown = model.grown_tree_
    for node in np.flatnonzero(grown.n_children > 0)[:4].tolist():
        forced = lv.what_if(
            model, X, y, [ForcedSplit(path_of(grown, node), stored_split(grown, node))]
        )
        assert set(differences(grown, forced.grown_tree_)) <= {"score"}
        np.testing.assert_allclose(forced.grown_tree_.score, grown.score, rtol=1e-9, atol=1e-12)
        reason = forced.growth_log_.reason[forced.growth_log_.node == node][0]
        assert reason == Reason.CHOSEN_BY_HAND


@pytest.mark.parametrize(
    "estimator",
    [lv.CARTClassifier(), lv.CARTClassifier(criterion="entropy"),
     lv.HybridTreeClassifier("bnm+csn"), lv.HybridTreeClassifier("gain_ratio"),
     lv.REMTClassifier(class_order=[0, 1, 2])],
    ids=str,
)  # fmt: skip
def test_an_edited_tree_is_the_tree_grown_anew_with_a_splitter_that_is_told(estimator):
    X, y = WINE.X.to_numpy()[:, :7], np.unique(WINE.y, return_inverse=True)[1]
    if isinstance(estimator, lv.HybridTreeClassifier):
        estimator.set_params(min_samples_leaf=1)
    model = estimator.fit(X, y)
    for edits in (
        [ForcedSplit((), Split(0, 13.0))],
        [ForcedSplit((), Split(0, 13.0)), Without((0,), (6,)), MadeLeaf((1, 0))],
        [Without((), (0, 6), below=True), Without((1,), (2,), below=True)],
        [Without((), (6,))],
    ):
        changed = lv.what_if(model, X, y, edits).grown_tree_
        expected = grown_anew(model, X, y, Stop(-1, 2, 0), edits)
        assert len(expected) == changed.n_nodes
        for node, (feature, threshold, rows) in enumerate(expected):
            assert changed.feature[node] == feature
            assert set(changed.node_samples(node)[0]) == rows
            assert threshold == pytest.approx(changed.threshold[node], nan_ok=True)


def test_fitting_and_growing_under_edits_is_what_if():
    edits = [ForcedSplit((), Split(0, 13.0)), MadeLeaf((0, 1)), Cut((1,))]
    for estimator in (lv.CARTClassifier(), lv.C45Classifier(), lv.OC1Classifier(n_restarts=2)):
        expected = lv.what_if(estimator.fit(X, y), X, y, edits)
        fitted = clone(estimator).fit(X, y, edits=edits)
        assert differences(expected.tree_, fitted.tree_) == []
        by_events = clone(estimator)
        events = [e for e in by_events.grow(X, y, edits=edits) if isinstance(e, GrowthEvent)]
        assert differences(expected.tree_, by_events.tree_) == []
        assert len(events) == fitted.growth_log_.n_growth_events
        assert by_events.edits_ == fitted.edits_ == expected.edits_


def test_edits_do_not_pile_up_and_are_void_without_a_node():
    model = lv.CARTClassifier().fit(X, y)
    once = lv.what_if(model, X, y, [ForcedSplit((), Split(0, 13.0))])
    other = lv.what_if(once, X, y, [MadeLeaf((0,))])
    assert differences(other.tree_, lv.what_if(model, X, y, [MadeLeaf((0,))]).tree_) == []
    assert differences(lv.what_if(once, X, y, []).tree_, model.tree_) == []
    edits = [
        MadeLeaf((0,)),
        ForcedSplit((0, 1), Split(0, 13.0)),
        Cut((0, 1)),
        Kept((0,)),
        Cut((1,)),
    ]
    changed = lv.what_if(model, X, y, edits)
    assert set(changed.void_edits_) == {edits[1], edits[2], edits[3]}
    assert changed.tree_.is_leaf(node_at(changed.tree_, (1,)))


def test_a_split_by_hand_is_made_where_growth_would_have_ended():
    model = lv.CARTClassifier(max_depth=1).fit(X, y)
    changed = lv.what_if(model, X, y, [ForcedSplit((0,), Split(0, 13.0))])
    assert changed.tree_.max_depth == 2
    assert not changed.max_depth_cuts
    assert_sound(changed, X, y)
    pure = lv.CARTClassifier().fit(X, y)
    leaf = int(np.flatnonzero((pure.tree_.n_children == 0) & (pure.tree_.n_node_samples > 20))[0])
    rows = pure.tree_.node_samples(leaf)[0]
    middle = float(X.iloc[rows, 0].median())
    path = path_of(pure.tree_, leaf)
    changed = lv.what_if(pure, X, y, [ForcedSplit(path, Split(0, middle))])
    assert changed.get_n_leaves() == pure.get_n_leaves() + 1


@pytest.mark.parametrize(
    "estimator",
    [lv.C45Classifier(confidence=0.01), lv.CARTClassifier(ccp_alpha=1.0),
     lv.CARTClassifier(ccp_cv=5, ccp_rule="1se"),
     lv.OC1Classifier(n_restarts=1, pruning_fraction=0.3)],
    ids=str,
)  # fmt: skip
def test_forced_nodes_and_those_kept_are_not_pruned(estimator):
    data = load_dataset("waveform", n_samples=300, random_state=0)
    X, y = data.X, data.y
    model = estimator.fit(X, y)
    grown = model.grown_tree_
    deep = int(np.flatnonzero((grown.n_children > 0) & (grown.depth == 3))[0])
    kept = lv.what_if(model, X, y, [Kept(path_of(grown, deep))])
    assert_sound(kept, X, y)
    above = np.flatnonzero(with_ancestors(grown, np.arange(grown.n_nodes) == deep))
    for node in above.tolist():
        place = node_at(kept.tree_, path_of(grown, node))
        assert same_split(stored_split(kept.tree_, place), stored_split(grown, node))
    forced = lv.what_if(model, X, y, [ForcedSplit((0, 0), Split(20, 0.0))])
    assert_sound(forced, X, y)
    assert stored_split(forced.tree_, node_at(forced.tree_, (0, 0))).feature == 20
    cut = lv.what_if(model, X, y, [Kept(path_of(grown, deep)), Cut((0,))])
    assert cut.tree_.is_leaf(node_at(cut.tree_, (0,)))
    log = cut.growth_log_
    assert log.reason[-1] == Reason.CUT_BY_HAND
    assert log.node[-1] == node_at(grown, (0,))


def test_the_price_that_cross_validation_chose_stays():
    model = lv.CARTClassifier(ccp_cv=5).fit(X, y)
    changed = lv.what_if(model, X, y, [ForcedSplit((), Split(0, 13.0))])
    assert changed.cross_validation_ is model.cross_validation_
    untouched = lv.what_if(model, X, y, [Kept((0, 0, 0, 0, 0, 0, 0))])
    assert differences(untouched.tree_, model.tree_) == []


def test_an_svm_tree_is_told_which_classes_part():
    model = lv.SVMTreeClassifier(sigma="scale", C=1.0).fit(X, y)
    for first in ((0,), (1,), (2,), (0, 2)):
        changed = lv.what_if(model, X, y, [ForcedSplit((), ClassSplit(first))])
        assert_sound(changed, X, y)
        assert stored_split(changed.tree_, 0).first == first
        assert changed.score(X, y) > 0.9
    leaf = lv.what_if(model, X, y, [MadeLeaf((1,))])
    assert_sound(leaf, X, y)
    with pytest.raises(ValueError, match="cannot part from others of the node"):
        lv.what_if(model, X, y, [ForcedSplit((), ClassSplit((0, 1, 2)))])


@pytest.mark.parametrize("kind", [lv.CARTClassifier, lv.C45Classifier, lv.ID3Classifier])
def test_nominal_features_can_be_forced(kind):
    data = load_dataset("loan")
    model = kind().fit(data.X, data.y)
    n = len(model.categories_[0])
    groups = CategorySplit(0, np.array([0] + [1] * (n - 1)))
    changed = lv.what_if(model, data.X, data.y, [ForcedSplit((), groups)])
    assert_sound(changed, data.X, data.y)
    assert changed.grown_tree_.kind[0] == Kind.CATEGORIES
    assert changed.grown_tree_.n_children[0] == 2
    assert_sound(lv.what_if(model, data.X, data.y, [Without((), (2,), below=True)]), data.X, data.y)
    if kind is not lv.CARTClassifier:
        each = lv.what_if(model, data.X, data.y, [ForcedSplit((), CategorySplit(0, np.arange(n)))])
        assert_sound(each, data.X, data.y)
        assert each.grown_tree_.n_children[0] == n
        assert np.isfinite(each.grown_tree_.score[0])


@pytest.mark.parametrize("estimator", [lv.CARTClassifier(), lv.C45Classifier()], ids=str)
def test_gaps_and_weights_stay_where_they_belong(estimator):
    table = credit_table(300, seed=1)
    X, y = table.drop(columns="risk"), table["risk"]
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    number = int(np.flatnonzero([n is None for n in estimator.fit(X, y).categories_])[0])
    model = estimator.fit(X, y, sample_weight=weight)
    nominal = int(np.flatnonzero([n is not None for n in model.categories_])[0])
    n = len(model.categories_[nominal])
    middle = float(X.iloc[:, number].median())
    for edits in (
        [ForcedSplit((), Split(number, middle)), Without((0,), (1, 2), below=True)],
        [ForcedSplit((), CategorySplit(nominal, np.arange(n) % 2)), MadeLeaf((0,))],
    ):
        assert_sound(lv.what_if(model, X, y, edits), X, y)
    with pytest.raises(ValueError, match="a hyperplane does not stand beside nominal features"):
        lv.what_if(model, X, y, [ForcedSplit((), ObliqueSplit(np.eye(X.shape[1])[number], 0.0))])


def test_whether_a_value_is_missing_can_be_forced():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    X[rng.random(80) < 0.3, 1] = np.nan
    model = lv.CARTClassifier().fit(X, y)
    changed = lv.what_if(model, X, y, [ForcedSplit((), Split(1, np.inf))])
    assert_sound(changed, X, y)
    assert changed.grown_tree_.asks_missing(0)
    assert changed.grown_tree_.missing == Missing.BRANCH


def test_trees_of_numbers_are_edited_too():
    data = load_dataset("friedman", n_samples=150, random_state=0)
    X, y = data.X, data.y
    model = lv.CARTRegressor(ccp_alpha=0.05).fit(X, y)
    for edits in (
        [ForcedSplit((), Split(4, 0.5)), MadeLeaf((0,))],
        [ForcedSplit((), line_through(X, 0, 1))],
        [Without((), (0, 3), below=True)],
        [Without((1,), (3,))],
    ):
        changed = lv.what_if(model, X, y, edits)
        assert_sound(changed, X, y)
        assert changed.predict(X).shape == y.shape
    root = lv.what_if(model, X, y, [ForcedSplit((), Split(4, 0.5))]).grown_tree_
    below = (X.iloc[:, 4] <= 0.5).to_numpy()
    inside = sum(((y[side] - y[side].mean()) ** 2).sum() for side in (below, ~below))
    assert root.score[0] == pytest.approx(1 - inside / ((y - y.mean()) ** 2).sum())


def test_a_line_by_hand_takes_no_missing_values():
    changed = lv.what_if(
        lv.C45Classifier().fit(X, y), X, y, [ForcedSplit((), line_through(X, 0, 9))]
    )
    gap = X.copy()
    gap.iloc[0, 3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        changed.predict(gap)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (ForcedSplit((), Split(0, 99.0)), "alcohol.*without rows: there alcohol lies between 11"),
        (ForcedSplit((), Split(0, 1.0)), "choose a threshold from 11.* to below 14"),
        (ForcedSplit((0,), Split(13, 1.0)), "the node 1 names column 13, but the data have"),
        (ForcedSplit((), ObliqueSplit(np.ones(4), 1.0)), "weights of shape"),
        (ForcedSplit((), ObliqueSplit(np.zeros(13), 1.0)), "must be finite and have a direction"),
        (ForcedSplit((), ObliqueSplit(np.ones(13), -1.0)), "its weighted sum lies between"),
        (ForcedSplit((0, 0), Split(0, 99.0)), "leaves a child of the node 1.1 without rows"),
        (ForcedSplit((), CategorySplit(0, np.array([0, 1]))), "is a number, so it has no categ"),
        (ForcedSplit((), ClassSplit((0,))), "only an SVM tree splits by classes"),
        (Without((), (13,)), "names column 13"),
        (Without((), tuple(range(13))), "leaves no feature to search"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(edit, words):
    model = lv.CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match=words):
        lv.what_if(model, X, y, [edit])
    assert model.edits_ == ()


def test_what_an_algorithm_does_not_serve_is_refused():
    forced, without = ForcedSplit((), Split(0, 13.0)), Without((), (0,))
    for estimator, edit, words in (
        (lv.CARTClassifier(max_leaf_nodes=5), forced, "leaves compete over the entire tree"),
        (lv.CARTClassifier(max_features=3), without, "with max_features each node draws"),
        (lv.SVMTreeClassifier(sigma="scale", C=1.0), forced, "an SVM tree splits by classes"),
        (lv.SVMTreeClassifier(sigma="scale", C=1.0), without, "read all features at once"),
        (lv.GSODTClassifier(), without, "a latent space mixes all features"),
    ):
        with pytest.raises(ValueError, match=words):
            lv.what_if(estimator.fit(X, y), X, y, [edit])
    best_first = lv.CARTClassifier(max_leaf_nodes=5).fit(X, y)
    assert lv.what_if(best_first, X, y, [Cut((0,))]).tree_.is_leaf(1)


@pytest.mark.parametrize(
    "forest",
    [lv.MCDFClassifier(), lv.AdaBoostM1Classifier(), lv.MonotoneBoostingClassifier(max_iter=4)],
    ids=str,
)
def test_one_tree_of_a_forest_is_changed(forest):
    data = load_dataset("monotone", n_samples=200, random_state=0)
    X, y = data.X, data.y
    forest.set_params(class_order=data.class_order).fit(X, y)
    tree = len(forest.estimators_) - 1
    changed = lv.what_if(forest, X, y, [ForcedSplit((), Split(0, 0.5)), MadeLeaf((0,))], tree=tree)
    assert changed.estimators_[:-1] == forest.estimators_[:-1]
    one = changed.estimators_[tree]
    assert one.grown_tree_.threshold[0] == 0.5
    assert one.grown_tree_.is_leaf(1)
    assert forest.estimators_[tree].edits_ == ()
    assert changed.predict(X).shape == y.shape
    split_search(changed, X, y, 2, tree=tree)
    with pytest.raises(ValueError, match="tree must be from 0"):
        lv.what_if(forest, X, y, [MadeLeaf(())], tree=tree + 1)
    weights = np.ones(X.shape[1])
    with pytest.raises(ValueError, match="a direction for each feature"):
        lv.what_if(forest, X, y, [ForcedSplit((), ObliqueSplit(weights, 1.0))])


def test_other_data_and_other_classes_are_refused():
    model = lv.CARTClassifier().fit(X, y)
    for others in (X.iloc[:100], X.iloc[::-1].reset_index(drop=True), pd.concat([X, X]) * 2):
        with pytest.raises(ValueError, match="X must be the data"):
            lv.what_if(model, others, np.resize(y, len(others)), [MadeLeaf((0,))])
    with pytest.raises(ValueError, match="y must be what the estimator was fitted on"):
        lv.what_if(model, X, np.resize(np.unique(y), len(y)), [MadeLeaf((0,))])
    numbers = lv.CARTRegressor().fit(X, np.arange(len(X)))
    with pytest.raises(ValueError, match="y must be what the estimator was fitted on"):
        lv.what_if(numbers, X, np.arange(len(X)) + 1.0, [MadeLeaf((0,))])


def test_a_long_regrowth_says_how_far_it_is(monkeypatch):
    pause = "lastviz.estimators.tree_estimator.PAUSE"
    monkeypatch.setattr(pause, 0.0)  # on a fast machine none is long
    data = load_dataset("waveform", n_samples=600, random_state=0)
    model = lv.OC1Classifier(n_restarts=4).fit(data.X, data.y)
    steps = what_if_in_steps(model, data.X, data.y, [ForcedSplit((), Split(6, 2.0))])
    changed, shares = walked(steps)
    assert changed.grown_tree_.feature[0] == 6
    assert shares
    assert all(0.0 <= share <= 1.0 for share in shares)


def test_an_empty_leaf_of_machines_keeps_the_class_that_was_peeled_off():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 2)).round(1), np.repeat([0, 1, 2], [11, 11, 2])
    model = lv.SVMTreeClassifier().fit(X, y)
    empty = model.tree_.n_node_samples == 0
    assert empty.any()
    assert (model.tree_.prediction[empty] != 0).any()
    changed = lv.what_if(model, X, y, [Kept(())])
    np.testing.assert_array_equal(changed.tree_.prediction, model.tree_.prediction)


def test_no_edits_leave_the_very_tree():
    data = load_dataset("iris")
    model = lv.CARTClassifier(max_leaf_nodes=5).fit(data.X, data.y)
    same = lv.what_if(model, data.X, data.y, [])
    np.testing.assert_array_equal(same.tree_.feature, model.tree_.feature)
    np.testing.assert_array_equal(same.tree_.key, model.tree_.key)
