"""Machines with and without a bias: optimal, exact, and honest where they are not."""

import numpy as np
import pytest

from lastviz.splitters.svm.machine import train_machine
from lastviz.tree import KernelFunction
from tests import naive_svm

KERNELS = {
    "linear": KernelFunction(0, 1.0, 1),
    "rbf": KernelFunction(1, 1.2, 3),
    "poly": KernelFunction(2, 2.0, 3),
}


def draw(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    positive = X[:, 0] + 0.6 * rng.normal(size=n) > 0.2
    return X, positive


def slow(kernel):
    return lambda a, b: naive_svm.kernel(kernel.code, a, b, kernel.sigma, kernel.degree)


@pytest.mark.kernel
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("C", [0.5, 20.0])
def test_without_a_bias_the_dual_is_solved(name, C):
    X, positive = draw(25)
    kernel = KERNELS[name]
    sign = np.where(positive, 1.0, -1.0)
    Q = np.array([[slow(kernel)(a, b) for b in X] for a in X]) * np.outer(sign, sign)
    expected = naive_svm.bias_free(Q, C, sweeps=3000)
    machine = train_machine(X, positive, kernel, C, bias=False, max_iter=1_000_000)
    alpha = np.zeros(len(X))
    alpha[machine.rows] = np.abs(machine.dual_coef)
    assert machine.converged
    assert machine.intercept == 0.0
    assert alpha.max() <= C

    def dual(a):
        return a @ Q @ a / 2 - a.sum()

    assert dual(alpha) <= dual(expected) + 1e-3 * max(1.0, abs(dual(expected)))
    np.testing.assert_allclose(Q @ alpha, Q @ expected, atol=0.02)


@pytest.mark.kernel
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("bias", [True, False])
def test_every_row_is_on_the_side_that_its_multiplier_says(name, bias):
    X, positive = draw(60)
    kernel, C = KERNELS[name], 2.0
    machine = train_machine(X, positive, kernel, C, bias=bias, max_iter=1_000_000)
    f = machine.decide(X, X[machine.rows], kernel)
    expected = [
        naive_svm.decision(x, X[machine.rows], machine.dual_coef, machine.intercept, slow(kernel))
        for x in X
    ]
    np.testing.assert_allclose(f, expected, rtol=1e-9, atol=1e-9)
    side = f * np.where(positive, 1.0, -1.0)
    alpha = np.zeros(len(X))
    alpha[machine.rows] = np.abs(machine.dual_coef)
    assert (side[alpha == 0.0] >= 1 - 3e-3).all()
    assert (side[alpha >= C] <= 1 + 3e-3).all()
    np.testing.assert_allclose(side[(alpha > 0.0) & (alpha < C)], 1.0, atol=3e-3)
    if bias:
        assert machine.dual_coef.sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.kernel
def test_a_small_cache_of_columns_changes_nothing(monkeypatch):
    X, positive = draw(60)
    arguments = (X, positive, KERNELS["rbf"], 50.0)
    whole = train_machine(*arguments, bias=False, max_iter=1_000_000)
    monkeypatch.setattr("lastviz.splitters.svm.machine.CACHE_BYTES", 8 * 60 * 3)
    small = train_machine(*arguments, bias=False, max_iter=1_000_000)
    np.testing.assert_array_equal(small.dual_coef, whole.dual_coef)
    assert small.n_iter == whole.n_iter


@pytest.mark.parametrize("bias", [True, False])
def test_a_machine_that_does_not_converge_says_so_in_its_record(bias):
    X, positive = draw(60)
    machine = train_machine(X, positive, KERNELS["rbf"], 1000.0, bias=bias, max_iter=3)
    assert not machine.converged
    assert machine.n_iter <= 3
    assert np.isfinite(machine.decide(X, X[machine.rows], KERNELS["rbf"])).all()


@pytest.mark.kernel
def test_a_decision_value_does_not_depend_on_the_rows_beside_it():
    X, positive = draw(60)
    kernel = KERNELS["rbf"]
    machine = train_machine(X, positive, kernel, 1.0, bias=True, max_iter=10_000)
    support = X[machine.rows]
    whole = machine.decide(X, support, kernel)
    alone = [machine.decide(X[i : i + 1], support, kernel)[0] for i in range(len(X))]
    np.testing.assert_array_equal(whole, alone)


@pytest.mark.kernel
@pytest.mark.parametrize("bias", [True, False])
def test_two_groups_of_the_same_rows_still_make_a_machine(bias):
    X, _ = draw(10)
    positive = np.repeat([True, False], 10)
    rows = np.vstack([X, X])
    machine = train_machine(rows, positive, KERNELS["rbf"], 1.0, bias=bias, max_iter=10_000)
    np.testing.assert_allclose(machine.decide(rows, rows[machine.rows], KERNELS["rbf"]), 0, atol=1)
