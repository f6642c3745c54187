"""Every page and what opens on it for those who see, hear or press otherwise (WCAG 2.2 AA)."""

import re
from itertools import product
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.text import languages

from .app import SIZES, App, address, open_more, ready, sampled
from .walking import walk

pytestmark = pytest.mark.e2e

STANDARD = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
RULES = {"runOnly": {"type": "tag", "values": list(STANDARD)}}
# Streamlit's own menu of a phone: a list whose parts have heads, which no option of ours mends.
OF_STREAMLIT = {"exclude": [['[data-testid="stSidebarNavItems"]']]}
# Each page in one theme and language always; in every pair of them among the slow tests.
PAIRS = tuple(product(("light", "dark"), languages()))
SEEN = [
    pytest.param(
        name, *pair, id="-".join([name, *pair]),
        marks=[pytest.mark.slow] * ((n + place) % len(PAIRS) > 0),
    )
    for n, name in enumerate(PAGES)
    for place, pair in enumerate(PAIRS)
]  # fmt: skip
STATES = {
    "a stage": "boundaries?data=iris&m=cart&stage=1",
    "a guess": "splits?data=xor&held=0&m=cart&ask=split",
    "a step of the course": "splits?data=xor&held=0&m=cart&scene=xor.1",
    "an edited tree": "splits?data=xor&held=0&m=cart&e=0T1_0.5",
    "nodes and links": "rules?data=wine&m=c45&drawing=node-link",
    "a table of a paper": "papers?paper_table=bnm_csn2",
    "an audit": "monotone?data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
}
SHOWN = {"boundaries": "data=moons&models=cart", "data": "data=wine"}  # not only the defaults


def serious(page):
    """Return what axe-core finds that keeps somebody from using the page."""
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in Axe().run(page, context=OF_STREAMLIT, options=RULES).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("name", "scheme", "code"), SEEN)
def test_a_page_has_no_serious_fault(open_page, name, scheme, code):
    page = open_page(address(name, f"{SHOWN.get(name, '')}&lang={code}"), scheme=scheme)
    page.wait_for_function("code => document.documentElement.lang === code", arg=code)
    assert serious(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("link", STATES.values(), ids=STATES)
def test_a_state_of_a_page_has_none(open_page, link, scheme):
    assert serious(open_page(f"/{link}", scheme=scheme)) == []


@pytest.mark.parametrize("name", ["home", "boundaries", "splits", "rules"])
def test_a_phone_and_twice_the_letters_lose_nothing(open_page, name):
    page = open_page(address(name), size="phone")
    assert serious(page) == []
    page.set_viewport_size({"width": 720, "height": 450})  # a 1440 screen at 200 %
    ready(page)
    wider = "() => document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"
    assert not page.evaluate(wider)


@pytest.mark.slow
@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_320_pixels(open_page, name, code):
    """WCAG 1.4.10: what is read needs no scrolling in two directions."""
    page = open_page(address(name, f"{SHOWN.get(name, '')}&lang={code}"), size="phone")
    page.set_viewport_size({"width": 320, "height": 640})
    ready(page)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"
    )


WINE = "/rules?data=wine&m=cart&rule_view=rules"


def press(name, shown):
    """Return what presses a button and waits for what it opens."""

    def act(page):
        page.get_by_role("button", name=name, exact=True).first.click()
        expect(page.locator(shown).first).to_be_visible()

    return act


def open_menu(page):
    page.locator('[data-tool="menu"]').first.click()
    expect(page.locator(".lv-menu").first).to_be_visible()


def show_table(page):
    page.locator(".lv-frame").first.press("t")
    expect(page.locator(".lv-table").first).to_be_focused()


def play(page):
    page.locator(".lv-growth select").select_option("0.5")
    page.locator(".lvg-play").click()
    expect(page.locator(".lv-growth")).to_have_attribute("data-step", "2")


def ask(page):
    page.locator(".st-key-quiz_add button").first.click()
    page.locator(".st-key-quiz_play button:enabled").click()
    expect(page.locator(".st-key-quiz_head h3")).to_contain_text("CART")


def open_list(page):
    page.get_by_role("combobox", name="Data set").click()
    expect(page.get_by_role("option").first).to_be_visible()


def collect(page):
    page.locator(".st-key-story_add button").click()
    page.get_by_role("button", name="Add to my story (1)").wait_for()
    page.get_by_test_id("stTopNavSection").click()  # what has no room in the header
    page.get_by_role("menuitem", name="Story").click()
    expect(page.locator("h1")).to_have_text("What shall I show?")
    page.locator(".st-key-story_page summary").click()


OPENED = {
    "the glossary": (WINE, press("Glossary", '[data-testid="stDialog"]')),
    "the keys": (WINE, press("Keys", '[data-testid="stDialog"]')),
    "the page as a file": (WINE, press("Save", '[data-testid="stPopoverBody"]')),
    "how a scene is shared": (WINE, press("Share", '[data-testid="stPopoverBody"]')),
    "the menu of a picture": (WINE, open_menu),
    "the table of a picture": (WINE, show_table),
    "a list": (WINE, open_list),
    "the menu of the page": (WINE, press("Main menu", '[data-testid="stMainMenuPopover"]')),
    "a growth that plays": ("/growth?data=wine&m=cart", play),
    "a question of the quiz": ("/quiz?data=iris&m=cart", ask),
    "a story": (WINE, collect),
}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "act"), OPENED.values(), ids=OPENED)
def test_what_is_opened_has_no_serious_fault(open_page, path, act, scheme):
    page = open_page(path, scheme=scheme)
    act(page)
    ready(page)
    assert serious(page) == []


@pytest.mark.slow
def test_a_study_that_is_not_done_has_none(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    with App(tmp_path) as app:
        plan = "/compare?compared=cart,random_forest~n_estimators=400&compared_on=iris,wine,moons"
        page = open_page(app.address + plan)
        page.locator(".st-key-study_begin button:enabled").click()
        page.wait_for_url("**study=**")
        expect(page.locator(".lv-cells")).to_be_visible()
        assert serious(page) == []
        pause = page.get_by_role("button", name="Pause")
        pause.click()
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        ready(page)
        assert serious(page) == []


WALKED = {
    "a stage": "splits?data=iris&m=cart&stage=1",
    "a step of the course": "boundaries?data=xor&held=0&m=cart&scene=xor.1",
    "a guess": "splits?data=xor&held=0&m=cart&ask=split",
    "an edited tree": "splits?data=xor&held=0&m=cart&e=0T1_0.5",
}


@pytest.mark.parametrize("name", sampled([*PAGES], "home", "privacy", "rules"))
def test_tab_goes_through_a_page_in_its_order_and_leaves_it(open_page, name):
    found = walk(open_page(address(name)))
    assert found.ended
    assert found.left == ()
    assert found.blind == ()
    assert found.covered == []
    assert found.back == []


@pytest.mark.slow
@pytest.mark.parametrize("size", ["projector", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_covered_on_the_way_back(open_page, name, size):
    found = walk(open_page(address(name), size=size), "Shift+Tab")
    assert found.ended
    assert found.left == ()
    assert found.covered == []


@pytest.mark.slow
@pytest.mark.parametrize("link", WALKED.values(), ids=WALKED)
def test_tab_goes_through_a_state_of_a_page(open_page, link):
    found = walk(open_page(f"/{link}"))
    assert found.ended
    assert (found.left, found.blind, found.covered) == ((), (), [])


CROWDED = r"""async () => {
  const TARGETS = `a[href], button, input:not([type=hidden]), select, textarea, summary,
    [role=button], [role=checkbox], [role=radio], [role=tab], [role=switch], [role=slider]`;
  const LEAST = 24;
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(":disabled")
    && !e.closest("[inert], [aria-hidden=true]");
  const boxOf = (e) => (e.closest("label") ?? e).getBoundingClientRect();
  const isSmall = ({ width, height }) => width < LEAST - 0.01 || height < LEAST - 0.01;
  const isInSentence = (e) => getComputedStyle(e).display === "inline"
    && e.parentElement.innerText.trim().length > e.innerText.trim().length;
  const isOne = (a, b) => a.contains(b) || b.contains(a)
    || (a.closest("label") && a.closest("label") === b.closest("label"));
  const isHit = (e, hit) => hit && (isOne(hit, e) || e.closest("label")?.contains(hit));
  const name = (e) => `${e.tagName} "${(e.ariaLabel ?? e.innerText).slice(0, 40)}" in ${
    e.closest("[data-testid]")?.dataset.testid}`;
  const all = [...document.querySelectorAll(TARGETS)].filter((e) => shown(e) && boxOf(e).width > 1);
  const found = [];
  for (const e of all) {
    if (!isSmall(boxOf(e)) || isInSentence(e)) continue;
    e.scrollIntoView({ block: "center", behavior: "instant" });
    const box = boxOf(e);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (!isHit(e, document.elementFromPoint(x, y))) continue; // it lies behind the open sidebar
    // Others count where they can be pressed now: what is scrolled out of its box cannot.
    const near = all.find((other) => {
      const its = boxOf(other);
      const nearest = (at, low, high) => Math.min(Math.max(at, low), high);
      const [u, v] = [nearest(x, its.left, its.right), nearest(y, its.top, its.bottom)];
      if (isOne(e, other) || Math.hypot(u - x, v - y) >= LEAST) return false;
      const middle = [(its.left + its.right) / 2, (its.top + its.bottom) / 2];
      if (!isHit(other, document.elementFromPoint(...middle))) return false;
      if (!isSmall(its)) return Math.hypot(u - x, v - y) < LEAST / 2;
      return Math.hypot(middle[0] - x, middle[1] - y) < LEAST;
    });
    if (near) found.push(`${name(e)} ${box.width} x ${box.height}, near ${name(near)}`);
  }
  return found;
}"""
MOVING = r"""() => {
  const seconds = (text) => Math.max(...text.split(",").map((one) =>
    parseFloat(one) / (one.trim().endsWith("ms") ? 1000 : 1)));
  return [...document.querySelectorAll("body, body *")].flatMap((e) => [null, "::before", "::after"]
    .map((part) => getComputedStyle(e, part))
    .filter((s) => Math.max(seconds(s.transitionDuration),
      s.animationName === "none" ? 0 : seconds(s.animationDuration)) > 0.01)
    .map((s) => `${e.tagName} ${e.className} ${s.transitionDuration} ${s.animationName}`));
}"""


@pytest.mark.parametrize("name", sampled([*PAGES], "home", "splits"))
def test_targets_are_large_or_apart_and_nothing_moves_where_less_motion_is_asked_for(
    open_page, name
):
    page = open_page(address(name))
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == []
    assert page.evaluate(CROWDED) == []
    page.set_viewport_size(SIZES["phone"])
    ready(page)
    assert page.evaluate(CROWDED) == []
    opener = page.get_by_test_id("stExpandSidebarButton")
    if opener.is_visible():  # not where a page has no choices
        opener.click()
        expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "false")
        assert page.evaluate(CROWDED) == []


def test_a_growth_plays_in_steps_without_anything_between(open_page):
    page = open_page("/growth?data=xor&m=cart&m.max_leaf_nodes=6")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("""() => { window.moves = []; const look = () => {
        for (const one of document.getAnimations())
            if (one.effect.getComputedTiming().duration > 10) window.moves.push(String(one));
        requestAnimationFrame(look); }; look(); }""")
    page.locator(".lv-growth select").select_option("4")
    page.locator(".lvg-play").click()
    page.wait_for_function("() => Number(document.querySelector('.lv-growth').dataset.step) >= 3")
    assert page.evaluate("window.moves") == []
    assert page.evaluate("document.querySelector('.lvg-figure').layout.transition") is None


def forced(open_page, path, scheme="dark"):
    page = open_page(path, scheme=scheme)
    page.emulate_media(forced_colors="active", color_scheme="dark")  # the system's black
    return page


def look(one, name):
    return one.evaluate("(e, name) => getComputedStyle(e)[name]", name)


def test_a_switch_and_a_box_to_tick_have_an_outline(open_page):
    for path in ("/growth?data=iris&m=cart", "/pruning?data=iris&m=cart"):
        page = forced(open_page, path)
        open_more(page)
        marks = page.locator('[data-testid="stCheckbox"] label > div:not([data-testid])')
        expect(marks.first).to_be_visible()
        for mark in marks.all():
            assert look(mark, "outlineStyle") == "solid"
            assert look(mark, "outlineColor") == "rgb(255, 255, 255)"


def test_what_is_chosen_of_several_is_told_from_the_others(open_page):
    page = forced(open_page, "/boundaries?data=iris&m=cart")
    options = page.locator('[data-testid="stButtonGroup"] [role="radio"]')
    chosen = [one for one in options.all() if one.get_attribute("aria-checked") == "true"]
    others = [one for one in options.all() if one.get_attribute("aria-checked") != "true"]
    assert chosen
    assert {look(one, "outlineStyle") for one in chosen} == {"solid"}
    assert {look(one, "outlineStyle") for one in others} == {"none"}


def test_drawings_stand_on_the_paper_that_their_ink_is_for(open_page):
    """A page that was drawn for white paper keeps it below its signs, its logo and its figures."""
    page = open_page("/boundaries?data=iris&m=cart")
    page.emulate_media(forced_colors="active", color_scheme="light")
    paper = page.evaluate(
        "() => getComputedStyle(document.documentElement).getPropertyValue('--lv-paper')"
    )
    assert paper == "#FFFFFF"
    for name in (".lv-legend .lv-sign", ".stLogo", ".lv-figure"):
        drawing = page.locator(name).first
        expect(drawing).to_be_visible()
        assert look(drawing, "backgroundColor") == "rgb(255, 255, 255)", name


WITHOUT_PICTURES = {"home", "story", "privacy", "compare"}  # or with a study that is done alone
LOOKS = {  # a scene with pictures, where a page begins without
    "papers": "paper_table=svm_tree1",
    "monotone": "data=five_rows&held=0&m=remt&m.min_gain=0",
}


def check_chart(chart):
    frame, said, table = (chart.locator(f".lv-{part}") for part in ("frame", "said", "table"))
    expect(frame).to_have_attribute("aria-label", re.compile(r"\w"))
    frame.press("ArrowRight")
    expect(said).to_have_text(re.compile(r"\w.*; \d+ of \d+$"))
    frame.press("t")
    expect(table).to_be_focused()
    expect(table.locator("td").first).to_have_text(re.compile(r"\S"))
    frame.press("t")
    expect(table).to_be_hidden()


def check_growth(growth):
    say = growth.locator(".lvg-say")
    expect(say).to_have_attribute("aria-live", "polite")
    table = growth.locator(".lvg-table")
    if table.get_attribute("open") is None:
        table.locator("summary").press("Enter")
    rows = table.locator("tbody tr")
    expect(rows.first).to_be_visible()
    before = say.inner_text()
    growth.press("End" if growth.get_attribute("data-step") == "0" else "Home")
    if rows.count() > 1:
        expect(say).not_to_have_text(before)


def check_pictures(page):
    """Read every picture that is shown, by keys; return how many there are."""
    charts = [one for one in page.locator(".lv-chart").all() if one.is_visible()]
    growths = [one for one in page.locator(".lv-growth").all() if one.is_visible()]
    for chart in charts:
        check_chart(chart)
    for growth in growths:
        check_growth(growth)
    return len(charts) + len(growths)


MOST_LISTED = 1000  # rows of one table


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1001, 1100, 1400])
def test_a_long_table_says_how_many_rows_it_leaves_out(open_page, rows):
    captions = []
    for n_samples in (rows, 400):
        page = open_page(f"/boundaries?data=moons&n_samples={n_samples}&m=cart")
        chart = page.locator(".lv-chart").first
        chart.locator(".lv-frame").press("t")
        expect(chart.locator(".lv-table td").first).to_have_text(re.compile(r"\S"))
        captions.append(chart.locator(".lv-table caption").all_inner_texts())
        page.close()
    assert captions == [[f"Rows not listed: {rows - MOST_LISTED}."], []]


@pytest.mark.parametrize(
    "name", sampled([name for name in PAGES if name not in WITHOUT_PICTURES], "rules")
)
def test_every_picture_of_a_page_has_a_table_and_speaks(open_page, name):
    page = open_page(address(name, LOOKS.get(name, "")))
    assert check_pictures(page)
    assert page.locator("img:visible:not([alt]), [role=img]:visible:not([aria-label])").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.key)
def test_every_picture_of_a_scene_does(open_page, scene):
    for n, step in enumerate(scene.steps, start=1):
        page = open_page(f"/{step.page}?{urlencode(scene.query_of(n))}")
        check_pictures(page)
        page.close()
