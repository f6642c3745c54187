"""Learning curves on the page *compare*: asked for, worked out in the background, drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.host.jobs import Working
from lastviz.plots import Drawing, StudyCurve, learning_curve_plot
from lastviz.studies.learning import LearningCurve, learning_curves_in_steps
from lastviz.studies.metrics import METRICS
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.text import CannotShow, plain, t

from .figures import axis_of
from .scene import CompareScene
from .study_data import dataset_of

DRAWN_FOR = "learning_of"  # the session's: study and data set that curves are asked for


def learning_curves(scene: CompareScene) -> None:
    """Draw the choice of a data set, and once they are asked for its learning curves."""
    if scene.metric.key not in METRICS:
        return
    st.subheader(t("Learning curves"), anchor=False)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        name = st.selectbox(t("Data set"), scene.datasets, key="learning_set", width=260)
        st.button(
            t("Draw learning curves"),
            key="learning_draw",
            help=t("Each algorithm learns from a tenth to all of the training rows of each fold."),
            on_click=lambda: st.session_state.update({DRAWN_FOR: (scene.study_id, name)}),
        )
    if st.session_state.get(DRAWN_FOR) == (scene.study_id, name):
        try:
            _curves(scene, _found(scene, name))
        except Working as working:
            job_box(working.job, "learning")
        except CannotShow as reason:
            st.info(plain(str(reason)))


def _curves(scene: CompareScene, found: tuple[LearningCurve, ...]) -> None:
    known = [curve for curve in found if np.isfinite(curve.mean).any()]
    for curve in found:
        if curve.reason:
            st.caption(plain(t("{name}: {reason}", name=curve.name, reason=curve.reason)))
    if not known:
        return
    figure = curves_figure(scene, known)
    chart(
        figure,
        key="study_learning",
        height=figure.height,
        alt=t("The result of each algorithm by the number of training rows."),
        filename="study-learning",
    )
    st.caption(
        t("Means over the folds of one division; the band is the 95 % interval of the first "
          "algorithm (Nadeau and Bengio 2003). Parameters of a grid are chosen within the "
          "training rows.")
    )  # fmt: skip
    as_table("study_learning", lambda: _table(scene, known))


def _found(scene: CompareScene, name: str) -> tuple[LearningCurve, ...]:
    study, metric = scene.study, scene.metric.key
    choice = next(each for each in study.datasets if each.name == name)

    def work():
        dataset = dataset_of(scene.study_id, choice)
        return (yield from learning_curves_in_steps(study, dataset, metric))

    key = f"{scene.study_id}|learning|{name}|{metric}"
    return cache.outcome(key, t("Learning curves on {name}", name=name), work)


def curves_figure(scene: CompareScene, found: list[LearningCurve]) -> Drawing:
    """Return the curves, the first one in ink with its interval."""
    least, most = scene.metric.limits
    curves = [
        StudyCurve(
            each.name,
            each.n_samples,
            scene.factor * each.mean,
            scene.factor * np.maximum(each.mean - each.half, least),
            scene.factor * np.minimum(each.mean + each.half, most),
        )
        for each in found
    ]
    axes = (t("training rows"), axis_of(scene))
    return learning_curve_plot(curves, theme=scene.theme, chosen=curves[0].name, axes=axes)


def _table(scene: CompareScene, found: list[LearningCurve]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("algorithm"): curve.name,
            t("training rows"): int(n),
            axis_of(scene): scene.factor * float(mean),
            t("half the interval"): scene.factor * float(half),
        }
        for curve in found
        for n, mean, half in zip(curve.n_samples, curve.mean, curve.half, strict=True)
    )
