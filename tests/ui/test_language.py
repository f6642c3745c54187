"""The languages: complete catalogues, and pages, jobs and memories that speak the reader's one."""

import ast
import json
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
import streamlit

from lastviz.criteria import CRITERIA
from lastviz.datasets import DATASETS
from lastviz.datasets.openml_client import UNKNOWN
from lastviz.estimators import ESTIMATORS, BoostedTreeClassifier
from lastviz.estimators.mcdf import MEANING_OF_M
from lastviz.export import FOREST_FORMATS, FORMATS
from lastviz.host.jobs import Jobs
from lastviz.host.language import speak
from lastviz.host.memory import Memory
from lastviz.latent import LATENT_SPACES
from lastviz.pruning import PRUNERS
from lastviz.studies.published import (
    CLAIMS,
    MISPRINTS,
    PAPERS,
    PRINTED_SETS,
    QUANTITIES,
    TABLES,
)
from lastviz.studies.results import RESULTS
from lastviz.tables.delimited import GUESSED_QUOTES
from lastviz.tables.hints import PARTS_OF_DATES
from lastviz.tables.opening import OTHER_DOCUMENTS, REFUSED
from lastviz.tables.reading import DATE_ORDERS, MERGED, QUOTES, READ_AS
from lastviz.tree import Reason
from lastviz.ui import text
from lastviz.ui.components.chart_code import MARKS
from lastviz.ui.compute.cache import data, result_of
from lastviz.ui.frame import PAGES
from lastviz.ui.shared.glossary import TERMS
from lastviz.ui.shared.language_switch import (
    STREAMLIT_MENUS,
    STREAMLIT_WORDS,
    WORDS_FOR_READERS,
)
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.moved import PARTS, PRICE
from lastviz.ui.text import CATALOGUES, CannotShow, catalogue, listed, t
from tests.test_architecture import PACKAGE

from .conftest import checked, html, opened
from .opened_pages import seen

CODES = sorted(path.stem for path in CATALOGUES.glob("*.json"))
NAMES = re.compile(r"(C4\.5|ID3|[A-Z][A-Za-z]*[A-Z0-9-][\w.-]*|[\d\W_]*)")  # the same everywhere
MEGABYTE = 1_000_000
ENGLISH_WORDS = re.compile(r"\b[a-z]{3,} [a-z]{3,}\b")


def _texts_of(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return _texts_of(node.body) + _texts_of(node.orelse)
    return []


@cache
def _calls():
    """Calls of functions by their names in all of the package: (is in ui, call)."""
    return [
        (path.is_relative_to(PACKAGE / "ui"), node)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


@cache
def literal_texts():
    """The texts that the pages' code hands to `t` and `plural`."""
    found = set()
    for in_ui, call in _calls():
        args = {"t": call.args[:1], "plural": call.args[1:3]}.get(call.func.id, ())
        found.update(text for arg in args if in_ui for text in _texts_of(arg))
    return found


@cache
def texts_below():
    """The texts that other layers hand to `Sentence` and `Refusal`, which pages say as they are."""
    found = {*REFUSED.values(), *OTHER_DOCUMENTS.values(), UNKNOWN, MEANING_OF_M}
    for words in (READ_AS, DATE_ORDERS, QUOTES, MERGED, GUESSED_QUOTES, PARTS_OF_DATES):
        found.update(words.values())
    found |= {form.title for forms in (FORMATS, FOREST_FORMATS) for form in forms.values()}
    for _, call in _calls():
        if call.func.id in ("Sentence", "Refusal") and call.args:
            found.update(_texts_of(call.args[0]))
    return found


@cache
def declared_texts():
    """The texts of registries that pages show: algorithms, data, criteria, papers, the course."""
    found = {title for names in PAGES.values() for title in names[:2]}
    found |= {*STREAMLIT_WORDS, *STREAMLIT_MENUS, *WORDS_FOR_READERS.values()}
    entries = [*ESTIMATORS.values(), *DATASETS.values()]
    found |= {entry.title for entry in entries} | {entry.group for entry in DATASETS.values()}
    params = [p for entry in ESTIMATORS.values() for p in entry.cls.PARAMS]
    params += [p for entry in DATASETS.values() for p in entry.PARAMS]
    found |= {words for p in params for words in (p.label, p.help, p.unit) if words}
    found |= {words for c in CRITERIA.values() for words in (c.title, c.short)}
    trees = [*(entry.cls for entry in ESTIMATORS.values()), BoostedTreeClassifier]
    found |= {cls.SCORED for cls in trees if getattr(cls, "SCORED", "")}
    found |= {each.title for each in (*LATENT_SPACES.values(), *PRUNERS.values())}
    found |= {reason.sentence for reason in Reason if reason.sentence}
    found |= {words for term in TERMS for words in (term.name, term.definition, term.symbols)}
    found |= {words for p in PAPERS.values() for words in (p.title, p.protocol)}
    found |= {words for each in MISPRINTS for words in (each.what, each.reason)}
    found |= {claim.sentence for claim in CLAIMS}
    found |= {each.title for each in (*TABLES.values(), *QUANTITIES.values())}
    printed = [each for sets in PRINTED_SETS.values() for each in sets]
    found |= {words for each in printed for words in (each.title, each.note) if words}
    found |= {scene.question for scene in SCENES}
    found |= {name for _, name in MARKS}
    found |= {result.source for result in RESULTS.values()}
    found |= {PRICE, *(sentence for _, sentence in PARTS.values())}
    return found | {step.text for scene in SCENES for step in scene.steps}


def _places(words):
    return {name for _, name, _, _ in Formatter().parse(words) if name}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("texts", [literal_texts, declared_texts, texts_below])
def test_a_catalogue_has_every_text(code, texts):
    known = catalogue(code)
    lacking = {each for each in texts() if each not in known and not NAMES.fullmatch(each)}
    assert not lacking


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_keeps_places_and_marks(code):
    for english, other in catalogue(code).items():
        assert other.strip() or not english.strip(), english  # sentences may stand without a gap
        assert _places(english) == _places(other), english
        for mark in ("**", "`", "<b>", "</b>", "<i>", "</i>"):
            assert english.count(mark) == other.count(mark), english


def test_the_link_says_the_language_and_the_pages_speak_it():
    app = opened("rules", lang="zh")
    assert app.title[0].value == catalogue("zh")["What does the tree say?"]
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
    app = checked(app.selectbox(key="data").select("moons").run())
    assert app.title[0].value == catalogue("zh")["Where does each algorithm draw the line?"]
    assert (app.query_params["lang"], app.query_params["data"]) == ("zh", "moons")


@pytest.mark.parametrize("page", list(PAGES))
def test_no_english_sentence_on_a_page_in_chinese(page):
    app = seen(page, lang="zh")
    no_prose = re.compile(r"<(style|script|code).*?</\1>|<cite.*?</cite>|<[^>]*>|`[^`]*`", re.S)
    words = [html(app), *(str(each.value) for kind in ("title", "caption", "markdown", "subheader",
             "info", "warning") for each in app.get(kind) if hasattr(each, "value"))]  # fmt: skip
    words += [str(each.label) for each in app.main if hasattr(each, "label")]
    words = [no_prose.sub(" ", each) for each in words]
    for name in data(app.session_state["selection"]).dataset.feature_names:
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
    assert words("a") == catalogue("zh")["Home"]
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

    for code, said in (("zh", catalogue("zh")["Home"]), ("en", "Home")):
        speak(code)
        job = jobs.find("key") or jobs.start("key", "title", refuse)
        with pytest.raises(CannotShow, match=said):
            result_of(job, "somebody")


def test_a_list_says_how_many_it_leaves_out():
    assert listed(["a", "b", "c"], 3) == "a, b and c"
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    speak("zh")
    assert "a" in listed(["a", "b", "c"], 2)


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


def test_catalogues_are_sorted_files_of_texts():
    for code in CODES:
        known = json.loads((CATALOGUES / f"{code}.json").read_text(encoding="utf-8"))
        assert list(known) == sorted(known)


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
    known = catalogue("zh")
    found = {key: word for key, text in known.items() for word in SAID_OTHERWISE if word in text}
    assert found == {}
    assert (known["Present"], known["Demo"]) == ("放映", "示例")


def test_chinese_is_set_with_spaces_around_latin_letters_and_digits():
    han, latin = "[\u4e00-\u9fff]", "[A-Za-z0-9]"
    joined_up = re.compile(f"{han}{latin}|{latin}{han}")
    texts = {key: re.sub("<[^>]*>|{[^}]*}", "", text) for key, text in catalogue("zh").items()}
    assert [key for key, text in texts.items() if joined_up.search(text)] == []
    speak("zh")
    for criterion in ("BNM", "CSN", "基尼指数"):
        said = t("At the picked node, with {impurity} {value}:", impurity=criterion, value=3)
        assert not joined_up.search(said)
        assert "  " not in said
    assert t("At the picked node, with {impurity} {value}:", impurity="BNM", value=3) == (
        "在手动选定的节点，BNM 为 3："
    )
