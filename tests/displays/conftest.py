"""Pages that are patient with their models, and moons."""

import pytest
from sklearn.datasets import make_moons

from lastviz.host import jobs
from tests.patience import SECONDS

X, y = make_moons(120, noise=0.25, random_state=0)
X = X.round(2)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", SECONDS)
