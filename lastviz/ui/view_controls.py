"""The part of the sidebar about the picture: which plane, and how deep the trees are shown."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import ESTIMATORS

from . import cache, state
from .plane import Plane
from .selection import Selection
from .text import number, t
from .whole_view import is_whole, trees_of
from .widgets import control, put

__all__ = ["depth_slider", "plane_chooser", "slice_chooser", "tree_choosers"]

WHOLE = 0  # beside the trees, which people count from one


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
        change = partial(_set_axis, place, shown)
        column.selectbox(label, names, key=key, on_change=change)
    slice_chooser(len(cache.division(state.current()).y))


def _set_axis(place: int, shown: list[str]) -> None:
    """Put a feature on an axis; if it stands on the other one, the two change places."""
    axes = list(shown)
    axes[place] = st.session_state[f"axis{place}"]
    if axes[0] == axes[1]:
        axes[1 - place] = shown[place]
    state.select(axes=tuple(axes))


def slice_chooser(n_rows: int) -> None:
    """Draw the choice of the row whose values the features beside the axes have."""
    at = state.current().at
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
    )  # fmt: skip


def _set_slice() -> None:
    row = st.session_state["slice"]
    state.select(at=None if row is None else int(row) - 1)


def tree_choosers(selection: Selection) -> None:
    """Draw, for each forest or envelope, the choice between the whole and one of its trees."""
    for place, model in enumerate(selection.models):
        estimator = cache.trained(selection, place, whole=True)
        if estimator is None or not is_whole(estimator):
            continue
        n_trees = len(trees_of(estimator))
        key = f"tree{place}.{model.key}"
        put(key, WHOLE if model.tree is None else min(model.tree, n_trees - 1) + 1)
        words = t("the vote of all trees") if n_trees > 1 else t("what it predicts")
        st.selectbox(
            t("{title} shows", title=t(ESTIMATORS[model.key].title)),
            range(n_trees + 1),
            key=key,
            format_func=partial(_tree_words, words),
            on_change=partial(_set_tree, place, key),
        )


def _tree_words(whole: str, n: int) -> str:
    return whole if n == WHOLE else t("tree {n}", n=number(n))


def _set_tree(place: int, key: str) -> None:
    n = st.session_state[key]
    state.select_model(place, tree=None if n == WHOLE else n - 1)


def depth_slider(selection: Selection) -> None:
    """Draw the slider that lets the trees grow level by level."""
    deepest = max(_depths(selection), default=0)
    if deepest == 0:
        return
    param = Param(
        "depth", int, None, slider=(0, deepest, 1), label="Depth shown",
        help="Let the trees grow level by level; the numbers are those of the trees as shown.",
    )  # fmt: skip
    depth = selection.depth
    shown = deepest if depth is None else min(depth, deepest)
    control(param, shown, key=f"depth.{deepest}", apply=partial(_set_depth, deepest))


def _depths(selection: Selection) -> list[int]:
    """Return how deep the trees are that are shown, those that have been grown."""
    depths = []
    for place, model in enumerate(selection.models):
        estimator = cache.trained(selection, place, whole=True)
        if estimator is None or (is_whole(estimator) and model.tree is None):
            continue
        depths.append(cache.tree_of(selection, place).tree_.max_depth)
    return depths


def _set_depth(deepest: int, depth: object) -> None:
    state.select(depth=None if depth == deepest else depth)
