"""Models compared on several data sets by one measure: a dot each, published figures hollow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName
from lastviz.plots.visuals.words import escaped

from .visuals import marks
from .visuals.drawing import Drawing

PITCH, BETWEEN = 46, 0.2  # pixels a data set; share of the pitch between two models
SYMBOLS = ("circle", "diamond", "square", "cross")


@dataclass(frozen=True, eq=False)
class LevelSeries:
    """What one model reaches on each data set."""

    name: str
    value: np.ndarray  # (n_sets,) float64, mean over the folds and their standard deviation
    spread: np.ndarray  # (n_sets,) float64, mean over the folds and their standard deviation
    published: np.ndarray  # (n_sets,) float64, NaN where nothing is published


def level_plot(
    sets: Sequence[str],
    series: Sequence[LevelSeries],
    *,
    theme: ThemeName,
    chosen: str = "",
    digits: int = 3,
    paper_word: str = "published",
) -> Drawing:
    """Draw one row a data set: a filled mark for each model, a hollow one where it is published.

    Parameters
    ----------
    sets : sequence of str
        Names of the data sets, from above to below.
    series : sequence of LevelSeries
    chosen : str
        The model in ink; the others are grey.
    digits : int
        Decimals in hover texts.
    paper_word : str
    """
    colours, names = THEMES[theme], escaped(sets)
    traces = [_spans(series, colours)]
    for i, each in enumerate(series):
        y = np.arange(len(sets)) + BETWEEN * (i - (len(series) - 1) / 2)
        looks = (SYMBOLS[i % len(SYMBOLS)], _colour(i, each.name == chosen, colours))
        traces.append(_dots(each, y, looks, names, digits, paper_word, published=True))
        traces.append(_dots(each, y, looks, names, digits, paper_word, published=False))
    values = np.concatenate([np.r_[each.value, each.published] for each in series])
    low, high = np.nanmin(values), np.nanmax(values)
    room = 0.12 * (high - low) or 0.05
    panel = Panel(
        traces=traces,
        xaxis={"range": [low - room, high + room], "fixedrange": True, "nticks": 5},
        yaxis={
            "range": [len(sets) - 0.5, -0.5], "tickvals": list(range(len(sets))),
            "ticktext": names, "ticks": "", "fixedrange": True,
        },
    )  # fmt: skip
    longest = max(len(name) for name in sets)
    margin = Margin(left=min(16 + 8 * longest, 130), right=8, top=4, bottom=30)
    return compose([panel], [PITCH * len(sets)], theme=theme, margin=margin)


def _colour(place: int, is_chosen: bool, theme: Theme) -> str:
    return theme.ink if is_chosen else (theme.grey5, theme.grey3)[place % 2]


def _spans(series: Sequence[LevelSeries], theme: Theme) -> dict:
    """Return a hairline over all values of a set, so that they are seen to belong together."""
    values = np.array([[*each.value] for each in series])
    y = np.arange(values.shape[1], dtype=np.float64)
    ends = np.stack([values.min(axis=0), y, values.max(axis=0), y], axis=1)
    return marks.segments(ends, theme.grey2, 1, role="span", name="span")


def _dots(
    series: LevelSeries,
    y: np.ndarray,
    looks: tuple[str, str],
    names: Sequence[str],
    digits: int,
    paper_word: str,
    *,
    published: bool,
) -> dict:
    value = series.published if published else series.value
    known = np.flatnonzero(np.isfinite(value))
    texts = [
        f"<b>{series.name}</b>, {names[i]}<br>"
        + (f"{paper_word} {value[i]:.{digits}f}" if published
           else f"{value[i]:.{digits}f} ± {series.spread[i]:.{digits}f}")
        for i in known
    ]  # fmt: skip
    symbol, colour = looks
    if published:
        look, role = (f"{symbol}-open", 12, colour, (1.75, colour)), "published"
    else:
        look, role = (symbol, 10, colour, (0, colour)), "level"
    trace = marks.symbols(value[known], y[known], *look, role=role, name=series.name)
    del trace["hoverinfo"]
    return trace | {"customdata": texts, "hovertemplate": "%{customdata}<extra></extra>"}
