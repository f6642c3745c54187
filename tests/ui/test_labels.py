"""Display names on the pages: one training whatever the names, links, editors, exports."""

import json
import re
from functools import partial

import pandas as pd
import pytest

from lastviz.datasets.labels import Labels, checked_labels, legend
from lastviz.export import FORMATS, ONNX
from lastviz.plots import rule_words
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.data.figures import colour_notes
from lastviz.ui.data.findings import findings
from lastviz.ui.data.report import report_of
from lastviz.ui.latent.details import _name as tex_name
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared import column_editors, naming
from lastviz.ui.shared.exports import write_tree
from lastviz.ui.shared.naming import is_sidecar, relabel
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.edit_codes import MOST_LETTERS, pack_labels, read_labels, unpack_labels
from lastviz.ui.state.link_texts import Hold
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.state.session import data_params, model_params
from tests.credit import credit_table, write_credit
from tests.leaky import leaky_credit

from .conftest import checked, html, opened, with_tables

LABELS = checked_labels(
    Labels(
        names={"duration": "Duration", "status1": "Account", "risk": "Credit risk"},
        units={"duration": "months"},
        values={"status1": {"A11": "overdrawn"}, "risk": {"bad": "Defaulted", "good": "Paid back"}},
        colours={"bad": "#D55E00"},
    )
)


folder = with_tables(partial(write_credit, n=300, missing=0))
CREDIT = "folder.credit"


def test_a_label_trains_no_model_again():
    plain = Selection(data=CREDIT)
    before = Work(plain).first.begin()
    named = plain.change(labels=pack_labels(LABELS))
    assert Work(named).first.begin() is before
    tree, shown = (Work(each).first.tree for each in (plain, named))
    assert shown.key is tree.key
    assert "Duration" in shown.feature_names
    assert "duration" in tree.feature_names
    assert Work(named).first.estimator is Work(named).first.estimator
    words = " ".join(rule_words(shown, node) for node in range(shown.n_nodes))
    assert "overdrawn" in words
    assert not re.search(r"\bA11\b", words)
    first = Work(plain.change(labels=pack_labels(Labels(names={"age": "Age"})))).first.fitted
    assert first.estimator.tree_.key is tree.key


def test_trees_trained_under_labels_are_named_plainly_for_others():
    named = Selection(data=CREDIT, seed=77, labels=pack_labels(LABELS))
    assert "Duration" in Work(named).first.tree.feature_names
    plain = Work(named.change(labels="")).first.estimator
    assert "duration" in plain.tree_.feature_names
    assert Work(named.change(labels="")).first.division.X.columns.tolist() == (
        plain.feature_names_in_.tolist()
    )


def test_a_link_carries_labels_and_refuses_what_are_none():
    selection = Selection(data="wine", labels=pack_labels(LABELS))
    assert decode(encode(selection), data_params, model_params) == (selection, ())
    assert unpack_labels(pack_labels(LABELS)) == LABELS
    for text in ("!", "abc", "A" * (MOST_LETTERS + 1), pack_labels(LABELS)[:-6]):
        found, problems = decode({"data": "wine", "labels": text}, data_params, model_params)
        assert found.labels == ""
        assert len(problems) == 1


def test_a_small_text_that_inflates_without_end_is_refused():
    import base64
    import zlib

    deflate = zlib.compressobj(9, wbits=-15)
    data = deflate.compress(b'[{"a":"' + b"x" * 2_000_000) + deflate.flush()
    text = base64.urlsafe_b64encode(data).decode().rstrip("=")
    assert len(text) < MOST_LETTERS
    with pytest.raises(ValueError, match="longer than it may be"):
        read_labels(text)


def test_too_many_labels_for_a_link_are_refused_in_a_sentence():
    many = {f"{i * 7919 % 10007}": f"{i * 104729 % 99991}" for i in range(2000)}
    with pytest.raises(ValueError, match="distribute the table with its sidecar"):
        pack_labels(checked_labels(Labels(values={"x": many})))


def test_axes_holds_and_a_typed_sample_go_with_the_names():
    selection = Selection(data=CREDIT).having(
        axes=("duration", "status1"),
        flip_holds=(Hold("duration", "rises"),),
        typed="A11,,A31",
        near_holds=(Hold("duration", "stays"),),
    )
    changes = relabel(selection, Work(selection).data.plain, LABELS)
    assert changes["axes"] == ("Duration", "Account")
    assert changes["flip_holds"] == (Hold("Duration", "rises"),)
    assert changes["near_holds"] == (Hold("Duration", "stays"),)
    assert changes["typed"] == "overdrawn,,A31"
    after = selection.change(**changes)
    back = relabel(after, Work(after).data.plain, Labels())
    assert back["axes"] == ("duration", "status1")
    assert back["typed"] == "A11,,A31"
    assert back["labels"] == ""


def test_code_is_about_stored_columns_and_says_what_they_are_called():
    selection = Selection(data=CREDIT, models=(Model("cart", (("max_depth", 3),)),))
    texts, above = {}, {}
    for each in (selection, selection.change(labels=pack_labels(LABELS))):
        scene = rule_scene(Work(each), "light")
        loaded = Work(each).data
        above[bool(each.labels)] = legend(loaded.plain)
        texts[bool(each.labels)] = {
            key: write_tree(form, scene.tree, loaded, scene.division.form, {})
            for key, form in (FORMATS | {"onnx": ONNX}).items()
        }
    said = "".join(f"# {line}\n" for line in legend(Work(each).data.plain))
    assert "# duration: Duration (months)\n" in said
    for key, mark in (("python", "# "), ("sql", "-- ")):
        heads = {named: "".join(f"{mark}{line}\n" for line in above[named]) for named in above}
        assert all(texts[named][key].startswith(heads[named]) for named in heads)
        bodies = {texts[named][key].removeprefix(heads[named]) for named in heads}
        assert len(bodies) == 1
    assert above[False][0] == "How the columns were read:"
    assert texts[True]["json"] == texts[False]["json"]
    assert texts[True]["onnx"] == texts[False]["onnx"]
    assert "Duration" in texts[True]["text"]
    assert "Defaulted" in texts[True]["dot"]
    assert python_of(Work(each)).startswith(said)
    head = "".join(f"# {line}\n" for line in above[False])
    assert python_of(Work(each)).removeprefix(said) == python_of(Work(selection)).removeprefix(head)


def test_what_is_typed_into_the_tables_labels_columns_values_and_classes(monkeypatch):
    state = {"selection": Selection(data=CREDIT, columns=(0, 13))}
    monkeypatch.setattr(naming.session, "current", lambda: state["selection"])
    monkeypatch.setattr(naming.st, "session_state", {})

    def select(**changes):
        state["selection"] = state["selection"].change(**changes)

    monkeypatch.setattr(naming.session, "select", select)
    whole = Work(state["selection"]).data.full
    column_editors._edit_columns(whole, {13: {"label": " Duration "}})
    column_editors._edit_columns(whole, {13: {"unit": "months"}, 0: {"unit": None}})
    naming.label_values("status1", {"A11": "overdrawn"})
    naming.label_values("risk", {"bad": "Defaulted"})
    naming.label("colours", {"bad": "#D55E00"})
    assert unpack_labels(state["selection"].labels) == Labels(
        {"duration": "Duration"},
        {"duration": "months"},
        {"status1": {"A11": "overdrawn"}, "risk": {"bad": "Defaulted"}},
        {"bad": "#D55E00"},
    )
    assert state["selection"].columns == (0, 13)
    column_editors._edit_columns(whole, {13: {"label": None}})
    naming.label("colours", {"bad": ""})
    assert unpack_labels(state["selection"].labels).names == {}
    assert unpack_labels(state["selection"].labels).colours == {}
    before = state["selection"]
    naming.label_values("status1", {"A12": "x" * 200})
    assert state["selection"] == before
    assert "at most 80" in naming.st.session_state[naming.FAULT]


def test_findings_call_columns_as_people_do(tmp_path, monkeypatch):
    leaky_credit().to_csv(tmp_path / "leaky.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    labels = Labels(names={"arrears_later": "Later arrears", "risk": "Credit risk"})
    selection = Selection(data="folder.leaky", labels=pack_labels(labels))
    whole = Work(selection).data.full
    (leak, *_) = findings(report_of(selection, whole), whole, Work(selection))
    assert leak.sentence.startswith("“Later arrears” gives “Credit risk” away")
    assert leak.columns == ("arrears_later",)


def test_colours_are_checked_and_never_refused():
    def notes(**colours):
        selection = Selection(
            data=CREDIT, labels=pack_labels(checked_labels(Labels(colours=colours)))
        )
        return colour_notes(Work(selection).data.full)

    assert notes(bad="#D55E00") == []
    assert notes() == []
    (faint,) = notes(bad="#FFFFF0")
    assert re.search(r"“bad” has little contrast with the light page \(1\.0\d? : 1\)", faint)
    (close,) = notes(bad="#E69F01")
    assert "“bad” – “good”" in close


def test_what_is_a_sidecar():
    assert is_sidecar("a.json", b' {"features": {}}')
    assert not is_sidecar("a.json", b"[1]")
    assert not is_sidecar("a.csv", b"{")
    assert not is_sidecar("a.json", b'{"a": [1, 2], "b": [3, 4]}')
    assert not is_sidecar("a.json", b'{"a": 1}\n{"a": 2}')


def test_a_table_and_its_sidecar_are_taken_together_and_one_alone_later():
    table = credit_table(120).to_csv(index=False).encode()
    side = {
        "target": "risk",
        "classes": {"bad": {"label": "Defaulted", "colour": "#d55e00"}},
        "class_order": ["good", "bad"],
        "features": {
            "status1": {"values": {"A11": "overdrawn"}},
            "rate": {"kind": "nominal"},
            "status2": {"kind": "ordinal", "order": ["A25", "A24", "A23", "A22", "A21"]},
            "gone": {"label": "x"},
        },
    }
    page = opened("data")
    files = [
        ("credit.json", json.dumps(side).encode(), "application/json"),
        ("credit.csv", table, "text/csv"),
    ]
    page = page.file_uploader(key="upload_field").set_value(files).run()
    assert not page.exception
    assert [each.value for each in page.error] == [
        r"credit\.json\: nothing here fits “gone”; the rest was taken over\."
    ]
    query = page.query_params
    assert query["file"] == "credit.csv"
    assert query["kinds"] == "2ordinal.16nominal"
    assert query["levels"] == "2-5.4.3.2.1"
    assert query["classes"] == "2.1"
    found = unpack_labels(query["labels"])
    assert found.colours == {"bad": "#D55E00"}
    assert found.values == {"status1": {"A11": "overdrawn"}, "risk": {"bad": "Defaulted"}}
    assert "Defaulted" in html(page)
    again = json.dumps({"features": {"age": {"label": "Age", "unit": "years"}}}).encode()
    files = [*files, ("names.json", again, "application/json")]
    page = checked(page.file_uploader(key="upload_field").set_value(files).run())
    assert unpack_labels(page.query_params["labels"]) == Labels({"age": "Age"}, {"age": "years"})
    assert page.query_params["file"] == "credit.csv"


def test_a_wrong_sidecar_changes_nothing():
    page = opened("data", data="iris")
    files = [("side.json", b'{"features": {"a": 3}}', "application/json")]
    page = page.file_uploader(key="upload_field").set_value(files).run()
    assert not page.exception
    assert len(page.error) == 1
    assert "must be an object" in page.error[0].value
    assert "labels" not in page.query_params


def test_new_rows_are_read_as_they_are_stored():
    from lastviz.ui.data.score_rows import score_file

    selection = Selection(data=CREDIT, labels=pack_labels(LABELS))
    rows = credit_table(40, missing=0, seed=3)
    plain = score_file(
        Work(selection.change(labels="")), rows.to_csv(index=False).encode(), "new.csv"
    )
    named = score_file(Work(selection), rows.to_csv(index=False).encode(), "new.csv")
    called = plain.table["prediction"].map({"bad": "Defaulted", "good": "Paid back"})
    pd.testing.assert_series_equal(named.table["prediction"], called, check_dtype=False)
    assert named.table["leaf"].tolist() == plain.table["leaf"].tolist()
    assert named.notes == plain.notes


def test_signs_of_formulas_in_a_name_stand_as_they_are():
    assert tex_name("x7") == "x_{7}"
    assert tex_name("Duration") == r"\text{Duration}"
    assert tex_name(r"\alpha_{1} ^~$") == (
        r"\text{\textbackslash{}alpha\_\{1\} \textasciicircum{}\textasciitilde{}\$}"
    )
