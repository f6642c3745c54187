"""What explains the pictures of the page *boundaries*, one thing at a time."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.plots import confusion_plot, number, rule_words

from . import frame, state
from .boundary_panels import words
from .boundary_text import formula, what_to_notice
from .components.chart_host import chart
from .forest_words import trees_table, vote_formula
from .headline import show, strip
from .model_view import ModelView, counts_words
from .node_cache import searches_for_hyperplanes
from .search_panel import search_panel
from .text import percent, plural, t
from .whole_view import WholeView
from .widgets import segments

__all__ = ["explanations"]


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
    asked = state.current().detail
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
    figure = confusion_plot(part.confusion, class_names, theme=frame.theme(), words=words())
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
            state.select_model(place, node=leaves[rows[0]])

    st.dataframe(
        table,
        key=f"regions{place}",
        hide_index=True,
        height=min(35 * len(leaves) + 40, 360),
        on_select=chosen,
        selection_mode="single-row",
    )
