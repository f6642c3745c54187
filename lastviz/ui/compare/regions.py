"""Regions of a cell whose algorithm the page *boundaries* does not have."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.host.jobs import Working
from lastviz.inspection import ForestRegions, feature_gains, sampled_regions
from lastviz.plots import Drawing, Points, forest_plot
from lastviz.studies.candidates import PEERS, checked_params, features_of, make
from lastviz.studies.study import AlgorithmChoice, DataChoice
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.text import CannotShow, plain, t

from .scene import CompareScene
from .study_data import dataset_of

DRAWN_FOR = "study_regions_of"  # the session's: study and cell whose regions are asked for
MOST_ROWS = 20_000  # of a data set that a peer learns whole while a reader waits
MOST_POINTS = 1_500  # that are drawn
ROOM = 0.06  # around the rows, of their range


@dataclass(frozen=True, eq=False)
class CellRegions:
    """The regions of an algorithm in the plane of two features, and the rows there."""

    regions: ForestRegions
    dataset: Dataset
    names: tuple[str, str]  # of the features on the axes
    rows: np.ndarray  # intp, those that are drawn
    values: np.ndarray  # (n_samples, 2) float64


def cell_regions(scene: CompareScene, algorithm: AlgorithmChoice, data: DataChoice) -> None:
    """Draw the button for the regions of a peer, and once they are asked for the picture."""
    if algorithm.key not in PEERS:
        return
    st.button(
        t("Draw its regions here"),
        key="study_regions",
        help=t(
            "It is trained on all rows; shown in the plane of the two features that separate "
            "the classes best."
        ),
        on_click=lambda: st.session_state.update({DRAWN_FOR: (scene.study_id, scene.at)}),
    )
    if st.session_state.get(DRAWN_FOR) != (scene.study_id, scene.at):
        return
    try:
        found = _found(scene, algorithm, data)
    except Working as working:
        job_box(working.job, "regions")
        return
    except CannotShow as reason:
        st.info(plain(str(reason)))
        return
    figure = regions_figure(scene, found)
    title = t("{algorithm}, {dataset}", algorithm=algorithm.name, dataset=data.name)
    show(legend(class_names_of(found.dataset), scene.theme))
    with st.container(width=560):
        chart(figure, key="study_regions_of_cell", height=figure.height, alt=title,
              filename="study-regions")  # fmt: skip
    st.caption(
        t("Predicted at the centres of 120 x 120 cells, so not exact; the other features at their "
          "medians. It was trained on all rows, so these rows do not test it.")
    )  # fmt: skip


def regions_figure(scene: CompareScene, found: CellRegions) -> Drawing:
    """Return the regions with the rows over them."""
    x, y = found.values[found.rows].T
    points = Points.plain(x, y, found.dataset.codes[found.rows], found.rows + 1)
    return forest_plot(
        found.regions,
        points,
        theme=scene.theme,
        class_names=class_names_of(found.dataset),
        feature_names=found.names,
        words=words(),
    )


def _found(scene: CompareScene, algorithm: AlgorithmChoice, data: DataChoice) -> CellRegions:
    params = _params_of(scene, algorithm)

    def work() -> Generator[float, None, CellRegions]:
        yield 0.0
        dataset = dataset_of(scene.study_id, data)
        return regions_of(algorithm, params, dataset, scene.study.seed)

    key = f"{scene.study_id}|regions|{scene.at}|{params}"
    return cache.outcome(key, t("Regions of {name}", name=algorithm.name), work)


def _params_of(scene: CompareScene, algorithm: AlgorithmChoice) -> dict[str, object]:
    """Return the parameters of the cell: of a grid those that most of its folds have."""
    own = scene.runs[scene.runs["cell"] == scene.at]
    texts = own["chosen"].where(own["chosen"].notna(), own["params"])
    if not len(texts):
        return checked_params(algorithm.key, dict(algorithm.params))
    return json.loads(texts.mode().iloc[0])


def regions_of(
    algorithm: AlgorithmChoice, params: dict[str, object], dataset: Dataset, seed: int
) -> CellRegions:
    """Return the regions of an algorithm that has learnt all rows of a data set.

    Raises
    ------
    CannotShow
        If it learns numbers, there are no two numeric features, or too many rows.
    """
    if dataset.is_regression:
        raise CannotShow(t("Regions show classes; the target of this cell is a number."))
    numeric = [name for name, kind in dataset.kinds.items() if kind != "nominal"]
    if len(numeric) < 2:
        raise CannotShow(t("A plane needs two features that are numbers; these data have fewer."))
    if dataset.n_samples > MOST_ROWS:
        sentence = "Regions are drawn for up to {n} rows."
        raise CannotShow(t(sentence, n=MOST_ROWS))
    numbers = dataset.numeric_X
    gains = feature_gains(numbers.to_numpy(np.float64), dataset.codes, dataset.n_classes)
    pair = tuple(sorted(np.argsort(-gains, kind="stable")[:2].tolist()))
    names = tuple(str(numbers.columns[f]) for f in pair)
    features = features_of(algorithm.key, dataset)
    X = np.asarray(features.X, dtype=np.float64)
    columns = dataset.encoded_X.columns
    axes = tuple(columns.get_loc(name) for name in names)
    at = np.nan_to_num(np.nanmedian(X, axis=0))
    model = make(algorithm.key, params, dataset.task, features, seed).fit(X, dataset.codes)
    shown = np.flatnonzero(np.isfinite(X[:, list(axes)]).all(axis=1))
    values = X[:, list(axes)]
    low, high = values[shown].min(axis=0), values[shown].max(axis=0)
    room = np.where(high > low, ROOM * (high - low), 1.0)
    bounds = tuple(np.column_stack([low - room, high + room]).ravel().tolist())
    few = shown[np.linspace(0, len(shown) - 1, min(len(shown), MOST_POINTS)).astype(np.intp)]
    return CellRegions(
        sampled_regions(model.predict, bounds, axes, at), dataset, names, few, values
    )
