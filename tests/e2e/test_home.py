"""The first page in a browser: its tree grows by itself, once, and can be taken over."""

import re

import pytest
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e

PICTURE = ".lv-alone-plane svg"
FRAME = "() => document.querySelector('.lv-alone').dataset.question"
MARKS = "() => document.querySelector('.lv-alone-plane svg').innerHTML"
SAID = "() => document.querySelector('.lv-alone-say').innerText"
QUESTIONS = 6
# What is seen of each question, between two steps of the page: a test that asks may come too late.
LOOKS = f"""
window.looks = {{}};
setInterval(() => {{
    const parts = document.querySelectorAll(".lv-alone, .lv-alone-plane svg, .lv-alone-say");
    if (parts.length < 3) return;
    const [question, ...seen] = [{FRAME}, {SAID}, {MARKS}].map((look) => look());
    if (question !== undefined) window.looks[question] ??= seen;
}}, 20);
"""


def wrong(said):
    return int(re.search(r"(\d+) of 300", said)[1])


@pytest.mark.main
def test_the_tree_grows_by_itself_then_stands_and_a_dot_stops_it_at_its_question(open_page):
    page = open_page("/")
    page.add_init_script(LOOKS)
    page.reload()  # the page itself may take longer to be quiet than the tree to grow
    page.wait_for_function(f"window.looks[{QUESTIONS}]")
    seen = page.evaluate("window.looks")
    counts = [wrong(seen[key][0]) for key in sorted(seen)]
    assert len(seen) > 3
    assert counts == sorted(counts, reverse=True)
    assert len({marks for _, marks in seen.values()}) == len(seen)
    last = page.evaluate(MARKS)
    page.wait_for_timeout(1500)
    assert page.evaluate(MARKS) == last
    page.get_by_role("button", name="Again").click()
    page.wait_for_function(f"{FRAME[6:]} < {QUESTIONS}")
    page.wait_for_function(f"{FRAME[6:]} == {QUESTIONS}")
    page.get_by_role("button", name="Again").click()
    dot = page.get_by_role("button", name="Question 2")
    dot.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lv-alone-say")).to_contain_text("Question 2")
    page.wait_for_timeout(1500)
    expect(page.locator(".lv-alone-say")).to_contain_text("Question 2")
    expect(dot).to_have_attribute("aria-current", "step")
    told = page.locator(PICTURE).get_attribute("aria-label")
    assert f"{wrong(page.evaluate(SAID))} of 300 dots are still wrong" in told


def test_without_motion_the_grown_tree_is_there_at_once_and_stands(open_page):
    page = open_page("/privacy")
    page.emulate_media(reduced_motion="reduce")
    page.goto(page.url.replace("/privacy", "/"))
    page.wait_for_selector(f"{PICTURE} path")
    first = page.evaluate(MARKS)
    assert page.evaluate(FRAME) == str(QUESTIONS)
    page.wait_for_timeout(1500)
    assert page.evaluate(MARKS) == first
    page.get_by_role("button", name="Play it").click()
    page.wait_for_function(f"{FRAME[6:]} < {QUESTIONS}")


def test_the_tree_that_grew_is_the_one_that_boundaries_opens(open_page):
    page = open_page("/")
    page.wait_for_function(f"{FRAME[6:]} == {QUESTIONS}")
    left = wrong(page.evaluate(SAID))
    link = page.get_by_role("link", name="Make it yours")
    address = link.get_attribute("href")
    link.click()
    page.wait_for_url("**/boundaries?data=moons**")
    ready(page)
    found = """() => document.querySelector('.lv-figure').data
        .filter((trace) => trace.meta?.role === 'wrong').map((trace) => trace.x.length)"""
    assert page.evaluate(found) == [left]
    elsewhere = open_page(address, elsewhere=True)  # the link alone says as much
    assert elsewhere.evaluate(found) == [left]


def test_a_lesson_that_was_gone_through_has_its_tick_also_another_day(open_page):
    page = open_page("/")
    path = page.locator(".st-key-course_path")
    expect(path.get_by_role("img", name="done")).to_have_count(0)
    path.get_by_role("link", name="What is a split?").click()
    for n in (1, 2):
        expect(page.locator(".lv-course")).to_contain_text(f"Step {n} of 3")
        ready(page)
        page.get_by_role("button", name="Next step").click()
    expect(page.locator(".lv-course")).to_contain_text("Step 3 of 3")
    ready(page)
    page = open_page("/")  # with nothing but what the browser keeps
    expect(page.get_by_text("1 of 12 lessons done")).to_be_visible()
    expect(page.get_by_role("img", name="Lesson 1, done")).to_be_visible()
    page.get_by_role("link", name="Go on with 2").click()
    expect(page.locator(".lv-course")).to_contain_text("Which question is most informative?")


def test_the_first_screen_has_the_tree_the_doors_and_the_course(open_page):
    page = open_page("/")
    page.set_viewport_size({"width": 1440, "height": 900})
    for key in ("hero", "doors", "course_path"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] + box["height"] <= 900
    page.set_viewport_size({"width": 390, "height": 844})
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_table_may_be_dropped_anywhere_on_its_card(open_page):
    page = open_page("/")
    ready(page)
    card = page.locator(".st-key-door-data").bounding_box()
    assert card is not None
    corner = [card["x"] + 0.95 * card["width"], card["y"] + 0.1 * card["height"]]
    page.evaluate(
        """([x, y]) => {
            const dataTransfer = new DataTransfer();
            const rows = "a,b,c\\n1,2,x\\n2,3,y\\n3,1,x\\n4,4,y\\n";
            dataTransfer.items.add(new File([rows], "small.csv", { type: "text/csv" }));
            for (const type of ["dragenter", "dragover", "drop"])
                document.elementFromPoint(x, y).dispatchEvent(
                    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        corner,
    )
    page.wait_for_url("**/data?**file=small.csv**")
