"""The SVM tree: its shape, its order, its level on published data, and bad input."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from benchmarks.svm_level import PRESETS, STUDY, accuracies
from lastviz import SVMTreeClassifier
from lastviz.inspection import separability
from lastviz.tree import Reason
from tests import naive_svm

# Nothing is chosen from the rows, and the features stay as they are.
GIVEN = {"scaling": "none", "sigma": "scale", "C": 1.0}
BOTH = pytest.mark.parametrize("params", [GIVEN, {}], ids=["given", "chosen"])


def blobs(n_classes, n=8, m=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n)
    return 6 * rng.normal(size=(n_classes, m))[y] + rng.normal(size=(len(y), m)), y


@pytest.mark.parametrize("order", SVMTreeClassifier.PARAMS[0].choices)
def test_k_classes_take_k_minus_1_machines_and_each_class_is_one_leaf(order):
    X, y = load_digits(return_X_y=True)
    estimator = SVMTreeClassifier(order=order, linkage="average", sigma=25.0, C=1.0)
    estimator.fit(X[:400], y[:400])
    tree = estimator.tree_
    leaves = tree.n_children == 0
    assert len(tree.kernel) == 9
    np.testing.assert_array_equal(np.sort(tree.prediction[leaves]), np.arange(10))
    assert estimator.score(X[:400], y[:400]) > 0.95
    assert set(estimator.growth_log_.reason) == {Reason.BEST_SPLIT, Reason.ONE_CLASS}


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_prediction_is_the_first_positive_machine(bias, scaling):
    X, y = blobs(4, seed=3)
    X = X * [1.0, 30.0] + [0.0, 500.0]
    estimator = SVMTreeClassifier(scaling=scaling, sigma="scale", bias=bias, C=5.0).fit(X, y)
    offset, scale = (X.mean(axis=0), X.std(axis=0)) if scaling == "standard" else (0.0, 1.0)
    table = estimator.tree_.kernel

    def K(a, b):
        return naive_svm.kernel(1, a, b, table.kernel.sigma, 3)

    points = np.random.default_rng(1).normal(size=(40, 2)) * [8, 240] + [0, 500]
    predictions = estimator.predict(points)
    assert len(np.unique(predictions)) > 2
    for x, predicted in zip((points - offset) / scale, predictions, strict=True):
        for s in range(3):
            here = table.entries(s)
            support = table.vectors[table.index[here]]
            f = naive_svm.decision(x, support, table.dual_coef[here], table.intercept[s], K)
            if f > 0 or s == 2:
                side = table.first[s] if f > 0 else table.second[s]
                assert predicted == np.flatnonzero(side)[0]
                break


@pytest.mark.parametrize("order", ["separability", "separability_input", "euclidean"])
def test_classes_go_in_the_order_of_the_slow_twin(order):
    X, y = blobs(7, seed=5)
    estimator = SVMTreeClassifier(order=order, sigma=4.0, C=1.0).fit(X, y)
    parts = [X[y == c] for c in range(7)]

    def entry(A, B):
        if order == "separability":
            return naive_svm.separability(A, B, lambda a, b: naive_svm.kernel(1, a, b, 4.0, 3))
        if order == "separability_input":
            return naive_svm.input_separability(A, B)
        return float(np.linalg.norm(A.mean(axis=0) - B.mean(axis=0)))

    matrix = [[np.inf if i == j else entry(parts[i], parts[j]) for j in range(7)] for i in range(7)]
    expected = naive_svm.peel_order(matrix)
    found = separability(estimator, X, y)
    assert [step.first[0] for step in found.steps] == expected[:-1]


def test_the_natural_order_is_that_of_the_classes_and_the_depth_may_be_limited():
    X, y = blobs(5)
    table = SVMTreeClassifier(order="natural").fit(X, y).tree_.kernel
    np.testing.assert_array_equal(table.first, np.eye(5, dtype=bool)[:4])
    tree = SVMTreeClassifier(max_depth=2).fit(X, y).tree_
    tree.validate(X)
    assert tree.max_depth == 2
    assert tree.n_leaves == 3


def test_single_linkage_of_three_classes_is_peeling():
    X, y = load_wine(return_X_y=True)
    peeled = SVMTreeClassifier(sigma=40.0, C=1.0).fit(X, y)
    grouped = SVMTreeClassifier(sigma=40.0, C=1.0, order="groups").fit(X, y)
    np.testing.assert_array_equal(peeled.predict(X), grouped.predict(X))
    np.testing.assert_array_equal(peeled.tree_.kernel.first[0], grouped.tree_.kernel.first[0])


def test_the_conventions_of_sigma_differ_by_the_root_of_two():
    X, y = load_wine(return_X_y=True)
    one = SVMTreeClassifier(sigma=20.0, C=1.0).fit(X, y).tree_.kernel
    wide = 20.0 * np.sqrt(2)
    other = SVMTreeClassifier(sigma=wide, C=1.0, rbf_convention="s2").fit(X, y).tree_.kernel
    np.testing.assert_allclose(one.dual_coef, other.dual_coef, rtol=1e-6)
    chosen = [SVMTreeClassifier(rbf_convention=c).fit(X, y) for c in ("2s2", "s2")]
    assert chosen[1].sigma_ == pytest.approx(np.sqrt(2) * chosen[0].sigma_)
    assert chosen[1].tree_.kernel.kernel.rate == pytest.approx(chosen[0].tree_.kernel.kernel.rate)
    scaled = SVMTreeClassifier(**GIVEN).fit(X, y).tree_.kernel.kernel
    assert scaled.rate == pytest.approx(1 / (13 * X.var()))


@BOTH
@pytest.mark.parametrize("bias", [True, False])
def test_a_class_with_one_sample_is_learned(bias, params):
    X, y = blobs(3)
    X, y = np.vstack([X, [[40.0, 40.0]]]), np.r_[y, 3]
    estimator = SVMTreeClassifier(**params | {"bias": bias, "C": 100.0}).fit(X, y)
    estimator.tree_.validate(X)
    assert estimator.predict(X[-1:]) == 3
    assert np.isfinite(separability(estimator, X, y).steps[0].separability).all()


@BOTH
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("order", SVMTreeClassifier.PARAMS[0].choices)
def test_two_identical_classes_cost_each_other_but_not_the_third(order, bias, params):
    X, y = blobs(2, n=15)
    X[y == 1] += 30.0 - X[y == 0].mean(axis=0)
    X, y = np.vstack([X, X[y == 1]]), np.r_[y, np.full(15, 2)]
    estimator = SVMTreeClassifier(order=order, bias=bias, **params).fit(X, y)
    estimator.tree_.validate(X)
    predicted = estimator.predict(X)
    assert (predicted[y == 0] == 0).all()
    assert (predicted[y > 0] > 0).all()
    found = separability(estimator, X, y)
    if order in ("separability", "groups"):
        assert found.steps[0].matrix[1, 2] == 0.0
        assert found.steps[0].first == (0,)


SIGMA = "sigma must be a finite number > 0 and <= 1e+15 or 'auto' or 'scale', got"


@pytest.mark.parametrize(("params", "message"), [
    ({"sigma": 0.0}, f"{SIGMA} 0.0"),
    ({"sigma": "wide"}, f"{SIGMA} 'wide'"),
    ({"C": -1.0}, "C must be a finite number > 0 and <= 1e+09 or 'auto', got -1.0"),
    ({"scaling": "min-max"}, "scaling must be one of 'auto', 'standard', 'none', got 'min-max'"),
    ({"degree": 0}, "degree must be an integer >= 1 and <= 10, got 0"),
    ({"cross_term": 0}, "cross_term must be an integer >= -2 and <= -1, got 0"),
    ({"order": "best"}, "order must be one of 'separability', "),
])  # fmt: skip
def test_parameters_out_of_range_are_named(params, message):
    X, y = blobs(3)
    with pytest.raises(ValueError) as error:  # noqa: PT011
        SVMTreeClassifier(**params).fit(X, y)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_values_too_large_for_a_kernel_are_refused(kernel):
    X, y = blobs(3)
    with pytest.raises(ValueError, match=f"X is too large for the {kernel} kernel"):
        SVMTreeClassifier(kernel=kernel, scaling="none").fit(X * 1e80, y)


@BOTH
@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e9])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_any_scale_in_between_is_learned(kernel, scale, params):
    X, y = blobs(3)
    estimator = SVMTreeClassifier(kernel=kernel, max_iter=1000, **params).fit(X * scale, y)
    estimator.tree_.validate(X * scale)


@pytest.mark.parametrize("order", ["separability", "groups"])
def test_sixty_classes(order):
    X, y = blobs(60, n=6)
    estimator = SVMTreeClassifier(order=order, C=100.0, sigma=1.0).fit(X, y)
    estimator.tree_.validate(X)
    assert len(estimator.tree_.kernel) == 59
    assert len(separability(estimator, X, y).steps) == 59


@pytest.mark.parametrize("bias", [True, False])
def test_a_machine_that_does_not_converge_is_a_fact_of_the_tree_and_no_warning(bias):
    X, y = load_wine(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        params = {"scaling": "none", "kernel": "linear", "C": 1000.0, "max_iter": 50}
        estimator = SVMTreeClassifier(bias=bias, **params).fit(X, y)
    estimator.tree_.validate(X)
    assert not estimator.tree_.kernel.converged.any()
    assert (estimator.n_iter_ <= 50).all()
    machines = [step.machine for step in separability(estimator, X, y).steps]
    assert not any(machine.converged for machine in machines)
    for params in (GIVEN, {}):
        assert SVMTreeClassifier(**params).fit(X, y).tree_.kernel.converged.all()


# What `python -m benchmarks.svm_level` prints in full, for a few of its lines.
@pytest.mark.parametrize(("preset", "sigma", "bias", "n_splits"), [
    ("spirals k=24/pi", 15, False, 12), ("spirals k=24/pi", 5, True, 12),
    ("spirals k=10", 10, False, 12), ("wine raw", 40, False, 40), ("wine raw", 90, False, 40),
])  # fmt: skip
def test_the_level_of_each_class_is_that_of_independent_code(preset, sigma, bias, n_splits):
    options = {"bias": bias, "order": "separability", "n_splits": n_splits}
    found = accuracies(PRESETS[preset], sigma, **options)
    np.testing.assert_allclose(found, STUDY[preset, sigma, bias], atol=4.0)
