"""The price of a leaf moves tree and boundary in the browser, and the script draws the same."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from .app import ready
from .test_frames import DRAWN, PLAYED, drag_to, pixels, reach_for

pytestmark = pytest.mark.e2e

SLIDER = re.compile("^(Price of a leaf|Confidence$|Weight of the class shares of all rows)")
FIGURES = (0, 3, 2)  # curve, tree and the picture after; the one before stays
WORDS = (".lv-cut-back", ".lv-verdict", ".lv-after", ".lv-decisions", ".lv-weighing")


@pytest.mark.main
@pytest.mark.parametrize(
    "query",
    [
        "data=gauss_2d&n_samples=400&m=cart&cut_at=0.01",
        pytest.param("data=iris&m=c45&prune=minimum_error&cut_at=512", marks=pytest.mark.slow),
    ],
)
def test_tree_and_boundary_follow_the_slider_without_traffic(open_page, query):
    page = open_page(f"/pruning?{query}")
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(data)))
    page.reload()
    ready(page)
    slider, at = reach_for(page, SLIDER)
    begin, before = int(slider.input_value()), len(sent)
    first = [page.locator(place).inner_text() for place in WORDS]
    planes = pixels(page.locator(".lv-figure").nth(2)), pixels(page.locator(".lv-figure").nth(3))
    stop = max(0, begin - 3)
    assert stop < begin
    drag_to(page, slider, at, stop)
    assert len(sent) == before > 0
    played = page.evaluate(PLAYED, stop)
    assert len(played) == len(FIGURES)
    words = [page.locator(place).inner_text() for place in WORDS]
    assert words[0] != first[0]
    held = [pixels(page.locator(".lv-figure").nth(i)) for i in FIGURES]
    assert (np.abs(held[1] - planes[1]).max(axis=2) > 60).mean() > 0.001
    page.mouse.up()
    page.wait_for_url(lambda url: query.split("cut_at=")[1] not in url.split("cut_at=")[1])
    page.wait_for_function("() => !document.querySelector('.lv-above')")
    ready(page)
    drawn = page.evaluate(DRAWN)
    assert {key: drawn[key] for key in played} == played
    assert [page.locator(place).inner_text() for place in WORDS] == words
    for i, frame in zip(FIGURES, held, strict=True):
        after = pixels(page.locator(".lv-figure").nth(i))
        assert (np.abs(frame - after).max(axis=2) > 60).mean() < 0.01


def test_a_dot_of_the_curve_and_a_bar_of_the_tree_can_be_chosen(open_page):
    page = open_page("/pruning?data=gauss_2d&n_samples=400&m=cart")
    place = page.evaluate("""() => {
        const gd = document.querySelectorAll('.js-plotly-plot')[0];
        const {xaxis, yaxis} = gd._fullLayout._plots.xy;
        const dots = gd._fullData.find((t) => t.meta.role === 'cross_validated_trees');
        const box = gd.getBoundingClientRect();
        return [box.x + xaxis._offset + xaxis.c2p(dots.x.at(-1)),
                box.y + yaxis._offset + yaxis.c2p(dots.y.at(-1))]; }""")
    page.mouse.move(*place)
    page.mouse.click(*place)
    page.wait_for_url(lambda url: "cut_at=" in url)
    ready(page)
    expect(page.get_by_role("row", name=re.compile("^selected α 1 "))).to_be_visible()
    page.locator(".js-plotly-plot").nth(3).scroll_into_view_if_needed()
    bar = page.evaluate("""() => {
        const gd = document.querySelectorAll('.js-plotly-plot')[3];
        const {xaxis, yaxis} = gd._fullLayout._plots.xy;
        const hit = gd.layout.meta.hits.find((h) => h.node === 1) ;
        const box = gd.getBoundingClientRect();
        return [box.x + xaxis._offset + xaxis.c2p((hit.xs[0] + hit.xs[1]) / 2),
                box.y + yaxis._offset + yaxis.c2p((hit.ys[0] + hit.ys[2]) / 2)]; }""")
    page.mouse.click(*bar)
    page.wait_for_url(lambda url: "weighed=1" in url)
    expect(page.locator(".lv-decisions")).to_contain_text("node 1,")


def test_before_and_after_are_beside_each_other_in_the_first_window(open_page):
    page = open_page("/pruning")
    ready(page)
    before, after = (page.locator(".lv-figure").nth(i).bounding_box() for i in (1, 2))
    assert before["y"] == after["y"]
    assert before["x"] + before["width"] <= after["x"]
    assert before["y"] + before["height"] <= page.viewport_size["height"]
