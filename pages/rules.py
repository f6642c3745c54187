"""What does the tree say? Its rules with their supports, one sample, files to take along."""

from lastviz.ui import frame
from lastviz.ui.rules import page

frame.show(page)
