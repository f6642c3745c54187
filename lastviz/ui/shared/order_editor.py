"""The user's settings for order: whether the classes have one, and directions of features."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.ui.compute import monotone
from lastviz.ui.compute.data import DIRECTIONS
from lastviz.ui.compute.work import Work, current
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t, translate

from .widgets import bound

FAULT = "order_fault"
LETTERS = {sign: letter for letter, sign in DIRECTIONS.items()}
Edits = Mapping[int, Mapping[str, object]]


def meaning_of_the_order(full: Dataset, place: str) -> None:
    """Draw the switch that gives the order of the classes a meaning.

    `place` names it among those of the page.
    """
    selection = session.current()
    if full.ordered or selection.classes:
        return
    title = t("The order of the classes has a meaning")
    help = t("From low to high, as the table of the classes lists them.")
    bound(st.toggle, "ordered", title, key=f"ordered-{place}", help=help)


def letters_of(full: Dataset, selection: Selection) -> str:
    """Directions in force, one letter for each feature of the whole data."""
    if len(selection.directions) == full.n_features:
        return selection.directions
    signs = [full.directions[name] for name in full.feature_names]
    if not any(signs):
        signs = [int(full.kinds[name] != "nominal") for name in full.feature_names]
    return "".join(LETTERS[sign] for sign in signs)


MOST_DOUBTS = 3  # features that a sentence each is said about; the table has all


def doubts(work: Work) -> list[str]:
    """Sentence for each direction in force that the training rows contradict."""
    sentence = (
        "The training rows contradict the direction of {name}: its Kendall's tau with the class is "
        "{tau}."
    )
    found = monotone.doubted_directions(work)[:MOST_DOUBTS]
    return [t(sentence, name=each.feature, tau=number(round(each.tau, 2))) for each in found]


def directions_editor(full: Dataset) -> None:
    """Draw the table of the features' directions, with suggestions from the data."""
    work = current()
    dataset = work.dataset
    if not dataset.ordered:
        st.caption(t("Directions of features need classes in an order with a meaning."))
        return
    letters = letters_of(full, work.selection)
    rows, chosen = _rows(full, dataset, work, letters)
    if not len(rows):
        st.caption(t("No feature is numeric, so none has a direction."))
        return
    key = f"directions {work.selection.data} {letters}"
    words = {"r": t("rises"), "f": t("falls"), "n": t("neither")}
    positions = rows.pop("position").tolist()
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=["feature", "tau", "suggested"],
        height=min(38 + 35 * len(rows), 300),
        column_config={
            "feature": st.column_config.TextColumn(t("Feature")),
            "direction": st.column_config.SelectboxColumn(
                t("The class"), options=list(words), required=True, format_func=words.get
            ),
            "tau": st.column_config.NumberColumn(t("Kendall's tau"), format="%.3f"),
            "suggested": st.column_config.TextColumn(t("Suggested")),
        },
        on_change=lambda: _edited(letters, positions, st.session_state[key]["edited_rows"]),
        alt=t("Features: whether the class rises or falls with them, and what the data suggest"),
    )
    refused, sentence = st.session_state.get(FAULT, (None, ""))
    if refused == work.selection:
        st.error(sentence, icon=":material/error:")
    if chosen and chosen != letters:
        st.button(
            t("Use the suggestion"),
            key="take_suggestion",
            on_click=lambda: session.select(directions=chosen),
        )
    st.caption(
        t(
            "Suggested by the sign of Kendall's tau in the training rows where its p-value is at "
            "most 5 %. Domain knowledge is worth more.",
        )
    )


def _rows(full: Dataset, dataset: Dataset, work: Work, letters: str) -> tuple[pd.DataFrame, str]:
    """Rows of the table, and the letters that the data suggest; "" if none at all."""
    found = monotone.suggested_directions(work)
    numeric = list(dataset.numeric_X.columns)
    stored = work.data.plain.kinds
    positions = [full.feature_names.index(c) for c, kind in stored.items() if kind != "nominal"]
    words = {1: t("rises"), -1: t("falls"), 0: t("neither")}
    rows = pd.DataFrame(
        {
            "position": positions,
            "feature": numeric,
            "direction": [letters[i] for i in positions],
            "tau": found.tau,
            "suggested": [words[int(sign)] for sign in found.direction],
        }
    )
    if not found.direction.any():
        return rows, ""
    directions = list(letters)
    for i, sign in zip(positions, found.direction.tolist(), strict=True):
        directions[i] = LETTERS[int(np.sign(sign))]
    return rows, "".join(directions)


def _edited(letters: str, positions: list[int], edits: Edits) -> None:
    selection = session.current()
    try:
        session.select(directions=directions_after(letters, positions, edits))
    except ValueError as error:
        st.session_state[FAULT] = (selection, translate(error))


def directions_after(letters: str, positions: list[int], edits: Edits) -> str:
    """Letters after `edits` of the table, whose rows are features at `positions`.

    Raises
    ------
    ValueError
        If no feature would have a direction.
    """
    new = list(letters)
    for row, edit in edits.items():
        new[positions[int(row)]] = edit.get("direction", new[positions[int(row)]])
    if not set(new) & {"r", "f"}:
        raise ValueError(
            t("At least one feature must have a direction, or no two rows can be compared.")
        )
    return "".join(new)
