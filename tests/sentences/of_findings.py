"""Statements of the first look at a table: its faults are put in here, and counted over by hand."""

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd

from lastviz.export.blocks import Text
from lastviz.plots import number
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.data.report import findings_section, report_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests.sentences.rows import Kind, percent

PLAIN = ("plain", 1)
LETTERS = list("abcdefgh")


@cache
def frame(fault, k):
    """A table with a fault, `k` times or the `k`-th of its kind; what is learnt comes last."""
    rng = np.random.default_rng(k)
    n = {"large": 5000 + 100 * k, "too many": 2400}.get(fault, 120 + 20 * k)
    table = pd.DataFrame(rng.normal(size=(n, 2)).round(4), columns=["width", "height"])
    groups = rng.integers(0, 8, n)
    blocks = np.arange(n) // (12 + k)
    y = np.where((blocks if fault == "ordered" else groups) % 2, "p", "q")
    told = {
        "equal": lambda: y,
        "recoded": lambda: np.where(groups % 2, "first", "second"),
        "decides": lambda: np.array(LETTERS)[groups],
        "predicts": lambda: np.where(rng.random(n) < 0.03, "a", np.array(LETTERS)[groups]),
        "means": lambda: np.array(LETTERS)[groups],
    }
    if fault in told:
        table["more"] = told[fault]()
    many = {
        "identifier": lambda i: [f"row {i} {each}" for each in rng.permutation(n)],
        "counter": lambda i: np.arange(n) + 100 * i,
        "date": lambda i: [f"2021-03-{1 + (each + i) % 28:02}" for each in rng.permutation(n)],
        "too many": lambda i: [f"text {i} {each % 1200}" for each in rng.permutation(n)],
        "constant": lambda i: np.full(n, i),
    }
    for i in range(k if fault in many else 0):
        table[f"more {i}"] = many[fault](i)
    if fault == "called":
        for name in ("status", "type", "grade")[:k]:
            table[name] = rng.choice(["a", "b", "c"], n)
    if fault in ("numbers", "means"):
        return table.assign(price=(10.0 * groups + rng.normal(size=n)).round(3))
    return table.assign(**{"class" if fault == "class" else "bought": y})


def said(scene):
    table = frame(*scene)
    file = uploads.keep("-".join(map(str, scene)), table.to_csv(index=False).encode(), len(table))
    selection = DEFAULT.change(data=UPLOAD, upload=file)
    whole = Work(selection).data.full
    section = findings_section(report_of(selection, whole), whole, Work(selection))
    return [block.text for block in section.blocks if isinstance(block, Text)]


def learnt(table):
    """Rows that a column is tried on, and those that it is judged by, of 5,000 at most."""
    rows = np.random.default_rng(0).permutation(len(table))[:5000].tolist()
    cut = round(0.7 * len(rows))
    return rows[:cut], rows[cut:]


def guess_of(table):
    """The most frequent class of some rows is that of how large a share of the others."""
    y = table.iloc[:, -1].tolist()
    some, others = learnt(table)
    most = Counter(y[i] for i in some).most_common(1)[0][0]
    return sum(y[i] == most for i in others) / len(others)


def alone(table, name):
    """How well the values of a column do as the leaves of a tree."""
    x, y = table[name].tolist(), table.iloc[:, -1].tolist()
    some, others = learnt(table)
    leaves = {each: [y[i] for i in some if x[i] == each] for each in set(x)}
    if isinstance(y[0], str):
        most = {each: Counter(found).most_common(1)[0][0] for each, found in leaves.items()}
        return sum(most[x[i]] == y[i] for i in others) / len(others)
    mean = {each: sum(found) / len(found) for each, found in leaves.items()}
    middle = sum(y[i] for i in others) / len(others)
    spread = sum((y[i] - middle) ** 2 for i in others)
    return 1 - sum((y[i] - mean[x[i]]) ** 2 for i in others) / spread


def suspected(*ways):
    """The twin of a column that gives away what is learnt, in one of some ways."""

    def twin(scene):
        table = frame(*scene)
        if "more" not in table:
            return []
        x, y = table["more"].tolist(), table.iloc[:, -1].tolist()
        pairs, n = set(zip(x, y, strict=True)), len(set(x))
        if isinstance(y[0], float):
            found = "number"
        elif len(pairs) > n:
            found = "predicts"
        elif n > len(set(y)):
            found = "decides"
        else:
            found = "equal" if x == y else "recoded"
        guess = 0 if found == "number" else guess_of(table)
        if found not in ways or alone(table, "more") - guess < 0.9 * (1 - guess):
            return []
        return [{"name": "more", "target": table.columns[-1]}]

    return twin


def named(fault):
    """The twin of columns with a fault, of which a sentence names five."""

    def twin(scene):
        columns = [f"“{c}”" for c in frame(*scene).columns if c.startswith("more ")]
        if scene[0] != fault:
            return []
        *first, last = columns if len(columns) < 6 else [*columns[:5], f"{len(columns) - 5} more"]
        return [{"n": len(columns), "names": f"{', '.join(first)} and {last}" if first else last}]

    return twin


def other_class(scene):
    columns = list(frame(*scene).columns)
    found = [each for each in ("status", "type", "grade") if each in columns]
    return [{"name": each, "target": columns[-1]} for each in found]


def is_learnt(kind):
    def twin(scene):
        y = frame(*scene).iloc[:, -1]
        return [{"target": y.name, "n": number(len(set(y)))}] if isinstance(y[0], kind) else []

    return twin


def guessed(scene):
    table = frame(*scene)
    return [{"guess": percent(guess_of(table))}] if isinstance(table.iloc[0, -1], str) else []


def of_some(scene):
    table = frame(*scene)
    return [{"n": number(5000)}] if len(table) > 5000 else []


def nothing(scene):
    """No text, no whole number and no name of a class among the features, and no row twice."""
    table = frame(*scene)
    rows = [tuple(row) for row in table.iloc[:, :-1].to_numpy().tolist()]
    plain = all(isinstance(x, float) for row in rows for x in row)
    return [{}] if plain and len(rows) == len(set(rows)) else []


def in_order(scene):
    """Shares of neighbours and of any two rows that have the same class."""
    fault, k = scene
    y = frame(fault, k).iloc[:, -1].tolist()
    if fault != "ordered":
        return []
    near = [a == b for a, b in pairwise(y)]
    any_two = [a == b for i, a in enumerate(y) for j, b in enumerate(y) if i != j]
    return [{"share": percent(np.mean(near)), "chance": percent(np.mean(any_two))}]


F = "ui/data/findings.py::"
CLASSES = [("equal", 1), ("recoded", 2), ("decides", 3), ("predicts", 1), ("predicts", 2)]


def scenes(fault, places=(1, 2, 3)):
    return tuple((fault, k) for k in places)


ROWS = [
    *(Kind(f"{F}_of_suspect", text, said, suspected(way),
           scenes(way, (1, 2, 4)),
           [PLAIN, ("predicts", 3), *(each for each in CLASSES[:4] if each[0] != way)])
      for way, text in (("equal", "itself and must not"), ("recoded", "is another name for"),
                        ("decides", "gives “{target}” away: each"),
                        ("predicts", "alone nearly gives"))),
    *(Kind(f"{F}_left_out", text, said, named(fault), scenes(fault, (1, 2, 7)),
           [PLAIN, ("recoded", 2)])
      for fault, text in (("identifier", "Nearly every value"), ("counter", "A number of the row"),
                          ("date", "Dates do not recur"), ("too many", "More than 1,000"))),
    Kind(f"{F}_order", "the order of time, or in blocks", said, in_order, scenes("ordered"),
         [PLAIN, ("equal", 1)]),
    Kind(f"{F}_uninformative", "One value or none", said, named("constant"),
         scenes("constant", (1, 2, 6)), PLAIN),
    Kind(f"{F}_class", "looks like a class column", said, other_class, scenes("called"),
         [PLAIN, ("class", 1)]),
    Kind(f"{F}task_words", "The target is a class", said, is_learnt(str),
         (PLAIN, ("class", 2), ("large", 1)), ("numbers", 1)),
    Kind(f"{F}task_words", "The target is a number", said, is_learnt(float),
         scenes("numbers"), PLAIN),
    Kind("ui/data/report.py::_alone_words", "that a tree of this column alone classifies", said,
         guessed, (PLAIN, ("large", 1), CLASSES[1]), ("numbers", 1)),
    Kind("ui/data/report.py::_about", "were searched for on", said, of_some, scenes("large"),
         PLAIN),
    Kind("ui/data/report.py::_nothing_found", "would mislead a tree", said, nothing,
         scenes("plain"), [CLASSES[2], ("identifier", 1), ("date", 1), ("called", 1)]),
]  # fmt: skip
