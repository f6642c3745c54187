"""Colours, fonts and sizes of every figure, and the plotly template that carries them.

Ink says what was chosen, grey what was considered, the accent what the reader touches. Hue
belongs to the classes alone. Nothing here is transparent: what is pale is mixed with paper,
so that colours do not add up where marks overlap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Literal

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio

from lastviz._recent import recently

_TO_LMS = np.array(
    [[0.31399, 0.63951, 0.04650], [0.15537, 0.75789, 0.08670], [0.01775, 0.10945, 0.87257]]
)
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.95047, 1.0, 1.08883])
# What eyes without red or green cones make of light (Vienot, Brettel and Mollon 1999).
_EYES = np.array(
    (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, 1.05118, -0.05117), (0, 1, 0), (0, 0, 1)),
        ((1, 0, 0), (0.95131, 0, 0.04866), (0, 0, 1)),
    )
)
CLOSE = 14.0  # in Lab; the closest two of ours are 14.6 apart, in the dark


def _linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    """Relative luminance of "#RRGGBB" after WCAG, from 0 to 1."""
    return float(_TO_XYZ[1] @ _linear(colour))


def contrast(colour: str, other: str) -> float:
    """Contrast of two colours after WCAG, from 1 to 21."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _lab(colour: str) -> np.ndarray:
    """Colour in CIE Lab as each kind of eye sees it, shape (3, 3)."""
    seen = np.linalg.solve(_TO_LMS, (_EYES @ (_TO_LMS @ _linear(colour))).T).T.clip(0, 1)
    xyz = seen @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), xyz * 841 / 108 + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


def distance(colour: str, other: str) -> float:
    """Distance of two colours in Lab for the eye that distinguishes them least.

    Eyes with all cones, and without those for long or for middle waves.
    """
    return float(np.linalg.norm(_lab(colour) - _lab(other), axis=1).min())


def close_pairs(colours: Sequence[str], least: float = CLOSE) -> list[tuple[int, int]]:
    """Pairs of colours, by position, that some eyes can hardly tell apart."""
    pairs = combinations(range(len(colours)), 2)
    return [(i, j) for i, j in pairs if distance(colours[i], colours[j]) < least]


# ---------------------------------------------------------------- theme


ThemeName = Literal["light", "dark"] | str
"""One of the two, or what :func:`with_hues` makes of it."""

FONT = (  # the last ones have Chinese letters, for pictures that leave the page and its language
    '"Source Sans", "Source Sans Pro", "Source Sans 3", "PingFang SC", "Microsoft YaHei", '
    '"Noto Sans CJK SC", sans-serif'
)

# Hues after Okabe and Ito (2008), told apart by every kind of colour vision in this order.
_HUES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442")
_HUES_DARK = ("#3391D4", *_HUES[1:])
_BRIGHT = 0.6  # relative luminance: yellow alone of ours
_OWN = re.compile(r"(light|dark)((?: (?:#[0-9A-F]{6}|-))+)")

SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "cross",
    "x",
    "triangle-up",
    "star",
    "triangle-down",
    "pentagon",
    "hourglass",
    "hexagram",
)


N_SHADES = 64  # greys of amounts; more could not be told apart
# Ink in a relief at shares of its height, so that its heights stand out.
RELIEF = ((0.0, 0.0), (0.1, 0.05), (0.35, 0.17), (0.7, 0.38), (1.0, 0.62))


class Size:
    """Lengths in pixels: type, lines, points, bars."""

    tick = 14
    axis = 16
    number = 17
    chosen = 3.5
    halo = 8
    outline = 2.25
    split = 1.5
    split_path = 1.75
    curve = 1.75
    bar = 9.5
    least_bar = 2.4
    ribbon_edge = 0.5
    histogram_gap = 0.75
    frame = 2.25
    frame_gap = 5.5
    path = 3
    dot = 11
    dot_edge = 2
    loose_rings = 150  # wrong points; more rings of full size would become one blot
    leaf_symbol = 10
    least_symbol = 6


@dataclass(frozen=True)
class PointSize:
    """Sizes in pixels of filled and open points, their lines, and rings of wrong ones."""

    filled: float
    edge: float
    open: float
    open_line: float
    ring: float
    ring_line: float


# Up to so many points, these sizes: a cloud must not become one blot.
_POINT_SIZES = (
    (500, PointSize(8.5, 1, 8, 2, 17, 1.75)),
    (1500, PointSize(7.5, 1, 7, 1.75, 14, 1.5)),
    (4000, PointSize(6, 0.75, 5.5, 1.5, 10.5, 1.25)),
    (float("inf"), PointSize(5, 0.5, 4.5, 1.25, 8.5, 1)),
)


def point_size(n_points: int) -> PointSize:
    """Sizes for a figure with `n_points` points in one panel."""
    return next(size for most, size in _POINT_SIZES if n_points <= most)


def shade_of(amount: np.ndarray, ends: tuple[float, float]) -> np.ndarray:
    """Index of the grey of each amount, of N_SHADES, palest at the lower of `ends`."""
    width = (ends[1] - ends[0]) or 1.0
    return np.rint((amount - ends[0]) / width * (N_SHADES - 1)).astype(np.intp)


@cache
def mix(hue: str, other: str, share: float) -> str:
    """Opaque colour with `share` of `hue` and the rest of `other` ("#RRGGBB")."""
    pairs = ((int(c[i : i + 2], 16) for c in (hue, other)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


_ROUNDS = (1.0, 0.55, 0.78)  # share of a hue that is not ink, of the first seven classes and on


def symbol(index: int) -> str:
    """Marker symbol of class `index`.

    The seven hues repeat after seven classes; each round moves the symbols on by one, so hue
    and symbol together name up to 77 classes.
    """
    n_hues = len(_HUES)
    return SYMBOLS[(index % n_hues + index // n_hues) % len(SYMBOLS)]


@dataclass(frozen=True)
class Theme:
    """The tokens of one theme, and the colours that are mixed from them."""

    name: ThemeName
    paper: str  # page, sidebar, cards
    side: str  # page, sidebar, cards
    card: str  # page, sidebar, cards
    ink: str  # what is chosen, and text
    grey7: str  # secondary text; labels and ticks (the palest grey that may be text)
    grey5: str  # secondary text; labels and ticks (the palest grey that may be text)
    grey3: str  # what was considered; borders; hairlines
    grey2: str  # what was considered; borders; hairlines
    grey1: str  # what was considered; borders; hairlines
    accent: str  # what the reader picked
    hues: tuple[str, ...]  # of the classes, in order
    # region_share, region_faded_share, ribbon_share: how much hue a region, a region outside the
    # selected node, and a ribbon hold
    region_share: float
    region_faded_share: float
    ribbon_share: float

    def hue(self, index: int) -> str:
        """Hue of class `index`: after seven classes with ink in it, then with less.

        Twenty-one differ; from there on they repeat, see :func:`symbol`.
        """
        hue = self.hues[index % len(self.hues)]
        share = _ROUNDS[index // len(self.hues) % len(_ROUNDS)]
        return hue if share == 1.0 else mix(hue, self.ink, share)

    def shade(self, index: int) -> str:
        """Grey `index` of N_SHADES, with more ink for a larger index.

        Shades show amounts, such as predictions.

        The palest still parts a mark's rim of paper from the area around it.
        """
        return mix(self.ink, self.paper, 0.16 + 0.74 * index / (N_SHADES - 1))

    @property
    def relief(self) -> list[tuple[float, str]]:
        """Colours of a landscape from its foot to its summit, as a plotly colour scale."""
        return [(height, mix(self.ink, self.paper, share)) for height, share in RELIEF]

    def region(self, index: int, faded: bool = False) -> str:
        """Tint of a region where class `index` is predicted."""
        share = self.region_faded_share if faded else self.region_share
        return mix(self.hue(index), self.paper, share)

    def certain(self, index: int, degree: float) -> str:
        """Tint of a region of class `index`: paper where nothing is certain."""
        return mix(self.hue(index), self.paper, 0.02 + 0.36 * degree)

    def ribbon(self, index: int, faded: bool = False) -> str:
        """Colour of the strip of class `index` in a ribbon of the flow tree."""
        share = self.ribbon_share
        if self.name == "dark" and self._is_yellow(index):
            share = 0.35  # more would swallow the light text on it
        return mix(self.hue(index), self.paper, share * (0.38 if faded else 1.0))

    def bar(self, index: int, faded: bool = False) -> str:
        """Colour of the part of class `index` in the bar of a node."""
        return mix(self.hue(index), self.paper, 0.45) if faded else self.hue(index)

    def table_bar(self, index: int) -> str:
        """Colour of a bar of class `index` beside text."""
        return mix(self.hue(index), self.paper, 0.85)

    def point_edge(self, index: int) -> str:
        """Edge of a filled point: darker than its hue, or paper in the dark."""
        return self._darker(index, 0.66) if self.name == "light" else self.paper

    def held_out(self, index: int) -> str:
        """Line of an open point."""
        return self._darker(index, 0.74) if self.name == "light" else self.hue(index)

    def _darker(self, index: int, share: float) -> str:
        if self._is_yellow(index):
            share = 0.55  # more would stay under 3 : 1 on the tint
        return mix(self.hue(index), self.ink, share)

    def _is_yellow(self, index: int) -> bool:
        return luminance(self.hue(index)) > _BRIGHT


class _Themes(dict[str, Theme]):
    """The two themes by name, and those with the user's own hues, made on demand."""

    def __missing__(self, name: str) -> Theme:
        return _with_own_hues(name)


THEMES: dict[str, Theme] = _Themes(
    {
        "light": Theme(
            name="light",
            paper="#FFFFFF",
            side="#F6F5F2",
            card="#FAF9F7",
            ink="#1B2029",
            grey7="#4B525E",
            grey5="#666D79",
            grey3="#B4BAC4",
            grey2="#DADDE3",
            grey1="#ECEEF1",
            accent="#9E1B32",
            hues=_HUES,
            region_share=0.17,
            region_faded_share=0.075,
            ribbon_share=0.42,
        ),
        "dark": Theme(
            name="dark",
            paper="#14171C",
            side="#1B1F26",
            card="#1A1E25",
            ink="#EEF0F3",
            grey7="#BCC2CB",
            grey5="#949BA7",
            grey3="#5B626E",
            grey2="#3A404A",
            grey1="#262B33",
            accent="#FF8A9A",
            hues=_HUES_DARK,
            region_share=0.21,
            region_faded_share=0.09,
            ribbon_share=0.50,
        ),
    }
)


def with_hues(theme: ThemeName, hues: Sequence[str | None]) -> ThemeName:
    """Name of a theme in which classes have these hues ("#RRGGBB"), None for its own."""
    if not any(hues):
        return theme
    return " ".join([theme, *((hue or "-").upper() for hue in hues)])


@recently(64)
def _with_own_hues(name: str) -> Theme:
    if _OWN.fullmatch(name) is None:
        raise KeyError(name)
    theme, own = THEMES[name.split()[0]], name.split()[1:]
    own += ["-"] * (-len(own) % len(theme.hues))
    hues = tuple(theme.hue(k) if hue == "-" else hue for k, hue in enumerate(own))
    return replace(theme, hues=hues)


def _axis(theme: Theme) -> dict:
    return {
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickwidth": 1,
        "tickcolor": theme.grey3,
        "tickfont": {"size": Size.tick, "color": theme.grey5},
        "nticks": 6,
        "exponentformat": "power",
        "minexponent": 5,
        "tickangle": 0,
        "automargin": False,
    }


def _template(theme: Theme) -> dict:
    clear = "rgba(0,0,0,0)"
    return {
        "layout": {
            "paper_bgcolor": clear,
            "plot_bgcolor": clear,
            "font": {"family": FONT, "size": Size.tick, "color": theme.ink},
            "margin": {"l": 48, "r": 4, "t": 4, "b": 30, "pad": 0},
            "xaxis": _axis(theme),
            "yaxis": _axis(theme),
            "showlegend": False,
            "hovermode": "closest",
            "hoverlabel": {
                "bgcolor": theme.paper,
                "bordercolor": theme.grey3,
                "font": {"family": FONT, "size": Size.tick, "color": theme.ink},
                "align": "left",
            },
            "annotationdefaults": {
                "showarrow": False,
                "font": {"size": Size.axis, "color": theme.grey7},
            },
            "modebar": {"bgcolor": clear, "color": theme.grey5, "activecolor": theme.ink},
            "bargap": 0.28,
            "barmode": "stack",
            "uirevision": "lastviz",
        }
    }


_TEMPLATES = {name: _template(theme) for name, theme in THEMES.items()}

for _name, _content in _TEMPLATES.items():
    pio.templates[f"lastviz_{_name}"] = go.layout.Template(_content)


def template(theme: ThemeName) -> dict:
    """Plotly template of `theme` (registered as lastviz_light or _dark) as a dict."""
    return _TEMPLATES[theme.partition(" ")[0]]
