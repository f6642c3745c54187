"""Pages about one node in a real browser: splits, latent, monotone."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table
from tests.patience import until

from .app import SIZES, arrive, open_more, ready, still

pytestmark = pytest.mark.e2e

XOR = "/splits?data=xor&noise=0.14&n_samples=200&held=0&seed=2&m=hybrid&m.w2=0.1&m.k=5"

LIT = """() => {
    const gd = document.querySelector(".lv-figure");
    return {
        lines: gd.layout.shapes.filter((s) => s.name === "picked").map((s) => s.x0 ?? s.y0),
        dots: gd.data.filter((t) => t.meta.role === "picked_dot").map((t) => [t.x, t.y]),
    };
}"""

# Where the strip of a number lies on the page, at a threshold of the horizontal feature.
PLACE = """([threshold, strip]) => {
    const gd = document.querySelector(".lv-figure");
    const box = gd.getBoundingClientRect();
    const { xaxis } = gd._fullLayout;
    const yaxis = gd._fullLayout["yaxis" + strip];
    return [box.left + xaxis._offset + xaxis.d2p(threshold), box.top + yaxis._offset + 12];
}"""


def open_lab(open_page):
    page = open_page(XOR)
    page.wait_for_selector(".lv-figure .main-svg")
    ready(page)
    return page


def candidates():
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    return candidate_table(X, y, np.arange(200), 2)


def pick(page, threshold):
    """Click the second strip at a threshold; return the picked candidate, counted from 0."""
    page.mouse.click(*page.evaluate(PLACE, [threshold, "3"]))
    arrive(page, lambda url: "pick=" in url)
    return int(re.search(r"pick=(\d+)", page.url)[1]) - 1


@pytest.mark.main
def test_a_picked_candidate_is_lit_in_line_dot_row_and_children(open_page):
    page = open_lab(open_page)
    table = candidates()
    candidate = pick(page, 1.0)
    of_x1 = np.flatnonzero(table.feature == 0)
    assert table.feature[candidate] == 0
    assert abs(table.threshold[candidate] - 1.0) <= 2 * np.abs(table.threshold[of_x1] - 1.0).min()
    expect(page.locator("tr.lv-picked")).to_be_visible()
    lit = page.evaluate(LIT)
    assert set(lit["lines"]) == {table.threshold[candidate]}
    assert len(lit["dots"]) == 3
    left = table.left_counts[candidate]
    words = page.locator(".lv-children.lv-picked").inner_text()
    assert [int(n) for n in re.findall(r"^(\d+)$", words, re.M)] == [*left, *(table.counts - left)]


def test_a_row_of_the_sorted_ranking_picks_its_candidate(open_page):
    page = open_lab(open_page)
    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    head = grid.locator("canvas").first.bounding_box()
    thresholds = grid.locator("canvas td[aria-colindex='3']")
    thresholds.first.wait_for(state="attached")
    before = [float(text) for text in thresholds.all_text_contents()]
    assert before != sorted(before, reverse=True)
    for _ in range(2):  # rising, then falling
        page.mouse.click(head["x"] + 195, head["y"] + 16)  # the head of the thresholds
    rows = sorted(before, reverse=True)
    until(lambda: [float(text) for text in thresholds.all_text_contents()] == rows)
    page.mouse.click(head["x"] + 16, head["y"] + 35 + 17)  # the box of the first row
    arrive(page, lambda url: "pick=" in url)
    candidate = int(re.search(r"pick=(\d+)", page.url)[1]) - 1
    assert candidates().threshold[candidate] == pytest.approx(rows[0], abs=1e-3)


# The middle of the area of a node in the small tree, and a row that the node does not hold.
NODE = """(node) => {
    const gd = document.querySelectorAll(".lv-figure")[1];
    const hit = gd.layout.meta.hits.filter((hit) => hit.node === node).at(-1);
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    const mean = (ends) => ends.reduce((sum, end) => sum + end, 0) / ends.length;
    const middle = [hit.xs, hit.ys].map(mean);
    return [box.left + xaxis._offset + xaxis.d2p(middle[0]),
            box.top + yaxis._offset + yaxis.d2p(middle[1])];
}"""

OUTSIDE = """() => {
    const gd = document.querySelector(".lv-figure");
    const trace = gd._fullData.find((t) => t.meta.role === "outside");
    const { xaxis, yaxis } = gd._fullLayout;
    const box = gd.getBoundingClientRect();
    for (let i = 0; i < trace._length; i++) {
        const [x, y] = [xaxis.d2p(trace.x[i]), yaxis.d2p(trace.y[i])];
        if (x > 5 && x < xaxis._length - 5 && y > 5 && y < yaxis._length - 5)
            return [box.left + xaxis._offset + x, box.top + yaxis._offset + y];
    }
}"""


CUT_OFF = """() => [...document.querySelectorAll(".lv-scroll, .lv-head")]
    .filter((box) => box.scrollWidth > box.clientWidth).length"""


@pytest.mark.parametrize("size", SIZES)
def test_no_table_and_no_headline_is_cut_off(open_page, size):
    for query in ("data=wine&m=cart", "data=digits&m=c45", "data=iris&m=gsodt", XOR.split("?")[1]):
        page = open_page(f"/splits?{query}", size=size)
        page.wait_for_selector(".lv-ranks")
        assert page.evaluate(CUT_OFF) == 0, query


@pytest.mark.main
def test_a_node_is_chosen_in_the_tree_and_by_a_row(open_page):
    page = open_lab(open_page)
    tree = page.locator(".lv-figure").nth(1)
    tree.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(NODE, 1))
    page.wait_for_url(lambda url: "node=1" in url)
    expect(page.get_by_test_id("stMain")).to_contain_text("chosen split of node 1")
    ready(page)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    place = page.evaluate(OUTSIDE)
    page.mouse.move(*place, steps=4)
    # A point must be hovered over before it can be clicked.
    page.wait_for_function("document.querySelector('.lv-figure')._hoverdata?.length")
    page.mouse.click(*place)
    page.wait_for_url(lambda url: not re.search(r"node=1(&|$)", url))


def test_a_moved_weight_changes_the_chosen_split(open_page):
    page = open_lab(open_page)
    chosen = page.locator(".lv-split b")
    before = chosen.inner_text()
    slider = page.get_by_role("slider", name="Weight of BNM")
    slider.focus()
    slider.press("Home")
    page.wait_for_url(lambda url: "m.w2=0&" in url or url.endswith("m.w2=0") or "m.w2=0.0" in url)
    expect(chosen).not_to_have_text(before)
    page.go_back()
    expect(chosen).to_have_text(before)


# Where a line lies in the landscape on the page, by its direction and rank.
LINE = """([theta, rank]) => {
    const gd = [...document.querySelectorAll(".lv-figure")].find(
        (figure) => figure.data?.some((trace) => trace.meta.role === "landscape"));
    gd.scrollIntoView({ block: "center" });
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(theta), box.top + yaxis._offset + yaxis.d2p(rank)];
}"""

DRAWN = """() => [...document.querySelectorAll(".lv-figure")]
    .flatMap((figure) => figure._fullData ?? [])
    .filter((trace) => trace.meta.role === "picked" && trace.mode === "lines")
    .map((trace) => [[...trace.x], [...trace.y]])"""


def test_a_click_in_the_landscape_draws_its_line(open_page):
    page = open_page(XOR + "&lab=landscape")
    page.wait_for_function("document.querySelectorAll('.lv-figure .main-svg').length > 0")
    page.get_by_text("Click the landscape to see a line here").wait_for()
    ready(page)
    assert page.evaluate(DRAWN) == []
    page.evaluate(LINE, [42.0, 160])
    page.wait_for_timeout(300)  # the page has scrolled
    page.mouse.click(*page.evaluate(LINE, [42.0, 160]))
    arrive(page, lambda url: "line=" in url)
    theta, rank = re.search(r"line=([\d.]+)_(\d+)", page.url).groups()
    assert abs(float(theta) - 42.0) < 1.0
    assert abs(int(rank) - 160) <= 2
    expect(page.locator(".lv-children.lv-picked").last).to_contain_text("≤")
    page.wait_for_function(f"({DRAWN})().length === 1")
    (x, y) = page.evaluate(DRAWN)[0]
    slope = (y[1] - y[0]) / (x[1] - x[0])
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    spans = np.ptp(dataset.numeric_X.to_numpy(), axis=0)
    normal = np.deg2rad(float(theta))
    assert slope == pytest.approx(-np.cos(normal) / np.sin(normal) * spans[1] / spans[0], rel=1e-3)

    # Its mark is clicked: the node is split along it.
    ready(page)
    page.mouse.click(*page.evaluate(LINE, [float(theta), int(rank)]))
    arrive(page, lambda url: "e=O1_" in url)
    expect(page.locator(".lv-strip").first).to_contain_text("→")


WAVES = "/latent?data=waveform&n_samples=400&seed=2&m=lsodt&m.levels=3"

# The lit row of both planes, by its place in them, and where its own trace has that row.
LIT_ROW = """(row) => [...document.querySelectorAll(".lv-figure")].slice(0, 2).map((gd) => {
    const lit = gd._fullData.find((t) => t.meta?.role === "highlighted");
    const own = gd._fullData.find((t) => t.customdata && [...t.customdata].includes(row));
    const i = [...own.customdata].indexOf(row);
    return { lit: lit && [lit.x[0], lit.y[0]], own: [own.x[i], own.y[i]] };
})"""

# The place of the last drawn point of the first class in the latent plane, and its row.
POINT = """() => {
    const gd = document.querySelectorAll(".lv-figure")[1];
    const trace = gd._fullData.filter((t) => t.meta?.role === "training").at(-1);
    const i = trace.x.length - 1;
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(trace.x[i]),
            box.top + yaxis._offset + yaxis.d2p(trace.y[i]), trace.customdata[i]];
}"""

# The middle of the bar of a node of the tree.
BAR = """(node) => {
    const gd = document.querySelectorAll(".lv-figure")[4];
    const trace = gd._fullData.find((t) => t.meta?.role === "node");
    const i = [...trace.customdata].indexOf(node);
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(trace.x[i]),
            box.top + yaxis._offset + yaxis.d2p(trace.y[i])];
}"""


def roles(page, figure):
    return set(
        page.evaluate(
            "(i) => document.querySelectorAll('.lv-figure')[i]._fullData.map((t) => t.meta.role)",
            figure,
        )
    )


@pytest.mark.main
def test_a_clicked_node_a_clicked_row_and_the_switch_for_all_rows_are_followed(open_page):
    page = open_page(WAVES)
    assert "held_out" not in roles(page, 1)
    card = page.locator(".lv-card")
    expect(card).to_contain_text("The space (SVD) was found from the rows of node")
    before = card.inner_text()
    page.locator(".lv-figure").nth(4).scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(BAR, 1))
    page.wait_for_url(lambda url: "node=1" in url)
    expect(card).not_to_have_text(before)
    ready(page)
    assert {"outside", "chosen_split"} <= roles(page, 1)
    assert {"outside", "cut"} <= roles(page, 0)
    page.go_back()
    expect(card).to_contain_text(before.splitlines()[0])
    ready(page)

    page.locator(".lv-figure").nth(1).scroll_into_view_if_needed()
    x, y, row = page.evaluate(POINT)
    page.mouse.click(x, y)
    arrive(page, lambda url: "lit=" in url)
    assert int(re.search(r"lit=(\d+)", page.url)[1]) == row
    page.wait_for_function(f"() => ({LIT_ROW})({row}).every((one) => one.lit)")
    for one in page.evaluate(LIT_ROW, row):
        assert one["lit"] == pytest.approx(one["own"], rel=1e-6)
    page.wait_for_function(
        """() => document.querySelectorAll(".lv-figure")[4]?._fullData
            ?.some((t) => t.meta?.role === "path_node")"""
    )

    open_more(page)
    page.get_by_test_id("stSidebar").get_by_text("shape the space").click()
    page.wait_for_url(lambda url: "unlabelled=true" in url)
    page.wait_for_function(
        """() => document.querySelectorAll(".lv-figure")[1]?._fullData
            ?.some((t) => t.meta?.role === "held_out")"""
    )
    page.get_by_text("Labelled or all").click()
    expect(page.get_by_text("between the two splits of the root")).to_be_visible()


def test_a_phone_stacks_the_pictures(open_page):
    page = open_page(WAVES, size="phone")
    boxes = [page.locator(".lv-figure").nth(i).bounding_box() for i in (0, 1)]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 391 for box in boxes)


OVER = """() => [...document.querySelectorAll('[data-testid="stMain"] .katex-display, .lv-card')]
    .filter((box) => box.scrollWidth > box.clientWidth + 2).map((box) => box.textContent)"""


def test_a_long_equation_goes_on_in_the_next_line(open_page):
    page = open_page("/latent?data=digits&m=gsodt&space=formula")
    expect(page.locator(".katex-display").first).to_be_attached()
    for size in SIZES.values():
        page.set_viewport_size(size)
        ready(page)
        assert page.evaluate(OVER) == []


# How many rows of the picture of inclusion degrees have a ring.
RINGS = """() => [...document.querySelectorAll(".lv-figure")]
    .map((gd) => gd._fullData)
    .filter((traces) => traces.some((t) => t.meta?.role === "inclusion"))
    .map((traces) => traces.filter((t) => t.meta.role === "wrong")
        .reduce((n, t) => n + t.x.length, 0))[0]"""

# The two points of the counter-example and its arrow.
COUNTER_EXAMPLE = """() => {
    const gd = [...document.querySelectorAll(".lv-figure")].find(
        (gd) => gd._fullData.some((t) => t.meta?.role === "counter_example"));
    const dots = gd._fullData.find((t) => t.meta?.role === "counter_example");
    const arrow = gd._fullLayout.annotations.find((a) => a.name === "comparable");
    return { x: [...dots.x], y: [...dots.y], from: [arrow.ax, arrow.ay], to: [arrow.x, arrow.y] };
}"""


@pytest.mark.main
def test_the_counter_example_is_told_and_mended(open_page):
    page = open_page("/")
    page.get_by_text("After it").click()
    page.get_by_text("Consistent rows, a contradicting tree?").click()
    arrive(page, lambda url: "/monotone" in url)
    page.get_by_role("button", name="Next step").click()
    arrive(page, lambda url: "part=audit" in url)
    expect(page.get_by_text("Not monotone", exact=True)).to_be_visible()
    drawn = page.evaluate(COUNTER_EXAMPLE)
    (ax, bx), (ay, by) = drawn["x"], drawn["y"]
    assert ax <= bx
    assert ay <= by
    assert drawn["from"] == [ax, ay]
    assert drawn["to"] == [bx, by]
    expect(page.get_by_text("Point a is predicted")).to_be_visible()
    page.get_by_role("button", name="Make it truly monotone").click()
    expect(page.get_by_text("Proven monotone", exact=True)).to_be_visible()
    assert "m.monotone=true" in page.url


def test_the_threshold_rings_the_rows_below_it(open_page):
    page = open_page("/monotone?data=monotone&n_samples=300&label_noise=0.1&m=remt&inclusion=0.2")
    before = page.evaluate(RINGS)
    slider = page.get_by_role("slider", name="Threshold e")
    slider.focus()
    # A key that comes while the slider is drawn anew is lost, so count what it has taken.
    for _ in range(200):
        if float(slider.input_value()) >= 0.6:
            break
        slider.press("ArrowRight")
    arrive(page, lambda url: "inclusion=0.6" in url)
    page.wait_for_function(f"(n) => ({RINGS})() > n", arg=before)


@pytest.mark.main
@pytest.mark.parametrize("how", ["scroll", "keyboard"])
def test_what_lies_below_is_worked_out_once_it_is_in_sight(open_page, how):
    page = open_page(XOR, everything=False)
    button = page.get_by_role("button", name="About the split")
    table = page.get_by_test_id("stDataFrame")
    assert (button.count(), table.count()) == (1, 0)
    if how == "scroll":
        button.scroll_into_view_if_needed()
    else:
        button.press("Enter")
    expect(table.first).to_be_attached()
    expect(button).to_have_count(0)
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, 0)")
    pick(page, 1.0)  # a change keeps what was seen
    expect(table.first).to_be_attached()


def test_a_near_best_tree_takes_the_place_of_the_current_one(open_page):
    page = open_page("/splits?data=iris&m=cart&split_view=near_best&near_depth=2")
    ready(page)
    expect(page.get_by_text("questions deep make at most").first).to_be_visible()
    page.get_by_role("button", name="Make it mine").click()
    arrive(page, lambda url: "&e=" in url or "?e=" in url)
    ready(page)
    expect(page.get_by_text("The two trees differ on 0 of 150 rows.")).to_be_visible()


def test_a_bar_of_near_best_trees_sets_the_most_errors(open_page):
    page = open_page("/splits?data=breast_cancer&m=cart&split_view=near_best&near_depth=2")
    bar = page.locator("[class*=near_counts] .bars .point path").nth(2)
    still(page)
    box = bar.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    arrive(page, lambda url: "near_errors=2" in url)
    ready(page)
    expect(
        page.get_by_text("make at most 14 training errors; the best one makes 12")
    ).to_be_visible()
