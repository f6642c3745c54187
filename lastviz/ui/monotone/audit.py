"""The part *Audit* of the page *monotone*: proof or counter-example, and the price of a promise."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.export.blocks import Text, Words
from lastviz.inspection import ForestRegions, has_thresholds
from lastviz.plots import (
    Bounds,
    Drawing,
    Points,
    ThemeName,
    counter_example_plot,
    pad_bounds,
    region_borders,
    surroundings,
)
from lastviz.plots.visuals.words import exact_number, numbers_apart
from lastviz.ui.compute import monotone
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import PAGE, REPORT, SLIDE, Block, Chart, Controls, Only, draw
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import Say, accuracy_cells, strip
from lastviz.ui.state import session
from lastviz.ui.state.moved import AGAINST_EACH_OTHER, WITH_AND_WITHOUT, study_fields
from lastviz.ui.state.selection import with_param
from lastviz.ui.text import number, paragraph, t

from .scene import AuditScene, audit_scene, without_overlaps
from .words import audit_finding, audit_legend, prediction_words, verdict, what_was_compared

HEIGHT, SQUARE = 470, 340
MOST_POINTS, MOST_SQUARE = 1500, 400
MOST_PROJECTED = 300  # points over a slice to which most of them do not belong
PROMISE = {"remt": {"monotone": True}, "mcdf": {"monotone": True, "vote": "auto"}}


def audit_part(work: Work, theme: ThemeName) -> list[Block]:
    """Blocks of the verdict, its basis, the counter-example and the price."""
    scene = audit_scene(work)
    plane = _plane(scene, theme)
    return [
        Say(audit_finding(scene.title, scene.audit)),
        Words(audit_legend(scene.class_names, theme, held_out=work.selection.held > 0)),
        Words(audit_headline(scene)),
        Only((REPORT, SLIDE), plane),
        Controls(partial(_beside, scene, plane)),
        Controls(_compare),
    ]


def _compare() -> None:
    """Draw links to the cost of the constraint, and to the paper's models on its sets."""
    st.markdown(f"**{t('What does monotonicity cost?')}**")
    studies = {
        t("Compare with and without the constraint, on these data"): WITH_AND_WITHOUT,
        t("Compare REMT, AdaBoost.M1 and MCDF on Set1 to Set4"): AGAINST_EACH_OTHER,
    }
    with st.container(horizontal=True, gap="small"):
        for title, study in studies.items():
            st.button(title, key=f"compare{len(study)}", on_click=_open_study, args=(study,))


def _open_study(study: dict[str, str]) -> None:
    session.open_scene(session.current().having(**study_fields(study)), page="compare")


def _beside(scene: AuditScene, plane: list[Block]) -> None:
    """Draw the plane, and beside it the basis of the verdict."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        draw(plane)
    with right:
        st.markdown(what_was_compared(scene))
        _table(scene)
        _mend(scene)


def audit_headline(scene: AuditScene) -> str:
    """Verdict and its basis."""
    audit = scene.audit
    part = scene.held_out or scene.training
    cells = [
        (number(audit.n_compared), "", t("comparisons")),
        (number(audit.n_violating), "", t("contradict")),
        accuracy_cells(scene.training, scene.held_out)[0],
        (number(part.mean_absolute_error), "", t("mean distance of classes (MAE)")),
    ]
    head = f'<div class="lv-split"><b>{verdict(audit)}</b><span>{scene.title}</span></div>'
    return f'<div class="lv-head" role="group">{head}{strip(cells)}</div>'


def _plane(scene: AuditScene, theme: ThemeName) -> list[Block]:
    if len(scene.names) < 2:
        words = t("With one feature there is no plane to draw; the table says all.")
        return [Only((PAGE,), [Text(words)])]
    figure, alt = plane_figure(scene, theme), audit_alt(scene)
    picture = Chart(figure, alt, key="audit_plane", filename="audit")
    return [picture, Only((PAGE,), [Text(audit_caption(scene))])]


def plane_figure(scene: AuditScene, theme: ThemeName, square: Bounds | None = None) -> Drawing:
    """Figure of a model's predictions in a plane, with the counter-example.

    In a `square`, the window of pictures beside each other, errors on new rows have a ring, the
    classes a border between them, and rows of the same place lie side by side.
    """
    work, divided = scene.work, scene.division
    most = MOST_SQUARE if square else MOST_POINTS if len(scene.names) == 2 else MOST_PROJECTED
    n = len(divided.y)
    x, y = (divided.X.to_numpy()[:, f] for f in scene.axes)
    texts, wrong = (None, None), np.zeros(n, dtype=bool)
    held = np.isin(np.arange(n), divided.held_out_rows)
    if square is not None:
        x, y, texts = without_overlaps(x, y)
        wrong = scene.wrong & (held | (not held.any()))
    some = np.isin(np.arange(n), np.linspace(0, n - 1, min(n, most)).astype(np.intp))
    points = Points(x, y, divided.y, held, wrong, np.arange(n) + 1, texts).part(some)
    x, y = points.x, points.y
    ends = None
    if scene.example is not None:
        both = np.array([scene.example.below, scene.example.above])
        ends = both[:, list(scene.axes)]
        x, y = np.r_[x, ends[:, 0]], np.r_[y, ends[:, 1]]
    view = square or pad_bounds(x, y)
    regions = _regions(scene, surroundings(view))
    shown = {}
    if square is not None and regions is not None:
        shown["borders"] = region_borders(regions)
    if ends is not None:
        shown |= {
            "ends": ends,
            "end_labels": (scene.example.label_below, scene.example.label_above),
            "boxes": _boxes(scene, surroundings(view)),
        }
    figure = counter_example_plot(
        np.empty((0, 4)) if regions is None else regions.rectangles,
        np.empty(0, dtype=np.intp) if regions is None else regions.rectangle_label,
        points,
        theme=theme,
        names=tuple(scene.names[f] for f in scene.axes),
        class_names=scene.class_names,
        units=tuple(work.dataset.units.get(scene.names[f], "")
                    for f in scene.axes),
        height=HEIGHT if square is None else SQUARE,
        view=view,
        words=words(),
        **shown,
    )  # fmt: skip
    return figure.about(f"{work.first.cache_key}|{scene.axes}")


def _regions(scene: AuditScene, around: Bounds) -> ForestRegions | None:
    """The regions of the plane through the counter-example, else through the medians."""
    if not has_thresholds(scene.estimator):
        return None
    at = np.median(scene.division.X.to_numpy(), axis=0)
    if scene.example is not None:
        at = scene.example.below
    return monotone.regions(scene.work.first, around, scene.axes, at)


def _boxes(scene: AuditScene, around: tuple) -> np.ndarray | None:
    """Leaves of both points in the plane, cut off where nothing is shown any more."""
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


def audit_alt(scene: AuditScene) -> str:
    """Alternative text of the picture."""
    if scene.example is None:
        return t("What {title} predicts in a plane, with the rows", title=scene.title)
    return t(
        "What {title} predicts in a plane; an arrow leads from point a to point b, which lies "
        "beyond it in every feature and gets a lower class",
        title=scene.title,
    )


def audit_caption(scene: AuditScene) -> str:
    """Caption that explains the picture."""
    parts = []
    if not has_thresholds(scene.estimator):
        parts.append(t("The regions of this model are not boxes; only its rows are drawn."))
    if len(scene.names) > 2:
        parts.append(
            t(
                "The plane is cut through the counter-example, or through the medians if there is "
                "none; the rows are projected on it."
            )
        )
    if scene.example is not None:
        parts.append(t("The arrow leads from a to b; a frame is the leaf of a point."))
    return paragraph(parts)


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
        t("a"): [exact_number(value) for value in example.below.tolist()],
        t("b"): [exact_number(value) for value in example.above.tolist()],
    }
    for letter, point in (("a", example.below), ("b", example.above)):
        leaf = scene.leaf_of(point)
        if leaf is not None:
            columns[t("leaf of {letter}", letter=letter)] = list(map(_interval, *leaf))
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
        return f"≤ {exact_number(float(high))}"
    if np.isinf(high):
        return f"> {exact_number(float(low))}"
    return " … ".join(numbers_apart(float(low), float(high)))


def _mend(scene: AuditScene) -> None:
    """Offer the parameters with which the algorithm keeps the promise."""
    model = scene.work.first.chosen
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
    model = session.current().models[0]
    params = model.params
    for param in session.model_params(model.key):
        if param.name in values:
            params = with_param(params, param, values[param.name])
    session.select_model(0, params=params)
