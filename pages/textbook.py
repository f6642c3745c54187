"""How does the arithmetic go? The textbook's tables, edited in place, and all their sums."""

from lastviz.ui import frame
from lastviz.ui.text import t
from lastviz.ui.textbook import page

QUESTION = t("How does the arithmetic go?")

with frame.page(QUESTION, sidebar=page.choices, prepare=page.prepared) as prepared:
    if prepared:
        page.body(prepared)
