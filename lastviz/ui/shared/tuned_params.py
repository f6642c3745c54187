"""Parameters that cross-validation chose: said beside them, and offered where others are set."""

from __future__ import annotations

import streamlit as st

from lastviz.estimators import entry_of
from lastviz.ui.compute.tuning import FOLDS, Tuned, tuned, usual_model
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import number, plain, t


def tuned_note(selection: Selection, place: int) -> None:
    """Say whether a model has the parameters that cross-validation chooses; offer them."""
    model = selection.models[place]
    found = tuned(selection, model.key)
    if found is None or any(name not in found.names for name, _ in model.params):
        return
    st.caption(plain(tuned_words(found, model)))
    if found.is_best(found.place_of(model.params)):
        return
    best = usual_model(selection, model.key).params
    st.button(
        t("Use the selected ones"),
        key=f"take_tuned_{place}",
        on_click=lambda: session.select_model(place, params=best),
    )


def tuned_words(found: Tuned, model: Model) -> str:
    """Return what cross-validation chooses, and by how much over the parameters of a model."""
    own = found.place_of(model.params)
    values = {
        "folds": number(FOLDS),
        "n": number(len(found.settings)),
        "rows": number(found.n_rows),
        "right": number(max(found.right)),
    }
    if found.is_best(own):
        return t(
            "{settings}: by {folds}-fold cross-validation on the {rows} training rows none of {n} "
            "settings is right about more than their {right}.",
            settings=_settings(found, model.key, own),
            **values,
        )
    best = _settings(found, model.key, found.best)
    if own is None:
        return t(
            "Of {n} other settings, {folds}-fold cross-validation on the {rows} training rows "
            "chooses {settings}: right about {right} rows.",
            settings=best,
            **values,
        )
    return t(
        "Of {n} settings, {folds}-fold cross-validation on the {rows} training rows chooses "
        "{settings}: right about {right} rows. The present setting is right about {own}.",
        settings=best,
        own=number(found.right[own]),
        **values,
    )


def _settings(found: Tuned, key: str, place: int) -> str:
    """Return a setting as the sidebar calls it: "Weight of BNM 0.1, Second look 30"."""
    labels = {param.name: t(param.label) for param in entry_of(key).cls.PARAMS}
    pairs = zip(found.names, found.settings[place], strict=True)
    return t(", ").join(f"{labels[name]} {number(value)}" for name, value in pairs)
