"""Several workers behind HAProxy; the whole of it in a browser is tests/e2e/test_workers.py."""

import shutil
import socket
import subprocess

import pytest

from lastviz.host import security, workers
from lastviz.host.workers import Supervised, configuration, worker_environment
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
