"""How rows are drawn for one tree of a forest: weights as sizes, the drawn ones in ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.points import Bounds
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName, point_size, symbol
from lastviz.plots.visuals.words import escaped

from .visuals.drawing import Drawing

SMALLEST, LARGEST = 2.5, 24.0  # pixels


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """The rows that could be drawn, as parallel arrays of length n."""

    x: np.ndarray  # places
    y: np.ndarray  # places
    label: np.ndarray  # intp, class index
    # float64, before the drawing, in units of the mean weight; 0 for a row that is never drawn
    # again.
    weight: np.ndarray
    drawn: np.ndarray  # bool
    kept: np.ndarray  # bool, those of the drawn rows that the tree before has seen
    row: np.ndarray  # intp, row of the data set


@dataclass(frozen=True)
class DrawWords:
    """Words of the hover texts."""

    row: str = "row"
    weight: str = "weight"
    waiting: str = "not drawn"
    fresh: str = "drawn"
    kept: str = "kept from the tree before"
    dropped: str = "never drawn again"


def draw_plot(
    rows: DrawnRows,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    feature_names: tuple[str, str],
    view: Bounds,
    height: int = 420,
    equal: bool = False,
    units: tuple[str, str] = ("", ""),
    words: DrawWords | None = None,
) -> Drawing:
    """Draw rows in a plane: areas are weights, ink is what was drawn, crosses weigh nothing.

    Parameters
    ----------
    rows : DrawnRows
    class_names : sequence of str
    feature_names : (str, str)
        Of the features on the axes.
    view : (x_min, x_max, y_min, y_max)
    height : int
        In pixels.
    equal : bool
        Whether one unit is as long on both axes.
    units : (str, str)
    words : DrawWords or None
        English if None.
    """
    colours, names, words = THEMES[theme], escaped(class_names), words or DrawWords()
    dropped = rows.weight <= 0.0
    traces = _crosses(rows, np.flatnonzero(dropped & ~rows.drawn), colours, words)
    states = (
        ("waiting", ~rows.drawn & ~dropped, words.waiting),
        ("fresh", rows.drawn & ~rows.kept, words.fresh),
        ("kept", rows.drawn & rows.kept, words.kept),
    )
    for role, state, word in states:
        for index in np.unique(rows.label[state]):
            which = np.flatnonzero(state & (rows.label == index))
            looks = _looks(role, int(index), colours)
            about = f"<b>{names[index]}</b>, {word}"
            traces.append(_markers(rows, which, role, names[index], looks, about, words))
    return plane_figure(traces, view, feature_names, units, theme=theme, height=height, equal=equal)


def _looks(role: str, index: int, theme: Theme) -> dict:
    """Return symbol, colour and edge: hue for those that wait, ink for those that are drawn."""
    if role == "waiting":
        return {
            "symbol": symbol(index),
            "color": theme.ribbon(index),
            "line": {"width": 0.75, "color": theme.hue(index)},
        }
    open_one = role == "kept"
    return {
        "symbol": symbol(index) + ("-open" if open_one else ""),
        "color": theme.ink,
        "line": {"width": 1.75 if open_one else 0.75, "color": theme.ink},
    }


def _markers(
    rows: DrawnRows,
    which: np.ndarray,
    role: str,
    name: str,
    looks: dict,
    about: str,
    words: DrawWords,
) -> dict:
    base = 0.85 * point_size(len(rows.x)).filled
    size = np.clip(base * np.sqrt(rows.weight[which]), SMALLEST, LARGEST)
    return {
        "type": "scatter",
        "name": name,
        "meta": {"role": role},
        "x": rows.x[which],
        "y": rows.y[which],
        "customdata": rows.row[which],
        "text": [f"{weight:.3g}" for weight in rows.weight[which].tolist()],
        "mode": "markers",
        "marker": {**looks, "size": np.round(size, 1).tolist(), "opacity": 1},
        "hovertemplate": f"{about}<br>{words.weight} %{{text}}<br>{words.row} %{{customdata}}"
        "<extra></extra>",
    }


def _crosses(rows: DrawnRows, which: np.ndarray, theme: Theme, words: DrawWords) -> list[dict]:
    if not len(which):
        return []
    looks = {"symbol": "x-thin", "color": theme.grey5, "line": {"width": 2, "color": theme.grey5}}
    trace = _markers(rows, which, "dropped", words.dropped, looks, words.dropped, words)
    trace["marker"]["size"] = [9.0] * len(which)
    return [trace]
