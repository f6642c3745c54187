"""Two models laid over each other, and four criteria, split by split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import ESTIMATORS
from lastviz.host.jobs import Working
from lastviz.plots import Points, successive_splits_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.difference import difference_of, difference_panel
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection
from lastviz.ui.text import CannotShow, plural, t

from .scene import SplitScene

PANEL_CRITERIA = {"gini": "Gini", "bnm": "BNM", "csn": "CSN", "bnm+csn": "BNM + CSN"}
SUCCESSIVE = 4


def growth_compared(scene: SplitScene) -> None:
    """Draw how the first two models differ: in the plane, in their trees, by rows."""
    selection = scene.at.selection.first_models(2)
    if len(selection.models) < 2:
        sentence = "Choose a second model at the left to see where the two trees differ."
        st.info(t(sentence))
        return
    try:
        found = difference_of(selection, (0, 1), plane_of(selection))
    except CannotShow as reason:
        st.info(str(reason))
    except Working as working:
        job_box(working.job, "difference")
    else:
        difference_panel(found, scene.at.theme)


def panels(scene: SplitScene) -> None:
    """Draw the successive splits of four criteria in the plane, as sixteen small pictures."""
    selection = _with_criteria(scene.at.selection)
    plane = plane_of(selection, alone=True)
    if plane.is_slice or plane.features[0] == plane.features[1]:
        st.info(t("Sixteen small pictures need data with exactly two features, such as XOR."))
        return
    rows = []
    for place, title in enumerate(PANEL_CRITERIA.values()):
        estimator = cache.fitted(selection, place).estimator
        regions = cache.regions(selection, place, plane.view, plane.features, plane.at)
        tree = estimator.tree_
        size = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
        rows.append((f"{title}<br><span style='font-size:14px'>{size}<br>"
                     f"{t('depth {n}', n=tree.max_depth)}</span>", regions))  # fmt: skip
    st.caption(
        t("The first four splits of each tree, level by level; the newest is the strongest line.")
    )
    figure = successive_splits_plot(
        rows,
        _training_points(selection, plane),
        SUCCESSIVE,
        theme=scene.at.theme,
        class_names=scene.class_names,
        view=plane.view,
        split_word=t("split {n}", n="{n}"),
    )
    chart(
        figure,
        key="panels",
        height=figure.height,
        alt=t("Successive splits by {names}", names=t(", ").join(PANEL_CRITERIA.values())),
        filename="splits",
    )


def _with_criteria(selection: Selection) -> Selection:
    """Return the selection with the four criteria as its models, parameters kept."""
    own = selection.models[0]
    key = next(key for key, entry in ESTIMATORS.items() if _offers_all(entry.cls.PARAMS))
    retained = tuple(p for p in own.params if p[0] != "criterion") if own.key == key else ()
    models = [
        Model(key, tuple(sorted((*retained, ("criterion", criterion)))))
        for criterion in PANEL_CRITERIA
    ]
    return selection.change(models=tuple(models[:MAX_MODELS]))


def _offers_all(params: Sequence[Param]) -> bool:
    """Tell whether an algorithm with these parameters can grow by each of the criteria."""
    offered = [param.choices for param in params if param.name == "criterion"]
    return bool(offered) and set(PANEL_CRITERIA) <= set(offered[0])


def _training_points(selection: Selection, plane: Plane) -> Points:
    divided = cache.division(selection)
    rows = divided.train_rows
    points = Points.plain(plane.x[rows], plane.y[rows], divided.y[rows], rows + 1)
    return replace(points, texts=plane.texts(rows))
