"""The sidebar of the page *splits*: the node, what is drawn, a rule of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.plots import number, plain_split
from lastviz.tree import Tree

from . import cache, state
from .model_view import rows_words
from .own_rule import OwnRule
from .split_words import column_title
from .suitability import criteria_for
from .text import t
from .widgets import put, segments

__all__ = ["curves_chooser", "distances_chooser", "node_chooser", "own_rule"]

MOST_NODES = 300
NONE = "none"
DISTANCES = {"none": "none", "bnm": "BNM", "csn": "CSN"}


def node_chooser(words: Callable[[Tree, int], str] | None = None, *, whole: bool = False) -> None:
    """Draw the choice of the node, the largest nodes where there are very many.

    `words` says what a node is called; by default its test and its rows. `whole`: of a forest
    the tree that is picked has the nodes, see :func:`.suitability.obstacle`.
    """
    words = words or _node_words
    if cache.trained(state.current(), 0, whole=whole) is None:  # the page says why
        return
    tree = cache.tree_of(state.current(), 0).tree_
    picked = state.current().models[0].node
    node = picked if picked is not None and picked < tree.n_nodes else 0
    st.markdown(f"**{t('Node')}**")
    order = sorted(range(tree.n_nodes), key=lambda n: (-tree.n_node_samples[n], n))
    options = sorted({*order[:MOST_NODES], node})
    put("node", node)
    st.selectbox(
        t("Node"),
        options,
        key="node",
        format_func=lambda n: words(tree, n),
        label_visibility="collapsed",
        on_change=_choose_node,
    )
    if tree.n_nodes > len(options):
        sentence = "The {shown} largest of {all} nodes; the tree in the picture has all."
        st.caption(t(sentence, shown=len(options), all=number(tree.n_nodes)))


def _choose_node() -> None:
    """Go to the chosen node; a browser that is behind may still name one of another tree."""
    node = st.session_state["node"]
    if isinstance(node, int):
        state.select_model(0, node=node)


def _node_words(tree: Tree, node: int) -> str:
    rows = rows_words(tree, node)
    if node == 0:
        return t("root, {rows}", rows=rows)
    what = t("leaf") if tree.is_leaf(node) else plain_split(tree, node)
    return f"{node}: {what}, {rows}"


def curves_chooser() -> None:
    """Draw the choice of the score curves."""
    chosen = state.current().curves
    put("curves", list(chosen))
    st.multiselect(
        t("Score curves"),
        _offered(chosen),
        key="curves",
        format_func=column_title,
        max_selections=4,
        placeholder=t("those of the rule"),
        on_change=lambda: state.select(curves=tuple(st.session_state["curves"])),
    )


def distances_chooser() -> None:
    """Draw the choice of the distances that are drawn into the plane."""
    segments(
        "distances",
        t("Distances measured by"),
        {key: t(title) for key, title in DISTANCES.items()},
        seen=True,
        help=t("Draws what BNM or CSN measures at the split that is lit into the plane."),
    )


def own_rule() -> None:
    """Draw the parts of a rule of the reader's own, behind a button until it is wanted."""
    rule = state.current().rule
    box = st.expander(
        t("A rule of my own"), key="own_rule", expanded=rule is not None, on_change="rerun"
    )
    if not box.open:
        return
    with box:
        names = _offered(rule.parts if rule is not None else ())
        _choice("own.first", t("Score"), names, rule.first if rule else NONE, none=True)
        if rule is None:
            st.caption(t("Choose a score to see what another rule would take at this node."))
            return
        _choice("own.second", t("plus"), names, rule.second or NONE, none=True)
        if rule.second is not None:
            _number("own.weight", t("times"), rule.weight, 0.0, 100.0, 0.05)
        _choice("own.last", t("of the best, decide by"), names, rule.last or NONE, none=True)
        if rule.last is not None:
            _number("own.k", t("how many best"), rule.k, 1, 1000, 1)


def _offered(chosen: tuple[str, ...]) -> list[str]:
    """Return the criteria that mean something on the data, and those chosen already."""
    fitting = criteria_for(cache.data(state.current()).dataset)
    return [name for name in CRITERIA if name in fitting or name in chosen]


def _choice(key: str, label: str, names: list[str], value: str, *, none: bool) -> None:
    put(key, value)
    st.selectbox(
        label,
        [NONE, *names] if none else names,
        key=key,
        format_func=lambda name: t("nothing") if name == NONE else column_title(name),
        on_change=_changed,
    )


def _number(key: str, label: str, value: float, low: float, high: float, step: float) -> None:
    put(key, value)
    st.number_input(label, min_value=low, max_value=high, step=step, key=key, on_change=_changed)


def _changed() -> None:
    """Put the parts together; without a score there is no rule."""
    parts = {
        name: st.session_state.get(f"own.{name}")
        for name in ("first", "second", "weight", "k", "last")
    }
    if parts["first"] == NONE:
        state.select(rule=None)
        return
    old = state.current().rule or OwnRule()
    given = {name: value for name, value in parts.items() if value is not None}
    given |= {name: None for name in ("second", "last") if parts[name] == NONE}
    state.select(rule=replace(old, **given))
