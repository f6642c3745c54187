"""The story of an SVM tree: the class separated at each node, the machine, and the price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lastviz.estimators import SVMTreeClassifier
from lastviz.splitters import KernelSplitter, Parting
from lastviz.tree import Tree

BOUND = 1 - 1e-9  # share of C from which a multiplier counts as bound


@dataclass(frozen=True, eq=False)
class MachineView:
    """Properties of the machine of a node."""

    # Width of the band between f = -1 and f = +1 in kernel space, 2 / |w|; infinite if w = 0.
    margin: float
    support: np.ndarray  # (n_support,) intp, training rows that carry the boundary
    # (n_support,) bool, those whose multiplier is C: inside the margin or on the wrong side.
    bound: np.ndarray
    n_training: int  # rows that it learned from: all those of the classes in play
    n_wrong: int  # those of them on the wrong side
    slack: float  # sum of `max(0, 1 - t f(x))` over them
    # Distinct support vectors that a prediction which passes here has met so far.
    kernel_evaluations: int
    intercept: float
    converged: bool  # False: the limit of iterations ended the training, the machine is not optimal
    n_iter: int

    @property
    def training_error(self) -> float:
        """Share of the rows that it learned from on the wrong side."""
        return self.n_wrong / self.n_training


@dataclass(frozen=True, eq=False)
class SeparabilityStep:
    """One inner node: the classes in play, how separable they are, which of them part."""

    node: int  # in the grown tree
    # (n_classes,) bool, classes in play; rows and columns of the others are masked.
    live: np.ndarray
    # (n_classes, n_classes), separability, NaN where masked, infinite on the diagonal.
    matrix: np.ndarray
    # (n_classes,), the smallest entry of each row, eq (5); NaN where masked.
    separability: np.ndarray
    nearest: np.ndarray  # (n_classes,) intp, the class to which that entry belongs; -1 where masked
    # The class pair whose entry decided: of the class peeled off and its nearest, or the closest
    # pair between two groups.
    pair: tuple[int, int]
    tied: np.ndarray  # (n_classes,) bool, classes whose separability ties with the largest
    tie_rule_used: bool  # whether the next smallest entries, or the class index, had to decide
    # first, second: classes of the two children; `first` is the class peeled off, or a group
    first: tuple[int, ...]
    second: tuple[int, ...]
    parting: Parting  # the whole choice: columns, stages and, for groups, the merges
    machine: MachineView


@dataclass(frozen=True, eq=False)
class SeparabilitySteps:
    """All steps of an SVM tree, in the order in which its nodes were split."""

    steps: tuple[SeparabilityStep, ...]
    # What the matrices hold: "separability", "separability_input" or "centre_distance". Only the
    # ranking of its values means something.
    column: str
    # (n_steps, n_samples), f of each row under the machine of each step, reached or not.
    decided: np.ndarray
    reached: np.ndarray  # (n_steps, n_samples) bool, whether the row comes to the step's node
    # (n_samples,) intp, the node whose machine sent a row away from its class; -1 for rows that are
    # right, and the leaf itself where several classes are still in play.
    lost_at: np.ndarray


def separability(
    estimator: SVMTreeClassifier,
    X: ArrayLike,
    y: ArrayLike,
    *,
    rows: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> SeparabilitySteps:
    """Steps in which an SVM tree parted the classes.

    Parameters
    ----------
    estimator : SVMTreeClassifier
        Fitted.
    X, y : array-like
        The very data that it was fitted on.
    rows, labels : array-like, optional
        Other rows and their classes for `decided`, `reached` and `lost_at`: held-out ones,
        for example. The training rows if not given.

    Raises
    ------
    ValueError
        If the estimator is no SVM tree, the data are not those of the fit, or only one of
        `rows` and `labels` is given.

    Notes
    -----
    Nothing is trained again. O(n_samples n_support n_features), and once more the separability
    of all classes.
    """
    if not isinstance(estimator, SVMTreeClassifier):
        raise ValueError(f"estimator must be an SVMTreeClassifier, got {type(estimator).__name__}")
    if (rows is None) != (labels is None):
        raise ValueError("rows and labels must be given together")
    tree = estimator.grown_tree_
    values, codes = _rows_of(estimator, X, y, "y")
    _check_training(tree, values, codes)
    splitter = estimator.splitter(X, y)
    trained = tree.kernel.decide(values)
    if rows is None:
        decided, labels_of = trained, codes
    else:
        X_rows, labels_of = _rows_of(estimator, rows, labels, "labels")
        decided = tree.kernel.decide(X_rows)
    inner = np.flatnonzero(tree.n_children > 0)
    live = tree.live_classes()
    steps = [_step(estimator, splitter, int(n), live[n], trained, codes) for n in inner]
    split_rows = tree.split_row[inner]
    reached, lost_at = _routes(tree, live, decided, labels_of)
    return SeparabilitySteps(
        steps=tuple(steps),
        column=splitter.column,
        decided=decided.T[split_rows],
        reached=reached[inner],
        lost_at=lost_at,
    )


def _rows_of(
    estimator: SVMTreeClassifier, X: ArrayLike, y: ArrayLike, name: str
) -> tuple[np.ndarray, np.ndarray]:
    values = np.ascontiguousarray(X, dtype=np.float64)
    labels = np.asarray(y)
    if values.ndim != 2 or values.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X must have {estimator.n_features_in_} columns, got {values.shape}")
    known = np.isin(labels, estimator.classes_)
    if len(labels) != len(values) or not known.all():
        raise ValueError(f"{name} must give each row one of the classes of the fit")
    return values, np.searchsorted(estimator.classes_, labels)


def _check_training(tree: Tree, values: np.ndarray, codes: np.ndarray) -> None:
    counts = np.bincount(codes, minlength=tree.value.shape[1])
    table = tree.kernel
    same = np.array_equal(counts, tree.value[0])
    if not same or not np.array_equal(table.scaling.apply(values[table.rows]), table.vectors):
        raise ValueError("X and y must be the data that the estimator was fitted on")


def _step(
    estimator: SVMTreeClassifier,
    splitter: KernelSplitter,
    node: int,
    live: np.ndarray,
    decided: np.ndarray,
    codes: np.ndarray,
) -> SeparabilityStep:
    parting = splitter.part(np.flatnonzero(live))
    row = estimator.grown_tree_.split_row[node]  # what was forced by hand differs from `parting`
    kernel = estimator.grown_tree_.kernel
    first, second = (np.flatnonzero(each[row]) for each in (kernel.first, kernel.second))
    peeling, k = parting.peeling, len(live)
    separability, nearest = np.full(k, np.nan), np.full(k, -1)
    tied = np.zeros(k, dtype=bool)
    separability[live], nearest[live], tied[live] = (
        peeling.separability, peeling.nearest, peeling.tied,
    )  # fmt: skip
    between = splitter.matrix[np.ix_(first, second)]
    one, two = np.unravel_index(int(between.argmin()), between.shape)
    return SeparabilityStep(
        node=node,
        live=live,
        matrix=np.where(live[:, None] & live[None], splitter.matrix, np.nan),
        separability=separability,
        nearest=nearest,
        pair=(int(first[one]), int(second[two])),
        tied=tied,
        tie_rule_used=parting.rule.stages[-1].column == "tie_order" and peeling.tie_rule_used,
        first=tuple(first.tolist()),
        second=tuple(second.tolist()),
        parting=parting,
        machine=_machine(estimator, node, (first, second), decided, codes),
    )


def _machine(
    estimator: SVMTreeClassifier,
    node: int,
    halves: tuple[np.ndarray, np.ndarray],
    decided: np.ndarray,
    codes: np.ndarray,
) -> MachineView:
    tree = estimator.grown_tree_
    table, row = tree.kernel, int(tree.split_row[node])
    here = table.entries(row)
    coef, support = table.dual_coef[here], table.rows[table.index[here]]
    f, intercept = decided[:, row], float(table.intercept[row])
    norm = np.sqrt(max(float(coef @ (f[support] - intercept)), 0.0))
    learned = np.isin(codes, np.concatenate(halves))
    side = f[learned] * np.where(np.isin(codes[learned], halves[0]), 1.0, -1.0)
    positive = np.isin(codes[learned], halves[0])
    path = [int(tree.split_row[n]) for n in tree.path(node)]
    met = np.concatenate([table.index[table.entries(s)] for s in path])
    return MachineView(
        margin=2.0 / norm if norm > 0 else np.inf,
        support=support,
        bound=np.abs(coef) >= BOUND * estimator.C_,
        n_training=int(learned.sum()),
        n_wrong=int(np.count_nonzero((f[learned] > 0) != positive)),
        slack=float(np.maximum(0.0, 1.0 - side).sum()),
        kernel_evaluations=len(np.unique(met)),
        intercept=intercept,
        converged=bool(table.converged[row]),
        n_iter=int(table.n_iter[row]),
    )


def _routes(
    tree: Tree, live: np.ndarray, decided: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Samples at each node (n_nodes, n), and the node where each wrong one was lost."""
    reached = np.zeros((tree.n_nodes, len(codes)), dtype=bool)
    reached[0] = True
    lost_at = np.full(len(codes), -1, dtype=np.intp)
    for node in range(tree.n_nodes):
        if tree.is_leaf(node):
            wrong = reached[node] & (codes != tree.prediction[node]) & live[node, codes]
            lost_at[wrong] = node
            continue
        first = decided[:, tree.split_row[node]] > 0.0
        for child, goes in zip(tree.children(node), (first, ~first), strict=True):
            reached[child] = reached[node] & goes
            astray = reached[child] & live[node, codes] & ~live[child, codes]
            lost_at[astray] = node
    return reached, lost_at
