"""Errors of a tree against its leaves as it is cut back: training, held out, cross-validated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz.plots.visuals.mark_names import (
    NamedMark,
    leaders,
    names_above,
    names_in_lanes,
    names_of_ends,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import HUNDRED, escape_names, number

from .visuals import marks
from .visuals.drawing import Drawing

CROSS_VALIDATED = 2.25  # pixels
DOT, DIAMOND, INK_EDGE = 8, 9.5, 2
# Least pixels of the axis, and beside it: a phone has 348. Names are placed by them.
WIDTH, RIGHT = 186, 120
HEIGHT = 220  # pixels, with room for two lines of names above the curves
LANE = 22  # pixels of a line of names above the curves
BELOW = 0.06  # of the largest error: marks at zero are whole
APART = 0.1  # least distance of two ticks, as a share of the axis


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Trees of one family, largest first: numbers of leaves and error rates.

    Errors are shares, NaN where unknown.
    """

    n_leaves: np.ndarray  # (n_trees,) intp
    training: np.ndarray  # (n_trees,) float64
    held_out: np.ndarray  # (n_trees,) float64
    cross_validated: np.ndarray  # (n_trees,) float64
    standard_error: np.ndarray  # (n_trees,) float64
    # Whether it is drawn in steps: each tree is a part of the one before, and between two of them
    # there is none.
    nested: bool = True


@dataclass(frozen=True, eq=False)
class OtherPruner:
    """Another pruner: its pruned tree and the curve of its other trees, if any."""

    name: str
    n_leaves: float  # of its tree
    error: float  # of its tree
    line: np.ndarray  # (n, 2) float64, leaves and errors of the trees of its parameter


@dataclass(frozen=True)
class PruningWords:
    """Texts of the figure."""

    errors: str = "error, %"
    leaves: str = "leaves"
    training: str = "training"
    held_out: str = "held out"
    cross_validated: str = "cross-validated"
    band: str = "± 1 SE"
    chosen: str = "one-SE rule"
    mine: str = "selected"
    tree: str = "{leaves} leaves"
    listing: str = ", "


def pruning_curve_plot(
    curve: ErrorCurve,
    others: Sequence[OtherPruner],
    *,
    theme: ThemeName,
    mine: int,
    chosen: int | None,
    words: PruningWords | None = None,
    height: int = HEIGHT,
) -> Drawing:
    """Draw the errors of trees of one family over their leaves, on a logarithmic axis.

    Parameters
    ----------
    curve : ErrorCurve
    others : sequence of OtherPruner
    mine : int
        The tree that the reader has chosen: a dashed line, unless it is that of the rule.
    chosen : int or None
        The tree of the rule of one standard error: a line of ink.
    words : PruningWords, optional
    height : int
        In pixels, with room for two lines of names above the curves; each more adds to it.

    Notes
    -----
    Ways that leave the same tree share a diamond and its name. One that agrees with the rule is
    named beside it, without a diamond.
    """
    colours, words = THEMES[theme], words or PruningWords()
    known = [curve.training, curve.held_out, curve.cross_validated + curve.standard_error]
    values = np.concatenate([*known, [other.error for other in others]])
    top = 1.06 * max(float(np.nanmax(values, initial=0.0)), 0.01)
    found = _marked(curve, others, chosen, words)
    marked = list(found)
    sizes = [*curve.n_leaves.tolist(), *(other.n_leaves for other in others)]
    low = np.log10(min(sizes))
    span = max(np.log10(max(sizes)) - low, np.log10(2))

    def place(mark: NamedMark) -> float:
        return (np.log10(mark.n_leaves) - low) / span * WIDTH

    lanes = _lanes(found, place, WIDTH + RIGHT)
    names, n_lanes = names_in_lanes(lanes, [*map(place, lanes)], WIDTH + RIGHT), len(lanes)
    margin = Margin(left=40, right=RIGHT, top=8, bottom=30)
    inner = height + LANE * max(n_lanes - 1, 0) - margin.top - margin.bottom
    head = LANE * (n_lanes + 1)  # that of the reader's tree is the lowest
    unit = 100 * top * (1 + BELOW) / (inner - head)  # per cent a pixel
    heights = [100 * top + unit * LANE * (n_lanes - lane + 0.5) for lane in range(n_lanes)]
    traces = [*_band(curve, colours, words), *leaders(lanes, heights, colours)]
    traces += [*_lines(curve, colours, words), *_lines_of_others(others, marked, colours)]
    traces += names_above(lanes, names, heights, colours)
    annotations = _axis_words(100 * top + unit * LANE / 2, colours, words)
    if chosen is not None:
        traces += _rule(curve, chosen, colours)
    if mine != chosen:
        traces += _mine(curve, mine, 100 * top + unit * LANE / 2, colours, words)
    annotations += _ends(curve, 100 * top, unit * LANE, colours, words)
    ticks = _ticks(curve.n_leaves, span)
    step = next(step for step in (0.2, 0.5, 1, 2, 5, 10, 20) if 100 * top / step < 6)
    panel = Panel(
        traces=traces,
        xaxis={
            "type": "log", "range": [low - 0.03 * span, low + 1.02 * span], "fixedrange": True,
            "tickvals": ticks, "ticktext": [number(tick) for tick in ticks],
        },
        yaxis={
            "range": [-100 * top * BELOW, 100 * top + unit * head], "fixedrange": True,
            "zeroline": False, "tickvals": np.arange(0.0, 100 * top, step).tolist(),
        },
        annotations=annotations,
    )  # fmt: skip
    drawing = compose([panel], [inner], theme=theme, margin=margin)
    drawing.settings["meta"]["least"] = margin.left + WIDTH + margin.right
    return drawing


def _marked(
    curve: ErrorCurve, others: Sequence[OtherPruner], chosen: int | None, words: PruningWords
) -> dict[NamedMark, list[str]]:
    """Marks named above the curves, by rising number of leaves, with their names."""
    found: dict[tuple[float, float], list[str]] = {}
    if chosen is not None:
        rule = float(curve.n_leaves[chosen]), round(100 * float(curve.held_out[chosen]), 9)
        found[rule] = [words.chosen]
    for other in others:
        found.setdefault((float(other.n_leaves), round(100 * other.error, 9)), []).append(
            other.name
        )
    marked = {
        NamedMark(*place, words.listing.join(names), chosen is not None and i == 0): names
        for i, (place, names) in enumerate(found.items())
    }
    return dict(sorted(marked.items(), key=lambda item: (item[0].n_leaves, item[0].error)))


def _lanes(
    found: dict[NamedMark, list[str]], place: Callable[[NamedMark], float], room: float
) -> list[NamedMark]:
    """Mark for each line of names: names that do not fit beside each other go below."""
    lanes = []
    for mark, names in found.items():
        fits = names_in_lanes([mark], [place(mark)], room) == [mark.name]
        lanes += [mark] if fits else [replace(mark, name=name) for name in names]
    return lanes


def _ticks(n_leaves: np.ndarray, span: float) -> list[int]:
    """Leaf counts of existing trees, spaced so that their labels do not touch."""
    sizes = np.unique(n_leaves)[::-1].tolist()
    ticks: list[int] = []
    for size in sizes:
        if not ticks or np.log10(ticks[-1] / size) >= APART * span:
            ticks.append(size)
    return ticks[::-1]


def _steps(n_leaves: np.ndarray, error: np.ndarray, *, nested: bool) -> np.ndarray:
    """Corners of a line, (n, 2) in leaves and per cent: from a tree to the next."""
    x, y = n_leaves[::-1].astype(np.float64), 100 * error[::-1]
    if not nested:
        return np.column_stack([x, y])
    return np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])


def _band(curve: ErrorCurve, theme: Theme, words: PruningWords) -> list[dict]:
    if not np.isfinite(curve.cross_validated).all():
        return []
    low, high = (
        _steps(
            curve.n_leaves, curve.cross_validated + sign * curve.standard_error, nested=curve.nested
        )
        for sign in (-1, 1)
    )
    edge = np.vstack([low, high[::-1], low[:1]])
    return [marks.polygons(edge, theme.grey1, role="band", name=words.band)]


def _lines(curve: ErrorCurve, theme: Theme, words: PruningWords) -> list[dict]:
    found = []
    looks = (
        ("training", curve.training, theme.grey5, Size.curve, "dot", "circle", 5),
        ("held_out_error", curve.held_out, theme.grey5, Size.curve, "solid", "circle-open", DOT),
        ("cross_validated", curve.cross_validated, theme.grey7, CROSS_VALIDATED, "solid",
         "circle", DOT),
    )  # fmt: skip
    names = (words.training, words.held_out, words.cross_validated)
    for (role, error, colour, width, dash, symbol, size), name in zip(looks, names, strict=True):
        if not np.isfinite(error).all():
            continue
        xy = _steps(curve.n_leaves, error, nested=curve.nested)
        found.append(marks.line(xy, colour, width, role=f"{role}_line", name=name, dash=dash))
        found.append(_dots(curve, error, name, f"{role}_trees", (symbol, size, colour), words))
    return found


def _dots(
    curve: ErrorCurve,
    error: np.ndarray,
    name: str,
    role: str,
    look: tuple[str, float, str],
    words: PruningWords,
) -> dict:
    symbol, _, colour = look
    trees = [words.tree.format(leaves=number(int(n))) for n in curve.n_leaves]
    trace = marks.symbols(
        curve.n_leaves.astype(np.float64),
        HUNDRED * error,
        *look,
        (Size.curve if symbol.endswith("open") else 0, colour),
        role=role,
        name=name,
        texts=trees,
        customdata=np.arange(len(error)),
    )
    return trace | {"hovertemplate": f"<b>{name}</b><br>%{{text}}: %{{y:.1f}} %<extra></extra>"}


def _lines_of_others(
    others: Sequence[OtherPruner], marked: Sequence[NamedMark], theme: Theme
) -> list[dict]:
    """Lines of other ways to prune, and a diamond for each of their trees."""
    found = [
        marks.line(other.line * (1, 100), theme.grey3, 1.25, role="other_line", name=other.name)
        for other in others
        if len(other.line) > 1
    ]
    shown = [mark for mark in marked if not mark.is_rule]
    if not shown:
        return found
    diamonds = marks.symbols(
        np.array([mark.n_leaves for mark in shown]),
        np.array([mark.error for mark in shown]),
        "diamond",
        DIAMOND,
        theme.paper,
        (INK_EDGE, theme.ink),
        role="other",
        name="other ways",
        texts=[f"<b>{name}</b>" for name in escape_names([mark.name for mark in shown])],
        cliponaxis=False,
    )
    return [*found, diamonds | {"hovertemplate": "%{text}<br>%{x:.0f}: %{y:.1f} %<extra></extra>"}]


def _rule(curve: ErrorCurve, chosen: int, theme: Theme) -> list[dict]:
    """Line of the error limit, one standard error above the least error."""
    x, least = float(curve.n_leaves[chosen]), int(np.argmin(curve.cross_validated))
    limit = 100 * (curve.cross_validated[least] + curve.standard_error[least])
    reach = marks.join_segments(np.array([[x, limit, float(curve.n_leaves[least]), limit]]))
    return [marks.line(reach, theme.grey5, 1.25, role="limit", name="limit", dash="dot")]


def _mine(
    curve: ErrorCurve, mine: int, height: float, theme: Theme, words: PruningWords
) -> list[dict]:
    """Dashed line of the reader's tree with a dot on each curve, and its name."""
    x = float(curve.n_leaves[mine])
    ends = marks.join_segments(np.array([[x, 0.0, x, height]]))
    line = marks.line(ends, theme.accent, 2.25, role="mine", name=words.mine, dash="dash")
    known = [curve.held_out[mine], curve.cross_validated[mine]]
    y = np.array([100 * value for value in known if np.isfinite(value)])
    look = "circle", Size.dot, theme.accent, (Size.dot_edge, theme.paper)
    dots = marks.symbols(np.full(len(y), x), y, *look, role="mine", name=words.mine)
    mark = NamedMark(x, np.nan, words.mine, is_rule=False)
    name = names_above([mark], [words.mine], [height], theme, "mine_name", theme.accent)
    return [line, dots, *name]


def _axis_words(height: float, theme: Theme, words: PruningWords) -> list[dict]:
    font = {"size": Size.axis, "color": theme.grey7}
    up = {
        "xref": "domain", "name": "y name", "x": 0, "y": height, "xanchor": "left",
        "yanchor": "middle", "xshift": -40, "text": words.errors,
    }  # fmt: skip
    across = {
        "xref": "domain", "yref": "domain", "name": "x name", "x": 1, "y": 0, "xanchor": "left",
        "yanchor": "top", "xshift": 24, "yshift": -2, "text": words.leaves,
    }  # fmt: skip
    return [{**place, "showarrow": False, "font": font} for place in (up, across)]


def _ends(
    curve: ErrorCurve, top: float, line: float, theme: Theme, words: PruningWords
) -> list[dict]:
    """Names of the curves at their right ends, a `line` of letters apart."""
    known = (
        (curve.training, words.training, theme.grey5),
        (curve.held_out, words.held_out, theme.grey5),
        (curve.cross_validated, words.cross_validated, theme.grey7),
    )
    ends = [(100 * error[0], *rest) for error, *rest in known if np.isfinite(error[0])]
    return names_of_ends(ends, lowest=line / 2, highest=top - line / 2, apart=line)
