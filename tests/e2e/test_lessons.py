"""The steps of a lesson: their text is in sight with the picture that it speaks of."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from lastviz.ui.state.lessons import SCENES, scene_named

from .app import address, ready, sampled, visit
from .looking import SEEN_AT

pytestmark = pytest.mark.e2e

# Whether the strip is in sight, and of what it speaks of the whole or a quarter of a window: of
# what stands farther below once a reader is there, of a table the first picture.
TOGETHER = """(key) => {
  const seen = (element, share) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    const least = Math.min(height, share * innerHeight);
    return Math.min(bottom, innerHeight) - Math.max(top, 0) >= least - 1;
  };
  const named = [...document.querySelectorAll(`.st-key-${key}`)].at(-1);
  const subject = named?.querySelector(".lv-frame, .lvg-frame, svg, canvas")
    ? named : document.querySelector(".lv-frame") ?? named;
  const isBelow = subject.getBoundingClientRect().top > innerHeight;
  if (isBelow) subject.scrollIntoView({ block: "end", behavior: "instant" });
  return seen(document.querySelector(".st-key-course_strip"), 1) && seen(subject, 0.25);
}"""


@pytest.mark.parametrize("key", sampled([scene.key for scene in SCENES], "split"))
def test_a_text_and_its_picture_are_in_sight_together(open_page, key):
    page, scene = open_page("/"), scene_named(key)
    page.set_viewport_size(SEEN_AT["laptop"])
    home, apart = page.url.rstrip("/"), []
    for n, step in enumerate(scene.steps, start=1):
        query = {name: text for name, text in scene.query_of(n).items() if name != "ask"}
        visit(page, home + address(step.page, urlencode(query)))
        if not page.evaluate(TOGETHER, step.points_at):
            apart.append((n, step.points_at))
    assert not apart


def test_a_step_begins_with_its_text_on_a_phone(open_page):
    scene = scene_named("overfitting")
    page = open_page(address(scene.page, urlencode(scene.query_of(1))), size="phone")
    for n in range(2, len(scene.steps) + 1):
        button = page.get_by_role("button", name="Next step")
        button.scroll_into_view_if_needed()
        button.click()
        place = page.get_by_text(f"Step {n} of {len(scene.steps)}")
        expect(place).to_be_visible()
        ready(page)
        expect(place).to_be_in_viewport()
        top = "() => document.querySelector('[data-testid=stMain]').scrollTop"
        assert page.evaluate(top) == 0
