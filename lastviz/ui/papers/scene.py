"""What the page *papers* shows: the cells of a table, ours in their places, what claims come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import isfinite, nan
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd

from lastviz.plots import ThemeName
from lastviz.studies.published import (
    ALL_SETS,
    CLAIMS,
    FIGURES,
    PAPERS,
    QUANTITIES,
    TABLES,
    Claim,
    Misprint,
    Ours,
    Paper,
    PrintedCell,
    PrintedFigure,
    PrintedSet,
    PrintedTable,
    Tally,
    misprints_of,
    our_figures,
    printed_set,
    published_cells,
    tally,
)
from lastviz.studies.published.cells import CellKey
from lastviz.studies.reproduction import noise_between, reasons_of
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

STEPS = (0.5, 1.0, 2.0)  # standard deviations, at which a cell becomes darker
Run = tuple[str, Ours | tuple[int, int]]
"""Name of a study of the visitor in the store, and its figure, or folds done and all."""
TABLES_BY_NAME = {f"{paper}{number}": table for (paper, number), table in TABLES.items()}


@dataclass(frozen=True)
class Place:
    """A cell of the table with all that is known of it."""

    cell: PrintedCell
    ours: Ours | None  # None where nothing was computed
    reason: str | None  # why it cannot be computed here, None if it can
    misprints: tuple[Misprint, ...]

    @property
    def spread(self) -> float:
        """The standard deviation that differences are counted in: the print's, else ours."""
        printed = self.cell.spread
        own = nan if self.ours is None else self.ours.spread
        return printed if isfinite(printed) and printed > 0 else own

    @property
    def apart(self) -> float:
        """By how many standard deviations ours lies above the print; NaN without either.

        Times of two machines, and means over unlike data sets, are not compared.
        """
        alike = QUANTITIES[self.cell.metric].unit != "seconds" and self.cell.dataset != ALL_SETS
        if self.ours is None or not self.spread > 0 or not alike:
            return nan
        return (self.ours.mean - self.cell.mean) / self.spread

    @property
    def is_target(self) -> bool:
        """Whether the printed figure can be compared with."""
        return all(each.is_target for each in self.misprints)

    @property
    def name(self) -> str:
        """What a link calls it."""
        return "~".join(self.cell.key)


@dataclass(frozen=True, eq=False)
class PaperScene:
    """One table."""

    table: PrintedTable
    paper: Paper
    protocol: str  # {"paper", "nested"}
    places: tuple[Place, ...]  # in the order of the print
    chosen: Place  # the one that is looked at
    # Whether any figure with parameters chosen by the training rows alone is there.
    has_nested: bool
    claim: Claim | None = None  # the one whose cells are looked at
    # mapping of cell to Run, what the visitor's own studies say.
    own: Mapping[CellKey, Run] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a link calls the table."""
        return f"{self.table.paper}{self.table.number}"

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The data sets, as they are printed."""
        return tuple(dict.fromkeys(place.cell.dataset for place in self.places))

    @cached_property
    def columns(self) -> tuple[tuple[str, str, str], ...]:
        """Algorithm, metric and setting of each column."""
        cells = (place.cell for place in self.places)
        return tuple(dict.fromkeys((c.algorithm, c.metric, c.setting) for c in cells))

    @cached_property
    def by_cell(self) -> dict[CellKey, Place]:
        """The places by data set, algorithm, metric and setting."""
        return {place.cell.key: place for place in self.places}

    @cached_property
    def compared(self) -> tuple[Place, ...]:
        """Places with a figure of ours beside one that can be compared with."""
        return tuple(p for p in self.places if isfinite(p.apart) and p.is_target)

    @cached_property
    def claims(self) -> tuple[tuple[Claim, Tally], ...]:
        """The claims that this table decides, and those of the paper that none does."""
        mine = [
            claim
            for claim in CLAIMS
            if claim.paper == self.table.paper and claim.table in (self.table.number, None)
        ]
        return tuple((claim, self._tally(claim)) for claim in mine)

    @cached_property
    def decides(self) -> frozenset[CellKey]:
        """The cells of this table that decide the claim which is looked at."""
        at_hand = self.claim is not None and self.claim.table == self.table.number
        return frozenset(self.claim.cells if at_hand else ())

    def is_marked(self, place: Place) -> bool:
        """Tell whether a cell is looked at, or decides the claim that is."""
        return place is self.chosen if self.claim is None else place.cell.key in self.decides

    def figures_for(self, claim: Claim) -> dict[CellKey, Ours]:
        """Return our figures that can decide a claim."""
        found = our_figures(claim.paper, claim.table or 0, self.protocol)
        if self.protocol == "nested":  # what has no parameters to choose is the same in both
            found = our_figures(claim.paper, claim.table or 0) | found
        if claim.table is None:
            found = our_figures(claim.paper, 2, self.protocol) | found
        return found

    def _tally(self, claim: Claim) -> Tally:
        found = self.figures_for(claim)
        if claim.spread:
            return tally(claim, {key: each.spread for key, each in found.items()})
        values = {key: each.mean for key, each in found.items()}
        return tally(
            claim, values, noise=lambda one, other: noise_between(found[one], found[other])
        )

    def title_of(self, dataset: str) -> str:
        """Return what people call a data set; a mean over all has no name of its own."""
        found = self.set_of(dataset)
        return t(dataset if found is None else found.title)

    def set_of(self, dataset: str) -> PrintedSet | None:
        """Return the data set of a row, None for a mean over all."""
        return None if dataset == ALL_SETS else printed_set(self.table.paper, dataset)


def reason_words(cell: PrintedCell) -> str:
    """Return why a figure cannot be computed here, in the reader's language; "" where it can."""
    return t(" ").join(t(text, **values) for text, values in reasons_of(cell))


def paper_scene(
    selection: Selection,
    own_figures: Callable[[Sequence[PrintedCell]], Mapping[CellKey, Run]] = lambda _: {},
) -> PaperScene:
    """Return the table that is looked at; `own_figures` knows what the visitor's studies say."""
    view = selection.papers
    table = TABLES_BY_NAME[view.paper_table]
    plain = our_figures(table.paper, table.number)
    nested = our_figures(table.paper, table.number, "nested")
    ours = plain | nested if view.tuned == "nested" else plain
    places = tuple(
        Place(cell, ours.get(cell.key), reason_words(cell) or None, misprints_of(cell))
        for cell in published_cells(table.paper, table.number)
    )
    filled = next((place for place in places if place.ours), places[0])
    chosen = next((place for place in places if place.name == view.paper_cell), filled)
    known = (None, table.number)
    claim = next((c for c in CLAIMS if c.key == view.paper_claim), None)
    if claim is not None and (claim.paper != table.paper or claim.table not in known):
        claim = None
    own = own_figures([place.cell for place in places])
    return PaperScene(
        *(table, PAPERS[table.paper], view.tuned, places, chosen, bool(nested), claim, own)
    )


# ---- What the page *papers* shows of a figure: the scenes that draw it, and the numbers beside it


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
