"""Whatever keeps what visitors hand in: nobody else can read it, and no run waits long for it.

Each kind of store is one row of STORES; what holds of one holds of all.
"""

import os
import sqlite3
import stat
from threading import Thread

import pytest

from lastviz.host import store as module
from lastviz.host.rooms import Rooms
from lastviz.host.store import Store, Upload
from lastviz.host.turns import Turns
from lastviz.studies.store import StoreError
from lastviz.studies.store import StudyStore as StudyStore
from tests.patience import SECONDS

ANNA = "a" * 64
UPLOAD = Upload("0" * 12, "table.csv", 1)


def studies(folder):
    return StudyStore(f"sqlite:///{folder / 'studies.sqlite'}", patience=0.1)


STORES = {
    "uploads": (Store, lambda store: store.keep(ANNA, UPLOAD, b"1")),
    "studies": (studies, lambda line: line.names(ANNA)),
}
QUESTIONS = {
    "keep": (Store, lambda store: store.keep(ANNA, UPLOAD, b"1")),
    "names": (Store, lambda store: store.names(ANNA)),
    "content": (Store, lambda store: store.content(ANNA, UPLOAD)),
    "presence": (Store, lambda store: store.note_presence(ANNA)),
    "text": (Store, lambda store: store.text(ANNA, "!0")),
    "share": (Store, lambda store: store.shared("code")),
    "look": (Store, lambda store: Rooms(store).look("ABCDEF")),
    "open": (Store, lambda store: Rooms(store).open(ANNA, "quiz", 1)),
}


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}


@pytest.mark.parametrize("umask", [0o022, 0o000, 0o027])
@pytest.mark.parametrize("name", STORES)
def test_nobody_else_can_read_what_is_kept(tmp_path, name, umask):
    make, use = STORES[name]
    folder = tmp_path / "kept"
    before = os.umask(umask)
    try:
        made = make(folder)
        use(made)
        found = modes(folder)
        made.close()
    finally:
        os.umask(before)
    folders = {"kept", "files"}
    assert found == {each: 0o700 if each in folders else 0o600 for each in found}
    assert len(found) > 2


@pytest.mark.parametrize("name", STORES)
def test_what_was_open_to_others_is_closed(tmp_path, name):
    make, use = STORES[name]
    make(tmp_path / "kept").close()
    for path in (tmp_path / "kept").rglob("*.sqlite*"):
        path.chmod(0o644)
    made = make(tmp_path / "kept")
    use(made)
    assert {m for each, m in modes(tmp_path / "kept").items() if "sqlite" in each} == {0o600}
    made.close()


def test_the_usual_place_of_studies_is_nobody_elses(tmp_path, monkeypatch):
    monkeypatch.delenv("LASTVIZ_STORE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "lastviz").mkdir(mode=0o755)
    line = StudyStore()
    assert modes(tmp_path / "lastviz")["lastviz"] == 0o700
    line.close()


def test_a_folder_that_somebody_named_keeps_its_mode(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    studies(tmp_path / "shared").close()
    found = modes(tmp_path / "shared")
    assert found.pop("shared") == 0o755
    assert set(found.values()) == {0o600}


class Waiting:
    """A clock that only sleeping moves, and whether others had the turn meanwhile."""

    def __init__(self, turns):
        self.now, self.others, self._turns = 100.0, 0, turns

    def sleep(self, seconds):
        self.now += seconds

        def run():
            with self._turns.turn():
                self.others += 1

        other = Thread(target=run)
        other.start()
        other.join(SECONDS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_store_that_is_locked_is_waited_for_briefly_and_while_others_run(
    tmp_path, monkeypatch, name
):
    make, ask = QUESTIONS[name]
    made, turns = make(tmp_path), Turns()
    waiting = Waiting(turns)
    monkeypatch.setattr(module, "TURNS", turns)
    monkeypatch.setattr(module, "sleep", waiting.sleep)
    monkeypatch.setattr(module, "monotonic", lambda: waiting.now)
    with turns.turn():
        ask(made)
        assert waiting.now == 100.0
        other = kept_by_another(made)
        for _ in range(8):  # as a run of a page asks again and again
            with pytest.raises(sqlite3.OperationalError):
                ask(made)
    assert 1.0 <= waiting.now - 100.0 <= 2.0
    assert waiting.others > 10
    other.close()
    with turns.turn():
        ask(made)


def kept_by_another(made):
    """Let another program have a store to itself, also from those who read it."""
    file = made._connection.execute("PRAGMA database_list").fetchone()[2]
    made._connection.execute("PRAGMA journal_mode = DELETE")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    return other


def test_studies_that_are_locked_are_refused_in_a_sentence(tmp_path):
    line = studies(tmp_path)
    other = sqlite3.connect(tmp_path / "studies.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="cannot be reached"):
        line.names(ANNA)
    other.close()
    line.close()
