"""Missing parts of a scene: a file, a data set to fetch, rows to learn from."""

from __future__ import annotations

from inspect import signature

from lastviz.criteria import CRITERIA
from lastviz.datasets import PAINTED, Dataset, all_datasets, openml_number
from lastviz.datasets.painted import EMPTY_PAINTING, Painting
from lastviz.estimators import (
    ESTIMATORS,
    EstimatorEntry,
    ForestClassifier,
    TreeClassifier,
    entry_of,
    is_imported,
    takes_levels,
)
from lastviz.estimators.columns import MOST_CATEGORIES
from lastviz.host.store import Upload
from lastviz.tree import Missing
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import join_names, list_names, number, t

from . import uploads
from .data import MOST_VALUES


def missing_file(selection: Selection) -> Upload | None:
    """File that the selection is about and that this session does not hold."""
    if missing_set(selection) is not None or painting_lacks(selection) is not None:
        return None
    return selection.upload if available(selection) is not selection else None


def painting_lacks(selection: Selection) -> str | None:
    """Reason why the painting cannot be learnt, None if it can."""
    if selection.data != PAINTED:
        return None
    painting = Painting.parse(selection.painted) if selection.painted else EMPTY_PAINTING
    return painting.obstacle


def missing_set(selection: Selection) -> int | None:
    """Number of the data set of OpenML that is to be fetched first."""
    number = openml_number(selection.data)
    return number if number is not None and selection.data not in all_datasets() else None


def available(selection: Selection) -> Selection:
    """Selection, or one of the first scene's data if its own are not here."""
    if missing_set(selection) is not None or painting_lacks(selection) is not None:
        return selection.change(data=DEFAULT.data)
    if selection.upload is None or uploads.content(selection.upload) is not None:
        return selection
    return selection.change(data=DEFAULT.data, upload=None)


# ---- Which algorithm can learn from which data, from the algorithm's tags


MOST_NAMED = 4  # columns
MOST_INDICATORS = 100  # columns of 0 and 1; more would fill the memory


# An indicator is a column of 0 and 1 for each value.
def indicators_fit(dataset: Dataset) -> bool:
    """Whether nominal columns may be read as indicators."""
    n = dataset.n_indicators
    return n <= MOST_INDICATORS and n * dataset.n_samples <= MOST_VALUES


def obstacle(
    entry: EstimatorEntry,
    dataset: Dataset,
    params: tuple[tuple[str, object], ...] = (),
    *,
    allow_ensembles: bool = False,
    of_trees: bool = False,
) -> str | None:
    """Reason why the algorithm cannot learn these data or be shown, or None.

    `params` are the (name, value) pairs that differ from the defaults; `allow_ensembles` says
    that what decides is shown, too, where it is more than the leaves of one tree; `of_trees` that
    a tree of a forest that votes is.
    """
    tags, title = entry.cls.TAGS, entry.title
    votes = of_trees and not getattr(entry.cls, "adds_scores", False)
    if tags.forest and not (allow_ensembles or votes):
        return t(
            "{title} grows a forest, and this page is about single trees; the page Boundaries "
            "shows forests.",
            title=title,
        )
    if dict(params).get("monotone") and not (allow_ensembles or of_trees):
        return t(
            "With “{option}”, {title} no longer predicts by its leaves, which this page shows; "
            "switch it off.",
            title=title,
            option=t("Truly monotone"),
        )
    if tags.nominal:
        reason = _too_many_values(title, tags.max_values, dataset)
        if reason is not None:
            return reason
    nominal = [column for column, kind in dataset.kinds.items() if kind == "nominal"]
    if nominal and tags.indicators and not indicators_fit(dataset):
        return _too_many_indicators(title, dataset)
    if nominal and not (tags.nominal or tags.indicators):
        return t(
            "{title} needs numbers, but “{column}” is nominal.", title=title, column=nominal[0]
        )
    if dataset.has_missing and not tags.missing:
        return _lacks(title, dataset)
    if tags.ordered_classes and not dataset.ordered:
        return t("{title} needs classes in an order with a meaning.", title=title)
    return None


def crowded_column(entry: EstimatorEntry, dataset: Dataset) -> str | None:
    """Numeric column with more values than the algorithm makes branches, else None."""
    most = entry.cls.TAGS.max_values
    if most is None:
        return None
    numeric = (column for column, kind in dataset.kinds.items() if kind == "numeric")
    return next((column for column in numeric if dataset.n_values[column] > most), None)


def _lacks(title: str, dataset: Dataset) -> str:
    counts = dataset.X.isna().sum()
    column = counts.index[counts.to_numpy() > 0][0]
    return t(
        "{title} cannot use missing values, and “{column}” has {n}. These algorithms can: "
        "{others}; or leave the column out.",
        title=title,
        column=column,
        n=number(int(counts[column])),
        others=t(", ").join(t(e.title) for e in ESTIMATORS.values() if e.cls.TAGS.missing),
    )


def _too_many_indicators(title: str, dataset: Dataset) -> str:
    n = dataset.n_indicators
    if n > MOST_INDICATORS:
        return t(
            "{title} reads a nominal column as one column for each value, at most {most} in all; "
            "these data would need {n}.",
            title=title,
            most=MOST_INDICATORS,
            n=n,
        )
    return t(
        "{title} reads a nominal column as one column for each value: {n} columns of {rows} rows "
        "are more than the {most} values that the app works with; leave out nominal columns.",
        title=title,
        n=n,
        rows=number(dataset.n_samples),
        most=number(MOST_VALUES),
    )


def _too_many_values(title: str, most: int | None, dataset: Dataset) -> str | None:
    """Sentence on a column with more values than the algorithm has branches, or None."""
    for column, kind in dataset.kinds.items():
        n = dataset.n_values[column]
        if kind != "numeric" and n > MOST_CATEGORIES:
            return t(
                "“{column}” is not used as it is: it has {n} different values, and a nominal "
                "column may have {most}. Leave it out on the page Data.",
                column=column,
                n=number(n),
                most=number(MOST_CATEGORIES),
            )
        if kind == "numeric" and most is not None and n > most:
            return t(
                "{title} makes a branch of every value, but “{column}” has {n} different ones, "
                "more than {most}. Choose an algorithm that finds thresholds, leave the column "
                "out, or cut it into intervals.",
                title=title,
                column=column,
                n=number(n),
                most=number(most),
            )
    return None


# It is that only held-out rows lack values.
def lost_rows(estimator: TreeClassifier | ForestClassifier, has_missing: bool) -> str | None:
    """Reason why rows cannot be routed, None if they can."""
    tree = getattr(estimator, "tree_", None)
    if not has_missing or tree is None or tree.missing != Missing.REFUSE:
        return None
    return t(
        "Only rows that are held out lack values, so this tree has not learnt where to send them. "
        "Another seed divides the rows otherwise."
    )


def criteria_for(dataset: Dataset) -> tuple[str, ...]:
    """Criteria that mean something on these data: some need an order of the classes."""
    return tuple(name for name, c in CRITERIA.items() if dataset.ordered or not c.ordered_classes)


# Data without any direction leave the algorithm its default: the class rises with all.
def known_of_data(entry: EstimatorEntry, dataset: Dataset) -> dict[str, object]:
    """Parameters by which the algorithm receives facts known about the data."""
    columns, known = dataset.numeric_X.columns, {}
    if "monotonic_cst" in entry.cls.OTHER_PARAMS and any(dataset.directions.values()):
        known["monotonic_cst"] = [dataset.directions[c] for c in columns]
    levels = [i for i, c in enumerate(columns) if dataset.kinds[c] == "ordinal"]
    if levels and takes_levels(entry.cls):
        known["categorical_features"] = levels
    return known


def reading(entry: EstimatorEntry, dataset: Dataset) -> str | None:
    """Sentence on the algorithm's use of nominal columns, None if there is none."""
    nominal = [column for column, kind in dataset.kinds.items() if kind == "nominal"]
    if (
        dataset.is_regression
        or not nominal
        or not entry.cls.TAGS.indicators
        or obstacle(entry, dataset) is not None
    ):
        return None
    first = f"{nominal[0]} = {dataset.orders[nominal[0]][0]}"
    return t(
        "{title} needs numbers: {columns} became {n} columns of 0 and 1, one for each value, "
        "such as “{first}”.",
        title=entry.title,
        columns=list_names([f"“{column}”" for column in nominal], MOST_NAMED),
        n=dataset.n_indicators,
        first=first,
    )


def weighing(selection: Selection, dataset: Dataset) -> list[str]:
    """Sentences on the algorithms that weight rows, and on the figures affected."""
    if dataset.is_regression:
        is_own = is_imported(selection.models[0].key)
        entries = [] if is_own else [entry_of(selection.regressor.key)]
    else:
        keys = dict.fromkeys(m.key for m in selection.models if not is_imported(m.key))
        entries = [entry_of(key) for key in keys]
    takers = [t(entry.title) for entry in entries if takes_weights(entry.cls)]
    others = [t(entry.title) for entry in entries if not takes_weights(entry.cls)]
    sentences = []
    if takers:
        sentence = (
            "Rows count by their weights for {names}: there, rows, shares and training errors of "
            "nodes are sums of weights. Accuracies count every row once."
        )
        sentences.append(t(sentence, names=join_names(takers)))
    if others:
        sentences.append(
            t("No weights for {names}: every row counts once there.", names=join_names(others))
        )
    return sentences


def takes_weights(cls: type) -> bool:
    """Whether an algorithm can let rows count more or less often than once."""
    return "sample_weight" in signature(cls.fit).parameters
