"""The line of studies that a server computes: who is next, what stops, what is kept for them."""

import subprocess
import sys
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import load_dataset
from lastviz.studies.kept_data import pack_dataset, unpack_dataset
from lastviz.studies.run import run, serve
from lastviz.studies.store import StudyStore
from lastviz.studies.study import study_of
from lastviz.studies.tasks import COSTS, plan
from tests.patience import SECONDS, until

OWNER = "b2" * 32


@pytest.fixture
def line(tmp_path):
    with closing(StudyStore(f"sqlite:///{tmp_path / 'studies.sqlite'}")) as line:
        yield line


def study(name="one", algorithm="cart", data="iris", folds=4, given=()):
    text = f'name = "{name}"\nfolds = {folds}\n[[algorithms]]\nkey = "{algorithm}"\n'
    return study_of(text + f'[[datasets]]\nkey = "{data}"\n', given)


def begun(line, made, tables=None):
    tables = tables or {}
    cells, _ = plan(made, {key: dataset for key, (dataset, _) in tables.items()})
    study_id = line.register(made, cells, OWNER)
    line.hand_in(study_id, tables)
    line.join(study_id)
    return study_id


@pytest.mark.parametrize("key", ["iris", "loan", "monotone", "friedman", "xor"])
def test_a_data_set_comes_back_the_same(key):
    whole = load_dataset(key)
    again = unpack_dataset(pack_dataset(whole))
    same = ("digest", "name", "description", "units")
    assert [getattr(again, name) for name in same] == [getattr(whole, name) for name in same]
    pd.testing.assert_frame_equal(again.X, whole.X)


def test_missing_values_and_weights_come_back():
    dataset = load_dataset("loan")
    X = dataset.X.copy()
    X.iloc[0, 0] = None
    weights = np.arange(dataset.n_samples, dtype=float)
    whole = type(dataset)(X, dataset.y, weights=weights)
    again = unpack_dataset(pack_dataset(whole))
    assert again.digest == whole.digest
    assert again.has_missing


def test_bytes_that_are_no_table_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="cannot be read"):
        unpack_dataset(b"PAR1 this is none")


def test_studies_are_computed_first_come_first_served(line):
    first, second = (begun(line, study(name)) for name in ("one", "two"))
    assert line.waiting() == [first, second]
    assert [line.standing(s, OWNER).place for s in (first, second)] == [1, 2]
    serve(line, 1, idle=0.1)
    assert line.waiting() == []
    for study_id in (first, second):
        found = line.standing(study_id, OWNER)
        assert (found.state, found.n_done, found.place) == ("done", 4, 0)
    assert line.standing(first, "somebody else") is None


def test_a_study_of_a_table_needs_nothing_else(line):
    table = load_dataset("xor", n_samples=60)
    study_id = begun(
        line, study(data="table.a", given=["table.a"]), {"table.a": (table, "data=xor")}
    )
    serve(line, 1, idle=0.1)
    assert line.standing(study_id, OWNER).n_done == 4
    assert line.table_of("table.a", OWNER)[0].digest == table.digest
    assert line.table_of("table.a", "somebody else") is None
    line.delete(study_id, OWNER)
    assert line.tables(study_id) == {}


def test_a_study_that_is_paused_before_its_turn_is_not_computed(line):
    study_id = begun(line, study())
    line.leave(study_id)
    line.set_state(study_id, "paused")
    serve(line, 1, idle=0.1)
    assert line.standing(study_id, OWNER).n_done == 0


def test_a_table_that_is_gone_is_a_fault_in_a_sentence(line):
    table = load_dataset("xor", n_samples=60)
    study_id = begun(line, study(data="table.a", given=["table.a"]), {"table.a": (table, "")})
    with line._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE study_tables SET content = x'00'")
    serve(line, 1, idle=0.1)
    found = line.standing(study_id, OWNER)
    assert "cannot be read" in found.fault
    assert (found.state, found.place, line.waiting()) == ("paused", 0, [])
    line.join(study_id)
    assert line.waiting() == [study_id]


def test_the_time_of_a_plan_follows_from_earlier_folds(line):
    made = study()
    cells, _ = plan(made)
    before = line.expected(cells)
    assert (before.n_left, before.n_unknown) == (4, 4)
    list(run(study("other", folds=4), line, n_workers=1))
    after = line.expected(cells)
    assert (after.n_left, after.n_folds, after.seconds) == (0, 4, 0.0)


@pytest.mark.ci
def test_who_computes_is_killed_and_the_next_one_goes_on(line, tmp_path):
    made = study("killed", "random_forest", folds=24)
    study_id = begun(line, made)
    command = [sys.executable, "-m", "lastviz.studies", "--store", line.address, "serve"]
    process = subprocess.Popen([*command, "--beside", "--workers", "1"], stdin=subprocess.PIPE)
    until(lambda: line.standing(study_id, OWNER).n_done or process.poll() is not None)
    assert process.poll() is None
    process.stdin.close()  # as the end of the server does
    process.wait(timeout=SECONDS)
    held = line.standing(study_id, OWNER)
    assert held.goes_on
    assert held.n_done < 24
    serve(line, 1, idle=0.1)
    folds = line.folds(study_id)
    assert line.standing(study_id, OWNER).state == "done"
    with closing(StudyStore(f"sqlite:///{tmp_path / 'whole.sqlite'}")) as whole:
        list(run(made, whole, study_id=study_id, n_workers=1))
        same = whole.folds(study_id)
    timed = [*COSTS, "seconds"]
    pd.testing.assert_frame_equal(folds.drop(columns=timed), same.drop(columns=timed))
