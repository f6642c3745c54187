"""Every export of every kind of model says what `predict` says, of every kind of row.

The rows are those of the training data, rows whose values are thresholds of the tree, and for
models that treat missing values rows without some and rows of categories never seen.
"""

from functools import cache

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import lastviz as lv
from lastviz.export import as_onnx, model_as_json, model_from_json
from lastviz.tree import Kind, Missing
from tests import naive
from tests.conftest import waveform
from tests.export.conftest import by_python, by_sql

LOADED = {
    "iris": load_iris,
    "wine": load_wine,
    "cancer": load_breast_cancer,
    "diabetes": load_diabetes,
}


@cache
def data(name):
    """A table and what is learnt from it."""
    rng = np.random.default_rng(5)
    if name in LOADED:
        X, y = LOADED[name](return_X_y=True, as_frame=True)
        return X, y.to_numpy()
    if name == "waves":
        X, y = waveform(200, 4)
        names = [f"wave {i}" for i in range(X.shape[1])]
        return pd.DataFrame(X, columns=names), np.array(["one", "it's two", "three"])[y]
    if name == "ordered":
        X = pd.DataFrame(rng.random((240, 3)).round(2), columns=list("abc"))
        return X, np.digitize(X.sum(axis=1) + 0.2 * rng.normal(size=240), [1.2, 1.8])
    n = 220
    X = pd.DataFrame(
        {
            "sky": rng.choice(["grey", "it's blue", "red", "white"], n),
            "share0": rng.normal(size=n).round(1),
            "wind": rng.choice(["no", "yes"], n),
            "b": rng.random(n),
        }
    )
    if name == "words":
        return X.drop(columns=["share0", "b"]), np.where(X["sky"] == "red", X["wind"], "no")
    y = np.where((X["share0"] > 0) ^ (X["sky"] == "red") | (X["wind"] == "yes"), "go", "stay")
    if "gaps" in name:
        for column in ("sky", "wind"):
            X[column] = X[column].where(rng.random(n) > 0.15, None)
        X["share0"] = X["share0"].where(rng.random(n) > 0.15)
    if "numbers" in name:
        return X, (y == "go") * 3.0 + X["b"].to_numpy()
    return X, y


PAIRS = {
    "C4.5, iris": (lv.C45Classifier, {}, "iris"),
    "C4.5, wine": (lv.C45Classifier, {"pruning": "none"}, "wine"),
    "C4.5 at values, waves": (lv.C45Classifier, {"threshold": "value"}, "waves"),
    "C4.5, mixed": (lv.C45Classifier, {}, "mixed"),
    "C4.5, mixed with gaps": (lv.C45Classifier, {}, "mixed, gaps"),
    "C4.5 unpruned, mixed with gaps": (lv.C45Classifier, {"pruning": "none"}, "mixed, gaps"),
    "ID3, words": (lv.ID3Classifier, {}, "words"),
    "CART, cancer": (lv.CARTClassifier, {}, "cancer"),
    "CART, ordered": (lv.CARTClassifier, {"criterion": "entropy"}, "ordered"),
    "CART, mixed": (lv.CARTClassifier, {"max_depth": 5}, "mixed"),
    "CART, mixed with gaps": (lv.CARTClassifier, {}, "mixed, gaps"),
    "CART for numbers, diabetes": (lv.CARTRegressor, {}, "diabetes"),
    "CART for numbers, mixed": (lv.CARTRegressor, {}, "mixed numbers"),
    "CART for numbers, gaps": (lv.CARTRegressor, {}, "mixed numbers, gaps"),
    "hybrid, wine": (lv.HybridTreeClassifier, {}, "wine"),
    "GSODT, waves": (lv.GSODTClassifier, {}, "waves"),
    "LSODT, iris": (lv.LSODTClassifier, {}, "iris"),
    "OC1, iris": (lv.OC1Classifier, {"n_restarts": 2}, "iris"),
    "OC1, waves": (lv.OC1Classifier, {"n_restarts": 1}, "waves"),
    "CART-LC, wine": (lv.CARTLCClassifier, {}, "wine"),
    "SVM tree, iris": (lv.SVMTreeClassifier, {"sigma": "scale", "C": 1.0}, "iris"),
    "SVM tree, polynomials, wine": (
        lv.SVMTreeClassifier, {"kernel": "poly", "sigma": "scale", "C": 1.0}, "wine",
    ),
    "SVM tree, lines, waves": (lv.SVMTreeClassifier, {"kernel": "linear", "C": 1.0}, "waves"),
    "REMT, ordered": (lv.REMTClassifier, {}, "ordered"),
    "MCDF, ordered": (lv.MCDFClassifier, {}, "ordered"),
    "MCDF by the median, ordered": (lv.MCDFClassifier, {"vote": "median"}, "ordered"),
    "AdaBoost.M1, ordered": (lv.AdaBoostM1Classifier, {}, "ordered"),
    "monotone boosting, ordered": (lv.MonotoneBoostingClassifier, {"max_iter": 30}, "ordered"),
    "scikit-learn's tree, cancer": (DecisionTreeClassifier, {"random_state": 0}, "cancer"),
    "scikit-learn's tree for numbers": (DecisionTreeRegressor, {"random_state": 0}, "diabetes"),
    "scikit-learn's forest, wine": (
        RandomForestClassifier, {"n_estimators": 15, "random_state": 0}, "wine",
    ),
    "scikit-learn's extra trees, waves": (
        ExtraTreesClassifier, {"n_estimators": 10, "random_state": 0}, "waves",
    ),
    "scikit-learn's forest for numbers": (
        RandomForestRegressor, {"n_estimators": 10, "random_state": 0}, "diabetes",
    ),
}  # fmt: skip


def trees_of(model):
    return [one.tree_ for one in getattr(model, "estimators_", [model])]


def asked(model, X, rng):
    """Rows to be predicted."""
    rows = [X.iloc[rng.permutation(len(X))[:120]]]
    trees = trees_of(model)
    on = X.iloc[rng.integers(0, len(X), 80)].copy()
    for f, name in enumerate(X.columns):
        cuts = np.concatenate([tree.threshold[tree.feature == f] for tree in trees])
        cuts = cuts[np.isfinite(cuts)]
        if len(cuts):
            on[name] = rng.choice(cuts, len(on))
    rows.append(on)
    if all(tree.missing != Missing.REFUSE for tree in trees):
        holes = pd.concat(rows, ignore_index=True).astype(object)
        rows.append(holes.where(rng.random(holes.shape) > 0.3, None).infer_objects())
    if any(len(tree.categories) for tree in trees):
        new = X.iloc[:25].copy()
        new["sky"] = "green"
        rows.append(new)
    found = pd.concat(rows, ignore_index=True)
    for name in X:
        is_number = X[name].dtype.kind in "if"
        found[name] = found[name].astype(float if is_number else object)
        if not is_number:
            found[name] = found[name].where(found[name].notna(), None)
    return found


def by_onnx(model, rows):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(as_onnx(model), options)
    outputs = [each.name for each in session.get_outputs()]
    found = session.run(None, {"X": np.ascontiguousarray(rows, dtype=np.float64)})
    return dict(zip(outputs, found, strict=True))


def as_read(model, rows):
    """The rows as the trees read them: numbers and codes."""
    return model.encode(rows) if hasattr(model, "encode") else rows.to_numpy(dtype=np.float64)


@pytest.mark.parametrize("pair", PAIRS)
def test_every_export_is_predict(pair):
    cls, params, name = PAIRS[pair]
    X, y = data(name)
    model = cls(**params).fit(X, y)
    if cls.__module__.startswith("sklearn"):
        theirs, model = model, lv.from_sklearn(model)
    rows = asked(model, X, np.random.default_rng(1))
    said = model.predict(rows)
    if cls.__module__.startswith("sklearn"):
        np.testing.assert_array_equal(theirs.predict(rows), said)
    every_export_says(model, rows, said)


LINES = {
    "CART, cancer": lambda model: model.with_threshold(0, 0.1),
    "CART, mixed with gaps": lambda model: model.with_threshold("stay", 1 / 6),
    "C4.5, mixed with gaps": lambda model: model.with_threshold("go", 0.8),
    "C4.5 unpruned, mixed with gaps": lambda model: model.with_threshold("stay", 0.25),
    "GSODT, waves": lambda model: model.with_costs([[0, 1, 4], [1, 0, 1], [0.5, 9, 0]]),
    "C4.5, wine": lambda model: model.with_costs([[0, 5, 1], [1, 0, 1], [7, 1, 0]]),
}


@pytest.mark.parametrize("pair", LINES)
def test_every_export_decides_by_the_costs(pair):
    cls, params, name = PAIRS[pair]
    X, y = data(name)
    params = {**params, "max_depth": 3}  # leaves of several classes
    before = cls(**params).fit(X, y)
    model = LINES[pair](before)
    rows = asked(model, X, np.random.default_rng(1))
    shares = before.tree_.class_shares(before.encode(rows))
    said = model.classes_[[naive.cheapest(share, model.tree_.costs) for share in shares]]
    assert (said != before.predict(rows)).any()
    np.testing.assert_array_equal(model.predict(rows), said)
    np.testing.assert_array_equal(model.predict_proba(rows), shares)
    model.tree_.validate()
    every_export_says(model, rows, said)


def every_export_says(model, rows, said):
    np.testing.assert_array_equal(model_from_json(model_as_json(model)).predict(rows), said)
    trees = trees_of(model)
    if any(len(tree.kernel) for tree in trees):
        with pytest.raises(ValueError, match="ONNX cannot hold kernel machines"):
            as_onnx(model)
    else:
        found = by_onnx(model, as_read(model, rows))
        np.testing.assert_array_equal(found.get("label", found.get("number")), said)
        if "class_shares" in found and hasattr(model, "predict_proba"):
            np.testing.assert_allclose(
                found["class_shares"], model.predict_proba(rows), rtol=0, atol=1e-12
            )
    if len(trees) > 1 or hasattr(model, "estimators_"):
        return
    (tree,) = trees
    if not (tree.kind == Kind.KERNEL).any():
        np.testing.assert_array_equal(by_sql(tree, rows), said)
        np.testing.assert_array_equal(by_python(tree, rows.to_dict("records")), said)


def test_there_are_thirty_pairs_and_rows_of_every_kind():
    assert len(PAIRS) >= 30
    X, y = data("mixed, gaps")
    model = lv.C45Classifier().fit(X, y)
    rows = asked(model, X, np.random.default_rng(1))
    parted = np.bincount(model.tree_.leaf_weights(model.encode(rows))[0]) > 1
    assert parted.sum() > 30
    assert (rows["sky"] == "green").any()
    assert np.isin(rows["share0"], model.tree_.threshold).sum() > 20
