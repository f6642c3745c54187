"""The choice of the language, in the header of every page, and Streamlit's words in it."""

from __future__ import annotations

import streamlit as st

from lastviz.host.language import ENGLISH, current_language
from lastviz.ui.state import session
from lastviz.ui.text import languages, t, translations

from .widgets import put

CHOICE = "language_choice"
ENGLISH_NAME = "English"
STREAMLIT_WORDS = (
    "Add files",
    "Add row: {name}",
    "App pages",
    "Choose an option",
    "Choose options",
    "Clear all",
    "Clear entry",
    "Clear selection",
    "Clear value",
    "Click to retry upload",
    "Close",
    "Close fullscreen",
    "Close Search",
    "Collapse sidebar",
    "Connection lost. Please wait for the app to reconnect, then try again.",
    "Connection timed out.",
    "Copied",
    "Copy column name",
    "Copy to clipboard",
    "Copy version to clipboard",
    "Dataframe column menu",
    "Decrement",
    "Delete row(s)",
    "Don't show again",
    "Drag and drop a file here",
    "Drag and drop files here",
    "Error:",
    "Expand sidebar",
    "File must be {size} or smaller.",
    "File size is too small.",
    "file upload",
    "Fullscreen",
    "Fullscreen: {name}",
    "Help",
    "Help for {name}",
    "Increment",
    "Made with Streamlit v",
    "Main menu",
    "Navigate to home page",
    "Next Result",
    "No data",
    "No options to select",
    "No results",
    "Notifications",
    "Only one file is allowed.",
    "Open",
    "over 1000",
    "Page not found",
    "Press Enter to apply",
    "Press Enter to submit form",
    "Press {key}+Enter to apply",
    "Previous Result",
    "Remove {name}",
    "Running...",
    "Search",
    "Search: {name}",
    "Select all",
    "Select {n} matches",
    "Selected values",
    "Show/hide columns",
    "Show/hide columns: {name}",
    "Shortcut {key}",
    "Show suggestions",
    "Sidebar",
    "Skip to main content",
    "The page that you have requested does not seem to exist. Running the app's main page.",
    "Type to search",
    "Unexpected error. Please try again.",
    "Upload",
    "Upload failed",
    "You can only select up to {n} option. Remove an option first.",
    "You can only select up to {n} options. Remove an option first.",
    "You have requested page /{page}, but no corresponding file was found in the app's pages/ "
    "directory. Running the app's main page.",
    "{name} color picker",
    "{n} more",
    "{n} of {all} result",
    "{n} of {all} results",
    "{n} result",
    "{n} results",
    "{size} per file",
)
"""What Streamlit writes on a page by itself; {n} and {all} are numbers, other places anything."""

STREAMLIT_MENUS = (
    "About",
    "Accounting",
    "Automatic",
    "Autosize",
    "Average",
    "Average length",
    "Based on sample",
    "Calendar",
    "Clear cache",
    "Compact",
    "Connecting",
    "Count",
    "Dark",
    "Distance",
    "Distinct",
    "Dollar",
    "Duration",
    "Error",
    "Euro",
    "Format",
    "Hide column",
    "Light",
    "Localized",
    "Maximum",
    "Maximum length",
    "Median",
    "Minimum",
    "Minimum length",
    "Percent",
    "Pin column",
    "Plain",
    "Print",
    "Range",
    "Record screen",
    "Rerun",
    "Scientific",
    "Settings",
    "Sort ascending",
    "Sort descending",
    "Standard deviation",
    "Statistics",
    "Stop",
    "Stopping...",
    "System",
    "Theme",
    "Unpin column",
    "Yen",
)
"""What stands in its menus alone: words so common that they may be names of the data, too."""

LOST = (
    "The connection is lost. This page looks for the server all the time, and goes on by itself as "
    "soon as it is back."
)
NOT_ARRIVED = "The file did not arrive. Hand it in again."
WORDS_FOR_READERS = {
    "AxiosError: Request failed with status code 413": "The server has no room for this file. "
    "Remove others, or reload the page.",
    "AxiosError: {what}": NOT_ARRIVED,
    "Bad message format": "What the server sent cannot be read",
    "Cannot connect to Streamlit (HTTP status: {rest}.": LOST,
    "Connection failed with status {status}, and response:": LOST,
    "Connection failed with status {status}.": LOST,
    "Connection error": "The server does not answer",
    "Error: Number is above the allowed range. Please enter a value less than or equal to "
    "{most}.": "Enter a number of at most {most}.",
    "Error: Number is below the allowed range. Please enter a value greater than or equal to "
    "{least}.": "Enter a number of at least {least}.",
    "Error: Number is outside the allowed range. Please enter a value between {least} and "
    "{most}.": "Enter a number from {least} to {most}.",
    "Failed to generate file for download": "The file could not be made. Press the button again.",
    "Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your "
    "terminal:": LOST,
    "Streamlit server is not responding. Are you connected to the internet?": "The connection is "
    "lost. Is this computer still on the network? The page goes on by itself once it is.",
    "Connecting to Streamlit server": "Connecting to the server",
    "Unable to connect to Streamlit server": "The server cannot be reached",
    "{type} files are not allowed.": "Files of this kind are not read here.",
}
"""What it says to those who have started it, and what is said to readers instead."""


def words_for_streamlit() -> dict[str, str | dict[str, str]]:
    """Texts instead of Streamlit's own, as :func:`.stage.page_watch` takes them."""
    words = {theirs: t(ours) for theirs, ours in WORDS_FOR_READERS.items()}
    menus = {}
    if current_language() != ENGLISH:
        words |= {each: t(each) for each in STREAMLIT_WORDS}
        menus = {each: t(each) for each in STREAMLIT_MENUS}
    return {"words": words, "menus": menus, "back": t("The connection is back.")}


# Each language is named in itself.
def language_switch() -> None:
    """Draw the choice of the language, nothing if there is only one."""
    if len(languages()) == 1:
        return
    put(CHOICE, current_language())
    with st.container(key="language_switch"):
        st.selectbox(
            t("Language"),
            languages(),
            key=CHOICE,
            format_func=_letters,
            label_visibility="collapsed",
            on_change=lambda: session.change_language(st.session_state[CHOICE]),
        )


# Its catalogue has its name as the translation of the word English.
def _letters(code: str) -> str:
    """First two letters of a language's name in itself."""
    return translations(code).gettext(ENGLISH_NAME)[:2].upper()


# ---- What keys do, for those who have no pointer or like it better without one


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
    """Effect of each key, grouped by the place where it works."""
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
