"""Brushed rows as part of a link and as readers type them."""

import numpy as np
import pytest

from lastviz.ui.state import link_texts
from lastviz.ui.state.link_texts import MOST_BRUSHED, read_brushed, row_numbers, write_brushed
from lastviz.ui.state.selection import DEFAULT


def refuses(read, text):
    try:
        read(text)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(("n", "share"), [(40, 0.5), (400, 0.3), (5000, 0.4), (200_000, 0.001)])
def test_rows_come_back_from_their_text(n, share):
    rows = tuple(np.flatnonzero(np.random.default_rng(n).random(n) < share).tolist())
    text = write_brushed(rows)
    assert len(text) <= 1200
    assert read_brushed(text) == rows


def test_few_rows_are_readable_and_many_are_packed():
    assert write_brushed((0, 1, 2, 6)) == "1-3.7"
    assert write_brushed(tuple(range(0, 400, 2))).startswith("~")


def test_rows_too_many_for_a_link_stay_in_the_process_and_are_gone_elsewhere():
    rows = tuple(np.flatnonzero(np.random.default_rng(0).random(20_000) < 0.5).tolist())
    text = write_brushed(rows)
    assert len(text) < 30
    assert read_brushed(text) == rows
    link_texts._stored.clear()
    with pytest.raises(ValueError, match=text):
        read_brushed(text)


@pytest.mark.parametrize("text", ["", "0", "3-1", "~", "~AAAA", "!none", "x", "1-900000", "~é"])
def test_what_says_no_rows_is_refused(text):
    assert refuses(read_brushed, text)


def test_typed_row_numbers():
    assert row_numbers(" 3, 1; 5 - 7 6") == (0, 2, 4, 5, 6)
    assert row_numbers("") == ()
    for wrong in ("a", "0", "7-5", f"1-{MOST_BRUSHED + 1}", "1-2-3"):
        assert refuses(row_numbers, wrong)


def test_other_rows_are_not_brushed():
    brushed = DEFAULT.change(brushed=(1, 2))
    assert brushed.change(seed=2).view.brushed == ()
    assert brushed.change(data="moons").view.brushed == ()
    assert brushed.change(params=(("noise", 0.3),)).view.brushed == ()
    assert brushed.change(held=0.4).change_model(0, node=2).view.brushed == (1, 2)
