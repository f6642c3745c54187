"""The page *splits* where classes part: which of them could leave, and how separable they are."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.inspection import SeparabilityStep, tied_ranks
from lastviz.plots import Drawing, best_tests_plot, machine_words, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import nodes
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.text import percent, t

from .controls import tree_chooser
from .figures import tree_figure
from .node import NodeView
from .words import branch_html

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
    at : NodeView
        The node in question.
    step : SeparabilityStep or None
        None at a leaf.
    column : str
        What is compared: "separability", "separability_input" or "centre_distance".
    """

    at: NodeView
    step: SeparabilityStep | None
    column: str

    @property
    def children(self) -> tuple[np.ndarray, ...]:
        """Class counts of the children."""
        tree = self.at.tree
        return tuple(tree.value[child] for child in tree.children(self.at.node))

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


def class_scene(at: NodeView) -> ClassScene:
    """Work out what the page shows of a node that parts classes."""
    found = nodes.separability_steps(at.selection, 0)
    step = next((step for step in found.steps if step.node == at.origin), None)
    return ClassScene(at, step, found.column)


def pictures(scene: ClassScene) -> None:
    """Draw the classes that could leave, the tree, the children and the separabilities."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if scene.step is not None:
            _bars(scene)
        tree_chooser(tree_figure(scene.at))
    with right:
        for part in explanations(scene):
            show(part)
    if scene.step is not None:
        _table(scene)


def explanations(scene: ClassScene) -> list[str]:
    """Return as html which classes part, why, and what it does to the rows."""
    if scene.step is None:
        return [_headline(scene)]
    return [_headline(scene), f"<p>{escape(_rule_words(scene))}</p>", _children(scene)]


def bars(scene: ClassScene) -> Drawing:
    """Return how separable each class in play is."""
    step, order = scene.step, scene.order
    leaving = [place for place, c in enumerate(order.tolist()) if c in step.first]
    return best_tests_plot(
        [escape(scene.at.class_names[c]) for c in order],
        step.separability[order],
        theme=scene.at.theme,
        chosen=leaving[0] if len(leaving) == 1 else None,
        kept=leaving if len(leaving) > 1 else (),
        refused=t("infinite"),
    )


def bars_alt(scene: ClassScene) -> str:
    """Return what the bars show, for those who do not see them."""
    return t("How separable each class in play is at node {node}", node=scene.at.node)


def _bars(scene: ClassScene) -> None:
    figure = bars(scene)
    st.markdown(f"**{t('The classes that could be split off')}** · {scene.compared}")
    chart(figure, key="classes", height=figure.height, alt=bars_alt(scene), filename="classes")
    st.caption(
        t(
            "Each bar is the smallest value between the class and any other class present. Only "
            "the ranking of these values is meaningful."
        )
    )


def _headline(scene: ClassScene) -> str:
    """Return which classes part, as the tree stores it; or that a leaf has no split, and why."""
    if scene.step is None:
        return scene.at.why_no_split
    step, machine = scene.step, scene.step.machine
    yes, no = (int(counts.sum()) for counts in scene.children)
    value = float(step.matrix[step.pair])
    cells = [
        (f"{number(yes)} | {number(no)}", "", t("rows yes | no")),
        (number(value), "", scene.compared),
        (number(len(machine.support)), "", t("support vectors")),
        (percent(machine.training_error), "%", t("of its rows are misclassified")),
    ]
    test = machine_words(scene.at.tree, scene.at.node, class_names=scene.at.class_names)
    head = f'<div class="lv-split"><b>{test}</b><span>{scene.at.stored_label}</span></div>'
    return f'<div class="lv-head" role="group">{head}{strip(cells)}</div>'


def _rule_words(scene: ClassScene) -> str:
    """Say why these classes part."""
    step = scene.step
    if scene.at.forced is not None:
        names = [scene.at.class_names[c] for c in step.parting.first.tolist()]
        sentence = "Forced by hand. The rule would part {classes} from the rest."
        return t(sentence, classes=t(", ").join(names))
    a, b = (scene.at.class_names[c] for c in step.pair)
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
            "The classes are split off in their given order, whatever their separability; {b} is "
            "the nearest to {a} with {value}.",
            a=a,
            b=b,
            value=value,
        )
    if step.tie_rule_used:
        tied = [scene.at.class_names[c] for c in np.flatnonzero(step.tied)]
        return t(
            "Shared by {n}: {tied} have the same value, {value}. The next smallest values of each "
            "decide, and if these are equal, too, the class that comes first.",
            n=number(len(tied)),
            tied=t(", ").join(tied),
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
        branch_html(word, counts, largest, scene.at.theme)
        for word, counts in zip((t("yes"), t("no")), scene.children, strict=True)
    )
    test = machine_words(scene.at.tree, scene.at.node, class_names=scene.at.class_names)
    style = "lv-chosen" if scene.at.forced is None else "lv-picked"
    return f'<div class="lv-children {style}"><p>{test}</p><div>{sides}</div></div>'


def between_classes(scene: ClassScene) -> pd.DataFrame:
    """Return the values between all classes in play, with the smallest of each and its class."""
    step, order = scene.step, scene.order
    names = scene.at.class_names
    between = step.matrix[np.ix_(order, order)]
    return pd.DataFrame(
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


def _table(scene: ClassScene) -> None:
    table = between_classes(scene)
    st.markdown(f"**{t('Between all classes in play')}** · {scene.compared}")
    st.dataframe(table, key="class_table", hide_index=True)
