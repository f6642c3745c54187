"""What leaves the app: every form of a tree, refusals beforehand, scored rows, pages as files."""

import base64
import gzip
import io
import json
import re
import sqlite3
from collections import Counter
from statistics import median

import numpy as np
import onnxruntime
import pandas as pd
import pytest

from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.export import (
    FOREST_FORMATS,
    FORMATS,
    ONNX,
    model_from_json,
    onnx_graph,
    onnx_refusal,
    tree_from_json,
)
from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.boundaries.regression_view import number_view
from lastviz.ui.compute.work import Work
from lastviz.ui.data.score_rows import score_file
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared import exports, page_file
from lastviz.ui.shared.new_table import scored_held_out
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.text import CannotShow
from tests.credit import write_credit
from tests.sentences.rows import selected

from .conftest import checked, opened
from .opened_pages import seen

ALL = FORMATS | {"onnx": ONNX}


def buttons(app):
    return {each.key: each for each in app.get("download_button") if each.key}


def test_the_tree_of_numbers_leaves_in_every_form_and_says_what_it_predicts():
    selection = DEFAULT.having(data="friedman")
    view, loaded = number_view(Work(selection)), Work(selection).data
    X, tree = view.division.X, view.tree
    expected = view.estimator.predict(X)
    texts = {
        key: exports.write_tree(form, tree, loaded, view.division.form, {})
        for key, form in ALL.items()
    }
    names = {}
    exec(texts["python"], names)
    assert [names["predict"](row) for row in X.to_dict("records")] == expected.tolist()
    base = sqlite3.connect(":memory:")
    X.to_sql("samples", base, index=False)
    assert [row[0] for row in base.execute(f"SELECT {texts['sql']} FROM samples")] == (
        expected.tolist()
    )
    np.testing.assert_array_equal(tree_from_json(texts["json"]).predict(X.to_numpy()), expected)
    session = onnxruntime.InferenceSession(texts["onnx"])
    (said,) = session.run(["number"], {"X": X.to_numpy(dtype=np.float64)})
    np.testing.assert_array_equal(said, expected)
    table = pd.read_csv(io.StringIO(texts["csv"]))
    assert len(table) == tree.n_leaves
    assert table["training support"].sum() == len(view.division.train_rows)
    assert not table.isna().any().any()
    assert "Return the number of a row" in texts["python"]
    assert texts["dot"].startswith("digraph")


def test_the_page_of_numbers_offers_all_forms_and_its_held_out_rows():
    app = seen("boundaries", data="noisy_sine")
    found = buttons(app)
    assert {f"export_{key}" for key in ALL} | {"export_held_out"} <= set(found)
    assert not any(button.proto.disabled for button in found.values())
    assert "export_held_out" not in buttons(seen("boundaries", data="noisy_sine", held=0))


def test_held_out_numbers_are_scored_with_their_truth():
    selection = DEFAULT.having(data="friedman")
    view, dataset = number_view(Work(selection)), Work(selection).dataset
    table = scored_held_out(dataset, view.division, view.estimator)
    rows = table["row"].to_numpy() - 1
    np.testing.assert_array_equal(np.sort(view.division.held_out_rows), rows)
    np.testing.assert_array_equal(table[dataset.y.name], dataset.y.to_numpy()[rows])
    squares = (table["prediction"] - table[dataset.y.name]) ** 2
    assert np.sqrt(squares.mean()) == pytest.approx(view.held_out.rmse)
    assert (view.tree.n_children[table["leaf"]] == 0).all()


@pytest.mark.parametrize("key", ["c45", "mcdf", "svm_tree"])
def test_held_out_classes_are_scored_with_their_truth(key):
    selection = DEFAULT.having(data="monotone", models=(Model(key),))
    scene = rule_scene(Work(selection), "light")
    dataset = Work(selection).dataset
    table = scored_held_out(dataset, scene.division, scene.model)
    right = (table["prediction"] == table[dataset.y.name]).mean()
    X, y = scene.division.X, scene.division.y
    rows = scene.division.held_out_rows
    assert right == pytest.approx((scene.model.predict(X.iloc[rows]) == y[rows]).mean())
    assert ("rule" in table) == (key != "mcdf")


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("key", [key for key, one in ESTIMATORS.items() if one.cls.TAGS.forest])
def test_a_whole_forest_leaves_and_decides_as_it_does_here(key, scaling):
    selection = DEFAULT.having(data="monotone", models=(Model(key),)).change(scaling=scaling)
    scene, loaded = rule_scene(Work(selection), "light"), Work(selection).data
    forest, X = scene.model, scene.division.X
    said = np.asarray([str(loaded.dataset.class_order[k]) for k in forest.predict(X)])
    for name, form in FOREST_FORMATS.items():
        if form.refusal(forest) is not None:
            assert forest.monotone
            with pytest.raises(ValueError, match="monotone envelope"):
                exports.written_forest(form, forest, loaded, scene.division.form)
            continue
        written = exports.written_forest(form, forest, loaded, scene.division.form)
        if name == "json":
            found = model_from_json(written).predict(X)
        else:
            session = onnxruntime.InferenceSession(written)
            (found,) = session.run(["label"], {"X": X.to_numpy(dtype=np.float64)})
        np.testing.assert_array_equal(found.astype(str), said)


def test_the_page_offers_a_whole_forest_and_says_what_cannot_be_written():
    offered = {"forest_json", "forest_onnx"}
    for monotone, greyed in (("false", False), ("true", True)):
        query = {"data": "monotone", "m": "mcdf", "m.monotone": monotone, "rule_view": "rules"}
        found = buttons(seen("rules", **query))
        assert offered <= set(found)
        assert {found[key].proto.disabled for key in offered} == {greyed}
    assert not offered & set(buttons(seen("rules", data="monotone", rule_view="rules")))


def test_new_rows_get_numbers():
    selection, data = DEFAULT.having(data="friedman"), load_dataset("friedman", random_state=4)
    found = score_file(Work(selection), data.X.to_csv(index=False).encode(), "new.csv")
    expected = number_view(Work(selection)).estimator.predict(data.X)
    np.testing.assert_array_equal(found.table["prediction"], expected)
    assert {"leaf", "rule"} <= set(found.table)
    assert "confidence" not in found.table
    again = found.table.to_csv(index=False).encode()
    assert "prediction (lastviz)" in score_file(Work(selection), again, "again.csv").table


def test_scaled_numbers_are_scored_as_they_were_learnt():
    data = load_dataset("friedman", random_state=1)
    plain = DEFAULT.having(data="friedman")
    content = data.X.to_csv(index=False).encode()
    before, after = (
        score_file(Work(each), content, "new.csv").table["prediction"]
        for each in (plain, plain.change(scaling="standard"))
    )
    assert np.mean(np.isclose(before, after)) > 0.99  # a cut may fall on the other side of a row


@pytest.mark.parametrize(("content", "sentence"), [
    (b"x1,x2\n1,2\n", "no column"),
    (b"x1,x2,x3,x4,x5,x6,x7,x8,x9,x10\n1,2,two,4,5,6,7,8,9,10\n", "which is no number"),
    (b"", "new.csv"),
])  # fmt: skip
def test_wrong_rows_for_numbers_are_a_sentence(content, sentence):
    with pytest.raises(CannotShow, match=sentence):
        score_file(Work(DEFAULT.having(data="friedman")), content, "new.csv")


def test_a_row_of_numbers_with_a_gap_is_scored_as_the_estimator_answers_it():
    data = load_dataset("friedman")
    gaps = data.X.head(5).assign(x3=np.nan, x4=np.nan)
    model = Work(DEFAULT.having(data="friedman")).first.estimator
    found = score_file(
        Work(DEFAULT.having(data="friedman")), gaps.to_csv(index=False).encode(), "new.csv"
    )
    assert found.table["prediction"].tolist() == pytest.approx(model.predict(gaps))


@pytest.mark.parametrize("data", ["iris", "wine", "loan"])
def test_new_rows_of_no_class_are_named_by_the_line_of_the_first_of_them(data):
    dataset, work = load_dataset(data), Work(selected(f"data={data}&m=cart&rows_of=new"))
    table = dataset.X.assign(**{dataset.y.name: dataset.y.astype(str)}).head(15)
    rows = table.to_csv(index=False).splitlines()
    for lines in ([2], [9], [5, 12]):
        written = [*rows[:6], "", *rows[6:]]
        for line in lines:
            written[line - 1] = f"{written[line - 1].rpartition(',')[0]},rose {line}"
        problem = rule_scene(work, "light", ("\n".join(written).encode(), "new.csv")).problem
        assert f"holds “rose {lines[0]}” in row {lines[0]}, which is no class here" in problem


def test_the_page_data_scores_rows_where_numbers_are_learnt():
    app = opened("data", data="friedman")
    field = next(each for each in app.get("file_uploader") if each.key == "score_field")
    rows = load_dataset("friedman", random_state=5).X.head(4).to_csv(index=False).encode()
    field.set_value(("rows.csv", rows, "text/csv"))
    checked(app.run())
    assert any("4 rows scored" in each.value for each in app.markdown)
    table = score_file(Work(DEFAULT.having(data="friedman")), rows, "rows.csv").table
    assert len(table) == 4
    assert np.isfinite(table["prediction"]).all()


@pytest.fixture
def many_towns(tmp_path, monkeypatch):
    """A table whose classes hang on one of 230 towns."""
    rng = np.random.default_rng(0)
    towns = np.repeat([f"t{i}" for i in range(230)], 4)
    table = pd.DataFrame({"town": towns, "b": rng.random(len(towns)).round(3)})
    table["class"] = np.where(pd.util.hash_array(towns.astype(object)) % 2, "yes", "no")
    table.to_csv(tmp_path / "towns.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return "folder.towns"


def test_a_form_that_cannot_hold_the_tree_is_grey_and_says_why(many_towns):
    app = seen("rules", data=many_towns, m="cart", rule_view="rules")
    onnx = buttons(app)["export_onnx"].proto
    assert onnx.disabled
    assert "at most 200 categories" in onnx.help
    assert any("at most 200 categories" in each.value for each in app.caption)
    assert not buttons(app)["export_sql"].proto.disabled
    app = seen("rules", data="iris", m="svm_tree", rule_view="rules")
    assert any("is a sum over its support vectors" in each.value for each in app.caption)
    machines = buttons(app)
    grey = {key for key, button in machines.items() if button.proto.disabled}
    code = {"export_text", "export_csv", "export_python", "export_sql"}
    assert grey == code | {"export_onnx", "export_pmml"}
    assert "export_json" in machines


def test_without_the_package_onnx_its_button_is_grey(monkeypatch):
    monkeypatch.setattr(onnx_graph, "is_installed", lambda name: False)
    onnx = buttons(opened("rules", data="iris", m="cart", rule_view="rules"))["export_onnx"].proto
    assert onnx.disabled
    assert "package onnx" in onnx.help


@pytest.mark.parametrize("key", list(ESTIMATORS))
@pytest.mark.parametrize("data", ["iris", "loan", "monotone"])
def test_what_is_not_refused_beforehand_is_written(key, data):
    selection = DEFAULT.having(data=data, models=(Model(key),))
    try:
        scene = rule_scene(Work(selection), "light")
    except CannotShow:
        pytest.skip("the algorithm does not learn from these data")
    loaded = Work(selection).data
    for form in ALL.values():
        reason = form.refusal(scene.tree)
        if reason is None:
            assert exports.write_tree(form, scene.tree, loaded, scene.division.form, {})
        else:
            with pytest.raises(ValueError, match="cannot hold"):
                form.write(scene.tree)
    reason = onnx_refusal(scene.model)
    if reason is not None:
        with pytest.raises(ValueError, match="ONNX"):
            ONNX.write(scene.model)


def test_a_page_of_numbers_takes_typed_rows():
    selection = DEFAULT.having(data="noisy_sine")
    saved = page_file.live_page(Work(selection), "boundaries", boundaries, None)
    packed = re.search(r'id="live-1">(.*?)<', saved)[1]
    live = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert live["tree"]["features"] == ["x"]
    assert len(live["tree"]["mean"]) > 3


@pytest.mark.parametrize(
    "query",
    [
        "data=iris&m=gsodt&held=0",
        "data=wine&m=cart",
        "data=breast_cancer&m=c45",
        "data=friedman",
        "data=loan&m=id3",
        "data=folder.credit&m=c45",
    ],
)
def test_the_fields_of_an_offline_page_begin_at_a_usual_row(tmp_path, monkeypatch, query):
    write_credit(tmp_path, n=300, missing=0.2)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    work = Work(selected(query))
    tree, learnt = page_file._tree(work, "boundaries", boundaries, None), work.first.division
    for name, usual in zip(tree["features"], tree["usual"], strict=True):
        values = work.dataset.X[name].iloc[learnt.train_rows].dropna().tolist()
        if isinstance(values[0], str):
            assert Counter(values)[usual] == max(Counter(values).values())
        else:
            last_place = 10.0 ** -len(usual.partition(".")[2])
            assert abs(float(usual) - median(values)) <= last_place / 2 + 1e-9


def box(monkeypatch, limit):
    """The box of *boundaries*, opened by a reader, with a limit of bytes."""
    monkeypatch.setattr(page_file, "MOST_OF_ONE", limit)
    app = opened("boundaries", data="moons", n_samples="60", m="cart")
    app.session_state["save"] = app.session_state["page_file"] = True  # as clicks leave them
    return app.run()


@pytest.mark.parametrize("limit", [1_000_000, 2_000_000])
def test_a_page_that_is_too_large_says_how_large_and_leaves_no_button(monkeypatch, limit):
    monkeypatch.setattr("lastviz.export.page_file.library", lambda: ("A" * limit, "sha256-"))
    app = box(monkeypatch, limit)
    (fault,) = [error.value for error in app.error]
    said = float(fault.partition("would have ")[2].partition(" MB")[0])
    assert said * 1_000_000 > limit
    assert f"more than {limit // 1_000_000}." in fault
    assert not [
        each for each in app.get("download_button") if each.proto.label.startswith("Save the")
    ]


def test_a_page_that_fits_has_its_size_on_the_button(monkeypatch):
    app = box(monkeypatch, 3_000_000)
    assert not app.error
    (button,) = [each for each in app.get("download_button") if "MB" in each.proto.label]
    assert 0.6 < float(button.proto.label.split("(")[1].split(" ")[0]) < 3.0
