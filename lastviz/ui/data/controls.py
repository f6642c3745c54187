"""The fields of the page *data* in which a table is handed in, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.tables import (
    AS_FOUND,
    DATE_ORDERS,
    ENCODINGS,
    MERGED,
    QUOTES,
    READ_AS,
    SEPARATORS,
    ColumnFound,
    Found,
    Reading,
)
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.data import KINDS, MEGABYTES, looked_into, read_file
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.controls import show_data
from lastviz.ui.shared.naming import is_sidecar, take_sidecar
from lastviz.ui.shared.scene_box import open_scene_file, privacy_link
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import plain, t, translate

from .findings import MARKS, recipe_words

FIELD = "upload_field"
PASTED = "pasted_table"
MOST_PASTED = 1_000_000  # letters, of up to four bytes each: a page holds 4 MB
TAKEN = "upload_taken"  # the files of the field that have been read
FAULT = "upload_fault"  # of the file in the field: its name, a sentence, readings to try
NO_FAULT = (None, None, ())
TRIED = "upload_reading"  # how the file in the field is read, where it cannot be as found
REFUSED = "reading_fault"  # another reading that was refused, with the selection
FOUND = "as found"  # of a chooser where nothing is chosen
GROUPS = {"": "none", ".": "point", ",": "comma", " ": "blank", "'": "apostrophe"}
MOST_SHOWN = 420  # pixels of the table of columns

Apply = Callable[[Reading], None]


# A table that cannot be read leaves everything as it was.
def upload_box() -> None:
    """Draw the upload fields for a table."""
    st.file_uploader(
        t("Your own table"),
        type=[*KINDS, scene_file.SUFFIX.removeprefix(".")],
        accept_multiple_files=True,
        key=FIELD,
        max_upload_size=MEGABYTES,
        on_change=_take,
        help=t(
            "One row per sample, with a header row: CSV, Excel, Parquet, ARFF or JSON, also "
            "compressed. The class is a column called “class” or the like, else the last one; it "
            "can be changed below. A saved scene and a JSON sidecar with names, units and labels "
            "open here, too."
        ),
    )
    privacy_link()
    name, fault, offers = st.session_state.get(FAULT, NO_FAULT)
    file = _in_field(name)
    if fault and file is not None:
        st.error(plain(fault), icon=":material/error:")
        for label, reading in offers:
            _offer(label, reading, f"offer {label}", _retry)
        _retry_choosers(file)
    with st.popover(t("Paste a table"), icon=":material/content_paste:"):
        st.text_area(
            t("Rows copied from a spreadsheet or a text"),
            key=PASTED,
            height=160,
            max_chars=MOST_PASTED,
            placeholder=t("Names of the columns in the first row"),
        )
        st.button(t("Read it"), on_click=_take_pasted, key="read_pasted")
        if fault and name == _pasted_name():
            st.error(plain(fault), icon=":material/error:")


def reading_box(work: Work) -> None:
    """Draw one line on how the user's own table was read, with controls to change it."""
    if work.selection.data != UPLOAD:
        return
    found = work.found
    if found is None:
        return
    st.caption(plain(recipe_words(found)))
    for hint in found.hints[:3]:
        _hint(hint, found, work.selection)
    label = t("How it was read")
    box = st.expander(label, icon=":material/table_view:", key="fold.reading", on_change="rerun")
    refused, sentence = st.session_state.get(REFUSED, (None, ""))
    if refused == work.selection:
        st.error(plain(sentence), icon=":material/error:")
    if not box.open:
        return
    with box:
        _choosers(found, work.selection.reading, "read", _reread)
        _columns(found, work.selection)
        for hint in found.hints[3:]:
            _hint(hint, found, work.selection)
        if work.selection.reading != AS_FOUND:
            st.button(
                t("Read it as found"), on_click=_reread, args=(AS_FOUND,), key="read_as_found"
            )


def _hint(hint: str, found: Found, selection: Selection) -> None:
    """Draw a hint, and a button for each other reading that it offers."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.info(plain(translate(hint)), icon=":material/info:")
        for repair in (repair for repair in found.repairs if repair.hint == hint):
            _offer(
                repair.label,
                selection.reading.with_column(repair.column, **dict(repair.changes)),
                f"repair {repair.column} {repair.changes}",
                _reread,
            )


def _offer(label: str, reading: Reading, key: str, apply: Apply) -> None:
    st.button(plain(translate(label)), on_click=apply, args=(reading,), key=key)


# If the file could not be read, draw all choosers that may help.
def _choosers(found: Found | None, reading: Reading, key: str, apply: Apply) -> None:
    """Draw a chooser for each detected setting."""
    is_text = found is None or found.separator is not None
    has_rows = is_text or found.kind.startswith("Excel")
    places = iter(st.columns(3) * 4)

    def chooser(label: str, field: str, options: Mapping, as_found: str | None) -> None:
        with next(places):
            _chooser(label, field, options, as_found, reading, key, apply)

    if found is not None and found.parts:
        sheets = {part: part for part in found.parts}
        label = t("Sheet") if "Excel" in found.kind else t("File in the archive")
        chooser(label, "part", sheets, found.part)
    if has_rows:
        with next(places):
            _header_row(found, reading, key, apply)
    if is_text:
        marks = {mark: t(word) for mark, word in SEPARATORS.items()}
        chooser(t("Separator"), "separator", marks, found and found.separator)
        quotes = {key: t(words) for key, words in QUOTES.items()}
        chooser(t("Quotation marks"), "quotes", quotes, found and found.quotes)
    decimals = {mark: t(word) for mark, word in MARKS.items()}
    chooser(t("Decimal mark"), "decimal", decimals, found and found.decimal)
    groups = {mark: t(word) for mark, word in GROUPS.items()}
    chooser(t("Mark between thousands"), "thousands", groups, found and found.thousands)
    if found is None or found.encoding is not None:
        encodings = {name: t(words) for name, words in ENCODINGS.items()}
        chooser(t("Encoding"), "encoding", encodings, found and found.encoding)
    if found is not None and (found.dates or reading.dates):
        orders = {order: t(words) for order, words in DATE_ORDERS.items() if order != "ymd"}
        chooser(t("Dates"), "dates", orders, found.dates)
    if has_rows:
        with next(places):
            _rows_left_out(reading, key, apply)


def _chooser(
    label: str,
    field: str,
    options: Mapping[str, str],
    as_found: str | None,
    reading: Reading,
    key: str,
    apply: Apply,
) -> None:
    """Draw the choice of one part of a reading; nothing chosen: it is found out."""
    widget = f"{key} {field}"
    chosen = getattr(reading, field)
    shown = options.get(as_found, as_found) if as_found is not None else None
    words = t("as found") if shown is None else t("as found: {found}", found=shown)
    if chosen is not None and chosen == as_found:
        words = t("as found")
    values = {FOUND: None} | {value: value for value in (*options, chosen) if value is not None}
    put(widget, FOUND if chosen is None else chosen)
    st.selectbox(
        label,
        list(values),
        key=widget,
        format_func=lambda value: words if value == FOUND else options.get(value, value),
        on_change=lambda: apply(_changed(reading, field, values[st.session_state[widget]])),
    )


def _header_row(found: Found | None, reading: Reading, key: str, apply: Apply) -> None:
    widget = f"{key} header"
    as_found = 1 if found is None else found.header
    put(widget, as_found if reading.header is None else reading.header)
    st.number_input(
        t("Row with the names"),
        min_value=0,
        max_value=1_000_000,
        step=1,
        key=widget,
        help=t("Of the file, counted from one; 0 if no row names the columns."),
        on_change=lambda: apply(_changed(reading, "header", st.session_state[widget])),
    )


# Other rows or another sheet may have other columns, whose settings are reset.
def _changed(reading: Reading, field: str, value: object) -> Reading:
    """Reading with one field changed."""
    if field in ("decimal", "thousands") and value in (",", "."):
        other = "thousands" if field == "decimal" else "decimal"
        if getattr(reading, other) == value:
            reading = replace(reading, **{other: None})
    columns = reading.columns if field in ("decimal", "thousands", "dates") else ()
    return replace(reading, **{field: value}, columns=columns)


def _columns(found: Found, selection: Selection) -> None:
    """Draw the columns with their first cells and the type that each is read as."""
    rows = pd.DataFrame(
        {
            "column": [column.name for column in found.columns],
            "cells": [" · ".join(column.examples) for column in found.columns],
            "way": [column.read_as for column in found.columns],
            "unit": [column.unit for column in found.columns],
            "decimal": [column.reading.decimal for column in found.columns],
            "dates": [column.reading.dates for column in found.columns],
            "missing": [list(_gaps(column)) for column in found.columns],
            "merged": [column.reading.merged for column in found.columns],
        }
    )
    key = f"ways {selection.upload.digest} {selection.reading} {selection.target}"
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=["column", "cells", "unit"],
        column_order=[
            name for name in rows if name not in ("decimal", "dates") or rows[name].notna().any()
        ],
        height=min(38 + 35 * len(rows), MOST_SHOWN),
        column_config={
            "column": st.column_config.TextColumn(t("Column")),
            "cells": st.column_config.TextColumn(t("First cells"), width="medium"),
            "way": st.column_config.SelectboxColumn(
                t("Read as"),
                options=list(READ_AS),
                required=True,
                format_func=lambda kind: t(READ_AS[kind]),
            ),
            "unit": st.column_config.TextColumn(t("Unit"), width="small"),
            "decimal": st.column_config.SelectboxColumn(
                t("Decimal mark"), options=list(MARKS), format_func=lambda mark: t(MARKS[mark])
            ),
            "dates": st.column_config.SelectboxColumn(
                t("Dates"), options=["dmy", "mdy"], format_func=lambda order: t(DATE_ORDERS[order])
            ),
            "missing": st.column_config.MultiselectColumn(
                t("Missing"),
                options=_marks_for_missing(found),
                accept_new_options=True,
                help=t("What stands for a missing value, beside an empty cell: NA, -999."),
            ),
            "merged": st.column_config.SelectboxColumn(
                t("One value"), options=list(MERGED), format_func=lambda key: t(MERGED[key])
            ),
        },
        on_change=lambda: _read_columns(
            selection.reading, found, st.session_state[key]["edited_rows"]
        ),
        alt=t("Columns of the file: first cells, and as what each is read"),
    )


# The remaining marks for missing values are the complete list.
def _read_columns(
    reading: Reading, found: Found, edits: Mapping[int, Mapping[str, object]]
) -> None:
    """Apply the edits of the columns."""
    for place, edit in edits.items():
        column = found.columns[place]
        changes = {"read_as" if part == "way" else part: value for part, value in edit.items()}
        if "missing" in changes:
            marks = tuple(changes["missing"] or ())
            usual = set(marks) == set(_gaps(column)) and column.reading.missing is None
            changes["missing"] = None if usual else marks
        reading = reading.with_column(column.name, **changes)
    _reread(reading)


def _gaps(column: ColumnFound) -> tuple[str, ...]:
    """Marks for missing values in force: those given, else those that occurred."""
    return column.gaps if column.reading.missing is None else column.reading.missing


def _marks_for_missing(found: Found) -> list[str]:
    marks = (mark for column in found.columns for mark in _gaps(column))
    return list(dict.fromkeys((*marks, "NA", "-999", "-9999", "-99", "999", "9", "?")))


def _rows_left_out(reading: Reading, key: str, apply: Apply) -> None:
    widget = f"{key} without"
    put(widget, ", ".join(map(str, reading.without)))

    def change() -> None:
        rows = re.findall(r"\d{1,9}", st.session_state[widget])
        apply(replace(reading, without=tuple(map(int, rows))))

    st.text_input(
        t("Rows left out"),
        key=widget,
        placeholder=t("none"),
        help=t("Rows of the file, counted from 1, that are no samples: units, totals."),
        on_change=change,
    )


def _reread(reading: Reading) -> None:
    """Read the selection's file in another way; as it was if that cannot be."""
    selection = session.current()
    name, content = selection.upload.name, uploads.content(selection.upload)
    st.session_state[REFUSED] = (None, "")
    target = selection.target
    if (reading.header, reading.part, reading.separator) != (
        selection.reading.header, selection.reading.part, selection.reading.separator,
    ):  # fmt: skip
        target = None  # there may be no such column
    try:
        read_file(content, name, reading, target)
    except ValueError as error:
        st.session_state[REFUSED] = (selection, translate(error))
    else:
        session.select(reading=reading, target=target)


def _retry_choosers(file: UploadedFile) -> None:
    """Draw the choosers for a file that cannot be read as found."""
    tried = st.session_state.get(TRIED, AS_FOUND)
    with st.expander(t("Read it in another way")):
        try:
            found = looked_into(file.getvalue(), file.name, tried)
        except ValueError:
            found = None
        _choosers(found, tried, "retry", _retry)


def _retry(reading: Reading) -> None:
    file = _in_field(st.session_state[FAULT][0])
    st.session_state[TRIED] = reading
    if file is not None:
        _read(file.name, file.getvalue(), reading)


# What was there before stays if it cannot be read.
def _take() -> None:
    """Read the files uploaded since the last time, tables before sidecars."""
    known, files = st.session_state.get(TAKEN, set()), _files()
    st.session_state[TAKEN] = {file.file_id for file in files}
    st.session_state[FAULT] = NO_FAULT
    st.session_state[TRIED] = AS_FOUND
    new = [(file.name, file.getvalue()) for file in files if file.file_id not in known]
    sidecars = [file for file in new if is_sidecar(*file)]
    for name, data in new:
        if (name, data) not in sidecars:
            _read(name, data, AS_FOUND)
    for name, data in sidecars:
        take_sidecar(data, name)


def _files() -> list[UploadedFile]:
    """Files of the field, without those that a server had which is gone."""
    files = st.session_state.get(FIELD) or ()
    return [file for file in files if isinstance(file, UploadedFile)]


def _in_field(name: str | None) -> UploadedFile | None:
    """Last file of that name in the field."""
    return next((file for file in reversed(_files()) if file.name == name), None)


def _take_pasted() -> None:
    """Read the table that was pasted."""
    _read(_pasted_name(), st.session_state[PASTED].encode(), AS_FOUND)


def _pasted_name() -> str:
    return t("pasted table")


def _read(name: str, data: bytes, reading: Reading) -> None:
    try:
        if scene_file.is_scene(name, data):
            open_scene_file(data)
            return
        with st.spinner(plain(t("Reading {name} …", name=name)), show_time=True):
            dataset = read_file(data, name, reading)
    except ValueError as error:
        offers = getattr(getattr(error, "sentence", None), "values", {}).get("offers", ())
        st.session_state[FAULT] = (name, translate(error), offers)
    else:
        st.session_state[FAULT] = NO_FAULT
        upload = uploads.keep(name, data, dataset.n_samples)
        show_data(data=UPLOAD, upload=upload, reading=reading)
