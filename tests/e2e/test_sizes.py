"""Pages on paper, on a phone, on a stage, cold, and in a window that changes its width."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES

from .app import address, go_to, ready, reload, sampled, still
from .looking import LAYOUT, looking

pytestmark = pytest.mark.e2e

A4 = {"width": 688, "height": 1017}  # within margins of 14 mm, in CSS pixels
HIDDEN = (
    '[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stToolbar"], .lv-tools,'
    " .st-key-language_switch, .st-key-stage_doors, .lvg-transport"
)
CUT = r"""(width) => [...document.querySelectorAll(
    `.lv-frame, .lv-figure .main-svg, .lv-growth, .lvg-tree svg, .lv-strip, .lv-pictures, table,
     canvas, h1, h2, h3`)]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length)
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.right > width + 1 || box.left < -1))
  .map(([e, { left, right }]) => `${e.tagName} ${e.className.baseVal ?? e.className} in ${
    e.closest('[class*="st-key-"]')?.className.match(/st-key-\S+/)?.[0]}: ${left} to ${right}`)"""
PALE = r"""() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => { // relative luminance over white
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faults = new Set();
  const main = document.querySelector("[data-testid=stMain]");
  const seen = { visibilityProperty: true, opacityProperty: true };
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { nodeValue, parentElement: e } = texts.currentNode;
    if (!nodeValue.trim() || !e.checkVisibility(seen)) continue;
    if (!e.getClientRects().length || e.closest("style, script, canvas")) continue;
    const style = getComputedStyle(e);
    const ink = e instanceof SVGElement ? style.fill : style.color;
    const contrast = 1.05 / (light(ink) + 0.05);
    if (contrast < 3) faults.add(`${e.tagName} "${nodeValue.trim().slice(0, 30)}" ${ink}`);
  }
  return [...faults];
}"""


# Pages that begin with a picture, by their own scene and by others.
FIRST_VIEWS = [
    *map(address, ("boundaries", "growth", "splits", "latent", "pruning", "rules")),
    "/boundaries?data=iris&m=cart",
    "/boundaries?data=wine&m=c45&m2=cart&m3=oc1",
    "/boundaries?data=breast_cancer&m=cart&m2=c45&cost_miss=5",
    "/growth?data=iris&m=cart",
    "/splits?data=iris&m=c45",
    "/latent?data=wine&m=lsodt",
    "/pruning?data=wine&m=cart",
    "/rules?data=iris&m=cart",
]
HIGH = """() => {
    const { top, bottom } = document.querySelector(".lv-frame, .lvg-frame").getBoundingClientRect();
    return top <= 260 && bottom <= innerHeight ? [] : [`the first picture: ${top} to ${bottom}`];
}"""


@pytest.mark.ci
@pytest.mark.parametrize("size", ["projector", "laptop"])
def test_the_first_picture_begins_high_and_ends_in_the_window(browser, server, size):
    with looking(browser, server) as look:
        assert [fault for link in FIRST_VIEWS for fault in look(link, size, "en", HIGH)] == []


# On a stage nothing is scrolled, and every picture ends above the foot.
STAGED = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    const foot = document.querySelector(".st-key-stage").getBoundingClientRect().top;
    const boxes = [...document.querySelectorAll(".lv-frame, .lvg-frame, .lvg-tree svg")]
        .map((picture) => picture.getBoundingClientRect()).filter(({ height }) => height);
    return [
        ...(main.scrollHeight > main.clientHeight ? ["it is scrolled"] : []),
        ...boxes.filter(({ bottom }) => bottom > foot).map(({ bottom }) => `ends at ${bottom}`),
        ...(boxes.length ? [] : ["no picture"]),
    ];
}"""


@pytest.mark.ci
@pytest.mark.parametrize("size", ["laptop", "projector", "wall"])
def test_what_is_presented_fills_the_window_and_is_not_scrolled(browser, server, size):
    with looking(browser, server) as look:
        links = [f"{link}{'' if link.endswith('?') else '&'}stage=true" for link in FIRST_VIEWS[6:]]
        assert [fault for link in links for fault in look(link, size, "en", STAGED)] == []


def on_paper(page):
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size(A4)


@pytest.mark.parametrize("name", sampled([*PAGES], "rules"))
def test_a_page_on_paper(open_page, name):
    page = open_page(address(name), scheme="dark")
    on_paper(page)
    assert [e for e in page.locator(HIDDEN).all() if e.is_visible()] == []
    title = page.locator("h1")
    expect(title).to_be_visible()
    assert page.evaluate(CUT, A4["width"]) == []
    assert page.evaluate(PALE) == []
    assert page.pdf(format="A4").startswith(b"%PDF")


# Every page with figures, and every kind of figure on it.
LINKS = {
    "data": "/data?data=xor", "data, many features": "/data?data=wine", "boundaries": "/boundaries",
    "boundaries, one model": "/boundaries?data=xor&m=hybrid",
    "boundaries, a wall": "/boundaries?data=xor&m=cart&m2=c45&m3=oc1",
    "boundaries, a slice": "/boundaries?data=iris&m=cart&m2=oc1&detail=classes",
    "boundaries, a search": "/boundaries?data=diagonal&m=oc1&detail=search",
    "boundaries, machines": "/boundaries?data=three_spirals&m=svm_tree",
    "boundaries, columns": "/boundaries?data=loan&m=c45&m2=cart",
    "growth": "/growth?data=xor&m=cart",
    "growth, machines": "/growth?data=three_spirals&m=svm_tree",
    "splits": "/splits?data=xor&m=hybrid", "splits, columns": "/splits?data=loan&m=c45",
    "latent": "/latent?data=wine&m=gsodt", "latent, best": "/latent?data=wine&m=gsodt&space=best",
    "latent, spaces": "/latent?data=diagonal&m=gsodt&space=spaces",
    "rules": "/rules?data=iris&m=cart", "pruning": "/pruning?data=gauss_2d&n_samples=300&m=cart",
    "monotone, data": "/monotone?data=monotone&part=data",
    "growth, forest": "/growth?data=monotone&m=mcdf",
    "monotone, audit": "/monotone?data=monotone&m=cart&part=audit", "textbook": "/textbook",
    "textbook, gini": "/textbook?lesson=gini", "textbook, squares": "/textbook?lesson=squares",
}  # fmt: skip
WIDE, NARROW, PHONE = 1440, 960, 390

RANGES = """() => [...document.querySelectorAll(".js-plotly-plot")].map((figure) =>
    Object.fromEntries(Object.entries(figure._fullLayout)
        .filter(([name, axis]) => /^[xy]axis\\d*$/.test(name) && axis.range)
        .map(([name, axis]) => [name, axis.range.map(Number)])))"""

FITS = """() => [...document.querySelectorAll(".js-plotly-plot")].every((figure) =>
    !figure.getClientRects().length
    || Math.abs(figure._fullLayout.width - figure.clientWidth) < 2)"""

# Figures that end below their place: what is at their foot, numbers of an axis, is not seen.
CUT_OFF = """() => [...document.querySelectorAll(".lv-frame")]
    .filter((frame) => frame.getClientRects().length)
    .filter((frame) => {
        const place = frame.closest("[data-testid=stElementContainer]");
        return frame.getBoundingClientRect().bottom > place.getBoundingClientRect().bottom + 1;
    })
    .map((frame) => frame.ariaLabel)"""


def ranges(page):
    """Return the ranges of all axes of all figures, once they fit their places."""
    page.wait_for_selector(".js-plotly-plot .main-svg", state="attached")
    page.wait_for_timeout(500)  # a figure waits a little for the next change of its size
    page.wait_for_function(FITS)
    return page.evaluate(RANGES)


def turned(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    return ranges(page)


def check_same(after, before):
    assert len(after) == len(before) > 0
    for i, (new, old) in enumerate(zip(after, before, strict=True)):
        assert new.keys() == old.keys()
        for axis, (low, high) in old.items():
            slack = 1e-3 * abs(high - low)
            assert new[axis] == pytest.approx([low, high], abs=slack), f"figure {i}, {axis}"


SAMPLE = {path: name for name, link in reversed(LINKS.items()) for path in [link.split("?")[0]]}
"""The first link of each page; the others are part of the whole."""


@pytest.mark.parametrize("link", [
    pytest.param(link, id=name, marks=[] if name in SAMPLE.values() else [pytest.mark.slow])
    for name, link in LINKS.items()
])  # fmt: skip
def test_a_window_made_narrow_and_wide_again_shows_the_same(open_page, link):
    page = open_page(link)
    before = ranges(page)
    assert page.evaluate(CUT_OFF) == []
    for width in (NARROW, PHONE, NARROW):
        turned(page, width)
        assert page.evaluate(CUT_OFF) == []
    check_same(turned(page, WIDE), before)


def test_what_the_reader_zoomed_to_outlives_the_same(open_page):
    page = open_page("/boundaries?data=gauss_2d&m=cart&m2=c45")
    home = ranges(page)
    page.locator(".lv-frame").first.press("+")
    zoomed = ranges(page)
    assert zoomed[0]["xaxis"] != home[0]["xaxis"]
    turned(page, NARROW)
    check_same(turned(page, WIDE), zoomed)
    page.locator(".lv-frame").first.press("0")
    check_same(ranges(page), home)


LETTERS = """() => [...document.querySelectorAll(".katex-display > .katex")]
    .map((formula) => Number(formula.style.zoom))"""


@pytest.mark.parametrize(
    "link", ["/textbook?lesson=gini", pytest.param("/textbook?lesson=gain", marks=pytest.mark.slow)]
)
def test_at_no_width_is_anything_scrolled_for_a_hair(open_page, link):
    page, letters = open_page(link), set()
    for width in range(PHONE - 30, WIDE, 61):
        page.set_viewport_size({"width": width, "height": 900})
        still(page)
        hairs = [fault for fault in page.evaluate(LAYOUT) if fault.startswith("scrolls by a hair")]
        assert hairs == [], f"{width} pixels"
        letters |= {*page.evaluate(LETTERS)}
    assert max(letters) == 1  # formulas are smaller in a narrow window alone
    assert min(letters - {0}) >= 0.75


MARKS = """() => {
    const fold = window.innerHeight;
    return [...document.querySelectorAll('.js-plotly-plot')].filter((gd) => {
        const box = gd.getBoundingClientRect();
        return box.top < fold && gd.querySelector('.point, .trace path, .shapelayer path');
    }).length;
}"""


WITHOUT_PICTURE = {"home", "privacy"}  # home has a test of its own, what is kept is words


@pytest.mark.parametrize("page", [name for name in PAGES if name not in WITHOUT_PICTURE])
@pytest.mark.parametrize("size", ["phone", pytest.param("projector", marks=pytest.mark.slow)])
def test_a_cold_page_has_a_picture_within_the_first_viewport(open_page, page, size):
    window = open_page(f"/{page}", size=size)
    ready(window)
    window.wait_for_function(f"() => ({MARKS})() > 0")
    expect(window.get_by_test_id("stAlert")).to_have_count(0)
    if PAGES[page][1:]:
        expect(window.locator(".st-key-example, .st-key-study_words")).to_contain_text(
            re.compile("An example:|Example study, finished")
        )
        assert "?" not in window.url


def test_on_a_phone_the_choices_are_a_sheet_below_the_picture(open_page):
    window = open_page("/boundaries", size="phone")
    bar = window.locator(".lv-scene")
    expect(bar).to_have_text(re.compile("XOR.*CART.*OC1"))
    noise = window.get_by_role("slider", name="Noise (standard deviation)")
    expect(noise).not_to_be_visible()
    bar.click(position={"x": 20, "y": 30}, force=True)
    expect(noise).to_be_visible()
    picture = window.locator(".lv-figure .main-svg").first
    sheet = window.get_by_test_id("stSidebar")
    assert picture.bounding_box()["y"] < sheet.bounding_box()["y"]
    noise.focus()
    noise.press("ArrowRight")
    window.wait_for_url("**noise=0.21**")
    window.get_by_role("button", name="Collapse sidebar").click()
    expect(noise).not_to_be_visible()
    window.get_by_role("link", name="Growth", exact=True).click()
    expect(window.get_by_role("heading", level=1)).to_contain_text("How does the tree come to be?")
    expect(bar).to_have_text(re.compile("XOR"))


def test_a_cold_story_shows_the_lessons_and_makes_them_ones_own(open_page):
    window = open_page("/story")
    window.wait_for_function(f"() => ({MARKS})() > 0")
    window.get_by_role("radio", name="3", exact=True).click()
    ready(window)
    expect(
        window.get_by_role("heading", name="Why does a curve become a staircase?")
    ).to_be_visible()
    window.wait_for_function(f"() => ({MARKS})() > 0")
    window.get_by_role("button", name="Make my own").click()
    window.wait_for_url("**slides=**")
    expect(window.get_by_text("13 scenes")).to_be_visible()
    expect(window.get_by_label("Caption").first).to_have_value(re.compile("A tree asks one"))


def sheet(page, *, collapsed):
    return page.locator(f'[data-testid="stSidebar"][data-collapsed="{str(collapsed).lower()}"]')


def opened_sheet(page):
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sheet(page, collapsed=False)).to_be_visible()


def test_a_sheet_is_closed_by_escape_and_where_a_page_is_come_to(open_page):
    page = open_page("/boundaries?data=moons&m=cart", size="phone")
    opened_sheet(page)
    page.keyboard.press("Escape")
    expect(sheet(page, collapsed=True)).to_be_attached()
    opened_sheet(page)
    reload(page)
    expect(sheet(page, collapsed=True)).to_be_attached()


@pytest.mark.main
def test_a_story_is_collected_and_presented_by_keys(open_page):
    page = open_page("/boundaries?data=iris&m=cart")
    page.locator(".st-key-story_add button").first.click()
    expect(page.get_by_text("Add to my story (1)").first).to_be_visible()
    ready(page)
    go_to(page, "Home")
    card = page.get_by_role("link", name="Why does a curve become a staircase?")
    card.scroll_into_view_if_needed()
    ready(page)
    card.click()
    page.wait_for_url("**three_spirals**")
    expect(page.get_by_text("Add to my story (1)").first).to_be_visible()
    ready(page)
    left = "document.querySelector('.lv-figure')?._fullLayout?.margin.l"
    beside = page.evaluate(left)
    page.keyboard.press("p")
    expect(page.locator(".lv-stage-timer")).to_be_visible()
    page.wait_for_function(f"{left} > {beside}")  # room for larger letters
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator(".lv-legend").first.evaluate(size) >= 24
    assert page.get_by_test_id("stMain").locator("h1").evaluate(size) == pytest.approx(0.056 * 900)
    ready(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**slide=1**")
    expect(page.get_by_text("1 of 1")).to_be_visible()
    ready(page)
    page.keyboard.press("b")
    expect(page.locator("html.lv-blank")).to_have_count(1)
    page.keyboard.press("b")
    expect(page.locator("html.lv-blank")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.locator(".lv-stage-timer")).to_have_count(0)
    page.wait_for_function(f"{left} === {beside}")


def test_arrow_keys_go_through_a_growth_from_anywhere_on_the_stage(open_page):
    page = open_page("/growth?data=iris&m=cart&stage=true")
    expect(page.locator(".lv-growth[data-step='1']")).to_be_visible()
    page.get_by_test_id("stMain").locator("h1").click()
    for step in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(page.locator(f".lv-growth[data-step='{step}']")).to_be_visible()
        page.wait_for_timeout(1000)  # a reader who stops is told of to the app
        ready(page)
        expect(page.locator(".lvg-count")).to_have_text(re.compile(f"^step {step} of"))


def test_the_ring_of_the_page_goes_around_the_whole_stage(open_page):
    """A click on blank space gives the page the focus, and key p makes that seen."""
    page = open_page("/splits?data=loan&held=0&m=id3&scene=information_gain.1")
    main = page.get_by_test_id("stMain")
    main.click(position={"x": 900, "y": 120})
    page.keyboard.press("p")
    expect(page.locator(".lv-stage-timer")).to_be_visible()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    assert main.evaluate("main => main.matches(':focus-visible')")
    ring = main.evaluate("main => { const { top, height } = getComputedStyle(main, '::before');"
                         " return [parseFloat(top), parseFloat(height)]; }")  # fmt: skip
    assert ring == [0, 900]
