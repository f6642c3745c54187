"""The first look on the page *data*: its sentences, what their buttons do, what links say."""

from functools import partial

import pytest

from lastviz.datasets.labels import Labels
from lastviz.host.store import Upload
from lastviz.ui.compute.work import Work
from lastviz.ui.data.findings import findings
from lastviz.ui.data.report import report_of
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.state.link_texts import ALL_COLUMNS
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.state.session import data_params, model_params
from tests.credit import write_credit
from tests.leaky import leaky_credit

from .conftest import checked, opened, with_tables
from .opened_pages import seen

LEFT_OUT = ["customer_id", "name", "opened_on"]


def write_leaky(where):
    leaky_credit().to_csv(where / "credit.csv", index=False)


folder = with_tables(write_leaky, partial(write_credit, name="clean"))
CREDIT = "folder.credit"


def read(query):
    selection, problems = decode(query, data_params, model_params)
    assert problems == ()
    return selection


def test_a_table_is_learnt_from_without_what_names_its_rows():
    loaded = Work(Selection(data=CREDIT)).data
    assert [name for name in loaded.full.feature_names if name not in loaded.dataset.kinds] == (
        LEFT_OUT
    )
    tree = Work(Selection(data=CREDIT)).first.tree
    assert not set(LEFT_OUT) & set(tree.feature_names)
    everything = Work(Selection(data=CREDIT, columns=ALL_COLUMNS)).data.dataset
    assert everything.n_features == loaded.full.n_features


def test_a_date_stays_one_whatever_its_unit_is_called():
    named = Selection(data=CREDIT, labels=pack_labels(Labels(units={"opened_on": "days"})))
    assert "opened_on" not in Work(named).dataset.kinds


def test_a_link_of_before_still_means_every_column():
    assert read({"data": CREDIT}).columns == ALL_COLUMNS
    upload = {"data": UPLOAD, "file": "a.csv", "digest": "0123456789ab", "rows": "7"}
    assert read(upload).columns == ALL_COLUMNS
    assert read({"data": "wine"}).columns == ()
    assert read({"share": "x"} | upload).columns == ALL_COLUMNS


def test_a_code_alone_opens_a_table_as_it_is_proposed():
    shared = Upload("0123456789ab", "a.csv", 7, "code")
    selection, _ = decode({"share": "code"}, data_params, model_params, lambda code: shared)
    assert selection == Selection(data=UPLOAD, upload=shared)


@pytest.mark.parametrize("columns", [(), ALL_COLUMNS, (0, 2)])
@pytest.mark.parametrize("data", ["folder.credit", "openml.31", "wine"])
def test_links_tell_proposed_columns_from_all(data, columns):
    selection = Selection(data=data, columns=columns)
    assert read(encode(selection)) == selection


def test_what_is_proposed_is_written_for_tables_alone():
    assert encode(Selection(data="folder.credit"))["columns"] == "auto"
    assert "columns" not in encode(Selection(data="folder.credit", columns=ALL_COLUMNS))
    assert "columns" not in encode(Selection(data="wine"))


def test_other_data_or_another_class_are_proposed_anew():
    chosen = Selection(data="folder.credit", columns=ALL_COLUMNS)
    assert chosen.change(data="folder.clean").columns == ()
    assert chosen.change(target="age").columns == ()


def test_the_findings_come_most_important_first():
    selection = Selection(data=CREDIT)
    whole = Work(selection).data.full
    told = findings(report_of(selection, whole), whole, Work(selection))
    assert [(each.action, each.columns) for each in told] == [
        ("Leave out", ("arrears_later",)),
        ("Undo", ("customer_id", "name")),
        ("Undo", ("opened_on",)),
    ]
    assert "gives “risk” away" in told[0].sentence
    assert told[1].sentence.endswith("Left out.")


def test_made_data_get_no_first_look_and_clean_ones_a_sentence():
    selection = Selection(data="xor")
    assert report_of(selection, Work(selection).data.full) is None
    page = seen("data", data="folder.clean", columns="auto")
    assert any("Nothing here would mislead a tree" in each.value for each in page.markdown)
    assert "A first look" not in [each.value for each in seen("data", data="xor").subheader]


def test_one_click_leaves_out_and_another_takes_back():
    page = opened("data", data=CREDIT, columns="auto")
    assert page.query_params["columns"] == "auto"
    assert any("3 left out" in each.value for each in page.sidebar.caption)
    checked(page.button(key="finding_0").click().run())  # the leak
    assert page.query_params["columns"] == "5-24"
    checked(page.button(key="finding_0").click().run())
    assert page.query_params["columns"] == "auto"
    checked(page.button(key="finding_1").click().run())  # the names of rows
    assert page.query_params["columns"] == "1-2.4-24"
    checked(page.button(key="finding_2").click().run())  # the dates
    assert "columns" not in page.query_params  # all of them, as links of before say
    assert not any("left out" in each.value for each in page.sidebar.caption)


def test_labels_of_a_table_are_shown_as_they_are(tmp_path, monkeypatch):
    table = leaky_credit().rename(columns={"customer_id": "*id* <b>$x$_id"})
    table.to_csv(tmp_path / "odd.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    page = seen("data", data="folder.odd", columns="auto")
    (said,) = [each.value for each in page.markdown if "memorises rows" in each.value]
    assert r"\*id\* \<b\>\$x\$\_id" in said


@pytest.mark.parametrize("held", [0, 0.3])
@pytest.mark.parametrize("data", ["loan", "iris", "folder.clean"])
def test_held_out_rows_are_said_to_occur_in_training_where_they_do(data, held):
    found = []
    for seed in range(5):
        selection = Selection(data=data, held=held, seed=seed)
        loaded, divided = Work(selection).data, Work(selection).first.division
        rows = [*map(tuple, loaded.full.X.assign(_class=loaded.full.y).to_numpy().tolist())]
        seen = {rows[i] for i in divided.train_rows}
        n = sum(rows[i] in seen for i in divided.held_out_rows)
        told = " ".join(
            each.sentence
            for each in findings(report_of(selection, loaded.full), loaded.full, Work(selection))
        )
        assert ("also occur" in told) == (n > 0)
        if n:
            assert f"{n} held-out row{'' if n == 1 else 's'} also occur" in told
        found.append(n)
    assert any(found) == (held > 0 and data != "folder.clean")
