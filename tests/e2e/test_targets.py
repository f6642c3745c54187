"""What is pressed is 24 pixels large or stands alone (WCAG 2.5.8); nothing moves unasked."""

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES

from .app import SIZES, address, ready

pytestmark = pytest.mark.e2e

ALWAYS = ("home", "splits")
NAMES = [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in PAGES]
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


@pytest.mark.parametrize("name", NAMES)
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
