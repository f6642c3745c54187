"""Fitted trees of every kind of test, with the rows that they are asked about."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier, GSODTClassifier, OC1Classifier, REMTClassifier
from lastviz.export import as_function, as_sql
from tests.conftest import waveform

NAMES = ("a", "a long name", "it's", 'in "quotes"', "back\\slash")


def by_python(tree, rows):
    """What the tree as a Python function says of rows, each a mapping of names to values."""
    names = {}
    exec(as_function(tree), names)
    return [names["predict"](row) for row in rows]


def by_sql(tree, table):
    """What SQLite makes of the tree as an expression, of each row of a table."""
    base = sqlite3.connect(":memory:")
    table.to_sql("samples", base, index=False)
    return [row[0] for row in base.execute(f"SELECT {as_sql(tree)} FROM samples")]


def _waves(model, n=300):
    X, y = waveform(n, 4)
    names = [NAMES[i] if i < len(NAMES) else f"x{i + 1}" for i in range(X.shape[1])]
    return model, pd.DataFrame(X, columns=names), np.array(["one", "it's two", "three"])[y]


def _alternating(n=400):
    """Classes that alternate along one feature: a leaf for each row."""
    X = np.arange(n, dtype=float)[:, None] ** 1.5
    return CARTClassifier(), pd.DataFrame(X, columns=["x"]), np.arange(n) % 2


def _mixed(n=240):
    """Words and numbers, some of them missing: multiway splits and fractional cases."""
    rng = np.random.default_rng(8)
    X = pd.DataFrame(
        {
            "sky": rng.choice(["grey", "it's blue", "red"], n),
            "a long name": rng.normal(size=n),
            "wind": rng.choice([False, True], n),
        }
    )
    y = np.where((X["a long name"] > 0) ^ (X["sky"] == "red") | X["wind"], "go", "stay")
    for column in X:
        X[column] = X[column].astype(object).where(rng.random(n) > 0.15, None)
    X["a long name"] = X["a long name"].astype(float)
    return C45Classifier(), X, y


MODELS = {
    "thresholds": lambda: _waves(C45Classifier()),
    "thresholds at values": lambda: _waves(C45Classifier(threshold="value")),
    "hyperplanes": lambda: _waves(OC1Classifier(n_restarts=1, random_state=0)),
    "latent hyperplanes": lambda: _waves(GSODTClassifier()),
    "ordered": lambda: _waves(REMTClassifier(class_order=["one", "it's two", "three"])),
    "numbers as classes": _alternating,
}


@pytest.fixture(params=MODELS, scope="package")
def fitted(request):
    model, X, y = MODELS[request.param]()
    return model.fit(X, y), X


@pytest.fixture(scope="package")
def mixed():
    model, X, y = _mixed()
    return model.fit(X, y), X
