"""Pictures as they are sent: by the host of charts, small ones, frames, pixels, blocks."""

import base64
import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from lastviz import CARTClassifier
from lastviz.export.blocks import Columns, Picture, Text
from lastviz.plots import Drawing, number
from lastviz.ui.boundaries.page import scene_report_of, slide_blocks
from lastviz.ui.boundaries.scene import (
    image_of,
    of_pixels,
    pixel_scene,
    pixel_words,
    scene_of,
    tree_of,
)
from lastviz.ui.components import chart_host, served
from lastviz.ui.components import frames as component
from lastviz.ui.compute.work import Work
from lastviz.ui.home.thumbnail import MOST_EDGED, MOST_OUTLINED, thumbnail
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Box,
    Chart,
    Controls,
    NumbersTable,
    Only,
    on_slide,
    report_blocks,
    tables_in,
)
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests.patience import SECONDS

from .conftest import checked, opened, sent


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


def svg(selection):
    uri = thumbnail(Work(selection).first, width=108, height=60, theme="light")
    return base64.b64decode(uri.partition(",")[2]).decode()


@pytest.mark.parametrize(("noise", "rows"), [(0.05, 100), (0.35, 100), (0.05, 400), (0.35, 400)])
def test_outlines_go_where_they_would_be_all_that_is_seen(noise, rows):
    params = (("n_samples", rows), ("noise", noise))
    selection = Selection(data="xor", params=params, models=(Model("cart"),), held=0.0)
    drawn, leaves = svg(selection), Work(selection).first.tree.n_leaves
    assert ('fill="none" stroke=' in drawn) == (leaves <= MOST_OUTLINED)
    assert ('stroke-width=".7"' in drawn) == (rows <= MOST_EDGED)


FIGURE = Drawing((), {})
CHART = Chart(FIGURE, "alt", "caption", 300, fixed=True, key="a", on_click=print)


def numbers():
    return pd.DataFrame({"x": [1]})


def words(blocks):
    return [block.text for block in blocks if isinstance(block, Text)]


def test_each_medium_has_its_own_blocks_in_their_places():
    blocks = [
        Text("all"),
        Only((PAGE,), [Text("page")]),
        Box("box", [Only((SLIDE,), [Text("slide")]), Text("in a box")]),
        Only((PAGE, REPORT), [Text("no slide")]),
        Controls(print),
    ]
    assert words(report_blocks(blocks)) == ["all", "in a box", "no slide"]
    assert words(on_slide(blocks)) == ["all", "slide", "in a box"]


def test_a_picture_answers_on_its_page_alone():
    [shown] = on_slide([CHART])
    assert type(shown) is Picture
    assert (shown.figure, shown.alt, shown.caption) == (FIGURE, "alt", "")
    assert (shown.width, shown.fixed) == (300, True)


def test_a_report_has_columns_one_below_the_other_and_a_slide_those_that_have_something():
    left, right = [Text("left")], [Text("right")]
    blocks = [Columns([left, [Only((PAGE,), right)], right], (3, 2, 1))]
    assert words(report_blocks(blocks)) == ["left", "right"]
    [columns] = on_slide(blocks)
    assert ([words(column) for column in columns.columns], list(columns.shares)) == (
        [["left"], ["right"]],
        [3, 1],
    )
    assert on_slide([Columns([left, []])]) == left


def test_tables_stand_at_the_end_of_a_report_wherever_they_are_on_the_page():
    blocks = [Columns([[Box("box", [NumbersTable("n", "Numbers", numbers)])]]), Text("last")]
    assert [table.caption for table in tables_in(blocks)] == ["Numbers"]
    assert not [each for each in report_blocks(blocks) if not isinstance(each, Text)]


@pytest.fixture
def asked_for(monkeypatch):
    """What the browser is sent, while the reader's selection is ``sent.now``."""
    asked_for = SimpleNamespace(now=DEFAULT, data=[], reruns=0)

    def rerun():
        asked_for.reruns += 1
        raise InterruptedError

    monkeypatch.setattr(component, "library_is_served", lambda: True)
    monkeypatch.setattr(component, "session", SimpleNamespace(current=lambda: asked_for.now))
    monkeypatch.setattr(
        component, "_component", lambda: lambda key, data, **_: asked_for.data.append(data)
    )
    monkeypatch.setattr(component, "_frames", component._frames.__wrapped__)  # no page runs
    monkeypatch.setattr(component.st, "rerun", rerun)
    monkeypatch.setattr(component.st, "session_state", {})
    return asked_for


def test_frames_are_worked_out_when_they_are_asked_for(asked_for):
    made = []
    frames_of = lambda: made.append(1) or {0.0: component.Frame({})}  # noqa: E731
    component.frames("depth", 0.0, "scene", frames_of)
    assert made == []
    component.st.session_state[component.REQUESTED] = "scene"
    component.frames("depth", 0.0, "scene", frames_of)
    assert made == [1]
    head, _, rest = asked_for.data[-1].partition(b"\n")
    assert rest
    assert asked_for.data[0] == head
    assert asked_for.reruns == 0


def test_a_widget_that_moved_in_the_moment_of_asking_draws_the_page(asked_for):
    """Streamlit then runs what asked alone: the page would keep what the widget had before."""
    component.st.session_state[component.REQUESTED] = "scene"
    with pytest.raises(InterruptedError):
        component._frames("depth", 0.0, "scene", dict, DEFAULT.change(depth=1))
    assert (asked_for.reruns, asked_for.data) == (1, [])
    assert component.st.session_state[component.REQUESTED] == "scene"  # the page's run answers


def digits(key="cart", **view):
    return Selection(data="digits", models=(Model(key),)).change(**view)


def walked(tree, x):
    """The features asked about on the way of a row, and where it ends."""
    node, features = 0, []
    while tree.n_children[node]:
        features.append(int(tree.feature[node]))
        node = int(tree.first_child[node]) + int(x[features[-1]] > tree.threshold[node])
    return features, node


@pytest.mark.parametrize("row", [0, 3, 77, 1796])
def test_the_image_of_a_row_frames_the_pixels_on_its_path(row):
    scene = scene_of(Work(digits(highlighted=row)), "light")
    found, divided = pixel_scene(scene, 0), scene.work.first.division
    X, y, train = divided.values, divided.y, divided.train_rows
    tree = CARTClassifier().fit(X[train], y[train]).tree_
    features, leaf = walked(tree, X[row])
    assert {(p.row, p.column) for p in found.tested} == {divmod(f, 8) for f in features}
    for pixel in found.tested:
        which = [n for n, f in enumerate(features, 1) if divmod(f, 8) == (pixel.row, pixel.column)]
        assert pixel.order == ", ".join(map(str, which))
        for n in which:
            threshold = tree.threshold[found.path[n - 1]]
            sign = "≤" if X[row, features[n - 1]] <= threshold else ">"
            question = f"{n}: pixel {pixel.row} {pixel.column} {sign} {number(float(threshold))}"
            assert question in pixel.question.split("; ")
    np.testing.assert_array_equal(found.grey, X[row].reshape(8, 8))
    said, predicted = pixel_words(found, scene), int(np.argmax(tree.value[leaf]))
    assert f"Row {number(row + 1)} is class {y[row]}; CART predicts class {predicted}" in said
    assert f"after {len(features)} questions about {len(set(features))} pixels." in said


def test_image_and_tree_draw_what_was_found():
    scene = scene_of(Work(digits(highlighted=3)), "light")
    found = pixel_scene(scene, 0)
    image = image_of(found, "light")
    frames = [shape for shape in image.settings["shapes"] if shape.get("name") == "asked"]
    middles = {((s["x0"] + s["x1"]) / 2, (s["y0"] + s["y1"]) / 2) for s in frames}
    assert middles == {(p.column, p.row) for p in found.tested}
    assert {trace["meta"]["role"] for trace in image.traces} == {"pixels", "asked_pixels"}
    drawn = {each["meta"]["role"]: each for each in tree_of(found, scene).traces}
    along, across = np.asarray(drawn["node"]["x"]), np.asarray(drawn["path"]["x"])
    assert set(along[list(found.path)]) <= set(across)
    assert (across[0], across[-1]) == (along[found.path[0]], along[found.path[-1]])


def test_a_tree_cut_for_the_picture_asks_no_further():
    found = pixel_scene(scene_of(Work(digits(highlighted=3, depth=3)), "light"), 0)
    assert len(found.path) == 4


def test_other_data_and_other_trees_have_planes():
    assert of_pixels(scene_of(Work(Selection(data="iris")), "light")) is None
    assert pixel_scene(scene_of(Work(digits("gsodt")), "light"), 0) is None


def test_the_page_opens_on_the_image_and_the_plane_is_one_click_away():
    app = opened("boundaries", data="digits", m="cart")
    held = Work(digits()).first.division.held_out_rows
    (said,) = (c.value for c in app.caption if "questions about" in c.value)
    assert said.startswith(f"Row {held[0] + 1} is")
    checked(app.button(key="next_wrong0").click().run())
    row, view = (
        app.session_state["selection"].view.highlighted,
        scene_of(Work(digits()), "light").views[0],
    )
    wrong = np.flatnonzero(view.predicted != Work(digits()).data.dataset.codes)
    assert row == wrong[wrong > held[0]][0]
    plane = opened("boundaries", data="digits", m="cart", pixels="plane")
    assert not [c for c in plane.caption if "questions about" in c.value]
    assert not [b for b in plane.button if b.key == "next_row0"]


def test_slides_and_reports_show_the_image_as_the_page_does():
    image, tree = (b for b in slide_blocks(Work(digits()), "light") if isinstance(b, Picture))
    assert {trace["meta"]["role"] for trace in image.figure.traces} == {"pixels", "asked_pixels"}
    assert "path" in tree.figure.roles
    assert "questions about" in image.alt
    report = scene_report_of(scene_of(Work(digits()), "light"), "Where?", None)
    assert report.count("questions about") >= 2  # what the image says to ears, and below it
    plane = scene_report_of(scene_of(Work(digits(pixels="plane")), "light"), "Where?", None)
    assert "questions about" not in plane
