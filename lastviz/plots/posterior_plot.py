"""How probable it is that one algorithm is worse, as good, or better: a density, a triangle."""

from __future__ import annotations

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import N_SHADES, THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import number

from .visuals import marks
from .visuals.drawing import Drawing

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
    """Draw where the difference of two algorithms lies, parted by the region of equivalence.

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
    """Draw how a new data set may turn out: a cloud in a triangle, the more likely the darker.

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
    """Return the area under the density between two differences as a polygon, (n, 2)."""
    low, high = max(low, float(x[0])), min(high, float(x[-1]))
    if low >= high:
        return np.empty((0, 2))
    inside = x[(x > low) & (x < high)]
    at = np.r_[low, inside, high]
    top = np.interp(at, x, density)
    return np.vstack([np.column_stack([at, top]), [(high, 0.0), (low, 0.0)]])


def _share_text(name: str, share: float, largest: bool) -> str:
    text = f"{name}<br>{number(round(100 * share, 1))} %"
    return f"<b>{text}</b>" if largest else text


def _heads(
    names: tuple[str, str, str],
    shares: tuple[float, float, float],
    at: tuple[float, ...],
    theme: Theme,
) -> list[dict]:
    """Return the three names with their probabilities above the panel."""
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
    """Return the cells that samples lie in, their greys by the root of how many."""
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
