"""A figure as a static picture: SVG without a browser, for output that outlives its kernel.

It knows what the figures of this package are made of: lines, filled areas, marks and texts of
scatter traces, axes, annotations and straight shapes.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from itertools import cycle

import numpy as np
import plotly.graph_objects as go

FONT = "system-ui, sans-serif"
WIDTH, HEIGHT = 700, 480  # pixels, of figures that are as large as their place
SIDES = {"left": "start", "right": "end", "center": "middle"}
RISE = {"top": 0.8, "middle": 0.35, "bottom": -0.25}  # of the font's size, from the place down
CORNERS = {"square": (4, 45), "diamond": (4, 0), "triangle-up": (3, -90), "triangle-down": (3, 90),
           "pentagon": (5, -90), "hexagon": (6, 0), "star": (10, -90)}  # fmt: skip


def svg_of(figure: go.Figure, width: int | None = None) -> str:
    """Figure as SVG.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Of scatter traces.
    width : int, optional
        In pixels; default: its own, else 700.
    """
    drawn = _plain(figure.to_plotly_json())
    return _Picture(drawn["data"], drawn["layout"], width).text()


def size_of(figure: go.Figure) -> tuple[int, int]:
    """Width and height in pixels that :func:`svg_of` gives a figure."""
    return int(figure.layout.width or WIDTH), int(figure.layout.height or HEIGHT)


def _plain(value: object) -> object:
    """Figure's parts with arrays in place of the bytes that plotly makes of them."""
    if isinstance(value, dict) and "bdata" in value:
        return np.frombuffer(b64decode(value["bdata"]), dtype=value["dtype"])
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


class _Picture:
    """The parts of one picture, from the ground up."""

    def __init__(self, traces: list[dict], layout: dict, width: int | None) -> None:
        self.traces, self.layout = traces, layout
        self.width = int(width or layout.get("width") or WIDTH)
        self.height = int(layout.get("height") or HEIGHT)
        paper = layout.get("paper_bgcolor", "#FFFFFF")
        dark = sum(int(paper[i : i + 2], 16) for i in (1, 3, 5)) < 3 * 128
        self.grey = "#A3ABB8" if dark else "#666D79"
        margin = layout.get("margin", {})
        self.left, self.top = margin.get("l", 0), margin.get("t", 0)
        self.inner = (
            self.width - self.left - margin.get("r", 0),
            self.height - self.top - margin.get("b", 0),
        )

    def text(self) -> str:
        parts = [
            *self._shapes("below"), *self._axes(), *self._traces(), *self._shapes("above"),
            *self._annotations(), *self._legend(),
        ]  # fmt: skip
        size = f'width="{self.width}" height="{self.height}"'
        ground = f'<rect {size} fill="{self.layout.get("paper_bgcolor", "#FFFFFF")}"/>'
        box = f'viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{FONT}">'
        return "\n".join([head, ground, *parts, "</svg>"])

    def _axis(self, name: str) -> dict:
        """Axis that a trace calls "x2"."""
        return self.layout.get(f"{name[0]}axis{name[1:]}", {})

    def _domain(self, name: str) -> tuple[float, float]:
        """Start and end of an axis in the picture; y falls."""
        low, high = self._axis(name).get("domain", (0.0, 1.0))
        if name[0] == "x":
            return self.left + low * self.inner[0], self.left + high * self.inner[0]
        return self.top + (1 - low) * self.inner[1], self.top + (1 - high) * self.inner[1]

    def _placed(self, name: str, values: object) -> np.ndarray:
        values = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        if self._axis(name).get("type") == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.log10(values)
        low, high = self._axis(name).get("range") or self._spread(name)
        begin, end = self._domain(name)
        return begin + (values - low) / ((high - low) or 1.0) * (end - begin)

    def _spread(self, name: str) -> tuple[float, float]:
        own = [t for t in self.traces if t.get(f"{name[0]}axis", name[0]) == name]
        values = [np.array([v for v in t[name[0]] if v is not None], float) for t in own]
        values = np.concatenate([np.zeros(0), *values])
        values = values[np.isfinite(values)]
        return (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)

    def _traces(self) -> Iterator[str]:
        for trace in self.traces:
            x = self._placed(trace.get("xaxis", "x"), trace.get("x", ()))
            y = self._placed(trace.get("yaxis", "y"), trace.get("y", ()))
            mode, clips = trace.get("mode", "lines"), trace.get("cliponaxis", True)
            yield self._panel(trace.get("xaxis", "x"), trace.get("yaxis", "y")) if clips else ""
            yield f'<g opacity="{trace.get("opacity", 1)}">'
            if "lines" in mode or trace.get("fill"):
                yield _line(x, y, trace)
            if "markers" in mode:
                yield from _marks(x, y, trace.get("marker", {}))
            if "text" in mode:
                yield from _texts(x, y, trace)
            yield "</g></svg>" if clips else "</g>"

    def _panel(self, x: str, y: str) -> str:
        """Picture in the picture, which keeps a trace inside its panel."""
        (left, right), (bottom, top) = self._domain(x), self._domain(y)
        place = f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"
        at = zip(("x", "y", "width", "height"), place.split(), strict=True)
        sides = " ".join(f'{side}="{value}"' for side, value in at)
        return f'<svg {sides} viewBox="{place}">'

    def _axes(self) -> Iterator[str]:
        for key, axis in self.layout.items():
            found = re.fullmatch(r"([xy])axis(\d*)", key)
            if not found or axis.get("visible") is False or axis.get("showticklabels") is False:
                continue
            name = found[1] + found[2]
            low, high = axis.get("range") or self._spread(name)
            at = axis.get("tickvals")
            if at is None:
                at = _ticks(low, high)
                at = [10.0**value for value in at] if axis.get("type") == "log" else at
            words = axis.get("ticktext") or [f"{value + 0.0:.6g}" for value in at]
            other = self._domain(axis.get("anchor") or ("y" if found[1] == "x" else "x"))[0]
            for place, word in zip(self._placed(name, at).tolist(), words, strict=True):
                if found[1] == "x":
                    yield _words(place, other + 16, str(word), 12, self.grey, "middle")
                else:
                    yield _words(other - 6, place + 4, str(word), 12, self.grey, "end")

    def _at(self, place: float, reference: str, name: str) -> float:
        """Position in the picture of a point on an axis, its domain or the paper."""
        axis, _, part = reference.partition(" ")
        if axis in ("paper", "container") or part == "domain":
            begin, end = self._domain(name if axis in ("paper", "container") else axis)
            if axis == "paper":
                begin, end = (
                    (self.left, self.left + self.inner[0])
                    if name == "x"
                    else (self.top + self.inner[1], self.top)
                )
            return begin + place * (end - begin)
        return float(self._placed(axis, [place])[0])

    def _annotations(self) -> Iterator[str]:
        for note in self.layout.get("annotations", ()):
            x = self._at(note["x"], note.get("xref", "paper"), "x") + note.get("xshift", 0)
            y = self._at(note["y"], note.get("yref", "paper"), "y") - note.get("yshift", 0)
            font = note.get("font", {})
            size = font.get("size", 12)
            y += RISE[note.get("yanchor", "middle").replace("auto", "middle")] * size
            anchor = SIDES[note.get("xanchor", "center").replace("auto", "center")]
            yield _words(x, y, note.get("text", ""), size, font.get("color", "#1B2028"), anchor)

    def _shapes(self, layer: str) -> Iterator[str]:
        for shape in self.layout.get("shapes", ()):
            if shape.get("layer", "above") != layer or shape.get("type") not in ("line", "rect"):
                continue
            x, y = ([self._end(shape, axis, k) for k in "01"] for axis in "xy")
            if shape["type"] == "rect":
                x, y = [x[0], x[1], x[1], x[0], x[0]], [y[0], y[0], y[1], y[1], y[0]]
            style = {"line": shape.get("line", {}), "fillcolor": shape.get("fillcolor")}
            yield _line(np.array(x), np.array(y), style)

    def _end(self, shape: Mapping, axis: str, k: str) -> float:
        """Start or end of a shape: on its axis, or in pixels from its anchor."""
        value, ref = shape[axis + k], shape.get(f"{axis}ref", axis)
        if shape.get(f"{axis}sizemode") != "pixel":
            return self._at(value, ref, axis)
        return self._at(shape[f"{axis}anchor"], ref, axis) + (value if axis == "x" else -value)

    def _legend(self) -> Iterator[str]:
        at, title = 8.0, self.layout.get("title") or {}
        for trace in self.traces:
            if not trace.get("showlegend") or not self.layout.get("showlegend"):
                continue
            yield from _marks(np.array([at + 6]), np.array([16.0]), trace.get("marker", {}))
            yield _words(at + 16, 20, trace.get("name", ""), 13, self.grey, "start")
            at += 34 + 7.5 * len(trace.get("name", ""))
        if title.get("text"):
            font = title.get("font", {})
            colour = font.get("color", self.grey)
            yield _words(8, self.height - 8, title["text"], font.get("size", 12), colour, "start")


def _line(x: np.ndarray, y: np.ndarray, trace: Mapping) -> str:
    """Path: it breaks where a place is missing."""
    line, steps, begins = trace.get("line", {}), [], True
    hv = line.get("shape") == "hv"
    last = 0.0
    for across, up in zip(x.tolist(), y.tolist(), strict=True):
        if not (np.isfinite(across) and np.isfinite(up)):
            begins = True
            continue
        if hv and not begins:
            steps.append(f"L{across:.1f} {last:.1f}")
        steps.append(f"{'M' if begins else 'L'}{across:.1f} {up:.1f}")
        begins, last = False, up
    fill = trace.get("fillcolor") if trace.get("fill", "toself") == "toself" else None
    dash = {"dot": "2 3", "dash": "6 4", "dashdot": "6 3 2 3"}.get(line.get("dash"), "")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    stroke = line.get("color", "none") if line.get("width", 1) else "none"
    return (
        f'<path d="{"".join(steps)}" fill="{fill or "none"}" fill-rule="evenodd" '
        f'stroke="{stroke}" stroke-width="{line.get("width", 1)}"{dashes}/>'
    )


def _marks(x: np.ndarray, y: np.ndarray, marker: Mapping) -> Iterator[str]:
    n, edge = len(x), marker.get("line", {})
    colours = _each(_in_scale(marker), n)
    sizes, signs = _each(marker.get("size", 6), n), _each(marker.get("symbol", "circle"), n)
    edges, widths = _each(edge.get("color", "none"), n), _each(edge.get("width", 0), n)
    for across, up, colour, size, sign, rim, width in zip(
        x.tolist(), y.tolist(), colours, sizes, signs, edges, widths, strict=False
    ):
        if not (np.isfinite(across) and np.isfinite(up)):
            continue
        sign, hollow = str(sign).removesuffix("-open"), str(sign).endswith("-open")
        fill, rim, width = ("none", colour, width or 1.5) if hollow else (colour, rim, width)
        style = f'fill="{fill}" stroke="{rim}" stroke-width="{width}"'
        if sign not in CORNERS:
            yield f'<circle cx="{across:.1f}" cy="{up:.1f}" r="{float(size) / 2:.1f}" {style}/>'
            continue
        corners, turn = CORNERS[sign]
        angle = np.radians(turn + 360.0 / corners * np.arange(corners))
        reach = np.where((np.arange(corners) % 2 == 1) & (sign == "star"), 0.28, 0.62) * float(size)
        points = " ".join(
            f"{across + r * np.cos(a):.1f},{up + r * np.sin(a):.1f}"
            for r, a in zip(reach, angle, strict=True)
        )
        yield f'<polygon points="{points}" {style}/>'


def _in_scale(marker: Mapping) -> object:
    """Colours of marks; numbers by the two ends of their scale."""
    colour, scale = marker.get("color", "#1B2028"), marker.get("colorscale")
    if scale is None or isinstance(colour, str) or not len(colour):
        return colour
    value = np.asarray(colour, dtype=np.float64)
    low, high = marker.get("cmin", value.min()), marker.get("cmax", value.max())
    share = np.clip((value - low) / ((high - low) or 1.0), 0.0, 1.0)[:, None]
    ends = [np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for _, c in (scale[0], scale[-1])]
    return ["#" + "".join(f"{round(c):02X}" for c in row) for row in (1 - share) * ends[0]
            + share * ends[1]]  # fmt: skip


def _texts(x: np.ndarray, y: np.ndarray, trace: Mapping) -> Iterator[str]:
    font, n = trace.get("textfont", {}), len(x)
    colours, sizes = _each(font.get("color", "#1B2028"), n), _each(font.get("size", 12), n)
    places = _each(trace.get("textposition", "middle center"), n)
    bed = re.search("#[0-9A-Fa-f]{6}", font.get("shadow", ""))
    for across, up, text, colour, size, place in zip(
        x.tolist(), y.tolist(), _each(trace.get("text", ""), n), colours, sizes, places,
        strict=False,
    ):  # fmt: skip
        up_down, side = place.split()
        anchor = {"left": "end", "right": "start", "center": "middle"}[side]
        shift = {"top": -0.35, "middle": 0.35, "bottom": 1.0}[up_down] * size
        yield _words(across, up + shift, str(text), size, colour, anchor, bed and bed[0])


def _each(value: object, n: int) -> Iterator | Sequence:
    one = isinstance(value, str | int | float | None)
    return [value] * n if one else cycle(value) if len(value) else [None] * n


def _words(
    x: float, y: float, text: str, size: float, colour: str, anchor: str, bed: str | None = None
) -> str:
    """Text; of plotly's marks sub and sup become shifts, line breaks lines.

    A rim in the colour `bed` keeps its letters apart from the lines below them.
    """
    rim = f' stroke="{bed}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'
    lines = re.split(r"<br ?/?>", text)
    spans = []
    for k, line in enumerate(lines):
        inside = escape(unescape(re.sub(r"<(?!/?su[bp]\b)[^>]*>", "", line)), quote=False)
        for mark, shift in (("sub", "sub"), ("sup", "super")):
            inside = inside.replace(f"&lt;{mark}&gt;", f'<tspan baseline-shift="{shift}" '
                                    'font-size="70%">')  # fmt: skip
            inside = inside.replace(f"&lt;/{mark}&gt;", "</tspan>")
        spans.append(f'<tspan x="{x:.1f}" dy="{1.2 * size * (k > 0):.1f}">{inside}</tspan>')
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
        f'text-anchor="{anchor}"{rim if bed else ""}>{"".join(spans)}</text>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two ends."""
    width = abs(high - low)
    if not np.isfinite(width) or width == 0.0:
        return []
    step = 10.0 ** np.floor(np.log10(width / 5))
    step *= min((1, 2, 5, 10), key=lambda times: abs(width / (times * step) - 5))
    first = np.ceil(min(low, high) / step)
    return [float(k * step) + 0.0 for k in np.arange(first, np.floor(max(low, high) / step) + 1)]
