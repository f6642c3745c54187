"""The search for classes to split off: which could leave, and how separable they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._params import Param
from lastviz.estimators import ESTIMATORS
from lastviz.export.html_report import Text
from lastviz.host.jobs import Working
from lastviz.inspection import SeparabilityStep, tied_ranks
from lastviz.plots import (
    Drawing,
    Points,
    best_tests_plot,
    machine_words,
    number,
    successive_splits_plot,
)
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.blocks import PAGE, REPORT, Block, Chart, Controls, Numbers, Only
from lastviz.ui.shared.difference import difference_of, difference_panel
from lastviz.ui.shared.figures import Plane, plane_of
from lastviz.ui.shared.headline import strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection
from lastviz.ui.text import CannotShow, percent, plural, t

from .node import NodeScene, NodeView, brief
from .scene import SplitScene
from .words import children_html

TITLES = {
    "separability": "separability in kernel space",
    "separability_input": "separability in input space",
    "centre_distance": "distance of the class centres",
}


@dataclass(frozen=True, eq=False)
class ClassScene(NodeScene):
    """One node and the classes in play there."""

    step: SeparabilityStep | None  # None at a leaf
    column: str  # what is compared: "separability", "separability_input" or "centre_distance"

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

    @cached_property
    def bars(self) -> Drawing:
        """How separable each class in play is."""
        step, order = self.step, self.order
        leaving = [place for place, c in enumerate(order.tolist()) if c in step.first]
        return best_tests_plot(
            [escape(self.at.class_names[c]) for c in order],
            step.separability[order],
            theme=self.at.theme,
            chosen=leaving[0] if len(leaving) == 1 else None,
            kept=leaving if len(leaving) > 1 else (),
            refused=t("infinite"),
        )

    def pictures(self) -> list[Block]:
        """Return the classes that could leave, and the tree."""
        if self.step is None:
            return [self.tree_chooser()]
        title = t("The classes that could be split off")
        alt = t("How separable each class in play is at node {node}", node=self.at.node)
        note = t(
            "Each bar is the smallest value between the class and any other class present. Only "
            "the ranking of these values is meaningful."
        )
        return [
            Controls(partial(st.markdown, f"**{title}** · {self.compared}")),
            Chart(self.bars, alt, title, key="classes", filename="classes"),
            Only((PAGE,), [Text(note)]),
            self.tree_chooser(),
        ]

    def explanations(self) -> list[Block]:
        """Return which classes part, why, and what it does to the rows."""
        if self.step is None:
            return brief([_headline(self)], 1)
        why = f"<p>{escape(_rule_words(self))}</p>"
        return brief([_headline(self), why, _children(self)], 2)

    def details(self) -> list[Block]:
        """Return the separabilities as a table."""
        if self.step is None:
            return []
        title, rows = t("Between all classes in play"), partial(between_classes, self)
        return [
            Controls(partial(st.markdown, f"**{title}** · {self.compared}")),
            Controls(partial(_table, self)),
            Only((REPORT,), [Numbers("", title, rows)]),
        ]


def class_scene(at: NodeView) -> ClassScene:
    """Work out what the page shows of a node that parts classes."""
    found = nodes.separability_steps(at.selection, 0)
    step = next((step for step in found.steps if step.node == at.origin), None)
    return ClassScene(at, step, found.column)


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
        sentence = "Set by hand. The rule would split {classes} from the rest."
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
        "The class whose nearest other class is farthest is split off: {a} is {value} from "
        "{b}, its nearest.",
        a=a,
        b=b,
        value=value,
    )


def _children(scene: ClassScene) -> str:
    at = scene.at
    test = machine_words(at.tree, at.node, class_names=at.class_names)
    return children_html(test, scene.children, at.theme, is_picked=at.forced is not None)


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
    st.dataframe(between_classes(scene), key="class_table", hide_index=True)


# ---- Two models laid over each other, and four criteria, split by split


PANEL_CRITERIA = {"gini": "Gini", "bnm": "BNM", "csn": "CSN", "bnm+csn": "BNM + CSN"}
SUCCESSIVE = 4


def growth_compared(scene: SplitScene) -> None:
    """Draw how the first two models differ: in the plane, in their trees, by rows."""
    selection = scene.at.selection.first_models(2)
    if len(selection.models) < 2:
        sentence = "Choose a second model at the left to see where the two trees differ."
        st.info(t(sentence))
        return
    try:
        found = difference_of(selection, (0, 1), plane_of(selection))
    except CannotShow as reason:
        st.info(str(reason))
    except Working as working:
        job_box(working.job, "difference")
    else:
        difference_panel(found, scene.at.theme)


def panels(scene: SplitScene) -> None:
    """Draw the successive splits of four criteria in the plane, as sixteen small pictures."""
    selection = _with_criteria(scene.at.selection)
    plane = plane_of(selection, alone=True)
    if plane.is_slice or plane.features[0] == plane.features[1]:
        st.info(t("Sixteen small pictures need data with exactly two features, such as XOR."))
        return
    rows = []
    for place, title in enumerate(PANEL_CRITERIA.values()):
        estimator = cache.fitted(selection, place).estimator
        regions = cache.regions(selection, place, plane.view, plane.features, plane.at)
        tree = estimator.tree_
        size = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
        rows.append((f"{title}<br><span style='font-size:14px'>{size}<br>"
                     f"{t('depth {n}', n=tree.max_depth)}</span>", regions))  # fmt: skip
    st.caption(
        t("The first four splits of each tree, level by level; the newest is the strongest line.")
    )
    figure = successive_splits_plot(
        rows,
        _training_points(selection, plane),
        SUCCESSIVE,
        theme=scene.at.theme,
        class_names=scene.class_names,
        view=plane.view,
        split_word=t("split {n}", n="{n}"),
    )
    chart(
        figure,
        key="panels",
        height=figure.height,
        alt=t("Successive splits by {names}", names=t(", ").join(PANEL_CRITERIA.values())),
        filename="splits",
    )


def _with_criteria(selection: Selection) -> Selection:
    """Return the selection with the four criteria as its models, parameters kept."""
    own = selection.models[0]
    key = next(key for key, entry in ESTIMATORS.items() if _offers_all(entry.cls.PARAMS))
    retained = tuple(p for p in own.params if p[0] != "criterion") if own.key == key else ()
    models = [
        Model(key, tuple(sorted((*retained, ("criterion", criterion)))))
        for criterion in PANEL_CRITERIA
    ]
    return selection.change(models=tuple(models[:MAX_MODELS]))


def _offers_all(params: Sequence[Param]) -> bool:
    """Tell whether an algorithm with these parameters can grow by each of the criteria."""
    offered = [param.choices for param in params if param.name == "criterion"]
    return bool(offered) and set(PANEL_CRITERIA) <= set(offered[0])


def _training_points(selection: Selection, plane: Plane) -> Points:
    divided = cache.division(selection)
    rows = divided.train_rows
    points = Points.plain(plane.x[rows], plane.y[rows], divided.y[rows], rows + 1)
    return replace(points, texts=plane.texts(rows))
