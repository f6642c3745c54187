"""What am I learning from? Generate, upload, look at it, say what the columns are."""

from lastviz.ui import frame
from lastviz.ui.data import page

frame.show(page)
