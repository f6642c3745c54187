"""Sentences and formulas about forests and envelopes, with their own numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz.estimators import ForestClassifier
from lastviz.ui.shared.model_view import EnsembleView
from lastviz.ui.shared.widgets import rows_to_choose
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import HUNDRED, t


def ensemble_words(view: EnsembleView, *, exact: bool) -> str:
    """Explanation of the picture of a forest or an envelope, "" if it needs none."""
    if not isinstance(view.estimator, ForestClassifier):
        return t("The monotone function halfway between the bounds that the leaves set: what the "
                 "model predicts is not what its leaves say.")  # fmt: skip
    if exact:
        return ""
    return t("Drawn on a grid of 400 by 400 places, as there are more thresholds than that.")


def vote_formula(view: EnsembleView) -> None:
    """Show how the trees' classes become one."""
    st.markdown(f"**{view.title}**")
    forest = view.estimator
    if not isinstance(forest, ForestClassifier):
        st.latex(r"f(x) = \left\lfloor \tfrac12 \Bigl( \max_{l_i < x} c_i "
                 r"+ \min_{x \le h_i} c_i \Bigr) \right\rfloor")  # fmt: skip
        st.caption(t("Over the leaves i with lower corner l, upper corner h and class c."))
        return
    decision = getattr(forest, "decision_", "")
    if decision == "sums":
        st.latex(r"f(x) = \arg\max_c \, \bigl( s_c + \textstyle\sum_t f_{t,c}(x) \bigr)")
        st.caption(t("Each tree t adds to the score of a class c; s is the start. The class of the "
                     "largest score is predicted."))  # fmt: skip
    elif decision == "shares":
        st.latex(r"f(x) = \arg\max_c \, \textstyle\sum_t U_{t,c}(x)")
        st.caption(t("U is the share of class c among the rows of the leaf that x reaches."))
    elif forest.adds_scores:
        st.latex(r"f(x) = \bigl|\{ k : s_k + \textstyle\sum_t f_{t,k}(x) > 0 \}\bigr|")
        st.caption(t("Each tree t adds to a score of every border k between neighbouring classes; "
                     "s is the start. The class is as high as there are borders with a positive "
                     "score."))  # fmt: skip
    elif getattr(forest, "vote_", None) == "median":
        st.latex(r"f(x) = \operatorname{median} \{\, f_1(x), \dots, f_T(x) \,\}")
        st.caption(t("The lower of two middle classes. With trees that are monotone, no two "
                     "predictions contradict the directions."))  # fmt: skip
    elif np.ptp(forest.tree_weights_) > 0:
        st.latex(r"f(x) = \arg\max_c \sum_{t : f_t(x) = c} \log \frac{1 - \epsilon_t}"
                 r"{\epsilon_t}")  # fmt: skip
    else:
        st.latex(r"f(x) = \arg\max_c \, \bigl|\{ t : f_t(x) = c \}\bigr|, \qquad "
                 r"\text{tie: } \arg\max_c \sum_t U_{t,c}(x)")  # fmt: skip
        st.caption(t("U is the share of class c among the rows of the leaf that x reaches."))


def trees_table(view: EnsembleView, place: int) -> None:
    """Draw the trees of a forest as rows; choosing one shows that tree."""
    trees = [each.tree_ for each in view.trees]
    columns = {
        t("tree"): np.arange(1, len(trees) + 1),
        t("rows"): [int(tree.n_node_samples[0]) for tree in trees],
        t("leaves"): [tree.n_leaves for tree in trees],
        t("depth"): [int(tree.max_depth) for tree in trees],
    }
    forest = view.estimator
    if not getattr(forest, "draws_", None):
        pass  # a forest from a file, or the tree of an envelope
    elif forest.adds_scores:
        columns[t("misclassified after this tree, %")] = [
            round(HUNDRED * d.error, 1) for d in forest.draws_
        ]
    else:
        columns[t("weighted error, %")] = [round(HUNDRED * draw.error, 1) for draw in forest.draws_]
        columns[t("weight of its vote")] = np.round(forest.tree_weights_, 2)
    st.markdown(f"**{view.title}**")
    rows_to_choose(
        pd.DataFrame(columns),
        key=f"trees{place}",
        apply=lambda row: session.select_model(place, tree=row),
    )
