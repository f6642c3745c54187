"""The languages: complete catalogues, and pages, jobs and memories that speak the reader's one."""

import re
from pathlib import Path
from string import Formatter

import pytest
import streamlit

from lastviz.host.jobs import Jobs
from lastviz.host.language import speak
from lastviz.host.memory import Memory
from lastviz.ui import text
from lastviz.ui.compute.outcome import result_of
from lastviz.ui.compute.work import Work
from lastviz.ui.frame import PAGES
from lastviz.ui.shared.language_switch import STREAMLIT_WORDS, WORDS_FOR_READERS
from lastviz.ui.text import CATALOGUE, CannotShow, list_names, t
from tests.texts import CODES, catalogue, constants, needed, texts

from .conftest import checked, html, opened
from .opened_pages import seen

MEGABYTE = 1_000_000
ENGLISH_WORDS = re.compile(r"\b[a-z]{3,} [a-z]{3,}\b")


def _places(words):
    return {name for _, name, _, _ in Formatter().parse(words) if name}


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_every_text_and_no_other(code):
    known = {message.id: message for message in catalogue(code) if message.id}
    known = {tuple(text) if isinstance(text, list) else text: known[text] for text in known}
    assert needed() <= known.keys()
    assert {each for each in known if each not in needed() and each not in constants()} == set()


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_keeps_places_and_marks(code):
    for message in catalogue(code):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.id, tuple) else (message.string,)
        for other in forms if message.id else ():
            assert other.strip(), ids
            assert _places(other) in [_places(english) for english in ids[-len(forms) :]], ids
            for mark in ("**", "`", "<b>", "</b>", "<i>", "</i>"):
                assert ids[-1].count(mark) == other.count(mark), ids


def test_what_is_compiled_is_what_the_catalogue_says_and_made_anew_when_it_changes(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(text, "LOCALE", tmp_path)
    source = tmp_path / "eo" / CATALOGUE
    source.parent.mkdir(parents=True)
    read = text.translations.__wrapped__
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    for word in ("Hejmo", "Domo"):
        source.write_text(f'{head}msgid "Home"\nmsgstr "{word}"\n', encoding="utf-8")
        assert [read("eo").gettext("Home") for _ in range(2)] == [word, word]
    assert source.with_suffix(".mo").is_file()
    assert read("xx").gettext("Home") == "Home"


def test_the_link_says_the_language_and_the_pages_speak_it():
    app = opened("rules", lang="zh")
    assert app.title[0].value == texts()["What does the tree say?"]
    assert app.selectbox(key="language_choice").value == "zh"
    assert app.query_params["lang"] == "zh"
    speak("zh")  # the driver writes the options of boxes anew to say what is chosen
    app = checked(app.selectbox(key="language_choice").select("en").run())
    assert app.title[0].value == "What does the tree say?"
    assert "lang" not in app.query_params


def test_a_language_that_is_not_known_is_english():
    assert seen("rules", lang="xx").title[0].value == "What does the tree say?"


def test_changes_keep_the_language():
    app = opened("boundaries", lang="zh")
    speak("zh")  # as above
    app = checked(app.selectbox(key="data").select("moons").run())
    assert app.title[0].value == texts()["Where does each algorithm draw the line?"]
    assert (app.query_params["lang"], app.query_params["data"]) == ("zh", "moons")


@pytest.mark.parametrize("page", list(PAGES))
def test_no_english_sentence_on_a_page_in_chinese(page):
    app = seen(page, lang="zh")
    no_prose = re.compile(r"<(style|script|code).*?</\1>|<cite.*?</cite>|<[^>]*>|`[^`]*`", re.S)
    words = [html(app), *(str(each.value) for kind in ("title", "caption", "markdown", "subheader",
             "info", "warning") for each in app.get(kind) if hasattr(each, "value"))]  # fmt: skip
    words += [str(each.label) for each in app.main if hasattr(each, "label")]
    words = [no_prose.sub(" ", each) for each in words]
    for name in Work(app.session_state["selection"]).dataset.feature_names:
        words = [each.replace(name, "") for each in words]  # the data keep theirs
    assert [ENGLISH_WORDS.findall(each) for each in words if ENGLISH_WORDS.search(each)] == []


def test_what_is_remembered_in_words_is_remembered_in_each_language():
    asked = []

    @Memory(MEGABYTE).remembered
    def words(key):
        asked.append(key)
        return text.t("Home")

    speak("en")
    assert words("a") == "Home"
    speak("zh")
    assert words("a") == texts()["Home"]
    speak("en")
    assert words("a") == "Home"
    assert asked == ["a", "a"]


def test_what_is_remembered_without_words_is_one_for_all():
    asked = []

    @Memory(MEGABYTE).remembered
    def value(key):
        asked.append(key)
        return 7

    for code in ("en", "zh"):
        speak(code)
        assert value("a") == 7
    assert asked == ["a"]


def test_a_job_that_fails_says_why_to_each_reader_in_their_language():
    jobs = Jobs(Memory(MEGABYTE))

    def refuse():
        raise CannotShow(text.t("Home"))
        yield

    for code, said in (("zh", texts()["Home"]), ("en", "Home")):
        speak(code)
        job = jobs.find("key") or jobs.start("key", "title", refuse)
        with pytest.raises(CannotShow, match=said):
            result_of(job, "somebody")


def test_a_list_says_how_many_it_leaves_out():
    assert list_names(["a", "b", "c"], 3) == "a, b and c"
    assert list_names(["a", "b", "c"], 2) == "a, b and 1 more"
    speak("zh")
    assert "a" in list_names(["a", "b", "c"], 2)


SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
TEMPLATE = re.compile(r"`((?:[^`\\]|\\.){3,300})`")
# Of Streamlit's elements that pages have; what they write to a log or never reach is not said.
ELEMENTS = ("NumberInput", "Multiselect", "FileUploader", "DownloadButton")
UNSAID = re.compile(
    "Deferred download|Download Button|Upload directories|.* range\\.$|Invalid data"
)


def _scripts(name):
    return "".join(each.read_text(encoding="utf-8") for each in SCRIPTS.glob(f"{name}.*.js"))


def _rule(english):
    parts = re.split(r"\{\w+\}", english)
    return re.compile(".+".join(map(re.escape, parts)))


@pytest.mark.parametrize("element", ELEMENTS)
def test_all_that_an_element_of_streamlit_says_has_words_of_ours(element):
    known = [_rule(each) for each in (*STREAMLIT_WORDS, *WORDS_FOR_READERS)]
    found = (text.replace("${e}", "options") for text in TEMPLATE.findall(_scripts(element)))
    said = {text for text in found if re.match(r"[A-Z][a-z]+ ", text)}
    lacking = {
        text
        for text in said
        if not UNSAID.match(text)
        and not any(rule.fullmatch(words) for rule in known for words in (text, f"Error: {text}"))
    }
    assert not lacking


def test_readers_are_not_told_how_to_start_a_server():
    server = Path(streamlit.__file__).parent / "runtime" / "backend_operation_handler.py"
    scripts = _scripts("*") + server.read_text(encoding="utf-8")
    for theirs, ours in WORDS_FOR_READERS.items():
        for part in re.split(r"\{\w+\}|Error: |, and response:|\(HTTP", theirs):
            assert part.strip(" .0123456789") in scripts, part
        assert "Streamlit" not in ours


SAID_OTHERWISE = {
    "采用的": "算法所选 (by the algorithm)",
    "选中的": "手动选定 (by the reader)",
    "演示模式": "放映",
    "演示用时": "放映用时",
    "按名称刷选": "选取",
    "从中走过": "判定路径",
    "自己的表格": "你的数据、你上传的表格",
    "样本数（样本）": "样本数",
}


def test_chinese_keeps_to_the_words_of_the_sheet():
    known = texts()
    found = {key: word for key, text in known.items() for word in SAID_OTHERWISE if word in text}
    assert found == {}
    assert (known["Present"], known["Demo"]) == ("放映", "示例")


def test_chinese_is_set_with_spaces_around_latin_letters_and_digits():
    han, latin = "[\u4e00-\u9fff]", "[A-Za-z0-9]"
    joined_up = re.compile(f"{han}{latin}|{latin}{han}")
    bare = {key: re.sub("<[^>]*>|{[^}]*}", "", text) for key, text in texts().items()}
    assert [key for key, text in bare.items() if joined_up.search(text)] == []
    speak("zh")
    for criterion in ("BNM", "CSN", "基尼指数"):
        said = t("The split has {criterion} {score}.", criterion=criterion, score=3)
        assert not joined_up.search(said)
        assert "  " not in said
    assert (
        t("The split has {criterion} {score}.", criterion="BNM", score=3) == "此分裂的 BNM 为 3。"
    )
