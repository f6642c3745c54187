"""Every step of every scene of the course: pictures, and no faults.

Two looks at each are part of ``.ci/run``; all sizes in both languages are of ``make test-all``.
"""

from urllib.parse import urlencode

import pytest

from lastviz.ui.state.codec import encode
from lastviz.ui.state.lessons import SCENES

from .app import address
from .looking import looking, sampled_looks

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def look(browser, server):
    with looking(browser, server) as look:
        yield look


@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [
        pytest.param(scene, *each.values, marks=each.marks, id="-".join((scene.key, *each.values)))
        for turn, scene in enumerate(SCENES)
        for each in sampled_looks(turn)
    ],
)
def test_no_step_of_a_lesson_has_a_fault(look, scene, size, language):
    links = [
        address(step.page, urlencode(encode(scene.at(n))))
        for n, step in enumerate(scene.steps, start=1)
    ]
    assert [fault for link in links for fault in look(link, size, language)] == []
