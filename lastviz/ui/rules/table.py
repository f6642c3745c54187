"""The rules as a table: filters, order, a click lights one up in all pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import streamlit as st

from lastviz._params import Param
from lastviz.inspection import Rule
from lastviz.plots import condition_words, number
from lastviz.ui.shared.figures import arrow_table
from lastviz.ui.shared.widgets import control, put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plural, t

from .scene import RuleScene

__all__ = ["listed", "rule_table"]

MOST_LISTED = 500
ALL = -1


def rule_table(scene: RuleScene) -> None:
    """Draw the filters and the rules that pass them; choosing one selects its leaf."""
    st.markdown(f"**{t('The rules')}**")
    _filters(scene)
    found = listed(scene.found.rules, scene.selection)
    shown = found[:MOST_LISTED]
    st.caption(_how_many(scene, found))
    if not found:
        st.info(t("No rule is left: lower the least support or confidence, or choose all classes."))
        return

    def chosen() -> None:
        rows = st.session_state["rules"]["selection"]["rows"]
        if rows:
            session.select_model(0, node=shown[rows[0]].node)

    st.dataframe(
        _frame(scene, shown),
        key="rules",
        hide_index=True,
        height=min(35 * len(shown) + 40, 420),
        on_select=chosen,
        selection_mode="single-row",
        column_config=_columns(),
    )


def listed(found: Sequence[Rule], selection: Selection) -> list[Rule]:
    """Return the rules that pass the filters of the selection, in its order."""
    kept = [
        rule
        for rule in found
        if rule.support >= selection.rules.from_rows
        and 100 * rule.confidence >= selection.rules.from_confidence
        and selection.rules.only in (None, rule.prediction)
    ]
    orders = {
        "support": lambda rule: -rule.support,
        "confidence": lambda rule: -rule.confidence,
        "coverage": lambda rule: -rule.coverage,
        "length": lambda rule: len(rule.conditions),
    }
    return sorted(kept, key=orders[selection.rules.order])


def _filters(scene: RuleScene) -> None:
    selection = scene.selection
    first, second, third, fourth = st.columns(4)
    with first:
        put("only", ALL if selection.rules.only is None else selection.rules.only)
        st.selectbox(
            t("Class"),
            [ALL, *range(len(scene.class_names))],
            key="only",
            format_func=lambda k: t("all classes") if k == ALL else scene.class_names[k],
            on_change=_set_class,
        )
    most = int(max(rule.support for rule in scene.found.rules))
    with second:
        rows = Param(
            "from_rows", int, 0, low=0, slider=(0, max(most, 1), 1), label="Least support (rows)"
        )
        control(rows, selection.rules.from_rows, key="from_rows", apply=_setter("from_rows"))
    with third:
        share = Param(
            "from_confidence", int, 0, low=0, high=100, slider=(0, 100, 5), unit="%",
            label="Least confidence",
        )  # fmt: skip
        control(
            share, selection.rules.from_confidence, key="from_confidence",
            apply=_setter("from_confidence"),
        )  # fmt: skip
    with fourth:
        titles = {
            "support": t("largest support"),
            "confidence": t("highest confidence"),
            "coverage": t("widest coverage"),
            "length": t("shortest"),
        }
        put("order", selection.rules.order)
        st.selectbox(
            t("First"), list(titles), key="order", format_func=titles.get,
            on_change=lambda: session.select(order=st.session_state["order"]),
        )  # fmt: skip


def _setter(name: str):
    return lambda value: session.select(**{name: value})


def _set_class() -> None:
    chosen = st.session_state["only"]
    session.select(only=None if chosen == ALL else int(chosen))


def _how_many(scene: RuleScene, found: list[Rule]) -> str:
    all_rules = len(scene.found.rules)
    share = number(float(f"{100 * sum(rule.share for rule in found):.3g}"))
    if len(found) > MOST_LISTED:
        sentence = (
            "{n} of {all} rules, {share} % of the training rows; the first {most} are listed, all "
            "are in the files."
        )
        return t(sentence, n=number(len(found)), all=number(all_rules), share=share,
                 most=number(MOST_LISTED))  # fmt: skip
    if len(found) < all_rules:
        sentence = "{n} of {all} rules, {share} % of the training rows."
        return t(sentence, n=number(len(found)), all=number(all_rules), share=share)
    one, many = "{n} rule, all training rows.", "{n} rules, all training rows."
    return plural(all_rules, one, many)


def _frame(scene: RuleScene, shown: list[Rule]) -> pa.Table:
    names = scene.class_names
    ends = set() if scene.sample is None else set(scene.sample.path.ends.tolist())
    joint, missing = f" {t('and')} ", t("or missing")

    def words(rule: Rule) -> str:
        found = condition_words(
            scene.tree, rule.conditions, joint=joint, html=False, missing=missing
        )
        return found or t("all rows")

    def shares(rule: Rule) -> str:
        top = np.argsort(-rule.class_supports, kind="stable")[:4]
        return ", ".join(
            f"{names[k]} {100 * rule.class_supports[k]:.0f} %"
            for k in top
            if rule.class_supports[k]
        )

    judged = {} if scene.found.held_out_counts is None else _judged(scene, shown)
    table = {
        "rule": [rule.number for rule in shown],
        "if": [words(rule) for rule in shown],
        "then": [names[rule.prediction] for rule in shown],
        "rows": [rule.support for rule in shown],
        "confidence": [100 * rule.confidence for rule in shown],
        **judged,
        "support": [100 * rule.share for rule in shown],
        "coverage": [100 * rule.coverage for rule in shown],
        "shares": [shares(rule) for rule in shown],
    }
    if ends:
        table = {"mine": ["●" if rule.node in ends else "" for rule in shown], **table}
    return arrow_table(table)


def _judged(scene: RuleScene, shown: list[Rule]) -> dict[str, list[float | None]]:
    """Return how many held-out rows meet each rule, and for how many it is right."""
    kept = [scene.found.held_out_of(rule.node) for rule in shown]
    return {
        "kept": [rows for _, rows in kept],
        "accuracy": [100 * right / rows if rows else None for right, rows in kept],
    }


def _columns() -> dict[str, object]:
    config = st.column_config
    percent = {"format": "%.1f %%"}
    training = t("On the rows that the tree was grown on.")
    held_out = t("On rows that the tree has not seen.")
    return {
        "mine": config.TextColumn(t("sample"), width=56),
        "rule": config.NumberColumn(t("rule"), width=46),
        "if": config.TextColumn(t("if"), width=250),
        "then": config.TextColumn(t("then"), width=85),
        "rows": config.NumberColumn(t("training rows"), width=96, format="%.6g"),
        "confidence": config.NumberColumn(
            t("confidence, training"), width=138, help=training, **percent
        ),
        "kept": config.NumberColumn(t("held-out rows"), width=100, format="%.6g", help=held_out),
        "accuracy": config.NumberColumn(
            t("accuracy, held out"), width=126, help=held_out, **percent
        ),
        "support": config.NumberColumn(t("support"), width=72, help=training, **percent),
        "coverage": config.NumberColumn(t("coverage"), width=76, help=training, **percent),
        "shares": config.TextColumn(t("class supports"), width="medium", help=training),
    }
