"""Colours as eyes see them, and themes with hues of the reader's own."""

import itertools

import pytest

from lastviz.plots import THEMES, close_pairs, contrast, template, with_hues
from lastviz.plots.visuals.theme import distance


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21, abs=0.01)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#0072B2", "#0072B2") == 1


def test_distances_are_those_of_lab_where_no_cone_lacks_much():
    assert distance("#000000", "#FFFFFF") == pytest.approx(100, abs=0.5)
    # Red and green of one lightness are far apart for eyes with all cones alone.
    assert distance("#D04040", "#508030") < 25


def test_our_own_hues_can_be_told_apart_and_red_from_green_cannot():
    for theme in ("light", "dark"):
        assert close_pairs(THEMES[theme].hues) == []
    assert close_pairs(["#FF0000", "#00AA00"], least=60) == [(0, 1)]
    assert close_pairs(["#0072B2", "#0070B0", "#E69F00"]) == [(0, 1)]


@pytest.mark.parametrize("base", ["light", "dark"])
def test_a_theme_with_hues_of_its_own_is_the_same_otherwise(base):
    name = with_hues(base, ["#ff0000", None, "#00FF00"])
    own, usual = THEMES[name], THEMES[base]
    assert own.hue(0) == "#FF0000"
    assert own.hue(2) == "#00FF00"
    assert [own.hue(k) for k in (1, 3, 4, 5, 6)] == [usual.hue(k) for k in (1, 3, 4, 5, 6)]
    assert own.name == usual.name
    assert own.paper == usual.paper
    assert template(name) is template(base)
    assert list(THEMES) == ["light", "dark"]


def test_no_hues_are_the_theme_itself_and_what_is_none_is_no_theme():
    assert with_hues("light", [None, None]) == "light"
    assert with_hues("light", ()) == "light"
    for name in ("blue", "light red", "light #12345", "light  #123456"):
        with pytest.raises(KeyError):
            THEMES[name]


def test_many_classes_of_which_one_has_a_hue_keep_the_others():
    own, usual = THEMES[with_hues("light", [None] * 8 + ["#123456"])], THEMES["light"]
    assert own.hue(8) == "#123456"
    assert all(
        own.hue(k) == usual.hue(k) for k, _ in zip(range(8), itertools.count(), strict=False)
    )
