"""The part of the sidebar about the picture: which plane, and how deep the trees are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import entry_of
from lastviz.inspection import is_ensemble
from lastviz.plots import plain_split
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .ensemble_view import trees_of
from .model_view import rows_words
from .plane import Plane
from .widgets import control, put

MOST_NODES = 60


ENSEMBLE = 0  # beside the trees, which people count from one


def plane_chooser(plane: Plane) -> None:
    """Draw the choice of the axes and of the values of the other features, if there are any."""
    if not plane.is_slice:
        return
    names = tuple(name for name, fits in zip(plane.names, plane.fitting, strict=True) if fits)
    shown = [plane.names[feature] for feature in plane.features]
    st.markdown(f"**{t('Picture')}**")
    across, up = st.columns(2)
    for place, (column, label) in enumerate(((across, t("Across")), (up, t("Up")))):
        key = f"axis{place}"
        put(key, shown[place])
        change = partial(_set_axis, place, shown, plane.row)
        column.selectbox(label, names, key=key, on_change=change)
    is_proposed = plane.proposed and plane.row is not None
    slice_chooser(len(cache.division(session.current()).y), plane.row, shown if is_proposed else ())
    if is_proposed:
        st.caption(
            t("These axes and this row are suggested because they separate the classes well. "
              "Choose others, or clear the row for the usual values.")
        )  # fmt: skip


def _set_axis(place: int, shown: list[str], row: int | None) -> None:
    """Put a feature on an axis; if it stands on the other one, the two change places.

    The row through which the plane goes stays, if only proposed.
    """
    axes = list(shown)
    axes[place] = st.session_state[f"axis{place}"]
    if axes[0] == axes[1]:
        axes[1 - place] = shown[place]
    session.select(axes=tuple(axes), at=row)


def slice_chooser(n_rows: int, at: int | None, axes: Sequence[str] = ()) -> None:
    """Draw the choice of the row whose values the features beside the axes have.

    `at` is the one that they have now; `axes` stand across and up and stay, where they are only
    proposed.
    """
    put("slice", None if at is None else at + 1)
    st.number_input(
        t("Other features as in row"),
        min_value=1,
        max_value=n_rows,
        step=1,
        value=None,
        placeholder=t("at their usual values"),
        key="slice",
        help=t("The picture is an exact slice of the model: all features that are not on an axis "
               "are fixed, at their medians (a nominal one at its most frequent category) or at "
               "the values of one row."),
        on_change=_set_slice,
        args=(axes,),
    )  # fmt: skip


def _set_slice(axes: Sequence[str]) -> None:
    row = st.session_state["slice"]
    changes = {"axes": tuple(axes)} if axes else {}
    if row is not None:  # it is the one at hand on other pages, too
        changes |= {"highlighted": int(row) - 1, "typed": ""}
    session.select(at=None if row is None else int(row) - 1, **changes)


def tree_choosers(selection: Selection) -> None:
    """Draw, for each forest or envelope, the choice between the whole and one of its trees."""
    for place, model in enumerate(selection.models):
        estimator = cache.trained(selection, place, allow_ensembles=True)
        if estimator is None or not is_ensemble(estimator):
            continue
        n_trees = len(trees_of(estimator))
        key = f"tree{place}.{model.key}"
        put(key, ENSEMBLE if model.tree is None else min(model.tree, n_trees - 1) + 1)
        all_trees = t("the vote of all trees") if n_trees > 1 else t("what it predicts")
        titles = [all_trees, *(t("tree {n}", n=number(n)) for n in range(1, n_trees + 1))]
        st.selectbox(
            t("{title} shows", title=t(entry_of(model.key).title)),
            range(n_trees + 1),
            key=key,
            format_func=titles.__getitem__,
            on_change=partial(_set_tree, place, key),
        )


def _set_tree(place: int, key: str) -> None:
    n = st.session_state[key]
    session.select_model(place, tree=None if n == ENSEMBLE else n - 1)


def depth_slider(selection: Selection) -> None:
    """Draw the slider that lets the trees grow level by level."""
    deepest = deepest_shown(selection)
    if deepest == 0:
        return
    param = Param(
        "depth", int, None, slider=(0, deepest, 1), label="Show levels up to",
        help="Grow the trees level by level; the numbers belong to the trees as shown.",
    )  # fmt: skip
    depth = selection.view.depth
    shown = deepest if depth is None else min(depth, deepest)
    control(
        param,
        shown,
        key=depth_key(deepest),
        apply=lambda depth: session.select(depth=None if depth == deepest else depth),
    )


def depth_key(deepest: int) -> str:
    """Return the key of the slider of the depth shown; another depth is another slider."""
    return f"depth.{deepest}"


def deepest_shown(selection: Selection) -> int:
    """Return how deep the deepest of the trees is that are shown and have been grown."""
    deepest = 0
    for place, model in enumerate(selection.models):
        estimator = cache.trained(selection, place, allow_ensembles=True)
        if estimator is None or (is_ensemble(estimator) and model.tree is None):
            continue
        deepest = max(deepest, cache.tree_of(selection, place).tree_.max_depth)
    return deepest


def node_chooser(
    words: Callable[[Tree, int], str] | None = None,
    *,
    place: int = 0,
    allow_ensembles: bool = False,
) -> None:
    """Draw the choice of the node of the model at `place`, of very many the largest.

    `words` says what a node is called; by default its test and its rows. `allow_ensembles`: of
    a forest the tree that is picked has the nodes, see :func:`.suitability.obstacle`.
    """
    words = words or node_words
    selection = session.current()
    if cache.trained(selection, place, allow_ensembles=allow_ensembles) is None:
        return  # the page says why
    tree = cache.tree_of(selection, place).tree_
    node = selection.models[place].node_in(tree) or 0
    st.markdown(f"**{t('Node')}**")
    order = sorted(range(tree.n_nodes), key=lambda n: (-tree.n_node_samples[n], n))
    options = sorted({*order[:MOST_NODES], node})
    titles = {n: words(tree, n) for n in options}
    key = f"node{place}" if place else "node"
    put(key, node, titles[node])
    st.selectbox(
        t("Node"),
        options,
        key=key,
        format_func=titles.__getitem__,
        label_visibility="collapsed",
        on_change=_choose_node,
        args=(place, key),
    )
    if tree.n_nodes > len(options):
        sentence = "The {shown} largest of {all} nodes; the tree in the picture has all."
        st.caption(t(sentence, shown=len(options), all=number(tree.n_nodes)))


def _choose_node(place: int, key: str) -> None:
    """Go to the chosen node; a browser that is behind may still name one of another tree."""
    node = st.session_state[key]
    if isinstance(node, int):
        session.select_model(place, node=node)


def node_words(tree: Tree, node: int) -> str:
    """Return what a node is called in a list: its number, its test and its rows."""
    rows = rows_words(tree, node)
    if node == 0:
        return t("root, {rows}", rows=rows)
    what = t("leaf") if tree.is_leaf(node) else plain_split(tree, node)
    return t("{node}: {test}, {rows}", node=node, test=what, rows=rows)
