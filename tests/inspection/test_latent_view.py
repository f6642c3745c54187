"""Nodes in the spaces where they split."""

import numpy as np
import pytest

from lastviz import C45Classifier, GSODTClassifier, LSODTClassifier, what_if
from lastviz.datasets import load_dataset
from lastviz.inspection import (
    best_projection,
    latent_regions,
    latent_splits,
    latent_view,
    projection_fidelity,
    slice_fidelity,
)
from lastviz.latent import LATENT_SPACES
from lastviz.splitters.edits import ForcedSplit, ObliqueSplit
from tests.conftest import waveform

SPACES = ("svd", "pca", "ica", "none")


@pytest.fixture(scope="module", params=[(1, s) for s in SPACES] + [(3, "svd"), (None, "pca")])
def model(request):
    levels, latent = request.param
    X, y = waveform(400, seed=0)
    return LSODTClassifier(levels=levels, latent=latent).fit(X, y), X, y


def test_a_split_is_a_line_across_its_component(model):
    estimator, X, _ = model
    tree = estimator.tree_
    for node in range(tree.n_nodes):
        view = latent_view(estimator, X, node)
        np.testing.assert_array_equal(np.flatnonzero(view.inside), tree.node_samples(node)[0])
        if tree.is_leaf(node):
            assert view.component == -1
            assert np.isnan(view.threshold)
            continue
        first = np.isin(tree.apply(X), tree.subtree(tree.children(node)[0]))
        z = view.coordinates[:, view.component]
        certain = np.abs(z - view.threshold) > 1e-9
        np.testing.assert_array_equal(
            (z <= view.threshold)[view.inside & certain], first[view.inside & certain]
        )
        np.testing.assert_array_equal(X[view.inside] @ view.weights <= view.offset,
                                      first[view.inside])  # fmt: skip


def test_a_view_tells_the_basis_of_its_node(model):
    estimator, X, _ = model
    tree = estimator.tree_
    view = latent_view(estimator, X)
    assert view.begins == 0
    np.testing.assert_array_equal(view.loadings, tree.bases[0].directions.T)
    assert view.explained_share.sum() == pytest.approx(1.0)
    assert len(view.singular_values) == view.loadings.shape[0] == view.coordinates.shape[1]
    heavy = view.heaviest(0, 3)
    assert np.abs(view.loadings[0, heavy[0]]) == np.abs(view.loadings[0]).max()
    below = latent_view(estimator, X, 1)
    assert below.begins == (0 if estimator.levels == 1 else 1)
    assert set(below.split_nodes) <= set(np.flatnonzero(tree.n_children > 0))


def test_c45_splits_in_the_features_themselves():
    X, y = waveform(200, seed=1)
    estimator = C45Classifier().fit(X, y)
    view = latent_view(estimator, X)
    assert view.basis.space == "none"
    assert (view.component, view.threshold) == (
        estimator.tree_.feature[0],
        estimator.tree_.threshold[0],
    )
    with pytest.raises(ValueError, match="node must be from 0 to"):
        latent_view(estimator, X, 10_000)


def test_regions_of_a_latent_plane_are_the_model_there(model):
    estimator, X, _ = model
    view = latent_view(estimator, X)
    Z = view.coordinates
    pair = (0, 1)
    window = (Z[:, 0].min(), Z[:, 0].max(), Z[:, 1].min(), Z[:, 1].max())
    found = latent_regions(estimator, view, window, pair)
    places = np.random.default_rng(0).uniform(window[::2], window[1::2], (1500, 2))
    drawn = np.tile(Z.mean(axis=0), (1500, 1))
    drawn[:, pair] = places
    points = view.basis.centre + drawn @ np.linalg.pinv(view.basis.directions)
    leaf = estimator.apply(points)
    right = 0
    for i in found.visible():
        corners = found.polygon(i)
        edge, away = np.roll(corners, -1, axis=0) - corners, places[:, None] - corners
        here = (edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0] >= 0).all(axis=1)
        right += np.count_nonzero(leaf[here] == found.node[i])
    assert right >= 1499
    assert found.feature_names == view.basis.names[:2]
    with pytest.raises(ValueError, match="two different"):
        latent_regions(estimator, view, window, (1, 1))


def test_the_latent_space_of_waveform_shows_a_triangle():
    X, y = waveform(900, seed=2)
    basis = LATENT_SPACES["svd"].basis(X)
    latent = best_projection(basis.coordinates(X), y)
    original = best_projection(X, y)
    assert latent.components == (1, 2)
    assert latent.separation > original.separation + 0.1


def naive_separation(Z, y):
    """Leave-one-out accuracy of the nearest class mean, row by row."""
    Z, right = (Z - Z.mean(axis=0)) / Z.std(axis=0), 0.0
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        far = {
            label: ((Z[others & (y == label)].mean(axis=0) - Z[i]) ** 2).sum()
            for label in np.unique(y[others])
        }
        near = [label for label, each in far.items() if each <= min(far.values()) + 1e-9]
        right += (y[i] in near) / len(near)
    return right / len(y)


@pytest.mark.parametrize("of_steps", [False, True])
def test_separation_is_the_share_of_rows_nearest_to_their_own_class(of_steps):
    X, y = waveform(90, seed=3)
    X = X[:, 4:10] * 10.0 ** np.arange(-3, 3)
    if of_steps:  # a coordinate that is constant inside every class, the same in two of them
        X[:, 2] = np.where(y == 2, 1.0, 0.0)
    found = best_projection(X, y)
    pairs = {(i, j): naive_separation(X[:, [i, j]], y) for i in range(6) for j in range(i + 1, 6)}
    for (i, j), value in pairs.items():
        assert found.separations[i, j] == pytest.approx(value)
        assert found.separations[j, i] == found.separations[i, j]
    assert found.separation == pytest.approx(max(pairs.values())) == pairs[found.components]
    if of_steps:
        assert found.separation < 1.0
        assert found.separations[2, 2] == pytest.approx(naive_separation(X[:, [2]], y))


def test_odd_coordinates_have_a_best_projection_too():
    X, y = waveform(60, seed=4)
    one = best_projection(X[:, :1], y)
    assert one.components == (0, 0)
    twins = best_projection(X[:, [6, 6, 0]], y)
    assert twins.separations[0, 1] == pytest.approx(twins.separations[0, 0])
    flat = best_projection(np.column_stack([X[:, 6], np.ones(60)]), y)
    assert flat.separation == pytest.approx(flat.separations[0, 0])
    with pytest.raises(ValueError, match="no component"):
        best_projection(X[:, :0], y)


def test_fidelity_is_one_where_the_plane_is_the_model():
    X, y = waveform(400, seed=5)
    small = GSODTClassifier(max_depth=1).fit(X, y)
    view = latent_view(small, X)
    other = (view.component + 1) % 21
    assert projection_fidelity(small.tree_, X, view.basis, (view.component, other)) == 1.0
    assert projection_fidelity(small.tree_, X, view.basis, (other, (other + 1) % 21)) < 0.9
    whole = GSODTClassifier(latent="none").fit(X, y).tree_
    by_slice = slice_fidelity(whole, X, (6, 14), X.mean(axis=0))
    basis = LATENT_SPACES["none"].basis(X)
    assert projection_fidelity(whole, X, basis, (6, 14)) == pytest.approx(by_slice, abs=0.01)


def test_a_split_made_by_hand_lies_along_no_component():
    iris = load_dataset("iris")
    line = ObliqueSplit(np.array([0.0, 0.0, 1.0, 1.0]), 4.0, 0.0)
    edited = what_if(
        GSODTClassifier().fit(iris.X, iris.codes), iris.X, iris.codes, [ForcedSplit((), line)]
    )
    view = latent_view(edited, iris.X.to_numpy())
    assert view.component == -1
    assert np.isnan(view.threshold)
    assert np.array_equal(view.weights, line.weights)
    assert 0 not in view.split_nodes
    components, thresholds = latent_splits(edited.tree_)
    below = np.flatnonzero(edited.tree_.n_children[1:]) + 1
    assert (components[below] >= 0).all()
    assert components[0] == -1
    assert np.isnan(thresholds[0])
