"""Another name for a column is another name and nothing else."""

import numpy as np
import pytest

from lastviz.datasets import Dataset
from lastviz.datasets.labels import Labels, apply_labels, with_labels
from lastviz.estimators import ESTIMATORS, called_otherwise
from lastviz.tree import Tree
from tests.credit import credit_table

NAMED = ("cart", "c45", "gsodt", "oc1", "svm_tree", "remt", "mcdf", "hybrid", "id3")


@pytest.fixture(scope="module")
def both():
    table = credit_table(150, missing=0)
    dataset = Dataset(table.drop(columns="risk"), table["risk"])
    labels = Labels(
        names={c: f"The {c}" for c in dataset.feature_names},
        values={"status1": {"A11": "overdrawn"}},
    )
    return dataset, apply_labels(with_labels(dataset, labels))


def same_but_for_names(a: Tree, b: Tree) -> None:
    for part in ("parent", "kind", "feature", "threshold", "value", "prediction", "key", "samples"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))
        assert getattr(a, part) is getattr(b, part)


@pytest.mark.parametrize("key", NAMED)
def test_a_renamed_model_is_the_same_and_takes_the_renamed_table(key, both):
    before, after = both
    cls = ESTIMATORS[key].cls
    form = "categorical_X" if key == "id3" else "mixed_X" if cls.TAGS.nominal else "numeric_X"
    X, renamed = getattr(before, form), getattr(after, form)
    known = tuple(
        tuple(column.cat.categories) if hasattr(column, "cat") else None
        for _, column in renamed.items()
    )
    estimator = cls().fit(X, before.codes)
    other = called_otherwise(estimator, tuple(renamed.columns), known)
    np.testing.assert_array_equal(estimator.predict(X), other.predict(renamed))
    pairs = zip(
        getattr(estimator, "estimators_", [estimator]),
        getattr(other, "estimators_", [other]),
        strict=True,
    )
    for a, b in pairs:
        same_but_for_names(a.tree_, b.tree_)
        same_but_for_names(a.grown_tree_, b.grown_tree_)
        assert (a.tree_ is a.grown_tree_) == (b.tree_ is b.grown_tree_)
        assert b.tree_.feature_names == tuple(renamed.columns)
        assert a.tree_.feature_names == tuple(X.columns)
        b.tree_.validate() if hasattr(b.tree_, "validate") else None


def test_a_model_that_is_called_so_is_itself(both):
    X = both[0].numeric_X
    estimator = ESTIMATORS["cart"].cls().fit(X, both[0].codes)
    assert called_otherwise(estimator, tuple(X.columns), (None,) * X.shape[1]) is estimator
