"""A finished model of the reader's own, from its file: read, and put on the columns of the data.

The model finds its features by their names and its classes, if it predicts any, by theirs, so the
columns of the data may stand in another order and there may be more of them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import AnyImported, ImportedBoosting, make_imported
from lastviz.export import model_from_file
from lastviz.tree import CategorySplits, KernelSplits, Kind, ObliqueSplits, Tree
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, list_names, number, t, translate

from . import uploads
from .training import Fitted, categories_of, encode_table

MOST_MEGABYTES = 20
MOST_NAMED = 8  # columns
MOST_NODES = 200_000  # of all trees; pages draw and walk them


def model_content(key: str) -> bytes:
    """File of a model of the reader's own.

    Raises
    ------
    CannotShow
        If this visitor has no such file.
    """
    upload = uploads.model_named(key)
    content = None if upload is None else uploads.content(upload)
    if content is None:
        raise CannotShow(
            t("The model of this scene is a file that is not available here: upload it on the "
              "page Data, or choose an algorithm.")
        )  # fmt: skip
    return content


# See :func:`own_model`.
def own_training(
    content: bytes, selection: Selection, dataset: Dataset, X: pd.DataFrame, rows: np.ndarray
) -> Generator[float, None, Fitted]:
    """Read an imported model as a job; there is nothing to train."""
    begin = perf_counter()
    yield 0.0
    model = own_model(content, selection, dataset, X, rows)
    return Fitted(model, 1000 * (perf_counter() - begin))


@dataclass(frozen=True, eq=False)
class _ClassPlaces:
    """Positions of a model's features and classes among those of the data."""

    features: np.ndarray  # (n_features of the model,) intp
    classes: np.ndarray  # (n_classes of the model,) intp, None of them where numbers are predicted
    names: tuple[str, ...]  # of the columns of the data
    categories: tuple[tuple | None, ...]  # of the same
    n_classes: int  # of the data


def own_model(
    content: bytes,
    selection: Selection,
    dataset: Dataset,
    X: pd.DataFrame,
    rows: np.ndarray | None = None,
) -> AnyImported:
    """Model of a file as the app asks it: about these columns, classes by number.

    Parameters
    ----------
    content : bytes
        Of one of the forms of ``docs/models.md``.
    selection : Selection
    dataset : Dataset
    X : DataFrame
        The columns as the model is to read them.
    rows : ndarray of intp, optional
        The training rows, which nodes hold if the file of the model does not say how many rows
        they held. All rows if not given.

    Raises
    ------
    CannotShow
        If the file is no model, or the model asks for what the data do not have.
    """
    try:
        model = model_from_file(content)
    except ValueError as error:
        raise CannotShow(translate(error)) from error
    return put_on(model.trees_, model, selection, dataset, X, rows)


# Raises CannotShow, with the reason, if the model does not fit.
def put_on(
    trees: Sequence[Tree],
    model: object,
    selection: Selection,
    dataset: Dataset,
    X: pd.DataFrame,
    rows: np.ndarray | None = None,
) -> AnyImported:
    """Model adapted to the columns `X` of the data."""
    if isinstance(model, ImportedBoosting) and len(trees) == 1 and not len(model.classes_):
        trees = [_begun(trees[0], model)]  # a sum of one tree is that tree
    classes = getattr(model, "classes_", trees[0].classes)
    _check_target(trees, classes, dataset)
    n_nodes = sum(tree.n_nodes for tree in trees)
    if n_nodes > MOST_NODES:
        raise CannotShow(
            t("The model has {n} nodes; the app shows models of at most {most}.",
              n=number(n_nodes), most=number(MOST_NODES))
        )  # fmt: skip
    if selection.scaling != "none":
        raise CannotShow(
            t("The model reads the features as they are in the file, and here they are scaled; "
              "choose no scaling on the page Data.")
        )  # fmt: skip
    places = _ClassPlaces(
        features=_feature_places(trees, X),
        classes=np.empty(0, np.intp) if dataset.is_regression else _class_places(classes, dataset),
        names=tuple(map(str, X.columns)),
        categories=categories_of(X),
        n_classes=0 if dataset.is_regression else dataset.n_classes,
    )
    _check_kinds(trees[0], places)
    put = [_put(tree, places) for tree in trees]
    codes = np.zeros(len(X), dtype=np.intp) if dataset.is_regression else dataset.codes
    rows = np.arange(len(X)) if rows is None else rows
    values, codes = encode_table(X)[rows], codes[rows]
    if isinstance(model, ImportedBoosting) and len(model.classes_):
        return _put_sum(model, put, places, values, codes)
    put = [tree if tree.n_node_samples[0] else _held(tree, values, codes, 0) for tree in put]
    decision = getattr(model, "decision_", "tree")
    weights = getattr(model, "tree_weights_", None)
    scores = None
    if decision in ("scores", "sums"):
        start, tables = model.start_, [one.scores_ for one in model.estimators_]
        if decision == "scores" and not np.array_equal(places.classes, range(places.n_classes)):
            raise CannotShow(
                t("The model counts scores of ordered classes, and these data have others or "
                  "another order; choose their order on the page Data.")
            )  # fmt: skip
        scores = [start, *tables]
        if decision == "sums":
            first = np.full(places.n_classes, NEVER)
            first[places.classes] = start
            scores = [first, *(_by_class(table, places.classes, places) for table in tables)]
    return make_imported(put, decision, weights=weights, scores=scores, algorithm=model.algorithm_)


# ---- Sums of trees, and trees whose file does not say which rows their nodes held


NEVER = -1e9
"""Score of a class that a sum does not know: no other is as low."""


def _begun(tree: Tree, model: ImportedBoosting) -> Tree:
    """Tree with the predictions of a sum of it alone."""
    predicted = tree.prediction + model.start_[0]
    predicted = np.exp(predicted) if model.by_exponent_ else predicted
    return replace(tree, prediction=predicted, value=predicted[:, None])


def _by_class(table: np.ndarray, classes: np.ndarray, places: _ClassPlaces) -> np.ndarray:
    """Table of scores with a column for each class of the data."""
    wide = np.zeros((len(table), places.n_classes))
    wide[:, classes] = table
    return wide


def _put_sum(
    model: ImportedBoosting,
    trees: Sequence[Tree],
    places: _ClassPlaces,
    X: np.ndarray,
    codes: np.ndarray,
) -> AnyImported:
    """Sum of trees for classes as a forest that adds scores.

    Its trees hold the rows of the data: what a leaf adds is no share of classes.
    """
    _check_known(model, places, trees, X)
    k, n = len(model.start_), places.n_classes
    if k == 1 and n == 2 and places.classes.tolist() == [0, 1]:
        decision, start = "scores", model.start_
        tables = [tree.prediction[:, None] for tree in trees]
    else:  # one score is that of the second class, beside 0 for the first
        decision, start, own = "sums", np.full(n, NEVER), places.classes[-k:]
        start[places.classes] = 0.0
        start[own] = model.start_
        tables = [
            _by_class(tree.prediction[:, None], own[[t % k]], places)
            for t, tree in enumerate(trees)
        ]
    held = [_held(tree, X, codes, n) for tree in trees]
    return make_imported(held, decision, scores=[start, *tables], algorithm=model.algorithm_)


def _check_known(
    model: ImportedBoosting, places: _ClassPlaces, trees: Sequence[Tree], X: np.ndarray
) -> None:
    """Refuse categories and gaps that the sum has no answer for."""
    for f, place in enumerate(places.features.tolist()):
        known, here = model.trees_[0].feature_categories[f], places.categories[place]
        if place < 0:
            continue
        strange = set(map(str, here or ())) - set(map(str, known or ()))
        if strange:
            raise CannotShow(
                t("The model does not know “{category}” of “{name}”; it knows {names}.",
                  category=min(strange), name=places.names[place],
                  names=list_names(list(map(str, known or ())), MOST_NAMED))
            )  # fmt: skip
        asked = any((tree.missing_branch[tree.feature == place] < 0).any() for tree in trees)
        if asked and np.isnan(X[:, place]).any():
            raise CannotShow(
                t("Values of “{name}” are missing, and the model has no answer then; leave these "
                  "rows out on the page Data.", name=places.names[place])
            )  # fmt: skip


def _held(tree: Tree, X: np.ndarray, codes: np.ndarray, n_classes: int) -> Tree:
    """Tree whose nodes hold the rows `X`; O(n_samples depth + n_nodes n_classes).

    With `n_classes` above 0 it predicts the most frequent class of each node, else what it did.
    """
    regression, k = tree.is_regression, n_classes or len(tree.classes)
    counts = np.zeros((tree.n_nodes, max(k, 1)))
    np.add.at(counts, (tree.apply(X), codes), 1.0)
    for node in range(tree.n_nodes - 1, 0, -1):
        counts[tree.parent[node]] += counts[node]
    rows = counts.sum(axis=1)
    tree = replace(tree, n_node_samples=rows.astype(np.intp), weighted_n_node_samples=rows)
    if regression and not n_classes:
        return tree
    tree = replace(tree, value=counts)
    if not n_classes:
        return tree
    label = counts.argmax(axis=1)
    for node in np.flatnonzero((rows == 0) & (tree.parent >= 0)):
        label[node] = label[tree.parent[node]]
    return replace(tree, prediction=label, classes=np.arange(n_classes))


def _check_target(trees: Sequence[Tree], classes: np.ndarray, dataset: Dataset) -> None:
    """Refuse a model that predicts a different kind of target than the data have."""
    if not len(classes) and not dataset.is_regression:
        raise CannotShow(
            t("The model predicts numbers, but the target of this data set is a class.")
        )
    if dataset.is_regression and len(classes):
        raise CannotShow(
            t("The model predicts classes, but the target of this data set is a number.")
        )
    if dataset.is_regression and len(trees) > 1:
        raise CannotShow(
            t("The model is a forest of {n} trees that predict numbers, and such a forest has no "
              "areas that could be drawn; hand in one of its trees (scikit-learn has them in "
              "estimators_).", n=number(len(trees)))
        )  # fmt: skip


def _feature_places(trees: Sequence[Tree], X: pd.DataFrame) -> np.ndarray:
    """Column of each feature, -1 for one that is never asked for and not there."""
    there = {str(name): place for place, name in enumerate(X.columns)}
    joined = {"_".join(name.split()): place for name, place in there.items()}  # by LightGBM
    there = joined | there if len(joined) == len(there) else there
    names = trees[0].feature_names
    tested = np.zeros(len(names), dtype=bool)
    for tree in trees:
        tested[tree.feature[tree.feature >= 0]] = True
        tested |= (tree.oblique.weights != 0.0).any(axis=0) | (len(tree.kernel) > 0)
    lacking = [name for f, name in enumerate(names) if tested[f] and name not in there]
    if lacking:
        raise CannotShow(
            t("The model asks for {names}, and these data have no such column; they have "
              "{columns}.", names=list_names([f"“{name}”" for name in lacking], 1),
              columns=list_names([str(column) for column in X.columns], MOST_NAMED))
        )  # fmt: skip
    if any(len(tree.kernel) for tree in trees) and len(names) < X.shape[1]:
        extra = next(str(name) for name in X.columns if str(name) not in names)
        raise CannotShow(
            t("The model's machines read all features at once, and “{name}” is none of them; "
              "leave it out on the page Data.", name=extra)
        )  # fmt: skip
    return np.array([there.get(name, -1) for name in names], dtype=np.intp)


# Numbers from 0 stand for the classes in order where the data call them otherwise.
def _class_places(classes: np.ndarray, dataset: Dataset) -> np.ndarray:
    """Place of each of the model's classes among those of the data, by their names."""
    names = [str(label) for label in dataset.class_order]
    own = [str(label) for label in classes.tolist()]
    if not set(own) <= set(names) and own == [str(k) for k in range(len(names))]:
        return np.arange(len(own))
    strange = next((name for name in own if name not in names), None)
    if strange is not None:
        raise CannotShow(
            t("The model predicts “{name}”, which is no class of these data; their classes are "
              "{names}.", name=strange, names=list_names(names, MOST_NAMED))
        )  # fmt: skip
    return np.array([names.index(name) for name in own], dtype=np.intp)


def _check_kinds(tree: Tree, places: _ClassPlaces) -> None:
    for f, place in enumerate(places.features.tolist()):
        known = tree.feature_categories[f]
        if place < 0 or (known is None) == (places.categories[place] is None):
            continue
        sentence = (
            "The model reads “{name}” as a number, and here it is a column of categories; change "
            "its kind on the page Data."
            if known is None
            else "The model reads “{name}” as categories, and here it is a column of numbers; "
            "change its kind on the page Data."
        )
        raise CannotShow(t(sentence, name=tree.feature_names[f]))


def _put(tree: Tree, places: _ClassPlaces) -> Tree:
    asks = tree.feature >= 0
    feature = np.where(asks, places.features[np.where(asks, tree.feature, 0)], -1)
    m, there = len(places.names), np.flatnonzero(places.features >= 0)
    weights = np.zeros((len(tree.oblique), m))
    weights[:, places.features[there]] = tree.oblique.weights[:, there]
    return replace(
        tree,
        feature=feature.astype(np.intp),
        **_predictions(tree, places),
        feature_names=places.names,
        feature_categories=places.categories,
        categories=_branches(tree, places),
        oblique=ObliqueSplits(weights, tree.oblique.threshold),
        kernel=_machines(tree.kernel, places) if len(tree.kernel) else tree.kernel,
        bases=(),
        basis_id=None,
        start=np.zeros(tree.n_nodes, dtype=np.intp),
        end=np.zeros(tree.n_nodes, dtype=np.intp),
        samples=np.empty(0, dtype=np.intp),
        sample_weight=np.empty(0),
    )


# Numbers stay as they are; classes are placed at their positions in the data.
def _predictions(tree: Tree, places: _ClassPlaces) -> dict[str, np.ndarray]:
    """Arrays of the nodes' predictions, by name."""
    if tree.is_regression:
        return {"prediction": tree.prediction}
    value = np.zeros((tree.n_nodes, places.n_classes))
    value[:, places.classes] = tree.value
    return {
        "value": value,
        "prediction": places.classes[tree.prediction],
        "classes": np.arange(places.n_classes),
    }


def _branches(tree: Tree, places: _ClassPlaces) -> CategorySplits:
    """Branches by the codes that the data give their categories."""
    if not len(tree.categories):
        return tree.categories
    rows = [np.empty(0, dtype=np.intp)] * len(tree.categories)
    for node in np.flatnonzero(tree.kind == Kind.CATEGORIES):
        f, row = tree.feature[node], tree.split_row[node]
        code = {str(label): k for k, label in enumerate(tree.feature_categories[f])}
        here = [code.get(str(label), -1) for label in places.categories[places.features[f]]]
        branch = np.append(tree.categories.branch[row], -1)
        rows[row] = branch[here]
    return CategorySplits.of(rows)


def _machines(table: KernelSplits, places: _ClassPlaces) -> KernelSplits:
    """Machines on the columns and classes of the data; all features are there."""
    order = np.argsort(places.features)
    first = np.zeros((len(table), places.n_classes), dtype=bool)
    second = first.copy()
    first[:, places.classes], second[:, places.classes] = table.first, table.second
    scaling = replace(
        table.scaling, offset=table.scaling.offset[order], scale=table.scaling.scale[order]
    )
    vectors = np.ascontiguousarray(table.vectors[:, order])
    return replace(table, scaling=scaling, vectors=vectors, first=first, second=second)
