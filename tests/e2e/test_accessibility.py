"""Every page passes axe-core's rules of WCAG 2.2 AA, in both themes and every language."""

from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe

from lastviz.ui.frame import PAGES
from lastviz.ui.text import languages

from .app import address, ready

pytestmark = pytest.mark.e2e

STANDARD = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
RULES = {"runOnly": {"type": "tag", "values": list(STANDARD)}}
# Streamlit's own menu of a phone: a list whose parts have heads, which no option of ours mends.
OF_STREAMLIT = {"exclude": [['[data-testid="stSidebarNavItems"]']]}
# Each page in one theme and language always; in every pair of them among the slow tests.
PAIRS = tuple(product(("light", "dark"), languages()))
SEEN = [
    pytest.param(
        name, *pair, id="-".join([name, *pair]),
        marks=[pytest.mark.slow] * ((n + place) % len(PAIRS) > 0),
    )
    for n, name in enumerate(PAGES)
    for place, pair in enumerate(PAIRS)
]  # fmt: skip
STATES = {
    "a stage": "boundaries?data=iris&m=cart&stage=1",
    "hidden answers": "rules?data=iris&m=cart&quiz=1",
    "a step of the course": "splits?data=xor&held=0&m=cart&scene=xor.1",
    "an edited tree": "splits?data=xor&held=0&m=cart&e=0T1_0.5",
    "nodes and links": "rules?data=wine&m=c45&drawing=node-link",
    "a table of a paper": "papers?paper_table=bnm_csn2",
    "an audit": "monotone?data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
}
SCENES = {"boundaries": "data=moons&models=cart", "data": "data=wine"}  # not only the defaults


def serious(page):
    """Return what axe-core finds that keeps somebody from using the page."""
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in Axe().run(page, context=OF_STREAMLIT, options=RULES).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("name", "scheme", "code"), SEEN)
def test_a_page_has_no_serious_fault(open_page, name, scheme, code):
    page = open_page(address(name, f"{SCENES.get(name, '')}&lang={code}"), scheme=scheme)
    page.wait_for_function("code => document.documentElement.lang === code", arg=code)
    assert serious(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("link", STATES.values(), ids=STATES)
def test_a_state_of_a_page_has_none(open_page, link, scheme):
    assert serious(open_page(f"/{link}", scheme=scheme)) == []


@pytest.mark.parametrize("name", ["home", "boundaries", "splits", "rules"])
def test_a_phone_and_twice_the_letters_lose_nothing(open_page, name):
    page = open_page(address(name), size="phone")
    assert serious(page) == []
    page.set_viewport_size({"width": 720, "height": 450})  # a 1440 screen at 200 %
    ready(page)
    wider = "() => document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"
    assert not page.evaluate(wider)


@pytest.mark.slow
@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_320_pixels(open_page, name, code):
    """WCAG 1.4.10: what is read needs no scrolling in two directions."""
    page = open_page(address(name, f"{SCENES.get(name, '')}&lang={code}"), size="phone")
    page.set_viewport_size({"width": 320, "height": 640})
    ready(page)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"
    )
