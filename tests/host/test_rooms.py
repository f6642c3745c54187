"""Rooms: shared by processes, bounded, over by themselves, nobody named in them."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from lastviz.host import rooms as module
from lastviz.host import visitor
from lastviz.host.rooms import ROOM_LIMITS, Room, RoomLimits, Rooms, RoomsFull
from lastviz.host.store import Store, StoreFull, StoreLimits, Upload
from lastviz.ui.quiz.room import _crowded_words
from lastviz.ui.state.quiz_codes import Question, write_quiz
from tests.ui.conftest import checked, entered, html, opened


@pytest.fixture
def rooms(tmp_path, clock):
    store = Store(tmp_path / "store", clock=clock)
    yield Rooms(store, RoomLimits(pupils=50, rooms=4, rooms_of_host=2))
    store.close()


def test_a_class_answers_and_another_process_sees_it(rooms, tmp_path, clock):
    store = Store(tmp_path / "store", clock=clock)
    other = Rooms(store, rooms.limits)
    code = rooms.open("teacher", "quiz", 2)
    assert other.look(code).place == -1
    assert other.join(code, "ann")
    assert rooms.join(code, "bob")
    assert not other.answer(code, 0, "ann", "1")  # it is not asked yet
    rooms.go_on(code, "teacher", 0)
    assert other.answer(code, 0, "ann", "1")
    assert rooms.answer(code, 0, "bob", "1")
    assert rooms.answer(code, 0, "bob", "2")  # changed
    assert other.answers(code, 0) == {"1": 1, "2": 1}
    assert rooms.n_joined(code) == 2
    rooms.reveal(code, "teacher")
    assert other.look(code).revealed
    assert not other.answer(code, 0, "ann", "2")  # too late
    assert other.own_answer(code, 0, "ann") == "1"
    rooms.go_on(code, "teacher", 1)
    assert not other.look(code).revealed
    assert not other.answer(code, 0, "ann", "2")
    store.close()


def test_only_who_opened_a_room_goes_on_reveals_and_ends(rooms):
    code = rooms.open("teacher", "quiz", 2)
    rooms.go_on(code, "pupil", 1)
    rooms.reveal(code, "pupil")
    rooms.end(code, "pupil")
    found = rooms.look(code)
    assert (found.place, found.revealed) == (-1, False)
    rooms.go_on(code, "teacher", 7)
    assert rooms.look(code).place == -1
    rooms.end(code, "teacher")
    assert rooms.look(code) is None


def test_a_room_ends_by_itself_with_all_that_is_known_of_it(rooms, clock, tmp_path):
    code = rooms.open("teacher", "quiz", 1)
    rooms.join(code, "ann")
    rooms.go_on(code, "teacher", 0)
    rooms.answer(code, 0, "ann", "1")
    clock.now += 3600 * rooms.limits.hours
    assert rooms.look(code) is None
    assert not rooms.join(code, "bob")
    assert not rooms.answer(code, 0, "ann", "2")
    Store(tmp_path / "store", clock=clock).tidy()
    table = sqlite3.connect(tmp_path / "store" / "uploads.sqlite3")
    assert table.execute("SELECT count(*) FROM rooms").fetchone() == (0,)
    assert table.execute("SELECT count(*) FROM pupils").fetchone() == (0,)
    assert table.execute("SELECT count(*) FROM answers").fetchone() == (0,)
    table.close()


def test_nobody_can_be_found_in_the_table(rooms, tmp_path):
    code = rooms.open("teacher-token", "quiz", 1)
    rooms.join(code, "pupil-token")
    folder = tmp_path / "store"
    content = b"".join(path.read_bytes() for path in folder.glob("uploads*"))
    assert code.encode() in content
    assert b"teacher-token" not in content
    assert b"pupil-token" not in content
    assert folder.stat().st_mode & 0o777 == 0o700


def test_rooms_pupils_and_answers_are_bounded(rooms):
    first = rooms.open("teacher", "quiz", 1)
    rooms.open("teacher", "quiz", 1)
    rooms.open("teacher", "quiz", 1)
    assert rooms.look(first) is None  # the oldest ended for the third
    rooms.open("b", "quiz", 1)
    code = rooms.open("c", "quiz", 1)
    with pytest.raises(RoomsFull):
        rooms.open("d", "quiz", 1)
    with pytest.raises(RoomsFull):
        rooms.open("c", "q" * (rooms.limits.letters + 1), 1)
    assert all(rooms.join(code, f"pupil {i}") for i in range(50))
    assert not rooms.join(code, "one more")
    assert rooms.join(code, "pupil 3")
    rooms.go_on(code, "c", 0)
    assert not rooms.answer(code, 0, "one more", "1")
    assert not rooms.answer(code, 0, "pupil 3", "1" * 1000)


def test_fifty_pupils_answer_at_once_and_none_is_lost(rooms):
    code = rooms.open("teacher", "quiz", 1)
    rooms.go_on(code, "teacher", 0)

    def pupil(i):
        assert rooms.join(code, f"pupil {i}")
        return rooms.answer(code, 0, f"pupil {i}", str(i % 3))

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(pupil, range(50)))
    assert rooms.answers(code, 0) == {"0": 17, "1": 17, "2": 16}


def at_quiz(**query):
    """The page *quiz* in a browser that has answered that it keeps no token."""
    return checked(entered("quiz", query, visitor=""))


def test_nobody_is_taken_for_a_pupil_before_the_browser_has_answered(rooms, monkeypatch):
    monkeypatch.setattr("lastviz.ui.quiz.room.the_rooms", lambda: rooms)
    code = rooms.open("teacher-token", "quiz", 1)
    app = opened("quiz", room=code)
    assert any("Looking for your data" in each.value for each in app.caption)
    assert not app.radio


def test_a_teacher_and_a_pupil_on_the_page(rooms, monkeypatch):
    monkeypatch.setattr(module, "the_rooms", lambda: rooms)
    monkeypatch.setattr("lastviz.ui.quiz.room.the_rooms", lambda: rooms)
    quiz = write_quiz((Question("class", "data=iris&m=cart", 3),))
    teacher = at_quiz(questions=quiz)
    teacher.button(key="quiz_room_open").click()
    checked(teacher.run())
    code = "".join(teacher.query_params["room"])
    assert code in html(teacher)
    pupil = at_quiz(room=code.lower())
    assert f"You are in room {code}." in [each.value for each in pupil.subheader]
    teacher.button(key="quiz_next").click()
    checked(teacher.run())
    checked(pupil.run())
    pupil.button(key="quiz_class_0").click()
    checked(pupil.run())
    assert "Your answer: setosa" in [each.value for each in pupil.success]
    assert "CART says" not in html(pupil)
    checked(teacher.run())
    assert "1 of 1" in html(teacher)
    assert "CART says" not in html(teacher)
    teacher.button(key="quiz_show").click()
    checked(teacher.run())
    checked(pupil.run())
    assert "CART says" in html(teacher)
    assert "CART says" in html(pupil)
    teacher.button(key="quiz_next").click()
    checked(teacher.run())
    checked(pupil.run())
    assert "You had 1 of 1 right." in [each.value for each in pupil.markdown]
    teacher.button(key="quiz_end").click()
    checked(teacher.run())
    assert rooms.look(code) is None


def test_a_room_that_is_over_is_one_sentence(rooms, monkeypatch):
    monkeypatch.setattr("lastviz.ui.quiz.room.the_rooms", lambda: rooms)
    app = at_quiz(room="ABCDEF")
    assert "has expired" in app.info[0].value
    app = at_quiz(room="nothing")
    assert "which has six letters" in html(app)


GONE = "data=upload&file=a.csv&digest=abc&rows=90&m=cart"


@pytest.mark.parametrize("scene", [GONE, "data=regression_5_2&m=cart"])
def test_a_question_that_cannot_be_asked_does_not_end_the_room(rooms, monkeypatch, scene):
    monkeypatch.setattr("lastviz.ui.quiz.room.the_rooms", lambda: rooms)
    quiz = write_quiz((Question("class", scene, 3), Question("class", "data=xor&m=cart", 3)))
    teacher = at_quiz(questions=quiz)
    teacher.button(key="quiz_room_open").click()
    checked(teacher.run())
    pupil = at_quiz(room="".join(teacher.query_params["room"]))
    teacher.button(key="quiz_next").click()
    for app in (teacher, pupil):
        checked(app.run())
        assert "data" in app.info[0].value
    assert not any(button.key == "quiz_show" for button in teacher.button)
    teacher.button(key="quiz_next").click()
    checked(teacher.run())
    checked(pupil.run())
    pupil.button(key="quiz_class_0").click()
    checked(pupil.run())
    assert "Your answer: class 0" in [each.value for each in pupil.success]
    teacher.button(key="quiz_show").click()
    checked(teacher.run())
    teacher.button(key="quiz_next").click()
    checked(teacher.run())
    checked(pupil.run())
    assert any("of 2 right." in each.value for each in pupil.markdown)


LIMITS = RoomLimits(rooms=6, rooms_of_address=3, pupils=20, pupils_of_address=5, empty_minutes=10)


@pytest.fixture
def crowded(tmp_path, clock):
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


def test_one_address_opens_few_rooms_and_others_go_on(crowded):
    codes = [crowded.open(f"teacher {k}", "quiz", 1, "school") for k in range(3)]
    with pytest.raises(RoomsFull):
        crowded.open("teacher 3", "quiz", 1, "school")
    assert crowded.open("another", "quiz", 1, "elsewhere")
    crowded.end(codes[0], "teacher 0")
    assert crowded.open("teacher 3", "quiz", 1, "school")


def test_one_address_enters_a_room_few_times_however_many_windows_it_opens(crowded):
    code = crowded.open("teacher", "quiz", 1, "school")
    crowded.go_on(code, "teacher", 0)
    entered = [crowded.join(code, f"window {k}", "pupil's") for k in range(15)]
    assert sum(entered) == LIMITS.pupils_of_address
    answered = [crowded.answer(code, 0, f"window {k}", "1") for k in range(15)]
    assert sum(answered) == LIMITS.pupils_of_address
    assert crowded.join(code, "window 0", "pupil's")  # who is in stays in
    assert crowded.join(code, "another", "another's")
    other = crowded.open("teacher", "quiz", 1, "school")
    assert crowded.join(other, "window 9", "pupil's")


def test_without_a_known_address_there_is_the_limit_of_the_room_alone(crowded):
    code = crowded.open("teacher", "quiz", 1)
    assert sum(crowded.join(code, f"window {k}") for k in range(30)) == LIMITS.pupils
    assert [bool(crowded.open(f"teacher {k}", "quiz", 1)) for k in range(5)] == [True] * 5


def test_rooms_that_nobody_has_entered_end_for_others(crowded, clock):
    codes = [crowded.open(f"nobody {k}", "quiz", 1) for k in range(6)]
    crowded.join(codes[0], "pupil")
    with pytest.raises(RoomsFull):
        crowded.open("teacher", "quiz", 1)
    clock.now += 601
    assert crowded.open("teacher", "quiz", 1)
    assert crowded.look(codes[0]) is not None
    assert [code for code in codes if crowded.look(code) is None] == [codes[1]]


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
