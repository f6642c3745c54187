"""Rows that two models predict differently, and the exact p value of McNemar's test."""

from math import comb

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from lastviz import C45Classifier, CARTClassifier, CARTRegressor
from lastviz.datasets import load_dataset
from lastviz.inspection import row_changes


def naive_p(better: int, worse: int) -> float:
    n = better + worse
    observed = comb(n, better)
    return sum(comb(n, k) for k in range(n + 1) if comb(n, k) <= observed) / 2**n


def test_a_tree_beside_itself_changes_nothing():
    iris = load_dataset("iris")
    tree = CARTClassifier().fit(iris.X, iris.y)
    changes = row_changes(tree, tree, iris.X, iris.y)
    assert len(changes.rows) == 0
    assert (changes.better, changes.worse, changes.p_value) == (0, 0, 1.0)


def test_rows_and_p_value_are_those_of_the_definition():
    data = load_dataset("waveform", n_samples=600, random_state=0)
    X, new, y, truth = train_test_split(data.X, data.y, test_size=0.5, random_state=0)
    one, other = CARTClassifier().fit(X, y), C45Classifier().fit(X, y)
    changes = row_changes(one, other, new, truth)
    first, second, truth = one.predict(new), other.predict(new), np.asarray(truth)
    assert changes.rows.tolist() == [i for i in range(len(truth)) if first[i] != second[i]]
    assert (changes.before == first[changes.rows]).all()
    assert (changes.after == second[changes.rows]).all()
    right, left = first == truth, second == truth
    assert changes.better == (left & ~right).sum() > 0
    assert changes.worse == (right & ~left).sum() > 0
    assert changes.p_value == pytest.approx(naive_p(changes.better, changes.worse))


def test_numbers_are_compared_by_their_distance():
    data = load_dataset("regression_5_2")
    whole = CARTRegressor().fit(data.X, data.y)
    root = CARTRegressor(max_depth=1).fit(data.X, data.y)
    changes = row_changes(root, whole, data.X, data.y)
    assert changes.worse == 0
    assert changes.better == len(changes.rows) > 0
    assert changes.p_value == pytest.approx(2 / 2**changes.better)


def test_what_cannot_be_compared_is_refused():
    data = load_dataset("iris")
    classes = CARTClassifier().fit(data.X, data.y)
    numbers = CARTRegressor().fit(data.X, np.arange(150.0))
    with pytest.raises(ValueError, match="cannot be compared"):
        row_changes(classes, numbers, data.X, data.y)
    with pytest.raises(ValueError, match="must have 150 values"):
        row_changes(classes, classes, data.X, data.y[:10])
