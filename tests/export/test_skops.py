"""skops saves every model and brings it back; nothing but our own types has to be trusted."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.datasets import make_moons
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import BoundaryDisplay, CARTClassifier, from_sklearn, what_if
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.export import trusted_types
from lastviz.inspection import split_search
from lastviz.splitters.edits import ForcedSplit, Split

X, y = make_moons(90, noise=0.3, random_state=0)
X = X.round(1)


def brought_back(model):
    content = skops.io.dumps(model)
    unknown = set(skops.io.get_untrusted_types(data=content))
    assert unknown <= set(trusted_types())
    return skops.io.loads(content, trusted=trusted_types())


@pytest.mark.parametrize("key", [*ESTIMATORS, *REGRESSORS])
def test_every_model_comes_back_whole(key):
    model = {**ESTIMATORS, **REGRESSORS}[key].cls().fit(X, y)
    again = brought_back(model)
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.predict(X), model.predict(X))
    trees = [getattr(each, "estimators_", [each]) for each in (model, again)]
    for before, after in zip(*trees, strict=True):
        after.tree_.validate()
        assert np.array_equal(after.tree_.threshold, before.tree_.threshold, equal_nan=True)
        assert np.array_equal(after.growth_log_.node, before.growth_log_.node)


def test_a_model_that_came_back_is_asked_and_drawn_as_before():
    model = brought_back(CARTClassifier().fit(X, y))
    assert split_search(model, X, y, 0).split.feature == model.grown_tree_.feature[0]
    assert BoundaryDisplay.from_estimator(model, X, y).figure_.data


def test_nominal_columns_missing_values_and_edits():
    table = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0.2, "u", "v")})
    table.loc[3, "a"], table.loc[5, "b"] = np.nan, None
    for key in ("c45", "cart"):
        model = ESTIMATORS[key].cls().fit(table, y)
        assert np.array_equal(brought_back(model).predict(table), model.predict(table))
    edited = what_if(CARTClassifier().fit(X, y), X, y, [ForcedSplit((), Split(1, 0.3, 0.0))])
    again = brought_back(edited)
    assert again.edits_ == edited.edits_
    assert again.tree_.threshold[0] == 0.3


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor,
                                 partial(RandomForestClassifier, 10),
                                 partial(RandomForestRegressor, 10)])  # fmt: skip
def test_models_of_scikit_learn_that_were_taken_over(cls):
    model = from_sklearn(cls(max_depth=3, random_state=0).fit(X, y))
    assert np.array_equal(brought_back(model).predict(X), model.predict(X))


def test_nothing_is_trusted_unasked():
    with pytest.raises(skops.io.exceptions.UntrustedTypesFoundException):
        skops.io.loads(skops.io.dumps(CARTClassifier().fit(X, y)))
    assert all(name.startswith("lastviz.") for name in trusted_types())
