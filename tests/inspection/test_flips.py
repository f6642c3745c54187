"""The smallest change of a class, against brute force."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from lastviz import (
    AdaBoostM1Classifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GSODTClassifier,
    MCDFClassifier,
    MonotoneBoostingClassifier,
    OC1Classifier,
    REMTClassifier,
    SVMTreeClassifier,
    from_sklearn,
)
from lastviz.datasets import load_dataset
from lastviz.estimators import make_imported
from lastviz.inspection import monotonicity_audit, nearest, nearest_row
from lastviz.inspection.flips.box_flips import leeway_of
from lastviz.inspection.monotonicity import codes_of
from tests.credit import credit_table
from tests.naive_flip import nearest_by_corners, nearest_on_grid

METRICS = ("l1", "l2", "l0")


def data(name, features=None, **params):
    dataset = load_dataset(name, **params)
    X = dataset.numeric_X.to_numpy()
    return (X if features is None else X[:, list(features)]), dataset.codes


X, y = data("iris")


def ranges_of(X):
    return np.stack([X.min(axis=0), X.max(axis=0)], axis=1)


def others(est, x):
    own = codes_of(est, x[None, :])[0]
    return [k for k in range(len(est.classes_)) if k != own]


def keeps_its_word(flip, est, x, wanted):
    """Both points have the class, and only what is named has changed."""
    for point in (flip.point, flip.edge):
        assert codes_of(est, point[None, :])[0] == wanted
        assert tuple(np.flatnonzero(point != x)) == flip.changed


@pytest.mark.parametrize("metric", METRICS)
def test_a_tree_of_thresholds_equals_all_corners(metric):
    X, y = data("iris", (1, 2, 3))
    est, ranges = CARTClassifier().fit(X, y), ranges_of(X)
    for x in X[::15]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, metric=metric, ranges=ranges)
            expected = nearest_by_corners(est, x, wanted, metric=metric, ranges=ranges)
            assert flip.distance == pytest.approx(expected, abs=1e-12)
            assert flip.proved
            assert flip.bound == flip.distance
            assert est.tree_.apply(flip.edge[None, :])[0] == flip.leaf
            keeps_its_word(flip, est, x, wanted)


@pytest.mark.parametrize("metric", METRICS)
def test_what_must_stay_stays_and_what_may_only_rise_rises(metric):
    X, y = data("wine", (0, 6, 9))
    est, ranges = CARTClassifier(max_depth=4).fit(X, y), ranges_of(X)
    about = {"metric": metric, "ranges": ranges, "fixed": (0,), "directions": (0, 1, -1)}
    for x in X[::20]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, **about)
            expected = nearest_by_corners(est, x, wanted, **about)
            assert flip.distance == pytest.approx(expected, abs=1e-12)
            if flip.found:
                assert flip.point[0] == x[0]
                assert flip.point[1] >= x[1]
                assert flip.point[2] <= x[2]


def test_bounds_hold_but_the_sample_may_stay_outside():
    X, y = data("iris", (2, 3))
    est, x = CARTClassifier().fit(X, y), np.array([9.0, 2.4])
    bounds = np.array([[1.0, 5.0], [0.1, 2.5]])
    flip = nearest(est, x, 0, ranges=bounds)
    assert flip.found
    for f in flip.changed:
        assert bounds[f, 0] <= flip.point[f] <= bounds[f, 1]
    assert flip.distance == pytest.approx(nearest_by_corners(est, x, 0, ranges=bounds))


@pytest.mark.parametrize("metric", METRICS)
def test_whole_numbers_stay_whole(metric):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (120, 2)).astype(float)
    y = (X.sum(axis=1) + rng.normal(0, 1, 120) > 8).astype(int)
    est = CARTClassifier(max_depth=5).fit(X, y)
    for x in X[:12]:
        (wanted,) = others(est, x)
        flip = nearest(est, x, wanted, metric=metric, whole=(0, 1))
        expected = nearest_by_corners(est, x, wanted, metric=metric, whole=(0, 1))
        assert flip.distance == pytest.approx(expected, abs=1e-12)
        assert (flip.point == np.round(flip.point)).all()
        keeps_its_word(flip, est, x, wanted)


@pytest.mark.parametrize("unfitted", [
    C45Classifier(pruning="none", max_depth=4), CARTClassifier(max_depth=4),
])  # fmt: skip
@pytest.mark.parametrize("metric", METRICS)
def test_categories_cost_their_weight(unfitted, metric):
    table = credit_table(300, missing=0.0)
    X = table[["status1", "status6", "duration", "age"]].copy()
    X[["status1", "status6"]] = X[["status1", "status6"]].astype("category")
    est = unfitted.fit(X, table["risk"])
    codes, weights = est.encode(X), np.array([0.4, 0.7, 1 / 54, 1 / 60])
    tree = est.tree_
    for x in codes[:12]:
        (wanted,) = others(est, x)
        flip = nearest(est, x, wanted, metric=metric, weights=weights)
        expected = nearest_by_corners(
            est, x, wanted, metric=metric, weights=weights, only_leaves=True
        )
        assert flip.distance == pytest.approx(expected, abs=1e-12)
        keeps_its_word(flip, est, x, wanted)
        for feature, serve in flip.options.items():
            for code in serve:
                point = flip.point.copy()
                point[feature] = code
                assert tree.predict(point[None, :])[0] == wanted


def test_a_category_can_be_held():
    X = pd.DataFrame({"colour": pd.Categorical(["red", "blue"] * 20), "size": np.arange(40) % 7})
    est = C45Classifier().fit(X, (X["colour"] == "red").astype(int))
    x = est.encode(X)[0]
    assert nearest(est, x, 0).changed == (0,)
    held = nearest(est, x, 0, fixed=(0,))
    assert not held.found
    assert held.proved
    assert held.distance == np.inf


@pytest.mark.parametrize("Estimator", [GSODTClassifier, OC1Classifier])
@pytest.mark.parametrize("metric", METRICS)
def test_hyperplanes_equal_a_fine_grid(Estimator, metric):
    X, y = data("iris", (2, 3))
    est, ranges = Estimator().fit(X, y), ranges_of(X)
    weights = 1 / (ranges[:, 1] - ranges[:, 0])
    cell = 2 / 400  # a step on each axis, in units of the ranges
    for x in X[::30]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, metric=metric, ranges=ranges)
            expected = nearest_on_grid(est, x, wanted, *ranges.T, weights, metric)
            assert flip.distance <= expected + 1e-9 or metric == "l0"
            assert flip.distance == pytest.approx(expected, abs=cell)
            assert flip.proved
            keeps_its_word(flip, est, x, wanted)


@pytest.mark.parametrize("Estimator", [GSODTClassifier, OC1Classifier])
@pytest.mark.parametrize("name", ["iris", "moons"])
def test_no_point_of_a_fine_grid_is_nearer_by_more_than_the_step_behind_a_border(Estimator, name):
    params = {"n_samples": 120} if name == "moons" else {}
    X, y = data(name, (0, 1), **params)
    est, ranges = Estimator().fit(X, y), ranges_of(X)
    weights = 1 / (ranges[:, 1] - ranges[:, 0])
    for x in X[::12]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, ranges=ranges)
            expected = nearest_on_grid(est, x, wanted, *ranges.T, weights, "l1")
            assert expected - 2 / 400 <= flip.distance <= expected + 2e-6
            keeps_its_word(flip, est, x, wanted)


def test_a_point_on_the_border_is_nearer_by_the_step_behind_it():
    """The sepals of row 37: from 3.5 down to the width of 3.2, where a hyperplane runs."""
    X, y = data("iris", (0, 1))
    est, ranges, x = GSODTClassifier().fit(X, y), ranges_of(X), np.array([5.5, 3.5])
    flip = nearest(est, x, 1, ranges=ranges)
    border = np.array([5.5, 3.2])
    assert codes_of(est, border[None, :])[0] == 1
    tree = est.tree_
    (node,) = (n for n in tree.path(flip.leaf)[:-1] if _at_border(tree, n, border))
    weights = tree.oblique.weights[tree.split_row[node]] * (ranges[:, 1] - ranges[:, 0])
    step = 1e-6 * np.linalg.norm(weights) / abs(weights[1])
    assert flip.changed == (1,)
    assert flip.distance == pytest.approx(0.3 / 2.4 + step, abs=1e-10)


def _at_border(tree, node, point):
    row = tree.split_row[node]
    weights, threshold = tree.oblique.weights[row], tree.oblique.threshold[row]
    return abs(point @ weights - threshold) < 1e-9


@pytest.mark.parametrize("metric", METRICS)
def test_hyperplanes_keep_locks_and_bounds(metric):
    est, ranges = GSODTClassifier().fit(X, y), ranges_of(X)
    for x in X[::25]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, metric=metric, ranges=ranges, fixed=(2,))
            if flip.found:
                assert 2 not in flip.changed
                assert (flip.point >= ranges[:, 0]).all()
                assert (flip.point <= ranges[:, 1]).all()
                keeps_its_word(flip, est, x, wanted)


def test_two_features_are_enough_where_one_is_not():
    """A corner region that no single step reaches; the pair of smallest sum is found."""
    X, y = data("waveform", n_samples=600)
    est, ranges = GSODTClassifier().fit(X, y), ranges_of(X)
    least = nearest(est, X[0], others(est, X[0])[0], metric="l1", ranges=ranges)
    fewest = nearest(est, X[0], others(est, X[0])[0], metric="l0", ranges=ranges)
    assert len(fewest.changed) <= len(least.changed)
    assert fewest.distance == len(fewest.changed)
    keeps_its_word(fewest, est, X[0], others(est, X[0])[0])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "forest",
    [MCDFClassifier(), MCDFClassifier(vote="median"), AdaBoostM1Classifier(n_estimators=5)],
)
def test_a_program_equals_all_corners_of_a_forest(forest, metric):
    X, y = data("iris", (2, 3))
    est, ranges = forest.fit(X, y), ranges_of(X)
    for x in X[::50]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, metric=metric, ranges=ranges)
            expected = nearest_by_corners(est, x, wanted, metric=metric, ranges=ranges)
            assert flip.method == "program"
            assert flip.proved
            assert flip.distance == pytest.approx(expected, abs=1e-5)
            keeps_its_word(flip, est, x, wanted)


def forest_of(decision):
    """Return a small forest of two columns that decides so, as from a file."""
    X, y = data("iris", (2, 3))
    y = np.minimum(y, 1) if decision == "scores" else y
    grown = from_sklearn(RandomForestClassifier(4, max_depth=3, random_state=0).fit(X, y))
    if decision == "shares":
        return grown
    k, rng = (1 if decision == "scores" else 3), np.random.default_rng(0)
    scores = [rng.normal(size=(tree.n_nodes, k)) for tree in grown.trees_]
    return make_imported(grown.trees_, decision, scores=[rng.normal(size=k), *scores])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("decision", ["shares", "scores", "sums"])
def test_a_program_equals_all_corners_where_shares_or_scores_decide(decision, metric):
    X, _ = data("iris", (2, 3))
    est, ranges = forest_of(decision), ranges_of(X)
    for x in X[::50]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, metric=metric, ranges=ranges)
            expected = nearest_by_corners(est, x, wanted, metric=metric, ranges=ranges)
            assert flip.method == "program"
            assert flip.proved
            assert flip.distance == pytest.approx(expected, abs=1e-5)
            if flip.found:
                keeps_its_word(flip, est, x, wanted)


def test_the_largest_of_sums_is_proved_by_the_grid_alone():
    """Scores that rise each need not have a largest one that does."""
    audit = monotonicity_audit(forest_of("sums"), directions=(1, 1))
    assert audit.method == "grid"
    assert audit.refuted


def test_a_program_keeps_locks_and_whole_numbers():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 8, (90, 2)).astype(float)
    y = np.digitize(X.mean(axis=1) + rng.normal(0, 0.6, 90), [2.5, 4.5])
    est = AdaBoostM1Classifier(n_estimators=4).fit(X, y)
    for x in X[:6]:
        for wanted in others(est, x):
            about = {"whole": (0, 1), "directions": (1, 0)}
            flip = nearest(est, x, wanted, **about)
            expected = nearest_by_corners(est, x, wanted, **about)
            assert flip.distance == pytest.approx(expected, abs=1e-5)
            assert flip.proved


def test_time_that_is_up_leaves_a_gap_or_the_plane():
    X, y = data("breast_cancer")
    est, ranges = AdaBoostM1Classifier(n_estimators=4).fit(X, y), ranges_of(X)
    (wanted,) = others(est, X[0])
    flip = nearest(est, X[0], wanted, ranges=ranges, seconds=1e-4)
    assert not flip.proved
    assert flip.method in ("program", "grid")
    assert flip.bound <= flip.distance


def test_a_sum_of_trees_is_not_taken_for_a_vote():
    X, y = data("iris", (2, 3))
    est, ranges = MonotoneBoostingClassifier(max_iter=3).fit(X, y), ranges_of(X)
    for x in X[::30]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, ranges=ranges)
            assert flip.method == "grid"
            keeps_its_word(flip, est, x, wanted)


def test_a_large_forest_and_an_envelope_are_searched_within_a_plane():
    X, y = data("iris", (2, 3))
    ranges = ranges_of(X)
    est = REMTClassifier(monotone=True).fit(X, y)
    for x in X[::30]:
        for wanted in others(est, x):
            flip = nearest(est, x, wanted, ranges=ranges, plane=(0, 1))
            expected = nearest_by_corners(est, x, wanted, ranges=ranges)
            assert flip.method == "grid"
            assert flip.proved
            assert flip.distance == pytest.approx(expected, abs=1e-12)


def test_a_plane_proves_nothing_about_other_features():
    est, ranges = REMTClassifier(monotone=True).fit(X, y), ranges_of(X)
    x, (wanted, _) = X[0], others(est, X[0])
    within = nearest(est, x, wanted, ranges=ranges, plane=(2, 3))
    assert not within.proved
    assert set(within.changed) <= {2, 3}
    held = nearest(est, x, wanted, ranges=ranges, plane=(2, 3), fixed=(0, 1))
    assert held.proved
    assert held.distance == within.distance


def test_a_tree_of_machines_shows_the_nearest_row():
    X, y = data("iris", (2, 3))
    est, ranges = SVMTreeClassifier().fit(X, y), ranges_of(X)
    x = X[0]
    flip = nearest(est, x, 2, ranges=ranges, rows=X)
    right = np.flatnonzero(codes_of(est, X) == 2)
    steps = np.abs(X[right] - x) / (ranges[:, 1] - ranges[:, 0])
    assert flip.method == "rows"
    assert not flip.proved
    assert flip.distance == pytest.approx(steps.sum(axis=1).min())
    assert (flip.point == X[flip.row]).all()
    with pytest.raises(ValueError, match="needs rows"):
        nearest(est, x, 2)


def test_the_nearest_rows_are_those_of_the_class():
    leeway = leeway_of(X[0], [None] * 4, metric="l2", ranges=ranges_of(X))
    found = nearest_row(leeway, X, y == 1, n=3)
    steps = np.sqrt((((X - X[0]) / np.ptp(X, axis=0)) ** 2).sum(axis=1))
    assert [row for row, _ in found] == np.argsort(np.where(y == 1, steps, np.inf))[:3].tolist()
    assert [length for _, length in found] == pytest.approx(np.sort(steps[y == 1])[:3].tolist())


# Medians over all rows (every 25th of waveform) of the distance to the nearest other class. Drawn
# from 50 rows a set they come out at .146, .037 and .031.
MEDIANS = (("iris", {}, 0.144, 1), ("breast_cancer", {}, 0.042, 1),
           ("waveform", {"n_samples": 5000}, 0.028, 25))  # fmt: skip


@pytest.mark.parametrize(("name", "params", "median", "every"), MEDIANS)
def test_flips_of_cart_are_small(name, params, median, every):
    X, y = data(name, **params)
    est, ranges = CARTClassifier().fit(X, y), ranges_of(X)
    found = []
    for x in X[::every]:
        flips = [nearest(est, x, wanted, ranges=ranges) for wanted in others(est, x)]
        found.append(min(flip.distance for flip in flips))
    assert np.median(found) == pytest.approx(median, abs=0.001)


def test_one_feature_flips_any_row_of_iris():
    est, ranges = CARTClassifier().fit(X, y), ranges_of(X)
    for x in X[::10]:
        flips = [nearest(est, x, k, metric="l0", ranges=ranges) for k in others(est, x)]
        assert min(flip.distance for flip in flips) == 1


def test_small_leaves_can_be_left_out():
    X, y = data("breast_cancer")
    est, ranges = CARTClassifier().fit(X, y), ranges_of(X)
    for x in X[::60]:
        (wanted,) = others(est, x)
        free = nearest(est, x, wanted, ranges=ranges)
        held = nearest(est, x, wanted, ranges=ranges, min_samples=5)
        assert est.tree_.value[held.leaf, wanted] >= 5
        assert held.distance >= free.distance
    assert not nearest(est, X[0], 1, ranges=ranges, min_samples=10_000).found


def test_a_class_that_no_leaf_has_is_out_of_reach():
    est = CARTClassifier(max_depth=1).fit(X, y)
    missing = sorted(set(range(3)) - set(est.tree_.prediction[est.tree_.n_children == 0]))
    flip = nearest(est, X[0], missing[0])
    assert (flip.found, flip.proved, flip.changed) == (False, True, ())


def test_the_own_class_is_no_distance_away_and_points_are_round_where_the_class_allows_it():
    est = CARTClassifier().fit(X, y)
    flip = nearest(est, X[0], codes_of(est, X[:1])[0])
    assert flip.distance == 0
    assert flip.changed == ()
    flip = nearest(est, X[0], 1)
    assert [len(repr(float(flip.point[f]))) for f in flip.changed] < [8] * len(flip.changed)
    overshoot = np.abs(flip.point - flip.edge) <= 0.01 * np.abs(flip.edge - X[0]) + 1e-12
    assert overshoot.all()


@pytest.mark.parametrize(("change", "message"), [
    ({"metric": "l3"}, "metric must be one of l1, l2, l0"),
    ({"weights": [1, 1, 0, 1]}, "weights must be a number > 0"),
    ({"weights": [1, 1]}, "weights must be a number > 0"),
    ({"fixed": (7,)}, "fixed must hold places of features from 0 to 3"),
    ({"ranges": [[0, 1]]}, "ranges must be a smallest and a largest value"),
    ({"ranges": [[1, 0]] * 4}, "ranges must be a smallest and a largest value"),
    ({"directions": (2, 0, 0, 0)}, "directions must be 1, -1 or 0"),
])  # fmt: skip
def test_a_wrong_wish_is_told(change, message):
    est = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match=message):
        nearest(est, X[0], 1, **change)


def test_a_sample_with_gaps_and_an_unknown_class_are_refused():
    est = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="lacks a value of x1"):
        nearest(est, np.array([np.nan, 1, 1, 1]), 1)
    with pytest.raises(ValueError, match="wanted must be a class index below 3"):
        nearest(est, X[0], 3)
    with pytest.raises(ValueError, match="one sample of 4 features"):
        nearest(MCDFClassifier().fit(X, y), X[0, :2], 1)
    with pytest.raises(ValueError, match="no classes"):
        nearest(CARTRegressor().fit(X[:, :2], X[:, 2]), X[0, :2], 0)
