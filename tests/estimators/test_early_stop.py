"""Where a parameter ends the growth of many rows, the estimator names the value that does not."""

import numpy as np
import pytest
from sklearn.base import clone

from lastviz import CARTClassifier, HybridTreeClassifier
from lastviz.datasets import load_dataset, read_table
from lastviz.estimators import ESTIMATORS
from tests.credit import credit_table


def credit():
    table = credit_table(missing=0.0).to_csv(index=False).encode()
    dataset = read_table(table, name="credit.csv")
    return dataset.encoded_X.to_numpy(), dataset.codes


def many_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(100), 10)
    return rng.normal(size=(1000, 4)) + 0.02 * y[:, None], y


def bundled(key):
    dataset = load_dataset(key)
    return dataset.numeric_X.to_numpy(), dataset.codes


DATA = {
    "credit": credit,
    "many classes": many_classes,
    **{key: lambda key=key: bundled(key) for key in ("xor", "iris", "wine", "moons", "waveform")},
}


@pytest.fixture(params=DATA, scope="module")
def data(request):
    return DATA[request.param]()


@pytest.mark.parametrize("make", [credit, many_classes])
def test_the_default_of_the_hybrid_tree_collapses_and_says_so(make):
    X, y = make()
    tree = HybridTreeClassifier().fit(X, y)
    found = tree.alternative()
    assert (found.param, found.value) == ("min_leaf_rule", "candidate")
    assert found.n_samples > 0.85 * len(y)
    assert tree.tree_.n_nodes < len(y) / 7


def test_with_the_candidate_rule_no_tree_collapses(data):
    X, y = data
    tree = HybridTreeClassifier(min_leaf_rule="candidate").fit(X, y)
    assert tree.alternative() is None
    least = CARTClassifier(min_samples_leaf=2).fit(X, y).tree_.n_nodes / 2
    assert tree.tree_.n_nodes > least


@pytest.mark.ci
@pytest.mark.parametrize("key", [key for key, e in ESTIMATORS.items() if not e.cls.TAGS.forest])
def test_what_an_estimator_names_ends_what_it_complains_of(key, data):
    cls = ESTIMATORS[key].cls
    if cls.TAGS.max_values is not None:
        pytest.skip("reads other data")
    X, y = data
    rows = np.random.default_rng(1).permutation(len(y))[:400]
    tree = cls().fit(X[rows], y[rows])
    found = tree.alternative()
    if found is None:
        return
    assert getattr(tree, found.param) != found.value
    assert 0 < found.n_samples <= len(rows)
    other = clone(tree).set_params(**{found.param: found.value}).fit(X[rows], y[rows])
    assert other.alternative() is None or other.alternative().n_samples < found.n_samples
