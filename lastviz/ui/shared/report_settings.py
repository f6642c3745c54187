"""What a report says about the data and the settings of its scene."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import pandas as pd

import lastviz
from lastviz._params import Param, defaults
from lastviz.datasets import Dataset, all_datasets
from lastviz.estimators import LEARNS_NUMBERS, entry_of
from lastviz.export.html_report import Block, Heading, Listing, Section, Table, Text
from lastviz.tree import decimals_of
from lastviz.ui.compute import cache, python_code
from lastviz.ui.compute.numbers import is_own_tree, title_of_numbers
from lastviz.ui.compute.suitability import weighing
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import number, percent, plural, t

from .model_view import class_names_of
from .widgets import value_words

MOST_COLUMNS = 100
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "plotly", "streamlit")


def first_of(title: str, shown: int, everything: int) -> str:
    """Return the title of a table that may not show all its rows."""
    if shown == everything:
        return title
    return t(
        "{title} (the first {n} of {all})", title=title, n=number(shown), all=number(everything)
    )


def data_section(dataset: Dataset) -> Section:
    """Return where the data come from, their classes and features."""
    blocks: list[Block] = [Text(t(text)) for text in (dataset.description, dataset.source) if text]
    if not dataset.is_regression:
        names, counts = (
            class_names_of(dataset),
            np.bincount(dataset.codes, minlength=dataset.n_classes),
        )
        rows = [
            [name, number(int(n)), f"{percent(n / dataset.n_samples)} %"]
            for name, n in zip(names, counts, strict=True)
        ]
        blocks.append(Table(t("Classes"), [t("class"), t("rows"), t("share")], rows))
    columns = list(dataset.X.columns)
    rows = [[str(name), *_column(dataset.X[name])] for name in columns[:MOST_COLUMNS]]
    title = first_of(t("Features"), len(rows), len(columns))
    blocks.append(Table(title, [t("feature"), t("values"), t("missing")], rows))
    return Section(t("The data"), blocks)


def _column(values: pd.Series) -> tuple[str, str]:
    """Return which values a feature has, and how many rows lack one."""
    lacking = number(int(values.isna().sum()))
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        if values.notna().sum() == 0:
            return "–", lacking
        decimals = decimals_of(values.to_numpy(np.float64, na_value=np.nan))
        low, median, high = (
            number(float(value), decimals) for value in values.quantile([0.0, 0.5, 1.0])
        )
        words = t("{low} to {high}, median {median}", low=low, high=high, median=median)
        return words, lacking
    n = values.nunique()
    return plural(n, "{n} category", "{n} categories"), lacking


def general_caveats(selection: Selection) -> list[str]:
    """Return what held-out numbers do not say."""
    dataset = cache.data(selection).dataset
    weights = [] if dataset.weights is None else weighing(selection, dataset)
    if not selection.held:
        seen = t(
            "No rows were held out: all numbers are about rows that the models were trained on."
        )
        return [seen, *weights]
    n = len(cache.division(selection).held_out_rows)
    sentences = [
        t(
            "The held-out rows took no part in training. But if you choose settings by these "
            "numbers, you use them all the same, and should expect less on new rows."
        )
    ]
    if n and not dataset.is_regression:
        sentences.append(
            t(
                "One division into training and {n} held-out rows, with seed {seed}: one row is "
                "{points} points of accuracy, and another seed gives other numbers.",
                n=number(n),
                seed=selection.seed,
                points=number(float(f"{100 / n:.2g}")),
            )
        )
        sentences.append(
            t(
                "A 95 % interval (Wilson's) says where the accuracy of this very model would lie "
                "among many new rows of the same kind, if the held-out rows were drawn from them "
                "one independently of the other. It says nothing about another division or about "
                "settings that were chosen by these rows, and of many rules one in twenty may lie "
                "outside of its own."
            )
        )
    return [*sentences, *weights]


def settings_section(selection: Selection) -> Section:
    """Return all settings, those left alone included, the lines of Python and the versions."""
    full = cache.data(selection).full
    rows = [[t("data"), full.name]]
    entry = all_datasets().get(selection.data)
    if selection.data != UPLOAD and entry is not None:
        rows += _values(entry.PARAMS, dict(selection.params))
    rows += [[t("held out"), f"{100 * selection.held:g} %"], [t("seed"), str(selection.seed)]]
    if selection.weight is not None:
        rows.append([t("column of the weights"), full.feature_names[selection.weight]])
    if selection.class_weight:
        rows.append([t("weights of the classes"), selection.class_weight.replace("_", ", ")])
    blocks: list[Block] = [Table(t("Data and division"), [t("setting"), t("value")], rows)]
    if cache.data(selection).dataset.is_regression:
        declared = () if is_own_tree(selection) else LEARNS_NUMBERS.cls.PARAMS
        models = [(title_of_numbers(selection), declared, dict(selection.numbers))]
    else:
        models = [
            (t(entry_of(model.key).title), entry_of(model.key).cls.PARAMS, dict(model.params))
            for model in selection.models
        ]
    for title, declared, values in models:
        blocks.append(Table(title, [t("setting"), t("value")], _values(declared, values)))
    blocks += [Heading(t("As Python")), Listing(python_code.python_of(selection))]
    versions = [["lastviz", lastviz.__version__], ["Python", sys.version.split()[0]]]
    versions += [[name, version(name)] for name in PACKAGES]
    blocks.append(Table(t("Versions"), [t("package"), t("version")], versions))
    return Section(t("Settings"), blocks)


def _values(declared: Sequence[Param], values: dict[str, object]) -> list[list[str]]:
    """Return every parameter in words, those left alone at their defaults."""
    given = defaults(declared) | values
    return [
        [t(param.label or param.name), value_words(param, given[param.name])]
        for param in declared
        if param.name != SEED_NAME
    ]
