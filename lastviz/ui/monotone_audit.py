"""The part *Audit* of the page *monotone*: proof or counter-example, and the price of a promise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ESTIMATORS, ForestClassifier, TreeClassifier
from lastviz.inspection import (
    CounterExample,
    MonotonicityAudit,
    Scores,
    has_thresholds,
    scores,
    single_step,
)
from lastviz.plots import Points, counter_example_plot, padded, surroundings
from lastviz.tree import LeafBoxes, leaf_boxes

from . import cache, frame, monotone_cache, state
from .boundary_panels import words
from .components.chart_host import chart
from .headline import show, strip
from .model_view import class_names_of
from .monotone_price import price_part
from .monotone_scene import axes_of
from .monotone_verdict import prediction_words, verdict, what_was_compared
from .monotone_words import audit_legend
from .selection import Selection, changed
from .text import number, percent, t
from .whole_view import predicted

__all__ = ["AuditScene", "audit_part", "audit_scene"]

HEIGHT = 470
MOST_POINTS = 1500
MOST_PROJECTED = 300  # points over a slice to which most of them do not belong
PROMISE = {"remt": {"monotone": True}, "mcdf": {"monotone": True, "vote": "median"}}


@dataclass(frozen=True, eq=False)
class AuditScene:
    """A model and what its audit found.

    Attributes
    ----------
    title : str
    estimator : TreeClassifier or ForestClassifier
    audit : MonotonicityAudit
    example : CounterExample or None
        The counter-example as it is drawn: in more than two features along one of them.
    boxes : LeafBoxes or None
        The leaves of a tree whose leaves decide.
    axes : tuple of int
        Features of the plane; the same twice if there is only one.
    names : tuple of str
        Of the features.
    class_names : tuple of str
    held_out, training : Scores
    """

    title: str
    estimator: TreeClassifier | ForestClassifier
    audit: MonotonicityAudit
    example: CounterExample | None
    boxes: LeafBoxes | None
    axes: tuple[int, int]
    names: tuple[str, ...]
    class_names: tuple[str, ...]
    held_out: Scores
    training: Scores

    def leaf_of(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the lower and the upper corner of the leaf that holds a point."""
        if self.boxes is None:
            return None
        inside = (self.boxes.low < point) & (point <= self.boxes.high)
        i = int(np.flatnonzero(inside.all(axis=1))[0])
        return self.boxes.low[i], self.boxes.high[i]


def audit_scene() -> AuditScene:
    """Work out what the selection asks for.

    Raises
    ------
    ValueError, Working
        As :func:`lastviz.ui.cache.fitted`; or if the audit takes long.
    """
    selection = state.current()
    estimator = cache.fitted(selection, 0, whole=True).estimator
    audit = monotone_cache.audit(selection, 0)
    example = audit.counter_example
    if example is not None and len(example.below) > 2:
        example = single_step(estimator, example)
    divided = cache.division(selection)
    names = tuple(divided.X.columns)
    single = isinstance(estimator, TreeClassifier) and has_thresholds(estimator)
    decides = single and not getattr(estimator, "monotone", False)
    held_out, training = _scored(selection)
    return AuditScene(
        title=t(ESTIMATORS[selection.models[0].key].title),
        estimator=estimator,
        audit=audit,
        example=example,
        boxes=leaf_boxes(estimator.tree_) if decides else None,
        axes=_axes(names, example),
        names=names,
        class_names=class_names_of(cache.data(selection).dataset),
        held_out=held_out,
        training=training,
    )


def _scored(selection: Selection) -> tuple[Scores, Scores]:
    """Return how often the model is right on the rows held out and on those learnt from."""
    divided = cache.division(selection)
    label = predicted(selection, 0)
    n_classes = cache.data(selection).dataset.n_classes
    held_out, training = (
        scores(divided.y[rows], label[rows], n_classes)
        for rows in (divided.held_out_rows, divided.train_rows)
    )
    return held_out, training


def _axes(names: tuple[str, ...], example: CounterExample | None) -> tuple[int, int]:
    """Return the features of the plane; in many dimensions the one of the step is among them."""
    first, second = axes_of(state.current(), names)
    if example is None or len(names) <= 2:
        return first, second
    step = int(np.flatnonzero(example.below != example.above)[0])
    if step in (first, second):
        return first, second
    return tuple(sorted((step, first)))


def audit_part() -> None:
    """Draw the verdict, what it rests on, the counter-example and the price."""
    try:
        scene = audit_scene()
    except ValueError as error:
        st.info(str(error))
        return
    show(audit_legend(scene.class_names, frame.theme(), held_out=state.current().held > 0))
    show(_headline(scene))
    left, right = st.columns([3, 2], gap="large")
    with left:
        _plane(scene)
    with right:
        st.markdown(what_was_compared(scene))
        _table(scene)
        _mend(scene)
    price_part()


def _headline(scene: AuditScene) -> str:
    audit = scene.audit
    compared = {
        "boxes": t("pairs of leaves with different classes"),
        "grid": t("pairs of neighbouring cells"),
        "sampling": t("random comparable pairs of points"),
    }[audit.method]
    cells = [
        (number(audit.n_compared), "", compared),
        (number(audit.n_violating), "", t("contradict")),
    ]
    part, word = (
        (scene.held_out, t("held out")) if scene.held_out else (scene.training, t("training"))
    )
    cells += [
        (percent(part.accuracy), "%", t("right (CA), {part}", part=word)),
        (number(part.mean_absolute_error), "", t("mean distance of classes (MAE)")),
    ]
    head = f'<div class="lv-split"><b>{verdict(audit)}</b><span>{scene.title}</span></div>'
    return f'<div class="lv-head" role="group">{head}{strip(cells)}</div>'


def _plane(scene: AuditScene) -> None:
    if len(scene.names) < 2:
        st.caption(t("With one feature there is no plane to draw; the table says all."))
        return
    selection, divided = state.current(), cache.division(state.current())
    most = MOST_POINTS if len(scene.names) == 2 else MOST_PROJECTED
    some = np.linspace(0, len(divided.y) - 1, min(len(divided.y), most)).astype(np.intp)
    x, y = (divided.X.to_numpy()[some, f] for f in scene.axes)
    held = np.isin(some, divided.held_out_rows)
    points = Points(x, y, divided.y[some], held, np.zeros(len(some), dtype=bool), some + 1)
    ends = None
    if scene.example is not None:
        both = np.array([scene.example.below, scene.example.above])
        ends = both[:, list(scene.axes)]
        x, y = np.r_[x, ends[:, 0]], np.r_[y, ends[:, 1]]
    view = padded(x, y)
    rectangles, label = _regions(scene, surroundings(view))
    shown = {}
    if ends is not None:
        shown = {
            "ends": ends,
            "end_labels": (scene.example.label_below, scene.example.label_above),
            "boxes": _boxes(scene, surroundings(view)),
        }
    figure = counter_example_plot(
        rectangles,
        label,
        points,
        theme=frame.theme(),
        names=tuple(scene.names[f] for f in scene.axes),
        class_names=scene.class_names,
        units=tuple(cache.data(selection).dataset.units.get(scene.names[f], "")
                    for f in scene.axes),
        height=HEIGHT,
        view=view,
        words=words(),
        **shown,
    )  # fmt: skip
    figure.layout.uirevision = f"{cache.model_key(selection, 0)}|{scene.axes}"
    chart(figure, key="audit_plane", height=HEIGHT, filename="audit", alt=_alt(scene))
    st.caption(_caption(scene))


def _regions(scene: AuditScene, around: tuple) -> tuple[np.ndarray, np.ndarray]:
    if not has_thresholds(scene.estimator):
        return np.empty((0, 4)), np.empty(0, dtype=np.intp)
    found = monotone_cache.regions(state.current(), 0, around, scene.axes, _at(scene))
    return found.rectangles, found.rectangle_label


def _at(scene: AuditScene) -> np.ndarray:
    """Return where the plane lies: through the counter-example, else through the medians."""
    if scene.example is not None:
        return scene.example.below
    return np.median(cache.division(state.current()).X.to_numpy(), axis=0)


def _boxes(scene: AuditScene, around: tuple) -> np.ndarray | None:
    """Return the leaves of both points in the plane, cut off where nothing is shown any more."""
    leaves = [scene.leaf_of(p) for p in (scene.example.below, scene.example.above)]
    if None in leaves:
        return None
    first, second = scene.axes
    return np.array(
        [
            (
                max(low[first], around[0]), min(high[first], around[1]),
                max(low[second], around[2]), min(high[second], around[3]),
            )
            for low, high in leaves
        ]
    )  # fmt: skip


def _alt(scene: AuditScene) -> str:
    if scene.example is None:
        return t("What {title} predicts in a plane, with the rows", title=scene.title)
    return t(
        "What {title} predicts in a plane; an arrow leads from point a to point b, which lies "
        "beyond it in every feature and gets a lower class",
        title=scene.title,
    )


def _caption(scene: AuditScene) -> str:
    parts = []
    if not has_thresholds(scene.estimator):
        parts.append(t("The regions of this model are no boxes; only its rows are drawn."))
    if len(scene.names) > 2:
        where = (
            t("through the counter-example")
            if scene.example is not None
            else t("through the medians")
        )
        parts.append(t("The plane is cut {where}; the rows are projected on it.", where=where))
    if scene.example is not None:
        parts.append(t("The arrow leads from a to b; framed are the leaves that hold them.")
                     if scene.boxes is not None
                     else t("The arrow leads from a to b."))  # fmt: skip
    return " ".join(parts)


def _table(scene: AuditScene) -> None:
    """Draw the counter-example feature by feature, with the bounds of its leaves."""
    example = scene.example
    if example is None:
        return
    st.markdown(prediction_words(scene))
    signs = {1: t("rises"), -1: t("falls"), 0: t("neither")}
    columns: dict[str, object] = {
        t("feature"): list(scene.names),
        t("class"): [signs[int(d)] for d in scene.audit.directions],
        t("a"): example.below,
        t("b"): example.above,
    }
    for letter, point in (("a", example.below), ("b", example.above)):
        leaf = scene.leaf_of(point)
        if leaf is not None:
            bounds = zip(*leaf, strict=True)
            columns[t("leaf of {letter}", letter=letter)] = [_interval(*each) for each in bounds]
    table = pd.DataFrame(columns)
    st.dataframe(
        table,
        hide_index=True,
        height=min(38 + 35 * len(table), 250),
        alt=t("The two points, feature by feature"),
    )


def _interval(low: float, high: float) -> str:
    if np.isinf(low) and np.isinf(high):
        return t("any")
    if np.isinf(low):
        return f"≤ {number(float(high))}"
    return (
        f"> {number(float(low))}"
        if np.isinf(high)
        else f"{number(float(low))} … {number(float(high))}"
    )


def _mend(scene: AuditScene) -> None:
    """Offer the parameters with which the algorithm keeps the promise."""
    model = state.current().models[0]
    promise = PROMISE.get(model.key)
    if promise is None or not scene.audit.refuted:
        return
    st.button(
        t("Make it truly monotone"),
        key="make_monotone",
        on_click=partial(_promise, promise),
        help=t(
            "A tree then predicts halfway between the bounds that its leaves set to a monotone "
            "function; a forest takes the median of such trees."
        ),
    )


def _promise(values: dict[str, object]) -> None:
    model = state.current().models[0]
    params = model.params
    for param in state.model_params(model.key):
        if param.name in values:
            params = changed(params, param, values[param.name])
    state.select_model(0, params=params)
