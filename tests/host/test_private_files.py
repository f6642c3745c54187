"""What keeps visitors' files: for nobody else's eyes, within limits, no longer than asked."""

import asyncio
import os
import random
import sqlite3
import stat
from collections import Counter
from dataclasses import replace
from threading import Thread

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from lastviz.host import store as module
from lastviz.host.intake import Intake, IntakeLimits, Received
from lastviz.host.rooms import Rooms
from lastviz.host.store import Store, Upload
from lastviz.host.turns import Turns
from lastviz.studies.store import StoreError
from lastviz.studies.store import StudyStore as StudyStore
from tests.own_loop import finished
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


LIMITS = IntakeLimits(files=4, bytes_of_session=100, bytes_in_all=250, seconds=60.0)


async def arrived():
    return 204


class Server:
    """A server that keeps what it is sent, as Streamlit does, with a clock of its own."""

    def __init__(self):
        self.now = 0.0
        self.manager = MemoryUploadedFileManager("/_stcore/upload_file")
        self.received = Received(LIMITS, lambda: self.now)
        self.intake = Intake(self._take, self.received, lambda: self.manager)

    async def _take(self, scope, receive, send):
        status = await receive()
        if status == 204:
            session, file = scope["path"].split("/")[-2:]
            data = b"x" * int(dict(scope["headers"])[b"content-length"])
            self.manager.add_file(session, UploadedFileRec(file, "a.csv", "text/csv", data))
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def put_slowly(self, session, file, length, receive=None, base="/some/base"):
        said = []

        async def send(message):
            said.append(message)

        headers = [] if length is None else [(b"content-length", str(length).encode())]
        path = f"{base}/_stcore/upload_file/{session}/{file}"
        scope = {"type": "http", "method": "PUT", "path": path, "headers": headers}
        await self.intake(scope, receive or arrived, send)
        return said[0]["status"], said[1]["body"].decode()

    def put(self, *file, **more):
        return finished(self.put_slowly(*file, **more))

    def kept(self):
        stored = self.manager.file_storage
        return {(s, f): len(rec.data) for s, files in stored.items() for f, rec in files.items()}


@pytest.mark.parametrize("base", ["", "/tools/lastviz"])
def test_what_is_too_much_is_answered_413_with_a_sentence(base):
    server = Server()
    assert server.put("anna", "a", 90, base=base)[0] == 204
    status, sentence = server.put("anna", "b", 11, base=base)
    assert status == 413
    assert sentence.endswith(".\n")
    assert server.put("anna", "b", 10, base=base)[0] == 204
    assert [server.put(whose, "a", 75)[0] for whose in ("ben", "carl")] == [204, 204]
    assert server.put("dora", "a", 1)[0] == 413  # in all
    assert sum(server.kept().values()) == LIMITS.bytes_in_all


def test_small_files_are_counted_too():
    server = Server()
    answers = [server.put("anna", str(file), 0)[0] for file in range(9)]
    assert answers == [204] * LIMITS.files + [413] * 5


def test_a_request_that_does_not_say_how_long_it_is_is_refused():
    assert Server().put("anna", "a", None)[0] == 411


@pytest.mark.parametrize(
    ("code", "other", "answers"),
    [(204, ("a", 1), (204, 413, 413)), (400, ("b", 80), (400, 413, 204))],
)
def test_what_is_on_its_way_counts_until_it_has_failed(code, other, answers):
    """It is not counted as another file of its name."""
    server = Server()

    async def both():
        comes = asyncio.Future()

        async def receive():
            return await comes

        first = asyncio.ensure_future(server.put_slowly("anna", "a", 80, receive))
        await asyncio.sleep(0)
        meanwhile = await server.put_slowly("anna", *other)
        comes.set_result(code)
        return (await first)[0], meanwhile[0], (await server.put_slowly("anna", "b", 80))[0]

    assert finished(both()) == answers


@pytest.mark.parametrize("fails", [False, True])
def test_a_file_that_stops_on_its_way_gives_up_its_room(fails):
    """Also where the app has something to say about a request that is cut off."""
    server = Server()
    server.received.limits = replace(LIMITS, seconds=0.01)

    async def take(scope, receive, send):
        assert (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.start", "status": 500, "headers": []})
        if fails:
            raise OSError

    async def never():
        await asyncio.Future()

    intake, server.intake._app = server.intake._app, take
    assert server.put("anna", "a", 80, receive=never)[0] == 408
    server.intake._app = intake
    assert server.put("anna", "b", 80)[0] == 204


def test_a_file_that_no_run_has_asked_for_goes_and_another_stays_with_its_session():
    server = Server()
    server.put("anna", "read", 10)
    server.put("anna", "unread", 10)
    server.manager.get_files("anna", ["read"])
    server.now += LIMITS.seconds + 1
    server.received.tidy()
    assert set(server.kept()) == {("anna", "read")}
    server.now += 1e6
    server.received.tidy()
    assert set(server.kept()) == {("anna", "read")}
    server.manager.remove_session_files("anna")
    assert server.put("anna", "a", 100)[0] == 204


@pytest.mark.parametrize("seed", range(20))
def test_the_limits_hold_whatever_happens(seed):
    """Files come, are read, removed, replaced, left alone; sessions end."""
    server, chance = Server(), random.Random(seed)
    for _ in range(300):
        session, file = chance.choice("abcde"), chance.choice("123456")
        match chance.randrange(6):
            case 0 | 1 | 2:
                before = server.kept()
                others = Counter(before)
                del others[session, file]
                n_bytes = chance.randrange(0, 60)
                status, _ = server.put(session, file, n_bytes)
                own = sum(n for (whose, _), n in others.items() if whose == session)
                fits = own + n_bytes <= 100 and sum(others.values()) + n_bytes <= 250
                n_own = sum(whose == session for whose, _ in others)
                assert (status == 204) >= (fits and n_own < LIMITS.files)
            case 3:
                server.manager.get_files(session, [file])
            case 4:
                server.manager.remove_file(session, file)
            case 5:
                server.now += chance.randrange(0, 40)
                if chance.random() < 0.1:
                    server.manager.remove_session_files(session)
        kept = server.kept()
        of_sessions = Counter()
        for (whose, _), n_bytes in kept.items():
            of_sessions[whose] += n_bytes
        assert sum(kept.values()) <= LIMITS.bytes_in_all
        assert max(of_sessions.values(), default=0) <= LIMITS.bytes_of_session
