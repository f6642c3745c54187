"""Guess first: a lesson, a story with own data, a quiz in own words; a teacher and two pupils."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.ui.quiz.asking import pose
from lastviz.ui.quiz.guess import first_cut, question_of
from lastviz.ui.state.lessons import scene_named

from .app import arrive, at_rest, go_to, hand_in, kept, query, ready, still
from .test_quiz import button, counts

pytestmark = pytest.mark.e2e

CUT = ".lvq-cut b"


def go(page):
    return page.locator(".lvq-go")


def handle(page):
    return page.locator(".lv-guess [role=slider]")


def joined(open_page, code):
    """Two pupils in a room, one of them on a phone in the dark."""
    ann = open_page(f"/quiz?room={code}", elsewhere=True)
    return ann, open_page(f"/quiz?room={code}", elsewhere=True, size="phone", scheme="dark")


def room_of(teacher):
    code = teacher.locator(".lv-quiz-code b")
    expect(code).to_have_text(re.compile("^[A-Z]{6}$"))
    return code.inner_text()


def nowhere_to_be_seen(page, *words):
    for word in words:
        expect(page.get_by_test_id("stMain")).not_to_contain_text(word)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def table(page):
    cells = page.locator(".lvq-side tr").all()
    return [[cell.inner_text() for cell in row.locator("td, th").all()] for row in cells]


def guess_with_the_mouse(page, selection):
    """Drag the line into the gap, and compare the table with what the same functions say here."""
    box = page.locator(".lvq-ground").bounding_box()
    x, y = (
        handle(page)
        .locator("circle")
        .last.evaluate(
            "(one) => { const box = one.getBoundingClientRect(); return [box.x + 9, box.y + 9] }"
        )
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.55 * box["width"], y + 40, steps=6)
    page.mouse.up()
    test = page.locator(CUT).inner_text()
    go(page).click()
    expect(page.locator(".lvq-side [role=status]")).to_contain_text("fewer errors here:")
    expect(go(page)).to_be_focused()
    posed = pose(question_of(selection), "light")
    best = first_cut(posed, posed.answer)
    _, *rows = table(page)
    assert rows[0] == ["first cut", test, best.test]
    assert rows[2][2] == "1"
    assert rows[3][2] == str(best.wrong)
    assert int(rows[3][1]) < best.wrong
    press(page, "Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("Two classes, four clouds")
    assert "ask" not in query(page)


def guess_with_keys(page):
    """Move the line, turn it, answer, think again, and skip the question."""
    handle(page).focus()
    before = page.locator(CUT).inner_text()
    press(page, "ArrowRight", "Shift+ArrowRight")
    expect(page.locator(CUT)).not_to_have_text(before)
    expect(handle(page)).to_have_attribute(
        "aria-valuetext", re.compile("^x1 ≤ .* rows on its two sides$")
    )
    press(page, " ")
    expect(page.locator(CUT)).to_have_text(re.compile("^x2 ≤"))
    expect(handle(page)).to_have_attribute("aria-orientation", "vertical")
    press(page, "Enter")
    expect(page.locator(".lvq-minis figure")).to_have_count(2)
    page.get_by_role("button", name="Guess again").click()
    expect(page.locator(CUT)).to_have_text(re.compile("^x2 ≤"))
    page.get_by_role("button", name="Skip the question").click()
    expect(page.locator(".lvq-side [role=status]")).to_contain_text("CART cuts at x")
    expect(page.locator(".lvq-minis figure")).to_have_count(1)


LESSON = "/splits?" + "&".join(f"{k}={v}" for k, v in scene_named("xor").query_of(1).items())


@pytest.mark.main
def test_the_lesson_on_xor_begins_with_a_guess(open_page):
    scene = scene_named("xor")
    teacher = open_page(LESSON)
    expect(teacher.get_by_role("heading", name="Where would you cut first?")).to_be_visible()
    nowhere_to_be_seen(teacher, "Two classes, four clouds", "lowers the impurity")
    assert not teacher.locator(".lvq-ink").count()
    ann = open_page(LESSON, elsewhere=True)
    bob = open_page(LESSON, elsewhere=True, size="phone", scheme="dark")

    guess_with_the_mouse(ann, scene.at(1))
    guess_with_keys(bob)

    # The teacher asks the class the same, in a room.
    teacher.get_by_role("button", name="Ask my class").click()
    pupils = joined(open_page, room_of(teacher))
    ready(teacher)
    button(teacher, "quiz_next").click()
    for pupil in pupils:
        expect(pupil.get_by_text("Where would CART split first?")).to_be_visible()
        ready(pupil)
        button(pupil, "quiz_answer").click()
        expect(pupil.get_by_text("Your answer: x1 ≤")).to_be_visible()
    expect(teacher.get_by_text("2 answers")).to_be_visible()
    nowhere_to_be_seen(teacher, "cut through the middle")
    button(teacher, "quiz_show").click()
    expect(teacher.get_by_text("2 of 2 cut through the middle")).to_be_visible()


def swipe(page, start, end):
    """Move a finger over the screen in ten steps."""
    screen = page.context.new_cdp_session(page)
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    ways = [(a, (b - a) / 10) for a, b in zip(start, end, strict=True)]
    for n in range(11):
        x, y = (a + n * step for a, step in ways)
        kind = "touchMove" if n else "touchStart"
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle_of(element):
    box = at_rest(element)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_scrolls_over_the_plane_and_moves_its_line(open_page):
    page = open_page(LESSON, elsewhere=True, size="phone")
    x, y = middle_of(page.locator(".lvq-ground"))
    scrolled = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    before, cut = page.evaluate(scrolled), page.locator(CUT).inner_text()
    swipe(page, (x, y + 60), (x, y - 90))
    page.wait_for_function(f"(before) => ({scrolled})() > before", arg=before)
    expect(page.locator(CUT)).to_have_text(cut)

    x, y = middle_of(page.locator(".lvq-ground"))
    swipe(page, (x - 60, y), (x + 60, y))
    expect(page.locator(CUT)).not_to_have_text(cut)

    page.get_by_role("button", name="Horizontal").click()
    cut, circle = page.locator(CUT).inner_text(), page.locator(".lvq-handle")
    x, y = middle_of(circle)
    before = page.evaluate(scrolled)
    swipe(page, (x, y), (x, y - 60))
    expect(page.locator(CUT)).not_to_have_text(cut)
    assert page.evaluate(scrolled) == before


def test_a_story_file_with_own_data_asks_before_a_slide_shows(open_page, tmp_path):
    teacher = open_page("/data", elsewhere=True)
    hand_in(teacher, "clouds.csv", to_csv(load_dataset("xor", n_samples=80)))
    arrive(teacher, lambda url: "file=" in url)
    still(teacher)
    go_to(teacher, "Splits")
    still(teacher)
    teacher.locator(".st-key-story_add button").click()
    ready(teacher)
    teacher.get_by_test_id("stTopNavSection").click()  # what has no room in the header
    teacher.get_by_role("menuitem", name="Story").click()
    arrive(teacher, lambda url: "/story?" in url)
    still(teacher)
    teacher.get_by_text("A question first").click()
    teacher.get_by_role("textbox", name="The question in your own words").fill("Where do I cut?")
    press(teacher, "Tab")
    ready(teacher)
    button(teacher, "story_ask_this").click()
    expect(button(teacher, "story_ask_nothing")).to_be_visible()
    still(teacher)
    saved = kept(teacher, "Save as a file", tmp_path)
    assert saved.suffix == ".lastviz"

    for size, scheme in (("projector", "light"), ("phone", "dark")):
        pupil = open_page("/story", elsewhere=True, size=size, scheme=scheme)
        hand_in(pupil, saved.name, saved.read_bytes())
        button(pupil, "story_present").click()
        heading = pupil.get_by_role("heading", name="Where do I cut?")
        expect(heading).to_be_visible()
        nowhere_to_be_seen(pupil, "best of")
        handle(pupil).focus()
        press(pupil, *["Shift+ArrowRight"] * 3)
        expect(heading).to_be_visible()  # an arrow turns no slide while it moves the line
        press(pupil, "Enter")
        expect(pupil.locator(".lvq-minis figure")).to_have_count(2)
        press(pupil, "Enter")
        expect(heading).to_have_count(0)
        expect(pupil.locator(".lv-figure .main-svg").first).to_be_visible()


def test_a_quiz_asks_in_the_words_of_its_teacher(open_page):
    teacher = open_page("/quiz?data=moons&m=cart", elsewhere=True)
    teacher.locator(".st-key-quiz_kind").get_by_text("How many rows does it get wrong?").click()
    ready(teacher)
    words = teacher.get_by_role("textbox", name="The question in your own words")
    words.fill("How many *mistakes* on the moons?")
    press(teacher, "Tab")
    heading = teacher.locator(".st-key-quiz_head h3")
    expect(heading).to_have_text("How many *mistakes* on the moons?")
    off = teacher.get_by_role("spinbutton", name="Right if off by at most")
    off.fill("2")
    press(teacher, "Tab")
    still(teacher)
    button(teacher, "quiz_add").click()
    expect(teacher.get_by_test_id("stMain").get_by_text("1 question")).to_be_visible()
    ready(teacher)
    button(teacher, "quiz_room_open").click()
    ann, bob = joined(open_page, room_of(teacher))
    ready(teacher)
    button(teacher, "quiz_next").click()
    for pupil in (ann, bob):
        expect(pupil.locator(".st-key-quiz_head h3")).to_have_text(heading.inner_text())
        ready(pupil)
    slider = ann.get_by_role("slider")
    slider.focus()
    press(ann, *["ArrowLeft"] * 5)
    still(ann)
    for pupil in (ann, bob):
        button(pupil, "quiz_answer").click()
        expect(pupil.get_by_text("Your answer:")).to_be_visible()
    expect(teacher.get_by_text("2 answers")).to_be_visible()
    nowhere_to_be_seen(teacher, "are right.")
    button(teacher, "quiz_show").click()
    expect(teacher.get_by_text("of 2 are right.")).to_be_visible()
    assert sum(int(text.split()[0]) for text in counts(teacher).values()) == 2
    for page in (ann, bob, teacher):
        expect(page.locator(".lv-quiz-card")).to_contain_text("held-out rows wrong.")
        expect(page.locator(".lv-quiz-card")).to_contain_text("Up to 2 off is near enough.")
