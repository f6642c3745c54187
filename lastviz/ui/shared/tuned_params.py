"""Parameters that cross-validation chose: said beside them, and offered where others are set."""

from __future__ import annotations

import streamlit as st

from lastviz.estimators import entry_of
from lastviz.splitters import stored_split
from lastviz.ui.compute import cache, nodes
from lastviz.ui.compute.tuning import FOLDS, Tuned, pairs_of, tuned
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plain, plural, t

ROOT = 0


def tuned_note(selection: Selection, place: int) -> None:
    """Say whether a model has the parameters that cross-validation chooses; offer them."""
    model = selection.models[place]
    found = tuned(selection, model.key, model.params)
    if found is None or any(name not in found.names for name, _ in model.params):
        return
    words = [tuned_words(found, model.key)]
    if found.best != found.own and cache.trained_already(selection, place) is not None:
        words.append(why_missed(selection, place, found))
    st.caption(plain(t(" ").join(filter(None, words))))
    if found.best != found.own:
        st.button(
            t("Use this setting"),
            key=f"take_tuned_{place}",
            on_click=lambda: session.select_model(
                place, params=pairs_of(found, model.key, found.best)
            ),
        )


def tuned_words(found: Tuned, key: str) -> str:
    """Return what cross-validation chooses, beside what the model has."""
    values = {
        "folds": number(FOLDS),
        "n": number(len(found.settings)),
        "rows": number(found.n_rows),
        "settings": _settings(found, key, found.best),
        "right": number(found.right[found.best]),
        "leaves": _leaves(found, found.best),
    }
    if found.best == found.own:
        return t(
            "{settings}: {leaves}. None of {n} settings within one standard error of the best in "
            "{folds}-fold cross-validation on the {rows} training rows grows fewer.",
            **values,
        )
    return t(
        "{settings}: {leaves}, at present {own_leaves}. In {folds}-fold cross-validation, {right} "
        "of the {rows} training rows are classified correctly, at present {own}.",
        own=number(found.right[found.own]),
        own_leaves=number(found.trees[found.own].n_leaves),
        **values,
    )


def why_missed(selection: Selection, place: int, found: Tuned) -> str:
    """Return why a model did not take the first split of the better setting; "" if it did.

    The first stage of its rule keeps the best by one score; the split was not one of them.
    """
    tree = found.trees[found.best]
    rule, split = nodes.search(selection, place, ROOT).rule, stored_split(tree, ROOT)
    name = cache.division(selection, place).X.columns[split.feature]
    table, first = nodes.candidates(selection, place, ROOT), rule.stages[0]
    rank = int(nodes.ranked(table, first.column)[table.find(split.feature, split.threshold)])
    if rank <= first.k:
        return ""
    return t(
        "Its first split, {test}, is not on the present shortlist: by Gini gain plus weighted BNM "
        "it ranks {rank} of {all}, and the shortlist holds {k}.",
        test=t("{feature} ≤ {threshold}", feature=name, threshold=number(split.threshold)),
        rank=number(rank),
        all=number(table.n_candidates),
        k=number(first.k),
    )


def _leaves(found: Tuned, setting: int) -> str:
    return plural(found.trees[setting].n_leaves, "{n} leaf", "{n} leaves")


def _settings(found: Tuned, key: str, place: int) -> str:
    """Return a setting as the sidebar calls it: "Weight of BNM 0.1, Second look 30"."""
    labels = {param.name: t(param.label) for param in entry_of(key).cls.PARAMS}
    pairs = zip(found.names, found.settings[place], strict=True)
    return t(", ").join(f"{labels[name]} {number(value)}" for name, value in pairs)
