"""The widget itself: its display, and the effects of a click, a line and a button."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

import anywidget
import numpy as np
import plotly
import traitlets
from IPython.display import display
from sklearn.base import BaseEstimator

from lastviz.displays import BoundaryDisplay
from lastviz.displays.display import picture_html, standing_alone, usual_theme
from lastviz.displays.model import FORM, unwrap
from lastviz.estimators import what_if
from lastviz.plots import THEMES, figure_json, number
from lastviz.plots.visuals.svg import svg_of
from lastviz.plots.visuals.words import nodes_html
from lastviz.splitters.edits import Cut, Edit, along, path_of, unpruned_node
from lastviz.splitters.edits import Path as NodePath
from lastviz.ui.components.chart_code import CSS, HTML, PARTS, chart_code, code_of, words_of_chart

HERE = Path(__file__).parent
# A notebook has keys of its own, and the kernel brings plotly.js.
NOT_HERE = ("skip.js", "library.js")
PICTURE_OF = "data-lastviz-widget"
"""Attribute of the static picture of a widget, which makes room for it."""
STYLE = {
    "text-color": "ink",
    "background-color": "paper",
    "secondary-background-color": "side",
    "border-color": "grey2",
    "gray-text-color": "grey7",
    "primary-color": "accent",
}
"""What Streamlit calls the colours of its theme, and what ours are called."""


def _code() -> str:
    """JavaScript module for notebooks: the chart host and the widget's own code."""
    host = chart_code("dark.js", *(part for part in PARTS if part not in NOT_HERE))
    host = host.replace("export default function (", "function chart(")
    own = (HERE / "tree_widget.js").read_text(encoding="utf-8")
    return own.replace('"{{html}}"', json.dumps(HTML)) + host


def _style() -> str:
    """Style of the chart host, with the colours that Streamlit gives it on pages."""
    named = {
        theme: "".join(f"--st-{name}: {getattr(look, ours)}; " for name, ours in STYLE.items())
        for theme, look in THEMES.items()
    }
    looks = "\n".join(f".lv-notebook.lv-{theme} {{ {names}}}" for theme, names in named.items())
    return "\n".join((looks, code_of(*CSS), (HERE / "tree_widget.css").read_text(encoding="utf-8")))


@cache
def _library() -> bytes:
    """Compressed plotly.js of the installed package."""
    file = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return gzip.compress(file.read_bytes(), compresslevel=6, mtime=0)


class TreeWidget(anywidget.AnyWidget):
    """A tree with its regions, to click and to edit by hand.

    Create it with :func:`.widget`.

    Attributes
    ----------
    node : int
        The selected node; 0, the root, frames none. Can be set, and observed.
    rows : ndarray of intp
        The rows of `X` that come to it, rising. Can be observed.
    estimator : estimator
        The model as it was given, or as changed by hand. Can be observed.
    edits : tuple of Edit
        What it was changed by, the last one last.
    """

    _esm = _code()
    _css = _style()

    node = traitlets.Int(0).tag(sync=True)
    rows = traitlets.Any(read_only=True)
    estimator = traitlets.Any(read_only=True)
    _figure = traitlets.Unicode().tag(sync=True)
    _bar = traitlets.Dict().tag(sync=True)

    def __init__(self, estimator: BaseEstimator, X: object, y: object, **options: object) -> None:
        super().__init__()
        self._given, self._X, names = unwrap(estimator, X)
        self._y, estimator = y, self._given
        made = {} if names is None or hasattr(estimator, "feature_names_in_") else names
        self._options = {"show_tree": True, **({"feature_names": made} if made else {}), **options}
        self._display = self._shown(estimator)
        self.edits: tuple[Edit, ...] = tuple(getattr(self._display.model.estimator, "edits_", ()))
        self._before: list[tuple[Edit, ...]] = []
        self._theme = (
            self._options.get("theme") or usual_theme()
        )  # which the page says if nobody does
        self.set_trait("estimator", estimator)
        self._draw()
        self.on_msg(self._take)

    def edit(self, *edits: Edit) -> None:
        """Change the tree by hand; see :func:`lastviz.what_if`.

        Parameters
        ----------
        *edits : Edit
            In place of those that were made before at the same nodes.

        Raises
        ------
        ValueError
            If an edit cannot be made; the tree stays as it is.
        """
        paths, before = {edit.path for edit in edits}, self.edits
        self._grow((*(edit for edit in before if edit.path not in paths), *edits))
        self._before.append(before)
        self._draw()

    def undo(self) -> None:
        """Take the last edit back, if there is one."""
        if self._before:
            self._grow(self._before.pop())
            self._draw()

    def __repr__(self) -> str:
        """Text with the model and the number of rows shown."""
        return repr(self._display).replace(type(self._display).__name__, type(self).__name__)

    def _ipython_display_(self) -> None:
        """Show the widget and, where there is no kernel, its picture: readers take either."""
        shown = self._repr_mimebundle_()
        data, about = shown if isinstance(shown, tuple) else (shown, {})
        display(data, metadata=about, raw=True)
        svg = svg_of(
            self._display.plot(theme=self._theme, height=self._options.get("height")).figure_
        )
        picture = picture_html(svg, repr(self)[1:-1], **{PICTURE_OF: self.model_id})
        display({"image/svg+xml": svg, "text/html": picture, "text/plain": ""}, raw=True)

    def _grow(self, edits: tuple[Edit, ...]) -> None:
        model = self._display.model
        if not model.is_ours:
            raise ValueError(
                "only a tree that was grown by lastviz can be changed by hand; fit CARTClassifier "
                "or another of its algorithms"
            )
        tree = self._options.get("tree") or 0
        changed = what_if(self._given, self._X, self._y, edits, tree=tree)
        key = model.tree.key[self.node]
        self._display, self.edits = self._shown(changed), edits
        same_node = np.flatnonzero(self._display.model.tree.key == key)
        self.set_trait("estimator", changed)
        self.set_trait("node", int(same_node[0]) if len(same_node) else 0)

    def _shown(self, estimator: BaseEstimator) -> BoundaryDisplay:
        display = BoundaryDisplay.from_estimator(
            estimator, self._X, self._y, node=0, **self._options
        )
        if display.model.is_ensemble:
            raise ValueError(
                "lastviz.widget shows one tree whose nodes decide by themselves; of a forest name "
                "one in tree"
            )
        return display

    @traitlets.validate("node")
    def _is_node(self, proposal: dict) -> int:
        self._display.model.check_node(proposal["value"])
        return proposal["value"]

    @traitlets.observe("node")
    def _draw(self, change: object = None, refusal: str = "") -> None:
        """Draw the tree in its current state, the selected node framed.

        `refusal` is the reason why an action failed.
        """
        self._display.node = self.node
        model, theme = self._display.model, self._theme
        tree = model.tree
        row, leaf, _ = tree.leaf_weights(model.values)
        self.set_trait("rows", np.unique(row[np.isin(leaf, tree.subtree(self.node))]))
        hover = {}
        if not model.is_regression:
            hover = dict(enumerate(nodes_html(tree, range(tree.n_nodes), model.class_names)))
        drawing = self._display.drawing(theme, self._options.get("height"), hover)
        alone = standing_alone(drawing, theme, model.class_names)
        name = type(model.given).__name__
        options = {
            "key": self.model_id,
            "height": alone.height,
            "alt": f"Regions of a {name} with {tree.n_leaves} leaves, and its tree",
            "filename": "tree",
            "group": None,
            "clickable": True,
            "drawable": model.is_ours and self._axes() is not None,
            "words": {"scene": "", **words_of_chart(lambda text, **values: text.format(**values))},
            "note": "",
            "about": name,
        }
        self._figure = json.dumps(options)[:-1] + f', "figure": {figure_json(alone)}}}'
        rows = f"{number(len(self.rows))} of {number(len(model.values))} rows"
        sliced = self._display.slice_words()
        rows += f". {sliced}" if sliced else ""
        self._bar = {
            "theme": theme,
            "picture": f'[{PICTURE_OF}="{self.model_id}"]',
            "said": refusal or f"Node {self.node}: {rows}",
            "cut": model.is_ours and not tree.is_leaf(self.node),
            "undo": len(self._before) > 0,
        }

    def _axes(self) -> tuple[int, int] | None:
        """Features between which a drawn line is a split, None if it is none."""
        curved = len(self._display.model.tree.kernel) > 0
        return None if curved else self._display.plane.lines_in(FORM)

    def _path(self) -> NodePath:
        """Path of the selected node in the tree before it was pruned."""
        model = self._display.model.estimator
        return path_of(model.grown_tree_, unpruned_node(model.tree_, model.grown_tree_, self.node))

    def _take(self, _: object, message: dict, __: object) -> None:
        """Carry out a user action; show a refusal below the figure."""
        try:
            if "library" in message:
                self.send({"library": True}, [_library()])
            elif message.get("theme") in THEMES and not self._options.get("theme"):
                self._theme = message["theme"]
                self._draw()
            elif "click" in message:
                self._pick(message["click"])
            elif "line" in message:
                self.edit(along(message["line"], self._axes(), self._path()))
            elif "cut" in message:
                self.edit(Cut(self._path()))
            elif "undo" in message:
                self.undo()
        except ValueError as reason:
            self._draw(refusal=str(reason))

    def _pick(self, click: dict) -> None:
        """Select the node of an area, or the leaf of a row.

        Picking the selected node again deselects it.
        """
        node, model = click["node"], self._display.model
        if click["row"] is not None and click["axis"] == "x":
            node = int(model.tree.apply(model.values[[int(click["row"]) - 1]])[0])
        if node is not None:
            self.node = 0 if node == self.node else int(node)
