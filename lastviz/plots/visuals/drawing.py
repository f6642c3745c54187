"""A figure that is plain data until somebody wants plotly's own object."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import count

import numpy as np
import plotly.graph_objects as go

from lastviz.inspection import ClassMargin, ClassSpread, Dichotomy, SplitGeometry
from lastviz.tree import digits

from . import marks
from .theme import THEMES, Size, Theme, ThemeName, symbol
from .words import numbers_of, text_width


class Drawing:
    """A figure as plain data.

    All its other attributes are those of the plotly Figure.

    Making that takes longer than all the rest (plotly copies every number), and the browser
    needs the data alone.

    Parameters
    ----------
    traces : list of dict
    layout : dict

    Attributes
    ----------
    traces, settings : list of dict, dict
        What was given; the figure is made of them once, so change them before.
    sent : dict of bool to tuple of str and dict
        What the chart host sends of it, with and without what brushing needs, once it has: a
        scene is shown to many.
    """

    def __init__(self, traces: list[dict], layout: dict) -> None:
        self.traces = traces
        self.settings = layout
        self.sent: dict[bool, tuple[str, dict[str, dict[str, object]]]] = {}

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.settings["height"]

    @property
    def areas(self) -> dict:
        """Meaning of the areas and positions: ``layout.meta``."""
        return self.settings["meta"]

    @property
    def roles(self) -> set[str]:
        """Roles of its marks and lines."""
        marked = (trace for trace in self.traces if len(trace.get("x", ())))
        lines = {shape.get("name", "") for shape in self.settings.get("shapes", ())}
        return {trace.get("meta", {}).get("role", "") for trace in marked} | lines

    def about(self, revision: str) -> Drawing:
        """Set the subject of the figure.

        A change of subject resets the user's zoom.
        """
        self.settings["uirevision"] = revision
        return self

    @property
    def figure(self) -> go.Figure:
        """The plotly Figure.

        Plotly does not validate it here; the tests have it validate every figure.
        """
        if "_figure" not in self.__dict__:
            content = {"data": self.traces, "layout": self.settings}
            self._figure = go.Figure(content, _validate=False)
        return self._figure

    def __getattr__(self, name: str) -> object:
        """Attribute of the plotly Figure with this name."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.figure, name)

    def _repr_mimebundle_(self, *args: object, **kwargs: object) -> object:
        return self.figure._repr_mimebundle_(*args, **kwargs)


# ---- What the bars of components and of their loadings have in common


TEXT = 15  # pixels of the letters at the ends of bars
_EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_ALL_UP_TO, _MOST_TICKS = 12, 5
_WIDTH, _FEW = 0.72, 0.1  # of the pitch; few bars are narrower than their share of the panel


def bar_trace(
    place: np.ndarray,
    values: np.ndarray,
    colours: Sequence[str],
    texts: Sequence[str],
    *,
    role: str,
    name: str,
    theme: Theme,
) -> dict:
    """Upright bars with texts at their ends; the hover text is ``customdata``."""
    return {
        "type": "bar",
        "name": name,
        "meta": {"role": role},
        "x": place,
        "y": values,
        "text": list(texts),
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
        "width": min(_WIDTH, _FEW * len(place)),
        "textfont": {"size": TEXT, "color": theme.ink},
        "cliponaxis": False,
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"color": list(colours), "line": {"width": 0}},
    }


def short_ticks(count: int, *marked: object) -> list[int]:
    """Bars that are named: the first, every n-th, the last, and the marked ones."""
    step = next((s for s in _EVERY if count / s <= _MOST_TICKS), 1000)
    step = 1 if count <= _ALL_UP_TO else step
    usual = range(step - 1, count, step)
    wanted: list[int] = []
    for mark in marked:
        wanted += [mark] if isinstance(mark, int) else list(mark)
    wanted = [i for i in dict.fromkeys(wanted) if 0 <= i < count]
    room = math.ceil(count * Size.axis * 1.6 / 480)
    ticks = list(wanted)
    for i in [0, count - 1, *sorted(usual)]:
        if i >= 0 and all(abs(i - other) >= room for other in ticks):
            ticks.append(i)
    return sorted(set(ticks))


# ---- What BNM and CSN measure at a split, drawn into the plane of its rows


LINE = 2.5
MEAN = 11


def distance_traces(
    geometry: SplitGeometry,
    measured: str,
    axes: tuple[int, int],
    places: np.ndarray,
    *,
    theme: ThemeName,
) -> list[dict]:
    """Traces of the distances that a criterion measures.

    Parameters
    ----------
    geometry : SplitGeometry
    measured : {"bnm", "csn"}
        BNM: a line between the means of a class in both children, and small rings around the
        rows nearest to the cut that the penalty reads. CSN: a cross of one standard deviation
        around each class's mean in each child, and lines between the means of class groups.
    axes : (int, int)
        Features of the plane.
    places : ndarray, shape (n_samples, 2)
        All rows of the data in that plane.
    """
    colours = THEMES[theme]
    if measured == "bnm":
        traces = [_margin(margin, axes, colours) for margin in geometry.margins]
        near = {row for pair in geometry.nearest for row in (pair.own, pair.other)}
        return [*traces, _nearest(places[sorted(near)], colours)] if near else traces
    traces = [_between(pair, axes, colours) for pair in geometry.dichotomies]
    crosses = [_spread(spread, axes, colours) for spread in geometry.spreads]
    return traces + [_bed(cross, colours) for cross in crosses] + crosses


def _in_plane(points: Sequence[np.ndarray], axes: tuple[int, int]) -> np.ndarray:
    return np.array([[point[axes[0]], point[axes[1]]] for point in points], dtype=np.float64)


def _margin(margin: ClassMargin, axes: tuple[int, int], theme: Theme) -> dict:
    ends = _in_plane((margin.left_mean, margin.right_mean), axes)
    hue, sign = theme.hue(margin.cls), symbol(margin.cls)
    trace = marks.line(ends, hue, LINE, role="margin", name="margin", **{"class": margin.cls})
    edge = {"color": hue, "width": LINE}
    marker = {"symbol": sign, "size": MEAN, "color": theme.paper, "line": edge}
    return trace | {"mode": "lines+markers", "marker": marker}


def _nearest(places: np.ndarray, theme: Theme) -> dict:
    look = "circle-open", 15, theme.grey7, (1.5, theme.grey7)
    return marks.symbols(*places.T, *look, role="nearest", name="nearest rows")


def _between(pair: Dichotomy, axes: tuple[int, int], theme: Theme) -> dict:
    ends = _in_plane((pair.one_mean, pair.other_mean), axes)
    return marks.line(ends, theme.grey7, LINE, role="between", name="between", child=pair.child)


def _spread(spread: ClassSpread, axes: tuple[int, int], theme: Theme) -> dict:
    """A cross whose arms are one standard deviation long."""
    (x, y), (dx, dy) = _in_plane((spread.mean, spread.deviation), axes)
    gap = (np.nan, np.nan)
    arms = np.array([(x - dx, y), (x + dx, y), gap, (x, y - dy), (x, y + dy)])
    return marks.line(
        arms, theme.hue(spread.cls), LINE, role="spread", name="spread", child=spread.child
    )


def _bed(cross: dict, theme: Theme) -> dict:
    """Halo that separates a cross from the points of its class below it."""
    line = {"color": theme.paper, "width": LINE + 4}
    return {**cross, "name": "halo", "meta": {"role": "halo"}, "line": line}


# ---- What stands at the ticks of an axis: numbers that differ as read, dates of a column of days


SINCE = re.compile(r"days since (\d{4}-\d{2}-\d{2})")  # the unit of dates
MOST_DATES = 5
STEPS = 5  # about so many on an axis of numbers
LONG, FEW = 8, 3  # letters of a number from which on an axis has so many
AS_IN_THE_TABLE = ".12~f"  # without marks of thousands or powers of ten, at any zoom
MONTHS_A_STEP = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
DAYS_A_STEP = (1, 2, 7, 14)


def with_ticks(axis: dict, unit: str = "") -> dict:
    """Settings of a numeric axis that shows a range, its ticks legible in that unit."""
    low, high = axis["range"]
    if not (math.isfinite(high - low) and high > low):
        return axis
    first = first_day(unit)
    if first is not None:
        ticks = _dates(first, low, high)
        places, words = zip(*ticks, strict=True) if ticks else ((), ())
        return axis | {"tickvals": list(places), "ticktext": list(words)}
    text = _longest(low, high)
    if "×" not in text:
        axis |= {"tickformat": AS_IN_THE_TABLE}
    return axis | {"nticks": FEW} if len(text) > LONG else axis


def ticks_of(column: np.ndarray, unit: str = "") -> dict:
    """Settings of the ticks of an axis that shows a column and finds its range."""
    known = column[np.isfinite(column)]
    if not len(known):
        return {}
    axis = with_ticks({"range": [float(known.min()), float(known.max())]}, unit)
    return {name: value for name, value in axis.items() if name != "range"}


def first_day(unit: str) -> date | None:
    """Day from which a unit counts days; None for any other unit."""
    found = SINCE.fullmatch(unit)
    try:
        return None if found is None else date.fromisoformat(found[1])
    except ValueError:  # a reader's own unit, and no day of the calendar
        return None


def dates_of(column: list[float], first: date) -> list[str]:
    """Dates of days since the first, with the time if there are any times of day."""
    clock = any(value % 1.0 for value in column if math.isfinite(value))
    return [_date(value, first, clock=clock) for value in column]


def labels_width(axis: dict) -> float:
    """Approximate maximum width of an axis's labels, in pixels."""
    low, high = axis.get("range", (0.0, 0.0))
    if not axis.get("visible", True) or not axis.get("showticklabels", True) or not high > low:
        return 0.0
    texts = axis.get("ticktext")
    texts = [_longest(low, high)] if texts is None else texts
    return max((text_width(part) for text in texts for part in str(text).split("<br>")), default=0)


def _longest(low: float, high: float) -> str:
    largest, step = max(abs(low), abs(high)), (high - low) / STEPS
    text = digits(largest, math.ceil(-math.log10(step)))
    return ("-" if low < 0 else "") + text.replace("e", ".5×10")


def _date(value: float, first: date, *, clock: bool) -> str:
    if not math.isfinite(value):
        return "–"
    try:
        day = first + timedelta(days=math.floor(value))
    except OverflowError:
        return numbers_of([value], [value])[0]
    minutes = round(value % 1.0 * 1440)
    return f"{day} {minutes // 60:02}:{minutes % 60:02}" if clock else f"{day}"


def _dates(first: date, low: float, high: float) -> list[tuple[float, str]]:
    """A few round dates in days since the first, with their labels."""
    try:
        start, end = (first + timedelta(days=math.floor(value)) for value in (low, high))
    except OverflowError:
        return []
    span = (end - start).days
    for step in DAYS_A_STEP:
        if span / step <= MOST_DATES:
            days = range(math.ceil(low), math.floor(high) + 1)
            found = [day for day in days if (day + 3) % step == 0 or step == 1]
            shown = (first + timedelta(days=day) for day in found)
            return [(day, f"{d:%m-%d}<br>{d.year}") for day, d in zip(found, shown, strict=True)]
    step = next((n for n in MONTHS_A_STEP if span / (30.44 * n) <= MOST_DATES), MONTHS_A_STEP[-1])
    begin, ticks = -(-(start.year * 12 + start.month - 1) // step) * step, []
    for month in count(begin, step):
        if not 1 <= month // 12 <= 9999:
            return ticks
        day = date(month // 12, month % 12 + 1, 1)
        if day > end:
            return ticks
        if day >= start:
            ticks.append(((day - first).days, f"{day.year}" if step % 12 == 0 else f"{day:%Y-%m}"))
    return ticks
