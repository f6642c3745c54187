"""The one sample of the page *rules*, and the smallest change that gives it another class."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal
from lastviz.datasets.column_roles import FIXED, NAMES
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.host.jobs import Job, Working
from lastviz.host.memory import remembered
from lastviz.inspection import Explanation, Flip, explain, leeway_of, nearest, nearest_row
from lastviz.inspection.monotonicity import codes_of
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import NUMBERS, Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.state.link_texts import Hold, read_typed, write_typed
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, t, translate


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample and its path through the tree."""

    row: int | None  # its row of the data; None if the reader typed it
    label: int | None  # its class index, where known
    held_out: bool
    path: Explanation
    x: pd.DataFrame  # its values, a table of one row


def texts_of(selection: Selection, division: Division) -> list[str] | None:
    """Values of the chosen sample as texts, None without one."""
    X = division.X
    if selection.rules.typed:
        return read_typed(selection.rules.typed, X.shape[1])
    if selection.view.highlighted is None or selection.view.highlighted >= len(X):
        return None
    return [value_text(value) for value in X.iloc[selection.view.highlighted]]


def value_text(value: object) -> str:
    """Value as people type it; "" where it is missing."""
    if value is None or value != value:
        return ""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)


def row_name(work: Work, row: int) -> str:
    """Number of a row, counted from one, with its name if a column has names."""
    full, columns = work.data.full, work.columns_with(NAMES)
    name = value_text(full.X[columns[0]].iloc[row]) if columns else ""
    return f"{number(row + 1)} ({name})" if name else number(row + 1)


def with_value(
    selection: Selection, division: Division, feature: int, text: str
) -> dict[str, object]:
    """Changes in the selection after the user types a value of the sample."""
    texts = texts_of(selection, division) or [""] * division.X.shape[1]
    texts[feature] = text
    return {"typed": write_typed(texts), "highlighted": None}


def sample_of(selection: Selection, estimator: TreeClassifier, division: Division) -> Sample | None:
    """Chosen sample, None without one.

    Raises CannotShow if a typed value is none, or one is missing that the tree cannot do without.
    """
    texts = texts_of(selection, division)
    if texts is None:
        return None
    row = None if selection.rules.typed else selection.view.highlighted
    x = division.X.iloc[[row]] if row is not None else _frame(texts, division.X)
    try:
        path = explain(estimator, x)
    except Refusal as reason:
        raise CannotShow(translate(reason)) from reason
    held_out = row is not None and row in set(division.held_out_rows.tolist())
    return Sample(row, None if row is None else int(division.y[row]), held_out, path, x)


def _frame(texts: list[str], X: pd.DataFrame) -> pd.DataFrame:
    """Typed values as a table of one row with the columns of `X`."""
    values = {}
    for (name, column), text in zip(X.items(), texts, strict=True):
        if isinstance(column.dtype, pd.CategoricalDtype):
            known = {str(label): label for label in column.dtype.categories.tolist()}
            values[name] = known.get(text, text) if text else None
            continue
        values[name] = _number(text, name)
    return pd.DataFrame({name: pd.Series([v], dtype=object if v is None or isinstance(v, str)
                                         else None) for name, v in values.items()})  # fmt: skip


def _number(text: str, name: str) -> float:
    """Typed number, NaN for nothing."""
    try:
        value = float(text.replace("\N{MINUS SIGN}", "-")) if text else np.nan
    except ValueError:
        value = np.inf
    if np.isinf(value):
        sentence = "“{text}” is no value of {name}: it takes a number, or nothing if unknown."
        raise CannotShow(t(sentence, text=text, name=name))
    return value


# ---- The smallest change of the sample, and the nearest real row of the class


Answer = tuple[Flip, int, tuple[int, float] | None]
"""The smallest change, the class that it leads to, the nearest row of that class with its way."""


@dataclass(frozen=True, eq=False)
class SampleChange:
    """Change that would give the sample a class."""

    flip: Flip
    # (n_features,) float64, the sample as the model reads it; values that it never asks for may
    # stand in for gaps.
    x: np.ndarray
    known: np.ndarray  # (n_features,) bool, which of them are the sample's own
    predicted: int  # the sample's class and the one that it is to have, by index
    wanted: int  # the sample's class and the one that it is to have, by index
    # The nearest other row of the data that is of the class, and its distance.
    row: tuple[int, float] | None
    path: Explanation | None  # of the changed sample through the tree that is shown
    indicators: tuple[str, ...]  # columns of 0 and 1 for categories, which stay
    plane: tuple[int, int]  # features that may change where the whole is too large to be solved


def change_of(
    work: Work,
    model: TreeClassifier | ForestClassifier,
    shown: TreeClassifier,
    sample: Sample,
    division: Division,
) -> SampleChange | Job | CannotShow:
    """Smallest change for the wanted class, or the reason why it cannot be shown.

    The `model` decides; the paths are those of the tree of it that is `shown`.
    """
    rules = work.selection.rules
    try:
        x, known = _values(work.first.features_tested, sample, division)
        wanted = rules.flip_to, rules.flip_metric, rules.flip_holds, rules.flip_rows
        fixed = tuple(work.first.features_with(FIXED))
        key = (*work.first.cache_key, x.tobytes(), sample.row, *wanted, fixed)
        by_leaves = not isinstance(model, ForestClassifier) and not getattr(
            model, "monotone", False
        )
        plane = (0, 0) if by_leaves else plane_of(work, alone=True).features
        wish = CounterfactualQuery(model, x, sample.row, work, division, plane, fixed)
        if by_leaves:
            found = _flip(key, wish)
        else:
            title = t("The smallest change of the sample")
            found = outcome((*key, plane), title, partial(_in_steps, wish))
    except CannotShow as reason:
        return reason
    except Working as working:
        return working.job
    flip, wanted, row = found
    return SampleChange(
        flip=flip,
        x=x,
        known=known,
        predicted=wish.predicted,
        wanted=wanted,
        row=row,
        path=explain(shown, flip.point) if flip.found else None,
        indicators=wish.indicators,
        plane=plane,
    )


def changed_sample(change: SampleChange, division: Division) -> dict[str, object]:
    """Changes in the selection to show the changed sample instead."""
    texts = []
    for value, known, own in zip(change.flip.point, division.categories, change.known, strict=True):
        if not own:
            texts.append("")
        elif known is not None:
            texts.append(str(known[int(value)]))
        else:
            texts.append(repr(float(value)).removesuffix(".0"))
    return {"typed": write_typed(texts), "highlighted": None}


# A category can stay, but neither rise nor fall.
def held_features(selection: Selection, division: Division) -> dict[str, Hold]:
    """User's constraints on the columns that the algorithm reads, by name."""
    kinds = dict(zip(division.X.columns, division.categories, strict=True))
    return {
        hold.feature: hold
        for hold in selection.rules.flip_holds
        if hold.feature in kinds and (hold.how == "stays" or kinds[hold.feature] is None)
    }


def data_ranges(work: Work, division: Division) -> dict[str, tuple[float, float]]:
    """Smallest and the largest known value of each column, by name."""
    ranges = _columns(work, division)[0].tolist()
    return dict(zip(division.X, map(tuple, ranges), strict=True))


def _columns(work: Work, division: Division) -> tuple[np.ndarray, tuple[int, ...]]:
    """Ranges of the columns, (n_features, 2), and which hold whole numbers alone."""
    return _columns_of((*work.division_key, division.form), division)


@remembered
def _columns_of(key: Key, division: Division) -> tuple[np.ndarray, tuple[int, ...]]:
    values = division.values
    known = np.isfinite(values)
    low = np.where(known, values, np.inf).min(axis=0)
    high = np.where(known, values, -np.inf).max(axis=0)
    ranges = np.where(known.any(axis=0), [low, high], 0.0).T
    is_integer = (~known | (values == np.round(values))).all(axis=0)
    return ranges, tuple(np.flatnonzero(is_integer).tolist())


class CounterfactualQuery:
    """Query for :func:`lastviz.inspection.nearest`."""

    def __init__(
        self,
        model: TreeClassifier | ForestClassifier,
        x: np.ndarray,
        row: int | None,
        work: Work,
        division: Division,
        plane: tuple[int, int],
        fixed: tuple[int, ...],
    ) -> None:
        self.model, self.x, self.row = model, x, row
        self.division, self.plane, self.fixed = division, plane, fixed
        self.rules = work.selection.rules
        self.predicted = int(codes_of(model, x[None, :])[0])
        self.names = list(division.X.columns)
        self.indicators = _indicators(work, division)
        self.data_ranges, self.integers = _columns(work, division)
        self.n_classes = len(model.classes_)

    def leeway(self, *, held: bool) -> dict[str, object]:
        """Metric, prices and, if `held`, the limits on changes."""
        width = np.ptp(self.data_ranges, axis=1)
        nominal = np.array([known is not None for known in self.division.categories])
        prices = np.where((width > 0) & ~nominal, 1.0 / np.where(width > 0, width, 1.0), 1.0)
        about: dict[str, object] = {"metric": self.rules.flip_metric, "weights": prices}
        if not held:
            return about
        ranges, directions = self.data_ranges.copy(), np.zeros(len(self.x), dtype=np.intp)
        fixed = [*self.fixed, *(self.names.index(name) for name in self.indicators)]
        for hold in self.rules.flip_holds:
            if hold.feature not in self.names:
                continue
            place = self.names.index(hold.feature)
            if hold.how == "stays":
                fixed.append(place)
            elif hold.how == "within":
                ranges[place] = hold.low, hold.high
            else:
                directions[place] = 1 if hold.how == "rises" else -1
        return about | {"ranges": ranges, "directions": directions, "fixed": fixed}

    def flip_to(self, wanted: int) -> Flip:
        """Smallest change to a class."""
        return nearest(
            self.model,
            self.x,
            wanted,
            whole=self.integers,
            min_samples=self.rules.flip_rows,
            rows=self.division.values,
            plane=self.plane,
            **self.leeway(held=True),
        )

    def answer(self) -> Answer:
        """Smallest change, its class, and the nearest row of that class."""
        flip, wanted = self._smallest()
        return flip, wanted, self._row_of(wanted)

    def _smallest(self) -> tuple[Flip, int]:
        """Smallest change to the wanted class, or to the nearest of all others."""
        if self.rules.flip_to is not None and self.rules.flip_to < self.n_classes:
            return self.flip_to(self.rules.flip_to), self.rules.flip_to
        others = [k for k in range(self.n_classes) if k != self.predicted]
        if isinstance(self.model, ForestClassifier):
            votes = self.model.votes_of_checked(self.x[None, :]).votes[0]
            others = [max(others, key=lambda k: votes[k])]
        found = [(self.flip_to(k), k) for k in others]
        return min(found, key=lambda pair: pair[0].distance)

    def _row_of(self, wanted: int) -> tuple[int, float] | None:
        """Nearest other row of the data of a class, whatever may change."""
        division = self.division
        among = division.y == wanted
        if self.row is not None:
            among[self.row] = False
        leeway = leeway_of(self.x, division.categories, **self.leeway(held=False))
        found = nearest_row(leeway, division.values, among)
        return found[0] if found else None


@remembered
def _flip(key: Key, wish: CounterfactualQuery) -> Answer:
    return wish.answer()


def _in_steps(wish: CounterfactualQuery) -> Generator[float, None, Answer]:
    """Solve for a forest, which takes seconds."""
    yield 0.0
    return wish.answer()


def _indicators(work: Work, division: Division) -> tuple[str, ...]:
    """Columns of 0 and 1 that stand for categories."""
    if division.form != NUMBERS:
        return ()
    numeric = set(work.dataset.numeric_X.columns)
    return tuple(name for name in division.X.columns if name not in numeric)


def _values(tested: set[int], sample: Sample, division: Division) -> tuple[np.ndarray, np.ndarray]:
    """Sample's values as the model reads them, and which are its own.

    `tested` are the features that it looks at: the others may be unknown.

    Raises CannotShow if a value that some test asks for is unknown.
    """
    codes = []
    for name, known in zip(division.X.columns, division.categories, strict=True):
        value = sample.x[name].iloc[0]
        if value is None or value != value:
            codes.append(np.nan)
        elif known is None:
            codes.append(float(value))
        else:
            codes.append(float(known.index(value)) if value in known else np.nan)
    x = np.array(codes)
    own = np.isfinite(x)
    missing = [f for f in np.flatnonzero(~own).tolist() if f in tested]
    if missing:
        sentence = (
            "{name} of this sample is unknown: how far it is from another class cannot be said. "
            "Type a value."
        )
        raise CannotShow(t(sentence, name=division.X.columns[missing[0]]))
    return np.where(own, x, 0.0), own
