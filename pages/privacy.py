"""What is kept of me, and for how long? All of it listed, to be taken away or deleted."""

from lastviz.ui import frame
from lastviz.ui.privacy import page

frame.show(page)
