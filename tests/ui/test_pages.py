from html import escape

import pytest

from lastviz.datasets import load_dataset, to_csv
from lastviz.host import visitor
from lastviz.ui.boundaries.regression_view import applies, number_view
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.course_strip import fill_text
from lastviz.ui.state.codec import decode
from lastviz.ui.state.course import TEACH
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.session import data_params, model_params

from .conftest import checked, entered, html


def run(app):
    app.run()
    assert not app.exception
    return app


def open_app(page="", **query):
    app = entered(page, query)
    assert not app.exception
    return app


def faults(app):
    return [error.value for error in app.error]


def hand_in(app, content, name):
    app.file_uploader[0].set_value((name, content, "text/csv"))
    return run(app)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.key)
def test_scenes_are_links_that_hold(scene):
    selection, problems = decode(scene.query, data_params, model_params)
    assert problems == ()
    assert Work(selection).data.notes == ()
    if applies(Work(selection)):
        assert number_view(Work(selection)).tree.n_nodes >= 1
        return
    for place in range(len(selection.models)):
        assert Work(selection).models[place].tree.n_nodes >= 1
    if selection.view.axes is not None:
        assert set(selection.view.axes) <= set(Work(selection).first.division.X.columns)


def test_home_shows_every_scene():
    app = open_app()
    app.session_state["fold.after"] = True
    run(app)
    assert faults(app) == []
    assert app.title[0].value == "See how a decision tree thinks"
    links = [link.proto for link in app.get("page_link")]
    for scene in SCENES:
        assert any(scene.question == link.label for link in links)
        line = (
            "" if scene.use == TEACH else f"{escape(fill_text(scene.line, scene.selection()))} · "
        )
        assert f"{line}<span>{scene.minutes} min</span>" in html(app)
    doors = [SCENES[0], scene_named("what_if")]
    drawn = sum(
        2 if s.page in ("latent", "textbook") else len(s.selection().models)
        for s in [*SCENES, *doors]
    )
    assert html(app).count("data:image/svg+xml") == drawn


def test_data_page_shows_data_of_every_shape():
    app = open_app("data")
    for key in ("gauss_2d", "three_spirals", "wine", "digits"):
        checked(app.selectbox(key="data").set_value(key).run())
        assert app.session_state["selection"].data == key
        assert f"<b>{load_dataset(key).n_samples:,} rows in " in html(app)
        assert app.query_params["data"] == key


def test_a_moved_slider_makes_other_data():
    app = open_app("data", data="xor")
    checked(app.slider(key="data.xor.noise").set_value(0.3).run())
    assert app.session_state["selection"].params == (("noise", 0.3),)
    assert app.query_params["noise"] == "0.3"


def test_held_out_share_and_scaling():
    app = open_app("data", data="xor")
    checked(app.slider(key="held").set_value(50).run())
    checked(app.selectbox(key="scaling").set_value("standard").run())
    selection = app.session_state["selection"]
    assert (selection.held, selection.scaling) == (0.5, "standard")
    assert any("200 rows to learn from, 200 held out" in c.value for c in app.caption)


def test_an_upload_becomes_the_data_and_its_columns_can_be_chosen():
    app = hand_in(open_app("data"), to_csv(load_dataset("iris")), "flowers.csv")
    selection = app.session_state["selection"]
    assert faults(app) == []
    assert (selection.data, selection.upload.name, selection.upload.rows) == (
        "upload", "flowers.csv", 150,
    )  # fmt: skip
    assert app.selectbox(key="target").value == load_dataset("iris").y.name
    checked(app.selectbox(key="one").set_value(1).run())
    assert app.session_state["selection"].one == 1
    checked(app.selectbox(key="data").set_value("xor").run())
    assert app.selectbox(key="data").options[-1] == "flowers.csv · your file"
    checked(app.selectbox(key="data").set_value(f"upload:{selection.upload.digest}").run())
    assert app.session_state["selection"].upload == selection.upload


BAD_FILES = [
    ("empty.csv", b"", "is empty"),
    ("one.csv", b"a,class\n1,x\n2,x\n", "class"),
    ("column.csv", b"a\n1\n2\n", "only one column"),
    ("text.csv", b"a,class\n1,x\n2,y\n3,x\nmany,y\n5,x\n6,y\n7,x\n8,y\n9,x\n1,y\n2,x\n",
     "not a number"),
    ("inf.csv", b"a,class\n1,x\ninf,y\n3,x\n", "infinite"),
    ("twice.csv", b"a,a,class\n1,2,x\n2,3,y\n", "both named"),
    ("binary.csv", bytes(range(256)) * 4, "binary"),
    ("large.csv", b"a,class\n" + b"1,x\n2,y\n" * 100_001, "more than 200,000 rows"),
]  # fmt: skip


def test_a_bad_file_is_explained_and_what_was_there_stays():
    app = open_app("data", data="wine")
    before = app.session_state["selection"]
    for name, content, sentence in BAD_FILES:
        hand_in(app, content, name)
        assert len(faults(app)) == 1, name
        assert sentence in faults(app)[0].replace("\\", ""), name
        assert app.session_state["selection"] == before, name
        assert "178" in html(app), name
        assert "Traceback" not in faults(app)[0], name


@pytest.mark.parametrize(
    "content",
    [b"a,b,class\n1,5,x\n2,5,y\n3,5,x\n4,5,y\n", b"a,b,class\n1,,x\n2,NaN,y\n3,1,x\n4,5,y\n"],
    ids=["a constant column", "missing values"],
)
def test_odd_but_legal_files_are_shown(content):
    app = checked(hand_in(open_app("data"), content, "odd.csv"))
    assert app.session_state["selection"].data == "upload"


def test_a_link_about_a_file_elsewhere_says_so_and_keeps_the_rest():
    app = open_app("data", data="upload", file="mine.csv", digest="0" * 12, rows="77", seed="9")
    assert [caption.value for caption in app.caption] == ["Looking for your data …"]
    app.session_state[visitor.TOKEN] = visitor.UNKNOWN  # as the browser answers
    run(app)
    assert [title.value for title in app.title] == [r"Please provide mine\.csv, 77 rows"]
    assert app.session_state["selection"].seed == 9
    assert faults(app) == []


def test_a_wrong_link_is_explained():
    app = open_app("data", data="xor", noise="<b>wide</b>")
    assert "noise=&lt;b&gt;wide&lt;/b&gt;" in html(app)


def test_an_unexpected_error_shows_an_id_and_stays_in_the_log(monkeypatch, caplog):
    from lastviz.ui.data import page as data_view

    def broken(_):
        raise RuntimeError("secret detail")

    app = open_app()
    monkeypatch.setattr(data_view, "_head", broken)
    run(app.switch_page("pages/data.py"))
    assert len(faults(app)) == 1
    name = faults(app)[0].rsplit(" ", 1)[1].rstrip(".")
    assert "secret detail" not in faults(app)[0]
    assert any(name in record.getMessage() and record.exc_info for record in caplog.records)
