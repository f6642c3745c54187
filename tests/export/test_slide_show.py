"""A slide show is one page that fetches nothing and runs nothing but what we wrote."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json

import numpy as np
import pytest

from lastviz.export import slide_show
from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import (
    Columns,
    Growth,
    Slide,
    SlideShow,
    TooLarge,
    as_slides,
    difference,
)
from lastviz.plots import Drawing

from .test_html_report import HOSTILE, Reader, drawing

PLAYER = "function mountPlayer(root) { return { show() {}, follow() {} }; }"


def show_of(text: str = "words", **changes: object) -> SlideShow:
    picture = Picture(drawing("scattergl", text), text, text)
    story = json.dumps({"title": text})
    blocks = [
        Words("<p class='ours'>ours</p>"),
        Columns([[picture], [Text(text), Growth(story, 2, text)]], (3, 2)),
    ]
    slide = Slide(text, text, blocks, caption=text, notes=text, link="https://example.org/a?b=c")
    about = {"title": text, "slides": [slide, Slide(text, caption=text)], "player": PLAYER}
    return SlideShow(**(about | changes))


def drawn_in(reader: Reader, slide: int) -> list[dict]:
    places = [attributes.get("id") for attributes in reader.named("script")]
    packed = reader.scripts[places.index(f"data-{slide}")]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_no_text_becomes_a_tag():
    clean, hostile = Reader(as_slides(show_of("a"))), Reader(as_slides(show_of(HOSTILE)))
    assert [tag for tag, _ in clean.tags] == [tag for tag, _ in hostile.tags]
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)
    assert hostile.scripts[-1] == clean.scripts[-1]  # the loader
    assert "<img src=x" not in as_slides(show_of(HOSTILE))
    assert drawn_in(hostile, 1)[0]["light"]["data"][0]["text"][0] == HOSTILE
    assert drawn_in(hostile, 1)[1]["light"]["title"] == HOSTILE


def test_the_policy_names_the_two_scripts_and_nothing_else():
    reader = Reader(as_slides(show_of()))
    policy = next(a["content"] for a in reader.named("meta") if "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    scripts = dict(zip([a.get("id") for a in reader.named("script")], reader.scripts, strict=True))
    run = [gzip.decompress(base64.b64decode(scripts["plotly"])), scripts[None].encode()]
    hashes = [base64.b64encode(hashlib.sha256(code).digest()).decode() for code in run]
    assert rules["script-src"].split() == [f"'sha256-{code}'" for code in hashes]
    assert not any("src" in attributes for _, attributes in reader.tags)


def test_each_slide_can_be_read_aloud():
    reader = Reader(as_slides(show_of()))
    sections = reader.named("section")
    assert [each["aria-label"] for each in sections] == ["1 of 2", "2 of 2"]
    assert all(each["aria-roledescription"] == "slide" for each in sections)
    assert [each.get("tabindex") for each in reader.named("h2")] == ["-1", "-1"]
    picture = next(a for a in reader.named("div") if a.get("class") == "picture")
    assert (picture["role"], picture["aria-label"]) == ("img", "words")
    assert any(a.get("aria-live") == "polite" for a in reader.named("p"))
    assert [a["href"] for a in reader.named("a")] == ["https://example.org/a?b=c"]


def test_figures_need_no_compiler_and_have_the_paper_of_the_slide():
    figure = drawn_in(Reader(as_slides(show_of())), 1)[0]["light"]
    assert figure["data"][0]["type"] == "scatter"
    assert figure["layout"]["paper_bgcolor"] == slide_show.CLEAR
    assert not {"meta", "uirevision", "width"} & set(figure["layout"])


def test_without_figures_there_is_no_library():
    page = as_slides(SlideShow("a", [Slide("b", caption="c")]))
    assert 'id="plotly"' not in page
    assert len(page.encode()) < 60_000


def test_both_themes_are_in_one_page():
    light, dark = ([Words(f"<b>{name}</b>")] for name in ("light", "dark"))
    page = as_slides(SlideShow("a", [Slide("b", blocks=light, dark=dark)]))
    assert '<div class="words of-light"><b>light</b></div>' in page
    assert '<div class="words of-dark"><b>dark</b></div>' in page
    two = [[Picture(drawing(text=name), "alt", "")] for name in ("light", "dark")]
    page = as_slides(SlideShow("a", [Slide("b", blocks=two[0], dark=two[1])]))
    found = drawn_in(Reader(page), 1)[0]
    changed = changed_by(found["light"], found["dark"])
    assert changed["data"][0]["text"] == ["dark"] * 3
    assert changed["data"][0]["x"] == found["light"]["data"][0]["x"]


def changed_by(value: object, found: dict | None) -> object:
    """What slide_show.js makes of a difference."""
    if found is None:
        return value
    if "is" in found:
        return found["is"]
    copy = list(value) if isinstance(value, list) else dict(value)
    for key, inner in found["in"].items():
        key = int(key) if isinstance(value, list) else key
        copy[key] = changed_by(value[key], inner)
    return copy


@pytest.mark.parametrize(("one", "other"), [
    ({"a": 1, "b": [{"c": 2}, {"c": 3}]}, {"a": 1, "b": [{"c": 2}, {"c": 4}]}),
    ({"a": 1}, {"b": 1}),
    ([1, 2], [1, 2, 3]),
    ({"a": ["x", "y"]}, {"a": ["x", "z"]}),
    ({"a": {"in": 1}}, {"a": {"in": 2}}),
    (1, 1.0),
    (None, {"a": 1}),
])  # fmt: skip
def test_a_difference_makes_one_value_the_other(one: object, other: object):
    assert changed_by(one, difference(one, other)) == other
    assert difference(one, one) is None


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "//example.org"])
def test_a_link_is_an_address_of_the_web(link: str):
    with pytest.raises(ValueError, match="http"):
        as_slides(SlideShow("a", [Slide("b", link=link)]))


def test_a_page_that_is_too_large_names_its_heaviest_slide():
    many = np.random.default_rng(0).random((2, 100_000))
    heavy = Drawing([{"type": "scatter", "x": many[0], "y": many[1]}], {"height": 300})
    slides = [Slide("a"), Slide("b", blocks=[Picture(heavy, "a", "a")]), Slide("c")]
    with pytest.raises(TooLarge, match="slide 2") as caught:
        as_slides(SlideShow("a", slides), most=3_000_000)
    assert caught.value.heaviest == 1
    assert caught.value.size > 3_000_000
