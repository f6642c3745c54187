"""The page *textbook*: its scene, prepared before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.datasets import load_dataset, regression_5_2
from lastviz.estimators import ESTIMATORS, CARTRegressor
from lastviz.host.memory import remembered
from lastviz.inspection import CutSums, NodeSums, NominalTable, cut_sums, node_sums
from lastviz.plots import ThemeName, branch_words
from lastviz.tree import Tree
from lastviz.ui.state import session
from lastviz.ui.state.fields import EMPTY, MOST_ROWS, EditedPoints, EditedRows
from lastviz.ui.state.pages import TextbookView
from lastviz.ui.text import CannotShow, number, plain, t

ROW, NARROW, LETTER = 35, 50, 8  # pixels
NUMBER = "#"
Table = EditedRows | EditedPoints
Shown = TypeVar("Shown", EditedRows, EditedPoints)
Read = TypeVar("Read")


def rows_editor(shown: EditedRows, problem: str | None) -> None:
    """Draw Table 5.1 and its errors."""
    columns = {}
    for name, legal in loan_columns():
        width = max(NARROW, 14 + LETTER * max(map(len, (name, *legal))))
        columns[name] = st.column_config.SelectboxColumn(name, options=list(legal), width=width)
    _editor("loan", shown, book_rows(), problem, frame_of, _rows_of, columns)


def points_editor(shown: EditedPoints, problem: str | None) -> None:
    """Draw Table 5.2 and its errors."""
    columns = {name: st.column_config.TextColumn(name, max_chars=12) for name in "xy"}
    _editor("points", shown, book_points(), problem, _frame_of_points, _points_of, columns)


def _editor(
    name: str,
    shown: Table,
    book: Table,
    problem: str | None,
    to_frame: Callable[[Table], pd.DataFrame],
    from_words: Callable[[list[dict]], Table],
    columns: dict[str, object],
) -> None:
    """Draw an editable table, its errors, and the way back to the table of the book."""
    base_key, count_key = f"textbook.{name}.base", f"textbook.{name}.count"
    count = st.session_state.get(count_key, 0)
    base = st.session_state.get(base_key)
    key = f"textbook.{name}.{count}"
    if base is None or from_words(_changed(to_frame(base), st.session_state.get(key))) != shown:
        base, count = shown, count + 1
        st.session_state[base_key], st.session_state[count_key] = base, count
        key = f"textbook.{name}.{count}"
    start = to_frame(base)
    start.insert(0, NUMBER, [str(i) for i in range(1, len(start) + 1)])
    columns = {NUMBER: st.column_config.TextColumn(NUMBER, disabled=True, width=42), **columns}

    def changed() -> None:
        choose(name, from_words(_changed(start, st.session_state[key])), book)

    st.data_editor(
        start,
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_config=columns,
        height=ROW * (len(start) + 2) + 3,
        on_change=changed,
        alt=t("The table, a row a sample; press Enter on a cell to change it"),
    )
    if problem is not None:
        st.warning(plain(problem))
        st.caption(t("The sums are still those of the last valid table."))
    st.button(
        t("Back to the book's table"),
        key=f"textbook.{name}.reset",
        disabled=shown == book,
        on_click=lambda: session.select(**{name: None}),
    )


# Returns the table that was read, what it says, and what is wrong with the shown one.
def last_good(
    name: str, shown: Shown, book: Shown, read: Callable[[Shown], Read]
) -> tuple[Shown, Read, str | None]:
    """Read the table that is shown; where it has a fault, the last one that had none."""
    key = f"textbook.{name}"
    try:
        found = read(shown)
    except CannotShow as fault:
        used = st.session_state.get(key, book)
        return used, read(used), str(fault)
    st.session_state[key] = shown
    return shown, found, None


def choose(name: str, table: Table, book: Table) -> None:
    """Make a table the reader's; the book's own needs no place in the link."""
    session.select(**{name: None if table == book else table})


def _changed(start: pd.DataFrame, changes: dict | None) -> list[dict]:
    """Rows of a table after the changes of its editor."""
    rows = start.to_dict("records")
    if not changes:
        return rows
    for place, cells in changes["edited_rows"].items():
        rows[int(place)] |= cells
    deleted = set(changes["deleted_rows"])
    rows = [row for i, row in enumerate(rows) if i not in deleted]
    return [*rows, *changes["added_rows"]][:MOST_ROWS]


def _rows_of(rows: list[dict]) -> EditedRows:
    columns = loan_columns()
    codes = (
        tuple(legal.index(row[n]) if row.get(n) in legal else EMPTY for n, legal in columns)
        for row in rows
    )
    return EditedRows(tuple(codes))


def _points_of(rows: list[dict]) -> EditedPoints:
    cell = EditedPoints.cell
    return EditedPoints(tuple((cell(row.get("x")), cell(row.get("y"))) for row in rows))


def _frame_of_points(table: EditedPoints) -> pd.DataFrame:
    cells = [[cell or None for cell in row] for row in table.rows]
    return pd.DataFrame(cells, columns=["x", "y"], dtype=object)


LARGEST = 1e9


@cache
def book_points() -> EditedPoints:
    """Table 5.2 of exercise 5.2 in the form of the user's table."""
    dataset = regression_5_2()
    places = dataset.X.iloc[:, 0].tolist()
    return EditedPoints(
        tuple((f"{x:g}", f"{y:.2f}") for x, y in zip(places, dataset.y.tolist(), strict=True))
    )


@cache
def book_table() -> NominalTable:
    """Table 5.1, the loan applications of example 5.1."""
    dataset = load_dataset("loan")
    features = tuple(map(str, dataset.X.columns))
    categories = tuple(tuple(map(str, dataset.orders[name])) for name in features)
    codes = [dataset.X[name].cat.codes.to_numpy() for name in features]
    return NominalTable(
        features=features,
        categories=categories,
        classes=tuple(map(str, dataset.class_order)),
        codes=np.column_stack(codes).astype(np.intp),
        labels=dataset.codes.astype(np.intp),
    )


@cache
def book_rows() -> EditedRows:
    """Table 5.1 in the form of the user's table."""
    book = book_table()
    rows = np.column_stack([book.codes, book.labels]).tolist()
    return EditedRows(tuple(map(tuple, rows)))


def loan_columns() -> list[tuple[str, tuple[str, ...]]]:
    """Displayed name and legal values of each column of Table 5.1, the class last."""
    book = book_table()
    names = [*zip(book.features, book.categories, strict=True), ("class", book.classes)]
    return [(t(name), tuple(map(t, legal))) for name, legal in names]


def frame_of(rows: EditedRows) -> pd.DataFrame:
    """Table 5.1 in words; None stands for an empty cell."""
    columns = loan_columns()
    words = {
        name: [None if row[c] == EMPTY else legal[row[c]] for row in rows.rows]
        for c, (name, legal) in enumerate(columns)
    }
    return pd.DataFrame(words, dtype=object)


def read_rows(edited: EditedRows) -> NominalTable:
    """Table.

    Raises
    ------
    CannotShow
        If it has no row, or a cell is empty or holds no legal value; the message says which.
    """
    if not edited.rows:
        raise CannotShow(t("The table has no row left; add one, or go back to the book's table."))
    columns = loan_columns()
    for i, row in enumerate(edited.rows):
        for (name, legal), code in zip(columns, row, strict=True):
            if not 0 <= code < len(legal):
                sentence = "Table 5.1, row {row}: “{column}” is empty; choose one of {legal}."
                values = {"row": i + 1, "column": name, "legal": t(", ").join(legal)}
                raise CannotShow(t(sentence, **values))
    (*features, _), (*categories, classes) = zip(*columns, strict=True)
    cells = np.array(edited.rows, dtype=np.intp)
    return NominalTable(
        tuple(features), tuple(categories), classes, cells[:, :-1].copy(), cells[:, -1].copy()
    )


def read_points(edited: EditedPoints) -> tuple[np.ndarray, np.ndarray]:
    """Values x and y of Table 5.2.

    Raises
    ------
    CannotShow
        If there is no point, or a cell is empty or no number; the message says which.
    """
    if not edited.rows:
        raise CannotShow(t("The table has no row left; add one, or go back to the book's table."))
    cells = [
        [_value(text, i, name) for text, name in zip(row, "xy", strict=True)]
        for i, row in enumerate(edited.rows)
    ]
    x, y = np.array(cells).T
    return x, y


def _value(text: str, row: int, column: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        sentence = (
            "Table 5.2, row {row}, {column}: “{text}” is no number between −{most} and {most}; "
            "type one like 4.75."
        )
        about = {"row": row + 1, "column": column, "text": text, "most": number(int(LARGEST))}
        raise CannotShow(t(sentence, **about))
    return value


# ---------------------------------------------------------------- scene


GROWERS = {
    "id3": ("id3", {"criterion": "gain"}),
    "id3_ratio": ("id3", {"criterion": "gain_ratio"}),
    "c45": ("c45", {"pruning": "none", "min_samples_leaf": 1}),
    "cart": ("cart", {}),
}
BY = {"id3": "gain", "id3_ratio": "gain_ratio", "c45": "gain_ratio", "cart": "gini"}
"""What each grower chooses by, in the words of :data:`lastviz.inspection.RANKINGS`."""


@dataclass(frozen=True, eq=False)
class LoanScene:
    """Table 5.1 as it stands."""

    view: TextbookView  # what the reader looks at
    theme: ThemeName  # {"light", "dark"}
    shown: EditedRows  # what the editor shows
    used: EditedRows  # what the sums are about: the last table without a fault
    table: NominalTable
    problem: str | None  # what is wrong with the table that is shown
    root: NodeSums  # over all rows and features

    @property
    def is_book(self) -> bool:
        """Whether the sums are those of the book's own table."""
        return self.used == book_rows()

    @property
    def single(self) -> str | None:
        """The class of all rows, None if there are several."""
        present = np.flatnonzero(self.root.counts)
        return self.table.classes[present[0]] if len(present) == 1 else None

    def tree(self, how: str) -> Tree:
        """Tree that one of :data:`BY` grows on the table."""
        return tree_of(f"{how}|{self.table.features}|{self.used}", self.table, how)

    def stump(self, feature: int) -> Tree:
        """Tree of ID3 that may ask for one feature alone."""
        return _stump(f"{feature}|{self.used}", self.table, feature)


@dataclass(frozen=True, eq=False)
class PointsScene:
    """Table 5.2 as it stands; attributes as of :class:`LoanScene`."""

    view: TextbookView
    theme: ThemeName
    shown: EditedPoints
    used: EditedPoints
    x: np.ndarray
    y: np.ndarray
    problem: str | None
    cuts: CutSums

    @property
    def is_book(self) -> bool:
        """Whether the sums are those of the book's own table."""
        return self.used == book_points()

    def tree(self) -> Tree:
        """Whole regression tree."""
        return _regression(str(self.used), self.x, self.y)


def loan_scene(view: TextbookView, theme: ThemeName) -> LoanScene:
    """Work out the sums of Table 5.1 as the reader has it."""
    shown = view.loan or book_rows()
    used, table, problem = last_good("loan", shown, book_rows(), read_rows)
    return LoanScene(view, theme, shown, used, table, problem, node_sums(table))


def points_scene(view: TextbookView, theme: ThemeName) -> PointsScene:
    """Work out the cuts of Table 5.2 as the reader has it."""
    shown = view.points or book_points()
    used, (x, y), problem = last_good("points", shown, book_points(), read_points)
    return PointsScene(view, theme, shown, used, x, y, problem, cut_sums(x, y))


def conditions_of(tree: Tree, node: int) -> list[str]:
    """Conditions of a node, one for each test: "house = no"."""
    path = tree.path(node)
    return [
        f"{tree.feature_names[tree.feature[tree.parent[step]]]} = {branch_words(tree, step)}"
        for step in path[1:]
    ]


def place_of(tree: Tree, node: int) -> str:
    """Conditions of a node in words, "all rows" for the root."""
    return " · ".join(conditions_of(tree, node)) or t("all rows")


@remembered
def tree_of(key: str, table: NominalTable, how: str) -> Tree:
    """Tree of a table; `key` names table and grower."""
    algorithm, params = GROWERS[how]
    return fitted_tree(algorithm, params, table, range(len(table.features)))


def fitted_tree(
    algorithm: str, params: dict[str, object], table: NominalTable, features: range | list[int]
) -> Tree:
    """Tree that an algorithm grows on some columns of a table."""
    columns = {
        table.features[f]: pd.Categorical.from_codes(
            table.codes[:, f], categories=list(table.categories[f])
        )
        for f in features
    }
    X = pd.DataFrame(columns)
    return ESTIMATORS[algorithm].cls(**params).fit(X, table.labels).tree_


@remembered
def _stump(key: str, table: NominalTable, feature: int) -> Tree:
    return fitted_tree("id3", {}, table, [feature])


@remembered
def _regression(key: str, x: np.ndarray, y: np.ndarray) -> Tree:
    return CARTRegressor().fit(x[:, None], y).tree_
