"""Rows held out by whole units instead of at random: the choice, and the words for it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.datasets.column_roles import TIME
from lastviz.datasets.divisions import BLOCKS, GROUPS, LAST
from lastviz.ui.compute.data import held_by
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import is_table
from lastviz.ui.text import number, plural, t

from .widgets import bound


def held_by_chooser(work: Work) -> None:
    """Draw the choice of the rows held out, for tables and where a link has chosen."""
    chosen, full = work.selection.held_by, work.data.full
    if not (is_table(work.selection.data) or chosen):
        return
    called = [full.labels.get(name, name) for name in full.feature_names]
    titles = {"": t("Drawn at random"), LAST: t("The last rows"), BLOCKS: t("Blocks of neighbours")}
    for place in _times(work):
        titles[f"{LAST}{place + 1}"] = t("The last rows by {column}", column=called[place])
    for place, name in enumerate(called, 1):
        titles[f"{GROUPS}{place}"] = t("Groups of {column}", column=name)
    titles.setdefault(chosen, held_words(work) or chosen)  # a link may name any column
    bound(st.selectbox, "held_by", t("Rows held out"), [*titles], format_func=titles.get)


def last_rows(work: Work) -> str:
    """Way to hold out the last rows: by a column of time, if one sorts the file."""
    for place in _times(work):
        column = work.data.full.X.iloc[:, place]
        if column.is_monotonic_increasing or column.is_monotonic_decreasing:
            return f"{LAST}{place + 1}"
    return LAST


def _times(work: Work) -> list[int]:
    """Columns that mean time and have an order, by position."""
    full = work.data.full
    times = (name for name in work.columns_with(TIME) if full.kinds[name] != "nominal")
    return [full.feature_names.index(name) for name in times]


def held_words(work: Work) -> str:
    """Rows that are held out by whole units, "" if they were drawn at random."""
    units, rows = work.data.units, work.first.division.held_out_rows
    if units is None or not len(rows):
        return ""
    how, name = held_by(work.data.full, work.selection)
    column = work.data.full.labels.get(name, name)
    about = {"n": number(len(np.unique(units[rows]))), "all": number(int(units.max()) + 1)}
    if how == GROUPS:
        return t("{n} of {all} groups of {column}", column=column, **about)
    if how == BLOCKS:
        return t("{n} of {all} blocks of consecutive rows", **about)
    if name is not None:
        return t("the last {n} rows by {column}", n=number(len(rows)), column=column)
    return plural(len(rows), "the last row", "the last {n} rows")


def units_caveat(rows: str) -> str:
    """Limit of the intervals of `rows` held out by whole units, as a sentence."""
    return t(
        "Held out: {rows}. Intervals take rows for independent; rows of one time, block or group "
        "are alike, so that intervals are too narrow.",
        rows=rows,
    )
