"""Weights of rows and of classes as steps of a data set."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.class_weight import compute_sample_weight

from lastviz.datasets import Dataset, load_dataset


@pytest.fixture
def table():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "w": [2.0, 0.0, 1.0, 5.0], "k": list("xyxy")})
    return Dataset(X, pd.Series(["n", "n", "n", "p"], name="c"))


def test_a_column_of_weights_is_no_feature_any_more(table):
    weighed = table.weigh_rows("w")
    assert weighed.feature_names == ("a", "k")
    np.testing.assert_array_equal(weighed.weights, [2.0, 0.0, 1.0, 5.0])
    assert weighed.digest != table.select(["a", "k"]).digest
    again = weighed.select(["a"]).reorder_classes(["p", "n"]).one_against_rest("p")
    np.testing.assert_array_equal(again.weights, weighed.weights)


def test_classes_count_by_their_weights_times_those_of_their_rows(table):
    np.testing.assert_array_equal(table.weigh_classes([1, 5]).weights, [1, 1, 1, 5])
    both = table.weigh_rows("w").weigh_classes([1, 5])
    np.testing.assert_array_equal(both.weights, [2, 0, 1, 25])


@pytest.mark.parametrize("seed", range(3))
def test_balanced_is_what_scikit_learn_calls_balanced(seed):
    dataset = load_dataset("wine")
    rows = np.flatnonzero(np.random.default_rng(seed).random(dataset.n_samples) < 0.6)
    weighed = dataset.weigh_classes("balanced", rows=rows)
    wanted = compute_sample_weight("balanced", dataset.codes[rows])
    np.testing.assert_allclose(weighed.weights[rows], wanted)


def test_a_class_that_no_training_row_has_is_no_fault(table):
    weighed = table.weigh_classes("balanced", rows=np.array([0, 1, 2]))
    assert np.isfinite(weighed.weights).all()


def test_a_sample_keeps_its_rows_weights():
    dataset = load_dataset("iris")
    numbered = dataset.weigh_rows(dataset.feature_names[0])
    part = numbered.sample(20, random_state=3)
    np.testing.assert_array_equal(
        part.weights, dataset.sample(20, random_state=3).X[dataset.feature_names[0]]
    )


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("w", [1.0, -2.0, 1.0, 1.0], "w: weight 2 is -2; a weight is a number"),
        ("w", [1.0, 1.0, np.nan, 1.0], "w: weight 3 is missing"),
        ("w", [0.0, 0.0, 0.0, 0.0], "w: all weights are 0, so no row would count"),
        ("k", [1.0, 1.0, 1.0, 1.0], "'k' holds no numbers"),
        ("z", [1.0, 1.0, 1.0, 1.0], "there is no column 'z'"),
    ],
)
def test_what_is_no_weight_is_refused_with_its_place(table, column, values, said):
    dataset = Dataset(table.X.assign(w=values), table.y)
    with pytest.raises(ValueError, match=said):
        dataset.weigh_rows(column)


def test_the_only_feature_is_no_weight(table):
    with pytest.raises(ValueError, match="is the only feature"):
        table.select(["w"]).weigh_rows("w")


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [0.0, 0.0], [np.inf, 1.0], "heavy"])
def test_what_are_no_weights_of_classes_is_refused(table, weights):
    with pytest.raises(ValueError, match="weight"):
        table.weigh_classes(weights)


def test_numbers_have_no_classes_to_weigh():
    with pytest.raises(ValueError, match="no classes to weigh"):
        load_dataset("noisy_sine").weigh_classes("balanced")
