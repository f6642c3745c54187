"""How much visitors of one address may take, where a web server in front says who they are."""

from types import SimpleNamespace

import pytest

from lastviz.host import visitor
from lastviz.host.rooms import ROOM_LIMITS, Room, RoomLimits, Rooms, RoomsFull
from lastviz.host.store import Store, StoreFull, StoreLimits, Upload
from lastviz.ui.quiz.room import _crowded_words

LIMITS = RoomLimits(rooms=6, rooms_of_address=3, pupils=20, pupils_of_address=5, empty_minutes=10)


@pytest.fixture
def rooms(tmp_path, clock):
    store = Store(tmp_path / "store", clock=clock)
    yield Rooms(store, LIMITS)
    store.close()


@pytest.fixture
def told(monkeypatch):
    """The name of who asks with these headers, where a header is trusted or none is."""

    def named(headers, trusted="X-Forwarded-For"):
        monkeypatch.setenv(visitor.TRUSTED, trusted)
        context = SimpleNamespace(headers=headers)
        monkeypatch.setattr(visitor.st, "context", context)
        return visitor.source()

    return named


def test_one_address_opens_few_rooms_and_others_go_on(rooms):
    codes = [rooms.open(f"teacher {k}", "quiz", 1, "school") for k in range(3)]
    with pytest.raises(RoomsFull):
        rooms.open("teacher 3", "quiz", 1, "school")
    assert rooms.open("another", "quiz", 1, "elsewhere")
    rooms.end(codes[0], "teacher 0")
    assert rooms.open("teacher 3", "quiz", 1, "school")


def test_one_address_enters_a_room_few_times_however_many_windows_it_opens(rooms):
    code = rooms.open("teacher", "quiz", 1, "school")
    rooms.go_on(code, "teacher", 0)
    entered = [rooms.join(code, f"window {k}", "pupil's") for k in range(15)]
    assert sum(entered) == LIMITS.pupils_of_address
    answered = [rooms.answer(code, 0, f"window {k}", "1") for k in range(15)]
    assert sum(answered) == LIMITS.pupils_of_address
    assert rooms.join(code, "window 0", "pupil's")  # who is in stays in
    assert rooms.join(code, "another", "another's")
    other = rooms.open("teacher", "quiz", 1, "school")
    assert rooms.join(other, "window 9", "pupil's")


def test_without_a_known_address_there_is_the_limit_of_the_room_alone(rooms):
    code = rooms.open("teacher", "quiz", 1)
    assert sum(rooms.join(code, f"window {k}") for k in range(30)) == LIMITS.pupils
    assert [bool(rooms.open(f"teacher {k}", "quiz", 1)) for k in range(5)] == [True] * 5


def test_rooms_that_nobody_has_entered_end_for_others(rooms, clock):
    codes = [rooms.open(f"nobody {k}", "quiz", 1) for k in range(6)]
    rooms.join(codes[0], "pupil")
    with pytest.raises(RoomsFull):
        rooms.open("teacher", "quiz", 1)
    clock.now += 601
    assert rooms.open("teacher", "quiz", 1)
    assert rooms.look(codes[0]) is not None
    assert [code for code in codes if rooms.look(code) is None] == [codes[1]]


def test_visitors_of_one_address_keep_a_part_of_the_store(tmp_path, clock):
    store = Store(tmp_path, StoreLimits(bytes_of_visitor=60, bytes_of_address=100), clock)

    def keep(token, data, source):
        store.keep(token * 64, Upload(data[:3].decode(), "a.csv", 1), data, source)

    keep("a", b"a" * 50, "there")
    keep("b", b"b" * 50, "there")
    with pytest.raises(StoreFull):
        keep("c", b"c" * 10, "there")
    keep("c", b"c" * 50, "elsewhere")
    keep("d", b"d" * 60, None)
    store.forget_all("a" * 64)
    keep("e", b"e" * 50, "there")
    assert store.read("SELECT count(source) FROM uploads") == [(3,)]
    store.close()


def test_an_address_is_taken_from_the_trusted_header_alone(told):
    said = {"X-Forwarded-For": "192.0.2.7", "X-Real-IP": "192.0.2.8"}
    assert told(said, trusted="") is None
    assert told({}) is None
    assert told(said) == told({"X-Forwarded-For": "192.0.2.7"})
    assert told(said) != told(said, trusted="X-Real-IP")


def test_what_a_visitor_writes_before_the_proxy_does_not_count(told):
    expected = told({"X-Forwarded-For": "192.0.2.7"})
    for forged in ("10.0.0.1, 192.0.2.7", "x,  192.0.2.7", "192.0.2.7,192.0.2.7"):
        assert told({"X-Forwarded-For": forged}) == expected
    for nonsense in ("", "unknown", "192.0.2.7, ", "192.0.2", "_hidden"):
        assert told({"X-Forwarded-For": nonsense}) is None


def test_all_addresses_of_one_line_of_ipv6_are_one(told):
    one = told({"X-Forwarded-For": "2001:db8:1:2::1"})
    assert one == told({"X-Forwarded-For": "[2001:db8:1:2:ffff::9]"})
    assert one != told({"X-Forwarded-For": "2001:db8:1:3::1"})


def test_who_comes_from_a_crowded_address_is_told_so():
    said = _crowded_words(Room("ABCDEF", "quiz", 1, 0, False, 0.0))
    assert said.startswith(f"{ROOM_LIMITS.pupils_of_address} have joined the room ABCDEF")
