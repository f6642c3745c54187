"""The sidebar of the page *latent*: the node, the components, whether all rows take part."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.tree import Tree
from lastviz.ui.compute import cache, latent
from lastviz.ui.shared.view_controls import node_chooser
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, plural, rounded, t

from .scene import component_names, latent_scene, own_test


def latent_node_chooser() -> None:
    """Draw the choice of the node, each with its test in its own space."""
    if latent.has_space(session.current().models[0].key):
        node_chooser(node_words)


def node_words(tree: Tree, node: int) -> str:
    """Return what a node is called: its number, its test in its own space, its rows."""
    rows = plural(int(tree.n_node_samples[node]), "{n} row", "{n} rows")
    if node == 0:
        return t("root, {rows}", rows=rows)
    if tree.is_leaf(node):
        return t("{node}: leaf, {rows}", node=node, rows=rows)
    return t("{node}: {test}, {rows}", node=node, test=own_test(tree, node), rows=rows)


def component_chooser() -> None:
    """Draw the choice of the components on the two axes."""
    selection = session.current().first_models(1)
    if not latent.has_space(selection.models[0].key):
        return
    try:
        scene = latent_scene(selection)
    except CannotShow:  # the page says why
        return
    if scene.view.basis.n_components < 2:
        return
    st.markdown(f"**{t('Components')}**")
    names = component_names(scene.view)
    options = list(range(len(names)))
    columns = st.columns(2)
    for place, label in enumerate((t("Across"), t("Up"))):
        key = f"component{place}"
        put(key, scene.components[place], names[scene.components[place]])
        columns[place].selectbox(
            label,
            options,
            key=key,
            format_func=lambda i: names[i],
            on_change=partial(_set_component, place, scene.components),
        )
    shares = [rounded(100 * scene.view.explained_share[i], 2) for i in scene.components]
    st.caption(t("They explain {a} % and {b} %.", a=shares[0], b=shares[1]))


def _set_component(place: int, shown: tuple[int, int]) -> None:
    """Put a component on an axis; if it stands on the other one, the two change places.

    A browser that is behind may still name a component of another space.
    """
    chosen = st.session_state[f"component{place}"]
    if not isinstance(chosen, int):
        return
    pair = list(shown)
    pair[place] = chosen
    if pair[0] == pair[1]:
        pair[1 - place] = shown[place]
    session.select(components=tuple(pair))


def look_at_all() -> None:
    """Draw the switch that lets the held-out rows take part without their classes."""
    selection = session.current()
    if not cache.takes_unlabelled(selection.models[0].key):
        return
    bound(
        st.toggle,
        "unlabelled",
        t("Labelled rows train, all rows shape the space"),
        disabled=selection.held == 0,
        help=t(
            "The rows held out take part in finding the space, without their classes "
            "(transduction), and are drawn as open points."
        ),
    )
