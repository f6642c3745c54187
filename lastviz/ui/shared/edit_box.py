"""The box for editing a tree by hand at one node; see :mod:`.edits` for the edits."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial

import numpy as np
import streamlit as st

from lastviz.estimators import TreeEstimator, is_imported
from lastviz.plots.visuals.words import column_places
from lastviz.splitters.edits import (
    CategorySplit,
    ClassSplit,
    Cut,
    Edit,
    ForcedSplit,
    Kept,
    MadeLeaf,
    Split,
    Without,
    along,
)
from lastviz.ui.compute.nodes import NodeWork, splits_components
from lastviz.ui.compute.work import ModelWork
from lastviz.ui.text import t, translate

from .edits import make, tell, undo
from .model_view import class_names_of
from .widgets import put


class EditedNode(NodeWork):
    """A node that can be changed.

    Parameters
    ----------
    model : ModelWork
    index : int
    axes : tuple of (int, int) or None
        The features of the plane that is shown.
    """

    def __init__(self, model: ModelWork, index: int, axes: tuple[int, int] | None) -> None:
        super().__init__(model, index)
        self.axes = axes

    @property
    def names(self) -> list[str]:
        """Names of the features."""
        return [str(name) for name in self.division.X.columns]

    def features(self, *, nominal: bool) -> list[int]:
        """Features that are nominal, or numeric."""
        known = self.division.categories
        return [f for f, labels in enumerate(known) if (labels is not None) == nominal]

    def values(self, feature: int) -> np.ndarray:
        """Values of a feature in the rows of the node, without missing ones."""
        values = self.division.values[self.rows, feature]
        return values[~np.isnan(values)]

    def key(self, name: str) -> str:
        """Key of a widget about this node."""
        return f"edit.{self.model.place}.{''.join(map(str, self.path))}.{name}"


def edit_box(model: ModelWork, *, axes: tuple[int, int] | None = None) -> None:
    """Draw ways to change the tree of a model at its picked node, behind a button.

    `axes` are the features of the plane that is shown, for a line through two places of it.
    """
    estimator = model.trained()
    if not isinstance(estimator, TreeEstimator) or is_imported(model.chosen.key):
        return  # what was not grown here is not changed by hand
    box = st.expander(t("Change this node by hand"), key="edit_box", on_change="rerun")
    if not box.open:
        return
    at = EditedNode(model, model.chosen.node_in(estimator.tree_) or 0, axes)
    with box:
        _kind_of_change(at)
        _pruning(at)


def _kind_of_change(at: EditedNode) -> None:
    """Draw the choice of the kind of change, and its settings."""
    kinds: dict[str, tuple[str, Callable[[EditedNode], None]]] = {}
    numeric = at.features(nominal=False)
    if len(at.estimator.tree_.kernel):
        kinds["classes"] = (t("Split by classes"), _classes)
    else:
        if numeric:
            kinds["threshold"] = (t("Split at a threshold"), _threshold)
        if len(numeric) > 1:
            kinds["line"] = (t("Split along a line"), _line)
        if at.features(nominal=True):
            kinds["values"] = (t("Split by values"), _values)
        if not splits_components(at.model):
            kinds["without"] = (t("Leave features out"), _without)
    leaf = partial(_button, label=t("Make it a leaf"), edit=lambda: MadeLeaf(at.path))
    kinds["leaf"] = (t("Make it a leaf"), leaf)
    _keep("edit_way", next(iter(kinds)), kinds)
    kind = st.selectbox(
        t("Instead of what is there"),
        list(kinds),
        key="edit_way",
        format_func=lambda name: kinds[name][0],
    )
    kinds[kind][1](at)


def _keep(key: str, default: object, allowed: Container[object] | None = None) -> None:
    """Keep the value of a widget, or set the default if the value is not allowed."""
    value = st.session_state.get(key)
    known = value is not None and (allowed is None or value in allowed)
    put(key, value if known else default)


def _button(at: EditedNode, label: str, edit: Callable[[], Edit | None]) -> None:
    """Draw the button that makes an edit from the widgets' values."""
    st.button(label, key=at.key("make"), type="primary", on_click=partial(_made, at, edit))


def _made(at: EditedNode, edit: Callable[[], Edit | None]) -> None:
    found = edit()
    if found is not None:
        make(at.model, found)


def _threshold(at: EditedNode) -> None:
    numeric = at.features(nominal=False)
    own = at.stored_split if isinstance(at.stored_split, Split) else None
    key = at.key("feature")
    _keep(key, own.feature if own is not None else numeric[0], numeric)
    feature = st.selectbox(t("Feature"), numeric, key=key, format_func=at.names.__getitem__)
    values = at.values(feature)
    middle = float(np.median(values)) if len(values) else 0.0
    if own is not None and own.feature == feature:
        middle = own.threshold
    typed = at.key(f"threshold.{feature}")
    places = _places(values)
    _keep(typed, round(middle, places))
    st.number_input(t("Threshold"), key=typed, step=_step(values), format=f"%.{places}f")

    def chosen() -> Edit:
        return ForcedSplit(at.path, Split(feature, float(st.session_state[typed]), 0.0))

    _button(at, t("Split here"), chosen)


def _places(values: np.ndarray) -> int:
    """Decimals of a threshold between two values."""
    return column_places(values) + 1


def _step(values: np.ndarray) -> float:
    """Hundredth of the values' range, as a power of ten."""
    span = float(np.ptp(values)) if len(values) else 0.0
    return float(10.0 ** np.floor(np.log10(span / 50))) if span > 0 else 1.0


def _line(at: EditedNode) -> None:
    """Draw two places of the plane in figures: for a keyboard, and for exact ones."""
    numeric = at.features(nominal=False)
    across, up = at.axes if at.axes and len({*at.axes} & {*numeric}) == 2 else numeric[:2]
    corners = []
    for end, quantile in ((t("from"), 0.25), (t("to"), 0.75)):
        columns = st.columns(2)
        for column, feature in zip(columns, (across, up), strict=True):
            values = at.values(feature)
            key = at.key(f"line.{quantile}.{feature}")
            places = _places(values)
            _keep(key, round(float(np.quantile(values, quantile)), places) if len(values) else 0.0)
            label = t("{name}, {end}", name=at.names[feature], end=end)
            column.number_input(label, key=key, step=_step(values), format=f"%.{places}f")
            corners.append(key)

    def typed() -> Edit | None:
        x0, y0, x1, y1 = (float(st.session_state[key]) for key in corners)
        try:
            return along({"from": [x0, y0], "to": [x1, y1]}, (across, up), at.path)
        except ValueError as reason:
            tell(translate(reason))
            return None

    _button(at, t("Split here"), typed)


def _values(at: EditedNode) -> None:
    nominal = at.features(nominal=True)
    key = at.key("nominal")
    _keep(key, nominal[0], nominal)
    feature = st.selectbox(t("Feature"), nominal, key=key, format_func=at.names.__getitem__)
    labels = at.division.categories[feature]
    first = at.key(f"values.{feature}")
    st.multiselect(
        t("To the first child"),
        range(len(labels)),
        key=first,
        format_func=lambda c: str(labels[c]),
    )

    def chosen() -> Edit | None:
        picked = st.session_state[first]
        if not 0 < len(picked) < len(labels):
            tell(t("Choose at least one, and leave one for the other child."))
            return None
        branch = np.ones(len(labels), dtype=np.intp)
        branch[picked] = 0
        return ForcedSplit(at.path, CategorySplit(feature, branch, 0.0))

    _button(at, t("Split here"), chosen)


def _classes(at: EditedNode) -> None:
    names = class_names_of(at.work.dataset)
    here = np.flatnonzero(at.estimator.tree_.value[at.index]).tolist()
    key = at.key("classes")
    st.multiselect(t("To the first child"), here, key=key, format_func=names.__getitem__)

    def chosen() -> Edit | None:
        picked = sorted(st.session_state[key])
        if not 0 < len(picked) < len(here):
            tell(t("Choose at least one, and leave one for the other child."))
            return None
        return ForcedSplit(at.path, ClassSplit(tuple(picked)))

    _button(at, t("Split here"), chosen)


def _without(at: EditedNode) -> None:
    key, below = at.key("without"), at.key("below")
    st.multiselect(
        t("Features excluded from the search"),
        range(len(at.names)),
        key=key,
        format_func=at.names.__getitem__,
    )
    st.toggle(t("From this node down"), key=below)

    def chosen() -> Edit | None:
        picked = tuple(sorted(st.session_state[key]))
        if not picked:
            tell(t("Choose at least one feature to leave out."))
            return None
        return Without(at.path, picked, bool(st.session_state[below]))

    _button(at, t("Search without them"), chosen)


def _pruning(at: EditedNode) -> None:
    """Offer to prune the node by hand, or to restore its pruned branches."""
    if not at.estimator.tree_.is_leaf(at.index):
        st.button(
            t("Prune below this node"),
            key=at.key("cut"),
            on_click=make,
            args=(at.model, Cut(at.path)),
        )
    elif at.stored_split is not None:
        st.button(
            t("Restore what was pruned here"), key=at.key("keep"), on_click=_restore, args=(at,)
        )


def _restore(at: EditedNode) -> None:
    """Take back that the node was pruned by hand, else keep it from the pruner."""
    cut = Cut(at.path)
    if cut in at.model.chosen.edits:
        undo(at.model, cut)
    else:
        make(at.model, Kept(at.path))
