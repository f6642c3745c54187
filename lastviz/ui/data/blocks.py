"""The pictures of the page *data*: drawn there, printed in its report, held by slides."""

from __future__ import annotations

from lastviz.export.html_report import Words
from lastviz.ui.shared.blocks import Chart
from lastviz.ui.shared.headline import legend as legend_of_classes
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.text import t

from .painted_scene import PaintedScene
from .scene import DataScene
from .words import legend


def classes(scene: DataScene) -> list[Words | Chart]:
    """Return the legend, and the classes in the features."""
    alt = t("Rows of {name} as points, by class", name=t(scene.dataset.name))
    picture = Chart(scene.classes, alt, alt, key="data_picture", filename="data")
    return [Words(legend(scene)), picture]


def counts(scene: DataScene) -> Chart:
    """Return the sizes of the classes."""
    alt = t("Number of rows of each class")
    return Chart(scene.counts, alt, key="data_counts", filename="classes")


def painted(scene: PaintedScene) -> Chart:
    """Return what a model makes of the painted rows."""
    alt = t("What {title} makes of the painted rows", title=scene.view.title)
    name = {"key": "painted_model", "filename": "painted"}
    return Chart(scene.figure, alt, alt, texts=scene.texts, **name)


def painted_legend(scene: PaintedScene) -> str:
    """Return the signs of the painted classes, for where there is no canvas."""
    return legend_of_classes(class_names_of(scene.dataset), scene.theme, [scene.figure])
