"""Files of every kind are read right, or refused in one sentence with the remedy."""

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from benchmarks.fuzz_files import peak
from lastviz._sentences import Refusal
from lastviz.datasets import read_file
from lastviz.datasets.apart import done_apart
from lastviz.tables import AS_FOUND
from lastviz.ui.compute.data import LIMITS

from .bombs import BOMBS
from .own_files import DOCS, GROUPS, outcome, page, read
from .zoo import zoo

ANIMALS = zoo()
REMEDY = (
    "correct", "choose", "save", "use", "leave", "give", "write", "needed", "hand in", "add",
    "unpack", "fill", "put", "spread", "rename", "delete", "possible", "try", "export", "copy",
    "open",
)  # fmt: skip


def test_the_zoo_is_large_and_no_two_are_called_alike():
    assert len(ANIMALS) >= 200
    assert len({animal.name for animal in ANIMALS}) == len(ANIMALS)


@pytest.mark.parametrize("animal", ANIMALS, ids=[animal.name for animal in ANIMALS])
def test_a_file_is_read_right_or_refused_in_one_sentence(animal):
    if animal.X is None:
        with pytest.raises(ValueError) as caught:  # noqa: PT011 (what it says is looked at below)
            read_file(animal.data, name=animal.name, reading=animal.reading, task="auto")
        sentence = str(caught.value)
        assert animal.sentence in sentence
        assert type(caught.value) is Refusal
        assert sentence.startswith(animal.name.removesuffix("/"))
        assert "\n" not in sentence
        assert len(sentence) < 400
        assert any(word in sentence for word in REMEDY), sentence
        return
    read = read_file(animal.data, name=animal.name, reading=animal.reading, task="auto")
    data = read.dataset
    assert list(data.X) == list(animal.X)
    for column, values in animal.X.items():
        equal(data.X[column], values)
    assert data.y.tolist() == animal.y
    assert {c: data.kinds[c] for c in animal.kinds} == dict(animal.kinds)
    assert {c: data.units[c] for c in animal.units} == dict(animal.units)
    assert any(animal.hint in hint for hint in ("", *read.found.hints))
    assert {column.name for column in read.found.columns} == {*animal.X, data.y.name}
    assert all(column.read_as in column.choices for column in read.found.columns)


def equal(column, values):
    """Assert that a column holds these values, every digit of them."""
    found = [None if pd.isna(value) else value for value in column.astype(object)]
    if any(isinstance(value, str) for value in values):
        assert found == values
        return
    assert [f is None for f in found] == [v is None for v in values]
    known = [(f, v) for f, v in zip(found, values, strict=True) if v is not None]
    assert all(not isinstance(f, str) for f, _ in known), found
    assert [f for f, _ in known] == [v for _, v in known]
    if column.dtype == np.float64:
        assert not np.isinf(column).any()


FILES = [file for make in GROUPS.values() for file in make()]


def test_there_are_many_of_all_kinds():
    assert len(FILES) >= 40
    assert len({file.name for file in FILES}) == len(FILES)


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_a_file_is_read_right_or_with_a_word(file):
    became, said = outcome(file)
    assert became != "wrong", said


def test_the_table_in_the_docs_is_the_one_that_is_made():
    assert DOCS.read_text(encoding="utf-8") == page(), "python -m tests.tables.own_files"


@pytest.mark.parametrize(("name", "column", "order"), [
    ("ordered.parquet", "t", ("cold", "warm", "hot")),
    ("groups.parquet", "g", ("1", "2", "3")),
    ("grades.parquet", "class", ("low", "high")),
])  # fmt: skip
def test_declared_categories_keep_their_order(name, column, order):
    data = read(next(file for file in FILES if file.name == name)).dataset
    assert (data.class_order if column == "class" else data.orders[column]) == order
    assert data.kinds.get(column) in (None, "nominal" if column == "g" else "ordinal")


def test_versions_are_ordered_part_by_part():
    file = next(file for file in FILES if file.name == "releases.csv")
    ranked = read(replace(file, reading=AS_FOUND.with_column("release", "ordinal")))
    assert ranked.dataset.orders["release"] == ("1.9", "1.10", "1.11", "2.0")


ROOT = Path(__file__).resolve().parents[2]
MOST_MEMORY = 300  # MB
NAMES = [name for name in BOMBS if name != "digits.csv"]


@pytest.mark.ci
@pytest.mark.parametrize("name", NAMES)
def test_a_bomb_is_refused_and_takes_little_room_here(name):
    """It goes off in a process of its own, whose room ends."""
    bomb = BOMBS[name]()
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    with pytest.raises(Refusal, match=r"^bomb"):
        done_apart("bomb", read_file, bomb, name="bomb", task="auto", limits=LIMITS)
    assert peak() - before < MOST_MEMORY


@pytest.mark.parametrize("n", [309, 310, 5000])
@pytest.mark.parametrize("form", ["{}", "-{}", "{}.5"])
def test_numbers_beyond_the_largest_are_text_with_a_note(n, form):
    number = form.format("9" * n)
    rows = "".join(f"{i},{'xy'[i % 2]}\n" for i in range(9))
    json_rows = ",".join(f'{{"a":{i},"class":"{"xy"[i % 2]}"}}' for i in range(9))
    for data in (f"a,class\n{number},x\n{rows}", f'[{{"a":{number},"class":"x"}},{json_rows}]'):
        read = read_file(data.encode(), name="t")
        assert read.dataset.X["a"].iloc[0] == number
        assert any("more digits than a number keeps" in hint for hint in read.found.hints)


def test_a_message_says_a_number_as_people_write_it():
    with pytest.raises(Refusal, match="every row has the class 1 in column 'class'"):
        read_file(b"a,class\n1,1\n2,1\n", name="t.csv")


@pytest.mark.ci
def test_damaged_files_are_read_or_refused_in_a_sentence():
    """A sample of `python -m benchmarks.fuzz_files`."""
    answer = subprocess.run(
        [sys.executable, "-m", "benchmarks.fuzz_files", "--seed", "7", "--part", "0", "60"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    found = json.loads(answer)
    assert found["faults"] == []
    assert sum(found["counts"].values()) == 60
    assert found["counts"].keys() == {"read", "refused", "came back"}


def test_a_column_whose_name_is_no_text_is_refused_in_a_sentence():
    out = io.BytesIO()
    parquet.write_table(pa.table({"long name": [1, 2], "class": ["x", "y"]}), out)
    with pytest.raises(Refusal, match="no Parquet file that can be read"):
        read_file(out.getvalue().replace(b"long name", b"\x80ong name"), name="t")
