"""What the reader wishes of a change: the class, the distance, what must stay as it is."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.estimators import ForestClassifier
from lastviz.plots import number
from lastviz.ui.compute import cache
from lastviz.ui.shared.widgets import put, segments
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import Hold
from lastviz.ui.state.selection import FIELDS
from lastviz.ui.text import plain, t

from .flip import data_ranges, held_features, tested_features
from .scene import RuleScene

ANY = -1
HOW = ("stays", "rises", "falls", "within")


def wish_choosers(scene: RuleScene) -> None:
    """Draw the choice of the class, of the distance and of the leaves that count."""
    rules = scene.selection.rules
    left, middle, right = st.columns([3, 4, 3], gap="medium")
    forest = isinstance(scene.model, ForestClassifier)
    any_other = t("the runner-up of the vote") if forest else t("the nearest other class")
    with left:
        known = rules.flip_to is not None and rules.flip_to < len(scene.class_names)
        put("flip_to", rules.flip_to if known else ANY)
        st.selectbox(
            t("Class that it should get"),
            [ANY, *range(len(scene.class_names))],
            key="flip_to",
            format_func=lambda k: any_other if k == ANY else scene.class_names[k],
            on_change=_set_class,
        )
    with middle:
        titles = {
            "l1": t("Sum"),
            "l2": t("Straight line"),
            "l0": t("Fewest features"),
        }
        segments(
            "flip_metric",
            t("Smallest by"),
            titles,
            seen=True,
            help=t(
                "Changes count as shares of a feature's range in the data, another category as 1: "
                "their sum, the root of the sum of their squares, or how many features change."
            ),
        )
    if forest or len(scene.tree.kernel):
        return
    with right:
        put("flip_rows", rules.flip_rows)
        st.number_input(
            t("Leaves from (rows of the class)"),
            min_value=0,
            max_value=int(FIELDS["flip_rows"].param.high),
            step=1,
            key="flip_rows",
            help=t(
                "A leaf with few rows may be there by chance; with 5 or more it says more about "
                "new rows."
            ),
            on_change=lambda: session.select(flip_rows=int(st.session_state["flip_rows"] or 0)),
        )


def _set_class() -> None:
    chosen = st.session_state["flip_to"]
    session.select(flip_to=None if chosen == ANY else int(chosen))


def hold_choosers(scene: RuleScene) -> None:
    """Draw which features must stay, may only rise or fall, or have bounds."""
    held = held_features(scene.selection, scene.division)
    if held:
        st.caption(t(" ").join(_held_words(hold) for hold in held.values()))
    box = st.expander(t("What may change"), key="fold.flip", on_change="rerun")
    if not box.open:
        return
    columns = list(scene.division.X.columns)
    tested = tested_features(cache.model_key(scene.selection, 0), scene.model)
    names = [columns[f] for f in sorted(tested)]
    names += [name for name in held if name not in names]
    kinds = dict(zip(columns, scene.division.categories, strict=True))
    numeric = [name for name in names if kinds[name] is None]
    labels = {
        "stays": t("Must not change"),
        "rises": t("May only rise"),
        "falls": t("May only fall"),
        "within": t("Only within bounds"),
    }
    with box:
        for how, column in zip(HOW, st.columns(len(HOW)), strict=True):
            key = f"flip.{how}"
            put(key, [name for name, hold in held.items() if hold.how == how])
            column.multiselect(
                labels[how],
                names if how == "stays" else numeric,
                key=key,
                placeholder=t("none"),
                on_change=partial(_hold, how, data_ranges(scene.selection, scene.division)),
            )
        for hold in held.values():
            if hold.how == "within":
                _bounds(hold)
        st.caption(
            t(
                "Features that the tree never asks for need no mention: they stay. Numbers stay "
                "within the range of the data."
            )
        )


def _held_words(hold: Hold) -> str:
    """Return what the reader asks of a feature."""
    sentences = {
        "stays": t("{name} stays."),
        "rises": t("{name} may only rise."),
        "falls": t("{name} may only fall."),
        "within": t("{name} stays from {low} to {high}."),
    }
    low, high = ("" if end is None else number(end) for end in (hold.low, hold.high))
    return sentences[hold.how].format(name=plain(hold.feature), low=low, high=high)


def _hold(how: str, ranges: dict[str, tuple[float, float]]) -> None:
    """Take over which features the reader holds in one way; a feature has one way at a time."""
    chosen = st.session_state[f"flip.{how}"]
    before = {hold.feature: hold for hold in session.current().rules.flip_holds}
    kept = [h for h in before.values() if h.how != how and h.feature not in chosen]
    for name in chosen:
        known = before.get(name)
        ends = ranges[name] if how == "within" else (None, None)
        kept.append(known if known is not None and known.how == how else Hold(name, how, *ends))
    session.select(flip_holds=tuple(sorted(kept)))


def _bounds(hold: Hold) -> None:
    """Draw the two ends that a feature must stay within."""
    for end, column, label in zip(
        ("low", "high"),
        st.columns(2),
        (t("{name}, at least"), t("{name}, at most")),
        strict=True,
    ):
        key = f"flip.{end}.{hold.feature}"
        put(key, float(getattr(hold, end)))
        column.number_input(
            label.format(name=plain(hold.feature)),
            key=key,
            on_change=partial(_set_bound, hold.feature, end),
        )


def _set_bound(feature: str, end: str) -> None:
    """Take over one end; it takes the other one along where they would cross."""
    value = st.session_state[f"flip.{end}.{feature}"]
    holds = []
    for hold in session.current().rules.flip_holds:
        if hold.feature == feature and value is not None:
            low, high = (value, max(hold.high, value))
            if end == "high":
                low, high = min(hold.low, value), value
            hold = hold._replace(low=float(low), high=float(high))
        holds.append(hold)
    session.select(flip_holds=tuple(holds))
