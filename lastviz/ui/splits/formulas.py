"""Formula cards: each criterion in general, and with the numbers of one candidate."""

from __future__ import annotations

import streamlit as st

from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA, Candidate
from lastviz.inspection import card_candidate
from lastviz.ui.shared.formula_card import general_formula, with_numbers
from lastviz.ui.text import t, translated

from .scene import SplitScene


def formula_cards(scene: SplitScene) -> None:
    """Draw the cards of all criteria for the candidate that the page is about."""
    candidate = scene.highlighted
    if candidate is None:
        st.caption(t("There is no candidate here whose numbers could be shown."))
        return
    left, right = st.columns(2, gap="large")
    for i, name in enumerate(scene.table.columns):
        with (left, right)[i % 2]:
            formula_card(scene, name, candidate)


def formula_card(scene: SplitScene, name: str, candidate: int) -> None:
    """Draw one criterion: its formula, and the same with the numbers of `candidate`."""
    criterion = CRITERIA[name]
    best = t("small is good") if criterion.smaller_is_better else t("large is good")
    st.markdown(f"**{t(criterion.title)}** · {best}")
    try:
        if name in scene.table.failed:
            raise scene.table.failed[name]
        here = card_numbers(scene, name, candidate)
        general_formula(name, here)
        with_numbers(name, here, float(scene.table.columns[name][candidate]))
    except Refusal as reason:  # a registered criterion fails alone
        st.info(translated(reason))


def card_numbers(scene: SplitScene, name: str, candidate: int) -> Candidate:
    """Return a candidate of the page as the card of criterion `name` reads it."""
    measured = CRITERIA[name].reads == "geometry"
    return card_candidate(
        scene.table,
        candidate,
        geometry=scene.geometry(candidate) if measured else None,
        penalty=scene.measures.get("penalty", "approximate"),
        bnm_root=scene.measures.get("bnm_root", False),
        direction=_direction(scene, int(scene.table.feature[candidate])),
    )


def _direction(scene: SplitScene, feature: int) -> int:
    """Return the direction of a feature; data without any are taken to rise with all."""
    known = scene.dataset.directions
    return known.get(scene.axis_names[feature], 0) if any(known.values()) else 1
