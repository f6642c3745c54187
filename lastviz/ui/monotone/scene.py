"""The page *monotone*: rows in order and those that break it, the audit of a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria.rank import orient
from lastviz.datasets import Dataset
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection import (
    CounterExample,
    MonotonicityAudit,
    Scores,
    Violations,
    has_thresholds,
    scores,
    single_step,
    widest_example,
)
from lastviz.plots import Points, side_by_side
from lastviz.plots.visuals.plane_axes import spread_out
from lastviz.plots.visuals.words import numbers_of
from lastviz.tree import LeafBoxes, leaf_boxes
from lastviz.ui.compute import monotone
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of, predictions_of
from lastviz.ui.text import t

Texts = tuple[list[str] | None, list[str] | None]

MOST_ROWS = 2000  # in a picture
MOST_SEGMENTS = 300  # in a picture: more would be a grey sheet
MOST_LISTED = 1000  # in the table


@dataclass(frozen=True, eq=False)
class OrderScene:
    """The rows of the data as an ordered set."""

    work: Work  # what the scene is of
    dataset: Dataset
    class_names: tuple[str, ...]
    X: np.ndarray  # (n_rows, n_features), the numeric features of the rows without missing values
    y: np.ndarray  # (n_rows,) intp
    rows: np.ndarray  # (n_rows,) intp, which rows of the data they are
    names: tuple[str, ...]  # of the features
    directions: np.ndarray  # (n_features,) intp
    found: Violations
    threshold: float  # inclusion degree below which rows are marked
    # Features on the horizontal and the vertical axis; the same twice if there is only one.
    axes: tuple[int, int]

    @property
    def listed(self) -> np.ndarray:
        """Pairs of the table, shape (n, 2), as positions in `rows`.

        They are all pairs that were found, or evenly sampled ones.

        The first of a pair is the lower row.
        """
        return _evenly(self.found.pairs, MOST_LISTED)

    @property
    def drawn_pairs(self) -> np.ndarray:
        """The pairs that are drawn as segments (n, 2)."""
        return _evenly(self.listed, MOST_SEGMENTS)

    @property
    def picked(self) -> np.ndarray | None:
        """The pair that the reader picked in the table (2,), None if there is none."""
        place, listed = self.work.selection.monotone.pair, self.listed
        return listed[place] if place is not None and place < len(listed) else None

    @property
    def below(self) -> np.ndarray:
        """Whether a row's inclusion degree is below the threshold, shape (n_rows,)."""
        return self.found.inclusion < self.threshold

    @property
    def n_inconsistent(self) -> int:
        """Number of rows that some row contradicts from above."""
        return int(np.count_nonzero(self.found.n_contradicting))

    @property
    def subject(self) -> int:
        """Row of the formula: the highlighted one, else the least consistent."""
        marked = self.work.selection.view.highlighted
        here = np.flatnonzero(self.rows == (-1 if marked is None else marked))
        return int(here[0]) if len(here) else int(np.argmin(self.found.inclusion))

    # Row `i` itself counts.
    def n_above(self, i: int) -> tuple[int, int]:
        """Number of rows that dominate row `i`, and of those that also do so in class."""
        columns = orient(self.X, self.directions)
        above = (columns >= columns[i]).all(axis=1)
        return int(np.count_nonzero(above)), int(np.count_nonzero(above & (self.y >= self.y[i])))

    def ends(self, pairs: np.ndarray) -> np.ndarray:
        """Places (x, y, x, y) of pairs of rows in the plane, (n, 4)."""
        x, y = self.places()
        i, j = np.reshape(pairs, (-1, 2)).T
        return np.column_stack([x[i], y[i], x[j], y[j]])

    # A single feature is spread out along the other axis.
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the rows in the plane."""
        x, y = self.X[:, self.axes].T
        return x, y if self.axes[0] != self.axes[1] else spread_out(len(x))

    def drawn(self) -> np.ndarray:
        """Positions in `rows` of the drawn rows: all, or a sample that includes the pairs."""
        some = np.linspace(0, len(self.y) - 1, min(len(self.y), MOST_ROWS)).astype(np.intp)
        picked = () if self.picked is None else self.picked
        return np.unique(np.r_[some, self.drawn_pairs.ravel(), np.asarray(picked, dtype=np.intp)])

    def points(self, drawn: np.ndarray, *, ringed: bool) -> Points:
        """Drawn rows; `ringed`: with rings around those below the threshold."""
        x, y = self.places()
        nothing = np.zeros(len(drawn), dtype=bool)
        wrong = self.below[drawn] if ringed else nothing
        return Points(x[drawn], y[drawn], self.y[drawn], nothing, wrong, self.rows[drawn] + 1)


# The texts are those of :class:`lastviz.plots.Points`, None for an axis that stays.
def without_overlaps(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, Texts]:
    """Drawn positions of rows, side by side if many coincide, and their texts."""
    places = side_by_side(x, y)
    texts = (
        None if moved is None else numbers_of(values, values.tolist())
        for values, moved in zip((x, y), places, strict=True)
    )
    x, y = (old if new is None else new for old, new in zip((x, y), places, strict=True))
    return x, y, tuple(texts)


def _evenly(pairs: np.ndarray, most: int) -> np.ndarray:
    return pairs[np.linspace(0, len(pairs) - 1, min(len(pairs), most)).astype(np.intp)]


def obstacle_of(work: Work) -> str | None:
    """Reason why the selected data have no order, None if they have one."""
    dataset = work.dataset
    if work.selection.one is not None:
        return t("One class against the rest has no order; choose all classes on the page Data.")
    if not dataset.ordered:
        return t(
            "These classes have no order: monotone means that the class never falls where the "
            "features rise, so say first which class is low and which is high."
        )
    if not dataset.numeric_X.shape[1]:
        return t("No feature is numeric, so rows cannot be ordered; choose other columns or data.")
    if not len(monotone.comparable_rows(work)):
        return t("Every row has a missing value, so none can be compared; choose other columns.")
    return None


def axes_of(work: Work, names: tuple[str, ...]) -> tuple[int, int]:
    """Features on the axes: the reader's, else the two that go with the class most."""
    if work.selection.view.axes is not None and set(work.selection.view.axes) <= set(names):
        return names.index(work.selection.view.axes[0]), names.index(work.selection.view.axes[1])
    if len(names) <= 2:
        return 0, len(names) - 1
    tau = np.abs(monotone.suggested_directions(work).tau)
    first, second = sorted(np.argsort(-tau, kind="stable")[:2].tolist())
    return first, second


def order_scene(work: Work) -> OrderScene:
    """Compute the order scene of the selection.

    Raises
    ------
    Working
        If counting takes long or was cancelled.
    """
    dataset = work.dataset
    names = tuple(dataset.numeric_X.columns)
    rows = monotone.comparable_rows(work)
    return OrderScene(
        work=work,
        dataset=dataset,
        class_names=class_names_of(dataset),
        X=dataset.numeric_X.to_numpy()[rows],
        y=dataset.codes[rows],
        rows=rows,
        names=names,
        directions=monotone.directions(work),
        found=monotone.contradictions(work),
        threshold=work.selection.monotone.inclusion,
        axes=axes_of(work, names),
    )


@dataclass(frozen=True, eq=False)
class AuditScene:
    """Model and the results of its audit."""

    work: Work  # what the scene is of
    division: Division  # all rows, those learnt from and those held out
    title: str
    estimator: TreeClassifier | ForestClassifier
    audit: MonotonicityAudit
    # The counter-example as it is drawn: where leaves decide, that with the widest gap between its
    # classes; in more than two features along one of them.
    example: CounterExample | None
    boxes: LeafBoxes | None  # the leaves of a tree whose leaves decide
    axes: tuple[int, int]  # features of the plane; the same twice if there is only one
    names: tuple[str, ...]  # of the features
    class_names: tuple[str, ...]
    held_out: Scores
    training: Scores

    @property
    def wrong(self) -> np.ndarray:
        """Whether the model misclassifies each row, shape (n_rows,)."""
        return predictions_of(self.work.first) != self.division.y

    def leaf_of(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Lower and the upper corner of the leaf that holds a point."""
        if self.boxes is None:
            return None
        inside = (self.boxes.low < point) & (point <= self.boxes.high)
        i = int(np.flatnonzero(inside.all(axis=1))[0])
        return self.boxes.low[i], self.boxes.high[i]


def audit_scene(work: Work) -> AuditScene:
    """Compute the audit scene of the selection.

    Raises
    ------
    ValueError, Working
        As :attr:`.ModelWork.fitted`; or if the audit takes long.
    """
    estimator = work.first.fitted_any.estimator
    audit = monotone.audit(work.first)
    example = audit.counter_example
    if audit.method == "boxes":
        example = widest_example(estimator.tree_, audit)
    if example is not None and len(example.below) > 2:
        example = single_step(estimator, example)
    divided = work.first.division
    names = tuple(divided.X.columns)
    single = isinstance(estimator, TreeClassifier) and has_thresholds(estimator)
    decides = single and not getattr(estimator, "monotone", False)
    label, n_classes = predictions_of(work.first), work.dataset.n_classes
    held_out, training = (
        scores(divided.y[rows], label[rows], n_classes)
        for rows in (divided.held_out_rows, divided.train_rows)
    )
    return AuditScene(
        work=work,
        division=divided,
        title=work.first.title,
        estimator=estimator,
        audit=audit,
        example=example,
        boxes=leaf_boxes(estimator.tree_) if decides else None,
        axes=_axes(work, names, example),
        names=names,
        class_names=class_names_of(work.dataset),
        held_out=held_out,
        training=training,
    )


def _axes(work: Work, names: tuple[str, ...], example: CounterExample | None) -> tuple[int, int]:
    """Features of the plane; in many dimensions the one of the step is among them."""
    axes = axes_of(work, names)
    if example is None or len(names) <= 2:
        return axes
    step = int(np.flatnonzero(example.below != example.above)[0])
    return axes if step in axes else tuple(sorted((step, axes[0])))
