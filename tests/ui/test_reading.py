"""The page *data* tells how a file was read; each guess can be changed, before and after."""

import gzip

import pytest

from lastviz.host.store import Upload
from lastviz.tables import AS_FOUND, Reading
from lastviz.ui.compute import data
from lastviz.ui.compute.data import load
from lastviz.ui.data import controls
from lastviz.ui.state import session
from lastviz.ui.state.selection import UPLOAD, Selection
from tests.tables.spreadsheets import workbook

from .test_pages import faults, hand_in, open_app, run, words

__all__ = ["open_app"]  # a fixture

GERMAN = (
    "umsatz;anteil;seit;risiko;class\n"
    + "".join(
        f"1.23{i % 10},50;1{i % 10},5 %;{1 + i % 9}.0{1 + i % 9}.2024;{('low', 'high')[i % 2]};"
        f"{'ab'[i % 3 == 0]}\n"
        for i in range(30)
    )
).encode("cp1252")


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    """Files are read in this process; in test_pages they are read apart, as readers' are."""

    def here(_, reader, /, *values, **more):
        return reader(*values, **more)

    monkeypatch.setattr(data, "done_apart", here)


def opened(app):
    """Open the block that tells how the file was read."""
    app.session_state["fold.reading"] = True
    return run(app)


def selection_of(app):
    return app.session_state["selection"]


def test_a_file_says_how_it_was_read(open_app):
    app = opened(hand_in(open_app("data"), GERMAN, "umsatz.csv"))
    assert faults(app) == []
    assert any(c.value.startswith("text · semicolons · decimal comma") for c in app.caption)
    assert app.selectbox(key="read decimal").value == controls.FOUND
    assert app.number_input(key="read header").value == 1
    assert selection_of(app).reading == AS_FOUND


def test_a_guess_is_changed_and_taken_back(open_app):
    app = opened(hand_in(open_app("data"), GERMAN, "umsatz.csv"))
    app.number_input(key="read header").set_value(99)
    run(app)
    assert len(faults(app)) == 1
    assert "choose another row" in faults(app)[0]
    assert selection_of(app).reading == AS_FOUND
    app.selectbox(key="read encoding").set_value("cp1250")
    run(app)
    assert faults(app) == []
    assert selection_of(app).reading == Reading(encoding="cp1250")
    app.button(key="read_as_found").click()
    run(app)
    assert selection_of(app).reading == AS_FOUND


def test_a_column_is_read_in_another_way(open_app, monkeypatch):
    app = opened(hand_in(open_app("data"), GERMAN, "umsatz.csv"))
    before = selection_of(app)
    assert [name for name, _ in before.reading.columns] == []
    reading = before.reading.with_column("seit", "month")
    app.session_state["selection"] = before.change(reading=reading)
    app.query_params.clear()
    monkeypatch.setattr(session, "_address_wins", lambda _: False)
    run(app)
    assert faults(app) == []
    from lastviz.ui.compute import cache

    found = cache.found_in(GERMAN, "umsatz.csv", reading)
    assert found.column("seit").read_as == "month"
    assert set(found.column("seit").choices) >= {"days", "year", "month", "weekday", "category"}


def test_another_sheet_is_chosen(open_app):
    sheets = {
        "Old": [["x", "class"], *([i, "ab"[i % 2]] for i in range(8))],
        "New": [["y", "z", "class"], *([i, -i, "ab"[i % 2]] for i in range(9))],
    }
    app = opened(hand_in(open_app("data"), workbook(sheets), "two.xlsx"))
    assert app.selectbox(key="read part").options == ["as found: Old", "Old", "New"]
    app.selectbox(key="read part").set_value("New")
    run(app)
    assert faults(app) == []
    assert selection_of(app).reading == Reading(part="New")
    assert "9" in words(app)


def test_a_file_that_cannot_be_read_as_found_can_be_read_in_another_way(open_app):
    notes = [["What", "why"], ["this", "that"]]
    sheets = {"Notes": notes, "Data": [["x", "class"], [1, "a"], [2, "b"], [3, "a"]]}
    app = hand_in(open_app("data", data="wine"), workbook(sheets), "two.xlsx")
    assert len(faults(app)) == 1
    assert selection_of(app).data == "wine"
    app.selectbox(key="retry part").set_value("Data")
    run(app)
    assert faults(app) == []
    assert selection_of(app).data == "upload"
    assert selection_of(app).reading == Reading(part="Data")


def test_a_table_is_pasted(open_app):
    app = open_app("data", data="wine")
    app.text_area(key="pasted_table").set_value("a\tb\tclass\n1,5\t2\tx\n2,5\t3\ty\n3,5\t1\tx\n")
    app.button(key="read_pasted").click()
    run(app)
    assert faults(app) == []
    assert selection_of(app).upload.name == "pasted table"
    assert selection_of(app).upload.rows == 3
    app.text_area(key="pasted_table").set_value("a b")
    app.button(key="read_pasted").click()
    run(app)
    assert len(faults(app)) == 1
    assert "pasted table" in faults(app)[0]
    assert selection_of(app).upload.rows == 3


@pytest.mark.parametrize("name", ["t.csv.gz", "wrong-ending.xlsx"])
def test_what_a_file_is_its_content_says(open_app, name):
    data = gzip.compress(GERMAN)
    app = hand_in(open_app("data"), data, name)
    assert faults(app) == []
    assert selection_of(app).upload.rows == 30


def test_a_reading_in_the_link_that_does_not_fit_is_said_and_left_out():
    upload = Upload("0" * 12, "umsatz.csv", 30)
    reading = Reading(columns=(("no such", "number"),))
    dataset, notes = load(Selection(data=UPLOAD, upload=upload, reading=reading), GERMAN)
    assert dataset.n_samples == 30
    assert "there is no column 'no such'" in notes[0]
