"""The rows at the right of a rule tree: numbers, class supports, clickable areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz._sentences import HUNDRED, isolate
from lastviz.inspection import (
    Condition,
    MachineCondition,
    NominalCondition,
    ObliqueCondition,
    Supports,
    conditions,
)
from lastviz.tree import Tree, threshold_decimals

from . import marks
from .flow_layout import FlowLayout
from .panel import Hit, hit
from .theme import Size, Theme
from .words import (
    IS_KNOWN,
    IS_MISSING,
    category_words,
    feature_html,
    largest_weight,
    machine_words,
    number,
    say,
    weighted_sum,
)

PITCH = 28.5  # pixels between rows with numbers
# Columns, in pixels from the right edge. They come closer where there is less room than was hinted
# at, their names do not: with this share of it they still stand apart.
LEAST = 0.8
NUMBER = 430.0
_SIGN, _COUNT, _SUPPORT = 408.0, 364.0, (358.0, 318.0)
_SHARES, _CONFIDENCE, _COVERAGE = (294.0, 194.0), 82.0, 2.0


@dataclass(frozen=True)
class RuleTreeWords:
    """The names of the columns; pass translated ones."""

    rule: str = "rule"
    support: str = "support"
    shares: str = "class supports"
    confidence: str = "confidence"
    coverage: str = "coverage"


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows from top to bottom, with all that drawing them needs."""

    tree: Tree
    layout: FlowLayout
    held: Supports
    places: np.ndarray  # among the drawn nodes
    marked: np.ndarray  # which of them are in ink
    right: float
    theme: Theme

    @property
    def y(self) -> np.ndarray:
        """Vertical positions of the rows."""
        return self.layout.y[self.places]

    @property
    def node(self) -> np.ndarray:
        """The nodes that they stand for."""
        return self.layout.node[self.places]


def leaders(rows: Rows, here: Mapping[int, float]) -> list[dict]:
    """Hairlines from each leaf to its row; in ink where the sample ends."""
    start = rows.layout.x[rows.places] + Size.bar / 2 + 6
    end = np.full(len(start), rows.right - NUMBER - 26)
    lines = np.column_stack([start, rows.y, end, rows.y])[start < end]
    ink = np.isin(rows.places, list(here))[start < end]
    hair = marks.segments(lines[~ink], rows.theme.grey1, 1, role="leader", name="leader")
    if not ink.any():
        return [hair]
    mine = marks.segments(lines[ink], rows.theme.ink, 1.5, role="leader", name="leader of the path")
    return [hair, mine]


def row_bars(rows: Rows, names: Sequence[str], thick: float) -> list[dict]:
    """Support as a grey bar, class supports as a bar of 100 % with a tick at 50 %."""
    left, right = (rows.right - edge for edge in _SUPPORT)
    held = rows.held.support[rows.node]
    long = (right - left) * held / max(held.max(initial=0.0), 1e-300)
    grey = rows.theme.grey3
    traces = [_boxes(left, left + long, rows.y, thick, grey, role="support", name="support")]
    left, right = (rows.right - edge for edge in _SHARES)
    shares = rows.held.classes[rows.node]
    ends = left + (right - left) * np.cumsum(shares, axis=1)
    starts = ends - (right - left) * shares
    for k in np.flatnonzero(shares.any(axis=0)):
        some = shares[:, k] > 0
        x0, x1 = starts[some, k], ends[some, k]
        traces.append(
            _boxes(x0, x1, rows.y[some], min(1.4 * thick, 13.0), rows.theme.table_bar(k),
                   role="class_supports", name=names[k], **{"class": int(k)})
        )  # fmt: skip
    middle, half = np.full(len(rows.y), (left + right) / 2), min(0.7 * thick, 6.5) + 1
    ticks = np.column_stack([middle, rows.y - half, middle, rows.y + half])
    return [*traces, marks.segments(ticks, rows.theme.paper, 2, role="half", name="50 %")]


def _boxes(
    x0: np.ndarray | float, x1: np.ndarray, y: np.ndarray, thick: float, colour: str, **named
) -> dict:
    x0 = np.broadcast_to(x0, x1.shape)
    low, high = y - thick / 2, y + thick / 2
    nothing = np.full(len(y), np.nan)
    x = np.column_stack([x0, x1, x1, x0, nothing]).ravel()
    return marks.polygons(
        np.column_stack([x, np.column_stack([low, low, high, high, nothing]).ravel()]),
        colour,
        **named,
    )


def signs(rows: Rows) -> dict:
    """The symbol of the class that a row predicts."""
    label = rows.tree.prediction[rows.node].tolist()
    return marks.class_symbols(np.full(len(label), rows.right - _SIGN), rows.y, label, rows.theme)


def row_texts(rows: Rows, numbers: Mapping[int, int]) -> list[dict]:
    """The numbers of the rows; those in ink are bold."""
    held, nodes = rows.held, rows.node.tolist()
    below = _leaves_below(rows.tree)
    columns = {
        NUMBER: [str(numbers[n]) if n in numbers else f"+{number(int(below[n]))}" for n in nodes],
        _COUNT: [number(float(held.support[n])) for n in nodes],
        _CONFIDENCE: [_percent(held.confidence[n]) if held.support[n] else "–" for n in nodes],
        _COVERAGE: [_percent(held.coverage[n]) for n in nodes],
    }
    traces = []
    for ink, colour in ((False, rows.theme.grey7), (True, rows.theme.ink)):
        which = np.flatnonzero(rows.marked == ink).tolist()
        if not which:
            continue
        texts = [column[i] for column in columns.values() for i in which]
        traces.append(
            marks.words(
                np.repeat([rows.right - edge for edge in columns], len(which)),
                np.tile(rows.y[which], len(columns)),
                [f"<b>{text}</b>" if ink else text for text in texts],
                Size.tick + 1,
                colour,
                "middle left",
                role="row",
                name="row",
                meta={"state": "ink" if ink else "grey"},
                cliponaxis=False,
            )
        )
    return traces


def _percent(share: float) -> str:
    """Share in whole per cent; 0 and 100 only where it is exactly so."""
    if 0.995 <= share < 1.0:
        return "> 99 %"
    return "< 1 %" if 0.0 < share < 0.005 else f"{HUNDRED * share:.0f} %"


def _leaves_below(tree: Tree) -> np.ndarray:
    """Number of leaves below each node; children come after their parents."""
    count = (tree.n_children == 0).astype(np.intp)
    for level in range(tree.max_depth, 0, -1):
        here = np.flatnonzero(tree.depth == level)
        np.add.at(count, tree.parent[here], count[here])
    return count


def heads(right: float, words: RuleTreeWords, written: bool, theme: Theme) -> list[dict]:
    """Names of the columns."""
    columns = [(_SUPPORT[1], words.support, "right"), (_SHARES[0], words.shares, "left")]
    if written:
        columns += [
            (NUMBER, words.rule, "right"),
            (_CONFIDENCE, words.confidence, "right"),
            (_COVERAGE, words.coverage, "right"),
        ]
    common = {"yref": "domain", "y": 1, "yanchor": "bottom", "showarrow": False, "name": "column"}
    font = {"size": Size.tick, "color": theme.grey5}
    return [
        {**common, "xanchor": side, "x": right - edge, "text": text, "font": font}
        for edge, text, side in columns
    ]


def row_hits(rows: Rows, hovers: list[str]) -> list[Hit]:
    """The row of a leaf answers like its bar."""
    left, y = rows.right - NUMBER - 26, rows.y
    gap = np.diff(y) / -2
    up, down = np.r_[PITCH / 2, gap], np.r_[gap, PITCH / 2]
    return [
        hit(node, [[left, b], [rows.right, b], [rows.right, a], [left, a]], hovers[place])
        for node, place, a, b in zip(
            rows.node.tolist(),
            rows.places.tolist(),
            np.round(y + up, 1).tolist(),
            np.round(y - down, 1).tolist(),
            strict=True,
        )
    ]


# ---------------------------------------------------------------- What leads to a node, in words


OR_MISSING = "or missing"
AnyCondition = Condition | NominalCondition | ObliqueCondition | MachineCondition


def rule_words(
    tree: Tree,
    node: int,
    *,
    joint: str | None = None,
    html: bool = True,
    missing: str | None = None,
) -> str:
    """Simplified conditions of a node, "" at the root.

    Parameters
    ----------
    tree : Tree
    node : int
    joint : str, optional
        What stands between two conditions; default " and ".
    html : bool
        Whether for plotly html (names with low figures, signs escaped) or plain text.
    missing : str, optional
        What stands behind a condition that rows without a value meet, too; default "or missing".

    Examples
    --------
    ``x1 ≤ 0.606 and 0.1 < x2 ≤ 0.57``, ``x1 + 0.75 x2 > 0.3``; in a tree of machines
    ``f(1 | 2, 3) ≤ 0``.
    """
    return condition_words(tree, conditions(tree, node), joint=joint, html=html, missing=missing)


def condition_words(
    tree: Tree,
    found: Sequence[AnyCondition],
    *,
    joint: str | None = None,
    html: bool = True,
    missing: str | None = None,
) -> str:
    """Conditions in words, as :func:`rule_words` has those of a node."""
    joint = f" {say('and')} " if joint is None else joint
    missing = say(OR_MISSING) if missing is None else missing
    parts = []
    for condition in found:
        words = _words(tree, condition, html=html)
        too = getattr(condition, "missing", False) and not condition.only_missing
        parts.append(f"{words} {missing}" if too else words)
    return joint.join(parts)


def _words(tree: Tree, condition: AnyCondition, *, html: bool) -> str:
    if isinstance(condition, MachineCondition):
        return machine_words(tree, condition.node, branch=condition.branch, html=html)
    if isinstance(condition, NominalCondition):
        name = tree.feature_names[condition.feature]
        labels = tree.feature_categories[condition.feature]
        name = feature_html(name) if html else isolate(name)
        return category_words(name, labels, condition.categories, html=html)
    return _interval(tree, condition, html=html)


def _interval(tree: Tree, condition: Condition | ObliqueCondition, *, html: bool) -> str:
    less, more = ("&lt;", "&gt;") if html else ("<", ">")
    low, high = condition.low, condition.high
    if isinstance(condition, ObliqueCondition):
        largest = largest_weight(condition.weights)
        names = [feature_html(name) if html else isolate(name) for name in tree.feature_names]
        name = weighted_sum(condition.weights / largest, names)
        low, high = (None if end is None else end / largest for end in (low, high))
        ends = [end for end in (low, high) if end is not None]
        decimals = threshold_decimals(np.array(ends)) if len(ends) > 1 else None
    else:
        name = tree.feature_names[condition.feature]
        name = feature_html(name) if html else isolate(name)
        if condition.only_missing:
            return say(IS_MISSING).format(name=name)
        if condition.only_known:
            return say(IS_KNOWN).format(name=name)
        largest, decimals = 1.0, tree.decimals[condition.feature]
    low, high = (None if end is None else number(end, decimals) for end in (low, high))
    if largest < 0:
        return _turned(name, low, high, less)
    if low is None:
        return f"{name} ≤ {high}"
    if high is None:
        return f"{name} {more} {low}"
    return f"{low} {less} {name} ≤ {high}"


def _turned(name: str, low: str | None, high: str | None, less: str) -> str:
    """The words after a division by a negative weight: high <= name < low."""
    if low is None:
        return f"{name} ≥ {high}"
    if high is None:
        return f"{name} {less} {low}"
    return f"{high} ≤ {name} {less} {low}"
