"""Does it reproduce? The tables of the papers, the printed figures beside ours."""

from lastviz.ui import frame
from lastviz.ui.papers import page

frame.show(page)
