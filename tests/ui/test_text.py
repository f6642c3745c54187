import pickle
from contextvars import ContextVar
from functools import cache

import numpy as np
import pytest
from markupsafe import Markup

from lastviz._sentences import Refusal, Statement
from lastviz.host import language
from lastviz.ui import text
from tests.texts import write_catalogue


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
