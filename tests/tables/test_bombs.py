"""Small files that decode to gigabytes are refused in one sentence, in little room."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from lastviz._sentences import Refusal
from lastviz.datasets import read_file

from .bombs import BOMBS
from .spreadsheets import workbook

ROOT = Path(__file__).resolve().parents[2]
MOST_MEMORY = 300  # MB
# Each bomb goes off in a process of its own, which has all libraries already.
READ = """
import os, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import arff, pyarrow.compute, pyarrow.parquet, python_calamine
from lastviz.datasets import read_file
from lastviz.ui.compute.data import LIMITS
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1e3
def read(data):
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    try:
        read_file(data, name="bomb", task="auto", limits=LIMITS)
        said = "read"
    except ValueError as error:
        said = f"{type(error).__name__} {error}"
    print(peak() - before, said, sep="|", flush=True)
read_file(b"a,class\\n1,x\\n2,y\\n")
good = Path(sys.argv[1]).read_bytes()
read_file(good, name="good")
for path in sys.argv[2:]:
    child = os.fork()
    if not child:
        read_file(good, name="good")
        read(Path(path).read_bytes())
        os._exit(0)
    os.waitpid(child, 0)
"""
NAMES = [name for name in BOMBS if name != "digits.csv"]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What was said of each bomb, with the memory that it took."""
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "good.xlsx").write_bytes(workbook([["a", "class"], [1, "x"], [2, "y"]]))
    for name in NAMES:
        (folder / name).write_bytes(BOMBS[name]())
    paths = [str(folder / name) for name in ("good.xlsx", *NAMES)]
    answer = subprocess.run(
        [sys.executable, "-c", READ, *paths], capture_output=True, text=True, check=True
    ).stdout
    return dict(zip(NAMES, (line.split("|", 1) for line in answer.splitlines()), strict=True))


@pytest.mark.ci
@pytest.mark.parametrize("name", NAMES)
def test_a_bomb_is_refused_within_its_budget(name, told):
    memory, said = told[name]
    assert said.startswith("Refusal bomb")
    assert float(memory) < MOST_MEMORY


@pytest.mark.parametrize("n", [309, 310, 5000])
@pytest.mark.parametrize("form", ["{}", "-{}", "{}.5"])
def test_numbers_beyond_the_largest_are_text_with_a_note(n, form):
    number = form.format("9" * n)
    rows = "".join(f"{i},{'xy'[i % 2]}\n" for i in range(9))
    json_rows = ",".join(f'{{"a":{i},"class":"{"xy"[i % 2]}"}}' for i in range(9))
    for data in (
        f"a,class\n{number},x\n{rows}",
        f'[{{"a":{number},"class":"x"}},{json_rows}]',
    ):
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
