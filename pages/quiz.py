"""What would it do? Questions that are answered before the answer is shown, alone or in a class."""

from lastviz.ui import frame
from lastviz.ui.quiz import page

frame.show(page)
