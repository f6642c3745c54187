"""The sentences of the page *boundaries*, and its html."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import combinations
from urllib.parse import quote

import numpy as np

from lastviz.inspection import FEW_ROWS
from lastviz.plots import THEMES, number
from lastviz.ui.shared.ensemble_view import EnsembleView
from lastviz.ui.shared.headline import legend_of, sign
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.shared.plane import Plane
from lastviz.ui.shared.plane_view import band_words
from lastviz.ui.text import listed, percent, plain, plural, t

from .scene import Scene

LEGEND_SCALES = 4  # classes whose scale of tints the legend shows
MOST_NAMED = 8  # classes


def model_switch(scene: Scene) -> str:
    """Return the choice of the model that a phone shows; the style sheet does the rest."""
    choices = "".join(
        f'<label><input type="radio" name="lv-shown" value="{place}"'
        f"{' checked' if place == 0 else ''}><span>{escape(title)}</span></label>"
        for place, title in enumerate(scene.titles)
    )
    return f'<fieldset class="lv-switch" aria-label="{t("Model")}">{choices}</fieldset>'


def certainty_legend(scene: Scene) -> str:
    """Return what tints and hatches say about certainty, and by which rule."""
    theme, choices = THEMES[scene.theme], scene.selection.boundaries
    names = range(min(len(scene.class_names), LEGEND_SCALES))
    scales = "".join(_scale([theme.certain(k, step / 4) for step in range(5)]) for k in names)
    rules = {
        "m": t("m = {m}: the shares of all rows count for {m} rows", m=number(choices.smoothing_m)),
        "laplace": t("Laplace: one row of each class is added"),
        "raw": t("shares of the leaf alone"),
    }
    hatch = sign('<path d="M0 16 16 0M0 8 8 0M8 16 16 8"/>', line=theme.grey5, width=1.5)
    few = t("fewer than {n} training rows", n=number(FEW_ROWS))
    items = [
        f"{scales} {t('no more than chance → certain of its class')}",
        rules[choices.smoothing],
        f"{hatch} {few}",
    ]
    return legend_of(items)


def _scale(colours: Sequence[str]) -> str:
    """Return colours from left to right, as an image that stands in a line of text."""
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


def no_certainty_words(view: ModelView | EnsembleView) -> str:
    """Return why a picture tints its regions by class alone."""
    if isinstance(view, EnsembleView):
        return t("The tint shows the class only: votes and envelopes are not shares of rows.")
    if len(view.tree.kernel):
        return t(
            "The tint shows the class only: a leaf below support vector machines can hold rows of "
            "classes that were split off before."
        )
    return t("The tint shows the class only: a leaf of this tree predicts its median class.")


def alt_of(view: ModelView | EnsembleView, data: str, class_names: Sequence[str]) -> str:
    """Return what the picture of a model shows, for those who do not see it."""
    names = [class_names[k] for k in np.unique(view.predicted)]
    about = {"title": view.title, "data": data, "classes": listed(names, MOST_NAMED)}
    if isinstance(view, EnsembleView):
        return t("{title} on {data}: the regions of {classes}.", **about)
    return t(
        "{title} on {data}: {regions} for {classes}; its tree is {depth} deep.",
        regions=plural(len(view.leaves), "{n} region", "{n} regions"),
        depth=int(view.tree.depth[view.shown].max()),
        **about,
    )


def plane_words(plane: Plane) -> list[str]:
    """Return where rows lie whose place is none of their values, and how many are drawn."""
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
    """Return what the pictures show, in sentences with their own numbers."""
    views, best = list(scene.views.values()), scene.dataset.bayes_error
    sentences = [_gap(view) for view in views if view.held_out.n_samples]
    sentences += [_disagreement(a, b) for a, b in combinations(views, 2)]
    if best:
        sentences.append(
            t(
                "The best possible rule (Bayes) has an expected accuracy of {share} % on new data, "
                "for the classes overlap. That is an average: on a sample of rows, such as those "
                "held out, an accuracy can lie above it.",
                share=percent(1.0 - best),
            )
        )
    elif best is not None:
        sentences.append(
            t("These classes do not overlap: the best possible rule (Bayes) makes no error.")
        )
    parted = [view for view in views if isinstance(view, EnsembleView) or len(view.leaves) > 1]
    if parted and not any(_is_slanted(view) for view in parted):
        sentences.append(
            t("Every border is horizontal or vertical, because each test reads a single feature.")
        )
    return sentences


def slice_notes(scene: Scene, place: int) -> list[str]:
    """Return what the slice that a picture shows leaves out; nothing where it is no slice."""
    view, picture = scene.views[place], scene.pictures[place]
    if view.fidelity is None:
        return []
    return slice_words(view.fidelity, picture.in_sight, exact=picture.exact)


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
    found = t(
        "An exact slice: {share} % of the rows lie on the colour that the model gives them."
        if exact
        else "A slice, on a fine grid: {share} % of the rows lie on the colour that the model "
        "gives them.",
        share=percent(fidelity),
    )
    if fidelity < 1:
        others = t("The others differ in features that are fixed here.")
        found = t(" ").join([found, others])
    rings = t(
        "A ring marks a row that the model misclassifies by all its features: a row of another "
        "class than the colour below it, without a ring, is classified correctly."
    )
    if len(classes) > 1:
        return [found, rings]
    border = t(
        "No border crosses this slice: with the other features fixed at these values, the model "
        "predicts {label} everywhere in view. That says nothing about its accuracy.",
        label=plain(classes[0]),
    )
    return [found, rings, border]


def _is_slanted(view: ModelView | EnsembleView) -> bool:
    return isinstance(view, ModelView) and len(view.tree.oblique) + len(view.tree.kernel) > 0


def _gap(view: ModelView | EnsembleView) -> str:
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
    low, high = view.held_out.accuracy_interval()
    values = {
        "title": view.title,
        "seen": percent(seen),
        "unseen": percent(unseen),
        "rows": number(view.training.n_samples),
        "new": number(view.held_out.n_samples),
        "low": percent(low),
        "high": percent(high),
    }
    gap = f"{abs(float(values['seen']) - float(values['unseen'])):.1f}"  # of what is shown
    if values["seen"] == values["unseen"]:
        return t(
            "{title} has the same accuracy, {seen} %, on {rows} training rows and on {new} "
            "held-out rows (95 % interval {low} to {high}).",
            **values,
        )
    if seen > unseen:
        return t(
            "{title} has an accuracy of {seen} % on {rows} training rows and of {unseen} % on "
            "{new} held-out rows (95 % interval {low} to {high}), {gap} percentage points lower.",
            gap=gap,
            **values,
        )
    return t(
        "{title} has an accuracy of {seen} % on {rows} training rows and of {unseen} % on {new} "
        "held-out rows (95 % interval {low} to {high}), {gap} percentage points higher.",
        gap=gap,
        **values,
    )


def _disagreement(a: ModelView | EnsembleView, b: ModelView | EnsembleView) -> str:
    differ = int(np.count_nonzero(a.predicted != b.predicted))
    return t(
        "{a} and {b} disagree on {n} of {all} rows.",
        a=a.title,
        b=b.title,
        n=number(differ),
        all=number(len(a.predicted)),
    )
