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
from lastviz.plots.visuals.theme import mix, symbol
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.compute.memory import remembered
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import language, t

from .machines import MachineStory, machine_story
from .packing import Pieces, packed
from .scene import GrowthScene, growth_scene
from .words import Step, finished, growth_legend, notes, root_step, step_of

__all__ = ["MOST_STEPS", "Story", "StoryBuilder", "story"]

MOST_STEPS = 1000
MOST_NAMED = 12  # leaves with the name of their class beside them
HEIGHT, TREE_WIDTH = 560, 430


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
    if curved and (selection.growth.picture == "values" or _hidden(selection, plane)):
        picture = "values"
    at = plane.at.tobytes().hex() if plane.is_slice else ""
    look = f"{current_theme()}|{language()}"
    key = f"{cache.model_key(selection, 0)}|{plane.features}|{at}|{picture}|{look}"
    return _story(key, selection, plane, picture)


def _hidden(selection: Selection, plane: Plane) -> bool:
    """Tell whether a plane would hide what happens: more than two features, none asked for."""
    return selection.growth.picture == "auto" and plane.is_slice


@remembered(8)
def _story(key: str, selection: Selection, plane: Plane, picture: str) -> Story:
    return StoryBuilder(growth_scene(selection, plane, picture)).story()


class StoryBuilder:
    """Gathers the parts of one story."""

    def __init__(self, scene: GrowthScene) -> None:
        self.scene = scene
        self.pieces = Pieces(scene.bounds)

    def story(self) -> Story:
        """Return all that the player needs."""
        found = None
        if self.scene.picture == "plane":
            found = self._regions()
        told = machine_story(self.scene, self.pieces) if self.scene.curved else None
        steps = told.steps if told else self._steps(found)
        parts = self._parts(found)
        if told:
            parts["machines"] = told.parts
            parts["margin"] = told.margins
        parts["steps"] = [
            [s.events, s.node, s.say, s.cells, s.what, s.why, number(s.rows), s.score]
            for s in steps
        ]
        title = t(ESTIMATORS[self.scene.selection.models[0].key].title)
        parts |= {"title": title, "words": _words(), "legend": self._legend(told)}
        parts["note"] = notes(self.scene, len(steps) - 2)
        parts["geometry"] = self.pieces.packed()
        text = json.dumps(parts, separators=(",", ":"))
        text = f'{text[:-1]},"figure":{figure_json(self._figure())}}}'
        first = 0 if told or len(steps) < 2 else 1
        sizes = (len(self.scene.drawn), len(self.scene.rows))
        return Story(text, steps, first, title, told, *sizes, self.scene.picture)

    def _regions(self) -> GrowthRegions:
        plane, form = self.scene.plane, self.scene.form
        features, bands = tuple(plane.features), None
        if plane.is_banded:
            features, bands = plane.numeric_in(form), plane.bands_in(form)
        return growth_regions(
            self.scene.model,
            self.scene.X,
            self.scene.y,
            self.scene.bounds,
            features,
            plane.at_in(form),
            MOST_STEPS,
            bands,
        )

    def _steps(self, found: GrowthRegions) -> tuple[Step, ...]:
        prediction = self.scene.tree.prediction.copy()
        raised = {r.event: r for r in found.raised}
        steps = [root_step(self.scene.model, self.scene.names)]
        for event in range(min(len(self.scene.model.growth_log_), MOST_STEPS)):
            if event in raised:
                prediction[raised[event].position] = raised[event].prediction
            node = int(self.scene.model.growth_log_.node[event])
            steps.append(step_of(self.scene.model, event, self.scene.names, int(prediction[node])))
        return (*steps, finished(self.scene.model, self._accuracy()))

    def _accuracy(self) -> tuple[float | None, float | None]:
        divided = cache.division(self.scene.selection)
        n_classes = self.scene.dataset.n_classes
        found = []
        for rows in (divided.train_rows, divided.held_out_rows):
            predicted = self.scene.model.tree_.predict(divided.values[rows])
            part = scores(divided.y[rows], predicted, n_classes)
            found.append(part.accuracy if part.n_samples else None)
        return found[0], found[1]

    def _parts(self, found: GrowthRegions | None) -> dict[str, object]:
        log, tree = self.scene.model.growth_log_, self.scene.tree
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
            "tree": _tree_parts(tree, self.scene.curved, self.scene.names),
            "area": {str(n): span for n, span in areas.items()},
            "line": {str(n): span for n, span in lines.items()},
            "raised": raised,
            "n_classes": tree.value.shape[1],
            "names": list(self.scene.names),
            "colours": self._colours(),
            "picture": self.scene.picture,
            "curved": self.scene.curved,
            "labels": self.scene.y[self.scene.drawn].tolist(),
        }

    def _colours(self) -> dict[str, object]:
        theme, k = THEMES[self.scene.theme], range(self.scene.tree.value.shape[1])
        plain = ("ink", "paper", "grey1", "grey2", "grey3", "grey5", "grey7")
        return {name: getattr(theme, name) for name in plain} | {
            "hue": [theme.hue(c) for c in k],
            "ribbon": [theme.ribbon(c) for c in k],
            "free": [mix(theme.hue(c), theme.paper, 0.75) for c in k],
            "symbol": [symbol(c) for c in k],
        }

    def _figure(self) -> go.Figure:
        if self.scene.picture == "values":
            word = t("f")
            return growth_values_plot(
                self.scene.names, theme=self.scene.theme, word=word, least=HEIGHT - 200
            )
        plane, columns = self.scene.plane, cache.division(self.scene.selection).X.columns
        across, up = (columns[f] for f in plane.features)
        points = Points.plain(
            plane.x[self.scene.rows][self.scene.drawn],
            plane.y[self.scene.rows][self.scene.drawn],
            self.scene.y[self.scene.drawn],
            self.scene.rows[self.scene.drawn] + 1,
        )
        points = replace(points, said=plane.said(self.scene.rows[self.scene.drawn]))
        return growth_plot(
            points,
            theme=self.scene.theme,
            features=(across, "" if across == up else up),
            class_names=self.scene.names,
            curved=self.scene.curved,
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
            self.scene.names,
            self.scene.theme,
            curved=self.scene.curved,
            picture=self.scene.picture,
            lost=lost,
        )


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
