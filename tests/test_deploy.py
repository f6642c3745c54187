"""Pages for operators: the files and settings that they name are there."""

import json
import re
from pathlib import Path

import pytest

from deploy.components import scripts, with_scripts
from lastviz.host.visitor import ALLOW
from lastviz.plots import plotlyjs

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "deploy").glob("*.md"))
SOURCES = [*(ROOT / "lastviz").rglob("*.py"), ROOT / "deploy" / "Containerfile"]
# Folders whose files are named from the root of the project.
NAMED = re.compile(r"`((?:\.\./)?(?:lastviz|deploy|tests|\.streamlit)/[\w./-]+\.\w+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]+)(?:#[^)]*)?\)")
NOT_THERE = {"deploy/notice.md", ".streamlit/secrets.toml"}  # the reader's own


def text_of(page):
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page):
    named = {name.removeprefix("../") for name in NAMED.findall(text_of(page))} - NOT_THERE
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
    assert [link for link in LINK.findall(text_of(page)) if not (page.parent / link).exists()] == []


def test_settings_that_pages_name_are_read_somewhere():
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    named = {name for page in PAGES for name in re.findall(r"\bLASTVIZ_[A-Z_]+\b", text_of(page))}
    assert ALLOW in named
    assert len(named) >= 9
    assert [name for name in sorted(named) if f'"{name}"' not in code and name not in code] == []


def test_the_security_notes_are_one_page_that_names_the_code():
    notes = text_of(ROOT / "deploy" / "security.md")
    assert len(notes.splitlines()) <= 100
    assert len(set(NAMED.findall(notes))) >= 20


def test_every_page_for_operators_is_linked_from_the_first_one():
    first = text_of(ROOT / "deploy" / "README.md")
    assert {page.name for page in PAGES} - {"README.md"} <= set(LINK.findall(first))


def test_the_list_of_components_has_the_scripts_that_the_package_carries():
    bom = with_scripts({"bomFormat": "CycloneDX", "components": [{"name": "numpy"}]})
    names = {each["name"]: each.get("version") for each in bom["components"]}
    assert names == {"numpy": None} | scripts()
    head = plotlyjs.FILE.read_text(encoding="utf-8")[:200]
    assert f"v{names['plotly.js-cartesian-dist-min']}" in head
    assert json.loads(json.dumps(bom))["bomFormat"] == "CycloneDX"
