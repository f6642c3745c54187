"""The colours of the classes, for the reader to choose, with a note where eyes cannot follow."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.plots import THEMES, close_pairs, contrast
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.naming import label
from lastviz.ui.shared.widgets import put
from lastviz.ui.text import joined, number, plain, t

MOST_PICKED = 11  # classes; more share hues anyway
LEAST_CONTRAST = 1.3  # to the page: what our own yellow has
MOST_NOTED = 3


def class_colours(full: Dataset) -> None:
    """Draw the choice of a colour for each class, in the order of the whole data."""
    if not 2 <= full.n_classes <= MOST_PICKED:
        return
    shown = hues_of(full, page_theme())
    with st.expander(t("Colours of the classes")):
        with st.container(horizontal=True, gap="medium"):
            for place, name in enumerate(full.class_order):
                key = f"hue_{place}"
                put(key, shown[place])
                called = full.value_labels.get(str(full.y.name), {}).get(str(name), str(name))
                st.color_picker(plain(called), key=key, on_change=partial(_choose, str(name), key))
        for note in colour_notes(full):
            st.caption(plain(note))
        if full.class_colours:
            st.button(
                t("Back to the usual colours"),
                key="usual_hues",
                on_click=lambda: label("colours", dict.fromkeys(full.class_colours, "")),
            )


def hues_of(full: Dataset, theme: str) -> list[str]:
    """Return the colour of each class on a page of a theme."""
    usual = THEMES[theme]
    own = full.class_colours
    return [own.get(str(name), usual.hue(place)) for place, name in enumerate(full.class_order)]


def colour_notes(full: Dataset) -> list[str]:
    """Return a sentence for what the chosen colours make hard to see; symbols stay in any case."""
    if not full.class_colours:
        return []
    notes = []
    names = [str(name) for name in full.class_order]
    for theme, page in (("light", t("light")), ("dark", t("dark"))):
        paper, hues = THEMES[theme].paper, hues_of(full, theme)
        for name, hue in zip(names, hues, strict=True):
            ratio = contrast(hue, paper)
            if name in full.class_colours and ratio < LEAST_CONTRAST:
                sentence = "“{name}” has little contrast with the {page} page ({ratio} : 1)."
                notes.append(t(sentence, name=name, page=page, ratio=number(round(ratio, 2))))
    close = close_pairs(hues_of(full, "light"))
    if close:
        pairs = [f"“{names[i]}” – “{names[j]}”" for i, j in close[:MOST_NOTED]]
        sentence = (
            "Some people can hardly distinguish these colours: {pairs}. Their symbols still differ."
        )
        notes.append(t(sentence, pairs=joined(pairs)))
    return notes


def _choose(name: str, key: str) -> None:
    label("colours", {name: st.session_state[key].upper()})
