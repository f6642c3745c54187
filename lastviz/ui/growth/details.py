"""What stands below the player: how it works, and of an SVM tree two orders of its classes.

The improved and the traditional order stand side by side, class by class and node by node.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import streamlit as st

from lastviz.host.memory import remembered
from lastviz.inspection import SeparabilitySteps, separability
from lastviz.plots import ThemeName, number
from lastviz.ui.compute import cache
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import percent, t

from .story import Story

IMPROVED, TRADITIONAL = "separability", "euclidean"
MOST_ROWS = 12


def below(scene: Story, selection: Selection, theme: ThemeName) -> None:
    """Draw what stands below the player."""
    if scene.machines:
        _orders_compared(selection, theme)
    st.markdown(f"**{t('How it works')}**")
    st.markdown("\n".join(f"- {line}" for line in scene.about))


@dataclass(frozen=True, eq=False)
class OrderResult:
    """How one order did."""

    order: str
    steps: SeparabilitySteps  # of the rows judged
    right: np.ndarray  # (n_classes,) intp, rows of each class that are right, and all of them
    rows: np.ndarray  # (n_classes,) intp, rows of each class that are right, and all of them
    # dict of int to ndarray of intp, shape (n_classes,), for each node, how many rows of each class
    # it sent astray.
    lost: dict[int, np.ndarray]


def order_result(selection: Selection, order: str) -> OrderResult:
    """Return how the first model does with an order, on held-out rows if there are any.

    What it chose from the training rows is kept, so that the order alone makes the difference.
    """
    model = cache.fitted(selection, 0).estimator
    if model.order == order:
        return _result(cache.model_key(selection, 0), selection, order)
    params = {name: v for name, v in selection.models[0].params if name != "order"}
    if order != IMPROVED:  # the default is left out, as everywhere
        params["order"] = order
    if model.cross_validation_ is not None:
        scaling = "standard" if model.standardises else "none"
        params |= {"sigma": model.sigma_, "C": model.C_, "scaling": scaling}
    changed = selection.change_model(0, params=tuple(sorted(params.items())))
    return _result(cache.model_key(changed, 0), changed, order)


@remembered
def _result(key: str, selection: Selection, order: str) -> OrderResult:
    divided = cache.division(selection)
    model = cache.fitted(selection, 0).estimator
    X, y, train = divided.X, divided.y, divided.train_rows
    judged = divided.held_out_rows if len(divided.held_out_rows) else train
    found = separability(model, X.iloc[train], y[train], rows=X.iloc[judged], labels=y[judged])
    n_classes = len(model.classes_)
    right = np.bincount(y[judged][found.lost_at < 0], minlength=n_classes)
    lost = {
        int(node): np.bincount(y[judged][found.lost_at == node], minlength=n_classes)
        for node in np.unique(found.lost_at[found.lost_at >= 0])
    }
    return OrderResult(order, found, right, np.bincount(y[judged], minlength=n_classes), lost)


def _orders_compared(selection: Selection, theme: ThemeName) -> None:
    """Draw both orders side by side: who leaves when, accuracy by class, where rows were lost."""
    names = class_names_of(cache.data(selection).dataset)
    results = [order_result(selection, order) for order in (IMPROVED, TRADITIONAL)]
    titles = {
        IMPROVED: t("Improved: by separability in kernel space"),
        TRADITIONAL: t("Traditional: by the distance of the centres"),
    }
    held = len(cache.division(selection).held_out_rows) > 0
    st.markdown(f"**{t('Two orders of the classes')}**")
    for column, result in zip(st.columns(2, gap="medium"), results, strict=True):
        with column:
            show(_order_html(result, titles[result.order], held, names, theme))
    st.markdown(_difference(results, held))


def _order_html(
    result: OrderResult, title: str, held: bool, names: tuple[str, ...], theme: ThemeName
) -> str:
    def signs(classes: tuple[int, ...]) -> str:
        return " ".join(f"{class_sign(c, theme)} {escape(names[c])}" for c in classes)

    who = [signs(step.first) for step in result.steps.steps]
    if result.steps.steps:
        who.append(signs(result.steps.steps[-1].second))
    line = " → ".join(who[:MOST_ROWS]) + (" → …" if len(who) > MOST_ROWS else "")
    total, n = int(result.right.sum()), int(result.rows.sum())
    sentence = (
        "Accuracy {share} %: {right} of {n} held-out rows"
        if held
        else "Accuracy {share} %: {right} of {n} training rows"
    )
    share = percent(total / n if n else None)
    head = t(sentence, share=share, right=number(total), n=number(n))
    rows = "".join(_class_row(result, c, names, theme) for c in range(min(len(names), MOST_ROWS)))
    more = ""
    if len(names) > MOST_ROWS:
        more = f"<p>{t('and {n} more', n=len(names) - MOST_ROWS)}</p>"
    columns = (t("class"), t("accuracy, %"), t("rows"), t("misclassified at"))
    header = "".join(f"<th scope='col'>{c}</th>" for c in columns)
    return (
        f'<div class="lvg-order"><b>{escape(title)}</b><p>{line}</p><p>{escape(head)}</p>'
        f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>{more}</div>"
    )


def _class_row(result: OrderResult, c: int, names: tuple[str, ...], theme: ThemeName) -> str:
    rows, right = int(result.rows[c]), int(result.right[c])
    places = {step.node: k + 1 for k, step in enumerate(result.steps.steps)}
    lost = [
        t("{n} at step {k}", n=number(int(counts[c])), k=places.get(node, "–"))
        for node, counts in result.lost.items()
        if counts[c]
    ]
    cells = (percent(right / rows if rows else None), number(rows), t(", ").join(lost) or "–")
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    sign = class_sign(c, theme)
    return f"<tr><th scope='row'>{sign} {escape(names[c])}</th>{inside}</tr>"


def _difference(results: list[OrderResult], held: bool) -> str:
    one, two = (int(result.right.sum()) for result in results)
    n = int(results[0].rows.sum())
    if [s.first for s in results[0].steps.steps] == [s.first for s in results[1].steps.steps]:
        return t("Both orders are the same here, and so are the trees.")
    if one == two:
        sentence = (
            "Both classify {right} of {n} held-out rows correctly, by different trees."
            if held
            else "Both classify {right} of {n} training rows correctly, by different trees."
        )
        return t(sentence, right=number(one), n=number(n))
    sentence = (
        "They differ by {gap} of {n} held-out rows. One row is {point} percentage points of "
        "accuracy; a difference of a few rows is within the noise of one division."
        if held
        else "They differ by {gap} of {n} training rows. One row is {point} percentage points of "
        "accuracy."
    )
    point = percent(1 / n if n else None)
    return t(sentence, gap=number(abs(one - two)), n=number(n), point=point)
