"""A file is read in another process: its table and its refusals come back, and nothing else is."""

import os
import time

import pandas as pd
import pytest

from lastviz._sentences import Refusal
from lastviz.datasets import read_file
from lastviz.datasets.apart import done_apart

TABLE = b"a,colour,class\n1,red,x\n2,blue,y\n3,red,x\n"


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


def test_what_takes_too_much_memory_ends_alone():
    with pytest.raises(Refusal, match="takes more memory or time"):
        done_apart("t.csv", bytearray, 8 * 10**9)


def test_it_ends_when_nobody_waits_any_more():
    with pytest.raises(Refusal):
        done_apart("t.csv", time.sleep, 10**6, wanted=lambda: False)
