"""Which algorithm can learn from which data, from the algorithm's tags."""

from __future__ import annotations

from lastviz.datasets import Dataset
from lastviz.estimators import EstimatorEntry

from .text import t

__all__ = ["obstacle"]


def obstacle(entry: EstimatorEntry, dataset: Dataset) -> str | None:
    """Return why the algorithm cannot learn from these data, None if it can."""
    tags, title = entry.cls.TAGS, entry.title
    if tags.forest:
        return t("{title} grows a forest; this page shows single trees.", title=title)
    nominal = [column for column, kind in dataset.kinds.items() if kind == "nominal"]
    if nominal and not tags.nominal:
        return t(
            "{title} needs numbers, but “{column}” is nominal.", title=title, column=nominal[0]
        )
    if dataset.has_missing and not tags.missing:
        missing = dataset.X.columns[dataset.X.isna().any()][0]
        return t(
            "{title} needs all values, but “{column}” lacks some.", title=title, column=missing
        )
    if tags.ordered_classes and not dataset.ordered:
        return t("{title} needs classes in an order with a meaning.", title=title)
    if tags.max_classes is not None and dataset.n_classes > tags.max_classes:
        return t("{title} takes at most {n} classes.", title=title, n=tags.max_classes)
    return None
