"""The story of a growth, as the player in the browser plays it: sent once, compactly.

The player keeps the log and plays it itself; what each node looks like is sent once, by its
number in the grown tree, and for a raised branch what it takes over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import GrowthRegions, growth_regions, scores
from lastviz.plots import (
    THEMES,
    Points,
    figure_json,
    flow_layout,
    growth_plot,
    growth_values_plot,
    number,
    split_words,
)
from lastviz.plots.theme import mix, symbol
from lastviz.tree import Tree

from . import cache, frame
from .boundary_panels import words
from .growth_geometry import Pieces, packed
from .growth_legend import growth_legend
from .growth_machine_story import MachineStory, machine_story
from .growth_notes import notes
from .growth_words import Step, finished, root_step, step_of
from .memory import remembered
from .model_view import class_names_of
from .plane import Plane, plane_of
from .plane_regions import around
from .selection import Selection
from .text import language, t

__all__ = ["MOST_POINTS", "MOST_STEPS", "Story", "story"]

MOST_STEPS = 1000
MOST_POINTS = 1500
MOST_NAMED = 12  # leaves with the name of their class beside them
HEIGHT, TREE_WIDTH = 560, 430
WINDOW = 0.2  # of the view, around it, where regions are read off a grid


@dataclass(frozen=True, eq=False)
class Story:
    """All that the player needs.

    Attributes
    ----------
    text : str
        JSON.
    steps : tuple of Step
    first : int
        The step to open with.
    title : str
    machines : MachineStory or None
        What a tree of machines adds.
    drawn, rows : int
        Training rows that are drawn, and all of them.
    picture : {"plane", "values"}
    """

    text: str
    steps: tuple[Step, ...]
    first: int
    title: str
    machines: MachineStory | None
    drawn: int
    rows: int
    picture: str


def story(selection: Selection) -> Story:
    """Return the growth of the first model, computed once.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from the data; the message says why.
    """
    plane = plane_of(selection, alone=True)
    model = cache.fitted(selection, 0).estimator
    curved = len(model.grown_tree_.kernel) > 0
    picture = "plane"
    if curved and (selection.picture == "values" or _hidden(selection, plane)):
        picture = "values"
    at = plane.at.tobytes().hex() if plane.is_slice else ""
    look = f"{frame.theme()}|{language()}"
    key = f"{cache.model_key(selection, 0)}|{plane.features}|{at}|{picture}|{look}"
    return _story(key, selection, plane, picture)


def _hidden(selection: Selection, plane: Plane) -> bool:
    """Tell whether a plane would hide what happens: more than two features, none asked for."""
    return selection.picture == "auto" and plane.is_slice


@remembered(8)
def _story(key: str, selection: Selection, plane: Plane, picture: str) -> Story:
    teller = Teller(selection, plane, picture)
    return teller.story()


class Teller:
    """Gathers the parts of one story."""

    def __init__(self, selection: Selection, plane: Plane, picture: str) -> None:
        self.selection, self.plane, self.picture = selection, plane, picture
        self.dataset = cache.data(selection).dataset
        self.names = class_names_of(self.dataset)
        self.theme = frame.theme()
        self.model = cache.fitted(selection, 0).estimator
        self.tree = self.model.grown_tree_
        self.curved = len(self.tree.kernel) > 0
        divided = cache.division(selection)
        self.rows, self.form = divided.train_rows, divided.form
        self.frame, self.y = divided.X.iloc[self.rows], divided.y[self.rows]
        self.X = divided.values[self.rows]
        self.drawn = _drawn(len(self.rows), self.tree.kernel.rows)
        self.bounds = self._bounds()
        self.pieces = Pieces(self.bounds)

    def story(self) -> Story:
        found = None
        if self.picture == "plane":
            found = self._regions()
        told = machine_story(self) if self.curved else None
        steps = told.steps if told else self._steps(found)
        parts = self._parts(found)
        if told:
            parts["machines"] = told.parts
            parts["margin"] = told.margins
        parts["steps"] = [
            [s.events, s.node, s.say, s.cells, s.what, s.why, number(s.rows), s.score]
            for s in steps
        ]
        title = t(ESTIMATORS[self.selection.models[0].key].title)
        parts |= {"title": title, "words": _words(), "legend": self._legend(told)}
        parts["note"] = notes(self, len(steps) - 2)
        parts["geometry"] = self.pieces.packed()
        text = json.dumps(parts, separators=(",", ":"))
        text = f'{text[:-1]},"figure":{figure_json(self._figure())}}}'
        first = 0 if told or len(steps) < 2 else 1
        sizes = (len(self.drawn), len(self.rows))
        return Story(text, steps, first, title, told, *sizes, self.picture)

    def _regions(self) -> GrowthRegions:
        plane, form = self.plane, self.form
        features, bands = tuple(plane.features), None
        if plane.is_banded:
            features, bands = plane.numeric_in(form), plane.bands_in(form)
        return growth_regions(
            self.model, self.X, self.y, self.bounds, features, plane.at_in(form), MOST_STEPS, bands
        )

    def _bounds(self) -> tuple[float, float, float, float]:
        if not self.curved:
            return around(self.plane)
        x0, x1, y0, y1 = self.plane.view
        across, up = WINDOW * (x1 - x0), WINDOW * (y1 - y0)
        return x0 - across, x1 + across, y0 - up, y1 + up

    def _steps(self, found: GrowthRegions) -> tuple[Step, ...]:
        prediction = self.tree.prediction.copy()
        raised = {r.event: r for r in found.raised}
        steps = [root_step(self.model, self.names)]
        for event in range(min(len(self.model.growth_log_), MOST_STEPS)):
            if event in raised:
                prediction[raised[event].position] = raised[event].prediction
            node = int(self.model.growth_log_.node[event])
            steps.append(step_of(self.model, event, self.names, int(prediction[node])))
        return (*steps, finished(self.model, self._accuracy()))

    def _accuracy(self) -> tuple[float | None, float | None]:
        divided = cache.division(self.selection)
        n_classes = self.dataset.n_classes
        found = []
        for rows in (divided.train_rows, divided.held_out_rows):
            predicted = self.model.tree_.predict(divided.values[rows])
            part = scores(divided.y[rows], predicted, n_classes)
            found.append(part.accuracy if part.n_samples else None)
        return found[0], found[1]

    def _parts(self, found: GrowthRegions | None) -> dict[str, object]:
        log, tree = self.model.growth_log_, self.tree
        areas, lines = self.pieces.regions(found.grown) if found else ({}, {})
        raised = []
        for r in found.raised if found else ():
            here = self.pieces.some(r.regions, r.position)
            raised.append({
                "event": r.event, "position": r.position.tolist(), "area": here[0],
                "line": here[1], "value": packed(r.value.astype(np.float32)),
                "prediction": r.prediction.tolist(),
            })  # fmt: skip
        return {
            "log": {
                "node": packed(log.node.astype(np.int32)),
                "action": packed(log.action.astype(np.uint8)),
                "branch": packed(log.branch.astype(np.int32)),
            },
            "tree": _tree_parts(tree, self.curved, self.names),
            "area": {str(n): span for n, span in areas.items()},
            "line": {str(n): span for n, span in lines.items()},
            "raised": raised,
            "n_classes": tree.value.shape[1],
            "names": list(self.names),
            "colours": self._colours(),
            "picture": self.picture,
            "curved": self.curved,
            "labels": self.y[self.drawn].tolist(),
        }

    def _colours(self) -> dict[str, object]:
        theme, k = THEMES[self.theme], range(self.tree.value.shape[1])
        plain = ("ink", "paper", "grey1", "grey2", "grey3", "grey5", "grey7")
        return {name: getattr(theme, name) for name in plain} | {
            "hue": [theme.hue(c) for c in k],
            "ribbon": [theme.ribbon(c) for c in k],
            "free": [mix(theme.hue(c), theme.paper, 0.75) for c in k],
            "symbol": [symbol(c) for c in k],
        }

    def _figure(self) -> go.Figure:
        if self.picture == "values":
            word = t("f")
            return growth_values_plot(self.names, theme=self.theme, word=word, least=HEIGHT - 200)
        plane, columns = self.plane, cache.division(self.selection).X.columns
        across, up = (columns[f] for f in plane.features)
        points = Points.plain(
            plane.x[self.rows][self.drawn],
            plane.y[self.rows][self.drawn],
            self.y[self.drawn],
            self.rows[self.drawn] + 1,
        )
        points = replace(points, said=plane.said(self.rows[self.drawn]))
        return growth_plot(
            points,
            theme=self.theme,
            features=(across, "" if across == up else up),
            class_names=self.names,
            curved=self.curved,
            equal=plane.equal,
            view=plane.view,
            units=plane.units,
            height=HEIGHT,
            words=words(),
            bands=plane.bands,
        )

    def _legend(self, told: MachineStory | None) -> str:
        lost = told is not None and bool((told.separability.lost_at >= 0).any())
        return growth_legend(
            self.names, self.theme, curved=self.curved, picture=self.picture, lost=lost
        )


def _drawn(n: int, support: np.ndarray) -> np.ndarray:
    """Return the rows that are drawn: all, or evenly many of them, support vectors first."""
    if n <= MOST_POINTS:
        return np.arange(n)
    some = support[:: max(1, -(-len(support) // MOST_POINTS))]
    others = np.setdiff1d(np.arange(n), some)
    left = MOST_POINTS - len(some)
    kept = others[np.linspace(0, len(others) - 1, left).astype(np.intp)] if left > 0 else others[:0]
    return np.sort(np.concatenate([some, kept]))


def _tree_parts(tree: Tree, curved: bool, names: tuple[str, ...]) -> dict[str, object]:
    height = 150 if tree.n_leaves <= 8 else 240 if tree.n_leaves <= 40 else 320
    layout = flow_layout(tree, width=TREE_WIDTH, height=height)
    texts = {int(n): split_words(tree, int(n)) for n in layout.node}
    return {
        "first": packed(tree.first_child.astype(np.int32)),
        "count": packed(tree.n_children.astype(np.int32)),
        "prediction": packed(tree.prediction.astype(np.int32)),
        "value": packed(tree.value.astype(np.float32)),
        "node": layout.node.tolist(),
        "x": layout.x.round(1).tolist(),
        "y": layout.y.round(1).tolist(),
        "bar": layout.bar.round(2).tolist(),
        "scale": layout.scale,
        "width": TREE_WIDTH,
        "height": height,
        "text": [texts[int(n)] for n in layout.node],
        "named": curved and tree.n_leaves <= MOST_NAMED,
        "hidden": layout.hidden_leaves,
    }


def _words() -> dict[str, str]:
    return {
        "player": t("Growth of the tree, step by step"),
        "start": t("First step (Home)"),
        "back": t("One step back (Left)"),
        "play": t("Play (Space)"),
        "pause": t("Pause (Space)"),
        "next": t("One step on (Right)"),
        "end": t("Last step (End)"),
        "speed": t("Speed"),
        "scrub": t("Step"),
        "step": t("step {i} of {n}", i="{i}", n="{n}"),
        "tree": t("The tree so far"),
        "leaves": t("leaves so far"),
        "errors": t("training errors so far"),
        "table": t("All steps as a table"),
        "columns": [t("step"), t("event"), t("node"), t("rows"), t("score"), t("why")],
        "matrix": t("Separability of the classes, sm"),
        "about": t("Heavy frame: the deciding pair. Bars: the smallest entry of each row; only "
                   "their order means something."),
        "peeled": t("peeled"),
        "hidden": t("{n} more classes are not shown here.", n="{n}"),
        "failed": t("The picture cannot be drawn: plotly.min.js did not load."),
        "reset": t("Reset the view"),
        "leaf": t("leaf"),
        "later": t("next"),
        "rows": t("rows"),
    }  # fmt: skip
