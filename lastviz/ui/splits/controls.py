"""The sidebar of the page *splits*: the node, what is drawn, a rule of the reader's own."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.ui.compute import cache
from lastviz.ui.compute.suitability import criteria_for
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.widgets import put, segments
from lastviz.ui.state import session
from lastviz.ui.state.presets import grown_by
from lastviz.ui.state.selection import MAX_MODELS
from lastviz.ui.state.values import OwnRule
from lastviz.ui.text import t

NONE = "none"
DISTANCES = {"none": "none", "bnm": "BNM", "csn": "CSN"}


def curves_chooser() -> None:
    """Draw the choice of the score curves."""
    chosen = session.current().splits.curves
    put("curves", list(chosen))
    st.multiselect(
        t("Score curves"),
        _offered(chosen),
        key="curves",
        format_func=column_title,
        max_selections=4,
        placeholder=t("those of the rule"),
        on_change=lambda: session.select(curves=tuple(st.session_state["curves"])),
    )


def distances_chooser() -> None:
    """Draw the choice of the distances that are drawn into the plane."""
    segments(
        "distances",
        t("Distances measured by"),
        {key: t(title) for key, title in DISTANCES.items()},
        seen=True,
        help=t("Draws what BNM or CSN measures at the highlighted split."),
    )


def own_rule() -> None:
    """Draw the parts of a rule of the reader's own, behind a button until it is wanted."""
    rule = session.current().splits.rule
    box = st.expander(
        t("A custom rule"), key="own_rule", expanded=rule is not None, on_change="rerun"
    )
    if not box.open:
        return
    with box:
        names = _offered(rule.parts if rule is not None else ())
        _choice("own.first", t("Score"), names, rule.first if rule else NONE, none=True)
        if rule is None:
            st.caption(
                t("Choose a score to see which split another rule would select at this node.")
            )
            return
        _choice("own.second", t("plus"), names, rule.second or NONE, none=True)
        if rule.second is not None:
            _number("own.weight", t("times"), rule.weight, 0.0, 100.0, 0.05)
        _choice("own.last", t("of the best, decide by"), names, rule.last or NONE, none=True)
        if rule.last is not None:
            _number("own.k", t("how many best"), rule.k, 1, 1000, 1)
        _grow(rule)


def _grow(rule: OwnRule) -> None:
    """Draw the button that makes a model of the rule, or say why there is none."""
    ordered = [name for name in rule.parts if CRITERIA[name].ordered_classes]
    if ordered:
        st.caption(
            t(
                "By {criterion} no tree grows here: it needs the direction of each feature, as "
                "the monotone trees do.",
                criterion=t(CRITERIA[ordered[0]].title),
            )
        )
        return
    models = session.current().models
    grown = grown_by(rule)
    if (models[0].key, models[0].params) == (grown.key, grown.params):
        st.caption(t("The first model is grown by this rule, at every node."))
        return
    st.button(
        t("Grow a tree with this rule"),
        key="grow_rule",
        help=t("It becomes the first model; the former first model moves to second place."),
        on_click=lambda: session.select(models=(grown, *models)[:MAX_MODELS], rule=None),
    )


def _offered(chosen: tuple[str, ...]) -> list[str]:
    """Return the criteria that mean something on the data, and those chosen already."""
    fitting = criteria_for(cache.data(session.current()).dataset)
    return [name for name in CRITERIA if name in fitting or name in chosen]


def _choice(key: str, label: str, names: list[str], value: str, *, none: bool) -> None:
    put(key, value)
    st.selectbox(
        label,
        [NONE, *names] if none else names,
        key=key,
        format_func=lambda name: t("nothing") if name == NONE else column_title(name),
        on_change=_changed,
    )


def _number(key: str, label: str, value: float, low: float, high: float, step: float) -> None:
    put(key, value)
    st.number_input(label, min_value=low, max_value=high, step=step, key=key, on_change=_changed)


def _changed() -> None:
    """Put the parts together; without a score there is no rule."""
    parts = {
        name: st.session_state.get(f"own.{name}")
        for name in ("first", "second", "weight", "k", "last")
    }
    if parts["first"] == NONE:
        session.select(rule=None)
        return
    old = session.current().splits.rule or OwnRule()
    given = {name: value for name, value in parts.items() if value is not None}
    given |= {name: None for name in ("second", "last") if parts[name] == NONE}
    session.select(rule=replace(old, **given))
