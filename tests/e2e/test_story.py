"""The storyboard: slides in small, put in order by mouse and keys, and files that hold them."""

import io
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import expect
from pptx import Presentation

from lastviz.ui.state.quiz_codes import Slide, read_story, write_story
from tests.patience import until

from .app import kept, ready

pytestmark = pytest.mark.e2e

RULES = "data=breast_cancer&m=c45&m.min_samples_leaf=5&rule_view=short"
STORY = (
    Slide("rules", RULES, notes="Ask for the price"),
    Slide("boundaries", "data=xor&m=cart", "Greed finds no first cut", title="My own words"),
    Slide("growth", "data=iris&m=cart&step=2"),
    Slide("quiz", "data=xor"),
)
PAGES = [slide.page for slide in STORY]


def story_of(page):
    return read_story("".join(parse_qs(urlsplit(page.url).query).get("slides", [""])))


def pages_become(page, *pages):
    page.wait_for_function("(before) => location.search !== before", arg=urlsplit(page.url).query)
    assert [slide.page for slide in story_of(page)] == list(pages)


def slides(page):
    return page.get_by_role("listbox", name="Slides").get_by_role("option")


def wait_for_order(page, *pages):
    for _ in range(100):
        if [slide.page for slide in story_of(page)] == list(pages):
            return
        page.wait_for_timeout(200)
    raise AssertionError([slide.page for slide in story_of(page)])


@pytest.fixture
def board(open_page):
    page = open_page(f"/story?slides={write_story(STORY)}")
    expect(slides(page)).to_have_count(len(STORY))
    return page


def test_pictures_in_small_are_drawn_of_the_slides_in_sight(board):
    for n in (0, 1):
        expect(slides(board).nth(n).locator("img").first).to_be_visible()
        size = "(image) => image.decode().then(() => image.naturalWidth)"
        assert slides(board).nth(n).locator("img").first.evaluate(size) > 100
    slides(board).nth(2).scroll_into_view_if_needed()
    expect(slides(board).nth(2).locator(".lv-growth[data-step='2']")).to_be_visible()
    expect(slides(board).nth(1)).to_contain_text("My own words")
    expect(slides(board).nth(0)).to_contain_text("The tree classifies 94.2 % of 171")
    expect(slides(board).nth(0)).to_have_attribute("aria-selected", "true")


def test_slides_are_moved_by_keys_and_each_step_is_said(board):
    said = board.locator(".lv-board [role=status]")
    slides(board).nth(0).focus()
    board.keyboard.press("Alt+ArrowDown")
    expect(said).to_contain_text("Slide 2 of 4: The tree classifies")
    board.keyboard.press("Alt+ArrowDown")
    expect(said).to_contain_text("Slide 3 of 4")
    wait_for_order(board, "boundaries", "growth", "rules", "quiz")
    ready(board)
    expect(slides(board).nth(2)).to_be_focused()
    expect(slides(board).nth(2)).to_have_attribute("aria-selected", "true")
    board.keyboard.press("Home")
    expect(slides(board).nth(0)).to_be_focused()
    board.keyboard.press("Enter")
    expect(slides(board).nth(0)).to_have_attribute("aria-selected", "true")
    expect(board.get_by_role("textbox", name="Title", exact=True)).to_have_value("My own words")
    board.keyboard.press("Delete")
    wait_for_order(board, "growth", "rules", "quiz")
    ready(board)
    expect(board.get_by_text("Slide 1 was removed.")).to_be_visible()
    slides(board).nth(0).focus()
    board.keyboard.press("Control+z")
    wait_for_order(board, "boundaries", "growth", "rules", "quiz")


def middle(item):
    box = item.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_slide_is_dragged_to_another_place_and_let_go_or_left(board):
    x, y = middle(slides(board).nth(0))
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(*middle(slides(board).nth(1)), steps=8)
    board.keyboard.press("Escape")
    board.mouse.up()
    assert [slide.page for slide in story_of(board)] == PAGES
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(*middle(slides(board).nth(1)), steps=8)
    board.mouse.up()
    wait_for_order(board, "boundaries", "rules", "growth", "quiz")
    ready(board)
    expect(slides(board).nth(1)).to_have_attribute("aria-selected", "true")


def test_a_link_in_the_same_tab_does_not_start_the_story_anew(board, server):
    board.goto(f"{server}/boundaries?data=iris&m=cart")
    board.wait_for_url("**slides=**")
    ready(board)
    assert story_of(board) == STORY
    assert parse_qs(urlsplit(board.url).query)["data"] == ["iris"]

    theirs = write_story(STORY[3:])
    board.goto(f"{server}/story?slides={theirs}")
    expect(
        board.get_by_text("The link brought a story of its own. Yours had 4 scenes.")
    ).to_be_visible()
    ready(board)
    board.get_by_role("button", name="Undo").click()
    wait_for_order(board, *PAGES)


def test_a_story_that_was_emptied_stays_empty(board, server):
    board.goto(f"{server}/story?slides={write_story(STORY[3:])}")
    ready(board)
    board.get_by_role("button", name="Remove").click()
    wait_for_order(board)
    ready(board)
    board.goto(f"{server}/boundaries?data=iris&m=cart")
    ready(board)
    assert story_of(board) == ()


def title_of(board):
    """The title of the slide in the card: one's own, or the proposed one."""
    field = board.get_by_role("textbox", name="Title", exact=True)
    return field.input_value() or field.get_attribute("placeholder") or "Quiz"


def test_a_powerpoint_file_says_and_draws_what_the_page_does(board, tmp_path):
    board.get_by_text("Save as a web page or for PowerPoint").click()
    board.get_by_role("button", name="Make the PowerPoint file").click()
    file = kept(board, re.compile("Save the PowerPoint file"), tmp_path)
    assert file.name == "story.pptx"
    show = Presentation(str(file))
    assert show.slide_width * 9 == pytest.approx(show.slide_height * 16, rel=1e-3)
    assert len(show.slides) == len(STORY)
    for n, slide in enumerate(show.slides):
        slides(board).nth(n).click()
        expect(slides(board).nth(n)).to_have_attribute("aria-selected", "true")
        shown = slide.shapes.title.text
        until(lambda shown=shown: title_of(board) == shown, why=shown)
        ready(board)
        notes = slide.notes_slide.notes_text_frame.text
        assert STORY[n].notes in notes
        card = board.locator(".st-key-story-slide")
        numbers = card.locator(".lv-strip b").all_inner_texts()
        if PAGES[n] == "growth":  # the player counts errors and leaves itself
            expect(card.locator(".lv-growth[data-step='2']")).to_be_visible()
            numbers = card.locator(".lv-strip b").all_inner_texts()[:2]
            assert card.locator(".lvg-say b").first.inner_text() in notes
        for number in numbers:
            assert " ".join(number.split()) in notes, number
        pictures = [shape for shape in slide.shapes if hasattr(shape, "image")]
        assert len(pictures) == (PAGES[n] != "quiz")
        for picture in pictures:
            alt = picture._element.nvPicPr.cNvPr.get("descr")
            for one in card.locator("[aria-label].lv-frame").all():
                assert one.get_attribute("aria-label").partition(".")[0] in alt
            image = Image.open(io.BytesIO(picture.image.blob))
            assert image.width == 2560
            assert len(image.convert("L").getcolors(256)) > 20
    text = [shape.text_frame.text for shape in show.slides[1].shapes if shape.has_text_frame]
    assert {"My own words", "Where does each algorithm draw the line?", STORY[1].caption} <= set(
        text
    )
