"""A search for a hyperplane: where it stands at one move, and its score over all moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz.plots.visuals.marks import Bounds, Points, pad_bounds, point_traces
from lastviz.plots.visuals.panel import (
    Margin,
    Panel,
    axis_names,
    compose,
    frame,
    plane_axes,
    plane_margin,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import escape_names, feature_html, shorten_name

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
    """Lines ``weights @ (x, y) = threshold`` as segments across the bounds.

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
    """Rows in a view that is true in any dimension.

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
    """Draw a node's rows with the hyperplane of one move, and the score of all moves.

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
    x_axis, y_axis = plane_axes(view or pad_bounds(points.x, points.y), names, equal=equal)
    margin = plane_margin(names, upright=y_axis)
    plane = Panel(
        traces=[
            *_lines(moves, lines, colours),
            *point_traces(points, escape_names(class_names), names, colours),
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
    now = marks.join_segments(lines[[moves.at if every else 0]])[:-1]
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
    """Step curves, one per restart, separated by NaN."""
    parts = []
    for restart in np.unique(moves.restart[which]):
        mine = moves.restart == restart
        ends = [[number[mine][-1] + 1.0, moves.score[mine][-1]], [np.nan, np.nan]]
        parts += [np.column_stack([number[mine], moves.score[mine]]), ends]
    xy = np.concatenate(parts) if parts else np.empty((0, 2))
    trace = marks.line(xy, colour, Size.curve, role=role, name=role.replace("_", " "))
    trace["line"] = {**trace["line"], "shape": "hv"}
    return trace


# ---- How good all lines of a plane are: direction across, rank up, ink for the score


MARGIN = Margin(left=64, right=16, top=34, bottom=52)
PERCENT = 100
DISC, RING, RING_LINE, DOT = 21, 15, 3, 13  # pixels
TURN = 180.0
EDGE = 0.15  # share of the ranks that is too near to the frame for words outwards
LONGEST_NAME = 16


@dataclass(frozen=True)
class LandscapeMark:
    """A line of the plane as a place in its landscape."""

    role: str  # {"best", "chosen", "picked"}
    theta: float  # degrees
    rank: int
    text: str  # written beside it, as plotly html


def landscape_plot(
    scores: np.ndarray,
    theta: np.ndarray,
    rank: np.ndarray,
    marks: Sequence[LandscapeMark] = (),
    *,
    theme: ThemeName,
    features: tuple[str, str],
    n_points: int,
    foot: float = 0.0,
    smaller_is_better: bool = False,
    height: int = 420,
    rank_word: str = "points on the first side",
    of_best: str = "of the best",
) -> Drawing:
    """Draw the criterion landscape of a plane.

    Parameters
    ----------
    scores : ndarray, shape (n_directions, n_ranks)
        NaN where there is no line.
    theta, rank : ndarray
        The directions in degrees and the ranks of its cells, rising.
    marks : sequence of LandscapeMark
        Later ones lie on top.
    features : (str, str)
        Of 0 and of 90 degrees.
    n_points : int
        Of the plane: the ranks end below.
    foot : float
        The score that is painted as paper; the best one is painted darkest.
    smaller_is_better : bool
    rank_word, of_best : str
        The name of the vertical axis; what a percentage in a hover text is of.

    Notes
    -----
    Scores go as whole percents of the way from the foot to the best: a byte a cell.
    ``layout.meta["features"]`` says that a click anywhere means something.
    """
    colours = THEMES[theme]
    layout = frame(theme, height - MARGIN.top - MARGIN.bottom, MARGIN)
    layout["xaxis"] = {
        "range": [0.0, TURN],
        "tickvals": [0, 45, 90, 135, 180],
        "ticktext": [f"0°<br>{_short(features[0])}", "45°", f"90°<br>{_short(features[1])}",
                     "135°", "180°"],
    }  # fmt: skip
    layout["yaxis"] = {"range": [1 - 0.5, max(n_points - 0.5, 2.5)]}
    layout["meta"] |= {"features": {"x": "direction", "y": "rank"}}
    layout["shapes"] = [_axis_line(at, colours) for at in (0.0, TURN / 2, TURN)]
    layout["annotations"] = [_rank_name(rank_word, colours)]
    traces = [_ground(scores, theta, rank, foot, smaller_is_better, colours, of_best)]
    for mark in marks:
        traces += _mark(mark, colours)
        layout["annotations"].append(_label(mark, n_points, colours))
    return Drawing(traces, layout)


def _ground(
    scores: np.ndarray,
    theta: np.ndarray,
    rank: np.ndarray,
    foot: float,
    smaller_is_better: bool,
    theme: Theme,
    of_best: str,
) -> dict:
    known = scores[np.isfinite(scores)]
    best = foot
    if len(known):
        best = known.min() if smaller_is_better else known.max()
    span = best - foot
    share = (scores - foot) / span if span else np.zeros_like(scores)
    percent = np.clip(np.round(PERCENT * share), 0, PERCENT)
    if np.isfinite(scores).all():
        percent = percent.astype(np.int8)
    return {
        "type": "heatmap",
        "name": "landscape",
        "meta": {"role": "landscape"},
        "x": theta,
        "y": rank,
        "z": percent.T,
        "zmin": 0,
        "zmax": PERCENT,
        "zsmooth": False,
        "colorscale": theme.relief,
        "showscale": False,
        "hoverongaps": False,
        "hovertemplate": f"%{{x:.0f}}°, %{{y}}<br>%{{z}} % {of_best}<extra></extra>",
    }


def _short(name: str) -> str:
    return feature_html(shorten_name(name, LONGEST_NAME))


def _axis_line(at: float, theme: Theme) -> dict:
    line = {"color": theme.grey5, "width": Size.split, "dash": "dot"}
    return {
        "type": "line", "name": "axis", "xref": "x", "x0": at, "x1": at,
        "yref": "y domain", "y0": 0, "y1": 1, "line": line,
    }  # fmt: skip


def _rank_name(text: str, theme: Theme) -> dict:
    return {
        "text": text, "showarrow": False, "xref": "x domain", "yref": "y domain", "x": 0, "y": 1,
        "xanchor": "left", "yanchor": "bottom", "xshift": -MARGIN.left + 4, "yshift": 8,
        "font": {"size": Size.axis, "color": theme.grey7},
    }  # fmt: skip


def _mark(mark: LandscapeMark, theme: Theme) -> list[dict]:
    """Ring on a disc of paper for the best, a dot for any other line."""
    if mark.role == "best":
        ring = {
            "symbol": "circle-open", "size": RING, "color": theme.ink,
            "line": {"width": RING_LINE, "color": theme.ink},
        }  # fmt: skip
        disc = {"symbol": "circle", "size": DISC, "color": theme.paper}
        return [_place(mark, "disc", disc), _place(mark, mark.role, ring)]
    colour = theme.accent if mark.role == "picked" else theme.ink
    dot = {
        "symbol": "circle", "size": DOT, "color": colour,
        "line": {"width": Size.dot_edge, "color": theme.paper},
    }  # fmt: skip
    return [_place(mark, mark.role, dot)]


def _place(mark: LandscapeMark, role: str, marker: dict) -> dict:
    return {
        "type": "scatter", "mode": "markers", "name": role, "meta": {"role": role},
        "x": [mark.theta], "y": [mark.rank], "marker": marker, "hoverinfo": "skip",
        "cliponaxis": False,
    }  # fmt: skip


def _label(mark: LandscapeMark, n_points: int, theme: Theme) -> dict:
    """Words beside a mark, on plain ground, towards the middle of the picture."""
    above = mark.rank < n_points / 2
    is_inside = EDGE * n_points < mark.rank < (1 - EDGE) * n_points
    if mark.role == "chosen" and is_inside:  # apart from the best one, which often lies near
        above = not above
    colour = theme.accent if mark.role == "picked" else theme.ink
    return {
        "text": mark.text, "x": mark.theta, "y": mark.rank, "showarrow": False,
        "xanchor": "left" if mark.theta < TURN / 2 else "right",
        "xshift": RING if mark.theta < TURN / 2 else -RING,
        "yanchor": "bottom" if above else "top",
        "yshift": DOT / 2 if above else -DOT / 2,
        "bgcolor": theme.paper, "borderpad": 2,
        "font": {"size": Size.tick, "color": colour},
    }  # fmt: skip
