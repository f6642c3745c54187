"""The page *monotone* in a real browser: read the audit, move the threshold e."""

import re

import pytest
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e

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
    page.wait_for_url(lambda url: "/monotone" in url)
    ready(page)
    page.get_by_role("button", name="Next step").click()
    page.wait_for_url(lambda url: "part=audit" in url)
    ready(page)
    expect(page.get_by_text("Not monotone")).to_be_visible()
    drawn = page.evaluate(COUNTER_EXAMPLE)
    (ax, bx), (ay, by) = drawn["x"], drawn["y"]
    assert ax <= bx
    assert ay <= by
    assert drawn["from"] == [ax, ay]
    assert drawn["to"] == [bx, by]
    expect(page.get_by_text("of them contradicts")).to_be_visible()
    page.get_by_role("button", name="Make it truly monotone").click()
    expect(page.get_by_text("Proven monotone")).to_be_visible()
    assert "m.monotone=true" in page.url


def below(page):
    said = page.get_by_text(re.compile(r"lies? below e\.$")).inner_text()
    return int(re.match(r"[\d,]+", said)[0].replace(",", ""))


def test_the_threshold_rings_the_rows_below_it(open_page):
    page = open_page("/monotone?data=monotone&n_samples=300&label_noise=0.1&m=remt&inclusion=0.2")
    assert page.evaluate(RINGS) == below(page)
    before = below(page)
    slider = page.get_by_role("slider", name="Threshold e")
    slider.focus()
    # A key that comes while the slider is drawn anew is lost, so count what it has taken.
    for _ in range(200):
        if float(slider.input_value()) >= 0.6:
            break
        slider.press("ArrowRight")
    page.wait_for_url(lambda url: "inclusion=0.6" in url)
    ready(page)
    expect(page.get_by_text(re.compile(r"lies? below e\.$"))).not_to_have_text(
        re.compile(rf"^{before} ")
    )
    page.wait_for_function(f"(n) => ({RINGS})() === n", arg=below(page))
    assert below(page) > before
