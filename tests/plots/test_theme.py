"""Tokens against the printed tables, and what must be readable on what."""

import pytest

from lastviz.plots.visuals.theme import SYMBOLS, THEMES, mix, point_size, symbol

TINTS = {
    "light": (
        ("#D4E7F2", "#ECF4F9"), ("#FBEFD4", "#FDF8EC"), ("#D4EFE7", "#ECF8F4"),
        ("#F6E8F0", "#FBF5F8"), ("#F8E4D4", "#FCF3EC"), ("#E2F2FB", "#F2F9FD"),
        ("#FCFADF", "#FEFDF1"),
    ),
    "dark": (
        ("#1B3143", "#17222D"), ("#403416", "#272319"), ("#10332E", "#122324"),
        ("#3B2C39", "#252029"), ("#3D2616", "#251D19"), ("#223847", "#1A252E"),
        ("#424224", "#28291F"),
    ),
}  # fmt: skip


def luminance(colour):
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    """Contrast ratio of WCAG 2."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_mix_ends_at_its_colours():
    assert mix("#102030", "#FFFFFF", 1.0) == "#102030"
    assert mix("#102030", "#FFFFFF", 0.0) == "#FFFFFF"
    assert mix("#000000", "#FFFFFF", 0.5) == "#808080"


def test_region_tints_are_the_printed_ones_and_marks_and_texts_stand_out_from_them(theme):
    tokens = THEMES[theme]
    drawn = tuple((tokens.region(k), tokens.region(k, faded=True)) for k in range(7))
    for ours, printed in zip(drawn, TINTS[theme], strict=True):
        for a, b in zip(ours, printed, strict=True):
            assert all(abs(int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) <= 1 for i in (1, 3, 5))
    for k in range(len(tokens.hues)):
        for tint in (tokens.region(k), tokens.region(k, faded=True)):
            edge = tokens.point_edge(k) if theme == "light" else tokens.hue(k)
            assert contrast(edge, tint) >= 3.0, k
            assert contrast(tokens.held_out(k), tint) >= 3.0, k
            assert contrast(tokens.ink, tint) >= 7.0, k
        assert contrast(tokens.ink, tokens.ribbon(k)) >= 4.5, k
        assert contrast(tokens.grey7, tokens.ribbon(k, faded=True)) >= 4.5, k


@pytest.mark.parametrize("text", ["ink", "grey7", "grey5"])
@pytest.mark.parametrize("ground", ["paper", "side", "card"])
def test_text_is_readable(theme, text, ground):
    tokens = THEMES[theme]
    assert contrast(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


def test_64_classes_differ_in_hue_or_symbol(theme):
    looks = {(THEMES[theme].hue(k), symbol(k)) for k in range(64)}
    assert len(looks) == 64
    assert [symbol(k) for k in range(7)] == list(SYMBOLS[:7])


def test_points_shrink_with_their_number():
    sizes = [point_size(n) for n in (10, 1000, 3000, 100_000)]
    assert [s.filled for s in sizes] == sorted((s.filled for s in sizes), reverse=True)
    assert all(s.ring > 1.6 * s.filled for s in sizes)
