"""From a question to its subject: scene opened and model grown once for a whole class."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl, urlencode

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection import STOPS, explain, last_reason
from lastviz.plots import ThemeName, split_words
from lastviz.splitters import Search, Split
from lastviz.splitters.edits import ForcedSplit
from lastviz.ui.compute import availability, nodes, uploads
from lastviz.ui.compute.nodes import shown_node, void_edits
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.compute.selected import OF_THE_DATA
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.shared.model_view import class_names_of, model_title
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode, without_private
from lastviz.ui.state.edit_codes import trim
from lastviz.ui.state.quiz_codes import CLASS, ERRORS, NODE, SPLIT, Ask, Question
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from lastviz.ui.text import CannotShow, number, t

from .scene import ClassQuestion, NodeQuestion, NumberQuestion, PosedQuestion, SplitQuestion
from .words import is_right

MOST_INNER = 25  # nodes that can be told apart in a picture
LEAST_SHARE = 0.15  # of the rows in each child of a wrong split: it should look like one


def pose(question: Question, theme: ThemeName) -> PosedQuestion:
    """Question with its resolved data, computed once for a whole class.

    Raises CannotShow if it cannot be asked here, of these data or of this algorithm; Working if
    training takes long or was cancelled.
    """
    query = dict(parse_qsl(question.scene, keep_blank_values=True))
    selection, problems = decode(
        query, session.data_params, session.model_params, uploads.shared_file
    )
    if problems:
        raise CannotShow(t("The scene of this question cannot be opened. {why}", why=problems[0]))
    work = work_of(selection)
    _check_data(work)
    make = {SPLIT: _split, CLASS: _class, NODE: _node, ERRORS: _errors}[question.kind]
    name = f"quiz|{question.kind}|{question.row}"
    return scene_of_all(name, work, theme, partial(make, question, work, theme))


def question_scene(selection: Selection, ask: Ask | None = None) -> Selection:
    """Part of a scene that a question needs: data, division, one model, own words."""
    fields = {name: selection.value(name) for name in (*OF_THE_DATA, "held", "held_by", "seed")}
    place = min(ask.model if ask else 0, len(selection.models) - 1)
    model = replace(selection.models[place], node=None, move=None, tree=None, edits=())
    found = replace(DEFAULT, **fields, unlabelled=selection.unlabelled, models=(model,))
    return found.having(ask=ask and replace(ask, model=0))


def hindrance(scene: Selection) -> str:
    """Reason why a class could not open a scene, "" if it could."""
    if without_private(scene) != scene:
        return t(
            "A painting with this many rows does not fit into a link, so it cannot be used in a "
            "quiz."
        )
    if scene.data == UPLOAD and scene.upload.share is None:
        return t(
            "This is your own file, which nobody else can open: share it on the page Data, open it "
            "by its link, and ask about that."
        )
    if work_of(scene).dataset.is_regression:
        return t("Questions are about classes, but the target of this data set is a number.")
    return ""


# False if the question cannot be posed, or no longer.
def was_right(question: Question, answer: str, theme: ThemeName) -> bool:
    """Whether an answer is right."""
    try:
        return is_right(pose(question, theme), answer)
    except CannotShow:
        return False


def _check_data(work: Work) -> None:
    if availability.missing_file(work.selection) or availability.missing_set(work.selection):
        raise CannotShow(
            t("The data of this question are not available here: open them on the page Data.")
        )
    if availability.painting_lacks(work.selection):
        raise CannotShow(t("There are no painted rows to ask about yet."))
    if work.dataset.is_regression:
        raise CannotShow(
            t("Questions are about classes, but the target of this data set is a number.")
        )


def _common(question: Question, work: Work, theme: ThemeName) -> dict[str, object]:
    dataset = work.dataset
    return {
        "question": question,
        "work": work,
        "theme": theme,
        "dataset": dataset,
        "division": work.first.division,
        "class_names": class_names_of(dataset),
        "title": model_title(work.first),
    }


def _search(work: Work, node: int) -> Search:
    """Search of a node over thresholds of features.

    Raises CannotShow if the algorithm does not look for them, or the data have other columns.
    """
    estimator = work.first.estimator
    plain = work.first.division.is_plain and work.first.weights is None
    if plain and not len(estimator.grown_tree_.bases):
        search = work.first.node(node).search
        if search is not None and not search.categories:
            return search
    raise CannotShow(
        t(
            "This question is about thresholds of numeric features: choose an algorithm that "
            "searches for thresholds and a data set with numeric columns. The question which "
            "class is predicted here works with all."
        )
    )


def _split(question: Question, work: Work, theme: ThemeName) -> SplitQuestion:
    search = _search(work, 0)
    if work.first.node(0).origin != 0:
        raise CannotShow(
            t("Pruning put another node in place of the root of this tree: take no pruning.")
        )
    reason = ""
    if work.first.node(0).stored_split is None:
        reason = t(last_reason(work.first.estimator, 0).sentence)
    about, rows = _common(question, work, theme), work.first.node(0).rows
    return SplitQuestion(**about, search=search, rows=rows, reason=reason)


def _class(question: Question, work: Work, theme: ThemeName) -> ClassQuestion:
    estimator = work.first.fitted_any.estimator
    division = work.first.division
    if question.row >= len(division.X):
        raise CannotShow(t("The data of this question have fewer rows than it asks about."))
    x = division.X.iloc[[question.row]]
    path, votes = _explained(estimator, x)
    return ClassQuestion(
        **_common(question, work, theme),
        row=question.row,
        plane=plane_of(work, alone=True),
        prediction=int(estimator.predict(x)[0]),
        path=path,
        votes=votes,
        is_forest=isinstance(estimator, ForestClassifier),
    )


def _explained(estimator: TreeClassifier | ForestClassifier, x: object) -> tuple[tuple, tuple]:
    """Tests that a row meets, as HTML, and the support for each class."""
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


def _errors(question: Question, work: Work, theme: ThemeName) -> NumberQuestion:
    division, ask = work.first.division, work.selection.view.ask
    rows = division.held_out_rows if len(division.held_out_rows) else division.train_rows
    predicted = work.first.fitted_any.estimator.predict(division.X.iloc[rows])
    counts = {"n": len(rows), "answer": str(np.count_nonzero(predicted != division.y[rows]))}
    about = _common(question, work, theme) | counts | {"plane": plane_of(work, alone=True)}
    return NumberQuestion(**about, tolerance=(ask.detail if ask else 0) or 0)


def _node(question: Question, work: Work, theme: ThemeName) -> NodeQuestion:
    estimator = work.first.estimator
    _search(work, 0)
    edits = [edit for edit in work.first.chosen.edits if isinstance(edit, ForcedSplit)]
    altered = shown_node(estimator, edits[0].path) if len(edits) == 1 else None
    tree, void = estimator.tree_, void_edits(work.first, estimator)
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
    about = _common(question, work, theme)
    return NodeQuestion(**about, tree=tree, inner=inner, altered=altered)


def proposed_row(work: Work, turn: int) -> int:
    """Row to ask about: held out if any is; each `turn` (0, 1, ...) another."""
    division = work.first.division
    rows = division.held_out_rows if len(division.held_out_rows) else division.train_rows
    order = np.random.default_rng(work.selection.seed).permutation(rows)
    return int(order[turn % len(order)])


def with_wrong_node(work: Work, node: int) -> str:
    """Query of the scene in which one inner node has a split that it would not take.

    It is a candidate from the middle of the node's ranking that parts its rows as a split might.

    Raises CannotShow if there is none.
    """
    search = _search(work, node)
    n_rows = search.counts.sum()
    ranks = nodes.rank_candidates(search, search.rule.stages[-1].column)
    left = np.asarray(search.left_counts).sum(axis=1)
    usable = (ranks > 1) & (np.minimum(left, n_rows - left) >= LEAST_SHARE * n_rows)
    order = np.flatnonzero(usable)
    if search.winner < 0 or not len(order):
        raise CannotShow(t("This node has no other split that could be mistaken for its own."))
    chosen = order[np.argsort(ranks[order], kind="stable")][len(order) // 2]
    split = Split(int(search.feature[chosen]), float(search.threshold[chosen]), 0.0)
    edit = trim(ForcedSplit(work.first.node(node).path, split))
    return urlencode(encode(work.selection.change_model(0, edits=(edit,))))
