"""The page *rules*: its scene, prepared before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
import pandas as pd

from lastviz.datasets.column_roles import SENSITIVE
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.host.jobs import Job
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
from lastviz.plots import (
    Drawing,
    FlowLayout,
    ThemeName,
    icicle_layout,
    icicle_plot,
    node_link_plot,
    rule_layout,
    rule_tree_plot,
)
from lastviz.plots.visuals.plane import select
from lastviz.tree import Tree
from lastviz.ui.compute.nodes import edited_nodes
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import class_sign
from lastviz.ui.shared.model_view import (
    ModelView,
    class_names_of,
    decided_title,
    priced_of,
    trees_of,
)
from lastviz.ui.shared.new_table import classes_in, new_table
from lastviz.ui.state.pages import RulesView
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .sample import Sample, SampleChange, change_of, sample_of
from .words import column_words, hover_texts, written_texts

OPEN_FULLY, CLOSED_TO, MOST = 60, 40, 250
"""Rules up to which a tree is drawn whole; to which a larger one is closed; drawn at most."""
WIDTH = 1080
_ONLY_IN = {
    "rules": ("only", "from_rows", "from_confidence", "order"),
    "row": ("flip_to", "flip_metric", "flip_holds", "flip_rows"),
}
_OF_TREE = ("drawing", "rows_of", "least")


# Links from before there were views name what only one of them shows; costs are in short.
def view_of(selection: Selection) -> str:
    """View that is shown: "short", "rules" or "row"."""
    rules, view = selection.rules, selection.view
    if rules.rule_view != "auto":
        return "short" if rules.rule_view == "costs" else rules.rule_view
    for name, fields in _ONLY_IN.items():
        if _differs(rules, fields):
            return name
    if rules.is_priced:
        return "short"
    if rules.typed or view.highlighted is not None:
        return "row"
    is_open = selection.models[0].node is not None or view.depth is not None
    return "rules" if is_open or _differs(rules, _OF_TREE) else "short"


def _differs(rules: RulesView, fields: tuple[str, ...]) -> bool:
    plain = RulesView()
    return any(getattr(rules, field) != getattr(plain, field) for field in fields)


@dataclass(frozen=True, eq=False)
class TreeRules:
    """The rules of a trained tree and its errors."""

    tree: Tree
    rules: RuleList
    numbers: dict[int, int]  # leaf -> number of its rule
    supports: Supports  # of every node, on the training rows
    stops: np.ndarray  # (n_samples,) intp, the node where each row of the data stops
    predicted: np.ndarray  # (n_samples,) intp
    training: Scores
    held_out: Scores
    # (n_nodes, n_classes) float64, Held-out rows of each class that come to each node; None without
    # held-out rows.
    held_out_counts: np.ndarray | None

    def held_out_of(self, node: int) -> tuple[float, float] | None:
        """Numbers of correct and of all held-out rows at a node, None without any."""
        if self.held_out_counts is None:
            return None
        counts = self.held_out_counts[node]
        return float(counts[self.tree.prediction[node]]), float(counts.sum())


@dataclass(frozen=True, eq=False)
class PouredRows:
    """The rows that the picture of the tree shows."""

    part: str  # {"training", "held_out", "new"}
    # (n,) intp, their numbers, counted from one: in the data, or of new rows the line of their
    # file.
    rows: np.ndarray
    X: pd.DataFrame  # their values
    y: np.ndarray  # (n,) intp, their classes
    tree: Tree  # the tree with their counts; of the training rows as it was grown


@dataclass(frozen=True, eq=False)
class RuleScene:
    """All that the page shows."""

    work: Work  # with its first model alone
    theme: ThemeName  # {"light", "dark"}
    title: str  # what the model is called
    key: str  # names the tree where what is worked out about it is kept
    model: TreeClassifier | ForestClassifier  # as it was trained
    estimator: TreeClassifier  # the tree, or the shown one of a forest
    trees: list[TreeClassifier]  # all trees of the forest, or the one
    division: Division  # the data as the tree reads them
    found: TreeRules
    new_rows: PouredRows | None  # those of the file that was handed in, if they are asked for
    class_names: tuple[str, ...]
    units: Mapping[str, str]  # of the features that have one
    node: int | None  # the picked node
    sample: Sample | None
    problem: str | None  # why the sample that was asked for cannot be shown
    # What would change the sample's class, the job that looks for it, or why there is nothing; None
    # without a sample and in views without it.
    change: SampleChange | Job | CannotShow | None

    @property
    def tree(self) -> Tree:
        """The tree that is shown."""
        return self.estimator.tree_

    @property
    def place(self) -> int:
        """Index of the shown tree in `trees`, counted from 0."""
        return _place(self.work.selection, self.trees)

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
            priced=priced_of(self.work.first),
        )

    @cached_property
    def poured(self) -> PouredRows:
        """The rows that are asked for in the tree, or the training rows in their place."""
        if self.new_rows is not None:
            return self.new_rows
        part = self.work.selection.rules.rows_of
        if part != "held_out" or not len(self.division.held_out_rows):
            part = "training"
        return _known_rows((*self.key, part), self.tree, self.division, part)

    @cached_property
    def lost(self) -> LostRows:
        """Those of the rows in the picture that the tree misclassifies."""
        poured = self.poured
        if poured.part == "new":
            return lost_rows(self.tree, self.estimator.encode(poured.X), poured.y)
        return _lost((*self.key, poured.part), self.tree, self.division, poured)

    @property
    def layout(self) -> FlowLayout:
        """Layout of the drawn nodes."""
        return self._drawn[0]

    @property
    def figure(self) -> Drawing:
        """The tree; views without it never ask."""
        return self._drawn[1]

    @cached_property
    def texts(self) -> dict[str, object]:
        """Hover texts of its nodes."""
        part = self.poured.part
        return hover_texts(
            self.poured.tree,
            self.layout.node.tolist(),
            self.found.held_out_counts if part == "training" else None,
            self.found.numbers,
            self.class_names,
            part,
        )

    @cached_property
    def _drawn(self) -> tuple[FlowLayout, Drawing]:
        tree, node, rules, view = (
            self.poured.tree, self.node, self.work.selection.rules, self.work.selection.view,
        )  # fmt: skip
        path = None if self.sample is None else self.sample.path
        visited = path and dict(zip(path.node.tolist(), path.weight.tolist(), strict=True))
        most = OPEN_FULLY if tree.n_leaves <= OPEN_FULLY else CLOSED_TO
        how: dict[str, object] = {
            "least": float(rules.least or 0),
            "most": most if rules.least is None else MOST,
        }
        if node is not None and not tree.is_leaf(node):
            how["keep"] = tuple(tree.children(node))[:1]
        lay_out = icicle_layout if rules.drawing == "icicle" else rule_layout
        layout = lay_out(tree, select(tree, node, view.depth), visited, width=WIDTH, **how)
        how |= {
            "theme": self.theme,
            "selected": node,
            "visited": visited,
            "depth": view.depth,
            "width_hint": WIDTH,
            "class_names": self.class_names,
            "hover": {},
            "words": words(),
            "outlined": edited_nodes(self.work.first, self.estimator),
        }
        if rules.drawing == "node-link":
            figure = node_link_plot(tree, answers=(t("yes"), t("no")), **how)
        elif rules.drawing == "icicle":
            texts = self.marked(written_texts(tree, layout.node.tolist(), path, self.class_names))
            figure = icicle_plot(tree, texts=texts, **how)
        else:
            texts = self.marked(written_texts(tree, layout.node[~layout.leaf].tolist(), path, None))
            columns = column_words(self.poured.part)
            figure = rule_tree_plot(
                tree, texts=texts, numbers=self.found.numbers, columns=columns, **how
            )
        return layout, figure.about(f"{self.key}|{rules.drawing}|{len(layout.node)}")

    def marked(self, texts: Mapping[int, str]) -> dict[int, str]:
        """Texts at nodes, with a word where a sensitive column is tested."""
        sensitive, feature = self.work.first.features_with(SENSITIVE), self.tree.feature
        word = f" · {t('sensitive')}"
        return {n: text + word * (int(feature[n]) in sensitive) for n, text in texts.items()}

    def signed(self, label: int) -> str:
        """Name of a class after its sign, as html."""
        return f"{class_sign(label, self.theme)} {escape(self.class_names[label])}"


def rule_scene(work: Work, theme: ThemeName, new: tuple[bytes, str] | None = None) -> RuleScene:
    """Scene of the first model.

    `new` is the file with new rows and its name, if there is one.

    Raises CannotShow if the algorithm cannot learn from the data, Working if it is not trained yet.
    """
    work = work.first_models(1)
    model = work.first.fitted_any.estimator
    trees = trees_of(model)
    estimator = trees[_place(work.selection, trees)]
    dataset, division = work.dataset, work.first.division
    key = (*work.first.cache_key, _place(work.selection, trees))
    found = _tree_rules(key, estimator.tree_, division, dataset.n_classes)
    new_rows, no_rows = _new_rows(work, estimator, new)
    sample, problem, change = None, None, None
    try:
        sample = sample_of(work.selection, estimator, division)
    except CannotShow as reason:
        problem = str(reason)
    if sample is not None and view_of(work.selection) == "row":
        change = change_of(work, model, estimator, sample, division)
    return RuleScene(
        work=work,
        theme=theme,
        title=decided_title(work.first),
        key=key,
        model=model,
        estimator=estimator,
        trees=trees,
        division=division,
        found=found,
        new_rows=new_rows,
        class_names=class_names_of(dataset),
        units=dataset.units,
        node=work.first.chosen.node_in(estimator.tree_),
        sample=sample,
        problem=problem or no_rows,
        change=change,
    )


def _place(selection: Selection, trees: list[TreeClassifier]) -> int:
    return min(selection.models[0].tree or 0, len(trees) - 1)


@remembered
def _tree_rules(key: Key, tree: Tree, division: Division, n_classes: int) -> TreeRules:
    """Rules of a tree, computed once for each `key`."""
    values, held = division.values, division.held_out_rows
    predicted, found = tree.predict(values), rules(tree)
    training, held_out = (
        scores(division.y[rows], predicted[rows], n_classes) for rows in (division.train_rows, held)
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
        held_out_counts=class_counts(tree, values[held], division.y[held]) if len(held) else None,
    )


@remembered
def _known_rows(key: Key, tree: Tree, division: Division, part: str) -> PouredRows:
    is_training = part == "training"
    rows = np.sort(division.train_rows if is_training else division.held_out_rows)
    y = division.y[rows]
    shown = tree if is_training else holding(tree, division.values[rows], y)
    return PouredRows(part, rows + 1, division.X.iloc[rows], y, shown)


@remembered
def _lost(key: Key, tree: Tree, division: Division, poured: PouredRows) -> LostRows:
    return lost_rows(tree, division.values[poured.rows - 1], poured.y)


def _new_rows(
    work: Work, estimator: TreeClassifier, new: tuple[bytes, str] | None
) -> tuple[PouredRows | None, str | None]:
    """Rows of the file if they are asked for, or why there are none."""
    if work.selection.rules.rows_of != "new":
        return None, None
    if new is None:
        return None, t("Upload a file of new rows on the left; they will flow through the tree.")
    content, name = new
    try:
        table = new_table(work, content, name)
        y, values = classes_in(work, table.rows, name), estimator.encode(table.X)
    except CannotShow as reason:
        return None, str(reason)
    shown = holding(estimator.tree_, values, y)
    return PouredRows("new", table.rows.lines, table.X, y, shown), None
