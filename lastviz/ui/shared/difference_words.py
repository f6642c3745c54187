"""What is said about two models laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.inspection import Change, Overlay, TreeDiff
from lastviz.plots import Outline, PlaneAxis, Theme, number, split_words
from lastviz.plots.visuals.words import numbers_apart
from lastviz.tree import Tree
from lastviz.ui.text import joined, percent, plain, t

from .headline import legend_of, sign
from .model_view import rows_words
from .plane import Plane
from .plane_view import fixed_words

ALONE = -1
OUTLINE_OF: dict[int, Outline] = {
    Change.MOVED: "pale",
    Change.CHANGED: "ink",
    Change.OTHER_CLASS: "ink",
    Change.LEAF_OR_SPLIT: "ink",
    ALONE: "dashed",
}


def outlines_of(diff: TreeDiff, which: int) -> dict[int, Outline]:
    """Return the frames of the nodes of a tree; those that stayed the same have none."""
    changes = diff.changes(which).tolist()
    return {node: OUTLINE_OF[c] for node, c in enumerate(changes) if c in OUTLINE_OF}


def change_title(change: int) -> str:
    """Return what became of a node, in a few words."""
    titles = {
        Change.SAME: t("same split"),
        Change.MOVED: t("threshold moved"),
        Change.CHANGED: t("another test"),
        Change.SAME_CLASS: t("same leaf"),
        Change.OTHER_CLASS: t("leaf of another class"),
        Change.LEAF_OR_SPLIT: t("a leaf here, a split there"),
        ALONE: t("only in this tree"),
    }
    return titles[change]


def changes_legend(diff: TreeDiff, titles: tuple[str, str], theme: Theme) -> str:
    """Return how many nodes stayed, moved, changed or stand alone, with their frames."""
    same = diff.count(Change.SAME) + diff.count(Change.SAME_CLASS)
    changed = sum(map(diff.count, (Change.CHANGED, Change.OTHER_CLASS, Change.LEAF_OR_SPLIT)))
    moved = diff.count(Change.MOVED)
    alone = [len(diff.only(which)) for which in (0, 1)]
    items = [
        t("{n} the same", n=number(same)),
        f"{_frame(theme.grey5)} {t('{n} moved', n=number(moved))}",
        f"{_frame(theme.ink)} {t('{n} changed', n=number(changed))}",
        _frame(theme.ink, dash="3 2")
        + " "
        + escape(
            t(
                "{n} only in {a}, {m} only in {b}",
                n=number(alone[0]),
                a=titles[0],
                m=number(alone[1]),
                b=titles[1],
            )
        ),
    ]
    return legend_of(items)


def _frame(colour: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return sign(f'<rect x="3" y="1.5" width="10" height="13"{dashed}/>', line=colour, width=2)


def node_hover(
    trees: tuple[Tree, Tree],
    diff: TreeDiff,
    which: int,
    class_names: Sequence[str],
    depth: int | None = None,
) -> dict[int, str]:
    """Return what the pointer reads over nodes down to a depth: test or class, counterpart."""
    tree, other = trees[which], trees[1 - which]
    counterpart = dict(diff.pairs[:, [which, 1 - which]].tolist())
    pair_of = {int(node): i for i, node in enumerate(diff.pairs[:, which])}
    texts = {}
    for node in np.flatnonzero(tree.depth <= (tree.max_depth if depth is None else depth)).tolist():
        lines = [f"<b>{_test(tree, node, class_names)}</b>", rows_words(tree, node)]
        if node in counterpart:
            i = pair_of[node]
            lines.append(change_title(int(diff.change[i])))
            lines.append(
                t(
                    "there: <b>{test}</b>, {share} % of the rows in common",
                    test=_test(other, counterpart[node], class_names),
                    share=percent(float(diff.overlap[i]), 0),
                )
            )
        else:
            lines.append(change_title(ALONE))
        texts[node] = "<br>".join(lines)
    return texts


def _test(tree: Tree, node: int, class_names: Sequence[str]) -> str:
    return split_words(tree, node) or escape(class_names[int(tree.prediction[node])])


def window_words(overlay: Overlay, plane: Plane) -> str:
    """Return which window was measured, and where the other features are fixed."""
    axes = [plane.across, plane.upward][: len(set(plane.features))]
    ends = (overlay.bounds[:2], overlay.bounds[2:])
    parts = [_stretch(axis, *each) for axis, each in zip(axes, ends, strict=False)]
    window = t("The window is {parts}.", parts=joined(parts))
    how = t("Its share is exact.")
    if not overlay.exact:
        how = t("Its share is counted on a fine grid.")
    sentences = [window, how]
    if plane.is_slice:
        sentences.append(t("The other features are fixed {where}.", where=fixed_words(plane)))
    return t(" ").join(sentences)


def _stretch(axis: PlaneAxis, low: float, high: float) -> str:
    """Return which part of a feature an axis shows."""
    name = plain(axis.name)
    if not axis.numeric:
        return t("all of {name}", name=name)
    low, high = numbers_apart(low, high)
    return t("{name} from {low} to {high}", name=name, low=low, high=high)
