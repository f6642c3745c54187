"""How the rows of each tree of a forest are drawn, tree after tree."""

from __future__ import annotations

from functools import partial

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.estimators import ForestClassifier, MCDFClassifier
from lastviz.plots import DrawnRows, DrawWords, draw_plot

from . import cache, frame
from .components.chart_host import chart
from .forest_formulas import draw_words, plan_card
from .forest_steps import tree_stepper
from .headline import show
from .memory import remembered
from .model_view import class_names_of
from .plane import Plane, plane_of
from .selection import Selection
from .text import number, t

__all__ = ["subsets_panel"]

MOST_WAITING = 4000  # rows not drawn that are shown; those drawn are shown all


def subsets_panel(forest: ForestClassifier, selection: Selection, place: int = 0) -> None:
    """Draw how the subset of one tree was drawn, with a control from tree to tree.

    Parameters
    ----------
    forest : ForestClassifier
        The fitted model at `place` of `selection`: MCDF, or AdaBoost.M1 with its resamples.
    selection : Selection
    place : int, default 0
    """
    at = tree_stepper(forest, selection, place)
    plane = plane_of(selection)
    rows, left_out = _rows(forest, selection, place, plane, at)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = _figure(rows, selection, plane)
        chart(
            figure,
            key=f"subset{place}",
            height=figure.layout.height,
            alt=_alt(rows, at),
            filename="subset",
        )
        st.caption(_legend(left_out, of_subsets=isinstance(forest, MCDFClassifier)))
    with right:
        dataset = cache.data(selection).dataset
        names, theme = class_names_of(dataset), frame.theme()
        show(draw_words(forest, at, names, theme))
        if isinstance(forest, MCDFClassifier):
            plan_card(forest)


def _rows(
    forest: ForestClassifier, selection: Selection, place: int, plane: Plane, at: int
) -> tuple[DrawnRows, int]:
    """Return the training rows as they stood before the drawing, and how many are not shown."""
    divided = cache.division(selection)
    draw = forest.draws_[at]
    weights = _weights(f"{cache.model_key(selection, place)}|weights|{at}", forest, at)
    times = np.bincount(draw.rows, minlength=len(weights))
    kept = np.zeros(len(weights), dtype=bool)
    if isinstance(forest, MCDFClassifier):
        kept[draw.rows[draw.kept]] = True
    waiting = np.flatnonzero(times == 0)
    some = waiting[np.arange(min(len(waiting), MOST_WAITING)) * max(len(waiting), 1)
                   // max(min(len(waiting), MOST_WAITING), 1)]  # fmt: skip
    shown = np.sort(np.concatenate([np.flatnonzero(times), some]))
    of_data = divided.train_rows[shown]
    rows = DrawnRows(
        x=plane.x[of_data],
        y=plane.y[of_data],
        label=divided.y[of_data],
        weight=weights[shown] * len(weights),
        drawn=times[shown] > 0,
        kept=kept[shown],
        row=of_data + 1,
    )
    return rows, len(waiting) - len(some)


@remembered(64)
def _weights(key: str, forest: ForestClassifier, at: int) -> np.ndarray:
    return forest.weights_before(at)


def _figure(rows: DrawnRows, selection: Selection, plane: Plane) -> go.Figure:
    names = tuple(cache.division(selection).X.columns[list(plane.features)])
    figure = draw_plot(
        rows,
        theme=frame.theme(),
        class_names=class_names_of(cache.data(selection).dataset),
        feature_names=names if names[0] != names[1] else (names[0], ""),
        view=plane.view,
        height=460,
        equal=plane.equal,
        units=plane.units,
        words=_words(),
    )
    figure.layout.uirevision = f"{cache.data_key(selection)}|{plane.features}"
    return figure


def _words() -> DrawWords:
    return DrawWords(
        row=t("row"),
        weight=t("weight"),
        waiting=t("not drawn"),
        fresh=t("drawn"),
        kept=t("kept from the tree before"),
        dropped=t("never drawn again"),
    )


def _legend(left_out: int, *, of_subsets: bool) -> str:
    parts = [t("The larger a mark, the larger its weight (1 is the mean).")]
    if of_subsets:
        parts.append(t("Filled ink: drawn anew. Open ink: kept from the tree before. Crosses: "
                       "weight 0, never drawn again."))  # fmt: skip
    else:
        parts.append(t("In ink: drawn, once or more often."))
    if left_out:
        more = t("{n} more rows were not drawn and are not shown.", n=number(left_out))
        parts.append(more)
    return " ".join(parts)


_alt_sentence = "The training rows before tree {tree}: {drawn} drawn, {dropped} with weight 0."


def _alt(rows: DrawnRows, at: int) -> str:
    counted = partial(np.count_nonzero)
    return t(
        _alt_sentence,
        tree=at + 1,
        drawn=number(int(counted(rows.drawn))),
        dropped=number(int(counted(rows.weight <= 0))),
    )
