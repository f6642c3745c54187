"""The sidebar of the page *boundaries*: tint, the node to change; of numbers, tree and axes."""

from __future__ import annotations

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import LEARNS_NUMBERS, REGRESSORS, is_imported
from lastviz.host.jobs import Working
from lastviz.ui.compute import cache, uploads
from lastviz.ui.compute.numbers import is_own_tree, title_of_numbers
from lastviz.ui.shared import controls
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.job_box import limits
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.number_edits import number_edit_box
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.view_controls import node_chooser, slice_chooser
from lastviz.ui.shared.widgets import control, put, segments
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, FIELDS, Model, Selection, changed
from lastviz.ui.text import CannotShow, t

from .regression_view import NumberView, number_view

STEPS = ""  # the choice of the prediction itself, no feature has this name


def tint_choosers(selection: Selection) -> None:
    """Draw the choice of what the tint of a region says."""
    titles = {"class": t("Class"), "certainty": t("Certainty")}
    about = t("Certainty: the paler a region, the less sure the tree is of its class.")
    segments("tint", t("Tint of a region"), titles, seen=True, help=about)
    if selection.boundaries.tint == "class":
        return
    put("smoothing", selection.boundaries.smoothing)
    rules = {
        "m": t("shares of all rows added (m)"),
        "laplace": t("one row of each class added (Laplace)"),
        "raw": t("shares of the leaf alone"),
    }
    st.selectbox(
        t("Certainty from"),
        list(rules),
        key="smoothing",
        format_func=rules.get,
        on_change=lambda: session.select(smoothing=st.session_state["smoothing"]),
    )
    if selection.boundaries.smoothing == "m":
        control(
            FIELDS["smoothing_m"].param,
            selection.boundaries.smoothing_m,
            key="smoothing_m",
            apply=lambda value: session.select(smoothing_m=float(value)),
        )


def edit_chooser(selection: Selection) -> None:
    """Draw the choice of a node of one of the trees, and the ways to change it by hand."""
    places = [i for i in range(len(selection.models)) if cache.trained(selection, i) is not None]
    if not places:
        return
    place = places[0]
    if len(places) > 1:
        picked = [i for i in places if selection.models[i].node is not None]
        known = st.session_state.get("edited_model")
        place = known if known in places else (picked or places)[0]
        put("edited_model", place, model_title(selection, place))
        place = st.selectbox(
            t("Tree to change"),
            places,
            key="edited_model",
            format_func=lambda i: model_title(selection, i),
        )
    node_chooser(place=place)
    axes = plane_of(selection).lines_in(cache.form_of(selection, place))
    edit_box(selection, place, axes=axes)


def number_choosers(selection: Selection) -> None:
    """Draw the choice of the algorithm's parameters and of the axes."""
    _regressor_chooser()
    try:
        view = number_view(selection)
    except (CannotShow, Working):
        return  # the page says why
    if len(view.names) > 1:
        _axis_choosers(view)
    if not is_own_tree(selection):
        number_edit_box(selection, view.features)


def _regressor_chooser() -> None:
    """Draw what can predict numbers: the one algorithm, and the trees that the reader brought."""
    selection = session.current()
    own = selection.models[0].key if is_own_tree(selection) else None
    titles = {key: t(entry.title) for key, entry in REGRESSORS.items()}
    titles |= {} if own is None else {own: title_of_numbers(selection)}
    titles |= uploads.model_titles()
    st.markdown(f"**{t('Model')}**", help=limits())
    put("regressor", own or LEARNS_NUMBERS.key)
    st.selectbox(
        t("Algorithm"),
        list(titles),
        key="regressor",
        format_func=titles.__getitem__,
        on_change=lambda: _choose_regressor(st.session_state["regressor"]),
    )
    if own is None:
        controls.parameters(
            LEARNS_NUMBERS.cls.PARAMS, selection.numbers, "numbers", _set_number_param
        )
    st.caption(t("The target of this data set is a number; the other algorithms predict classes."))


def _choose_regressor(key: str) -> None:
    """Take a tree that was brought, which is not changed by hand, or the algorithm again."""
    model = Model(key) if is_imported(key) else DEFAULT.models[0]
    models = (model, *session.current().models[1:])
    session.select(models=models, number_edits=(), number_node=None)


def _set_number_param(param: Param, value: object) -> None:
    session.select(numbers=changed(session.current().numbers, param, value))


def _axis_choosers(view: NumberView) -> None:
    """Draw the choice of the axes: two features, or one with the steps over it."""
    names = [view.names[f] for f in view.drawable]
    across, up = (view.names[f] for f in view.features)
    st.markdown(f"**{t('Picture')}**")
    left, right = st.columns(2)
    put("number_across", across)
    left.selectbox(t("Across"), names, key="number_across", on_change=_set_axes, args=(across, up))
    put("number_up", STEPS if view.is_steps else up)
    right.selectbox(
        t("Up"),
        [STEPS, *names],
        key="number_up",
        format_func=lambda name: t("{y} (steps)", y=view.target) if name == STEPS else name,
        on_change=_set_axes,
        args=(across, up),
        help=t("Another feature: a heat map of the prediction. The prediction itself: its steps."),
    )
    if view.is_slice:
        slice_chooser(len(view.division.y), session.current().view.at)


def _set_axes(*before: str) -> None:
    """Put features on the axes; one that stands on the other axis changes places with it."""
    across, up = st.session_state["number_across"], st.session_state["number_up"]
    if up == STEPS:
        up = across
    elif up == across and len(set(before)) == 2:
        across, up = reversed(before)
    session.select(axes=(across, up))
