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
    """All that the page shows."""

    selection: Selection
    theme: ThemeName  # {"light", "dark"}
    full: Dataset  # before and after the selection's steps; `plain` without labels
    dataset: Dataset  # before and after the selection's steps; `plain` without labels
    plain: Dataset  # before and after the selection's steps; `plain` without labels
    n_learnt: int  # rows to learn from and rows held out
    n_held_out: int  # rows to learn from and rows held out
    # classes, counts: plotly Figure or None, the classes in the numeric features and their sizes;
    # None where there are none
    classes: Drawing | None
    counts: Drawing | None
    # A first look at the data before any step; None of what a generator makes.
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
