"""Pages for readers: their Python runs, their links lead somewhere, the site is built whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.blocks import blocks_of, run
from lastviz.criteria import CRITERIA
from lastviz.estimators import ESTIMATORS

from .datasets.spreadsheets import workbook
from .needed import needs

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Its blocks are parts of files; tests/test_adding.py puts them there.
PARTS = ROOT / "docs/adding.md"
RUNNABLE = [p for p in PAGES if p != PARTS and blocks_of(p.read_text(encoding="utf-8"))]
FIGURES = 7  # of the guide
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to run in, with the file that a page reads; criteria of pages go again."""
    monkeypatch.chdir(tmp_path)
    rows = [["Sales"], ["of a year"], ["since", "sum"], ["2024-01-05", "1,5"], ["2024-03-01", "2"]]
    (tmp_path / "book.xlsx").write_bytes(workbook({"Sales": rows}))
    before = set(CRITERIA)
    yield tmp_path
    for name in set(CRITERIA) - before:
        del CRITERIA[name]


@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_every_block_of_a_page_runs(page, place):
    names = {"__name__": "__main__"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        try:
            run(block.code, names)
        except Exception as error:
            raise AssertionError(f"{name_of(page)}, line {block.line}") from error


def test_the_guide_says_numbers_that_its_blocks_print(place):
    names, printed = {"__name__": "__main__"}, ""
    text = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
    figures = 0
    for block in blocks_of(text):
        said, value = run(block.code, names)
        printed, figures = printed + said, figures + hasattr(value, "_repr_html_")
    assert figures == FIGURES
    assert f"{names['tree'].tree_.n_leaves} leaves, {names['changed'].tree_.n_leaves}" in printed
    assert names["tree"].tree_.n_leaves != names["changed"].tree_.n_leaves


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_within_the_project_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    links = [link for link in LINK.findall(text) if not re.match(r"[a-z]+:", link)]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_algorithm_has_a_page_with_all_its_parts():
    folder = ROOT / "docs/algorithms"
    texts = {p.stem: p.read_text(encoding="utf-8") for p in folder.glob("*.md")}
    index = texts.pop("index")
    everything = " ".join(texts.values())
    assert [e.cls.__name__ for e in ESTIMATORS.values() if e.cls.__name__ not in everything] == []
    parts = ("**Idea.**", "**Formula.**", "**Decisions.**", "**What reproduces.**", "{deviations}")
    assert [(name, p) for name, text in texts.items() for p in parts if p not in text] == []
    assert [name for name in texts if f"({name}.md)" not in index] == []


def test_every_page_stands_in_a_list_of_the_site():
    listed = " ".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("index.md", "more.md")
    ).split()
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert sorted(pages - set(listed)) == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_needs_no_network(tmp_path):
    needs("sphinx", "Sphinx")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    shutil.rmtree(ROOT / "docs/api/made", ignore_errors=True)  # of names that may be gone
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*build, "-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "site")],
        env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = {p: p.read_text(encoding="utf-8") for p in (tmp_path / "site").rglob("*.html")}
    assert len(pages) > 300
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//')
    assert [p.name for p, text in pages.items() if loaded.search(text)] == []
    dead = [
        (page.name, link)
        for page, text in pages.items()
        for link in re.findall(r'<a[^>]*href="([^"#:]+)(?:#[^"]*)?"', text)
        if not (page.parent / link).exists()
    ]
    assert dead == []
    guide = pages[tmp_path / "site" / "guide.html"]
    assert guide.count('class="figure-of-block"') == FIGURES
    assert "plotly.min.js" in guide
    assert "plotly.min.js" not in pages[tmp_path / "site" / "more.html"]
