"""The boundaries of each tree of a forest beside the forest's, and which tree is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import (
    ForestClassifier,
    MCDFClassifier,
    MonotoneBoostingClassifier,
    TreeClassifier,
)
from lastviz.export.html_report import Text
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import ForestRegions, VotesOfSample, explain, forest_regions
from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    ThemeName,
    forest_plot,
    forest_trees_plot,
    rule_words,
    surroundings,
)
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import PAGE, Block, Chart, Only, Title
from lastviz.ui.shared.figures import Plane, plane_of, words
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.model_view import class_names_of, predicted, regions_of_ensemble
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import joined, number, percent, plural, t

MOST_TREES, ACROSS = 12, 3


def trees_panel(forest: ForestClassifier, selection: Selection, theme: ThemeName) -> list[Block]:
    """Return the `forest` of a selection large and its trees small; a click on a tree picks it.

    Raises
    ------
    Working
        If the picture of many trees takes long.
    """
    plane, n_trees = plane_of(selection, alone=True), len(forest.estimators_)
    picked = selection.models[0].tree
    picked = None if picked is None else min(picked, n_trees - 1)
    what, words = _title_of(picked, n_trees), t("Its trees")
    small, first, last = _trees_figure(forest, selection, plane, picked, theme)
    if n_trees > MOST_TREES:
        words = t("Trees {first} to {last} of {n}", first=number(first + 1),
                  last=number(last), n=number(n_trees))  # fmt: skip
    large = Chart(
        _forest_figure(forest, selection, plane, picked, theme),
        t("The regions of {what}", what=what),
        key="forest_large0", filename="forest",
    )  # fmt: skip
    trees = Chart(
        small, t("The regions of trees {first} to {last}", first=first + 1, last=last),
        key="forest_small0", filename="trees", on_click=partial(_picked, picked),
    )  # fmt: skip
    grid = (
        t("Exact rectangles.")
        if regions_of_ensemble(selection, 0, plane).exact
        else t("The forest on a grid of 400 by 400 places.")
    )
    about = t("Click a tree to enlarge it, click again to return to the forest. The percentage is "
              "its accuracy on the training rows.")  # fmt: skip
    columns = Columns([[Title(what), large], [Title(words), trees]])
    return [columns, Only((PAGE,), [Text(f"{grid} {about}")])]


def _title_of(picked: int | None, n_trees: int) -> str:
    """Return what the large picture is called."""
    if picked is None:
        return t("What all {n} trees decide", n=number(n_trees))
    return t("Tree {n} of {all}", n=number(picked + 1), all=number(n_trees))


def _forest_figure(
    forest: ForestClassifier,
    selection: Selection,
    plane: Plane,
    picked: int | None,
    theme: ThemeName,
) -> Drawing:
    """Return the regions of the forest, or of the picked one of its trees."""
    divided, drawn = cache.division(selection), plane.drawn
    if picked is None:
        regions = regions_of_ensemble(selection, 0, plane)
        label = predicted(selection, 0)[drawn]
    else:
        regions = _of_tree(forest, selection, plane, picked)
        label = forest.estimators_[picked].predict_codes(divided.values[drawn])
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    points = Points(plane.x[drawn], plane.y[drawn], divided.y[drawn], held_out[drawn],
                    label != divided.y[drawn], drawn + 1, plane.texts(drawn))  # fmt: skip
    figure = forest_plot(
        regions, points, theme=theme,
        class_names=class_names_of(cache.data(selection).dataset),
        feature_names=plane.titles,
        height=480, equal=plane.equal, view=plane.view, units=plane.units,
        words=words(),
    )  # fmt: skip
    return figure.about(f"{cache.data_key(selection)}|{plane.features}")


def _trees_figure(
    forest: ForestClassifier,
    selection: Selection,
    plane: Plane,
    picked: int | None,
    theme: ThemeName,
) -> tuple[Drawing, int, int]:
    """Return the figure of the trees around the picked one, the first and the one past the last."""
    n_trees = len(forest.estimators_)
    first = (picked or 0) // MOST_TREES * MOST_TREES
    last = min(first + MOST_TREES, n_trees)
    trees = []
    for i in range(first, last):
        share = percent(_accuracy(forest, selection, i))
        title = t("tree {n}: {share} %", n=number(i + 1), share=share)
        trees.append((i, title, _of_tree(forest, selection, plane, i)))
    figure = forest_trees_plot(
        trees, theme=theme, class_names=class_names_of(cache.data(selection).dataset),
        view=plane.view, picked=picked, across=ACROSS,
    )  # fmt: skip
    return figure, first, last


def _of_tree(
    forest: ForestClassifier, selection: Selection, plane: Plane, tree: int
) -> ForestRegions:
    where = f"{plane.view}|{plane.features}|{plane.at.tobytes().hex()}"
    key = f"{cache.model_key(selection, 0)}|{where}|{tree}"
    return _tree_regions(key, forest.estimators_[tree], plane)


@remembered
def _tree_regions(key: str, tree: TreeClassifier, plane: Plane) -> ForestRegions:
    around = surroundings(plane.view, equal=plane.equal)
    return forest_regions(tree, around, plane.features, plane.at, focus=plane.view)


def _accuracy(forest: ForestClassifier, selection: Selection, i: int) -> float:
    """Return the accuracy of a tree on the training rows."""
    key = f"{cache.model_key(selection, 0)}|accuracy|{i}"
    return _accuracy_of(key, forest.estimators_[i], cache.division(selection))


@remembered
def _accuracy_of(key: str, tree: TreeClassifier, divided: cache.Division) -> float:
    rows = divided.train_rows
    return float(np.mean(tree.predict_codes(divided.values[rows]) == divided.y[rows]))


def _picked(picked: int | None, click: dict) -> None:
    tree = click.get("node")
    if tree is not None:
        session.select_model(0, tree=None if tree == picked else int(tree))


def tree_stepper(forest: ForestClassifier, selection: Selection) -> int:
    """Draw a slider over the trees with a step back and a step on; return the tree shown."""
    n_trees = len(forest.estimators_)
    at = min(selection.models[0].tree or 0, n_trees - 1)
    if n_trees < 2:
        return at
    key = f"tree_step0.{n_trees}"
    put(key, at + 1)
    row = st.container(key="tree_steps", horizontal=True, wrap=False, vertical_alignment="bottom")
    row.button("◀", key="tree_back0", help=t("The tree before"), disabled=at == 0,
               on_click=partial(_step, n_trees, -1))  # fmt: skip
    row.slider(
        t("Tree, of {n}", n=number(n_trees)),
        min_value=1,
        max_value=n_trees,
        key=key,
        on_change=lambda: session.select_model(0, tree=st.session_state[key] - 1),
    )
    row.button("▶", key="tree_on0", help=t("The next tree"), disabled=at == n_trees - 1,
               on_click=partial(_step, n_trees, 1))  # fmt: skip
    return at


def _step(n_trees: int, by: int) -> None:
    at = (session.current().models[0].tree or 0) + by
    session.select_model(0, tree=min(max(at, 0), n_trees - 1))


# ---- The vote of a forest about one sample: each tree's leaf, class supports and class


MOST_CARDS = 24  # trees with a line of their own; more become a table
MOST_ROWS = 2000  # rows among which conflicts are looked for


def votes_panel(forest: ForestClassifier, selection: Selection, theme: ThemeName) -> None:
    """Draw the choice of a sample, how the trees vote about it, and what settles a conflict.

    The sample is the highlighted row; without one, the first row in conflict.
    """
    divided = cache.division(selection)
    X = divided.values
    conflicts = _conflicts(f"{cache.model_key(selection, 0)}|conflicts", forest, X)
    picked = selection.view.highlighted
    first = int(conflicts[0]) if len(conflicts) else 0
    row = picked if picked is not None and picked < len(X) else first
    _chooser(row, None if forest.adds_scores else conflicts, len(X))
    found = explain(forest, X[row])
    names = class_names_of(cache.data(selection).dataset)
    show(_verdict(forest, found, int(divided.y[row]), names, theme))
    if forest.adds_scores:
        st.dataframe(_scores_frame(forest, found, names), hide_index=True, height=360)
    elif len(found.label) <= MOST_CARDS:
        show(_votes_table(forest, found, names, theme))
    else:
        st.dataframe(_votes_frame(found, names), hide_index=True, height=360)


@remembered
def _conflicts(key: str, forest: ForestClassifier, X: np.ndarray) -> np.ndarray:
    """Return the rows, among the first MOST_ROWS, about which several classes are tied."""
    return np.flatnonzero(forest.votes_of_checked(X[:MOST_ROWS]).tied.sum(axis=1) > 1)


def _chooser(row: int, conflicts: np.ndarray | None, n_rows: int) -> None:
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    put("vote_row", row + 1)
    left.number_input(
        t("Row"), min_value=1, max_value=n_rows, step=1, key="vote_row",
        on_change=lambda: session.pick_row(int(st.session_state["vote_row"]) - 1),
    )  # fmt: skip
    if conflicts is None:  # there are no votes that could be tied
        return
    among = min(n_rows, MOST_ROWS)
    if not len(conflicts):
        right.caption(t("No conflict among {rows} rows.", rows=number(among)))
        return
    after = conflicts[conflicts > row]
    following = int(after[0]) if len(after) else int(conflicts[0])
    words = plural(len(conflicts), "{n} row in conflict", "{n} rows in conflict")
    right.button(
        t("Next of {conflicts}", conflicts=words),
        key="vote_next",
        help=t("Among the first {rows} rows.", rows=number(among)),
        on_click=lambda: session.pick_row(following),
    )


def _verdict(
    forest: ForestClassifier,
    found: VotesOfSample,
    true: int,
    names: Sequence[str],
    theme: ThemeName,
) -> str:
    """Return the card of the decision: votes of each class, what settles it, the true class."""
    most = max(float(found.votes.max()), 1e-12)
    rows = "".join(
        f"<tr{_mark(k == found.decision)}><th>{class_sign(k, theme)} {escape(names[k])}</th>"
        f'<td><i style="width: {100 * found.votes[k] / most:.1f}%; '
        f'background: {THEMES[theme].table_bar(k)}"></i></td><td>{_figure(found.votes[k])}</td>'
        f"<td>{_support(found, k)}</td></tr>"
        for k in range(len(found.votes))
        if found.votes[k] > 0 or k == true
    )
    sentence = _settled(forest, found, names)
    right = t("right") if found.decision == true else t("the true class is {name}",
                                                          name=names[true])  # fmt: skip
    sign = class_sign(found.decision, theme)
    return (
        f'<div class="lv-card lv-verdict" role="group"><div><div>{sign} '
        f"<b>{escape(names[found.decision])}</b>: {escape(right)}</div><p>{escape(sentence)}</p>"
        f'</div><table class="lv-votes">{rows}</table></div>'
    )


def _settled(forest: ForestClassifier, found: VotesOfSample, names: Sequence[str]) -> str:
    tied = np.flatnonzero(found.tied)
    if forest.adds_scores:
        return t("The trees add up to a probability of each class; the median class is predicted.")
    if isinstance(forest, MCDFClassifier) and forest.vote_ == "median":
        return t("The median of the trees' classes decides; the lower of two middle ones.")
    if len(tied) == 1:
        return t("It has the most votes; there is no conflict.")
    words = joined([names[k] for k in tied])
    if not isinstance(forest, MCDFClassifier):
        return t("A conflict: {classes} have the same votes. The lower class is taken.",
                 classes=words)  # fmt: skip
    sums = t(", ").join(f"{names[k]} {found.supports[k]:.3f}" for k in tied)
    best = found.supports[tied].max()
    if np.count_nonzero(found.supports[tied] >= best - 1e-12) > 1:
        return t("A conflict: {classes} have the same votes, and the same sums of class supports "
                 "({sums}). The lower class is taken.", classes=words, sums=sums)  # fmt: skip
    return t("A conflict: {classes} have the same votes. The larger sum of class supports settles "
             "it (eq 15): {sums}.", classes=words, sums=sums)  # fmt: skip


def _support(found: VotesOfSample, k: int) -> str:
    """Return the sum of supports of a tied class where there is a conflict."""
    if found.tied.sum() < 2 or not found.tied[k]:
        return ""
    return f"&Sigma; {found.supports[k]:.3f}"


def _figure(votes: float) -> str:
    return number(round(votes)) if float(votes).is_integer() else f"{votes:.3g}"


def _mark(is_chosen: bool) -> str:
    return ' class="lv-chosen"' if is_chosen else ""


def _votes_table(
    forest: ForestClassifier, found: VotesOfSample, names: Sequence[str], theme: ThemeName
) -> str:
    """Return one line a tree: its vote, the class supports of its leaf as a bar, the leaf."""
    weighted = np.ptp(found.weights) > 0
    heads = [t("tree"), t("vote"), *([t("weight")] if weighted else []), t("class supports"),
             t("its leaf")]  # fmt: skip
    lines = []
    for i, (label, leaf) in enumerate(zip(found.label, found.leaf, strict=True)):
        tree = forest.estimators_[i].tree_
        parts = "".join(
            f'<i style="width: {100 * share:.1f}%; background: {THEMES[theme].table_bar(k)}" '
            f'title="{escape(names[k])} {percent(share)} %"></i>'
            for k, share in enumerate(found.tree_supports[i])
            if share > 0
        )
        rows = plural(int(tree.n_node_samples[leaf]), "{n} row", "{n} rows")
        rule = rule_words(tree, int(leaf), joint=f" {t('and')} ") or t("all rows")
        weight = f"<td>{found.weights[i]:.2f}</td>" if weighted else ""
        lines.append(
            f"<tr><td>{i + 1}</td><td>{class_sign(label, theme)} {escape(names[label])}</td>"
            f'{weight}<td class="lv-shares"><div>{parts}</div></td>'
            f"<td>{rows}: <small>{rule}</small></td></tr>"
        )
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    inside = f"<tr>{head}</tr>{''.join(lines)}"
    return f'<div class="lv-wide"><table class="lv-trees">{inside}</table></div>'


def _votes_frame(found: VotesOfSample, names: Sequence[str]) -> pd.DataFrame:
    columns = {
        t("tree"): np.arange(1, len(found.label) + 1),
        t("vote"): [names[label] for label in found.label],
        t("leaf"): found.leaf,
    }
    for k, name in enumerate(names):
        columns[t("support of {name}", name=name)] = found.tree_supports[:, k].round(3)
    return pd.DataFrame(columns)


def _scores_frame(
    forest: MonotoneBoostingClassifier, found: VotesOfSample, names: Sequence[str]
) -> pd.DataFrame:
    """Return what the leaf of each tree adds to the scores of the borders."""
    trees = forest.estimators_
    added = np.array([tree.scores_[leaf] for tree, leaf in zip(trees, found.leaf, strict=True)])
    columns = {t("tree"): np.arange(1, len(found.leaf) + 1), t("leaf"): found.leaf}
    for k, name in enumerate(names[1:]):
        columns[t("score of {name} or above", name=name)] = added[:, k].round(4)
    return pd.DataFrame(columns)
