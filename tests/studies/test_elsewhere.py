"""Studies on real servers: Dask's scheduler with two workers, and PostgreSQL, both on loopback."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from lastviz.datasets import load_dataset
from lastviz.studies.run import FoldEvent, run, serve
from lastviz.studies.store import StoreError, StudyStore
from lastviz.studies.study import study_of
from lastviz.studies.tasks import COSTS, plan
from lastviz.studies.workers import WorkersError
from tests.needed import needs
from tests.patience import until

STUDY = study_of("""
repeats = 3
folds = 10
[[algorithms]]
key = "cart"
[[algorithms]]
key = "k_nn"
[[datasets]]
key = "iris"
[[datasets]]
key = "xor"
""")
N_FOLDS = 120
QUIET = subprocess.DEVNULL


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def figures(store):
    return store.folds(STUDY.id_for("")).drop(columns=[*COSTS, "seconds"])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "studies.sqlite"
    with closing(StudyStore(f"sqlite:///{path}")) as store:
        list(run(STUDY, store, n_workers=1))
        return figures(store)


@pytest.fixture
def dask(tmp_path):
    """The address of a scheduler, its process, and the processes of two workers."""
    needs("distributed", "Dask")
    address = f"tcp://127.0.0.1:{free_port()}"
    log = (tmp_path / "dask.log").open("w")
    begin = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny"]
    few = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path)]
    host = ["--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    scheduler = subprocess.Popen([*begin, *host], stdout=log, stderr=log)
    workers = [subprocess.Popen([*worker, *few], stdout=log, stderr=log) for _ in range(2)]
    yield address, scheduler, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()
    log.close()


@pytest.mark.slow
def test_a_worker_of_dask_is_killed_then_the_scheduler(tmp_path, dask, undisturbed):
    address, scheduler, workers = dask
    with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}")) as store:
        events = run(STUDY, store, scheduler=address)
        seen = [next(event for event in events if isinstance(event, FoldEvent))]
        workers[0].kill()
        seen += [next(event for event in events if isinstance(event, FoldEvent))]
        scheduler.kill()
        with pytest.raises(WorkersError, match="Finished folds are kept"):
            seen.extend(event for event in events if isinstance(event, FoldEvent))
        assert store.state(STUDY.id_for("")) == "paused"
        *_, last = run(STUDY, store, n_workers=1)
        assert (last.n_done, last.state) == (N_FOLDS, "done")
        pd.testing.assert_frame_equal(figures(store), undisturbed)


@pytest.mark.slow
def test_one_of_two_workers_of_dask_finishes_alone(tmp_path, dask, undisturbed):
    address, _, workers = dask
    with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}")) as store:
        events = run(STUDY, store, scheduler=address)
        next(event for event in events if isinstance(event, FoldEvent))
        workers[0].kill()
        *_, last = events
        assert (last.n_done, last.n_failed, last.state) == (N_FOLDS, 0, "done")
        pd.testing.assert_frame_equal(figures(store), undisturbed)


def test_a_scheduler_that_does_not_answer(tmp_path, monkeypatch):
    needs("distributed", "Dask")
    monkeypatch.setattr("lastviz.studies.workers.SCHEDULER_SECONDS", 0.5)
    with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}")) as store:
        with pytest.raises(WorkersError, match=r"does not answer .* start both and resume\.$"):
            list(run(STUDY, store, scheduler=f"tcp://127.0.0.1:{free_port()}"))
        assert store.state(STUDY.id_for("")) == "paused"


def test_without_dask_the_sentence_says_what_brings_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = r"Dask needs the package distributed: pip install 'lastviz\[studies\]'"
    address = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    with closing(StudyStore(address)) as store, pytest.raises(WorkersError, match=said):
        list(run(STUDY, store, scheduler="tcp://127.0.0.1:8786"))


@pytest.fixture
def certificates(tmp_path):
    """Dask's settings for TLS: an authority of our own, and a certificate that it has signed."""
    needs(shutil.which("openssl") is not None, "OpenSSL's program")

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, stdout=QUIET, stderr=QUIET)

    new = ("req", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    openssl(*new, "-x509", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl(*new, "-subj", "/CN=studies", "-keyout", "own.key", "-out", "own.csr")
    sign = ("x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2")
    openssl(*sign, "-CAcreateserial", "-out", "own.pem")
    names = {"ca-file": "ca.pem", "client.cert": "own.pem", "client.key": "own.key"}
    return {f"distributed.comm.tls.{key}": str(tmp_path / file) for key, file in names.items()}


@pytest.mark.slow
def test_dask_with_certificates_and_without(tmp_path, certificates, undisturbed):
    needs("distributed", "Dask")
    import dask

    ca, cert, key = certificates.values()
    files = ["--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key, "--no-dashboard"]
    address = f"tls://127.0.0.1:{free_port()}"
    run_cli = [sys.executable, "-m"]
    scheduler = [*run_cli, "distributed.cli.dask_scheduler", "--protocol", "tls", "--port"]
    scheduler += [address.rpartition(":")[2], "--host", "127.0.0.1", *files]
    worker = [*run_cli, "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    worker += ["--protocol", "tls", "--local-directory", str(tmp_path), *files]
    both = [subprocess.Popen(line, stdout=QUIET, stderr=QUIET) for line in (scheduler, worker)]
    try:
        with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}")) as store:
            with dask.config.set(certificates):
                *_, last = run(STUDY, store, scheduler=address)
            assert (last.n_done, last.state) == (N_FOLDS, "done")
            pd.testing.assert_frame_equal(figures(store), undisturbed)
            store.delete(last.study)
            with pytest.raises(WorkersError, match="asks for certificates"):
                list(run(STUDY, store, scheduler=address))
    finally:
        for process in both:
            process.kill()
            process.wait()


class Postgres:
    """A server of its own, in a folder, on loopback."""

    def __init__(self, folder):
        self.port, self._data = free_port(), folder / "data"
        self._as = {}
        if os.getuid() == 0:  # it refuses to run as root
            shutil.chown(folder, "postgres")
            self._as = {"user": "postgres", "cwd": folder}
        make = [program("initdb"), "-D", self._data, "-A", "trust", "-U", "studies", "--no-sync"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL, **self._as)

    @property
    def address(self):
        return f"postgresql+psycopg://studies@127.0.0.1:{self.port}/postgres"

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        line = [program("pg_ctl"), "-D", self._data, "-w", "-o", options]
        log = self._data.parent / "log"

        def started():  # what was killed may hold its memory for some seconds
            begin = [*line, "-l", log, "start"]
            return not subprocess.run(begin, stdout=QUIET, stderr=QUIET, **self._as).returncode

        until(started, why=log)

    def kill(self):
        os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def stop(self):
        line = [program("pg_ctl"), "-D", self._data, "-m", "immediate", "stop"]
        subprocess.run(line, check=False, stdout=QUIET, stderr=QUIET, **self._as)


def program(name):
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(places[-1]) if places else None)


@pytest.fixture
def postgres(tmp_path_factory):
    needs("psycopg", "psycopg")
    needs(program("pg_ctl") is not None and program("initdb") is not None, "PostgreSQL")
    import tempfile

    with tempfile.TemporaryDirectory(prefix="studies-") as folder:
        server = Postgres(Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.mark.slow
def test_postgresql_is_killed_in_the_middle(postgres, undisturbed):
    with closing(StudyStore(postgres.address, patience=30)) as store:
        events = run(STUDY, store, n_workers=1)
        seen = []
        for event in events:
            if isinstance(event, FoldEvent):
                seen.append((event.cell.number, event.repeat, event.fold))
            if len(seen) == 1:
                postgres.kill()
                time.sleep(0.5)
                postgres.start()
                seen.append(None)
        seen.remove(None)
        assert len(seen) == len(set(seen)) == N_FOLDS
        pd.testing.assert_frame_equal(figures(store), undisturbed)


@pytest.mark.slow
def test_postgresql_goes_and_the_study_goes_on_later(postgres, undisturbed):
    with closing(StudyStore(postgres.address, patience=0.5)) as store:
        events = run(STUDY, store, n_workers=1)
        next(event for event in events if isinstance(event, FoldEvent))
        postgres.kill()
        with pytest.raises(StoreError, match=r"cannot be reached\. Finished folds are kept"):
            list(events)
    postgres.start()
    with closing(StudyStore(postgres.address)) as store:
        kept = len(store.finished(STUDY.id_for("")))
        assert kept > 0
        *events, last = run(STUDY, store, n_workers=1)
        assert last.state == "done"
        pd.testing.assert_frame_equal(figures(store), undisturbed)


@pytest.mark.slow
def test_the_line_of_a_server_stands_in_postgresql(postgres):
    table = load_dataset("xor", n_samples=60)
    text = STUDY.to_toml().replace('"iris"', '"table.a"').replace("repeats = 3", "repeats = 1")
    study = study_of(text, ["table.a"])
    cells, _ = plan(study, {"table.a": table})
    with closing(StudyStore(postgres.address)) as line:
        study_id = line.register(study, cells, "owner")
        line.hand_in(study_id, {"table.a": (table, "data=xor")})
        line.join(study_id)
        assert line.expected(cells).n_left == 40
        serve(line, 1, idle=0.1)
        found = line.standing(study_id, "owner")
        assert (found.state, found.n_done, found.place) == ("done", 40, 0)
        assert line.given(study_id)["table.a"].digest == table.digest
