"""A report is one page that fetches nothing and runs nothing but what we wrote."""

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

from lastviz.export.html_report import (
    MOST_BYTES,
    Heading,
    Listing,
    Picture,
    Report,
    Section,
    Table,
    Text,
    Words,
    as_html,
)
from lastviz.plots import Drawing

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}"


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
    trace = {
        "type": kind,
        "mode": "markers",
        "x": np.arange(3.0),
        "y": np.ones(3),
        "text": [text] * 3,
    }
    layout = {
        "height": 300,
        "width": 900,
        "uirevision": "a",
        "meta": {"hits": []},
        "title": {"text": text},
    }
    return Drawing([trace], layout)


def report_of(text: str = "words", **changes: object) -> Report:
    blocks = [
        Heading(text), Text(text), Listing(text), Words("<p class='ours'>ours</p>"),
        Table(text, [text], [[text]]), Table(text, [text], [[text]], folded=True),
        Picture(drawing("scattergl", text), text, text),
    ]  # fmt: skip
    about = {"title": text, "lead": [text], "sections": [Section(text, blocks)], "language": "de"}
    return Report(**(about | changes))


def pictures_of(reader: Reader) -> list[dict]:
    places = [attributes.get("id") for attributes in reader.named("script")]
    packed = reader.scripts[places.index("pictures")]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_no_text_becomes_a_tag():
    clean, hostile = Reader(as_html(report_of("a"))), Reader(as_html(report_of(HOSTILE)))
    assert [tag for tag, _ in clean.tags] == [tag for tag, _ in hostile.tags]
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)
    assert hostile.scripts[-1] == clean.scripts[-1]  # the loader
    page = as_html(report_of(HOSTILE))
    assert "{{7*7}}" in page
    assert "<img src=x" not in page
    assert pictures_of(hostile)[0]["data"][0]["text"][0] == HOSTILE


def test_the_policy_names_the_two_scripts_and_nothing_else():
    reader = Reader(as_html(report_of()))
    policy = next(a["content"] for a in reader.named("meta") if "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    scripts = dict(zip([a.get("id") for a in reader.named("script")], reader.scripts, strict=True))
    run = [gzip.decompress(base64.b64decode(scripts["plotly"])), scripts[None].encode()]
    hashes = [base64.b64encode(hashlib.sha256(code).digest()).decode() for code in run]
    assert rules["script-src"].split() == [f"'sha256-{code}'" for code in hashes]


def test_nothing_is_fetched():
    reader = Reader(as_html(report_of(link="https://example.org/boundaries?data=xor")))
    assert not any("src" in attributes for _, attributes in reader.tags)
    assert not reader.named("link")
    assert [a["href"] for a in reader.named("a")] == [
        "https://example.org/boundaries?data=xor",
        "#part-1",
    ]


def test_it_is_accessible():
    page = as_html(report_of())
    reader = Reader(page)
    assert reader.named("html") == [{"lang": "de"}]
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    picture = next(a for a in reader.named("div") if a.get("class") == "picture")
    assert picture["role"] == "img"
    assert picture["aria-label"] == "words"
    assert len(reader.named("caption")) == 2
    assert all(a["scope"] == "col" for a in reader.named("th"))
    assert "@media print" in page
    assert "prefers-color-scheme: dark" in page


def test_figures_need_no_compiler_and_no_app():
    figure = pictures_of(Reader(as_html(report_of())))[0]
    assert figure["data"][0]["type"] == "scatter"  # WebGL would compile code
    assert not {"meta", "uirevision", "width"} & set(figure["layout"])


def test_a_report_without_figures_carries_no_library():
    page = as_html(report_of(sections=[Section("a", [Text("b")])]))
    assert "<script" not in page
    assert "script-src 'none'" in page


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "//example.org"])
def test_a_link_is_an_address_of_the_web(link: str):
    with pytest.raises(ValueError, match="http"):
        as_html(report_of(link=link))


def test_a_report_stays_below_its_limit():
    many = np.random.default_rng(0).random((2, 600_000))
    figure = Drawing([{"type": "scatter", "x": many[0], "y": many[1]}], {"height": 300})
    with pytest.raises(ValueError, match=str(MOST_BYTES)):
        as_html(report_of(sections=[Section("a", [Picture(figure, "a", "a")])]))
    assert len(as_html(report_of()).encode()) < MOST_BYTES / 2
