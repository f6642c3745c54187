"""The downloads of a tree: all forms that can hold it, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial

import numpy as np
import streamlit as st

from lastviz._csv_writer import as_csv
from lastviz.datasets.labels import legend
from lastviz.estimators import ForestClassifier, renamed_tree
from lastviz.export import FOREST_FORMATS, FORMATS, ONNX, Form
from lastviz.export.code_words import plain as plain_label
from lastviz.tree import Kind, Tree
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import Division, categories_of, table_in
from lastviz.ui.text import plain, t, translated

from .scoring import Judge, scored_held_out
from .widgets import save_button


def exports(
    tree: Tree,
    name: str,
    loaded: cache.Loaded,
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
        return written(form, tree, loaded, division.form, extra)

    st.markdown(f"**{t('Save and share')}**")
    with st.container(key="rule_exports", horizontal=True, wrap=True, gap="small"):
        reasons = _offer(FORMATS | {"onnx": ONNX}, tree, name, loaded, "export", write)
        if len(division.held_out_rows):
            save_button(
                t("Held-out rows, scored (CSV)"),
                partial(_held_out, loaded, division, judge),
                f"{name}-held-out.csv",
                key="export_held_out",
            )
    if len(tree.kernel):
        st.caption(
            t(
                "A support vector machine is a sum over its support vectors, so only JSON and the "
                "graph can be exported. Trees of thresholds, categories and hyperplanes can be "
                "exported in every format."
            )
        )
        return
    for reason in reasons:
        st.caption(plain(reason))
    if tree.enveloped:
        return
    st.caption(
        t(
            "All files predict exactly what the tree predicts, for columns as the algorithm reads "
            "them. The first lines of each file say how it treats missing values."
        )
    )
    if (tree.kind <= Kind.THRESHOLD).all() and not any(tree.feature_categories):
        st.caption(
            t("In Python, `lastviz.to_sklearn` makes a tree of scikit-learn from the model.")
        )


def forest_exports(
    forest: ForestClassifier, name: str, loaded: cache.Loaded, division: Division
) -> None:
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
    loaded: cache.Loaded,
    key: str,
    write: Callable[[Form], str | bytes],
) -> list[str]:
    """Draw a button for each form; return why some forms cannot hold the model."""
    reasons = []
    for form_key, form in forms.items():
        refusal = form.refusal(model, _labels(form, loaded))
        reason = None if refusal is None else translated(refusal)
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
    form: Form, forest: ForestClassifier, loaded: cache.Loaded, encoding: str
) -> str | bytes:
    """Return a forest in a form, about columns and values as they are stored."""
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


def _labels(form: Form, loaded: cache.Loaded) -> list[object]:
    """Return what a form calls the classes: as stored, or as people do."""
    dataset = loaded.plain if form.stored else loaded.dataset
    return [plain_label(label) for label in dataset.class_order]


def _held_out(loaded: cache.Loaded, division: Division, judge: Judge) -> bytes:
    return as_csv(scored_held_out(loaded.dataset, division, judge)).encode()


def written(
    form: Form,
    tree: Tree,
    loaded: cache.Loaded,
    encoding: str,
    extra: Mapping[str, np.ndarray | None],
) -> str | bytes:
    """Return the tree in a form; what runs on stored columns says what people call them."""
    labels = _labels(form, loaded)
    if form.reads:
        extra = {**extra, "reading": str(loaded.plain.reading)}
    if form.stored and loaded.plain is not loaded.dataset:
        stored = table_in(encoding, loaded.plain)
        tree = renamed_tree(tree, tuple(stored.columns), categories_of(stored))
    text = form.write(tree, labels, **extra)
    lines = legend(loaded.plain) if form.comment else []
    return "".join(f"{form.comment}{line}\n" for line in lines) + text if lines else text
