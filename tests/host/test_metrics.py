"""What a collector may read: closed unless opened, counts alone, and nothing of visitors."""

import logging
import socket
import urllib.request

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as families_of
from prometheus_client.parser import text_string_to_metric_families as plain_families_of

from lastviz import _extras
from lastviz.host import meters, workers
from lastviz.host.jobs import Jobs, State
from lastviz.host.memory import Memory
from lastviz.host.meters import BOUNDS, Meters
from lastviz.host.metrics import PATH, PORT, TOKEN, Metrics, open_port, token_given
from lastviz.host.visitor import PRESENCE, Presence, Seen
from lastviz.studies.store import StudyStore
from lastviz.ui.compute import studies
from tests.own_loop import finished
from tests.patience import SECONDS
from tests.ui.conftest import opened

SECRET = "a token of sixteen signs"


def asked(path=PATH, token=SECRET, accept="", **headers):
    """What an application with the meters answers: status, headers, body; whether it went on."""
    said, went_on = [], []

    async def app(scope, receive, send):
        went_on.append(scope["path"])

    async def send(message):
        said.append(message)

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    given.append((b"accept", accept.encode()))
    scope = {"type": "http", "path": path, "headers": given}
    finished(Metrics(app, PATH, token, studies.n_folds)(scope, None, send))
    if went_on:
        return None, {}, ""
    start, body = said
    return start["status"], dict(start["headers"]), body["body"].decode()


def read(accept="application/openmetrics-text;version=1.0.0"):
    status, _, body = asked(authorization=f"Bearer {SECRET}", accept=accept)
    assert status == 200
    return {family.name: family for family in families_of(body)}


def values(family, ending=""):
    return {
        tuple(sample.labels[name] for name in sorted(sample.labels, reverse=True)): sample.value
        for sample in family.samples
        if sample.name == family.name + ending
    }


@pytest.fixture
def counted(monkeypatch):
    """Meters of this test alone, wherever they are noted and read."""
    made = Meters()
    made.begin()
    for module in ("meters", "jobs", "faults"):
        monkeypatch.setattr(f"lastviz.host.{module}.METERS", made)
    return made


@pytest.mark.parametrize("headers", [
    {}, {"authorization": SECRET}, {"authorization": f"Basic {SECRET}"},
    {"authorization": f"Bearer {SECRET}x"}, {"authorization": "Bearer "}, {"authorization": ""},
])  # fmt: skip
def test_without_the_token_there_is_no_answer(headers):
    status, said, body = asked(**headers)
    assert (status, body) == (401, "")
    assert said[b"www-authenticate"] == b"Bearer"


def test_it_is_closed_unless_a_token_opens_it():
    assert asked(token="", authorization="Bearer ") == (None, {}, "")
    assert asked(path="/data", authorization=f"Bearer {SECRET}") == (None, {}, "")


def test_a_token_that_can_be_guessed_and_a_port_that_is_none_end_the_start(monkeypatch):
    monkeypatch.delenv(TOKEN, raising=False)
    assert token_given() == ""
    monkeypatch.setenv(TOKEN, "short")
    with pytest.raises(SystemExit, match=f"{TOKEN} must have at least 16 signs"):
        token_given()
    for port in ("0", "65536", "http", "-1"):
        monkeypatch.setenv(PORT, port)
        with pytest.raises(SystemExit, match=f"{PORT} must be a port"):
            open_port(dict)


def test_a_package_that_is_not_there_is_named_with_the_remedy(monkeypatch):
    monkeypatch.setenv(TOKEN, SECRET)
    monkeypatch.setattr(_extras, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"prometheus-client: pip install 'lastviz\[metrics\]'"):
        token_given()


def test_both_formats_are_written_as_they_are_asked_for():
    _, headers, body = asked(authorization=f"Bearer {SECRET}")
    assert headers[b"content-type"].startswith(b"text/plain")
    assert "lastviz_info" in {family.name for family in plain_families_of(body)}
    _, headers, body = asked(
        authorization=f"Bearer {SECRET}", accept="application/openmetrics-text;version=1.0.0"
    )
    assert headers[b"content-type"].startswith(b"application/openmetrics-text")
    assert body.endswith("# EOF\n")


def test_the_port_answers_on_the_loopback_device_alone(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bound = []
    import prometheus_client

    start = prometheus_client.start_http_server

    def started(*args, **kwargs):
        bound.append((kwargs["addr"], *start(*args, **kwargs)))

    monkeypatch.setattr(prometheus_client, "start_http_server", started)
    monkeypatch.setenv(PORT, str(port))
    open_port(dict)
    ((address, server, thread),) = bound
    try:
        assert address == server.server_address[0] == "127.0.0.1"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as answer:
            assert b"lastviz_cache_bytes" in answer.read()
        with pytest.raises(SystemExit, match="cannot be opened"):
            open_port(dict)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_each_worker_has_a_port_of_its_own_and_no_address_of_all(monkeypatch):
    given = {PORT: "9464", TOKEN: SECRET}
    assert [workers._metrics(given, place)[PORT] for place in range(3)] == ["9464", "9465", "9466"]
    assert {workers._metrics(given, 0)[TOKEN], workers._metrics({}, 1)[PORT]} == {""}


def test_durations_fall_into_classes_that_add_up(monkeypatch, counted):
    times = iter([0.0, 0.025, 1.0, 1.3, 2.0, 40.0])
    monkeypatch.setattr(counted, "_clock", lambda: next(times))
    for page in ("rules", "rules", "home"):
        with counted.run(lambda page=page: page):
            pass
    family = read()["lastviz_run_seconds"]
    buckets = {labels: n for labels, n in values(family, "_bucket").items() if labels[0] == "rules"}
    assert buckets[("rules", str(BOUNDS[0]))] == 1  # a bound belongs to its class
    assert buckets[("rules", "0.25")] == 1
    assert buckets[("rules", "0.5")] == buckets[("rules", "+Inf")] == 2
    assert values(family, "_count") == {("home",): 1, ("rules",): 2}
    assert values(family, "_sum")[("rules",)] == pytest.approx(0.325)


def test_a_run_that_is_cut_short_counts_too(counted):
    with pytest.raises(RuntimeError), counted.run(lambda: "data"):
        raise RuntimeError
    assert values(read()["lastviz_run_seconds"], "_count") == {("data",): 1}


def test_runs_of_pages_are_counted_under_the_names_of_pages(counted):
    opened("textbook")
    assert values(read()["lastviz_run_seconds"], "_count") == {("textbook",): 1}


def test_jobs_are_counted_as_they_work_and_as_they_end(counted, caplog):
    jobs = Jobs(Memory(2**20))

    def works():
        yield 0.0
        return 1

    def fails():
        yield 0.0
        raise ZeroDivisionError

    caplog.set_level(logging.CRITICAL)
    assert jobs.counts() == {"working": 0, "waiting": 0, "fetching": 0}
    assert jobs.start("a", "A", works).outcome() == 1
    failed = jobs.start("b", "B", fails)
    failed._over.wait(SECONDS)
    assert failed.state is State.FAILED
    found = read()
    assert values(found["lastviz_jobs_over"], "_total") == {("done",): 1, ("failed",): 1}
    assert values(found["lastviz_errors"], "_total") == {("job", "ZeroDivisionError"): 1}
    assert set(values(found["lastviz_jobs"])) == {("fetching",), ("waiting",), ("working",)}


def test_visitors_are_counted_once_however_many_pages_they_have_open():
    here = Presence()
    here._seen = {
        "one": Seen(0.0, "token", frozenset()),
        "two": Seen(0.0, "token", frozenset()),
        "three": Seen(0.0, None, frozenset()),
        "gone": Seen(0.0, "other", frozenset()),
    }
    assert here.counts(lambda name: name != "gone") == (3, 2)


def test_folds_are_counted_from_the_store_and_a_store_that_is_not_there_has_none(
    monkeypatch, tmp_path
):
    monkeypatch.setenv("LASTVIZ_STORE", str(tmp_path / "none.sqlite"))
    assert values(read()["lastviz_study_folds"]) == {("done",): 0, ("failed",): 0}
    assert not (tmp_path / "none.sqlite").exists()
    line = StudyStore(f"sqlite:///{tmp_path / 'none.sqlite'}")
    with line._engine.begin() as connection:
        for key, state in (("a", "done"), ("b", "done"), ("c", "failed")):
            connection.exec_driver_sql(
                "INSERT INTO folds (key, algorithm, data, protocol, version, state) "
                f"VALUES ('{key}', 'cart', 'iris', 'fixed', '1', '{state}')"
            )
    line.close()
    assert values(read()["lastviz_study_folds"]) == {("done",): 2, ("failed",): 1}


def test_the_process_is_measured_too():
    found = read()
    assert values(found["process_resident_memory_bytes"])[()] > 1e7
    assert values(found["process_cpu_seconds"], "_total")[()] > 0


def test_nothing_names_a_visitor(counted, monkeypatch):
    token = "0f" * 32
    monkeypatch.setitem(PRESENCE._seen, "session-7", Seen(0.0, token, frozenset({"ab" * 32})))
    counted.note_error("body", ValueError("ann@example.org"))
    with counted.run(lambda: "data"):
        pass
    labels = {
        name for family in read().values() for sample in family.samples for name in sample.labels
    }
    assert labels <= {"page", "le", "state", "where", "kind", "version"}
    _, _, body = asked(authorization=f"Bearer {SECRET}")
    for secret in (token, "ab" * 32, "session-7", "ann@example.org", SECRET):
        assert secret not in body


def test_nothing_is_counted_while_it_is_closed(monkeypatch):
    monkeypatch.setattr(meters, "METERS", closed := Meters())
    with closed.run(lambda: "data"):
        closed.note_job("done")
        closed.note_error("body", ValueError())
    assert values(read()["lastviz_run_seconds"], "_count") == {}
