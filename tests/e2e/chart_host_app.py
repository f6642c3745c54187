"""Two linked figures and what came back from them: the page that the host's tests drive."""

import json
from pathlib import Path

import streamlit as st

from lastviz.plots import Drawing
from lastviz.ui.components import chart_host, served

# The served folder is beside the script: here, not beside app.py.
served.SERVED = Path(__file__).parent / "static" / "plotly.min.js"

st.title("Figures")
size = st.slider("Size", 1, 9, 3)
if st.toggle("More above"):
    st.write("A line that moves the figures down.")
left = [[0, 0], [1, 0], [1, 2], [0, 2]]
right = [[1, 0], [2, 0], [2, 2], [1, 2]]
hits = [
    {"node": 3, "xy": left,
     "text": "<b>left</b> &lt;i&gt; <img src=x onerror=alert(1)> x<sub>1</sub>"},
    {"node": 4, "xy": right, "text": "right"},
]  # fmt: skip


def came_back(event: dict) -> None:
    st.session_state["event"] = event


for name in ("a", "b"):
    points = {"x": [0.5, 1.5], "y": [size / 9, 1.5], "customdata": [70, 71]}
    figure = Drawing([{"type": "scatter", "mode": "markers", **points}], {
        "xaxis": {"range": [0, 2]},
        "yaxis": {"range": [0, 2]},
        "margin": {"l": 30, "r": 0, "t": 0, "b": 30},
        "uirevision": "constant",
        "meta": {"hits": hits},
    })  # fmt: skip
    chart_host.chart(
        figure, key=name, height=240, alt=f"Figure {name}", on_click=came_back, group="linked"
    )
st.text("event " + json.dumps(st.session_state.get("event")))
