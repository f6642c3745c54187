"""Statements of the page *textbook*: its table edited, added up and pruned anew."""

from functools import cache
from math import log2
from unittest.mock import patch

import numpy as np

from lastviz.inspection import node_sums, prune_at_price
from lastviz.plots import number
from lastviz.ui.state.fields import EditedPoints, EditedRows
from lastviz.ui.state.pages import TextbookView
from lastviz.ui.text import CannotShow
from lastviz.ui.textbook import figure_tables, pruning, regression, words
from lastviz.ui.textbook import scene as textbook_scene
from lastviz.ui.textbook.scene import loan_scene, points_scene
from lastviz.ui.textbook.words import PRINTED
from tests.naive_entropy_cost import minimisers, printed_loop
from tests.sentences.rows import Kind, drawn

BOOK = "ui/textbook/"
NO = 1  # of a house, by its place among the values
NAMES = ("age", "job", "house", "credit", "class")
LEGAL = (("youth", "middle", "old"), ("yes", "no"), ("yes", "no"),
         ("very good", "good", "fair"), ("yes", "no"))  # fmt: skip


def at(made, text, told, twin, true, never):
    return Kind(BOOK + made, text, told, twin, tuple(true), never)


def edited(cells):
    """The book's table with cells changed, (row, column, place of the value or -1) each."""
    rows = [list(row) for row in textbook_scene.book_rows().rows]
    for row, column, value in cells:
        rows[row][column] = value
    return EditedRows(tuple(map(tuple, rows)))


def scene_of(cells):
    with patch.object(textbook_scene.st, "session_state", {}):
        return loan_scene(TextbookView(loan=edited(cells)), "light")


def entropy(labels):
    shares = [labels.count(k) / len(labels) for k in set(labels)]
    return -sum(s * log2(s) for s in shares)


# The table and its sums


def read(cells):
    try:
        textbook_scene.read_rows(edited(cells))
    except CannotShow as reason:
        return [str(reason)]
    return []


def empty(cells):
    lacks = sorted((row, column) for row, column, value in cells if value < 0)
    if not lacks:
        return []
    row, column = lacks[0]
    return [{"row": row + 1, "column": NAMES[column], "legal": ", ".join(LEGAL[column])}]


def points(cells):
    try:
        textbook_scene.read_points(EditedPoints(tuple(cells)))
    except CannotShow as reason:
        return [str(reason)]
    return []


def no_number(cells):
    for row, pair in enumerate(cells, 1):
        for name, text in zip("xy", pair, strict=True):
            try:
                good = abs(float(text.replace(",", "."))) <= 1e9
            except ValueError:
                good = False
            if not good:
                return [{"row": row, "column": name, "text": text, "most": number(10**9)}]
    return []


def cuts(x):
    """The first cut of points at these places, one above the other."""
    pairs = EditedPoints(tuple((f"{each:g}", f"{y}") for y, each in enumerate(x)))
    with patch.object(textbook_scene.st, "session_state", {}):
        return [words.cut_finding(points_scene(TextbookView(points=pairs), "light"))]


def parted(x):
    """The best of all cuts midway between two places, by squares summed one by one."""

    def loss(ys):
        return sum((y - sum(ys) / len(ys)) ** 2 for y in ys)

    found = []
    for low in sorted(set(x))[:-1]:
        sides = [[y for y, each in enumerate(x) if (each <= low) == side] for side in (True, False)]
        found.append((round(sum(map(loss, sides)), 9), low))
    least, cut = min(found, default=(0, 0))
    values = {
        "s": f"{cut:g}",
        "before": words.digits(loss(range(len(x)))),
        "after": words.digits(least),
    }
    return [values] if found else []


def no_place(x):
    return [{}] if all(each == x[0] for each in x) else []


def entropy_said(cells):
    if cells == "none":
        return []
    scene = scene_of(cells)
    with patch.object(regression, "_curves"):
        return drawn("ui.textbook.regression", regression.entropy_lesson, scene)


def printed_bits(cells):
    rows = textbook_scene.book_rows()
    own = entropy([row[-1] for row in rows.rows])
    text = PRINTED["entropy",]
    assert abs(float(text) - own) <= 0.0005
    return [{"text": text}] if edited(cells) == rows else []


def first_class(cells):
    return [] if cells == "none" else [{"name": "yes"}]


def gains(cells):
    """What is said of the gains that the book prints for the rows without a house."""
    scene = scene_of(cells)
    own = node_sums(scene.table, np.flatnonzero(scene.table.codes[:, 2] == NO), (0, 1, 3))
    return [words.book_note(scene, own, ("no house",))]


def printed_apart(cells):
    """Printed gains that are not the exact ones, rounded: of the rounded entropies they are."""
    rows = [row for row in edited(cells).rows if row[2] == NO]
    if edited(cells) != textbook_scene.book_rows():
        return []
    labels, found = [row[-1] for row in rows], []
    for place in (0, 1, 3):
        parts = [[r[-1] for r in rows if r[place] == v] for v in {r[place] for r in rows}]
        gain = entropy(labels) - sum(len(p) / len(rows) * entropy(p) for p in parts)
        text = PRINTED["no house", "gain", NAMES[place]]
        if abs(float(text) - gain) > 0.0005 + 1e-12:
            found.append({
                "text": text, "feature": NAMES[place], "entropy": PRINTED["no house", "entropy"],
                "conditional": PRINTED.get(("no house", "conditional", NAMES[place]), ""),
                "exact": f"{gain:.6f}".rstrip("0"),
            })  # fmt: skip
    return found


def one_class(cells):
    scene = scene_of(cells)
    return [figure_tables.single_words(scene)] if scene.single is not None else []


def single(cells):
    labels = {row[-1] for row in edited(cells).rows}
    return [{"name": LEGAL[-1][labels.pop()]}] if len(labels) == 1 else []


# Trees of the table


@cache
def grown(cells, how="id3"):
    return scene_of(cells).tree(how)


def costs(scene):
    cells, alpha = scene
    if cells == "none":
        return []
    tree = grown(cells)
    both = [prune_at_price(tree, alpha, literal=literal) for literal in (False, True)]
    return [pruning._parting_words(tree).replace("**", ""), pruning._costs_table(tree, *both)]


@cache
def is_apart(cells, alpha):
    """Whether the printed loop keeps another tree than the least, at one price."""
    tree = grown(cells)
    return len(printed_loop(tree, alpha)) != len(min(minimisers(tree, alpha), key=len))


@cache
def intervals(cells):
    """Prices on a fine grid at which the loop misses the minimum, and their ends by halving."""
    grid = [k / 50 for k in range(1, 1000)]
    wrong = [is_apart(cells, alpha) for alpha in grid]
    turns = [i for i in range(1, len(grid)) if wrong[i] != wrong[i - 1]]
    ends = [_halved(cells, grid[i - 1], grid[i]) for i in turns]
    return list(zip(ends[::2], ends[1::2], strict=True))


def _halved(cells, low, high):
    first = is_apart(cells, low)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if is_apart(cells, middle) == first else (low, middle)
    return high


def misses(scene):
    found = intervals(scene[0])
    where = ", ".join(f"{_short(a)} ≤ α < {_short(b)}" for a, b in found)
    return [{"where": where}] if found else []


def _short(value):
    return f"{value:.4f}".rstrip("0").rstrip(".")


def in_bits(scene):
    return [] if scene[0] == "none" else [{}]


def finds(scene):
    return [] if intervals(scene[0]) else [{}]


def cells_of_column(column, old, new):
    """Every cell of a column that has one value, with another."""
    rows = textbook_scene.book_rows().rows
    return tuple((i, column, new) for i, row in enumerate(rows) if row[column] == old)


GOOD = (("1", "2"), ("2", "3,5"))
ALL_YES = cells_of_column(4, 1, 0)
SAME = ((), ((0, 4, 1),), ((0, 0, 0),))  # edits that leave the book's table as it is
TURNED = ((8, 4, 1),)
MISSING = (((), 7.5), (((0, 4, 0),), 3.0), (((12, 4, 1),), 3.0))
ROWS = [
    at("scene.py::read_rows", "is empty; choose one of", read, empty,
       (((2, 1, -1),), ((0, 4, -1),), ((5, 3, -1), (7, 0, -1))), ((2, 1, 0),)),
    at("scene.py::_value", "is no number between", points, no_number,
       ((("1", "x"),), (("1", "2"), ("2e10", "3")), (("a", "b"),)), GOOD),
    at("words.py::cut_finding", "All points have the same x", cuts, no_place,
       ((1.0,), (2.0, 2.0), (3.0, 3.0, 3.0)), (1.0, 2.0)),
    at("words.py::cut_finding", "the loss falls from", cuts, parted,
       ((1.0, 2.0), (1.0, 2.0, 4.0), (3.0, 1.0, 1.0, 5.0)), (2.0, 2.0)),
    at("regression.py::entropy_lesson", "The book prints {text} bits", entropy_said, printed_bits,
       SAME, TURNED),
    at("regression.py::entropy_lesson", "p is the share of the class", entropy_said, first_class,
       (*SAME[:2], TURNED), "none"),
    at("words.py::book_note", "the difference of the rounded", gains, printed_apart, SAME, TURNED),
    at("figure_tables.py::single_words", "All rows are of the class", one_class, single,
       (ALL_YES, cells_of_column(4, 0, 1), (*ALL_YES, (0, 0, 1))), ()),
    at("pruning.py::_parting_words", "takes only groups of leaves back", costs, misses, MISSING,
       (TURNED, 3.0)),
    at("pruning.py::_parting_words", "finds the minimum at every", costs, finds,
       ((TURNED, 3.0), (TURNED, 7.5), (((13, 4, 1),), 3.0)), MISSING[0]),
    at("pruning.py::_costs_table", "All in bits", costs, in_bits, MISSING, ("none", 1.0)),
]  # fmt: skip
