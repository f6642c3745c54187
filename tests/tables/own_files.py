"""Forty files as new users have them, made by code, and the table of what becomes of them.

``python -m tests.tables.own_files`` writes the table into ``docs/files.md``.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pandas as pd

from lastviz.datasets import FileTable, read_file
from lastviz.tables import AS_FOUND, Reading

from .spreadsheets import workbook

DOCS = Path(__file__).parents[2] / "docs" / "files.md"
N = 24  # rows of each file
Y = ["keep", "drop"] * (N // 2)


@dataclass(frozen=True, eq=False)
class OwnFile:
    """One file, and what is right.

    Attributes
    ----------
    name, about : str
        Its name, and what is in it.
    data : bytes
    truth : mapping of str to list, or None
        First values of columns; None: it is to be refused.
    word : str
        What a hint, a note or the refusal says; "" if nothing need be said.
    reading : Reading
    """

    name: str
    about: str
    data: bytes
    truth: Mapping[str, list] | None
    word: str = ""
    reading: Reading = field(default=AS_FOUND)


def text(columns: Mapping[str, Sequence], sep: str = ",", encoding: str = "utf-8") -> bytes:
    """Return columns as text with the class last; cells are written as they are."""
    table = {**columns, "class": Y}
    rows = zip(*(cells * (N // len(cells)) for cells in map(list, table.values())), strict=True)
    lines = [sep.join(table), *(sep.join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode(encoding)


def parquet(columns: Mapping[str, object], index: object = None) -> bytes:
    out = io.BytesIO()
    pd.DataFrame({"class": Y, **columns}, index=index).to_parquet(out)
    return out.getvalue()


def sheet(columns: Mapping[str, Sequence], *extra: Sequence) -> bytes:
    table = {**columns, "class": Y}
    rows = zip(*(cells * (N // len(cells)) for cells in map(list, table.values())), strict=True)
    return workbook([list(table), *map(list, rows), *map(list, extra)])


SIZES = [1.5, 2.25, 30.75, 4.0]
COUNTS = [3, 14, 15, 92]


def encodings() -> Iterator[OwnFile]:
    german = ["Köln", "Zürich", "Gießen", "Münster"]
    yield OwnFile("umlaute.csv", "Excel's CSV in German: Windows-1252, semicolons, commas",
                  text({"Ort": german, "Größe": ["1,5", "2,25", "30,75", "4,0"]}, ";", "cp1252"),
                  {"Ort": german, "Größe": SIZES})  # fmt: skip
    yield OwnFile("unicode text.txt", "Excel's Unicode text: UTF-16, tabs",
                  text({"Ort": german, "n": COUNTS}, "\t", "utf-16"), {"Ort": german,
                  "n": COUNTS})  # fmt: skip
    yield OwnFile("mark.csv", "a byte order mark before the first name",
                  text({"a": COUNTS}, encoding="utf-8-sig"), {"a": COUNTS})  # fmt: skip
    polish = ["Łódź", "Kraków", "Gdańsk", "Poznań"]
    yield OwnFile("miasta.csv", "Central European, no mark of it",
                  text({"miasto": polish, "n": COUNTS}, ";", "cp1250"),
                  {"miasto": polish})  # fmt: skip
    chinese = ["北京市", "上海市", "广州市", "深圳市"]
    yield OwnFile("城市.csv", "Chinese, GB 18030", text({"城市": chinese}, encoding="gb18030"),
                  {"城市": chinese})  # fmt: skip


def marks() -> Iterator[OwnFile]:
    yield OwnFile("prices.csv", "points between thousands, decimal commas",
                  text({"price": ["1.025,00", "12,50", "3.000,75", "1.000.000,00"]}, ";"),
                  {"price": [1025.0, 12.5, 3000.75, 1e6]})  # fmt: skip
    yield OwnFile("swiss.csv", "apostrophes between thousands, a currency",
                  text({"lohn": ["CHF 1'025.50", "CHF 12.25", "CHF 3'000.75", "CHF 0.50"]}, ";"),
                  {"lohn": [1025.5, 12.25, 3000.75, 0.5]})  # fmt: skip
    yield OwnFile("lakhs.csv", "groups as in India",
                  text({"income": ["1,02,500", "12,34,567", "3,00,000", "99,999"]}, "\t"),
                  {"income": [102500, 1234567, 300000, 99999]})  # fmt: skip
    yield OwnFile("thousands.tsv", "every number with one comma before three digits",
                  text({"n": ["1,025", "2,500", "3,750", "850"]}, "\t"),
                  {"n": [1025, 2500, 3750, 850]}, "read as one between thousands")  # fmt: skip
    yield OwnFile("two marks.csv", "a decimal comma beside decimal points",
                  text({"old": ["1,5", "2,25", "30,75", "4,5"], "new": SIZES}, ";"), {"new": SIZES},
                  "another decimal mark")  # fmt: skip
    yield OwnFile("accounts.csv", "negative amounts in brackets, shares in per cent",
                  text({"sum": ["(12.50)", "10.00", "(3.25)", "7.00"], "share": ["5.5 %", "10 %",
                  "0 %", "7.25 %"]}), {"sum": [-12.5, 10, -3.25, 7], "share": [5.5, 10, 0,
                  7.25]})  # fmt: skip
    yield OwnFile("persian.csv", "Persian digits and decimal mark",
                  text({"وزن": ["۱٫۵", "۲٫۲۵", "۳۰٫۷۵", "۴"]}), {"وزن": SIZES},
                  "another script")  # fmt: skip
    yield OwnFile("fullwidth.csv", "digits in the width of Chinese letters",
                  text({"n": ["３", "１４", "１５", "９２"]}), {"n": COUNTS},
                  "another script")  # fmt: skip


def dates() -> Iterator[OwnFile]:
    day = (pd.Timestamp("2024-03-04") - pd.Timestamp(0)).days
    yield OwnFile("us dates.csv", "months first, one day beyond the twelfth",
                  text({"when": ["03/04/2024", "03/25/2024", "12/01/2024", "01/02/2024"]}),
                  {"when": [day]})  # fmt: skip
    yield OwnFile("either.csv", "day or month first",
                  text({"when": ["03/04/2024", "05/06/2024", "07/08/2024", "09/10/2024"]}),
                  {"when": [day + 30]}, "read day first")  # fmt: skip
    yield OwnFile("zones.csv", "moments with one time zone",
                  text({"at": ["2024-03-04T00:30:00+01:00", "2024-03-05T12:00:00+01:00"]}),
                  {"at": [day + 0.5 / 24]}, "time zone +01:00")  # fmt: skip
    yield OwnFile("summer.csv", "moments before and after a change of the clocks",
                  text({"at": ["2024-03-04T01:00:00+01:00", "2024-07-05T12:00:00+02:00"]}),
                  {"at": [day]}, "read in UTC")  # fmt: skip
    yield OwnFile("weeks.csv", "weeks of ISO 8601", text({"week": ["2024-W10", "2024-W11-3"]}),
                  {"week": [day, day + 9]},
                  "dates without a day such as")  # fmt: skip
    yield OwnFile("months.csv", "months without a day", text({"month": ["2024-03", "2024-04"]}),
                  {"month": [day - 3, day + 28]}, "dates without a day such as")  # fmt: skip
    yield OwnFile("short years.csv", "years of two digits",
                  text({"when": ["04.03.24", "25.03.24"]}), {"when": [day]},
                  "two digits")  # fmt: skip
    yield OwnFile("clock.csv", "times of day", text({"at": ["08:30", "17:45", "00:15", "12:00"]}),
                  {"at": [8.5, 17.75, 0.25, 12]}, "read as hours")  # fmt: skip
    yield OwnFile("half days.csv", "times with AM and PM",
                  text({"at": ["8:30 AM", "5:45 PM", "12:15 AM", "12:00 PM"]}),
                  {"at": [8.5, 17.75, 0.25, 12]}, "read as hours")  # fmt: skip


def gaps() -> Iterator[OwnFile]:
    none = None
    yield OwnFile("countries.csv", "NA is Namibia", text({"code": ["DE", "NA", "FR", "US"]}),
                  {"code": ["DE", none, "FR", "US"]}, "may be a level of its own")  # fmt: skip
    chosen = AS_FOUND.with_column("code", missing=())
    yield OwnFile("countries.csv (chosen)", "NA is chosen to be a level",
                  text({"code": ["DE", "NA", "FR", "US"]}), {"code": ["DE", "NA", "FR", "US"]},
                  reading=chosen)  # fmt: skip
    yield OwnFile("sensor.csv", "-999 where a sensor failed",
                  text({"t": ["1.5", "-999", "2.5", "3.5"]}), {"t": [1.5, -999, 2.5, 3.5]},
                  "stands for a missing one")  # fmt: skip
    yield OwnFile("sensor.csv (chosen)", "-999 is chosen to be missing",
                  text({"t": ["1.5", "-999", "2.5", "3.5"]}), {"t": [1.5, none, 2.5, 3.5]},
                  reading=AS_FOUND.with_column("t", missing=("-999",)))  # fmt: skip
    na = text({"x": COUNTS}).replace(b"keep", b"NA")
    yield OwnFile("class NA.csv", "a class is called NA", na, None, "If “NA” is a class")
    yield OwnFile("class NA.csv (chosen)", "NA is chosen to be a class", na,
                  {"class": ["NA", "drop"]}, reading=AS_FOUND.with_column("class",
                  missing=()))  # fmt: skip


def names() -> Iterator[OwnFile]:
    ids = [str(10**17 + i) for i in range(4)]
    yield OwnFile("ids.csv", "numbers of 18 digits", text({"id": ids}), {"id": ids},
                  "more digits than a number keeps")  # fmt: skip
    yield OwnFile("ids as floats.csv", "numbers of 18 digits with a decimal",
                  text({"id": [f"{each}.0" for each in ids]}), {"id": [1e17]},
                  "some may have become one")  # fmt: skip
    yield OwnFile("plz.csv", "codes with a zero first",
                  text({"plz": ["01067", "20095", "80331", "50667"]}), {"plz": ["01067", "20095"]},
                  "begin with a zero")  # fmt: skip
    yield OwnFile("plates.csv", "wells of a plate: 1E1, 10E0",
                  text({"well": ["1E1", "10E0", "2E1", "3E2"]}), {"well": ["1E1", "10E0", "2E1"]},
                  "may be a code")  # fmt: skip
    yield OwnFile("releases.csv", "versions: 1.9 before 1.10",
                  text({"release": ["1.9", "1.10", "1.11", "2.0"]}), {"release": [1.9, 1.1]},
                  "if these are versions")  # fmt: skip
    twins = ["Orléans", "Orle\u0301ans", "Lyon", "Lyon"]
    yield OwnFile("twins.csv", "a letter composed and decomposed", text({"ville": twins}),
                  {"ville": twins}, "look the same")  # fmt: skip
    yield OwnFile("twins.csv (repaired)", "the repair that is offered", text({"ville": twins}),
                  {"ville": ["Orléans", "Orléans", "Lyon"]},
                  reading=AS_FOUND.with_column("ville", merged="looks"))  # fmt: skip
    cyrillic = ["A1", "\u04101", "B2", "B2"]
    yield OwnFile("letters.csv", "a Cyrillic A beside a Latin one", text({"kind": cyrillic}),
                  {"kind": cyrillic}, "look the same")  # fmt: skip
    hebrew = ["ירושלים", "חיפה", "אילת", "נצרת"]
    yield OwnFile("ערים.csv", "Hebrew", text({"עיר": hebrew, "גיל": COUNTS}),
                  {"עיר": hebrew, "גיל": COUNTS})  # fmt: skip


def quotes_and_rows() -> Iterator[OwnFile]:
    yield OwnFile("escaped.csv", "quotation marks behind backslashes",
                  text({"note": ['"pipe 5\\" wide, new"', '"flat, 3\\" high"']}),
                  {"note": ['pipe 5" wide, new', 'flat, 3" high']}, "backslash")  # fmt: skip
    yield OwnFile("inches.tsv", "quotation marks that are never closed",
                  text({"size": ['"5 pipe', '"6 pipe']}, "\t"), {"size": ['"5 pipe', '"6 pipe']},
                  "ordinary characters")  # fmt: skip
    table = text({"a": COUNTS, "b": SIZES})
    yield OwnFile("totals.csv", "a row of totals at the end", table + b"Total,124,\n", None,
                  "Row 26 (Total")  # fmt: skip
    yield OwnFile("totals.csv (repaired)", "the repair that is offered", table + b"Total,124,\n",
                  {"a": COUNTS, "b": SIZES}, reading=Reading(without=(26,)))  # fmt: skip
    head, _, rest = table.partition(b"\n")
    yield OwnFile("units.csv", "a row of units below the names", head + b"\ncm,kg,\n" + rest, None,
                  "Row 2 (cm")  # fmt: skip
    rows = [b"r%d,%s" % (i, row) for i, row in enumerate(rest.strip().split(b"\n"))]
    yield OwnFile("from R.csv", "names of rows without a name, as R writes them",
                  head + b"\n" + b"\n".join(rows), {"a": COUNTS, "row": ["r0", "r1"]},
                  "one field more than there are names")  # fmt: skip
    yield OwnFile("a title.csv", "a title above the names", b"Report of 2024\n\n" + table,
                  {"a": COUNTS}, "above it stands a title")  # fmt: skip


def spreadsheets() -> Iterator[OwnFile]:
    yield OwnFile("mixed.xlsx", "text beside a 0, and FALSE",
                  sheet({"score": ["low", 0, 2, 5], "ok": [False, "maybe", True, "no"]}),
                  {"ok": ["False", "maybe", "True", "no"]})  # fmt: skip
    yield OwnFile("total.xlsx", "a row of totals at the end", sheet({"a": COUNTS}, ["Total", None]),
                  None, "Row 26 (Total")  # fmt: skip
    ids = [float(10**17 + i) for i in range(4)]
    yield OwnFile("ids.xlsx", "numbers of 18 digits, of which a sheet keeps 15", sheet({"id": ids}),
                  {"id": ids}, "some may have become one")  # fmt: skip
    days = [date(2024, 3, 4), date(2024, 3, 5), None, date(2024, 12, 1)]
    start = (date(2024, 3, 4) - date(1970, 1, 1)).days
    yield OwnFile("dates.xlsx", "dates and an empty cell", sheet({"when": days, "n": COUNTS}),
                  {"when": [start, start + 1, None], "n": COUNTS})  # fmt: skip
    moments = [datetime(2024, 3, 4, 6), datetime(2024, 3, 5, 18)]
    yield OwnFile("moments.xlsx", "moments", sheet({"at": moments}),
                  {"at": [start + 0.25, start + 1.75]})  # fmt: skip


def typed() -> Iterator[OwnFile]:
    levels = pd.Categorical(
        ["warm", "cold", "hot", "cold"] * (N // 4), ["cold", "warm", "hot"], ordered=True
    )
    yield OwnFile("ordered.parquet", "ordered categories", parquet({"t": levels}),
                  {"t": ["warm", "cold", "hot"]})  # fmt: skip
    grades = pd.Categorical(["low", "high"] * (N // 2), ["low", "high"], ordered=True)
    yield OwnFile("grades.parquet", "a class with an order",
                  parquet({"x": range(N), "class": grades}), {"class": ["low",
                  "high"]})  # fmt: skip
    groups = pd.Categorical([3, 1, 2, 1] * (N // 4))
    yield OwnFile("groups.parquet", "categories that are numbers", parquet({"g": groups}),
                  {"g": ["3", "1", "2"]})  # fmt: skip
    index = pd.Index([f"s{i % 4}" for i in range(N)], name="site")
    yield OwnFile("site.parquet", "an index with a name", parquet({"x": range(N)}, index),
                  {"site": ["s0", "s1"], "x": [0, 1]})  # fmt: skip
    spans = pd.to_timedelta(np.arange(N) * 1500, unit="ms")
    yield OwnFile("spans.parquet", "durations", parquet({"took": spans}), {"took": [0, 1.5, 3]})
    long = [2**60 + i for i in range(N)]
    yield OwnFile("long.parquet", "whole numbers beyond 2^53", parquet({"id": long}),
                  {"id": [str(n) for n in long[:3]]},
                  "more digits than a number keeps")  # fmt: skip


GROUPS: Mapping[str, Callable[[], Iterator[OwnFile]]] = {
    "Encodings": encodings,
    "Marks in numbers": marks,
    "Dates and times": dates,
    "Missing values": gaps,
    "Names": names,
    "Quotation marks and rows": quotes_and_rows,
    "Excel": spreadsheets,
    "Parquet": typed,
}


def read(file: OwnFile) -> FileTable:
    return read_file(file.data, name=file.name, reading=file.reading, task="auto")


def outcome(file: OwnFile) -> tuple[str, str]:
    """Return what became of a file: "right", "said", "refused" or "wrong", and the sentence."""
    try:
        found = read(file)
    except ValueError as refusal:
        is_due = file.truth is None and file.word in str(refusal)
        return "refused" if is_due else "wrong", str(refusal)
    if file.truth is None or not all(map(_holds(found), file.truth.items())):
        return "wrong", ""
    said = [hint for hint in found.found.hints if file.word in hint]
    if not file.word:
        return "right", ""
    return ("said", str(said[0])) if said else ("wrong", "")


def _holds(found: FileTable) -> Callable[[tuple[str, list]], bool]:
    data = found.dataset
    table = {**{str(c): data.X[c] for c in data.X}, str(data.y.name): data.y}

    def holds(item: tuple[str, list]) -> bool:
        column, values = item
        cells = table[column].astype(object).tolist()[: len(values)]
        return all(
            pd.isna(cell)
            if value is None
            else cell == value
            if isinstance(value, str) or isinstance(cell, str)
            else abs(cell - value) < 1e-9
            for cell, value in zip(cells, values, strict=True)
        )

    return holds


WORDS = {
    "right": "read right",
    "said": "read, with a word",
    "refused": "refused, with the cause",
    "wrong": "**wrong**",
}


def page() -> str:
    """Return the table of all files and what became of each."""
    outcomes = {group: [(f, *outcome(f)) for f in make()] for group, make in GROUPS.items()}
    flat = [became for files in outcomes.values() for _, became, _ in files]
    parts = [f"{flat.count(key)} {words}" for key, words in WORDS.items() if flat.count(key)]
    lines = [
        "# Files as new users have them",
        "",
        f"{len(flat)} small files, made and read by `tests/tables/own_files.py`: "
        f"{', '.join(parts)}. What is said stands on the page *data*, most of it with a button "
        "for the other reading; “chosen” and “repaired” are the same file after that button.",
    ]
    for group, files in outcomes.items():
        lines += [
            "",
            f"## {group}",
            "",
            "| file | content | outcome | what is said |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {_cell(f.name)} | {f.about} | {WORDS[became]} | {_cell(said)} |"
            for f, became, said in files
        ]
    return "\n".join(lines) + "\n"


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    DOCS.write_text(page(), encoding="utf-8")
