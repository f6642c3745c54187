"""A quiz of three questions is built, and answered by a class of two browsers in a room."""

import re

import pytest
import segno
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e


def button(page, key):
    return page.locator(f".st-key-{key} button").first


def add(page, kind, n):
    """Add a question of a kind; the list says so before anything else is done."""
    page.locator(".st-key-quiz_kind").get_by_text(kind, exact=True).click()
    ready(page)
    heading = page.locator(".st-key-quiz_head h3")
    first = {"Where": "Where would", "Which class": "Which class", "Which node": "Which node"}
    wanted = next(words for name, words in first.items() if kind.startswith(name))
    expect(heading).to_have_text(re.compile(f"^{wanted}.*CART"))
    button(page, "quiz_add").click()
    expect(page.get_by_test_id("stMain").get_by_text(n)).to_be_visible()
    ready(page)


def drawn(page, start, end):
    """Draw a line over the plane, between two places given as shares of it."""
    page.get_by_role("button", name="Draw a line").click()
    box = page.locator(".lv-sheet").bounding_box()
    places = [(box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=6)
    page.mouse.up()


def counts(page):
    rows = page.locator(".lv-quiz-bars tr")
    return {
        row.locator("th").inner_text(): row.locator("td").last.inner_text() for row in rows.all()
    }


def opened_room(teacher):
    """Build a quiz of three questions and open a room with it; return its code."""
    add(teacher, "Where would it split first?", "1 question")
    add(teacher, "Which class is predicted here?", "2 questions")
    add(teacher, "Which node is wrong?", "3 questions")
    button(teacher, "quiz_room_open").click()
    code = teacher.locator(".lv-quiz-code b")
    expect(code).to_have_text(re.compile("^[A-Z]{6}$"))
    link = f"{teacher.url.partition('?')[0]}?room={code.inner_text()}"
    drawn = segno.make(link, error="m", micro=False)
    wanted = drawn.svg_data_uri(scale=6, border=2, dark="#000", light="#fff")
    image = teacher.get_by_role("img", name="QR code of the room")
    expect(image).to_have_attribute("src", wanted)
    assert image.evaluate("(image) => image.naturalWidth") > 100
    return code.inner_text()


def ask(teacher, pupils, question):
    ready(teacher)
    button(teacher, "quiz_next").click()
    for pupil in pupils:
        expect(pupil.get_by_text(question)).to_be_visible()
        ready(pupil)
        expect(pupil.get_by_text(question)).to_be_in_viewport()  # a phone was below the last one
        assert pupil.locator(".lv-quiz-card").count() == 0


def show(teacher, pages, words):
    ready(teacher)
    button(teacher, "quiz_show").click()
    for page in pages:
        expect(page.locator(".lv-quiz-card")).to_contain_text(words)


@pytest.mark.main
def test_a_quiz_is_built_and_a_class_answers_it(open_page):
    teacher = open_page("/quiz?data=iris&m=cart")
    room = opened_room(teacher)
    ann = open_page("/quiz", elsewhere=True)
    ann.get_by_role("textbox", name="Code of a room").fill(room.lower())
    ann.get_by_role("button", name="Join").click()
    bob = open_page(f"/quiz?room={room}", elsewhere=True, size="phone", scheme="dark")
    for pupil in (ann, bob):
        expect(pupil.get_by_text(f"You are in room {room}.")).to_be_visible()
    expect(teacher.get_by_text("2 joined")).to_be_visible()

    ask(teacher, (ann, bob), "Where would CART split first?")
    drawn(ann, (0.3, 0.1), (0.31, 0.9))
    expect(button(ann, "quiz_answer")).to_contain_text("sepal length ≤ 5.")
    ready(ann)
    button(ann, "quiz_answer").click()
    expect(ann.get_by_text("Your answer: sepal length")).to_be_visible()
    button(bob, "quiz_nowhere").click()
    expect(bob.get_by_text("Your answer: nowhere")).to_be_visible()
    expect(teacher.get_by_text("2 answers")).to_be_visible()
    assert counts(teacher)["sepal length"] == "1 of 2"
    assert counts(teacher)["nowhere: it stays one leaf"] == "1 of 2"
    show(teacher, (teacher, ann, bob), "CART takes petal")
    expect(ann.locator(".lv-quiz-card")).to_contain_text("% of the best")

    assert not bob.locator(".lv-scene").is_visible()  # nothing can be changed in a room
    ask(teacher, (ann, bob), "Which class does CART predict here?")
    expect(bob.get_by_test_id("stMain").get_by_role("button", name="setosa")).to_be_in_viewport()
    for pupil, name in ((ann, "versicolor"), (bob, "virginica")):
        pupil.get_by_test_id("stMain").get_by_role("button", name=name).click()
        expect(pupil.get_by_text(f"Your answer: {name}")).to_be_visible()
    expect(teacher.get_by_text("2 answers")).to_be_visible()
    assert counts(teacher) == {"setosa": "0 of 2", "versicolor": "1 of 2", "virginica": "1 of 2"}
    show(teacher, (teacher, bob), "Its path:")

    ask(teacher, (ann, bob), "Which node of this tree by CART is wrong?")
    ann.locator(".st-key-quiz_node").get_by_text("A", exact=True).click()
    expect(button(ann, "quiz_answer")).to_contain_text("A:")
    ready(ann)
    button(ann, "quiz_answer").click()
    expect(teacher.get_by_text("1 answer")).to_be_visible()
    show(teacher, (ann,), "You found it.")

    ready(teacher)
    button(teacher, "quiz_next").click()
    expect(bob.get_by_text("You had 0 of 3 right.")).to_be_visible()
    ready(teacher)
    teacher.get_by_role("button", name="End the room").click()
    button(teacher, "quiz_end").click()
    expect(ann.get_by_text("has ended")).to_be_visible()


def test_from_nothing_a_question_is_answered_by_the_second_click(open_page):
    page = open_page("/quiz")  # the first: a link
    button(page, "quiz_nowhere").click()
    expect(page.locator(".lv-quiz-card")).to_contain_text("CART takes")
