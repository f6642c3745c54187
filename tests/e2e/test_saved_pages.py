"""Web pages that move, opened from disk without a network: they draw what the app draws."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from .app import address, ready
from .conftest import OpenPage
from .test_slides import saved

pytestmark = pytest.mark.e2e

# Pages with pictures, and more scenes where a page draws in several ways.
SCENES = {
    "data": "data=moons",
    "boundaries": "data=moons&m=cart&m2=oc1&m3=svm_tree",
    "boundaries, nominal": "data=loan&m=cart",
    "boundaries, numbers": "data=noisy_sine",
    "splits": "data=xor",
    "latent": "data=iris&m=gsodt",
    "rules": "data=wine",
    "pruning": "data=iris&m=cart",
    "monotone": "data=five_rows&held=0&m=remt&m.min_gain=0",
    "textbook": "",
    "papers": "paper_table=svm_tree_figure1",
    "quiz": "",
}
ALWAYS = ("boundaries",)
NAMES = [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in SCENES]
# What every trace is and its numbers, and how many marks stand on the screen: WebGL's, which are
# no elements, are in the picture alone.
DRAWN = """(plot) => {
  const numbers = (values) => {
    const { dtype, bdata, shape } = values ?? {};
    if (bdata) return [dtype, bdata, shape];
    if (typeof values === "number" && isNaN(values)) return null;
    return ArrayBuffer.isView(values) || Array.isArray(values)
      ? Array.from(values, numbers) : values;
  };
  const traces = plot._fullData.map((trace) => ({
    type: trace.type, mode: trace.mode, role: trace.meta?.role, visible: trace.visible,
    x: numbers(trace.x), y: numbers(trace.y), z: numbers(trace.z), text: numbers(trace.text),
    symbol: numbers(trace.marker?.symbol), size: numbers(trace.marker?.size) }));
  const marks = ".point, .js-line, .js-fill, .textpoint, .barlayer path";
  return { traces, marks: plot.querySelectorAll(marks).length };
}"""
# In one face: the app's own letters are not on every machine.
PICTURE = """(plot) => {
  const plain = (value) => typeof value === "string" && value.includes("sans-serif") ? "Arial"
    : value?.constructor === Object
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
      : Array.isArray(value) ? value.map(plain) : value;
  const { meta, ...layout } = plot.layout;
  const same = { width: 900, height: 600, autosize: false, paper_bgcolor: "#FFFFFF" };
  return Plotly.toImage({ data: plain(plot.data), layout: { ...plain(layout), ...same } },
    { format: "png", width: 900, height: 600 });
}"""


def drawn_by(plot: Locator) -> tuple[dict, str]:
    return plot.evaluate(DRAWN), plot.evaluate(PICTURE)


@pytest.mark.parametrize("scene", NAMES)
def test_a_saved_page_draws_what_the_app_draws(
    open_page: OpenPage, browser: Browser, tmp_path: Path, scene: str
) -> None:
    page = open_page(address(scene.split(",")[0], SCENES[scene]))
    charts = page.locator(".lv-chart")
    elsewhere = browser.new_context(offline=True, viewport=page.viewport_size)
    faults: list[str] = []
    assert charts.count()
    for chart in range(charts.count()):
        name, content = saved(page, "html", chart)
        ready(page)
        drawn, picture = drawn_by(charts.nth(chart).locator(".lv-figure"))
        file = tmp_path / name
        file.write_bytes(content)
        alone = elsewhere.new_page()
        alone.on("pageerror", lambda fault: faults.append(str(fault)))
        alone.on("requestfailed", lambda request: faults.append(request.url))
        alone.goto(f"file://{file}")
        alone.locator("#figure .main-svg").first.wait_for()
        there, picture_there = drawn_by(alone.locator("#figure"))
        assert there == drawn
        assert there["marks"] or there["traces"][-1]["type"] == "scattergl"
        assert picture_there == picture
        alone.close()
    elsewhere.close()
    assert faults == []
