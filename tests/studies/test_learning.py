"""Learning curves: all training rows give the study's own figures, smaller sets are nested."""

import numpy as np
import pytest

from lastviz.datasets import load_dataset
from lastviz.studies.learning import SHARES, _nested_order, learning_curves_in_steps
from lastviz.studies.study import study_of
from lastviz.studies.tasks import compute, plan
from tests.conftest import walked

TEXT = """folds = 4
protocol = "nested"
[[algorithms]]
key = "cart"
[[algorithms]]
key = "hybrid"
grid = {k = [2, 3]}
[[datasets]]
key = "%s"
"""


def curves(data="iris", metric="accuracy"):
    study, dataset = study_of(TEXT % data), load_dataset(data)
    return study, dataset, *walked(learning_curves_in_steps(study, dataset, metric))


def test_all_training_rows_give_what_the_study_finds():
    study, dataset, (cart, _), shares = curves()
    (cell, _), loaded = plan(study)
    found = [compute(task, loaded[cell.data]).figures["accuracy"] for _, task in cell.tasks]
    assert cart.mean[-1] == pytest.approx(np.mean(found))
    rows = dataset.n_samples * 3 / 4
    assert cart.n_samples.tolist() == [int(share * rows) for share in SHARES]
    spread = np.std(found, ddof=1)
    width = 3.182446 * spread * np.sqrt(1 / 4 + 1 / 3)
    assert cart.half[-1] == pytest.approx(width, rel=1e-6)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1] < 1) == (0, True)


def test_more_rows_are_not_worse_by_much_and_every_point_is_known():
    _, _, found, _ = curves()
    for curve in found:
        assert curve.reason == ""
        assert np.isfinite(curve.mean).all()
        assert curve.mean[-1] > curve.mean[0] - 0.02


def test_smaller_training_sets_are_parts_of_larger_ones_with_each_class_in_its_share():
    dataset = load_dataset("wine")
    train = np.flatnonzero(np.arange(dataset.n_samples) % 5)
    order = _nested_order(dataset, train, 7)
    assert sorted(order.tolist()) == train.tolist()
    whole = np.bincount(dataset.codes[train]) / len(train)
    for n in (20, 50, 100):
        part = np.bincount(dataset.codes[order[:n]], minlength=3) / n
        assert np.abs(part - whole).max() <= 1.5 / n


def test_an_algorithm_that_cannot_learn_these_says_why():
    _, _, (cart, hybrid), _ = curves("loan")
    assert cart.reason == ""
    assert np.isfinite(cart.mean).all()
    assert bool(hybrid.reason) == np.isnan(hybrid.mean).any()


def test_numbers_are_learnt_too():
    study = study_of('[[algorithms]]\nkey = "cart_regressor"\n[[datasets]]\nkey = "friedman"')
    steps = learning_curves_in_steps(study, load_dataset("friedman"), "rmse", shares=(0.2, 1.0))
    (curve,), _ = walked(steps)
    assert curve.mean[1] < curve.mean[0]
