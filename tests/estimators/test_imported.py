"""Models that were read: they decide as the ones did that were written."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from lastviz import (
    AdaBoostM1Classifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    MCDFClassifier,
    REMTClassifier,
    SVMTreeClassifier,
)
from lastviz.estimators import make_imported
from lastviz.export import model_as_json, model_from_json
from tests.conftest import waveform


def ordered(n=240):
    rng = np.random.default_rng(3)
    X = rng.random((n, 3))
    return X, np.digitize(X.sum(axis=1) + 0.3 * rng.normal(size=n), [1.2, 1.8])


MODELS = {
    "cart": (CARTClassifier(), waveform(150, 1)),
    "c45": (C45Classifier(), waveform(150, 2)),
    "svm tree": (SVMTreeClassifier(sigma=8.0, C=1.0), waveform(90, 3)),
    "remt": (REMTClassifier(), ordered()),
    "mcdf": (MCDFClassifier(), ordered()),
    "mcdf by the median": (MCDFClassifier(vote="median"), ordered()),
    "adaboost": (AdaBoostM1Classifier(n_estimators=5), ordered()),
    "numbers": (CARTRegressor(max_depth=5), ordered()),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_read_from_json_predicts_as_the_first_one_and_both_by_the_largest_share(name):
    model, (X, y) = MODELS[name]
    model.fit(X, y)
    text = model_as_json(model)
    back = model_from_json(text)
    rng = np.random.default_rng(0)
    rows = np.vstack([X, X[rng.integers(0, len(X), 300)] + rng.normal(size=(300, X.shape[1]))])
    frame = named(rows, back)
    assert_array_equal(back.predict(frame), model.predict(rows))
    assert back.algorithm_ == type(model).__name__
    assert model_as_json(back) == text
    if name in ("cart", "c45"):
        assert_array_equal(back.predict_proba(frame), model.predict_proba(rows))
    for each in (model, back):
        if hasattr(each, "classes_"):
            rows = X if hasattr(X, "iloc") or each is model else named(X, each)
            shares = each.predict_proba(rows)
            assert_array_equal(each.classes_[shares.argmax(axis=1)], each.predict(rows))
            np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def named(rows, model):
    return pd.DataFrame(rows, columns=model.trees_[0].feature_names)


def test_an_envelope_is_refused():
    X, y = ordered()
    for model in (REMTClassifier(monotone=True), MCDFClassifier(monotone=True)):
        with pytest.raises(ValueError, match="cannot hold a monotone envelope"):
            model_as_json(model.fit(X, y))


def test_labels_can_be_named_anew():
    X, y = ordered()
    model = CARTClassifier(max_depth=2).fit(X, y)
    document = json.loads(model_as_json(model, ["low", "middle", "high"]))
    assert document["classes"] == ["low", "middle", "high"]
    with pytest.raises(ValueError, match="3 classes, got 1"):
        model_as_json(model, ["low"])


def test_trees_that_do_not_belong_together_are_refused():
    one = CARTClassifier(max_depth=1).fit(*waveform(60, 1)).tree_
    other = CARTRegressor(max_depth=1).fit(*ordered()).tree_
    with pytest.raises(ValueError, match="tree 1 knows other features"):
        make_imported([one, other], "votes")
    with pytest.raises(ValueError, match="decision must be one of"):
        make_imported([one], "guess")
    with pytest.raises(ValueError, match="cannot be made by 2 trees"):
        make_imported([one, one], "tree")
    with pytest.raises(ValueError, match="1 weights for 2 trees"):
        make_imported([one, one], "votes", weights=[1.0])
