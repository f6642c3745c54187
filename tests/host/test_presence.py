"""Who is here and who has left: what is kept of a visitor, in the store and in memory."""

import asyncio
import gc
import weakref
from threading import Event
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from lastviz.datasets import load_dataset, to_csv
from lastviz.host import security, visitor
from lastviz.host.memory import MEMORY
from lastviz.host.store import Store, StoreLimits
from lastviz.host.visitor import Presence
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import UPLOAD, Selection
from tests.patience import SECONDS

ANNA, BEN = "a" * 64, "b" * 64
WINE = to_csv(load_dataset("wine"))
SHORT = StoreLimits(minutes=0.1)  # six seconds


class World:
    """A server with a clock of its own; sessions open and close."""

    def __init__(self, monkeypatch, folder):
        self.now = 1000.0
        self.open = set()
        self.store = Store(folder, SHORT, lambda: self.now)
        self.presence = Presence(lambda: self.now)
        self._patch = monkeypatch
        for module in (uploads, visitor):
            monkeypatch.setattr(module, "the_store", lambda: self.store)
        monkeypatch.setattr(uploads, "PRESENCE", self.presence)

    def session(self, name, token):
        """Go on in another session: of a visitor, with nothing in it."""
        self.open.add(name)
        self._patch.setattr(uploads.st, "session_state", {})
        run = SimpleNamespace(session_id=name)
        self._patch.setattr(visitor, "get_script_run_ctx", lambda **_: run)
        visitor.know(token)

    def wait(self, seconds):
        for _ in range(seconds):
            self.now += 1
            self.presence.look(self.open.__contains__, SHORT.minutes)


@pytest.fixture
def world(monkeypatch, tmp_path):
    made = World(monkeypatch, tmp_path / "store")
    yield made
    made.store.close()


def kept_about(upload):
    word = uploads.identity(upload)
    return [key for key in MEMORY._entries if word in str(key)]


def test_what_a_visitor_has_stays_while_a_page_is_open_and_is_gone_soon_after(world):
    world.session("one", ANNA)
    upload = uploads.keep("wines.csv", WINE, 178)
    security.keep("148,sunny")
    uploads.store_held()
    assert Work(Selection(data=UPLOAD, upload=upload)).data.full.n_samples == 178
    assert kept_about(upload)
    world.wait(60)
    name = security.name_of("148,sunny")
    world.session("two", ANNA)  # as by F5
    uploads.store_held()
    world.open.discard("one")
    assert uploads.content(upload) == WINE
    assert uploads.text_of(name) == "148,sunny"
    world.wait(30)
    assert kept_about(upload)
    files = list((world.store.folder / "files").iterdir())
    assert len(files) == 1
    identity = uploads.identity(upload)
    world.open.clear()
    world.wait(9)
    assert list((world.store.folder / "files").iterdir()) == []
    assert not [key for key in MEMORY._entries if identity in str(key)]
    world.session("three", ANNA)
    uploads.store_held()
    assert uploads.content(upload) is None
    assert uploads.text_of(name) is None


def test_memory_keeps_what_another_visitor_works_with(world):
    world.session("anna", ANNA)
    upload = uploads.keep("wines.csv", WINE, 178)
    _ = Work(Selection(data=UPLOAD, upload=upload)).data
    world.session("ben", BEN)
    assert uploads.keep("wines.csv", WINE, 178) == upload
    world.open.discard("anna")
    world.wait(20)
    assert kept_about(upload)
    assert uploads.content(upload) == WINE


def test_a_typed_text_is_its_visitors_alone(world):
    world.session("anna", ANNA)
    security.keep("148,sunny")
    uploads.store_held()
    name = security.name_of("148,sunny")
    assert uploads.text_of(name) == "148,sunny"
    world.session("ben", BEN)
    assert uploads.text_of(name) is None
    world.session("nobody", None)
    assert uploads.text_of(name) is None


def test_a_typed_text_is_stored_when_the_visitor_becomes_known(world, monkeypatch):
    world.session("anna", None)
    del uploads.st.session_state[visitor.TOKEN]
    security.keep("148,sunny")
    assert uploads.waits_for_visitor()
    visitor.know(ANNA)
    uploads.store_held()
    assert not uploads.waits_for_visitor()
    assert world.store.text(ANNA, security.name_of("148,sunny")) == "148,sunny"


def test_files_that_a_link_cannot_tell_apart_are_told_apart_by_all_of_their_digest(
    world, monkeypatch
):
    monkeypatch.setattr(uploads, "digest_of", lambda data: "0" * 12)
    other = WINE.replace(b"14.23", b"99.99", 1)
    found = {}
    for name, token, data in (("anna", ANNA, WINE), ("ben", BEN, other)):
        world.session(name, token)
        upload = uploads.keep("wines.csv", data, 178)
        selection = Selection(data=UPLOAD, upload=upload)
        found[name] = (
            selection,
            Work(selection).data_key,
            Work(selection).data.full.X["alcohol"].max(),
        )
    assert found["anna"][0] == found["ben"][0]
    assert found["anna"][1] != found["ben"][1]
    assert found["ben"][2] == 99.99
    assert found["anna"][2] < 15
    for name, token, data in (("anna", ANNA, WINE), ("ben", BEN, other)):
        world.session(f"{name} again", token)
        assert uploads.content(found[name][0].upload) == data


def test_what_is_free_goes_back_to_the_system_with_each_look(monkeypatch):
    given = Event()
    monkeypatch.setattr(visitor, "Event", lambda: given)  # once it is set the thread ends
    monkeypatch.setattr(visitor, "EVERY", 0.01)
    monkeypatch.setattr(visitor, "give_back", given.set)
    monkeypatch.setattr(visitor, "PRESENCE", Presence())
    visitor.look_after(lambda name: True)
    assert given.wait(SECONDS)


def test_a_session_ends_once_some_time_after_its_page_was_closed(world):
    world.session("anna's", ANNA)
    uploads.store_held()
    ended = []
    for _ in range(300):
        world.now += visitor.OFTEN / 2
        ended += world.presence.ended(world.open.__contains__)
    assert ended == []
    world.open.clear()
    closed = world.now
    while not ended:
        world.now += visitor.OFTEN / 2
        ended += world.presence.ended(world.open.__contains__)
    assert ended == ["anna's"]
    assert visitor.STAYS / 2 < world.now - closed <= visitor.STAYS - visitor.OFTEN
    world.now += 10 * visitor.STAYS
    assert world.presence.ended(world.open.__contains__) == []


def test_a_page_that_was_cut_off_and_comes_back_in_time_keeps_its_session(world):
    world.session("anna's", ANNA)
    uploads.store_held()
    for _ in range(5):
        world.open.clear()
        world.now += visitor.STAYS - 3 * visitor.OFTEN
        assert world.presence.ended(world.open.__contains__) == []
        world.open.add("anna's")
        assert world.presence.ended(world.open.__contains__) == []


def test_nothing_holds_what_an_ended_session_held(monkeypatch):
    class Table:
        pass

    async def visit():
        server = Runtime(
            RuntimeConfig(
                script_path=__file__,
                media_file_storage=MemoryMediaFileStorage("/media"),
                uploaded_file_manager=MemoryUploadedFileManager("/upload"),
            )
        )
        await server.start()
        session = server.connect_session(SimpleNamespace(write_forward_msg=print), {})
        held = server._session_mgr.get_session_info(session).session
        held.session_state["table"] = Table()
        table = weakref.ref(held.session_state["table"])
        held._enqueue_forward_msg(ForwardMsg())
        await asyncio.sleep(0.1)  # for the server's loop to look at the session
        server.disconnect_session(session)
        visitor._end(session)
        del held
        gc.collect()
        still_held = table() is not None
        server.stop()
        await server.stopped
        return still_held

    monkeypatch.setattr(Runtime, "_instance", None)
    assert not asyncio.run(visit())


def test_a_session_ends_also_where_streamlit_keeps_its_state_elsewhere(monkeypatch):
    closed = []
    for server in (
        SimpleNamespace(close_session=closed.append),
        SimpleNamespace(
            close_session=closed.append,
            _session_mgr=SimpleNamespace(get_session_info=lambda session: None),
        ),
    ):
        monkeypatch.setattr(visitor.runtime, "get_instance", lambda server=server: server)
        visitor._end("anna's")
    assert closed == ["anna's", "anna's"]
