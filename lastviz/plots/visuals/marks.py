"""The marks of all figures: small functions from arrays to plotly traces (plain dicts).

A trace says what it is in ``meta["role"]`` and is named by its class or its role. Many
shapes of one colour are one trace, parted by NaN, since each trace costs the browser more
than the points in it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .theme import Size, Theme, point_size, symbol
from .words import FigureWords, feature_html, hover_format

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Points:
    """Rows in a plane, as parallel arrays of length n."""

    # x, y: ndarray of float32 or float64. Places. float32 halves what is sent; keep float64 where
    # values are large and close.
    x: np.ndarray
    y: np.ndarray
    label: np.ndarray  # intp, class index
    held_out: np.ndarray  # bool, whether the row was kept from training
    wrong: np.ndarray  # bool, whether the model misclassifies it
    row: np.ndarray  # intp, row of the data set
    # What the pointer reads of the rows' values on an axis whose places do not say them.
    texts: tuple[list[str] | None, list[str] | None] = (None, None)
    # The most rows that a picture beside this one has wrong: rings are of one size in both.
    most_wrong: int = 0

    def __len__(self) -> int:
        return len(self.x)

    def part(self, which: np.ndarray) -> Points:
        """Points selected by a mask."""
        rows = np.flatnonzero(which).tolist()
        arrays = (self.x, self.y, self.label, self.held_out, self.wrong, self.row)
        texts = [None if words is None else [words[i] for i in rows] for words in self.texts]
        return Points(*(each[which] for each in arrays), tuple(texts), self.most_wrong)

    @classmethod
    def plain(
        cls, x: np.ndarray, y: np.ndarray, label: np.ndarray, row: np.ndarray | None = None
    ) -> Points:
        """Points without a model: all in training, none wrong, `row` counted from 0."""
        no = np.zeros(len(x), dtype=bool)
        row = np.arange(len(x)) if row is None else row
        return cls(x, y, np.asarray(label, dtype=np.intp), no, no, row)


def pad_bounds(x: np.ndarray, y: np.ndarray, share: float = 0.06) -> Bounds:
    """Bounds (x_min, x_max, y_min, y_max) of the finite values, padded by `share`."""
    return (*_padded(x, share), *_padded(y, share))


def _padded(values: np.ndarray, share: float) -> tuple[float, float]:
    values = np.asarray(values, dtype=np.float64)
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = share * (high - low) or max(1.0, abs(low)) * 0.5
    return low - room, high + room


def surroundings(view: Bounds, *, equal: bool = False) -> Bounds:
    """Bounds around `view` for the computation of regions.

    They hold what a reader sees who zooms out, and what plotly adds to one axis when both have
    equal units (`equal`) in a panel whose shape nobody knows before it is drawn.
    """
    x0, x1, y0, y1 = view
    width, height = x1 - x0, y1 - y0
    if equal:
        width = height = 1.5 * max(width, height)
    return x0 - width, x1 + width, y0 - height, y1 + height


# ---------------------------------------------------------------- marks


WEBGL_FROM = 1500
"""Panels with more points than this draw them with WebGL."""
HATCH, HATCHED = 9, 0.12  # pixels between the lines of a hatch, and the share that they cover


def _trace(role: str, name: str, x: np.ndarray, y: np.ndarray, **rest) -> dict:
    meta = {"role": role, **rest.pop("meta", {})}
    return {"type": "scatter", "name": name, "meta": meta, "x": x, "y": y, **rest}


def join_polygons(vertices: np.ndarray, offset: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Polygons `which` one after the other with a row of NaN after each.

    Polygon i is ``vertices[offset[i]:offset[i + 1]]``; the result has shape (n, 2).
    """
    lengths = offset[which + 1] - offset[which] + 1
    ends = np.cumsum(lengths)
    index = np.arange(ends[-1] if len(ends) else 0)
    index += np.repeat(offset[which] - (ends - lengths), lengths)
    out = vertices[np.minimum(index, len(vertices) - 1)].astype(np.float64)
    out[ends - 1] = np.nan
    return out


def polygons(
    xy: np.ndarray, colour: str, *, role: str, name: str, hatch: str | None = None, **meta
) -> dict:
    """Filled polygons without an edge, separated by rows of NaN in `xy` (n, 2).

    With a colour `hatch` lines of it lie on the fill.
    """
    pattern = {}
    if hatch is not None:
        lines = {"shape": "/", "size": HATCH, "solidity": HATCHED, "fillmode": "replace"}
        pattern = {"fillpattern": {**lines, "fgcolor": hatch, "bgcolor": colour}}
    return _trace(
        role,
        name,
        xy[:, 0],
        xy[:, 1],
        mode="lines",
        fill="toself",
        fillcolor=colour,
        line={"width": 0, "color": colour},
        hoverinfo="skip",
        meta=meta,
        **pattern,
    )


def line(
    xy: np.ndarray, colour: str, width: float, *, role: str, name: str, dash: str = "solid", **meta
) -> dict:
    """One line through `xy` (n, 2), broken at NaN."""
    return _trace(
        role,
        name,
        xy[:, 0],
        xy[:, 1],
        mode="lines",
        line={"color": colour, "width": width, "dash": dash, "simplify": False},
        hoverinfo="skip",
        meta=meta,
    )


def segments(ends: np.ndarray, colour: str, width: float, *, role: str, name: str) -> dict:
    """Separate segments as one trace.

    `ends` holds (x0, y0, x1, y1), shape (n, 4); NaN rows vanish.
    """
    return line(join_segments(ends), colour, width, role=role, name=name)


def join_segments(ends: np.ndarray) -> np.ndarray:
    """Finite ones of the segments `ends` (n, 4) as a line with NaN between them.

    Where a segment begins just where the one before it ends, the line goes on.
    """
    ends = ends[np.isfinite(ends).all(axis=1)]
    xy = np.full((len(ends), 3, 2), np.nan, dtype=ends.dtype)
    xy[:, :2] = ends.reshape(-1, 2, 2)
    keep = np.ones((len(ends), 3), dtype=bool)
    goes_on = (ends[1:, :2] == ends[:-1, 2:]).all(axis=1)
    keep[:-1, 1:] &= ~goes_on[:, None]
    return xy[keep]


def halo(xy: np.ndarray, theme: Theme) -> dict:
    """Paper-coloured bed of a chosen line."""
    return line(xy, theme.paper, Size.halo, role="halo", name="halo")


def outline(polygon: np.ndarray, theme: Theme, *, role: str, name: str) -> dict:
    """Closed ink frame of a chosen region."""
    closed = np.vstack([polygon, polygon[:1]])
    return line(closed, theme.ink, Size.outline, role=role, name=name)


def _markers(points: Points, which: np.ndarray, crowd: int, **rest) -> dict:
    trace = _trace(
        x=points.x[which],
        y=points.y[which],
        customdata=points.row[which],
        mode="markers",
        **rest,
    )
    if crowd > WEBGL_FROM:
        trace["type"] = "scattergl"
    return trace


def training_points(
    points: Points, which: np.ndarray, index: int, name: str, theme: Theme, crowd: int
) -> dict:
    """Filled points of class `index`.

    `which` holds their positions in `points`.

    `crowd` is how many points there would be in a panel of full size: it sets size and
    technique, the same for all marks of a panel.
    """
    size = point_size(crowd)
    return _markers(
        points,
        which,
        crowd,
        role="training",
        name=name,
        meta={"class": index},
        marker={
            "symbol": symbol(index),
            "size": size.filled,
            "color": theme.hue(index),
            "line": {"width": size.edge, "color": theme.point_edge(index)},
        },
    )


def open_points(
    points: Points, which: np.ndarray, index: int, name: str, theme: Theme, crowd: int
) -> dict:
    """Open points (held out) of class `index`."""
    size = point_size(crowd)
    return _markers(
        points,
        which,
        crowd,
        role="held_out",
        name=name,
        meta={"class": index},
        marker={
            "symbol": symbol(index) + "-open",
            "size": size.open,
            "color": theme.held_out(index),
            "line": {"width": size.open_line, "color": theme.held_out(index)},
        },
    )


def rings(points: Points, which: np.ndarray, name: str, theme: Theme, crowd: int) -> dict:
    """Ink rings around misclassified points; where they are many, tight ones."""
    size = point_size(crowd)
    tight = max(len(which), points.most_wrong) > Size.loose_rings
    diameter = size.filled + 1.5 if tight else size.ring
    line = 0.75 if tight else size.ring_line
    return _markers(
        points,
        which,
        crowd,
        role="wrong",
        name=name,
        hoverinfo="skip",
        marker={
            "symbol": "circle-open",
            "size": diameter,
            "color": theme.ink,
            "line": {"width": line, "color": theme.ink},
        },
    )


def symbols(
    x: np.ndarray,
    y: np.ndarray,
    symbol: str | list[str],
    size: float | np.ndarray,
    colour: str | list[str],
    edge: tuple[float, str] | None = None,
    *,
    role: str,
    name: str,
    texts: Sequence[str] | None = None,
    **rest,
) -> dict:
    """Symbols at positions, with `texts` as their hover texts.

    Without texts, the pointer passes over them.

    `edge` is the width and the colour of their outlines.
    """
    marker = {"symbol": symbol, "size": size, "color": colour}
    if edge is not None:
        marker["line"] = {"width": edge[0], "color": edge[1]}
    rest |= {"hoverinfo": "skip"} if texts is None else _read(texts)
    return _trace(role, name, x, y, mode="markers", marker=marker, **rest)


def dots(xy: np.ndarray, theme: Theme, *, role: str, name: str) -> dict:
    """Ink dots with a paper edge: nodes of a path, the chosen sample."""
    edge = (Size.dot_edge, theme.paper)
    return symbols(*xy.T, "circle", Size.dot, theme.ink, edge, role=role, name=name)


def class_symbols(x: np.ndarray, y: np.ndarray, classes: Sequence[int], theme: Theme) -> dict:
    """Symbol of each class in its hue."""
    signs, hues = [symbol(k) for k in classes], [theme.hue(k) for k in classes]
    return symbols(x, y, signs, Size.leaf_symbol, hues, role="class", name="class")


def invisible_points(x: object, y: object, texts: list[str], *, role: str, **rest) -> dict:
    """Invisible points with the hover texts `texts`."""
    marker = {"size": 18, "opacity": 0}
    return _trace(role, role, x, y, mode="markers", marker=marker, **_read(texts), **rest)


def _read(texts: Sequence[str]) -> dict:
    return {"text": texts, "hovertemplate": "%{text}<extra></extra>"}


def words(
    x: np.ndarray,
    y: np.ndarray,
    texts: list[str],
    size: float,
    colour: str | list[str],
    side: str | list[str] | None = None,
    *,
    role: str,
    name: str,
    bed: str | None = None,
    **rest,
) -> dict:
    """Texts at positions, or on a `side` of them.

    A shadow `bed` sets them off.
    """
    font = {"size": size, "color": colour} | ({} if bed is None else {"shadow": bed})
    rest |= {} if side is None else {"textposition": side}
    rest = {"hoverinfo": "skip", **rest}
    return _trace(role, name, x, y, mode="text", text=texts, textfont=font, **rest)


def bars(x: np.ndarray, bottom: np.ndarray, top: np.ndarray, colour: str, **named) -> dict:
    """Upright bars as thick lines, of the same width in pixels in any panel."""
    ends = np.column_stack([x, bottom, x, top]).astype(np.float32)
    return segments(ends, colour, Size.bar, **named)


def plain_points(
    xy: np.ndarray, theme: Theme, *, role: str, name: str, is_open: bool = False
) -> dict:
    """Rows without a class, in grey, filled or open.

    They are the training data of regression trees.
    """
    size = point_size(len(xy))
    look = {
        "symbol": "circle",
        "size": size.filled,
        "color": theme.grey5,
        "line": {"width": size.edge, "color": theme.paper},
    }
    if is_open:
        line = {"width": size.open_line, "color": theme.grey5}
        look |= {"symbol": "circle-open", "size": size.open, "line": line}
    return _trace(
        role,
        name,
        xy[:, 0],
        xy[:, 1],
        mode="markers",
        hoverinfo="skip",
        marker=look,
    )


def point_traces(
    points: Points,
    names: Sequence[str],
    features: tuple[str, str],
    theme: Theme,
    *,
    units: tuple[str, str] = ("", ""),
    words: FigureWords | None = None,
    crowd: int | None = None,
) -> list[dict]:
    """Training rows filled, held-out ones open above them, rings around wrong ones.

    Parameters
    ----------
    names : sequence of str
        Of the classes, escaped for plotly html.
    features, units : (str, str)
        What the axes show; a feature without a name is not spoken of.
    words : Words or None
        English if None.
    crowd : int or None
        How many points there would be in a panel of full size; all `points` if None.
    """
    words = words or FigureWords()
    crowd = len(points) if crowd is None else crowd
    place = _place_template(features, units, points)
    parted = bool(points.held_out.any())
    traces = []
    for held_out, draw, part in (
        (False, training_points, words.training),
        (True, open_points, words.held_out),
    ):
        for index in np.unique(points.label[points.held_out == held_out]):
            which = np.flatnonzero((points.label == index) & (points.held_out == held_out))
            head = f"<b>{names[index]}</b>" + (f", {part}" if parted else "")
            about = f"{head}%{{text}}<br>{words.row} %{{customdata}}<br>"
            trace = draw(points, which, int(index), names[index], theme, crowd)
            trace |= _hover(about + place, points.wrong[which], words)
            trace |= _texts(points, which, features)
            traces.append(trace)
    wrong = np.flatnonzero(points.wrong)
    if len(wrong):
        traces.append(rings(points, wrong, words.wrong, theme, crowd))
    return traces


def _hover(template: str, wrong: np.ndarray, words: FigureWords) -> dict:
    """Hover text of a trace, with one text per row only if some rows are wrong."""
    if not wrong.any():
        return {"hovertemplate": template.replace("%{text}", "")}
    return {"hovertemplate": template, "text": np.where(wrong, f", {words.wrong}", "").tolist()}


def _texts(points: Points, which: np.ndarray, features: tuple[str, str]) -> dict:
    """Values of rows in words, where an axis asks for them."""
    hover = [
        [f"{feature_html(name)} {html.escape(texts[i], quote=False)}" for i in which.tolist()]
        for name, texts in zip(features, points.texts, strict=True)
        if name and texts is not None
    ]
    return {"hovertext": [", ".join(each) for each in zip(*hover, strict=True)]} if hover else {}


def _place_template(
    features: tuple[str, str],
    units: tuple[str, str],
    points: Points,
) -> str:
    parts, texts = [], points.texts
    if any(name and words is not None for name, words in zip(features, texts, strict=True)):
        parts.append("%{hovertext}")
    places = points.x, points.y
    for letter, name, unit, words, at in zip("xy", features, units, texts, places, strict=True):
        if not name or words is not None:
            continue
        value = f"%{{{letter}:{hover_format(at)}}}"
        unit = f" {html.escape(unit, quote=False)}" if unit else ""
        parts.append(f"{feature_html(name)} {value}{unit}")
    return ", ".join(parts) + "<extra></extra>"
