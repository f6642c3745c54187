"""Which one is better, and is it real? Algorithms on data sets over folds, with statistics."""

from lastviz.ui import frame
from lastviz.ui.compare import page

frame.show(page)
