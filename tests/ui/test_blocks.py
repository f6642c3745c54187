"""One list of blocks is what a page draws, a report prints and a slide holds."""

import pandas as pd

from lastviz.export.blocks import Columns, Picture, Text
from lastviz.plots import Drawing
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Box,
    Chart,
    Controls,
    NumbersTable,
    Only,
    on_slide,
    report_blocks,
    tables_in,
)

FIGURE = Drawing((), {})
CHART = Chart(FIGURE, "alt", "caption", 300, fixed=True, key="a", on_click=print)


def numbers():
    return pd.DataFrame({"x": [1]})


def words(blocks):
    return [block.text for block in blocks if isinstance(block, Text)]


def test_each_medium_has_its_own_blocks_in_their_places():
    blocks = [
        Text("all"),
        Only((PAGE,), [Text("page")]),
        Box("box", [Only((SLIDE,), [Text("slide")]), Text("in a box")]),
        Only((PAGE, REPORT), [Text("no slide")]),
        Controls(print),
    ]
    assert words(report_blocks(blocks)) == ["all", "in a box", "no slide"]
    assert words(on_slide(blocks)) == ["all", "slide", "in a box"]


def test_a_picture_answers_on_its_page_alone():
    [shown] = on_slide([CHART])
    assert type(shown) is Picture
    assert (shown.figure, shown.alt, shown.caption) == (FIGURE, "alt", "")
    assert (shown.width, shown.fixed) == (300, True)


def test_a_report_has_columns_one_below_the_other_and_a_slide_those_that_have_something():
    left, right = [Text("left")], [Text("right")]
    blocks = [Columns([left, [Only((PAGE,), right)], right], (3, 2, 1))]
    assert words(report_blocks(blocks)) == ["left", "right"]
    [columns] = on_slide(blocks)
    assert ([words(column) for column in columns.columns], list(columns.shares)) == (
        [["left"], ["right"]],
        [3, 1],
    )
    assert on_slide([Columns([left, []])]) == left


def test_tables_stand_at_the_end_of_a_report_wherever_they_are_on_the_page():
    blocks = [Columns([[Box("box", [NumbersTable("n", "Numbers", numbers)])]]), Text("last")]
    assert [table.caption for table in tables_in(blocks)] == ["Numbers"]
    assert not [each for each in report_blocks(blocks) if not isinstance(each, Text)]
