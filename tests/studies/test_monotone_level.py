"""Cross-validation of REMT and forests."""

import numpy as np
import pytest

from benchmarks.monotone_level import MODELS, SETS, level_in_steps, set_of_the_paper
from lastviz import REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.studies import stratified_folds
from tests.conftest import walked


def test_every_class_is_spread_evenly_over_the_folds():
    y = np.repeat([0, 1, 2], [50, 23, 7])
    fold = stratified_folds(y, 10, 0)
    counts = np.array([np.bincount(fold[y == k], minlength=10) for k in range(3)])
    assert (counts.max(axis=1) - counts.min(axis=1) <= 1).all()
    assert set(np.bincount(fold)) == {8}
    assert (stratified_folds(y, 10, 0) == fold).all()
    assert (stratified_folds(y, 10, 1) != fold).any()


def test_folds_are_scored_by_trees_that_have_not_seen_them():
    data = load_dataset("monotone", n_samples=200)
    (found,), told = walked(level_in_steps({"some": data}, ["REMT"], n_folds=5))
    assert told == sorted(told)
    assert told[-1] == 1.0
    X, y = data.X.to_numpy(), data.codes
    fold = stratified_folds(y, 5, 0)
    for k in range(5):
        tree = REMTClassifier(monotonic_cst=[1, 1]).fit(X[fold != k], y[fold != k])
        predicted = tree.predict(X[fold == k])
        assert found.accuracy[k] == np.mean(predicted == y[fold == k])
        assert found.error[k] == pytest.approx(np.mean(np.abs(predicted - y[fold == k])))
        assert found.depth[k] == tree.tree_.max_depth


def test_directions_are_told_and_all_models_are_there():
    data = load_dataset("monotone", n_samples=120).with_directions({"x1": -1})
    levels, _ = walked(level_in_steps({"turned": data}, n_folds=2))
    assert [level.model for level in levels] == list(MODELS)
    straight = load_dataset("monotone", n_samples=120)
    better, _ = walked(level_in_steps({"straight": straight}, n_folds=2))
    assert all(a.accuracy.mean() < b.accuracy.mean() for a, b in zip(levels, better, strict=True))


def test_the_sets_are_those_of_the_paper():
    assert [set_of_the_paper(name).n_classes for name in SETS] == [2, 4, 6, 8]
