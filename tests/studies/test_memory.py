"""The memory of a fold: what it takes itself, whatever came before."""

import sys
import threading
from math import isnan

import numpy as np
import pytest

from lastviz.studies import memory
from lastviz.studies.memory import MEMORY, PeakMemory
from lastviz.studies.study import study_of
from lastviz.studies.tasks import compute, plan
from lastviz.studies.workers import Processes
from tests.patience import SECONDS

linux = pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell its peak")


def megabytes(n):
    with PeakMemory() as peak:
        np.ones(n * 2**17).sum()
    return peak.megabytes


@linux
def test_an_array_takes_what_it_takes_after_a_larger_one_too():
    alone = megabytes(40)
    assert alone == pytest.approx(40.0, abs=1.5)
    megabytes(200)
    assert megabytes(40) == pytest.approx(alone, abs=1.5)
    assert megabytes(1) < 3.0


@linux
def test_the_order_of_folds_does_not_matter():
    """In a worker of its own each time: other threads of this process take memory, too."""
    text = '[[datasets]]\nkey = "waveform"\nname = "%d"\nparams = {n_samples = %d}\n'
    study = study_of('[[algorithms]]\nkey = "cart"\n' + "".join(text % (n, n) for n in (300, 4000)))
    cells, data = plan(study)
    found = {}
    for order in (cells, cells[::-1]):
        with Processes(data, 1) as workers:
            for cell in order:
                tasks = tuple(task for _, task in cell.tasks[:5])
                taken = [each.figures[MEMORY] for each in workers.submit(tasks).result(SECONDS)]
                found.setdefault(cell.data, []).append(np.median(taken))
    (few, few_after), (many, many_after) = (found[cell.data] for cell in cells)
    assert many > few + 1.0
    assert many == pytest.approx(many_after, rel=0.1, abs=0.3)
    assert few == pytest.approx(few_after, rel=0.1, abs=0.3)


@linux
def test_two_at_once_cannot_be_told_apart():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with PeakMemory():
            inside.set()
            leave.wait(SECONDS)

    thread = threading.Thread(target=other)
    with PeakMemory() as first:
        thread.start()
        assert inside.wait(SECONDS)
    assert isnan(first.megabytes)
    with PeakMemory() as second:
        leave.set()
        thread.join()
    assert isnan(second.megabytes)
    assert megabytes(5) == pytest.approx(5.0, abs=1.5)


def test_where_the_system_does_not_tell_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "FORGET", tmp_path / "no folder" / "clear_refs")
    assert isnan(megabytes(1))


def test_it_is_not_measured_unless_it_is_asked_for():
    (cell,), data = plan(study_of('[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "iris"'))
    assert MEMORY not in compute(cell.tasks[0][1], data[cell.data]).figures
