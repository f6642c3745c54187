"""How the app talks: translations, words that no text says, the glossary."""

import pickle
import re
from contextvars import ContextVar
from functools import cache

import numpy as np
import pytest
from markupsafe import Markup

from lastviz._sentences import Refusal, Statement
from lastviz.criteria import CRITERIA
from lastviz.criteria.expression import tex_number
from lastviz.datasets import load_dataset
from lastviz.host import language
from lastviz.ui import text
from lastviz.ui.shared import glossary
from lastviz.ui.shared.glossary import LARGE, SMALL, TERMS, example_scores, symbols_of, terms_with
from tests.texts import CODES, texts, write_catalogue
from tests.ui.conftest import checked, opened


def nothing_spoken(monkeypatch):
    """Let no run of a page have said which language it speaks."""
    variable = ContextVar("spoken")
    for module in (language, text):
        monkeypatch.setattr(module, "SPOKEN", variable)


def test_english_is_its_own_translation():
    assert text.t("{n} of {all} rows", n=3, all=4) == "3 of 4 rows"
    assert text.t("a {brace} without values") == "a {brace} without values"


def test_a_catalogue_translates_and_falls_back_to_english(tmp_path, monkeypatch):
    write_catalogue(tmp_path, "xx", {"Data": "Datoj"})
    monkeypatch.setattr(text, "LOCALE", tmp_path)
    monkeypatch.setattr(language.st, "session_state", {"language": "xx"})
    nothing_spoken(monkeypatch)
    for memory in (text.translations, text.languages):
        monkeypatch.setattr(text, memory.__name__, cache(memory.__wrapped__))
    assert text.languages() == ("en", "xx")
    assert text.t("Data") == "Datoj"
    assert text.t("Seed") == "Seed"
    language.st.session_state["language"] = "en"
    assert text.t("Data") == "Data"


def test_plural():
    assert text.plural(1, "{n} row", "{n} rows") == "1 row"
    assert text.plural(1234, "{n} row", "{n} rows") == "1,234 rows"


def test_ordinal():
    places = (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 101, 111, 112, 113, 1003)
    assert [text.ordinal(place) for place in places] == [
        "1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "22nd", "23rd",
        "101st", "111th", "112th", "113th", "1,003rd",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("share", "words"), [(0.0834, "8.3"), (0, "0.0"), (1, "100.0"), (None, "–")]
)
def test_percent(share, words):
    assert text.percent(share) == words


def test_chinese_stands_without_gaps(monkeypatch):
    nothing_spoken(monkeypatch)
    assert text.t("{first} and {last}", first="Spectf", last="车辆") == "Spectf and 车辆"
    language.speak("zh")
    assert text.t("{first} and {last}", first="Spectf", last="车辆") == "Spectf 和车辆"
    assert text.t("{first} and {last}", first="车辆（新）", last="Bupa") == "车辆（新）和 Bupa"
    assert text.paragraph(["一句。", "CART 再一句。"]) == "一句。CART 再一句。"


def test_numbers_of_numpy_are_said_as_numbers():
    strange = [np.int64(1), np.float64(0.5)]
    said = Refusal(
        "y holds {strange!r}, which is not in {known}", strange=strange[0], known=strange
    )
    assert str(said) == "y holds 1, which is not in [1, 0.5]"
    assert text.translate(said) == str(said)
    assert str(Refusal("{n:,} rows", n=np.int64(1200))) == "1,200 rows"


TREE = Statement(
    "**{name} is right on {share:percent}** of {n} rows ({low:hundredths} & {gap:rounded}): {why}",
    name="a<b*",
    share=0.8834,
    n=12345,
    low=0.5,
    gap=-1.2345,
    why=Statement("{n} leaf of {names:list}", "{n} leaves of {names:list}", n=2, names=("x", "y")),
)


def test_a_statement_is_english_by_itself_and_keeps_its_values():
    assert TREE == "a<b* is right on 88.3 % of 12345 rows (50.0 & -1.23): 2 leaves of x and y"
    assert TREE.values["why"].values["n"] == 2
    again = pickle.loads(pickle.dumps(TREE))
    assert (again, again.values, again.template) == (TREE, TREE.values, TREE.template)


def test_each_place_has_its_own_signs_and_one_form_of_numbers():
    rest = "of 12,345 rows (50.0 {} −1.23): 2 leaves of x and y"
    assert text.as_plain(TREE) == f"a<b* is right on 88.3 % {rest.format('&')}"
    assert text.as_html(TREE) == f"<b>a&lt;b* is right on 88.3 %</b> {rest.format('&amp;')}"
    assert text.as_markdown(TREE).startswith(r"**a\<b\* is right on 88\.3 %** of 12,345 rows \(")


def test_a_value_that_is_html_stays_so_where_there_is_html():
    said = Statement("{test} asks", test=Markup("x<sub>1</sub> &gt; 3"))
    assert text.as_html(said) == "x<sub>1</sub> &gt; 3 asks"
    assert text.as_plain(said) == "x1 > 3 asks"


def test_a_statement_speaks_the_language_of_the_reader(monkeypatch):
    nothing_spoken(monkeypatch)
    language.speak("zh")
    leaves = Statement("{n} leaf", "{n} leaves", n=3)
    assert text.as_plain(leaves) == "3 个叶节点"
    told = Statement("The split has {criterion} {score}.", criterion="BNM", score=3)
    assert text.as_plain(told) == "此分裂的 BNM 为 3。"
    assert text.as_html([Statement("Home"), Statement("Data")]) == "首页数据"


def test_the_smallest_chances_are_only_called_so():
    assert text.as_plain(Statement("p {p:chance}", p=1e-9)) == "p less than 0.001"
    assert text.as_plain(Statement("p {p:chance}", p=0.0312)) == "p 0.0312"


CHINESE = texts()
HAN = "[\u3400-\u9fff]"
VALUE = re.compile(
    r"\$[^$]*\$|`[^`]*`|\(\{n\},\)|\{[^}]*\}|<[^>]*>|[A-Za-z]\([ -~]*?\)|式 \([\d.]+\)"
)  # also formulas and shapes
OF = re.compile(r"\{(\w+)\} of (?:all |the |its |these )?\{(\w+)\}")
CITED = re.compile(r"\(\d{4}\)\. |doi ")  # a paper's reference keeps the marks of its journal
# Each is a kind, with what is said instead.
UNSAID = {
    r"take the branch|the branch yes": "go to yes",
    r"\bbranch (yes|no)\b|branches yes": "on the left, on the right",
    r"in the network|found out\b|length is not": "on the network, detected, much variance is not",
    r"times (less|more)": "per cent lower; as large",
    r"favourite": "best split according to",
    r"[Rr]ight about|right on\b|rightly|gets \{\w+\} right": "classifies correctly",
    r"\bpart(s|ed|ing)? (the |two |many |other )?(moons|classes|data|rows|nominal)": "separate",
    r"\b[Rr]ubs? out|\bdab\b": "erase, stroke",
    r"printed loop|held monotone|[Ww]eigh node": "as printed, with the constraint, compare",
    r"\b(first|second|last|previous|this) stage\b|\bstage \d|two stages": "step",
    r"any more\)|or no longer|never was one": "does not exist or has expired",
    r"is kept of|[Ww]hat is kept": "stored about",
    r"leaves (first|next)\b|that leave\b": "is split off",
    r"has to guess": "is decided by chance",
    r"arithmetic go|learning from\?": "How is it calculated? What is in the data?",
    r"[Oo]f equals|less is better|would do as well|asked about|learnt from": "plainly",
    r"the (oldest|smallest \w+|subtree) goes\b|what goes\b|\bgoes first\b": "is pruned, is deleted",
}
UNSAID_IN_CHINESE = {
    "您": "你",
    "采用的分裂|采用的划分|采用的根": "算法所选的",
    "选中的(节点|分裂|样本|直线|数据)": "手动选定的",
    "同类的节点间间隔": "同类样本在两个子节点之间的间隔",
    "长不等于": "方差大不等于",
    "保存了(我|你)的什么": "系统保存了……的哪些信息",
    "按 \\{\\w+\\} 划分": "分裂",
}


@pytest.mark.parametrize("pattern", UNSAID)
def test_no_text_is_said_in_such_words(pattern):
    assert [text for text in CHINESE if re.search(pattern, text)] == []


@pytest.mark.parametrize("pattern", UNSAID_IN_CHINESE)
def test_no_chinese_text_is_said_in_such_words(pattern):
    assert {key: text for key, text in CHINESE.items() if re.search(pattern, text)} == {}


def test_chinese_has_full_width_marks():
    half = re.compile(rf"{HAN}□* ?[,;:!?(]|[,;:!?)] ?□*{HAN}|{HAN}□*\.(?!\w|\.)")
    bare = {key: VALUE.sub("□", text) for key, text in CHINESE.items() if not CITED.search(key)}
    assert {key: text for key, text in bare.items() if half.search(text)} == {}


def test_chinese_says_the_whole_before_its_part():
    """Of 280 rows 28, not 28 of 280 rows; a slash keeps the English order."""
    found = {}
    for english, said in CHINESE.items():
        for part, whole in OF.findall(english):
            slash = re.search(rf"\{{{part}\}} ?/ ?(全部 )?\{{{whole}\}}", said)
            if not slash and said.index(f"{{{whole}}}") > said.index(f"{{{part}}}"):
                found[english] = said
    assert found == {}


@pytest.mark.parametrize("key", ["iris", "wine", "breast_cancer", "loan"])
def test_names_of_classes_in_built_in_data_are_translated(key):
    names = {str(name) for name in load_dataset(key).class_order}
    assert names <= set(CHINESE)


def test_every_term_stands_once_and_says_something_else_than_its_name():
    names = [term.name.casefold() for term in TERMS]
    assert names == sorted(set(names))
    for term in TERMS:
        assert len(term.definition) > len(term.name)
        assert term.definition.endswith(".")


@pytest.mark.parametrize("key", CRITERIA)
def test_every_criterion_is_a_term_with_its_formula(key):
    row = CRITERIA[key]
    term = next(term for term in TERMS if term.name == row.title)
    assert term.formula == row.formula
    assert ("small is better" in term.definition) == row.smaller_is_better


def test_terms_are_found_by_their_letters():
    assert "alpha" in {term.name for term in terms_with("  ALPHA ")}
    assert terms_with("") == TERMS
    assert terms_with("zzz") == ()


def test_the_glossary_opens_over_any_page():
    for page in ("boundaries", "home"):
        app = opened(page, data="moons")
        app = checked(app.button(key="glossary").click().run())
        assert any("**accuracy**" in str(each.value) for each in app.markdown)


@pytest.mark.parametrize("key", CRITERIA)
def test_a_criterion_has_an_idea_its_symbols_and_an_example_of_its_own_numbers(key):
    (term,) = (term for term in TERMS if term.criterion == key)
    idea, symbols = CRITERIA[key].idea, symbols_of(term)
    assert idea not in (LARGE, SMALL)
    assert [row.idea for row in CRITERIA.values()].count(idea) == 1
    assert " ".join(symbols).count("$") >= 2
    for code in CODES:
        assert {idea, CRITERIA[key].symbols} - {""} <= set(texts(code))
    candidate, score = example_scores()[key]
    assert candidate.left.tolist() == [3, 1]
    assert candidate.right.tolist() == [1, 3]
    assert CRITERIA[key].card(candidate).numbers.value() == pytest.approx(score, abs=1e-9)
    if CRITERIA[key].score is not None:
        assert float(CRITERIA[key].score(candidate.left, candidate.right)) == pytest.approx(score)
    _, latex = glossary._example(key)
    assert tex_number(score) in latex
