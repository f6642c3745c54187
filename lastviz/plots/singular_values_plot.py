"""How long each component is over the rows that gave it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.component_bars import bar_trace, short_ticks
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import number

from .visuals.drawing import Drawing

_FEW = 12  # bars that have room for their values; of more, the first and the chosen are told


def singular_values_plot(
    values: np.ndarray,
    shares: np.ndarray,
    names: Sequence[str],
    *,
    theme: ThemeName,
    chosen: int = -1,
    shown: Sequence[int] = (),
    height: int = 150,
    share_word: str = "of the squared length",
) -> Drawing:
    """Draw one bar a component: ink for the split's, dark grey for those on the axes.

    Parameters
    ----------
    values, shares : ndarray, shape (n_components,)
        Lengths, and their part of the squared length (0 to 1).
    names : sequence of str
        Of the components, as plotly html.
    chosen : int
        The component of the split; -1 if there is none.
    shown : sequence of int
        The components on the axes.
    """
    colours = THEMES[theme]
    values = np.asarray(values, dtype=np.float64)
    place = np.arange(len(values))
    colour = [
        colours.ink if i == chosen else colours.grey5 if i in shown else colours.grey3
        for i in place
    ]
    labelled = {0, chosen}
    texts = [
        (f"<b>{number(float(_digits(v)))}</b>" if i == chosen else number(float(_digits(v))))
        if i in labelled or len(values) <= _FEW
        else ""
        for i, v in enumerate(values)
    ]
    trace = bar_trace(place, values, colour, texts, role="length", name="length", theme=colours)
    trace["customdata"] = [
        f"<b>{name}</b> {number(float(v))}<br>{100 * float(s):.3g} % {share_word}"
        for name, v, s in zip(names, values, shares, strict=True)
    ]
    top = 1.28 * float(values.max(initial=0.0)) or 1.0
    ticks = short_ticks(len(values), chosen, shown)
    panel = Panel(
        traces=[trace],
        xaxis={
            "range": [-0.6, len(values) - 0.4], "fixedrange": True, "ticks": "",
            "tickmode": "array", "tickvals": ticks, "ticktext": [str(i + 1) for i in ticks],
        },
        yaxis={"range": [0, top], "visible": False, "fixedrange": True},
    )  # fmt: skip
    margin = Margin(left=16, right=4, top=2, bottom=26)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _digits(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
