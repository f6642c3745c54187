"""Two comparable points that a model puts into the wrong order, in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.marks import Bounds, Points, pad_bounds, point_traces
from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName, point_size, symbol
from lastviz.plots.visuals.words import FigureWords, escape_names, feature_html, hover_format

from .visuals import marks
from .visuals.drawing import Drawing

BORDER = 1.75  # pixels
EDGE = 0.15  # of the width: where a text would leave the picture


def counter_example_plot(
    rectangles: np.ndarray,
    label: np.ndarray,
    points: Points,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    ends: np.ndarray | None = None,
    end_labels: Sequence[int] = (),
    boxes: np.ndarray | None = None,
    borders: np.ndarray | None = None,
    units: tuple[str, str] = ("", ""),
    height: int = 460,
    equal: bool = False,
    view: Bounds | None = None,
    words: FigureWords | None = None,
) -> Drawing:
    """Draw a model's predictions in a plane and a monotonicity counter-example.

    Parameters
    ----------
    rectangles : ndarray of float64, shape (n, 4)
        (x0, x1, y0, y1) of regions that tile the plane.
    label : ndarray of intp, shape (n,)
        Class index of each.
    points : Points
        Rows of the data.
    ends : ndarray of float64, shape (2, 2), optional
        The two points, the lower one first; none if nothing contradicts.
    end_labels : sequence of int
        What is predicted there.
    boxes : ndarray of float64, shape (k, 4), optional
        The leaves of the two points, framed.
    borders : ndarray of float64, shape (n, 4), optional
        The sides between regions of different classes.
    """
    colours, classes = THEMES[theme], escape_names(class_names)
    view = view or pad_bounds(points.x, points.y)
    traces = _regions(rectangles, label, classes, colours)
    if borders is not None:
        traces.append(marks.segments(borders, colours.grey7, BORDER, role="border", name="border"))
    traces += [_frame(box, colours) for box in (() if boxes is None else boxes)]
    traces += point_traces(points, classes, names, colours, units=units, words=words)
    notes = []
    if ends is not None:
        traces.append(marks.dots(ends, colours, role="counter_example", name="counter-example"))
        notes = _notes(ends, end_labels, classes, view, colours)
    how = {"theme": theme, "height": height, "equal": equal, "notes": notes}
    return plane_figure(traces, view, names, units, **how)


def _regions(
    rectangles: np.ndarray, label: np.ndarray, classes: Sequence[str], theme: Theme
) -> list[dict]:
    x0, x1, y0, y1 = np.reshape(rectangles, (-1, 4)).T
    corners = np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 4, 2)
    gap = np.full((len(corners), 1, 2), np.nan)
    closed = np.concatenate([corners, corners[:, :1], gap], axis=1)
    return [
        marks.polygons(
            closed[label == k].reshape(-1, 2),
            theme.region(k),
            role="region",
            name=str(classes[k]),
            **{"class": k},
        )
        for k in np.unique(label).tolist()
    ]


def _frame(box: np.ndarray, theme: Theme) -> dict:
    x0, x1, y0, y1 = box
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return marks.outline(corners, theme, role="leaf", name="leaf")


def _notes(
    ends: np.ndarray, labels: Sequence[int], classes: Sequence[str], view: Bounds, theme: Theme
) -> list[dict]:
    """Arrow from the lower to the upper point, and the predictions at both."""
    (ax, ay), (bx, by) = ends.tolist()
    arrow = {
        "x": bx, "y": by, "ax": ax, "ay": ay, "axref": "x", "ayref": "y", "text": "",
        "showarrow": True, "arrowhead": 2, "arrowwidth": 2.25, "arrowcolor": theme.ink,
        "standoff": 7, "startstandoff": 7, "name": "comparable",
    }  # fmt: skip
    notes = [arrow]
    low_end = (ay, ax) <= (by, bx)
    for letter, (x, y), k, under in zip(
        "ab", ends.tolist(), labels, (low_end, not low_end), strict=True
    ):
        notes.append({
            "x": x, "y": y, "text": f"<b>{letter}: {classes[k]}</b>", "showarrow": False,
            "xanchor": _towards_the_middle(x, view), "yanchor": "top" if under else "bottom",
            "yshift": -9 if under else 9, "name": "label",
            "font": {"size": Size.axis, "color": theme.ink}, "bgcolor": theme.paper,
            "borderpad": 1, "opacity": 0.85,
        })  # fmt: skip
    return notes


def _towards_the_middle(x: float, view: Bounds) -> str:
    """Anchor of a text at x that keeps it inside the figure."""
    share = (x - view[0]) / (view[1] - view[0])
    if share < EDGE:
        return "left"
    return "right" if share > 1.0 - EDGE else "center"


# ---- Rows that contradict each other: pairs of which the upper row is lower in class


def contradictions_plot(
    points: Points,
    pairs: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    picked: np.ndarray | None = None,
    framed: np.ndarray | None = None,
    units: tuple[str, str] = ("", ""),
    height: int = 420,
    equal: bool = False,
    view: Bounds | None = None,
    words: FigureWords | None = None,
) -> Drawing:
    """Draw rows by class and a segment between the two rows of each pair.

    Parameters
    ----------
    points : Points
    pairs : ndarray of float64, shape (n, 4)
        Places (x, y) of the lower row and of the upper row that contradicts it.
    names, units : (str, str)
        Of the features on the horizontal and the vertical axis.
    picked : ndarray of float64, shape (4,), optional
        The pair that the reader picked.
    framed : ndarray of float64, shape (k, 2), optional
        Places of rows in a square ink frame; the segments are ink, too.
    """
    colours = THEMES[theme]
    # Many segments must not hide the rows: where they are few they may be seen from afar.
    width = 1.5 if len(pairs) <= 40 else 0.75
    colour = colours.grey5 if framed is None else colours.ink
    traces = [marks.segments(pairs, colour, width, role="contradiction", name="pair")]
    classes = escape_names(class_names)
    traces += point_traces(points, classes, names, colours, units=units, words=words)
    if picked is not None:
        traces += _picked(picked, colours)
    if framed is not None:
        traces.append(_around(framed, "square-open", colours.ink, "framed", "framed"))
    view = view or pad_bounds(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)


def _picked(pair: np.ndarray, theme: Theme) -> list[dict]:
    """Picked pair: a dashed line and a ring around each of its rows."""
    ends = pair.reshape(2, 2)
    line = marks.line(ends, theme.accent, 2.5, role="picked", name="picked pair", dash="6px,4px")
    return [line, _around(ends, "circle-open", theme.accent, "picked_rows", "picked rows")]


def _around(places: np.ndarray, symbol: str, colour: str, role: str, name: str) -> dict:
    """Open markers around rows."""
    edge = (Size.outline, colour)
    return marks.symbols(*places.T, symbol, 17, colour, edge, role=role, name=name)


# ---- How consistent each row is: its inclusion degree as a grey, from pale (1) to ink (0)


INCLUSION_LEVELS = ((1.0, "grey2"), (0.75, "grey3"), (0.5, "grey5"), (0.25, "grey7"), (0.0, "ink"))
"""The least degree of each shade and its name in the theme, from pale to dark."""


def inclusion_plot(
    points: Points,
    inclusion: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    units: tuple[str, str] = ("", ""),
    height: int = 420,
    equal: bool = False,
    view: Bounds | None = None,
    words: FigureWords | None = None,
    inclusion_word: str = "inclusion degree",
) -> Drawing:
    """Draw rows shaded by inclusion degree, with the symbols of their classes.

    Parameters
    ----------
    points : Points
        Those that are ``wrong`` get a ring: rows below the threshold.
    inclusion : ndarray of float64, shape (n_points,)
        D(x), from 0 to 1.
    names, units : (str, str)
        Of the features on the horizontal and the vertical axis.
    inclusion_word : str
        What hover texts call it.
    """
    colours, words = THEMES[theme], words or FigureWords()
    level = _level(inclusion)
    classes = np.array(escape_names(class_names), dtype=object)
    traces = [
        _shade(points, inclusion, i, level == i, classes, colours, names, inclusion_word)
        for i in range(len(INCLUSION_LEVELS))
        if (level == i).any()
    ]
    below = np.flatnonzero(points.wrong)
    if len(below):
        traces.append(marks.rings(points, below, words.wrong, colours, len(points)))
    view = view or pad_bounds(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)


def _level(inclusion: np.ndarray) -> np.ndarray:
    """Place of each row's shade in :data:`INCLUSION_LEVELS`."""
    falling = np.array([least for least, _ in INCLUSION_LEVELS])
    return (np.asarray(inclusion)[:, None] < falling).sum(axis=1)


def _shade(
    points: Points,
    inclusion: np.ndarray,
    place: int,
    which: np.ndarray,
    classes: np.ndarray,
    theme: Theme,
    names: tuple[str, str],
    inclusion_word: str,
) -> dict:
    least, token = INCLUSION_LEVELS[place]
    size = point_size(len(points))
    axes = [
        f"{feature_html(name)} %{{{letter}:{hover_format(places)}}}"
        for letter, name, places in zip("xy", names, (points.x, points.y), strict=True)
        if name
    ]
    return {
        "type": "scattergl" if len(points) > marks.WEBGL_FROM else "scatter",
        "mode": "markers",
        "name": f"D ≥ {least:g}",
        "meta": {"role": "inclusion", "level": place},
        "x": points.x[which],
        "y": points.y[which],
        "customdata": np.column_stack([points.row[which], inclusion[which]]),
        "text": classes[points.label[which]].tolist(),
        "hovertemplate": f"<b>%{{text}}</b><br>{inclusion_word} %{{customdata[1]:.4~r}}<br>"
        + ", ".join(axes)
        + "<extra></extra>",
        "marker": {
            "symbol": [symbol(k) for k in points.label[which].tolist()],
            "size": size.filled,
            "color": getattr(theme, token),
            "line": {"width": size.edge, "color": theme.grey5},
        },
    }


# ---- How rows are drawn for one tree of a forest: weights as sizes, the drawn ones in ink


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
    """Draw weighted rows in a plane, and those drawn into the sample.

    Areas are weights, ink marks the rows drawn, crosses mark rows of zero weight.

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
    colours, names, words = THEMES[theme], escape_names(class_names), words or DrawWords()
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
    """Symbol, colour and edge of a row: hue while waiting, ink once drawn."""
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
