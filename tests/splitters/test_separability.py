"""Separability of classes, against sums written out and against what must hold."""

import tracemalloc

import numpy as np
import pytest

from lastviz.splitters.svm import machine
from lastviz.splitters.svm.machine import (
    centre_distances,
    input_separability,
    kernel_distances,
    kernel_separability,
)
from lastviz.tree import KernelFunction
from tests import naive_svm

LINEAR, RBF, POLY = (KernelFunction(code, sigma=1.5, degree=3) for code in range(3))


def draw(seed, sizes=(7, 9, 1, 12), m=3):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(len(y), m)) * (1 + y[:, None]) + rng.normal(size=(len(sizes), m))[y]
    order = rng.permutation(len(y))
    return X[order], y[order]


def slow(kernel):
    return lambda a, b: naive_svm.kernel(kernel.code, a, b, kernel.sigma, kernel.degree)


@pytest.mark.parametrize("cross", [-2, -1])
@pytest.mark.parametrize("kernel", [LINEAR, RBF, POLY], ids=["linear", "rbf", "poly"])
def test_every_entry_is_the_formula(kernel, cross):
    X, y = draw(0)
    found = kernel_separability(X, y, 4, kernel, cross)
    for i in range(4):
        for j in range(4):
            expected = naive_svm.separability(X[y == i], X[y == j], slow(kernel), cross)
            assert found[i, j] == pytest.approx(np.inf if i == j else expected, rel=1e-9)


def test_in_input_space_every_entry_is_the_formula():
    X, y = draw(1)
    found = input_separability(X, y, 4)
    for i in range(4):
        for j in set(range(4)) - {i}:
            expected = naive_svm.input_separability(X[y == i], X[y == j])
            assert found[i, j] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_a_linear_kernel_measures_euclidean_distances(offset):
    X, y = draw(2)
    X = X + offset
    distances, _ = kernel_distances(X, y, 4, LINEAR)
    centres = [X[y == c].mean(axis=0) for c in range(4)]
    for i in range(4):
        for j in set(range(4)) - {i}:
            straight = np.linalg.norm(centres[i] - centres[j])
            assert abs(distances[i, j] - straight) <= 1e-12 * max(1.0, straight)
            assert abs(centre_distances(X, y, 4)[i, j] - straight) <= 1e-12 * max(1.0, straight)


def test_with_the_same_variance_the_linear_kernel_measures_what_input_space_does():
    X, y = draw(3)
    distances, _ = kernel_distances(X, y, 4, LINEAR)
    squares = [np.var(X[y == c], axis=0, ddof=1).sum() if c != 2 else 0.0 for c in range(4)]
    for i, j in ((0, 1), (0, 2), (1, 3)):
        expected = distances[i, j] / (squares[i] + squares[j])
        assert input_separability(X, y, 4)[i, j] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kernel", [LINEAR, RBF, POLY], ids=["linear", "rbf", "poly"])
def test_blocks_make_the_whole(kernel, monkeypatch):
    X, y = draw(4, sizes=(40, 25, 33))
    whole = kernel_separability(X, y, 3, kernel)
    monkeypatch.setattr(machine, "BLOCK", 17)
    np.testing.assert_allclose(kernel_separability(X, y, 3, kernel), whole, rtol=1e-10)


@pytest.mark.parametrize("kernel", [LINEAR, RBF, POLY], ids=["linear", "rbf", "poly"])
def test_masking_a_class_is_computing_without_it(kernel):
    X, y = draw(5)
    whole = kernel_separability(X, y, 4, kernel)
    for gone in range(4):
        left = np.delete(np.arange(4), gone)
        rows = y != gone
        codes = np.searchsorted(left, y[rows])
        again = kernel_separability(X[rows], codes, 3, kernel)
        np.testing.assert_allclose(whole[np.ix_(left, left)], again, rtol=1e-10)


@pytest.mark.parametrize("kernel", [LINEAR, RBF, POLY], ids=["linear", "rbf", "poly"])
def test_equal_classes_have_distance_zero(kernel):
    X, _ = draw(6)
    rng = np.random.default_rng(0)
    twice = np.vstack([X, X[rng.permutation(len(X))], X + 5.0]) + 100.0
    y = np.repeat(np.arange(3), len(X))
    distances, _ = kernel_distances(twice, y, 3, kernel)
    assert distances[0, 1] == distances[1, 0] == 0.0
    assert distances[0, 2] > 0.0
    assert kernel_separability(twice, y, 3, kernel)[0, 1] == 0.0
    assert centre_distances(twice, y, 3)[0, 1] == pytest.approx(0.0, abs=1e-12)


def test_the_printed_cross_term_sets_equal_classes_apart():
    X, _ = draw(6)
    y = np.repeat([0, 1], len(X))
    assert kernel_separability(np.vstack([X, X]), y, 2, RBF, cross_term=-1)[0, 1] > 0.1


def test_classes_without_spread_are_as_separable_as_can_be_or_not_at_all():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 1.0], [0.0, 0.0]])
    found = kernel_separability(X, np.array([0, 0, 1, 2]), 3, RBF)
    np.testing.assert_array_equal(found, [[np.inf, np.inf, 0], [np.inf] * 3, [0, np.inf, np.inf]])


def test_memory_stays_bounded(monkeypatch):
    """20,000 rows: a kernel matrix would take 3.2 GB. Larger blocks only save time."""
    monkeypatch.setattr(machine, "BLOCK", 1024)
    n = 20_000
    X = np.random.default_rng(0).normal(size=(n, 2))
    y = np.arange(n) % 3
    tracemalloc.start()
    try:
        kernel_separability(X, y, 3, RBF)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * 2**20


TABLE = {
    15: (0.0823, 0.1042, 0.0715, 0.1146, 0.1193, 0.0968),
    10: (0.0916, 0.1003, 0.0800, 0.1029, 0.1039, 0.0877),
    5: (0.0797, 0.0764, 0.0671, 0.0800, 0.0764, 0.0672),
}


@pytest.mark.parametrize("sigma", TABLE)
def test_the_spirals_are_as_separable_as_independent_code_finds(sigma):
    theta = np.linspace(0, 6 * np.pi, 240)
    radius = np.concatenate([24 / np.pi * theta + start for start in (1, 16, 32)])
    X = radius[:, None] * np.column_stack([np.cos(np.tile(theta, 3)), np.sin(np.tile(theta, 3))])
    y = np.repeat(np.arange(3), 240)
    kernel = KernelFunction(1, float(sigma), 3)
    found = [
        kernel_separability(X, y, 3, kernel, cross)[[0, 0, 1], [1, 2, 2]] for cross in (-2, -1)
    ]
    np.testing.assert_allclose(np.concatenate(found), TABLE[sigma], atol=6e-5)
