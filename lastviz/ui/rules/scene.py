"""What the page *rules* shows, worked out before any of it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.host.memory import remembered
from lastviz.inspection import (
    LostRows,
    RuleList,
    Scores,
    Supports,
    class_counts,
    holding,
    lost_rows,
    rules,
    scores,
    supports,
)
from lastviz.plots import Drawing, FlowLayout, ThemeName
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import Division
from lastviz.ui.compute.edit_effects import edited_nodes
from lastviz.ui.shared.ensemble_view import trees_of
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.model_view import ModelView, class_names_of
from lastviz.ui.shared.new_table import classes_in, new_table
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .figures import tree_figure
from .flip import ChangeView, change_view
from .sample import Sample, sample_of
from .words import hover_texts


@dataclass(frozen=True, eq=False)
class TreeRules:
    """The rules of a trained tree and its errors.

    Attributes
    ----------
    tree : Tree
    rules : RuleList
    numbers : dict of int to int
        Leaf -> number of its rule.
    supports : Supports
        Of every node, on the training rows.
    stops : ndarray of intp, shape (n_samples,)
        The node where each row of the data stops.
    predicted : ndarray of intp, shape (n_samples,)
    training, held_out : Scores
    held_out_counts : ndarray of float64, shape (n_nodes, n_classes), or None
        Held-out rows of each class that come to each node; None without held-out rows.
    """

    tree: Tree
    rules: RuleList
    numbers: dict[int, int]
    supports: Supports
    stops: np.ndarray
    predicted: np.ndarray
    training: Scores
    held_out: Scores
    held_out_counts: np.ndarray | None

    def held_out_of(self, node: int) -> tuple[float, float] | None:
        """Return how many held-out rows a node is right about, of how many; None without any."""
        if self.held_out_counts is None:
            return None
        counts = self.held_out_counts[node]
        return float(counts[self.tree.prediction[node]]), float(counts.sum())


@dataclass(frozen=True, eq=False)
class PouredRows:
    """The rows that the picture of the tree shows.

    Attributes
    ----------
    part : {"training", "held_out", "new"}
    rows : ndarray of intp, shape (n,)
        Their numbers, counted from one: in the data, or of new rows the line of their file.
    X : DataFrame
        Their values.
    y : ndarray of intp, shape (n,)
        Their classes.
    tree : Tree
        The tree with their counts; of the training rows as it was grown.
    lost : LostRows
        Those that it misclassifies.
    """

    part: str
    rows: np.ndarray
    X: pd.DataFrame
    y: np.ndarray
    tree: Tree
    lost: LostRows


@dataclass(frozen=True, eq=False)
class RuleScene:
    """All that the page shows.

    Attributes
    ----------
    selection : Selection
        With its first model alone.
    theme : {"light", "dark"}
    title : str
        What the model is called.
    model : TreeClassifier or ForestClassifier
        As it was trained.
    estimator : TreeClassifier
        The tree, or the shown one of a forest.
    trees : list of TreeClassifier
        All trees of the forest, or the one.
    division : Division
        The data as the tree reads them.
    found : TreeRules
    poured : PouredRows
    class_names : tuple of str
    labels : tuple
        The classes as the data have them.
    units : mapping of str to str
        Of the features that have one.
    node : int or None
        The picked node.
    sample : Sample or None
    problem : str or None
        Why the sample that was asked for cannot be shown.
    change : ChangeView or None
        What would change the sample's class; None without a sample.
    layout : FlowLayout
    figure : plotly Figure
    texts : dict
        What the pointer reads over its nodes.
    """

    selection: Selection
    theme: ThemeName
    title: str
    model: TreeClassifier | ForestClassifier
    estimator: TreeClassifier
    trees: list[TreeClassifier]
    division: Division
    found: TreeRules
    poured: PouredRows
    class_names: tuple[str, ...]
    labels: tuple
    units: Mapping[str, str]
    node: int | None
    sample: Sample | None
    problem: str | None
    change: ChangeView | None
    layout: FlowLayout
    figure: Drawing
    texts: dict[str, object]

    @property
    def tree(self) -> Tree:
        """The tree that is shown."""
        return self.estimator.tree_

    @property
    def place(self) -> int:
        """Which of the `trees` is shown, counted from 0."""
        return _place(self.selection, self.trees)

    @property
    def view(self) -> ModelView:
        """The tree as the card of a node takes it."""
        return ModelView(
            title=self.title,
            estimator=self.estimator,
            milliseconds=None,
            depth=None,
            node=0 if self.node is None else self.node,
            representative=np.arange(self.tree.n_nodes),
            predicted=self.found.predicted,
            training=self.found.training,
            held_out=self.found.held_out,
            fidelity=None,
        )


def rule_scene(
    selection: Selection, theme: ThemeName, new: tuple[bytes, str] | None = None
) -> RuleScene:
    """Return what the page shows of the first model.

    `new` is the file with new rows and its name, if there is one.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained yet.
    """
    selection = selection.first_models(1)
    model = cache.fitted(selection, 0, allow_ensembles=True).estimator
    trees = trees_of(model)
    estimator = trees[_place(selection, trees)]
    dataset, division = cache.data(selection).dataset, cache.division(selection)
    key = f"{cache.model_key(selection, 0)}|{_place(selection, trees)}"
    found = _tree_rules(key, estimator.tree_, division, dataset.n_classes)
    poured, no_rows = _poured(key, selection, estimator, new)
    part = poured.part
    names = class_names_of(dataset)
    sample, problem, change = None, None, None
    try:
        sample = sample_of(selection, estimator, division)
        if sample is not None:
            change = change_view(selection, model, estimator, sample, division)
    except CannotShow as reason:
        problem = str(reason)
    problem = problem or no_rows
    layout, figure = tree_figure(
        poured.tree,
        selection,
        theme,
        numbers=found.numbers,
        class_names=names,
        node=selection.models[0].node_in(estimator.tree_),
        path=None if sample is None else sample.path,
        part=part,
        edited=edited_nodes(selection, 0, estimator),
    )
    figure.about(f"{key}|{selection.rules.drawing}|{len(layout.node)}")
    texts = hover_texts(
        poured.tree,
        layout.node.tolist(),
        found.held_out_counts if part == "training" else None,
        found.numbers,
        names,
        part,
    )
    return RuleScene(
        selection=selection,
        theme=theme,
        title=model_title(selection, 0),
        model=model,
        estimator=estimator,
        trees=trees,
        division=division,
        found=found,
        poured=poured,
        class_names=names,
        labels=tuple(dataset.class_order),
        units=dataset.units,
        node=selection.models[0].node_in(estimator.tree_),
        sample=sample,
        problem=problem,
        change=change,
        layout=layout,
        figure=figure,
        texts=texts,
    )


def _place(selection: Selection, trees: list[TreeClassifier]) -> int:
    return min(selection.models[0].tree or 0, len(trees) - 1)


@remembered
def _tree_rules(key: str, tree: Tree, division: Division, n_classes: int) -> TreeRules:
    """Return the rules of a tree, computed once for each `key`."""
    values, kept = division.values, division.held_out_rows
    predicted, found = tree.predict(values), rules(tree)
    training, held_out = (
        scores(division.y[rows], predicted[rows], n_classes) for rows in (division.train_rows, kept)
    )
    return TreeRules(
        tree=tree,
        rules=found,
        numbers={rule.node: rule.number for rule in found},
        supports=supports(tree),
        stops=tree.apply(values),
        predicted=predicted,
        training=training,
        held_out=held_out,
        held_out_counts=class_counts(tree, values[kept], division.y[kept]) if len(kept) else None,
    )


def _poured(
    key: str, selection: Selection, estimator: TreeClassifier, new: tuple[bytes, str] | None
) -> tuple[PouredRows, str | None]:
    """Return the rows that are asked for in a tree, or the training rows and why they stand in."""
    division, part, problem = cache.division(selection), selection.rules.rows_of, None
    if part == "new":
        try:
            if new is not None:
                return _new_rows(selection, estimator, *new), None
            problem = t("Upload a file of new rows on the left; they will flow through the tree.")
        except CannotShow as reason:
            problem = str(reason)
    if part == "new" or not len(division.held_out_rows):
        part = "training"
    return _known_rows(f"{key}|{part}", estimator.tree_, division, part), problem


@remembered
def _known_rows(key: str, tree: Tree, division: Division, part: str) -> PouredRows:
    is_training = part == "training"
    rows = np.sort(division.train_rows if is_training else division.held_out_rows)
    values, y = division.values[rows], division.y[rows]
    shown = tree if is_training else holding(tree, values, y)
    lost = lost_rows(tree, values, y)
    return PouredRows(part, rows + 1, division.X.iloc[rows], y, shown, lost)


def _new_rows(
    selection: Selection, estimator: TreeClassifier, content: bytes, name: str
) -> PouredRows:
    table = new_table(selection, content, name)
    y, values = classes_in(selection, table.rows, name), estimator.encode(table.X)
    tree = estimator.tree_
    shown, lost = holding(tree, values, y), lost_rows(tree, values, y)
    return PouredRows("new", table.rows.lines, table.X, y, shown, lost)
