"""A first look at the data, before any tree: findings with their buttons, and every column."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset, all_datasets, report
from lastviz.datasets.report import ColumnReport, Report
from lastviz.export.blocks import Section, Table, Text
from lastviz.host.memory import remembered
from lastviz.host.turns import TURNS
from lastviz.ui.compute.data import chosen_columns, columns_in_use
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import Work, current, work_of
from lastviz.ui.shared import column_editors
from lastviz.ui.shared.exports import MOST_COLUMNS, first_of
from lastviz.ui.shared.held_out import last_rows
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import number, percent, plain, plural, t

from .findings import AS_CLASS, HOLD_LAST, LEAVE_OUT, Finding, findings, task_words, value_words

MOST_SHOWN = 6  # findings that stand open


def report_of(selection: Selection, full: Dataset) -> Report | None:
    """First look at the data before any step, None for generated data."""
    entry = all_datasets().get(selection.data)
    if entry is not None and entry.PARAMS:
        return None
    fields = {name: getattr(selection, name) for name in ("data", "upload", "target", "reading")}
    bare = replace(DEFAULT, **fields)
    return _report(work_of(bare).data_key, full)


@remembered
def _report(key: Key, full: Dataset) -> Report:
    with TURNS.away():  # large tables take half a second
        return report(full)


def findings_section(found: Report, full: Dataset, work: Work) -> Section:
    """Section of a printed report with the findings and the contents of each column."""
    texts = [Text(finding.sentence) for finding in findings(found, full, work)]
    heads = [t("Feature"), t("Missing"), t("Different values"), t("Most frequent")]
    heads.append(t("Explained alone") if full.is_regression else t("Right alone"))
    rows = []
    for name, column in zip(full.feature_names, found.columns, strict=True):
        row = _row(column, found)
        alone = row["alone"]
        rows.append(
            [
                str(name),
                f"{percent(row['missing'])} %",
                number(row["different"]),
                row["most frequent"] or "–",
                "–" if alone is None else f"{percent(alone)} %",
            ]
        )
    table = Table(first_of(t("The columns"), len(rows[:MOST_COLUMNS]), len(rows)), heads,
                  rows[:MOST_COLUMNS])  # fmt: skip
    about = [Text(_about(found, full)), Text(_alone_words(found, full))]
    return Section(t("A first look"), [*(texts or [Text(_nothing_found())]), *about, table])


def _nothing_found() -> str:
    return t(
        "Nothing here would mislead a tree: no identifier, date or column that gives the class "
        "away, and no repeated or contradicting rows."
    )


def first_look(found: Report, full: Dataset, work: Work) -> None:
    """Draw the findings, those that matter most open; say so if there are none."""
    shown = findings(found, full, work)
    st.subheader(t("A first look"), anchor=False)
    if not shown:
        st.markdown(_nothing_found())
    with st.container(key="findings", gap="small"):
        for place, finding in enumerate(shown[:MOST_SHOWN]):
            _draw(finding, place)
    if len(shown) > MOST_SHOWN:
        more = len(shown) - MOST_SHOWN
        with st.expander(plural(more, "{n} more finding", "{n} more findings")):
            for place, finding in enumerate(shown[MOST_SHOWN:], start=MOST_SHOWN):
                _draw(finding, place)
    st.caption(plain(_about(found, full)))


def _about(found: Report, full: Dataset) -> str:
    """Sentences on the target and on the search for suspicious columns."""
    if found.n_looked_at == found.n_samples:
        return task_words(found, full)
    sentence = "Columns that give the class away were searched for on {n} random rows."
    return f"{task_words(found, full)} {t(sentence, n=number(found.n_looked_at))}"


def _draw(finding: Finding, place: int) -> None:
    text, done = st.columns([6, 1], gap="medium", vertical_alignment="center")
    text.markdown(plain(finding.sentence))
    if finding.action is not None:
        done.button(
            t(finding.action),
            key=f"finding_{place}",
            width="stretch",
            on_click=partial(_act, finding),
        )


# The last feature in use stays.
def _act(finding: Finding) -> None:
    """Perform the action of a finding."""
    work = current()
    if finding.action == AS_CLASS:
        session.select(target=finding.columns[0])
        return
    if not finding.columns:  # it is about the order of rows
        session.select(held_by=last_rows(work) if finding.action == HOLD_LAST else "")
        return
    full = work.data.full
    places = {full.feature_names.index(name) for name in finding.columns}
    used = set(columns_in_use(full, work.selection))
    used = used - places if finding.action == LEAVE_OUT else used | places
    if used:
        session.select(columns=chosen_columns(full, work.selection, tuple(sorted(used))))


def columns_table(found: Report | None, full: Dataset) -> None:
    """Draw the table of columns, to use, rename or read them differently."""
    if found is None:
        column_editors.column_editor(full)
        return
    rows = pd.DataFrame([_row(column, found) for column in found.columns])
    column_editors.column_editor(
        full,
        rows,
        {
            "values": st.column_config.BarChartColumn(
                t("Values"), width="small", y_min=0, color="gray"
            ),
            "missing": st.column_config.ProgressColumn(
                t("Missing"),
                width="small",
                min_value=0,
                max_value=1,
                format="percent",
                color="gray",
            ),
            "different": st.column_config.NumberColumn(t("Different values"), width="small"),
            "most frequent": st.column_config.TextColumn(t("Most frequent"), width="small"),
            "alone": st.column_config.NumberColumn(
                t("Explained alone") if full.is_regression else t("Right alone"),
                width="small",
                format="percent",
                help=_alone_words(found, full),
            ),
        },
    )


def _alone_words(found: Report, full: Dataset) -> str:
    if full.is_regression:
        return t(
            "Share of the variance that a tree of this column alone explains, on rows held out in "
            "a division of its own"
        )
    return t(
        "Share that a tree of this column alone classifies correctly, of rows held out in a "
        "division of its own; always predicting the most frequent class reaches {guess} %.",
        guess=percent(found.guess),
    )


def _row(column: ColumnReport, found: Report) -> dict[str, object]:
    return {
        "values": column.bars.tolist(),
        "missing": column.n_missing / found.n_samples,
        "different": column.n_distinct,
        "most frequent": "" if column.top is None else value_words(column.top).strip("“”"),
        "alone": column.alone,
    }
