"""The shipped sample tables are what the program writes, and the reader understands them."""

from pathlib import Path

import pytest

from lastviz.datasets import read_table
from lastviz.datasets.__main__ import write
from lastviz.tables import look_into

SHIPPED = Path(__file__).parents[2] / "sample_data"


def test_the_program_writes_the_shipped_files(tmp_path):
    write(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in SHIPPED.iterdir())
    for name in names:
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes(), name
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 2**20


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.csv")), ids=lambda path: path.stem)
def test_the_reader_understands_them(path):
    data = read_table(path)
    row = next(
        line
        for line in (SHIPPED / "README.md").read_text().splitlines()
        if line.startswith(f"| {path.name}")
    )
    classes = "numbers" if path.stem == "regression_5_2" else data.n_classes
    assert f"| {data.n_samples} | {data.n_features} | {classes} |" in row
    assert not data.has_missing


def test_the_spreadsheet_sample_has_all_that_must_be_found_out():
    data = (SHIPPED / "apples.csv").read_bytes()
    form = look_into(data)
    assert (form.separator, form.decimal, form.encoding, form.header) == (";", ",", "cp1252", 1)
    apples = read_table(data)
    assert list(apples.kinds.values()) == ["numeric"] * 3 + ["nominal"] * 2
    assert apples.y.name == "grade"
