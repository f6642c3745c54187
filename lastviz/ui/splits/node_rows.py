"""The rows of the node in question, feature by feature: histograms by class with the split."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.host.memory import remembered
from lastviz.inspection import FeatureCuts, feature_cuts
from lastviz.plots import Drawing, NodeFeature, node_histograms_plot, number
from lastviz.tree import Kind
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.text import plural, t

from .node import NodeView

FIRST, MOST = 6, 60  # features at first, and at most
ACROSS = 3
MOST_ROWS = 5000  # whose places are sent for the brush; the bars count all


def node_rows(at: NodeView) -> None:
    """Draw the histograms of the features that part the node's classes best, all on demand."""
    n_features = at.division.values.shape[1]
    rows = plural(len(at.rows), "{n} row", "{n} rows")
    st.markdown(f"**{t('The rows of this node, feature by feature')}**")
    sentence = (
        "{rows} of node {node}. Solid: the split; dotted: the best threshold by Gini gain, every "
        "row counted once."
    )
    about = t(sentence, rows=rows, node=at.node) + _of_many(at)
    if any(at.division.categories):  # not what a tree of two branches can gain
        about += " " + t("The gain of a nominal feature is that of a branch for each category.")
    st.caption(about)
    every = at.selection.splits.every_feature
    if n_features > FIRST:
        put("every_feature", every)
        title = t("All {n} features", n=number(n_features))
        if n_features > MOST:
            title = t("The first {n} of {all} features", n=number(MOST), all=number(n_features))
        st.toggle(
            title,
            key="every_feature",
            on_change=lambda: session.select(every_feature=st.session_state["every_feature"]),
        )
    shown = node_features(at, MOST if every else FIRST)
    for i, column in enumerate(st.columns(ACROSS, gap="medium")):
        if shown[i::ACROSS]:
            with column:
                _column(at, i, shown[i::ACROSS])


def _column(at: NodeView, i: int, shown: list[NodeFeature]) -> None:
    """Draw every third feature; on a phone the columns stand below each other."""
    figure = rows_figure(at, shown)
    names = t(", ").join(feature.name for feature in shown)
    chart(
        figure,
        key=f"node_rows{i}",
        height=figure.height,
        alt=t("Histograms of the rows of the node by class: {names}", names=names),
        filename="node-rows",
    )


def _of_many(at: NodeView) -> str:
    """Return what a split asks for that no line in one feature can show; "" for others."""
    if at.stored is None or at.grown.kind[at.origin] in (Kind.THRESHOLD, Kind.CATEGORIES):
        return ""
    if at.grown.kind[at.origin] == Kind.KERNEL:
        return " " + t(
            "A support vector machine separates the classes here; it uses all features at once."
        )
    used = int(np.count_nonzero(_weights(at)))
    return " " + t("The split uses {n} features at once.", n=number(used))


def rows_figure(at: NodeView, shown: list[NodeFeature]) -> Drawing:
    """Return the histograms of these features of the node's rows, one above the other."""
    drawn = np.arange(len(at.rows))
    if len(drawn) > MOST_ROWS:
        drawn = drawn[:: -(-len(drawn) // MOST_ROWS)]
    label = at.division.y[at.rows]
    figure = node_histograms_plot(
        shown,
        label,
        at.rows,
        theme=at.theme,
        class_names=at.class_names,
        words=words(),
        standing=drawn,
        across=1,
    )
    return figure.about(
        f"{cache.model_key(at.selection, 0)}|{at.node}|{[feature.name for feature in shown]}"
    )


def node_features(at: NodeView, most: int) -> list[NodeFeature]:
    """Return the features of the node's rows: that of the split, then the best by Gini gain."""
    key = f"{cache.model_key(at.selection, 0)}|{at.origin}"
    values = at.division.values[at.rows]
    found = _cuts(key, at, values)
    chosen = _chosen_features(at)
    every = np.arange(len(found.gain))
    rest = ~np.isin(every, chosen) if len(chosen) == 1 else np.zeros(len(every), dtype=bool)
    order = np.lexsort((every, -found.gain, rest))
    return [_feature(at, int(f), values, found, chosen) for f in order[:most]]


def _feature(
    at: NodeView, f: int, values: np.ndarray, found: FeatureCuts, chosen: np.ndarray
) -> NodeFeature:
    line = None
    if f in chosen and at.grown.kind[at.origin] == Kind.THRESHOLD:
        line = float(at.grown.threshold[at.origin])
        line = line if np.isfinite(line) else None
    best = float(found.threshold[f])
    missing = int(np.isnan(values[:, f]).sum())
    gain = number(float(f"{found.gain[f]:.3g}"))
    notes = [t("Gini gain {gain}", gain=gain)]
    if missing:
        notes.append(plural(missing, "{n} missing", "{n} missing"))
    return NodeFeature(
        name=at.division.X.columns[f],
        values=values[:, f],
        note="<br>".join(notes),
        categories=at.division.categories[f],
        threshold=line,
        best=best if np.isfinite(best) else None,
        chosen=f in chosen,
    )


def _chosen_features(at: NodeView) -> np.ndarray:
    """Return the features that the node's own split asks for: one, or those that it weighs."""
    tree, node = at.grown, at.origin
    if at.stored is None or tree.kind[node] in (Kind.LEAF, Kind.KERNEL):
        return np.empty(0, dtype=np.intp)
    if tree.kind[node] == Kind.OBLIQUE:
        return np.flatnonzero(_weights(at))
    return np.array([tree.feature[node]])


def _weights(at: NodeView) -> np.ndarray:
    return at.grown.oblique.weights[at.grown.split_row[at.origin]]


@remembered
def _cuts(key: str, at: NodeView, values: np.ndarray) -> FeatureCuts:
    label = at.division.y[at.rows]
    return feature_cuts(values, label, at.dataset.n_classes, at.division.categories)
