"""Display of a tree's growth, step by step, with a slider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
import plotly.graph_objects as go
from sklearn.base import BaseEstimator

from lastviz.estimators.scikit_learn import TREES, growth_of
from lastviz.inspection import GrowthFrames, GrowthRegions, Regions, growth_frames, growth_regions
from lastviz.plots import (
    THEMES,
    Drawing,
    Plane,
    Points,
    ThemeName,
    growth_plot,
    split_words,
    words_of_split,
)
from lastviz.plots.visuals.marks import join_segments
from lastviz.tree import Action, Reason

from .display import Display, for_notebook, player_of_frames, slider_of_frames
from .model import Names, ShownModel, read_model

MOST_STEPS = 300
HEIGHT = 560
SLIDER = 96  # pixels below the picture
DONE = {
    Action.LEAF: "leaf",
    Action.COLLAPSE: "cut back",
    Action.PRUNE: "cut back",
    Action.RAISE: "a branch takes its place",
}

Lines = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class _Places:
    """Places of the nodes from some event on: outlines and splits, by position."""

    area: Lines
    line: Lines
    prediction: np.ndarray


@dataclass(eq=False, repr=False)
class GrowthDisplay(Display):
    """Growth of a tree, step by step, with a slider and a play button.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    plane : Plane
    history : GrowthFrames
        The states of the tree; of a tree of scikit-learn its splits alone.
    regions_ : GrowthRegions
    steps : list of int
        The states that are drawn: the number of events before each.
    figure_ : plotly.graph_objects.Figure
        With a frame for each step.
    """

    model: ShownModel
    plane: Plane
    history: GrowthFrames
    regions_: GrowthRegions
    steps: list[int]

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object,
        y: object,
        *,
        features: Sequence[int | str] | None = None,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        tree: int | None = None,
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw how a fitted tree grew and was cut back.

        Parameters
        ----------
        estimator : estimator
            A fitted tree or forest of this package or of scikit-learn, for classes. Of one of
            scikit-learn the order of its splits is read off the numbers of its nodes.
        X : array-like or DataFrame, shape (n_samples, n_features)
            The very rows that it was fitted on.
        y : array-like, shape (n_samples,)
            Their labels.
        features : sequence of one or two int or str, optional
            On the axes; default: the two that tell the classes best, each by itself.
        feature_names, class_names : sequence of str, or mapping, optional
            Default: what the model knows.
        tree : int, optional
            Which tree of a forest.
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            Of the picture in pixels, without legend and slider; default: 560.

        Returns
        -------
        GrowthDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If anything does not fit the model, or it was read from a file, so that nobody
            knows how it grew.

        Notes
        -----
        Of more than 300 steps the first 299 are drawn, and the last; after it the tree.
        O(n_steps n_leaves).
        """
        if y is None:
            raise ValueError("y must be given: the growth of a tree is about its training rows")
        model = read_model(
            estimator, X, y, feature_names=feature_names, class_names=class_names, tree=tree
        )
        model.check_tree_of_classes("GrowthDisplay")
        plane = model.plane(features)
        grown = _with_growth(model, tree)
        n = len(grown.growth_log_)
        steps = list(range(n + 1)) if n < MOST_STEPS else [*range(MOST_STEPS - 1), n]
        rows = model.training_rows(tree)
        where = (plane.around, plane.features, plane.at, MOST_STEPS)
        if plane.is_banded:
            axes, bands = plane.numeric_in(plane.form), plane.bands_in(plane.form)
            where = (plane.around, axes, plane.at, MOST_STEPS, bands)
        found = growth_regions(grown, model.values[rows], model.label[rows], *where)
        shown = cls(model, plane, growth_frames(grown), found, steps)
        return shown.plot(theme=theme, height=height)

    def drawing(self, theme: ThemeName = "light", height: int | None = None) -> Drawing:
        """Stage as the app draws it: axes and rows, and marks that steps fill."""
        plane, drawn = self.plane, self.plane.drawn
        across, up = (plane.names[f] for f in plane.features)
        labels = self.model.label[drawn]
        no = np.zeros(len(drawn), dtype=bool)
        places = (plane.x[drawn], plane.y[drawn])
        return growth_plot(
            Points(*places, labels, no, no, drawn + 1, plane.texts(drawn)),
            theme=theme,
            features=(across, "" if plane.features[0] == plane.features[1] else up),
            class_names=self.model.class_names,
            curved=len(self.history.grown.kernel) > 0,
            equal=plane.equal,
            view=plane.view,
            units=plane.units,
            height=HEIGHT if height is None else height,
            bands=plane.bands,
        )

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        figure = for_notebook(self.drawing(theme, height), theme, self.model.class_names)
        marks = [
            (i, _key(trace.meta)) for i, trace in enumerate(figure.data) if _is_mark(trace.meta)
        ]
        frames = []
        for number, filled in enumerate(self._filled()):
            data = [_placed(filled.get(key)) for _, key in marks]
            frames.append(go.Frame(data=data, traces=[i for i, _ in marks], name=str(number)))
        figure.frames = frames
        for (i, _), places in zip(marks, frames[-1].data, strict=True):
            figure.data[i].update(x=places.x, y=places.y)  # it opens on the finished tree
        colours = THEMES[theme]
        font = {"color": colours.ink, "size": 14}
        figure.update_layout(
            height=figure.layout.height + SLIDER,
            margin_b=figure.layout.margin.b + SLIDER,
            sliders=[slider_of_frames([self.words(k) for k in range(len(frames))], font)],
            updatemenus=[player_of_frames(font)],
        )
        return figure

    def words(self, step: int) -> str:
        """Sentence that describes a step."""
        if step == len(self.steps):
            return f"{self.n_leaves:,} leaves stand"
        events = self.steps[step]
        log, tree = self.history.log, self.history.grown
        if events == 0:
            return f"0: one leaf of {tree.n_node_samples[0]:,} rows"
        node, action = int(log.node[events - 1]), Action(int(log.action[events - 1]))
        if action == Action.SPLIT:
            text = split_words(tree, node)
        elif action == Action.REFIT:
            test = words_of_split(log.splits[log.branch[events - 1]], tree)
            text = f"new split {test}. {Reason(int(log.reason[events - 1])).sentence}"
        else:
            text = f"{DONE[action]}. {Reason(int(log.reason[events - 1])).sentence}"
        return f"{events}: node {node}, {log.n_samples[events - 1]:,} rows: {text}"

    @property
    def n_leaves(self) -> int:
        """Number of leaves after the last step."""
        last = self.steps[-1]
        return int((self.history.split_of[last, self.history.alive(last)] < 0).sum())

    def _filled(self) -> Iterator[dict[tuple, np.ndarray]]:
        """Yield the places of all marks, step by step."""
        history, log = self.history, self.history.log
        raised = {each.event: each for each in self.regions_.raised}
        here = _Places(*_lines_of(self.regions_.grown), history.grown.prediction)
        done = 0
        for events in self.steps:
            before = here
            for event in sorted(set(raised) & set(range(done, events))):
                here = _moved(here, raised[event].position, raised[event])
            done = events
            node = int(log.node[events - 1]) if events else 0
            yield self._marks(events, node, here, before)
        yield self._marks(self.steps[-1], None, here, here)

    def _marks(
        self, events: int, node: int | None, here: _Places, before: _Places
    ) -> dict[tuple, np.ndarray]:
        """Places of the marks of a step; without a node, of the tree as it stands."""
        history = self.history
        split, alive = history.split_of[events], history.alive(events)
        inside = self._below(events, node or 0)
        found: dict[tuple, list[np.ndarray]] = {}
        for each in alive.tolist():
            if split[each] < 0:
                state = "full" if each in inside else "faded"
                key = ("region", int(here.prediction[each]), state)
                found.setdefault(key, []).append(here.area.get(each, NOTHING))
            elif each != node:
                found.setdefault(("split",), []).append(_line(here, each, split[each]))
        if node is None:
            return {key: _joined(parts) for key, parts in found.items()}
        if split[node] >= 0:
            line = _line(here, node, split[node])
            found[("chosen_split",)] = found[("halo",)] = [line]
        elif node > 0:
            found[("chosen_region",)] = [_closed(here.area.get(node, NOTHING))]
        if events:
            past = history.split_of[events - 1]
            gone = [n for n in history.alive(events - 1).tolist() if past[n] >= 0]
            lines = [_line(before, n, past[n]) for n in gone if past[n] != split[n]]
            found[("gone",)] = lines
        return {key: _joined(parts) for key, parts in found.items()}

    def _below(self, events: int, node: int) -> set[int]:
        found = [node]
        for each in found:
            found.extend(self.history.children(events, each))
        return set(found)


NOTHING = np.empty((0, 2))
GAP = np.full((1, 2), np.nan)


def _with_growth(model: ShownModel, tree: int | None) -> BaseEstimator:
    """Estimator with the log of its growth."""
    if model.is_ours:
        return model.estimator
    given = model.given
    if hasattr(given, "estimators_"):
        given = given.estimators_[tree]
    if not isinstance(given, TREES):
        raise ValueError("this model was read from a file, which does not tell how it grew")
    estimator = copy(model.estimator)
    estimator.growth_log_ = growth_of(given)
    return estimator


def _lines_of(found: Regions) -> tuple[Lines, Lines]:
    """Outlines and the splits of the nodes of a plane, pieces apart by NaN."""
    area: dict[int, list[np.ndarray]] = {}
    line: dict[int, list[np.ndarray]] = {}
    for i, node in enumerate(found.node.tolist()):
        area.setdefault(node, []).append(found.polygon(i))
        if np.isfinite(found.segment[i]).all():
            line.setdefault(node, []).append(found.segment[i].reshape(2, 2))
    for i in np.unique(found.curve_row).tolist():
        ends = found.curve[found.curve_row == i]
        line.setdefault(int(found.node[i]), []).append(join_segments(ends))
    return (
        {n: _joined(parts) for n, parts in area.items()},
        {n: _joined(parts) for n, parts in line.items()},
    )


def _moved(here: _Places, position: np.ndarray, raised: object) -> _Places:
    """Places of the nodes once a branch has taken its parent's place."""
    area, line = _lines_of(raised.regions)
    prediction = here.prediction.copy()
    prediction[position] = raised.prediction
    moved = position.tolist()
    unmoved = {n: each for n, each in here.area.items() if n not in moved}
    stayed = {n: each for n, each in here.line.items() if n not in moved}
    return _Places(
        unmoved | {n: area[n] for n in moved if n in area},
        stayed | {n: line.get(n, NOTHING) for n in moved},
        prediction,
    )


def _line(places: _Places, position: int, split: int) -> np.ndarray:
    """Line of the split that stands at a position, as the pages find it."""
    found = places.line.get(position)
    return places.line.get(int(split), NOTHING) if found is None else found


def _closed(area: np.ndarray) -> np.ndarray:
    """Outlines closed by repeating their first corners at their ends."""
    ends = np.flatnonzero(np.isnan(np.r_[area[:, 0], np.nan]))
    starts = np.r_[0, ends[:-1] + 1]
    pieces = [area[a:b] for a, b in zip(starts, ends, strict=True) if b > a]
    return _joined([np.vstack([piece, piece[:1]]) for piece in pieces])


def _joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    found = [each for part in parts if len(part) for each in (part, GAP)]
    return np.concatenate(found[:-1]) if found else NOTHING


def _is_mark(meta: dict) -> bool:
    roles = ("region", "split", "gone", "halo", "chosen_split", "chosen_region")
    return meta["role"] in roles


def _key(meta: dict) -> tuple:
    return tuple(meta[name] for name in ("role", "class", "state") if name in meta)


def _placed(places: np.ndarray | None) -> go.Scatter:
    x, y = (NOTHING if places is None else places).T
    return go.Scatter(x=x, y=y)
