"""What stands below the pictures of the page *boundaries*, one thing at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.host.jobs import Working
from lastviz.plots import confusion_plot, number, rule_words
from lastviz.tree import Kind
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.compute.nodes import searches_for_hyperplanes
from lastviz.ui.shared.difference import difference_of, difference_panel
from lastviz.ui.shared.ensemble_view import EnsembleView
from lastviz.ui.shared.figures import as_table, words
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.machine_words import settings_words
from lastviz.ui.shared.model_view import ModelView, counts_words
from lastviz.ui.shared.widgets import put, rows_to_choose, segments
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, percent, plural, t

from .forest_words import trees_table, vote_formula
from .scene import Scene
from .search import search_panel
from .stability import stability_panel
from .words import notices


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
        sentence = "Divided by the split information: gain ratio {score}."
        if getattr(estimator, "mdl_correction", False) and tree.kind[node] != Kind.CATEGORIES:
            sentence = (
                "Less the price of choosing a threshold and divided by the split information: "
                "gain ratio {score}."
            )
        st.caption(t(sentence, score=number(float(tree.score[node]))))
    grown = estimator.grown_tree_.n_node_samples[tree.grown_node[node]]
    if grown != tree.n_node_samples[node] and not estimator.growth_log_.splits:
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


def explanations(scene: Scene) -> None:
    """Draw the choice of what to read, and what was chosen, one column a model."""
    titles = {
        "notice": t("Notice"),
        "classes": t("By class"),
        "rules": t("Rules"),
        "how": t("Formula"),
    }
    views = scene.views
    if all(isinstance(view, EnsembleView) for view in views.values()):
        titles["rules"] = t("Trees")
    if any(searches_for_hyperplanes(view.estimator) for view in views.values()):
        titles["search"] = t("Search")
    if len(views) > 1:
        titles["differ"] = t("Where they differ")
    titles["stable"] = t("How stable is it?")
    wanted = scene.selection.boundaries.detail
    chosen = wanted if wanted in titles else "notice"
    segments("detail", t("About the pictures"), titles, chosen=chosen)
    if chosen == "notice":
        st.markdown("\n".join(f"- {sentence}" for sentence in notices(scene)))
        return
    if chosen == "differ":
        _differences(scene)
        return
    columns = st.columns(min(len(views), 2)) * 2
    for column, (place, view) in zip(columns, views.items(), strict=False):
        # On a phone it is seen with the picture of its model.
        with column, st.container(key=f"pictured-{place}-detail"):
            if chosen == "classes":
                class_scores(scene, place)
            elif chosen == "stable":
                stability_panel(scene, place)
            elif chosen == "search":
                search_panel(scene, place)
            elif isinstance(view, EnsembleView):
                trees_table(view, place) if chosen == "rules" else vote_formula(view)
            elif chosen == "rules":
                regions_table(view, place, scene.class_names)
            else:
                formula(view)


def _differences(scene: Scene) -> None:
    """Lay the first model that is shown over another one."""
    first, *others = scene.views
    wanted = scene.selection.boundaries.against
    second = wanted if wanted in others else others[0]
    if len(others) > 1:
        put("against", second, scene.titles[second])
        st.selectbox(
            t("{title} against", title=scene.titles[first]),
            others,
            key="against",
            format_func=lambda place: scene.titles[place],
            on_change=lambda: session.select(against=st.session_state["against"]),
            width=320,
        )
    try:
        found = difference_of(scene.selection, (first, second), scene.plane)
    except CannotShow as reason:
        st.info(str(reason))
    except Working as working:
        job_box(working.job, "difference")
    else:
        difference_panel(found, scene.theme)


def class_scores(scene: Scene, place: int) -> None:
    """Draw the confusion matrix and the accuracy of each class."""
    view, class_names = scene.views[place], scene.class_names
    part = view.held_out if view.held_out.n_samples else view.training
    name = t("held out") if part is view.held_out else t("training")
    rows = plural(part.n_samples, "{n} row", "{n} rows")
    st.markdown(t("**{title}** · {rows}, {part}", title=view.title, rows=rows, part=name))
    figure = confusion_plot(part.confusion, class_names, theme=scene.theme, words=words())
    chart(
        figure,
        key=f"confusion{place}",
        height=figure.height,
        alt=t("True against predicted classes of {title}", title=view.title),
        filename="confusion",
    )
    by_class = part.accuracy_by_class
    if len(class_names) <= 6:
        st.caption(t("Accuracy of each class"))
        cells = [(percent(by_class[k]), "%", class_names[k]) for k in range(len(class_names))]
        show(strip(cells))

    def table() -> pd.DataFrame:
        counts = pd.DataFrame(part.confusion, columns=class_names)
        counts.insert(0, t("true class"), class_names)
        counts.insert(1, t("accuracy, %"), (100 * by_class).round(1))
        return counts

    as_table(f"confusion{place}", table)


def rows_table(scene: Scene) -> pd.DataFrame:
    """Return the rows that are drawn: where they lie, their class and what each model predicts."""
    plane, drawn = scene.plane, scene.plane.drawn
    held_out = set(cache.division(scene.selection).held_out_rows.tolist())
    columns = {t("row"): drawn + 1}
    for axis, texts in zip((plane.across, plane.upward), plane.texts(drawn), strict=True):
        values = plane.tables[plane.form][1][drawn, axis.feature]
        columns.setdefault(plane.names[axis.feature], values if axis.numeric else texts)
    names = np.array(scene.class_names, dtype=object)
    columns[t("class")] = names[scene.dataset.codes[drawn]]
    columns[t("part")] = [t("held out") if row in held_out else t("training") for row in drawn]
    for view in scene.views.values():
        columns[view.title] = names[view.predicted[drawn]]
    return pd.DataFrame(columns)


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
    rows_to_choose(
        table,
        key=f"regions{place}",
        apply=lambda row: session.select_model(place, node=leaves[row]),
    )
