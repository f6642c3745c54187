"""Small files that decode to gigabytes are refused in one sentence, in little room."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from benchmarks.fuzz_files import peak
from lastviz._sentences import Refusal
from lastviz.datasets import read_file
from lastviz.datasets.apart import done_apart
from lastviz.ui.compute.data import LIMITS

from .bombs import BOMBS

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
