"""Pictures that leave, opened from disk without a network: they draw what the app draws."""

import base64
import re
import unicodedata
from xml.etree import ElementTree

import numpy as np
import pytest

from lastviz.ui.compute.work import Work
from lastviz.ui.shared.page_file import live_page, page_of, ready_scene
from lastviz.ui.state import session
from lastviz.ui.story.rendering import PICTURED
from tests.credit import write_credit
from tests.exits import EXITS
from tests.sentences.rows import selected

from .app import address, ready, sampled, saved_page
from .looking import LAYOUT, SEEN_AT
from .pdf import read_pdf
from .test_report import saved as saved_report
from .test_slides import saved

pytestmark = pytest.mark.e2e

# Pages with pictures, and more scenes where a page draws in several ways.
SCENES = {
    "data": "data=moons", "boundaries": "data=moons&m=cart&m2=oc1&m3=svm_tree",
    "boundaries, nominal": "data=loan&m=cart", "boundaries, numbers": "data=noisy_sine",
    "splits": "data=xor", "latent": "data=iris&m=gsodt", "rules": "data=wine",
    "rules, tree": "data=wine&rule_view=rules", "pruning": "data=iris&m=cart",
    "monotone": "data=five_rows&held=0&m=remt&m.min_gain=0", "textbook": "",
    "papers": "paper_table=svm_tree1", "quiz": "", "compare": "study=example",
}  # fmt: skip
NAMES = sampled([*SCENES], "boundaries")
# What every trace is and its numbers, and how many marks stand on the screen: WebGL's, which are
# no elements, are in the picture alone.
DRAWN = """(plot) => {
  const numbers = (values) => {
    const types = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array,
      i1: Int8Array, u1: Uint8Array };
    const { dtype, bdata } = values ?? {};
    if (bdata) return numbers(new types[dtype](Uint8Array.from(atob(bdata),
      (letter) => letter.charCodeAt(0)).buffer));
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
# Of many marks the app draws all but one itself: here Plotly is to draw them all.
BY_PLOTLY = """async (plot) => {
  const before = plot.data.map(({ marker }) => marker?.maxdisplayed ?? 0);
  await Plotly.restyle(plot, { "marker.maxdisplayed": 0 });
  const found = await (READ)(plot);
  await Plotly.restyle(plot, { "marker.maxdisplayed": before });
  return found;
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


def drawn_by(plot):
    return tuple(plot.evaluate(BY_PLOTLY.replace("READ", read)) for read in (DRAWN, PICTURE))


SHAPES = BY_PLOTLY.replace(
    "READ",
    """(plot) =>
  [...plot.querySelectorAll(".point, .js-line, .js-fill")]
    .map((mark) => [mark.getAttribute("d"), mark.getAttribute("transform")])""",
)
RASTERED = """async ([svg, png]) => {
  const [width, height] = [3840, 2160];
  const pixels = async (source) => {
    const image = Object.assign(new Image(), { src: source });
    await image.decode();
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen.drawImage(image, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height).data;
  };
  const [one, other] = [await pixels(svg), await pixels(png)];
  return one.every((value, i) => Math.abs(value - other[i]) <= 1);
}"""


def data_url(kind, content):
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize("scene", NAMES)
def test_a_slide_draws_what_the_app_draws(open_page, scene):
    page = open_page(address(scene.split(",")[0], SCENES[scene]))
    charts = page.locator(".lv-chart")
    for chart in range(charts.count()):
        shapes, now = None, charts.nth(chart).locator(".lv-figure").evaluate(SHAPES)
        while now != shapes:  # it is fitted to its room a moment after it stands
            _, drawing = saved(page, "svg", chart)
            ready(page)
            shapes, now = now, charts.nth(chart).locator(".lv-figure").evaluate(SHAPES)
        marks = [
            [mark.get("d"), mark.get("transform")]
            for mark in ElementTree.fromstring(drawing).iter()
            if {"point", "js-line", "js-fill"} & set(mark.get("class", "").split())
        ]
        assert marks == shapes
    _, picture = saved(page, "png", chart)
    both = [data_url("svg+xml", drawing), data_url("png", picture)]
    assert page.evaluate(RASTERED, both)


PRINTED = """() => new Promise((printed) => {
  const made = Document.prototype.createElement;
  document.createElement = (name) => {
    const element = made.call(document, name);
    if (name === "iframe") Object.defineProperty(element, "contentWindow", { get: () => ({
      addEventListener() {}, focus() {},
      print: () => printed(element.contentDocument.documentElement.outerHTML) }) });
    return element;
  };
  document.querySelector('.lv-tools [data-tool="print"]').click();
})"""
# Where the marks begin that are seen, in points of the paper, and what is written.
ON_SLIDE = """() => {
  const scale = 960 / document.documentElement.getBoundingClientRect().width;
  const start = (mark) => mark.getPointAtLength(0).matrixTransform(mark.getScreenCTM());
  const isPainted = (mark) => {
    const look = getComputedStyle(mark), { width, height } = mark.getBoundingClientRect();
    const has = (part) => look[part] !== "none" && +look[`${part}-opacity`] > 0;
    return width + height > 0 && +look.opacity > 0
      && (has("fill") || (has("stroke") && parseFloat(look["stroke-width"]) > 0));
  };
  const isInside = (mark) => { // what begins outside of its plane is cut off there
    const holder = mark.closest("[clip-path]"), at = start(mark);
    const id = /#([^")]+)/.exec(holder?.getAttribute("clip-path"))?.[1];
    const clip = id && document.getElementById(id)?.querySelector("rect")?.getBBox();
    const { x, y } = at.matrixTransform((holder ?? mark).getScreenCTM().inverse());
    return !clip || (x >= clip.x && x <= clip.x + clip.width
      && y >= clip.y && y <= clip.y + clip.height);
  };
  const marks = document.querySelectorAll(
    "path.point, .point path, path.js-line, path.js-fill, .js-fill path, .lvg-marks path");
  const seen = [...marks].filter((mark) => isPainted(mark) && isInside(mark));
  // A dash is a rectangle on paper, which begins beside the line.
  const slack = (mark) => mark.style.strokeDasharray ? parseFloat(mark.style.strokeWidth) : 0.2;
  return { marks: seen.map((mark) => [scale * start(mark).x, scale * start(mark).y, slack(mark)]),
    text: [...document.querySelectorAll("text")].map((text) => text.textContent).join("") };
}"""


def letters(text):
    """What is written, whatever stands between the letters."""
    return re.sub(r"[\s\u200b]", "", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("scene", [*NAMES, pytest.param("growth", marks=pytest.mark.slow)])
def test_a_slide_on_paper_says_and_paints_what_the_slide_does(open_page, browser, tmp_path, scene):
    query = SCENES.get(scene, "data=iris&m=cart&step=3")
    page = open_page(address(scene.split(",")[0], query))
    _, drawing = saved(page, "svg")
    ready(page)
    printer = browser.new_page()
    printer.set_content(page.evaluate(PRINTED))
    paper = read_pdf(printer.pdf(prefer_css_page_size=True))
    assert paper.size == pytest.approx((960, 540), abs=0.5)
    (tmp_path / "slide.svg").write_bytes(drawing)
    printer.goto(f"file://{tmp_path}/slide.svg")
    slide = printer.evaluate(ON_SLIDE)
    assert letters(paper.text) == letters(slide["text"])
    painted, marks = np.array(paper.starts), np.array(slide["marks"])
    assert len(marks)
    for *mark, slack in marks:  # as many at each place as there are on the slide
        here = (np.abs(marks[:, :2] - mark) < 0.01).all(axis=1) & (marks[:, 2] <= slack)
        assert (np.abs(painted - mark) < slack).all(axis=1).sum() >= here.sum(), mark
    printer.close()


# These go to the app as multiples of a small step.
STEPPED = {"ribbon", "bar", "gone", "gone_bar"}
# The first view of rules has no picture of its report: the tree is in another. The report of a
# study says more than the page draws at once, see tests/ui/test_compare.py; of growth only the tree
# by hand has one, see tests/ui/test_by_hand.py.
REPORTED = [
    name
    for name in SCENES
    if hasattr(PICTURED.get(name.split(",")[0]), "report")
    and name not in ("rules", "compare", "growth")
]
# The quiz has a lesson in its place, the textbook trees that are laid out for the room; rules and
# compare have a picture of their own there, see tests/e2e/test_live_page.py.
OTHERWISE = ("quiz", "textbook", "rules", "rules, tree", "compare")
ON_ITS_OWN = [name for name in SCENES if name not in OTHERWISE]
# Marks of a tree that is laid out for the room of its page.
LAID_OUT = {"leaf", "answer", "test"}


def exact(traces, laid_out=()):
    """What every trace is, and where its marks are unless they are rounded or `laid_out`."""
    return [
        (trace["role"], None, None)
        if trace["role"] in STEPPED
        else (trace["role"], len(trace["x"]), len(trace["y"]))
        if trace["role"] in laid_out
        else (trace["role"], trace["x"], trace["y"])
        for trace in traces
    ]


def same_pictures(page, alone, pictures, laid_out=()):
    """The file has the first picture of the page, and no other than the page's."""
    alone.wait_for_function(
        "(where) => [...document.querySelectorAll(where)].every((p) => p._fullData)", arg=pictures
    )
    ready(page)
    figures = page.locator(".lv-chart .lv-figure").all()
    drawn, there = (
        [exact(one.evaluate(DRAWN)["traces"], laid_out) for one in plots]
        for plots in (figures, alone.locator(pictures).all())
    )
    assert drawn[0] in there
    for picture in there:
        assert any(x for _, x, _ in picture)
        assert picture in drawn, [role for role, _, _ in picture]


@pytest.mark.parametrize("scene", sampled(ON_ITS_OWN, "boundaries"))
def test_a_saved_page_draws_what_the_app_draws(open_page, alone, tmp_path, scene):
    page = open_page(address(scene.split(",")[0], SCENES[scene]))
    alone.goto(f"file://{saved_page(page, tmp_path)}")
    alone.wait_for_selector('html[data-shown="1"]')
    same_pictures(page, alone, ".picture > div", LAID_OUT)


@pytest.mark.parametrize("scene", sampled(REPORTED, "boundaries"))
def test_a_report_draws_what_the_app_draws(open_page, read, tmp_path, scene):
    page = open_page(address(scene.split(",")[0], SCENES[scene]))
    report = read(saved_report(page, tmp_path / "report.html"))
    same_pictures(page, report, ".picture")


# A board's table, and scenes of other pages: on the screens of SEEN_AT, and on paper.
LEAVING = {
    "rules": "m=cart&m.max_leaf_nodes=8&cost_miss=5&cut=16.67",
    "boundaries": "data=wine&m=cart", "splits": "data=wine&m=c45", "pruning": "data=wine&m=cart",
    "latent": "data=wine&m=gsodt", "monotone": "data=monotone&m=remt",
    "growth": "data=three_spirals&m=svm_tree",
    "compare": "study=example", "papers": "paper_table=svm_tree1", "data": "data=wine",
    "boundaries, differ": "data=moons&m=cart&m2=oc1&detail=differ",
    "boundaries, rules": "data=moons&m=cart&m2=oc1&m.max_depth=3&detail=rules",
    "splits, formulas": "data=iris&m=cart&lab=formulas",
    "latent, formula": "data=iris&m=gsodt&space=formula",
}  # fmt: skip
SHEET = {"width": 1047, "height": 718}  # pixels of a slide's paper inside its margins
BOARDS = 3  # sheets that are read


@pytest.mark.parametrize("scene", sampled([*LEAVING], "rules", "splits, formulas"))
def test_what_leaves_is_laid_out_without_a_fault(alone, tmp_path, monkeypatch, scene):
    query, name = LEAVING[scene], scene.split(",")[0]
    if name == "rules":
        query += f"&data={write_credit(tmp_path, missing=0.0)}"
        monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    selection, module = selected(query), PICTURED[name]
    monkeypatch.setattr(session, "current", lambda: selection)
    work = Work(selection)
    slide = ready_scene(work, name, module, (), {}, own_files=True).slide
    saved = {
        "slide": page_of([slide], "a", turns=True),
        "page": live_page(work, name, module, None),
        "report": module.report(None) if hasattr(module, "report") else "",
    }
    found = []
    for kind, content in saved.items():
        (tmp_path / "saved.html").write_text(content, encoding="utf-8")
        for where, size in SEEN_AT.items() if content else ():
            alone.set_viewport_size(size)
            alone.goto(f"file://{tmp_path}/saved.html")
            alone.wait_for_selector("html:is([data-shown], [data-drawn])")
            found += [(kind, where, fault) for fault in alone.evaluate(LAYOUT)]
        if kind == "report" and content:
            printed = alone.pdf(format="A4")
            n_sheets = len(re.findall(rb"/Type\s*/Page\b", printed))
            assert n_sheets <= BOARDS or scene != name  # what was chosen besides comes behind
        elif content:
            alone.evaluate("dispatchEvent(new Event('beforeprint'))")
            alone.emulate_media(media="print")
            alone.set_viewport_size(SHEET)
            found += [(kind, "paper", fault) for fault in alone.evaluate(LAYOUT)]
            alone.emulate_media(media="null")
    # What it says of the app's own elements is not of these.
    assert [each for each in found if not each[-1].startswith("nothing:")] == []


def test_every_page_with_pictures_is_opened():
    pages = {name.split(",")[0] for name in SCENES}
    assert set(EXITS["picture"].pages) == pages | {"growth"}
    assert set(EXITS["page as a file"].pages) == pages - {"quiz"} | {"growth", "story"}
