"""A session's files beside the store's: when they are stored, and what is there without a store."""

from __future__ import annotations

import pytest

from lastviz.ui.compute import uploads
from lastviz.ui.compute.store import Limits, Store
from lastviz.ui.state import visitor
from lastviz.ui.state.selection import UPLOAD, Selection, Upload

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
    full = Store(tmp_path / "full", Limits(bytes_in_all=3))
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
    assert uploads.shared(share.code) == share.upload
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
