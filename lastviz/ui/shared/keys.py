"""What keys do, for those who have no pointer or like it better without one."""

from __future__ import annotations

import streamlit as st

from lastviz.ui.text import t


def keys_button() -> None:
    """Draw the button that lists the keys over the page."""
    if st.button(t("Keys"), key="keys", type="tertiary", icon=":material/keyboard:"):
        st.dialog(t("Keys"), width="large")(_keys)()


def _keys() -> None:
    for title, keys in _groups().items():
        st.markdown(f"**{title}**")
        rows = (f"| {key} | {words} |" for key, words in keys)
        st.markdown("\n".join((f"| {t('Key')} | {t('What it does')} |", "|:--|:--|", *rows)))


def _groups() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what each key does, by where it does it."""
    return {
        t("Anywhere on a page"): (
            ("C", t("to the next picture, with Shift to the one before")),
            ("P", t("present the page")),
        ),
        t("In a picture"): (
            (
                "← → ↑ ↓",
                t("to the next area or mark in that direction; its text is shown and read out"),
            ),
            ("Enter", t("pick it, as a click would")),
            (". ,", t("through all of them, forward and back")),
            ("M", t("from areas to marks and back")),
            ("Shift + ← → ↑ ↓", t("move the view")),
            ("+ − 0", t("zoom in, out, and back to the whole")),
            ("T", t("show the picture as a table")),
            ("B", t("brush rows")),
            ("L", t("draw a line that splits the node, where one can")),
            ("Esc", t("leave what was begun")),
        ),
        t("In the player of a growth"): (
            (t("Space"), t("play and pause")),
            ("← →", t("one step back or on")),
            ("Home, End", t("to the first and the last step")),
        ),
        t("On the canvas that is painted on"): (
            ("← → ↑ ↓", t("move the cursor")),
            (t("Space"), t("paint a row")),
            ("Delete", t("erase")),
            ("1 … 8", t("choose a class")),
            ("[ ]", t("a smaller or a larger tool")),
            ("Z", t("undo")),
        ),
        t("On a stage"): (
            ("← →", t("to the scene before or the next one")),
            ("B", t("blank the screen, and back")),
            ("N", t("show notes")),
            ("Esc", t("leave the stage")),
        ),
    }
