"""Exercise 5.2: a regression tree of Table 5.2, its cuts, its steps, its nested sequence."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from lastviz.inspection import steps
from lastviz.plots import Drawing, cut_losses_plot, number, regression_steps_plot
from lastviz.pruning import CostComplexityPath, cost_complexity_path, prune_cost_complexity
from lastviz.tree import Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.text import plural, t

from .controls import leaves_slider
from .figure_tables import steps_table
from .formulas import cut_formula, digits, fixed
from .scene import PointsScene
from .words import cuts_table, table


def squares_lesson(scene: PointsScene) -> None:
    """Draw the loss of every cut, the steps of the tree and its cost-complexity sequence."""
    if scene.cuts.best < 0:
        st.info(no_cut_words())
        return
    show(squares_headline(scene))
    st.markdown(f"**{t('Loss of every first cut')}** · (5.21)")
    figure = cut_losses_plot(scene.cuts, theme=scene.theme, loss_word=t("loss"))
    alt = t("The loss of every cut; the smallest is marked")
    chart(figure, key="cut_losses", height=figure.height, alt=alt)
    st.latex(_best_formula(scene))
    show(cuts_table(scene.cuts))
    _steps(scene)


def no_cut_words() -> str:
    """Return that there is no place to cut."""
    return t("All points have the same x, so there is no place to cut: the tree is one mean.")


def squares_headline(scene: PointsScene) -> str:
    """Return the numbers of the best first cut."""
    cuts, best = scene.cuts, scene.cuts.best
    return strip(
        [
            (number(len(scene.x)), "", t("points")),
            (digits(float(cuts.s[best])), "", t("best first split s")),
            (digits(float(cuts.loss[best])), "", t("its loss")),
            (digits(float(cuts.c1[best]), 4), "", "c₁"),
            (digits(float(cuts.c2[best]), 4), "", "c₂"),
        ]
    )


def _best_formula(scene: PointsScene) -> str:
    cuts, y = scene.cuts, scene.y[np.argsort(scene.x, kind="stable")]
    n = int(cuts.n_left[cuts.best])
    return cut_formula(cuts, cuts.best, y[:n].tolist(), y[n:].tolist())


def _steps(scene: PointsScene) -> None:
    grown = scene.tree()
    path = cost_complexity_path(grown, "squared_error")
    step = leaves_slider(path)
    tree, _ = prune_cost_complexity(grown, path, step)
    shown = steps(tree)
    figure = steps_figure(scene, tree)
    words = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
    loss = digits(float(shown.loss[shown.leaf].sum()))
    st.markdown(t("**The tree as steps** · {leaves}, loss {loss}", leaves=words, loss=loss))
    alt = t("The points, the steps of the tree and its nodes below them")
    chart(figure, key="steps", height=figure.height, alt=alt)
    as_table("steps", partial(steps_table, shown))
    show(_sequence(path, step, len(scene.x)))


def steps_figure(scene: PointsScene, tree: Tree) -> Drawing:
    """Return the points with the steps of a tree."""
    words = (t("rows"), t("mean"), t("loss"))
    return regression_steps_plot(scene.x, scene.y, steps(tree), theme=scene.theme, words=words)


def _sequence(path: CostComplexityPath, step: int, n_rows: int) -> str:
    """Return the nested sequence of algorithm 5.7, the shown tree marked."""
    rows = [
        (
            [str(int(leaves)), fixed(float(alpha) * n_rows), fixed(float(risk) * n_rows)],
            i == step,
        )
        for i, (leaves, alpha, risk) in enumerate(
            zip(path.n_leaves, path.alpha, path.risk, strict=True)
        )
    ]
    caption = t(
        "Algorithm 5.7: from each α on, the tree in its row is the smallest of least C(T) + α|T|, "
        "with C(T) the sum of squares."
    )
    return table([t("leaves"), t("from α"), t("loss")], rows, caption, name="sequence")
