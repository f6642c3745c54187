"""Refits on resampled rows: what they vote, which nodes they find again."""

import numpy as np
import pandas as pd
import pytest

from lastviz import (
    AdaBoostM1Classifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GSODTClassifier,
    OC1Classifier,
)
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import ABSENT, LEAF, SLANTED, resampled_rows, stability, stability_in_steps
from tests.naive_tree_diff import overlap, rows_below


def loaded(name, **size):
    data = load_dataset(name, **size)
    return data.X.to_numpy(), data.codes


X, y = loaded("iris")


def last(est, X, y, n_refits, at=None, **more):
    return list(stability(est, X, y, n_refits, at, **more))[-1]


def test_the_first_refits_are_those_of_fewer():
    est = CARTClassifier().fit(X, y)
    few, many = last(est, X, y, 20), list(stability(est, X, y, 100))[19]
    for name in ("votes", "errors", "n_leaves", "feature", "threshold"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name))


def test_other_seeds_draw_other_rows():
    draws = {tuple(resampled_rows(50, number, seed)) for number in range(5) for seed in (0, 1)}
    assert len(draws) == 10
    assert all(sorted(draw) == list(draw) and len(draw) == 50 for draw in draws)


def test_resamples_that_are_the_data_agree(monkeypatch):
    monkeypatch.setattr(
        "lastviz.inspection.resampling.resampled_rows", lambda n, number, seed: np.arange(n)
    )
    est = CARTClassifier().fit(X, y)
    found = last(est, X, y, 7)
    assert found.agreement == 1.0
    assert (found.found == 1.0).all()
    assert (found.certainty == 1.0).all()
    tree = est.tree_
    assert (found.feature == np.where(tree.n_children > 0, tree.feature, LEAF)).all()
    np.testing.assert_array_equal(found.threshold[3], tree.threshold)
    assert np.isnan(found.error)
    assert np.isnan(found.error_interval()).all()


def test_votes_errors_and_counterparts_are_those_of_the_refits():
    X, y = loaded("wine")
    est = CARTClassifier().fit(X, y)
    at = X[:40] + 0.1
    found = last(est, X, y, 4, at, random_state=3)
    votes, place_votes = np.zeros_like(found.votes), np.zeros_like(found.place_votes)
    stops = est.apply(X)
    for number in range(4):
        rows = resampled_rows(len(X), number, 3)
        refit = CARTClassifier().fit(X[rows], y[rows])
        votes[np.arange(len(X)), refit.predict(X)] += 1
        place_votes[np.arange(40), refit.predict(at)] += 1
        unseen = np.setdiff1d(np.arange(len(X)), rows)
        assert found.errors[number] == np.mean(refit.predict(X[unseen]) != y[unseen])
        assert found.n_leaves[number] == refit.get_n_leaves()
        theirs = refit.apply(X)
        for node in range(est.tree_.n_nodes):
            ours = rows_below(est.tree_, stops, node)
            overlaps = [
                overlap(ours, rows_below(refit.tree_, theirs, b))
                for b in range(refit.tree_.n_nodes)
            ]
            best = int(np.argmax(overlaps))
            expected = ABSENT
            if overlaps[best] >= 0.5:
                is_leaf = refit.tree_.is_leaf(best)
                expected = LEAF if is_leaf else refit.tree_.feature[best]
            assert found.feature[number, node] == expected
    np.testing.assert_array_equal(found.votes, votes)
    np.testing.assert_array_equal(found.place_votes, place_votes)
    same = (votes * (votes - 1)).sum(axis=1) / 12
    assert found.agreement == pytest.approx(same.mean())
    assert found.standard_error == 0.25


# Set, algorithm, refits; share of the root's first feature, agreement, found at depths 0 to 4.
TABLE = {
    "iris": ("iris", CARTClassifier(), 100, ("petal length", 0.90), 0.966, (1, 1, 1, 0.76, 0.49)),
    "breast_cancer": (
        "breast_cancer", CARTClassifier(), 100,
        ("worst perimeter", 0.31), 0.953, (1, 1, 0.61, 0.47, 0.33),
    ),
    "xor": ("xor", CARTClassifier(), 100, ("x2", 0.55), 0.979, (1, 0.60, 0.34, 0.55, 0.68)),
}  # fmt: skip
LARGE = {
    "waveform": (
        "waveform", CARTClassifier(), 100, ("x7", 0.51), 0.845, (1, 1, 0.96, 0.59, 0.33),
    ),
    "waveform, C4.5": (
        "waveform", C45Classifier(), 20, ("x15", 0.55), 0.832, (1, 1, 0.96, 0.59, 0.39),
    ),
    "waveform, GSODT": (
        "waveform", GSODTClassifier(), 20, (SLANTED, 1.0), 0.873, (1, 1, 1, 0.95, 0.77),
    ),
}  # fmt: skip
ROWS = [pytest.param(row, id=name) for name, row in TABLE.items()]
ROWS += [pytest.param(row, id=name, marks=pytest.mark.slow) for name, row in LARGE.items()]


@pytest.mark.parametrize("row", ROWS)
def test_how_stable_trees_are(row):
    """The draws differ from those of the table: shares may be two standard errors off."""
    name, est, n_refits, (root, share), agreement, by_depth = row
    size = {"n_samples": 5000, "random_state": 0} if name == "waveform" else {}
    data = load_dataset(name, **size)
    X, y = data.X.to_numpy(), data.codes
    est.fit(X, y)
    found = last(est, X, y, n_refits)
    chosen = root if root == SLANTED else list(data.X.columns).index(root)
    room = 2 * found.standard_error
    assert found.features_of(0)[chosen] == pytest.approx(share, abs=room)
    assert found.agreement == pytest.approx(agreement, abs=0.01)
    depth = est.tree_.depth[found.node]
    for level, expected in enumerate(by_depth):
        assert found.found[depth == level].mean() == pytest.approx(expected, abs=room)


def test_the_threshold_at_the_root_of_iris():
    found = last(CARTClassifier().fit(X, y), X, y, 100)
    low, middle, high = np.quantile(found.thresholds_of(0, 2), [0.05, 0.5, 0.95])
    assert (round(low, 2), round(middle, 2)) == (2.35, 2.45)
    assert high == pytest.approx(2.7, abs=0.1)
    assert found.features_of(0).keys() == {2, 3}
    assert found.features_of(10_000) == {}
    assert len(found.thresholds_of(10_000, 2)) == 0


@pytest.mark.parametrize("key", [key for key, e in ESTIMATORS.items() if not e.cls.TAGS.forest])
def test_draws_that_miss_a_class_are_taken(key):
    """Two rows of the last class: every tenth draw or so has none of them."""
    cls = ESTIMATORS[key].cls
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(24, 2)).astype(float)
    y = np.repeat([0, 1, 2], [12, 10, 2])
    given = X
    if cls.TAGS.max_values is not None:
        given = pd.DataFrame(X, columns=["a", "b"]).astype(
            pd.CategoricalDtype([0.0, 1.0, 2.0, 3.0])
        )
    est = cls().fit(given, y)
    missed = [n for n in range(40) if 2 not in y[resampled_rows(24, n)]]
    found = last(est, given, y, missed[0] + 1)
    assert (found.votes.sum(axis=1) == missed[0] + 1).all()
    assert found.votes.shape == (24, 3)
    assert found.n_lacking.tolist() == [0, 0, 1]


def test_a_draw_of_one_class_alone_is_taken():
    X, y = np.arange(3.0)[:, None], np.array(["a", "b", "b"])
    found = last(CARTClassifier().fit(X, y), X, y, 12)
    alone = [n for n in range(12) if len(np.unique(y[resampled_rows(3, n)])) == 1]
    assert alone
    assert (found.votes.sum(axis=1) == 12).all()


def test_categories_that_a_draw_lacks_are_known_all_the_same():
    data = load_dataset("loan")
    est = C45Classifier().fit(data.mixed_X, data.codes)
    found = last(est, data.mixed_X, data.codes, 10)
    assert (found.votes.sum(axis=1) == 10).all()
    assert found.found[0] == 1.0
    rare = pd.DataFrame({"colour": ["red"] * 10 + ["blue"] * 9 + ["green"]})
    y = np.arange(20) % 2
    with pytest.raises(ValueError, match="categorical dtype"):
        last(C45Classifier().fit(rare, y), rare, y, 10)
    named = rare.astype("category")
    assert (last(C45Classifier().fit(named, y), named, y, 10).votes.sum(axis=1) == 10).all()


def test_a_long_search_gives_signs_of_life():
    est = OC1Classifier(n_restarts=2).fit(X, y)
    steps = list(stability_in_steps(est, X, y, 2))
    assert [step.n_refits for step in steps if step is not None] == [1, 2]
    assert None in steps
    assert set(found := steps[-1].features_of(0)) <= {SLANTED, *range(4)}, found


def test_what_has_no_single_tree_of_classes_is_refused():
    with pytest.raises(ValueError, match="one tree"):
        next(stability(AdaBoostM1Classifier(n_estimators=3).fit(X, y), X, y))
    with pytest.raises(ValueError, match="one tree"):
        next(stability(CARTRegressor().fit(X, y), X, y))
    with pytest.raises(ValueError, match="at least 1"):
        next(stability(CARTClassifier().fit(X, y), X, y, 0))


def test_of_a_large_tree_the_top_is_examined(monkeypatch):
    monkeypatch.setattr("lastviz.inspection.resampling.MOST_EXAMINED", 6)
    est = CARTClassifier().fit(X, y)
    found = last(est, X, y, 5)
    assert len(found.node) <= 6
    assert est.tree_.depth[found.node].max() < est.tree_.max_depth
    whole = list(stability(est, X, y, 5))[-1]
    np.testing.assert_array_equal(found.feature, whole.feature[:, : len(found.node)])


def test_refits_decide_by_the_costs_of_the_model():
    X, y = loaded("breast_cancer")
    plain = CARTClassifier(max_depth=2).fit(X, y)
    found = last(plain.with_threshold(0, 0.1), X, y, 5)
    votes = np.zeros_like(found.votes)
    for number in range(5):
        rows = resampled_rows(len(y), number)
        share = CARTClassifier(max_depth=2).fit(X[rows], y[rows]).predict_proba(X)[:, 0]
        votes[np.arange(len(y)), np.where(share >= 0.1, 0, 1)] += 1
    np.testing.assert_array_equal(found.votes, votes)
    assert (found.votes != last(plain, X, y, 5).votes).any()
