"""The price of monotonicity: the folds are shared, the promises kept, the peer is a classifier."""

import numpy as np
import pytest

from benchmarks.monotone_price import PRICED, price_of_monotonicity
from lastviz import REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import scores
from lastviz.splitters import result_of
from lastviz.studies import stratified_folds


def data(n=150, n_classes=3, noise=0.1):
    found = load_dataset("monotone", n_samples=n, n_classes=n_classes, label_noise=noise)
    return found.X.to_numpy(), found.codes


@pytest.mark.ci
def test_the_promise_is_kept_and_the_others_are_what_they_are_alone():
    X, y = data()
    steps = price_of_monotonicity(X, y, 3, np.array([1, 1]), n_folds=3)
    found = {each.key: each for each in result_of(steps)}
    assert list(found) == list(PRICED)
    for key, (_, promised) in PRICED.items():
        assert found[key].n_pairs == 3000
        assert len(found[key].accuracy) == 3
        if promised:
            assert found[key].contradicting == 0
    assert found["remt"].contradicting > 0
    fold = stratified_folds(y, 3, 0)
    alone = REMTClassifier().fit(X[fold != 1], y[fold != 1])
    expected = scores(y[fold == 1], alone.predict(X[fold == 1]), 3)
    assert found["remt"].accuracy[1] == expected.accuracy
    assert found["remt"].error[1] == expected.mean_absolute_error


def test_progress_ends_at_the_whole_and_sizes_fit_the_folds():
    X, y = data(n=60, n_classes=2)
    params = {"mcdf": {"subset_size": 60}}
    shares = list(price_of_monotonicity(X, y, 2, np.array([1, 1]), n_folds=2, params=params))
    assert shares == pytest.approx(np.arange(1, 13) / 12)
    with pytest.raises(ValueError, match="at least two rows"):
        list(price_of_monotonicity(X[:1], y[:1], 2, np.array([1, 1])))
