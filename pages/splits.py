"""Why this split? All candidates of a node, by every criterion, and the rule that chose."""

from lastviz.ui import frame
from lastviz.ui.splits import page

frame.show(page)
