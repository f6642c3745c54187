"""A tree that a parameter stopped early: what it came to, and what another value comes to."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import Alternative, TreeClassifier, entry_of
from lastviz.host.jobs import Working
from lastviz.inspection import Scores, baseline, scores
from lastviz.ui.compute import cache
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection, changed
from lastviz.ui.text import CannotShow, percent, plain, plural, t

from .headline import majority, right_words
from .job_box import job_box
from .model_view import class_names_of

LEAST_SHARE = 0.25  # of the training rows; growth that ends for fewer is as usual


@dataclass(frozen=True)
class EarlyStop:
    """A model beside the one that another value of a parameter makes."""

    label: str  # what the parameter is called in the sidebar
    found: Alternative
    share: float  # share of the training rows whose growth it ended
    n_nodes: int  # of the model and of the other one
    other_n_nodes: int  # of the model and of the other one
    # part, other_part, always: of both and of the baseline on the rows held out, or on the training
    # rows where none are
    part: Scores
    other_part: Scores
    always: Scores
    majority: str  # the class that the baseline predicts
    is_held_out: bool  # which rows those are


def _stopped(selection: Selection, place: int) -> tuple[TreeClassifier, Alternative] | None:
    """Return a model that has been trained and the parameter that ended it early, if one did."""
    estimator = cache.trained_already(selection, place)
    if not isinstance(estimator, TreeClassifier):
        return None
    found = estimator.alternative()
    rows = estimator.grown_tree_.n_node_samples[0]
    if found is None or found.n_samples < LEAST_SHARE * rows:
        return None
    return estimator, found


def _declared(selection: Selection, place: int, found: Alternative) -> Param:
    declared = entry_of(selection.models[place].key).cls.PARAMS
    return next(param for param in declared if param.name == found.param)


def _other(selection: Selection, place: int, found: Alternative) -> Selection:
    """Return the selection with the other value of that parameter."""
    param = _declared(selection, place, found)
    params = changed(selection.models[place].params, param, found.value)
    return selection.change_model(place, params=params)


def early_stop(selection: Selection, place: int) -> EarlyStop | None:
    """Return what a parameter's other value would come to where it ended growth early.

    None where nothing ended early, where the other value is right about no more rows, or where
    the model at `place` is not trained.

    Raises
    ------
    CannotShow, Working
        Where the other model cannot be trained, or is not yet.
    """
    stopped = _stopped(selection, place)
    if stopped is None:
        return None
    estimator, found = stopped
    there = _other(selection, place, found)
    divided = cache.division(selection, place)
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    X, y, dataset = divided.values[rows], divided.y[rows], cache.data(selection).dataset
    trees = (estimator.tree_, cache.fitted(there, place).estimator.tree_)
    part, other = (scores(y, tree.predict(X), dataset.n_classes) for tree in trees)
    if other.n_right <= part.n_right:
        return None
    learnt = divided.y[divided.train_rows]
    training = scores(learnt, learnt, dataset.n_classes)
    return EarlyStop(
        label=_declared(selection, place, found).label,
        found=found,
        share=found.n_samples / len(divided.train_rows),
        n_nodes=trees[0].n_nodes,
        other_n_nodes=trees[1].n_nodes,
        part=part,
        other_part=other,
        always=baseline(training, part),
        majority=class_names_of(dataset)[majority(training)],
        is_held_out=len(divided.held_out_rows) > 0,
    )


def early_stop_note(selection: Selection, place: int) -> None:
    """Say that a parameter stopped a tree early, with the numbers of both, one click away."""
    try:
        stop = early_stop(selection, place)
    except Working as working:
        job_box(working.job, f"other-{place}")
        return
    except CannotShow as reason:
        st.caption(plain(str(reason)))
        return
    if stop is None:
        return
    title = t(entry_of(selection.models[place].key).title)
    with st.container(key=f"early-stop-{place}", border=True, gap="small"):
        st.markdown(plain(sentence_of(stop, title)))
        st.button(
            t("Grow with the other setting"),
            key=f"take_other_{place}",
            on_click=lambda: session.select_model(
                place, params=_other(session.current(), place, stop.found).models[place].params
            ),
        )


def sentence_of(stop: EarlyStop, title: str) -> str:
    """Return the note in words; its numbers are those of the two trees."""
    values = {
        "title": title,
        "label": t(stop.label),
        "reason": t(stop.found.reason.sentence),
        "share": percent(stop.share),
        "nodes": plural(stop.n_nodes, "{n} node", "{n} nodes"),
        "own": right_words(stop.part, is_new=stop.is_held_out),
        "other_nodes": plural(stop.other_n_nodes, "{n} node", "{n} nodes"),
        "other": right_words(stop.other_part, is_new=stop.is_held_out),
        "name": stop.majority,
        "base": right_words(stop.always),
    }
    if stop.is_held_out:
        return t(
            "{title} stopped early for {share} % of the training rows: “{reason}” It has "
            "{nodes} and classifies {own} of the held-out rows correctly. With the other "
            "choice under “{label}” it has {other_nodes} and classifies {other}; always "
            "predicting {name}, {base}.",
            **values,
        )
    return t(
        "{title} stopped early for {share} % of the training rows: “{reason}” It has {nodes} "
        "and classifies {own} of the training rows correctly. With the other choice under "
        "“{label}” it has {other_nodes} and classifies {other}; always predicting {name}, "
        "{base}.",
        **values,
    )
