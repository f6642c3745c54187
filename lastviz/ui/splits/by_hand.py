"""The split of a node as a reader forces it: a candidate, a place, a line drawn over the rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from lastviz.latent import LatentBasis
from lastviz.plots import THEMES, Drawing
from lastviz.splitters import AnySplit
from lastviz.splitters.drawn_lines import along
from lastviz.splitters.edits import ForcedSplit, ObliqueSplit, Split
from lastviz.ui.compute.edit_effects import path_of_node
from lastviz.ui.shared.edits import make
from lastviz.ui.text import t

from .node import NodeView
from .scene import FLAT, SplitScene, along_axes


def split_here(
    at: NodeView, split_of: Callable[[], AnySplit], *, label: str = "", key: str = "split_here"
) -> None:
    """Draw the button that splits the node as the reader picked it."""
    st.button(
        label or t("Split here"),
        key=key,
        icon=":material/call_split:",
        help=t("The node is split like this instead, and its subtree is grown again."),
        on_click=lambda: force(at, split_of()),
    )


def force(at: NodeView, split: AnySplit) -> None:
    """Split the node so from now on: an edit of its model; for callbacks."""
    make(at.selection, 0, ForcedSplit(path_of_node(at.selection, 0, at.node), split))


def threshold_here(scene: SplitScene, candidate: int) -> AnySplit:
    """Return a candidate as the split that an edit forces."""
    feature = int(scene.table.feature[candidate])
    if scene.basis is None:
        return Split(feature, float(scene.table.threshold[candidate]), 0.0)
    weights, threshold = scene.hyperplane(candidate)
    return ObliqueSplit(weights, threshold, 0.0)


def line_drawn(scene: SplitScene, axes: tuple[int, int], line: dict) -> None:
    """Split the node along a line of the plane of two axes."""
    path = path_of_node(scene.at.selection, 0, scene.at.node)
    split = in_features(scene, along(line, axes, path).split)
    make(scene.at.selection, 0, ForcedSplit(path, split))


def in_features(scene: SplitScene, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
    """Return a split of the axes as one of the features: of components it is a hyperplane."""
    if scene.basis is None:
        return split
    weights = np.zeros(len(scene.axis_names))
    if isinstance(split, Split):
        weights[split.feature] = 1.0
    else:
        weights[: len(split.weights)] = split.weights
    threshold = split.threshold + float(weights @ scene.basis.origin)
    return ObliqueSplit(scene.basis.directions @ weights, threshold, 0.0)


def draw_forced(
    figure: Drawing,
    at: NodeView,
    axes: tuple[int, int],
    basis: LatentBasis | None = None,
    *,
    is_named: bool = True,
) -> None:
    """Draw the forced split of the node into the plane of two axes, where it is a line there."""
    found = None if at.forced is None else _line_in_plane(at, axes, basis)
    if found is None:
        return
    (a, b), threshold = found
    xaxis, yaxis = (figure.settings[name]["range"] for name in ("xaxis", "yaxis"))
    line = {"color": THEMES[at.theme].accent, "width": 3, "dash": "dash"}
    shape = {"type": "line", "name": "forced", "line": line, "xref": "x", "yref": "y"}
    if b == 0.0:
        places = {"x0": threshold / a, "x1": threshold / a, "y0": yaxis[0], "y1": yaxis[1]}
    else:
        places = {"x0": xaxis[0], "x1": xaxis[1]}
        places |= {f"y{end}": (threshold - a * xaxis[end]) / b for end in (0, 1)}
    figure.settings["shapes"] = [*figure.settings["shapes"], shape | places]
    if not is_named:
        return
    place = {"xref": "x domain", "yref": "y domain", "x": 0, "y": 1, "xanchor": "left"}
    font = {"color": line["color"], "size": 14}
    text = {
        "text": t("forced by hand"),
        "font": font,
        "showarrow": False,
        "yanchor": "bottom",
        "yshift": 4,
    }
    figure.settings["annotations"] = [*figure.settings["annotations"], place | text]


def _line_in_plane(
    at: NodeView, axes: tuple[int, int], basis: LatentBasis | None
) -> tuple[tuple[float, float], float] | None:
    """Return (a, b) and c of a x + b y = c, None where the split is no line of the plane."""
    along, two = along_axes(at, basis), list(dict.fromkeys(axes))
    outside = np.abs(np.delete(along, two)) if len(along) else np.ones(1)
    if outside.max(initial=0.0) > FLAT * np.abs(along).max(initial=0.0):
        return None
    threshold = at.stored.threshold
    if basis is not None:
        threshold -= float(along @ basis.origin)
    a, b = (*along[two].tolist(), 0.0)[:2]
    return ((a, b), threshold) if a or b else None
