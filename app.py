"""The frame around all pages: settings, warm-up, selection, navigation."""

from lastviz.ui import frame, state

frame.configure()
frame.warm_up()
state.sync()
frame.navigation().run()
