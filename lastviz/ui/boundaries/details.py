"""What stands below the pictures of the page *boundaries*, one thing at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.plots import confusion_plot, number, rule_words
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.nodes import searches_for_hyperplanes
from lastviz.ui.shared.ensemble_view import WholeView
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.machine_words import settings_words
from lastviz.ui.shared.model_view import ModelView, counts_words
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, t

from .forest_words import trees_table, vote_formula
from .search import search_panel

__all__ = ["explanations", "formula", "slice_words", "what_to_notice"]


def what_to_notice(views: Sequence[ModelView | WholeView], dataset: Dataset) -> None:
    """Say what these pictures show, in sentences with their own numbers."""
    sentences = [_gap(view) for view in views if view.held_out.n_samples]
    sentences += [_disagreement(a, b) for a, b in combinations(views, 2)]
    if dataset.bayes_error is not None:
        sentences.append(
            t(
                "The best possible rule (Bayes) has an expected accuracy of {share} % on new data, "
                "for the classes overlap. That is an average: on a sample of rows, such as those "
                "held out, an accuracy can lie above it.",
                share=percent(1.0 - dataset.bayes_error),
            )
            if dataset.bayes_error > 0
            else t("These classes do not overlap: the best possible rule (Bayes) makes no error.")
        )
    if not any(_is_slanted(view) for view in views):
        sentences.append(
            t("Every border is horizontal or vertical, because each test reads a single feature.")
        )
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def slice_words(fidelity: float, classes: Sequence[str], *, exact: bool) -> list[str]:
    """Return what a slice leaves out: rows beside the plane, and borders that do not cross it.

    Parameters
    ----------
    fidelity : float
        Share of the rows that lie on the colour they get.
    classes : sequence of str
        Those whose colours are in sight.
    exact : bool
        Whether the borders are exact, or read off a fine grid.
    """
    share = percent(fidelity)
    found = t(
        "An exact slice: {share} % of the rows lie on the colour that the model gives them; the "
        "others differ in features that are fixed here.",
        share=share,
    )
    if not exact:
        found = t(
            "A slice, on a fine grid: {share} % of the rows lie on the colour that the model gives "
            "them; the others differ in features that are fixed here.",
            share=share,
        )
    rings = t(
        "A ring marks a row that the model misclassifies by all its features: a row of another "
        "class than the colour below it, without a ring, is classified correctly."
    )
    if len(classes) > 1:
        return [found, rings]
    border = t(
        "No border crosses this slice: with the other features fixed as they are, the model gives "
        "{label} everywhere in sight. That says nothing about its accuracy.",
        label=classes[0],
    )
    return [found, rings, border]


def _is_slanted(view: ModelView | WholeView) -> bool:
    return isinstance(view, ModelView) and len(view.tree.oblique) + len(view.tree.kernel) > 0


def _gap(view: ModelView | WholeView) -> str:
    seen, unseen = view.training.accuracy, view.held_out.accuracy
    if view.milliseconds is None:  # a tree of a forest, which has seen only some of them
        return t(
            "{title} has an accuracy of {seen} % on the training rows, of which it learned from "
            "{rows} draws, and of {unseen} % on those held out.",
            title=view.title,
            seen=percent(seen),
            rows=number(int(view.tree.n_node_samples[0])),
            unseen=percent(unseen),
        )
    values = {"title": view.title, "seen": percent(seen), "unseen": percent(unseen)}
    gap = percent(abs(seen - unseen))
    if gap == percent(0.0):
        return t(
            "{title} has the same accuracy, {seen} %, on the rows that it learned from and on "
            "those held out.",
            **values,
        )
    if seen > unseen:
        return t(
            "{title} has an accuracy of {seen} % on the rows that it learned from and of {unseen} "
            "% on those held out, {gap} percentage points lower: it fits what it has seen, and "
            "chance plays a part.",
            gap=gap,
            **values,
        )
    return t(
        "{title} has an accuracy of {seen} % on the rows that it learned from and of {unseen} % on "
        "those held out, {gap} percentage points higher, which is chance.",
        gap=gap,
        **values,
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
    st.caption(settings_words(view.estimator))
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


def explanations(
    views: Mapping[int, ModelView | WholeView], dataset: Dataset, class_names: tuple[str, ...]
) -> None:
    """Draw the choice of what to read, and what was chosen, one column a model."""
    titles = {
        "notice": t("Notice"),
        "classes": t("By class"),
        "rules": t("Rules"),
        "how": t("Formula"),
    }
    if all(isinstance(view, WholeView) for view in views.values()):
        titles["rules"] = t("Trees")
    if any(searches_for_hyperplanes(view.estimator) for view in views.values()):
        titles["search"] = t("Search")
    asked = session.current().boundaries.detail
    chosen = asked if asked in titles else "notice"
    segments("detail", t("About the pictures"), titles, chosen=chosen)
    if chosen == "notice":
        what_to_notice(list(views.values()), dataset)
        return
    columns = st.columns(min(len(views), 2)) * 2
    for column, (place, view) in zip(columns, views.items(), strict=False):
        # On a phone it is seen with the picture of its model.
        with column, st.container(key=f"pictured-{place}-detail"):
            if chosen == "classes":
                class_scores(view, place, class_names)
            elif isinstance(view, WholeView):
                _about_whole(view, place, chosen)
            elif chosen == "rules":
                regions_table(view, place, class_names)
            elif chosen == "search":
                search_panel(view, place, class_names)
            else:
                formula(view)


def _about_whole(view: WholeView, place: int, chosen: str) -> None:
    if chosen == "rules":
        trees_table(view, place)
    elif chosen == "how":
        vote_formula(view)
    else:
        st.caption(t("{title} does not search for a hyperplane step by step.", title=view.title))


def class_scores(view: ModelView | WholeView, place: int, class_names: tuple[str, ...]) -> None:
    """Draw the confusion matrix and the accuracy of each class."""
    part = view.held_out if view.held_out.n_samples else view.training
    name = t("held out") if part is view.held_out else t("training")
    st.markdown(f"**{view.title}** · {t('{n} rows', n=number(part.n_samples))}, {name}")
    figure = confusion_plot(part.confusion, class_names, theme=current_theme(), words=words())
    chart(
        figure,
        key=f"confusion{place}",
        height=figure.layout.height,
        alt=t("True against predicted classes of {title}", title=view.title),
        filename="confusion",
    )
    by_class = part.accuracy_by_class
    if len(class_names) <= 6:
        cells = [(percent(by_class[k]), "%", class_names[k]) for k in range(len(class_names))]
        show(strip(cells))
    box = st.expander(t("As a table"), key=f"table{place}", on_change="rerun")
    if box.open:
        table = pd.DataFrame(part.confusion, index=class_names, columns=class_names)
        table.insert(0, t("right, %"), (100 * by_class).round(1))
        table.index.name = t("true class")
        box.dataframe(table)


def regions_table(view: ModelView, place: int, class_names: tuple[str, ...]) -> None:
    """Draw the regions as rows; choosing one selects its node, by mouse or keyboard."""
    tree = view.tree
    leaves = sorted(view.leaves.tolist(), key=lambda n: (-tree.n_node_samples[n], n))
    table = pd.DataFrame(
        {
            t("rule"): [rule_words(tree, n, html=False) or t("all rows") for n in leaves],
            t("class"): [class_names[tree.prediction[n]] for n in leaves],
            t("training rows"): tree.n_node_samples[leaves],
            t("by class"): [counts_words(tree, n, class_names) for n in leaves],
        }
    )
    st.markdown(f"**{view.title}** · {plural(len(leaves), '{n} region', '{n} regions')}")

    def chosen() -> None:
        rows = st.session_state[f"regions{place}"]["selection"]["rows"]
        if rows:
            session.select_model(place, node=leaves[rows[0]])

    st.dataframe(
        table,
        key=f"regions{place}",
        hide_index=True,
        height=min(35 * len(leaves) + 40, 360),
        on_select=chosen,
        selection_mode="single-row",
    )
