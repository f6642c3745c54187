"""A link to a file that is not here: every page shows where to drop it, and nothing else."""

import pytest

from lastviz.datasets import load_dataset, to_csv
from lastviz.ui.compute import uploads
from lastviz.ui.frame import PAGES

from .conftest import checked, opened

WINE = to_csv(load_dataset("wine"))
LINK = {
    "data": "upload",
    "file": "wines.csv",
    "digest": uploads.digest_of(WINE),
    "rows": "178",
    "m": "c45",
    "held": "0.2",
}


def titles(app):
    return [title.value.replace("\\", "") for title in app.title]


def said(app, name):
    value = app.query_params[name]
    return value if isinstance(value, str) else value[-1]


def drop(app, name, content):
    app.file_uploader(key="missing_file_field").set_value((name, content, "text/csv"))
    return checked(app.run())


@pytest.fixture
def known(monkeypatch):
    """The browser has answered that it keeps no token."""
    monkeypatch.setattr(uploads.visitor, "is_known", lambda: True)


def test_what_is_kept_is_told_without_the_file(known):
    app = opened("privacy", **LINK)
    assert titles(app) == ["What is stored about me, and for how long?"]
    assert "Nothing about you is stored here." in [each.value for each in app.markdown]


@pytest.mark.parametrize("page", [name for name in PAGES if name != "privacy"])
def test_every_page_asks_for_the_file_and_shows_nothing_else(known, page):
    app = opened(page, **LINK)
    assert titles(app) == ["Please provide wines.csv, 178 rows"]
    assert [button.label for button in app.button] == ["Go on with other data"]
    assert len(app.file_uploader) == 1
    assert not app.get("plotly_chart")
    assert not app.metric
    assert not app.sidebar.children
    drawn = [block.proto.key if hasattr(block.proto, "key") else "" for block in app.main]
    assert not [key for key in drawn if "chart" in key]


def test_the_file_brings_the_scene_back_under_any_name(known):
    app = drop(opened("rules", **LINK), "other name.csv", WINE)
    assert titles(app) == ["What does the tree say?"]
    assert said(app, "file") == "wines.csv"
    assert said(app, "held") == "0.2"
    assert said(app, "m") == "c45"


def test_another_file_is_told_from_it_and_can_be_looked_at(known):
    iris = to_csv(load_dataset("iris"))
    app = drop(opened("data", **LINK), "iris.csv", iris)
    assert "has 150 rows" in app.warning[0].value
    assert "the one of the scene has 178" in app.warning[0].value
    app = checked(app.button(key="missing_file_anyway").click().run())
    assert said(app, "file") == "iris.csv"
    assert said(app, "rows") == "150"
    assert titles(app) == ["What is in the data?"]


def test_a_changed_file_of_the_same_name_and_rows_is_another(known):
    changed = WINE.replace(b"14.23", b"14.24", 1)
    assert changed != WINE
    app = drop(opened("data", **LINK), "wines.csv", changed)
    assert "other contents" in app.warning[0].value
    assert titles(app) == ["Please provide wines.csv, 178 rows"]


def test_what_is_no_table_is_refused_with_the_reason(known):
    app = opened("data", **LINK)
    app.file_uploader(key="missing_file_field").set_value(("a.csv", b"only\n1\n", "text/csv")).run()
    assert "only one column" in app.error[0].value
    assert titles(app) == ["Please provide wines.csv, 178 rows"]


def test_one_can_go_on_without_it(known):
    app = opened("data", **LINK)
    app = checked(app.button(key="missing_file_without").click().run())
    assert titles(app) == ["What is in the data?"]
    assert said(app, "data") == "xor"


def test_a_name_is_no_markup(known):
    app = opened("data", **{**LINK, "file": "<b>**x**</b>.csv"})
    assert app.title[0].value.startswith(r"Please provide \<b\>\*\*x\*\*\</b\>")
