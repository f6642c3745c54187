"""What the page *textbook* shows, worked out before any of it is sent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz.estimators import ESTIMATORS, CARTRegressor
from lastviz.host.memory import remembered
from lastviz.inspection import CutSums, NodeSums, NominalTable, cut_sums, node_sums
from lastviz.plots import ThemeName, branch_words
from lastviz.tree import Tree
from lastviz.ui.state.pages import TextbookView
from lastviz.ui.state.values import EditedPoints, EditedRows
from lastviz.ui.text import t

from .tables import book_points, book_rows, last_good, read_points, read_rows

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
        """Return the tree that one of :data:`BY` grows on the table."""
        return tree_of(f"{how}|{self.table.features}|{self.used}", self.table, how)

    def stump(self, feature: int) -> Tree:
        """Return the tree of ID3 that may ask for one feature alone."""
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
        """Return the whole regression tree."""
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
    """Return what leads to a node, a test each: "house = no"."""
    path = tree.path(node)
    return [
        f"{tree.feature_names[tree.feature[tree.parent[step]]]} = {branch_words(tree, step)}"
        for step in path[1:]
    ]


def place_of(tree: Tree, node: int) -> str:
    """Return what leads to a node in words, "all rows" of the root."""
    return " · ".join(conditions_of(tree, node)) or t("all rows")


@remembered
def tree_of(key: str, table: NominalTable, how: str) -> Tree:
    """Return the tree of a table; `key` names table and grower."""
    algorithm, params = GROWERS[how]
    return fitted_tree(algorithm, params, table, range(len(table.features)))


def fitted_tree(
    algorithm: str, params: dict[str, object], table: NominalTable, features: range | list[int]
) -> Tree:
    """Return the tree that an algorithm grows on some columns of a table."""
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
