"""The page *data* tells how a file was read; each guess can be changed, before and after."""

import gzip
from types import SimpleNamespace

import pytest

from lastviz.host.store import Upload
from lastviz.tables import AS_FOUND, Reading
from lastviz.ui.compute import data, scene_file, uploads
from lastviz.ui.compute.data import found_in, load
from lastviz.ui.compute.work import Work
from lastviz.ui.data import controls
from lastviz.ui.shared import new_table, scene_box
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from tests.tables.spreadsheets import workbook

from .conftest import checked, html
from .opened_pages import told
from .test_pages import faults, hand_in, open_app, run

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
    monkeypatch.setattr(data, "done_apart", lambda _, reader, /, *a, **more: reader(*a, **more))


def opened(app):
    """Open the block that tells how the file was read."""
    app.session_state["fold.reading"] = True
    return run(app)


def said(element):
    """What an element says, its signs without the marks that keep them from being Markdown."""
    return element.value.replace("\\", "")


def selection_of(app):
    return app.session_state["selection"]


def test_a_file_says_how_it_was_read():
    app = checked(opened(hand_in(open_app("data"), GERMAN, "umsatz.csv")))
    assert any(c.value.startswith("text · semicolons · decimal comma") for c in app.caption)
    assert app.selectbox(key="read decimal").value == controls.FOUND
    assert app.number_input(key="read header").value == 1
    assert selection_of(app).reading == AS_FOUND


def test_a_guess_is_changed_and_taken_back():
    app = opened(hand_in(open_app("data"), GERMAN, "umsatz.csv"))
    app.number_input(key="read header").set_value(99)
    run(app)
    assert len(faults(app)) == 1
    assert "choose another row" in faults(app)[0]
    assert selection_of(app).reading == AS_FOUND
    checked(app.selectbox(key="read encoding").set_value("cp1250").run())
    assert selection_of(app).reading == Reading(encoding="cp1250")
    checked(app.button(key="read_as_found").click().run())
    assert selection_of(app).reading == AS_FOUND


def test_a_column_is_read_in_another_way(monkeypatch):
    app = opened(hand_in(open_app("data"), GERMAN, "umsatz.csv"))
    before = selection_of(app)
    assert [name for name, _ in before.reading.columns] == []
    reading = before.reading.with_column("seit", "month")
    app.session_state["selection"] = before.change(reading=reading)
    app.query_params.clear()
    monkeypatch.setattr(session, "_address_wins", lambda _: False)
    run(app)
    assert faults(app) == []

    found = found_in(GERMAN, "umsatz.csv", reading)
    assert found.column("seit").read_as == "month"
    assert set(found.column("seit").choices) >= {"days", "year", "month", "weekday", "category"}


def test_another_sheet_is_chosen():
    sheets = {
        "Old": [["Sales"], [], ["x", "class"], *([i, "ab"[i % 2]] for i in range(8))],
        "New": [["y", "z", "class"], *([i, -i, "ab"[i % 2]] for i in range(9))],
    }
    app = opened(hand_in(open_app("data"), workbook(sheets), "two.xlsx"))
    assert "two.xlsx (Excel workbook, Old, names in row 3)" in told(app)
    assert app.number_input(key="read header").value == 3
    assert app.selectbox(key="read part").options == ["as found: Old", "Old", "New"]
    checked(app.selectbox(key="read part").set_value("New").run())
    assert selection_of(app).reading == Reading(part="New")
    assert "two.xlsx (Excel workbook, New)" in told(app)
    assert "9" in html(app)


def test_a_file_that_cannot_be_read_as_found_can_be_read_in_another_way():
    notes = [["What", "why"], ["this", "that"]]
    sheets = {"Notes": notes, "Data": [["x", "class"], [1, "a"], [2, "b"], [3, "a"]]}
    app = hand_in(open_app("data", data="wine"), workbook(sheets), "two.xlsx")
    assert len(faults(app)) == 1
    assert selection_of(app).data == "wine"
    checked(app.selectbox(key="retry part").set_value("Data").run())
    assert selection_of(app).data == "upload"
    assert selection_of(app).reading == Reading(part="Data")


def test_a_table_is_pasted():
    app = open_app("data", data="wine")
    app.text_area(key="pasted_table").set_value("a\tb\tclass\n1,5\t2\tx\n2,5\t3\ty\n3,5\t1\tx\n")
    checked(app.button(key="read_pasted").click().run())
    assert selection_of(app).upload.name == "pasted table"
    assert selection_of(app).upload.rows == 3
    shown = html(app) + " ".join(caption.value for caption in app.caption)
    assert "pasted table (tabs, decimal comma, utf-8)" in shown
    app.text_area(key="pasted_table").set_value("a b")
    app.button(key="read_pasted").click()
    run(app)
    assert len(faults(app)) == 1
    assert "pasted table" in faults(app)[0]
    assert selection_of(app).upload.rows == 3


@pytest.mark.parametrize("name", ["t.csv.gz", "wrong-ending.xlsx"])
def test_what_a_file_is_its_content_says(name):
    data = gzip.compress(GERMAN)
    app = checked(hand_in(open_app("data"), data, name))
    assert selection_of(app).upload.rows == 30


def test_a_reading_in_the_link_that_does_not_fit_is_said_and_left_out():
    upload = Upload("0" * 12, "umsatz.csv", 30)
    reading = Reading(columns=(("no such", "number"),))
    dataset, notes = load(Selection(data=UPLOAD, upload=upload, reading=reading), GERMAN)
    assert dataset.n_samples == 30
    assert "there is no column 'no such'" in notes[0]


COMMAS = (
    "price;size;class\n" + "".join(f"1.{i % 5}25,5;{i % 7};{'ab'[i % 5 > 2]}\n" for i in range(30))
).encode()


def test_the_recipe_stands_in_one_line_and_is_changed_by_what_a_hint_offers():
    table = "code,t,class\n" + "".join(
        f"{('DE', 'NA', 'FR')[i % 3]},{(-999, 1, 2, 3, 4)[i % 5]},{'xy'[i % 2]}\n"
        for i in range(30)
    )
    app = hand_in(open_app("data"), table.encode(), "codes.csv")
    assert any("missing: NA in code" in said(caption) for caption in app.caption)
    offered = {button.label: button for button in app.button}
    checked(offered["“NA” is a level"].click().run())
    assert selection_of(app).reading == AS_FOUND.with_column("code", missing=())
    offered = {button.label: button for button in app.button}
    checked(offered["\\-999 is missing"].click().run())
    line = next(said(c) for c in app.caption if "missing: " in said(c))
    assert "empty cells alone in code" in line
    assert "999 in t" in line
    assert "30" in html(app)


def test_a_refusal_offers_to_leave_out_a_row():
    table = b"a,b,class\ncm,kg,\n" + b"".join(b"%d,%d,%s\n" % (i, i % 5, (b"x", b"y")[i % 2])
                                            for i in range(20))  # fmt: skip
    app = hand_in(open_app("data", data="wine"), table, "units.csv")
    assert "Row 2" in faults(app)[0]
    checked(
        next(button for button in app.button if button.label == "Leave out row 2").click().run()
    )
    assert selection_of(app).reading == Reading(without=(2,))
    assert selection_of(app).upload.rows == 20


def test_new_rows_that_read_otherwise_are_shown_before_they_are_scored():
    app = hand_in(open_app("data"), COMMAS, "known.csv")
    field = next(each for each in app.get("file_uploader") if each.key == "score_field")
    checked(
        field.set_value(("new.csv", b"price;size\n1.125;x\n".replace(b"x", b"3"), "text/csv")).run()
    )
    (warning,) = app.warning
    assert "would be read otherwise" in warning.value
    assert not any("scored" in each.value for each in app.markdown)
    (shown,) = [d.value for d in app.dataframe if "as the training table" in d.value]
    assert shown.to_numpy().tolist() == [["price", "2", "1.125", "1125", "1.125"]]
    (choice,) = [radio for radio in app.radio if radio.label == "Read the file"]
    assert choice.value is None
    checked(choice.set_value(False).run())
    assert any("1 row scored" in each.value for each in app.markdown)


def test_nothing_is_predicted_before_the_reader_has_chosen(monkeypatch):
    rows = SimpleNamespace(differences=[1])
    monkeypatch.setattr(new_table, "_rows", lambda *_: rows)
    monkeypatch.setattr(new_table.st, "session_state", {})
    with pytest.raises(new_table.ReadsOtherwise, match="choose how to read it"):
        new_table.new_table(Work(DEFAULT), b"any", "new.csv")


def test_a_scene_is_read_as_when_it_was_saved():
    """A later version may read a file otherwise; the scene says how it was read."""
    upload = uploads.Upload(uploads.digest_of(COMMAS), "known.csv", 30)
    selection = Selection(data=UPLOAD, upload=upload)
    now = data.found_in(COMMAS, "known.csv").reading
    saved = scene_file.read(scene_file.write(selection, "data", COMMAS, str(now)))
    assert Reading.parse(saved.reading) == now
    assert scene_box._as_saved(selection, COMMAS, saved.reading) == selection
    then = now.with_column("price", "category")
    opened_then = scene_box._as_saved(selection, COMMAS, str(then))
    assert opened_then.reading == then
    assert data.read_file(COMMAS, "known.csv", opened_then.reading).kinds["price"] == "nominal"
    assert scene_box._as_saved(selection, COMMAS, "shoe=1") == selection
