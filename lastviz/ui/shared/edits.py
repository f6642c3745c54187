"""Edits of a tree on the page: each a button that removes it, and the effect of them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz.estimators import TreeEstimator
from lastviz.export.blocks import Text, Words
from lastviz.host.jobs import Working
from lastviz.inspection import RowChanges
from lastviz.plots import number
from lastviz.plots.visuals.words import exact_number
from lastviz.splitters.edits import (
    MOST_EDITS,
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
from lastviz.tree import Tree
from lastviz.ui.compute.nodes import (
    EditEffects,
    NumberEffects,
    PartEffects,
    effects,
    effects_on_numbers,
    shown_node,
    splits_components,
    void_edits,
)
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.edit_codes import Edits, in_order, trim, write_edits
from lastviz.ui.state.selection import AT_NUMBERS, MAX_MODELS, Selection
from lastviz.ui.text import CannotShow, join_names, plain, t

from .headline import judged_cell, show
from .model_view import class_names_of, model_title

MOST_TERMS = 3  # of a hyperplane


def void_words(words: str) -> str:
    """Sentence that an edit has no effect."""
    return t("“{edit}” has no effect: this tree or data set does not have what it names.",
             edit=words)  # fmt: skip


def where_words(estimator: TreeEstimator | None, path: Path) -> str:
    """Name of the node at the end of a path: "root", "node 3"."""
    if not path:
        return t("root")
    node = None if estimator is None else shown_node(estimator, path)
    if node is not None:
        return t("node {n}", n=number(node))
    return t("branches {path}", path=".".join(str(branch + 1) for branch in path))


def placed_words(model: ModelWork, edit: Edit, estimator: TreeEstimator | None) -> str:
    """Effect of an edit, and its node."""
    where = where_words(estimator, edit.path)
    return t("{edit} · {where}", edit=edit_words(model, edit), where=where)


def edit_words(model: ModelWork, edit: Edit) -> str:
    """Effect of an edit as plain text: "x1 ≤ 0.5"."""
    if isinstance(edit, ForcedSplit) and isinstance(edit.split, ClassSplit):
        classes = class_names_of(model.dataset)
        first = join_names([_name(classes, k) for k in edit.split.first])
        return t("{classes} against the rest", classes=first)
    if isinstance(edit, MadeLeaf) and edit.says is not None:
        name = _name(class_names_of(model.dataset), edit.says)
        return t("made a leaf that predicts {name}", name=name)
    divided = model.division
    along = isinstance(edit, ForcedSplit) and isinstance(edit.split, Split)
    return words_of_edit(edit, divided, components=along and splits_components(model))


# Thresholds may lie along components.
def words_of_edit(edit: Edit, division: Division, *, components: bool = False) -> str:
    """Effect of an edit on a tree of these data."""
    names = [str(name) for name in division.X.columns]
    if isinstance(edit, ForcedSplit):
        return _split_words(edit.split, names, division.categories, components=components)
    if isinstance(edit, Without):
        left_out = join_names([_name(names, feature) for feature in edit.features])
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
    first = join_names([_name(labels or (), c) for c in np.flatnonzero(split.branch == 0)])
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


# ---------------------------------------------------------------- edits


NOTICE = "edit_told"

Grown = tuple[TreeEstimator, Mapping[Edit, bool], Callable[[Edit], str]]
"""A tree with edits, those of them without effect, and what says an edit in words."""


# Of the models that the page shows, `n_models` at most.
def edit_panels(work: Work, n_models: int) -> None:
    """Draw the edits of each edited model, their effects, and those without effect."""
    show_notice()
    for model in work.models[:n_models]:
        if model.chosen.edits:
            with st.container(key=f"edits-{model.place}", gap="small"):
                _panel(model, n_models)


def _panel(model: ModelWork, n_models: int) -> None:
    estimator = model.trained()  # where there is none the page says why
    edits = model.chosen.edits
    void = {} if estimator is None else void_edits(model, estimator)
    _chips(model, {edit: placed_words(model, edit, estimator) for edit in edits}, void, n_models)
    if estimator is None or len(void) == len(edits):
        return
    effect, remark = _effect(model)
    show(effect)
    st.caption(plain(remark), help=about_chance())


def _effect(model: ModelWork) -> tuple[str, str]:
    """Numbers before and after the edits of a model, as html, and a remark on them."""
    if model.dataset.is_regression:
        cells = _errors(effects_on_numbers(model))
        remark = t("A row counts as better if the edited tree predicts its number more closely.")
        return before_and_after(cells, model.without_edits.tree, model.tree), remark
    found = effects(model)
    html = before_and_after(_accuracies(found), found.before.tree_, found.after.tree_)
    return html, _remark(found)


def saved_edits(work: Work) -> list[Text | Words]:
    """Edits of the models and their effects, as reports and slides have them."""
    blocks: list[Text | Words] = []
    for model in work.models:
        estimator, edits = model.trained(), model.chosen.edits
        if not edits or estimator is None:
            continue
        words = t("; ").join(placed_words(model, edit, estimator) for edit in edits)
        blocks.append(Text(t("What if: {title}", title=words)))
        effect, remark = _effect(model)
        blocks += [Words(effect), Text(remark)]
    return blocks


def _chips(
    model: ModelWork, words: Mapping[Edit, str], void: Mapping[Edit, bool], n_models: int
) -> None:
    """Draw edits as buttons that remove them, and mark those without effect.

    Parameters
    ----------
    model : ModelWork
    words : mapping of Edit to str
        What each edit does, and where.
    void : mapping of Edit to bool
        Those without effect, and whether they name what the data lack.
    n_models : int
        How many models the page shows.
    """
    name, title = "numbers" if model.place == AT_NUMBERS else str(model.place), t("What if")
    if min(n_models, len(model.work.models)) > 1:
        title = t("What if: {title}", title=model_title(model))
    how = {"horizontal": True, "wrap": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key=f"chips-{name}", **how):
        st.markdown(f"**{plain(title)}**", width="content")
        for edit, label in words.items():
            st.button(
                plain(t("{edit} · no effect", edit=label) if edit in void else label),
                key=f"edit-{name}-{write_edits((edit,))}",
                icon=":material/close:",
                help=t("Remove this edit"),
                on_click=undo,
                args=(model, edit),
            )
        if len(words) > 1:
            clear = partial(session.select_model, model.place, edits=())
            label = t("Remove all")
            st.button(label, key=f"edits-none-{name}", type="tertiary", on_click=clear)
        if not model.dataset.is_regression:
            _comparison(model.selection, model.place, n_models)
    for edit in void:
        st.caption(plain(void_words(words[edit])))


def _comparison(selection: Selection, place: int, n_models: int) -> None:
    """Offer the model without its edits beside the edited one; the others move on."""
    models = selection.models
    if len(models) == MAX_MODELS:
        return
    bare = replace(models[place], edits=(), node=None, move=None)
    both = (*models[: place + 1], bare, *models[place + 1 :])
    label = t("Compare with the tree without edits")
    if place + 1 < n_models:
        key, change = f"edits-compare-{place}", partial(session.select, models=both)
        st.button(label, key=key, type="tertiary", on_click=change)
    else:  # here is no room for it
        query = encode(replace(selection, models=both)) | session.language_link()
        st.page_link("pages/boundaries.py", label=label, icon="", query_params=query)


# A forced threshold is one of a feature, also where the algorithm's own lie along components.
def make(model: ModelWork, edit: Edit) -> None:
    """Add an edit to the model at `place`, or tell why it cannot be; for callbacks."""

    def grown(edits: Edits) -> Grown:
        changed = model.having(edits=edits)
        estimator = changed.estimator
        return estimator, void_edits(changed, estimator), partial(edit_words, changed)

    of_features = _of_features(model, edit)
    chosen = model.chosen
    made = with_edit(chosen.edits, of_features, grown, chosen.node)
    if made is not None:
        session.select_model(model.place, edits=made[0], node=made[1])


def with_edit(
    edits: Edits, edit: Edit, grown: Callable[[Edits], Grown], node: int | None
) -> tuple[Edits, int | None] | None:
    """Edits with one more, and its node; None, with a notice, if it is not possible.

    It takes the place of one that decides the same at the same node. `grown` returns the tree with
    edits, those without effect, and what says an edit in words. `node` is the picked one.
    """
    try:
        edit = trim(edit)
    except ValueError:
        tell(t("This edit was not made: its node or one of its numbers is out of range."))
        return None
    others = [e for e in edits if (e.path, e.slot) != (edit.path, edit.slot)]
    if len(others) == MOST_EDITS:
        tell(t("There are {n} edits already, the most possible; remove one first.", n=MOST_EDITS))
        return None
    edits = in_order([*others, edit])
    try:
        estimator, void, words = grown(edits)
    except CannotShow as reason:
        tell(str(reason))
        return None
    except Working:
        return edits, node  # it has its number from its parent's split, which is as it was
    if edit in void:
        tell(void_words(words(edit)))
        return None
    return edits, shown_node(estimator, edit.path)


def _of_features(model: ModelWork, edit: Edit) -> Edit:
    split = edit.split if isinstance(edit, ForcedSplit) else None
    if not isinstance(split, Split) or not splits_components(model):
        return edit
    weights = np.zeros(split.feature + 1)
    weights[split.feature] = 1.0
    return replace(edit, split=ObliqueSplit(weights, split.threshold, 0.0))


def undo(model: ModelWork, edit: Edit) -> None:
    """Take an edit of a model away; for callbacks."""
    left = tuple(other for other in model.chosen.edits if other != edit)
    session.select_model(model.place, edits=left)


def tell(sentence: str) -> None:
    """Say on the next run why something was not done; the scene stays as it was."""
    st.session_state[NOTICE] = (session.link(), sentence)


def show_notice() -> None:
    """Draw the notice that :func:`tell` has left for the present scene."""
    link, sentence = st.session_state.get(NOTICE, ("", ""))
    if sentence and link == session.link():
        st.warning(plain(sentence), icon=":material/info:")


# ------------------------------------------------------------------------- before and after


def _accuracies(found: EditEffects) -> list[str]:
    cells = []
    for part, name in ((found.held_out, t("held out")), (found.training, t("training"))):
        if part is not None:
            is_new = part is found.held_out
            cells += [_accuracy(found, part, name), flips(part.changes, name, is_new=is_new)]
    return cells


def _errors(found: Mapping[str, NumberEffects]) -> list[str]:
    cells = []
    for name, part in found.items():
        is_new = name == "held_out"
        words = t("held out") if is_new else t("training")
        errors = number(part.before), number(part.after)
        cells.append(pair(*errors, "", t("RMSE, {part}", part=words)))
        cells.append(flips(part.changes, words, is_new=is_new))
    return cells


def before_and_after(cells: Sequence[str], before: Tree, after: Tree) -> str:
    """Numbers before and after as html, those after in the reader's colour."""
    leaves = pair(number(before.n_leaves), number(after.n_leaves), "", t("leaves"))
    depth = pair(number(before.max_depth), number(after.max_depth), "", t("depth"))
    label, inside = escape(t("before and after the edits")), "".join([*cells, leaves, depth])
    return f'<div class="lv-strip lv-edited" role="group" aria-label="{label}">{inside}</div>'


def _accuracy(found: EditEffects, part: PartEffects, name: str) -> str:
    """Cell of both accuracies, with the necessary notes on the second."""
    is_new, label = part is found.held_out, t("accuracy, {part}", part=name)
    of_whom = None if found.held_out is not None and not is_new else found.classes
    before, *_ = judged_cell(part.before, label, None)
    after, *rest = judged_cell(part.after, label, of_whom, is_new=is_new)
    return pair(before, after, *rest)


def flips(changes: RowChanges, name: str, *, is_new: bool) -> str:
    """Cell of the rows whose prediction changed; only new rows have a chance."""
    p_value = t("p = {value}", value=f"{changes.p_value:.2g}") if is_new else ""
    label = t("rows better / worse, {part}", part=name)
    value = f"<i>{number(changes.better)} / {number(changes.worse)}</i>"
    return _cell(value, p_value, label)


def pair(before: str, after: str, unit: str, *lines: str) -> str:
    """Cell of a number before and after as html."""
    return _cell(f"{escape(before)} → <i>{escape(after)}</i>", unit, *lines)


def _cell(value: str, unit: str, *lines: str) -> str:
    under = "".join(f"<span>{escape(line)}</span>" for line in lines)
    return f"<div><b>{value}<small> {escape(unit)}</small></b>{under}</div>"


def _remark(found: EditEffects) -> str:
    if found.is_same:
        return t("Nothing changes: the tree had this there already.")
    return t("First difference: {where}.", where=where_words(found.after, found.path))


def about_chance() -> str:
    """Explanation of p."""
    return t(
        "p is the exact chance of a difference at least this large on the rows held out, if both "
        "trees were equally good. Of several edits tried on the same rows, some look better by "
        "chance."
    )
