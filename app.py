"""The frame around all pages: settings, warm-up, selection, navigation."""

if __name__ == "__main__":  # not in a process that a study begins: it looks at what began it
    from lastviz.host.meters import METERS
    from lastviz.host.turns import TURNS
    from lastviz.ui import frame
    from lastviz.ui.state import session

    with METERS.run(session.page), TURNS.turn():
        frame.run()
