"""Brushed rows: where they pass in a tree, how many they are by leaf and class, as a file.

The pictures light them up by themselves in the browser (``components/chart/brush.js``); what needs
the data stands here, below the pictures of every page.
"""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.host.memory import remembered
from lastviz.inspection import class_counts, is_ensemble
from lastviz.plots import exact_array, rule_words, typed_array
from lastviz.tree import Tree
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import MOST_BRUSHED, row_numbers
from lastviz.ui.text import number, plural, t

from .figures import current_theme
from .headline import class_sign, legend_of, show
from .model_view import class_names_of, model_title
from .widgets import save_table

MOST_LEAVES = 200  # of the table
OFFER, TYPED = "brush_offer", "brush_typed"


def take_brush(rows: tuple[int, ...]) -> None:
    """Take rows that the reader brushed into the selection; for callbacks."""
    session.select(brushed=rows[:MOST_BRUSHED])


def brushed_rows(work: Work) -> np.ndarray:
    """Brushed rows that the data have, rising."""
    n = work.dataset.n_samples
    rows = np.array(work.selection.view.brushed, dtype=np.intp)
    return rows[rows < n]


def passing_rows(model: ModelWork, *, grown: bool = False) -> dict[str, object]:
    """Final nodes of the rows in a model's picked tree, for its picture.

    Of the tree before it was pruned with `grown`.

    Returns
    -------
    dict
        "n": number of rows of the data; "parent": that of each node, -1 for the root; "node" where
        each row ends; with several ends for a row also their "row", and the "share" of the row
        that ends there. Of data with more than MOST_BRUSHED rows only the brushed ones.
    """
    estimator = model.picked
    tree = estimator.grown_tree_ if grown else estimator.tree_
    key = (*model.cache_key, model.chosen.tree, grown)
    values = model.division.values
    if len(values) <= MOST_BRUSHED:
        return _passing(key, tree, values, None)
    rows = brushed_rows(model.work)
    return _passing((*key, hash(model.selection.view.brushed)), tree, values, rows)


@remembered
def _passing(
    key: Key, tree: Tree, values: np.ndarray, rows: np.ndarray | None
) -> dict[str, object]:
    row, node, share = tree.leaf_weights(values if rows is None else values[rows])
    found = {"n": len(values), "parent": typed_array(tree.parent), "node": typed_array(node)}
    if rows is not None or len(row) != len(values):
        found["row"] = typed_array(row if rows is None else rows[row])
    return found if (share == 1).all() else found | {"share": exact_array(share)}


# ---------------------------------------------------------------- below the pictures


# The leaves are those of the first `n_models` models.
def brush_panel(work: Work, n_models: int) -> None:
    """Draw the brushed rows by class and by leaf, and the ways to brush."""
    rows = brushed_rows(work)
    trees = _trees(work.first_models(n_models))
    with st.container(key="brush"):
        if len(rows):
            _headline(work, rows)
            _leaves(work, trees, rows)
            _buttons(work, rows)
        box = st.expander(t("Select rows"), key="fold.brush", on_change="rerun")
        if box.open:
            with box:
                _by_name(work, trees)


def _trees(work: Work) -> dict[int, Tree]:
    """Trees of the models that are trained, by place; a forest has the picked one."""
    found = {}
    for place, model in enumerate(work.selection.models):
        estimator = work.models[place].trained_already()
        if estimator is not None and not (is_ensemble(estimator) and model.tree is None):
            found[place] = work.models[place].picked.tree_
    return found


def _headline(work: Work, rows: np.ndarray) -> None:
    """Say how many rows are brushed, and how many of them each class has."""
    dataset, theme = work.dataset, current_theme()
    counts = np.bincount(dataset.codes[rows], minlength=dataset.n_classes)
    names = class_names_of(dataset)
    held_out = np.isin(rows, work.first.division.held_out_rows).sum()
    title = plural(len(rows), "**{n} brushed row**", "**{n} brushed rows**")
    some = [k for k in np.argsort(-counts, kind="stable").tolist() if counts[k]]
    words = [f"{class_sign(k, theme)} {escape(names[k])} {number(int(counts[k]))}" for k in some]
    words.append(t("{n} of them held out", n=number(int(held_out))))
    st.markdown(title)
    show(legend_of(words))


def _leaves(work: Work, trees: dict[int, Tree], rows: np.ndarray) -> None:
    """Draw a table: the leaves where brushed rows end, by class."""
    tables = [_leaf_table(work.models[place], tree, rows) for place, tree in trees.items()]
    if not tables:
        return
    table = pd.concat(tables, ignore_index=True).iloc[:MOST_LEAVES]
    st.dataframe(table, hide_index=True, height=min(35 * len(table) + 40, 320), key="brush_leaves")


def _leaf_table(model: ModelWork, tree: Tree, rows: np.ndarray) -> pd.DataFrame:
    divided, names = model.division, class_names_of(model.dataset)
    values, y = divided.values[rows], divided.y[rows]
    counts = class_counts(tree, values, y)
    ends = np.unique(tree.leaf_weights(values)[1])
    ends = ends[np.argsort(-counts[ends].sum(axis=1), kind="stable")]
    shown = [k for k in range(len(names)) if counts[0, k]]
    right = counts[ends, tree.prediction[ends]]
    columns = {
        t("model"): [model_title(model)] * len(ends),
        t("leaf"): ends,
        t("rule"): [rule_words(tree, node, html=False) or t("all rows") for node in ends.tolist()],
        t("predicted class"): [names[k] for k in tree.prediction[ends]],
        t("brushed rows"): counts[ends].sum(axis=1).round(6),
        t("of another class"): (counts[ends].sum(axis=1) - right).round(6),
    }
    columns |= {_free(names[k], columns): counts[ends, k].round(6) for k in shown}
    return pd.DataFrame(columns)


def _free(name: str, taken: dict[str, object]) -> str:
    """Name for the column of a class that no other column has."""
    return f"({name})" if name in taken else name


def _buttons(work: Work, rows: np.ndarray) -> None:
    with st.container(horizontal=True, gap="small", key="brush_buttons"):
        table = partial(_brushed, work, rows)
        name = f"{work.selection.data}-brushed"
        save_table(t("Brushed rows (CSV)"), table, name, key="brush_csv")
        st.button(t("Clear (Escape)"), key="brush_clear", on_click=take_brush, args=((),))


def _brushed(work: Work, rows: np.ndarray) -> pd.DataFrame:
    """Brushed rows with class, part and the prediction of each model."""
    dataset = work.dataset
    names = np.array(class_names_of(dataset), dtype=object)
    held_out = np.isin(rows, work.first.division.held_out_rows)
    table = dataset.X.iloc[rows].reset_index(drop=True)
    about = {
        t("row"): rows + 1,
        t("true class"): names[dataset.codes[rows]],
        t("part"): np.where(held_out, t("held out"), t("training")),
    }
    for place, tree in _trees(work).items():
        predicted = names[tree.predict(work.models[place].division.values[rows])]
        about[t("predicted by {title}", title=model_title(work.models[place]))] = predicted
    about = {_free(name, table): column for name, column in about.items()}
    return pd.concat([pd.DataFrame(about), table], axis=1)


def _by_name(work: Work, trees: dict[int, Tree]) -> None:
    """Draw the ways to brush without a mouse: row numbers, or all rows of something."""
    st.caption(
        t(
            "Hold Shift and drag around rows in a picture, or click them; key b turns selection "
            "on. Or choose here."
        )
    )
    left, right = st.columns(2)
    left.text_input(
        t("Row numbers"),
        key=TYPED,
        placeholder="3, 17, 40-52",
        on_change=_take_typed,
        args=(work.dataset.n_samples,),
    )
    offers = _offers(work, trees)
    right.selectbox(
        t("All rows of"),
        list(offers),
        index=None,
        placeholder=t("a node, a class, the misclassified"),
        key=OFFER,
        on_change=_take_offer,
        args=(work, trees),
    )
    if st.session_state.get("brush_problem"):
        st.info(st.session_state.pop("brush_problem"))


def _offers(work: Work, trees: dict[int, Tree]) -> dict[str, np.ndarray]:
    """Groups of rows that can be brushed as a whole, by label."""
    dataset = work.dataset
    found = {}
    for place, tree in trees.items():
        title, divided = model_title(work.models[place]), work.models[place].division
        node = work.models[place].chosen.node_in(tree)
        if node is not None:
            stops = tree.apply(divided.values)
            inside = np.flatnonzero(np.isin(stops, tree.subtree(node)))
            found[t("node {n} of {title}", n=node, title=title)] = inside
        wrong = np.flatnonzero(tree.predict(divided.values) != divided.y)
        found[t("rows that {title} misclassifies", title=title)] = wrong
    for k, name in enumerate(class_names_of(dataset)):
        found[t("class “{name}”", name=name)] = np.flatnonzero(dataset.codes == k)
    found[t("rows held out")] = np.sort(work.first.division.held_out_rows)
    offers = {}
    for name, rows in found.items():
        if 0 < len(rows) <= MOST_BRUSHED:
            size = plural(len(rows), "{n} row", "{n} rows")
            offers[t("{name}: {about}", name=name, about=size)] = rows
    return offers


def _take_offer(work: Work, trees: dict[int, Tree]) -> None:
    rows = _offers(work, trees).get(st.session_state[OFFER])
    st.session_state[OFFER] = None
    if rows is not None:
        take_brush(tuple(rows.tolist()))


def _take_typed(n_rows: int) -> None:
    text = st.session_state[TYPED]
    try:
        rows = row_numbers(text)
    except ValueError:
        sentence = "“{text}” names no rows. Write numbers and ranges, as 3, 17, 40-52; at most {n}."
        problem = t(sentence, text=text[:40], n=number(MOST_BRUSHED))
        st.session_state["brush_problem"] = problem
        return
    if rows and rows[-1] >= n_rows:
        sentence = "The data have {n} rows; larger numbers were left out."
        st.session_state["brush_problem"] = t(sentence, n=number(n_rows))
    take_brush(tuple(row for row in rows if row < n_rows))
