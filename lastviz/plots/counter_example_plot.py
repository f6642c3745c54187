"""Two comparable points that a model puts into the wrong order, in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.points import Bounds, Points, padded
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, escaped

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
    words: Words | None = None,
) -> Drawing:
    """Draw what a model says in a plane, and a counter-example to its monotonicity.

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
    colours, classes = THEMES[theme], escaped(class_names)
    view = view or padded(points.x, points.y)
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
    """Return the arrow from the lower point to the upper one, and what is predicted there."""
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
    """Return where a text at x is held, so that it does not leave the picture."""
    share = (x - view[0]) / (view[1] - view[0])
    if share < EDGE:
        return "left"
    return "right" if share > 1.0 - EDGE else "center"
