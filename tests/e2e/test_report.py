"""A report, saved from the app and opened from disk by a browser without a network."""

import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from .app import downloaded, open_page_box

pytestmark = pytest.mark.e2e

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<img src=x onerror="window.harmed=1">'
TABLE = "\n".join(
    [
        "{0}one,two,class",
        *(f"{i % 7},{i % 5},{'{1}' if i % 2 else 'b</script>'}" for i in range(60)),
    ]
)


def saved(page, file):
    """The page as a report."""
    open_page_box(page)
    page.get_by_role("radio", name="Report", exact=True).click()
    expect(page.get_by_text("One file that needs no network")).to_be_visible()
    found = downloaded(page, page.get_by_role("button", name=re.compile("Save the report")))
    assert found.suggested_filename.endswith("-report.html")
    found.save_as(file)
    assert file.stat().st_size < 6_000_000
    return file


def is_alive(page, *, words):
    """A drag zooms in; where rows have words, the pointer reads them."""
    plane = page.locator(".picture .nsewdrag").first
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    before = page.evaluate("() => [...document.querySelector('.picture')._fullLayout.xaxis.range]")
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=5)
    page.mouse.up()
    page.wait_for_function(
        "(before) => document.querySelector('.picture')._fullLayout.xaxis.range[0] !== before[0]",
        arg=before,
    )
    low, high = page.evaluate("() => document.querySelector('.picture')._fullLayout.xaxis.range")
    assert high - low < 0.8 * (before[1] - before[0])
    at = page.evaluate(
        """() => {
            const box = document.querySelector(".picture .nsewdrag").getBoundingClientRect();
            const isIn = ([x, y]) => x > box.left + 5 && x < box.right - 5
              && y > box.top + 5 && y < box.bottom - 5;
            const marks = [...document.querySelectorAll(".picture .scatterlayer .point")];
            return marks.map((mark) => mark.getBoundingClientRect())
              .map((mark) => [mark.x + mark.width / 2, mark.y + mark.height / 2]).find(isIn);
        }"""
    )
    page.mouse.move(*at)
    if words:
        expect(page.locator(".picture .hoverlayer .hovertext").first).to_be_visible()


@pytest.mark.parametrize(("path", "models"), [
    ("/boundaries?data=xor&m=cart&m2=oc1", ["CART", "OC1"]),
    ("/boundaries?data=wine&m=cart&m2=c45&m3=gsodt&m4=oc1", ["CART", "C4.5", "GSODT", "OC1"]),
    ("/boundaries?data=monotone&m=mcdf", ["MCDF"]),
    ("/boundaries?data=three_spirals&m=svm_tree", ["SVM tree"]),
    ("/boundaries?data=regression_5_2", ["CART for numbers"]),
])  # fmt: skip
def test_boundaries_live_on_disk(open_page, read, tmp_path, path, models):
    page = open_page(path)
    numbers = page.locator(".lv-strip b").all_inner_texts()
    report = read(saved(page, tmp_path / "report.html"))
    for name in models:
        expect(
            report.locator("h2", has_text=re.compile(re.escape(name), re.I)).first
        ).to_be_visible()
    told = " ".join(report.locator("td").all_inner_texts())
    for value in numbers:
        assert " ".join(value.split()) in told
    assert report.locator(".picture .main-svg").count() >= len(models)
    is_alive(report, words="regression" not in path)  # areas, not rows, have them there


@pytest.mark.main
def test_rules_live_on_disk(open_page, read, tmp_path):
    page = open_page("/rules?data=wine&seed=3&rule_view=rules")
    report = read(saved(page, tmp_path / "report.html"))
    expect(report.locator("h3", has_text="Rules")).to_be_visible()
    link = report.get_by_role("link", name="Open this in the app").get_attribute("href")
    assert link.startswith("http://localhost")
    assert "data=wine" in link
    assert "seed=3" in link
    again = open_page(link)
    assert (
        again.locator(".lv-strip b").all_inner_texts()
        == page.locator(".lv-strip b").all_inner_texts()
    )
    listed = report.locator("table", has_text="confidence, training").last  # after the first three
    rules = listed.locator("tbody tr")
    expect(page.locator(".lv-strip")).to_contain_text(f"{rules.count()} rules")


def test_names_of_an_upload_do_no_harm(open_page, read, tmp_path):
    file = tmp_path / "table.csv"
    quoted = HOSTILE.replace('"', "'")
    file.write_text(TABLE.replace("{0}", quoted).replace("{1}", quoted), encoding="utf-8")
    page = open_page("/data")
    page.locator('input[type="file"]').first.set_input_files(file)
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    page = open_page(page.url.replace("/data?", "/boundaries?"))
    page.wait_for_selector(".lv-figure .main-svg")
    report = read(saved(page, tmp_path / "report.html"))
    assert report.evaluate("() => window.harmed") is None
    assert report.locator("img:not(.lv-sign)").count() == 0
    expect(report.locator("td", has_text="onerror").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator('[data-tool="menu"]').first.click()
    with page.expect_download() as caught:
        page.locator('[data-tool="svg"]').first.click()
    slide = ElementTree.parse(caught.value.path()).getroot()
    assert any("onerror" in "".join(text.itertext()) for text in slide.iter(f"{SVG}text"))
    assert not [one for one in slide.iter() if one.tag in (f"{SVG}script", f"{SVG}foreignObject")]
    assert not [name for one in slide.iter() for name in one.attrib if name.startswith("on")]
    assert page.evaluate("() => window.harmed") is None


def test_a_report_prints_and_darkens(open_page, read, tmp_path):
    report = read(saved(open_page("/boundaries?data=xor&m=cart"), tmp_path / "report.html"))
    paper = "() => getComputedStyle(document.body).backgroundColor"
    assert report.evaluate(paper) == "rgb(255, 255, 255)"
    report.emulate_media(color_scheme="dark")
    assert report.evaluate(paper) == "rgb(20, 23, 28)"
    ink = report.locator(".lv-legend").first.evaluate("e => getComputedStyle(e).color")
    assert ink == "rgb(27, 32, 41)"  # on the white paper of the drawings
    report.emulate_media(color_scheme="dark", media="print")
    assert report.evaluate(paper) == "rgb(255, 255, 255)"
    assert report.pdf(format="A4").startswith(b"%PDF")
