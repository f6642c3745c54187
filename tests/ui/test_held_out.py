"""Rows held out by whole units: in links, on the pages, and in what leaves the app."""

import numpy as np
import pandas as pd
import pytest

from lastviz.ui.compute.work import Work
from lastviz.ui.shared.exports import general_caveats, settings_section
from lastviz.ui.shared.held_out import held_words, last_rows
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from lastviz.ui.state.session import data_params, model_params

from .conftest import checked, opened, with_tables
from .opened_pages import said, seen, told
from .test_exits import prints_accuracy

N = 400


def write_visits(where):
    """Visits of patients in the order of time, whose classes come in stretches."""
    rng = np.random.default_rng(5)
    state = np.cumsum(rng.random(N) < 0.04) % 2
    days = pd.Timestamp("2021-03-01") + pd.to_timedelta(np.arange(N)[::-1], unit="D")
    pd.DataFrame(
        {
            "day": days.strftime("%Y-%m-%d"),
            "patient": rng.integers(0, 37, N),
            "ward": rng.choice(["north", "south", "east", "west"], N),
            "fever": (37 + state + rng.normal(0, 0.6, N)).round(1),
            "class": np.where(state, "ill", "well"),
        }
    ).to_csv(where / "visits.csv", index=False)


folder = with_tables(write_visits)
VISITS = "folder.visits"
LINK = {"data": VISITS, "columns": "auto", "m": "cart", "m.max_leaf_nodes": 5}


def visits(**fields):
    models = (Model("cart", (("max_leaf_nodes", 5),)),)
    return Work(DEFAULT.change(data=VISITS, models=models).having(**fields))


@pytest.mark.parametrize("text", ["", "last", "blocks", "last1", "groups3"])
def test_links_keep_how_rows_are_held_out(text):
    selection = Selection(data="wine", held_by=text)
    assert decode(encode(selection), data_params, model_params) == (selection, ())
    assert ("held_by" in encode(selection)) == bool(text)
    assert selection.change(data="iris").held_by == ""


@pytest.mark.parametrize("text", ["first", "groups", "blocks2", "last0", "groups-1", "last 3"])
def test_other_ways_are_refused_with_a_sentence(text):
    selection, problems = decode({"data": "wine", "held_by": text}, data_params, model_params)
    assert selection == Selection(data="wine")
    assert len(problems) == 1


def test_the_rows_held_out_are_those_that_were_asked_for():
    full, random = visits().data.full, visits().first.division.held_out_rows
    last = visits(held_by="last").first.division
    assert last.held_out_rows.tolist() == list(range(280, 400))
    by_day = visits(held_by="last1").first.division
    assert by_day.held_out_rows.tolist() == list(range(120))  # the file begins with the latest
    blocks = visits(held_by="blocks").first.division.held_out_rows
    assert sorted(set(blocks // 20)) == sorted(np.unique(blocks // 20, return_counts=True)[0])
    assert np.unique(blocks // 20, return_counts=True)[1].tolist() == [20] * 6
    groups = visits(held_by="groups2").first.division
    patient = full.X["patient"].to_numpy()
    assert not set(patient[groups.train_rows]) & set(patient[groups.held_out_rows])
    assert abs(len(groups.held_out_rows) - 120) < 12
    assert visits(held_by="last").first.cache_key != visits().first.cache_key
    assert len(random) == 120
    other = visits(held_by="blocks", seed=2).first.division.held_out_rows
    assert other.tolist() != blocks.tolist()


def test_a_column_that_is_not_there_is_said_and_rows_are_drawn():
    work = visits(held_by="groups9")
    assert any("held_by" in note for note in work.data.notes)
    assert work.first.division.held_out_rows.tolist() == (
        visits().first.division.held_out_rows.tolist()
    )
    assert held_words(work) == ""


@pytest.mark.parametrize(("how", "words"), [
    ("last", "the last 120 rows"),
    ("last1", "the last 120 rows by day"),
    ("blocks", "6 of 20 blocks of consecutive rows"),
    ("groups3", "1 of 4 groups of ward"),
])  # fmt: skip
def test_pages_and_reports_say_which_rows_are_held_out(how, words):
    work = visits(held_by=how)
    assert held_words(work) == words
    assert f"Held out: {words}." in told(seen("rules", **LINK, held_by=how))
    assert f"held out: {words}" in told(seen("boundaries", **LINK, held_by=how))
    assert any("too narrow" in sentence for sentence in general_caveats(work))
    assert not any("another seed" in sentence for sentence in general_caveats(work))
    rows = settings_section(work).blocks[0].rows
    assert ["held out", f"30 %, {words}"] in rows


@pytest.mark.parametrize("how", ["last", "last1", "blocks", "groups2"])
def test_a_script_holds_out_the_same_rows(how, tmp_path):
    work = visits(held_by=how)
    (tmp_path / "visits.csv").write_bytes(b"")
    prints_accuracy(work.selection, tmp_path)


def test_a_warning_about_the_order_of_rows_is_answered_by_a_click():
    app = opened("data", **LINK)
    assert "Rows held out at random may then look easier" in said(app, "markdown")
    label = "Hold out the last rows"
    (button,) = (each for each in app.button if each.label == label)
    checked(button.click().run())
    assert app.query_params["held_by"] == last_rows(visits()) == "last1"
    assert "Held out: the last 120 rows by day." in said(app, "markdown")
    assert label not in [each.label for each in app.button]
    assert app.selectbox(key="held_by").value == "last1"
    places = [n for n, each in enumerate(app.button) if each.label == "Undo"]
    checked(app.button[places[-1]].click().run())
    assert "held_by" not in app.query_params


def test_the_sidebar_offers_units_for_tables_alone():
    app = opened("rules", **LINK)
    box = app.selectbox(key="held_by")
    assert box.options[:4] == [
        "Drawn at random", "The last rows", "Blocks of neighbours", "The last rows by day",
    ]  # fmt: skip
    checked(box.set_value("groups2").run())
    assert app.query_params["held_by"] == "groups2"
    assert "held_by" not in [each.key for each in seen("rules", data="iris", m="cart").selectbox]
