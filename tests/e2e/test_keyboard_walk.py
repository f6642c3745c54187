"""Every page by Tab alone: all is reached and seen, nothing holds the focus (WCAG 2.1, 2.4)."""

import pytest

from lastviz.ui.frame import PAGES

from .app import address
from .walking import walk

pytestmark = pytest.mark.e2e

ALWAYS = ("home", "privacy", "rules")  # the others are among the slow tests
NAMES = [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in PAGES]
STATES = {
    "a stage": "splits?data=iris&m=cart&stage=1",
    "a step of the course": "boundaries?data=xor&held=0&m=cart&scene=xor.1",
    "hidden answers": "rules?data=iris&m=cart&quiz=1",
    "an edited tree": "splits?data=xor&held=0&m=cart&e=0T1_0.5",
}


@pytest.mark.parametrize("name", NAMES)
def test_tab_goes_through_a_page_in_its_order_and_leaves_it(open_page, name):
    found = walk(open_page(address(name)))
    assert found.ended
    assert found.left == ()
    assert found.blind == ()
    assert found.covered == []
    assert found.back == []


@pytest.mark.slow
@pytest.mark.parametrize("size", ["projector", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_covered_on_the_way_back(open_page, name, size):
    found = walk(open_page(address(name), size=size), "Shift+Tab")
    assert found.ended
    assert found.left == ()
    assert found.covered == []


@pytest.mark.slow
@pytest.mark.parametrize("link", STATES.values(), ids=STATES)
def test_tab_goes_through_a_state_of_a_page(open_page, link):
    found = walk(open_page(f"/{link}"))
    assert found.ended
    assert (found.left, found.blind, found.covered) == ((), (), [])
