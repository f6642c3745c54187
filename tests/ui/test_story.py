"""Stories and the stage: scenes are collected, put in order, shown without the frame, by keys."""

import pytest

from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.quiz_codes import (
    MOST_SLIDES,
    Question,
    Slide,
    read_story,
    read_story_file,
    story_file,
    write_quiz,
    write_story,
)

from .conftest import checked, html, opened

STORY = (
    Slide("boundaries", "data=iris&m=cart", "Petals tell them apart", "ask who sees it"),
    Slide("splits", "data=xor&m=c45&noise=0.1", "Nothing to gain"),
)


def shortcuts(app):
    return {each.proto.shortcut: each.key for each in app.button if each.proto.shortcut}


def test_a_link_and_a_file_say_the_whole_story():
    assert read_story(write_story(STORY)) == STORY
    assert read_story_file(story_file(STORY).encode()) == STORY


@pytest.mark.parametrize("content", [
    b"", b"\xff\xfe", b"[]", b'{"format": "lastviz quiz", "version": 1, "slides": []}',
    b'{"format": "lastviz story", "version": 1, "slides": []}',
    story_file((Slide("../splits", "data=xor"),)).encode(),
    story_file((Slide("splits", "x" * 5000),)).encode(),
    story_file(STORY * MOST_SLIDES).encode(),
])  # fmt: skip
def test_a_file_that_holds_no_story_is_one_sentence(content):
    with pytest.raises(ValueError, match="holds no story"):
        read_story_file(content)


def test_what_a_page_shows_is_collected():
    app = opened("boundaries", data="iris", m="cart")
    checked(app.button(key="story_add").click().run())
    story = "".join(app.query_params["slides"])
    assert read_story(story) == (Slide("boundaries", "data=iris&m=cart"),)


def test_a_story_is_put_in_order_and_captioned():
    app = opened("story", slides=write_story(STORY))
    assert "Boundaries: Iris, CART" in " ".join(
        each.value.replace("\\", "") for each in app.markdown
    )
    checked(app.text_input(key="slide_caption_1").set_value("A greedy search stops").run())
    checked(app.button(key="slide_up_1").click().run())
    found = read_story("".join(app.query_params["slides"]))
    assert [slide.caption for slide in found] == ["A greedy search stops", STORY[0].caption]
    checked(app.button(key="slide_out_0").click().run())
    assert read_story("".join(app.query_params["slides"])) == STORY[:1]


def test_keys_go_through_the_scenes_and_leave_the_stage():
    app = opened("story", slides=write_story(STORY))
    assert shortcuts(app) == {"p": "stage_enter"}
    checked(app.button(key="story_present").click().run())
    assert shortcuts(app) == {"left": "stage_back", "right": "stage_next", "escape": "stage_leave"}
    assert "Petals tell them apart" in html(app)
    assert "accuracy" in html(app)  # it is the page itself
    assert app.button(key="stage_back").disabled
    checked(app.button(key="stage_next").click().run())
    assert "Nothing to gain" in html(app)
    assert "Why this split?" in [each.value for each in app.title]
    assert app.button(key="stage_next").disabled
    checked(app.button(key="stage_back").click().run())
    assert "Petals tell them apart" in html(app)
    checked(app.button(key="stage_leave").click().run())
    assert "stage" not in app.query_params
    assert read_story("".join(app.query_params["slides"])) == STORY


def test_arrow_keys_belong_to_a_quiz_on_a_stage():
    quiz = write_quiz((Question("class", "data=iris&m=cart", 3),))
    story = write_story(STORY)
    app = opened("quiz", questions=quiz, asked=1, stage="true", slides=story)
    checked(app.button(key="quiz_class_0").click().run())
    found = shortcuts(app)
    assert (found["right"], found["pagedown"]) == ("quiz_next", "stage_next")


def test_arrow_keys_belong_to_the_steps_of_a_growth_on_a_stage():
    app = opened("growth", data="iris", m="cart", stage="true", slide=1, slides=write_story(STORY))
    assert shortcuts(app) == {
        "pageup": "stage_back", "pagedown": "stage_next", "escape": "stage_leave"
    }  # fmt: skip
    assert html(app).count('class="lv-here"') == 1
    assert html(app).count('class="lv-open"') == 1


def test_without_a_story_the_course_is_shown():
    app = opened("story")
    checked(app.button(key="story_present").click().run())
    assert "What is a split?" in html(app)
    assert "1 of" in html(app)


def test_the_scene_at_hand_is_presented_alone_where_there_is_no_story():
    app = opened("boundaries", data="iris", m="cart")
    checked(app.button(key="stage_enter").click().run())
    assert shortcuts(app) == {"escape": "stage_leave"}
    checked(app.button(key="stage_leave").click().run())
    assert "".join(app.query_params["data"]) == "iris"
    assert "stage" not in app.query_params


def test_back_and_leave_return_to_where_the_reader_was():
    app = opened("boundaries", data="xor", m="cart", slides=write_story(STORY))
    checked(app.button(key="stage_enter").click().run())
    for leave in ("stage_back", "stage_leave"):
        checked(app.button(key="stage_next").click().run())
        assert "Petals tell them apart" in html(app)
        checked(app.button(key=leave).click().run())
        assert "".join(app.query_params["data"]) == "xor"
        assert [each.value for each in app.title] == ["Where does each algorithm draw the line?"]
    assert "stage" not in app.query_params
    assert read_story("".join(app.query_params["slides"])) == STORY


def test_the_stage_goes_on_from_the_step_of_the_course_that_is_shown():
    scene = SCENES[2]
    app = opened(scene.page, **scene.query)
    checked(app.button(key="stage_enter").click().run())
    first = sum(len(each.steps) for each in SCENES[:2])
    assert app.session_state["selection"].story.slide == first
    checked(app.button(key="stage_next").click().run())
    assert app.session_state["selection"].view.course == (scene.key, 2)
    assert not any(button.key == "course_next" for button in app.button)
