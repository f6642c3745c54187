"""A zoo of table files, made by script: each with the table that is in it or the sentence due.

``python -m tests.tables.zoo FOLDER`` writes all of them into a folder.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from lastviz.tables import AS_FOUND, Reading

from .spreadsheets import workbook

N = None  # missing


@dataclass(frozen=True, eq=False)
class Animal:
    """One file.

    Attributes
    ----------
    name : str
    data : bytes
    X : mapping of str to list or None
        The features that are in it; None if it is to be refused.
    y : list or None
        The class labels or numbers.
    sentence : str
        What the refusal says.
    kinds : mapping of str to str
        Kinds of features that are no numbers, where they matter.
    reading : Reading
    hint : str
        What a hint says.
    units : mapping of str to str
    """

    name: str
    data: bytes
    X: Mapping[str, list] | None = None
    y: list | None = None
    sentence: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    reading: Reading = AS_FOUND
    hint: str = ""
    units: Mapping[str, str] = field(default_factory=dict)


SIZE = [1.5, 2.25, -3.125, 4.75, 12.5, 0.5]
COUNT = [3, 14, 15, 92, 65, 35]
CLASS = ["ja", "nein", "ja", "nein", "ja", "nein"]
PLAIN = {"size": SIZE, "count": COUNT}
WORDS = {
    "cp1252": ["Größe", "süß", "bitter", "süß", "café", "señor", "süß"],
    "cp1251": ["Вкус продукта", "сладкий", "горький", "сладкий", "кислый", "сладкий", "горький"],
    "cp1253": ["Κατηγορία", "γλυκό", "πικρό", "γλυκό", "ξινό", "γλυκό", "πικρό"],
    "gb18030": ["花瓣颜色", "红色", "蓝色", "红色", "黄色", "红色", "蓝色"],
    "big5": ["花瓣顏色", "紅色", "藍色", "紅色", "黃色", "紅色", "綠色"],
    "shift_jis": ["花の色", "あかい", "あおい", "あかい", "きいろ", "みどり", "あおい"],
    "euc_kr": ["꽃의색깔이름", "빨간색", "파란색", "노란색", "하얀색", "초록색", "검은색"],
}


def written(
    columns: Mapping[str, Sequence],
    separator: str = ",",
    decimal: str = ".",
    end: str = "\n",
    quoting: int = csv.QUOTE_MINIMAL,
    header: bool = True,
) -> str:
    """Return a table as text, missing cells empty."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
    if header:
        writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        cells = ["" if c is N else c for c in row]
        writer.writerow(
            [repr(c).replace(".", decimal) if isinstance(c, float) else c for c in cells]
        )
    return file.getvalue()


def csv_of(
    name: str, columns: Mapping[str, list], y: list = CLASS, text: Mapping = {}, **about: object
) -> Animal:
    """Return a CSV file with these features; `text` says how some of them are written."""
    table = {**columns, **text, "class": y}
    n = min(map(len, table.values()))
    table = {key: list(values)[:n] for key, values in table.items()}
    return Animal(
        f"{name}.csv",
        written(table).encode(),
        {key: list(values)[:n] for key, values in columns.items()},
        list(y)[:n],
        **about,
    )


def dialects() -> Iterator[Animal]:
    for separator, decimal, end in product(",;\t| ", ".,", ["\n", "\r\n", "\r"]):
        text = written({**PLAIN, "class": CLASS}, separator, decimal, end)
        name = f"dialect {ord(separator)} {ord(decimal)} {len(end)}{ord(end[0])}.csv"
        yield Animal(name, text.encode(), PLAIN, CLASS)
    for quoting, separator in product((csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC), ",;\t|"):
        text = written({**PLAIN, "class": CLASS}, separator, quoting=quoting)
        yield Animal(f"quoted {quoting} {ord(separator)}.csv", text.encode(), PLAIN, CLASS)
    for separator in ",;\t":
        words = ["a,b", 'say "x"', "two\nlines", "a;b", "tab\there", "plain"]
        columns = {"word": words, "size": SIZE}
        text = written({**columns, "class": CLASS}, separator)
        yield Animal(f"marks in text {ord(separator)}.csv", text.encode(), columns, CLASS)


def encodings() -> Iterator[Animal]:
    for encoding, (name, *words) in WORDS.items():
        columns = {name: words, "size": SIZE}
        text = written({**columns, "class": CLASS})
        own = [encoding, "utf-8", "utf-8-sig", "utf-16", "utf-32"]
        for written_in in own:
            yield Animal(f"{encoding} in {written_in}.csv", text.encode(written_in), columns, CLASS)
    text = written({**PLAIN, "class": CLASS})
    for wide in ("utf-16-le", "utf-16-be"):
        yield Animal(f"{wide} without mark.csv", text.encode(wide), PLAIN, CLASS)
    columns = {"věk": SIZE, "žena": COUNT}
    text = written({**columns, "class": CLASS})
    chosen = Reading(encoding="cp1250")
    yield Animal("chosen cp1250.csv", text.encode("cp1250"), columns, CLASS, reading=chosen)


def around() -> Iterator[Animal]:
    """Titles, blank rows, missing headers and names, what surrounds a table in a file."""
    text = written({**PLAIN, "class": CLASS})
    bodies = {
        "a title": "Flowers of 2024\n" + text,
        "a title and a blank row": "Flowers of 2024\n\n" + text,
        "three titles": "Flowers\nmade by hand\nall of them\n" + text,
        "a title with empty fields": "Flowers,,\n,,\n" + text,
        "a blank row first": "\n\n" + text,
        "blank rows between": text.replace("\n", "\n\n"),
        "no last line end": text.rstrip(),
        "rows of separators at the end": text + ",,\n,,\n",
        "blank lines at the end": text + "\n\n \n",
        "separator declared": "sep=,\n" + text,
        "separator declared ;": "sep=;\n" + text.replace(",", ";"),
        "blanks around": text.replace(",", " , "),
        "an empty column at the end": text.replace("\n", ",\n"),
    }
    for name, body in bodies.items():
        yield Animal(f"{name}.csv", body.encode(), PLAIN, CLASS)
    index = "".join(f"{i - 1 if i else ''},{line}\n" for i, line in enumerate(text.splitlines()))
    columns = {"column 1": list(range(6)), **PLAIN}
    yield Animal("index without a name.csv", index.encode(), columns, CLASS)
    headless = written({**PLAIN, "class": CLASS}, header=False)
    yield Animal("no header.csv", headless.encode(), {"x1": SIZE, "x2": COUNT}, CLASS)
    chosen = "1,2,3\n" + text
    yield Animal("header chosen.csv", chosen.encode(), PLAIN, CLASS, reading=Reading(header=2))
    words = "red,low\nblue,high\nred,low\n"
    yield Animal(
        "no header chosen.csv", words.encode(), {"x1": ["red", "blue", "red"]},
        ["low", "high", "low"], reading=Reading(header=0),
    )  # fmt: skip
    for gap in ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "#DIV/0!"):
        gaps = {"size": [1.5, N, -3.125, 4.75, N, 0.5], "count": COUNT, "word": list("abNbab")}
        gaps["word"][2] = N
        shown = {key: [gap if c is N else c for c in values] for key, values in gaps.items()}
        yield csv_of(f"missing as {gap.replace('/', '_') or 'nothing'}", gaps, text=shown)
    dashes = {"size": [1.5, N, 3.5, 4.5, N, 5.5]}
    yield csv_of("missing as dashes", dashes, text={"size": ["1.5", "-", "3.5", "4.5", "–", "5.5"]})


def numbers() -> Iterator[Animal]:
    """Numbers as people write them."""
    values = [1234.56, 12.5, -1234567.25, 0.5, 999.75, 10.0]
    ways = {
        "1,234.56": ["1,234.56", "12.50", "-1,234,567.25", "0.50", "999.75", "10.00"],
        "1.234,56": ["1.234,56", "12,50", "-1.234.567,25", "0,50", "999,75", "10,00"],
        "1 234.56": ["1 234.56", "12.50", "-1 234 567.25", "0.50", "999.75", "10.00"],
        "1 234,56": ["1 234,56", "12,50", "-1 234 567,25", "0,50", "999,75", "10,00"],
        "1'234.56": ["1'234.56", "12.50", "-1'234'567.25", "0.50", "999.75", "10.00"],
        "1’234,56": ["1’234,56", "12,50", "-1’234’567,25", "0,50", "999,75", "10,00"],
        "no-break": ["1\u00a0234,56", "12,50", "-1\u00a0234\u00a0567,25", "0,50", "999,75",
         "10,00"],
        "narrow": ["1\u202f234.56", "12.5", "−1\u202f234\u202f567.25", "0.5", "999.75", "10"],
        "exponents": ["1.23456e3", "1.25E+1", "-1.23456725e6", "5e-1", "999.75", "1e1"],
        "plus": ["+1234.56", "+12.5", "-1234567.25", "+.5", "+999.75", "+10."],
        "accounting": ["1,234.56", "12.50", "(1,234,567.25)", "0.50", "999.75", "10.00"],
    }  # fmt: skip
    units = {
        "10,1 %": "%", "10.1%": "%", "€ 1.234,50": "€", "1.234,50 €": "€", "$1,234.50": "$",
        "-$1,234.50": "$", "£1,234.50": "£", "¥1,234.50": "¥", "1,234.50 USD": "USD",
        "CHF 1'234.50": "CHF", "12.5 kg": "kg", "12,5 m²": "m²", "-12.5 °C": "°C", "30.5°": "°",
        "1,234.50 km/h": "km/h",
    }  # fmt: skip
    for separator in ",;\t":
        for name, cells in ways.items():
            table = {"price": cells, "count": COUNT, "class": CLASS}
            columns = {"price": values, "count": COUNT}
            text = written(table, separator)
            yield Animal(f"number {name} {ord(separator)}.csv", text.encode(), columns, CLASS)
    for pattern, unit in units.items():
        plain = pattern.replace("1.234", "1234").replace("1,234", "1234").replace("1'234", "1234")
        digits = "".join(c for c in plain if c in "0123456789.,-").replace(",", ".")
        value = float(digits)
        cells = [pattern, pattern.replace("5", "6"), pattern.replace("0", "8")]
        cells = [pattern if c == pattern else c for c in cells] * 2
        numbers = [_number(c) for c in cells]
        assert numbers[0] == value
        yield csv_of(f"unit {pattern.replace('/', ' per ')}", {"price": numbers},
                     text={"price": cells}, units={"price": unit})  # fmt: skip
    whole = {"n": [1234, 850, 12500, 7, 999, 1000]}
    text = {"n": ["1,234", "850", "12,500", "7", "999", "1,000"]}
    yield csv_of("thousands beside small", whole, text=text, hint="between thousands")
    decimals = {"n": [1.234, 2.345, 3.456, 4.567, 5.678, 6.789]}
    for separator in ";\t":
        table = {"n": decimals["n"], "class": CLASS}
        body = written(table, separator, ",").encode()
        yield Animal(f"decimal commas alone {ord(separator)}.csv", body, decimals, CLASS)
    forced = Reading(decimal=".", thousands=",")
    body = written({"n": decimals["n"], "class": CLASS}, ";", ",").encode()
    whole = {"n": [int(1000 * n) for n in decimals["n"]]}
    yield Animal("thousands chosen.csv", body, whole, CLASS, reading=forced)
    long = [9007199254740993, 9007199254740992, 3, 4, 5, 6]
    names = [str(n) for n in long]
    yield csv_of("long whole numbers", {"id": names}, kinds={"id": "nominal"}, hint="digits")
    names[2] = N
    yield csv_of("long ones and a gap", {"id": names}, kinds={"id": "nominal"}, hint="digits")
    longer = ["18446744073709551615", "18446744073709551614", "1", "2", "3", "4"]
    yield csv_of("longer whole numbers", {"id": longer}, kinds={"id": "nominal"}, hint="digits")
    codes = ["01234", "00501", "99501", "10001", "02134", "60601"]
    yield csv_of("codes", {"zip": codes}, kinds={"zip": "nominal"}, hint="begin with a zero")
    chosen = Reading(columns=(("zip", "number"),))
    yield csv_of("codes as numbers", {"zip": [int(c) for c in codes]}, text={"zip": codes},
                 reading=chosen)  # fmt: skip
    precise = [
        0.1,
        1 / 3,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        9.999999999999999e22,
        5e-324,
    ]
    yield csv_of("every digit", {"x": precise})


def _number(cell: str) -> float:
    plain = "".join(c for c in cell if c in "0123456789.,-'")
    if "'" in plain:
        return float(plain.replace("'", ""))
    if "," in plain and ("." not in plain or plain.rfind(",") > plain.rfind(".")):
        return float(plain.replace(".", "").replace(",", "."))
    return float(plain.replace(",", ""))


def words() -> Iterator[Animal]:
    """Dates, yes and no, words with an order, labels that must stay what they are."""
    days = [date(2024, 1, 31), date(2023, 12, 5), date(1999, 2, 28), date(2000, 2, 29),
            date(1969, 7, 20), date(2024, 6, 1)]  # fmt: skip
    numbers = [(d - date(1970, 1, 1)).days for d in days]
    forms = ["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y",
             "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%Y年%m月%d日"]  # fmt: skip
    for form in forms:
        text = {"when": [d.strftime(form) for d in days]}
        name = "date " + form.replace("/", "s").replace("%", "")
        yield csv_of(name, {"when": numbers}, text=text, units={"when": "days since 1970-01-01"})
    clock = {"when": [f"{d} 06:00:00" for d in days]}
    yield csv_of("date with time", {"when": [n + 0.25 for n in numbers]}, text=clock)
    zulu = {"when": [f"{d}T06:00:00Z" for d in days]}
    yield csv_of("date with time and zone", {"when": [n + 0.25 for n in numbers]}, text=zulu)
    doubtful = {"when": ["01/02/2024", "03/04/2024", "05/06/2024", "07/08/2024"]}
    first = [19754, 19816, 19879, 19942]
    assert (date(2024, 2, 1) - date(1970, 1, 1)).days == first[0]
    yield csv_of("day or month", {"when": first}, text=doubtful, hint="day first")
    second = [
        (date(2024, m, d) - date(1970, 1, 1)).days for m, d in ((1, 2), (3, 4), (5, 6), (7, 8))
    ]
    yield csv_of(
        "month first chosen", {"when": second}, text=doubtful, reading=Reading(dates="mdy")
    )
    iso = {"when": [str(d) for d in days]}
    parts = {
        "year": [d.year for d in days],
        "month": [d.strftime("%B") for d in days],
        "weekday": [d.strftime("%A") for d in days],
        "category": [str(d) for d in days],
    }
    for way, values in parts.items():
        reading = Reading(columns=(("when", way),))
        yield csv_of(f"date as {way}", {"when": values}, text=iso, reading=reading)
    gap = {"when": [*numbers[:3], N, *numbers[4:]]}
    shown = {"when": [*iso["when"][:3], "", *iso["when"][4:]]}
    yield csv_of("date missing", gap, text=shown)
    pairs = [("no", "yes"), ("N", "Y"), ("False", "True"), ("FALSE", "TRUE"), ("nein", "ja"),
             ("non", "oui"), ("否", "是"), ("f", "t")]  # fmt: skip
    for no, yes in pairs:
        yield csv_of(f"{no} {yes}", {"sick": [no, yes, no, no, yes, N]}, kinds={"sick": "nominal"})
    scales = [
        ("low", "medium", "high"), ("Never", "Sometimes", "Always"), ("S", "M", "XL"),
        ("Mon", "Tue", "Sun"), ("January", "March", "December"), ("klein", "mittel", "groß"),
        ("strongly disagree", "neutral", "agree"), ("低", "中", "高"), ("cold", "warm", "hot"),
        ("vhigh", "low", "high"),
    ]  # fmt: skip
    for scale in scales:
        values = [scale[i % 3] for i in (2, 0, 1, 1, 0, 2)]
        yield csv_of(f"scale {scale[0]}", {"level": values}, kinds={"level": "ordinal"})
    spelt = {"flag": ["TRUE", "true", "False", "TRUE", "FALSE", "true"]}
    yield csv_of("spelt alike", spelt, kinds={"flag": "nominal"}, hint="different values")
    alike = {"flag": ["TRUE", "TRUE", "False", "TRUE", "False", "TRUE"]}
    chosen = Reading(columns=(("flag", "yes_no"),))
    yield csv_of("spelt alike, joined", alike, text=spelt, reading=chosen)
    labels = {
        "large": ["18446744073709551615", "18446744073709551614"],
        "with a point": ["9223372036854775808.0", "9223372036854775809.0"],
        "infinite": ["1e400", "2e400"],
        "spelt": ["TRUE", "true"],
        "codes": ["007", "7"],
        "decimals": ["0.50", "0.5"],
        "signs": ["+1", "-1"],
        "negative": [-1, 1],
        "numbers": [1, 10],
        "long": [9007199254740993, 9007199254740992],
        "quoted": ["it's", 'a "b"'],
        "words": ["无", "有"],
        "formula": ["=1+1", "@x"],
    }
    for name, (one, other) in labels.items():
        hint = "different values" if name in ("spelt", "codes") else ""
        yield csv_of(f"labels {name}", PLAIN, [one, other] * 3, hint=hint)
    pointed = written({**PLAIN, "class": ["1.0", "2.0"] * 3})
    yield Animal("labels 1.0.csv", pointed.encode(), PLAIN, [1, 2] * 3)
    long = ["x" * 200_000, "short", "short", "x" * 200_000, "short", "other"]
    yield csv_of("a long cell", {"text": long}, kinds={"text": "nominal"})
    numbers_as_names = {"n": ["3", "1", "2", "1", "3", "2"]}
    yield csv_of("numbers as names", numbers_as_names, kinds={"n": "nominal"},
                 reading=Reading(columns=(("n", "category"),)))  # fmt: skip


def packed() -> Iterator[Animal]:
    text = written({**PLAIN, "class": CLASS}).encode()
    book = workbook([["size", "count", "class"], *zip(SIZE, COUNT, CLASS, strict=True)])
    yield Animal("packed.csv.gz", gzip.compress(text), PLAIN, CLASS)
    yield Animal("book.xlsx.gz", gzip.compress(book), PLAIN, CLASS)
    yield Animal("packed.zip", zipped({"t.csv": text}), PLAIN, CLASS)
    yield Animal("zip in gzip.gz", gzip.compress(zipped({"t.csv": text})), PLAIN, CLASS)
    yield Animal("mac.zip", zipped({"t.csv": text, "__MACOSX/._t.csv": b"x"}), PLAIN, CLASS)
    two = zipped({"readme.md": b"hello", "a/t.csv": text, "u.csv": b"x,class\n1,a\n2,b\n"})
    yield Animal("two.zip", two, PLAIN, CLASS)
    yield Animal("second.zip", two, {"x": [1, 2]}, ["a", "b"], reading=Reading(part="u.csv"))
    yield Animal("thrice.gz", gzip.compress(gzip.compress(gzip.compress(text))),
                 sentence="packed more than twice")  # fmt: skip
    yield Animal("cut.gz", gzip.compress(text)[:-12], sentence="damaged and cannot be unpacked")
    yield Animal(
        "cut.zip", zipped({"t.csv": text})[:-30], sentence="damaged and cannot be unpacked"
    )
    yield Animal("empty.zip", zipped({}), sentence="without any file")
    bomb = gzip.compress(b"a,b,class\n" + b"1,2,x\n" * 20_000_000, 9)
    yield Animal("bomb.gz", bomb, sentence="unpacks to more than 100 MB")
    yield Animal("bomb.zip", zipped({"t.csv": b"0" * 120_000_000}),
                 sentence="unpacks to more than 100 MB")  # fmt: skip


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def books() -> Iterator[Animal]:
    header = ["size", "count", "class"]
    rows = [list(row) for row in zip(SIZE, COUNT, CLASS, strict=True)]
    table = [header, *rows]
    yield Animal("book.xlsx", workbook(table), PLAIN, CLASS)
    yield Animal("title.xlsx", workbook([["Flowers"], *table]), PLAIN, CLASS)
    yield Animal("title and gap.xlsx", workbook([["Flowers of 2024"], [], *table]), PLAIN, CLASS)
    yield Animal(
        "merged title.xlsx", workbook([["Flowers"], *table], merged=["A1:C1"]), PLAIN, CLASS
    )
    yield Animal("begins below.xlsx", workbook(table, first_row=7), PLAIN, CLASS)
    right = [[N, N, *row] for row in table]
    yield Animal("begins at C.xlsx", workbook(right), PLAIN, CLASS)
    hole = [[row[0], N, *row[1:]] for row in table]
    yield Animal("empty column.xlsx", workbook(hole), PLAIN, CLASS)
    blank = [table[0], [], *table[1:4], [], *table[4:]]
    yield Animal("blank rows.xlsx", workbook(blank), PLAIN, CLASS)
    two = {"Notes": [["Read this first"]], "Data": table}
    yield Animal("second sheet.xlsx", workbook(two), PLAIN, CLASS)
    both = {"Old": [["x", "class"], [1, "a"], [2, "b"]], "New": table}
    yield Animal("chosen sheet.xlsx", workbook(both), PLAIN, CLASS, reading=Reading(part="New"))
    yield Animal("first sheet.xlsx", workbook(both), {"x": [1, 2]}, ["a", "b"])
    yield Animal("hidden sheet.xlsx", workbook(both, hidden=["Old"]), PLAIN, CLASS)
    yield Animal("no such sheet.xlsx", workbook(both), sentence="has no sheet 'Newer'; choose",
                 reading=Reading(part="Newer"))  # fmt: skip


def book_cells() -> Iterator[Animal]:
    """Return workbooks with cells of other kinds than numbers and text, and damaged ones."""
    header = ["size", "count", "class"]
    rows = [list(row) for row in zip(SIZE, COUNT, CLASS, strict=True)]
    table = [header, *rows]
    days = [date(2024, 1, d) for d in range(1, 7)]
    numbers = [19723 + d for d in range(6)]
    dated = [["when", "class"], *map(list, zip(days, CLASS, strict=True))]
    yield Animal("dates.xlsx", workbook(dated), {"when": numbers}, CLASS)
    moments = [datetime(2024, 1, d, 12) for d in range(1, 7)]
    dated = [["when", "class"], *map(list, zip(moments, CLASS, strict=True))]
    yield Animal("moments.xlsx", workbook(dated), {"when": [n + 0.5 for n in numbers]}, CLASS)
    truths = [True, False, True, True, False, N]
    flags = [["ok", "n", "class"], *map(list, zip(truths, COUNT, CLASS, strict=True))]
    expected = {"ok": [N if t is N else str(t) for t in truths], "n": COUNT}
    yield Animal("truths.xlsx", workbook(flags), expected, CLASS)
    text = [header, *([str(a), str(b), c] for a, b, c in rows)]
    yield Animal("numbers as text.xlsx", workbook(text), PLAIN, CLASS)
    german = [header, *([str(a).replace(".", ","), b, c] for a, b, c in rows)]
    yield Animal("german text.xlsx", workbook(german), PLAIN, CLASS)
    mixed = [header, *rows[:5], ["n/a", *rows[5][1:]]]
    yield Animal("a gap in text.xlsx", workbook(mixed), {**PLAIN, "size": [*SIZE[:5], N]}, CLASS)
    errors = [header, *rows[:5], [b't="e"><v>#DIV/0!</v>', *rows[5][1:]]]
    yield Animal("error.xlsx", workbook(errors), {**PLAIN, "size": [*SIZE[:5], N]}, CLASS)
    down = [["group", "count", "class"], ["a", 3, "ja"], [N, 14, "nein"], ["b", 15, "ja"],
            [N, 92, "nein"]]  # fmt: skip
    yield Animal("merged down.xlsx", workbook(down, merged=["A2:A3", "A4:A5"]),
                 {"group": ["a", "a", "b", "b"], "count": COUNT[:4]}, CLASS[:4])  # fmt: skip
    heads = [["2023", N, "2024", N, "class"], ["bought", "sold", "bought", "sold", "class"],
             [1, 2, 3, 4, "a"], [5, 6, 7, 8, "b"]]  # fmt: skip
    yield Animal("two rows of names.xlsx", workbook(heads, merged=["A1:B1", "C1:D1", "E1:E2"]),
                 {"2023 bought": [1, 5], "2023 sold": [2, 6], "2024 bought": [3, 7],
                  "2024 sold": [4, 8]}, ["a", "b"])  # fmt: skip
    yield Animal("empty.xlsx", workbook([]), sentence="no sheet with a table")
    yield Animal("header only.xlsx", workbook([header]), sentence="no sheet with a table")
    yield Animal("twice.xlsx", workbook([["a", "a", "class"], [1, 2, "x"], [3, 4, "y"]]),
                 sentence="both named 'a'")  # fmt: skip
    yield Animal("no class.xlsx", workbook([header, *rows[:5], [1.5, 2, N]]),
                 sentence="1 row without a class in column 'class' (row 7)")  # fmt: skip
    for size in ("A1:C300002", "A1:XFD7", "A1:XFD1048576"):
        yield Animal(f"declared {size}.xlsx", workbook(table, dimension=size), PLAIN, CLASS)
    far = workbook([[*header, *[N] * 16_000, 1], *rows])
    yield Animal("far.xlsx", far, sentence="columns; at most 2,000")
    whole = workbook(table)
    yield Animal("damaged.xlsx", whole[:600] + b"\0" * 80 + whole[680:], sentence="xlsx")
    yield Animal("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000, sentence="workbook")
    others = {"book.ods": "content.xml", "book.xlsb": "xl/workbook.bin", "text.docx": "word/a.xml",
              "slides.pptx": "ppt/a.xml", "b.numbers": "Index/Document.iwa"}  # fmt: skip
    for name, member in others.items():
        yield Animal(name, zipped({member: b"x"}), sentence="CSV")


def columnar() -> Iterator[Animal]:
    plain = pa.table({**PLAIN, "class": CLASS})
    columns: dict[str, tuple[object, list]] = {
        "int8": (pa.array([1, 2, N], pa.int8()), [1, 2, N]),
        "int32": (pa.array([1, 2, 3], pa.int32()), [1, 2, 3]),
        "uint64": (pa.array([1, 2, 2**64 - 1], pa.uint64()), ["1", "2", str(2**64 - 1)]),
        "long": (pa.array([2**53 + 1, 1, 2], pa.int64()), [str(2**53 + 1), "1", "2"]),
        "long and a gap": (pa.array([2**53 + 1, 1, N], pa.int64()), [str(2**53 + 1), "1", N]),
        "half": (pa.array(np.array([1.5, 2, 3], np.float16)), [1.5, 2, 3]),
        "float": (pa.array([0.5, 2, N], pa.float32()), [0.5, 2, N]),
        "double": (pa.array([0.1, 1 / 3, N]), [0.1, 1 / 3, N]),
        "decimal": (pa.array([1, 2, 3]).cast(pa.decimal128(24, 2)), [1.0, 2.0, 3.0]),
        "truth": (pa.array([True, False, N]), ["True", "False", N]),
        "text": (pa.array(["a", "b", N]), ["a", "b", N]),
        "large text": (pa.array(["a", "b", N], pa.large_string()), ["a", "b", N]),
        "category": (pa.array(["a", "b", N]).dictionary_encode(), ["a", "b", N]),
        "day": (pa.array([1, 2, 3], pa.date32()), [1, 2, 3]),
        "moment": (pa.array([datetime(1970, 1, 2, 12), N, datetime(1970, 1, 3)]), [1.5, N, 2]),
        "zone": (pa.array([0, 86_400_000, N], pa.timestamp("ms", "UTC")), [0, 1, N]),
        "nothing": (pa.nulls(3), [N, N, N]),
        "numbers in text": (pa.array(["1,5", "2,5", "3,5"]), [1.5, 2.5, 3.5]),
    }
    yield Animal("plain.parquet", _parquet(plain), PLAIN, CLASS)
    for name, (array, values) in columns.items():
        table = pa.table({"x": array, "n": [1, 2, 3], "class": ["a", "b", "a"]})
        yield Animal(f"{name}.parquet", _parquet(table), {"x": values, "n": [1, 2, 3]}, list("aba"))
    nested = pa.table({"x": [[1], [2]], "class": ["a", "b"]})
    yield Animal("nested.parquet", _parquet(nested), sentence="holds lists, records or bytes")
    raw = pa.table({"x": [b"1", b"2"], "class": ["a", "b"]})
    yield Animal("bytes.parquet", _parquet(raw), sentence="holds lists, records or bytes")
    many = pa.table({"x": pa.nulls(300_000, pa.int8()), "class": pa.nulls(300_000, pa.int8())})
    yield Animal("many.parquet", _parquet(many), sentence="more than 200,000 rows")
    wide = pa.table({f"c{i}": [1] for i in range(2001)})
    yield Animal("wide.parquet", _parquet(wide), sentence="2,001 columns")
    yield Animal("cut.parquet", _parquet(plain)[:-9], sentence="that can be read")
    yield Animal("head.parquet", _parquet(plain)[:9], sentence="that can be read")
    none = pa.table({"x": pa.array([], pa.int64()), "class": pa.array([], pa.string())})
    yield Animal("no rows.parquet", _parquet(none), sentence="columns but no data")
    for codec in ("gzip", "zstd", "brotli", "lz4", "none"):
        yield Animal(f"{codec}.parquet", _parquet(plain, compression=codec), PLAIN, CLASS)
    framed = pd.DataFrame({**PLAIN, "class": CLASS}, index=list("abcdef")).to_parquet()
    yield Animal("pandas index.parquet", framed, PLAIN, CLASS)


def _parquet(table: pa.Table, **about: object) -> bytes:
    file = io.BytesIO()
    parquet.write_table(table, file, **about)
    return file.getvalue()


ARFF = """% comment
@RELATION 'flowers of 2024'
@ATTRIBUTE size NUMERIC
@attribute 'leaf colour' {green, 'dark red', "it's"}
@attribute n integer
@attribute class {yes,no}
@DATA
1.5,green,3,yes
?,'dark red',4,no
% in between
2.5,"it's",?,yes
-3e-2, green, 7,no
"""


def arff() -> Iterator[Animal]:
    columns = {
        "size": [1.5, N, 2.5, -0.03],
        "leaf colour": ["green", "dark red", "it's", "green"],
        "n": [3, 4, N, 7],
    }
    y = ["yes", "no", "yes", "no"]
    yield Animal("plain.arff", ARFF.encode(), columns, y)
    yield Animal("windows.arff", ARFF.replace("\n", "\r\n").encode("utf-16"), columns, y)
    long = ARFF.replace(",3,yes", ",9007199254740993,yes").replace(",?,yes", ",1,yes")
    yield Animal(
        "long.arff", long.encode(), {**columns, "n": ["9007199254740993", "4", "1", "7"]}, y
    )
    dated = "@relation d\n@attribute s string\n@attribute when date 'yyyy-MM-dd'\n"
    dated += "@attribute class {a,b}\n@data\n'x y',2024-01-01,a\nz,2024-01-02,b\n"
    yield Animal("date and text.arff", dated.encode(),
                 {"s": ["x y", "z"], "when": [19723, 19724]}, ["a", "b"])  # fmt: skip
    sparse = ARFF.partition("@DATA")[0] + "@data\n{0 1.5, 3 no}\n{1 green}\n"
    yield Animal("sparse.arff", sparse.encode(), sentence="is sparse; write every value out")
    short = ARFF + "1,green,2\n"
    yield Animal("short.arff", short.encode(), sentence="row 13 has 3 fields instead of 4")
    strange = ARFF + "1,blue,2,no\n"
    yield Animal("strange.arff", strange.encode(), sentence="holds 'blue' in row 13, which is not")
    yield Animal("no data.arff", ARFF.partition("@DATA")[0].encode(), sentence="has no @data")
    yield Animal("no rows.arff", ARFF.partition("1.5,")[0].encode(), sentence="no rows below @data")
    wrong = ARFF.replace("integer", "whole")
    yield Animal("wrong type.arff", wrong.encode(), sentence="correct the declarations")
    text = ARFF.replace("1.5,green", "wide,green")
    columns = {**columns, "size": ["wide", N, "2.5", "-3e-2"]}
    yield Animal("no number.arff", text.encode(), columns, y, kinds={"size": "nominal"})


def records() -> Iterator[Animal]:
    rows = [
        {"size": 1.5, "word": "a", "ok": True, "class": "x"},
        {"size": None, "word": "b", "ok": False, "class": "y"},
        {"word": "ä 花", "size": 1e-7, "ok": None, "class": "x"},
        {"size": 4, "class": "y"},
    ]
    columns = {
        "size": [1.5, N, 1e-7, 4],
        "word": ["a", "b", "ä 花", N],
        "ok": ["true", "false", N, N],
    }
    y = ["x", "y", "x", "y"]
    lines = "\n".join(map(json.dumps, rows))
    yield Animal("lines.jsonl", lines.encode(), columns, y)
    yield Animal("lines and blanks.ndjson", lines.replace("\n", "\n\n").encode(), columns, y)
    yield Animal("list.json", json.dumps(rows, ensure_ascii=False).encode(), columns, y)
    yield Animal("indented.json", json.dumps(rows, indent=2).encode("utf-8-sig"), columns, y)
    yield Animal("gzipped.json.gz", gzip.compress(lines.encode()), columns, y)
    long = '[{"n":18446744073709551615,"class":1},{"n":1,"class":2}]'
    yield Animal("long.json", long.encode(), {"n": ["18446744073709551615", "1"]}, [1, 2])
    text = '{"n":"1,5","class":"a"}\n{"n":"2,5","class":"b"}'
    yield Animal("numbers in text.jsonl", text.encode(), {"n": [1.5, 2.5]}, ["a", "b"])
    bad = {
        "list in it.json": ('[{"a":[1],"class":1}]', "holds a list or a record in 'a'"),
        "record in it.jsonl": ('{"a":{"b":1},"class":1}\n', "holds a list or a record in 'a'"),
        "cut.json": ('[{"a":1,"class":1},{"a"', "is no valid JSON"),
        "cut line.jsonl": ('{"a":1,"class":1}\n{"a":2,\n', "row 2 is no valid JSON"),
        "numbers.json": ("[1,2,3]", "is no record with named values"),
        "lists.json": ("[[1,2],[3,4]]", "is no record with named values"),
        "columns.json": ('{"a":[1,2],"class":[1,2]}', 'orient="records"'),
        "indented columns.json": ('{\n "a":[1,2],\n "class":[1,2]\n}', 'orient="records"'),
        "inside.json": ('{"about":"x","data":[{"a":1,"class":1}]}', 'orient="records"'),
        "cut at once.jsonl": ('{"a":1,"class" 1}\n', "row 1 is no valid JSON"),
        "one value.json": ('{"a":1}', "only one column"),
        "empty.json": ("[]", "holds no record"),
        "deep.json": ("[" * 200_000 + "]" * 200_000, "lists within lists"),
        "one column.jsonl": ('{"a":1}\n{"a":2}\n', "only one column"),
    }
    for name, (body, sentence) in bad.items():
        yield Animal(name, body.encode(), sentence=sentence)


def defects() -> Iterator[Animal]:
    """Files that cannot be read, each with its sentence."""
    text = {
        "nothing": (b"", "is empty"),
        "blank": (b" \n\n", "is empty"),
        "header alone": (b"a,b,class\n", "has a header row but no data"),
        "only empty": (b"a,b,class\n,,\n", "only empty fields"),
        "one column": (b"a\n1\n2\n", "only one column"),
        "one class": (b"a,class\n1,x\n2,x\n", "every row has the class 'x'"),
        "names twice": (b"a,a,class\n1,2,x\n3,4,y\n", "columns 1 and 2 are both named 'a'"),
        "a field more": (b"a,b,class\n1,2,x\n3,4,y,5\n", "row 3 has 4 fields instead of 3"),
        "a field less": (b"a,b,class\n1,2,x\n3,4\n", "row 3 has 2 fields instead of 3"),
        "open quotes": (b'a,b,class\n1,2,x\n3,"4,y\n5,6,x\n', "quotation marks are not closed"),
        "infinite": (b"a,b,class\n1,2,x\n3,inf,y\n", "infinite value in row 3"),
        "too large": (b"a,b,class\n1,2,x\n3,1e999,y\n", "infinite value in row 3"),
        "no class": (b"a,class\n1,x\n2,\n3,y\n", "1 row without a class in column 'class' (row 3)"),
        "many classes": (b"a,class\n" + b"".join(b"%d,c%d\n" % (i, i) for i in range(65)),
                         "65 different classes; at most 64"),
        "a word among numbers": (b"a,class\n" + b"".join(b"%d,%d\n" % (i, i % 2) for i in range(40))
                                 + b"many,1\n", "1 cell that is not a number (row 42: 'many')"),
        "null bytes": (b"a,class\n1,\x00\n", "is a binary file"),
        "bytes": (bytes(range(256)) * 4, "is a binary file"),
        "2,001 columns": (b",".join(b"c%d" % i for i in range(2001)) + b"\n", "2,001 columns"),
        "pdf": (b"%PDF-1.7\n...", "is a PDF document"),
        "png": (b"\x89PNG\r\n\x1a\n\x00", "is a picture"),
        "jpeg": (b"\xff\xd8\xff\xe0\x00", "is a picture"),
        "hdf5": (b"\x89HDF\r\n\x1a\n", "is an HDF5 file"),
        "sqlite": (b"SQLite format 3\x00", "is a database of SQLite"),
        "numpy": (b"\x93NUMPY\x01\x00", "is an array of NumPy"),
        "pickle": (b"\x80\x04\x95\x0f\x00.", "pickled objects of Python, which are never opened"),
        "feather": (b"ARROW1\x00\x00", "is a Feather file; save its table as Parquet or CSV"),
        "old feather": (b"FEA1\x00", "is a Feather file; save its table as Parquet or CSV"),
        "zstd": (b"(\xb5/\xfd\x04", "is compressed by zstd"),
        "bzip2": (b"BZh91AY&SY", "is compressed by bzip2"),
        "xz": (b"\xfd7zXZ\x00\x00", "is compressed by xz"),
        "7z": (b"7z\xbc\xaf'\x1c\x00", "is an archive of 7-Zip"),
        "rar": (b"Rar!\x1a\x07", "is a RAR archive"),
        "rds": (b"RDX3\nX\n", "holds objects of R"),
        "spss": (b"$FL2@(#) SPSS", "is a file of SPSS"),
        "stata": (b"<stata_dta><header>", "is a file of Stata"),
        "html": (b"<!DOCTYPE html><table><tr><td>1", "is a web page or XML"),
        "xml": (b"<?xml version='1.0'?><a/>", "is a web page or XML"),
        "rtf": (b"{\\rtf1 a}", "is a text document"),
        "orc": (b"ORC\x0a\x0b", "is an ORC file"),
        "avro": (b"Obj\x01\x04", "is an Avro file"),
    }  # fmt: skip
    for name, (data, sentence) in text.items():
        yield Animal(f"{name}.csv", data, sentence=sentence)
    wrong = {
        "no such encoding": (Reading(encoding="utf-99"), "there is no encoding 'utf-99'"),
        "not this encoding": (Reading(encoding="ascii"), "is not text in ascii"),
        "no such row": (Reading(header=99), "choose another row"),
        "no such column": (Reading(columns=(("z", "number"),)), "there is no column 'z'"),
        "no date": (Reading(columns=(("b", "days"),)), "cannot be read as date as days"),
        "no number": (Reading(columns=(("b", "number"),)), "not numbers"),
    }
    for name, (reading, sentence) in wrong.items():
        data = "a,b,class\n1,ä,x\n2,u,y\n3,7,x\n4,8,y\n5,9,x\n6,3,y\n7,7,x\n8,7,y\n9,3,x\n0,3,x\n"
        data += "".join(f"{i},{i},x\n" for i in range(20))
        yield Animal(f"{name}.csv", data.encode(), sentence=sentence, reading=reading)


@cache
def zoo() -> list[Animal]:
    """Return all files; each has a name of its own."""
    keepers = (
        dialects, encodings, around, numbers, words, packed, books, book_cells, columnar, arff,
        records,
    )  # fmt: skip
    return [animal for keeper in (*keepers, defects) for animal in keeper()]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for one in zoo():
        (folder / one.name.replace("/", "_")).write_bytes(one.data)
