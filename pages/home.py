"""See how a decision tree thinks: one that grows, three doors, and the course."""

from lastviz.ui import frame
from lastviz.ui.home import page

frame.show(page)
