"""A file is read in another process: its table and its refusals come back, and nothing else is."""

import os
import re
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from lastviz._sentences import Refusal
from lastviz.datasets import apart, read_file
from lastviz.datasets.apart import done_apart

TABLE = b"a,colour,class\n1,red,x\n2,blue,y\n3,red,x\n"
ENDLESS = ("(a+)+b", "a" * 60)  # the search never lets go of its interpreter
NO_ANSWER = "takes more memory or time than a file may, or is damaged"


def test_a_table_comes_back_as_it_is_read_here():
    here = read_file(TABLE, name="t.csv")
    there = done_apart("t.csv", read_file, TABLE, name="t.csv")
    pd.testing.assert_frame_equal(there.dataset.X, here.dataset.X)
    assert there.dataset.y.tolist() == here.dataset.y.tolist()
    assert there.found == here.found
    assert done_apart("t.csv", os.getpid) != os.getpid()


def test_a_refusal_comes_back_with_its_sentence():
    with pytest.raises(Refusal, match="has only one column") as caught:
        done_apart("t.csv", read_file, b"a\n1\n", name="t.csv")
    assert caught.value.sentence.values == {"name": "t.csv"}


@pytest.mark.ci
@pytest.mark.parametrize(
    ("task", "value"),
    [(bytearray, 8 * 10**9), (os.abort, None), (os._exit, 0), (open, os.devnull)],
    ids=["too much memory", "the interpreter dies", "it ends", "its answer cannot be sent"],
)
def test_what_goes_wrong_there_is_one_sentence_here(task, value):
    with pytest.raises(Refusal, match=f"^t.csv {NO_ANSWER}"):
        done_apart("t.csv", task, *([] if value is None else [value]))
    assert done_apart("t.csv", len, b"abc") == 3


@pytest.mark.ci
def test_a_reader_that_never_lets_go_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(apart, "LONGEST", 10**6)
    done_apart("t.csv", len, b"abc")
    (process,) = apart._SPARE
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(done_apart, "t.csv", re.fullmatch, *ENDLESS)
        assert done_apart("u.csv", read_file, TABLE, name="u.csv").dataset.n_samples == 3
        assert not reading.done()
        process.kill()
        with pytest.raises(Refusal, match=NO_ANSWER):
            reading.result()


def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(apart, "LONGEST", 0.1)
    with pytest.raises(Refusal, match=NO_ANSWER):
        done_apart("t.csv", re.fullmatch, *ENDLESS)


@pytest.mark.ci
def test_one_that_ended_while_it_waited_is_replaced():
    done_apart("t.csv", len, b"abc")
    (waiting,) = apart._SPARE
    waiting.kill()
    waiting.wait()
    assert done_apart("t.csv", len, b"abc") == 3


@pytest.mark.ci
@pytest.mark.parametrize("busy", [False, True])
def test_nothing_is_left_when_the_one_that_asks_is_killed(busy):
    asker = (
        "import pickle, signal, time; from lastviz.datasets import apart; p = apart._started();"
        f"{busy} and (pickle.dump((time.sleep, (10**6,), {{}}), p.stdin), p.stdin.flush());"
        "print(p.pid, flush=True); signal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", asker], stdout=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        end = os.pidfd_open(child)
        process.send_signal(signal.SIGKILL)
    with os.fdopen(end) as ended:
        assert select.select([ended], [], [], 300)[0]
