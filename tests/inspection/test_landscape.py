"""The criterion landscape against all lines one by one, and its figures on known data."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from lastviz import CARTClassifier, what_if
from lastviz.criteria import (
    CRITERIA,
    between_margin,
    compactness,
    register_criterion,
    scale_to_range,
    unregister_criterion,
)
from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table, landscape, row_changes
from lastviz.splitters import ObliqueSplit, Split, presort
from lastviz.splitters.edits import ForcedSplit
from tests import naive_landscape

SEEDS = range(40)


def tied_set(seed):
    """Points of which many coincide or lie on a line, of 2 to 4 classes."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(4, 13)), int(rng.integers(2, 5))
    X = rng.integers(0, 5, size=(n, 2)).astype(float) if seed % 2 else rng.normal(size=(n, 2))
    X[0], X[1] = (0.0, 0.0), (3.0, 2.0)
    return X, rng.integers(0, n_classes, n), n_classes


def of(name, features, criterion="gini", **params):
    data = load_dataset(name, **params)
    y = np.unique(np.asarray(data.y), return_inverse=True)[1]
    X = data.X.to_numpy(dtype=float)
    places = tuple(list(data.X.columns).index(f) for f in features)
    return X, y, landscape(X, y, np.arange(len(y)), int(y.max()) + 1, places, criterion)


def first_child(X, split):
    if isinstance(split, Split):
        return X[:, split.feature] <= split.threshold
    return X @ split.weights <= split.threshold


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", naive_landscape.SCORES)
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_the_best_line_is_that_of_all_lines(seed, criterion):
    _compare(seed, criterion)


@pytest.mark.parametrize("seed", SEEDS[4:])
def test_the_best_lines_of_more_sets(seed):
    for criterion in naive_landscape.SCORES:
        _compare(seed, criterion)


def _compare(seed, criterion):
    X, y, n_classes = tied_set(seed)
    smallest = 1 + seed % 2
    found = landscape(
        X, y, np.arange(len(y)), n_classes, (0, 1), criterion, min_samples_leaf=smallest
    )
    score = naive_landscape.SCORES[criterion]
    every = naive_landscape.scored(X, y, n_classes, score, smallest)
    assert found.exact
    assert found.best.score == pytest.approx(max(row[3] for row in every), abs=1e-12)
    assert np.nanmax(found.scores) == pytest.approx(found.best.score, abs=1e-12)
    left = first_child(X, found.best)
    counts = [np.bincount(y[side], minlength=n_classes).tolist() for side in (left, ~left)]
    assert score(*counts) == pytest.approx(found.best.score, abs=1e-12)
    parallel = max(row[3] for row in every if row[0] == row[1])
    assert found.axis.score == pytest.approx(parallel, abs=1e-12)


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_a_cell_holds_the_best_of_its_lines(seed):
    X, y, n_classes = tied_set(seed)
    found = landscape(X, y, np.arange(len(y)), n_classes, (0, 1), "gini")
    window = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    every = naive_landscape.scored(window, y, n_classes, naive_landscape.SCORES["gini"])
    cells = np.full_like(found.scores, -np.inf)
    for low, high, first, score in every:
        rank = len(np.unique(window[first], axis=0))
        row = np.searchsorted(found.rank, rank, side="right") - 1
        bins = np.arange(int(np.floor(low)), min(int(np.ceil(high)), 180))
        cells[bins, row] = np.maximum(cells[bins, row], score)
    np.testing.assert_allclose(found.scores, cells, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "features", "n_points", "best", "axis", "theta", "params"),
    [
        ("iris", ("petal length", "petal width"), 102, 0.333333, 0.333333, 0.0, {}),
        ("iris", ("sepal length", "sepal width"), 117, 0.333333, 0.227760, 139.5, {}),
        ("xor", ("x1", "x2"), 400, 0.149351, 0.004544, 42.9, {}),
        ("breast_cancer", ("worst radius", "worst concave points"), 569, 0.384090, 0.325211, 21.8,
         {}),
        ("waveform", ("x7", "x15"), 1000, 0.163766, 0.137161, 141.9, {"n_samples": 1000}),
    ],
)  # fmt: skip
def test_the_best_lines_of_known_data(name, features, n_points, best, axis, theta, params):
    X, _, found = of(name, features, **params)
    assert found.exact
    assert found.n_points == n_points
    assert found.best.score == pytest.approx(best, abs=6e-7)
    assert found.axis.score == pytest.approx(axis, abs=6e-7)
    # The same partition lasts over many directions; `theta` is the first of them.
    begins, ends = lasting(X[:, list(found.features)], found)
    assert begins == pytest.approx(theta, abs=0.11)
    assert begins <= found.best_place[0] <= ends
    assert all(a < b for a, b in pairwise(found.theta))
    assert found.scores.shape == (180, len(found.rank))
    assert found.rank[0] == 1


def lasting(plane, found):
    """The directions over which the best line parts the points as it does, in degrees."""
    if isinstance(found.best, Split):
        return found.best_place[0], found.best_place[0]
    window = (plane - plane.min(axis=0)) / np.ptp(plane, axis=0)
    left = plane @ found.best.weights[list(found.features)] <= found.best.threshold
    theta = np.arange(0.0, 180.0, 0.005)
    normals = np.array([np.cos(np.deg2rad(theta)), np.sin(np.deg2rad(theta))])
    parts = (window[left] @ normals).max(axis=0) < (window[~left] @ normals).min(axis=0)
    return theta[parts].min(), theta[parts].max()


@pytest.mark.parametrize(
    ("name", "features", "criterion", "best", "axis"),
    [
        ("xor", ("x1", "x2"), "gain", 0.280322, 0.007541),
        ("xor", ("x1", "x2"), "twoing", 0.074675, 0.002272),
    ],
)
def test_the_best_lines_by_other_criteria(name, features, criterion, best, axis):
    _, _, found = of(name, features, criterion)
    assert found.best.score == pytest.approx(best, abs=6e-7)
    assert found.axis.score == pytest.approx(axis, abs=6e-7)


def test_another_criterion_takes_another_direction():
    X, _, found = of("waveform", ("x7", "x15"), "twoing", n_samples=1000)
    begins, _ = lasting(X[:, list(found.features)], found)
    assert begins == pytest.approx(117.9, abs=0.11)


def test_regret_is_the_share_of_the_best_that_is_lost():
    _, _, found = of("xor", ("x1", "x2"))
    assert found.regret(found.axis.score) == pytest.approx(0.97, abs=0.005)
    assert found.regret(found.best.score) == 0.0
    _, _, alike = of("iris", ("petal length", "petal width"))
    assert alike.regret(alike.axis.score) == 0.0


@pytest.mark.parametrize(
    ("name", "params", "partner", "regret", "errors", "changes", "leaves"),
    [
        ("iris", {}, ("petal length", "sepal length"), 0, (4.4, 4.4), (0, 0), (8, 8)),
        ("xor", {}, ("x1", "x2"), 97, (5.8, 4.2), (2, 0), (13, 8)),
        ("diagonal", {}, ("x2", "x1"), 63, (1.7, 0.0), (2, 0), (15, 2)),
        ("breast_cancer", {}, ("mean concave points", "worst radius"), 9, (7.6, 4.7), (8, 3),
         (15, 14)),
        pytest.param("waveform", {"n_samples": 1500}, ("x6", "x14"), 26, (31.8, 27.1), (60, 39),
                     (123, 111), marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_what_the_best_line_at_the_root_makes_of_a_tree(
    name, params, partner, regret, errors, changes, leaves
):
    """A large regret often means a smaller tree, not fewer errors."""
    data = load_dataset(name, **params)
    X = data.X.to_numpy(dtype=float)
    y = np.unique(np.asarray(data.y), return_inverse=True)[1]
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    cart = CARTClassifier().fit(X, y)
    root, rows, n_classes = int(cart.tree_.feature[0]), np.arange(len(y)), int(y.max()) + 1
    planes = [(root, other) for other in range(X.shape[1]) if other != root]
    every = [landscape(X, y, rows, n_classes, plane, "gini") for plane in planes]
    found = every[int(np.argmax([round(one.best.score, 12) for one in every]))]
    assert tuple(data.X.columns[list(found.features)]) == partner
    assert 100 * found.regret(float(cart.grown_tree_.score[0])) == pytest.approx(regret, abs=0.5)
    regrown = what_if(cart, X, y, [ForcedSplit((), found.best)])
    wrong = [100 * np.mean(tree.predict(X_new) != y_new) for tree in (cart, regrown)]
    assert wrong == pytest.approx(errors, abs=0.06)
    change = row_changes(cart, regrown, X_new, y_new)
    assert (change.better, change.worse) == changes
    assert (cart.get_n_leaves(), regrown.get_n_leaves()) == leaves


@pytest.mark.parametrize("criterion", [c for c, row in CRITERIA.items() if row.reads == "counts"])
def test_every_criterion_of_counts_is_looked_at_everywhere(criterion):
    X, y, n_classes = tied_set(3)
    found = landscape(X, y, np.arange(len(y)), n_classes, (0, 1), criterion)
    assert found.exact
    left = first_child(X, found.best)
    counts = [np.bincount(y[side], minlength=n_classes) for side in (left, ~left)]
    scores = [CRITERIA[criterion].score(*counts)]
    if CRITERIA[criterion].ordered_classes:
        scores.append(CRITERIA[criterion].score(*counts[::-1]))
    assert found.best.score == pytest.approx(float(max(scores)), abs=1e-12)


@pytest.mark.parametrize("criterion", [c for c, row in CRITERIA.items() if row.reads != "counts"])
def test_other_criteria_are_looked_at_in_some_directions(criterion):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    found = landscape(X, y, np.arange(60), 3, (0, 2), criterion, directions=24)
    table = candidate_table(X, y, np.arange(60), 3, criteria=(criterion,))
    column = np.where(table.feature == 1, -np.inf, table.scores(criterion))
    sign = -1.0 if CRITERIA[criterion].smaller_is_better else 1.0
    finite = column[np.isfinite(column)]
    assert not found.exact
    assert found.n_directions == 24
    assert sign * found.axis.score == pytest.approx(finite.max(), rel=1e-9, abs=1e-12)
    assert sign * found.best.score >= sign * found.axis.score - 1e-12


@pytest.mark.parametrize(("criterion", "measure"), [("csn", compactness), ("bnm5", between_margin)])
def test_what_rows_say_of_a_line_is_measured_over_all_features(criterion, measure):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    found = landscape(X, y, np.arange(50), 2, (0, 1), criterion, directions=24)
    assert isinstance(found.best, ObliqueSplit)
    expected = measure(scale_to_range(X), y, first_child(X, found.best))
    assert found.best.score == pytest.approx(expected)


def test_directions_are_sampled_beyond_4096_points_and_never_do_better():
    X, y, few = of("waveform", ("x7", "x15"), n_samples=4097)
    assert not few.exact
    assert few.n_directions == 360
    X, rows = np.round(X, 4), np.arange(1000)  # which the grid holds exactly
    every = landscape(X, y, rows, 3, few.features, "gini")
    some = landscape(X, y, rows, 3, few.features, "gini", directions=360)
    assert every.best.score * 0.98 <= some.best.score <= every.best.score
    filled = np.isfinite(some.scores)
    assert (some.scores[filled] <= every.scores[filled] + 1e-12).all()


def test_a_criterion_of_ones_own_is_sampled():
    register_criterion("unlike", lambda a, b: np.abs(a / a.sum(axis=1, keepdims=True)
                       - b / b.sum(axis=1, keepdims=True)).sum(axis=1), title="unlike")  # fmt: skip
    try:
        X, y, n_classes = tied_set(5)
        found = landscape(X, y, np.arange(len(y)), n_classes, (0, 1), "unlike")
        assert not found.exact
        assert found.best.score >= found.axis.score
    finally:
        unregister_criterion("unlike")


def test_a_small_child_is_no_line():
    X, y, n_classes = tied_set(8)
    found = landscape(X, y, np.arange(len(y)), n_classes, (0, 1), "gini", min_samples_leaf=len(y))
    assert found.best is None
    assert found.axis is None
    assert found.regret(0.5) == 0.0
    assert np.isnan(found.scores).all()


def test_rows_without_a_value_are_left_out_and_counted():
    X, y, n_classes = tied_set(10)
    holes = np.vstack([X, [[np.nan, 1.0], [2.0, np.nan]]])
    labels = np.r_[y, 0, 0]
    found = landscape(holes, labels, np.arange(len(holes)), n_classes, (0, 1), "gini")
    whole = landscape(X, y, np.arange(len(X)), n_classes, (0, 1), "gini")
    assert found.n_missing == 2
    np.testing.assert_array_equal(found.scores, whole.scores)


@pytest.mark.parametrize(("X", "features"), [
    (np.zeros((5, 2)), (0, 1)),
    (np.arange(10.0).reshape(5, 2), (1, 1)),
    (np.full((5, 2), np.nan), (0, 1)),
])  # fmt: skip
def test_where_there_is_no_plane_it_says_so(X, features):
    with pytest.raises(ValueError, match="plane in which at least two rows differ"):
        landscape(X, np.array([0, 1, 0, 1, 0]), np.arange(5), 2, features, "gini")


def test_unknown_criteria_endless_ranges_and_holes_are_named():
    X, y, n_classes = tied_set(1)
    with pytest.raises(ValueError, match=r"criterion must be among gini.*got 'beauty'"):
        landscape(X, y, np.arange(len(y)), n_classes, (0, 1), "beauty")
    wide = np.array([[-1.7e308, 0.0], [1.7e308, 1.0]])
    with pytest.raises(ValueError, match="finite ranges"):
        landscape(wide, np.array([0, 1]), np.arange(2), 2, (0, 1), "gini")
    holes = np.column_stack([X, np.full(len(y), np.nan)])
    with pytest.raises(ValueError, match="impute"):
        landscape(holes, y, np.arange(len(y)), n_classes, (0, 1), "csn")


def test_a_constant_feature_leaves_the_lines_of_the_other():
    X, y, n_classes = tied_set(12)
    X[:, 1] = 7.0
    found = landscape(X, y, np.arange(len(y)), n_classes, (0, 1), "gini")
    assert isinstance(found.best, Split)
    assert found.best.feature == 0


def test_any_kind_of_columns(make_data):
    X, y = make_data(0, n=40, m=4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = landscape(X, y, np.arange(40), 3, (1, 3), "gini")
    left = first_child(X, found.best)
    counts = [np.bincount(y[side], minlength=3).tolist() for side in (left, ~left)]
    assert naive_landscape.SCORES["gini"](*counts) == pytest.approx(found.best.score, abs=1e-12)


def test_ties_go_to_an_axis_then_to_the_larger_margin():
    apart = np.array([[0.0, 0.0], [0.2, 0.3], [0.1, 1.0], [0.9, 0.0], [1.0, 1.0], [0.7, 0.9]])
    found = landscape(apart, np.repeat([0, 1], 3), np.arange(6), 2, (0, 1), "gini")
    assert isinstance(found.best, Split)
    # One point of class 1 in the middle of its side: no cut parts it and the corner points, but
    # two oblique lines have the same score, one of them with more room.
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.9, 0.9]])
    found = landscape(corners, np.array([0, 0, 1, 1, 0]), np.arange(5), 2, (0, 1), "gini")
    every = [
        (low, high, first)
        for low, high, first, score in naive_landscape.scored(
            corners, np.array([0, 0, 1, 1, 0]), 2, naive_landscape.SCORES["gini"]
        )
        if score == pytest.approx(found.best.score)
    ]
    margins = [_margin(corners, first, (low + high) / 2) for low, high, first in every]
    left = first_child(corners, found.best)
    assert _margin(corners, left, found.best_place[0]) >= 0.9 * max(margins)


def _margin(points, first, theta):
    along = points @ np.array([np.cos(np.deg2rad(theta)), np.sin(np.deg2rad(theta))])
    return along[~first].min() - along[first].max()


def test_a_line_of_a_place_in_the_picture():
    X, _, found = of("xor", ("x1", "x2"))
    theta, rank = found.best_place
    line = found.line(theta, rank)
    assert isinstance(line, ObliqueSplit)
    np.testing.assert_array_equal(first_child(X, line), first_child(X, found.best))
    assert line.score == pytest.approx(found.best.score)
    assert found.line(theta, 0) is None
    assert found.line(theta, 400) is None
    upright = found.line(90.0, 100)
    assert upright.weights.tolist() == [0.0, 1.0]


def test_presorted_rows_are_the_same():
    X, y, n_classes = tied_set(14)
    rows = np.arange(1, len(y))
    one = landscape(presort(X), y, rows[::-1], n_classes, (0, 1), "gini")
    two = landscape(X, y, rows, n_classes, (0, 1), "gini")
    np.testing.assert_array_equal(one.scores, two.scores)
    assert one.best.score == two.best.score
