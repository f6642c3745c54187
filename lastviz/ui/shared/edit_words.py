"""What changes made to a tree by hand are called."""

from __future__ import annotations

import numpy as np

from lastviz.estimators import TreeEstimator
from lastviz.plots import number
from lastviz.plots.visuals.words import exact_number
from lastviz.splitters.edits import (
    AnyForced,
    ClassSplit,
    Cut,
    Edit,
    ForcedSplit,
    Kept,
    MadeLeaf,
    ObliqueSplit,
    Path,
    Split,
    Without,
)
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import Division
from lastviz.ui.compute.edit_effects import shown_node, splits_components
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import joined, t

from .model_view import class_names_of

MOST_TERMS = 3  # of a hyperplane


def void_words(words: str, *, is_foreign: bool) -> str:
    """Return that an edit has no effect, and why."""
    if is_foreign:
        return t(
            "“{edit}” has no effect: it names something that this data set does not have.",
            edit=words,
        )
    return t(
        "“{edit}” has no effect: the tree no longer has this node, or the edit is not possible "
        "there.",
        edit=words,
    )


def where_words(estimator: TreeEstimator | None, path: Path) -> str:
    """Return which node lies at the end of a path: "root", "node 3"."""
    if not path:
        return t("root")
    node = None if estimator is None else shown_node(estimator, path)
    if node is not None:
        return t("node {n}", n=number(node))
    return t("branches {path}", path=".".join(str(branch + 1) for branch in path))


def placed_words(
    selection: Selection, place: int, edit: Edit, estimator: TreeEstimator | None
) -> str:
    """Return what an edit does, and where."""
    where = where_words(estimator, edit.path)
    return t("{edit} · {where}", edit=edit_words(selection, place, edit), where=where)


def edit_words(selection: Selection, place: int, edit: Edit) -> str:
    """Return what an edit does, in plain text: "x1 ≤ 0.5"."""
    if isinstance(edit, ForcedSplit) and isinstance(edit.split, ClassSplit):
        classes = class_names_of(cache.data(selection).dataset)
        first = joined([_name(classes, k) for k in edit.split.first])
        return t("{classes} against the rest", classes=first)
    divided = cache.division(selection, place)
    along = isinstance(edit, ForcedSplit) and isinstance(edit.split, Split)
    return words_of_edit(edit, divided, components=along and splits_components(selection, place))


def words_of_edit(edit: Edit, division: Division, *, components: bool = False) -> str:
    """Return what an edit does to a tree of these data; thresholds may lie along components."""
    names = [str(name) for name in division.X.columns]
    if isinstance(edit, ForcedSplit):
        return _split_words(edit.split, names, division.categories, components=components)
    if isinstance(edit, Without):
        left_out = joined([_name(names, feature) for feature in edit.features])
        if edit.below:
            return t("without {names} from here down", names=left_out)
        return t("without {names}", names=left_out)
    words = {MadeLeaf: t("made a leaf"), Cut: t("pruned"), Kept: t("not pruned")}
    return words[type(edit)]


def _split_words(
    split: AnyForced, names: list[str], known: tuple[tuple | None, ...], *, components: bool
) -> str:
    if isinstance(split, Split):
        name = _name(names, split.feature)
        if components:
            name = t("component {n}", n=number(split.feature + 1))
        return t("{name} ≤ {threshold}", name=name, threshold=exact_number(split.threshold))
    if isinstance(split, ObliqueSplit):
        return _hyperplane_words(split, names)
    labels = known[split.feature] if split.feature < len(known) else None
    first = joined([_name(labels or (), c) for c in np.flatnonzero(split.branch == 0)])
    return t("{name} is {values}", name=_name(names, split.feature), values=first)


def _name(names: object, place: int) -> str:
    return str(names[place]) if place < len(names) else t("no. {n}", n=number(int(place) + 1))


def _hyperplane_words(split: ObliqueSplit, names: list[str]) -> str:
    used = np.flatnonzero(split.weights)
    largest = used[np.argsort(-np.abs(split.weights[used]), kind="stable")][:MOST_TERMS]
    terms = []
    for feature in sorted(largest.tolist()):
        weight = float(split.weights[feature])
        sign = "−" if weight < 0 else "+" if terms else ""
        size = "" if abs(weight) == 1.0 else number(abs(weight))
        terms.append(" ".join(filter(None, (sign, size, _name(names, feature)))))
    if len(largest) < len(used):
        terms.append("…")
    return t("{sum} ≤ {threshold}", sum=" ".join(terms), threshold=exact_number(split.threshold))
