"""Every algorithm against every other: on how many data sets it is better, in a matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import N_SHADES, THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import HUNDRED, distinct_labels, escape_names, number, text_width

from .visuals import marks
from .visuals.drawing import Drawing

CELL = 34  # pixels a row
LETTERS = 16
ALL_COUNTS_UP_TO = 6  # algorithms; with more a cell holds the wins alone


def paired_results_plot(
    names: Sequence[str],
    wins: np.ndarray,
    ties: np.ndarray,
    apart: np.ndarray,
    *,
    theme: ThemeName,
    hover: Sequence[Sequence[str]] | None = None,
    words: tuple[str, str, str] = ("better", "equal", "worse"),
) -> Drawing:
    """Draw wins, ties and losses of row against column algorithms, as 8/1/1.

    Columns are numbered as the rows are. A cell is the darker the more often its row is better;
    pairs that differ significantly are framed, in the row of the better one bold.

    Parameters
    ----------
    names : sequence of str
    wins, ties : ndarray of intp, shape (n, n)
        Data sets on which the row is better than the column, and equal to it.
    apart : ndarray of bool, shape (n, n)
        Pairs that differ significantly; symmetric.
    hover : sequence of sequence of str, optional
        What the pointer reads over a cell besides, as html.
    words : (str, str, str)
        What wins, ties and losses are called there.
    """
    colours = THEMES[theme]
    wins, ties = np.asarray(wins), np.asarray(ties)
    n, losses = len(names), wins.T
    total = wins + ties + losses
    other = ~np.eye(n, dtype=bool)
    share = np.divide(wins + 0.5 * ties, total, out=np.full((n, n), np.nan), where=total > 0)
    share[~other] = np.nan
    full = escape_names(names)
    texts = [
        [_about(full, i, j, (wins[i, j], ties[i, j], losses[i, j]), words, hover) for j in range(n)]
        for i in range(n)
    ]
    traces = [
        _cells(share, texts, colours),
        *_numbers(wins, ties, losses, other & (total > 0), apart, n, colours),
        _frames(np.asarray(apart) & other & (share > 0.5), colours),
    ]
    rows = [f"{i + 1}  {name}" for i, name in
            enumerate(escape_names(distinct_labels(map(str, names), LETTERS)))]  # fmt: skip
    ticks = {"tickvals": list(range(n)), "ticks": "", "fixedrange": True}
    panel = Panel(
        traces=traces,
        xaxis={
            "range": [-0.5, n - 0.5], "side": "top", "ticktext": [str(i + 1) for i in range(n)],
            **ticks,
        },
        yaxis={
            "range": [n - 0.5, -0.5], "ticktext": rows,
            "tickfont": {"size": Size.tick, "color": colours.grey7}, **ticks,
        },
    )  # fmt: skip
    longest = max((text_width(row) for row in rows), default=0)
    margin = Margin(left=round(1.08 * longest) + 14, right=6, top=26, bottom=6)
    return compose([panel], [CELL * max(n, 1)], theme=theme, margin=margin)


def _about(
    names: Sequence[str],
    i: int,
    j: int,
    counts: tuple[int, int, int],
    words: tuple[str, str, str],
    hover: Sequence[Sequence[str]] | None,
) -> str:
    outcome = ", ".join(f"{count} {word}" for count, word in zip(counts, words, strict=True))
    more = f"<br>{hover[i][j]}" if hover is not None and hover[i][j] else ""
    return f"<b>{names[i]}</b> – {names[j]}<br>{outcome}{more}"


def _cells(share: np.ndarray, texts: Sequence[Sequence[str]], theme: Theme) -> dict:
    return {
        "type": "heatmap",
        "name": "share",
        "meta": {"role": "cells"},
        "z": share,
        "zmin": 0,
        "zmax": 1,
        "xgap": 3,
        "ygap": 3,
        "colorscale": [[0, theme.paper], [0.5, theme.grey1], [1, theme.grey3]],
        "showscale": False,
        "text": texts,
        "hoverongaps": False,
        "hovertemplate": "%{text}<extra></extra>",
    }


def _numbers(
    wins: np.ndarray,
    ties: np.ndarray,
    losses: np.ndarray,
    where: np.ndarray,
    apart: np.ndarray,
    n: int,
    theme: Theme,
) -> list[dict]:
    ahead = where & np.asarray(apart) & (wins > losses)
    traces = []
    for which, colour, form, role in (
        (where & ~ahead, theme.ink, "{}", "result"), (ahead, theme.ink, "<b>{}</b>", "significant"),
    ):  # fmt: skip
        y, x = np.nonzero(which)
        texts = [
            f"{won}/{even}/{lost}" if n <= ALL_COUNTS_UP_TO else str(won)
            for won, even, lost in zip(wins[which], ties[which], losses[which], strict=True)
        ]
        texts = [form.format(text) for text in texts]
        traces.append(marks.words(x, y, texts, Size.tick, colour, role=role, name=role))
    return traces


def _frames(where: np.ndarray, theme: Theme) -> dict:
    y, x = np.nonzero(where)
    half = 0.46
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)])
    xy = np.column_stack([x, y])[:, None] + corners
    xy = np.concatenate([xy, np.full((len(xy), 1, 2), np.nan)], axis=1).reshape(-1, 2)
    return marks.line(xy, theme.ink, Size.frame, role="frame", name="significant")


# ---- How probable it is that one algorithm is worse, as good, or better: a density, a triangle


HEADS = 44  # pixels above the density: a name and its probability
SIDE = 56  # cells along a side of the triangle
CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(3) / 2], [1.0, 0.0]])  # worse, equal, better


def posterior_plot(
    x: np.ndarray,
    density: np.ndarray,
    rope: float,
    shares: tuple[float, float, float],
    *,
    theme: ThemeName,
    names: tuple[str, str, str] = ("worse", "as good", "better"),
    axis: str = "difference",
    height: int = 240,
) -> Drawing:
    """Draw the posterior density of the difference of two algorithms.

    The region of equivalence divides it.

    Parameters
    ----------
    x, density : ndarray of float64, shape (n,)
        Rising differences and their density.
    rope : float
        Half the width of the region around 0 in which both are as good.
    shares : (float, float, float)
        Probabilities of worse, as good and better; the largest stands in ink.
    names : (str, str, str)
        What the three regions are called, as html.
    axis : str
        What the difference is of, with its unit.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    x, density = np.asarray(x, dtype=np.float64), np.asarray(density, dtype=np.float64)
    low, high = min(float(x.min()), -1.5 * rope), max(float(x.max()), 1.5 * rope)
    top = 1.06 * float(density.max(initial=0.0)) or 1.0
    traces = [
        marks.polygons(_under(x, density, *ends), colour, role="region", name=role)
        for ends, colour, role in (
            ((-np.inf, -rope), colours.grey2, "worse"),
            ((-rope, rope), colours.grey1, "equal"),
            ((rope, np.inf), colours.grey3, "better"),
        )
    ]
    traces.append(
        marks.line(
            np.column_stack([x, density]), colours.grey7, 2.25, role="density", name="density"
        )
    )
    edges = np.array([(at, 0.0, at, top) for at in sorted({-rope, rope})])
    traces.append(marks.segments(edges, colours.ink, Size.split, role="edge", name="edge"))
    panel = Panel(
        traces=traces,
        xaxis={"range": [low, high], "fixedrange": True, "nticks": 6},
        yaxis={"range": [0.0, top], "visible": False, "fixedrange": True},
        annotations=[
            *axis_names((axis, ""), theme_grey=colours.grey7),
            *_heads(names, shares, (0.0, 0.5, 1.0), colours),
        ],
    )
    margin = Margin(left=12, right=12, top=HEADS, bottom=50)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def posterior_triangle_plot(
    samples: np.ndarray,
    shares: tuple[float, float, float],
    *,
    theme: ThemeName,
    names: tuple[str, str, str] = ("worse", "as good", "better"),
    height: int = 300,
) -> Drawing:
    """Draw the posterior of the outcome on a new data set, a cloud in a triangle.

    The more likely an outcome, the darker the cloud.

    A corner stands for certainty that one of the three happens; the lines part where each is the
    most probable. In the dark more is brighter.

    Parameters
    ----------
    samples : ndarray of float64, shape (n_samples, 3)
        Shares of worse, as good and better; rows sum to 1.
    shares : (float, float, float)
        How often each of the three is the largest; the largest of them stands in ink.
    names : (str, str, str)
        What the three corners are called, as html.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    xy = np.asarray(samples, dtype=np.float64) @ CORNERS
    heavy = np.sqrt(3) / 2
    counts, *_ = np.histogram2d(
        xy[:, 1], xy[:, 0], bins=(round(SIDE * heavy), SIDE), range=((0, heavy), (0, 1))
    )
    centre = CORNERS.mean(axis=0)
    middles = (CORNERS + np.roll(CORNERS, -1, axis=0)) / 2
    edges = np.column_stack([CORNERS, np.roll(CORNERS, -1, axis=0)])
    inner = np.column_stack([np.broadcast_to(centre, (3, 2)), middles])
    traces = [
        _cloud(counts, heavy, colours),
        marks.segments(inner, colours.grey3, Size.split, role="border", name="border"),
        marks.segments(edges, colours.grey5, Size.split, role="edge", name="edge"),
    ]
    fixed = {"visible": False, "fixedrange": True}
    panel = Panel(
        traces=traces,
        xaxis={"range": [-0.02, 1.02], "constrain": "domain", **fixed},
        yaxis={"range": [-0.02, heavy + 0.02], "scaleanchor": "x", "constrain": "domain", **fixed},
        annotations=_corners(names, shares, colours),
    )
    margin = Margin(left=8, right=8, top=HEADS, bottom=HEADS)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _under(x: np.ndarray, density: np.ndarray, low: float, high: float) -> np.ndarray:
    """Area under the density between two differences as a polygon, (n, 2)."""
    low, high = max(low, float(x[0])), min(high, float(x[-1]))
    if low >= high:
        return np.empty((0, 2))
    inside = x[(x > low) & (x < high)]
    at = np.r_[low, inside, high]
    top = np.interp(at, x, density)
    return np.vstack([np.column_stack([at, top]), [(high, 0.0), (low, 0.0)]])


def _share_text(name: str, share: float, largest: bool) -> str:
    text = f"{name}<br>{number(round(HUNDRED * share, 1))} %"
    return f"<b>{text}</b>" if largest else text


def _heads(
    names: tuple[str, str, str],
    shares: tuple[float, float, float],
    at: tuple[float, ...],
    theme: Theme,
) -> list[dict]:
    """Three names with their probabilities above the panel."""
    return [
        {
            "xref": "domain", "yref": "domain", "x": x, "y": 1, "yanchor": "bottom",
            "xanchor": ("left", "center", "right")[i], "align": ("left", "center", "right")[i],
            "name": "region", "text": _share_text(name, share, share == max(shares)),
            "showarrow": False,
            "font": {"size": Size.tick,
                     "color": theme.ink if share == max(shares) else theme.grey7},
        }
        for i, (name, share, x) in enumerate(zip(names, shares, at, strict=True))
    ]  # fmt: skip


def _corners(
    names: tuple[str, str, str], shares: tuple[float, float, float], theme: Theme
) -> list[dict]:
    found = []
    for i, ((x, y), name, share) in enumerate(zip(CORNERS.tolist(), names, shares, strict=True)):
        largest = share == max(shares)
        found.append({
            "x": x, "y": y, "yanchor": "bottom" if i == 1 else "top",
            "xanchor": ("left", "center", "right")[i], "align": ("left", "center", "right")[i],
            "xshift": (-20, 0, 20)[i], "yshift": 2 if i == 1 else -4,
            "name": "corner", "text": _share_text(name, share, largest), "showarrow": False,
            "font": {"size": Size.tick, "color": theme.ink if largest else theme.grey7},
        })  # fmt: skip
    return found


def _cloud(counts: np.ndarray, heavy: float, theme: Theme) -> dict:
    """Cells that samples lie in, their greys by the root of how many."""
    rows, columns = counts.shape
    return {
        "type": "heatmap",
        "name": "samples",
        "meta": {"role": "samples"},
        "x": (np.arange(columns) + 0.5) / columns,
        "y": (np.arange(rows) + 0.5) * heavy / rows,
        "z": np.where(counts > 0, np.sqrt(counts), np.nan),
        "zmin": 0,
        "colorscale": [[0, theme.shade(0)], [1, theme.shade(N_SHADES - 1)]],
        "showscale": False,
        "hoverinfo": "skip",
        "hoverongaps": False,
    }
