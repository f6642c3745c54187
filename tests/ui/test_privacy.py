"""What is kept of a visitor: listed, handed out and deleted as a whole; and the page about it."""

import io
import json
import zipfile

import pytest

from lastviz.datasets import load_dataset, to_csv
from lastviz.host import rooms as all_rooms
from lastviz.host import visitor
from lastviz.host.rooms import ROOM_LIMITS
from lastviz.host.store import ACCOUNT, LIMITS, Store, StoreLimits, the_store
from lastviz.studies.store import StudyStore as StudyStore
from lastviz.studies.store import address_of_store
from lastviz.studies.study import study_of
from lastviz.studies.tasks import plan
from lastviz.ui.compute import kept, studies, uploads
from lastviz.ui.compute.kept import KINDS, Item, zip_items
from lastviz.ui.privacy import page as privacy_page
from lastviz.ui.privacy.page import NOTICE
from lastviz.ui.state.quiz_codes import Slide, write_story
from lastviz.ui.state.selection import DEFAULT

from .conftest import ROOT, checked, entered, html

TOKEN, OTHER = "0f" * 32, "ab" * 32
STORY = (Slide("splits", "data=xor&m=c45", "Nothing to gain"),)


@pytest.fixture
def here(monkeypatch, tmp_path):
    """A store, rooms and studies of this test alone."""
    store = Store(tmp_path / "store")
    rooms = all_rooms.Rooms(store)
    for module in (uploads, kept):
        monkeypatch.setattr(module, "the_store", lambda: store)
    monkeypatch.setattr(kept, "the_rooms", lambda: rooms)
    monkeypatch.setenv("LASTVIZ_STORE", str(tmp_path / "studies.sqlite"))
    yield store, rooms
    store.close()


def hand_in(store, token, name="a/../Wine.csv"):
    upload = uploads.Upload(uploads.digest_of(name.encode()), name, 3)
    store.keep(token, upload, name.encode())
    return upload


def begin_study(line, token):
    """Begin a study of one set that was handed in; return its name in the store."""
    text = 'name = "Mine"\nfolds = 2\n[[algorithms]]\nkey = "cart"\n'
    made = study_of(text + '[[datasets]]\nkey = "upload_wine"\n', ["upload_wine"])
    wine = load_dataset("wine")
    cells, _ = plan(made, {"upload_wine": wine})
    study_id = line.register(made, cells, token)
    line.hand_in(study_id, {"upload_wine": (wine, "data=upload")})
    return study_id


def filled(store, rooms, token):
    """Let a visitor keep one thing of every kind."""
    upload = hand_in(store, token)
    store.share(token, upload, 7)
    store.keep_text(token, "!1", "age=41")
    rooms.open(token, "quiz of mine", 2)
    room = rooms.open(OTHER if token == TOKEN else TOKEN, "quiz of another", 2)
    rooms.join(room, token)
    rooms.go_on(room, OTHER if token == TOKEN else TOKEN, 0)
    rooms.answer(room, 0, token, "yes")
    return room


def page(token=TOKEN, **query):
    return checked(entered("privacy", query, **({visitor.TOKEN: token} if token else {})))


def listed(app):
    return html(app).split('<table class="lv-privacy lv-kept">')[-1].split("</table>")[0]


def said(app):
    return " ".join(each.value for kind in ("markdown", "caption", "info") for each in app.get(kind)
                    if hasattr(each, "value"))  # fmt: skip


def test_a_store_tells_and_gives_up_all_that_is_a_visitors_and_nothing_of_others(here):
    store, _ = here
    upload = hand_in(store, TOKEN)
    other = hand_in(store, OTHER, "b.csv")
    both = hand_in(store, OTHER)
    store.keep_text(TOKEN, "!1", "age=41")
    store.keep_text(OTHER, "!1", "age=42")
    code = store.share(TOKEN, upload, 1).code
    assert store.sizes(TOKEN) == {upload.digest: len(upload.name)}
    assert store.texts(TOKEN) == {"!1": "age=41"}
    store.forget_all(TOKEN)
    assert (store.sizes(TOKEN), store.texts(TOKEN), store.shares(TOKEN)) == ({}, {}, [])
    assert store.shared(code) is None
    assert set(store.names(OTHER)) == {other, both}
    assert store.content(OTHER, both) == upload.name.encode()  # which both had handed in
    assert store.texts(OTHER) == {"!1": "age=42"}


def test_rooms_tell_and_forget_who_opened_them_and_who_answered(here):
    _, rooms = here
    own = rooms.open(TOKEN, "quiz", 2)
    other = rooms.open(OTHER, "quiz", 2)
    for token in (TOKEN, "third"):
        rooms.join(other, token)
        rooms.go_on(other, OTHER, 0)
        rooms.answer(other, 0, token, "yes")
    assert [room.code for room in rooms.opened_by(TOKEN)] == [own]
    assert rooms.answered_by(TOKEN) == {other: ("yes",)}
    rooms.forget_all(TOKEN)
    assert (rooms.opened_by(TOKEN), rooms.answered_by(TOKEN)) == ([], {})
    assert rooms.look(own) is None
    assert rooms.answers(other, 0) == {"yes": 1}  # the third one's
    assert rooms.is_host(other, OTHER)


def test_the_page_lists_all_kinds_with_their_sizes_and_ends(here):
    store, rooms = here
    filled(store, rooms, TOKEN)
    app = page(slides=write_story(STORY))
    rows = listed(app)
    assert rows.count("<tr>") == 6 + 1  # and the head
    assert "a/../Wine.csv" in rows
    assert f"{len('a/../Wine.csv')} bytes" in rows
    assert f"{LIMITS.minutes:g} minutes after you left" in rows
    for words_of_kind in ("Share of a table", "1 text that you typed", "Room that you opened",
                          "1 answer in a room", "Story of 1 scene"):  # fmt: skip
        assert words_of_kind in rows
    assert rows.count("UTC") == 3  # of the share and of both rooms


def test_a_stranger_sees_nothing_and_no_token_is_made_for_looking(here):
    store, rooms = here
    filled(store, rooms, TOKEN)
    app = page(token=None)
    assert "Nothing about you is stored here." in said(app)
    assert '<table class="lv-privacy lv-kept">' not in html(app)
    assert visitor.TOKEN not in app.session_state
    assert [each.key for each in app.button if each.key == "privacy_delete_now"] == []


def test_all_of_it_is_deleted_at_once_here_and_in_the_browser(here):
    store, rooms = here
    room = filled(store, rooms, TOKEN)
    line = StudyStore(address_of_store())
    begin_study(line, TOKEN)
    begin_study(line, OTHER)
    app = page(slides=write_story(STORY), data="wine")
    assert "<b>Study</b><span>Mine</span>" in listed(app)
    checked(app.button(key="privacy_delete_now").click().run())
    assert "All of it is deleted." in said(app)
    assert "Nothing about you is stored here." in said(app)
    assert (store.sizes(TOKEN), store.texts(TOKEN), store.shares(TOKEN)) == ({}, {}, [])
    assert (rooms.opened_by(TOKEN), rooms.answered_by(TOKEN)) == ([], {})
    assert rooms.look(room) is not None
    assert line.names(TOKEN) == []
    assert len(line.names(OTHER)) == 1
    assert "slides" not in app.query_params
    assert "wine" not in "".join(app.query_params.get("data", ""))
    assert app.session_state[visitor.FORGOTTEN]
    assert not app.session_state[visitor.TOKEN]
    line.close()


ANN, EVE = f"{ACCOUNT}ann", f"{ACCOUNT}eve"


def test_an_account_takes_over_what_its_browser_kept_and_finds_it_elsewhere(here, monkeypatch):
    store, _ = here
    hand_in(store, TOKEN)
    hand_in(store, ANN, "b.csv")
    hand_in(store, EVE, "c.csv")
    line = StudyStore(address_of_store())
    begin_study(line, TOKEN)
    monkeypatch.setattr(visitor, "account", lambda: ANN)
    app = page()
    sentence = "What this browser kept here before now belongs to your account."
    assert sentence in html(app)
    for expected in ("Wine.csv", "b.csv", "<b>Study</b><span>Mine</span>", "30 days after"):
        assert expected in listed(app)
    assert "c.csv" not in listed(app)
    assert (store.names(TOKEN), line.names(TOKEN)) == ([], [])
    elsewhere = page(token=None)
    assert sentence not in html(elsewhere)
    assert listed(elsewhere) == listed(app)
    monkeypatch.setattr(visitor, "account", lambda: EVE)
    other = listed(page())  # at the same browser
    assert "c.csv" in other
    assert "b.csv" not in other
    line.close()


def test_all_of_an_account_is_deleted_and_nothing_of_another(here, monkeypatch):
    store, rooms = here
    filled(store, rooms, ANN)
    kept_of_eve = hand_in(store, EVE, "c.csv")
    line = StudyStore(address_of_store())
    begin_study(line, ANN)
    monkeypatch.setattr(visitor, "account", lambda: ANN)
    app = page(token=None)
    checked(app.button(key="privacy_delete_now").click().run())
    assert "Nothing about you is stored here." in said(app)
    assert (store.sizes(ANN), store.texts(ANN), store.shares(ANN)) == ({}, {}, [])
    assert (rooms.opened_by(ANN), rooms.answered_by(ANN), line.names(ANN)) == ([], {}, [])
    assert store.names(EVE) == [kept_of_eve]
    line.close()


def test_a_store_of_studies_that_is_away_leaves_the_rest_of_a_take_over(here, monkeypatch):
    store, _ = here
    hand_in(store, TOKEN)
    monkeypatch.setenv("LASTVIZ_STORE", "postgresql+psycopg://nobody@localhost:1/none")
    monkeypatch.setattr(studies, "PATIENCE", 0.0)
    monkeypatch.setattr(visitor, "account", lambda: ANN)
    assert "Wine.csv" in listed(page())
    assert store.names(TOKEN) == []


def test_what_does_not_answer_is_said(here, monkeypatch):
    store, rooms = here
    filled(store, rooms, TOKEN)
    app = page()
    monkeypatch.setattr(store, "forget_all", lambda token: (_ for _ in ()).throw(OSError("away")))
    app.button(key="privacy_delete_now").click().run()
    assert ["Not everything could be deleted" in error.value for error in app.error] == [True]
    assert "a/../Wine.csv" not in listed(app)  # the browser has forgotten its token all the same


def test_an_archive_has_a_part_for_each_thing_under_names_that_lead_nowhere():
    named = {"..\\../etc/passwd": b"1", "passwd": b"2", ".bashrc": b"3"}
    things = [
        Item("file", name, 1, until=0.0, parts=lambda name=name: {
            f"files/{kept._plain_name(name)}": named[name]})
        for name in named
    ]  # fmt: skip
    things.insert(2, Item("texts", "", 3, 2, parts=lambda: {"typed_values.json": '["é"]'}))
    with zipfile.ZipFile(io.BytesIO(zip_items(things))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    rows = json.loads(found.pop("list.json"))
    assert [row["kind"] for row in rows] == ["file", "file", "texts", "file"]
    assert rows[3]["until"] == "1970-01-01T00:00:00+00:00"
    assert found == {
        "files/passwd": b"1",
        "files/passwd (2)": b"2",
        "typed_values.json": '["é"]'.encode(),
        "files/bashrc": b"3",
    }


def test_what_the_page_lists_is_what_the_archive_has(here, monkeypatch):
    store, rooms = here
    table = to_csv(load_dataset("wine"))
    store.keep(TOKEN, uploads.Upload(uploads.digest_of(table), "wine.csv", 178), table)
    filled(store, rooms, TOKEN)
    line = StudyStore(address_of_store())
    study_id = begin_study(line, TOKEN)
    line.close()
    state = {visitor.TOKEN: TOKEN}
    monkeypatch.setattr(uploads.st, "session_state", state)
    things = kept.all_items(DEFAULT)
    assert {thing.kind for thing in things} == set(KINDS) - {"story", "quiz"}
    (study,) = [thing for thing in things if thing.kind == "study"]
    assert study.n_bytes > 1000  # its table, too
    with zipfile.ZipFile(io.BytesIO(zip_items(things))) as archive:
        names = archive.namelist()
        assert archive.read("files/wine.csv") == table
        assert json.loads(archive.read("typed_values.json")) == ["age=41"]
        folder = f"studies/{study_id}/"
        assert b'name = "Mine"' in archive.read(folder + "study.toml")
        assert archive.read(folder + "upload_wine.csv") == table
        assert archive.read(folder + "folds.csv").startswith(b"cell,algorithm,dataset")
    assert len(names) == 1 + len(things) + 3  # a study is four files


def test_every_number_of_the_page_is_a_limit_of_the_code(monkeypatch):
    limits = StoreLimits(files=3, bytes_of_visitor=7_000_000, minutes=21.0, days=5.0, texts=11,
                         days_of_account=8.0)  # fmt: skip
    monkeypatch.setattr(privacy_page, "LIMITS", limits)
    monkeypatch.setattr(privacy_page, "ROOM_LIMITS", type(ROOM_LIMITS)(hours=9.0))
    monkeypatch.setattr(privacy_page, "STAYS", 77.0)
    text = " ".join(" ".join(rule) for rule in privacy_page.rules(login=False))
    for said_here in ("21 minutes", "3 files, 7 MB and 11 texts", "5 days at most",
                      "9 hours", "77 seconds",
                      privacy_page.STORAGE, privacy_page.XSRF_COOKIE_NAME):  # fmt: skip
        assert said_here in text
    assert privacy_page.WORKER_COOKIE not in text.split()
    with_login = " ".join(" ".join(rule) for rule in privacy_page.rules(login=True))
    assert "Until 8 days after your last visit" in with_login
    assert "for this browser" not in with_login
    assert privacy_page.STORAGE not in with_login.split()
    monkeypatch.setenv(privacy_page.WORKERS, "2")
    assert f"{privacy_page.XSRF_COOKIE_NAME}, LV" in " ".join(
        " ".join(rule) for rule in privacy_page.rules(login=False)
    )


def test_names_that_other_files_give_are_the_ones_that_the_page_says():
    watch = (ROOT / "lastviz/ui/components/visitor_watch.js").read_text(encoding="utf-8")
    assert f'const NAME = "{privacy_page.STORAGE}";' in watch
    proxy = (ROOT / "deploy/haproxy.cfg.template").read_text(encoding="utf-8")
    assert f"cookie {privacy_page.WORKER_COOKIE} insert" in proxy


@pytest.mark.parametrize(("n_bytes", "text"), [
    (1, "1 byte"), (999, "999 bytes"), (1234, "1.23 kB"), (250_000_000, "250 MB"),
])  # fmt: skip
def test_sizes_are_said_as_people_read_them(n_bytes, text):
    assert privacy_page.size(n_bytes) == text


def test_the_operators_notice_is_markdown_and_its_html_is_text(here, monkeypatch, tmp_path):
    file = tmp_path / "notice.md"
    file.write_text("**Ann** runs it. <script>alert(1)</script>", encoding="utf-8")
    (tmp_path / "notice.zh.md").write_text("安", encoding="utf-8")
    monkeypatch.setenv(NOTICE, str(file))
    app = page()
    (shown,) = [each for each in app.markdown if "Ann" in each.value]
    assert not shown.proto.allow_html
    assert "安" in said(page(lang="zh"))
    for content in (b"\xff\xfe\xff", b"x" * 200_000):
        file.write_bytes(content)
        assert "cannot be shown at the moment" in said(page())
    monkeypatch.setenv(NOTICE, str(tmp_path / "none.md"))
    assert "cannot be shown at the moment" in said(page())
    monkeypatch.delenv(NOTICE)
    assert "has left no notice" in said(page())


def test_the_store_of_all_tests_is_not_that_of_this_file(here):
    assert uploads.the_store() is not the_store()
