"""Whatever is handed in, an estimator learns from it or says in one sentence why not."""

from __future__ import annotations

import datetime
import re
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

import lastviz
from lastviz import (
    CARTClassifier,
    CARTRegressor,
    MCDFClassifier,
    REMTClassifier,
    from_sklearn,
    show,
    what_if,
)
from lastviz.estimators import ESTIMATORS
from lastviz.export import (
    as_dot,
    as_function,
    as_json,
    as_onnx,
    as_sql,
    model_as_json,
    model_from_json,
    rules_as_csv,
    rules_as_text,
)
from lastviz.export.tree_json import json_refusal
from lastviz.inspection import explain, nearest, rules, stability

N = 24
NUMBERS = np.random.default_rng(0).normal(size=(N, 3)).round(3)
Y = (NUMBERS[:, 0] + NUMBERS[:, 1] > 0).astype(int)


def table(*columns: object, names: object = "abcdefg") -> pd.DataFrame:
    made = pd.DataFrame(dict(enumerate([*NUMBERS.T[:2], *columns])))
    return made.set_axis(list(names)[: made.shape[1]], axis=1)


def objects(*values: object) -> pd.Series:
    return pd.Series([values[i % len(values)] for i in range(N)], dtype=object)


DAYS = pd.date_range("2020-01-01", periods=N)
TABLES = {
    "one name twice": table(NUMBERS[:, 2], names="aab"),
    "one name thrice, with categories": table(objects("u", "v"), names="aaa"),
    "names of two kinds": table(NUMBERS[:, 2], names=["a", 1, "b"]),
    "a name is None": table(NUMBERS[:, 2], names=["a", None, "b"]),
    "names are numbers": table(NUMBERS[:, 2], names=[1, 2, 3]),
    "names are pairs": table(names=[("a", 1), ("a", 2)]),
    "dates": table(DAYS),
    "dates with a zone": table(DAYS.tz_localize("UTC")),
    "dates alone": pd.DataFrame({"d": DAYS}),
    "dates in an array": DAYS.to_numpy()[:, None],
    "durations": table(pd.to_timedelta(np.arange(N), "h")),
    "categories of dates": table(pd.Categorical(DAYS[:2].repeat(N // 2))),
    "periods": table(pd.period_range("2020-01", periods=N, freq="M")),
    "intervals": table(pd.interval_range(0, N)),
    "fractions": table(objects(Fraction(1, 3), Fraction(2, 3))),
    "date objects": table(objects(datetime.date(2020, 1, 1), datetime.date(2021, 1, 1))),
    "stamps as objects": table(objects(*DAYS)),
    "no column": np.empty((N, 0)),
    "a table without a column": pd.DataFrame(index=range(N)),
    "no row": np.empty((0, 3)),
    "infinite": np.where(NUMBERS > 1, np.inf, NUMBERS),
    "infinite beside categories": table(objects("u", "v"), np.where(Y, np.inf, 1.0)),
    "infinite category": table(objects(np.inf, "v")),
    "nothing known": np.full((N, 2), np.nan),
    "a column of nothing": table(objects(None)),
    "missing": np.where(NUMBERS > 1, np.nan, NUMBERS),
    "complex": NUMBERS + 1j,
    "a complex column": table(NUMBERS[:, 0] + 1j),
    "complex objects": table(objects(1j, 2j)),
    "largest": np.where(NUMBERS > 0, np.finfo(float).max, -np.finfo(float).max),
    "1e308": NUMBERS / np.abs(NUMBERS).max() * 1e308,
    "denormal": np.where(NUMBERS > 0, 5e-324, 0.0),
    "one denormal column": np.where(Y, 5e-324, 0.0)[:, None],
    "categories of 1e20": table(pd.Series([1e20, 2e20] * (N // 2)).astype("category")),
    "categories of 1e300": table(pd.Series([1e300, -1e300] * (N // 2)).astype("category")),
    "whole categories beyond int64": table(objects(2**70, 2**71)),
    "categories of all kinds": table(objects(1, "u", 2.5, True)),
    "categories are pairs": table(objects((1, 2), (2, 1))),
    "categories are lists": table(objects([1], [2])),
    "categories are mappings": table(objects({}, {"u": 1})),
    "categories are bytes": table(objects(b"u", b"v")),
    "categories are decimals": table(objects(Decimal(1), Decimal(2))),
    "categories are objects": table(objects(object())),
    "constant": np.ones((N, 2)),
    "one row": NUMBERS[:1],
    "text": np.array([["u", "v"]] * N),
    "text and numbers": np.array([["u", 1.5]] * N, dtype=object),
    "whole numbers beyond 2**53": np.array([[2**60 + i, 1] for i in range(N)]),
    "whole numbers beyond int64": np.array([[2**80 + i, 1] for i in range(N)], dtype=object),
    "long doubles": NUMBERS.astype(np.longdouble),
    "nullable": table(pd.array([1, pd.NA] * (N // 2), dtype="Int64")),
    "sparse": sparse.csr_matrix(NUMBERS),
    "sparse of keys": sparse.dok_array(NUMBERS),
    "one dimension": NUMBERS[:, 0],
    "a column alone": pd.Series(NUMBERS[:, 0]),
    "three dimensions": np.ones((N, 2, 2)),
    "a number": 3.0,
    "None": None,
    "a word": "abc",
    "a mapping": {"a": [1]},
    "rows of two lengths": [[1, 2], [1]] * (N // 2),
    "records": np.array([(1, 2.0)] * N, dtype=[("a", int), ("b", float)]),
}
LABELS = {
    "None": [None, *"ab" * (N // 2 - 1), "a"],
    "NaN": [np.nan, *[0, 1] * (N // 2 - 1), 1],
    "NaN among text": objects(np.nan, "a", "b"),
    "NA": pd.array([pd.NA, 0] * (N // 2), dtype="Int64"),
    "missing category": pd.Series(pd.Categorical([None, "a"] * (N // 2))),
    "text and numbers": [0, "a"] * (N // 2),
    "dates": DAYS,
    "bytes": np.array([b"a", b"b"] * (N // 2)),
    "not whole": NUMBERS[:, 0],
    "infinite": np.where(Y, np.inf, 0.0),
    "complex": Y * 1j,
    "pairs": [(0, 1), (1, 0)] * (N // 2),
    "mappings": [{}] * N,
    "two columns": np.column_stack([Y, Y]),
    "nothing": None,
    "too few": Y[:5],
    "a number": 1,
    "a word": "abc",
    "beyond int64": [2**70, 1] * (N // 2),
    "one class": np.zeros(N, dtype=int),
    "numbers as objects": Y.astype(object),
}
MODELS = {key: entry.cls() for key, entry in ESTIMATORS.items()} | {"numbers": CARTRegressor()}
NAMES_DIFFER = "The feature names should match"  # whose lines scikit-learn's contract asks for


def sentence_of(ask: object) -> str | None:
    """Return why something was refused, None if it was not; other errors are the test's."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ask()
    except (TypeError, ValueError) as refusal:
        said = str(refusal)
        assert said.strip()
        assert "\n" not in said or said.startswith(NAMES_DIFFER)
        assert not re.search(r"ufunc|promot|unhashable|has no attribute|not iterable|index", said)
        if isinstance(refusal, TypeError):  # where scikit-learn's contract says so
            assert re.search(r"names of columns|argument must be|bytes|[Ss]parse", said)
        return said
    return None


@pytest.mark.parametrize("key", MODELS)
@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_learnt_and_kept_or_refused_in_a_sentence(key, name):
    fitted, X = clone(MODELS[key]), TABLES[name]
    y = Y if not hasattr(X, "shape") or not X.shape else Y[: X.shape[0]]
    if sentence_of(lambda: fitted.fit(X, y)) is None:
        assert len(fitted.predict(X)) == len(y)
        if key == "numbers" or json_refusal(fitted) is None:
            text = model_as_json(fitted)
            assert sentence_of(lambda: model_from_json(text)) is None


@pytest.mark.parametrize("key", MODELS)
@pytest.mark.parametrize("name", LABELS)
def test_labels_are_learnt_or_refused_in_a_sentence(key, name):
    fitted = clone(MODELS[key])
    if sentence_of(lambda: fitted.fit(NUMBERS, LABELS[name])) is None:
        assert len(fitted.predict(NUMBERS)) == N


ASKED = {
    "numbers": CARTClassifier(max_depth=3).fit(table(NUMBERS[:, 2]), Y),
    "array": CARTClassifier(max_depth=3).fit(NUMBERS, Y),
    "categories": CARTClassifier(max_depth=3).fit(table(objects("u", "v")), Y),
    "forest": MCDFClassifier().fit(NUMBERS, Y),
    "regressor": CARTRegressor(max_depth=2).fit(NUMBERS, NUMBERS[:, 0]),
}


@pytest.mark.parametrize("key", ASKED)
@pytest.mark.parametrize("name", TABLES)
def test_a_fitted_model_answers_about_a_table_or_says_why_not(key, name):
    fitted, X = ASKED[key], TABLES[name]
    sentence_of(lambda: fitted.predict(X))
    sentence_of(lambda: show(fitted, X))
    sentence_of(lambda: show(fitted, X, Y))
    if isinstance(X, np.ndarray | pd.DataFrame | list) and len(X):
        row = X.iloc[:1] if hasattr(X, "iloc") else X[0]
        sentence_of(lambda: explain(fitted, row))
        sentence_of(lambda: nearest(fitted, row, 0, seconds=0.1))


@pytest.mark.parametrize("ask", [explain, partial(nearest, wanted=0)])
@pytest.mark.parametrize("change", [lambda row: row[["c", "b", "a"]], lambda r: r.add_suffix("2")])
def test_a_row_is_read_by_its_names_or_refused(ask, change):
    row = change(table(NUMBERS[:, 2]).iloc[:1])
    for model in (ASKED["numbers"], MCDFClassifier().fit(table(NUMBERS[:, 2]), Y)):
        for given in (row, row.iloc[0]):
            said = sentence_of(partial(ask, model, given))
            assert (said or "").startswith(NAMES_DIFFER)


SINGLE = [as_sql, as_function, as_dot, as_json, rules_as_text, rules_as_csv, rules]
OF_MODELS = {
    **{form.__name__: form for form in (*SINGLE, as_onnx, model_as_json)},
    "explain": lambda model: explain(model, NUMBERS[0]),
    "nearest": lambda model: nearest(model, NUMBERS[0], 0),
    "stability": lambda model: next(stability(model, NUMBERS, Y, 1)),
    "what_if": lambda model: what_if(model, NUMBERS, Y, []),
}


@pytest.mark.parametrize("ask", OF_MODELS)
def test_what_is_no_fitted_model_is_refused_in_a_sentence(ask):
    forest = RandomForestClassifier(2, random_state=0).fit(NUMBERS, Y)
    others = (forest, forest.estimators_[0], forest.estimators_[0].tree_, CARTClassifier(), None, Y)
    for other in others:
        assert sentence_of(partial(OF_MODELS[ask], other))
    sentence_of(lambda: OF_MODELS[ask](from_sklearn(forest)))


@pytest.mark.parametrize("form", SINGLE)
def test_a_form_of_a_tree_takes_its_model(form):
    assert form(ASKED["numbers"]) == form(ASKED["numbers"].tree_) or form is rules


@pytest.mark.parametrize("key", ASKED)
@pytest.mark.parametrize("name", LABELS)
def test_labels_of_rows_to_show_and_to_change_fit_or_are_refused(key, name):
    fitted, y = ASKED[key], LABELS[name]
    X = table(objects("u", "v")) if key == "categories" else NUMBERS
    sentence_of(lambda: show(fitted, X, y))
    if hasattr(fitted, "tree_"):
        sentence_of(lambda: what_if(fitted, X, y, []))
        sentence_of(lambda: fitted.splitter(X, y))


@pytest.mark.parametrize("times", [1e300, 1e-300, 1e160, np.inf, np.nan, -1.0])
@pytest.mark.parametrize("key", ["cart", "c45", "id3", "optimal", "numbers"])
def test_weights_change_nothing_silently(key, times):
    model, weight = clone(MODELS[key]), np.random.default_rng(1).integers(1, 4, N) * 1.0
    grown = clone(model).fit(NUMBERS.round(), Y, weight)
    if sentence_of(lambda: model.fit(NUMBERS.round(), Y, weight * times)) is None:
        assert model.tree_.threshold.tolist() == grown.tree_.threshold.tolist()


def test_an_envelope_of_one_feature_and_a_row_that_is_not_whole_have_a_nearest_point():
    x = np.linspace(0.0, 1.0, N)[:, None]
    envelope = REMTClassifier(monotone=True).fit(x, np.arange(N) // 8)
    assert envelope.predict(nearest(envelope, x[0], 2).point[None, :]) == [2]
    forest = MCDFClassifier().fit(NUMBERS * 5, Y)
    found = nearest(forest, NUMBERS[0] * 5, int(1 - Y[0]), whole=(0, 1, 2), fixed=(2,))
    assert found.point is None or forest.predict(found.point[None, :]) == [1 - Y[0]]
    moved = np.flatnonzero(found.point != NUMBERS[0] * 5)
    assert (found.point[moved] == np.round(found.point[moved])).all()


def test_no_estimator_reads_data_past_the_gate():
    folder = Path(lastviz.__file__).parent
    past = re.compile(r"^from sklearn.*import .*\b(validate_data|check_array|check_X_y)\b", re.M)
    reading = [*(folder / "estimators").glob("*.py"), *(folder / "displays").glob("*.py")]
    found = {file.name for file in reading if past.search(file.read_text(encoding="utf-8"))}
    assert found == {"reading.py"}
