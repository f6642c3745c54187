"""The window changes its width and comes back: every figure shows what it showed before."""

import pytest

from .app import still
from .looking import LAYOUT

pytestmark = pytest.mark.e2e

# Every page with figures, and every kind of figure on it.
LINKS = {
    "data": "/data?data=xor",
    "data, many features": "/data?data=wine",
    "boundaries": "/boundaries",
    "boundaries, one model": "/boundaries?data=xor&m=hybrid",
    "boundaries, a wall": "/boundaries?data=xor&m=cart&m2=c45&m3=oc1",
    "boundaries, a slice": "/boundaries?data=iris&m=cart&m2=oc1&detail=classes",
    "boundaries, a search": "/boundaries?data=diagonal&m=oc1&detail=search",
    "boundaries, machines": "/boundaries?data=three_spirals&m=svm_tree",
    "boundaries, columns": "/boundaries?data=loan&m=c45&m2=cart",
    "growth": "/growth?data=xor&m=cart",
    "growth, machines": "/growth?data=three_spirals&m=svm_tree",
    "splits": "/splits?data=xor&m=hybrid",
    "splits, columns": "/splits?data=loan&m=c45",
    "latent": "/latent?data=wine&m=gsodt",
    "latent, best": "/latent?data=wine&m=gsodt&space=best",
    "latent, spaces": "/latent?data=diagonal&m=gsodt&space=spaces",
    "rules": "/rules?data=iris&m=cart",
    "pruning": "/pruning?data=gauss_2d&n_samples=300&m=cart",
    "monotone, data": "/monotone?data=monotone&part=data",
    "growth, forest": "/growth?data=monotone&m=mcdf",
    "monotone, audit": "/monotone?data=monotone&m=cart&part=audit",
    "textbook": "/textbook",
    "textbook, gini": "/textbook?lesson=gini",
    "textbook, squares": "/textbook?lesson=squares",
}
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
