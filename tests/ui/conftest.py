"""Pages under test wait for their models, however busy the machine is."""

import pytest

from lastviz.ui import jobs


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
