"""What can I see here? Scenes, each one click away."""

from lastviz.ui import frame
from lastviz.ui.home import page

frame.show(page)
