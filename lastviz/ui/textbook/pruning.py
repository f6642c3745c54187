"""Section 5.4: a tree is cut back where the entropy cost is lowest, node by node."""

from __future__ import annotations

from html import escape

from lastviz.inspection import (
    LinkStep,
    PricedTree,
    parting_prices,
    prune_at_price,
    weakest_link_steps,
)
from lastviz.plots import number
from lastviz.tree import Tree
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.sheet import beside, st
from lastviz.ui.text import plural, t

from .controls import grower
from .figure_tables import says_single, tree_picture
from .scene import LoanScene, place_of
from .words import bold, digits, fixed_decimals, table


def pruning_lesson(scene: LoanScene) -> None:
    """Draw figure 5.6: the tree before and after pruning by (5.11), with node costs."""
    how = grower()
    if says_single(scene):
        return
    grown = scene.tree(how)
    alpha = scene.view.alpha
    optimal, literal = (prune_at_price(grown, alpha, literal=word) for word in (False, True))
    st.latex(r"C_\alpha(T) = \sum_{t=1}^{|T|} N_t H_t(T) + \alpha\,|T|")
    show(strip(cost_cells(grown, optimal, literal)))
    first, second = beside(2)
    first.markdown(f"**{t('Figure {n}', n='5.6')}** · {t('before pruning')}")
    bits = optimal.entropy.tolist()
    more = {node: t("{bits} bits", bits=number(bits[node])) for node in range(grown.n_nodes)}
    with first:
        tree_picture(grown, scene, "figure56a", more=more)
    with second:
        st.markdown(f"**{t('after pruning')}** · α = {digits(alpha, 4)}")
        tree_picture(optimal.tree, scene, "figure56b")
    show(_costs_table(grown, optimal, literal))
    st.markdown(_parting_words(grown))


def cost_cells(grown: Tree, optimal: PricedTree, literal: PricedTree) -> list[tuple[str, str, str]]:
    """Costs of the whole tree, the best tree and that of the printed loop."""
    unpruned = optimal.costs.as_leaf[grown.n_children == 0].sum()
    return [
        (digits(float(cost), 4), t("bits"),
         t(sentence, leaves=plural(tree.n_leaves, "{n} leaf", "{n} leaves")))
        for cost, tree, sentence in (
            (unpruned, grown, "cost of the whole tree, {leaves}"),
            (optimal.costs.cost[0], optimal.tree, "cost of the best tree, {leaves}"),
            (literal.costs.cost[0], literal.tree, "cost by the algorithm as printed, {leaves}"),
        )
    ]  # fmt: skip


def _costs_table(grown: Tree, optimal: PricedTree, literal: PricedTree) -> str:
    """Inner nodes, deepest first, as the dynamic programme visits them."""
    inner = [node for node in range(grown.n_nodes) if not grown.is_leaf(node)]
    rows = []
    for node in sorted(inner, key=lambda node: (-int(grown.depth[node]), node)):
        costs, loop = optimal.costs, literal.costs
        feature = grown.feature_names[int(grown.feature[node])]
        cells = [
            f"{feature}, {number(int(grown.n_node_samples[node]))}",
            fixed_decimals(float(optimal.entropy[node]), 4),
            fixed_decimals(float(costs.as_leaf[node]), 4),
            fixed_decimals(float(costs.inside[node]), 4),
            t("becomes a leaf") if costs.cut[node] else t("kept"),
            t("becomes a leaf") if loop.cut[node] else t("kept"),
        ]
        rows.append((cells, bool(costs.cut[node] != loop.cut[node])))
    head = [t("node, rows"), "N<sub>t</sub>H<sub>t</sub>", "N<sub>t</sub>H<sub>t</sub> + α"]
    head += [t("best tree below"), t("best"), t("algorithm as printed")]
    caption = t("All in bits (base 2); with natural logarithms every price is ln 2 times as large.")
    return table(head, rows, caption, name="costs")


def _parting_words(grown: Tree) -> str:
    """Sentence on the prices at which the printed loop misses the minimum."""
    intervals = parting_prices(grown)
    if not intervals:
        return t("On this tree, algorithm 5.4 as printed finds the minimum at every α.")
    where = t(", ").join(f"{digits(low, 4)} ≤ α < {digits(high, 4)}" for low, high in intervals)
    return t(
        "Algorithm 5.4 as printed takes only groups of leaves back, so it misses the minimum for "
        "{where}: comparing each node with the **best** pruned tree below it does not.",
        where=where,
    )


# ---- Algorithm 5.7: the tree of CART is cut back where a leaf is worth least, step by step


GENERAL = r"g(t) = \frac{C(t) - C(T_t)}{|T_t| - 1}"
PLACES = 6


def weakest_links(scene: LoanScene) -> None:
    """Draw CART's tree, the price of each inner node, and the node cut at each price."""
    st.markdown(f"**{t('Cutting the tree back')}** · {t('algorithm {n}', n='5.7')}")
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
        st.caption(t("No test gains anything: the tree is a single leaf."))
        return
    tree_picture(tree, scene, "figure57tree")
    for k, step in enumerate(weakest_link_steps(tree)):
        _step(tree, k, step)


def _step(tree: Tree, k: int, step: LinkStep) -> None:
    """Draw the nodes of one tree of the sequence with prices, and the one to cut."""
    head = [t("T{k}: node t", k=k), "C(t)", "C(T<sub>t</sub>)", "|T<sub>t</sub>|", "g(t)", ""]
    rows = []
    for link in step.links:
        goes = link.node in step.goes
        cells = [
            escape(place_of(tree, link.node)),
            fixed_decimals(link.as_leaf, PLACES),
            fixed_decimals(link.inside, PLACES),
            str(link.n_leaves),
            fixed_decimals(link.price, PLACES),
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
