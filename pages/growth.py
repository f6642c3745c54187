"""How does the tree come to be, node by node? Every step of a growth, played in the browser."""

from lastviz.ui import frame
from lastviz.ui.growth import page

frame.show(page)
