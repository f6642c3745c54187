"""How the rows of each tree of a forest are drawn, with the paper's equations 3 to 13."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from lastviz.estimators import (
    AdaBoostM1Classifier,
    ForestClassifier,
    MCDFClassifier,
    MonotoneBoostingClassifier,
    SubsetPlan,
)
from lastviz.host.memory import remembered
from lastviz.plots import Drawing, DrawnRows, DrawWords, ThemeName, draw_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import Plane, plane_of
from lastviz.ui.shared.headline import class_sign, show, strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, percent, plural, rounded, t

from .forest_trees import tree_stepper

MOST_CLASSES = 12


def draw_words(
    forest: ForestClassifier, at: int, class_names: Sequence[str], theme: ThemeName
) -> str:
    """Return one drawing as a card: what was drawn, and what the errors of its tree changed."""
    draw = forest.draws_[at]
    tree = forest.estimators_[at].tree_
    head = t("Tree {n} of {all}", n=number(at + 1), all=number(len(forest.draws_)))
    error = t("weighted error")
    if isinstance(forest, MCDFClassifier):
        n_retained = int(draw.kept.sum())
        cells = [
            (number(n_retained), "", t("rows kept")),
            (number(len(draw.rows) - n_retained), "", t("of {n} unseen", n=number(draw.n_unseen))),
        ]
        notes = [
            _by_class(draw.drawn, draw.quota, class_names, theme),
            _shortage(draw.drawn, draw.quota, class_names),
            *_changes(forest, at),
        ]
    elif isinstance(forest, MonotoneBoostingClassifier):
        error = t("misclassified after this tree")
        cells, notes = [(number(len(draw.rows)), "", t("rows drawn"))], [
            t("{share} % of the rows are drawn, without replacement.",
              share=percent(forest.subsample)),
            t("The tree learns what the sum of the previous trees still gets wrong: each leaf "
              "adds to the scores of its rows."),
        ]  # fmt: skip
    else:
        cells = [(number(len(np.unique(draw.rows))), "", t("different rows"))]
        notes = _reweighed(forest, at)
    cells += [
        (percent(draw.error), "%", error),
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
    """Return the rows drawn of each class, with the quota where a class could not fill it."""
    parts = []
    for k in range(min(len(quota), MOST_CLASSES)):
        count = number(int(drawn[k]))
        if drawn[k] < quota[k]:
            count = t("{n} of {quota}", n=count, quota=number(int(quota[k])))
        parts.append(
            f'<span title="{escape(class_names[k])}">{class_sign(k, theme)} {count}</span>'
        )
    return t("By class (eq 9): {counts}", counts=" ".join(parts))


def _shortage(drawn: np.ndarray, quota: np.ndarray, class_names: Sequence[str]) -> str:
    """Return which classes had fewer rows than were due, "" if none."""
    short = [escape(class_names[k]) for k in np.flatnonzero(drawn < quota)]
    if not short:
        return ""
    return t("Fewer rows than its quota were left of {classes}: all of them are drawn, and other "
             "classes fill the subset.", classes=t(", ").join(short))  # fmt: skip


def _changes(forest: MCDFClassifier, at: int) -> list[str]:
    draw = forest.draws_[at]
    n = len(draw.raised) + len(draw.dropped)
    wrong = (
        plural(n, "{n} row", "{n} rows")
        if forest.error_scope_ == "all"
        else plural(n, "{n} row of its subset", "{n} rows of its subset")
    )
    if not n:
        return [t("The weights stay, as the tree misclassifies {rows}.", rows=wrong)]
    lines = [t("The tree misclassifies {rows}.", rows=wrong)]
    if len(draw.raised):
        if draw.factor > 1:
            factor = t("(1 − ε) / ε = {factor}", factor=rounded(draw.factor))
            lines.append(t("{n} of them are consistent: their weights are multiplied by {factor} "
                           "(eq 13).", n=number(len(draw.raised)), factor=factor))  # fmt: skip
        else:
            lines.append(t("{n} of them are consistent, but an error of 0, or of 1/2 and more, "
                           "raises no weight.", n=number(len(draw.raised))))  # fmt: skip
    if len(draw.dropped):
        lines.append(t("{n} have an inclusion degree below {e}: their weight becomes 0.",
                       n=number(len(draw.dropped)), e=number(forest.inclusion)))  # fmt: skip
    return lines


def _reweighed(forest: AdaBoostM1Classifier, at: int) -> list[str]:
    draw, weight = forest.draws_[at], rounded(forest.tree_weights_[at])
    rows = plural(len(draw.wrong), "{n} row", "{n} rows")
    lines = [t("All rows are drawn with replacement, by weight.")]
    if not len(draw.wrong):
        lines.append(t("The tree misclassifies no row, so it is the last one; its vote weighs "
                       "{weight}.", weight=weight))  # fmt: skip
    elif draw.error >= 0.5:
        lines.append(t("The tree misclassifies {rows} and is no better than chance, so it stays "
                       "the only one.", rows=rows))  # fmt: skip
    else:
        factor = rounded(draw.factor)
        lines.append(t("The tree misclassifies {rows}. The weights of the others are multiplied "
                       "by ε / (1 − ε) = {factor}.", rows=rows, factor=factor))  # fmt: skip
        lines.append(t("The tree's vote weighs log((1 − ε) / ε) = {weight}.", weight=weight))
    return lines


def plan_card(forest: MCDFClassifier) -> None:
    """Show how M and the number of trees came about, with the numbers of eq 3 to 8."""
    plan = forest.plan_
    st.markdown(f"**{t('How many rows, how many trees')}**")
    for line in _plan_lines(plan):
        st.latex(line)
    size, trees = number(plan.size), len(forest.estimators_)
    if plan.given:
        st.caption(t("M = {size} was set; the rule would have started from the numbers above.",
                     size=size))  # fmt: skip
    sentence = (
        "{kept} rows of each subset come from the one before, {fresh} have not been seen: "
        "{expected} trees until fewer than M rows are unseen."
        if trees == plan.n_expected
        else "{kept} rows of each subset come from the one before, {fresh} have not been seen: "
        "{expected} trees until fewer than M rows are unseen; {n} were grown, as rows of weight "
        "0 do not count as unseen."
    )
    st.caption(
        t(
            sentence,
            kept=number(plan.n_kept),
            fresh=number(plan.n_fresh),
            expected=number(plan.n_expected),
            n=number(trees),
        )
    )


def _plan_lines(plan: SubsetPlan) -> list[str]:
    """Return eq 3 to 8 and the clipping as LaTeX."""
    m, nominal = len(plan.spreads), int(plan.nominal.sum())
    spread = rounded(plan.spreads.mean(), 4)
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


MOST_WAITING = 4000  # rows not drawn that are shown; those drawn are shown all


def subsets_panel(forest: ForestClassifier, selection: Selection, theme: ThemeName) -> None:
    """Draw how the rows of one tree of a `forest` were drawn, with a control from tree to tree."""
    at = tree_stepper(forest, selection)
    plane = plane_of(selection, alone=True)
    weights = _weights(f"{cache.model_key(selection, 0)}|weights|{at}", forest, at)
    rows = _rows(forest, selection, plane, at, weights)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = _figure(rows, selection, plane, theme)
        chart(
            figure,
            key="subset0",
            height=figure.height,
            alt=_alt(rows, weights, at),
            filename="subset",
        )
        left_out = len(weights) - len(rows.row)
        st.caption(_legend(left_out, of_subsets=isinstance(forest, MCDFClassifier)))
    with right:
        names = class_names_of(cache.data(selection).dataset)
        show(draw_words(forest, at, names, theme))
        if isinstance(forest, MCDFClassifier):
            plan_card(forest)


def _rows(
    forest: ForestClassifier, selection: Selection, plane: Plane, at: int, weights: np.ndarray
) -> DrawnRows:
    """Return the training rows that are shown, as they stood before the drawing."""
    divided = cache.division(selection)
    draw = forest.draws_[at]
    times = np.bincount(draw.rows, minlength=len(weights))
    retained = np.zeros(len(weights), dtype=bool)
    if isinstance(forest, MCDFClassifier):
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


@remembered
def _weights(key: str, forest: ForestClassifier, at: int) -> np.ndarray:
    return forest.weights_before(at)


def _figure(rows: DrawnRows, selection: Selection, plane: Plane, theme: ThemeName) -> Drawing:
    figure = draw_plot(
        rows,
        theme=theme,
        class_names=class_names_of(cache.data(selection).dataset),
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
    return figure.about(f"{cache.data_key(selection)}|{plane.features}")


def _legend(left_out: int, *, of_subsets: bool) -> str:
    parts = [t("The larger a mark, the larger its weight (1 is the mean).")]
    if of_subsets:
        parts.append(t("Filled: newly drawn. Open: kept from the previous tree. Crosses: weight "
                       "0, never drawn again."))  # fmt: skip
    else:
        parts.append(t("Filled: drawn."))
    if left_out:
        parts.append(t("{n} more rows were not drawn and are not shown.", n=number(left_out)))
    return t(" ").join(parts)


def _alt(rows: DrawnRows, weights: np.ndarray, at: int) -> str:
    return t(
        "The training rows before tree {tree}: {drawn} drawn, {dropped} with weight 0.",
        tree=at + 1,
        drawn=number(int(np.count_nonzero(rows.drawn))),
        dropped=number(int(np.count_nonzero(weights <= 0))),
    )
