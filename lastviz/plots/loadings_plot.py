"""How much of each feature a component holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.component_bars import TEXT, bar_trace, short_ticks
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import number, shortened, text_width

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
    labels = [shortened(feature_names[i], 20) if named else str(i + 1) for i in ticks]
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
