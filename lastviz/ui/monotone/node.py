"""The part *A node* of the page *monotone*: rank mutual information over all thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.estimators import ForestClassifier, REMTClassifier, entry_of
from lastviz.export.html_report import Text, Words
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import card_candidate, last_reason, split_search
from lastviz.plots import (
    CandidateCurves,
    Points,
    Strip,
    ThemeName,
    cut_plane_plot,
    feature_html,
    flow_tree_plot,
    number,
    padded,
    rank_curves_plot,
)
from lastviz.splitters import Search
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import PAGE, REPORT, SLIDE, Block, Chart, Controls, Only
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.glossary import general_formula, with_numbers
from lastviz.ui.shared.headline import strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plural, t

from .scene import GROW_REMT, axes_of
from .words import node_legend

HEIGHT, TREE = 400, 160
MOST_ROWS = 4  # features whose curves are drawn
MOST_POINTS = 2000


@dataclass(frozen=True, eq=False)
class NodeScene:
    """A node of a REMT tree with all its candidates."""

    selection: Selection  # the reader's, with REMT in place of another algorithm
    algorithm: str  # title of the reader's algorithm
    division: cache.Division  # all rows, those learnt from and those held out
    estimator: REMTClassifier  # the tree; of a forest one of its trees
    node: int
    search: Search
    rows: np.ndarray  # intp, of the data in the node; those of a forest may repeat
    is_own: bool  # whether the tree is that of the reader's model, not one grown to show it

    @property
    def criterion(self) -> str:
        """The criterion by which the tree chooses."""
        return self.estimator.criterion_column

    @property
    def chosen(self) -> int | None:
        """The candidate that the node was split at."""
        if self.estimator.tree_.is_leaf(self.node) or self.search.winner < 0:
            return None
        return self.search.winner

    @property
    def best(self) -> int | None:
        """The chosen candidate, at a leaf the one of the largest score."""
        if self.chosen is not None:
            return self.chosen
        values = self.search.columns[self.criterion]
        return int(values.argmax()) if np.isfinite(values).any() else None

    def ranked(self) -> list[int]:
        """Return the features, the one of the best candidate first."""
        values = self.search.columns[self.criterion]
        best = np.full(self.estimator.tree_.n_features, -np.inf)
        np.maximum.at(best, self.search.feature, values)
        ranked = np.argsort(-best, kind="stable").tolist()
        return [f for f in ranked if np.isfinite(best[f])]


def node_scene(selection: Selection) -> NodeScene:
    """Work out what the selection asks for; another algorithm than REMT gives way to it.

    Raises
    ------
    ValueError, Working
        As :func:`lastviz.ui.compute.cache.fitted`.
    """
    algorithm = entry_of(selection.models[0].key)
    is_own = issubclass(algorithm.cls, GROW_REMT)
    if not is_own:
        selection = selection.change_model(0, key="remt")
    estimator = cache.fitted(selection, 0, allow_ensembles=True).estimator
    tree = cache.tree_of(selection, 0)
    node = selection.models[0].node_in(tree.tree_) or 0
    key = f"{cache.model_key(selection, 0)}|{selection.models[0].tree}|{node}"
    search = _search(key, selection, estimator, node)
    rows, _ = tree.tree_.node_samples(node)
    if isinstance(estimator, ForestClassifier):
        rows = estimator.draws_[_place(selection, estimator)].rows[rows]
    divided = cache.division(selection)
    return NodeScene(
        selection=selection,
        algorithm=t(algorithm.title),
        division=divided,
        estimator=tree,
        node=node,
        search=search,
        rows=divided.train_rows[rows],
        is_own=is_own,
    )


def _place(selection: Selection, forest: ForestClassifier) -> int:
    return min(selection.models[0].tree or 0, len(forest.estimators_) - 1)


@remembered
def _search(key: str, selection: Selection, estimator: object, node: int) -> Search:
    divided = cache.division(selection)
    X, y = divided.X.iloc[divided.train_rows], divided.y[divided.train_rows]
    if isinstance(estimator, ForestClassifier):
        return split_search(estimator, X, y, node, tree=_place(selection, estimator))
    return split_search(estimator, X, y, node, presorted=cache.sorted_training(selection))


def node_part(selection: Selection, theme: ThemeName) -> list[Block]:
    """Return a node, its score curves and the arithmetic of its cut."""
    scene = node_scene(selection)
    names = class_names_of(cache.data(scene.selection).dataset)
    plane, curves = _plane(scene, names, theme), _curves(scene, theme)
    beside = Columns([[plane, _tree(scene, names, theme)], curves], (2, 3))
    return [
        *([] if scene.is_own else [Controls(partial(_not_remt, scene.algorithm))]),
        Words(node_legend(names, theme)),
        Words(node_headline(scene)),
        Only((PAGE,), [beside]),
        Only((REPORT, SLIDE), [Columns([[plane], curves])]),
        Controls(partial(_card, scene)),
    ]


def _not_remt(title: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        sentence = (
            "**{title}** does not split by rank mutual information; this is REMT on the same rows."
        )
        st.markdown(t(sentence, title=title))
        choose = partial(session.select_model, 0, key="remt")
        st.button(t("Choose REMT"), key="to_remt", on_click=choose)


def node_headline(scene: NodeScene) -> str:
    """Return the numbers of the node."""
    tree, i = scene.estimator.tree_, scene.best
    unit = t(CRITERIA[scene.criterion].unit)
    cells = [(plural(len(scene.rows), "{n} row", "{n} rows"), "", t("node {n}", n=scene.node))]
    cells.append((number(scene.search.n_candidates), "", t("thresholds looked at")))
    if i is not None:
        value = float(scene.search.columns[scene.criterion][i])
        name = tree.feature_names[scene.search.feature[i]]
        decimals = scene.search.decimals_at(i)
        test = f"{name} ≤ {number(float(scene.search.threshold[i]), decimals)}"
        cells.append((number(value), unit, t("largest RMI")))
        cells.append((test, "", t("chosen cut") if scene.chosen is not None else t("best cut")))
    entropy = float(CRITERIA[scene.criterion].impurity(scene.search.counts))
    cells.append((number(entropy), unit, t("rank entropy of the node: no cut can tell more")))
    return strip(cells)


def _plane(scene: NodeScene, names: tuple[str, ...], theme: ThemeName) -> Chart:
    """Return the rows of the node with its cut."""
    divided, dataset = scene.division, cache.data(scene.selection).dataset
    axes = _axes(scene)
    train = divided.train_rows
    some = train[np.linspace(0, len(train) - 1, min(len(train), MOST_POINTS)).astype(np.intp)]
    values = divided.X.to_numpy()
    x = values[some, axes[0]]
    y = values[some, axes[1]] if axes[0] != axes[1] else np.linspace(0.0, 1.0, len(some))
    inside = np.isin(some, scene.rows)
    if not inside.any():
        inside[:] = True
    view = padded(x[inside], y[inside])
    features = scene.estimator.tree_.feature_names
    figure = cut_plane_plot(
        Points.plain(x, y, divided.y[some], some + 1),
        inside,
        _line(scene, axes, view),
        theme=theme,
        names=(features[axes[0]], features[axes[1]] if axes[0] != axes[1] else ""),
        class_names=names,
        units=tuple(dataset.units.get(features[f], "") for f in axes),
        height=HEIGHT,
        view=view,
        words=words(),
    )
    figure.about(f"{cache.data_key(scene.selection)}|{scene.node}|{axes}")
    alt = t("The rows of the node in a plane, with its cut; other rows are grey")
    return Chart(figure, alt, key="node_plane", filename="node")


def _axes(scene: NodeScene) -> tuple[int, int]:
    """Return the features of the plane: the reader's, or those of the best candidates."""
    names = scene.estimator.tree_.feature_names
    reader = scene.selection.view.axes
    if (reader is not None and set(reader) <= set(names)) or len(names) <= 2:
        return axes_of(scene.selection, names)
    ranked = [*scene.ranked(), *range(len(names))]
    first, second = list(dict.fromkeys(ranked))[:2]
    return first, second


def _line(scene: NodeScene, axes: tuple[int, int], view: tuple) -> np.ndarray:
    """Return the ends of the chosen cut in the plane; none if it does not show there."""
    i = scene.chosen
    if i is None or scene.search.feature[i] not in axes:
        return np.empty((0, 2))
    at = float(scene.search.threshold[i])
    if scene.search.feature[i] == axes[0]:
        return np.array([[at, view[2]], [at, view[3]]])
    return np.array([[view[0], at], [view[1], at]])


def _tree(scene: NodeScene, names: tuple[str, ...], theme: ThemeName) -> Chart:
    tree = scene.estimator.tree_
    figure = flow_tree_plot(
        tree,
        theme=theme,
        selected=scene.node,
        path=tree.path(scene.node) if scene.node else None,
        height=TREE,
        width_hint=520,
        class_names=names,
        words=words(),
    )
    return Chart(
        figure,
        t("The tree; the frame marks the node. Click a node to ask about it."),
        key="monotone_tree",
        on_click=session.click_node if scene.is_own else None,
        passing=partial(passing_rows, scene.selection, 0),
        filename="tree",
    )


def _curves(scene: NodeScene, theme: ThemeName) -> list[Block]:
    """Return the score of every threshold of the best features."""
    search, ranked = scene.search, scene.ranked()
    if not ranked:
        words = t("All rows of this node are the same, so no threshold separates them.")
        return [Controls(partial(st.info, words))]
    heading, notes = t("Rank mutual information of every threshold"), []
    if len(ranked) > MOST_ROWS:
        counts = {"n": MOST_ROWS, "all": number(len(ranked))}
        notes.append(t("The best {n} of {all} features that have a threshold here.", **counts))
    if scene.chosen is None:
        sentence = t(last_reason(scene.estimator, scene.node).sentence)
        notes.append(t("This is a leaf, so no split is chosen. {why}", why=sentence))
    names = tuple(feature_html(name) for name in scene.estimator.tree_.feature_names)
    figure = rank_curves_plot(
        CandidateCurves(search.feature, search.threshold, names, scene.chosen),
        Strip("RMI", search.columns[scene.criterion]),
        ranked[:MOST_ROWS],
        theme=theme,
        floor=float(scene.estimator.min_gain),
        unit=t(CRITERIA[scene.criterion].unit),
        chosen_word=t("chosen"),
        floor_word=t("least that is admitted"),
        row_height=170 if len(ranked) <= 2 else 110,
    )
    alt = t("Rank mutual information over the thresholds of each feature")
    return [
        Only((PAGE,), [Words(f'<p class="lv-heading">{heading}</p>')]),
        Chart(figure, alt, key="rank_curves", filename="rmi"),
        Only((PAGE,), list(map(Text, notes))),
    ]


def _card(scene: NodeScene) -> None:
    """Draw the formula in general and with the class counts of the cut."""
    i = scene.best
    if i is None:
        return
    name, search = scene.criterion, scene.search
    direction = int(scene.estimator.directions_[search.feature[i]])
    here = card_candidate(search, i, direction=direction)
    title = t("How the cut scores") if scene.chosen is not None else t("How the best cut scores")
    st.markdown(f"**{title}**")
    left, right = st.columns(2, gap="large")
    with left:
        general_formula(name, here)
    with right:
        with_numbers(name, here, float(search.columns[name][i]))
        if direction < 0:
            st.caption(t("The class falls as this feature grows, so the side of small values is "
                         "the upper one."))  # fmt: skip
