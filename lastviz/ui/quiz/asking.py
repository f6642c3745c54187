"""From a question to what it is about: its scene is opened, its model grown, once for a class."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qsl, urlencode

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection import STOPS, explain, last_reason
from lastviz.plots import ThemeName, split_words
from lastviz.splitters import Search, Split
from lastviz.splitters.edits import ForcedSplit
from lastviz.ui.compute import availability, cache, nodes, uploads
from lastviz.ui.compute.nodes import path_of_node, shown_node, void_edits
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.shared.model_view import class_names_of, model_title
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.edit_codes import trimmed
from lastviz.ui.state.quiz_codes import CLASS, NODE, SPLIT, Question
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, t

from .scene import ClassQuestion, NodeQuestion, PosedQuestion, SplitQuestion
from .words import is_right

MOST_INNER = 25  # nodes that can be told apart in a picture
LEAST_SHARE = 0.15  # of the rows in each child of a wrong split: it should look like one


def pose(question: Question, theme: ThemeName) -> PosedQuestion:
    """Return a question with what is resolved for it: once for a whole class.

    Raises
    ------
    CannotShow
        If it cannot be asked here, of these data or of this algorithm.
    Working
        If training takes long or was cancelled.
    """
    query = dict(parse_qsl(question.scene, keep_blank_values=True))
    selection, problems = decode(query, session.data_params, session.model_params, uploads.shared)
    if problems:
        raise CannotShow(t("The scene of this question cannot be opened. {why}", why=problems[0]))
    _check_data(selection)
    make = {SPLIT: _split, CLASS: _class, NODE: _node}[question.kind]
    name = f"quiz|{question.kind}|{question.row}"
    return scene_of_all(name, selection, theme, partial(make, question, selection, theme))


def was_right(question: Question, answer: str, theme: ThemeName) -> bool:
    """Tell whether an answer is right; where the question cannot be asked (any more), none is."""
    try:
        return is_right(pose(question, theme), answer)
    except CannotShow:
        return False


def _check_data(selection: Selection) -> None:
    if availability.missing_file(selection) or availability.missing_set(selection):
        raise CannotShow(
            t("The data of this question are not available here: open them on the page Data.")
        )
    if availability.painting_lacks(selection):
        raise CannotShow(t("There are no painted rows to ask about yet."))
    if cache.data(selection).dataset.is_regression:
        raise CannotShow(
            t("Questions are about classes, but the target of this data set is a number.")
        )


def _common(question: Question, selection: Selection, theme: ThemeName) -> dict[str, object]:
    dataset = cache.data(selection).dataset
    return {
        "question": question,
        "selection": selection,
        "theme": theme,
        "dataset": dataset,
        "division": cache.division(selection),
        "class_names": class_names_of(dataset),
        "title": model_title(selection, 0),
    }


def _search(selection: Selection, node: int) -> Search:
    """Return the search of a node over thresholds of features.

    Raises
    ------
    CannotShow
        If the algorithm does not look for them, or the data have other columns.
    """
    estimator = cache.fitted(selection, 0).estimator
    plain = cache.division(selection).is_plain and cache.weights_of(selection, 0) is None
    if plain and not len(estimator.grown_tree_.bases):
        search = nodes.search(selection, 0, node)
        if search is not None and not search.categories:
            return search
    raise CannotShow(
        t(
            "This question is about thresholds of numeric features: choose an algorithm that "
            "searches for thresholds and a data set with numeric columns. The question which "
            "class is predicted here works with all."
        )
    )


def _split(question: Question, selection: Selection, theme: ThemeName) -> SplitQuestion:
    search = _search(selection, 0)
    if nodes.grown_node(selection, 0, 0) != 0:
        raise CannotShow(
            t("Pruning put another node in place of the root of this tree: take no pruning.")
        )
    reason = ""
    if nodes.stored_split(selection, 0, 0) is None:
        reason = t(last_reason(cache.fitted(selection, 0).estimator, 0).sentence)
    about, rows = _common(question, selection, theme), nodes.rows_of(selection, 0, 0)
    return SplitQuestion(**about, search=search, rows=rows, reason=reason)


def _class(question: Question, selection: Selection, theme: ThemeName) -> ClassQuestion:
    estimator = cache.fitted(selection, 0, allow_ensembles=True).estimator
    division = cache.division(selection)
    if question.row >= len(division.X):
        raise CannotShow(t("The data of this question have fewer rows than it asks about."))
    x = division.X.iloc[[question.row]]
    path, votes = _explained(estimator, x)
    return ClassQuestion(
        **_common(question, selection, theme),
        row=question.row,
        plane=plane_of(selection, alone=True),
        prediction=int(estimator.predict(x)[0]),
        path=path,
        votes=votes,
        is_forest=isinstance(estimator, ForestClassifier),
    )


def _explained(estimator: TreeClassifier | ForestClassifier, x: object) -> tuple[tuple, tuple]:
    """Return the tests that a row meets, as html, and what speaks for each class."""
    if isinstance(estimator, ForestClassifier):
        found = explain(estimator, x.to_numpy(dtype=np.float64)[0])
        return (), tuple((found.votes / found.votes.sum()).tolist())
    found = explain(estimator, x)
    steps = tuple(
        split_words(estimator.tree_, node, branch=branch if branch >= 0 else None)
        for node, branch in zip(found.node.tolist(), found.branch.tolist(), strict=True)
        if branch != STOPS
    )
    return steps, tuple(found.shares.tolist())


def _node(question: Question, selection: Selection, theme: ThemeName) -> NodeQuestion:
    estimator = cache.fitted(selection, 0).estimator
    _search(selection, 0)
    edits = [edit for edit in selection.models[0].edits if isinstance(edit, ForcedSplit)]
    altered = shown_node(estimator, edits[0].path) if len(edits) == 1 else None
    tree, void = estimator.tree_, void_edits(selection, 0, estimator)
    if altered is None or tree.is_leaf(altered) or void:
        raise CannotShow(t("The wrong node of this question is not in the tree: it was pruned."))
    inner = tuple(np.flatnonzero(tree.n_children).tolist())
    if len(inner) > MOST_INNER:
        raise CannotShow(
            t(
                "This tree has {n} inner nodes; at most {most} can be labelled. Make it smaller, "
                "for example by its depth.",
                n=number(len(inner)),
                most=number(MOST_INNER),
            )
        )
    about = _common(question, selection, theme)
    return NodeQuestion(**about, tree=tree, inner=inner, altered=altered)


def proposed_row(selection: Selection, turn: int) -> int:
    """Return a row to ask about: held out if any is; each `turn` (0, 1, ...) another."""
    division = cache.division(selection)
    rows = division.held_out_rows if len(division.held_out_rows) else division.train_rows
    order = np.random.default_rng(selection.seed).permutation(rows)
    return int(order[turn % len(order)])


def with_wrong_node(selection: Selection, node: int) -> str:
    """Return the query of the scene in which one inner node has a split that it would not take.

    It is a candidate from the middle of the node's ranking that parts its rows as a split might.

    Raises
    ------
    CannotShow
        If there is none.
    """
    search = _search(selection, node)
    n_rows = search.counts.sum()
    ranks = nodes.ranked(search, search.rule.stages[-1].column)
    left = np.asarray(search.left_counts).sum(axis=1)
    usable = (ranks > 1) & (np.minimum(left, n_rows - left) >= LEAST_SHARE * n_rows)
    order = np.flatnonzero(usable)
    if search.winner < 0 or not len(order):
        raise CannotShow(t("This node has no other split that could be mistaken for its own."))
    chosen = order[np.argsort(ranks[order], kind="stable")][len(order) // 2]
    split = Split(int(search.feature[chosen]), float(search.threshold[chosen]), 0.0)
    edit = trimmed(ForcedSplit(path_of_node(selection, 0, node), split))
    return urlencode(encode(selection.change_model(0, edits=(edit,))))
