"""What stands below the pictures of the page *boundaries*: what to notice, how it works."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.plots import number

from .model_view import ModelView
from .text import percent, t
from .whole_view import WholeView

__all__ = ["formula", "what_to_notice"]


def what_to_notice(views: Sequence[ModelView | WholeView], dataset: Dataset) -> None:
    """Say what these pictures show, in sentences with their own numbers."""
    sentences = [_gap(view) for view in views if view.held_out.n_samples]
    sentences += [_disagreement(a, b) for a, b in combinations(views, 2)]
    if dataset.bayes_error is not None:
        sentences.append(
            t(
                "No rule at all can be right on more than {share} % of such data: "
                "the classes overlap.",
                share=percent(1.0 - dataset.bayes_error),
            )
            if dataset.bayes_error > 0
            else t("These classes do not overlap: a perfect rule exists.")
        )
    if not any(_is_slanted(view) for view in views):
        sentences.append(
            t("Every border is horizontal or vertical, because each test reads a single feature.")
        )
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def _is_slanted(view: ModelView | WholeView) -> bool:
    return isinstance(view, ModelView) and len(view.tree.oblique) + len(view.tree.kernel) > 0


def _gap(view: ModelView | WholeView) -> str:
    seen, unseen = view.training.accuracy, view.held_out.accuracy
    if view.milliseconds is None:  # a tree of a forest, which has seen only some of them
        return t(
            "{title} is right on {seen} % of the training rows, of which it learned from "
            "{rows} draws, and on {unseen} % of those held out.",
            title=view.title,
            seen=percent(seen),
            rows=number(int(view.tree.n_node_samples[0])),
            unseen=percent(unseen),
        )
    return t(
        "{title} is right on {seen} % of the rows that it learned from and on {unseen} % of those "
        "held out: {gap} points {word}.",
        title=view.title,
        seen=percent(seen),
        unseen=percent(unseen),
        gap=percent(abs(seen - unseen)),
        word=t("lost to overfitting or chance") if seen >= unseen else t("gained by chance"),
    )


def _disagreement(a: ModelView | WholeView, b: ModelView | WholeView) -> str:
    differ = int(np.count_nonzero(a.predicted != b.predicted))
    return t(
        "{a} and {b} disagree on {n} of {all} rows.",
        a=a.title,
        b=b.title,
        n=number(differ),
        all=number(len(a.predicted)),
    )


def formula(view: ModelView) -> None:
    """Show the criterion's formula, and the same with the numbers of the picked node."""
    estimator, tree, node = view.estimator, view.tree, view.node
    if len(tree.kernel):
        _machine(view)
        return
    criterion = CRITERIA[estimator.criterion_column]
    st.markdown(f"**{view.title}** · {t(criterion.title)}")
    st.latex(criterion.formula)
    if tree.is_leaf(node):
        st.caption(t("The picked node is a leaf; pick an inner node to see its numbers."))
        return
    st.caption(
        t(
            "At the picked node, with {impurity} {value}:",
            impurity=t(criterion.impurity_title),
            value=number(float(tree.impurity[node])),
        )
    )
    if _has_parts(view):
        st.caption(
            t(
                "Rows without a value go down every branch in parts; the gain counts those whose "
                "value is known, times their share: score {score}.",
                score=number(float(tree.score[node])),
            )
        )
        return
    if criterion.is_decrease or estimator.criterion_column == "gain_ratio":
        st.latex(_decrease(view, node))
    else:
        score = number(float(tree.score[node]))
        st.caption(
            t("The split has {criterion} {score}.", criterion=t(criterion.title), score=score)
        )
    if estimator.criterion_column == "gain_ratio":
        st.caption(
            t(
                "Less the price of choosing a threshold and divided by the split information: "
                "gain ratio {score}.",
                score=number(float(tree.score[node])),
            )
        )
    grown = estimator.grown_tree_.n_node_samples[tree.grown_node[node]]
    if grown != tree.n_node_samples[node]:
        st.caption(
            t(
                "This split was raised: chosen on {n} rows, now it holds {m}.",
                n=number(int(grown)),
                m=number(int(tree.n_node_samples[node])),
            )
        )


def _has_parts(view: ModelView) -> bool:
    """Tell whether rows of the picked node were divided, so that counts do not add up to gains."""
    weights = view.tree.weighted_n_node_samples[[view.node, *view.tree.children(view.node)]]
    return bool((weights != np.round(weights)).any())


def _machine(view: ModelView) -> None:
    """Show what a machine computes, and how large the picked one is."""
    tree, node = view.tree, view.node
    st.markdown(f"**{view.title}** · {t('decision value of a machine')}")
    st.latex(r"f(x) = \sum_i \alpha_i t_i K(x_i, x) + b")
    if tree.is_leaf(node):
        st.caption(t("The picked node is a leaf; pick an inner node to see its numbers."))
        return
    row = int(tree.split_row[node])
    here = tree.kernel.entries(row)
    st.caption(
        t(
            "At the picked node: {n} support vectors, b = {b}, separability {score}.",
            n=number(here.stop - here.start),
            b=number(float(tree.kernel.intercept[row])),
            score=number(float(tree.score[node])),
        )
    )
    if not tree.kernel.converged[row]:
        st.caption(
            t(
                "This machine stopped after {n} iterations before it was optimal.",
                n=number(int(tree.kernel.n_iter[row])),
            )
        )


def _decrease(view: ModelView, node: int) -> str:
    tree = view.tree
    rows = tree.n_node_samples
    decrease = tree.impurity[node] - sum(
        rows[child] / rows[node] * tree.impurity[child] for child in tree.children(node)
    )
    parts = [
        rf"\frac{{{rows[child]}}}{{{rows[node]}}} \cdot {tree.impurity[child]:.4g}"
        for child in tree.children(node)
        if rows[child]
    ]
    return rf"{tree.impurity[node]:.4g} - {' - '.join(parts)} = \mathbf{{{decrease:.4g}}}"
