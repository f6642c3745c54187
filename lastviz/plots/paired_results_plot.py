"""Every algorithm against every other: on how many data sets it is better, in a matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import distinct_labels, escaped, text_width

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
    """Draw wins, ties and losses of the row's algorithm against the column's, as 8/1/1.

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
    full = escaped(names)
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
            enumerate(escaped(distinct_labels(map(str, names), LETTERS)))]  # fmt: skip
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
