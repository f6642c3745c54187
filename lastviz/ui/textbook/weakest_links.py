"""Algorithm 5.7: the tree of CART is cut back where a leaf is worth least, step by step."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.inspection import LinkStep, weakest_link_steps
from lastviz.tree import Tree
from lastviz.ui.shared.headline import show
from lastviz.ui.text import plural, t

from .formulas import bold, digits, fixed
from .scene import LoanScene, place_of
from .trees import says_single, tree_picture
from .words import table

GENERAL = r"g(t) = \frac{C(t) - C(T_t)}{|T_t| - 1}"
PLACES = 6


def weakest_links(scene: LoanScene) -> None:
    """Draw the tree that CART grows, the price of each inner node, and what goes at which price."""
    st.markdown(f"**{t('Cutting the tree back')}** · {t('algorithm 5.7, by cost and complexity')}")
    if says_single(scene):
        return
    tree = scene.tree("cart")
    st.caption(
        t(
            "C is the Gini index of a node times its share of all rows; of a subtree, the sum "
            "over its leaves. A leaf costs C plus the price α; from α = g(t) on, node t costs "
            "no more as a leaf than its subtree does, so the node with the smallest g is "
            "pruned first."
        )
    )
    st.latex(GENERAL)
    if tree.n_leaves == 1:
        st.caption(t("The tree is a single leaf here."))
        return
    tree_picture(tree, scene, "figure57tree")
    steps = weakest_link_steps(tree)
    for k, step in enumerate(steps):
        _step(scene, tree, k, step)
    st.markdown(_summary(steps))


def _step(scene: LoanScene, tree: Tree, k: int, step: LinkStep) -> None:
    """Draw the nodes of one tree of the sequence with their prices, and the one that goes."""
    head = [t("T{k}: node t", k=k), "C(t)", "C(T<sub>t</sub>)", "|T<sub>t</sub>|", "g(t)", ""]
    rows = []
    for link in step.links:
        goes = link.node in step.goes
        cells = [
            escape(place_of(tree, link.node)),
            fixed(link.as_leaf, PLACES),
            fixed(link.inside, PLACES),
            str(link.n_leaves),
            fixed(link.price, PLACES),
            t("pruned away") if goes else t("kept"),
        ]
        rows.append((cells, goes))
    show(table(head, rows, name=f"links{k}"))
    chosen = next(link for link in step.links if link.node in step.goes)
    upper = f"{digits(chosen.as_leaf)} - {digits(chosen.inside)}"
    st.latex(
        rf"\alpha_{{{k + 1}}} = \min_t g(t) = "
        rf"\frac{{{upper}}}{{{chosen.n_leaves} - 1}} = {bold(step.price)}"
    )


def _summary(steps: list[LinkStep]) -> str:
    """Return which tree costs least between which prices."""
    parts, low = [], "0"
    for step in steps:
        high = digits(step.price)
        leaves = plural(step.n_leaves, "{n} leaf", "{n} leaves")
        parts.append(t("{leaves} for {low} ≤ α < {high}", leaves=leaves, low=low, high=high))
        low = high
    last = plural(steps[-1].n_leaves_after, "{n} leaf", "{n} leaves")
    parts.append(t("{leaves} from α = {low} on", leaves=last, low=low))
    return t("The best tree has {parts}.", parts=t("; ").join(parts))
