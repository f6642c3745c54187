"""The page *splits* where classes part: which of them could leave, and how separable they are."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import SeparabilityStep, tied_ranks
from lastviz.plots import best_tests_plot, machine_words, number
from lastviz.tree import Reason, Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import legend, show, strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import percent, t

from .figures import TREE_HEIGHT, tree_figure
from .leaf import leaf_sentence, reason_of
from .words import histogram

__all__ = ["ClassScene", "class_scene", "pictures"]

TITLES = {
    "separability": "separability in kernel space",
    "separability_input": "separability in input space",
    "centre_distance": "distance of the class centres",
}


@dataclass(frozen=True, eq=False)
class ClassScene:
    """One node and the classes in play there.

    Attributes
    ----------
    title : str
        The algorithm.
    tree : Tree
    node : int
    reason : Reason or None
        Why it is a leaf; None at an inner node.
    class_names : tuple of str
    step : SeparabilityStep or None
        None at a leaf.
    column : str
        What is compared: "separability", "separability_input" or "centre_distance".
    children : tuple of two ndarrays
        Class counts of the two children; empty at a leaf.
    """

    title: str
    tree: Tree
    node: int
    reason: Reason | None
    class_names: tuple[str, ...]
    step: SeparabilityStep | None
    column: str
    children: tuple[np.ndarray, ...]

    @property
    def compared(self) -> str:
        """What is compared, in words."""
        return t(TITLES[self.column])

    @property
    def order(self) -> np.ndarray:
        """The classes in play, the most separable first."""
        live = np.flatnonzero(self.step.live)
        leaving = np.isin(live, self.step.first)
        return live[np.lexsort((live, ~leaving, -self.step.separability[live]))]


def class_scene(selection: Selection) -> ClassScene:
    """Work out what the selection asks for.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from the data; the message says why.
    """
    estimator = cache.fitted(selection, 0).estimator
    tree = estimator.tree_
    picked = selection.models[0].node
    node = picked if picked is not None and picked < tree.n_nodes else 0
    found = nodes.separability_steps(selection, 0)
    origin = nodes.grown_node(selection, 0, node)
    step = next((step for step in found.steps if step.node == origin), None)
    return ClassScene(
        title=t(ESTIMATORS[selection.models[0].key].title),
        tree=tree,
        node=node,
        reason=reason_of(estimator, node),
        class_names=class_names_of(cache.data(selection).dataset),
        step=step,
        column=found.column,
        children=tuple(tree.value[child] for child in tree.children(node)),
    )


def pictures(scene: ClassScene) -> None:
    """Draw the classes that could leave, the tree, the children and the separabilities."""
    show(legend(scene.class_names, current_theme(), held_out=False, marks=False))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if scene.step is not None:
            _bars(scene)
        chart(
            tree_figure(scene.tree, scene.node, scene.class_names, current_theme()),
            key="node_tree",
            height=TREE_HEIGHT,
            alt=t("The tree; the frame marks the node. Click a node to ask about it."),
            on_click=_node_clicked,
            filename="tree",
        )
    with right:
        show(_headline(scene))
        if scene.step is not None:
            st.markdown(_rule_words(scene))
            show(_children(scene))
    if scene.step is not None:
        _table(scene)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        session.select_model(0, node=int(click["node"]))


def _bars(scene: ClassScene) -> None:
    step, order = scene.step, scene.order
    leaving = [place for place, c in enumerate(order.tolist()) if c in step.first]
    st.markdown(f"**{t('The classes that could leave')}** · {scene.compared}")
    figure = best_tests_plot(
        [escape(scene.class_names[c]) for c in order],
        step.separability[order],
        theme=current_theme(),
        chosen=leaving[0] if len(leaving) == 1 else None,
        kept=leaving if len(leaving) > 1 else (),
        refused=t("infinite"),
    )
    chart(
        figure,
        key="classes",
        height=figure.layout.height,
        alt=t("How separable each class in play is at node {node}", node=scene.node),
        filename="classes",
    )
    st.caption(
        t(
            "Each bar is the smallest value between the class and any other in play. Only the "
            "ranking of these values means something."
        )
    )


def _headline(scene: ClassScene) -> str:
    """Return which classes part, as the tree stores it; or that a leaf has no split, and why."""
    if scene.reason is not None:
        return f'<p class="lv-ended">{escape(leaf_sentence(scene.reason))}</p>'
    step, machine = scene.step, scene.step.machine
    yes, no = (int(counts.sum()) for counts in scene.children)
    value = float(step.matrix[step.pair])
    cells = [
        (f"{number(yes)} | {number(no)}", "", t("rows yes | no")),
        (number(value), "", scene.compared),
        (number(len(machine.support)), "", t("support vectors")),
        (percent(machine.training_error), "%", t("of its rows are parted wrongly")),
    ]
    test = machine_words(scene.tree, scene.node, class_names=scene.class_names)
    what = t("chosen split of node {node}", node=scene.node)
    if scene.node == 0:
        what = t("chosen split of the root")
    head = f'<div class="lv-split"><b>{test}</b><span>{what}</span></div>'
    return f'<div class="lv-head" role="group">{head}{strip(cells)}</div>'


def _rule_words(scene: ClassScene) -> str:
    """Say why these classes part."""
    step = scene.step
    a, b = (scene.class_names[c] for c in step.pair)
    read = step.parting.rule.stages[-1].column
    value = number(float(step.matrix[step.pair]))
    if read == "first_group":
        return t(
            "The least separable classes are put together until two groups remain; the closest "
            "pair between them, {a} and {b}, has {value}.",
            a=a,
            b=b,
            value=value,
        )
    if read == "class_order":
        return t(
            "The classes leave in their own order, whatever their separability; {b} is the "
            "nearest to {a} with {value}.",
            a=a,
            b=b,
            value=value,
        )
    if step.tie_rule_used:
        tied = [scene.class_names[c] for c in np.flatnonzero(step.tied)]
        return t(
            "Shared by {n}: {tied} have the same value, {value}. The next smallest values of each "
            "decide, and if these are equal, too, the class that comes first.",
            n=number(len(tied)),
            tied=", ".join(tied),
            value=value,
        )
    return t(
        "The class whose nearest other class is farthest leaves: {a} is {value} from {b}, its "
        "nearest.",
        a=a,
        b=b,
        value=value,
    )


def _children(scene: ClassScene) -> str:
    largest = max(1, *(int(counts.max()) for counts in scene.children))
    sides = "".join(
        histogram(word, counts.astype(int), largest, scene.class_names, current_theme())
        for word, counts in zip((t("yes"), t("no")), scene.children, strict=True)
    )
    test = machine_words(scene.tree, scene.node, class_names=scene.class_names)
    return f'<div class="lv-children lv-chosen"><p>{test}</p><div>{sides}</div></div>'


def _table(scene: ClassScene) -> None:
    """Draw the values between all classes in play, with the smallest of each and its class."""
    step, order = scene.step, scene.order
    names = scene.class_names
    between = step.matrix[np.ix_(order, order)]
    table = pd.DataFrame(
        {
            t("class"): [names[c] for c in order],
            t("leaves"): [t("yes") if c in step.first else "" for c in order.tolist()],
            t("smallest value"): step.separability[order],
            t("rank"): tied_ranks(step.separability[order]),
            t("nearest class"): [names[step.nearest[c]] for c in order],
        }
        | {
            t("to {name}", name=names[c]): [
                "" if row == place else number(float(value))
                for row, value in enumerate(between[:, place])
            ]
            for place, c in enumerate(order.tolist())
        }
    )
    st.markdown(f"**{t('Between all classes in play')}** · {scene.compared}")
    st.dataframe(table, key="class_table", hide_index=True)
