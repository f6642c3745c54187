"""The view *In short*: one page for a person who decides."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.inspection import share_interval
from lastviz.plots import Drawing, Intervals, flow_tree_plot, intervals_plot, split_words
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.state import session
from lastviz.ui.text import number, plural, t

from .groups import group_panel
from .headline import who_decides
from .scene import RuleScene
from .short_words import decided_table, error_strip, leaf_texts, verdict_words
from .verdict import verdict_of
from .words import training_words

LEAF, LEAST, MOST = 44, 170, 420  # pixels of the tree: a leaf, at least, at most


def short_view(scene: RuleScene) -> None:
    """Draw the finding, against what, the rules that decide most, the tree, the groups."""
    show(verdict_words(scene))
    note = who_decides(scene)
    if note:
        st.caption(note)
    _against(scene)
    show(decided_table(scene))
    _tree(scene)
    _row(scene)
    group_panel(scene)


def _against(scene: RuleScene) -> None:
    """Draw the tree beside the baseline on one axis, and which errors there are."""
    with st.container(key="short_against"):
        left, right = st.columns([5, 6], gap="medium", vertical_alignment="center")
    figure = intervals_figure(scene)
    with left:
        if figure is not None:
            alt = t("The accuracy of the tree and of the baseline with their 95 % intervals.")
            chart(figure, key="short_intervals", height=figure.height, alt=alt, filename="accuracy")
    with right:
        show(f'<div class="lv-card" role="group">{error_strip(scene)}</div>')


def intervals_figure(scene: RuleScene) -> Drawing | None:
    """Return both intervals on one axis; None where there are too few held-out rows for any."""
    verdict = verdict_of(scene.found)
    if verdict.kind in ("few", "none"):
        return None
    both = (verdict.part, verdict.always)
    ends = np.array([share_interval(each.n_right, each.n_samples) for each in both])
    better = {"better": 0, "worse": 1}.get(verdict.kind, -1)
    return intervals_plot(
        (t("this tree"), t("always {name}", name=scene.class_names[verdict.majority])),
        ("",),
        Intervals(
            mean=100 * np.array([[each.accuracy] for each in both]),
            low=100 * ends[:, :1],
            high=100 * ends[:, 1:],
            best=np.array([better]),
            behind=np.zeros((2, 1), dtype=bool),
            finished=np.ones((2, 1), dtype=bool),
        ),
        theme=scene.theme,
        axis=t("accuracy on new rows, %"),
    )


def _tree(scene: RuleScene) -> None:
    """Draw the tree with the errors of each leaf on held-out rows."""
    rules = plural(len(scene.found.rules), "{n} rule", "{n} rules")
    rows = training_words(float(scene.tree.weighted_n_node_samples[0]))
    about = t("{rules} from {rows}; upper branch: yes", rules=rules, rows=rows)
    show(f'<p class="lv-short-title"><b>{t("The tree")}</b> {about}</p>')
    show(legend(scene.class_names, scene.theme))
    height = int(np.clip(LEAF * scene.tree.n_leaves, LEAST, MOST))
    inner = np.flatnonzero(scene.tree.n_children).tolist()
    figure = flow_tree_plot(
        scene.tree,
        theme=scene.theme,
        path=None if scene.sample is None else scene.sample.path.node.tolist(),
        height=height,
        width_hint=1080,
        texts={node: split_words(scene.tree, node) for node in inner},
        class_names=scene.class_names,
        words=words(),
        beside=leaf_texts(scene),
    )
    alt = t("The tree of {title} as a flow of rows from left to right.", title=scene.title)
    with st.container(key="short_tree_box"):
        chart(figure, key="short_tree", height=height, alt=alt, filename="tree")


def _row(scene: RuleScene) -> None:
    """Draw the way to what would change the class of the row that was picked, if one was."""
    if scene.sample is None:
        return
    row, name = scene.sample.row, scene.class_names[scene.sample.path.prediction]
    about = {"name": name}
    label = (
        t("The typed sample is predicted {name}: what would change it?", **about)
        if row is None
        else t("Row {n} is predicted {name}: what would change it?", n=number(row + 1), **about)
    )
    st.button(label, key="short_row", on_click=lambda: session.select(rule_view="row"))
