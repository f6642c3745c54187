"""A session's files beside the store's: when they are stored, and what is there without a store."""

import gzip
from collections.abc import Iterator
from urllib.parse import parse_qsl

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from lastviz.datasets import read_file
from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.host import visitor
from lastviz.host.store import Store, StoreLimits, Upload
from lastviz.ui.compute import data, uploads
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.resampling import usual_model
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.short import verdict
from lastviz.ui.state.selection import UPLOAD, Model, Selection
from lastviz.ui.text import as_html
from tests.credit import write_credit
from tests.openml_stand_in import BROKEN, stand_in

from .conftest import checked, entered, html, opened, rerun_until, with_tables
from .opened_pages import pictures

TOKEN = "0f" * 32


@pytest.fixture
def session(monkeypatch):
    """An empty session; called, another one of the same server."""

    def begin():
        started = {}
        monkeypatch.setattr(uploads.st, "session_state", started)
        return started

    begin()
    return begin


@pytest.fixture
def store(monkeypatch, tmp_path):
    made = Store(tmp_path / "store")
    monkeypatch.setattr(uploads, "the_store", lambda: made)
    yield made
    made.close()


def test_a_file_is_stored_when_the_visitor_becomes_known_and_found_by_another_session(
    session, store
):
    upload = uploads.keep("a.csv", b"table", 1)
    assert uploads.waits_for_visitor()
    assert not uploads.is_stored(upload)
    visitor.know(TOKEN)
    uploads.store_held()
    assert uploads.is_stored(upload)
    assert not uploads.waits_for_visitor()
    session()
    selection = Selection(data=UPLOAD, upload=upload)
    assert uploads.needs_visitor(selection)
    assert uploads.content(upload) is None
    visitor.know(TOKEN)
    assert not uploads.needs_visitor(selection)
    assert uploads.content(upload) == b"table"
    assert uploads.names() == [upload]


def test_a_stranger_with_the_link_has_nothing(session, store):
    visitor.know(TOKEN)
    upload = uploads.keep("a.csv", b"table", 1)
    session()
    visitor.know("ab" * 32)
    assert uploads.content(upload) is None
    assert uploads.names() == []
    assert uploads.share(upload, 1) is None


@pytest.mark.parametrize("told", ["none", "", None, 7, "0F" * 32, "0f" * 31, "../" * 30, ["0f"]])
def test_what_has_not_the_form_of_a_token_is_none(session, told):
    visitor.know(told)
    assert visitor.token() is None
    assert visitor.is_known()


def test_without_a_token_or_a_store_the_session_has_the_file_and_says_why(
    session, store, monkeypatch
):
    visitor.know("none")
    upload = uploads.keep("a.csv", b"table", 1)
    assert uploads.content(upload) == b"table"
    assert uploads.fault(upload) == "This browser does not keep anything for this page."
    session()
    monkeypatch.setattr(uploads, "the_store", lambda: None)
    upload = uploads.keep("a.csv", b"table", 1)
    assert uploads.content(upload) == b"table"
    assert uploads.fault(upload) == "This server cannot keep files."
    assert not uploads.waits_for_visitor()


def test_where_there_is_no_room_the_session_has_the_file_and_says_why(
    session, monkeypatch, tmp_path
):
    full = Store(tmp_path / "full", StoreLimits(bytes_in_all=3))
    monkeypatch.setattr(uploads, "the_store", lambda: full)
    visitor.know(TOKEN)
    upload = uploads.keep("a.csv", b"table", 1)
    assert uploads.content(upload) == b"table"
    assert uploads.fault(upload) == "This server has no room for another file at the moment."
    full.close()


def test_a_store_that_breaks_is_logged_and_the_page_goes_on(session, store, caplog):
    visitor.know(TOKEN)
    store.close()
    upload = uploads.keep("a.csv", b"table", 1)
    assert uploads.content(upload) == b"table"
    assert uploads.fault(upload) == "This server could not keep the file."
    assert uploads.content(Upload("0" * 12, "x", 1)) is None
    assert uploads.names() == [upload]
    assert "does not answer" in caplog.text


def test_a_session_that_saw_a_shared_file_sees_it_no_more_once_it_is_withdrawn(session, store):
    visitor.know(TOKEN)
    upload = uploads.keep("a.csv", b"table", 1)
    share = uploads.share(upload, 1)
    session()
    assert uploads.shared_file(share.code) == share.upload
    assert uploads.content(share.upload) == b"table"
    assert uploads.identity(share.upload) == uploads.sha256(b"table").hexdigest()
    assert uploads.names() == []
    store.withdraw(TOKEN, share.code)
    assert uploads.content(share.upload) is None


def test_a_forgotten_file_is_gone_from_session_and_store(session, store):
    visitor.know(TOKEN)
    upload = uploads.keep("a.csv", b"table", 1)
    uploads.forget(upload)
    assert uploads.content(upload) is None
    assert uploads.names() == []


def test_a_session_holds_few_files_and_the_store_the_others(session, store):
    visitor.know(TOKEN)
    kept = [uploads.keep(f"{i}.csv", bytes([i]), 1) for i in range(5)]
    assert len(uploads.st.session_state[uploads.HELD]) == uploads.MOST_HELD
    assert {upload.digest for upload in uploads.names()} == {upload.digest for upload in kept}
    assert uploads.content(kept[0]) == b"\x00"


ROWS = "\n".join(f"{i % 7},{i % 5},{'yes' if i % 2 else 'no'}" for i in range(60))
FILE = ("own.csv", f"a,b,answer\n{ROWS}\n".encode(), "text/csv")


def uploaded(token=TOKEN):
    app = checked(entered("data", {}, visitor=token))
    return checked(app.file_uploader(key="upload_field").set_value([FILE]).run())


@pytest.fixture
def links(monkeypatch, menus):
    """What *Copy link* copies and says, the last one at the end."""
    said = []
    monkeypatch.setattr(
        "lastviz.ui.shared.doors.copy_link",
        lambda query, copied="": said.append((query, copied)),
    )
    return said


def test_a_copied_link_says_who_is_asked_for_the_file_or_opens_it(store, links):
    app = uploaded()
    checked(app.switch_page("pages/boundaries.py").run())
    assert links[-1][1] == "Copied. Whoever opens the link will be asked for own.csv"
    assert "share=" not in links[-1][0]
    checked(app.switch_page("pages/data.py").run())
    checked(app.button(key="make_share").click().run())
    code = store.shares(TOKEN)[0].code
    scene = dict(parse_qsl(links[-1][0]))
    assert any(block.value.endswith("?" + links[-1][0]) for block in app.code)
    checked(app.switch_page("pages/boundaries.py").run())
    checked(app.number_input(key="seed").set_value(5).run())
    assert links[-1][1] == "Copied. The link opens the table, too"
    assert dict(parse_qsl(links[-1][0])) == scene | {"seed": "5", "share": code}
    other = opened("boundaries", **dict(parse_qsl(links[-1][0])))
    assert other.number_input(key="seed").value == 5
    assert other.title[0].value == "Where does each algorithm draw the line?"


@pytest.mark.parametrize("before", [True, False])
def test_a_link_without_the_file_opens_with_the_code_under_which_it_is_shared(store, links, before):
    app = uploaded()
    plain = dict(parse_qsl(links[-1][0])) | {"seed": "5"}
    checked(app.button(key="make_share").click().run())
    code = store.shares(TOKEN)[0].code
    state = {"visitor": "ab" * 32}
    if before:  # the session has the table already when the link is opened
        held = uploads.Held(
            uploads.shared_file(code), FILE[1], uploads.digest_of(FILE[1]), stored=True
        )
        state[uploads.HELD] = {(held.upload.digest, code): held}
    other = checked(entered("boundaries", plain, **state))
    if not before:
        assert other.title[0].value.startswith("Please provide own")
        other.text_input(key="missing_file_code").set_value("wrong").run()
        assert "This code does not exist or has expired" in other.error[0].value
        checked(other.text_input(key="missing_file_code").set_value(code).run())
    assert other.title[0].value == "Where does each algorithm draw the line?"
    assert other.number_input(key="seed").value == 5
    assert "".join(other.query_params["share"]) == code


@pytest.mark.parametrize(
    ("content", "is_apart"),
    [
        (b"a,class\n1,x\n2,y\n", False),
        (gzip.compress(b"a,class\n1,x\n2,y\n"), True),
        (b"a,class\n1,x\n2,y\n" * 10_000, True),
    ],
    ids=["short text", "packed", "long text"],
)
def test_only_short_text_is_read_by_the_server_itself(monkeypatch, content, is_apart):
    asked = []

    def done_apart(_name, task, /, *args, **more):
        asked.append(task)
        return task(*args, **more)

    monkeypatch.setattr(data, "done_apart", done_apart)
    assert data.handed_in(read_file, content, name="a.csv").dataset.n_samples >= 2
    assert asked == [read_file] * is_apart


@pytest.fixture(autouse=True)
def archive(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LASTVIZ_OPENML_FOLDER", str(tmp_path / "sets"))
    with stand_in() as address:
        monkeypatch.setenv("LASTVIZ_OPENML", address)
        yield


def ask(app: AppTest, text: str) -> AppTest:
    app.text_input(key="openml_field").set_value(text).run()
    return rerun_until(app, lambda app: app.session_state["openml_asked"] is None)


def test_what_is_asked_for_becomes_the_data_and_the_link_names_it():
    app = checked(ask(opened("data", data="xor"), "Fruit"))
    assert app.query_params["data"] == "openml.7"
    assert app.selectbox(key="data").value == "openml.7"
    assert "fruit · from openml" in app.selectbox(key="data").options
    again = opened("boundaries", data="openml.7")
    assert again.selectbox(key="data").value == "openml.7"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("text", "sentence"),
    [("404", "OpenML has no data set"), (str(BROKEN), "error 503"), ("../x", "has a number, such")],
)
def test_what_cannot_be_had_leaves_everything_as_it_was(text, sentence):
    app = ask(opened("data", data="moons"), text)
    assert [sentence in error.value for error in app.error] == [True]
    assert app.query_params["data"] == "moons"
    assert not app.exception


@pytest.mark.ci
def test_a_link_to_one_that_was_not_fetched_draws_nothing_but_the_offer_to_fetch_it():
    app = opened("boundaries", data="openml.7", m="c45", held="0")
    assert app.title[0].value == "Fetch data set 7 of OpenML?"
    assert [box.key for box in app.selectbox] == ["language_choice"]
    app.button(key="openml_fetch").click().run()
    rerun_until(app, lambda app: "data" in [box.key for box in app.selectbox])
    checked(app)
    assert app.selectbox(key="data").value == "openml.7"
    assert (app.query_params["m"], app.query_params["data"]) == ("c45", "openml.7")


@pytest.mark.ci
def test_who_does_not_want_it_goes_on_with_other_data():
    app = opened("growth", data="openml.404")
    app.button(key="openml_fetch").click().run()
    rerun_until(app, lambda app: app.error)
    assert "OpenML has no data set" in app.error[0].value
    app.button(key="openml_without").click().run()
    assert checked(app).query_params["data"] == "xor"


credit = with_tables(write_credit, autouse=False)
BY_FOLDS = (("ccp_cv", 10), ("ccp_rule", "1se"), ("max_leaf_nodes", 8))


@pytest.mark.parametrize("key", ESTIMATORS)
def test_the_first_tree_of_an_own_table_can_be_read(key, credit):
    selection = Selection(data="folder.credit")
    model = usual_model(Work(selection), key)
    work = Work(selection.having(models=(model,)))
    if obstacle(entry_of(key), work.dataset) is not None or entry_of(key).cls.TAGS.forest:
        return
    tree = work.first.tree
    prunes = work.first.estimator.grown_tree_ is not tree
    assert tree.n_leaves <= 16 or prunes
    assert usual_model(Work(Selection(data="iris")), key).params == ()


def test_where_folds_would_leave_the_root_alone_the_tree_is_only_limited(credit):
    model = usual_model(Work(Selection(data="folder.credit")), "cart")
    assert model.params == (("max_leaf_nodes", 8),)
    alone = Selection(data="folder.credit", models=(Model("cart", BY_FOLDS),))
    assert Work(alone).first.tree.n_leaves == 1


def test_a_table_is_followed_by_its_tree_and_the_ways_on(credit, monkeypatch):
    params = {"m.max_leaf_nodes": 8}
    app = opened("data", data="folder.credit", m="cart", **params)
    found = rule_scene(Work(app.session_state["selection"]), "light")
    (said,) = [text for text in html(app).split("</p>") if "always predicting" in text]
    assert as_html(verdict(found.found, found.class_names)) in said
    assert "short_tree" in pictures(app)
    gone = []
    monkeypatch.setattr(streamlit, "switch_page", gone.append)
    for name, view in (("boundaries", "auto"), ("costs", "costs"), ("row", "row")):
        app = opened("data", data="folder.credit", m="cart", **params)
        app.button(key=f"to_{name}").click().run()
        assert app.session_state["selection"].rules.rule_view == view
    assert [page.url_path for page in gone] == ["boundaries", "rules", "rules"]
    assert not [b for b in opened("data", data="iris", m="cart").button if b.key == "to_row"]


READABLE = dict(BY_FOLDS)


def limits_of(app):
    return [
        set(dict(model.params)) & set(READABLE) for model in app.session_state["selection"].models
    ]


def test_the_tree_of_an_own_table_can_be_read_on_every_page_and_limits_go_with_the_table(store):
    app = uploaded()
    assert limits_of(app)[0] >= {"max_leaf_nodes"}
    assert app.query_params["m.max_leaf_nodes"] == "8"
    assert app.query_params["m2.max_depth"] == "4"  # of C4.5
    for page in ("boundaries", "growth", "splits", "pruning", "rules", "quiz", "compare"):
        checked(app.switch_page(f"pages/{page}.py").run())
        assert app.query_params["m.max_leaf_nodes"] == "8"
        selection = app.session_state["selection"]
        assert selection.models[0].key == "cart"
    checked(app.switch_page("pages/boundaries.py").run())
    table = app.selectbox(key="data").value
    checked(app.selectbox(key="data").set_value("xor").run())
    assert [model.params for model in app.session_state["selection"].models] == [(), ()]
    checked(app.selectbox(key="data").set_value(table).run())
    assert limits_of(app)[0] >= {"max_leaf_nodes"}


def test_a_model_that_was_chosen_stays_as_it_is_with_an_own_table(store):
    app = checked(entered("data", {"data": "iris", "m": "cart", "m.max_depth": 5}, visitor=TOKEN))
    checked(app.file_uploader(key="upload_field").set_value([FILE]).run())
    assert app.session_state["selection"].models == (Model("cart", (("max_depth", 5),)),)
