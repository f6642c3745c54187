"""The words of the page *rules*: tests on a path with their values, hover texts, legend."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.inspection import SPREADS, STOPS, Explanation, Supports
from lastviz.plots import (
    THEMES,
    RuleTreeWords,
    ThemeName,
    feature_html,
    number,
    rule_words,
    split_words,
)
from lastviz.plots.visuals.words import largest_weight
from lastviz.tree import Kind, Tree
from lastviz.ui.shared.headline import LEGEND_CLASSES, class_sign, sign
from lastviz.ui.text import percent, plural, t

__all__ = [
    "column_words",
    "hover_text",
    "node_texts",
    "rows_words",
    "rule_legend",
    "shares_words",
    "step_words",
    "value_words",
]


def column_words() -> RuleTreeWords:
    """Return the names of the columns beside the tree."""
    return RuleTreeWords(
        rule=t("rule"),
        support=t("support"),
        shares=t("class supports"),
        confidence=t("confidence"),
        coverage=t("coverage"),
    )


def rule_legend(class_names: Sequence[str], theme: ThemeName, *, sample: bool) -> str:
    """Return the legend line of the page."""
    shown = range(min(len(class_names), LEGEND_CLASSES))
    items = [f"{class_sign(k, theme)} {escape(class_names[k])}" for k in shown]
    if len(class_names) > LEGEND_CLASSES:
        items.append(t("and {n} more", n=len(class_names) - LEGEND_CLASSES))
    if sample:
        line = sign('<path d="M0 8h16"/>', line=THEMES[theme].ink, width=3)
        items.append(f"{line} {t('path of the sample')}")
    items.append(t("yes goes up, no goes down"))
    return '<div class="lv-legend">' + "".join(f"<span>{i}</span>" for i in items) + "</div>"


def node_texts(
    tree: Tree, nodes: Sequence[int], way: Explanation | None, leaf_names: Sequence[str] | None
) -> dict[int, str]:
    """Return what stands at the nodes: their tests, on the path with the sample's values.

    Leaves get the name of their class if `leaf_names` are given.
    """
    texts = {node: split_words(tree, node) for node in nodes if not tree.is_leaf(node)}
    if leaf_names is not None:
        names = [escape(name, quote=False) for name in leaf_names]
        texts |= {n: names[tree.prediction[n]] for n in nodes if tree.is_leaf(n)}
    if way is not None:
        steps = zip(way.node.tolist(), way.value.tolist(), way.branch.tolist(), strict=True)
        texts |= {n: step_words(tree, n, v, b) for n, v, b in steps if b != STOPS and n in texts}
    return texts


def step_words(tree: Tree, node: int, value: float, branch: int) -> str:
    """Return the test that a sample met at a node: **glucose 148** > 123."""
    words = split_words(tree, node, branch=max(branch, 0))
    if tree.feature[node] < 0:
        left, relation, right = words.rsplit(" ", 2)
        return f"<b>{left} = {number(_scaled(tree, node, value))}</b> {relation} {right}"
    name = feature_html(tree.feature_names[tree.feature[node]])
    shown = value_words(tree, node, value)
    if branch == SPREADS or np.isnan(value):
        return f"<b>{name} {t('unknown')}</b>"
    if tree.kind[node] == Kind.CATEGORIES:
        return f"<b>{name} = {shown}</b>"
    return words.replace(name, f"<b>{name} {shown}</b>", 1)


def _scaled(tree: Tree, node: int, value: float) -> float:
    """Return a position along a direction as the words of the test have it."""
    if tree.kind[node] == Kind.OBLIQUE:
        return float(value / largest_weight(tree.oblique.weights[tree.split_row[node]]))
    return float(value)


def value_words(tree: Tree, node: int, value: float) -> str:
    """Return the value that a node's test looked at, as html."""
    if np.isnan(value):
        return t("unknown")
    if tree.kind[node] != Kind.CATEGORIES:
        return number(float(value))
    labels = tree.feature_categories[tree.feature[node]]
    known = 0 <= value < len(labels)
    return escape(str(labels[int(value)]), quote=False) if known else t("a new category")


def hover_text(
    tree: Tree, node: int, held: Supports, numbers: dict[int, int], class_names: Sequence[str]
) -> str:
    """Return what the pointer reads over a node: class, rule, support, class supports."""
    name = escape(class_names[tree.prediction[node]], quote=False)
    if node in numbers:
        name = t("rule {n}: {name}", n=numbers[node], name=name)
    lines = [f"<b>{name}</b>"]
    rule = rule_words(tree, node, joint=f"<br>{t('and')} ", missing=t("or missing"))
    lines += [rule] if rule else []
    support = number(float(f"{held.support[node]:.6g}"))
    lines.append(t("{n} of the rows: {share} %", n=support, share=percent(held.share[node])))
    lines.append(shares_words(held.classes[node], class_names))
    if not tree.is_leaf(node):
        lines.append(t("next: {test}", test=split_words(tree, node)))
    return "<br>".join(lines)


def shares_words(shares: np.ndarray, class_names: Sequence[str], most: int = 4) -> str:
    """Return the largest class supports, as html."""
    top = [k for k in np.argsort(-shares, kind="stable")[:most] if shares[k] > 0]
    parts = [f"{escape(class_names[k], quote=False)} {percent(shares[k])} %" for k in top]
    return ", ".join(parts)


def rows_words(weight: float) -> str:
    """Return a number of rows, parts of rows included."""
    whole = float(weight).is_integer()
    if whole:
        return plural(int(weight), "{n} row", "{n} rows")
    return t("{n} rows", n=number(float(f"{weight:.6g}")))
