"""What the page *rules* shows, worked out before any of it is sent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lastviz.estimators import ESTIMATORS, TreeClassifier
from lastviz.inspection import Rule, Scores, Supports, class_counts, rules, scores, supports
from lastviz.plots import FlowLayout, icicle_layout, icicle_plot, rule_layout, rule_tree_plot
from lastviz.plots.visuals.node_selection import select
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.compute.memory import remembered
from lastviz.ui.shared.ensemble_view import trees_of
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.model_view import ModelView, class_names_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .sample import Sample, sample_of
from .words import column_words, hover_text, node_texts

__all__ = ["RuleScene", "RulesOf", "rule_scene", "rules_of"]

OPEN_WHOLE, CLOSED_TO, MOST = 60, 40, 250
"""Rules up to which a tree is drawn whole; to which a larger one is closed; drawn at most."""
WIDTH = 1080


@dataclass(frozen=True, eq=False)
class RulesOf:
    """The rules of a trained tree and its errors.

    Attributes
    ----------
    tree : Tree
    rules : list of Rule
    numbers : dict of int to int
        Leaf -> number of its rule.
    held : Supports
    values : ndarray of float64, shape (n_samples, n_features)
        All rows of the data as the tree reads them.
    stops : ndarray of intp, shape (n_samples,)
        The node where each row of the data stops.
    predicted : ndarray of intp, shape (n_samples,)
    training, held_out : Scores
    held_out_counts : ndarray of float64, shape (n_nodes, n_classes), or None
        Held-out rows of each class that come to each node; None without held-out rows.
    """

    tree: Tree
    rules: list[Rule]
    numbers: dict[int, int]
    held: Supports
    values: np.ndarray
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
class RuleScene:
    """All that the page shows.

    Attributes
    ----------
    title : str
        The algorithm's name.
    estimator : TreeClassifier
        The tree, or the shown one of a forest.
    trees : list of TreeClassifier
        All trees of the forest, or the one.
    told : RulesOf
    class_names : tuple of str
    node : int or None
        The picked node.
    sample : Sample or None
    problem : str or None
        Why the sample that was asked for cannot be shown.
    layout : FlowLayout
    figure : plotly Figure
    """

    title: str
    estimator: TreeClassifier
    trees: list[TreeClassifier]
    told: RulesOf
    class_names: tuple[str, ...]
    node: int | None
    sample: Sample | None
    problem: str | None
    layout: FlowLayout
    figure: go.Figure

    @property
    def tree(self) -> Tree:
        """The tree that is shown."""
        return self.estimator.tree_

    @property
    def view(self) -> ModelView:
        """The tree as the card of a node takes it."""
        return ModelView(
            title=self.title,
            estimator=self.estimator,
            milliseconds=None,
            depth=None,
            node=0 if self.node is None else self.node,
            stands=np.arange(self.tree.n_nodes),
            predicted=self.told.predicted,
            training=self.told.training,
            held_out=self.told.held_out,
            fidelity=None,
        )


def rule_scene(selection: Selection) -> RuleScene:
    """Return what the page shows of the first model.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained yet.
    """
    whole = cache.fitted(selection, 0, whole=True).estimator
    estimator = cache.tree_of(selection, 0)
    tree, told = estimator.tree_, rules_of(selection)
    names = class_names_of(cache.data(selection).dataset)
    picked = selection.models[0].node
    node = picked if picked is not None and picked < tree.n_nodes else None
    sample, problem = None, None
    try:
        sample = sample_of(selection, estimator)
    except ValueError as error:
        problem = str(error)
    layout, figure = _drawn(selection, tree, told, names, node, sample)
    return RuleScene(
        title=t(ESTIMATORS[selection.models[0].key].title),
        estimator=estimator,
        trees=trees_of(whole),
        told=told,
        class_names=names,
        node=node,
        sample=sample,
        problem=problem,
        layout=layout,
        figure=figure,
    )


def rules_of(selection: Selection) -> RulesOf:
    """Return the rules of the tree that is shown, computed once."""
    key = f"{cache.model_key(selection, 0)}|{selection.models[0].tree}"
    return _rules_of(key, selection)


@remembered(8)
def _rules_of(key: str, selection: Selection) -> RulesOf:
    estimator = cache.tree_of(selection, 0)
    tree, division = estimator.tree_, cache.division(selection)
    values = division.values
    predicted, n_classes = tree.predict(values), cache.data(selection).dataset.n_classes
    parts = [
        scores(division.y[rows], predicted[rows], n_classes)
        for rows in (division.train_rows, division.held_out_rows)
    ]
    found = rules(tree)
    numbers = {rule.node: rule.number for rule in found}
    told = (tree, found, numbers, supports(tree), values, tree.apply(values), predicted)
    kept = division.held_out_rows
    counts = class_counts(tree, values[kept], division.y[kept]) if len(kept) else None
    return RulesOf(*told, *parts, counts)


def _drawn(
    selection: Selection,
    tree: Tree,
    told: RulesOf,
    names: tuple[str, ...],
    node: int | None,
    sample: Sample | None,
) -> tuple[FlowLayout, go.Figure]:
    visited = sample.visited if sample else None
    how = {"least": float(selection.rules.least or 0), "most": _most(tree, selection.rules.least)}
    if node is not None and not tree.is_leaf(node):
        how["keep"] = tuple(tree.children(node))[:1]
    chosen = select(tree, node, selection.view.depth)
    icicle = selection.rules.drawing == "icicle"
    lay_out = icicle_layout if icicle else rule_layout
    layout = lay_out(tree, chosen, visited, width=WIDTH, **how)
    nodes = layout.node.tolist()
    written = nodes if icicle else layout.node[~layout.leaf].tolist()
    how |= {
        "theme": current_theme(),
        "selected": node,
        "visited": visited,
        "depth": selection.view.depth,
        "width_hint": WIDTH,
        "texts": node_texts(tree, written, sample and sample.way, names if icicle else None),
        "class_names": names,
        "hover": {
            n: hover_text(tree, n, told.held, told.held_out_counts, told.numbers, names)
            for n in nodes
        },
        "words": words(),
    }
    if icicle:
        figure = icicle_plot(tree, **how)
    else:
        figure = rule_tree_plot(tree, numbers=told.numbers, columns=column_words(), **how)
    figure.layout.uirevision = (
        f"{cache.model_key(selection, 0)}|{selection.rules.drawing}|{len(nodes)}"
    )
    return layout, figure


def _most(tree: Tree, least: int | None) -> int:
    if least is not None:
        return MOST
    return OPEN_WHOLE if tree.n_leaves <= OPEN_WHOLE else CLOSED_TO
