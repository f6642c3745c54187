"""How the app talks: what no text says, in either language."""

import re

import pytest

from lastviz.datasets import load_dataset
from tests.texts import texts

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
    for english, text in CHINESE.items():
        for part, whole in OF.findall(english):
            slash = re.search(rf"\{{{part}\}} ?/ ?(全部 )?\{{{whole}\}}", text)
            if not slash and text.index(f"{{{whole}}}") > text.index(f"{{{part}}}"):
                found[english] = text
    assert found == {}


@pytest.mark.parametrize("key", ["iris", "wine", "breast_cancer", "loan"])
def test_names_of_classes_in_built_in_data_are_translated(key):
    names = {str(name) for name in load_dataset(key).class_order}
    assert names <= set(CHINESE)
