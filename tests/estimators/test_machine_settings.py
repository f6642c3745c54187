"""What the SVM tree chooses from its training rows: scaling, sigma and C, and how well they do."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from benchmarks import svm_defaults
from lastviz import SVMTreeClassifier
from lastviz.builders import SearchProgress
from lastviz.datasets import DATASETS, load_dataset
from lastviz.pruning import folds

X, y = WINE = load_wine(return_X_y=True)


@pytest.mark.ci
@pytest.mark.parametrize("key", svm_defaults.AT_LEAST)
def test_the_defaults_reach_nine_of_ten_rows(key):
    assert svm_defaults.level(key, seeds=(1, 2, 3)).tree.mean() >= 0.90


@pytest.mark.ci
@pytest.mark.parametrize("key", ["xor", "checkerboard", "two_spreads", "blobs", "iris"])
def test_the_defaults_are_hardly_below_a_standardised_machine(key):
    assert svm_defaults.level(key, seeds=(1, 2, 3)).is_reached


@pytest.mark.slow
@pytest.mark.parametrize("key", svm_defaults.KEYS)
def test_the_defaults_reach_their_level_on_all_data(key):
    found = svm_defaults.level(key)
    assert found.is_reached, f"{key}: {found.tree.mean():.3f}, SVC {found.svc.mean():.3f}"


def test_no_data_set_is_left_out_but_those_that_it_cannot_take():
    for key in svm_defaults.NOT_FOR_IT:
        dataset = load_dataset(key)
        assert dataset.numeric_X.shape[1] == 0 or dataset.class_counts.min() == 1
    assert set(svm_defaults.KEYS) | set(svm_defaults.NOT_FOR_IT) == set(DATASETS)


def test_scaling_is_that_of_standardised_rows():
    standard = StandardScaler().fit(X)
    inside = SVMTreeClassifier().fit(X, y)
    before = SVMTreeClassifier(scaling="none").fit(standard.transform(X), y)
    assert inside.sigma_ == pytest.approx(before.sigma_)
    assert inside.C_ == before.C_
    np.testing.assert_array_equal(inside.predict(X), before.predict(standard.transform(X)))
    one, two = inside.tree_.kernel, before.tree_.kernel
    np.testing.assert_array_equal(one.rows, two.rows)
    np.testing.assert_allclose(one.dual_coef, two.dual_coef, atol=1e-4)


@pytest.mark.parametrize(("params", "standardises"), [
    ({}, True), ({"sigma": "scale"}, True), ({"sigma": 2.0}, False),
    ({"sigma": 2.0, "scaling": "standard"}, True), ({"scaling": "none"}, False),
    ({"kernel": "linear"}, True), ({"kernel": "linear", "sigma": 2.0}, True),
])  # fmt: skip
def test_a_width_in_numbers_has_the_units_of_the_features(params, standardises):
    estimator = SVMTreeClassifier(**params).fit(X, y)
    assert np.array_equal(estimator.scaling_.apply(X), X) != standardises
    assert estimator.standardises == standardises
    if isinstance(params.get("sigma"), float):
        assert estimator.sigma_ == estimator.tree_.kernel.kernel.sigma == params["sigma"]


@pytest.mark.parametrize("params", [{}, {"C": 3.0}, {"sigma": "scale"}, {"kernel": "linear"}])
@pytest.mark.parametrize("data", [WINE, load_iris(return_X_y=True)], ids=["wine", "iris"])
def test_the_choice_is_that_of_cross_validation_written_out(data, params):
    X, y = data
    estimator = SVMTreeClassifier(random_state=4, **params).fit(X, y)
    found = estimator.cross_validation_
    order = np.lexsort((*X.T[::-1], y))
    Z, y = StandardScaler().fit_transform(X)[order], y[order]
    fold = folds(y, 5, 4, stratify=True)
    right = {}
    for one in found.tried:
        model = SVMTreeClassifier(scaling="none", **{**params, "sigma": one.sigma, "C": one.C})
        guessed = np.empty_like(y)
        for k in range(5):
            guessed[fold == k] = model.fit(Z[fold != k], y[fold != k]).predict(Z[fold == k])
        right[one] = np.count_nonzero(guessed == y)
    assert (found.n_folds, found.n_rows) == (5, len(y))
    first = next(one for one in found.tried if right[one] == max(right.values()))
    assert found.chosen == first
    assert first.n_right == right[first]
    assert first.n_judged == len(y)
    assert (estimator.sigma_, estimator.C_) == (first.sigma, first.C)
    assert found.accuracy == right[first] / len(y)


def test_the_widths_come_first_then_the_prices_of_slack_and_what_is_given_is_not_chosen():
    tried = SVMTreeClassifier().fit(X, y).cross_validation_.tried
    widths, prices = tried[:5], tried[5:]
    scale = np.sqrt(13 / 2)
    assert [one.sigma / scale for one in widths] == pytest.approx([1, 2, 0.5, 0.25, 0.125])
    assert {one.C for one in widths} == {10.0}
    assert [one.C for one in prices] == [1.0, 100.0]
    assert {one.sigma for one in prices} == {max(widths, key=lambda one: one.n_right).sigma}
    estimator = SVMTreeClassifier(sigma="scale", C=3.0).fit(X, y)
    assert estimator.cross_validation_ is None
    assert (estimator.sigma_, estimator.C_) == (pytest.approx(np.sqrt(13 / 2)), 3.0)
    assert {one.C for one in SVMTreeClassifier(C=3.0).fit(X, y).cross_validation_.tried} == {3.0}


def test_the_folds_follow_from_the_random_state_and_not_from_the_order_of_the_rows():
    mixed = np.random.default_rng(0).permutation(len(y))
    one = SVMTreeClassifier(random_state=1).fit(X, y)
    other = SVMTreeClassifier(random_state=1).fit(X[mixed], y[mixed])
    assert one.cross_validation_ == other.cross_validation_
    third = SVMTreeClassifier(random_state=2).fit(X, y)
    assert one.cross_validation_.tried != third.cross_validation_.tried


def test_the_only_row_of_a_class_is_never_held_out_and_of_such_alone_nothing_is_chosen():
    X = np.array([[0.0, 1.0], [5.0, 2.0], [9.0, 7.0]])
    estimator = SVMTreeClassifier().fit(X, [0, 1, 2])
    assert estimator.cross_validation_ is None
    assert (estimator.sigma_, estimator.C_) == (pytest.approx(1.0), 1.0)
    np.testing.assert_array_equal(estimator.predict(X), [0, 1, 2])
    X, y = np.vstack([WINE[0], WINE[0].max(axis=0)]), np.r_[WINE[1], 3]
    found = SVMTreeClassifier().fit(X, y).cross_validation_
    assert (found.n_rows, found.chosen.n_judged) == (179, 178)


def test_of_many_rows_a_thousand_take_part_those_of_rare_classes_among_them():
    dataset = load_dataset("monotone_large", n_samples=3000)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    assert np.bincount(y).min() < 10
    found = SVMTreeClassifier(sigma="scale", C="auto").fit(X, y).cross_validation_
    assert (found.n_rows, found.n_folds, found.chosen.n_judged) == (1000, 5, 1000)


def test_many_classes_are_judged_in_fewer_folds():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(30), 4)
    X = 9 * rng.normal(size=(30, 2))[y] + rng.normal(size=(120, 2))
    assert SVMTreeClassifier(sigma="scale").fit(X, y).cross_validation_.n_folds == 2


def test_the_choice_says_how_far_it_is():
    estimator = SVMTreeClassifier()
    events = list(estimator.grow(X, y))
    shares = [event.share for event in events if isinstance(event, SearchProgress)]
    assert len(shares) > 7
    assert all(0.0 < share <= 1.0 for share in shares)
    assert shares == sorted(shares)
    assert len(events) - len(shares) == estimator.tree_.n_nodes
