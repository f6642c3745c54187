"""A page as a file fetches nothing and runs nothing but what we wrote, read on or turned."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from lastviz.export.blocks import (
    Columns,
    GrowthPlayer,
    Heading,
    Listing,
    PageFile,
    Picture,
    Section,
    Table,
    Text,
    Words,
)
from lastviz.export.page_file import CLEAR, MOST_BYTES, WHITE, TooLarge, as_page, difference
from lastviz.plots import Drawing

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}"
PLAYER = "function mountPlayer(root) { return { show() {}, follow() {} }; }"


class Reader(HTMLParser):
    """Every tag with its attributes, and what stands in scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.scripts: list[str] = []
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and tag == "script":
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data

    def named(self, name: str) -> list[dict]:
        return [attributes for tag, attributes in self.tags if tag == name]


def drawing(kind: str = "scatter", text: str = "a") -> Drawing:
    trace = {"type": kind, "mode": "markers", "x": np.arange(3.0), "y": np.ones(3)}
    layout = {"height": 300, "width": 900, "uirevision": "a", "meta": {"hits": []}}
    trace["text"], layout["title"] = [text] * 3, {"text": text}
    return Drawing([trace], layout)


def reading(text: str = "words", **changes: object) -> PageFile:
    """A report."""
    blocks = [
        Heading(text), Text(text), Listing(text), Words("<p class='ours'>ours</p>"),
        Table(text, [text], [[text]]), Table(text, [text], [[text]], folded=True),
        Picture(drawing("scattergl", text), text, text),
    ]  # fmt: skip
    about = {"title": text, "lead": [text], "sections": [Section(text, blocks)], "language": "de"}
    return PageFile(**(about | changes))


def turning(text: str = "words", **changes: object) -> PageFile:
    """Slides, in both themes."""
    picture = Picture(drawing("scattergl", text), text, text)
    story = json.dumps({"title": text})
    blocks = [
        Words("<p class='ours'>ours</p>"),
        Columns([[picture], [Text(text), GrowthPlayer(story, 2, text)]], (3, 2)),
    ]
    link = "https://example.org/a?b=c"
    slide = Section(text, blocks, blocks, about=text, caption=text, notes=text, link=link)
    sections = [slide, Section(text, caption=text)]
    about = {"title": text, "sections": sections, "player": PLAYER, "turns": True}
    return PageFile(**(about | changes))


KINDS = pytest.mark.parametrize("made", [reading, turning])


def drawn_in(reader: Reader, section: int) -> list[dict]:
    places = [attributes.get("id") for attributes in reader.named("script")]
    packed = reader.scripts[places.index(f"data-{section}")]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@KINDS
def test_no_text_becomes_a_tag(made):
    clean, hostile = Reader(as_page(made("a"))), Reader(as_page(made(HOSTILE)))
    assert [tag for tag, _ in clean.tags] == [tag for tag, _ in hostile.tags]
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)
    assert hostile.scripts[-1] == clean.scripts[-1]  # the one that runs
    page = as_page(made(HOSTILE))
    assert "{{7*7}}" in page
    assert "<img src=x" not in page
    picture, *others = drawn_in(hostile, 1)
    assert picture["light"]["data"][0]["text"][0] == HOSTILE
    assert [growth["light"]["title"] for growth in others] == [HOSTILE] * (made is turning)


@KINDS
def test_the_policy_names_the_two_scripts_and_nothing_else(made):
    reader = Reader(as_page(made()))
    policy = next(a["content"] for a in reader.named("meta") if "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    scripts = dict(zip([a.get("id") for a in reader.named("script")], reader.scripts, strict=True))
    run = [gzip.decompress(base64.b64decode(scripts["plotly"])), scripts[None].encode()]
    hashes = [base64.b64encode(hashlib.sha256(code).digest()).decode() for code in run]
    assert rules["script-src"].split() == [f"'sha256-{code}'" for code in hashes]


@KINDS
def test_nothing_is_fetched(made):
    reader = Reader(as_page(made(link="https://example.org/boundaries?data=xor")))
    assert not any("src" in attributes for _, attributes in reader.tags)
    assert not reader.named("link")
    others = ["#section-1"] if made is reading else ["https://example.org/a?b=c"]
    assert [a["href"] for a in reader.named("a")] == [
        "https://example.org/boundaries?data=xor",
        *others,
    ]


@KINDS
def test_it_is_accessible(made):
    page = as_page(made(language="de"))
    reader = Reader(page)
    assert reader.named("html") == [{"lang": "de"}]
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    picture = next(a for a in reader.named("div") if a.get("class") == "picture")
    assert picture["role"] == "img"
    assert picture["aria-label"] == "words"
    assert len(reader.named("caption")) == 2 * (made is reading)
    assert all(a["scope"] == "col" for a in reader.named("th") if made is reading)
    assert "@media print" in page
    assert "prefers-color-scheme: dark" in page


def test_each_slide_can_be_read_aloud():
    reader = Reader(as_page(turning()))
    sections = reader.named("section")
    assert [each["aria-label"] for each in sections] == ["1 of 2", "2 of 2"]
    assert all(each["aria-roledescription"] == "slide" for each in sections)
    assert [each.get("tabindex") for each in reader.named("h2")] == ["-1", "-1"]
    assert any(a.get("aria-live") == "polite" for a in reader.named("p"))


@pytest.mark.parametrize(("made", "paper"), [(reading, WHITE), (turning, CLEAR)])
def test_figures_need_no_compiler_and_no_app(made, paper):
    figure = drawn_in(Reader(as_page(made())), 1)[0]["light"]
    assert figure["data"][0]["type"] == "scatter"  # WebGL would compile code
    assert figure["layout"]["paper_bgcolor"] == paper  # slides have both themes, and own papers
    assert not {"meta", "uirevision", "width"} & set(figure["layout"])


def test_a_report_without_figures_runs_no_script():
    page = as_page(reading(sections=[Section("a", [Text("b")])]))
    assert "<script" not in page
    assert "script-src 'none'" in page


def test_without_figures_there_is_no_library():
    page = as_page(PageFile("a", [Section("b", caption="c")], turns=True))
    assert 'id="plotly"' not in page
    assert len(page.encode()) < 60_000


def test_both_themes_are_in_one_page():
    light, dark = ([Words(f"<b>{name}</b>")] for name in ("light", "dark"))
    page = as_page(PageFile("a", [Section("b", light, dark)], turns=True))
    assert '<div class="words of-light"><b>light</b></div>' in page
    assert '<div class="words of-dark"><b>dark</b></div>' in page
    two = [[Picture(drawing(text=name), "alt", "")] for name in ("light", "dark")]
    page = as_page(PageFile("a", [Section("b", *two)], turns=True))
    found = drawn_in(Reader(page), 1)[0]
    changed = changed_by(found["light"], found["dark"])
    assert changed["data"][0]["text"] == ["dark"] * 3
    assert changed["data"][0]["x"] == found["light"]["data"][0]["x"]


def changed_by(value: object, found: dict | None) -> object:
    """What page.js makes of a difference."""
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
        as_page(reading(link=link))
    with pytest.raises(ValueError, match="http"):
        as_page(PageFile("a", [Section("b", link=link)], turns=True))


def test_a_page_that_is_too_large_names_its_heaviest_section():
    many = np.random.default_rng(0).random((2, 200_000))
    heavy = Drawing([{"type": "scatter", "x": many[0], "y": many[1]}], {"height": 300})
    sections = [Section("a"), Section("b", [Picture(heavy, "a", "a")]), Section("c")]
    for turns in (False, True):
        with pytest.raises(TooLarge, match="3000000 are allowed; section 2") as caught:
            as_page(PageFile("a", sections, turns=turns), most=3_000_000)
        assert caught.value.heaviest == 1
        assert caught.value.size > caught.value.most == 3_000_000
    assert len(as_page(reading()).encode()) < MOST_BYTES / 6
