"""The frame around all pages: settings, warm-up, selection, navigation."""

if __name__ == "__main__":  # not in a process that a study begins: it looks at what began it
    from lastviz.host.meters import METERS
    from lastviz.host.turns import TURNS
    from lastviz.ui import frame
    from lastviz.ui.state import session

    with METERS.run(session.page), TURNS.turn():
        frame.run()

elif __name__ == "app":  # what `streamlit run app.py` serves: the same as lastviz/__main__.py
    import streamlit as st
    from streamlit.starlette import App

    st.secrets.load_if_toml_exists()  # its first lines become variables, read as ours is imported
    from lastviz.__main__ import around
    from lastviz.host.workers import base_path

    base = base_path(st.get_option("server.baseUrlPath"))
    app = App(__file__, **around(st.get_option("server.address"), base))
