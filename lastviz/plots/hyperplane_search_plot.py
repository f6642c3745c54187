"""A search for a hyperplane: where it stands at one move, and its score over all moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import Panel, axis_names, compose, plane_axes, plane_margin
from lastviz.plots.visuals.points import Bounds, Points, padded
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import escaped

from .visuals import marks
from .visuals.drawing import Drawing

MOST_EARLIER = 40  # hyperplanes; more would be a grey blot
CURVE, NAME = 150, 26  # pixels: the curves, the name of their axis


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves of a search, as parallel arrays of length n_moves."""

    restart: np.ndarray  # intp, rising
    score: np.ndarray  # float64, larger is better
    at: int  # the move that is shown
    best: int  # the winner

    @property
    def earlier(self) -> np.ndarray:
        """The moves of the same restart before the one that is shown, the last ones."""
        same = np.flatnonzero(self.restart[: self.at] == self.restart[self.at])
        return same[-MOST_EARLIER:]


def across(weights: np.ndarray, threshold: np.ndarray, bounds: Bounds) -> np.ndarray:
    """Return lines ``weights @ (x, y) = threshold`` as segments over the bounds.

    Parameters
    ----------
    weights : ndarray, shape (n, 2)
    threshold : ndarray, shape (n,)

    Returns
    -------
    ndarray, shape (n, 4)
        (x0, y0, x1, y1); not finite where both weights are 0.
    """
    x0, x1, y0, y1 = bounds
    a, b = weights[:, 0], weights[:, 1]
    flat = np.abs(b) * (y1 - y0) >= np.abs(a) * (x1 - x0)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (threshold - a * x0) / b, (threshold - a * x1) / b
        left, right = (threshold - b * y0) / a, (threshold - b * y1) / a
    shallow = np.column_stack([np.full_like(a, x0), low, np.full_like(a, x1), high])
    steep = np.column_stack([left, np.full_like(a, y0), right, np.full_like(a, y1)])
    return np.where(flat[:, None], shallow, steep)


def along(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in a view that is true in any dimension.

    Across: how far each row lies from the hyperplane, in standard deviations. Up: its class,
    spread out so that rows do not hide each other.
    """
    position = X @ weights - threshold
    spread = float(position.std()) or 1.0
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    lane = -y + 0.8 * ((0.5 + golden * np.arange(len(y))) % 1.0 - 0.5)
    return position / spread, lane


def hyperplane_search_plot(
    points: Points,
    moves: Moves,
    lines: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    view: Bounds | None = None,
    equal: bool = False,
    score_word: str = "score",
    move_word: str = "move",
    height: int = 360,
) -> Drawing:
    """Draw the rows of a node with the hyperplane of a move, and the score over all moves.

    The hyperplane shown is in ink, those before it in the same restart are grey. In the lower
    panel each restart is a step curve; the dot in ink is the winner, the dashed line the move
    that is shown. ``layout.meta["features"]`` names the lower axis for clicks.

    Parameters
    ----------
    points : Points
        Rows of the node.
    moves : Moves
    lines : ndarray, shape (n_moves, 4) or (1, 4)
        The hyperplanes as segments (x0, y0, x1, y1), or only that of the move that is shown.
    names : (str, str)
        Of the axes of the plane; a vertical axis without a name is not drawn.
    class_names : sequence of str
    view : (x_min, x_max, y_min, y_max) or None
        Around the points if None.
    equal : bool
        Whether one unit is as long on both axes.
    score_word, move_word : str
        Name the axes of the lower panel.
    height : int
        Of the plane with its labels, in pixels.
    """
    colours = THEMES[theme]
    x_axis, y_axis = plane_axes(view or padded(points.x, points.y), names, equal=equal)
    margin = plane_margin(names, upright=y_axis)
    plane = Panel(
        traces=[
            *_lines(moves, lines, colours),
            *point_traces(points, escaped(class_names), names, colours),
        ],
        xaxis=x_axis,
        yaxis=y_axis,
        annotations=axis_names(names, theme_grey=colours.grey7),
    )
    curve = _curve(moves, score_word, move_word, colours)
    heights = [height - margin.top - margin.bottom, CURVE]
    lower = plane_margin((move_word, ""))
    below = replace(margin, bottom=lower.bottom, right=max(margin.right, lower.right))
    gap = margin.bottom + NAME
    figure = compose([plane, curve], heights, theme=theme, margin=below, gap=gap)
    figure.areas["features"] = {"x2": -1}
    return figure


def _lines(moves: Moves, lines: np.ndarray, theme: Theme) -> list[dict]:
    """The lines lie under the points; the chosen one on a halo."""
    every = len(lines) == len(moves.score)
    traces = []
    if every and len(moves.earlier):
        before = lines[moves.earlier]
        traces.append(
            marks.segments(before, theme.grey3, Size.split, role="earlier", name="earlier moves")
        )
    now = marks.parted(lines[[moves.at if every else 0]])[:-1]
    if len(now):
        name = "hyperplane"
        ink = marks.line(now, theme.ink, Size.chosen, role="chosen_split", name=name)
        traces += [marks.halo(now, theme), ink]
    return traces


def _curve(moves: Moves, score_word: str, move_word: str, theme: Theme) -> Panel:
    number = np.arange(len(moves.score)) + 1
    mine = moves.restart == moves.restart[moves.at]
    low, high = float(moves.score.min()), float(moves.score.max())
    room = 0.08 * (high - low) or 0.5 * max(abs(high), 1e-9)
    ends = (low - room, high + room)
    picked = np.array([[moves.at + 1, ends[0]], [moves.at + 1, ends[1]]])
    traces = [
        _steps(number, moves, ~mine, theme.grey3, "restart"),
        _steps(number, moves, mine, theme.grey7, "restart_shown"),
        marks.line(picked, theme.accent, Size.frame, role="picked", name="move shown", dash="dash"),
    ]
    if moves.best >= 0:
        best = np.array([[moves.best + 1, moves.score[moves.best]]])
        traces.append(marks.dots(best, theme, role="winner", name="best of all"))
    return Panel(
        traces=traces,
        xaxis={
            "range": [0.5, len(number) + 0.5],
            "fixedrange": True,
            **({"dtick": 1} if len(number) < 7 else {}),  # there is no half of a move
        },
        yaxis={"range": list(ends), "fixedrange": True, "nticks": 4},
        annotations=axis_names((move_word, score_word), theme_grey=theme.grey7),
    )


def _steps(number: np.ndarray, moves: Moves, which: np.ndarray, colour: str, role: str) -> dict:
    """Return step curves, one for each restart, parted by NaN."""
    parts = []
    for restart in np.unique(moves.restart[which]):
        mine = moves.restart == restart
        ends = [[number[mine][-1] + 1.0, moves.score[mine][-1]], [np.nan, np.nan]]
        parts += [np.column_stack([number[mine], moves.score[mine]]), ends]
    xy = np.concatenate(parts) if parts else np.empty((0, 2))
    trace = marks.line(xy, colour, Size.curve, role=role, name=role.replace("_", " "))
    trace["line"] = {**trace["line"], "shape": "hv"}
    return trace
