"""From marks to a plotly Figure: panels, stacked on each other, with the common settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .drawing import Drawing, first_day, labels_width, with_ticks
from .marks import Bounds, segments
from .theme import THEMES, Size, Theme, ThemeName, template
from .words import feature_html, shorten_name, text_width

Hit = dict[str, object]

_TICK = 12  # pixels between a label of the upright axis and the plane, and before it
_SHORT = 3  # letters of a name that fits beside the end of its axis


@dataclass(frozen=True)
class Margin:
    """Room around the panels, in pixels."""

    left: int = 48
    right: int = 4
    top: int = 4
    bottom: int = 30

    def over(self) -> Margin:
        """Margins of a stack whose lowest panel has no labels below it."""
        return replace(self, bottom=0)


@dataclass(frozen=True)
class Panel:
    """Content of one pair of axes.

    Traces and hits get their axes when panels are stacked.
    """

    traces: list[dict]  # from below to above
    xaxis: dict  # settings on top of the template's
    yaxis: dict  # settings on top of the template's
    # annotations, shapes: with `xref` and `yref` left out (data) or "domain"
    annotations: list[dict] = field(default_factory=list)
    shapes: list[dict] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)  # list of dict, see `hit`
    # Where the nodes of its tree lie, see `.flow_traces.node_places`.
    flow: dict[str, object] | None = None


def hit(node: int, xy: list[list[float]], text: str) -> Hit:
    """Area that answers hover (`text`) and click (`node`): a polygon in data units."""
    return {"node": int(node), "xy": xy, "text": text}


def hits(nodes: np.ndarray, corners: np.ndarray, texts: Sequence[str]) -> list[Hit]:
    """:func:`hit` for each of many nodes; `corners` has the shape (n, n_corners, 2)."""
    areas = zip(nodes.tolist(), corners.tolist(), texts, strict=True)
    return [{"node": node, "xy": xy, "text": text} for node, xy, text in areas]


def compose(
    panels: Sequence[Panel],
    heights: Sequence[float],
    *,
    theme: ThemeName,
    margin: Margin,
    gap: float = 0.0,
) -> Drawing:
    """Stack `panels` from top to bottom into one figure.

    `heights` are in pixels, without margins.

    ``layout.meta["hits"]`` lists the areas that answer hover and click, each with the axes
    ("x" and "y", "x2" and "y2", ...) that its corners refer to; ``layout.meta["flows"]`` says by
    the horizontal axis where trees draw their nodes. A plot may say in ``layout.meta["least"]``
    below how many pixels of width it is to be scrolled instead of drawn narrower.
    """
    inner = sum(heights) + gap * (len(panels) - 1)
    layout = frame(theme, inner, margin)
    traces: list[dict] = []
    top = inner
    for i, (panel, height) in enumerate(zip(panels, heights, strict=True)):
        tail = "" if i == 0 else str(i + 1)
        x, y = "x" + tail, "y" + tail
        domain = [max(0.0, (top - height) / inner), top / inner]
        layout["xaxis" + tail] = {"anchor": y, **panel.xaxis}
        layout["yaxis" + tail] = {"anchor": x, "domain": domain, **panel.yaxis}
        traces += [{**trace, "xaxis": x, "yaxis": y} for trace in panel.traces]
        for kind in ("annotations", "shapes"):
            layout[kind] += [_placed(item, x, y) for item in getattr(panel, kind)]
        layout["meta"]["hits"] += [{"xaxis": x, "yaxis": y, **area} for area in panel.hits]
        if panel.flow is not None:
            layout["meta"].setdefault("flows", {})[x] = panel.flow
        top -= height + gap
    return Drawing(traces, layout)


def with_room(margin: Margin, upright: dict) -> Margin:
    """Margins with room for the ticks of an upright axis."""
    return replace(margin, left=max(margin.left, round(labels_width(upright)) + _TICK))


def frame(theme: ThemeName, inner_height: float, margin: Margin) -> dict:
    """Layout that all figures share, `inner_height` pixels between the margins."""
    return {
        "template": template(theme),
        "height": round(inner_height + margin.top + margin.bottom),
        "margin": {"l": margin.left, "r": margin.right, "t": margin.top, "b": margin.bottom},
        "uirevision": "lastviz",
        "showlegend": False,
        "annotations": [],
        "shapes": [],
        "meta": {"hits": []},
    }


def add_small_plane(
    layout: dict, tail: str, view: Bounds, across: list[float], up: list[float], edge: dict
) -> None:
    """Place a framed plane without ticks; `across` and `up` are shares of the figure."""
    axis = {"showticklabels": False, "ticks": "", "showline": True, "mirror": True,
            "fixedrange": True, **edge}  # fmt: skip
    layout["xaxis" + tail] = axis | {
        "range": list(view[:2]), "domain": across, "anchor": "y" + tail
    }  # fmt: skip
    layout["yaxis" + tail] = axis | {"range": list(view[2:]), "domain": up, "anchor": "x" + tail}


def title_above(text: str, tail: str, theme: Theme, shift: int) -> dict:
    """Text above one of many panels, at its left end."""
    return {
        "text": text, "showarrow": False, "font": {"size": Size.tick, "color": theme.grey7},
        "xref": f"x{tail} domain", "x": 0, "xanchor": "left",
        "yref": f"y{tail} domain", "y": 1, "yanchor": "bottom", "yshift": shift,
    }  # fmt: skip


def _placed(item: dict, x: str, y: str) -> dict:
    refs = {}
    for ref, axis in (("xref", x), ("yref", y)):
        refs[ref] = f"{axis} domain" if item.get(ref) == "domain" else axis
    return {**item, **refs}


def plane_axes(
    view: Bounds,
    names: tuple[str, str],
    units: tuple[str, str] = ("", ""),
    *,
    equal: bool = False,
) -> tuple[dict, dict]:
    """Settings of two axes that show `view`, in equal units if both are of one kind.

    A vertical axis without a name means nothing: it is not drawn and does not zoom.
    """
    x_axis = with_ticks({"range": [view[0], view[1]]}, units[0])
    y_axis = with_ticks({"range": [view[2], view[3]]}, units[1])
    if not names[1]:
        y_axis |= {"visible": False, "fixedrange": True}
    elif equal:
        y_axis |= {"scaleanchor": "x", "scaleratio": 1}
    return x_axis, y_axis


def _is_short(name: str, unit: str) -> bool:
    bare = name.replace("_", "")
    return bare == shorten_name(bare, _SHORT) and (not unit or first_day(unit) is not None)


def plane_margin(
    names: tuple[str, str], units: tuple[str, str] = ("", ""), upright: dict | None = None
) -> Margin:
    """Margins that hold the ticks, and the names of :func:`axis_names`."""
    short = _is_short(names[0], units[0])
    right = max(28, round(text_width(feature_html(names[0]), Size.axis)) + 12) if short else 4
    margin = Margin(right=right, top=26, bottom=30 if short else 50)
    return margin if upright is None else with_room(margin, upright)


def axis_names(
    names: tuple[str, str], units: tuple[str, str] = ("", ""), *, theme_grey: str, lift: int = 0
) -> list[dict]:
    """Names of the axes, horizontal, at the ends of the axes, clear of the ticks.

    A short name (x1) continues the line of ticks; a long one has its own line. The name of the
    upright axis stands `lift` pixels higher where a tick may lie at its very end.
    """
    across = {"xref": "domain", "yref": "domain", "name": "x name", "x": 1, "y": 0}
    if _is_short(names[0], units[0]):
        across |= {"xanchor": "left", "yanchor": "top", "xshift": 8, "yshift": -2}
    else:
        across |= {"xanchor": "right", "yanchor": "top", "yshift": -22}
    up = {"xref": "domain", "yref": "domain", "name": "y name", "x": 0, "y": 1}
    if _is_short(names[1], units[1]):
        up |= {"xanchor": "right", "yanchor": "bottom", "xshift": -2, "yshift": lift - 1}
    else:
        up |= {"xanchor": "left", "yanchor": "bottom", "xshift": -48, "yshift": lift - 1}
    font = {"size": Size.axis, "color": theme_grey}
    return [
        {**place, "text": _with_unit(name, unit), "showarrow": False, "font": font}
        for place, name, unit in zip((across, up), names, units, strict=True)
        if name
    ]


def plane_figure(
    traces: list[dict],
    view: Bounds,
    names: tuple[str, str],
    units: tuple[str, str],
    *,
    theme: ThemeName,
    height: int,
    equal: bool,
    notes: Sequence[dict] = (),
    hits: Sequence[Hit] = (),
) -> Drawing:
    """One plane of two features, `height` pixels with the names of its axes."""
    x_axis, y_axis = plane_axes(view, names, units, equal=equal)
    labels = axis_names(names, units, theme_grey=THEMES[theme].grey7)
    panel = Panel(traces, x_axis, y_axis, [*labels, *notes], hits=list(hits))
    margin = plane_margin(names, units, y_axis)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _with_unit(name: str, unit: str) -> str:
    text = feature_html(name)
    return f"{text} ({feature_html(unit)})" if unit and first_day(unit) is None else text


# ---- The steps of a tree over one feature


def step_traces(
    start: np.ndarray,
    end: np.ndarray,
    value: np.ndarray,
    theme: Theme,
    selected: np.ndarray | None = None,
) -> list[dict]:
    """Steps of a tree's prediction over one feature, and grey lines between them.

    Parameters
    ----------
    start, end, value : ndarray, shape (n,)
        Of each step, in rising order.
    selected : ndarray of bool, shape (n,), or None
        Steps in the accent colour, none if not given.
    """
    flat = np.column_stack([start, value, end, value])
    jumps = np.column_stack([end, value, end, np.roll(value, -1)])[:-1]
    chosen = np.zeros(len(value), dtype=bool) if selected is None else selected
    traces = [
        segments(jumps, theme.grey3, Size.split, role="jump", name="thresholds"),
        segments(flat[~chosen], theme.ink, Size.chosen, role="step", name="prediction"),
    ]
    if selected is not None:
        own = {"role": "selected", "name": "selected"}
        traces.append(segments(flat[chosen], theme.accent, Size.chosen, **own))
    return traces
