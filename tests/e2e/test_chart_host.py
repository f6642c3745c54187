"""The chart host: zoom stays, areas and points answer, figures of a group move together."""

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastviz._places import PACKAGE
from lastviz._sentences import HUNDRED
from lastviz.ui.text import percent

from .app import App, ready, reload

pytestmark = pytest.mark.e2e

COMPONENTS = PACKAGE / "ui" / "components"
LEFT, BOTTOM, HEIGHT = 30, 30, 240  # margins and height of the figures of the script


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chart_host")
    # A copy, since the library is served from a folder beside the script.
    script = shutil.copy(Path(__file__).with_name("chart_host_app.py"), folder)
    with App(folder, Path(script)) as app:
        yield app.address


@pytest.fixture
def page(open_page, address):
    return open_page(address)


def frame(page, name):
    return page.get_by_role("application", name=f"Figure {name}")


def ranges(page, name):
    return frame(page, name).evaluate(
        """frame => { const layout = frame.querySelector(".lv-figure")._fullLayout;
        return [...layout.xaxis.range, ...layout.yaxis.range]; }"""
    )


def expect_ranges(page, name, expected, room=1e-6):
    """Wait until a figure shows these ranges."""
    frame(page, name).locator(".lv-figure").wait_for()
    page.wait_for_function(
        """([figure, expected, room]) => {
            const { xaxis, yaxis } = figure._fullLayout;
            return [...xaxis.range, ...yaxis.range].every(
                (end, i) => Math.abs(end - expected[i]) <= room);
        }""",
        arg=[frame(page, name).locator(".lv-figure").element_handle(), expected, room],
    )


def point(page, name, x, y):
    """Return where (x, y) of an unzoomed figure is on the screen."""
    box = frame(page, name).bounding_box()
    right = box["x"] + LEFT + x / 2 * (box["width"] - LEFT)
    return right, box["y"] + (1 - y / 2) * (HEIGHT - BOTTOM)


def drag(page, name, start, end):
    page.mouse.move(*point(page, name, *start))
    page.mouse.down()
    page.mouse.move(*point(page, name, *end), steps=8)
    page.mouse.up()


def event(page):
    return json.loads(page.get_by_text("event ").inner_text().removeprefix("event "))


@pytest.mark.main
def test_zoom_is_shared_and_survives_new_data_and_moves(page):
    drag(page, "a", (0.5, 0.5), (1.0, 1.0))
    expect_ranges(page, "a", [0.5, 1, 0.5, 1], 0.03)
    zoomed = ranges(page, "a")
    expect_ranges(page, "b", zoomed)
    page.get_by_role("slider").press("ArrowRight")
    page.wait_for_function("""() => document.querySelector(".lv-figure").data[0].y[0] > 0.4""")
    assert ranges(page, "a") == pytest.approx(zoomed)
    assert ranges(page, "b") == pytest.approx(zoomed)
    page.get_by_text("More above").click()
    expect(page.get_by_text("A line that moves")).to_be_visible()
    ready(page)
    assert ranges(page, "a") == pytest.approx(zoomed)
    frame(page, "b").press("0")
    for name in "ab":
        expect_ranges(page, name, [0, 2, 0, 2])


def test_a_drag_is_no_click_keys_zoom_and_move_and_the_wheel_zooms_with_ctrl(page):
    drag(page, "a", (0.5, 0.5), (1.5, 1.5))
    page.wait_for_timeout(300)
    assert event(page) is None
    figure = frame(page, "a")
    figure.press("0")
    expect_ranges(page, "a", [0, 2, 0, 2])
    figure.press("+")
    expect_ranges(page, "a", [0.2, 1.8, 0.2, 1.8])
    figure.press("Shift+ArrowRight")
    expect_ranges(page, "b", [0.36, 1.96, 0.2, 1.8])
    figure.dblclick(position={"x": 200, "y": 100})
    for name in "ab":
        expect_ranges(page, name, [0, 2, 0, 2])
    page.mouse.move(*point(page, "a", 1, 1))
    page.mouse.wheel(0, -200)
    page.wait_for_timeout(200)
    assert ranges(page, "a") == [0, 2, 0, 2]
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(
        """(figure) => { const [low, high] = figure._fullLayout.xaxis.range;
            return high - low < 1.99; }""",
        arg=frame(page, "a").locator(".lv-figure").element_handle(),
    )


@pytest.mark.main
def test_keys_go_through_areas_and_marks_aloud_and_pick_them(page):
    page.keyboard.press("c")
    figure = frame(page, "a")
    expect(figure).to_be_focused()
    said = page.locator(".lv-said").first
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("left <i> <img src=x onerror=alert(1)> x 1; 1 of 2")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("right; 2 of 2")
    expect(page.locator(".lv-tip").first).to_have_text("right")
    page.keyboard.press("ArrowRight")  # there is nothing farther to the right
    expect(said).to_have_text("right; 2 of 2")
    assert ranges(page, "a") == [0, 2, 0, 2]
    page.keyboard.press("Enter")
    expect(page.get_by_text('event {"node": 4, "row": null')).to_be_visible()
    page.keyboard.press("m")
    page.keyboard.press(".")
    expect(said).to_contain_text("1.5; 1.5; 2 of 2")
    page.keyboard.press("Enter")
    expect(page.get_by_text('"row": 71, "x": 1.5, "y": 1.5')).to_be_visible()
    page.keyboard.press("Escape")
    expect(said).to_be_empty()
    page.keyboard.press("c")
    expect(frame(page, "b")).to_be_focused()
    page.keyboard.press("Shift+C")
    expect(figure).to_be_focused()


@pytest.mark.main
def test_areas_tell_and_give_back_their_node_and_points_their_row(page):
    page.mouse.move(*point(page, "a", 0.3, 1.7))
    tip = page.locator(".lv-tip:visible")
    expect(tip).to_have_text("left <i> <img src=x onerror=alert(1)> x1")
    assert tip.locator("img").count() == 0
    assert tip.locator("b, sub").count() == 2
    page.mouse.click(*point(page, "a", 1.3, 0.3))
    expect(page.get_by_text('"node": 4')).to_be_visible()
    assert event(page)["row"] is None
    assert event(page)["x"] == pytest.approx(1.3, abs=0.02)
    page.mouse.move(5, 5)
    expect(tip).to_have_count(0)
    place = point(page, "b", 1.5, 1.5)
    page.mouse.move(*place)
    figure = frame(page, "b").locator(".lv-figure").element_handle()
    page.wait_for_function("(figure) => figure._hoverdata?.length", arg=figure)
    page.mouse.click(*place)
    expect(page.get_by_text('"row": 71')).to_be_visible()
    assert event(page) == {
        "node": 4, "row": 71, "x": 1.5, "y": 1.5, "axis": "x", "yaxis": "y",
    }  # fmt: skip


@pytest.mark.main
def test_downloads(page):
    for tool, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        page.locator('.lv-tools button[data-tool="menu"]').first.click()
        with page.expect_download() as caught:
            page.locator(f'.lv-tools button[data-tool="{tool}"]').first.click()
        assert caught.value.suggested_filename == f"a.{tool}"
        assert Path(caught.value.path()).read_bytes().startswith(start)
        page.keyboard.press("Escape")


def test_a_phone_scrolls_over_figures(open_page, address):
    page = open_page(address, size="phone")
    assert frame(page, "a").bounding_box()["width"] <= 390


def test_a_figure_is_read_as_a_table_by_key_or_button(page):
    table = page.locator(".lv-chart", has=frame(page, "a")).locator(".lv-table")
    expect(table).to_be_hidden()
    frame(page, "a").press("t")
    expect(table).to_be_focused()
    assert table.locator("td").all_inner_texts()[:2] == [
        "left <i> <img src=x onerror=alert(1)> x 1",
        "right",
    ]
    marks = table.locator("table").nth(1).locator("tr")
    assert [row.locator("td").all_inner_texts() for row in marks.all()[1:]] == [
        ["trace 0", "0.5", "0.333333", ""],
        ["trace 0", "1.5", "1.5", ""],
    ]
    page.get_by_role("slider").press("ArrowRight")
    expect(table).to_contain_text("0.444444")
    page.get_by_role("button", name="Show as a table").first.click()
    expect(table).to_be_hidden()


def test_code_that_did_not_come_is_asked_for_again(open_page, address):
    page = open_page(address)
    refused: list[str] = []

    def refuse_twice(route):
        name = route.request.url.split("?")[0]
        if refused.count(name) < 2:
            refused.append(name)
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/(lastviz_chart\.js|plotly\.min\.js)\?"), refuse_twice)
    reload(page)
    expect(page.locator(".lv-figure .main-svg").first).to_be_attached()
    assert len(refused) == 4
    assert len(set(refused)) == 2


def test_shares_read_the_same_in_python_and_in_the_browser(page):
    """All shares of up to 200 rows, ties among them, by the scripts' own code."""
    ask = """([texts, player, hundred]) => {
        const supports = new Function(`${texts}; return supportLines`)();
        const growth = new Function("wrong", "rows", `return ${player}`);
        const found = [];
        for (let n = 1; n <= 200; n++) for (let k = 0; k <= n; k++) {
            const tests = { counts: [[n], [k]] }, words = { row: "", rows: "", share: "{share}" };
            const [share] = supports({ tests, words, titles: [], supports: {}, most: 1 }, 1);
            found.push([share, growth(k, n), (hundred * (k / n)).toFixed(1)]);
        }
        return found;
    }"""
    texts = (COMPONENTS / "chart" / "texts.js").read_text()
    player = (COMPONENTS / "growth" / "player.js").read_text()
    (share,) = re.findall(r"rows \? (\(.*wrong\) / rows\)\.toFixed\(1\))", player)
    expected = [percent(k / n) for n in range(1, 201) for k in range(n + 1)]
    assert page.evaluate(ask, [texts, share, HUNDRED]) == [[each] * 3 for each in expected]
    assert (percent(9 / 16), percent(7 / 16)) == ("56.3", "43.8")
