"""Parameters that cross-validation chose: said beside them, and offered where others are set."""

from __future__ import annotations

import streamlit as st

from lastviz.ui.compute.tuning import FOLDS, TUNED, Tuned, tuned, usual_model
from lastviz.ui.state import session
from lastviz.ui.state.selection import Pairs, Selection
from lastviz.ui.text import number, plain, t

__all__ = ["begin_with_what_suits", "tuned_note", "tuned_words"]

CHOSEN = {"w2", "k"}


def begin_with_what_suits() -> None:
    """Give models that stand at their defaults what suits new data; for callbacks."""
    selection = session.current()
    for place, model in enumerate(selection.models):
        usual = usual_model(selection, model.key)
        if not model.params and usual.params:
            session.select_model(place, params=usual.params)


def tuned_note(selection: Selection, place: int) -> None:
    """Say whether a model has the parameters that cross-validation chooses; offer them."""
    model = selection.models[place]
    found = tuned(selection) if model.key == TUNED else None
    if found is None or any(name not in CHOSEN for name, _ in model.params):
        return
    st.caption(plain(tuned_words(found, model.params)))
    if found.is_best(found.place_of(model.params)):
        return
    best = usual_model(selection, TUNED).params
    st.button(
        t("Take the chosen ones"),
        key=f"take_tuned_{place}",
        on_click=lambda: session.select_model(place, params=best),
    )


def tuned_words(found: Tuned, given: Pairs) -> str:
    """Return what cross-validation chooses, and by how much over the parameters given."""
    (weight, candidates), own = found.pairs[found.best], found.place_of(given)
    values = {
        "folds": number(FOLDS),
        "n": number(len(found.pairs)),
        "rows": number(found.n_rows),
        "right": number(found.right[found.best]),
        "weight": number(weight),
        "k": number(candidates),
    }
    if found.is_best(own):
        weight, candidates = found.pairs[own]
        return t(
            "A weight of BNM of {weight} and {k} candidates: by {folds}-fold cross-validation on "
            "the {rows} training rows none of {n} pairs is right about more than their {right}.",
            **values | {"weight": number(weight), "k": number(candidates)},
        )
    if own is None:
        return t(
            "Of {n} other pairs, {folds}-fold cross-validation on the {rows} training rows chooses "
            "a weight of BNM of {weight} and {k} candidates: right about {right} rows.",
            **values,
        )
    return t(
        "Of {n} pairs, {folds}-fold cross-validation on the {rows} training rows chooses a weight "
        "of BNM of {weight} and {k} candidates: right about {right} rows. This pair is right "
        "about {own}.",
        own=number(found.right[own]),
        **values,
    )
