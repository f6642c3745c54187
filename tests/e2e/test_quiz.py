"""A quiz in a room of two browsers, and as a SCORM package on a platform (scorm-again)."""

import functools
import io
import json
import re
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import segno
from playwright.sync_api import expect

from lastviz.export.page_file import ADL, CP
from lastviz.ui.compute.work import Work
from lastviz.ui.quiz.answering import quiz_package
from lastviz.ui.quiz.asking import pose, was_right, with_wrong_node
from lastviz.ui.quiz.scene import NOWHERE, split_answer
from lastviz.ui.quiz.words import choices_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from lastviz.ui.state.quiz_codes import Question, Slide, write_quiz, write_story

from .app import SIZES, downloaded, ready

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
        if (size := pupil.viewport_size) == SIZES["phone"]:
            panel = pupil.locator(".st-key-quiz_answers")
            assert panel.bounding_box()["height"] <= size["height"] / 3  # the picture is in sight
            touched = panel.locator("button:visible").all()
            assert all(each.bounding_box()["height"] >= 44 for each in touched)


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
    ready(ann)
    button(ann, "quiz_answer").click()
    expect(ann.get_by_text("Your answer: sepal length")).to_be_visible()
    button(bob, "quiz_nowhere").click()
    expect(bob.get_by_text("Your answer: Nowhere")).to_be_visible()
    expect(teacher.get_by_text("2 answers")).to_be_visible()
    assert counts(teacher)["sepal length"] == "1 of 2"
    assert counts(teacher)["Nowhere: it stays one leaf"] == "1 of 2"
    show(teacher, (teacher, ann, bob), "CART takes petal")
    expect(ann.locator(".lv-quiz-card")).to_contain_text("By the deciding criterion yours is")

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
    expect(button(ann, "quiz_answer")).to_be_enabled()
    ready(ann)
    button(ann, "quiz_answer").click()
    expect(teacher.get_by_text("1 answer")).to_be_visible()
    show(teacher, (ann,), "Your answer: A")

    ready(teacher)
    button(teacher, "quiz_next").click()
    expect(bob.get_by_text("You had 0 of 3 right.")).to_be_visible()
    ready(teacher)
    teacher.get_by_role("button", name="End the room").click()
    button(teacher, "quiz_end").click()
    expect(ann.get_by_text("has expired")).to_be_visible()


def test_from_nothing_a_question_is_answered_by_the_second_click(open_page):
    page = open_page("/quiz")  # the first: a link
    button(page, "quiz_nowhere").click()
    expect(page.locator(".lv-quiz-card")).to_contain_text("CART takes")


PLATFORM = Path(__file__).parents[1] / "fixtures" / "scorm_again" / "scorm12.min.js"
# The platform keeps what it is told in the browser's own storage, as a server would.
PAGE = """<!doctype html><script src="platform.js"></script><script>
window.API = new Scorm12API({ autocommit: false });
const kept = JSON.parse(localStorage.getItem("cmi") || "null");
if (kept) API.loadFromJSON(kept.cmi, "cmi");
const keep = () => localStorage.setItem("cmi", JSON.stringify({ cmi: API.cmi.toJSON() }));
API.on("LMSCommit", keep); API.on("LMSFinish", keep);
</script><iframe src="%s/index.html" width="1200" height="800"></iframe>"""


@pytest.fixture
def questions():
    query = {"data": "moons", "m": "cart", "m.max_depth": "3"}
    grown, _ = decode(query, session.data_params, session.model_params)
    return (
        Question("split", "data=blobs&m=cart"),
        Question("class", "data=iris&m=cart", 17),
        Question("node", with_wrong_node(Work(grown), 1)),
        Question("split", "data=wine&m=c45"),
        Question("class", "data=wine&m=cart&m.max_depth=2", 3),
    )


@pytest.fixture
def platform(tmp_path, browser):
    """Return ``platform(package)``: the page of a platform that shows it."""
    (tmp_path / "platform.js").write_bytes(PLATFORM.read_bytes())
    handler = functools.partial(SimpleHTTPRequestHandler, directory=tmp_path)
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    faults: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def shown(package):
            with zipfile.ZipFile(io.BytesIO(package)) as packed:
                packed.extractall(tmp_path / "lesson")
            (tmp_path / "platform.html").write_text(PAGE % "lesson")
            page = context.new_page()
            page.on("pageerror", lambda fault: faults.append(str(fault)))
            page.goto(f"http://127.0.0.1:{server.server_port}/platform.html")
            return page

        yield shown
        context.close()
        server.shutdown()
    assert faults == []


def told(page, name):
    return page.evaluate("(name) => API.LMSGetValue(`cmi.${name}`)", name)


def inside(page):
    frame = page.frame_locator("iframe")
    expect(frame.locator("html[data-shown]")).to_be_attached()
    return frame


def possible(question):
    """Answers of every kind that a reader could give."""
    asked = pose(question, "light")
    if question.kind != "split":
        return list(choices_of(asked))
    rng = np.random.default_rng(1)
    found = [NOWHERE, asked.answer]
    for feature in range(len(asked.names)):
        values = asked.division.values[asked.rows, feature]
        inner = values[values < values.max()]
        found += [split_answer(feature, each) for each in rng.choice(inner, 12)]
        found += [
            split_answer(feature, each) for each in rng.uniform(values.min(), inner.max(), 12)
        ]
    return found


def test_a_package_is_what_platforms_take(questions):
    package = quiz_package(questions)
    assert len(package) <= 3_000_000
    with zipfile.ZipFile(io.BytesIO(package)) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        manifest = ElementTree.fromstring(packed.read("imsmanifest.xml"))
    assert manifest.find(f"{{{CP}}}metadata/{{{CP}}}schemaversion").text == "1.2"
    lessons = manifest.find(f"{{{CP}}}organizations")
    (lesson,) = lessons
    assert lessons.get("default") == lesson.get("identifier")
    (item,) = lesson.findall(f"{{{CP}}}item")
    (resource,) = manifest.find(f"{{{CP}}}resources")
    assert item.get("identifierref") == resource.get("identifier")
    assert resource.get(f"{{{ADL}}}scormtype") == "sco"
    assert {resource.get("href"), "imsmanifest.xml"} == set(names)
    assert quiz_package(questions) == package


def test_the_page_judges_every_answer_as_the_app_does(platform, questions):
    page = platform(quiz_package(questions))
    inside(page)
    frame = page.frames[1]
    for place, question in enumerate(questions):
        answers = possible(question)
        expected = [was_right(question, answer, "light") for answer in answers]
        assert any(expected)
        assert not all(expected)
        judged = "([i, given]) => given.map((one) => isRight(boxes[i].ask, one))"
        assert frame.evaluate(judged, [place, answers]) == expected


def answer(frame, question, *, right):
    """Answer the question that is shown by hand."""
    asked = pose(question, "light")
    here = frame.locator("section.here")
    if question.kind == "split":
        if right:
            feature, threshold = asked.answer.split("_")
            if here.locator("select").count():
                here.locator("select").select_option(feature)
            here.locator("input[type=range]").evaluate(
                "(range, value) => { range.step = 'any'; range.value = value; }", threshold
            )
        code = "threshold" if right else NOWHERE
    else:
        code = next(c for c in choices_of(asked) if (c == asked.answer) == right)
    here.locator(f'button[data-answer="{code}"]').click()
    expect(here.locator(".verdict > b")).to_have_text("Right." if right else "Not right.")
    onward = frame.locator('button[data-do="next"]')
    if onward.is_enabled():
        onward.click()


def test_the_score_that_arrives_is_that_of_the_app_and_survives_a_reload(platform, questions):
    page = platform(quiz_package(questions))
    frame = inside(page)
    expect(frame.locator("[data-alone]").first).to_be_hidden()
    pattern = (True, False, True, True, False)
    for question, right in list(zip(questions, pattern, strict=True))[:3]:
        answer(frame, question, right=right)
    assert told(page, "core.lesson_status") == "incomplete"
    assert float(told(page, "core.score.raw")) == pytest.approx(100 * 2 / 5)
    assert len(told(page, "suspend_data")) <= 4096

    page.reload()
    frame = inside(page)
    expect(frame.locator("section.here")).to_have_attribute("aria-label", "4 of 5")
    assert frame.locator(".verdict > b").all_inner_texts() == ["Right.", "Not right.", "Right."]
    expect(frame.locator("fieldset:disabled")).to_have_count(3)
    for question, right in list(zip(questions, pattern, strict=True))[3:]:
        answer(frame, question, right=right)
    given = json.loads(told(page, "suspend_data"))["answers"]
    in_app = sum(was_right(q, a, "light") for q, a in zip(questions, given, strict=True))
    assert in_app == sum(pattern)
    assert float(told(page, "core.score.raw")) == pytest.approx(100 * in_app / len(questions))
    assert told(page, "core.lesson_status") == "completed"
    expect(frame.locator(".here [data-score]")).to_have_text(f"{in_app} of 5 right")


def test_the_quiz_leaves_the_app_and_says_so_where_no_platform_is(open_page, questions, tmp_path):
    page = open_page(f"/quiz?questions={write_quiz(questions[:2])}")
    page.get_by_role("button", name="For a learning platform").click()
    found = downloaded(page, page.get_by_role("button", name="Save the SCORM package"))
    with zipfile.ZipFile(found.path()) as packed:
        packed.extractall(tmp_path)
    page.goto(f"file://{tmp_path / 'index.html'}")
    page.wait_for_selector("html[data-shown]")
    expect(page.locator(".here [data-alone]")).to_be_visible()
    page.locator(".here button[data-answer=none]").click()
    expect(page.locator(".here .verdict")).to_contain_text("CART takes")


def test_a_story_is_completed_once_all_its_slides_were_seen(platform, open_page):
    story = (Slide("boundaries", "data=xor&m=cart"), Slide("growth", "data=moons&m=cart"))
    app = open_page(f"/story?slides={write_story(story)}")
    app.get_by_text("Save as a web page or for PowerPoint").click()
    button = app.get_by_role("button", name="Save the SCORM package")
    page = platform(Path(downloaded(app, button).path()).read_bytes())
    frame = inside(page)
    assert told(page, "core.lesson_status") == "incomplete"
    frame.locator('button[data-do="next"]').click()
    expect(frame.locator("html[data-shown='2']")).to_be_attached()
    page.wait_for_function("API.LMSGetValue('cmi.core.lesson_status') === 'completed'")
    assert told(page, "core.score.raw") == ""
