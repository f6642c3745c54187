"""How does the arithmetic go? The textbook's tables, edited in place, and all their sums."""

from lastviz.ui import frame
from lastviz.ui.textbook import page

frame.show(page)
