"""All thresholds of a node, with the marks among them, in the form that figures take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.inspection import CandidateTable
from lastviz.latent import LatentBasis
from lastviz.plots import (
    CandidateCurves,
    Drawing,
    FigureWords,
    Points,
    Strip,
    ThemeName,
    feature_html,
    pad_bounds,
    split_lab_plot,
    without_overlaps,
)
from lastviz.splitters import AnySplit, ChoiceRule, Search, Split

MOST_STRIPS = 3
MOST_SURVIVORS = 60  # more lines would hide the cloud
USUAL = ("gini", "bnm", "csn", "gain_ratio")


class NodeCandidates:
    """View of a node's candidates, derived from their table and the marks in it.

    Candidates lie on axes: the features or, where a latent space is searched, its components.

    Attributes
    ----------
    table : CandidateTable
        Thresholds are those that the algorithm would cut at.
    columns : dict of str to ndarray
        The table's columns, and "stage" for a weighted first stage.
    rule : ChoiceRule or None
        Whose stages are shown.
    survivors : tuple of ndarray
        What `rule` keeps, stage by stage.
    chosen, favourite, picked : int or None
        What the node was split at, what `rule` takes, what the reader picked.
    tied : ndarray of intp
        The candidates that are as good as the winner.
    axis_names : tuple of str
    """

    table: CandidateTable
    columns: dict[str, np.ndarray]
    rule: ChoiceRule | None
    survivors: tuple[np.ndarray, ...]
    chosen: int | None
    favourite: int | None
    picked: int | None
    tied: np.ndarray
    axis_names: tuple[str, ...]

    def rank(self, name: str) -> np.ndarray:
        """Every candidate's rank by a column, 1 the best; 0 where it is inadmissible."""
        raise NotImplementedError

    def title_of(self, name: str) -> str:
        """Title of a column beside its curve."""
        return CRITERIA[name].short if name in CRITERIA else "step 1"

    @property
    def highlighted(self) -> int | None:
        """The candidate that a picture is about: the picked one, else the chosen one."""
        for candidate in (self.picked, self.chosen, self.favourite):
            if candidate is not None:
                return candidate
        return None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the axes, as plotly html."""
        return tuple(feature_html(name) for name in self.axis_names)

    @property
    def read(self) -> tuple[str, ...]:
        """Criteria that the rule reads, in its order; the deciding one comes last."""
        names = self.rule.columns if self.rule is not None else ()
        return tuple(name for name in names if name in self.table.columns)

    def passed(self, stage: int) -> np.ndarray:
        """Candidates kept by one of several stages; none where the rule takes none."""
        wanted = self.chosen is not None or self.favourite is not None
        return self.survivors[stage] if wanted and len(self.survivors) > 1 else self.tied[:0]

    def candidates(self) -> CandidateCurves:
        """Candidates with their marks, for figures."""
        survivors = self.passed(-2)
        few = survivors if len(survivors) <= MOST_SURVIVORS else survivors[:0]
        what_if = self.favourite if self.favourite != self.chosen else None
        picked = self.picked if self.picked is not None else what_if
        feature, threshold = self.table.feature, self.table.threshold
        return CandidateCurves(feature, threshold, self.names, self.chosen, picked, few)

    def strips_of(self, names: Sequence[str]) -> list[Strip]:
        """Curves of the criteria `names`; of those that the rule reads if none is known."""
        wanted = [name for name in names if name in self.columns]
        if not wanted:
            is_blend = "stage" in self.columns
            wanted = self.telling if is_blend or not self.read else self.read
        return [
            Strip(
                self.title_of(name),
                self.columns[name],
                name in CRITERIA and CRITERIA[name].smaller_is_better,
            )
            for name in wanted
        ]

    @property
    def telling(self) -> list[str]:
        """Columns that say most, whatever the rule: at most :data:`MOST_STRIPS`."""
        staged = ["stage"] if "stage" in self.columns else []
        found = dict.fromkeys(("gini", *staged, *self.read[-1:], *self.read, *USUAL))
        if staged:
            del found["bnm"]
        return list(found)[:MOST_STRIPS]

    def axes_by_rank(self) -> list[int]:
        """Axes, those with the best candidates by the rule's first score first."""
        name = "stage" if "stage" in self.columns else (self.read or ("gini",))[0]
        best = np.full(len(self.axis_names), np.iinfo(np.intp).max)
        rank = self.rank(name)
        np.minimum.at(best, self.table.feature[rank > 0], rank[rank > 0])
        return np.argsort(best, kind="stable").tolist()

    def telling_axes(self) -> tuple[int, int]:
        """Axis of the highlighted candidate and the one of its best rival."""
        n = len(self.axis_names)
        if n <= 2:
            return 0, n - 1
        at = self.highlighted
        first = int(self.table.feature[at]) if at is not None else 0
        return first, next(axis for axis in self.axes_by_rank() if axis != first)


def basis_of(search: Search | None) -> LatentBasis | None:
    """Space of a search, None if it is that of the features."""
    basis = getattr(search, "basis", None)
    return None if basis is None or basis.space == "none" else basis


def candidate_of(
    stored: AnySplit, table: CandidateTable, search: Search | None, basis: LatentBasis | None
) -> int:
    """Candidate that a stored split is, -1 if it is none."""
    if basis is None:
        return table.find(stored.feature, stored.threshold)
    same = (stored.weights == basis.directions.T).all(axis=1)[search.feature]
    fitting = np.flatnonzero(same & (search.threshold == stored.threshold))
    return int(fitting[0]) if len(fitting) else -1


def as_cut(
    table: CandidateTable,
    search: Search | None,
    basis: LatentBasis | None,
    chosen: int | None,
    stored: AnySplit | None,
) -> CandidateTable:
    """Table with the thresholds that the algorithm would cut at, on drawn axes.

    It may cut in the middle between two values, and coordinates count from the centre of
    their space. `stored` is the split of the candidate `chosen`.
    """
    threshold = (table if search is None else search).threshold.copy()
    if chosen is not None and isinstance(stored, Split):
        threshold[chosen] = stored.threshold
    if basis is None:
        return replace(table, threshold=threshold)
    origin = basis.origin[table.feature]
    return replace(table, threshold=threshold - origin, upper=table.upper - origin)


def lab_drawing(
    splits: NodeCandidates,
    places: np.ndarray,
    label: np.ndarray,
    row: np.ndarray,
    inside: np.ndarray,
    strips: Sequence[Strip],
    *,
    axes: tuple[int, int],
    class_names: tuple[str, ...],
    theme: ThemeName,
    units: tuple[str, str] = ("", ""),
    distances: Sequence[dict] = (),
    words: FigureWords | None = None,
    chosen_word: str = "chosen",
    picked_word: str = "picked",
    second: tuple[int, str] | None = None,
) -> Drawing:
    """Plane of two axes with the score curves of both around it.

    Parameters
    ----------
    splits : NodeCandidates
    places : ndarray, shape (n_rows, n_axes)
        The rows that the tree learnt from, on the axes.
    label, row : ndarray of intp, shape (n_rows,)
        Class indices, and what the rows are called.
    inside : ndarray of bool, shape (n_rows,)
        Whether the node holds them.
    strips : sequence of Strip
    axes : (int, int)
        The same twice if there is only one.
    class_names, theme, units, distances, words, chosen_word, picked_word, second
        As for :func:`lastviz.plots.split_lab_plot`.
    """
    x = places[:, axes[0]]
    y = places[:, axes[1]] if axes[0] != axes[1] else np.linspace(0.0, 1.0, len(places))
    x, y, texts = without_overlaps(x, y)
    return split_lab_plot(
        replace(Points.plain(x, y, label, row), texts=texts),
        inside,
        splits.candidates(),
        strips,
        theme=theme,
        features=axes,
        feature_names=splits.axis_names,
        class_names=class_names,
        units=units,
        distances=distances,
        view=pad_bounds(x[inside], y[inside]),
        words=words,
        chosen_word=chosen_word,
        picked_word=picked_word,
        second=second,
    )
