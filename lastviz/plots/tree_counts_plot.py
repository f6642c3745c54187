"""Numbers of trees by their errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import number

from .visuals.drawing import Drawing

FOOT = 0.3  # height of one tree's bar, in powers of ten: its logarithm is 0
NUMBERED = 6  # bars that say their number, about


def tree_counts_plot(
    counts: Sequence[int],
    within: Sequence[int],
    first: int,
    most: int,
    *,
    theme: ThemeName,
    height: int = 150,
) -> Drawing:
    """Draw trees by their errors, each bar as high as the logarithm of their number.

    Parameters
    ----------
    counts : sequence of int
        Trees that make `first`, `first` + 1, ... errors; grey.
    within : sequence of int
        Those of them that keep the other limits; dark up to `most` errors.
    first, most : int
        Errors of the best tree, and of the trees that count.
    height : int
        In pixels.
    """
    colours, x = THEMES[theme], list(range(first, first + len(counts)))
    step = -(-len(counts) // NUMBERED)
    fills = [colours.grey7 if errors <= most else colours.grey2 for errors in x]
    tops, below = ([log10(n) + FOOT if n else 0.0 for n in each] for each in (counts, within))
    rest = [top - low for top, low in zip(tops, below, strict=True)]
    texts = [number(n) if i % step == 0 and n else "" for i, n in enumerate(counts)]
    common = {"type": "bar", "x": x, "meta": {"role": "count"}, "cliponaxis": False}
    common |= {"customdata": [number(n) for n in within]}
    common |= {"hovertemplate": "%{x}: %{customdata}<extra></extra>"}
    inside = {"name": "within", "y": below, "marker": {"color": fills}}
    others = {
        "name": "others", "y": rest, "marker": {"color": colours.grey1}, "text": texts,
        "textposition": "outside", "constraintext": "none",
    }  # fmt: skip
    edge = {
        "type": "line", "x0": most + 0.5, "x1": most + 0.5, "y0": 0, "y1": 1.25 * max(tops),
        "line": {"color": colours.accent, "width": 2.5, "dash": "dash"},
    }  # fmt: skip
    panel = Panel(
        traces=[common | inside, common | others],
        xaxis={"range": [first - 0.6, x[-1] + 0.6], "fixedrange": True, "tickvals": x[::step]},
        yaxis={"visible": False, "fixedrange": True, "range": [0, 1.25 * max(tops)]},
        shapes=[edge],
    )
    margin = Margin(left=8, right=8, top=4, bottom=24)
    return compose([panel], [height - 28], theme=theme, margin=margin)
