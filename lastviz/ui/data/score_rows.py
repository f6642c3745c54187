"""Rows of the reader's own, judged by the first model: prediction, confidence, leaf and rule."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.datasets import Dataset, NewRows
from lastviz.host.jobs import Working
from lastviz.tree import Missing
from lastviz.ui.compute.data import KINDS, MEGABYTES
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import column_formats
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.new_table import ReadsOtherwise, add_predictions, new_table, reading_of_rows
from lastviz.ui.shared.scene_box import privacy_link
from lastviz.ui.shared.widgets import bound, put, save_table
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import BALANCED, read_class_weight
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, list_names, plain, plural, t

FIELD = "score_field"
MOST_NAMED = 8  # columns
MOST_SHOWN = 1000


@dataclass(frozen=True, eq=False)
class Scored:
    """Predictions of a model for new rows."""

    # The rows as given, then prediction, confidence (of a class), leaf and rule.
    table: pd.DataFrame
    notes: tuple[str, ...]  # what was unknown or unseen in them


def score_rows(work: Work) -> None:
    """Draw the field for a file and, once there is one, the predictions for its rows."""
    loaded = work.data
    st.subheader(t("Score new rows"), anchor=False)
    names = loaded.plain.feature_names
    shown = list_names(names, MOST_NAMED)
    st.caption(
        t(
            "Predicted by {title}. The file needs a header row with these columns: {names}.",
            title=work.first.title,
            names=plain(shown),
        )
    )
    file = st.file_uploader(
        t("Rows to be scored"), type=KINDS, key=FIELD, max_upload_size=MEGABYTES
    )
    privacy_link()
    if file is None:
        return
    if not isinstance(file, UploadedFile):
        st.info(t("The server that held this file was replaced; upload the file again."))
        return
    try:
        reading_of_rows(work, file.getvalue(), file.name)
        found = score_file(work, file.getvalue(), file.name)
    except ReadsOtherwise:
        return  # the choice is drawn above
    except Working as working:
        job_box(working.job, "score")
        return
    except CannotShow as reason:
        st.error(plain(str(reason)), icon=":material/error:")
        return
    _show(found)


def _show(found: Scored) -> None:
    st.markdown(f"**{plural(len(found.table), '{n} row scored', '{n} rows scored')}**")
    for note in found.notes:
        st.caption(plain(note))
    shown = found.table.head(MOST_SHOWN)
    st.dataframe(
        shown,
        column_config=column_formats(shown),
        hide_index=True,
        height=min(35 * len(found.table) + 40, 340),
        alt=t("The rows with what the model says of them"),
    )
    save_table(t("Download the scored rows as CSV"), lambda: found.table, "scored")


def score_file(work: Work, content: bytes, name: str) -> Scored:
    """Predictions of the first model for the rows in a file.

    Raises
    ------
    CannotShow
        If the file, a column or a cell is wrong, or the model cannot learn or cannot do without
        a value; the message says where.
    Working
        If the model is not trained yet.
    """
    table = new_table(work, content, name)
    rows, estimator, X = table.rows, table.estimator, table.X
    found = add_predictions(rows.given, estimator, X, work.dataset)
    spread = getattr(getattr(estimator, "tree_", None), "missing", None) == Missing.FRACTIONS
    return Scored(found, _notes(rows, spread))


def _notes(rows: NewRows, spread: bool) -> tuple[str, ...]:
    """Notes for the user on cells that the model could not read."""
    notes = []
    for column, values in rows.unseen.items():
        kinds = sorted({value for value in values if value is not None})
        n = sum(value is not None for value in values)
        notes.append(
            t(
                "Column “{column}” has unseen categories in {rows}: {names}.",
                column=column,
                rows=plural(n, "{n} row", "{n} rows"),
                names=t(", ").join(kinds[:5]) + (", …" if len(kinds) > 5 else ""),
            )
        )
    n_missing = int(rows.given[list(rows.dataset.X)].isna().to_numpy().sum())
    if n_missing:
        notes.append(plural(n_missing, "{n} value is missing.", "{n} values are missing."))
    if notes and spread:
        notes.append(
            t(
                "A row with an unknown value can be in several leaves, which decide together; "
                "leaf and rule name the one that holds most of it."
            )
        )
    return tuple(notes)


# ---- How often rows count when trees are grown: a column of weights, and weights of the classes


ONCE, TYPED = "", "typed"
MOST_TYPED = 12  # classes with a field each
FAULT = "weights_fault"
NONE = -1


def weights_editor(selection: Selection, full: Dataset, dataset: Dataset) -> None:
    """Draw the choice of a column of weights and, for a classification, class weights.

    `full` has all columns, `dataset` the classes in the order that the scene gives them.
    """
    numeric = [i for i, name in enumerate(full.feature_names) if full.kinds[name] == "numeric"]
    if len(numeric) and full.n_features > 1:
        _column(selection.weight, full, numeric)
    if not dataset.is_regression:
        _classes(selection.class_weight, dataset)
    if selection.weight is not None or selection.class_weight:
        st.caption(
            t("Weights count in growing and pruning; accuracies count every row once.")
        )  # fmt: skip


def _column(chosen: int | None, full: Dataset, numeric: list[int]) -> None:
    options = [NONE, *numeric] if chosen in (None, *numeric) else [NONE, chosen, *numeric]
    names = full.feature_names
    bound(
        st.selectbox,
        "weight",
        t("Column of the weights"),
        options,
        none=NONE,
        format_func=lambda i: (
            t("none: every row counts once") if i == NONE else full.labels.get(names[i], names[i])
        ),
        help=t("How often each row counts; the column is then not a feature."),
    )


def _classes(now: str, dataset: Dataset) -> None:
    typed = now not in (ONCE, BALANCED)
    put("class_weight", TYPED if typed else now)
    titles = {
        ONCE: t("none: every row counts once"),
        BALANCED: t("balanced: all classes count alike"),
        TYPED: t("a number for each class"),
    }
    st.selectbox(
        t("Weights of the classes"),
        [ONCE, BALANCED, *([TYPED] if typed or dataset.n_classes <= MOST_TYPED else [])],
        key="class_weight",
        format_func=titles.__getitem__,
        on_change=_set_classes,
        args=(dataset.n_classes,),
    )
    if not typed:
        return
    weights = [float(part) for part in now.split("_")]
    if len(weights) != dataset.n_classes:
        return  # the page says what the link got wrong
    with st.container(horizontal=True, gap="small"):
        for place, name in enumerate(class_names_of(dataset)):
            key = f"class_weight_{place}"
            put(key, weights[place])
            st.number_input(
                plain(name),
                min_value=0.0,
                step=1.0,
                format="%g",
                key=key,
                on_change=_set_numbers,
                args=(len(weights),),
            )
    if FAULT in st.session_state:
        st.warning(st.session_state.pop(FAULT))


def _set_classes(n_classes: int) -> None:
    how = st.session_state["class_weight"]
    session.select(class_weight="_".join(["1"] * n_classes) if how == TYPED else how)


def _set_numbers(n_classes: int) -> None:
    numbers = [st.session_state[f"class_weight_{place}"] for place in range(n_classes)]
    try:
        session.select(class_weight=read_class_weight("_".join(f"{w:.15g}" for w in numbers)))
    except ValueError:
        st.session_state[FAULT] = t("Not all weights can be 0; they were left unchanged.")
