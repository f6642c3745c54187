"""MCDF, REMT and AdaBoost.M1 at their level: one draw of ``benchmarks.monotone_level``."""

import pytest

from benchmarks.monotone_level import LEVEL, cross_validated
from benchmarks.monotone_price import priced
from lastviz import MCDFClassifier, REMTClassifier
from lastviz.datasets import load_dataset

ONE_DRAW = 0.025  # by which the accuracy of a single draw may leave the level of the mean


@pytest.mark.parametrize("place", range(4))
def test_accuracy_is_that_of_the_study_and_forests_are_shallower(place):
    found = {model: cross_validated(f"Set{place + 1}", model, seed=0) for model in LEVEL}
    for name, level in LEVEL.items():
        assert abs(found[name][0] - level[place]) <= ONE_DRAW, name
    assert found["MCDF"][2] < found["REMT"][2]


@pytest.mark.parametrize("name", ["Set1", "Set2", "Set3", "Set4"])
def test_the_promise_to_be_monotone_is_kept_and_costs_little(name):
    found = priced(name, seed=0)
    plain, promised = found["mcdf"], found["mcdf_monotone"]
    assert (promised.contradicting, promised.n_pairs) == (0, 10_000)
    assert abs(promised.accuracy.mean() - plain.accuracy.mean()) <= 0.01


def test_large_data_are_learnt():
    dataset = load_dataset("monotone_large", n_samples=30_000)
    X, y = dataset.X.to_numpy(), dataset.codes
    train, test = slice(0, 27_000), slice(27_000, 30_000)
    models = (REMTClassifier(), MCDFClassifier(subset_size=900, error_scope="subset"))
    for model, least in zip(models, (0.80, 0.84), strict=True):
        model.fit(X[train], y[train])
        assert model.score(X[test], y[test]) >= least
    assert len(model.estimators_) == model.plan_.n_expected == 58
