"""Why this split? All candidates of a node, by every criterion, and the rule that chose."""

from lastviz.ui import frame
from lastviz.ui.splits import page

with frame.page(page.QUESTION, sidebar=page.choices, prepare=page.prepared, classes=True) as shown:
    if shown is not None:
        page.body(shown)
