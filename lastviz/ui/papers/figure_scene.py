"""What the page *papers* shows of a figure: the scenes that draw it, and the numbers beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd

from lastviz.plots import ThemeName
from lastviz.studies.published import (
    FIGURES,
    PAPERS,
    TABLES,
    Ours,
    Paper,
    PrintedFigure,
    our_figures,
)
from lastviz.studies.published.cells import CellKey
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

FIGURES_BY_NAME = {f"{paper}_figure{number}": each for (paper, number), each in FIGURES.items()}


@dataclass(frozen=True, eq=False)
class FigureScene:
    """One figure of a paper."""

    figure: PrintedFigure
    paper: Paper
    theme: ThemeName  # {"light", "dark"}

    @property
    def name(self) -> str:
        """What a link calls it."""
        return f"{self.figure.paper}_figure{self.figure.number}"

    @cached_property
    def ours(self) -> dict[CellKey, Ours]:
        """Our figures that it is drawn from: those of no table, and of the tables of its paper."""
        found: dict[CellKey, Ours] = {}
        for table in (0, *(number for paper, number in TABLES if paper == self.figure.paper)):
            found |= our_figures(self.figure.paper, table)
        return found

    @cached_property
    def scenes(self) -> tuple[tuple[str, Selection], ...]:
        """Titles and selections of what it is drawn from."""
        return tuple(
            (title, decode(dict(parse_qsl(link)), session.data_params, session.model_params)[0])
            for title, link in self.figure.scenes
        )


def figure_scene(selection: Selection) -> FigureScene | None:
    """Return the figure that is looked at, None where it is a table."""
    figure = FIGURES_BY_NAME.get(selection.papers.paper_table)
    if figure is None:
        return None
    return FigureScene(figure, PAPERS[figure.paper], page_theme())


def pair_table(scene: FigureScene) -> pd.DataFrame:
    """Return how far apart each two classes are by each order of the SVM tree, a row a pair."""
    names = cache.data(scene.scenes[0][1]).dataset.class_order
    pairs = list(combinations(range(len(names)), 2))
    table = {t("classes"): [f"{names[i]}, {names[j]}" for i, j in pairs]}
    for title, selection in scene.scenes:
        matrix = nodes.separability_steps(selection, 0).steps[0].matrix
        table[t(title)] = [float(matrix[i, j]) for i, j in pairs]
    return pd.DataFrame(table)


def machine_rows(scene: FigureScene) -> pd.DataFrame:
    """Return what each way to part many classes by machines costs, a row a way.

    Rows that the machines learn from, all together, and machines that decide on a row: those of
    the tree on its path, all of the other ways.
    """
    selection = scene.scenes[0][1]
    found, divided = nodes.separability_steps(selection, 0), cache.division(selection)
    sizes = np.bincount(divided.y[divided.train_rows])
    k, n = len(sizes), int(sizes.sum())
    n_pairs = k * (k - 1) // 2
    methods = (
        (t("SVM tree"), len(found.steps), int(found.reached.sum()),
         float(found.reached.sum(axis=0).mean())),
        (t("one against the rest"), k, k * n, float(k)),
        (t("one against one"), n_pairs, (k - 1) * n, float(n_pairs)),
    )  # fmt: skip
    heads = (
        t("way"), t("machines"), t("training rows used, in all"), t("machines evaluated for a row"),
    )  # fmt: skip
    return pd.DataFrame(methods, columns=heads)
