"""Running studies: any way of computing and interrupting gives one and the same result."""

import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec

import pandas as pd
import psutil
import pytest

from lastviz.datasets import load_dataset
from lastviz.studies import workers as studies_workers
from lastviz.studies.__main__ import main
from lastviz.studies.kept_data import pack_dataset
from lastviz.studies.latex import comparable_folds
from lastviz.studies.run import FoldEvent, estimate, run
from lastviz.studies.store import StoreError, StudyStore
from lastviz.studies.study import study_of
from lastviz.studies.tasks import COSTS, Outcome, plan
from lastviz.studies.workers import Processes, Workers, WorkersError
from tests.patience import until

TEXT = """
name = "three by two"
repeats = 2
folds = 4
[[algorithms]]
key = "cart"
[[algorithms]]
key = "mcdf"
[[algorithms]]
key = "k_nn"
params = {n_neighbors = 120}
[[datasets]]
key = "iris"
[[datasets]]
key = "monotone"
params = {n_samples = 200}
"""
STUDY = study_of(TEXT)
N_FOLDS = 2 * 4 * 5  # MCDF does not take iris


@pytest.fixture
def store(tmp_path):
    with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}", patience=2)) as store:
        yield store


def figures(store, study_id):
    return store.folds(study_id).drop(columns=[*COSTS, "seconds"])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "studies.sqlite"
    with closing(StudyStore(f"sqlite:///{path}")) as store:
        *_, last = run(STUDY, store, n_workers=1)
        return figures(store, last.study)


def test_a_run_stores_every_fold_and_says_so(store, undisturbed):
    first, *events, last = run(STUDY, store, n_workers=1)
    folds = [event for event in events if isinstance(event, FoldEvent)]
    assert (first.n_done, first.n_folds, first.state) == (0, N_FOLDS, "running")
    assert (last.n_done, last.n_failed, last.state) == (N_FOLDS - 8, 8, "done")
    places = {(e.cell.number, e.repeat, e.fold) for e in folds}
    assert len(places) == len(folds) == N_FOLDS
    pd.testing.assert_frame_equal(figures(store, last.study), undisturbed)
    failed = undisturbed[undisturbed["state"] == "failed"]
    assert set(zip(failed["algorithm"], failed["dataset"], strict=True)) == {("k-NN", "Iris")}
    assert failed["reason"].str.contains("n_neighbors").all()
    cells = store.cells(last.study)
    assert "order with a meaning" in cells["reason"][cells["reason"] != ""].item()


def test_nothing_is_computed_twice_and_two_studies_share_cells(store, monkeypatch):
    *_, last = run(STUDY, store, n_workers=1)
    other = study_of(TEXT.replace("three by two", "other").replace('"cart"', '"c45"'))
    events = [e for e in run(other, store, n_workers=1) if isinstance(e, FoldEvent)]
    assert {event.cell.algorithm for event in events} == {"C4.5"}
    assert not [e for e in run(other, store, n_workers=1) if isinstance(e, FoldEvent)]
    store.delete(last.study)
    (row,) = store.studies()
    assert (row.name, row.n_done, row.n_failed) == ("other", N_FOLDS - 8, 8)
    store.delete(row.id)
    assert store.studies() == []


def test_failed_folds_are_tried_again_when_asked(store):
    list(run(STUDY, store, n_workers=1))
    again = list(run(STUDY, store, n_workers=1, retry_failed=True))
    assert sum(isinstance(e, FoldEvent) for e in again) == 8


def test_processes_and_interruptions_give_the_same(store, undisturbed, monkeypatch):
    """Closed in the middle, then a worker killed: then finished."""
    monkeypatch.setattr("lastviz.studies.run.SAVE_SECONDS", 0.0)  # each fold is seen
    events = run(STUDY, store, n_workers=2)
    next(events)
    next(events)
    events.close()
    (row,) = store.studies()
    assert row.state == "paused"
    with Processes({}, 1) as workers:
        assert workers.n_at_once > 1
    events = run(STUDY, store, n_workers=2)
    next(events)
    killed = False
    for event in events:
        children = multiprocessing.active_children()
        if not killed and children and isinstance(event, FoldEvent):
            os.kill(children[0].pid, signal.SIGKILL)
            killed = True
    assert killed
    assert event.state == "done"
    pd.testing.assert_frame_equal(figures(store, row.id), undisturbed)


def test_folds_travel_in_batches_and_come_alone_after_a_loss(store, undisturbed, monkeypatch):
    """Workers that lose the first batch of several folds."""

    class Losing(Workers):
        batch_seconds = 10.0
        sizes, lost_ones = [], []

        def outcomes(self, future):
            outcomes = super().outcomes(future)
            self.sizes.append(len(outcomes))
            if len(outcomes) > 1 and not self.lost_ones:
                self.lost_ones.extend(outcomes)
                return None
            return outcomes

    monkeypatch.setattr("lastviz.studies.run.workers_of", lambda data, *_: Losing(data))
    *_, last = run(STUDY, store)
    assert (last.n_done, last.state) == (N_FOLDS - 8, "done")
    pd.testing.assert_frame_equal(figures(store, last.study), undisturbed)
    n = len(Losing.lost_ones)
    place = Losing.sizes.index(n)
    assert n > 1
    assert Losing.sizes[place + 1 : place + 1 + n] == [1] * n


@pytest.mark.ci
@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_the_process_that_workers_are_forked_from_is_begun_again():
    def servers():
        children = psutil.Process().children()
        return [child for child in children if "forkserver" in " ".join(child.cmdline())]

    studies_workers.begin()
    (before,) = servers()
    before.kill()
    # Who began it waits for it.
    until(lambda: before.status() == psutil.STATUS_ZOMBIE)
    cells, data = plan(STUDY)
    task = next(task for cell in cells for _, task in cell.tasks)
    with Processes(data, 1) as workers:
        future = workers.submit((task,))
        until(future.done)
        (outcome,) = workers.outcomes(future)
    assert outcome.reason == ""
    assert [each.pid for each in servers()] != [before.pid]


@pytest.mark.parametrize("noted", ["cancelled", None])
def test_a_state_that_is_noted_elsewhere_and_deletion_end_the_run(store, monkeypatch, noted):
    for name in ("LOOK", "SAVE_SECONDS"):
        monkeypatch.setattr(f"lastviz.studies.run.{name}", 0.0)
    events = run(STUDY, store, n_workers=1)
    study = next(events).study
    next(events)
    store.set_state(study, noted) if noted else store.delete(study)
    *_, last = events
    assert (last.state, store.state(study)) == ("cancelled", noted)
    assert last.n_done < N_FOLDS - 8
    assert bool(store.n_folds()) == bool(noted)
    *_, last = run(STUDY, store, n_workers=1)
    assert last.state == store.state(study) == "done"


@pytest.mark.ci
def test_a_killed_run_goes_on_where_it_was(tmp_path, undisturbed):
    file, address = tmp_path / "study.toml", f"sqlite:///{tmp_path / 'killed.sqlite'}"
    file.write_text(TEXT)
    command = [sys.executable, "-m", "lastviz.studies", "--store", address, "run", str(file)]
    child = subprocess.Popen([*command, "--workers", "1"], stdout=subprocess.DEVNULL)
    with closing(StudyStore(address)) as store:
        study = STUDY.id_for("")
        until(lambda: len(store.finished(study)) >= 3)
        child.kill()
        child.wait()
        assert 3 <= len(store.finished(study)) <= N_FOLDS
        *_, last = run(STUDY, store, n_workers=1)
        assert last.state == "done"
        pd.testing.assert_frame_equal(figures(store, study), undisturbed)


def test_a_fold_that_is_stored_stays_and_one_of_a_deleted_study_is_not_stored(store):
    cells, _ = plan(STUDY)
    task = cells[0].tasks[0][1]
    study_id = store.register(STUDY, cells)
    first, second = ([(task, Outcome(task.key, {"accuracy": x}, "", "", 1.0))] for x in (0.5, 0.9))
    store.save(first, study_id)
    store.save(second, study_id)
    assert store.folds(study_id)["accuracy"].tolist() == [0.5]
    store.delete(study_id)
    store.save(first, study_id)
    assert store.n_folds() == {}


def test_two_runs_of_one_study_store_each_fold_once(store, undisturbed, monkeypatch):
    """The second one ends as it sees that the first one is done."""
    for name in ("LOOK", "SAVE_SECONDS"):
        monkeypatch.setattr(f"lastviz.studies.run.{name}", 0.0)
    one, two = (run(STUDY, store, n_workers=1) for _ in range(2))
    for events in (one, two):
        next(events), next(events)
    *_, last = one
    assert (last.n_done, last.state) == (N_FOLDS - 8, "done")
    *rest, last = two
    assert last.state == "done"
    assert sum(isinstance(event, FoldEvent) for event in rest) < N_FOLDS / 2
    pd.testing.assert_frame_equal(figures(store, last.study), undisturbed)


def test_a_store_of_earlier_releases_is_read_and_goes_on(store, undisturbed):
    """It lacks an index; its folds say who computes them, as one was when that ended."""
    *_, last = run(STUDY, store, n_workers=1)
    with store._engine.begin() as connection:
        for line in (
            *("DROP INDEX folds_key_state", "ALTER TABLE folds ADD COLUMN holder TEXT"),
            "UPDATE folds SET state = 'leased', accuracy = NULL WHERE key = "
            "(SELECT min(key) FROM folds WHERE state = 'done')",
        ):
            connection.exec_driver_sql(line)
    with closing(StudyStore(store.address)) as again, again._engine.begin() as connection:
        found = connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all()
    assert "folds_key_state" in found
    assert len(store.finished(last.study)) == N_FOLDS - 1
    *events, last = run(STUDY, store, n_workers=1)
    assert sum(isinstance(event, FoldEvent) for event in events) == 1
    pd.testing.assert_frame_equal(figures(store, last.study), undisturbed)


def test_the_best_point_on_the_test_folds_is_compared(store):
    text = """
    protocol = "best_on_test"
    folds = 5
    [[algorithms]]
    key = "k_nn"
    grid = {n_neighbors = [1, 60, 118]}
    [[datasets]]
    key = "iris"
    """
    *_, last = run(study_of(text), store, n_workers=1)
    folds = store.folds(last.study)
    assert len(folds) == 15
    means = folds.groupby("point")["accuracy"].mean()
    rows = comparable_folds(folds)
    assert rows["point"].unique().tolist() == [means.idxmax()]
    assert rows["accuracy"].mean() == means.max()
    assert comparable_folds(folds[:0]).empty


def test_the_time_is_estimated_from_earlier_folds(store):
    before = estimate(STUDY, store)
    assert (before.n_left, before.n_unknown, before.seconds) == (N_FOLDS, N_FOLDS, 0.0)
    tried = estimate(STUDY, store, try_out=True, n_workers=2)
    assert tried.n_left == N_FOLDS - 5
    assert tried.n_unknown == 7  # of the cell that fails
    assert tried.seconds > 0
    list(run(STUDY, store, n_workers=1))
    assert estimate(STUDY, store).seconds == 0


def test_given_data_and_data_that_are_gone(store):
    text = "[[algorithms]]\nkey = 'cart'\n[[datasets]]\nkey = 'own'\n"
    own = study_of(text, ["own"])
    *_, last = run(own, store, n_workers=1)
    assert last.n_folds == 0
    assert "no data set 'own'" in store.cells(last.study)["reason"].item()
    *_, last = run(own, store, n_workers=1, given={"own": load_dataset("wine")})
    assert last.n_done == 10
    with pytest.raises(ValueError, match=r"what is done is kept\. there is no data set 'own'"):
        list(run(own, store, n_workers=1))
    assert store.cells(last.study)["reason"].item() == ""


def test_a_study_belongs_to_the_token_of_its_owner(store):
    study = store.register(STUDY, plan(STUDY)[0], "secret")
    assert store.studies("other") == store.studies() == []
    with pytest.raises(ValueError, match="There is no study"):
        store.delete(study, "other")
    assert store.study(study, "secret") == STUDY
    store.delete(study, "secret")
    assert store.studies("secret") == []


def test_databases_that_are_none(tmp_path):
    for address, said in (
        ("nonsense", "names no database"),
        ("mysql://here/there", "must begin with"),
        ("sqlite:////proc/none/studies.sqlite", "cannot be opened"),
        (
            "postgresql+psycopg://nobody:secret@127.0.0.1:1/none",
            "cannot be reached" if find_spec("psycopg") else "needs the package psycopg",
        ),
    ):
        with pytest.raises(StoreError, match=said) as fault:
            StudyStore(address, patience=0.1)
        assert "secret" not in str(fault.value)
        assert "\n" not in str(fault.value)
    (tmp_path / "text.sqlite").write_text("no database " * 100)
    with pytest.raises(StoreError, match="not a database"):
        StudyStore(f"sqlite:///{tmp_path / 'text.sqlite'}", patience=0.1)


def test_a_full_disk_is_one_sentence_and_keeps_what_is_done(store, undisturbed):
    events = run(STUDY, store, n_workers=1)
    next(events)
    next(events)
    # SQLite refuses further pages as it does on a full disk.
    with store._engine.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    larger, cells = study_of(TEXT.replace("three", "x" * 200_000)), plan(STUDY)[0]
    with pytest.raises(StoreError, match=r"is full\. Finished folds are kept"):
        store.register(larger, cells)
    events.close()
    store.close()
    *_, last = run(STUDY, store, n_workers=1)
    pd.testing.assert_frame_equal(figures(store, last.study), undisturbed)


@pytest.mark.parametrize(("scheduler", "said"), [
    ("here", "is no scheduler"),
    ("tcp://127.0.0.1", "is no scheduler"),
    ("tcp://10.1.2.3:8786", "unprotected"),
])  # fmt: skip
def test_schedulers_that_are_none(store, scheduler, said):
    with pytest.raises(WorkersError, match=said):
        list(run(STUDY, store, scheduler=scheduler))


def test_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LASTVIZ_STORE", str(tmp_path / "cli.sqlite"))
    file = tmp_path / "study.toml"
    file.write_text(TEXT)
    study = STUDY.id_for("")
    csv, parquet = tmp_path / "out.csv", tmp_path / "out.parquet"

    def say(*words, status=0):
        assert main(words) == status
        found = capsys.readouterr()
        return found.err if status else found.out

    assert "40 of 40 folds" not in say("estimate", str(file))
    out = say("run", str(file), "--workers", "1")
    assert f"{study}  done  32 of 40 folds, 8 failed" in out
    assert out.count("n_neighbors = 120") == 1
    assert "three by two" in say("list")
    assert "CART, Iris: 8 folds" in say("status", study)
    assert say("status", "three by two") == say("status", study)
    assert "40 folds are in" in say("export", "three by two", str(csv))
    say("export", study, str(parquet))
    pd.testing.assert_frame_equal(
        pd.read_csv(csv)[["algorithm", "accuracy"]],
        pd.read_parquet(parquet)[["algorithm", "accuracy"]],
        check_dtype=False,
    )
    assert "as .csv, .parquet, .tex or .bib" in say("export", study, "out.xlsx", status=1)
    assert "32 of 40" in say("resume", "three by two")
    file.write_text(TEXT.replace("folds = 4", "folds = 3"))
    say("run", str(file), "--workers", "1")
    assert "2 studies are called 'three by two'; say" in say("pause", "three by two", status=1)
    say("delete", study_of(file.read_text()).id_for(""))
    assert "There is no study" in say("resume", "none", status=1)
    assert "There is no file" in say("run", "none.toml", status=1)
    assert "--workers must be" in say("run", str(file), "--workers", "0", status=1)
    say("delete", "three by two")
    assert say("list") == ""
    monkeypatch.setenv("LASTVIZ_OWNER", "secret")
    assert "LASTVIZ_OWNER is not read any more" in say("list", status=1)


def test_what_is_estimated_is_resumed_whole_though_its_files_are_gone(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("LASTVIZ_STORE", str(tmp_path / "cli.sqlite"))
    table = load_dataset("wine")
    key = f"table.{table.digest}"
    kept, file = tmp_path / f"{key}.parquet", tmp_path / "study.toml"
    kept.write_bytes(pack_dataset(table))
    file.write_text(
        f'name = "own"\nfolds = 3\n[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "iris"\n'
        f'[[datasets]]\nkey = "{key}"\nname = "Mine"\n'
    )
    assert main(["estimate", str(file)]) == 0
    assert "of 6 folds are left" in capsys.readouterr().out
    kept.unlink()
    assert main(["resume", "own", "--workers", "1"]) == 0
    assert "done  6 of 6 folds" in capsys.readouterr().out


def test_a_study_does_not_shrink_when_its_data_are_gone(store):
    table = load_dataset("iris")
    text = TEXT.replace('"iris"', '"table.a"').replace("repeats = 2", "repeats = 1")
    study = study_of(text, ["table.a"])
    for _ in run(study, store, given={"table.a": table}, n_workers=1):
        pass
    before = figures(store, study.id_for(""))
    with pytest.raises(ValueError, match=r"CART on table\.a is part of this study"):
        list(run(study, store, n_workers=1))
    with pytest.raises(ValueError, match="what is done is kept"):
        estimate(study, store)
    pd.testing.assert_frame_equal(figures(store, study.id_for("")), before)
