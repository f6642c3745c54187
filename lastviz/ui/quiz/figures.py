"""The pictures of a question: rows with lines to be, a row in question, a tree with letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from string import ascii_uppercase

import numpy as np

from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    Theme,
    cut_plane_plot,
    flow_tree_plot,
    padded,
    scatter_plot,
)
from lastviz.ui.shared.figures import words

from .scene import ClassQuestion, NodeQuestion, PosedQuestion, SplitQuestion, place_of

HEIGHT = 460  # pixels
TREE_HEIGHT = 330
MOST_DRAWN = 2000  # rows
MOST_LINES = 60  # answers of a class
BEST, PICKED, OTHER = 3.5, 2.5, 1.5  # pixels


def letter(place: int) -> str:
    """Return the letter of an inner node, by its place among them."""
    return ascii_uppercase[place]


def axes_for(n_features: int, feature: int, other: int | None = None) -> tuple[int, int]:
    """Return the features across and up: the first two, or the one in question and another."""
    if n_features == 1:
        return 0, 0
    if n_features == 2:
        return 0, 1
    if other is not None and other != feature:
        return feature, other
    return feature, 0 if feature else 1


def figure_of(
    posed: PosedQuestion,
    picked: str | None,
    others: Sequence[str] = (),
    *,
    feature: int | None = None,
    best: bool = False,
) -> Drawing:
    """Return the picture of a question, with the `best` answer once it is shown.

    `picked` is the reader's answer, given or thought of, `others` are those of others; `feature`
    is the one whose threshold is moved.
    """
    if isinstance(posed, SplitQuestion):
        return split_figure(posed, picked, others, feature=feature, best=best)
    if isinstance(posed, ClassQuestion):
        return class_figure(posed)
    return node_figure(posed, picked, best=best)


def split_figure(
    posed: SplitQuestion,
    picked: str | None,
    others: Sequence[str] = (),
    *,
    feature: int | None = None,
    best: bool = False,
) -> Drawing:
    """Return the rows of the root with the lines of answers, and the `best` once it is shown."""
    n = len(posed.names)
    place = place_of(picked, n) if picked else None
    truth = place_of(posed.answer, n) if best else None
    known = truth or place  # what is shown at last, the best, stands across
    if feature is None:
        feature = known[0] if known is not None else 0
    axes = axes_for(n, feature, None if place is None else place[0])
    rows = _some(posed.rows)
    x, y = posed.division.values[rows][:, axes].T
    single = axes[0] == axes[1]
    y = np.zeros(len(rows)) if single else y
    figure = scatter_plot(
        Points.plain(x, y, posed.division.y[rows], rows + 1),
        theme=posed.theme,
        names=(posed.names[axes[0]], "" if single else posed.names[axes[1]]),
        class_names=posed.class_names,
        units=tuple(posed.dataset.units.get(posed.names[axis], "") for axis in axes),
        height=HEIGHT,
        view=padded(x, y),
        words=words(),
    )
    colours = THEMES[posed.theme]
    looks = [(answer, {"color": colours.grey3, "width": OTHER}) for answer in others[:MOST_LINES]]
    if best:
        looks.append((posed.answer, {"color": colours.ink, "width": BEST}))
    if picked:
        looks.append((picked, {"color": colours.accent, "width": PICKED, "dash": "dash"}))
    for answer, line in looks:
        _draw_line(figure, place_of(answer, n), axes, line)
    return figure.about(f"{posed.question.scene}|{axes}")


def _some(rows: np.ndarray) -> np.ndarray:
    """Return the rows that are drawn: all, or as many evenly spaced ones as can be seen."""
    places = np.linspace(0, len(rows) - 1, min(len(rows), MOST_DRAWN)).astype(np.intp)
    return rows[places]


def _draw_line(
    figure: Drawing, place: tuple[int, float] | None, axes: tuple[int, int], line: dict
) -> None:
    if place is None or place[0] not in axes:
        return
    shape = {"type": "line", "layer": "below", "line": line}
    at = place[1]
    if place[0] == axes[0]:
        ends = {"xref": "x", "x0": at, "x1": at, "yref": "y domain", "y0": 0, "y1": 1}
    else:
        ends = {"yref": "y", "y0": at, "y1": at, "xref": "x domain", "x0": 0, "x1": 1}
    figure.settings["shapes"].append(shape | ends)


def class_figure(posed: ClassQuestion) -> Drawing:
    """Return the training rows, and the row in question without its class."""
    plane, division = posed.plane, posed.division
    rows = _some(np.setdiff1d(division.train_rows, [posed.row]))
    x, y = plane.across.places, plane.upward.places
    points = Points.plain(x[rows], y[rows], division.y[rows], rows + 1)
    figure = cut_plane_plot(
        replace(points, texts=plane.texts(rows)),
        np.ones(len(rows), dtype=bool),
        np.empty((0, 2)),
        theme=posed.theme,
        names=plane.titles,
        class_names=posed.class_names,
        equal=plane.equal,
        height=HEIGHT,
        view=plane.view,
        words=words(),
        bands=plane.bands,
    )
    place = float(x[posed.row]), float(y[posed.row])
    figure.traces += _in_question(place, THEMES[posed.theme])
    return figure.about(f"{posed.question.scene}|{posed.row}")


def _in_question(place: tuple[float, float], theme: Theme) -> list[dict]:
    """Return the mark of the row in question: a disc of paper, the reader's ring around it."""
    at = {"type": "scatter", "x": [place[0]], "y": [place[1]], "hoverinfo": "skip"}
    ring = {"size": 26, "color": theme.paper, "line": {"color": theme.accent, "width": 2.5}}
    font = {"size": 17, "color": theme.accent}
    return [
        at | {"mode": "markers", "name": "question", "meta": {"role": "question"}, "marker": ring},
        at | {"mode": "text", "text": ["<b>?</b>"], "textfont": font, "name": "question mark"},
    ]


def node_figure(posed: NodeQuestion, picked: str | None, *, best: bool = False) -> Drawing:
    """Return the tree with a letter at each inner node; with `best` the altered one is framed."""
    outlined = {int(picked): "dashed"} if picked and int(picked) in posed.inner else {}
    if best:
        outlined[posed.altered] = "ink"
    figure = flow_tree_plot(
        posed.tree,
        theme=posed.theme,
        height=TREE_HEIGHT,
        width_hint=760,
        class_names=tuple(map(escape, posed.class_names)),
        words=words(),
        outlined=outlined,
        texts={},  # the tests stand in the table, by their letters
    )
    figure.traces.append(_letters(posed, figure))
    return figure.about(f"{posed.question.scene}|tree")


def _letters(posed: NodeQuestion, figure: Drawing) -> dict:
    """Return a letter on each inner node, however close they stand: answers name them."""
    middle = {area["node"]: np.mean(area["xy"], axis=0) for area in figure.areas["hits"]}
    shown = [(place, middle[node]) for place, node in enumerate(posed.inner) if node in middle]
    theme = THEMES[posed.theme]
    halo = ", ".join(f"0 0 {blur}px {theme.paper}" for blur in (2, 3, 5))
    return {
        "type": "scatter",
        "mode": "text",
        "name": "letters",
        "meta": {"role": "letter"},
        "hoverinfo": "skip",
        "x": [float(at[0]) for _, at in shown],
        "y": [float(at[1]) for _, at in shown],
        "text": [f"<b>{letter(place)}</b>" for place, _ in shown],
        "textfont": {"size": 15, "color": theme.ink, "shadow": halo},
    }
