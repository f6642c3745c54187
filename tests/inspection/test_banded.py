"""Planes with bands: every place has the colour that the tree gives to a row at that place."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from lastviz import C45Classifier, CARTClassifier, ID3Classifier, OC1Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import Band, banded_regions, cut_predictions, feature_gains

N_COLOURS = 4


def mixed(missing=True, n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": pd.Categorical.from_codes(rng.integers(N_COLOURS, size=n), list("abcd")),
            "weight": rng.normal(size=n),
        }
    )
    y = ((X["size"] > 0) ^ X["colour"].isin(["a", "c"]) ^ (X["weight"] > 1)).astype(int)
    y ^= rng.random(n) < 0.1
    if missing:
        X.loc[rng.random(n) < 0.15, "size"] = np.nan
        X.loc[rng.random(n) < 0.15, "colour"] = np.nan
    return X, y.to_numpy()


def band(place, feature, value):
    return Band(place - 0.5, place + 0.5, (feature,), (value,))


def colours(missing=True):
    bands = [band(code, 1, float(code)) for code in range(N_COLOURS)]
    return [*bands, band(N_COLOURS + 0.25, 1, np.nan)] if missing else bands


def covering(found, depth, x, y):
    """The rows of the answer that cover a place."""
    rows = []
    for i in found.visible(depth):
        corners = found.polygon(i)
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        if x0 < x < x1 and y0 < y < y1:
            rows.append(i)
    return rows


def assert_true_to_the_tree(tree, found, places, rows, depth):
    stands = tree.at_depth(depth)
    predicted, leaf = cut_predictions(tree, rows, stands), stands[tree.apply(rows)]
    for (x, y), label, node in zip(places, predicted, leaf, strict=True):
        here = covering(found, depth, x, y)
        assert len(here) == 1
        assert (found.prediction[here[0]], found.node[here[0]]) == (label, node)


@pytest.mark.parametrize("cls", [C45Classifier, CARTClassifier])
@pytest.mark.parametrize("depth", [None, 1, 2])
def test_a_number_across_and_categories_up_with_missing_values_on_both(cls, depth):
    X, y = mixed()
    model = cls().fit(X, y)
    strip = Band(-5.0, -4.0, (0,), (np.nan,))
    at = np.array([0.0, 0.0, 0.3])
    found = banded_regions(
        model, (-3.5, 3.5, -0.5, 5.0), (0, None), at, ([strip], colours()), depth
    )
    rng = np.random.default_rng(1)
    places, rows = [], []
    for _ in range(200):
        bands = colours()
        up = bands[rng.integers(len(bands))]
        missing = rng.random() < 0.3
        x = rng.uniform(-4.9, -4.1) if missing else rng.uniform(-3.4, 3.4)
        places.append((x, rng.uniform(up.low, up.high)))
        rows.append([np.nan if missing else x, up.values[0], 0.3])
    assert_true_to_the_tree(model.tree_, found, places, np.array(rows), depth)


def test_two_numbers_with_a_strip_for_what_is_missing():
    X, y = mixed()
    model = C45Classifier(pruning="none").fit(X, y)
    strip = Band(-5.0, -4.0, (0,), (np.nan,))
    at = np.array([0.0, 2.0, 0.0])
    found = banded_regions(model, (-3.5, 3.5, -3.0, 3.0), (0, 2), at, ([strip], []))
    rng = np.random.default_rng(2)
    places = np.column_stack([rng.uniform(-3.4, 3.4, 150), rng.uniform(-2.9, 2.9, 150)])
    rows = np.column_stack([places[:, 0], np.full(150, 2.0), places[:, 1]])
    places[::3, 0], rows[::3, 0] = -4.5, np.nan
    assert_true_to_the_tree(model.tree_, found, places, rows, None)


@pytest.mark.parametrize("cls", [C45Classifier, CARTClassifier, ID3Classifier])
def test_two_nominal_axes_have_a_cell_for_each_pair(cls):
    data = load_dataset("loan")
    model = cls().fit(data.X, data.codes)
    across = [band(code, 2, float(code)) for code in range(2)]
    up = [band(code, 1, float(code)) for code in range(2)]
    found = banded_regions(model, (-0.5, 1.5, -0.5, 1.5), (None, None), np.zeros(4), (across, up))
    places = [(i, j) for i in range(2) for j in range(2)]
    rows = np.array([[0, j, i, 0] for i, j in places], dtype=np.float64)
    assert_true_to_the_tree(model.tree_, found, places, rows, None)
    # The root asks for the house: one line between its two bands, over the whole height.
    assert_array_equal(found.curve[found.node[found.curve_row] == 0], [[0.5, -0.5, 0.5, 1.5]])


def test_categories_that_do_not_lie_side_by_side_are_several_rectangles_of_one_node():
    X = pd.DataFrame({"colour": pd.Categorical(list("abcd") * 10)})
    y = X["colour"].isin(["b", "d"]).to_numpy().astype(int)
    model = CARTClassifier().fit(X, y)
    flat = [Band(0.0, 1.0, (), ())]
    bands = [band(code, 0, float(code)) for code in range(4)]
    found = banded_regions(model, (-0.5, 3.5, 0, 1), (None, None), np.zeros(1), (bands, flat))
    assert len(found.node) == 5  # the root, twice each child
    assert sorted(found.curve[:, 0]) == [0.5, 1.5, 2.5]


def test_indicators_are_set_together_on_a_band():
    X, y = mixed(missing=False)
    both = np.column_stack([X["size"], pd.get_dummies(X["colour"]).to_numpy(dtype=float)])
    model = OC1Classifier(n_restarts=1).fit(both, y)
    bands = [
        Band(c - 0.5, c + 0.5, (1, 2, 3, 4), tuple(np.eye(N_COLOURS)[c])) for c in range(N_COLOURS)
    ]
    found = banded_regions(model, (-3, 3, -0.5, 3.5), (0, None), np.zeros(5), ([], bands))
    rng = np.random.default_rng(3)
    places = np.column_stack([rng.uniform(-2.9, 2.9, 100), rng.integers(N_COLOURS, size=100)])
    rows = np.column_stack([places[:, 0], np.eye(N_COLOURS)[places[:, 1].astype(int)]])
    assert_true_to_the_tree(model.tree_, found, places, rows, None)


def test_a_tree_that_is_not_cut_predicts_as_itself():
    X, y = mixed()
    model = C45Classifier().fit(X, y)
    values, tree = model.encode(X), model.tree_
    assert_array_equal(cut_predictions(tree, values, tree.at_depth(None)), tree.predict(values))
    root = cut_predictions(tree, values, tree.at_depth(0))
    assert_array_equal(root, np.full(len(X), tree.prediction[0]))


def test_gains_count_categories_and_only_known_values():
    x = np.array([0.0, 0.0, 1.0, 1.0, np.nan])
    y = np.array([0, 0, 1, 1, 1])
    gains = feature_gains(np.column_stack([x, x]), y, 2, [("a", "b"), None])
    assert gains == pytest.approx([0.8 * 0.5, 0.8 * 0.5])
