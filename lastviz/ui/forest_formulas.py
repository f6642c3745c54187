"""The numbers of a forest's drawing in the formulas of the paper, eq 3 to 13."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from lastviz.estimators import ForestClassifier, MCDFClassifier, SubsetPlan
from lastviz.plots import ThemeName

from .headline import class_sign, strip
from .text import number, percent, plural, t

__all__ = ["draw_words", "plan_card"]

MOST_CLASSES = 12


def draw_words(
    forest: ForestClassifier, at: int, class_names: Sequence[str], theme: ThemeName
) -> str:
    """Return one drawing as a card: what was drawn, and what the errors of its tree changed."""
    draw = forest.draws_[at]
    tree = forest.estimators_[at].tree_
    head = t("Tree {n} of {all}", n=number(at + 1), all=number(len(forest.draws_)))
    if isinstance(forest, MCDFClassifier):
        n_kept = int(draw.kept.sum())
        cells = [
            (number(n_kept), "", t("rows kept")),
            (number(len(draw.rows) - n_kept), "", t("of {n} unseen", n=number(draw.n_unseen))),
        ]
        notes = [
            _by_class(draw.drawn, draw.quota, class_names, theme),
            _shortage(draw.drawn, draw.quota, class_names),
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
        f'{strip(cells)}</div><div class="lv-card lv-draw"><div>{lines}</div></div>'
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
    return t("By class (eq 9):") + " " + " ".join(parts)


def _shortage(drawn: np.ndarray, quota: np.ndarray, class_names: Sequence[str]) -> str:
    """Return which classes had fewer rows than were due, "" if none."""
    short = [escape(class_names[k]) for k in np.flatnonzero(drawn < quota)]
    if not short:
        return ""
    return t("Fewer rows than its quota were left of {classes}: all of them are drawn, and other "
             "classes fill the subset.", classes=", ".join(short))  # fmt: skip


def _changes(forest: MCDFClassifier, at: int) -> list[str]:
    draw = forest.draws_[at]
    wrong = plural(len(draw.raised) + len(draw.dropped), "{n} row", "{n} rows")
    if not len(draw.raised) and not len(draw.dropped):
        return [t("No row is on the wrong side: the weights stay.")]
    lines = [t("On the wrong side: {rows}.", rows=wrong)]
    if len(draw.raised):
        if draw.factor > 1:
            factor = t("(1 − ε) / ε = {factor}", factor=number(float(f"{draw.factor:.3g}")))
            lines.append(t("{n} of them are consistent: their weights are multiplied by {factor} "
                           "(eq 13).", n=number(len(draw.raised)), factor=factor))  # fmt: skip
        else:
            lines.append(t("{n} of them are consistent, but an error of 0, or of 1/2 and more, "
                           "raises no weight.", n=number(len(draw.raised))))  # fmt: skip
    if len(draw.dropped):
        lines.append(t("{n} have an inclusion degree below {e}: their weight becomes 0.",
                       n=number(len(draw.dropped)), e=number(forest.inclusion)))  # fmt: skip
    return lines


def _reweighed(forest: ForestClassifier, at: int) -> list[str]:
    draw, weight = forest.draws_[at], float(forest.tree_weights_[at])
    return [
        t("All rows are drawn with replacement, by weight."),
        t("On the wrong side: {rows}. The weights of the others are multiplied by ε / (1 − ε) = "
          "{factor}.", rows=plural(len(draw.wrong), "{n} row", "{n} rows"),
          factor=number(float(f"{draw.factor:.3g}"))),
        t("The tree's vote weighs log((1 − ε) / ε) = {weight}.",
          weight=number(float(f"{weight:.3g}"))),
    ]  # fmt: skip


def plan_card(forest: MCDFClassifier) -> None:
    """Show how M and the number of trees came about, with the numbers of eq 3 to 8."""
    plan = forest.plan_
    st.markdown(f"**{t('How many rows, how many trees')}**")
    for line in _plan_lines(plan):
        st.latex(line)
    size, trees = number(plan.size), len(forest.estimators_)
    if plan.given:
        st.caption(t("M = {size} was given; the rule would have begun with the numbers above.",
                     size=size))  # fmt: skip
    words = t(
        "{kept} rows of each subset come from the one before, {fresh} have not been seen: "
        "{expected} trees until fewer than M rows are unseen",
        kept=number(plan.n_kept),
        fresh=number(plan.n_fresh),
        expected=number(plan.n_expected),
    )
    end = "." if trees == plan.n_expected else t("; {n} were grown, as rows of weight 0 do not "
                                                 "count as unseen.", n=number(trees))  # fmt: skip
    st.caption(words + end)


def _plan_lines(plan: SubsetPlan) -> list[str]:
    """Return eq 3 to 8 and the clipping as LaTeX."""
    m, nominal = len(plan.spreads), int(plan.nominal.sum())
    spread = number(float(f"{plan.spreads.mean():.4g}"))
    sigma = f"{plan.sigma:.4g}"
    mean = np.isclose(plan.sigma, plan.spreads.mean()) or m == 1
    total = r"\tfrac1m \sum_j \sigma_j" if mean else r"\sum_j \sigma_j"
    kinds = rf"m = {m}" + (rf",\ {nominal}\ \text{{nominal}}" if nominal else "")
    lines = [
        rf"\sigma = {total} = {sigma} \qquad ({kinds})"
        + ("" if mean else rf",\ \text{{mean}}\ {spread}"),
        rf"M_0 = \frac{{Z^2 \sigma^2}}{{E^2}} = \frac{{{plan.z:g}^2 \cdot {sigma}^2}}"
        rf"{{{plan.error:g}^2}} = {plan.raw:.5g}",
    ]
    limit = plan.theta * plan.n_samples
    if plan.corrected is not None:
        lines.append(
            rf"M_0 > \theta N = {limit:.4g}: \quad M = 10 \Bigl\lfloor \frac{{M_0 N}}"
            rf"{{10\,(M_0 + N)}} \Bigr\rfloor = {plan.corrected:.5g}"
        )
    else:
        lines.append(rf"M_0 \le \theta N = {limit:.4g}: \quad M = M_0")
    if not plan.given:
        size = rf"\quad \mathbf{{M = {plan.size}}}"
        lines.append(rf"{plan.low} \le M \le \tfrac{{N}}{{4}} = {plan.high}: {size}")
    return lines
