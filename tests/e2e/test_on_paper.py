"""Every page on paper: its words and pictures alone, whole, in ink."""

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES

from .app import address

pytestmark = pytest.mark.e2e

ALWAYS = ("rules",)
NAMES = [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in PAGES]
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


def on_paper(page):
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size(A4)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_on_paper(open_page, name):
    page = open_page(address(name), scheme="dark")
    on_paper(page)
    assert [e for e in page.locator(HIDDEN).all() if e.is_visible()] == []
    title = page.locator("h1")
    expect(title).to_be_visible()
    assert page.evaluate(CUT, A4["width"]) == []
    assert page.evaluate(PALE) == []
    assert page.pdf(format="A4").startswith(b"%PDF")
