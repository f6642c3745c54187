"""What greed cost: the errors of a tree beside the fewest that any tree of its depth makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from lastviz.estimators import REFEREE, TreeClassifier, entry_of
from lastviz.host import jobs
from lastviz.host.jobs import Working
from lastviz.inspection import Scores, baseline, scores
from lastviz.plots import number
from lastviz.ui.compute import cache
from lastviz.ui.state import session
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection, changed
from lastviz.ui.text import CannotShow, plain, plural, t

from .headline import majority, right_words
from .job_box import job_box, wait_for
from .model_view import class_names_of

PAGES = ("boundaries", "growth", "rules")
# Depth -> rows x features squared up to which the search takes less than a tenth of a second.
AT_ONCE = {1: 100_000, 2: 100_000, 3: 35_000, 4: 1_700}


@dataclass(frozen=True)
class GreedCost:
    """The training errors of a tree and the fewest of any tree of its depth."""

    depth: int
    errors: int
    fewest: int
    # What every tree of the depth makes at least: `fewest`, unless the search ended early.
    least: int
    part: Scores  # of both and of the baseline on the rows held out; empty where there are none
    best_part: Scores
    always: Scores  # of both and of the baseline on the rows held out; empty where there are none
    majority: str  # the class that the baseline predicts


def _best_beside(selection: Selection, place: int) -> tuple[TreeClassifier, Model] | None:
    """Return a model of thresholds that has been trained, and the best one of its depth.

    None where trees of another kind were searched, or none of so large a depth can be.
    """
    estimator = cache.trained_already(selection, place)
    if not isinstance(estimator, TreeClassifier) or isinstance(estimator, REFEREE.cls):
        return None
    tree, divided = estimator.tree_, cache.division(selection, place)
    by_thresholds = not (len(tree.oblique.weights) or len(tree.kernel))
    weighed = cache.data(selection).dataset.weights is not None
    if weighed or not (by_thresholds and divided.is_plain and tree.max_depth in AT_ONCE):
        return None
    (depth,) = (p for p in REFEREE.cls.PARAMS if p.name == "max_depth")
    return estimator, Model(REFEREE.key, changed((), depth, tree.max_depth))


def _is_long(selection: Selection, place: int, depth: int) -> bool:
    divided = cache.division(selection, place)
    work = len(divided.train_rows) * divided.values.shape[1] ** 2
    return work > AT_ONCE[depth]


def _there(selection: Selection, place: int, best: Model) -> Selection:
    """Return the selection with the best tree in place of the model at `place`."""
    return selection.change_model(place, key=best.key, params=best.params)


def greed_cost(selection: Selection, place: int) -> GreedCost | None:
    """Return what greed cost the model at `place`, None where the question does not arise.

    Raises
    ------
    CannotShow, Working
        Where the best tree cannot be found, or is not yet.
    """
    found = _best_beside(selection, place)
    if found is None:
        return None
    estimator, best = found
    there = _there(selection, place, best)
    divided, optimal = cache.division(selection, place), cache.fitted(there, place).estimator
    dataset, y = cache.data(selection).dataset, divided.y
    own, best = (tree.predict(divided.values) for tree in (estimator.tree_, optimal.tree_))
    (training, best_training), (part, best_part) = (
        [scores(y[rows], predicted[rows], dataset.n_classes) for predicted in (own, best)]
        for rows in (divided.train_rows, divided.held_out_rows)
    )
    fewest = best_training.n_samples - best_training.n_right
    return GreedCost(
        depth=estimator.tree_.max_depth,
        errors=training.n_samples - training.n_right,
        fewest=fewest,
        least=fewest if optimal.is_optimal_ else optimal.lower_bound_,
        part=part,
        best_part=best_part,
        always=baseline(training, part),
        majority=class_names_of(dataset)[majority(training)],
    )


def greed_note(selection: Selection, place: int) -> None:
    """Say what greed cost, with the best tree one click away; a long search waits for the click."""
    if session.page() not in PAGES:
        return
    _proof_note(selection, place)
    found = _best_beside(selection, place)
    if found is None:
        return
    estimator, best = found
    depth, alone = estimator.tree_.max_depth, session.page() == "rules"
    there, is_long = _there(selection, place, best), _is_long(selection, place, depth)
    if is_long and cache.begun(there, place) is None:
        words = t("Which tree of depth {depth} makes the fewest training errors?", depth=depth)
        label, act = t("Search for it"), partial(cache.begin, there, place)
    else:
        try:
            cost = greed_cost(selection, place)
        except CannotShow as reason:
            if is_long:
                st.caption(plain(str(reason)))
            return
        except Working as working:
            if is_long:
                job_box(working.job, f"greed-{place}")
            else:
                wait_for(working.job)
            return
        words = sentence_of(cost, t(entry_of(selection.models[place].key).title))
        label = t("Show the best tree") if alone else t("Show it beside")
        act = partial(_show, selection, place, best, alone=alone)
        if cost.errors == cost.fewest or best in selection.models:
            if words:
                st.caption(plain(words))
            return
    with st.container(horizontal=True, vertical_alignment="center", key=f"greed-{place}"):
        st.caption(plain(words))
        st.button(label, key=f"best_{place}", type="tertiary", on_click=act)


def _proof_note(selection: Selection, place: int) -> None:
    """Say of a search that ended early what it proved; it can go on unless a limit ended it."""
    tree = cache.trained_already(selection, place)
    if not isinstance(tree, REFEREE.cls) or tree.edits_ or tree.is_optimal_:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"proof-{place}"):
        words = t("The search ended early: a tree of this depth may be better.")
        if tree.lower_bound_ and not tree.alpha:
            words = t(
                "The search ended early: this tree makes {errors}, and every tree of this depth "
                "makes at least {least}.",
                errors=plural(tree.n_errors_, "{n} training error", "{n} training errors"),
                least=number(tree.lower_bound_),
            )
        st.caption(plain(words))
        if tree.time_limit is None:
            st.button(
                t("Search to the end"), key=f"onward_{place}", type="tertiary",
                on_click=lambda: jobs.JOBS.forget(cache.begin(selection, place)),
            )  # fmt: skip


def _show(selection: Selection, place: int, best: Model, *, alone: bool) -> None:
    """Show the best tree beside the model at `place`, or instead of it."""
    if alone:
        session.select_model(place, key=best.key, params=best.params)
        return
    models = [*selection.models[: place + 1], best, *selection.models[place + 1 :]]
    session.select(models=tuple(models[:MAX_MODELS]), in_step=True)


def sentence_of(cost: GreedCost, title: str) -> str:
    """Return what greed cost in words, and what it means for new rows; none without an error."""
    fewest = plural(cost.fewest, "{n} training error", "{n} training errors")
    if cost.least < cost.fewest:
        words = t(
            "{title}: {errors}. The search ended early: its best tree of depth {depth} makes "
            "{fewest}, and every tree of this depth makes at least {least}.",
            title=title, depth=cost.depth, fewest=number(cost.fewest), least=number(cost.least),
            errors=plural(cost.errors, "{n} training error", "{n} training errors"),
        )  # fmt: skip
    elif cost.errors == cost.fewest:
        return t(
            "{title}: {fewest}, the fewest possible at depth {depth}.",
            title=title, depth=cost.depth, fewest=fewest,
        ) if cost.fewest else ""  # fmt: skip
    else:
        words = t(
            "{title}: {errors}; the best tree of depth {depth} makes {fewest}.",
            title=title,
            errors=plural(cost.errors, "{n} training error", "{n} training errors"),
            depth=cost.depth,
            fewest=number(cost.fewest),
        )
    if not cost.part:
        return words
    return words + " " + t(
        "Held-out rows classified correctly: {own}; by the best tree {best}; always "
        "predicting {name}, {base}.",
        own=right_words(cost.part, is_new=True), best=right_words(cost.best_part, is_new=True),
        name=cost.majority, base=right_words(cost.always),
    )  # fmt: skip
