"""How does the arithmetic go? The textbook's tables, edited in place, and all their sums."""

from lastviz.ui import frame, textbook_page
from lastviz.ui.text import t

QUESTION = t("How does the arithmetic go?")

with frame.page(
    QUESTION, sidebar=textbook_page.choices, prepare=textbook_page.prepared
) as prepared:
    if prepared:
        textbook_page.body(prepared)
