"""Where does each algorithm draw the line? One to four models on the same data."""

from lastviz.ui import frame
from lastviz.ui.boundaries import page

frame.show(page)
