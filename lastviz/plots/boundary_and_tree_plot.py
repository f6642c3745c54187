"""One figure for one model: where it draws its lines, and below it the tree that draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lastviz.inspection import Certainty, Regions
from lastviz.plots.visuals.bands import AxisBands, banded_margin
from lastviz.plots.visuals.flow_traces import Outline
from lastviz.plots.visuals.node_selection import select
from lastviz.plots.visuals.panel import compose, plane_margin
from lastviz.plots.visuals.points import Bounds, Points
from lastviz.plots.visuals.theme import ThemeName
from lastviz.plots.visuals.words import Words
from lastviz.tree import Tree

from .boundary_plot import axis_features, boundary_panel
from .flow_tree_plot import flow_tree_panel
from .visuals.drawing import Drawing


def boundary_and_tree_plot(
    regions: Regions,
    tree: Tree,
    points: Points,
    *,
    theme: ThemeName,
    selected: int | None = None,
    path: Sequence[int] | None = None,
    depth: int | None = None,
    class_names: Sequence[str] | None = None,
    height: int = 420,
    tree_height: int = 150,
    width_hint: int = 520,
    sample: tuple[float, float] | None = None,
    equal: bool = False,
    view: Bounds | None = None,
    units: tuple[str, str] = ("", ""),
    texts: Mapping[int, str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: Words | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
    certainty: Certainty | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw :func:`boundary_plot` above :func:`flow_tree_plot`, with one selection for both.

    The plane lies on the axes x and y, `height` pixels high with its labels; the tree on x2
    and y2, which do not zoom, `tree_height` pixels high. All other parameters are those of the
    two functions.
    """
    selection = select(tree, selected, depth)
    plane = boundary_panel(
        regions,
        tree,
        points,
        theme=theme,
        selection=selection,
        class_names=class_names,
        sample=sample,
        equal=equal,
        view=view,
        units=units,
        hover=hover,
        words=words,
        bands=bands,
        width=width_hint - 52,
        certainty=certainty,
    )
    margin = banded_margin(plane_margin(axis_features(regions), units, plane.yaxis), bands)
    flow = flow_tree_panel(
        tree,
        theme=theme,
        selection=selection,
        path=path,
        size=(width_hint - margin.left - margin.right, tree_height),
        texts=texts,
        class_names=class_names,
        hover=hover,
        words=words,
        outlined=outlined,
    )
    heights = [height - margin.top - margin.bottom, tree_height]
    return compose([plane, flow], heights, theme=theme, margin=margin.over(), gap=margin.bottom)
