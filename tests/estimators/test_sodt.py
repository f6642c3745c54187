"""GSODT and LSODT: their spaces, and what must not change the tree."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz import C45Classifier, GSODTClassifier, LSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import finds_stored_split
from lastviz.latent import LATENT_SPACES
from lastviz.splitters import stored_split
from lastviz.tree import Action, Kind, Reason
from tests.conftest import waveform

GENERATED = ("gauss_2d", "waveform", "twonorm", "ringnorm", "threenorm", "xor", "three_spirals")


def factorial(seed=0):
    """A design whose singular values are all equal."""
    X = np.array(np.meshgrid(*[[-1.0, 1.0]] * 4)).reshape(4, -1).T
    X = np.repeat(X, 8, axis=0)
    rng = np.random.default_rng(seed)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * rng.normal(size=len(X)) > 0.3).astype(int)
    return X, y


@pytest.mark.parametrize("key", GENERATED)
def test_one_local_level_is_the_global_space(key):
    dataset = load_dataset(key, n_samples=400, random_state=3)
    X, y = dataset.X.to_numpy(), dataset.codes
    fresh = load_dataset(key, n_samples=1000, random_state=4).X.to_numpy()
    one = GSODTClassifier().fit(X, y, unlabelled=fresh)
    other = LSODTClassifier(levels=1).fit(X, y, unlabelled=fresh)
    np.testing.assert_array_equal(one.predict(fresh), other.predict(fresh))
    np.testing.assert_array_equal(one.tree_.oblique.weights, other.tree_.oblique.weights)


def test_without_a_change_of_space_it_is_c45():
    X, y = waveform(500, seed=0)
    ours, theirs = GSODTClassifier(latent="none").fit(X, y), C45Classifier().fit(X, y)
    for name in ("parent", "kind", "feature", "threshold", "value", "prediction", "grown_node"):
        np.testing.assert_array_equal(getattr(ours.tree_, name), getattr(theirs.tree_, name))


@pytest.mark.parametrize("levels", [1, 2, 3, None])
@pytest.mark.parametrize("latent", ["svd", "pca"])
@pytest.mark.parametrize("make", [lambda: waveform(300, seed=1), factorial])
def test_the_order_of_the_rows_changes_no_prediction(levels, latent, make):
    X, y = make()
    fresh = np.random.default_rng(5).normal(size=(500, X.shape[1]), scale=2.0)
    model = LSODTClassifier(levels=levels, latent=latent)
    before = model.fit(X, y).predict(fresh)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        after = model.fit(X[order], y[order])
        np.testing.assert_array_equal(after.predict(fresh), before)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("latent", ["svd", "pca"])
def test_the_unit_of_the_features_changes_no_structure(scale, levels, latent):
    X, y = waveform(400, seed=2)
    before = LSODTClassifier(levels=levels, latent=latent).fit(X, y).tree_
    after = LSODTClassifier(levels=levels, latent=latent).fit(scale * X, y).tree_
    np.testing.assert_array_equal(before.first_child, after.first_child)
    np.testing.assert_array_equal(before.value, after.value)
    inner = before.split_row[before.split_row >= 0]
    np.testing.assert_allclose(
        after.oblique.threshold[inner], scale * before.oblique.threshold[inner], rtol=1e-6
    )


@pytest.mark.ci
@pytest.mark.parametrize("levels", [1, 2, 3, None])
@pytest.mark.parametrize("latent", ["svd", "pca", "ica"])
def test_the_stored_bases_are_those_of_the_nodes_rows(levels, latent):
    X, y = waveform(300, seed=3)
    others, _ = waveform(60, seed=4)
    fitted = LSODTClassifier(levels=levels, latent=latent).fit(X, y, unlabelled=others)
    grown = fitted.grown_tree_
    grown.validate(X)
    fitted.tree_.validate(X)
    log = fitted.growth_log_
    searched = np.isin(log.reason, (Reason.BEST_SPLIT, Reason.NO_CANDIDATE, Reason.NO_GAIN))
    searched = set(log.node[: log.n_growth_events][searched[: log.n_growth_events]])
    arrives = np.array([grown.path(leaf) for leaf in grown.apply(others)], dtype=object)
    for node in range(grown.n_nodes):
        parent = grown.parent[node]
        own = node in searched and (levels is None or grown.depth[node] < levels)
        if node and not own:
            assert grown.basis_id[node] == grown.basis_id[parent]
            continue
        basis = grown.bases[grown.basis_id[node]]
        here = [i for i, path in enumerate(arrives) if node in path]
        rows = np.vstack([X[grown.node_samples(node)[0]], others[here]])
        again = LATENT_SPACES[latent].basis(rows)
        np.testing.assert_array_equal(basis.directions, again.directions)
        np.testing.assert_array_equal(basis.resolution, again.resolution)
    assert len(np.unique(grown.basis_id)) == len(grown.bases)


@pytest.mark.parametrize("levels", [1, 3, None])
def test_every_split_lies_along_a_component_of_its_nodes_basis(levels):
    X, y = waveform(600, seed=5)
    fitted = LSODTClassifier(levels=levels, mdl_correction=False, confidence=0.1).fit(X, y)
    raised = fitted.growth_log_.action == Action.RAISE
    assert raised.any(), "the data should show subtree raising"
    for tree in (fitted.grown_tree_, fitted.tree_):
        for node in np.flatnonzero(tree.kind == Kind.OBLIQUE):
            directions = tree.bases[tree.basis_id[node]].directions
            assert (stored_split(tree, node).weights == directions.T).all(axis=1).sum() == 1


def test_rows_without_classes_change_the_space_and_not_the_classes():
    X, y = waveform(200, seed=6)
    others, _ = waveform(400, seed=7)
    alone = GSODTClassifier().fit(X, y)
    beside = GSODTClassifier().fit(X, y, unlabelled=others)
    assert not np.array_equal(alone.tree_.bases[0].directions, beside.tree_.bases[0].directions)
    both = LATENT_SPACES["svd"].basis(np.vstack([X, others]))
    np.testing.assert_array_equal(beside.tree_.bases[0].directions, both.directions)
    np.testing.assert_array_equal(beside.tree_.value[0], np.bincount(y))
    same = GSODTClassifier().fit(X, y, unlabelled=others[:0])
    np.testing.assert_array_equal(same.predict(others), alone.predict(others))


RNG = np.random.default_rng(8)
BAD = {
    "more features than samples": RNG.normal(size=(12, 40)),
    "constant": np.full((30, 4), 3.3),
    "zero": np.zeros((30, 4)),
    "duplicated columns": RNG.normal(size=(60, 3))[:, [0, 1, 2, 0, 1, 2]],
    "duplicated rows": np.repeat(RNG.normal(size=(15, 4)), 4, axis=0),
    "one feature": RNG.normal(size=(50, 1)),
    "one row": RNG.normal(size=(1, 3)),
    "offset": 1e9 + RNG.normal(size=(60, 3)),
    "tiny": 1e-300 * RNG.normal(size=(60, 3)),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("latent", ["svd", "pca", "ica", "none"])
@pytest.mark.parametrize("levels", [1, 3])
def test_odd_data_give_a_valid_tree(name, latent, levels):
    X = BAD[name]
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    y[::7] = 1 - y[::7]
    fitted = LSODTClassifier(levels=levels, latent=latent, pruning="none").fit(X, y)
    fitted.tree_.validate(X)
    if name in ("constant", "zero", "one row"):
        assert fitted.tree_.n_nodes == 1
    for node in np.flatnonzero(fitted.tree_.n_children > 0):
        assert finds_stored_split(fitted, X, y, node)
    leaf = fitted.apply(X)
    _, group = np.unique(X, axis=0, return_inverse=True)
    assert all(len(np.unique(leaf[group == g])) == 1 for g in np.unique(group))


def test_missing_values_are_refused_in_words():
    X, y = waveform(50, seed=0)
    hole = X.copy()
    hole[3, 4] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        GSODTClassifier().fit(hole, y)
    with pytest.raises(ValueError, match="NaN"):
        GSODTClassifier().fit(X, y, unlabelled=hole)
    with pytest.raises(ValueError, match="20 features"):
        GSODTClassifier().fit(X, y, unlabelled=X[:, 1:])


@pytest.mark.kernel
def test_the_tree_is_c45s_on_the_coordinates():
    X, y = waveform(120, seed=9)
    fitted = GSODTClassifier(pruning="none").fit(X, y)
    Z = X @ fitted.tree_.bases[0].directions
    plain = C45Classifier(pruning="none").fit(Z, y).tree_
    np.testing.assert_array_equal(plain.value, fitted.tree_.value)
    inner = plain.n_children > 0
    np.testing.assert_allclose(
        plain.threshold[inner], fitted.tree_.oblique.threshold, rtol=1e-9, atol=1e-12
    )
    assert replace(fitted.tree_).n_leaves == plain.n_leaves
