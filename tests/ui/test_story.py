"""Scenes, stories and the stage; examples, frames and files of pages."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import streamlit as st

from lastviz.host.jobs import Working
from lastviz.host.memory import Memory
from lastviz.host.security import EMBED
from lastviz.ui import frame
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.scenes import Scenes
from lastviz.ui.rules import page as rules
from lastviz.ui.rules.page import NEW_ROWS
from lastviz.ui.shared.scene_box import frame_line
from lastviz.ui.state import session, story
from lastviz.ui.state.codec import encode
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.link_texts import packed_text
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
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.story.page import story_to_save
from lastviz.ui.story.rendering import ready_slide
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import seen

STORY = (
    Slide("boundaries", "data=iris&m=cart", "Petals tell them apart", "ask who sees it"),
    Slide("splits", "data=xor&m=c45&noise=0.1", "Nothing to gain"),
)


def story_of(app):
    return read_story("".join(app.query_params["slides"]))


def field(app, name, place):
    return next(e for e in app.text_area if e.key.startswith(f"slide_{name}_{place}_"))


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
    checked(app.button(key="slide_down_0").click().run())
    checked(field(app, "caption", 1).set_value("A greedy search stops").run())
    checked(app.button(key="slide_up_1").click().run())
    assert [slide.caption for slide in story_of(app)] == [
        "A greedy search stops",
        "Nothing to gain",
    ]
    checked(app.button(key="slide_out_0").click().run())
    assert story_of(app) == STORY[1:]
    assert "Slide 1 was removed" in " ".join(each.value for each in app.caption)
    checked(app.button(key="story_undo").click().run())
    assert [slide.caption for slide in story_of(app)] == [
        "A greedy search stops",
        "Nothing to gain",
    ]
    assert not any(button.key == "story_undo" for button in app.button)


def test_the_sentence_of_the_page_is_proposed_and_the_readers_own_words_stay():
    scene = "data=breast_cancer&m=c45&m.min_samples_leaf=5&rule_view=short"
    app = opened("story", slides=write_story((Slide("rules", scene),)))
    title = field(app, "title", 0)
    assert title.value == ""
    assert title.placeholder.startswith("The tree classifies 94.2 % of 171")
    checked(app.button(key="story_propose_0").click().run())
    (slide,) = story_of(app)
    assert slide.title == title.placeholder
    checked(field(app, "title", 0).set_value("Ten of 171\n are wrong").run())
    assert story_of(app)[0].title == "Ten of 171 are wrong"
    offered = [app.button(key=f"story_propose_{n}").label for n in range(2)]
    assert [text.replace("\\", "") for text in offered] == [title.placeholder, rules.QUESTION]
    checked(field(app, "title", 0).set_value("").run())
    assert story_of(app) == (Slide("rules", scene),)


def test_a_link_of_before_has_no_titles_and_one_without_any_is_as_before():
    before = packed_text(json.dumps([["splits", "data=xor", "a", "b"]], separators=(",", ":")))
    assert read_story(before) == (Slide("splits", "data=xor", "a", "b"),)
    assert write_story(read_story(before)) == before
    titled = (Slide("splits", "data=xor", title="Mine"), Slide("data", "data=xor"))
    assert read_story(write_story(titled)) == titled
    old = story_file(titled[1:]).replace('"notes": "",', '"notes": ""').replace('"title": ""', "")
    assert read_story_file(old.encode()) == titled[1:]


def test_own_tables_travel_with_a_story():
    rows = "".join(f"{i},{i % 7},{'yes' if i % 3 else 'no'}\n" for i in range(60))
    table = f"a,b,wanted\n{rows}".encode()
    upload = replace(uploads.keep("own.csv", table, 60), share="CODE")
    about = DEFAULT.having(data="upload", upload=replace(upload, share=None), columns=(-1,))
    scene = urlencode(encode(about))
    slides = (*STORY, Slide("rules", scene, "Mine", "Say it"), Slide("data", scene))
    content, name, tables = story_to_save(slides)
    assert (name, tables) == ("story.lastviz", ["own.csv"])
    assert story_to_save(STORY) == (story_file(STORY), "story.json", [])

    def with_tables(*tables):
        return scene_file.write(DEFAULT.having(slides=slides), "story", None, tables=tables)

    assert content() == with_tables((upload, table))
    uploads.forget_all()
    assert ready_slide(slides[-1], None, own_files=True).lacks
    app = opened("story")
    for fault in (
        scene_file.write(DEFAULT, "story", None),
        with_tables((replace(upload, rows=61), table)),
    ):
        app.file_uploader(key="story_open").set_value(("a.lastviz", fault, "")).run()
        assert len(app.error) == 1
        assert app.session_state["selection"].story.slides == ()
    file = ("story.lastviz", content(), "application/octet-stream")
    checked(app.file_uploader(key="story_open").set_value(file).run())
    assert app.session_state["selection"].story.slides == slides
    checked(app.button(key="slide_down_0").click().run())
    checked(app.button(key="slide_down_1").click().run())
    checked(app.button(key="slide_up_2").click().run())
    assert "read the rows of own" in " ".join(each.value for each in app.caption)
    assert not app.info
    with patch.object(st, "session_state", app.session_state):
        assert uploads.content(about.upload) == table


@pytest.mark.parametrize(("kept", "here", "now", "offered"), [
    (STORY, (), STORY, None),
    (STORY, STORY[:1], STORY[:1], STORY),
    (STORY, STORY, STORY, None),
])  # fmt: skip
def test_what_the_tab_had_before_a_link_was_opened_is_there_still(kept, here, now, offered):
    app = opened("story", slides=write_story(here)) if here else opened("story")
    with patch.object(st, "session_state", app.session_state):
        story.recall(write_story(kept))
        story.recall("not a story")
        before = story.earlier()
        assert (before and before[0]) == offered
    assert app.session_state["selection"].story.slides == now


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
    assert "Why this split?" in html(app)  # above its sentence
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
        assert "Where does each algorithm draw the line?" in html(app) + app.title[0].value
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


EXAMPLES = {name: row[1] for name, row in frame.PAGES.items() if row[1:]}


def texts(app):
    return [each.value for each in app.caption] + [each.value for each in app.info]


@pytest.mark.parametrize("page", EXAMPLES)
def test_a_cold_page_shows_its_example_and_says_so(page):
    app = seen(page)
    found = app.session_state[session.SELECTION]
    assert found == selected(EXAMPLES[page])
    assert app.query_params == {}
    assert any(text.startswith(("An example: ", "Example study, finished")) for text in texts(app))
    assert not any("What this page shows" in text for text in texts(app))
    assert not app.info
    assert not app.warning
    assert 'class="lv-notice"' not in html(app)


def test_what_was_chosen_travels_and_is_no_example():
    app = opened("boundaries", data="moons")
    app = checked(app.switch_page("pages/rules.py").run())
    assert app.session_state[session.SELECTION].data == "moons"
    assert not any("example" in text for text in texts(app))


@pytest.mark.parametrize(("page", "data", "model", "names"), [
    ("growth", "iris", "mcdf", "Blobs, CART"),
    ("monotone", "iris", "cart", "Monotone, CART"),
    ("splits", "iris", "mcdf", "XOR, CART"),
    ("quiz", "regression_5_2", "cart", "Blobs, CART"),
])  # fmt: skip
def test_a_page_that_cannot_show_what_was_chosen_says_why_and_shows_its_example(
    page, data, model, names
):
    app = seen(page, data=data, m=model)
    (reason,) = app.info
    assert len(reason.value) > 40
    assert f"What this page shows, by an example: {names}." in texts(app)
    keys = [element.proto.id for element in app.get("bidi_component")]
    assert any("example-" in key or "quiz_picture" in key for key in keys), keys


@pytest.fixture
def scenes():
    return Scenes(Memory(2**20))


def test_what_is_asked_for_a_second_time_is_kept(scenes):
    made = [scenes.find("a", list) for _ in range(4)]
    assert made[0] is not made[1]
    assert made[1] is made[2] is made[3]


def test_what_is_asked_for_once_takes_no_room(scenes):
    for name in "abc":
        scenes.find(name, list)
    assert len(scenes._memory) == 0


def test_each_key_has_its_own(scenes):
    for _ in range(3):
        found = [scenes.find(key, lambda key=key: [key]) for key in (1, 2)]
    assert found == [[1], [2]]


def test_a_scene_that_lacks_something_is_not_kept(scenes):
    job = SimpleNamespace(title="", state=SimpleNamespace(value=""))

    def without():
        try:
            raise Working(job)
        except Working:
            return []

    assert scenes.find("a", without) is not scenes.find("a", without)
    assert len(scenes._memory) == 0
    whole = [scenes.find("a", list) for _ in range(3)]
    assert whole[1] is whole[2]


def test_an_error_is_not_kept(scenes):
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            scenes.find("a", lambda: 1 / 0)
    assert scenes.find("a", list) == []


def test_the_third_of_a_class_is_sent_what_the_second_was(monkeypatch):
    from lastviz.ui.components import chart_host

    written = []
    encode = chart_host.figure_json
    monkeypatch.setattr(chart_host, "library_is_served", lambda: True)
    monkeypatch.setattr(
        chart_host, "figure_json", lambda *args, **how: written.append(1) or encode(*args, **how)
    )
    link = {"data": "moons", "n_samples": 123, "m": "cart", "seed": 77}
    for n_written in (1, 2, 2):
        opened("boundaries", **link)
        assert len(written) == n_written
    opened("boundaries", **link, depth=1)
    assert len(written) == 3


def with_rows_of_ones_own(*values):
    """The page *rules* of a new visitor who hands in rows of moons; what its lost rows are."""
    app = opened("rules", data="moons", m="cart", rows_of="new")
    lines = [f"{x},{y},0" for x, y in values]
    file = ("rows.csv", "\n".join(["x1,x2,class", *lines]).encode(), "text/csv")
    app = checked(app.file_uploader(key=NEW_ROWS).set_value(file).run())
    return checked(app.run())  # as often as a scene must be asked for to be kept


def test_rows_that_one_visitor_hands_in_are_never_shown_to_another():
    one = with_rows_of_ones_own((0.1, 0.2), (0.3, 0.4), (0.5, 0.6))
    assert "of 3 new rows" in html(one)
    another = with_rows_of_ones_own((1.1, -0.2))
    assert "of 3 new rows" not in html(another)
    assert "of 1 new row" in html(another)
    without = seen("rules", data="moons", m="cart", rows_of="new")
    assert any("Upload a file of new rows" in str(each.value) for each in without.info)


def asked_for(monkeypatch, sites, **query):
    monkeypatch.setenv(EMBED, sites)
    app = opened("boundaries", **query)
    app.session_state["share"] = True
    app = checked(app.run())
    app = checked(app.button(key="embed").click().run())
    return app, [each.value for each in app.caption]


def frame_in(line):
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, pairs: found.append((tag, dict(pairs)))
    parser.feed(line)
    ((tag, about),) = found
    assert tag == "iframe"
    return about


def test_the_window_names_the_sites_that_may_show_it_or_the_setting_that_does(monkeypatch):
    _, said = asked_for(monkeypatch, "", data="iris", m="cart")
    assert f"its operator names those that may in `{EMBED}`." in " ".join(said)
    sites = ("https://moodle.example.edu", "http://localhost:9000")
    app, said = asked_for(monkeypatch, ", ".join(sites), data="iris", m="cart")
    assert any(all(site in text for site in sites) for text in said)
    about = frame_in(app.code[-1].value)
    query = dict(parse_qsl(urlsplit(about["src"]).query))
    assert query == {
        **{"data": "iris", "m": "cart", "lang": "en"},
        **{"embed": "true", "embed_options": "light_theme"},
    }


def test_nothing_in_a_scene_ends_the_line_early():
    hostile = '"><script>alert(1)</script>&amp;'
    line = frame_line("https://a.example/data", hostile, (320, 240), hostile)
    about = frame_in(line.removesuffix("</iframe>"))
    assert about["src"] == f"https://a.example/data?{hostile}"
    assert about["title"] == hostile
    assert (about["width"], about["height"]) == ("320", "240")
