"""Fitted trees of every kind of test, with the rows that they are asked about."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier, GSODTClassifier, OC1Classifier, REMTClassifier
from tests.conftest import waveform

NAMES = ("a", "a long name", "it's", 'in "quotes"', "back\\slash")


def _waves(model, n=300):
    X, y = waveform(n, 4)
    names = [NAMES[i] if i < len(NAMES) else f"x{i + 1}" for i in range(X.shape[1])]
    return model, pd.DataFrame(X, columns=names), np.array(["one", "it's two", "three"])[y]


def _alternating(n=400):
    """Classes that alternate along one feature: a leaf for each row."""
    X = np.arange(n, dtype=float)[:, None] ** 1.5
    return CARTClassifier(), pd.DataFrame(X, columns=["x"]), np.arange(n) % 2


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
