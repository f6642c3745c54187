"""While a slider is held its figures follow in the browser; let go, the script draws the same."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from lastviz.ui.compute.work import Work
from tests.sentences.rows import selected

from .app import arrive, open_more, ready, reload, sampled

pytestmark = pytest.mark.e2e

SCENES = {
    "two models": "boundaries?data=moons&m=c45&m2=gsodt",
    "rows by WebGL": "boundaries?data=waveform&n_samples=2000&m=cart",
    "categories, missing values": "boundaries?data=loan&m=c45",
    "a node below the depth shown": "boundaries?data=iris&m=cart&node=5",
    "rules": "rules?data=iris&m=cart&rule_view=rules",
    "icicle": "rules?data=moons&m=cart&drawing=icicle",
    "node-link": "rules?data=moons&m=cart&drawing=node-link",
}
PLAYER = """[...(window.lastviz?.players?.values() ?? [])].find((player) =>
    player.input && player.input === document.activeElement)"""
STAYS = "['training', 'held_out', 'sample', 'inclusion']"
# What lies in a picture by what it is, as it was handed to the browser and as Plotly has it.
PLAYED = """async (depth) => Object.fromEntries(await Promise.all(
    Object.entries(PLAYER.frames.values[depth].figures).map(async ([key, frame]) =>
        [key, (await frame.unfolded).traces.filter((t) => !ROWS.includes(t.meta.role))
            .map((t) => [t.meta.role, Array.from(t.x, String), Array.from(t.y, String)])])))
""".replace("ROWS", STAYS).replace("PLAYER", PLAYER)
DRAWN = """() => Object.fromEntries([...document.querySelectorAll('.js-plotly-plot')].map((gd) =>
    [gd.closest('[class*="st-key-"]').className.match(/st-key-(\\S+)/)[1],
        gd._fullData.filter((t) => !ROWS.includes(t.meta.role))
            .map((t) => [t.meta.role, Array.from(t.x, String), Array.from(t.y, String)])]))
""".replace("ROWS", STAYS)


def reach_for(page, name="Show levels up to"):
    """Press on a slider and wait for its frames; return it and the place of its thumb."""
    slider = page.get_by_role("slider", name=name)
    slider.wait_for()
    ready(page)
    slider.evaluate("input => input.scrollIntoView({block: 'center'})")
    page.mouse.move(*middle_of_thumb(slider))
    has = "(input) => [...lastviz.players.values()].some((p) => p.input === input && p.frames)"
    page.wait_for_function(has, arg=slider.element_handle())
    ready(page)
    box = middle_of_thumb(slider)  # what came meanwhile may have moved it
    page.mouse.move(*box)
    page.mouse.down()
    return slider, box


def middle_of_thumb(slider):
    return slider.evaluate("""input => {
        const thumb = input.parentElement.parentElement.getBoundingClientRect();
        return [thumb.x + thumb.width / 2, thumb.y + thumb.height / 2]; }""")


def drag_to(page, slider, at, depth):
    """Move the held thumb to the left, stop by stop, until the slider says `depth`."""
    step = slider.evaluate("""input => {
        const track = input.parentElement.parentElement.parentElement.getBoundingClientRect();
        return track.width / (input.max - input.min); }""")
    begin = int(slider.input_value())
    for value in range(begin, depth - 1, -1):
        page.mouse.move(at[0] - (begin - value) * step, at[1])
    page.wait_for_function(f"() => {PLAYER}.shown === '{depth}'")
    page.evaluate(f"async () => {{ await {PLAYER}.drawn; }}")


@pytest.mark.parametrize("link", sampled(SCENES, "two models", "rows by WebGL", "rules"))
def test_what_is_shown_while_the_slider_is_held_is_what_the_script_draws(open_page, link):
    page = open_page(f"/{link}")
    before = page.evaluate(DRAWN)
    slider, at = reach_for(page)
    depth = max(1, int(slider.input_value()) - 2)
    drag_to(page, slider, at, depth)
    assert f"depth={depth}" not in page.url  # nothing was sent yet
    played, heads = page.evaluate(PLAYED, depth), page.locator(".lv-head").all_inner_texts()
    held = [pixels(frame) for frame in page.locator(".lv-figure").all()]
    page.mouse.up()
    page.wait_for_url(lambda url: f"depth={depth}" in url)
    page.wait_for_function("() => !document.querySelector('.lv-above')")  # Plotly's own again
    ready(page)
    assert played
    assert page.evaluate(DRAWN) == before | played  # all others stay as they are
    assert page.locator(".lv-head").all_inner_texts() == heads
    for shown, frame in zip(held, page.locator(".lv-figure").all(), strict=True):
        after = pixels(frame)
        assert shown.shape == after.shape
        assert (np.abs(shown - after).max(axis=2) > 60).mean() < 0.01


def pixels(figure):
    return np.asarray(Image.open(io.BytesIO(figure.screenshot())).convert("RGB"), dtype=np.int16)


ZOOM = """gd => {
    const { xaxis: { range: [a, b] }, yaxis: { range: [c, d] } } = gd._fullLayout;
    const ranges = { "xaxis.range": [a + 0.4 * (b - a), b], "yaxis.range": [c, c + 0.6 * (d - c)] };
    return Plotly.relayout(gd, ranges);
}"""


# Classes by ten symbols, open ones where rows are held out, rings where they are wrong.
@pytest.mark.parametrize("link", sampled({
    "classes": "boundaries?data=blobs&n_classes=10&n_samples=1500&m=cart&m.max_depth=2",
    "thousands": "boundaries?data=gauss_2d&m=c45",
    "components": "latent?data=waveform&m=lsodt",
    "beside strips": "splits?data=moons&m=hybrid",
}, "classes"))  # fmt: skip
def test_many_marks_look_as_plotly_would_draw_them(open_page, link):
    figure = open_page(f"/{link}").locator(".lv-figure").first
    assert figure.locator(".lv-dots path").count() > 2
    given = figure.evaluate("gd => gd.data.map(({ marker }) => marker?.maxdisplayed ?? 0)")
    draw = "(gd, most) => Plotly.restyle(gd, { 'marker.maxdisplayed': most })"
    for zoomed in (False, True):
        if zoomed:
            figure.evaluate(ZOOM)
        ours = pixels(figure)
        figure.evaluate(draw, 0)
        expect(figure.locator(".lv-dots")).to_have_count(0)
        assert (np.abs(pixels(figure) - ours).max(axis=2) > 60).mean() < 0.003
        figure.evaluate(draw, given)


def test_many_marks_move_with_their_axes(open_page):
    figure = open_page("/boundaries?data=blobs&n_samples=1500&m=cart").locator(".lv-figure").first
    size = """gd => {
        const box = gd.querySelector(".lv-dots").getBBox();
        return [box.width, box.height];
    }"""
    before = figure.evaluate(size)
    figure.evaluate("""gd => {
        const { xaxis: { range: [a, b] }, yaxis: { range: [c, d] } } = gd._fullLayout;
        const ranges = { "xaxis.range": [a, 2 * b - a], "yaxis.range": [c, 2 * d - c] };
        return Plotly.relayout(gd, ranges);
    }""")
    after = figure.evaluate(size)
    assert after == pytest.approx([length / 2 for length in before], abs=8)


def test_rings_follow_the_threshold_of_the_inclusion_degree(open_page):
    page = open_page("/monotone?data=monotone&n_samples=300&label_noise=0.2&inclusion=0.6")
    slider, at = reach_for(page, "Threshold e")
    for x in range(0, 40, 4):
        page.mouse.move(at[0] - x, at[1])
    value = slider.input_value()
    page.wait_for_function(f"() => {PLAYER}.shown === '{value}'")
    page.evaluate(f"async () => {{ await {PLAYER}.drawn; }}")
    assert 0.1 < float(value) < 0.6
    figure = page.locator(".lv-figure").nth(1)
    held, strip = pixels(figure), page.locator(".lv-strip").first.inner_text()
    page.mouse.up()
    page.wait_for_url(lambda url: f"inclusion={value}" in url)
    page.wait_for_function("() => !document.querySelector('.lv-above')")
    ready(page)
    assert page.locator(".lv-strip").first.inner_text() == strip
    assert (np.abs(held - pixels(figure)).max(axis=2) > 60).mean() < 0.01


def test_the_picture_follows_the_largest_depth_of_a_model(open_page):
    page = open_page("/boundaries?data=moons&m=cart&m.max_depth=7")
    open_more(page)
    slider, at = reach_for(page, "Largest depth")
    drag_to(page, slider, at, 2)  # the third stop: 1, 2, 3
    held = pixels(page.locator(".lv-figure").first)
    head = page.locator(".lv-head .lv-strip").inner_text()
    page.mouse.up()
    page.wait_for_url(lambda url: "max_depth=3" in url)
    page.wait_for_function("() => !document.querySelector('.lv-above')")
    ready(page)
    assert page.locator(".lv-head .lv-strip").inner_text() == head
    assert (np.abs(held - pixels(page.locator(".lv-figure").first)).max(axis=2) > 60).mean() < 0.01


@pytest.mark.main
def test_nothing_is_sent_while_the_slider_moves(open_page):
    page = open_page("/boundaries?data=moons&m=cart")
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(data)))
    reload(page)
    slider, at = reach_for(page)
    before = len(sent)
    assert before
    drag_to(page, slider, at, 1)
    assert len(sent) == before


def test_back_where_it_was_the_picture_is_the_one_before(open_page):
    page = open_page("/boundaries?data=waveform&n_samples=2000&m=cart")
    before = page.locator(".lv-head").all_inner_texts()
    slider, at = reach_for(page)
    deepest = int(slider.input_value())
    drag_to(page, slider, at, 2)
    page.mouse.move(*at)
    page.wait_for_function(f"() => {PLAYER}.shown === '{deepest}'")
    page.mouse.up()
    page.wait_for_function("() => !document.querySelector('.lv-above')")
    assert page.locator(".lv-head").all_inner_texts() == before
    hidden = "document.querySelector('.js-plotly-plot')._fullData.filter((t) => !t.visible).length"
    page.wait_for_function(f"() => {hidden} === 0")


def test_back_shows_nothing_between_the_value_before_and_the_value_after(open_page):
    page = open_page("/boundaries?data=moons&m=cart")
    slider, _ = reach_for(page)
    page.mouse.up()
    whole = page.locator(".lv-head").inner_text()
    for key, depth in (("Home", 0), ("ArrowRight", 1)):
        slider.press(key)
        arrive(page, lambda url, depth=depth: f"depth={depth}" in url)
    page.evaluate("""() => {
        const said = () => document.querySelector(".lv-head").innerText;
        window.said = [said()];
        const look = () => said() === window.said.at(-1) || window.said.push(said());
        const all = {subtree: true, childList: true, characterData: true};
        new MutationObserver(look).observe(document.querySelector(".stMain"), all); }""")
    for n in (2, 3):
        page.go_back()
        page.wait_for_function("(n) => window.said.length >= n", arg=n)
        slider.and_(
            page.locator(f"[value='{slider.get_attribute('max') if n == 3 else 0}']")
        ).wait_for()
        ready(page)
    assert page.evaluate("window.said.length") == 3
    assert page.locator(".lv-head").inner_text() == whole


def test_a_clicked_node_stands_out_before_the_script_has_run(open_page):
    page = open_page("/boundaries?data=moons&m=cart")
    bar = page.evaluate("""() => {
        const gd = document.querySelector('.js-plotly-plot');
        window.paled = [];
        new MutationObserver(() => {
            const g = document.querySelector('.lv-paled');
            if (g) paled.push(g.childNodes.length);
        }).observe(gd, {subtree: true, childList: true});
        const {xaxis, yaxis} = gd._fullLayout._plots.x2y2;
        const hit = gd.layout.meta.hits.find((h) => h.axis === 'x2' && h.node === 1);
        const box = gd.getBoundingClientRect();
        return [box.x + xaxis._offset + xaxis.c2p((hit.xs[0] + hit.xs[1]) / 2),
                box.y + yaxis._offset + yaxis.c2p((hit.ys[0] + hit.ys[2]) / 2)]; }""")
    page.mouse.click(*bar)
    page.wait_for_url(lambda url: "node=1" in url)
    page.wait_for_function("() => !document.querySelector('.lv-paled')")
    tree = Work(selected("data=moons&m=cart")).first.picked.tree_
    leaves = np.flatnonzero(tree.feature < 0)
    aside = [leaf for leaf in leaves if 1 not in tree.path(leaf)]
    assert page.evaluate("paled.at(-1)") == len(aside)


SLIDER = re.compile("^(Price of a leaf|Confidence$|Weight of the class shares of all rows)")
FIGURES = (0, 3, 2)  # curve, tree and the picture after; the one before stays
WORDS = (".lv-cut-back", ".lv-verdict", ".lv-decisions", ".lv-weighing")


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
    reload(page)
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
    arrive(page, lambda url: "cut_at=" in url)
    expect(page.get_by_role("row", name=re.compile("^selected 1 "))).to_be_visible()
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


# The first mark of a figure in each frame of a turn, and its places, in shares of the plane.
TURNED = """async () => {
    const [from, to] = ["latent_original", "latent_plane"]
        .map((key) => lastviz.hosts.get(key).host.gd);
    const dots = (gd) => gd.querySelector(".lv-dots");
    const mark = (gd) => dots(gd).firstChild.getAttribute("d").match(/-?[0-9.]+/g).slice(0, 2);
    const place = (gd) => {
        const { xaxis, yaxis } = gd._fullLayout;
        const { x, y } = dots(gd).parentElement.__data__[0].trace;
        return [xaxis.d2p(x[0]), yaxis.d2p(y[0])];
    };
    const aside = mark(from).map((at, k) => at - place(from)[k]); // of its outline, from its middle
    const middle = () => mark(to).map((at, k) => at - aside[k]);
    const end = place(to);
    const isThere = () => middle().every((at, k) => Math.abs(at - end[k]) < 0.05);
    const way = [];
    to.closest(".lv-chart").querySelector('[data-tool="turn"]').click();
    do {
        await new Promise(requestAnimationFrame);
        if (way.length || !isThere()) way.push(middle());
    } while (!way.length || !isThere());
    const [one, other] = [from, to].map(({ _fullLayout: { xaxis, yaxis } }) =>
        [xaxis._length, yaxis._length]);
    return { start: place(from).map((at, k) => (at / one[k]) * other[k]), end, way };
}"""


def test_rows_turn_from_the_original_plane_into_the_latent_one(open_page):
    page = open_page("/latent?data=wine&m=gsodt")
    ready(page)
    drawn = page.evaluate(DRAWN)
    turned = page.evaluate(TURNED)
    start, end, way = (np.array(turned[name]) for name in ("start", "end", "way"))
    shares = (way - start) @ (end - start) / np.sum((end - start) ** 2)
    begun = shares.argmin()  # the turn of the first sight may still have been under way
    shares, way = shares[begun:], way[begun:]
    assert (np.diff(shares) >= 0).all()
    assert -0.01 < shares[0] < 1
    assert np.abs(start + shares[:, None] * (end - start) - way).max() < 0.1  # straight
    assert page.evaluate(DRAWN) == drawn
    traces = "[...document.querySelectorAll('.scatterlayer > .trace')]"
    page.wait_for_function(f"() => {traces}.every((g) => !g.style.display)")  # the split is seen
