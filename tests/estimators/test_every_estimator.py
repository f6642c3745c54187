"""What holds for every algorithm: scikit-learn's contract, invariants, replay, the log."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from lastviz import CARTRegressor
from lastviz.builders import GrowthEvent
from lastviz.estimators import ESTIMATORS, REGRESSORS, OptimalTreeClassifier
from lastviz.inspection import growth_frames, split_search
from lastviz.splitters import presort, same_split, stored_split
from lastviz.tree import Action, Reason
from tests.asked import ask
from tests.conftest import waveform
from tests.replay import replayed

TREES = (ESTIMATORS | REGRESSORS).values()
CLASSES = [entry.cls for entry in TREES if not entry.cls.TAGS.forest]


def varied(cls):
    """The default, and one estimator per other legal choice; slow searches start once."""
    names = {param.name for param in cls.PARAMS}
    cls = partial(cls, n_restarts=1) if "n_restarts" in names else cls
    out = [cls()]
    for param in out[0].PARAMS:
        others = param.choices if param.name in ("criterion", "pruning", "latent") else ()
        out += [cls(**{param.name: choice}) for choice in others if choice != param.default]
        if param.name == "max_leaf_nodes":
            out.append(cls(max_leaf_nodes=9))
        if param.name == "threshold":
            out.append(cls(threshold="value"))
        if param.name in ("order", "kernel", "bias"):
            others = (False,) if param.name == "bias" else param.choices[1:]
            out += [cls(**{param.name: choice}, max_iter=20_000) for choice in others]
        if param.name == "scaling":
            out.append(cls(scaling="none", sigma="scale", C=1.0))
        if param.name in ("dominance", "leaf"):
            out += [cls(**{param.name: choice}) for choice in param.choices[1:]]
        if param.name == "levels":
            out += [cls(levels=3), cls(levels=None)]
    return out


VARIED = [estimator for cls in CLASSES for estimator in varied(cls)]
# Machines measure distances, and a latent space depends on the features' units; the iteration
# of ICA also on rounding.
BY_FEATURE = [
    e for e in VARIED if getattr(e, "latent", "none") == "none" and not hasattr(e, "kernel")
]
STEADY = [
    e for e in VARIED  # but for rounding
    if getattr(e, "latent", "none") != "ica" and not isinstance(e, CARTRegressor)
]  # fmt: skip


def samples(name):
    if name == "waveform":
        return waveform(200, seed=0)
    if name == "tied":
        X, y = waveform(200, seed=1)
        return np.round(X[:, :6]), y
    return {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer}[name](
        return_X_y=True
    )


@pytest.mark.filterwarnings("ignore:the classes are no numbers")  # some checks use text
@parametrize_with_checks([CARTRegressor(), *(entry.cls() for entry in ESTIMATORS.values())])
def test_scikit_learns_contract(estimator, check):
    check(estimator)


def replay_finds_the_stored_split_of_every_node(estimator, X, y):
    none = (Reason.NO_CANDIDATE, Reason.NO_GAIN, Reason.ONE_CLASS)
    replayed(estimator, X, y, within=1e-12, without_split=none)


def playing_the_log_rebuilds_both_trees(estimator, X, y):
    frames = growth_frames(estimator)
    grown, log = estimator.grown_tree_, estimator.growth_log_
    after_growth = log.n_growth_events
    assert_array_equal(frames.alive(after_growth), np.arange(grown.n_nodes))
    assert_array_equal(frames.first_child[after_growth], grown.first_child)
    alive = frames.alive(frames.n_frames - 1)
    assert len(alive) == estimator.tree_.n_nodes
    last, split_of = frames.n_frames - 1, frames.split_of[-1, alive]
    refitted = split_of >= grown.n_nodes
    assert_array_equal(split_of[~refitted], estimator.tree_.grown_node[~refitted])
    below = frames.first_child[-1, alive]
    place = np.where(below >= 0, np.searchsorted(alive, below), -1)
    assert_array_equal(place, estimator.tree_.first_child)
    for position, node in enumerate(alive):
        stored = stored_split(estimator.tree_, position)
        assert same_split(stored, frames.split(last, node))
        assert len(frames.children(last, node)) == estimator.tree_.n_children[position]
    splits = log.action[:after_growth] == Action.SPLIT
    assert splits.sum() == (grown.n_children > 0).sum()


@pytest.mark.parametrize("estimator", VARIED, ids=str)
@pytest.mark.parametrize(
    "data",
    [
        *("iris", "waveform"),
        *(pytest.param(name, marks=pytest.mark.ci) for name in ("tied", "wine", "breast_cancer")),
    ],
)
def test_a_fitted_tree_answers_all_questions(estimator, data):
    X, y = samples(data)
    questions = replay_finds_the_stored_split_of_every_node, playing_the_log_rebuilds_both_trees
    ask(questions, estimator.fit(X, y), X, y)


@pytest.mark.parametrize("estimator", VARIED, ids=str)
def test_growing_event_by_event_is_fitting(estimator):
    X, y = samples("wine")
    events = [e for e in estimator.grow(X, y) if isinstance(e, GrowthEvent)]
    by_events = estimator.tree_
    np.testing.assert_array_equal(
        [event.node for event in events], estimator.growth_log_.node[: len(events)]
    )
    fitted = estimator.fit(X, y).tree_
    np.testing.assert_array_equal(by_events.feature, fitted.feature)
    np.testing.assert_array_equal(by_events.threshold, fitted.threshold)
    np.testing.assert_array_equal(by_events.oblique.weights, fitted.oblique.weights)


@pytest.mark.parametrize("estimator", STEADY, ids=str)
def test_the_order_of_the_rows_does_not_matter(estimator):
    X, y = samples("waveform")
    if "pruning_fraction" in estimator.get_params():
        estimator = clone(estimator).set_params(pruning_fraction=0.0)  # those held out differ
    order, rows = np.random.default_rng(0).permutation(len(y)), np.r_[X, waveform(500, seed=5)[0]]
    before = estimator.fit(X, y).predict(rows)
    np.testing.assert_array_equal(estimator.fit(X[order], y[order]).predict(rows), before)


@pytest.mark.parametrize("estimator", BY_FEATURE, ids=str)
def test_rising_maps_of_the_features_do_not_matter(estimator):
    X, y = samples("tied")
    before = estimator.fit(X, y).tree_
    after = estimator.fit(4.0 * X + 1024.0, y).tree_
    np.testing.assert_array_equal(before.feature, after.feature)
    np.testing.assert_array_equal(4.0 * before.threshold + 1024.0, after.threshold)


@pytest.mark.parametrize("cls", CLASSES)
def test_parameters_out_of_range_are_named(cls):
    X, y = samples("iris")
    (depth,) = (param for param in cls.PARAMS if param.name == "max_depth")
    range_of_it = ">= 1 or None" if depth.none else f">= 1 and <= {depth.high}"
    with pytest.raises(ValueError, match=f"max_depth must be an integer {range_of_it}, got 0"):
        cls(max_depth=0).fit(X, y)


@pytest.mark.parametrize("cls", [entry.cls for entry in ESTIMATORS.values()])
def test_integers_beyond_the_kernels_are_named(cls):
    X, y = samples("iris")
    X, y = X[:60:2], np.arange(30) // 10  # few rows: those that are taken are grown on
    whole = [param for param in cls.PARAMS if param.kind is int]
    assert whole
    for param in whole:
        for value in (2**53 + 1, 2**63, 2**64, 10**400):
            with pytest.raises(ValueError, match=f"^{param.name} must be an integer"):
                cls(**{param.name: value}).fit(X, y)
        # rounds are work that would be done; a subset cannot have more rows than there are
        if param.high is None and param.name not in ("max_iter", "n_estimators", "subset_size"):
            cls(**{param.name: 2**53}).fit(X, y)


@pytest.mark.parametrize("cls", CLASSES)
def test_sorted_columns_of_other_data_are_refused(cls):
    X, y = samples("iris")
    with pytest.raises(ValueError, match="presorted must belong to X"):
        cls().fit(X, y, presorted=presort(X + 1.0))


@pytest.mark.parametrize("cls", CLASSES)
def test_a_fold_is_fitted_without_sorting_again(cls, monkeypatch):
    X, y = samples("waveform")
    whole = presort(X)
    rows = np.random.default_rng(0).permutation(len(y))[:200]
    anew = cls().fit(X[rows], y[rows])
    monkeypatch.setattr("lastviz.estimators.reading.presort", None)
    again = cls().fit(X[rows], y[rows], presorted=whole.take(rows))
    np.testing.assert_array_equal(again.tree_.threshold, anew.tree_.threshold)
    np.testing.assert_array_equal(again.predict(X), anew.predict(X))


@pytest.mark.parametrize("cls", CLASSES)
def test_replay_on_other_data_is_refused(cls):
    X, y = samples("iris")
    estimator = cls().fit(X, y)
    with pytest.raises(ValueError, match="node must be from 0 to"):
        split_search(estimator, X, y, 10_000)
    with pytest.raises(ValueError, match=r"y must be the (classes|numbers)"):
        split_search(estimator, X, np.roll(y, 7)[np.r_[0:100, 0:50]], 0)
    last = np.flatnonzero(estimator.grown_tree_.n_node_samples)[-1]
    with pytest.raises(ValueError, match="X must be the data"):
        split_search(estimator, X[::-1], y, last)


HUGE = {
    "one column": ([[1e308], [1.7e308], [1.7e308]], [3, 3, 2]),
    "both signs": ([[-1.7e308], [1.7e308], [1.7e308], [0.0]], [3, 3, 2, 2]),
    "two columns": ([[1e308, 1], [1.7e308, 2], [1.7e308, 3], [1.2e308, 1]], [3, 3, 2, 2]),
    "many rows": (np.random.default_rng(0).normal(size=(30, 3)) * 1e307, np.arange(30) % 3),
    "the smallest": ([[5e-324], [0], [0], [1e-323]], [0, 1, 1, 0]),
}


@pytest.mark.parametrize("cls", [entry.cls for entry in ESTIMATORS.values()])
@pytest.mark.parametrize("data", HUGE)
def test_values_at_the_ends_of_floating_point_grow_a_tree_or_are_explained(cls, data):
    X, y = np.array(HUGE[data][0], dtype=np.float64), np.array(HUGE[data][1])
    names = {param.name for param in cls.PARAMS}
    still = {"pruning_fraction": 0.0} if "pruning_fraction" in names else {}
    estimator = cls(**still)
    if "latent" in names and data != "the smallest":
        with pytest.raises(ValueError, match=r"^X is too large for .*; scale the features"):
            estimator.fit(X, y)
        return
    estimator.fit(X, y)
    assert set(estimator.predict(X)) <= set(y.tolist())
    if hasattr(estimator, "tree_"):
        estimator.grown_tree_.validate(estimator.encode(X))
        assert all(np.isfinite(estimator.grown_tree_.threshold[estimator.grown_tree_.kind == 1]))


@pytest.mark.parametrize("estimator", [e for e in VARIED if is_classifier(e)], ids=str)
def test_a_smaller_max_depth_only_cuts_where_the_estimator_says_so(estimator):
    X, y = samples("iris")
    whole = clone(estimator).fit(X, y)
    tree = whole.tree_
    if not whole.max_depth_cuts:
        pruned = whole.tree_ is not whole.grown_tree_
        searched_whole = isinstance(whole, OptimalTreeClassifier)
        assert pruned or searched_whole or getattr(whole, "max_leaf_nodes", None) is not None
        return
    for depth in range(1, tree.max_depth):
        smaller = clone(estimator).set_params(max_depth=depth).fit(X, y).tree_
        kept = np.flatnonzero(tree.depth <= depth)
        representative = tree.at_depth(depth)
        assert smaller.n_nodes == len(kept)
        assert_array_equal(smaller.value, tree.value[kept])
        assert_array_equal(smaller.prediction, tree.prediction[kept])
        found = np.searchsorted(kept, representative[tree.apply(X)])
        assert_array_equal(smaller.apply(X), found)


@pytest.mark.parametrize("entry", ESTIMATORS.values(), ids=ESTIMATORS)
def test_weights_are_taken_or_refused_in_a_sentence(entry):
    """scikit-learn sees in the signature who takes them; the others name those that do."""
    X, y = load_iris(return_X_y=True)
    weight = np.ones(len(y))
    if has_fit_parameter(entry.cls(), "sample_weight"):
        entry.cls().fit(X, y, sample_weight=weight)
        return
    name = entry.cls.__name__
    with pytest.raises(TypeError, match=f"^{name} takes no sample_weight in fit: leave it out"):
        entry.cls().fit(X, y, sample_weight=weight)
