"""The tree of numbers changed by hand: ways to change a node, the edits, what came of them."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from lastviz.estimators import TreeEstimator
from lastviz.host.jobs import Working
from lastviz.plots import number
from lastviz.splitters import stored_split
from lastviz.splitters.edits import Edit, path_of, unpruned_node
from lastviz.ui.compute.numbers import (
    NumberEffects,
    division_of_numbers,
    effects_on_numbers,
    grown_by_itself,
    trained_numbers,
    void_number_edits,
)
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import Edits
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, plain, t

from .edit_box import EditedNode, change_controls, closed_box
from .edits import (
    Grown,
    about_chance,
    before_and_after,
    chips,
    flips,
    pair,
    show_notice,
    where_words,
    with_edit,
    words_of_edit,
)
from .headline import show
from .view_controls import MOST_NODES, node_words
from .widgets import put


class NumberNode(EditedNode):
    """A node of the tree of numbers; there is one such tree."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What is changed in the tree by hand."""
        return self.selection.boundaries.number_edits

    @property
    def splits_components(self) -> bool:
        """Its thresholds are those of features."""
        return False

    def values(self, feature: int) -> np.ndarray:
        """Return what the training rows of the node have there, without missing ones."""
        grown = self.estimator.grown_tree_
        rows, _ = grown.node_samples(_unpruned(self.estimator, self.node))
        values = self.division.values[self.division.train_rows[rows], feature]
        return values[~np.isnan(values)]

    def make(self, edit: Edit) -> None:
        """Add an edit, or tell why it cannot be; for callbacks."""
        make_number_edit(self.selection, edit)

    def undo(self, edit: Edit) -> None:
        """Take an edit away; for callbacks."""
        _undo(self.selection, edit)


def _unpruned(estimator: TreeEstimator, node: int) -> int:
    return unpruned_node(estimator.tree_, estimator.grown_tree_, node)


def path_of_picked(selection: Selection) -> tuple[int, ...]:
    """Return the path in the grown tree of the picked node, else of the root."""
    estimator = trained_numbers(selection).estimator
    return path_of(estimator.grown_tree_, _unpruned(estimator, _picked(selection, estimator)))


def _picked(selection: Selection, estimator: TreeEstimator) -> int:
    node = selection.boundaries.number_node
    return node if node is not None and node < estimator.tree_.n_nodes else 0


def number_edit_box(selection: Selection, axes: tuple[int, int]) -> None:
    """Draw the choice of a node and the ways to change it; `axes` are those of the plane."""
    estimator = trained_numbers(selection).estimator
    _node_chooser(selection, estimator)
    box = closed_box()
    if not box.open:
        return
    node = _picked(selection, estimator)
    grown_node = _unpruned(estimator, node)
    at = NumberNode(
        selection=selection,
        place=0,
        estimator=estimator,
        division=division_of_numbers(selection),
        node=node,
        path=path_of(estimator.grown_tree_, grown_node),
        stored=stored_split(estimator.grown_tree_, grown_node),
        axes=axes,
    )
    with box:
        change_controls(at)


def _node_chooser(selection: Selection, estimator: TreeEstimator) -> None:
    tree, node = estimator.tree_, _picked(selection, estimator)
    st.markdown(f"**{t('Node')}**")
    largest = np.argsort(-tree.n_node_samples, kind="stable")[:MOST_NODES].tolist()
    options = sorted({*largest, node})
    put("number_node", node, node_words(tree, node))
    st.selectbox(
        t("Node"),
        options,
        key="number_node",
        format_func=partial(node_words, tree),
        label_visibility="collapsed",
        on_change=_choose_node,
    )
    if tree.n_nodes > len(options):
        sentence = "The {shown} largest of {all} nodes; a click in the picture takes any of them."
        st.caption(t(sentence, shown=len(options), all=number(tree.n_nodes)))


def _choose_node() -> None:
    """Go to the chosen node; a browser that is behind may still name one of another tree."""
    node = st.session_state["number_node"]
    if isinstance(node, int):
        session.select(number_node=node)


def make_number_edit(selection: Selection, edit: Edit) -> None:
    """Add an edit to the tree of numbers, or tell why it cannot be; for callbacks."""

    def grown(edits: Edits) -> Grown:
        changed = selection.change(number_edits=edits)
        estimator = trained_numbers(changed).estimator
        words = partial(words_of_edit, division=division_of_numbers(selection))
        return estimator, void_number_edits(changed, estimator), words

    shown = selection.boundaries
    made = with_edit(shown.number_edits, edit, grown, shown.number_node)
    if made is not None:
        session.select(number_edits=made[0], number_node=made[1])


def _undo(selection: Selection, edit: Edit) -> None:
    left = tuple(other for other in selection.boundaries.number_edits if other != edit)
    session.select(number_edits=left, number_node=None)


def number_edit_panel(selection: Selection) -> None:
    """Draw the edits of the tree of numbers, what came of them, and what could not be done."""
    show_notice()
    edits = selection.boundaries.number_edits
    if not edits:
        return
    try:
        estimator = trained_numbers(selection).estimator
    except (CannotShow, Working):
        estimator = None  # the page says why
    void = {} if estimator is None else void_number_edits(selection, estimator)
    chips(
        "numbers",
        t("What if"),
        {edit: _placed_words(selection, estimator, edit) for edit in edits},
        void,
        undo=partial(_undo, selection),
        clear=partial(session.select, number_edits=(), number_node=None),
    )
    if estimator is None or len(void) == len(edits):
        return
    before = grown_by_itself(selection).estimator
    found = effects_on_numbers(selection, before, estimator)
    show(_before_and_after(found, before, estimator))
    st.caption(
        plain(t("A row counts as better if the edited tree predicts its number more closely.")),
        help=about_chance(several=len(edits) > 1),
    )


def number_edit_words(selection: Selection) -> list[list[str]]:
    """Return of each edit where it is and what it does."""
    estimator, divided = trained_numbers(selection).estimator, division_of_numbers(selection)
    return [
        [where_words(estimator, edit.path), words_of_edit(edit, divided)]
        for edit in selection.boundaries.number_edits
    ]


def _placed_words(selection: Selection, estimator: TreeEstimator | None, edit: Edit) -> str:
    """Return what an edit does, and where."""
    words = words_of_edit(edit, division_of_numbers(selection))
    return t("{edit} · {where}", edit=words, where=where_words(estimator, edit.path))


def _before_and_after(
    found: dict[str, NumberEffects], before: TreeEstimator, after: TreeEstimator
) -> str:
    cells = []
    for name, part in found.items():
        is_new = name == "held_out"
        words = t("held out") if is_new else t("training")
        errors = number(part.before), number(part.after)
        cells.append(pair(*errors, "", t("RMSE, {part}", part=words)))
        cells.append(flips(part.changes, words, is_new=is_new))
    return before_and_after(cells, before.tree_, after.tree_)
