"""How good all lines of a plane are: direction across, rank up, ink for the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import Margin, frame
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import feature_html, shortened

from .visuals.drawing import Drawing

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
    return feature_html(shortened(name, LONGEST_NAME))


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
    """Return a ring on a disc of paper for the best, a dot for any other line."""
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
    """Return the words beside a mark, on plain ground, towards the middle of the picture."""
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
