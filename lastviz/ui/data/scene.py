"""What the page *data* shows, worked out before any of it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from lastviz.datasets import Dataset
from lastviz.datasets.report import Report
from lastviz.plots import Drawing, ThemeName
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Selection

from .figures import classes_figure, counts_figure
from .report import report_of


@dataclass(frozen=True, eq=False)
class DataScene:
    """All that the page shows.

    Attributes
    ----------
    selection : Selection
    theme : {"light", "dark"}
    full, dataset, plain : Dataset
        Before and after the selection's steps; `plain` without labels.
    n_learnt, n_held_out : int
        Rows to learn from and rows held out.
    classes, counts : plotly Figure or None
        The classes in the numeric features and their sizes; None where there are none.
    report : Report or None
        A first look at the data before any step; None of what a generator makes.
    """

    selection: Selection
    theme: ThemeName
    full: Dataset
    dataset: Dataset
    plain: Dataset
    n_learnt: int
    n_held_out: int
    classes: Drawing | None
    counts: Drawing | None
    report: Report | None


def scene_of(selection: Selection, theme: ThemeName) -> DataScene:
    """Work out what a selection asks for."""
    loaded = cache.data(selection)
    dataset, divided = loaded.dataset, cache.division(selection)
    has_classes = not dataset.is_regression
    return DataScene(
        selection=selection,
        theme=theme,
        full=loaded.full,
        dataset=dataset,
        plain=loaded.plain,
        n_learnt=len(divided.train_rows),
        n_held_out=len(divided.held_out_rows),
        classes=classes_figure(selection, theme) if has_classes else None,
        counts=counts_figure(dataset, theme) if has_classes else None,
        report=report_of(selection, loaded.full),
    )
