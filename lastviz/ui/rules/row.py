"""The view *One row*: the choice of the sample, and how a forest votes about it."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._sentences import Statement
from lastviz.datasets.column_roles import NAMES
from lastviz.estimators import ForestClassifier
from lastviz.export.blocks import Heading, Words
from lastviz.host.memory import remembered
from lastviz.inspection import VotesOfSample, explain
from lastviz.inspection.rules.explanation import used_features
from lastviz.plots import THEMES, rule_words
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import Block, Controls, NumbersTable
from lastviz.ui.shared.headline import class_sign
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.codec import without_private
from lastviz.ui.text import as_html, number, plain, plural, t

from .sample import row_name, texts_of, value_text, with_value
from .scene import RuleScene

MOST_TYPED = 40  # fields; a tree that asks for more features shows the most asked ones
NOT_FOUND = "row_not_found"  # the session's: the field whose value no row has


def sample_fields(work: Work) -> None:
    """Draw the choice of a row, and the fields in which a sample is typed."""
    division = work.first.division

    def set_row() -> None:
        row = st.session_state["lit"]
        session.select(highlighted=None if row is None else int(row) - 1, typed="")

    st.markdown(f"**{t('One sample')}**")
    put(
        "lit",
        None if work.selection.view.highlighted is None else work.selection.view.highlighted + 1,
    )
    st.number_input(
        t("Row"),
        min_value=1,
        max_value=len(division.y),
        step=1,
        value=None,
        placeholder=t("none"),
        key="lit",
        on_change=set_row,
    )
    _finder(work)
    if without_private(work.selection) != work.selection:
        st.caption(t("A copied link leaves out the values that you typed; a saved scene has them."))
    box = st.expander(t("Type a sample"), key="fold.typed", on_change="rerun")
    if box.open:
        with box:
            _fields(work, division)


def ask_for_row(work: Work) -> None:
    """Draw the ways to a row where none is chosen: one that is misclassified, or any."""
    st.info(t("Choose a row at the left, or click one in a picture of any page."))
    divided = work.first.division
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    predicted = work.first.picked.tree_.predict(divided.values[rows])
    wrong = rows[predicted != divided.y[rows]]
    row = int((wrong if len(wrong) else rows)[0])
    words = "Row {n}, misclassified" if len(wrong) else "Row {n}"
    st.button(
        t(words, n=row_name(work, row)),
        key="first_row",
        type="primary",
        on_click=lambda: session.select(highlighted=row, typed=""),
    )


def _finder(work: Work) -> None:
    """Draw a search field for each column that names rows."""
    X, used, named = work.data.full.X, work.data.dataset.X, work.columns_with(NAMES)
    if len(X) != len(used):
        return
    left_out = X.columns.difference(used.columns, sort=False)
    for name in dict.fromkeys([*named, *(name for name in left_out if X[name].is_unique)]):
        key = f"find_row.{name}"
        st.text_input(
            t("Row by {name}", name=plain(str(name))),
            key=key,
            on_change=lambda name=name, key=key: _find(work, str(name), key),
        )
        if st.session_state.get(NOT_FOUND) == key:
            st.caption(t("No row has this {name}.", name=plain(str(name))))


def _find(work: Work, name: str, key: str) -> None:
    asked = str(st.session_state[key]).strip()
    found = [i for i, own in enumerate(map(value_text, work.data.full.X[name]))
             if own == asked]  # fmt: skip
    st.session_state[NOT_FOUND] = key if asked and not found else None
    if found:
        session.select(highlighted=found[0], typed="")


def _fields(work: Work, division: Division) -> None:
    """Draw one field for each feature that the tree asks for."""
    tree = work.first.picked.tree_
    used = used_features(tree)
    texts = texts_of(work.selection, division)
    for feature in used[:MOST_TYPED]:
        key = f"typed.{feature}"
        text = texts[feature] if texts else ""
        put(key, text)
        change = partial(_type, division, feature, key)
        name = tree.feature_names[feature]
        known = tree.feature_categories[feature]
        if known is None:
            st.text_input(name, key=key, placeholder=t("unknown"), on_change=change)
            continue
        st.selectbox(
            name,
            list(dict.fromkeys(["", *map(str, known), text])),
            key=key,
            format_func=lambda label: label or t("unknown"),
            on_change=change,
        )
    if len(used) > MOST_TYPED:
        sentence = "The {n} features that it asks for least keep the values of the row."
        st.caption(t(sentence, n=number(len(used) - MOST_TYPED)))


def _type(division: Division, feature: int, key: str) -> None:
    changes = with_value(session.current(), division, feature, st.session_state[key])
    session.select(**changes)


# ---- The vote of a forest about the sample


MOST_ROWS = 2000  # rows among which conflicts are looked for


def votes(scene: RuleScene) -> list[Block]:
    """Blocks on the votes of the trees for the sample, and on resolving conflicts."""
    forest = scene.model
    if not isinstance(forest, ForestClassifier) or scene.sample is None:
        return []
    found = explain(forest, scene.sample.x)
    table = partial(_added, scene, found) if forest.adds_scores else partial(_by_tree, scene, found)
    blocks: list[Block] = [
        Heading(t("What the forest decides")),
        Words(decision_card(scene, forest, found)),
        NumbersTable("votes", t("Tree by tree"), table),
    ]
    if not forest.adds_scores:  # there are no votes that could be tied
        blocks.append(Controls(partial(_next_conflict, scene, forest)))
    return blocks


def decision_card(scene: RuleScene, forest: ForestClassifier, found: VotesOfSample) -> str:
    """Card as HTML: votes of each class as bars, their resolution and the true class."""
    true, names = scene.sample.label, scene.class_names
    most = max(float(found.votes.max()), 1e-12)
    rows = ""
    for k, votes in enumerate(found.votes.tolist()):
        if not votes and k != true:
            continue
        mark = ' class="lv-chosen"' if k == found.decision else ""
        bar = f"width: {100 * votes / most:.1f}%; background: {THEMES[scene.theme].table_bar(k)}"
        shown = number(round(votes)) if votes.is_integer() else f"{votes:.3g}"
        is_tied = found.tied.sum() > 1 and found.tied[k]
        support = f"&Sigma; {found.supports[k]:.3f}" if is_tied else ""
        rows += (
            f"<tr{mark}><th>{scene.signed(k)}</th>"
            f'<td><i style="{bar}"></i></td><td>{shown}</td><td>{support}</td></tr>'
        )
    verdict = ""
    if true is not None:
        verdict = t("right")
        if found.decision != true:
            verdict = t("the true class is {name}", name=names[true])
        verdict = f": {escape(verdict)}"
    sign = class_sign(found.decision, scene.theme)
    return (
        f'<div class="lv-card" role="group"><div><div>{sign} <b>{escape(names[found.decision])}</b>'
        f"{verdict}</div><p>{as_html(votes_sentence(forest, found, names))}</p></div>"
        f'<table class="lv-votes">{rows}</table></div>'
    )


# Ties are resolved by equation 15 of the paper.
def votes_sentence(
    forest: ForestClassifier, found: VotesOfSample, names: tuple[str, ...]
) -> Statement:
    """Sentence on the resolution of the votes into one class."""
    tied, vote = np.flatnonzero(found.tied), getattr(forest, "vote_", None)
    if getattr(forest, "decision_", "") == "sums":
        return _sum_sentence()
    if forest.adds_scores:
        return Statement(
            "The trees add up to a probability of each class; the median class is predicted."
        )
    if vote == "median":
        return Statement("The median of the trees' classes decides; the lower of two middle ones.")
    if len(tied) == 1:
        return Statement("It has the most votes; there is no conflict.")
    classes = tuple(names[k] for k in tied)
    if vote is None:
        return Statement(
            "A conflict: {classes:list} have the same votes. The lower class is taken.",
            classes=classes,
        )
    return Statement(
        "A conflict: {classes:list} have the same votes. The larger sum of class supports decides "
        "(eq 15), among equals the lower class.",
        classes=classes,
    )


def _sum_sentence() -> Statement:
    return Statement("The trees add up to a score of each class; the largest is predicted.")


def _by_tree(scene: RuleScene, found: VotesOfSample) -> pd.DataFrame:
    """Table of the trees: vote, weight, class supports of the leaf, rule."""
    trees, names = [each.tree_ for each in scene.trees], scene.class_names
    columns: dict[str, object] = {
        t("tree"): np.arange(1, len(trees) + 1),
        t("vote"): [names[label] for label in found.label],
    }
    if np.ptp(found.weights) > 0:
        columns[t("weight")] = found.weights.round(2)
    for k, name in enumerate(names):
        columns[t("support of {name}", name=name)] = found.tree_supports[:, k].round(3)
    ends = list(zip(trees, found.leaf.tolist(), strict=True))
    columns[t("rows")] = [int(tree.n_node_samples[leaf]) for tree, leaf in ends]
    joint = f" {t('and')} "
    rules = [rule_words(tree, leaf, joint=joint, html=False) for tree, leaf in ends]
    columns[t("rule")] = [rule or t("all rows") for rule in rules]
    return pd.DataFrame(columns)


# The contribution is that of the sample's leaf.
def _added(scene: RuleScene, found: VotesOfSample) -> pd.DataFrame:
    """Table of each tree's contribution to the scores of the borders between classes."""
    ends = zip(scene.trees, found.leaf, strict=True)
    added = np.array([tree.scores_[leaf] for tree, leaf in ends])
    columns = {t("tree"): np.arange(1, len(found.leaf) + 1), t("leaf"): found.leaf}
    by_class = added.shape[1] == len(scene.class_names)
    for k, name in enumerate(scene.class_names[not by_class :]):
        title = t("score of {name}" if by_class else "score of {name} or above", name=name)
        columns[title] = added[:, k].round(4)
    return pd.DataFrame(columns)


def _next_conflict(scene: RuleScene, forest: ForestClassifier) -> None:
    """Draw the way to the next row about which several classes are tied."""
    X = scene.division.values[:MOST_ROWS]
    rows = _conflicts(scene.work.first.cache_key, forest, X)
    if not len(rows):
        st.caption(t("No conflict among {rows} rows.", rows=number(len(X))))
        return
    later = rows[rows > (-1 if scene.sample.row is None else scene.sample.row)]
    following = int(later[0] if len(later) else rows[0])
    words = plural(len(rows), "{n} row in conflict", "{n} rows in conflict")
    st.button(
        t("Next of {conflicts}", conflicts=words),
        key="vote_next",
        help=t("Among the first {rows} rows.", rows=number(len(X))),
        on_click=lambda: session.select(highlighted=following, typed=""),
    )


@remembered
def _conflicts(key: Key, forest: ForestClassifier, X: np.ndarray) -> np.ndarray:
    return np.flatnonzero(forest.votes_of_checked(X).tied.sum(axis=1) > 1)
