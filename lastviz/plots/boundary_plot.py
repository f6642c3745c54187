"""Decision boundaries of a tree: regions in a plane, splits, samples, misclassified samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastviz.inspection import Certainty, Regions
from lastviz.plots.visuals.flow_traces import Outline
from lastviz.plots.visuals.marks import Bounds, Points, point_traces
from lastviz.plots.visuals.panel import (
    Hit,
    Panel,
    axis_names,
    compose,
    hit,
    plane_axes,
    plane_margin,
)
from lastviz.plots.visuals.plane import NodeSelection, select
from lastviz.plots.visuals.plane_axes import (
    AxisBands,
    band_shapes,
    banded_margin,
    banded_names,
    with_bands,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName, mix
from lastviz.plots.visuals.words import FigureWords, class_names_of
from lastviz.tree import Tree

from .flow_tree_plot import flow_tree_panel
from .visuals import marks
from .visuals.drawing import Drawing

WIDTH = 440  # pixels of the horizontal axis where nobody says
LEVELS = 20  # degrees of certainty that have a tint of their own
PALE = 0.4  # share of its tint that a region keeps while another node is selected


def boundary_plot(
    regions: Regions,
    tree: Tree,
    points: Points,
    *,
    theme: ThemeName,
    selected: int | None = None,
    depth: int | None = None,
    class_names: Sequence[str] | None = None,
    height: int = 420,
    sample: tuple[float, float] | None = None,
    equal: bool = False,
    view: Bounds | None = None,
    units: tuple[str, str] = ("", ""),
    hover: Mapping[int, str] | None = None,
    words: FigureWords | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
    certainty: Certainty | None = None,
) -> Drawing:
    """Draw regions, splits and rows in the plane of `regions`.

    Parameters
    ----------
    regions : Regions
        Of `tree`; its bounds may reach beyond `view`, then zooming out shows more of it.
    points : Points
        The rows, in the features of `regions`.
    selected : int or None
        A node: its split is drawn in ink, or its region framed where no split crosses the
        plane; the regions of other nodes fade.
    depth : int or None
        Cut the tree there; a selected node below is replaced by its ancestor there.
    class_names : sequence of str or None
        The tree's own classes if None.
    height : int
        Of the whole figure, in pixels.
    sample : (float, float) or None
        A chosen place, marked by a dot.
    equal : bool
        Whether both features are of one kind, so that one unit is as long on both axes.
    view : (x_min, x_max, y_min, y_max) or None
        What is shown at first; the bounds of `regions` if None.
    units : (str, str)
        Units of the features, empty if they have none.
    hover : mapping from node to html, or None
        What ``layout.meta["hits"]`` says about a region.
    words : Words or None
        Words for hover texts; English if None.
    bands : (AxisBands or None, AxisBands or None)
        Of axes with categories or missing values.
    certainty : Certainty or None
        Of the nodes of `tree`: the tint of a region says how sure the tree is there, and regions
        of few rows are hatched; None: one tint a class.
    """
    panel = boundary_panel(
        regions,
        tree,
        points,
        theme=theme,
        selection=select(tree, selected, depth),
        class_names=class_names,
        sample=sample,
        equal=equal,
        view=view,
        units=units,
        hover=hover,
        words=words,
        bands=bands,
        certainty=certainty,
    )
    margin = banded_margin(plane_margin(axis_features(regions), units, panel.yaxis), bands)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def boundary_panel(
    regions: Regions,
    tree: Tree,
    points: Points,
    *,
    theme: ThemeName,
    selection: NodeSelection,
    class_names: Sequence[str] | None,
    sample: tuple[float, float] | None,
    equal: bool,
    view: Bounds | None,
    units: tuple[str, str],
    hover: Mapping[int, str] | None,
    words: FigureWords | None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
    width: float = WIDTH,
    certainty: Certainty | None = None,
) -> Panel:
    """Panel of :func:`boundary_plot`."""
    colours = THEMES[theme]
    names = class_names_of(tree, class_names)
    visible = regions.visible(selection.depth)
    if certainty is None:
        traces = _region_traces(regions, visible, selection, names, colours)
    else:
        traces = _certainty_traces(regions, visible, selection, names, colours, certainty)
    traces += _split_traces(regions, selection, colours)
    axes = axis_features(regions)
    traces += point_traces(points, names, axes, colours, units=units, words=words)
    if sample is not None:
        place = np.array([sample], dtype=np.float64)
        traces.append(marks.dots(place, colours, role="sample", name="sample"))
    settings = plane_axes(view or regions.bounds, axes, units, equal=equal)
    x_axis, y_axis = with_bands(settings, bands, width)
    return Panel(
        traces=traces,
        xaxis=x_axis,
        yaxis=y_axis,
        annotations=banded_names(axis_names(axes, units, theme_grey=colours.grey7), bands),
        shapes=band_shapes(bands, colours),
        hits=_hits(regions, visible, hover or {}),
    )


def axis_features(regions: Regions) -> tuple[str, str]:
    """Features on the axes; one feature over a dummy axis has no second name."""
    across, up = regions.features
    return regions.feature_names if across != up else (regions.feature_names[0], "")


def _region_traces(
    regions: Regions,
    visible: np.ndarray,
    selection: NodeSelection,
    names: Sequence[str],
    theme: Theme,
) -> list[dict]:
    faded = ~selection.inside[regions.node[visible]]
    label = regions.prediction[visible]
    traces = []
    for index in np.unique(label):
        for state, pale in (("faded", True), ("full", False)):
            which = visible[(label == index) & (faded == pale)]
            if len(which):
                xy = marks.join_polygons(regions.vertices, regions.offset, which)
                meta = {"class": int(index), "state": state}
                colour = theme.region(int(index), faded=pale)
                name = names[index]
                traces.append(marks.polygons(xy, colour, role="region", name=name, **meta))
    return traces


def _certainty_traces(
    regions: Regions,
    visible: np.ndarray,
    selection: NodeSelection,
    names: Sequence[str],
    theme: Theme,
    certainty: Certainty,
) -> list[dict]:
    """Regions by class and degree of certainty, hatched where rows are few."""
    node, label = regions.node[visible], regions.prediction[visible]
    level = np.round(certainty.degree[node] * LEVELS).astype(np.intp)
    faded, few = ~selection.inside[node], certainty.few[node]
    kinds = np.stack([label, level, few, faded], axis=1)
    traces = []
    for index, degree, hatched, pale in np.unique(kinds, axis=0).tolist():
        which = visible[(kinds == (index, degree, hatched, pale)).all(axis=1)]
        colour = theme.certain(index, degree / LEVELS)
        if pale:
            colour = mix(colour, theme.paper, PALE)
        xy = marks.join_polygons(regions.vertices, regions.offset, which)
        meta = {"class": index, "state": "faded" if pale else "full", "degree": degree / LEVELS}
        hatch = theme.grey3 if hatched else None
        traces.append(
            marks.polygons(xy, colour, role="region", name=names[index], hatch=hatch, **meta)
        )
    return traces


def _split_traces(regions: Regions, selection: NodeSelection, theme: Theme) -> list[dict]:
    shown = ~regions.leaf
    if selection.depth is not None:
        shown &= regions.depth < selection.depth
    chosen = regions.node == (-1 if selection.node is None else selection.node)
    on_path = np.isin(regions.node, selection.path) & ~chosen
    others = _lines(regions, shown & ~on_path & ~chosen)
    stronger = _lines(regions, shown & on_path)
    traces = [marks.segments(others, theme.grey3, Size.split, role="split", name="split")]
    if len(stronger):
        width, role = Size.split_path, "split_path"
        traces.append(marks.segments(stronger, theme.grey5, width, role=role, name="path"))
    lines = marks.join_segments(_lines(regions, shown & chosen))[:-1]
    if len(lines):
        width, role = Size.chosen, "chosen_split"
        ink = marks.line(lines, theme.ink, width, role=role, name="selected split")
        return [*traces, marks.halo(lines, theme), ink]
    for i in np.flatnonzero(chosen):
        if regions.node[i] != 0:
            polygon, role = regions.polygon(i), "chosen_region"
            traces.append(marks.outline(polygon, theme, role=role, name="selected node"))
    return traces


def _lines(regions: Regions, which: np.ndarray) -> np.ndarray:
    """Straight and curved splits of the rows `which` (a mask) as segments (n, 4)."""
    straight = regions.segment[which]
    straight = straight[np.isfinite(straight).all(axis=1)]
    return np.concatenate([straight, regions.curve[which[regions.curve_row]]])


def _hits(regions: Regions, visible: np.ndarray, hover: Mapping[int, str]) -> list[Hit]:
    """One area a visible region."""
    corners = regions.vertices.tolist()
    nodes = regions.node[visible].tolist()
    return [
        hit(node, corners[regions.offset[i] : regions.offset[i + 1]], hover.get(node, ""))
        for i, node in zip(visible.tolist(), nodes, strict=True)
    ]


# ---- One figure for one model: where it draws its lines, and below it the tree that draws them


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
    words: FigureWords | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
    certainty: Certainty | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw :func:`boundary_plot` above :func:`flow_tree_plot`, sharing one selection.

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
