"""Trees of kernel machines: routing, shared vectors, pictures, and their invariants."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz import SVMTreeClassifier
from lastviz.tree import FeatureScaling, KernelFunction, Kind
from tests import naive_svm


def draw(n_classes=4, n=12, m=2, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n)
    X = 3 * rng.normal(size=(n_classes, m))[y] + rng.normal(size=(len(y), m))
    return scale * X, y


@pytest.fixture(scope="module", params=["none", "standard"])
def fitted(request):
    X, y = draw()
    return X, SVMTreeClassifier(scaling=request.param, sigma="scale", C=3.0).fit(X, y).tree_


SCALINGS = pytest.mark.parametrize("scaling", ["none", "standard"])


def scaled(points, X, scaling):
    return points if scaling == "none" else (points - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.kernel
@SCALINGS
@pytest.mark.parametrize("name", ["linear", "rbf", "poly"])
def test_all_machines_share_the_vectors_and_say_what_each_says_alone(name, scaling):
    X, y = draw()
    X = X * [1.0, 9.0] + 2.0
    estimator = SVMTreeClassifier(kernel=name, scaling=scaling, sigma="scale", C=3.0)
    table = estimator.fit(X, y).tree_.kernel
    assert len(np.unique(table.rows)) == len(table.rows) < len(table.index)
    if scaling == "none":
        np.testing.assert_array_equal(X[table.rows], table.vectors)
    np.testing.assert_allclose(scaled(X, X, scaling)[table.rows], table.vectors, rtol=1e-9)
    points = np.random.default_rng(1).normal(size=(15, 2)) * [4, 36]

    def K(a, b):
        return naive_svm.kernel(table.kernel.code, a, b, table.kernel.sigma, table.kernel.degree)

    decided = table.decide(points)
    for s in range(len(table)):
        here = table.entries(s)
        support = table.vectors[table.index[here]]
        for x, f in zip(scaled(points, X, scaling), decided[:, s], strict=True):
            expected = naive_svm.decision(x, support, table.dual_coef[here], table.intercept[s], K)
            assert f == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.kernel
def test_a_row_stops_at_the_first_positive_machine(fitted):
    X, tree = fitted
    stops = tree.apply(X)
    for x, stop in zip(X, stops, strict=True):
        node, f = 0, tree.kernel.decide(x[None])[0]
        while not tree.is_leaf(node):
            first, second = tree.children(node)
            node = first if f[tree.split_row[node]] > 0 else second
        assert node == stop


@SCALINGS
@pytest.mark.parametrize("name", ["linear", "rbf", "poly"])
@pytest.mark.parametrize(("scale", "sigma"), [(1.0, 2.0), (1.0, 0.02), (500.0, 3.0)])
def test_a_picture_is_as_good_as_the_eye(name, scale, sigma, scaling):
    """Also where the data are so wide, in units of sigma, that 32 bits would not do."""
    X, y = draw(scale=scale)
    params = {"scaling": scaling, "sigma": sigma, "C": 1.0, "max_iter": 2000}
    table = SVMTreeClassifier(kernel=name, **params).fit(X, y).tree_.kernel
    points = scale * 4 * np.random.default_rng(1).normal(size=(5000, 2))
    exact, quick = table.decide(points), table.decide_grid(points)
    size = np.abs(table.dual_coef).sum() if name == "rbf" else np.abs(exact).max()
    np.testing.assert_allclose(quick, exact, atol=1e-4 * max(size, 1.0))


@SCALINGS
@pytest.mark.parametrize("name", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("up", [(0.0, 0.0, 2.0), (0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (3.0, 0.0, 0.5)])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_on_a_plane_the_values_are_those_of_its_places(name, up, offset, scaling):
    """At right angles, without a second axis, aslant; with the data far from 0."""
    X, y = draw(m=3)
    X = X + (offset if name == "rbf" else 0.0)
    estimator = SVMTreeClassifier(kernel=name, scaling=scaling, sigma=2.0, C=3.0).fit(X, y)
    table = estimator.tree_.kernel
    origin, across, up = X.mean(axis=0), np.array([0.5, -1.0, 0.0]), np.array(up)
    x, y = np.linspace(-3, 4, 9), np.linspace(-5, 2, 7)
    places = [[origin + a * across + b * up for a in x] for b in y]
    exact = table.decide(np.reshape(places, (-1, 3))).T.reshape(3, 7, 9)
    found = table.decide_plane(x, y, origin, across, up)
    np.testing.assert_allclose(found, exact, atol=2e-4 * max(np.abs(exact).max(), 1.0))
    if name == "rbf" and scaling == "none" and across @ up == 0:
        np.testing.assert_allclose(found, exact, atol=1e-9)


@pytest.mark.kernel
@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_block_of_the_kernel_is_its_values_one_by_one(code):
    kernel = KernelFunction(code, 0.8, 2)
    A, B = np.random.default_rng(0).normal(size=(2, 6, 3))
    slow = [[naive_svm.kernel(code, a, b, 0.8, 2) for b in B] for a in A]
    np.testing.assert_allclose(kernel.block(A, B), slow, rtol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(A), np.diagonal(kernel.block(A, A)), rtol=1e-12)


def test_classes_in_play_are_those_that_no_node_above_parted(fitted):
    _, tree = fitted
    live = tree.live_classes()
    assert live[0].all()
    for node in np.flatnonzero(tree.n_children > 0):
        first, second = tree.children(node)
        np.testing.assert_array_equal(live[first] ^ live[second], live[node])
    np.testing.assert_array_equal(live[tree.n_children == 0].sum(axis=1), 1)


def split_row(tree, row):
    return {"split_row": np.where(tree.kind == Kind.KERNEL, row, -1)}


def kernel(tree, **changed):
    return {"kernel": replace(tree.kernel, **changed)}


BREAKS = {
    "machine is not in the table": lambda t: split_row(t, 7),
    "parts other classes": lambda t: split_row(t, 0),
    "parts no classes": lambda t: kernel(t, second=np.zeros_like(t.kernel.second)),
    "is not finite": lambda t: kernel(t, intercept=t.kernel.intercept + np.nan),
    "most frequent class": lambda t: {"prediction": np.zeros_like(t.prediction)},
    "split_row and kind disagree": lambda t: {"split_row": np.full(t.n_nodes, -1)},
    "not scaled by finite numbers": lambda t: kernel(
        t, scaling=FeatureScaling(np.zeros(2), np.array([1.0, 0.0]))
    ),
    "support vectors of shape": lambda t: kernel(t, vectors=t.kernel.vectors[:, :1]),
    "is routed": lambda t: kernel(t, intercept=t.kernel.intercept + 1.0),
}


@pytest.mark.parametrize("what", BREAKS)
def test_validation_names_the_broken_invariant(fitted, what):
    X, tree = fitted
    tree.validate(X)
    with pytest.raises(ValueError, match=f"tree is broken.*{what}"):
        replace(tree, **BREAKS[what](tree)).validate(X)
