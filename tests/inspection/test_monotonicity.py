"""Proofs and counter-examples of monotonicity, against brute force."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier

from lastviz import CARTClassifier, MCDFClassifier, REMTClassifier
from lastviz.criteria.rank import orient
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import (
    class_supports,
    comparable_pairs,
    explain,
    forest_regions,
    forest_regions_in_steps,
    monotonicity_audit,
    monotonicity_audit_in_steps,
    single_step,
    suggest_directions,
    violations,
    violations_in_steps,
    widest_example,
)
from lastviz.tree import leaf_boxes
from tests import naive_monotone

COUNTER_X = np.array([[4, 3], [0, 3], [3, 4], [4, 1], [3, 2]], dtype=float)
COUNTER_Y = np.array([2, 0, 2, 0, 1])


def noisy(seed, n=60, m=2, n_classes=3):
    rng = np.random.default_rng(seed)
    X = np.round(rng.random((n, m)) * 8)
    y = np.digitize(X.mean(axis=1) + rng.normal(0, 1.5, n), np.linspace(2.5, 5.5, n_classes - 1))
    return X, np.unique(y, return_inverse=True)[1]


def falls_somewhere(predict, X, directions):
    """Tell, from all pairs of points of a fine grid, whether a dominating one gets less."""
    axes = [np.arange(x.min() - 0.75, x.max() + 1, 0.5) for x in X.T]
    points = np.stack([a.ravel() for a in np.meshgrid(*axes)], axis=1)
    label = predict(points)
    turned = points * np.where(directions == 0, 1, directions)
    for point, own in zip(turned, label, strict=True):
        above = (turned >= point).all(axis=1)
        above &= (turned[:, directions == 0] == point[directions == 0]).all(axis=1)
        if (label[above] < own).any():
            return True
    return False


def holds(audit, predict):
    """The counter-example is one."""
    example, directions = audit.counter_example, audit.directions
    step = (example.above - example.below) * np.where(directions == 0, 0, directions)
    assert (step >= 0).all()
    assert (example.above == example.below)[directions == 0].all()
    low, high = predict(np.array([example.below, example.above]))
    assert low > high
    assert (low, high) == (example.label_below, example.label_above)


def test_the_counter_example_of_five_samples_is_found():
    assert violations(COUNTER_X, COUNTER_Y).n_pairs == 0
    tree = REMTClassifier(min_gain=0.0).fit(COUNTER_X, COUNTER_Y)
    np.testing.assert_array_equal(tree.predict(COUNTER_X), COUNTER_Y)
    np.testing.assert_array_equal(tree.predict([[0, 2], [0, 3]]), [1, 0])
    audit = monotonicity_audit(tree)
    assert (audit.method, audit.exact, audit.refuted, audit.proven) == ("boxes", True, True, False)
    assert len(audit.pairs) == audit.n_violating > 0
    holds(audit, tree.predict)
    mended = REMTClassifier(min_gain=0.0, monotone=True).fit(COUNTER_X, COUNTER_Y)
    audit = monotonicity_audit(mended)
    assert (audit.method, audit.proven) == ("grid", True)
    np.testing.assert_array_equal(mended.predict(COUNTER_X), COUNTER_Y)


@pytest.mark.parametrize("directions", [(1, 1), (1, -1), (0, 1), (-1, 0)])
@pytest.mark.parametrize("seed", range(4))
def test_boxes_and_grid_agree_with_brute_force(seed, directions):
    directions = np.array(directions)
    X, y = noisy(seed, n=25)
    tree = REMTClassifier(monotonic_cst=directions, max_depth=2 + seed).fit(X, y)
    expected = falls_somewhere(tree.predict, X, directions)
    audit = monotonicity_audit(tree)
    assert audit.refuted == expected
    cart = CARTClassifier(max_depth=2).fit(X, y)
    found = monotonicity_audit(cart, directions=directions)
    assert found.refuted == falls_somewhere(cart.predict, X, directions)
    if audit.refuted:
        holds(audit, tree.predict)
    mended = REMTClassifier(monotonic_cst=directions, max_depth=2 + seed, monotone=True).fit(X, y)
    assert monotonicity_audit(mended).proven
    assert not falls_somewhere(mended.predict, X, directions)
    if not expected:
        np.testing.assert_array_equal(mended.predict(X), tree.predict(X))


@pytest.mark.parametrize("n_classes", [2, 4, 6, 8])
def test_envelopes_and_the_median_vote_never_contradict_the_directions(n_classes):
    data = load_dataset("monotone", n_samples=400, n_classes=n_classes, random_state=n_classes)
    X, y = data.X.to_numpy(), data.codes
    forest = MCDFClassifier(monotone=True).fit(X, y)
    rng = np.random.default_rng(0)
    below, above = comparable_pairs(np.zeros(2), np.ones(2), np.array([1, 1]), 10_000, rng)
    assert (forest.predict(below) <= forest.predict(above)).all()
    assert monotonicity_audit(forest).proven
    plain = MCDFClassifier().fit(X, y)
    assert abs(forest.score(X, y) - plain.score(X, y)) <= 0.02


def test_a_forest_is_refuted_on_the_grid_or_by_sampling():
    X, y = noisy(3, n=200, n_classes=4)
    forest = MCDFClassifier(subset_size=40).fit(X, y)
    audit = monotonicity_audit(forest)
    assert (audit.method, audit.refuted) == ("grid", True)
    holds(audit, forest.predict)
    sampled = monotonicity_audit(forest, X, max_cells=10)
    assert (sampled.method, sampled.exact, sampled.proven) == ("sampling", False, False)
    holds(sampled, forest.predict)
    assert monotonicity_audit(forest, max_cells=10, n_pairs=50).n_compared == 50


def test_long_questions_say_how_far_they_are():
    X, y = noisy(3, n=4500, n_classes=4)
    shares = list(violations_in_steps(X, y))
    assert shares == sorted(shares)
    assert len(shares) == 3
    assert shares[-1] == 1.0
    forest = MCDFClassifier(subset_size=40).fit(X[:200], y[:200])
    shares = list(monotonicity_audit_in_steps(forest))
    assert shares[-1] == 1.0


@pytest.mark.parametrize("directions", [(1, 1, 1), (1, -1, 0)])
def test_a_counter_example_can_be_told_along_one_feature(directions):
    X, y = noisy(2, n=150, m=3)
    tree = REMTClassifier(monotonic_cst=directions).fit(X, y)
    audit = monotonicity_audit(tree)
    step = single_step(tree, audit.counter_example)
    changed = np.flatnonzero(step.above != step.below)
    assert len(changed) == 1
    f = changed[0]
    assert directions[f] * (step.above[f] - step.below[f]) > 0
    assert step.label_below > step.label_above
    low, high = tree.predict([step.below, step.above])
    assert (low, high) == (step.label_below, step.label_above)


def test_gradient_boosting_with_constraints_is_sampled():
    X, y = noisy(0, n_classes=2)
    model = HistGradientBoostingClassifier(monotonic_cst=[1, 1], max_iter=5).fit(X, y)
    audit = monotonicity_audit(model, X)
    assert (audit.method, audit.n_violating, audit.proven) == ("sampling", 0, False)
    with pytest.raises(ValueError, match="X must say which range to sample"):
        monotonicity_audit(model)


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=5),
        *(entry.cls() for entry in ESTIMATORS.values() if not entry.cls.TAGS.max_values),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_learnt_from_named_columns_are_audited_alike(model):
    X, y = noisy(0)
    frame = pd.DataFrame(X, columns=["low", "high"])
    named = monotonicity_audit(clone(model).fit(frame, y), X, n_pairs=500)
    plain = monotonicity_audit(clone(model).fit(X, y), X, n_pairs=500)
    assert (named.method, named.n_compared) == (plain.method, plain.n_compared)
    assert named.n_violating == plain.n_violating


@pytest.mark.parametrize("m", [1, 2, 4])
def test_violations_are_counted_and_listed(m):
    X, y = noisy(m, m=m)
    found = violations(X, y)
    above, in_class = naive_monotone.dominance_counts(X, y)
    pairs = [
        (i, j)
        for i in range(len(y))
        for j in range(len(y))
        if y[i] > y[j] and naive_monotone.dominates(X[j], X[i])
    ]
    assert found.n_pairs == len(pairs)
    assert (found.n_comparable, found.n_pairs) == naive_monotone.comparable_pairs(X, y)
    np.testing.assert_array_equal(found.pairs, np.array(pairs).reshape(-1, 2))
    np.testing.assert_array_equal(found.n_contradicting, above - in_class)
    np.testing.assert_array_equal(found.inclusion, in_class / above)
    assert len(violations(X, y, limit=3).pairs) == 3
    assert violations(X, y, limit=3).n_pairs == len(pairs)


@pytest.mark.parametrize("directions", [(1, 1), (1, -1), (0, 1), (0, 0)])
def test_identical_rows_are_one_comparable_pair(directions):
    X = np.repeat([[1.0, 2.0], [2.0, 1.0], [2.0, 2.0]], [3, 2, 4], axis=0)
    y = np.array([0, 1, 2, 0, 0, 1, 1, 0, 2])
    turned = orient(X, np.array(directions))
    found = violations(X, y, directions)
    assert (found.n_comparable, found.n_pairs) == naive_monotone.comparable_pairs(turned, y)
    assert found.n_comparable <= len(y) * (len(y) - 1) // 2


@pytest.mark.parametrize("directions", [(1, 1), (1, -1), (0, 1)])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_leaves_are_counted_once(seed, directions):
    X, y = noisy(seed, n=40)
    tree = CARTClassifier(max_depth=4).fit(X, y)
    audit = monotonicity_audit(tree, directions=np.array(directions))
    boxes = leaf_boxes(tree.tree_)
    expected = naive_monotone.comparable_boxes(boxes.low, boxes.high, boxes.label, directions)
    assert (audit.n_compared, audit.n_violating) == expected


def test_turned_features_and_those_without_direction():
    X, y = noisy(1)
    straight = violations(X, y).n_pairs
    assert violations(X * [1, -1], y, (1, -1)).n_pairs == straight
    one_value = violations(X, y, (1, 0))
    i, j = one_value.pairs.T
    assert (X[i, 1] == X[j, 1]).all()
    with pytest.raises(ValueError, match="monotonic_cst must hold one direction per feature"):
        violations(X, y, (1,))


def test_directions_are_suggested_by_kendalls_tau():
    rng = np.random.default_rng(0)
    X = np.c_[rng.random((200, 3)), np.ones(200)]
    y = (X[:, 0] - X[:, 1] > 0).astype(int)
    found = suggest_directions(X, y)
    np.testing.assert_array_equal(found.direction, [1, -1, 0, 0])
    assert found.tau[0] > 0.3
    assert found.tau[3] == 0
    assert found.p_value[2] > 0.05
    assert found.n_samples == 200


def test_a_vote_is_explained():
    X, y = noisy(5, n=300, n_classes=4)
    forest = MCDFClassifier(subset_size=50).fit(X, y)
    votes = forest.votes(X)
    conflict = np.flatnonzero(votes.tied.sum(axis=1) > 1)
    assert len(conflict)
    for row in (0, conflict[0]):
        found = explain(forest, X[row])
        assert forest.classes_[found.decision] == forest.predict(X[[row]])[0]
        np.testing.assert_array_equal(np.bincount(found.label, minlength=4), found.votes)
        for t, tree in enumerate(forest.estimators_):
            assert tree.tree_.is_leaf(found.leaf[t])
            expected = class_supports(tree.tree_)[found.leaf[t]]
            np.testing.assert_array_equal(found.tree_supports[t], expected)
            assert found.tree_supports[t].sum() == pytest.approx(1)
    tied = np.flatnonzero(found.tied)
    assert found.decision in tied
    assert found.supports[found.decision] == pytest.approx(found.supports[tied].max())
    with pytest.raises(ValueError, match="x must be one sample of 2 features"):
        explain(forest, X)


@pytest.mark.parametrize("monotone", [False, True])
def test_the_rectangles_of_a_forest_are_exact_and_tile_the_window(monotone):
    data = load_dataset("monotone", n_samples=200, n_classes=4, random_state=0)
    X, y = data.X.to_numpy(), data.codes
    forest = MCDFClassifier(monotone=monotone).fit(X, y)
    found = forest_regions(forest, (0.0, 1.0, 0.0, 1.0))
    assert found.exact
    x0, x1, y0, y1 = found.rectangles.T
    assert ((x1 - x0) * (y1 - y0)).sum() == pytest.approx(1.0)
    points = np.random.default_rng(0).random((2000, 2))
    inside = (points[:, :1] > x0) & (points[:, :1] <= x1)
    inside &= (points[:, 1:] > y0) & (points[:, 1:] <= y1)
    assert (inside.sum(axis=1) == 1).all()
    np.testing.assert_array_equal(
        found.rectangle_label[inside.argmax(axis=1)], forest.predict(points)
    )
    assert len(found.rectangles) < found.label.size
    with pytest.raises(ValueError, match="bounds must be a window"):
        forest_regions(forest, (1.0, 0.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="features must be two of 0 to 1"):
        forest_regions(forest, (0.0, 1.0, 0.0, 1.0), (0, 0))


def test_too_many_thresholds_are_drawn_on_a_grid():
    X, y = noisy(0, n=2000, n_classes=2)
    X = X + np.random.default_rng(0).random(X.shape)
    tree = REMTClassifier(min_gain=0.0).fit(X, y)
    found = forest_regions(tree, (0.0, 9.0, 0.0, 9.0))
    assert not found.exact
    assert found.label.shape[0] <= 400
    assert found.label.shape[1] <= 400
    close = forest_regions(tree, (-9.0, 18.0, -9.0, 18.0), focus=(0.0, 9.0, 0.0, 9.0))
    assert (close.x_edges[0], close.x_edges[-1]) == (-9.0, 18.0)
    cells = max(close.x_edges, close.y_edges, key=len)
    inner = np.diff(cells[(cells >= 0.0) & (cells <= 9.0)])
    np.testing.assert_allclose(inner, 9.0 / 400)
    told = list(forest_regions_in_steps(tree, (0.0, 9.0, 0.0, 9.0)))
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("directions", [(1, 1), (1, -1)])
def test_the_widest_counter_example_is_that_of_the_widest_gap_and_the_largest_leaves(
    seed, directions
):
    X, y = noisy(seed, n=120, n_classes=4)
    model = CARTClassifier().fit(X, y)
    audit = monotonicity_audit(model, directions=np.array(directions))
    example, boxes, tree = widest_example(model.tree_, audit), leaf_boxes(model.tree_), model.tree_
    rows = {int(leaf): int((tree.apply(X) == leaf).sum()) for leaf in boxes.leaf}
    best = (0, 0)
    for i, a in enumerate(boxes.leaf):
        for j, b in enumerate(boxes.leaf):
            both = [np.array([box[i], box[j]]) for box in (boxes.low, boxes.high)]
            gap = int(boxes.label[i] - boxes.label[j])
            label = [1, 0]  # the lower box has the higher class
            if gap > 0 and i != j:
                turned = np.array(directions)
                up = all(
                    (both[0][0][f] < both[1][1][f]) if d > 0 else (both[0][1][f] < both[1][0][f])
                    for f, d in enumerate(turned)
                )
                if up:
                    assert naive_monotone.comparable_boxes(*both, label, directions)[1] == 1
                    best = max(best, (gap, min(rows[int(a)], rows[int(b)])))
    ends = np.array([example.below, example.above])
    leaves = model.tree_.apply(ends)
    assert (example.label_below - example.label_above, min(rows[int(k)] for k in leaves)) == best
    holds(replace(audit, counter_example=example), model.predict)


def test_where_no_pair_of_leaves_contradicts_there_is_no_widest_example():
    model = CARTClassifier(max_depth=1).fit(np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1]))
    assert widest_example(model.tree_, monotonicity_audit(model)) is None
