"""The card of the picked node, as html: its test, what goes where, the weights of a hyperplane."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.inspection import last_reason
from lastviz.plots import (
    ThemeName,
    feature_html,
    largest_first,
    machine_words,
    number,
    rule_words,
    split_words,
)
from lastviz.tree import Kind, Tree
from lastviz.ui.text import plural, t

from .headline import class_sign
from .model_view import ModelView, rows_words

TERMS = 4  # of an equation
BARS = 12


def node_card(
    view: ModelView,
    class_names: Sequence[str],
    theme: ThemeName,
    *,
    axes: tuple[int, int] = (0, 1),
    folded: bool = False,
) -> str:
    """Return the picked node: its test and what goes where, or its class and why it ends here.

    The weights of a hyperplane of many features stand below it as bars, those of the features
    on the `axes` in ink; `folded` hides them until they are asked for.
    """
    tree, node = view.tree, view.node
    below = ""
    if node in view.leaves:
        head = f"{class_sign(tree.prediction[node], theme)} "
        head += escape(class_names[tree.prediction[node]])
        if tree.is_leaf(node):
            notes = [t(last_reason(view.estimator, node).sentence)]
        else:
            notes = [
                t(
                    "The tree is cut here; the next test would be {test}.",
                    test=_test(view, class_names),
                )
            ]
        sides = [(t("rows"), node)]
    else:
        head = f'<span class="lv-formula">{_test(view, class_names)}</span>'
        notes = []
        answers = (t("yes"), t("no"))
        if tree.kind[node] == Kind.CATEGORIES:
            answers = [split_words(tree, node, branch=b) for b in range(tree.n_children[node])]
        sides = list(zip(answers, tree.children(node), strict=True))
        if tree.kind[node] == Kind.OBLIQUE:
            below = _weights(view, axes, folded=folded)
    rule = rule_words(tree, node, joint=f" {t('and')} ")
    if rule:
        notes.insert(0, t("Reached by {rule}.", rule=rule))
    counts = "".join(f"<div>{side_html(tree, name, n, theme)}</div>" for name, n in sides)
    about = "".join(f"<p>{note}</p>" for note in notes)
    return (
        f'<div class="lv-card" role="group" aria-label="{t("selected node")}">'
        f"<div><div>{head}</div>{about}</div><div>{counts}</div>{below}</div>"
    )


def _test(view: ModelView, class_names: Sequence[str]) -> str:
    if len(view.tree.kernel):
        return machine_words(view.tree, view.node, class_names=class_names)
    words = split_words(view.tree, view.node, terms=TERMS, rest=t("{n} more", n="{n}"))
    if view.tree.feature[view.node] < 0:
        return re.sub(r"\b([A-Za-z])<sub>", r"<i>\1</i><sub>", words)
    name = feature_html(view.tree.feature_names[view.tree.feature[view.node]])
    return words.replace(name, f"<i>{name}</i>", 1)


def side_html(tree: Tree, name: str, node: int, theme: ThemeName) -> str:
    """Return what lies on one side of a test, or in a leaf: its rows, and those of each class."""
    counts, rows = tree.value[node], rows_words(tree, node)
    top, others = largest_first(counts, 5)
    held = [f"{class_sign(k, theme)} {number(round(float(counts[k]), 6))}" for k in sorted(top)]
    held += [f"{t('other classes')} {number(others)}"] * bool(others)
    held = " ".join(f"<span>{each}</span>" for each in held)
    if name == t("rows"):
        return t("{rows}: {held}", rows=rows, held=held)
    return t("{name}: {rows}: {held}", name=name, rows=rows, held=held)


def _weights(view: ModelView, axes: tuple[int, int], *, folded: bool) -> str:
    """Return the exact equation on demand and, of many features, the bars of their weights."""
    exact = split_words(view.tree, view.node, exact=True)
    parts = f"<details><summary>{t('exact')}</summary><code>{exact}</code></details>"
    weights = view.tree.oblique.weights[view.tree.split_row[view.node]]
    used = np.flatnonzero(weights)
    if len(used) > 2:
        order = used[np.argsort(-np.abs(weights[used]), kind="stable")][:BARS]
        scaled = weights / weights[order[0]]
        names = [feature_html(view.tree.feature_names[f]) for f in order]
        rows = zip(names, scaled[order].tolist(), np.isin(order, axes), strict=True)
        bars = "".join(_bar(*row) for row in rows)
        title = plural(len(used), "{n} weight", "{n} weights")
        if len(used) > BARS:
            title = t("the largest {n} of {all} weights", n=BARS, all=number(len(used)))
        note = f"<p>{t('The largest is 1; highlighted: the features on the axes.')}</p>"
        state = "" if folded else " open"
        parts += f"<details{state}><summary>{title}</summary><table>{bars}</table>{note}</details>"
    return f'<div class="lv-weights">{parts}</div>'


def _bar(name: str, weight: float, on_axis: bool) -> str:
    """Return a row: the feature, its weight as a bar from the middle, its weight in figures."""
    share = 50.0 * abs(weight)
    left = 50.0 if weight > 0 else 50.0 - share
    bar = f'<i style="margin-left: {left:.1f}%; width: {share:.1f}%"></i>'
    mark = ' class="lv-chosen"' if on_axis else ""
    figure = number(float(f"{weight:.3g}"))
    return f"<tr{mark}><th>{name}</th><td>{bar}</td><td>{figure}</td></tr>"
