"""A criterion's formula, in general and with the numbers of one candidate."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.criteria import CRITERIA, Candidate
from lastviz.criteria.expression import tex_number
from lastviz.ui.text import t


def general_formula(name: str, candidate: Candidate) -> None:
    """Draw the formula of criterion `name` as it was measured, and what its letters mean."""
    criterion = CRITERIA[name]
    own = criterion.card(candidate).formula
    shown = (criterion.formula, *own) if criterion.ordered_classes or not own else own
    for formula in filter(None, shown):
        st.latex(formula)
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
