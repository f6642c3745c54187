"""A criterion's formula, in general and with the numbers of one candidate."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.criteria import CRITERIA, Candidate
from lastviz.criteria.expression import tex_number
from lastviz.ui.text import t

SCALED = "Each feature is scaled to 0..1 by its range over the rows of the node."
MARGIN = (
    "$m_l^{(c)}$ and $m_r^{(c)}$: means of the rows of class $c$ on the left and on the right; "
    "$C$: number of classes with rows on both sides. Each feature is scaled to 0..1 by its range "
    "over the rows of the node."
)
ON_ONE_SIDE = (
    "$x_l^{(p)}$: a row of class $p$ on the left, $x_l^{(\\neq p)}$: one of another class there; "
    "$C_l$: number of classes there; $Q$ is the same on the right. A side with one class counts 0."
)
THRESHOLD = (
    "$t$: the largest value of the feature on the left; the threshold of the split lies halfway to "
    "the next value."
)
WITHIN = (
    "$D_i$: rows of one side; $k$: a class there, $m_k$ the mean of its rows; $A|B$: {groups}, "
    "$m_A$ the mean of all rows of $A$. Of two classes $A|B$ is that pair; a side with one class "
    "counts 0."
)
GROUPS = {
    "one_vs_rest": "each class against all others of the side together",
    "one_vs_one": "each pair of classes of the side",
    "exhaustive": "each division of the classes of the side into two groups",
}


def letters(formula: str, ecoc: str = "one_vs_rest") -> list[str]:
    """Return what the letters of a formula mean that measures the rows themselves."""
    lines = []
    if "m_l" in formula:
        lines.append(t(MARGIN))
    if "(P + Q)" in formula:
        lines.append(t("$P + Q$: the penalty of BNM."))
    if "C_l" in formula:
        lines += [t(ON_ONE_SIDE), *([t(THRESHOLD)] if "- t" in formula else []), t(SCALED)]
    if "A|B" in formula:
        lines += [t(WITHIN, groups=t(GROUPS[ecoc])), t(SCALED)]
    return lines


def general_formula(name: str, candidate: Candidate, ecoc: str = "one_vs_rest") -> None:
    """Draw the formula of criterion `name` as it was measured, and what its letters mean."""
    criterion = CRITERIA[name]
    own = criterion.card(candidate).formula
    shown = (criterion.formula, *own) if criterion.ordered_classes or not own else own
    for formula in filter(None, shown):
        st.latex(formula)
    for line in letters(" ".join(shown), ecoc):
        st.caption(line)
    if criterion.reads == "order":
        st.caption(t("A segment is a run of rows of one class along the split feature."))
    if criterion.ordered_classes:
        st.caption(
            t(
                "$n$ rows in the node, $n_R$ of them on the upper side of the cut and $n_L$ on the "
                "lower; $T_k$, $R_k$ and $L_k$ are those of class $k$, and $T_{\\ge k}$ those of "
                "class $k$ or a higher one. In nats."
            )
        )


def with_numbers(name: str, candidate: Candidate, score: float) -> None:
    """Draw the formula with the numbers of a candidate, and the score that they come to."""
    if np.isfinite(score):
        st.latex(CRITERIA[name].card(candidate).latex(score))
    else:
        st.latex(rf"\text{{{t(CRITERIA[name].short)}}} = {tex_number(score)}")
