import doctest

import numpy as np
import pytest

from lastviz.plots.visuals import words
from lastviz.plots.visuals.words import feature_html, node_html, number, shorten_name, split_words

from .conftest import make_scene


@pytest.mark.parametrize(("value", "text"), [
    (0, "0"), (-0.0, "0"), (3, "3"), (1234567, "1,234,567"), (np.int64(-12), "−12"),
    (0.60571, "0.6057"), (-0.27, "−0.27"), (5414.83, "5,415"), (99.999, "100"),
    (12.3456, "12.35"), (1e-4, "0.0001"), (0.00012345, "0.0001234"), (-1.5e-7, "−1.5·10⁻⁷"),
    (2e12, "2·10¹²"), (np.float32(0.5), "0.5"), (float("nan"), "–"), (float("-inf"), "−∞"),
])  # fmt: skip
def test_number(value, text):
    assert number(value) == text


@pytest.mark.parametrize("value", np.geomspace(1e-9, 1e9, 41))
def test_number_is_right_to_four_digits(value):
    text = number(value).replace(",", "")
    if "·10" in text:
        digits, power = text.split("·10")
        text = digits + "e" + power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    assert float(text) == pytest.approx(value, rel=5.1e-4)


def test_docstrings_are_right():
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(("name", "text"), [
    ("x1", "x<sub>1</sub>"), ("x_12", "x<sub>12</sub>"), ("petal length", "petal length"),
    ("h2o", "h2o"), ("od280", "od280"), ("a<b & c", "a&lt;b &amp; c"),
])  # fmt: skip
def test_feature_names_are_html(name, text):
    assert feature_html(name) == text


def test_split_words_have_two_branches_leaves_have_none_and_a_node_tells_its_rows():
    tree = make_scene().tree
    yes, no = split_words(tree, 0), split_words(tree, 0, branch=1)
    assert yes.replace("≤", "&gt;") == no
    assert number(tree.threshold[0]) in yes
    leaf = int(np.flatnonzero(tree.n_children == 0)[0])
    assert split_words(tree, leaf) == ""
    text = node_html(tree, 0, class_names=("<a>", "b", "c"))
    assert split_words(tree, 0) in text
    assert f"{tree.n_node_samples[0]} rows" in text
    assert f"&lt;a&gt;: {number(tree.value[0, 0])}" in text


def test_long_names_are_cut():
    assert shorten_name("abc", 3) == "abc"
    assert shorten_name("abcd", 3) == "ab…"
