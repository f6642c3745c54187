"""The rules as a table: filters, order, a click lights one up in all pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import unescape

import streamlit as st

from lastviz._params import Param
from lastviz.inspection import Rule
from lastviz.plots import condition_words, number
from lastviz.ui.components.filtered_table import Column, filtered_table
from lastviz.ui.shared.widgets import control, put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plural, t

from .scene import RuleScene
from .words import shares_words

MOST_LISTED = 500


def rule_table(scene: RuleScene) -> None:
    """Draw the filters and the rules that pass them; choosing one selects its leaf.

    The browser has the rules of all classes and filters them, unless they are too many.
    """
    st.markdown(f"**{t('The rules')}**")
    _filters(scene)
    of_all = _passing(scene.found.rules, scene.selection)
    found = [[r for r in of_all if r.prediction == k] for k in range(len(scene.class_names))]
    chosen = scene.selection.rules.only
    if not of_all:
        st.info(t("No rule is left: lower the least support or confidence."))
        return
    here = of_all if chosen is None or len(of_all) <= MOST_LISTED else found[chosen]
    shown = here[:MOST_LISTED]
    filtered_table(
        _columns(scene, shown),
        [rule.node for rule in shown],
        [int(rule.prediction) for rule in shown],
        key="rules",
        label=t("The rules"),
        titles=scene.class_names,
        chosen=chosen,
        captions=[_how_many(scene, some) for some in (of_all, *found)],
        on_class=lambda k: session.select(only=k),
        on_row=lambda node: session.select_model(0, node=node),
        selected=scene.node,
    )


def _passing(found: Sequence[Rule], selection: Selection) -> list[Rule]:
    """Return the rules of enough rows and confidence, in the order of the selection."""
    kept = [
        rule
        for rule in found
        if rule.support >= selection.rules.from_rows
        and 100 * rule.confidence >= selection.rules.from_confidence
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
    first, second, third = st.columns(3)
    most = int(max(rule.support for rule in scene.found.rules))
    with first:
        rows = Param(
            "from_rows", int, 0, low=0, slider=(0, max(most, 1), 1), label="Least support (rows)"
        )
        control(rows, selection.rules.from_rows, key="from_rows", apply=_setter("from_rows"))
    with second:
        share = Param(
            "from_confidence", int, 0, low=0, high=100, slider=(0, 100, 5), unit="%",
            label="Least confidence",
        )  # fmt: skip
        control(
            share, selection.rules.from_confidence, key="from_confidence",
            apply=_setter("from_confidence"),
        )  # fmt: skip
    with third:
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


def _how_many(scene: RuleScene, found: list[Rule]) -> str:
    all_rules = len(scene.found.rules)
    share = number(float(f"{100 * sum(rule.share for rule in found):.3g}"))
    rows = t("the training rows")
    if scene.tree.n_node_samples[0] < len(scene.division.train_rows):
        rows = t("the rows that the tree was grown on")
    about = {"n": number(len(found)), "all": number(all_rules), "share": share, "rows": rows}
    if len(found) > MOST_LISTED:
        sentence = (
            "{n} of {all} rules, {share} % of {rows}; the first {most} are listed, all are in the "
            "files."
        )
        return t(sentence, most=number(MOST_LISTED), **about)
    if len(found) < all_rules:
        return t("{n} of {all} rules, {share} % of {rows}.", **about)
    return plural(all_rules, "{n} rule, all {rows}.", "{n} rules, all {rows}.", rows=rows)


def _columns(scene: RuleScene, shown: list[Rule]) -> list[Column]:
    names = scene.class_names
    training = t("On the rows that the tree was grown on.")
    joint, missing = f" {t('and')} ", t("or missing")

    def words(rule: Rule) -> str:
        found = condition_words(
            scene.tree, rule.conditions, joint=joint, html=False, missing=missing
        )
        return found or t("all rows")

    def shares(rule: Rule) -> str:
        return unescape(shares_words(rule.class_supports, names))

    def percent(title: str, of: Callable[[Rule], float], help: str) -> Column:
        return Column(title, [100 * float(of(rule)) for rule in shown], "percent", help)

    return [
        *_mine(scene, shown),
        Column(t("rule"), [int(rule.number) for rule in shown], "number"),
        Column(t("if"), [words(rule) for rule in shown], "words"),
        Column(t("then"), [names[rule.prediction] for rule in shown]),
        Column(t("training rows"), [float(rule.support) for rule in shown], "number"),
        percent(t("confidence, training"), lambda rule: rule.confidence, training),
        *_judged(scene, shown),
        percent(t("support"), lambda rule: rule.share, training),
        percent(t("coverage"), lambda rule: rule.coverage, training),
        Column(t("class supports"), [shares(rule) for rule in shown], help=training),
    ]


def _mine(scene: RuleScene, shown: list[Rule]) -> list[Column]:
    """Return the column that marks the rules of the sample, if there is one."""
    if scene.sample is None:
        return []
    ends = set(scene.sample.path.ends.tolist())
    return [Column(t("sample"), ["●" if rule.node in ends else "" for rule in shown])]


def _judged(scene: RuleScene, shown: list[Rule]) -> list[Column]:
    """Return how many held-out rows meet each rule, and for how many it is right."""
    if scene.found.held_out_counts is None:
        return []
    help = t("On rows that the tree has not seen.")
    kept = [scene.found.held_out_of(rule.node) for rule in shown]
    right = [100 * right / rows if rows else None for right, rows in kept]
    return [
        Column(t("held-out rows"), [rows for _, rows in kept], "number", help),
        Column(t("accuracy, held out"), right, "percent", help),
    ]
