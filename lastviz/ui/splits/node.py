"""The node in question: its place in the tree, the reason why it is a leaf, its display."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape

import numpy as np

from lastviz.export.blocks import Picture, Words
from lastviz.host.memory import remembered, resolved
from lastviz.inspection import FeatureCuts, feature_cuts, last_reason
from lastviz.plots import (
    Drawing,
    NodeFeature,
    ThemeName,
    flow_tree_plot,
    node_histograms_plot,
    number,
    plain_split,
)
from lastviz.splitters import AnySplit, same_split, stored_split
from lastviz.splitters.edits import ForcedSplit
from lastviz.tree import Kind, Reason
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.nodes import NodeWork, edited_nodes, void_edits
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.shared.blocks import PAGE, REPORT, Block, Chart, Controls, Only
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.edits import edit_words
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import legend
from lastviz.ui.shared.model_view import class_names_of, with_tree
from lastviz.ui.shared.view_controls import Moving
from lastviz.ui.shared.widgets import bound
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import paragraph, plural, round_digits, t

TREE_HEIGHT, TREE_WIDTH = 170, 500
# What made a leaf of a node that had been split.
PRUNED = (
    Reason.NO_FEWER_ERRORS,
    Reason.LEAF_ESTIMATE,
    Reason.WEAKEST_LINK,
    Reason.ENTROPY_COST,
    Reason.CUT_BY_HAND,
    Reason.HELD_OUT_ERRORS,
    Reason.WITHIN_ONE_ERROR,
    Reason.DESCRIPTION_LENGTH,
    Reason.ONE_SIDE,
)
# What ended the growth although a candidate may be admitted.
STOPPED = (
    Reason.MAX_DEPTH,
    Reason.MIN_SAMPLES,
    Reason.MAX_LEAF_NODES,
    Reason.CHILD_TOO_SMALL,
    Reason.LEAF_BY_HAND,
)


class NodeView(NodeWork):
    """A node of the first model, by its index in the tree that predicts."""

    def __init__(self, model: ModelWork, index: int, theme: ThemeName) -> None:
        super().__init__(model, index)
        self.theme = theme

    @resolved
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        return class_names_of(self.dataset)

    @resolved
    def reason(self) -> Reason | None:
        """Reason why the node is a leaf, None at an inner node."""
        is_leaf = self.tree.is_leaf(self.index)
        return last_reason(self.estimator, self.index) if is_leaf else None

    @property
    def title(self) -> str:
        """The algorithm."""
        title = self.model.title
        return with_tree(title, self.model) if self.model.chosen.alone else title

    # A tree of a forest or in an envelope cannot.
    @property
    def is_editable(self) -> bool:
        """Whether the tree can be edited by hand."""
        return not self.model.chosen.alone

    @property
    def was_pruned(self) -> bool:
        """Whether the node is a leaf that had been split before it was pruned."""
        return self.reason in PRUNED

    @property
    def stored_label(self) -> str:
        """Role of the stored split at the node, in words."""
        return self.label if self.forced is None else t("forced by hand")

    @property
    def forced_words(self) -> str:
        """The forced split in words, as html."""
        return escape(edit_words(self.model, ForcedSplit(self.path, self.forced)))

    @property
    def forced_head(self) -> str:
        """The forced split, and that it is forced, as html; empty without one."""
        if self.forced is None:
            return ""
        words = t("forced by hand")
        return f'<div class="lv-split"><b>{self.forced_words}</b><span>{words}</span></div>'

    @property
    def branches(self) -> list[np.ndarray]:
        """Class counts of the branches of the split that it was grown with."""
        return [self.grown.value[child] for child in self.grown.children(self.origin)]

    @property
    def may_be_split(self) -> bool:
        """Whether the winner of the rule is or could be the node's split."""
        return self.reason is None or self.was_pruned or self.reason in STOPPED

    @property
    def why_no_split(self) -> str:
        """That a leaf has no split, and why, as html; empty at an inner node."""
        if self.reason is None:
            return ""
        sentence = t("This leaf has no split. {reason}", reason=t(self.reason.sentence))
        return f'<p class="lv-ended">{escape(sentence)}</p>'

    @cached_property
    def forced(self) -> AnySplit | None:
        """The split that the reader forced here, if any; one without effect is none."""
        forced = [e for e in self.model.chosen.edits if isinstance(e, ForcedSplit)]
        if not forced:
            return None
        void = void_edits(self.model, self.estimator)
        return next((e.split for e in forced if e.path == self.path and e not in void), None)

    @property
    def label(self) -> str:
        """Role of the rule's winner at the node, in words."""
        if self.was_pruned and self.forced is None:
            return t("was the split here before pruning")
        if self.reason is not None or self.forced is not None:
            return t("would be chosen here")
        held = int(self.tree.n_node_samples[self.index])
        is_same = same_split(self.stored_split, stored_split(self.tree, self.index))
        if self.estimator.growth_log_.splits and not (is_same and held == len(self.rows)):
            return t(
                "was the first split here, on {chosen}; now {test} splits {held}",
                chosen=plural(len(self.rows), "{n} row", "{n} rows"),
                test=plain_split(self.tree, self.index),
                held=plural(held, "{n} row", "{n} rows"),
            )
        if held != len(self.rows):
            return t(
                "chosen split of node {node}, on {chosen}; after pruning it holds {held}",
                node=self.index,
                chosen=plural(len(self.rows), "{n} row", "{n} rows"),
                held=plural(held, "{n} row", "{n} rows"),
            )
        return t("chosen split of node {node}", node=self.index)


def node_view(work: Work, theme: ThemeName) -> NodeView:
    """Node that the selection is about, the root if it names none.

    Raises CannotShow if the algorithm cannot learn from the data, Working if training takes long
    or was cancelled.
    """
    return NodeView(work.first, work.first.chosen.node_in(work.first.tree) or 0, theme)


@dataclass(frozen=True, eq=False)
class NodeScene(ABC):
    """Node and the search there; each kind of search has its own subclass."""

    at: NodeView  # the node in question

    @abstractmethod
    def pictures(self) -> list[Block]:
        """Pictures of the search, and on its page the tree of the node."""

    @abstractmethod
    def explanations(self) -> list[Block]:
        """Chosen split, the reasons for it, and its children."""

    def details(self) -> list[Block]:
        """Blocks below, such as all candidates as a table."""
        return []

    def moving(self) -> Moving | None:
        """Stops of an offline page's slider, if it has one."""
        return None

    @property
    def marks(self) -> dict[str, str]:
        """Names of marks that mean something else than usual, for the legend."""
        return {} if self.at.forced is None else {"chosen_split": t("without the edit")}

    def legend(self, pictures: Sequence[Picture]) -> Words:
        """Legend of pictures, in which the marks are called as they are there."""
        figures = [picture.figure for picture in pictures]
        return Words(legend(self.at.class_names, self.at.theme, figures, self.marks))

    @cached_property
    def tree_figure(self) -> Drawing:
        """The tree with the node in question framed."""
        at = self.at
        figure = flow_tree_plot(
            at.tree,
            theme=at.theme,
            selected=at.index,
            path=at.tree.path(at.index) if at.index else None,
            height=TREE_HEIGHT,
            width_hint=TREE_WIDTH,
            class_names=at.class_names,
            words=words(),
            outlined=edited_nodes(at.model, at.estimator),
        )
        figure.areas["least"] = TREE_WIDTH
        return figure

    def tree_chooser(self) -> Only:
        """Tree, in which a click chooses a node; it is for the page alone."""
        return Only((PAGE,), lambda: [
            Chart(
                self.tree_figure,
                self._tree_alt(),
                key="node_tree",
                on_click=_node_clicked,
                passing=partial(passing_rows, self.at.model),
                filename="tree",
            )
        ])  # fmt: skip

    def tree_in_report(self) -> Picture:
        """Tree as a report has it."""
        return Picture(self.tree_figure, self._tree_alt(), self._tree_alt())

    def _tree_alt(self) -> str:
        title, node = self.at.title, self.at.index
        return t("The tree of {title}; node {node} is framed.", title=title, node=node)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        session.select_model(0, node=int(click["node"]))


def all_the_same() -> Controls:
    """Note in place of the reasons where no candidate separates any rows."""
    same = t("All rows of this node are the same, so nothing separates them.")
    return Controls(partial(st.info, same))


def brief(html: Sequence[str], n: int) -> list[Block]:
    """Explanations as blocks; a slide has the first `n`."""
    first, rest = (list(map(Words, part)) for part in (html[:n], html[n:]))
    return [*first, *([Only((PAGE, REPORT), rest)] if rest else [])]


# ---- The rows of the node in question, feature by feature: histograms by class with the split


OF_ROWS = "The rows of this node, feature by feature"
FIRST, MOST = 6, 60  # features at first, and at most
ACROSS = 3
MOST_ROWS = 5000  # whose places are sent for the brush; the bars count all


# All features are shown on demand.
def node_rows(at: NodeView) -> None:
    """Draw histograms of the features that separate the node's classes best."""
    n_features = at.division.values.shape[1]
    st.markdown(f"**{t(OF_ROWS)}**")
    about = [
        t("Solid: the split; dotted: the best threshold by Gini gain, every row counted once."),
        _of_many(at),
    ]
    if any(at.division.categories):  # not what a tree of two branches can gain
        about.append(t("The gain of a nominal feature is that of a branch for each category."))
    st.caption(paragraph(filter(None, about)))
    every = at.work.selection.splits.every_feature
    if n_features > FIRST:
        title = t("Up to {n} features", n=number(min(n_features, MOST)))
        bound(st.toggle, "every_feature", title)
    shown = node_features(at, MOST if every else FIRST)
    for i, column in enumerate(st.columns(ACROSS, gap="medium")):
        if shown[i::ACROSS]:
            with column:
                _column(at, i, shown[i::ACROSS])


def _column(at: NodeView, i: int, shown: list[NodeFeature]) -> None:
    """Draw every third feature; on a phone the columns stand below each other."""
    figure = rows_figure(at, shown)
    names = t(", ").join(feature.name for feature in shown)
    chart(
        figure,
        key=f"node_rows{i}",
        height=figure.height,
        alt=t("Histograms of the rows of the node by class: {names}", names=names),
        filename="node-rows",
    )


def _of_many(at: NodeView) -> str:
    """Note on a split that no line in one feature can show; "" for others."""
    if at.stored_split is None or at.grown.kind[at.origin] in (Kind.THRESHOLD, Kind.CATEGORIES):
        return ""
    is_machine = at.grown.kind[at.origin] == Kind.KERNEL
    used = at.division.values.shape[1] if is_machine else np.count_nonzero(_weights(at))
    return t("The split uses {n} features at once.", n=number(int(used)))


def rows_figure(at: NodeView, shown: list[NodeFeature]) -> Drawing:
    """Histograms of these features of the node's rows, one above the other."""
    drawn = np.arange(len(at.rows))
    if len(drawn) > MOST_ROWS:
        drawn = drawn[:: -(-len(drawn) // MOST_ROWS)]
    label = at.division.y[at.rows]
    figure = node_histograms_plot(
        shown,
        label,
        at.rows,
        theme=at.theme,
        class_names=at.class_names,
        words=words(),
        standing=drawn,
        across=1,
    )
    return figure.about(f"{at.model.cache_key}|{at.index}|{[feature.name for feature in shown]}")


def node_features(at: NodeView, most: int) -> list[NodeFeature]:
    """Features of the node's rows: that of the split, then the best by Gini gain."""
    key = (*at.model.cache_key, at.origin)
    values = at.division.values[at.rows]
    found = _cuts(key, at, values)
    chosen, tree = np.empty(0, dtype=np.intp), at.grown  # the feature of the split, or several
    if at.stored_split is not None and tree.kind[at.origin] == Kind.OBLIQUE:
        chosen = np.flatnonzero(_weights(at))
    elif at.stored_split is not None and tree.kind[at.origin] not in (Kind.LEAF, Kind.KERNEL):
        chosen = np.array([tree.feature[at.origin]])
    every = np.arange(len(found.gain))
    rest = ~np.isin(every, chosen) if len(chosen) == 1 else np.zeros(len(every), dtype=bool)
    order = np.lexsort((every, -found.gain, rest))
    return [_feature(at, int(f), values, found, chosen) for f in order[:most]]


def _feature(
    at: NodeView, f: int, values: np.ndarray, found: FeatureCuts, chosen: np.ndarray
) -> NodeFeature:
    line = None
    if f in chosen and at.grown.kind[at.origin] == Kind.THRESHOLD:
        line = float(at.grown.threshold[at.origin])
        line = line if np.isfinite(line) else None
    best = float(found.threshold[f])
    missing = int(np.isnan(values[:, f]).sum())
    notes = [f"{t('Gini gain')} {round_digits(found.gain[f])}"]
    if missing:
        notes.append(t("{n} missing", n=number(missing)))
    return NodeFeature(
        name=at.division.X.columns[f],
        values=values[:, f],
        note="<br>".join(notes),
        categories=at.division.categories[f],
        threshold=line,
        best=best if np.isfinite(best) else None,
        chosen=f in chosen,
    )


def _weights(at: NodeView) -> np.ndarray:
    return at.grown.oblique.weights[at.grown.split_row[at.origin]]


@remembered
def _cuts(key: Key, at: NodeView, values: np.ndarray) -> FeatureCuts:
    label = at.division.y[at.rows]
    return feature_cuts(values, label, at.dataset.n_classes, at.division.categories)
