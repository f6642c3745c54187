"""The price of monotonicity: models with and without the promise, cross-validated on request."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz.studies import PRICED, Priced, price_of_monotonicity
from lastviz.ui.compute import cache, monotone
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.widgets import bound
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, percent, plural, rounded, t

FOLDS = 10
MOST_ROWS = 5000  # that are cross-validated; with more only the waiting would grow
OWN = ("remt", "mcdf")  # the models whose parameters are the reader's if they have been chosen
PROMISES = ("monotone", "vote", "random_state")


def price_part(selection: Selection) -> None:
    """Draw the switch that asks for the price and, once it is known, the table."""
    st.markdown(f"**{t('The price of monotonicity')}**")
    words = t("Cross-validate with and without the constraint")
    about = t("Ten folds, the same for all models; this runs in the background.")
    bound(st.toggle, "price", words, help=about)
    if not selection.monotone.price:
        st.caption(
            t(
                "How much accuracy does it cost that no prediction contradicts another? Six models "
                "on the same {k} folds, boosting among them.",
                k=FOLDS,
            )
        )
        return
    rows = _rows(selection)
    show(_table(_price(selection, rows)))
    st.caption(_notes(selection, len(rows)))


def _rows(selection: Selection) -> np.ndarray:
    """Return the rows that take part: all, or as many of every class as fit."""
    rows = monotone.comparable_rows(selection)
    if len(rows) <= MOST_ROWS:
        return rows
    y = cache.data(selection).dataset.codes[rows]
    order = np.argsort(y, kind="stable")
    return np.sort(rows[order[np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.intp)]])


def _price(selection: Selection, rows: np.ndarray) -> list[Priced]:
    """Return the cross-validated models; raises Working until they are."""
    dataset = cache.data(selection).dataset
    model = selection.models[0]
    own = {k: v for k, v in model.params if k not in PROMISES}
    params = {model.key: own} if model.key in OWN else {}
    known = monotone.directions(selection)
    key = f"{cache.data_key(selection)}|{selection.seed}|{params}|price"
    work = partial(
        price_of_monotonicity,
        dataset.numeric_X.to_numpy()[rows],
        dataset.codes[rows],
        dataset.n_classes,
        known,
        n_folds=FOLDS,
        random_state=selection.seed,
        params=params,
    )
    return cache.outcome(key, t("The price of monotonicity"), work)


def _table(found: list[Priced]) -> str:
    """Return the models as a table: two rows of each kind, the promise in ink."""
    heads = (
        t("model"), t("promises"), t("accuracy, %"), t("sd over folds"),
        t("distance of classes (MAE)"), t("sampled pairs that contradict"),
    )  # fmt: skip
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join(_table_row(each) for each in found)
    return (
        f'<div class="lv-scroll"><table class="lv-ranks"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _table_row(priced: Priced) -> str:
    title, promised = PRICED[priced.key]
    cells = (
        t("monotone") if promised else "–",
        percent(float(priced.accuracy.mean())),
        percent(float(priced.accuracy.std())),
        rounded(priced.error.mean()),
        t("{n} of {all}", n=number(priced.contradicting), all=number(priced.n_pairs)),
    )
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    style = ' class="lv-chosen"' if promised else ""
    return f"<tr{style}><th>{escape(t(title))}</th>{inside}</tr>"


def _notes(selection: Selection, n_rows: int) -> str:
    all_rows = cache.data(selection).dataset.n_samples
    rows = plural(n_rows, "{n} row", "{n} rows")
    if n_rows < all_rows:
        rows = t("{n} of {all} rows", n=number(n_rows), all=number(all_rows))
    return t(
        "{rows}, held-out ones too, in {k} folds that are the same for all; means over the folds. "
        "REMT and MCDF have the parameters on the left where they are the chosen algorithm, the "
        "others their defaults; boosting asks about each border between classes and counts.",
        rows=rows,
        k=FOLDS,
    )
