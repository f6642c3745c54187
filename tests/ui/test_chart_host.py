import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lastviz.plots import Drawing
from lastviz.ui.components import chart_host, served
from tests.patience import SECONDS

from .conftest import sent


@pytest.fixture
def mounted(monkeypatch):
    """What the browser would be handed."""
    seen = {}
    monkeypatch.setattr(chart_host, "_component", lambda: lambda **given: seen.update(given))
    return seen


def figure():
    places = {"x": np.array([1.0, np.nan]), "y": np.array([2.0, 3.0])}
    hits = [{"node": 3, "xy": [[0, 0], [1, 0], [1, 1]], "text": "<b>a</b>"}]
    return Drawing([{"type": "scatter", **places, "name": "</script>é"}], {"meta": {"hits": hits}})


def test_the_browser_gets_the_figure_and_how_to_show_it(mounted):
    chart_host.chart(figure(), key="a", height=300, alt="Points", group="g", on_click=print)
    payload = json.loads(sent(mounted["data"]))
    assert payload["height"] == 300
    assert mounted["height"] == 300 + chart_host.ROW  # its buttons stand above it
    assert (payload["alt"], payload["group"], payload["filename"]) == ("Points", "g", "a")
    assert payload["clickable"] is True
    assert payload["figure"]["layout"]["meta"]["hits"]["text"] == ["<b>a</b>"]
    assert payload["figure"]["data"][0]["name"] == "</script>é"


def test_the_same_figure_is_the_same_bytes(mounted):
    chart_host.chart(figure(), key="a", height=300, alt="Points")
    first = mounted["data"]
    chart_host.chart(figure(), key="a", height=300, alt="Points")
    assert mounted["data"] == first
    assert json.loads(first)["clickable"] is False


def test_a_click_reaches_the_page_before_its_run(mounted, monkeypatch):
    event = {"node": 3, "row": None, "x": 0.5, "y": 0.5, "axis": "x"}
    monkeypatch.setattr(chart_host.st, "session_state", {"a": {"click": event}})
    clicks = []
    chart_host.chart(figure(), key="a", height=300, alt="Points", on_click=clicks.append)
    mounted["on_click_change"]()
    assert clicks == [event]


def test_the_library_is_copied_once(tmp_path, monkeypatch):
    file = tmp_path / "static" / "plotly.min.js"
    monkeypatch.setattr(served, "SERVED", file)
    served.library_is_served.cache_clear()
    assert served.library_is_served()
    assert file.stat().st_size > 1e6
    before = file.stat().st_mtime_ns
    served.library_is_served.cache_clear()
    assert served.library_is_served()
    assert file.stat().st_mtime_ns == before
    served.library_is_served.cache_clear()


def page():
    from lastviz.plots import Drawing
    from lastviz.ui.components.chart_host import chart

    points = {"type": "scatter", "x": [1], "y": [2]}
    chart(Drawing([points], {}), key="a", height=300, alt="Points")


def test_without_the_library_streamlits_own_chart_is_used(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(served, "SERVED", blocked / "static" / "plotly.min.js")
    served.library_is_served.cache_clear()
    app = AppTest.from_function(page, default_timeout=SECONDS).run()
    served.library_is_served.cache_clear()
    assert not app.exception
    assert json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]["height"] == 300


def test_no_page_styles_a_part_of_every_figure():
    """A style of a page holds on all pages; a class of the figures is theirs alone."""
    own = {
        name for names in re.findall(r'class="([^"]+)"', chart_host.HTML) for name in names.split()
    }
    ui = Path(chart_host.__file__).parents[1]
    sheets = [sheet for sheet in ui.rglob("*.css") if "components" not in sheet.parts]
    assert sheets
    for sheet in sheets:
        bare = re.findall(r"(?m)^\s*\.([\w-]+)(?=[\s{,:>])", sheet.read_text(encoding="utf-8"))
        assert own.isdisjoint(bare), f"{sheet.name} styles {own.intersection(bare)}"
