"""One axis of a plane: places of the rows, bands of categories, a strip for missing values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .drawing import dates_of, first_day
from .marks import pad_bounds
from .panel import Margin
from .theme import Theme
from .words import escape_names, numbers_of, shorten_name, text_width

LETTERS = 18  # of a category at the vertical axis
TICKS = 5
CLEAR = 0.1  # of the axis around a band that no number's label may enter


@dataclass(frozen=True)
class AxisBands:
    """The bands of one axis."""

    labels: tuple[str, ...]  # what each stands for, in words
    ends: tuple[tuple[float, float], ...]  # where each begins and ends on the axis
    # The stretch of the axis that is numeric; None if there are bands only.
    numbers: tuple[float, float] | None = None


Both = tuple[AxisBands | None, AxisBands | None]


def with_bands(axes: tuple[dict, dict], bands: Both, width: float) -> tuple[dict, dict]:
    """Settings of two axes with the words of their bands at the ticks.

    `width` is about how many pixels the horizontal axis is long.
    """
    across, up = axes
    if bands[0] is not None:
        across = _ticks(across, bands[0], max(int(width / len(bands[0].labels) / 8.0), 2))
    if bands[1] is not None:
        up = _ticks(up, bands[1], LETTERS)
    return across, up


def _ticks(axis: dict, bands: AxisBands, letters: int) -> dict:
    middles = [(low + high) / 2.0 for low, high in bands.ends]
    if bands.numbers is not None:
        letters = LETTERS
    names = list(escape_names(shorten_name(label, letters) for label in bands.labels))
    figures = [] if bands.numbers is None else _figures(bands, axis)
    axis = {
        name: value for name, value in axis.items() if name not in ("scaleanchor", "scaleratio")
    }
    axis |= {
        "tickvals": [*middles, *(place for place, _ in figures)],
        "ticktext": [*names, *(text for _, text in figures)],
        "tickangle": 0,
    }
    if bands.numbers is None:
        axis |= {"ticks": "", "ticklabelstandoff": 6}
    return axis


def _figures(bands: AxisBands, axis: dict) -> list[tuple[float, str]]:
    """Ticks of the numeric stretch: the dates that the axis has, or round numbers."""
    if "tickvals" in axis:
        dates = zip(axis["tickvals"], axis["ticktext"], strict=True)
        return [(place, text) for place, text in dates if place >= bands.numbers[0]]
    found = _round_numbers(bands, axis["range"])
    return list(zip(found, numbers_of(np.array(found), found), strict=True))


def _round_numbers(bands: AxisBands, shown: tuple[float, float]) -> list[float]:
    """Few round numbers of the numeric stretch that keep clear of the bands."""
    low, high = bands.numbers
    low, high = max(low, shown[0]), min(high, shown[1])
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    found = np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step
    room = CLEAR * (shown[1] - shown[0])
    clear = [all(abs(x - e) > room for ends in bands.ends for e in ends) for x in found]
    return [float(f"{x:.12g}") for x in found[np.array(clear, dtype=bool)]]


def band_shapes(bands: Both, theme: Theme) -> list[dict]:
    """Hairlines between the bands, over the regions and under the points."""
    shapes = []
    for letter, axis in zip("xy", bands, strict=True):
        if axis is None:
            continue
        other = "y" if letter == "x" else "x"
        places = sorted({end for ends in axis.ends for end in ends})
        outer = {places[0], places[-1]} if axis.numbers is None else {places[0]}
        shapes += [
            {
                "type": "line",
                "name": "band",
                f"{letter}0": place,
                f"{letter}1": place,
                f"{other}0": 0,
                f"{other}1": 1,
                f"{other}ref": "domain",
                "layer": "below",
                "line": {"width": 1, "color": theme.grey2},
            }
            for place in places
            if place not in outer
        ]
    return shapes


def banded_names(names: list[dict], bands: Both) -> list[dict]:
    """Names of the axes, that of a vertical one with bands where its words begin."""
    if bands[1] is None:
        return names
    left = -banded_margin(Margin(), bands).left
    return [
        {**name, "xanchor": "left", "xshift": left} if name["name"] == "y name" else name
        for name in names
    ]


def banded_margin(margin: Margin, bands: Both) -> Margin:
    """Margins with room for the words at the vertical axis."""
    if bands[1] is None:
        return margin
    widest = max(text_width(shorten_name(label, LETTERS)) for label in bands[1].labels)
    return replace(margin, left=max(margin.left, round(widest) + 16))


# ---------------------------------------------------------------- plane axes


MOST_BANDS = 30  # categories on an axis; more could not be told apart
GAP = 0.15  # between the categories and the band of missing values
SPREAD = 0.7  # of a band that its points take
MOST_STEPS = 30  # values of a coarse axis
CROWDED = 3  # rows at a place, in the mean, from which on they hide each other
ROOM = 0.42  # of the way down to the next value that rows of a place take
LATTICE = 0.7548776662466927, 0.5698402909980532  # steps that fill a square evenly
STRIP, BESIDE = 0.09, 0.03  # of a numeric axis: the strip of missing values, the gap beside it


@dataclass(frozen=True, eq=False)
class PlaneAxis:
    """The feature on an axis, with the positions of the rows, the view and the bands."""

    name: str
    unit: str
    feature: int  # its column in the plane's form of the data
    places: np.ndarray  # (n_samples,), where the rows lie
    view: tuple[float, float]  # what is shown
    ends: tuple[tuple[float, float], ...] = ()  # the bands, the one for missing values last
    codes: tuple[float, ...] = ()  # the value of each band; NaN for missing
    labels: tuple[str, ...] = ()  # the bands in words
    numeric: bool = True  # whether there is a stretch of numbers, too
    # Whether rows of one value lie side by side, so that their places are not their values.
    apart: bool = False

    @property
    def bands(self) -> AxisBands | None:
        """The bands as figures take them; None without any."""
        if not self.ends:
            return None
        low = self.ends[-1][1] + BESIDE * (self.view[1] - self.view[0])
        return AxisBands(self.labels, self.ends, (low, self.view[1]) if self.numeric else None)

    @property
    def low(self) -> float | None:
        """Lower end of the numbers beside a strip; None where nothing bounds them."""
        return self.bands.numbers[0] if self.ends and self.numeric else None


def stands_on_axis(categories: tuple | None) -> bool:
    """Whether a column fits on an axis: its categories, if any, are few enough."""
    return categories is None or len(categories) <= MOST_BANDS


def axis_of(
    name: str,
    unit: str,
    feature: int,
    values: np.ndarray,
    categories: tuple | None,
    missing_word: str = "missing",
) -> PlaneAxis:
    """Axis of a column.

    Parameters
    ----------
    values : ndarray, shape (n_samples,)
        Numbers or codes; NaN is missing.
    categories : tuple or None
    missing_word : str, default "missing"
        Names the band of rows without a value.
    """
    missing = np.isnan(values)
    scatter = SPREAD * (np.random.default_rng(feature).random(len(values)) - 0.5)
    if categories is not None:
        return _nominal(name, feature, values, categories, missing, scatter, missing_word)
    low, high = pad_bounds(values, values)[:2]
    if not missing.any():
        return PlaneAxis(name, unit, feature, values, (low, high))
    width = STRIP * (high - low) / (1.0 - STRIP - BESIDE)
    gap = BESIDE * (high - low) / (1.0 - STRIP - BESIDE)
    start = low - gap - width
    places = np.where(missing, start + width / 2.0 + 0.8 * width * scatter, values)
    ends = ((start, start + width),)
    return PlaneAxis(name, unit, feature, places, (start, high), ends, (np.nan,), (missing_word,))


def _nominal(
    name: str,
    feature: int,
    values: np.ndarray,
    categories: tuple,
    missing: np.ndarray,
    scatter: np.ndarray,
    missing_word: str,
) -> PlaneAxis:
    n = len(categories)
    ends = [(code - 0.5, code + 0.5) for code in range(n)]
    labels, codes = [str(label) for label in categories], [float(code) for code in range(n)]
    if missing.any():
        ends.append((n - 0.5 + GAP, n + 0.5 + GAP))
        labels.append(missing_word)
        codes.append(np.nan)
    places = np.where(missing, n + GAP, values) + scatter
    view = (ends[0][0], ends[-1][1])
    parts = (tuple(ends), tuple(codes), tuple(labels))
    return PlaneAxis(name, "", feature, places, view, *parts, numeric=False)


def texts_of(axis: PlaneAxis, values: np.ndarray) -> list[str] | None:
    """Value of each row in words; None where the place says it."""
    first = first_day(axis.unit)
    if first is not None:
        texts = dates_of(values.tolist(), first)
        return [axis.labels[-1] if text == "–" else text for text in texts]
    if axis.apart:
        return numbers_of(values, values.tolist())
    if not axis.ends:
        return None
    if axis.numeric:
        known = numbers_of(values, values.tolist())
        return [axis.labels[-1] if text == "–" else text for text in known]
    return [axis.labels[-1 if np.isnan(v) else int(v)] for v in values.tolist()]


def side_by_side(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Places at which rows that share one are told apart; None for an axis that stays.

    Rows of a place fill a lattice, always alike, to the left of it and below: a threshold at a
    value or between two has each row on its own side still. O(n log n).
    """
    both, places = np.column_stack([x, y]), (None, None)
    if not len(both) or not np.isfinite(both).all():
        return places
    found, place, counts = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    if len(both) < CROWDED * len(found):
        return places
    order = np.argsort(place, kind="stable")
    rank = np.empty(len(both), dtype=np.intp)
    rank[order] = np.arange(len(both)) - np.repeat(np.cumsum(counts) - counts, counts)
    return tuple(
        _moved(values, (rank * step) % 1.0) for values, step in zip(both.T, LATTICE, strict=True)
    )


def without_overlaps(
    x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, tuple[list[str] | None, list[str] | None]]:
    """Positions of rows where none hides another.

    Also the values that these positions do not show.

    They are those of `x` and `y` unless many rows share a place, see :func:`side_by_side`.
    """
    both, moved = (x, y), side_by_side(x, y)
    across, up = (own if new is None else new for own, new in zip(both, moved, strict=True))
    texts = tuple(
        None if new is None else numbers_of(own, own.tolist())
        for own, new in zip(both, moved, strict=True)
    )
    return across, up, texts


def crowding(x: np.ndarray, y: np.ndarray) -> float | None:
    """Mean number of rows per position if they are drawn side by side, else None.

    A single axis, given twice, has its rows spread out over the other anyway.
    """
    if np.array_equal(x, y) or all(moved is None for moved in side_by_side(x, y)):
        return None
    return len(x) / len(np.unique(np.column_stack([x, y]), axis=0))


def _moved(values: np.ndarray, share: np.ndarray) -> np.ndarray | None:
    steps = np.unique(values)
    if not 1 < len(steps) <= MOST_STEPS:
        return None
    return values - ROOM * np.diff(steps).min() * share


def light(values: np.ndarray) -> np.ndarray:
    """Values in 32 bits, half as much to send, unless that would move points."""
    largest = np.abs(values).max(initial=0.0)
    fine = np.isfinite(np.float32(largest)) and np.ptp(values) > 0.1 * largest
    return values.astype(np.float32) if fine else values


def spread_out(n: int) -> np.ndarray:
    """Heights in (0, 1) that keep points of a single feature from hiding each other."""
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    return (0.5 + golden * np.arange(n)) % 1.0
