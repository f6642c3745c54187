"""Files that are small and decode to gigabytes, each a function without parameters."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from .spreadsheets import with_cell, workbook

ROWS = 150_000
FEWER = 30_000  # that are enough
LONG = "a" * 9_000


def _texts(rows: int, letters: int, different: int = 1) -> pa.Table:
    """Return a table of two columns of long texts, `different` ones, each stored once."""
    words = pa.array([f"{i:06d}" + "a" * (letters - 6) for i in range(different)])
    codes = pa.array(np.arange(rows) % different, pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, words)
    return pa.table({"x": column, "class": column})


def _parquet(rows: int, letters: int, different: int = 1) -> bytes:
    out = io.BytesIO()
    parquet.write_table(_texts(rows, letters, different), out, compression="zstd")
    return out.getvalue()


def _parquet_of_numbers() -> bytes:
    """Return a page of plain texts that are all alike, as zstd packs them."""
    out = io.BytesIO()
    table = pa.table({"x": [LONG] * FEWER, "class": [LONG] * FEWER})
    parquet.write_table(table, out, compression="zstd", use_dictionary=False)
    return out.getvalue()


def _workbook(rows: int) -> bytes:
    """Return a workbook whose cells share one long text."""
    return workbook([[b't="s"><v>0</v>'] * 2] * rows, shared=[LONG])


def _far_apart() -> bytes:
    """Return a workbook with cells in two corners of its sheet: a rectangle of billions."""
    return with_cell(workbook([["a", "class"], [1, "x"]]), "XFD1048576")


def _zip(size: int) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.csv", "w", force_zip64=True) as file,
    ):
        for _ in range(size // 2**20):
            file.write(b"1,a\n" * 2**18)
    return out.getvalue()


def _packed(compress: Callable[[bytes], bytes]) -> bytes:
    """Return 270 MB, packed in parts that readers take as one file."""
    return compress(b"1,a\n" * 2**21) * 32


def _arff_row() -> bytes:
    return b"@relation t\n@attribute x numeric\n@attribute y numeric\n@data\n" + b"1," * 2_000_000


BOMBS: dict[str, Callable[[], bytes]] = {
    "2 kB.parquet": lambda: _parquet(ROWS, 9_000),
    "20 kB.parquet": lambda: _parquet(ROWS, 9_000, 1_000),
    "40 kB.parquet": lambda: _parquet(190_000, 9_000, 3_000),
    "67 kB.parquet": lambda: _parquet(199_000, 18_000, 1_500),
    "plain.parquet": _parquet_of_numbers,
    "shared.xlsx": lambda: _workbook(40_000),
    "far.xlsx": _far_apart,
    "a.csv.gz": lambda: _packed(gzip.compress),
    "a.zip": lambda: _zip(200 * 2**20),
    "attributes.arff": lambda: b"@relation t\n" + b"@attribute x numeric\n" * 10**6,
    "row.arff": _arff_row,
    "wide.csv": lambda: b"," * 20_000_000,
    "rows.csv": lambda: (b"," * 100_000 + b"\n") * 500,
    "nested.json": lambda: b'{"a":' * 10**6 + b"1" + b"}" * 10**6,
    "lists.json": lambda: b"[" * 10**6 + b"]" * 10**6,
    "repeated.json": lambda: b"[{" + b'"a":1,' * 10**6 + b'"b":1}]',
    "keys.json": lambda: b"[{" + b",".join(b'"k%d":1' % i for i in range(10**6)) + b"}]",
    "empty lists.json": lambda: b'{"a":[' + b"[]," * 10**7 + b"[]]}",
    "empty records.json": lambda: b'[{"a":[' + b"{}," * 10**7 + b"{}]}]",
    "digits.csv": lambda: b"a,class\n" + b"9" * 309 + b",x\n1,y\n",
}
"""By the name of the file; the last is read, its number a text."""
