"""Every step of every scene of the course: pictures, and no faults.

Two looks at each are part of ``.ci/run``; all sizes in both languages are of ``make test-all``.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from lastviz.ui.state.codec import encode
from lastviz.ui.state.course import CourseScene
from lastviz.ui.state.lessons import SCENES

from .app import address
from .looking import Look, looking, sampled_looks

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def look(browser: Browser, server: str) -> Iterator[Look]:
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
def test_no_step_of_a_lesson_has_a_fault(
    look: Look, scene: CourseScene, size: str, language: str
) -> None:
    links = [
        address(step.page, urlencode(encode(scene.at(n))))
        for n, step in enumerate(scene.steps, start=1)
    ]
    assert [fault for link in links for fault in look(link, size, language)] == []
