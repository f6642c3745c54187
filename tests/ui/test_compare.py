"""The page *compare*: put together, begun, watched, concluded from, and what can go wrong."""

from contextlib import closing

import pytest
from streamlit.testing.v1 import AppTest

from lastviz.studies.database import address_of_store
from lastviz.studies.line import StudyLine
from lastviz.studies.serving import serve
from lastviz.ui.compute import studies

from .conftest import ROOT, checked, html

TOKEN = "a1" * 32


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """A store of its own, and nobody who computes but the test."""
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setattr(studies.COMPUTING, "ensure", lambda: None)


def opened(token=TOKEN, **query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in query.items():
        app.query_params[key] = str(value)
    if token is not None:
        app.session_state["visitor"] = token
    return checked(app.switch_page("pages/compare.py").run())


def compute():
    with closing(StudyLine(address_of_store())) as line:
        serve(line, 1, idle=0.1)


def begun(**query):
    app = opened(**query)
    return checked(app.button(key="study_begin").click().run())


def test_a_study_is_begun_computed_and_concluded_from():
    app = begun(compared="cart,k_nn,c45", compared_on="iris,wine,breast_cancer", study_folds=3)
    assert "**Waiting** to begin; 0 of 27 folds" in [each.value for each in app.markdown]
    compute()
    app = checked(app.run())
    assert "**Done** 27 of 27 folds" in [each.value for each in app.markdown]
    assert html(app).count("data-done='3'") == 9
    assert "has the best mean rank" in html(app)
    saved = {each.label for each in app.get("download_button")}
    assert saved >= {"Folds as CSV", "Folds as Parquet", "Report", "Study file"}
