"""What shall I show? Scenes in an order, with captions, for a stage or as a file."""

from lastviz.ui import frame
from lastviz.ui.story import page

frame.show(page)
