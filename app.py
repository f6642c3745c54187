"""The frame around all pages: settings, warm-up, selection, navigation."""

from lastviz.ui import frame
from lastviz.ui.state import session

frame.configure()
frame.warm_up()
session.sync()
frame.navigation().run()
