"""What the steps of an SVM tree say, checked against the data and the formulas."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine

from lastviz import CARTClassifier, SVMTreeClassifier
from lastviz.inspection import conditions, raster, regions, separability
from lastviz.splitters.edits import ClassSplit, ForcedSplit
from lastviz.splitters.svm.machine import kernel_separability


@pytest.fixture(scope="module", params=["none", "standard"])
def wine(request):
    X, y = load_wine(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    sigma = {"none": 40.0, "standard": 1.5}[request.param]
    return X, names, SVMTreeClassifier(scaling=request.param, sigma=sigma, C=100.0).fit(X, names)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    return X, y, SVMTreeClassifier(sigma=25.0, C=10.0).fit(X, y)


def test_a_step_per_inner_node_masks_what_was_peeled_off(digits):
    X, y, estimator = digits
    found = separability(estimator, X, y)
    assert found.column == "separability"
    assert len(found.steps) == 9
    gone = np.zeros(10, dtype=bool)
    for step in found.steps:
        np.testing.assert_array_equal(step.live, ~gone)
        np.testing.assert_array_equal(np.isnan(step.matrix), gone[:, None] | gone[None])
        smallest = np.nanmin(np.where(np.isnan(step.matrix), np.inf, step.matrix), axis=1)
        np.testing.assert_array_equal(step.separability[~gone], smallest[~gone])
        (peeled,) = step.first
        assert step.separability[peeled] == np.nanmax(step.separability)
        assert step.matrix[step.pair] == step.separability[peeled]
        assert step.tie_rule_used == (np.count_nonzero(step.tied) > 1)
        gone[peeled] = True
    assert found.steps[-1].tie_rule_used


def test_the_matrix_is_the_separability_of_the_whole_data(wine):
    X, names, estimator = wine
    matrix = separability(estimator, X, names).steps[0].matrix
    kernel = estimator.tree_.kernel.kernel
    codes = np.searchsorted(estimator.classes_, names)
    if estimator.scaling == "standard":
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(matrix, kernel_separability(X, codes, 3, kernel), rtol=1e-10)


def test_what_a_machine_is_like_follows_from_its_decision_values(wine):
    X, names, estimator = wine
    found = separability(estimator, X, names)
    codes = np.searchsorted(estimator.classes_, names)
    sizes = [178, 178 - np.count_nonzero(codes == found.steps[0].first[0])]
    for step, f, size in zip(found.steps, found.decided, sizes, strict=True):
        machine = step.machine
        learned = np.isin(codes, step.first + step.second)
        t = np.where(np.isin(codes, step.first), 1.0, -1.0)
        assert machine.n_training == size == learned.sum()
        assert machine.n_wrong == np.count_nonzero((f * t)[learned] <= 0)
        assert machine.slack == pytest.approx(np.maximum(0, 1 - f * t)[learned].sum())
        assert machine.training_error == machine.n_wrong / size
        side = (f * t)[machine.support]
        np.testing.assert_allclose(side[~machine.bound], 1.0, atol=5e-3)
        assert (side[machine.bound] <= 1.0 + 5e-3).all()
        table, row = estimator.tree_.kernel, estimator.tree_.split_row[step.node]
        here = table.entries(row)
        coef, vectors = table.dual_coef[here], table.vectors[table.index[here]]
        norm = np.sqrt(coef @ table.kernel.block(vectors, vectors) @ coef)
        assert machine.margin == pytest.approx(2 / norm, rel=1e-6)
        assert machine.converged
    met = [step.machine.kernel_evaluations for step in found.steps]
    assert met[0] == len(found.steps[0].machine.support)
    assert met[0] <= met[1] == len(estimator.tree_.kernel.rows)


def test_a_step_forced_by_hand_is_that_of_the_tree(wine):
    X, names, plain = wine
    y = np.searchsorted(plain.classes_, names)
    edits = (ForcedSplit((), ClassSplit((1,))),)
    model = clone(plain).fit(X, names, edits=edits)
    step = separability(model, X, names).steps[0]
    assert (step.first, step.second) == ((1,), (0, 2))
    assert tuple(step.parting.first) != step.first
    between = step.matrix[1, [0, 2]]
    assert step.pair == (1, (0, 2)[between.argmin()])
    first = model.tree_.kernel.decide(X)[:, model.tree_.split_row[0]] > 0
    assert step.machine.n_wrong == np.count_nonzero(first != (y == 1))


@pytest.mark.parametrize("order", ["separability", "groups"])
def test_every_wrong_row_was_lost_where_its_class_went_the_other_way(order):
    X, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    train = rng.permutation(len(y))[:90]
    estimator = SVMTreeClassifier(order=order, sigma=90.0, C=10.0).fit(X[train], y[train])
    found = separability(estimator, X[train], y[train], rows=X, labels=y)
    wrong = estimator.predict(X) != y
    assert wrong.any()
    np.testing.assert_array_equal(found.lost_at >= 0, wrong)
    live, tree = estimator.tree_.live_classes(), estimator.tree_
    for row in np.flatnonzero(wrong):
        path = tree.path(int(tree.apply(X[row : row + 1])[0]))
        lost = path.index(found.lost_at[row])
        assert live[path[lost], y[row]]
        assert not live[path[lost + 1], y[row]]
    for step, reached in zip(found.steps, found.reached, strict=True):
        on_path = [step.node in tree.path(int(leaf)) for leaf in tree.apply(X)]
        np.testing.assert_array_equal(reached, on_path)


def test_a_row_that_no_machine_judged_is_lost_at_its_leaf():
    X, y = load_wine(return_X_y=True)
    estimator = SVMTreeClassifier(sigma=40.0, C=1.0, max_depth=1).fit(X, y)
    found = separability(estimator, X, y)
    leaf = int(np.flatnonzero(estimator.tree_.live_classes().sum(axis=1) == 2)[0])
    here = estimator.apply(X) == leaf
    astray = here & (estimator.predict(X) != y) & (found.lost_at == leaf)
    assert astray.any()


def test_on_a_grid_the_machines_say_what_they_say_of_rows(wine):
    X, _, estimator = wine
    at, tree = np.median(X, axis=0), estimator.tree_
    grid = raster(tree, (11.0, 15.0, 200.0, 1700.0), features=(0, 12), at=at, side=23)
    places = np.tile(at, (23 * 23, 1))
    places[:, [0, 12]] = np.stack(np.meshgrid(grid.x, grid.y), axis=-1).reshape(-1, 2)
    exact = tree.kernel.decide(places).T.reshape(2, 23, 23)
    np.testing.assert_allclose(grid.decided, exact, atol=5e-3)


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("level", [-1.0, 0.0, 1.0])
def test_contours_lie_where_the_decision_value_has_their_level(level, scaling):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2)) + 3 * np.repeat([[0, 0], [1, 1]], 40, axis=0)
    estimator = SVMTreeClassifier(scaling=scaling, sigma=1.0, C=5.0)
    tree = estimator.fit(X, np.repeat([0, 1], 40)).tree_
    ends = raster(tree, (-3.0, 6.0, -3.0, 6.0)).contour(0, level).reshape(-1, 2)
    assert len(ends) > 100
    np.testing.assert_allclose(tree.kernel.decide(ends)[:, 0], level, atol=5e-3)


def inside(ring, points):
    x, y = points.T
    (x0, y0), (x1, y1) = ring.T, np.roll(ring, -1, axis=0).T
    over = (y0 > y[:, None]) != (y1 > y[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x0 + (y[:, None] - y0) / (y1 - y0) * (x1 - x0)
    return (over & (x[:, None] < at)).sum(axis=1) % 2 == 1


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_regions_of_a_tree_of_machines_hold_the_points_that_reach_their_node(kernel, scaling):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2)) + 3 * np.repeat([[0, 0], [1, 0], [0.4, 0.9]], 50, axis=0)
    estimator = SVMTreeClassifier(kernel=kernel, scaling=scaling, sigma=1.0, C=5.0)
    estimator.fit(X, np.repeat([0, 1, 2], 50))
    found = regions(estimator, (-3.0, 6.0, -3.0, 6.0))
    points = rng.uniform(-3, 6, (3000, 2))
    leaf = estimator.apply(points)
    step = 9 / 199 * np.array([[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [-1, -1]])
    clear = np.all([estimator.apply(points + gap) == leaf for gap in step], axis=0)
    assert clear.mean() > 0.8
    for node in np.flatnonzero(estimator.tree_.n_children == 0):
        rings = [found.polygon(i) for i in found.visible() if found.node[i] == node]
        held = np.any([inside(ring, points) for ring in rings], axis=0)
        np.testing.assert_array_equal(held[clear], (leaf == node)[clear])
    segments = found.curve.reshape(-1, 2)
    around = (segments[:, None] + step[None]).reshape(-1, 2)
    f = estimator.tree_.kernel.decide(around).reshape(len(segments), len(step), -1)
    assert ((f.min(axis=1) < 0) & (f.max(axis=1) > 0)).any(axis=1).all()
    assert set(found.node[np.unique(found.curve_row)]) == set(
        np.flatnonzero(estimator.tree_.n_children > 0)
    )


def test_a_node_of_machines_is_reached_on_one_side_of_each(wine):
    X, _, estimator = wine
    tree, leaf = estimator.tree_, estimator.apply(X)
    f = tree.kernel.decide(X)
    for node in range(tree.n_nodes):
        holds = np.ones(len(X), dtype=bool)
        for condition in conditions(tree, node):
            holds &= (f[:, tree.split_row[condition.node]] > 0) == (condition.branch == 0)
        np.testing.assert_array_equal(holds, np.isin(leaf, tree.subtree(node)))


def test_wrong_requests_are_named(wine):
    X, names, estimator = wine
    with pytest.raises(ValueError, match="must be the data that the estimator was fitted on"):
        separability(estimator, X + 1.0, names)
    with pytest.raises(ValueError, match="y must give each row one of the classes"):
        separability(estimator, X, np.arange(len(X)))
    with pytest.raises(ValueError, match="rows and labels must be given together"):
        separability(estimator, X, names, rows=X)
    with pytest.raises(ValueError, match="estimator must be an SVMTreeClassifier, got CART"):
        separability(CARTClassifier().fit(X, names), X, names)
