"""Files of visitors: who sees them, for how long, how many; hostile names; several processes."""

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from lastviz.host.store import (
    ACCOUNT,
    DAY,
    Store,
    StoreFull,
    StoreLimits,
    Upload,
    default_folder,
)
from tests.patience import SECONDS

ANNA, BEN = "a" * 64, "b" * 64
ANN, EVE = f"{ACCOUNT}ann", f"{ACCOUNT}eve"  # with a login
LEFT = 600.0  # seconds after which a visitor has left


@pytest.fixture
def make(tmp_path, clock):
    made = []

    def start(**limits):
        store = Store(tmp_path / "store", StoreLimits(**limits), clock)
        made.append(store)
        return store

    yield start
    for store in made:
        store.close()


def upload_of(data, name="table.csv"):
    return Upload(hashlib.sha256(data).hexdigest()[:12], name, 3)


def put(store, token, data, name="table.csv"):
    upload = upload_of(data, name)
    store.keep(token, upload, data)
    return upload


def files_in(store):
    return sorted(path.name for path in (store.folder / "files").iterdir())


def test_a_visitor_finds_a_file_again_and_nobody_else_does(make):
    store = make()
    upload = put(store, ANNA, b"a,b\n1,2\n")
    assert store.content(ANNA, upload) == b"a,b\n1,2\n"
    assert store.names(ANNA) == [upload]
    assert store.content(BEN, upload) is None
    assert store.content("", upload) is None
    assert store.names(BEN) == []
    store.forget(BEN, upload)
    assert store.content(ANNA, upload) is not None


def test_a_file_outlives_its_process(make):
    upload = put(make(), ANNA, b"1")
    assert make().content(ANNA, upload) == b"1"


def test_the_folder_is_nobody_elses(make, tmp_path):
    (tmp_path / "store").mkdir(mode=0o755)
    store = make()
    put(store, ANNA, b"1")
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((store.folder / "files").stat().st_mode) == 0o700
    for path in (store.folder / "files").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_of_somebody_else_is_refused(make, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(PermissionError, match="another user"):
        make()


def test_the_table_does_not_tell_tokens(make):
    store = make()
    put(store, ANNA, b"1")
    store.close()
    assert not any(ANNA.encode() in path.read_bytes() for path in store.folder.glob("uploads*"))


def test_the_same_bytes_are_there_once_and_stay_while_one_has_them(make):
    store = make()
    first, second = put(store, ANNA, b"same"), put(store, BEN, b"same", "other.csv")
    assert len(files_in(store)) == 1
    store.forget(ANNA, first)
    assert store.content(BEN, second) == b"same"
    store.forget(BEN, second)
    assert files_in(store) == []


def test_handed_in_again_under_another_name_it_is_one_file(make):
    store = make()
    put(store, ANNA, b"1", "old.csv")
    upload = put(store, ANNA, b"1", "new.csv")
    assert store.names(ANNA) == [upload]


def test_a_visitor_keeps_the_files_used_last(make, clock):
    store = make(files=3)
    uploads = []
    for number in range(5):
        clock.now += 1
        uploads.append(put(store, ANNA, b"%d" % number))
    assert store.names(ANNA) == uploads[2:]
    assert len(files_in(store)) == 3


def test_a_visitor_keeps_so_many_bytes(make, clock):
    store = make(bytes_of_visitor=100)
    for number in range(3):
        clock.now += 1
        last = put(store, ANNA, bytes([number]) * 40)
    assert [upload.digest for upload in store.names(ANNA)][-1] == last.digest
    assert len(store.names(ANNA)) == 2
    with pytest.raises(StoreFull):
        put(store, ANNA, b"x" * 101)
    assert len(store.names(ANNA)) == 2


def test_when_all_is_full_the_new_one_is_refused_until_a_visitor_has_left(make, clock):
    store = make(bytes_in_all=100)
    first = put(store, ANNA, b"1" * 60)
    with pytest.raises(StoreFull):
        put(store, BEN, b"2" * 60)
    assert store.content(ANNA, first) == b"1" * 60
    assert files_in(store) == [hashlib.sha256(b"1" * 60).hexdigest()]
    clock.now += LEFT
    second = put(store, BEN, b"2" * 60)
    assert store.content(BEN, second) == b"2" * 60
    assert store.content(ANNA, first) is None


def test_when_all_is_full_a_shared_file_stays(make, clock):
    store = make(bytes_in_all=100)
    first = put(store, ANNA, b"1" * 60)
    share = store.share(ANNA, first, days=7)
    clock.now += 2 * DAY
    with pytest.raises(StoreFull):
        put(store, BEN, b"2" * 60)
    assert store.shared_content(share.upload) == b"1" * 60


def test_a_refused_file_costs_the_visitor_no_other(make, clock):
    store = make(files=1, bytes_in_all=100)
    mine = put(store, ANNA, b"1" * 10)
    put(store, BEN, b"2" * 80)
    with pytest.raises(StoreFull):
        put(store, ANNA, b"3" * 60)
    assert store.content(ANNA, mine) == b"1" * 10


def test_files_and_texts_are_gone_ten_minutes_after_the_visitor_and_not_before(make, clock):
    store = make()
    assert store.limits.minutes == 10
    of_anna, of_ben = put(store, ANNA, b"anna"), put(store, BEN, b"ben")
    store.keep_text(ANNA, "!1", "148,sunny")
    store.keep_text(BEN, "!2", "7")
    for _ in range(30):  # half an hour; Anna's page is open
        clock.now += 60
        store.note_presence(ANNA)
    assert store.content(ANNA, of_anna) == b"anna"
    assert store.text(ANNA, "!1") == "148,sunny"
    assert store.content(BEN, of_ben) is None
    assert store.text(BEN, "!2") is None
    assert store.names(BEN) == []
    assert files_in(store) == [hashlib.sha256(b"anna").hexdigest()]
    clock.now += 599
    assert store.content(ANNA, of_anna) == b"anna"
    clock.now += 1
    assert store.content(ANNA, of_anna) is None
    assert store.text(ANNA, "!1") is None
    store.note_presence(ANNA)  # who comes back later has nothing here
    assert store.names(ANNA) == []
    assert files_in(store) == []
    store.close()
    assert not any(b"sunny" in path.read_bytes() for path in store.folder.glob("uploads*"))


def test_a_shared_file_stays_its_visitors_until_the_share_expires(make, clock):
    store = make()
    upload = put(store, ANNA, b"table")
    store.share(ANNA, upload, days=1)
    clock.now += DAY - 1
    store.tidy()
    assert store.content(ANNA, upload) == b"table"
    assert store.names(ANNA) == [upload]
    clock.now += 1
    store.tidy()
    assert store.content(ANNA, upload) is None
    assert files_in(store) == []


def test_with_a_login_files_and_texts_stay_for_days_after_the_last_visit(make, clock):
    store = make(days_of_account=5.0)
    upload = put(store, ANN, b"1")
    store.keep_text(ANN, "!1", "age=41")
    clock.now += 4 * DAY
    store.note_presence(ANN)
    clock.now += 5 * DAY - 1
    store.tidy()
    assert store.content(ANN, upload) == b"1"
    assert store.texts(ANN) == {"!1": "age=41"}
    clock.now += 1
    store.tidy()
    assert (store.names(ANN), store.texts(ANN), files_in(store)) == ([], {}, [])


def test_when_all_is_full_files_of_accounts_go_that_are_longest_away_and_not_shared(make, clock):
    store = make(bytes_in_all=100)
    shared, first = put(store, ANN, b"1" * 20), put(store, ANN, b"2" * 20)
    store.share(ANN, shared, 1)
    clock.now += LEFT
    second = put(store, EVE, b"3" * 20)
    here = put(store, ANNA, b"4" * 20)
    clock.now += LEFT + 1
    store.note_presence(EVE)  # and the one without an account has left
    third = put(store, BEN, b"5" * 40)
    assert store.names(ANN) == [shared, first]  # there was room
    with pytest.raises(StoreFull):
        put(store, BEN, b"6" * 61)
    fourth = put(store, BEN, b"7" * 20)
    assert store.names(ANN) == [shared]
    with pytest.raises(StoreFull):
        put(store, EVE, b"8" * 20)
    assert (store.names(EVE), store.names(BEN)) == ([second], [third, fourth])
    assert here not in store.names(ANNA)


def test_what_a_browser_had_is_handed_over_to_an_account_as_a_whole(make, clock):
    store = make()
    same, other = put(store, ANNA, b"1", "mine.csv"), put(store, ANNA, b"2")
    put(store, ANN, b"1", "again.csv")
    code = store.share(ANNA, other, 1).code
    store.keep_text(ANNA, "!1", "age=41")
    store.keep_text(BEN, "!2", "of another")
    assert store.hand_over(ANNA, ANN)
    assert not store.hand_over(ANNA, EVE)
    assert (store.names(ANNA), store.texts(ANNA), store.shares(ANNA)) == ([], {}, [])
    assert (store.names(EVE), store.texts(EVE)) == ([], {})
    assert store.names(ANN) == [same, other]
    assert store.texts(ANN) == {"!1": "age=41"}
    assert [share.code for share in store.shares(ANN)] == [code]
    assert store.texts(BEN) == {"!2": "of another"}
    clock.now += LEFT
    assert store.content(ANN, same) == b"1"


def test_private_texts_are_their_visitors_alone_and_so_many(make):
    store = make(texts=3)
    for number in range(5):
        store.keep_text(ANNA, f"!{number}", f"text {number}")
    assert store.text(BEN, "!4") is None
    assert [store.text(ANNA, f"!{n}") for n in range(5)] == [None, None, *(
        f"text {n}" for n in (2, 3, 4)
    )]  # fmt: skip


def test_what_a_dead_process_left_is_swept_away(make, clock):
    store = make()
    upload = put(store, ANNA, b"1")
    (store.folder / "files" / "new-left").write_bytes(b"half")
    store.tidy()
    assert "new-left" not in files_in(store)
    assert store.content(ANNA, upload) == b"1"


def test_a_file_that_was_changed_on_disk_is_not_given_out(make):
    store = make()
    upload = put(store, ANNA, b"honest")
    (store.folder / "files" / files_in(store)[0]).write_bytes(b"forged")
    assert store.content(ANNA, upload) is None
    put(store, ANNA, b"honest")
    assert store.content(ANNA, upload) == b"honest"


@settings(deadline=None, max_examples=60)
@given(name=some.text(max_size=400), digest=some.text(max_size=20), token=some.text(max_size=80))
def test_no_name_digest_or_token_leads_out_of_the_folder_or_to_another(
    tmp_path_factory, name, digest, token
):
    store = Store(tmp_path_factory.mktemp("hostile"))
    try:
        put(store, BEN, b"of another")
        store.keep(token, Upload(digest, name, 1), b"content")
        assert store.content(token, Upload(digest, name, 1)) == b"content"
        assert [len(upload.name) <= 255 for upload in store.names(token)] == [True]
        assert files_in(store) == sorted(
            hashlib.sha256(data).hexdigest() for data in (b"of another", b"content")
        )
        assert {path.name.split("-")[0] for path in store.folder.iterdir()} == {
            "files", "uploads.sqlite3",
        }  # fmt: skip
    finally:
        store.close()


@pytest.mark.parametrize("name", [
    "../../etc/passwd", "/etc/passwd", "a\0b.csv", "'; DROP TABLE uploads; --", "\ud800.csv",
    "x" * 10_000, "", "uploads.sqlite3",
])  # fmt: skip
def test_a_hostile_name_is_only_a_name(make, name):
    store = make()
    upload = put(store, ANNA, b"content", name)
    assert store.content(ANNA, upload) == b"content"
    (kept,) = store.names(ANNA)
    assert kept.digest == upload.digest
    assert kept.name.encode("utf-8").startswith(name[:3].encode("utf-8", "replace"))


@pytest.mark.parametrize("data", [b"", b"\x80\x04\x95", b"\0" * 1000, b"import os\n"])
def test_contents_are_bytes_and_nothing_else(make, data):
    store = make()
    assert store.content(ANNA, put(store, ANNA, data)) == data


def test_a_share_is_seen_by_its_code_until_it_expires(make, clock):
    store = make()
    upload = put(store, ANNA, b"table")
    share = store.share(ANNA, upload, days=7)
    assert len(share.code) >= 22
    assert share.expires == clock.now + 7 * DAY
    assert store.shared(share.code).upload == share.upload
    assert store.shared_content(share.upload) == b"table"
    assert store.content(BEN, share.upload) is None
    clock.now += 7 * DAY
    assert store.shared(share.code) is None
    assert store.shared_content(share.upload) is None
    assert store.shares(ANNA) == []


def test_a_code_opens_its_own_file_alone(make):
    store = make()
    share = store.share(ANNA, put(store, ANNA, b"shared"), days=1)
    secret = put(store, ANNA, b"not shared")
    forged = Upload(secret.digest, secret.name, secret.rows, share=share.code)
    assert store.shared_content(forged) is None
    for code in ("", "%", share.code[:-1], share.code.lower() + " "):
        assert store.shared(code) is None


def test_only_who_shares_can_withdraw(make):
    store = make()
    share = store.share(ANNA, put(store, ANNA, b"table"), days=1)
    store.withdraw(BEN, share.code)
    assert store.shared_content(share.upload) == b"table"
    store.withdraw(ANNA, share.code)
    assert store.shared(share.code) is None
    assert store.shared_content(share.upload) is None


def test_forgetting_a_file_ends_what_is_shared_of_it(make):
    store = make()
    upload = put(store, ANNA, b"table")
    share = store.share(ANNA, upload, days=1)
    store.forget(ANNA, upload)
    assert store.shared_content(share.upload) is None
    assert files_in(store) == []


def test_nobody_shares_what_they_do_not_have(make):
    store = make()
    upload = put(store, ANNA, b"table")
    assert store.share(BEN, upload, days=1) is None
    assert store.shares(BEN) == []


def test_a_visitor_shares_so_many_at_a_time(make, clock):
    store = make(shares=2)
    upload = put(store, ANNA, b"table")
    codes = {store.share(ANNA, upload, days=1).code for _ in range(2)}
    assert len(codes) == 2
    with pytest.raises(StoreFull):
        store.share(ANNA, upload, days=1)
    clock.now += DAY
    put(store, ANNA, b"table")
    assert store.share(ANNA, upload, days=1) is not None


def test_the_file_of_an_earlier_release_is_taken_over_and_its_rooms_are_not(make, clock, tmp_path):
    """It noted when a file was used, and has a file of rooms beside it."""
    store = make()
    mine, shared = put(store, ANNA, b"mine"), put(store, BEN, b"shared")
    share = store.share(BEN, shared, days=7)
    store.keep_text(ANNA, "!1", "7")
    for name in ("uploads", "texts"):
        store._connection.execute(f"ALTER TABLE {name} RENAME COLUMN expires TO used")
        store._connection.execute(f"UPDATE {name} SET used = ?", (clock.now,))
    store._connection.executescript("CREATE TABLE sources (owner TEXT); ALTER TABLE uploads "
        "DROP COLUMN source; ALTER TABLE contents ADD COLUMN used REAL")  # fmt: skip
    store.close()
    (tmp_path / "store" / "rooms.sqlite3").write_bytes(b"of a class")
    clock.now += 599
    store = make()
    assert (store.names(ANNA), store.text(ANNA, "!1")) == ([mine], "7")
    clock.now += 1
    store.tidy()
    assert (store.names(ANNA), store.texts(ANNA), store.names(BEN)) == ([], {}, [shared])
    assert store.shared_content(share.upload) == b"shared"
    assert len(files_in(store)) == 1
    assert not (tmp_path / "store" / "rooms.sqlite3").exists()


@pytest.mark.parametrize("days", [0, -1, 31, float("nan")])
def test_a_share_ends(make, days):
    store = make()
    with pytest.raises(ValueError, match="days must be"):
        store.share(ANNA, put(store, ANNA, b"table"), days=days)


PROCESS = """
import sys
from pathlib import Path
from hashlib import sha256
from lastviz.host import store as module
from lastviz.host.store import Store, StoreLimits, Upload
module.PATIENCE = 60.0  # they leave each other no gap, as visitors do
store, me = Store(Path(sys.argv[1]), StoreLimits(files=5)), sys.argv[2]
for round in range(40):
    for data in (b"shared %d" % (round % 7), (me * 50).encode() + b"%d" % round):
        upload = Upload(sha256(data).hexdigest()[:12], f"{round}.csv", 1)
        store.keep(me * 64, upload, data)
        assert store.content(me * 64, upload) == data, round
        if round % 3 == 0:
            store.forget(me * 64, upload)
assert len(store.names(me * 64)) <= 5
"""


@pytest.mark.ci
def test_two_processes_at_once_lose_nothing(tmp_path):
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PROCESS, str(tmp_path / "store")]
    running = [subprocess.Popen([*command, name], cwd=root) for name in "abc"]
    assert [process.wait(timeout=SECONDS) for process in running] == [0, 0, 0]
    store = Store(tmp_path / "store")
    try:
        kept = {upload.digest for name in "abc" for upload in store.names(name * 64)}
        assert {name[:12] for name in files_in(store)} == kept
    finally:
        store.close()


def test_the_folder_is_named_or_among_the_users_state(monkeypatch, tmp_path):
    monkeypatch.setenv("LASTVIZ_STORE_FOLDER", str(tmp_path / "named"))
    assert default_folder() == tmp_path / "named"
    monkeypatch.delenv("LASTVIZ_STORE_FOLDER")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "lastviz" / "uploads"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert default_folder() == Path.home() / ".local" / "state" / "lastviz" / "uploads"
