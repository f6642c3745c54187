"""The page *papers*: a table's cells, our figures in their places, the outcome of claims."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan

from lastviz.studies.kept_data import ORDERED, is_drawn, is_read_as_it_is
from lastviz.studies.published import (
    ALL_SETS,
    CLAIMS,
    PAPERS,
    QUANTITIES,
    TABLES,
    Claim,
    Misprint,
    Ours,
    Paper,
    PrintedCell,
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
from lastviz.studies.reproduction import (
    CHOOSING,
    FOLDS,
    RECIPES,
    draws_and_divisions,
    noise_between,
    reasons_of,
)
from lastviz.ui.compute.work import work_of
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import as_plain, t

TABLES_BY_NAME = {f"{paper}{number}": table for (paper, number), table in TABLES.items()}
Row = tuple[str, str]
"""Data set and setting."""


@dataclass(frozen=True)
class Place:
    """A cell of the table with all that is known of it."""

    cell: PrintedCell
    ours: Ours | None  # None where nothing was computed
    misprints: tuple[Misprint, ...]

    @property
    def row(self) -> Row:
        """Its row of the table."""
        return self.cell.dataset, self.cell.setting

    @property
    def column(self) -> tuple[str, str]:
        """Algorithm and metric."""
        return self.cell.algorithm, self.cell.metric

    @property
    def apart(self) -> float:
        """By how many standard deviations ours lies above the print; NaN without either.

        Those of the print, else ours. Times of two machines, and means over unlike data sets, are
        not compared.
        """
        alike = QUANTITIES[self.cell.metric].unit != "seconds" and self.cell.dataset != ALL_SETS
        if self.ours is None or not alike:
            return nan
        spread = self.cell.spread if self.cell.spread > 0 else self.ours.spread
        return (self.ours.mean - self.cell.mean) / spread if spread > 0 else nan

    @property
    def is_target(self) -> bool:
        """Whether the printed figure can be compared with."""
        return all(each.is_target for each in self.misprints)


@dataclass(frozen=True, eq=False)
class PaperScene:
    """One table."""

    table: PrintedTable
    protocol: str  # {"paper", "nested"}
    places: tuple[Place, ...]  # in the order of the print
    has_nested: bool  # whether any figure with parameters chosen by the training rows is there

    @property
    def paper(self) -> Paper:
        """The paper that prints the table."""
        return PAPERS[self.table.paper]

    @property
    def name(self) -> str:
        """Its name in links and on the command line."""
        return f"{self.table.paper}{self.table.number}"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Data sets and settings, as they are printed."""
        return tuple(dict.fromkeys(place.row for place in self.places))

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Algorithm and metric of each column."""
        return tuple(dict.fromkeys(place.column for place in self.places))

    @cached_property
    def compared(self) -> tuple[Place, ...]:
        """Places with a figure of ours beside one that can be compared with."""
        return tuple(p for p in self.places if isfinite(p.apart) and p.is_target)

    @cached_property
    def claims(self) -> tuple[tuple[Claim, Tally], ...]:
        """The claims that this table decides, and those of the paper that none does."""
        here = (self.table.number, None)
        mine = (c for c in CLAIMS if c.paper == self.table.paper and c.table in here)
        return tuple((claim, self._tally(claim)) for claim in mine)

    def figures_for(self, claim: Claim) -> dict[CellKey, Ours]:
        """Figures of ours that can decide a claim."""
        found: dict[CellKey, Ours] = {}
        # What has no parameters to choose is the same in both protocols.
        for protocol in dict.fromkeys(("paper", self.protocol)):
            for number in (2, 0) if claim.table is None else (claim.table,):
                found |= our_figures(claim.paper, number, protocol)
        return found

    def _tally(self, claim: Claim) -> Tally:
        found = self.figures_for(claim)
        if claim.spread:
            return tally(claim, {key: each.spread for key, each in found.items()})
        values = {key: each.mean for key, each in found.items()}
        return tally(
            claim, values, noise=lambda one, other: noise_between(found[one], found[other])
        )

    def title_of(self, dataset: str, setting: str = "") -> str:
        """Title of a data set, with the setting that a row fixes beside it."""
        known = self.set_of(dataset)  # a mean over all has no name of its own
        parts = [t(dataset if known is None else known.title), setting.replace("sigma", "σ")]
        return t(", ").join(filter(None, parts))

    def set_of(self, dataset: str) -> PrintedSet | None:
        """Data set of a row, None for a mean over all."""
        return None if dataset == ALL_SETS else printed_set(self.table.paper, dataset)


def paper_scene(selection: Selection) -> PaperScene:
    """Table that is looked at, with our figures beside the print."""
    view = selection.papers
    table = TABLES_BY_NAME[view.paper_table]
    nested = our_figures(table.paper, table.number, "nested")
    ours = our_figures(table.paper, table.number) | (nested if view.tuned == "nested" else {})
    places = tuple(
        Place(cell, ours.get(cell.key), misprints_of(cell))
        for cell in published_cells(table.paper, table.number)
    )
    return PaperScene(table, view.tuned, places, bool(nested))


# "" if it can.
def reason_words(cell: PrintedCell) -> str:
    """Reason why a figure cannot be computed here, in the user's language."""
    return as_plain(reasons_of(cell))


def study_of(cell: PrintedCell, protocol: str) -> Selection | None:
    """Study of the page *compare* that computes our figure of a cell, ready to begin.

    None where only the command line does: divisions that are no folds, and data that the paper's
    algorithms read otherwise than a study does.
    """
    recipe = RECIPES.get((cell.paper, cell.algorithm))
    if recipe is None or reasons_of(cell):
        return None
    known = printed_set(cell.paper, cell.dataset)
    if not is_read_as_it_is(cell.paper, known):
        return None
    params = tuple(sorted(known.params.items()))
    scene = Selection(data=known.key or f"folder.{known.file}", params=params, seed=0)
    if known.one_class is not None:
        scene = scene.having(one=known.one_class)
    draws, divisions = draws_and_divisions(cell.paper, cell.dataset, cell.algorithm)
    drawn = [
        _written(known.key, (*params, (SEED_NAME, i)), {}) for i in range(draws if draws > 1 else 0)
    ]
    if cell.paper in ORDERED and not is_drawn(known):
        rising = "r" * work_of(scene).dataset.n_features
        scene = scene.having(ordered=True, directions=rising)
    algorithm = _written(recipe.key, recipe.params, dict(recipe.grid))
    return scene.having(
        compared=(f"{algorithm}~unlabelled=true" if recipe.unlabelled else algorithm,),
        compared_on=tuple(drawn),
        protocol=CHOOSING[protocol] if recipe.grid else "fixed",
        repeats=divisions,
        study_folds=FOLDS[cell.paper],
    )


def _written(key: str, params: tuple[tuple[str, object], ...], grid: dict[str, tuple]) -> str:
    """Text of an algorithm or a data set in the link of a study."""
    values = {name: str(value) for name, value in params}
    values |= {name: "|".join(map(str, among)) for name, among in grid.items()}
    return "~".join([key, *(f"{name}={text}" for name, text in values.items())])
