"""Every page passes axe-core's rules of WCAG 2.2 AA, in both themes and every language."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from lastviz.ui.frame import PAGES
from lastviz.ui.text import languages

from .app import ready
from .conftest import OpenPage

pytestmark = pytest.mark.e2e

STANDARD = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
RULES = {"runOnly": {"type": "tag", "values": list(STANDARD)}}
# Streamlit's own menu of a phone: a list whose parts have heads, which no option of ours mends.
OF_STREAMLIT = {"exclude": [['[data-testid="stSidebarNavItems"]']]}
SEEN = (("light", languages()[0]), ("dark", languages()[-1]))
SCENES = {"boundaries": "data=moons&models=cart", "data": "data=wine"}  # not only the defaults


def serious(page: Page) -> list[str]:
    """Return what axe-core finds that keeps somebody from using the page."""
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in Axe().run(page, context=OF_STREAMLIT, options=RULES).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_serious_fault(open_page: OpenPage, name: str) -> None:
    for scheme, code in SEEN:
        page = open_page(f"/{name}?{SCENES.get(name, '')}&lang={code}", scheme=scheme)
        page.wait_for_function("code => document.documentElement.lang === code", arg=code)
        assert serious(page) == []
        page.close()


@pytest.mark.parametrize("name", ["home", "boundaries", "splits", "rules"])
def test_a_phone_and_twice_the_letters_lose_nothing(open_page: OpenPage, name: str) -> None:
    page = open_page(f"/{name}", size="phone")
    assert serious(page) == []
    page.set_viewport_size({"width": 720, "height": 450})  # a 1440 screen at 200 %
    ready(page)
    wider = "() => document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"
    assert not page.evaluate(wider)


@pytest.mark.slow
@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_320_pixels(open_page: OpenPage, name: str, code: str) -> None:
    """WCAG 1.4.10: what is read needs no scrolling in two directions."""
    page = open_page(f"/{name}?{SCENES.get(name, '')}&lang={code}", size="phone")
    page.set_viewport_size({"width": 320, "height": 640})
    ready(page)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"
    )
