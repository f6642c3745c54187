"""A table whose rows the browser filters by their class and sorts, without a run of the script.

The script is told of the class afterwards, so that the address says it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from lastviz.ui.sheet import sheet, st
from lastviz.ui.text import t

from .chart_code import code_of
from .served import component, pack_text

HTML = '<div class="lv-filtered"></div>'


@dataclass(frozen=True)
class Column:
    """A column of such a table."""

    title: str
    # sequence of str, float or None, one a row; None stays empty and comes last when sorted.
    values: Sequence[object]
    kind: str = "text"  # {"text", "words", "number", "percent"}: words may take several lines

    def data(self) -> dict[str, object]:
        """The column in the form that the browser takes."""
        return {"title": self.title, "kind": self.kind, "values": list(self.values)}


def filtered_table(
    columns: Sequence[Column],
    ids: Sequence[int],
    classes: Sequence[int],
    *,
    key: str,
    label: str,
    titles: Sequence[str],
    chosen: int | None,
    captions: Sequence[str],
    on_class: Callable[[int | None], None],
    on_row: Callable[[int], None],
    selected: int | None = None,
) -> None:
    """Draw the choice of a class, a sentence, and the rows of the class.

    The sentence is about the rows that are left.

    Parameters
    ----------
    columns : sequence of Column
    ids : sequence of int
        What each row is called in `on_row`, and in `selected`: the marked row.
    classes : sequence of int
        The class of each row. Rows of every class are here if the browser is to show them all;
        where only those of `chosen` are, the others come with the run that follows the choice.
    key : str
    label : str
        What the table holds, for those who do not see it.
    titles : sequence of str
        Of the classes.
    chosen : int or None
        The class that is shown, None for all.
    captions : sequence of str
        What is said above the rows: of all classes, then of each.
    on_class, on_row : callable
        Called before the next run, with a class or None, and with the id of a row.
    """

    def class_chosen() -> None:
        found = st.session_state[key]["only"]
        if found is not None:
            on_class(None if found["class"] is None else int(found["class"]))

    def row_chosen() -> None:
        found = st.session_state[key]["row"]
        if found is not None:
            on_row(int(found["id"]))

    data = {
        "columns": [column.data() for column in columns],
        "ids": list(ids),
        "classes": list(classes),
        "label": label,
        "titles": list(titles),
        "chosen": chosen,
        "captions": list(captions),
        "selected": selected,
        "words": {"class": t("Class"), "all": t("all classes"), "sort": t("Sort by {title}")},
    }
    if (here := sheet()) is not None:
        rows = pd.DataFrame({column.title: list(column.values) for column in columns})
        here.dataframe(rows if chosen is None else rows[np.equal(classes, chosen)])
        return
    payload = pack_text(json.dumps(data, separators=(",", ":"), allow_nan=False))
    _component()(key=key, data=payload, on_only_change=class_chosen, on_row_change=row_chosen)


@cache
def _component():
    css, js = code_of("filtered_table.css"), code_of("packed.js", "filtered_table.js")
    return component("lastviz_filtered_table", html=HTML, css=css, js=js)
