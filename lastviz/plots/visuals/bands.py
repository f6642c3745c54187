"""Axes with bands: one for each category of a nominal feature, one for missing values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .panel import Margin
from .theme import Theme
from .words import escaped, numbers_of, shortened, text_width

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
    """Return the settings of two axes with the words of their bands at the ticks.

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
    names = list(escaped(shortened(label, letters) for label in bands.labels))
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
    """Return the ticks of the numeric stretch: the dates that the axis has, or round numbers."""
    if "tickvals" in axis:
        dates = zip(axis["tickvals"], axis["ticktext"], strict=True)
        return [(place, text) for place, text in dates if place >= bands.numbers[0]]
    found = _round_numbers(bands, axis["range"])
    return list(zip(found, numbers_of(np.array(found), found), strict=True))


def _round_numbers(bands: AxisBands, shown: tuple[float, float]) -> list[float]:
    """Return a few round numbers of the numeric stretch that keep clear of the bands."""
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
    """Return hairlines between the bands, over the regions and under the points."""
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
    """Return the names of the axes, that of a vertical one with bands where its words begin."""
    if bands[1] is None:
        return names
    left = -banded_margin(Margin(), bands).left
    return [
        {**name, "xanchor": "left", "xshift": left} if name["name"] == "y name" else name
        for name in names
    ]


def banded_margin(margin: Margin, bands: Both) -> Margin:
    """Return the margins with room for the words at the vertical axis."""
    if bands[1] is None:
        return margin
    widest = max(text_width(shortened(label, LETTERS)) for label in bands[1].labels)
    return replace(margin, left=max(margin.left, round(widest) + 16))
