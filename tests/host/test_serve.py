"""Several workers, the addresses that a server has and hands on, the machine code it loads."""

import runpy
import shutil
import socket
import subprocess
import sys
from itertools import product
from types import SimpleNamespace

import pytest

from lastviz.host import preparing, security, workers
from lastviz.host.security import Reach, for_others
from lastviz.host.workers import (
    Supervised,
    address_of,
    base_path,
    configuration,
    worker_environment,
)
from lastviz.ui.shared import scene_box as words
from tests.patience import until

HAPROXY = shutil.which("haproxy")
PLAIN = {"PATH": "/usr/bin:/bin"}


@pytest.mark.parametrize(("address", "bound"), [
    ("localhost", "bind localhost:8501"), ("0.0.0.0", "bind 0.0.0.0:8501"),
    ("::1", "bind ipv6@::1:8501"),
])  # fmt: skip
def test_the_configuration_names_each_worker_once_and_where_visitors_come_in(address, bound):
    text = configuration(address, 8501, [4001, 4002, 4003])
    assert bound in text
    for place, port in enumerate((4001, 4002, 4003), start=1):
        line = f"server worker{place} 127.0.0.1:{port} check cookie worker{place}"
        assert text.count(line) == 1
    assert "$" not in text


def test_the_configuration_keeps_visitors_with_their_worker_and_looks_after_its_health():
    lines = {line.strip() for line in configuration("localhost", 8501, [4001]).splitlines()}
    assert lines >= {
        "balance leastconn",
        "cookie LV insert indirect nocache httponly attr SameSite=Lax",
        "option httpchk GET /_stcore/health",
        "default-server inter 1s fall 1 rise 1 on-marked-down shutdown-sessions",
        "option redispatch",
        "timeout tunnel 1h",
    }


def test_under_a_base_path_health_is_asked_there_and_workers_serve_there():
    text = configuration("localhost", 8501, [4001], "/tools/lastviz")
    assert "option httpchk GET /tools/lastviz/_stcore/health" in text
    command = workers._worker_command(4001, "/tools/lastviz")
    assert command[-4:] == ["--port", "4001", "--base-path", "/tools/lastviz"]
    with pytest.raises(ValueError, match="a base path is like"):
        configuration("localhost", 8501, [4001], "/a\n    bind *:80")


def test_the_proxy_says_the_headers_too_and_closes_what_the_workers_close():
    text = configuration("localhost", 8501, [4001])
    for name, value in security.HEADERS.items():
        assert f'http-after-response set-header {name} "{value}"' in text
    closed = " ".join(security.CLOSED)
    assert f"http-request deny deny_status 404 if {{ path_end -i {closed} }}" in text


@pytest.mark.parametrize(("address", "port"), [
    ("localhost\n    bind *:80", 8501), ("a b", 8501), ("", 8501), ("localhost", 0),
    ("localhost", 65536), ("$x", 8501),
])  # fmt: skip
def test_an_address_that_is_none_does_not_get_into_the_configuration(address, port):
    with pytest.raises(ValueError, match="must be"):
        configuration(address, port, [4001])


@pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed; make test-all installs it")
@pytest.mark.parametrize("address", ["localhost", "0.0.0.0", "::1"])
def test_haproxy_accepts_the_configuration(tmp_path, address):
    file = tmp_path / "haproxy.cfg"
    text = configuration(address, 8501, [4001, 4002], "/tools/lastviz")
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([HAPROXY, "-c", "-f", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_workers_sign_with_one_secret_that_is_new_at_each_start_or_the_given_one():
    name = "STREAMLIT_SERVER_COOKIE_SECRET"
    first, second = (worker_environment({"PATH": "/bin"}, "localhost") for _ in range(2))
    assert len(first[name]) == 64
    assert first[name] != second[name]
    assert first["PATH"] == "/bin"
    assert worker_environment({"LASTVIZ_SECRET": "given"}, "localhost")[name] == "given"


def test_workers_answer_to_the_address_of_all_and_to_the_operators_hosts(monkeypatch):
    given = {security.HOSTS: "trees.example.org"}
    monkeypatch.setenv(security.HOSTS, worker_environment(given, "lab.example")[security.HOSTS])
    assert {"trees.example.org", "lab.example"} <= security.hosts_of("127.0.0.1")


def test_without_haproxy_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(workers.shutil, "which", lambda name: None)
    assert workers.serve(2, "localhost", 8501) == 1
    said = capsys.readouterr().err
    assert "sudo apt-get install haproxy" in said
    assert "brew install haproxy" in said


def test_a_port_in_use_is_said_before_anything_is_started(monkeypatch, capsys):
    monkeypatch.setattr(workers.shutil, "which", lambda name: "/usr/sbin/haproxy")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert workers.serve(2, "127.0.0.1", port) == 1
    assert f"127.0.0.1:{port} cannot be served on" in capsys.readouterr().err


def test_a_process_that_dies_is_replaced_at_once_if_it_had_lived(monkeypatch):
    monkeypatch.setattr(workers, "LONG_ENOUGH", 0.0)
    said = []
    worker = Supervised("worker1", ["sleep", "60"], PLAIN, said.append)
    worker.look()
    first = worker.process
    worker.look()
    assert worker.process is first
    first.kill()
    first.wait()
    worker.look()
    assert worker.process.pid != first.pid
    assert said == ["worker1 has ended (signal 9); another will be started"]
    worker.stop()
    assert worker.process.poll() is not None


def test_a_process_that_cannot_run_is_tried_again_after_longer_and_longer_pauses(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(workers.time, "monotonic", lambda: clock[0])
    worker = Supervised("worker1", ["false"], PLAIN, lambda line: None)
    pauses = []
    for _ in range(7):
        worker.look()
        worker.process.wait()
        worker.look()
        assert worker.process is None
        pauses.append(worker.pause)
        clock[0] += worker.pause
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_what_a_process_prints_is_passed_on_under_its_name():
    said = []
    worker = Supervised("worker2", ["printf", "one\\n\\ntwo\\n"], PLAIN, said.append)
    worker.look()
    worker.process.wait()
    until(lambda: len(said) == 2)
    assert said == ["worker2: one", "worker2: two"]


@pytest.mark.parametrize(("text", "path"), [
    ("", ""), ("/", ""), ("lastviz", "/lastviz"), ("/tools/lastviz/", "/tools/lastviz"),
    ("~ann/trees-1.0_b", "/~ann/trees-1.0_b"),
])  # fmt: skip
def test_a_base_path_is_taken_with_and_without_its_strokes(text, path):
    assert base_path(text) == path
    assert base_path(path) == path


@pytest.mark.parametrize("text", [
    "a//b", "..", "a/../b", ".hidden", "a b", "a?b", "a#b", "a%2f", "http://x", 'a"', "a\nb", "é",
])  # fmt: skip
def test_what_is_none_is_refused(text):
    with pytest.raises(ValueError, match="a base path is like tools/lastviz"):
        base_path(text)


def test_an_address_of_ipv6_stands_in_brackets():
    assert address_of("localhost", 8501) == "http://localhost:8501"
    assert address_of("::1", 80, "/tools") == "http://[::1]:80/tools"


@pytest.mark.parametrize("module", ["lastviz", "lastviz.serve"])
def test_a_command_says_what_is_wrong_with_a_base_path(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--base-path", "a b"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "a base path is like tools/lastviz, got 'a b'" in done.stderr
    assert "Traceback" not in done.stderr


HERE = [
    "localhost", "LocalHost", "localhost.", "127.0.0.1", "127.0.1.7", "[::1]", "lastviz.localhost",
    "[::ffff:127.0.0.1]", "0.0.0.0", "[::]",
]  # fmt: skip
ELSEWHERE = [
    "trees.example.org", "192.168.0.7", "[fe80::1]", "localhost.example.org", "notlocalhost",
    "[::ffff:10.0.0.3]",
]  # fmt: skip
EVERYWHERE = [None, "", "0.0.0.0", "::", "[::]", "::0"]
MACHINE = ["localhost", "LOCALHOST", "127.0.0.1", "::1", "[::1]", "::ffff:127.0.0.1"]
ENDS = ["/data?data=iris", "/tools/lastviz/quiz?room=ABCDEF#here", "/"]


def opened(host, served, own="192.168.0.9", scheme="http", port=":8501", end=ENDS[0]):
    where, reach = for_others(f"{scheme}://{host}{port}{end}", served, lambda: own)
    return where.geturl(), reach


@pytest.mark.parametrize(("host", "end"), [*product(HERE, ENDS)])
@pytest.mark.parametrize("served", EVERYWHERE)
def test_the_address_of_the_network_stands_for_localhost_where_others_can_come_in(
    host, end, served
):
    path = end.partition("?")[0]
    found = opened(host, served, end=end)
    assert found == (f"http://192.168.0.9:8501{path}", Reach.OTHERS)
    found = opened(host, served, own="fd00::9", scheme="https", port="", end=end)
    assert found == (f"https://[fd00::9]{path}", Reach.OTHERS)
    for own in (None, "127.0.1.1", "::1"):
        assert opened(host, served, own=own)[1] is Reach.UNKNOWN


@pytest.mark.parametrize("host", HERE)
def test_a_server_that_answers_its_own_machine_alone_says_so(host):
    for served in MACHINE:
        url, reach = opened(host, served)
        assert reach is Reach.MACHINE
        assert url == f"http://{host}:8501/data"


@pytest.mark.parametrize("host", HERE)
def test_an_address_that_the_operator_names_is_taken(host):
    assert opened(host, "10.0.0.3") == ("http://10.0.0.3:8501/data", Reach.OTHERS)
    assert opened(host, "[fd00::3]") == ("http://[fd00::3]:8501/data", Reach.OTHERS)
    assert opened(host, "trees.local") == ("http://trees.local:8501/data", Reach.OTHERS)


@pytest.mark.parametrize("host", ELSEWHERE)
@pytest.mark.parametrize("served", [*EVERYWHERE, *MACHINE])
def test_an_address_that_others_know_is_left_alone(host, served):
    """As it is behind a web server, which comes in by the loopback device itself."""
    assert opened(host, served) == (f"http://{host}:8501/data", Reach.OTHERS)


@pytest.mark.parametrize(("reach", "says"), [
    (Reach.MACHINE, "`python -m lastviz --address 0.0.0.0`"), (Reach.UNKNOWN, "localhost"),
    (Reach.OTHERS, ""),
])  # fmt: skip
def test_who_cannot_hand_on_an_address_is_told_what_to_do(monkeypatch, reach, says):
    monkeypatch.setattr(words, "reach", lambda: reach)
    assert says in words.reach_words()
    assert bool(words.reach_words()) is (reach is not Reach.OTHERS)


def test_all_is_loaded_once_nobody_compiles_any_more(monkeypatch):
    lives, loaded = iter([True, True, False]), []
    kernels = [SimpleNamespace(load=lambda name=name: loaded.append(name)) for name in "ab"]
    monkeypatch.setattr(preparing, "KERNELS", kernels)
    monkeypatch.setattr(preparing, "sleep", lambda seconds: loaded.append("nap"))
    monkeypatch.setattr(preparing.preparation, "is_under_way", lambda: next(lives))
    preparing.load_when_compiled()
    assert loaded == ["nap", "nap", "a", "b"]


def test_intermediate_code_stays_packed_until_a_caller_is_compiled(tmp_path):
    file = tmp_path / "halves.py"
    file.write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef half(x):\n    return x / 2\n\n"
        "@njit\ndef quarter(x):\n    return half(half(x))\n"
    )
    first, again = (runpy.run_path(str(file)) for _ in range(2))
    assert first["half"](3.0) == again["half"](3.0) == 1.5  # compiled, then loaded
    assert sum(again["half"].stats.cache_hits.values()) == 1
    (loaded,) = again["half"].overloads.values()
    assert loaded.library._shared_module is None
    assert again["quarter"](3.0) == 0.75
    assert loaded.library._shared_module is not None
