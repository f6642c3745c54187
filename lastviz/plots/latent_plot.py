"""A latent space: its singular values, and the loadings of each component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.drawing import TEXT, bar_trace, short_ticks
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import HUNDRED, number, shorten_name, text_width

from .visuals.drawing import Drawing

_LETTERS = 60  # over all names below the bars; more are numbered
_NARROW = 300  # pixels of the panel on a phone
_MINUS = "\N{MINUS SIGN}"


def loadings_plot(
    loadings: np.ndarray,
    feature_names: Sequence[str],
    *,
    theme: ThemeName,
    heaviest: Sequence[int] = (),
    height: int = 150,
) -> Drawing:
    """Draw one bar a feature, the heaviest in ink with their weights.

    Parameters
    ----------
    loadings : ndarray, shape (n_features,)
    feature_names : sequence of str
        As plotly html; printed below the bars if they are short, else the bars are numbered.
    heaviest : sequence of int
        The features to be marked; of two whose weights would lie on each other the heavier has its.
    """
    colours = THEMES[theme]
    loadings = np.asarray(loadings, dtype=np.float64)
    m = len(loadings)
    place = np.arange(m)
    colour = [colours.ink if i in heaviest else colours.grey5 for i in place]
    wanted = [i for i in place.tolist() if i in heaviest or m <= 6]
    texts = [""] * m
    for i in sorted(wanted, key=lambda i: -abs(loadings[i])):
        texts[i] = _signed(float(loadings[i]))
        pitches = (text_width(texts[i], TEXT) + 4) * m / _NARROW  # that it takes
        near = [j for j in wanted if texts[j] and 0 < abs(i - j) < pitches]
        if any(loadings[i] * loadings[j] >= 0 for j in near):  # at the same end
            texts[i] = ""
    trace = bar_trace(place, loadings, colour, texts, role="loading", name="loading", theme=colours)
    trace["customdata"] = [
        f"<b>{name}</b> {_signed(float(v), 4)}"
        for name, v in zip(feature_names, loadings, strict=True)
    ]
    largest = float(np.abs(loadings).max(initial=0.0)) or 1.0
    low, high = float(loadings.min(initial=0.0)), float(loadings.max(initial=0.0))
    named = sum(map(len, feature_names)) <= _LETTERS and m <= 12
    ticks = list(range(m)) if named else short_ticks(m, heaviest)
    labels = [shorten_name(feature_names[i], 20) if named else str(i + 1) for i in ticks]
    base = {"type": "line", "x0": -0.6, "x1": m - 0.4, "y0": 0, "y1": 0,
            "line": {"color": colours.grey3, "width": 1}, "name": "zero"}  # fmt: skip
    panel = Panel(
        traces=[trace],
        xaxis={
            "range": [-0.6, m - 0.4], "fixedrange": True, "ticks": "",
            "tickmode": "array", "tickvals": ticks, "ticktext": labels,
        },
        yaxis={
            "range": [low - 0.5 * largest * (low < 0), high + 0.5 * largest * (high > 0)],
            "fixedrange": True, "nticks": 6,
        },
        shapes=[base],
    )  # fmt: skip
    margin = Margin(left=48, right=4, top=2, bottom=26)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _signed(value: float, digits: int = 2) -> str:
    if 0 < abs(value) < 0.01:
        return number(value)
    return f"{value:+.{digits}f}".replace("-", _MINUS)


# ---- How long each component is over the rows that gave it


_FEW = 12  # bars that have room for their values; of more, the first and the chosen are told


def singular_values_plot(
    values: np.ndarray,
    shares: np.ndarray,
    names: Sequence[str],
    *,
    theme: ThemeName,
    chosen: int = -1,
    shown: Sequence[int] = (),
    height: int = 150,
    share_word: str = "of the squared length",
) -> Drawing:
    """Draw one bar a component: ink for the split's, dark grey for those on the axes.

    Parameters
    ----------
    values, shares : ndarray, shape (n_components,)
        Lengths, and their part of the squared length (0 to 1).
    names : sequence of str
        Of the components, as plotly html.
    chosen : int
        The component of the split; -1 if there is none.
    shown : sequence of int
        The components on the axes.
    """
    colours = THEMES[theme]
    values = np.asarray(values, dtype=np.float64)
    place = np.arange(len(values))
    colour = [
        colours.ink if i == chosen else colours.grey5 if i in shown else colours.grey3
        for i in place
    ]
    labelled = {0, chosen}
    texts = [
        (f"<b>{number(float(_digits(v)))}</b>" if i == chosen else number(float(_digits(v))))
        if i in labelled or len(values) <= _FEW
        else ""
        for i, v in enumerate(values)
    ]
    trace = bar_trace(place, values, colour, texts, role="length", name="length", theme=colours)
    trace["customdata"] = [
        f"<b>{name}</b> {number(float(v))}<br>{HUNDRED * float(s):.3g} % {share_word}"
        for name, v, s in zip(names, values, shares, strict=True)
    ]
    top = 1.28 * float(values.max(initial=0.0)) or 1.0
    ticks = short_ticks(len(values), chosen, shown)
    panel = Panel(
        traces=[trace],
        xaxis={
            "range": [-0.6, len(values) - 0.4], "fixedrange": True, "ticks": "",
            "tickmode": "array", "tickvals": ticks, "ticktext": [str(i + 1) for i in ticks],
        },
        yaxis={"range": [0, top], "visible": False, "fixedrange": True},
    )  # fmt: skip
    margin = Margin(left=16, right=4, top=2, bottom=26)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _digits(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
