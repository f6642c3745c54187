"""Draw of the rows of a forest's tree, with equations 3 to 13 of Xu, Wang and Ren (2017)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from lastviz.estimators import ForestClassifier, SubsetPlan
from lastviz.plots import Drawing, DrawnRows, DrawWords, ThemeName, draw_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import Plane, plane_of
from lastviz.ui.shared.headline import class_sign, show, strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.text import number, paragraph, percent, plural, round_digits, t

MOST_CLASSES = 12
MOST_WAITING = 4000  # rows not drawn that are shown; those drawn are shown all


# The tree is one of `forest`.
def rows_drawn(forest: ForestClassifier, work: Work, theme: ThemeName) -> None:
    """Draw the sampling of rows for the shown tree, and the changes by its errors."""
    at = min(work.first.chosen.tree or 0, len(forest.draws_) - 1)
    names = class_names_of(work.dataset)
    plan = getattr(forest, "plan_", None)
    st.markdown(f"**{t('How the rows of this tree were drawn')}**")
    left, right = st.columns([3, 2], gap="medium")
    with right:
        show(draw_words(forest, at, names, theme))
        if plan is not None:
            _plan_card(plan)
    if forest.n_features_in_ < 2:
        return
    plane, weights = plane_of(work, alone=True), forest.weights_before(at)
    rows = _rows(forest, work, plane, at, weights)
    with left:
        figure = _figure(rows, work, plane, theme)
        alt = t(
            "The training rows before tree {tree}: {drawn} drawn, {dropped} with weight 0.",
            tree=at + 1,
            drawn=number(int(np.count_nonzero(rows.drawn))),
            dropped=number(int(np.count_nonzero(weights <= 0))),
        )
        chart(figure, key="subset0", height=figure.height, alt=alt, filename="subset")
        parts = [
            t("The larger a mark, the larger its weight (1 is the mean). Filled: newly drawn; "
              "open: kept from the previous tree; cross: weight 0, never drawn again.")
        ]  # fmt: skip
        if left_out := len(weights) - len(rows.row):
            parts.append(t("{n} more rows were not drawn and are not shown.", n=number(left_out)))
        st.caption(paragraph(parts))


def draw_words(
    forest: ForestClassifier, at: int, class_names: Sequence[str], theme: ThemeName
) -> str:
    """Card of one drawing: the rows drawn, and the changes by the errors of its tree."""
    draw = forest.draws_[at]
    tree = forest.estimators_[at].tree_
    head = t("Tree {n} of {all}", n=number(at + 1), all=number(len(forest.draws_)))
    if getattr(forest, "plan_", None) is not None:
        n_retained = int(draw.kept.sum())
        cells = [
            (number(n_retained), "", t("rows kept")),
            (number(len(draw.rows) - n_retained), "", t("of {n} unseen", n=number(draw.n_unseen))),
        ]
        notes = [
            _by_class(draw.drawn, draw.quota, class_names, theme),
            *_changes(forest, at),
        ]
    else:
        cells = [(number(len(np.unique(draw.rows))), "", t("different rows"))]
        notes = _reweighed(forest, at)
    cells += [
        (percent(draw.error), "%", t("weighted error")),
        (number(tree.n_leaves), "", t("leaves")),
    ]
    lines = "".join(f"<p>{note}</p>" for note in notes if note)
    return (
        f'<div class="lv-head" role="group"><h2 class="lv-name">{escape(head)}</h2>'
        f'{strip(cells)}</div><div class="lv-card lv-drawn-rows"><div>{lines}</div></div>'
    )


def _by_class(
    drawn: np.ndarray, quota: np.ndarray, class_names: Sequence[str], theme: ThemeName
) -> str:
    """Rows drawn of each class, with the quota where a class could not fill it."""
    parts = []
    for k in range(min(len(quota), MOST_CLASSES)):
        count = number(int(drawn[k]))
        if drawn[k] < quota[k]:
            count = t("{n} of {quota}", n=count, quota=number(int(quota[k])))
        parts.append(
            f'<span title="{escape(class_names[k])}">{class_sign(k, theme)} {count}</span>'
        )
    return t("By class (eq 9): {counts}", counts=" ".join(parts))


def _changes(forest: ForestClassifier, at: int) -> list[str]:
    draw = forest.draws_[at]
    n = len(draw.raised) + len(draw.dropped)
    wrong = (
        plural(n, "{n} row", "{n} rows")
        if forest.error_scope_ == "all"
        else plural(n, "{n} row of its subset", "{n} rows of its subset")
    )
    lines = [t("The tree misclassifies {rows}.", rows=wrong)]
    if len(draw.raised):
        if draw.factor > 1:
            lines.append(t("{n} of them are consistent: their weights are multiplied by "
                           "(1 − ε) / ε = {factor} (eq 13).", n=number(len(draw.raised)),
                           factor=round_digits(draw.factor)))  # fmt: skip
        else:
            lines.append(t("{n} of them are consistent, but an error of 0, or of 1/2 and more, "
                           "raises no weight.", n=number(len(draw.raised))))  # fmt: skip
    if len(draw.dropped):
        lines.append(t("{n} have an inclusion degree below {e}: their weight becomes 0.",
                       n=number(len(draw.dropped)), e=number(forest.inclusion)))  # fmt: skip
    return lines


def _reweighed(forest: ForestClassifier, at: int) -> list[str]:
    draw, weight = forest.draws_[at], round_digits(forest.tree_weights_[at])
    rows = plural(len(draw.wrong), "{n} row", "{n} rows")
    lines = [t("All rows are drawn with replacement, by weight.")]
    if not len(draw.wrong):
        lines.append(t("The tree misclassifies no row, so it is the last one; its vote weighs "
                       "{weight}.", weight=weight))  # fmt: skip
    elif draw.error >= 0.5:
        lines.append(t("The tree misclassifies {rows} and is no better than chance, so it stays "
                       "the only one.", rows=rows))  # fmt: skip
    else:
        factor = round_digits(draw.factor)
        lines.append(t("The tree misclassifies {rows}. The weights of the others are multiplied "
                       "by ε / (1 − ε) = {factor}; its vote weighs log((1 − ε) / ε) = {weight}.",
                       rows=rows, factor=factor, weight=weight))  # fmt: skip
    return lines


def _plan_card(plan: SubsetPlan) -> None:
    """Show how M and the number of trees came about, with the numbers of eq 3 to 8."""
    st.markdown(f"**{t('How many rows, how many trees')}**")
    for line in plan_lines(plan):
        st.latex(line)
    size = number(plan.size)
    if plan.given:
        st.caption(t("M = {size} was set; the rule would have started from the numbers above.",
                     size=size))  # fmt: skip
    st.caption(
        t(
            "{kept} rows of each subset come from the one before, {fresh} have not been seen: at "
            "most {expected} trees until fewer than M rows are unseen. Rows of weight 0 do not "
            "count.",
            kept=number(plan.n_kept),
            fresh=number(plan.n_fresh),
            expected=number(plan.n_expected),
        )
    )


def plan_lines(plan: SubsetPlan) -> list[str]:
    """Equations 3 to 8 and the clipping, as LaTeX."""
    m, nominal = len(plan.spreads), int(plan.nominal.sum())
    spread = round_digits(plan.spreads.mean(), 4)
    sigma = f"{plan.sigma:.4g}"
    mean = np.isclose(plan.sigma, plan.spreads.mean()) or m == 1
    total = r"\tfrac1m \sum_j \sigma_j" if mean else r"\sum_j \sigma_j"
    kinds = rf"m = {m}" + (rf",\ {nominal}\ \text{{categorical}}" if nominal else "")
    lines = [
        rf"\sigma = {total} = {sigma} \qquad ({kinds})"
        + ("" if mean else rf",\ \text{{mean}}\ {spread}"),
        rf"M_0 = \frac{{Z^2 \sigma^2}}{{E^2}} = \frac{{{plan.z:g}^2 \cdot {sigma}^2}}"
        rf"{{{plan.error:g}^2}} = {plan.raw:.5g}",
    ]
    limit = plan.theta * plan.n_samples
    if plan.corrected is not None:
        lines += [  # one below the other: a line of both is wider than its column
            rf"M_0 > \theta N = {limit:.4g}:",
            rf"M = 10 \Bigl\lfloor \frac{{M_0 N}}{{10\,(M_0 + N)}} \Bigr\rfloor = "
            rf"{plan.corrected:.5g}",
        ]
    else:
        lines.append(rf"M_0 \le \theta N = {limit:.4g}: \quad M = M_0")
    if not plan.given:
        size = rf"\quad \mathbf{{M = {plan.size}}}"
        lines.append(rf"{plan.low} \le M \le \tfrac{{N}}{{4}} = {plan.high}: {size}")
    return lines


def _rows(
    forest: ForestClassifier, work: Work, plane: Plane, at: int, weights: np.ndarray
) -> DrawnRows:
    """Training rows that are shown, as they stood before the drawing."""
    divided = work.first.division
    draw = forest.draws_[at]
    times = np.bincount(draw.rows, minlength=len(weights))
    retained = np.zeros(len(weights), dtype=bool)
    if getattr(forest, "plan_", None) is not None:
        retained[draw.rows[draw.kept]] = True
    waiting = np.flatnonzero(times == 0)
    n = min(len(waiting), MOST_WAITING)
    some = waiting[np.arange(n) * len(waiting) // max(n, 1)]
    shown = np.sort(np.concatenate([np.flatnonzero(times), some]))
    of_data = divided.train_rows[shown]
    return DrawnRows(
        x=plane.x[of_data],
        y=plane.y[of_data],
        label=divided.y[of_data],
        weight=weights[shown] * len(weights),
        drawn=times[shown] > 0,
        kept=retained[shown],
        row=of_data + 1,
    )


def _figure(rows: DrawnRows, work: Work, plane: Plane, theme: ThemeName) -> Drawing:
    figure = draw_plot(
        rows,
        theme=theme,
        class_names=class_names_of(work.dataset),
        feature_names=plane.titles,
        view=plane.view,
        height=460,
        equal=plane.equal,
        units=plane.units,
        words=DrawWords(
            row=t("row"),
            weight=t("weight"),
            waiting=t("not drawn"),
            fresh=t("drawn"),
            kept=t("kept from the tree before"),
            dropped=t("never drawn again"),
        ),
    )
    return figure.about(f"{work.data_key}|{plane.features}")
