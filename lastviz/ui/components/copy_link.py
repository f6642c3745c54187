"""A button that puts the address of the scene on the clipboard."""

from __future__ import annotations

from lastviz.host.security import origin_for_others
from lastviz.ui.text import t

from .chart_code import code_of
from .served import small_component

HTML = """<div class="lv-copy">
  <button type="button" class="lv-copy-button">
    <svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor"
      stroke-width="2" stroke-linecap="round" aria-hidden="true">
      <path d="M10 7H7a5 5 0 0 0 0 10h3M14 7h3a5 5 0 0 1 0 10h-3M8.5 12h7"/></svg>
    <span class="lv-copy-label" aria-live="polite"></span>
  </button>
  <input class="lv-copy-field" readonly hidden>
</div>"""


def copy_link(query: str, *, key: str = "copy_link", copied: str = "") -> None:
    """Show the button; the link is the page's address with `query` (no question mark).

    `copied` is said once it is on the clipboard, "" for the usual word.
    """
    words = {
        "copy": t("Copy link"),
        "copied": copied or t("Copied"),
        "select": t("Copy it here:"),
        "field": t("Link to this scene"),
    }
    button = small_component("copy_link", html=HTML, css=code_of("copy_link.css"))
    button(
        key=key,
        data={"query": query, "origin": origin_for_others(), "words": words},
        width="content",
    )
