"""A story as one page: what every page shows on a slide, what stays here, the box that saves it."""

import pytest

from lastviz.estimators import ESTIMATORS
from lastviz.export.blocks import Section, Text
from lastviz.export.page_file import MOST_BYTES
from lastviz.host.jobs import Failed
from lastviz.host.language import speak
from lastviz.ui.frame import PAGES
from lastviz.ui.shared.page_file import page_of
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.quiz_codes import Slide, read_story, write_story
from lastviz.ui.story import page as story_page
from lastviz.ui.story.rendering import PICTURED, name_of, ready_slide
from tests.texts import texts

from .conftest import checked, opened

PARTS = [
    ("boundaries", "data=xor&m=cart"),
    ("boundaries", "data=iris&m=cart&m2=c45&tint=certainty"),
    ("boundaries", "data=wine&m=cart&m2=c45&m3=gsodt&m4=oc1"),
    ("boundaries", "data=monotone&m=mcdf"),
    ("boundaries", "data=loan&m=c45"),
    ("boundaries", "data=regression_5_2"),
    ("growth", "data=iris&m=c45&step=3"),
    ("growth", "data=iris&m=svm_tree"),
    ("growth", "data=iris&m=cart&m2=c45&in_step=true"),
    ("splits", "data=wine&m=cart"),
    ("splits", "data=loan&m=id3"),
    ("splits", "data=gauss_2d&n_samples=200&m=oc1"),
    ("splits", "data=iris&m=svm_tree"),
    ("latent", "data=wine&m=gsodt"),
    ("rules", "data=wine&m=cart"),
    ("rules", "data=loan&m=c45"),
    ("rules", "data=monotone&m=mcdf"),
    ("pruning", "data=wine&m=c45"),
    ("data", "data=wine"),
    ("data", "data=loan"),
    ("data", "data=regression_5_2"),
    ("papers", "data=xor"),
    *(("monotone", f"data=monotone&m=remt&part={part}") for part in ("data", "audit")),
    ("growth", "data=monotone&m=mcdf&tree=2"),
    *(
        ("textbook", f"data=xor&lesson={lesson}")
        for lesson in ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares")
    ),
]  # fmt: skip


@pytest.fixture(autouse=True)
def english():
    speak("en")
    yield
    speak("en")


def ready(page, scene, **about):
    about = {"own_files": False} | about
    return ready_slide(Slide(page, scene), "https://example.org/", **about)


def kinds(blocks):
    found = []
    for block in blocks:
        inner = block.columns if block.kind == "columns" else [[block]]
        found += [each.kind for column in inner for each in column]
    return found


@pytest.mark.parametrize("code", ["en", "zh"])
@pytest.mark.parametrize(("page", "scene"), PARTS)
def test_a_page_shows_itself_on_a_slide_in_both_themes(page, scene, code):
    speak(code)
    found = ready(page, scene)
    assert found.lacks == ""
    question = PICTURED[page].QUESTION
    asked = found.slide.question or found.slide.title  # a title may be the answer
    assert asked == (question if code == "en" else texts()[question])
    shown = kinds(found.slide.blocks)
    assert shown == kinds(found.slide.dark)
    assert {"picture", "growth", "words"} & set(shown)
    if page not in ("textbook", "papers") and scene != "data=regression_5_2":
        assert {"picture", "growth"} & set(shown)
    content = page_of([found.slide], "a", turns=True)
    assert len(content.encode()) < MOST_BYTES / 4


@pytest.mark.parametrize("key", list(ESTIMATORS))
def test_every_algorithm_goes_on_a_slide(key):
    data = "monotone" if ESTIMATORS[key].cls.TAGS.ordered_classes else "iris"
    for page in ("boundaries", "growth", "splits", "rules"):
        found = ready(page, f"data={data}&m={key}")
        assert found.lacks or found.slide.blocks
        assert "error" not in found.lacks


def test_every_page_but_the_story_has_a_slide_or_words_alone():
    assert set(PICTURED) <= set(PAGES) - {"story"}
    for page in set(PAGES) - set(PICTURED):
        found = ready(page, "data=xor")
        assert (found.lacks, found.slide.blocks) == ("", ())
        assert found.slide.title == PAGES[page][0]


@pytest.mark.parametrize(("page", "scene", "why"), [
    ("boundaries", "data=upload&file=a.csv&digest=abc&rows=3", "not available here"),
    ("boundaries", "data=painted", "not available here"),
    ("rules", "data=regression_5_2", "about classes"),
    ("latent", "data=iris&m=cart", "in the original features"),
    ("compare", "data=xor", "None of your studies"),
    ("monotone", "data=loan&m=c45&part=data", ""),
    ("boundaries", "data=nothing", "There is no data set"),
])  # fmt: skip
def test_what_cannot_be_shown_says_why_and_keeps_its_words(page, scene, why):
    found = ready(page, scene)
    assert why in found.lacks
    assert found.lacks
    assert found.slide.blocks == ()
    assert found.slide.title


def test_a_slide_links_to_its_scene_without_what_was_typed():
    found = ready("rules", "data=iris&m=cart&typed=5.1~3.5~1.4~0.2")
    assert found.slide.link == "https://example.org/rules?data=iris&m=cart"


def test_a_name_of_a_class_does_no_harm():
    hostile = "<img src=x onerror=alert(1)>"
    content = page_of([Section(hostile, about=hostile, caption=hostile)], hostile, turns=True)
    assert hostile not in content


def test_a_story_is_saved_as_a_page():
    slides = (Slide("boundaries", "data=iris&m=cart", "Petals"), Slide("quiz", "data=xor", "Now"))
    app = opened("story", slides=write_story(slides))
    app.session_state["story_page"] = True
    checked(app.run())
    said = " ".join(each.value for each in app.caption)
    assert "Links and stories do not contain typed values" in said
    assert any("Save the page" in each.proto.label for each in app.get("download_button"))
    checked(app.text_input(key="story_title_story").set_value("Flowers").run())


def test_a_slide_without_its_data_is_named_before_it_is_saved():
    gone = Slide("boundaries", "data=upload&file=a.csv&digest=abc&rows=3", "My flowers")
    app = opened("story", slides=write_story((gone,)))
    app.session_state["story_page"] = True
    checked(app.run())
    assert any(each.value.startswith("Slide 1") for each in app.info)


def test_who_has_no_story_saves_a_scene_of_the_course():
    app = opened("story")
    checked(app.selectbox(key="story_course").select(SCENES[0]).run())
    app.session_state["story_page"] = True
    checked(app.run())
    assert app.text_input(key=f"story_title_{SCENES[0].key}").placeholder == SCENES[0].question
    assert any("Save the page" in each.proto.label for each in app.get("download_button"))


def test_the_steps_of_a_scene_go_into_the_story_once():
    scene = scene_named(SCENES[0].key)
    app = opened(scene.page, **scene.query)
    checked(app.button(key="course_collect").click().run())
    story = read_story("".join(app.query_params["slides"]))
    assert [slide.page for slide in story] == [step.page for step in scene.steps]
    assert all(slide.caption and "{" not in slide.caption for slide in story)
    assert app.button(key="course_collect").disabled


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("rules", "Wine, CART"),
        ("splits", "Wine, CART"),
        ("data", "Wine"),
        ("boundaries", "Wine, CART, C4.5"),
    ],
)
def test_a_slide_names_the_models_that_it_shows(page, names):
    slide = Slide(page, "data=wine&m=cart&m2=c45")
    assert name_of(slide).endswith(f": {names}")
    assert ready(page, slide.scene).slide.about == names


@pytest.mark.parametrize(
    ("page", "scene", "words", "none"),
    [
        ("boundaries", "data=monotone&m=mcdf", ["misclassified"], ["selected split"]),
        ("boundaries", "data=wine&m=cart", ["selected split"], []),
        ("boundaries", "data=iris&m=cart&held=0&node=1", [], ["held out", "selected split"]),
        ("splits", "data=wine&m=cart", ["chosen"], ["picked", "misclassified"]),
        ("splits", "data=loan&m=id3", [], ["survivor", "picked"]),
    ],
)
def test_a_legend_names_what_is_drawn_alone(page, scene, words, none):
    legend = ready(page, scene).slide.blocks[0].html
    for word in words:
        assert word in legend
    for word in none:
        assert word not in legend


def test_a_powerpoint_file_that_cannot_be_made_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setenv("LASTVIZ_BROWSER", "no-such-browser")
    app = opened("story", slides=write_story((Slide("data", "data=iris"),)))
    app.session_state["story_page"] = True
    said = " ".join(each.value for each in checked(app.run()).caption).replace("\\", "")
    assert "none is found there: install one, or name its program in LASTVIZ_BROWSER." in said
    monkeypatch.setattr(story_page, "is_installed", lambda module: False)
    said = " ".join(each.value for each in checked(app.run()).caption).replace("\\", "")
    assert "PowerPoint needs the package python-pptx: pip install 'lastviz[slides]'" in said
    assert not any(button.key == "story_powerpoint_make" for button in app.button)


def test_a_slide_that_cannot_be_drawn_says_why(monkeypatch):
    def fail(slide):
        raise ValueError("the browser is gone")

    monkeypatch.setattr(story_page, "picture_of", fail)
    with pytest.raises(Failed, match=r"A slide could not be drawn: the browser is gone\."):
        list(story_page._drawn([Section("One", [Text("words")])], "A story"))
