"""Latent spaces: what spans them, and that the order of the rows does not matter."""

from functools import partial

import numpy as np
import pytest
from sklearn.decomposition import PCA, FastICA

from lastviz.latent import LATENT_SPACES, positions_along
from tests.conftest import waveform

FACTORIAL = np.array(np.meshgrid(*[[-1.0, 1.0]] * 4)).reshape(4, -1).T


def samples(name):
    rng = np.random.default_rng(0)
    return {
        "waveform": lambda: waveform(300, seed=0)[0],
        "factorial": lambda: np.repeat(FACTORIAL, 3, axis=0),
        "turned": lambda: FACTORIAL @ np.linalg.qr(rng.normal(size=(4, 4)))[0],
        "wide": lambda: rng.normal(size=(7, 12)),
        "duplicated columns": lambda: rng.normal(size=(40, 3))[:, [0, 1, 1, 2, 0]],
        "offset": lambda: 1e6 + rng.normal(size=(50, 4)),
        "one feature": lambda: rng.normal(size=(20, 1)),
    }[name]()


NAMES = ("waveform", "factorial", "turned", "wide", "duplicated columns", "offset", "one feature")
ORTHOGONAL = ("svd", "pca", "none")


@pytest.mark.parametrize("space", ORTHOGONAL)
@pytest.mark.parametrize("name", NAMES)
def test_orthogonal_spaces_lose_nothing(space, name):
    X = samples(name)
    basis = LATENT_SPACES[space].basis(X)
    V = basis.directions
    np.testing.assert_allclose(V.T @ V, np.eye(basis.n_components), atol=1e-12)
    Z = basis.coordinates(X)
    scale = np.abs(X).max()
    np.testing.assert_allclose(Z @ V.T + basis.centre, X, atol=1e-9 * scale)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=0), basis.singular_values, rtol=1e-6)
    assert basis.explained_share.sum() == pytest.approx(1.0)
    assert len(basis.names) == basis.n_components == len(basis.resolution)


@pytest.mark.parametrize("space", ["svd", "pca"])
@pytest.mark.parametrize("name", NAMES)
def test_a_permutation_of_the_rows_changes_nothing(space, name):
    X = samples(name)
    before = LATENT_SPACES[space].basis(X).directions
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        after = LATENT_SPACES[space].basis(X[order]).directions
        np.testing.assert_allclose(after, before, atol=1e-8 if name == "offset" else 1e-11)


@pytest.mark.parametrize("space", ["svd", "pca"])
def test_equal_singular_values_give_the_axes_of_the_features(space):
    np.testing.assert_allclose(
        LATENT_SPACES[space].basis(samples("factorial")).directions, np.eye(4), atol=1e-14
    )


@pytest.mark.parametrize("space", ["svd", "pca", "ica"])
@pytest.mark.parametrize("name", NAMES)
def test_the_largest_weight_of_a_component_is_positive(space, name):
    basis = LATENT_SPACES[space].basis(samples(name))
    simple = np.diff(basis.singular_values) < -1e-6
    for c in np.flatnonzero(np.r_[True, simple] & np.r_[simple, True]) if len(simple) else [0]:
        v = basis.directions[:, c]
        assert v[np.abs(v).argmax()] > 0


def test_principal_components_are_those_of_scikit_learn():
    X = samples("waveform")
    ours, theirs = LATENT_SPACES["pca"].basis(X), PCA().fit(X)
    np.testing.assert_allclose(np.abs(ours.directions.T), np.abs(theirs.components_), atol=1e-9)
    np.testing.assert_allclose(ours.explained_share, theirs.explained_variance_ratio_)
    np.testing.assert_allclose(ours.singular_values, theirs.singular_values_)


@pytest.mark.parametrize(("space", "name", "rank"), [
    ("svd", "wide", 7), ("pca", "wide", 6), ("ica", "wide", 6),
    ("svd", "duplicated columns", 3), ("pca", "duplicated columns", 3),
    ("ica", "duplicated columns", 3),
])  # fmt: skip
def test_null_directions_are_not_offered(space, name, rank):
    assert LATENT_SPACES[space].basis(samples(name)).n_components == rank


@pytest.mark.parametrize(("space", "rank"), [("svd", 1), ("pca", 0), ("ica", 0), ("none", 3)])
def test_a_constant_matrix(space, rank):
    basis = LATENT_SPACES[space].basis(np.full((9, 3), 3.3))
    assert basis.n_components == rank
    assert LATENT_SPACES[space].basis(np.zeros((4, 2))).explained_share.sum() == 0.0


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("space", ["svd", "pca"])
def test_the_unit_does_not_matter(space, scale):
    X = samples("waveform")
    before, after = (LATENT_SPACES[space].basis(s * X) for s in (1.0, scale))
    np.testing.assert_allclose(before.directions, after.directions, atol=1e-11)
    np.testing.assert_allclose(before.explained_share, after.explained_share)


def test_independent_components_are_found_again():
    rng = np.random.default_rng(0)
    sources = np.column_stack([rng.uniform(-1, 1, 3000), rng.laplace(size=3000)])
    mixed = sources @ np.array([[2.0, 1.0], [1.0, 1.5]]) + 5.0
    basis = LATENT_SPACES["ica"].basis(mixed)
    Z = basis.coordinates(mixed)
    match = np.abs(np.corrcoef(Z.T, sources.T)[:2, 2:])
    np.testing.assert_allclose(match, [[0, 1], [1, 0]], atol=0.05)
    np.testing.assert_allclose(Z.std(axis=0), 1.0)
    assert np.abs(basis.excess_kurtosis[0]) > np.abs(basis.excess_kurtosis[1])
    assert basis.explained_share.sum() == pytest.approx(1.0)
    assert basis.converged
    assert basis.identifiable


def test_normal_rows_have_no_independent_components_and_that_is_said():
    X = np.random.default_rng(1).normal(size=(400, 3))
    assert not LATENT_SPACES["ica"].basis(X).identifiable


def test_an_iteration_that_does_not_come_to_rest_is_data(monkeypatch):
    X = np.random.default_rng(1).normal(size=(30, 6)) ** 3
    impatient = partial(FastICA, fun="cube")
    monkeypatch.setattr(
        "lastviz.latent.bases.FastICA", lambda **given: impatient(**{**given, "max_iter": 1})
    )
    assert not LATENT_SPACES["ica"].basis(X).converged


@pytest.mark.kernel
def test_positions_do_not_depend_on_the_company():
    X = samples("waveform")
    V = LATENT_SPACES["svd"].basis(X).directions
    whole = positions_along(X, V)
    np.testing.assert_allclose(whole, X @ V, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(positions_along(X[50:60], V), whole[50:60])
    np.testing.assert_array_equal(positions_along(X, V[:, 3:4]), whole[:, 3:4])
