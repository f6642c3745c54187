"""What stands below the pictures of the page *data*: the table itself, and its files."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from lastviz.datasets import Dataset, to_csv
from lastviz.datasets.labels import sidecar_of
from lastviz.plots import THEMES, ThemeName
from lastviz.plots.visuals.words import column_places
from lastviz.ui.shared.figures import column_formats
from lastviz.ui.shared.widgets import save_button
from lastviz.ui.text import number, t

MOST_ROWS = 1000


def table(dataset: Dataset, theme: ThemeName) -> None:
    """Draw the rows themselves, as many as a browser takes easily."""
    shown = dataset.X.assign(**{dataset.y.name: dataset.y}).head(MOST_ROWS)
    shown.index = range(1, len(shown) + 1)
    st.dataframe(
        _marked(shown, theme),
        column_config=column_formats(shown),
        height=340,
        alt=t("The first rows of the table"),
    )
    if shown.isna().to_numpy().any():
        st.caption(t("Grey cells: the value is missing."))
    if dataset.n_samples > MOST_ROWS:
        rows = {"n": number(MOST_ROWS), "all": number(dataset.n_samples)}
        st.caption(t("The first {n} of {all} rows.", **rows))


def _marked(shown: pd.DataFrame, theme: ThemeName) -> pd.DataFrame | Styler:
    """Return the table with its missing values marked, if it has any."""
    if not shown.isna().to_numpy().any():
        return shown
    grey = f"background-color: {THEMES[theme].grey2}"
    plain = shown.astype({c: object for c in shown if hasattr(shown[c], "cat")})
    floats = [name for name, column in shown.items() if pd.api.types.is_float_dtype(column.dtype)]
    cells = dict.fromkeys(shown, str) | {
        name: partial(number, decimals=column_places(shown[name].to_numpy(np.float64)))
        for name in floats
    }
    return plain.style.apply(lambda column: np.where(column.isna(), grey, "")).format(
        cells, na_rep=t("missing")
    )


def download(plain: Dataset) -> None:
    """Draw the buttons that save the data as they are stored now, and what they are called."""
    name = plain.name or "data"
    with st.container(horizontal=True, gap="small"):
        save_button(t("Download as CSV"), partial(to_csv, plain), f"{name}.csv")
        save_button(
            t("Names, units and labels (JSON)"),
            partial(sidecar_of, plain),
            f"{name}.json",
            mime="application/json",
            help=t("A sidecar file: it describes the columns of the CSV file. Upload both."),
        )
