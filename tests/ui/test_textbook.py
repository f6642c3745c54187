"""The page *textbook*: the numbers of the book and of an edited table, and what cannot be said."""

import math
import re
from html import unescape
from itertools import combinations

import numpy as np
import pytest

from lastviz.host.language import speak
from lastviz.inspection import node_sums
from lastviz.ui.state.fields import EMPTY, EditedPoints, EditedRows
from lastviz.ui.textbook.figure_tables import picture_of
from lastviz.ui.textbook.scene import (
    BY,
    GROWERS,
    _changed,
    _points_of,
    _rows_of,
    book_points,
    book_rows,
    fitted_tree,
    frame_of,
    loan_columns,
    read_points,
    read_rows,
)
from lastviz.ui.textbook.words import PRINTED, differs, entropy_formula, gini_formula
from tests.plots.conftest import text_boxes

from .conftest import checked, html, opened
from .opened_pages import seen, words

LESSONS = ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares")


def lesson_page(lesson="gain", **query):
    return seen("textbook", lesson=lesson, **query)


def formulas(app):
    return " ".join(block.value for block in app.latex)


def warnings_of(app):
    return [block.value.replace("\\", "") for block in app.warning]


def edited(changes, rows=None):
    """The book's table with cells (row, column) changed; rows count from one."""
    cells = [list(row) for row in (rows or book_rows().rows)]
    for (row, column), code in changes.items():
        cells[row - 1][column] = code
    return str(EditedRows(tuple(map(tuple, cells))))


EXPECTED = {
    "entropy": ["0.970951", r"\tfrac{9}{15}\log_2\tfrac{9}{15}"],
    "gain": ["0.083007", "0.323650", "0.419973", "0.362990", "0.887943", "0.083 ", "0.420 "],
    "ratio": ["1.584963", "0.918296", "0.970951", "1.565596", "0.052372", "0.352447", "0.432538",
              "0.231854", "0.085491", "0.333333", "0.373850"],
    "tree": ["0.918296", "0.251629", "0.473851", "0.251 ≠", "0.918 "],
    "rules": ["36 combinations tried", "36 with exactly one rule", "0 with several",
              "0 with none", "house = no ∧ job = yes"],
    "pruning": ["8.2647", "14.5643", "22.0643", "15.7647"],
    "gini": ["0.440000", "0.480000", "0.320000", "0.266667", "0.363636", "0.474074",
             "0.240000", r"\frac{0.48 - 0}{3 - 1} = \mathbf{0.24}"],
    "squares": ["22.648000", "17.70223", "12.193486", "7.378700", "3.358720", "5.073958",
                "10.052467", "15.177800", "21.328000", "5.0600", "8.1760", "6.8533",
                "0.012800", "0.045000", "0.072600", "0.105800", "0.256267", "0.361250",
                "0.867000", "1.638003", "24.273640"],
}  # fmt: skip


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_part_shows_the_verified_numbers(lesson):
    app = lesson_page(lesson)
    shown = words(app) + " " + formulas(app)
    missing = [number for number in EXPECTED[lesson] if number not in shown]
    assert not missing
    assert not warnings_of(app)
    assert "nan" not in shown


def table(app, name):
    """The rows of a table of sums by their heads, as they read."""
    (body,) = re.findall(rf'data-name="{name}">.*?<tbody>(.*?)</tbody>', html(app), re.S)
    rows = ([*re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)] for row in body.split("</tr>"))
    plain = ([unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in row] for row in rows)
    return {head: cells for head, *cells in filter(None, plain)}


@pytest.mark.parametrize(
    ("lesson", "name", "place", "numbers"),
    [
        ("gain", "gain", 1, [0.083007, 0.323650, 0.419973, 0.362990]),
        ("gain", "gain", 3, [0.083, 0.324, 0.420, 0.363]),
        ("ratio", "ratio", 1, [1.584963, 0.918296, 0.970951, 1.565596]),
        ("ratio", "ratio", 2, [0.052372, 0.352447, 0.432538, 0.231854]),
        ("ratio", "ratio", 4, [0.085491, 0.333333, 0.432538, 0.373850]),
        ("gini", "gini", 1,
         [0.44, 0.48, 0.44, 0.32, 0.32, 0.266667, 0.266667, 0.363636, 0.474074, 0.32]),
        ("squares", "cuts", 2,
         [22.648, 17.7022375, 12.193486, 7.3787, 3.35872, 5.073958, 10.052467, 15.1778, 21.328]),
        ("squares", "sequence", 0,
         [0, 0.0128, 0.045, 0.0726, 0.1058, 0.2562667, 0.36125, 0.867, 1.6380033, 24.27364]),
    ],
)  # fmt: skip
def test_a_column_of_sums_has_the_verified_numbers_row_by_row(lesson, name, place, numbers):
    shown = table(lesson_page(lesson), name).values()
    assert [float(cells[place]) for cells in shown] == pytest.approx(numbers, abs=1e-6)


def test_a_printed_number_that_differs_is_told():
    app = lesson_page("tree")
    sums = table(app, "gain")
    assert {name: cells[1] for name, cells in sums.items()} == {
        "age": "0.251629", "job": "0.918296", "credit": "0.473851",
    }  # fmt: skip
    assert sums["age"][3] == "0.251 ≠"
    told = words(app) + " ".join(block.value for block in [*app.caption, *app.markdown])
    assert "the difference of the rounded 0.918 and 0.667" in told


def test_each_value_follows_from_its_formula():
    shown = formulas(lesson_page("gain"))
    assert r"\tfrac{5}{15}\left(-\tfrac{2}{5}\log_2\tfrac{2}{5} -\tfrac{3}{5}" in shown
    assert r"= \mathrlap{0.970951 - 0.887943 = \mathbf{0.083007}}" in shown


def test_a_category_that_a_test_has_not_seen_is_told():
    rows = [(0, 0, 0, 0, 0), (1, 0, 1, 0, 1), (1, 1, 1, 1, 0), (0, 0, 1, 1, 1), (0, 1, 0, 1, 1)]
    app = lesson_page("rules", grown="cart", loan=str(EditedRows(tuple(rows))))
    assert any("has not seen" in block.value for block in app.caption)
    assert re.search(r"[1-9]\d* with none", words(app))


@pytest.mark.parametrize("how", ["id3", "id3_ratio", "c45", "cart"])
def test_every_grower_gives_house_then_job_on_the_books_table(how):
    shown = words(lesson_page("rules", grown=how))
    for rule in (
        "house = yes yes 18",
        "house = no ∧ job = yes yes 9",
        "house = no ∧ job = no no 9",
    ):
        assert rule in shown


def test_the_printed_loop_is_told_from_the_minimum():
    app = lesson_page("pruning", leaf_price=7.5)
    told = " ".join(block.value for block in app.markdown)
    assert "7.2821 ≤ α < 8.2647" in told
    assert "22.5 bits cost by the algorithm as printed, 3 leaves" in words(app)
    assert "22.5 bits cost of the whole tree, 3 leaves" in words(app)
    assert "22.0643 bits cost of the best tree, 1 leaf" in words(app)
    costs = table(app, "costs")
    assert costs["house, 15"] == ["14.5643", "22.0643", "22.5000", "becomes a leaf", "kept"]
    assert costs["job, 9"][:3] == ["8.2647", "15.7647", "15.0000"]


def test_the_weakest_links_of_the_books_table_are_told_step_by_step():
    assert r"\alpha_{1} = \min_t g(t) = \frac{0.48 - 0}{3 - 1} = \mathbf{0.24}" in formulas(
        lesson_page("gini")
    )
    app = lesson_page("gini", loan=edited({(8, 4): 1}))  # four cuts, one after the other
    shown = words(app)
    assert [k for k in range(6) if f"T{k}: node t" in shown] == [0, 1, 2, 3]
    found = re.findall(r"min_t g\(t\) = .*? = \\mathbf\{([\d.]+)\}", formulas(app))
    assert found == ["0.1", "0.114286", "0.125108", "0.158384"]


def test_one_cell_changes_sums_ranking_and_tree():
    link = edited({(4, 2): 1, (8, 2): 1, (12, 2): 1})  # three houses less
    table = read_rows(EditedRows.parse(link))
    root = node_sums(table)
    app = lesson_page("gain", loan=link)
    shown = words(app)
    for sums in root.features:
        assert f"{sums.gain:.6f}" in shown
    best = table.features[root.ranking("gain")[0].feature]
    assert best != "house"
    assert f"By gain, the best test at the root is {best}" in shown
    assert "<th>book</th>" not in html(app)
    rules = words(lesson_page("rules", loan=link))
    assert f"{best} = " in rules
    assert "0 with several" in rules


def test_a_chosen_cell_changes_the_table_and_undo_brings_it_back():
    app = opened("textbook", lesson="gain")
    cell = next(box for box in app.selectbox if box.key == "textbook.cell.4")
    assert cell.value == "no"
    checked(cell.set_value("yes").run())
    rows = [list(row) for row in book_rows().rows]
    rows[0][4] = 0
    assert str(EditedRows(tuple(map(tuple, rows)))) in app.query_params["loan"]
    table = read_rows(EditedRows(tuple(map(tuple, rows))))
    assert f"{node_sums(table).features[0].gain:.6f}" in words(app)
    reset = next(b for b in app.button if b.key == "textbook.loan.reset")
    checked(reset.click().run())
    assert "loan" not in app.query_params
    assert "0.083007" in words(app)


def test_an_empty_cell_is_named_and_the_last_good_sums_stay():
    app = opened("textbook", lesson="gain", loan=edited({(3, 1): EMPTY}))
    assert warnings_of(app) == ["Table 5.1, row 3: “job” is empty; choose one of yes, no."]
    assert "0.083007" in words(app)
    cell = next(box for box in app.selectbox if box.key == "textbook.cell.0")
    checked(cell.set_value("old").run())
    assert len(warnings_of(app)) == 1
    assert "0.083007" in words(app)


@pytest.mark.parametrize("lesson", LESSONS[:-1])
@pytest.mark.parametrize("rows", [book_rows().rows[2:4], book_rows().rows[:1]])
def test_a_single_class_or_row_has_sums_and_says_what_cannot_be(lesson, rows):
    app = lesson_page(lesson, loan=str(EditedRows(rows)))
    shown = words(app)
    assert "nan" not in shown
    assert "inf" not in shown
    assert f"{len(rows)} rows" in shown
    if lesson in ("gain", "tree", "rules", "pruning", "gini"):
        (info,) = app.info
        assert "All rows are of the class" in info.value
    if lesson == "ratio":
        assert "–" in shown


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({2: ("3", "many")}, "Table 5.2, row 3, y: “many” is no number"),
        ({0: ("", "4.5")}, "Table 5.2, row 1, x: “” is no number"),
        ({1: ("2", "1e99")}, "“1e99” is no number between −1,000,000,000 and 1,000,000,000"),
        ({1: ("nan", "1")}, "Table 5.2, row 2, x: “nan” is no number"),
    ],
)
def test_a_bad_number_is_named(changed, sentence):
    rows = tuple(changed.get(i, row) for i, row in enumerate(book_points().rows))
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_points(EditedPoints(rows))


def test_a_bad_number_leaves_the_last_good_losses():
    rows = (*book_points().rows[:2], ("3", "many"), *book_points().rows[3:])
    app = lesson_page("squares", points=str(EditedPoints(rows)))
    (warning,) = warnings_of(app)
    assert "Table 5.2, row 3, y: “many” is no number" in warning
    assert "3.358720" in words(app)


def test_changed_points_change_cuts_and_steps():
    rows = (*book_points().rows[:4], ("5", "8.0"), *book_points().rows[5:])
    app = lesson_page("squares", points=str(EditedPoints(rows)), pieces=3)
    assert r"R_1 = \{x \le 4\}" in formulas(app)
    assert "3 leaves" in " ".join(block.value for block in app.markdown)


@pytest.mark.parametrize("rows", [(("1", "2"),), (("1", "2"), ("1", "3"))])
def test_points_that_cannot_be_cut_are_said_so(rows):
    app = lesson_page("squares", points=str(EditedPoints(rows)))
    assert "no place to cut" in words(app)


def test_a_table_without_rows_is_refused_in_a_sentence():
    for read, table in ((read_rows, EditedRows(())), (read_points, EditedPoints(()))):
        with pytest.raises(ValueError, match="The table has no row left"):
            read(table)


def test_what_the_editor_says_becomes_the_table():
    start = frame_of(book_rows())
    changes = {
        "edited_rows": {0: {"class": "yes"}, 3: {"age": None}},
        "deleted_rows": [1],
        "added_rows": [{"age": "old", "job": "yes"}],
    }
    rows = _rows_of(_changed(start, changes)).rows
    assert len(rows) == 15
    assert rows[0] == (*book_rows().rows[0][:4], 0)
    assert rows[2][0] == EMPTY
    assert rows[-1] == (2, 0, EMPTY, EMPTY, EMPTY)
    assert _rows_of(_changed(start, None)) == book_rows()


def test_a_comma_is_read_as_a_decimal_point():
    points = _points_of([{"x": "1", "y": "4,75"}, {"x": "2", "y": None}])
    assert points.rows == (("1", "4,75"), ("2", ""))
    assert read_points(EditedPoints(points.rows[:1]))[1].tolist() == [4.75]


def any_table(rng):
    """Table 5.1 with rows left out and doubled and any cells changed."""
    cells = np.array(book_rows().rows)
    cells = cells[rng.integers(0, len(cells), rng.integers(2, 40))]
    sizes = [len(legal) for _, legal in loan_columns()]
    for _ in range(rng.integers(0, 60)):
        column = rng.integers(0, cells.shape[1])
        cells[rng.integers(0, len(cells)), column] = rng.integers(0, sizes[column])
    return read_rows(EditedRows(tuple(map(tuple, cells.tolist()))))


@pytest.mark.ci
@pytest.mark.parametrize("how", BY)
def test_every_inner_node_has_its_test_after_any_edit(how):
    rng, largest = np.random.default_rng(3), 0
    for table in [any_table(rng) for _ in range(40)]:
        tree = fitted_tree(*GROWERS[how], table, range(len(table.features)))
        inner = set(np.flatnonzero(tree.n_children).tolist())
        largest = max(largest, len(inner))
        for selected in (None, *sorted(inner)):
            figure = picture_of(tree, table.classes, theme="light", selected=selected, width=640)
            written = {node: box for box, node, _ in text_boxes(figure, "test")}
            assert set(written) == inner
            assert all(
                a[2] <= b[0] or b[2] <= a[0] or abs(a[1] - b[1]) >= 16
                for a, b in combinations(written.values(), 2)
            )
    assert largest >= 5


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_book_is_named(lesson):
    captions = " ".join(block.value for block in lesson_page(lesson).caption)
    assert "Li Hang, *Statistical Learning Methods*" in captions
    assert "chapter 5" in captions
    assert ("(5.10) as printed divides" in captions) == (lesson == "ratio")


def slow_sum(key):
    """A sum of the book's examples, added up row by row."""
    table, rows = read_rows(book_rows()), list(book_rows().rows)
    if key[0] == "no house":
        house = table.features.index("house")
        no = table.categories[house].index("no")
        rows, key = [row for row in rows if row[house] == no], key[1:]
    what, *about = key

    def impurity(labels):
        shares = [labels.count(k) / len(labels) for k in set(labels)]
        if what == "gini":
            return 1 - sum(share**2 for share in shares)
        return -sum(share * math.log2(share) for share in shares)

    whole = impurity([row[-1] for row in rows])
    if what == "entropy":
        return whole
    f = table.features.index(about[0])
    sides = [row[f] for row in rows]
    if what == "gini":
        sides = [value == table.categories[f].index(about[1]) for value in sides]
    parts = [
        [row[-1] for row, own in zip(rows, sides, strict=True) if own == side]
        for side in set(sides)
    ]
    inside = sum(len(part) / len(rows) * impurity(part) for part in parts)
    return whole - inside if what == "gain" else inside


def test_the_book_s_sums_are_exact_but_for_the_one_that_the_page_explains():
    apart = {key for key, text in PRINTED.items() if differs(text, slow_sum(key))}
    assert apart == {("no house", "gain", "age")}
    told = [each.value for each in lesson_page("tree").caption]
    assert any(each.startswith("≠ The book prints 0.251 for age") for each in told)


def worked_out(formula):
    """The sum of a formula by plain arithmetic, and the number at its end."""
    *_, text, end = formula.rsplit(" = ", 2)
    text = re.sub(r"\\tfrac\{(\d+)\}\{(\d+)\}", r"(\1/\2)", text)
    text = re.sub(r"(?<=\))\\left\(", "*(", text).replace(r"\log_2", "*log2")
    for sign, plain in ((r"\left(", "("), (r"\right)", ")"), ("^", "**")):
        text = text.replace(sign, plain)
    return eval(text, {"log2": math.log2}), float(end.removeprefix(r"\mathbf{").removesuffix("}"))


@pytest.mark.parametrize("seed", range(8))
def test_a_formula_comes_to_the_number_at_its_end_which_is_that_of_the_rows(seed):
    table = any_table(np.random.default_rng(seed)) if seed else read_rows(book_rows())
    root, labels = node_sums(table), table.labels.tolist()

    def share(rows, label):
        return rows.count(label) / len(rows)

    shares = [share(labels, label) for label in set(labels)]
    entropy = -sum(p * math.log2(p) for p in shares)
    told = [(entropy_formula(root.counts, root.entropy), entropy)]
    for sums in root.features:
        for category in np.flatnonzero(np.isfinite(sums.gini)).tolist():
            inside = table.codes[:, sums.feature] == category
            sides = [table.labels[each].tolist() for each in (inside, ~inside)]
            gini = sum(
                len(side) / len(labels) * (1 - sum(share(side, label) ** 2 for label in set(side)))
                for side in sides
            )
            told.append((gini_formula(table, sums, category), gini))
    assert len(told) > 1
    for formula, expected in told:
        summed, end = worked_out(formula)
        assert summed == pytest.approx(expected, abs=1e-12)
        assert end == pytest.approx(expected, abs=6e-7)


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


@pytest.mark.usefixtures("chinese")
def test_the_book_s_table_is_in_the_reader_s_language():
    assert list(frame_of(book_rows()).iloc[3]) == ["青年", "是", "是", "一般", "是"]
    table = read_rows(book_rows())
    assert table.features == ("年龄", "有工作", "有自己的房子", "信贷情况")
    assert table.classes == ("是", "否")
    app = seen("textbook", lang="zh")
    shown = words(app)
    assert "有自己的房子" in shown
    assert not re.search(r"\b(house|youth|credit)\b", shown)
    printed = [PRINTED["gain", name] for name in ("age", "job", "house", "credit")]
    assert re.findall(r"(?<= [1-4] )0\.\d{3}\b", shown) == printed
    inner = words(seen("textbook", lang="zh", lesson="tree", inner=2))
    assert re.search(rf" 1 {PRINTED['no house', 'gain', 'job']}\b", inner)
