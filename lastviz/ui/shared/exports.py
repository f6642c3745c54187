"""The downloads of a tree: all forms that can hold it, and why the others cannot."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from importlib.metadata import version

import numpy as np
import pandas as pd
import streamlit as st

import lastviz
from lastviz._params import Param, defaults
from lastviz.datasets import Dataset, all_datasets
from lastviz.datasets.labels import legend
from lastviz.estimators import ForestClassifier, renamed_tree
from lastviz.export import FOREST_FORMATS, FORMATS, ONNX, Form
from lastviz.export.blocks import Block, Heading, Listing, Section, Table, Text
from lastviz.export.code_words import plain as plain_label
from lastviz.tree import Kind, Tree, decimals_of
from lastviz.ui.compute import python_code
from lastviz.ui.compute.availability import weighing
from lastviz.ui.compute.data import Loaded
from lastviz.ui.compute.training import Division, categories_of, table_in
from lastviz.ui.compute.work import Work
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import UPLOAD
from lastviz.ui.text import number, percent, plain, plural, t, translate

from .held_out import held_words, units_caveat
from .model_view import class_names_of
from .new_table import Judge, scored_held_out
from .widgets import save_button, save_table, value_words


def exports(
    tree: Tree,
    name: str,
    loaded: Loaded,
    division: Division,
    judge: Judge,
    held_out_counts: np.ndarray | None = None,
) -> None:
    """Draw the downloads; a form is written when it is asked for.

    Parameters
    ----------
    tree : Tree
        The tree that is shown.
    name : str
        Of the files, without suffix.
    loaded : Loaded
        What it was learnt from.
    division : Division
        The same as the tree reads it.
    judge : Judge
        The model whose say on the held-out rows is offered as a table.
    held_out_counts : ndarray of shape (n_nodes, n_classes), optional
        Held-out rows of each class at each node.
    """

    def write(form: Form) -> str | bytes:
        extra = {"held_out": held_out_counts} if form.judged else {}
        return write_tree(form, tree, loaded, division.form, extra)

    st.markdown(f"**{t('Save and share')}**")
    with st.container(key="rule_exports", horizontal=True, wrap=True, gap="small"):
        reasons = _offer(FORMATS | {"onnx": ONNX}, tree, name, loaded, "export", write)
        if len(division.held_out_rows):
            save_table(
                t("Held-out rows, scored (CSV)"),
                partial(scored_held_out, loaded.dataset, division, judge),
                f"{name}-held-out",
                key="export_held_out",
            )
    if len(tree.kernel):
        st.caption(
            t(
                "A support vector machine is a sum over its support vectors, so only JSON and the "
                "graph can hold it."
            )
        )
        return
    for reason in reasons:
        st.caption(plain(reason))
    if tree.enveloped:
        return
    st.caption(
        t(
            "All files predict exactly as the tree does; their first lines say how they treat "
            "missing values."
        )
    )
    if (tree.kind <= Kind.THRESHOLD).all() and not any(tree.feature_categories):
        st.caption(
            t("In Python, `lastviz.to_sklearn` makes a tree of scikit-learn from the model.")
        )


def forest_exports(forest: ForestClassifier, name: str, loaded: Loaded, division: Division) -> None:
    """Draw the downloads of a whole forest; a form is written when it is asked for.

    Parameters
    ----------
    forest : ForestClassifier
    name : str
        Of the files, without suffix.
    loaded : Loaded
        What it was learnt from.
    division : Division
        The same as the forest reads it.
    """
    with st.container(key="forest_exports", horizontal=True, wrap=True, gap="small"):
        write = partial(written_forest, forest=forest, loaded=loaded, encoding=division.form)
        reasons = _offer(FOREST_FORMATS, forest, name, loaded, "forest", write)
    for reason in reasons:
        st.caption(plain(reason))


def _offer(
    forms: Mapping[str, Form],
    model: Tree | ForestClassifier,
    name: str,
    loaded: Loaded,
    key: str,
    write: Callable[[Form], str | bytes],
) -> list[str]:
    """Draw a button for each form; return why some forms cannot hold the model."""
    reasons = []
    for form_key, form in forms.items():
        refusal = form.refusal(model, _labels(form, loaded))
        reason = None if refusal is None else translate(refusal)
        if reason is not None:
            reasons.append(t("{form}: {reason}.", form=t(form.title), reason=reason))
        save_button(
            t(form.title),
            partial(write, form),
            f"{name}.{form.suffix}",
            mime=form.mime,
            key=f"{key}_{form_key}",
            disabled=reason is not None,
            help=None if reason is None else plain(reason),
        )
    return reasons


def written_forest(
    form: Form, forest: ForestClassifier, loaded: Loaded, encoding: str
) -> str | bytes:
    """Forest in a form, about columns and values as they are stored."""
    extra = {"reading": str(loaded.plain.reading)} if form.reads else {}
    if loaded.plain is loaded.dataset:
        return form.write(forest, _labels(form, loaded), **extra)
    stored = table_in(encoding, loaded.plain)
    names, categories = tuple(stored.columns), categories_of(stored)
    forest = copy(forest)
    forest.estimators_ = [copy(tree) for tree in forest.estimators_]
    for tree in forest.estimators_:
        tree.tree_ = renamed_tree(tree.tree_, names, categories)
    return form.write(forest, _labels(form, loaded), **extra)


def _labels(form: Form, loaded: Loaded) -> list[object]:
    """Class labels in a form: as stored, or as displayed."""
    dataset = loaded.plain if form.stored else loaded.dataset
    return [plain_label(label) for label in dataset.class_order]


# Code that runs on stored columns explains their displayed names.
def write_tree(
    form: Form,
    tree: Tree,
    loaded: Loaded,
    encoding: str,
    extra: Mapping[str, np.ndarray | None],
) -> str | bytes:
    """Tree in an export form."""
    labels = _labels(form, loaded)
    if form.reads:
        extra = {**extra, "reading": str(loaded.plain.reading)}
    if form.stored and loaded.plain is not loaded.dataset:
        stored = table_in(encoding, loaded.plain)
        tree = renamed_tree(tree, tuple(stored.columns), categories_of(stored))
    text = form.write(tree, labels, **extra)
    lines = legend(loaded.plain) if form.comment else []
    return "".join(f"{form.comment}{line}\n" for line in lines) + text if lines else text


# ---- What a report says about the data and the settings of its scene


MOST_COLUMNS = 100
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "plotly", "streamlit")


def first_of(title: str, shown: int, everything: int) -> str:
    """Title of a table that may not show all its rows."""
    if shown == everything:
        return title
    return t(
        "{title} (the first {n} of {all})", title=title, n=number(shown), all=number(everything)
    )


def data_section(dataset: Dataset) -> Section:
    """Section on the source of the data, their classes and features."""
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
    blocks.append(Table(title, [t("Feature"), t("Values"), t("Missing")], rows))
    return Section(t("The data"), blocks)


def _column(values: pd.Series) -> tuple[str, str]:
    """Values of a feature, and the number of rows that lack one."""
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


def general_caveats(work: Work) -> list[str]:
    """Limits of the held-out numbers, as sentences."""
    dataset = work.dataset
    weights = [] if dataset.weights is None else weighing(work.selection, dataset)
    if not work.selection.held:
        return [t("No rows were held out: all numbers are about training rows."), *weights]
    n = len(work.first.division.held_out_rows)
    sentences = [
        t(
            "The held-out rows took no part in training. Who chooses settings by these numbers "
            "should expect less on new rows."
        )
    ]
    if rows := held_words(work):
        sentences.append(units_caveat(rows))
    elif n and not dataset.is_regression:
        sentences.append(
            t(
                "One division, with {n} held-out rows and seed {seed}: one row is {points} points "
                "of accuracy, and another seed gives other numbers.",
                n=number(n),
                seed=work.selection.seed,
                points=number(float(f"{100 / n:.2g}")),
            )
        )
        sentences.append(
            t(
                "A 95 % interval (Wilson's) is about this very model on new rows of the same kind, "
                "if the held-out rows were drawn independently: not about another division, nor "
                "settings chosen by these rows. Of many rules one in twenty may lie outside its "
                "own."
            )
        )
    return [*sentences, *weights]


def settings_section(work: Work) -> Section:
    """All settings, those left alone included, the lines of Python and the versions."""
    full, held = work.data.full, held_words(work)
    rows = [[t("Data"), full.name]]
    entry = all_datasets().get(work.selection.data)
    if work.selection.data != UPLOAD and entry is not None:
        rows += _values(entry.PARAMS, dict(work.selection.params))
    rows += [
        [t("held out"), ", ".join(filter(None, [f"{100 * work.selection.held:g} %", held]))],
        [t("Seed"), str(work.selection.seed)],
    ]
    if work.selection.weight is not None:
        rows.append([t("Column of the weights"), full.feature_names[work.selection.weight]])
    if work.selection.class_weight:
        rows.append([t("Weights of the classes"), work.selection.class_weight.replace("_", ", ")])
    blocks: list[Block] = [Table(t("Data and division"), [t("setting"), t("value")], rows)]
    models = [
        (model.title, model.entry.cls.PARAMS, dict(model.chosen.params)) for model in work.models
    ]
    for title, declared, values in models:
        blocks.append(Table(title, [t("setting"), t("value")], _values(declared, values)))
    blocks += [Heading(t("As Python")), Listing(python_code.python_of(work))]
    versions = [["lastviz", lastviz.__version__], ["Python", sys.version.split()[0]]]
    versions += [[name, version(name)] for name in PACKAGES]
    blocks.append(Table(t("Versions"), [t("package"), t("version")], versions))
    return Section(t("Settings"), blocks)


def _values(declared: Sequence[Param], values: dict[str, object]) -> list[list[str]]:
    """Every parameter in words, those left alone at their defaults."""
    given = defaults(declared) | values
    return [
        [t(param.label or param.name), value_words(param, given[param.name])]
        for param in declared
        if param.name != SEED_NAME
    ]
