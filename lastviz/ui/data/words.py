"""The sentences of the page *data*, and its html."""

from __future__ import annotations

from html import escape

from lastviz.datasets import Dataset
from lastviz.ui.shared.headline import class_sign, legend_of, strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.text import number, percent, plural, t

from .figures import MOST_FEATURES, drawn_rows
from .scene import DataScene

MOST_NAMES = 12  # in the legend


def about(dataset: Dataset) -> str:
    """Return what the data are and where they come from."""
    parts = [
        escape(part) for part in (t(dataset.description).rstrip(".。"), t(dataset.source)) if part
    ]
    return f'<p class="lv-about">{" · ".join(parts)}</p>'


def headline(dataset: Dataset) -> str:
    """Return the headline numbers."""
    missing = int(dataset.X.isna().to_numpy().sum())
    cells = [
        (number(dataset.n_samples), "", t("rows")),
        (number(dataset.n_features), "", t("features")),
        *_target(dataset),
        (number(missing), "", t("missing values")),
    ]
    if missing:
        share = float(dataset.X.isna().any(axis=1).mean())
        cells.append((percent(share), "%", t("rows that lack any")))
    if dataset.bayes_error is not None:
        best = t("expected error of the best possible rule (Bayes)")
        cells.append((percent(dataset.bayes_error), "%", best))
    return strip(cells)


def _target(dataset: Dataset) -> list[tuple[str, str, str]]:
    if not dataset.is_regression:
        return [(number(dataset.n_classes), "", t("classes"))]
    y = dataset.y
    words = {"smallest {y}": y.min(), "mean {y}": y.mean(), "largest {y}": y.max()}
    return [(number(float(value)), "", t(word, y=y.name)) for word, value in words.items()]


def legend(scene: DataScene) -> str:
    """Return the signs of the classes, and what of the data the picture does not show."""
    dataset, theme = scene.dataset, scene.theme
    names, n_numeric = class_names_of(dataset), dataset.numeric_X.shape[1]
    items = [f"{class_sign(k, theme)} {escape(name)}" for k, name in enumerate(names[:MOST_NAMES])]
    if len(names) > MOST_NAMES:
        items.append(t("and {n} more", n=len(names) - MOST_NAMES))
    if n_numeric <= 2 and scene.n_held_out:
        n_signs = min(2, dataset.n_classes)
        signs = "".join(class_sign(k, theme, is_open=True) for k in range(n_signs))
        items.append(f"{signs} {t('held out')}")
    if n_numeric > MOST_FEATURES:
        sentence = "the {n} of {all} numeric features that tell the classes apart best"
        items.append(t(sentence, n=MOST_FEATURES, all=number(n_numeric)))
    n_nominal = dataset.n_features - n_numeric
    if n_nominal:
        items.append(
            plural(
                n_nominal,
                "{n} categorical column is not drawn",
                "{n} categorical columns are not drawn",
            )
        )
    n_points = len(drawn_rows(dataset))
    if n_points < dataset.n_samples:
        items.append(t("{n} of {all} rows", n=number(n_points), all=number(dataset.n_samples)))
    return legend_of(items)
