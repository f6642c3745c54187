"""The sidebar of the page *pruning*: who cuts, how far, and what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from lastviz.host.jobs import Working
from lastviz.inspection import PrunedTrees
from lastviz.pruning import PRUNERS
from lastviz.ui.compute import pruning
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.view_controls import plane_chooser
from lastviz.ui.shared.widgets import control, put
from lastviz.ui.state import session
from lastviz.ui.state.selection import FIELDS, Selection
from lastviz.ui.text import CannotShow, t

from .scene import BESIDE, rule_of
from .stops import stop_value, stops_of, tree_at
from .words import pruner_title, stop_words, value_title


def pruning_choices() -> None:
    """Draw the choices that follow those of data and model."""
    selection = session.current().first_models(1)
    st.markdown(f"**{t('Cutting back')}**")
    _pruner(selection)
    try:
        estimator = pruning.to_prune(selection)
        pruning.families(selection)
    except (CannotShow, Working):
        return
    if estimator.tree_ is not estimator.grown_tree_:
        st.caption(t("Cut from the fully grown tree; the model's own pruning is off."))
    folds = FIELDS["folds"].param
    control(
        folds,
        selection.pruning.folds,
        key="folds",
        apply=lambda value: session.select(folds=value),
    )
    _beside(selection)
    plane_chooser(plane_of(selection))


def slider_key(selection: Selection, stops: Sequence[int]) -> str:
    """Return the key of the slider: another pruner has another one, and so have other trees."""
    return f"cut_at.{selection.pruning.pruner}.{len(stops)}"


def _pruner(selection: Selection) -> None:
    pruners = FIELDS["pruner"].param.choices
    put("pruner", selection.pruning.pruner)
    st.selectbox(
        t("Pruning"),
        list(pruners),
        key="pruner",
        format_func=lambda key: pruner_title(key),
        help=t(PRUNERS[selection.pruning.pruner].source),
        on_change=lambda: session.select(pruner=st.session_state["pruner"], cut_at=None),
    )
    if selection.pruning.pruner == pruners[0]:
        control(
            FIELDS["leaf_cost"].param,
            selection.pruning.leaf_cost,
            key="leaf_cost",
            apply=lambda value: session.select(leaf_cost=value, cut_at=None),
        )


def cut_slider(selection: Selection, trees: PrunedTrees) -> None:
    """Draw how far the tree is cut back, above what follows it."""
    chosen = rule_of(selection, trees)
    at = tree_at(trees, selection.pruning.cut_at, chosen)
    stops = stops_of(trees, at, chosen)
    key = slider_key(selection, stops)
    words = {
        i: stop_words(stop_value(trees, stop), int(trees.n_leaves[stop]))
        for i, stop in enumerate(stops)
    }
    if len(stops) < 2:
        st.caption(t("There is only one tree: no value of alpha removes anything."))
        return
    put(key, stops.index(at))
    st.select_slider(
        value_title(selection.pruning.pruner),
        list(words),
        key=key,
        format_func=words.__getitem__,
        help=t("Further right, more is removed. The pictures follow as you move it."),
        on_change=partial(_cut_at, key, trees, stops),
    )
    if at != chosen is not None:
        st.button(
            t("Back to the one-SE rule"),
            key="cut_back",
            type="tertiary",
            on_click=partial(session.select, cut_at=None),
        )


def _cut_at(key: str, trees: PrunedTrees, stops: list[int]) -> None:
    session.select(cut_at=stop_value(trees, stops[st.session_state[key]]))


def _beside(selection: Selection) -> None:
    """Draw which other pruners are shown."""
    st.markdown(
        f"**{t('Beside it')}**",
        help=t("The tree that each leaves, as a diamond; of those with a parameter also a line."),
    )
    for pruner in BESIDE:
        if pruner == selection.pruning.pruner:
            continue
        key = f"beside.{pruner}"
        put(key, pruner in selection.pruning.beside)
        st.checkbox(pruner_title(pruner), key=key, on_change=partial(_set_beside, pruner, key))


def _set_beside(pruner: str, key: str) -> None:
    shown = set(session.current().pruning.beside) - {pruner}
    if st.session_state[key]:
        shown.add(pruner)
    session.select(beside=tuple(each for each in BESIDE if each in shown))
