"""How far should it be cut back? Errors against leaves, the tree at any price, who would cut."""

from lastviz.ui import frame
from lastviz.ui.pruning import page

frame.show(page)
