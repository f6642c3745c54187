"""Ticks of axes on all scales: dates where days are counted, room for long numbers."""

from datetime import date, timedelta

import numpy as np
import pytest

from lastviz.plots import Points, scatter_plot
from lastviz.plots.visuals.drawing import dates_of, first_day, labels_width, ticks_of, with_ticks
from lastviz.tables.dates import DAYS
from tests.columns import COLUMNS

EPOCH = date(1970, 1, 1)
SPANS = (0.5, 3, 20, 45, 100, 400, 900, 4000, 20_000, 200_000)


@pytest.mark.parametrize("begin", [-40_000.0, -3.5, 0.0, 18_321.25])
@pytest.mark.parametrize("span", SPANS)
def test_an_axis_of_days_reads_dates_that_stand_where_they_are(begin, span):
    axis = with_ticks({"range": [begin, begin + span]}, DAYS)
    assert len(axis["tickvals"]) <= 7
    assert len(axis["tickvals"]) >= (2 if span > 1 else 0)
    assert len(set(axis["ticktext"])) == len(axis["ticktext"])
    for place, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        assert begin <= place <= begin + span
        day = EPOCH + timedelta(days=place)
        if "<br>" in text:
            assert f"{day:%m-%d}<br>{day.year}" == text
        else:  # the first day of a month or a year
            assert day == date.fromisoformat((text + "-01-01")[:10])


def test_other_units_are_no_dates():
    assert first_day(DAYS) == EPOCH
    assert first_day("days since 2001-02-03") == date(2001, 2, 3)
    for unit in ("", "cm", "days", "days since 2020-99-99", "year"):
        assert first_day(unit) is None


def test_days_are_read_as_dates():
    assert dates_of([18_321.0, 18_322.0], EPOCH) == ["2020-02-29", "2020-03-01"]
    assert dates_of([18_321.75, np.nan], EPOCH) == ["2020-02-29 18:00", "–"]


@pytest.mark.parametrize("name", COLUMNS)
def test_numbers_of_the_upright_axis_find_room(name):
    """The widest label of an axis fits between the figure's edge and the plane."""
    values, x = COLUMNS[name], np.linspace(0.0, 1.0, len(COLUMNS[name]))
    drawing = scatter_plot(
        Points.plain(x, values, np.zeros(len(x), dtype=int)),
        theme="light", names=("x1", "a"), class_names=("a",),
    )  # fmt: skip
    layout = drawing.settings
    assert labels_width(layout["yaxis"]) < layout["margin"]["l"]
    ticks = ticks_of(values)
    if np.abs(values).max() < 1e6 and np.ptp(values) > 1e-8:
        assert "," not in ticks["tickformat"]
        assert ticks["tickformat"].endswith("~f")
