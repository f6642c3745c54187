"""Where the rows that the tree misclassifies were lost: by node, row by row, as a file."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.inspection import NEVER, LostRows
from lastviz.plots import plain_split, rule_words
from lastviz.ui.shared.brushing import take_brush
from lastviz.ui.state import session
from lastviz.ui.state.brushed_rows import MOST_BRUSHED
from lastviz.ui.text import number, plural, t

from .scene import RuleScene
from .words import part_words

MOST_NODES, MOST_SHOWN = 100, 200


def lost_panel(scene: RuleScene) -> None:
    """Draw which nodes lose the misclassified rows of the part that is shown, and those rows."""
    poured, lost = scene.poured, scene.poured.lost
    rows = part_words(poured.part, len(poured.y))
    st.markdown(f"**{t('Where wrong rows are lost')}**")
    if not len(lost.row):
        st.caption(t("The tree is right about all {rows}.", rows=rows))
        return
    wrong = plural(len(lost.row), "{n} is misclassified", "{n} are misclassified")
    st.caption(
        t(
            "Of {rows} {wrong}. A row is lost at the deepest node on its path that would give it "
            "its own class: had the tree ended there, the row would be right.",
            rows=rows,
            wrong=wrong,
        )
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _by_node(scene, lost)
    with right:
        _by_row(scene)


def _by_node(scene: RuleScene, lost: LostRows) -> None:
    """Draw the nodes that lose rows, most first; choosing one selects it."""
    tree, counts = scene.tree, lost.by_node(scene.tree.n_nodes)
    nodes = np.flatnonzero(counts)
    nodes = nodes[np.argsort(-counts[nodes], kind="stable")][:MOST_NODES]
    table = pd.DataFrame(
        {
            t("node"): nodes,
            t("test"): [_test(scene, node) for node in nodes.tolist()],
            t("class"): [scene.class_names[tree.prediction[node]] for node in nodes],
            t("rows lost"): counts[nodes],
            t("of"): lost.come[nodes].round(6),
        }
    )

    def chosen() -> None:
        rows = st.session_state["lost_nodes"]["selection"]["rows"]
        if rows:
            session.select_model(0, node=int(nodes[rows[0]]))

    st.dataframe(
        table,
        key="lost_nodes",
        hide_index=True,
        height=min(35 * len(table) + 40, 300),
        on_select=chosen,
        selection_mode="single-row",
    )
    never = int(np.count_nonzero(lost.node == NEVER))
    if never:
        one = "{n} more was never right: no node on its path predicts its class."
        many = "{n} more were never right: no node on their paths predicts their class."
        st.caption(plural(never, one, many))


def _test(scene: RuleScene, node: int) -> str:
    return t("leaf") if scene.tree.is_leaf(node) else plain_split(scene.tree, node)


def _by_row(scene: RuleScene) -> None:
    """Draw the misclassified rows; they are a file, and can be brushed."""
    table = lost_table(scene)
    st.dataframe(table.head(MOST_SHOWN), hide_index=True, height=min(35 * len(table) + 40, 300))
    if len(table) > MOST_SHOWN:
        sentence = "The first {n} of {all} are listed; all are in the file."
        st.caption(t(sentence, n=number(MOST_SHOWN), all=number(len(table))))
    rows = scene.poured.rows[scene.poured.lost.row] - 1
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            t("Wrong rows (CSV)"),
            partial(_csv, scene),
            file_name=f"{scene.selection.data}-lost-rows.csv",
            mime="text/csv",
            on_click="ignore",
            key="lost_csv",
            icon=":material/download:",
        )
        if scene.poured.part != "new" and len(rows) <= MOST_BRUSHED:
            st.button(
                t("Brush them"),
                key="lost_brush",
                help=t("They are highlighted in all pictures, on every page."),
                on_click=take_brush,
                args=(tuple(rows.tolist()),),
            )


def lost_table(scene: RuleScene) -> pd.DataFrame:
    """Return the misclassified rows: their classes, where each was lost and where it ends."""
    poured, lost = scene.poured, scene.poured.lost
    names = np.array(scene.class_names, dtype=object)
    words = {node: _test(scene, node) for node in np.unique(lost.node).tolist() if node != NEVER}
    ends = {node: rule_words(scene.tree, node, html=False) for node in np.unique(lost.end).tolist()}
    return pd.DataFrame(
        {
            t("row"): poured.rows[lost.row],
            t("true class"): names[poured.y[lost.row]],
            t("predicted class"): names[lost.predicted],
            t("lost at node"): pd.Series(lost.node, dtype="Int64").mask(lost.node == NEVER),
            t("by the test"): [words.get(node, t("never held")) for node in lost.node.tolist()],
            t("ends at node"): lost.end,
            t("rule"): [ends[node] or t("all rows") for node in lost.end.tolist()],
        }
    )


def _csv(scene: RuleScene) -> bytes:
    """Return the table with the values of the rows."""
    about = lost_table(scene)
    values = scene.poured.X.iloc[scene.poured.lost.row].reset_index(drop=True)
    about = about.rename(columns={name: f"({name})" for name in about if name in values})
    return pd.concat([about, values], axis=1).to_csv(index=False).encode()
