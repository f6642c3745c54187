"""Details below the pictures of the page *boundaries*, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import combinations
from urllib.parse import quote

import numpy as np
import pandas as pd

from lastviz.criteria import CRITERIA
from lastviz.inspection import FEW_ROWS
from lastviz.plots import THEMES, confusion_plot, number, rule_words
from lastviz.tree import Kind
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.nodes import searches_for_hyperplanes
from lastviz.ui.shared.difference import (
    draw_difference,
)
from lastviz.ui.shared.figures import Plane, as_table, band_words, words
from lastviz.ui.shared.glossary import settings_words
from lastviz.ui.shared.headline import legend_of, sign
from lastviz.ui.shared.model_view import EnsembleView, ModelView, counts_words
from lastviz.ui.shared.widgets import bound, put, rows_to_choose, segments
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import HUNDRED, list_names, percent, plain, plural, t

from .forest_words import trees_table, vote_formula
from .scene import Scene
from .search import search_panel
from .stability import stability_panel

LEGEND_SCALES = 4  # classes whose scale of tints the legend shows
MOST_NAMED = 8  # classes


def model_switch(scene: Scene) -> str:
    """Choice of the model that a phone shows; the style sheet does the rest."""
    choices = "".join(
        f'<label><input type="radio" name="lv-shown" value="{place}"'
        f"{' checked' if place == 0 else ''}><span>{escape(title)}</span></label>"
        for place, title in enumerate(scene.titles)
    )
    return f'<fieldset class="lv-switch" aria-label="{t("Model")}">{choices}</fieldset>'


def certainty_legend(scene: Scene) -> str:
    """Legend of the tints and hatches for certainty, with the rule behind them."""
    theme, choices = THEMES[scene.theme], scene.work.selection.boundaries
    names = range(min(len(scene.class_names), LEGEND_SCALES))
    scales = "".join(_scale([theme.certain(k, step / 4) for step in range(5)]) for k in names)
    hatch = sign('<path d="M0 16 16 0M0 8 8 0M8 16 16 8"/>', line=theme.grey5, width=1.5)
    few = t("fewer than {n} training rows", n=number(FEW_ROWS))
    items = [
        f"{scales} {t('no more than chance → certain of its class')}",
        smoothing_rules(number(choices.smoothing_m))[choices.smoothing],
        f"{hatch} {few}",
    ]
    return legend_of(items)


def smoothing_rules(m: str) -> dict[str, str]:
    """Ways to make shares of a leaf less sure, by their keys."""
    return {
        "m": t("shares of all rows added (m = {m})", m=m),
        "laplace": t("one row of each class added (Laplace)"),
        "raw": t("shares of the leaf alone"),
    }


def _scale(colours: Sequence[str]) -> str:
    """Colours from left to right, as an image within a line of text."""
    steps = "".join(
        f'<rect x="{10 * i}" width="10" height="14" fill="{colour}"/>'
        for i, colour in enumerate(colours)
    )
    size = 10 * len(colours)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} 14" width="{size}" '
        f'height="14">{steps}</svg>'
    )
    return f'<img class="lv-scale" alt="" src="data:image/svg+xml,{quote(drawing)}">'


def alt_of(view: ModelView | EnsembleView, data: str, class_names: Sequence[str]) -> str:
    """Alternative text of the picture of a model."""
    names = list_names([class_names[k] for k in np.unique(view.predicted)], MOST_NAMED)
    return t("{title} on {data}: the regions of {classes}.", title=view.title, data=data,
             classes=names)  # fmt: skip


# Also about the number of rows drawn.
def plane_words(plane: Plane) -> list[str]:
    """Sentences about rows whose position is none of their values."""
    sentences = [sentence for sentence in (band_words(plane),) if sentence]
    shown, rows = len(plane.drawn), len(plane.x)
    if shown < rows:
        sentences.append(
            t(
                "{shown} of {rows} rows are drawn; all numbers count all rows.",
                shown=number(shown),
                rows=number(rows),
            )
        )
    return sentences


def notices(scene: Scene) -> list[str]:
    """Sentences about the findings in the pictures, with their own numbers."""
    views, best = list(scene.views.values()), scene.dataset.bayes_error
    sentences = [
        t(
            "{a} and {b} disagree on {n} of {all} rows.",
            a=a.title,
            b=b.title,
            n=number(int(np.count_nonzero(a.predicted != b.predicted))),
            all=number(len(a.predicted)),
        )
        for a, b in combinations(views, 2)
    ]
    if best:
        sentences.append(
            t(
                "The classes overlap: the best possible rule (Bayes) has an expected accuracy of "
                "{share} % on new data. On a sample, such as the held-out rows, an accuracy can "
                "lie above it.",
                share=percent(1.0 - best),
            )
        )
    elif best is not None:
        sentences.append(
            t("These classes do not overlap: the best possible rule (Bayes) makes no error.")
        )
    parted = [view for view in views if isinstance(view, EnsembleView) or len(view.leaves) > 1]
    trees = [view.tree for view in parted if isinstance(view, ModelView)]
    if parted and not any(len(tree.oblique) + len(tree.kernel) for tree in trees):
        sentences.append(
            t("Every border is horizontal or vertical, because each test reads a single feature.")
        )
    return sentences


# None where it is no slice.
def slice_notes(scene: Scene, place: int) -> list[str]:
    """Sentences about the omissions of the slice that a picture shows."""
    view, picture = scene.views[place], scene.pictures[place]
    if view.fidelity is None:
        return []
    return slice_words(view.fidelity, picture.in_sight, exact=picture.exact)


def slice_words(fidelity: float, classes: Sequence[str], *, exact: bool) -> list[str]:
    """Sentences about the omissions of a slice: rows and borders beside it.

    `fidelity` is the share of rows on the colour they get, `classes` those in sight; `exact`:
    borders are exact, not read off a fine grid.
    """
    found = t(
        "An exact slice: {share} % of the rows lie on the colour that the model gives them."
        if exact
        else "A slice, on a fine grid: {share} % of the rows lie on the colour that the model "
        "gives them.",
        share=percent(fidelity),
    )
    rings = t(
        "A ring marks a row that the model misclassifies by all its features; a row on the colour "
        "of another class without a ring is right."
    )
    if len(classes) > 1:
        return [found, rings]
    border = t(
        "No border crosses this slice: the model predicts {label} everywhere in view. That says "
        "nothing about its accuracy.",
        label=plain(classes[0]),
    )
    return [found, rings, border]


# ---------------------------------------------------------------- details


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
    score = number(float(tree.score[node]))
    weights = tree.weighted_n_node_samples[[node, *tree.children(node)]]
    if (weights != np.round(weights)).any():  # rows were divided: counts do not add up to gains
        st.caption(
            t(
                "Rows without a value go down every branch in parts; the gain counts those whose "
                "value is known, times their share: score {score}.",
                score=score,
            )
        )
        return
    if criterion.is_decrease or estimator.criterion_column == "gain_ratio":
        st.latex(_decrease(view, node))
    else:
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
        st.caption(t(sentence, score=score))
    grown = estimator.grown_tree_.n_node_samples[tree.grown_node[node]]
    if grown != tree.n_node_samples[node] and not estimator.growth_log_.splits:
        st.caption(
            t(
                "This split was raised: chosen on {n} rows, now it holds {m}.",
                n=number(int(grown)),
                m=number(int(tree.n_node_samples[node])),
            )
        )


def _machine(view: ModelView) -> None:
    """Show the formula of a machine and the size of the picked one."""
    tree, node = view.tree, view.node
    st.markdown(f"**{view.title}**")
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
                "This SVM stopped after {n} iterations, before it was optimal.",
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
    """Draw the choice of explanations and the chosen ones, one column per model."""
    sentences = notices(scene)
    titles = {"notice": t("Notice")} if sentences else {}
    titles |= {
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
    wanted = scene.work.selection.boundaries.detail
    chosen = wanted if wanted in titles else next(iter(titles))
    segments("detail", t("About the pictures"), titles, chosen=chosen)
    if chosen == "notice":
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
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


def _compared(scene: Scene) -> tuple[int, int]:
    """Places of the first model that is shown, and of the one that it is laid over."""
    first, *others = scene.views
    wanted = scene.work.selection.boundaries.against
    return first, wanted if wanted in others else others[0]


def _differences(scene: Scene) -> None:
    """Lay the first model that is shown over another one."""
    (first, second), (_, *others) = _compared(scene), scene.views
    if len(others) > 1:
        put("against", second, scene.titles[second])
        title = t("{title} against", title=scene.titles[first])
        look = {"value": second, "format_func": scene.titles.__getitem__, "width": 320}
        bound(st.selectbox, "against", title, others, **look)
    draw_difference(scene.work, (first, second), scene.plane, scene.theme)


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

    def table() -> pd.DataFrame:
        counts = pd.DataFrame(part.confusion, columns=class_names)
        counts.insert(0, t("true class"), class_names)
        counts.insert(1, t("accuracy, %"), (HUNDRED * part.accuracy_by_class).round(1))
        return counts

    as_table(f"confusion{place}", table)


def rows_table(scene: Scene) -> pd.DataFrame:
    """Table of the drawn rows: position, class and prediction of each model."""
    plane, drawn = scene.plane, scene.plane.drawn
    held_out = set(scene.work.first.division.held_out_rows.tolist())
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
    st.markdown(f"**{view.title}**")
    rows_to_choose(
        table,
        key=f"regions{place}",
        apply=lambda row: session.select_model(place, node=leaves[row]),
    )
