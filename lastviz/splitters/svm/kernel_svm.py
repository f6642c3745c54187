"""Splits by a kernel machine: which classes part, and the machine that parts them.

A machine learns from all training rows of the classes in play, also from those that an
earlier machine sends astray; the rows of a node are those that reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria.ties_kernels import tie_floors
from lastviz.splitters.edits import ClassSplit
from lastviz.splitters.rule import ChoiceRule, Stage
from lastviz.splitters.search import KernelSplit, NodeContext
from lastviz.tree import FeatureScaling, KernelFunction, KernelSplits, Reason

from .machine import centre_distances, input_separability, kernel_separability, train_machine


@dataclass(frozen=True, eq=False)
class Peeling:
    """Comparison of the live classes, and the one that is peeled off."""

    live: np.ndarray  # (n_live,) intp, classes still in play, rising
    separability: np.ndarray  # (n_live,), the smallest entry of each live class's row, eq (5)
    nearest: np.ndarray  # (n_live,) intp, the live class to which that entry belongs
    tied: np.ndarray  # (n_live,) bool, classes whose value ties with the largest one
    # (n_live,) intp, place of each class when all their entries are compared; 0 is peeled off.
    rank: np.ndarray

    @property
    def chosen(self) -> int:
        """The class that is peeled off, eq (6)."""
        return int(self.live[np.argmin(self.rank)])

    @property
    def tie_rule_used(self) -> bool:
        """Whether the largest value alone was not decisive."""
        return bool(np.count_nonzero(self.tied) > 1)


def peel(matrix: np.ndarray, live: np.ndarray) -> Peeling:
    """Comparison of the live classes under the max-min rule.

    Parameters
    ----------
    matrix : ndarray, shape (n_classes, n_classes)
        Separability, symmetric, infinite on the diagonal.
    live : ndarray of intp, shape (n_live,)
        At least two classes, rising.

    Notes
    -----
    Two classes that are each other's nearest always tie. Then the next smallest entries of
    their rows are compared, and so on; at last the lower class index wins. O(k^2 log k).
    """
    here = matrix[np.ix_(live, live)]
    entries = np.sort(here, axis=1)[:, :-1]
    tied = _ties(entries[:, 0], np.arange(len(live)))
    rank = np.empty(len(live), dtype=np.intp)
    waiting = np.arange(len(live))
    for place in range(len(live)):
        alive = waiting
        for column in entries.T:
            alive = alive[_ties(column, alive)[alive]]
            if len(alive) == 1:
                break
        rank[alive[0]] = place
        waiting = waiting[waiting != alive[0]]
    return Peeling(live, entries[:, 0], live[here.argmin(axis=1)], tied, rank)


def _ties(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Mask of the values that tie with the largest of those `among`."""
    return values >= tie_floors(values[among].max())


@dataclass(frozen=True)
class Grouping:
    """Two groups of classes, and the merges that led to them."""

    # tuple of two tuples of int, the smaller group first; of equal ones that with the lowest class.
    groups: tuple[tuple[int, ...], tuple[int, ...]]
    separability: float  # linkage between the two groups
    # Which clusters were merged, in order, and how separable they were.
    merges: tuple[tuple[tuple[int, ...], tuple[int, ...], float], ...]


def two_groups(matrix: np.ndarray, live: np.ndarray, linkage: str) -> Grouping:
    """Two groups of the live classes.

    The least separable clusters merge until two remain.

    Parameters
    ----------
    matrix, live
        As for :func:`peel`.
    linkage : {"single", "average"}
        Separability of two clusters: that of their least separable classes, or the mean.

    Notes
    -----
    O(k^3) for k live classes. A tie goes to the clusters with the lower classes.
    """
    clusters: list[tuple[int, ...]] = [(int(c),) for c in live]
    links = matrix[np.ix_(live, live)].copy()
    merges = []
    while len(clusters) > 2:
        first, second = _closest(links)
        merges.append((clusters[first], clusters[second], float(links[first, second])))
        sizes = len(clusters[first]), len(clusters[second])
        clusters[first] = tuple(sorted(clusters[first] + clusters.pop(second)))
        links = _merged(links, first, second, sizes, linkage)
    groups = sorted(clusters, key=lambda group: (len(group), group))
    return Grouping((groups[0], groups[1]), float(links[0, 1]), tuple(merges))


def _closest(links: np.ndarray) -> tuple[int, int]:
    """First pair (rising) whose separability ties with the lowest one."""
    first, second = np.triu_indices(len(links), k=1)
    values = links[first, second]
    lowest = values.min()
    slack = lowest if np.isinf(lowest) else 2 * lowest - tie_floors(lowest)
    pair = int(np.flatnonzero(values <= slack)[0])
    return int(first[pair]), int(second[pair])


def _merged(
    links: np.ndarray, first: int, second: int, sizes: tuple[int, int], linkage: str
) -> np.ndarray:
    """Separabilities after cluster `second` has joined `first`."""
    if linkage == "single":
        joint = np.minimum(links[first], links[second])
    else:
        joint = (sizes[0] * links[first] + sizes[1] * links[second]) / sum(sizes)
    links[first], links[:, first] = joint, joint
    links[first, first] = np.inf
    return np.delete(np.delete(links, second, axis=0), second, axis=1)


# ---------------------------------------------------------------- kernel svm

# What is compared under each order of the classes.
COLUMNS = {
    "separability": "separability",
    "separability_input": "separability_input",
    "natural": "separability",
    "euclidean": "centre_distance",
    "groups": "separability",
}


@dataclass(frozen=True)
class MachineChoice:
    """Order of the classes, and parameters for the training of machines."""

    order: str  # {"separability", "separability_input", "natural", "euclidean", "groups"}
    linkage: str  # {"single", "average"}
    scaling: FeatureScaling  # what happens to the features before anything is measured
    kernel: KernelFunction  # of the scaled features
    C: float
    bias: bool
    cross_term: int  # {-2, -1}
    max_iter: int


@dataclass(frozen=True, eq=False)
class Parting:
    """The live classes that are separated from the others, and the reason.

    Candidates are live classes.
    """

    # dict of str to ndarray, shape (n_live,), what the selection rule reads.
    columns: dict[str, np.ndarray]
    rule: ChoiceRule  # Rule
    # Candidates left after each stage; after the last one those of the first child.
    survivors: tuple[np.ndarray, ...]
    peeling: Peeling  # how the live classes compare
    grouping: Grouping | None  # the merges, under the order "groups"
    first: np.ndarray  # intp, classes of the two children
    second: np.ndarray  # intp, classes of the two children
    score: float  # separability of `first`


@dataclass(frozen=True, eq=False)
class KernelSearch:
    """The live classes of a node, their separation and the machine trained for it."""

    counts: np.ndarray  # (n_classes,) intp, class counts of the rows that reach the node
    # (n_classes,) intp, class counts of the rows that the machine learned from.
    training_counts: np.ndarray
    # (n_classes, n_classes), separability of all classes; rows and columns of classes out of play
    # are masked.
    matrix: np.ndarray
    parting: Parting | None  # None at a node with one class in play
    split: KernelSplit | None

    @property
    def n_candidates(self) -> int:
        """Number of classes in play, 0 if nothing can part."""
        return 0 if self.parting is None else len(self.parting.peeling.live)


class KernelSplitter:
    """Parts one class, or one group of classes, from the others in play.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices; every class has a row.
    n_classes : int
    choice : MachineChoice

    Notes
    -----
    Rows are put into an order of their own before any sum, so that the order in which they
    come changes nothing. Separability is worked out once: O(n_samples^2 n_features).
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, n_classes: int, choice: MachineChoice) -> None:
        self._X = np.ascontiguousarray(X)
        self._y = y
        self._n_classes = n_classes
        self._choice = choice
        self._order = np.lexsort((*X.T[::-1], y))
        self._sorted_X = choice.scaling.apply(X[self._order])
        self._sorted_y = y[self._order]

    @cached_property
    def matrix(self) -> np.ndarray:
        """Matrix that the order of the classes compares, shape (n_classes, n_classes)."""
        data = (self._sorted_X, self._sorted_y, self._n_classes)
        if self.column == "centre_distance":
            return centre_distances(*data)
        if self.column == "separability_input":
            return input_separability(*data)
        return kernel_separability(*data, self._choice.kernel, self._choice.cross_term)

    @property
    def column(self) -> str:
        """Name of the quantity in :attr:`matrix`."""
        return COLUMNS[self._choice.order]

    def root(self) -> NodeContext:
        """Context of the root, where all classes are in play."""
        n = len(self._y)
        live = tuple(range(self._n_classes))
        return NodeContext(np.arange(n), np.ones(n), depth=0, key=int(ROOT_KEY), inherited=live)

    def children(self, context: NodeContext, split: KernelSplit) -> list[NodeContext]:
        """Contexts of both children of a split node; each row is decided once."""
        first = split.decide(self._X[context.rows]) > 0.0
        return [
            NodeContext(
                rows=context.rows[inside],
                weights=context.weights[inside],
                depth=context.depth + 1,
                key=int(child_keys(np.uint64(context.key), np.asarray(branch))),
                side=branch,
                inherited=classes,
            )
            for branch, (inside, classes) in enumerate(
                ((first, split.first), (~first, split.second))
            )
        ]

    def child(self, context: NodeContext, split: KernelSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        return self.children(context, split)[branch]

    def best(self, context: NodeContext) -> KernelSplit | Reason:
        """Split of a node, or that a single class is in play."""
        return self.search(context).split or Reason.ONE_CLASS

    def completed(self, context: NodeContext, split: ClassSplit) -> KernelSplit:
        """Machine that parts classes chosen by hand from the others in play.

        Its score is how separable the two groups are at their closest.

        Raises
        ------
        ValueError
            If not all of the classes are in play, or no others are.
        """
        live, first = (
            np.array(context.inherited, dtype=np.intp),
            np.array(split.first, dtype=np.intp),
        )
        second = np.setdiff1d(live, first)
        if not len(first) or len(np.setdiff1d(first, live)) or not len(second):
            raise ValueError(
                f"classes {list(split.first)} cannot part from others of the node, where classes "
                f"{live.tolist()} are in play"
            )
        score = float(self.matrix[np.ix_(first, second)].min())
        return self._trained_on(first, second, score)

    def search(self, context: NodeContext) -> KernelSearch:
        """Separability of the classes in play, their separation and its machine."""
        live = np.array(context.inherited, dtype=np.intp)
        parting = self.part(live) if len(live) > 1 else None
        in_play = np.isin(np.arange(self._n_classes), live)
        return KernelSearch(
            counts=np.bincount(self._y[context.rows], minlength=self._n_classes),
            training_counts=np.bincount(self._y, minlength=self._n_classes) * in_play,
            matrix=self.matrix,
            parting=parting,
            split=None if parting is None else self.trained(parting),
        )

    def part(self, live: np.ndarray) -> Parting:
        """Separation of some live classes from the others.

        `live` holds at least two classes, rising.
        """
        peeling, grouping = peel(self.matrix, live), None
        name = self.column
        columns = {name: peeling.separability}
        if self._choice.order == "natural":
            columns["class_order"] = -live.astype(np.float64)
            stages = (Stage("argmax", "class_order"),)
        elif self._choice.order == "groups":
            grouping = two_groups(self.matrix, live, self._choice.linkage)
            columns["first_group"] = np.isin(live, grouping.groups[0]).astype(np.float64)
            stages = (Stage("largest", "first_group"),)
        else:
            columns["tie_order"] = -peeling.rank.astype(np.float64)
            stages = (Stage("largest", name), Stage("argmax", "tie_order"))
        rule = ChoiceRule(stages)
        survivors = rule.apply(live, columns)
        selected = survivors[-1]
        score = peeling.separability[selected[0]] if grouping is None else grouping.separability
        return Parting(
            columns=columns,
            rule=rule,
            survivors=survivors,
            peeling=peeling,
            grouping=grouping,
            first=live[selected],
            second=np.delete(live, selected),
            score=float(score),
        )

    def trained(self, parting: Parting) -> KernelSplit:
        """Machine that parts the classes of `parting`, trained on all their rows."""
        return self._trained_on(parting.first, parting.second, parting.score)

    def _trained_on(self, first: np.ndarray, second: np.ndarray, score: float) -> KernelSplit:
        rows = np.flatnonzero(np.isin(self._sorted_y, np.concatenate([first, second])))
        X = np.ascontiguousarray(self._sorted_X[rows])
        choice = self._choice
        machine = train_machine(
            X, np.isin(self._sorted_y[rows], first), choice.kernel, choice.C,
            bias=choice.bias, max_iter=choice.max_iter,
        )  # fmt: skip
        return KernelSplit(
            first=tuple(first.tolist()),
            second=tuple(second.tolist()),
            machine=replace(machine, rows=self._order[rows[machine.rows]]),
            vectors=X[machine.rows],
            scaling=choice.scaling,
            kernel=choice.kernel,
            score=score,
        )


def kernel_table(splits: Sequence[KernelSplit], n_classes: int) -> KernelSplits:
    """Table of a tree with these splits."""
    rows, place = np.unique(np.concatenate([s.machine.rows for s in splits]), return_index=True)
    vectors = np.concatenate([split.vectors for split in splits])[place]
    sizes = [len(split.machine.rows) for split in splits]
    return KernelSplits(
        scaling=splits[0].scaling,
        kernel=splits[0].kernel,
        rows=rows,
        vectors=np.ascontiguousarray(vectors),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
        index=np.concatenate([np.searchsorted(rows, s.machine.rows) for s in splits]),
        dual_coef=np.concatenate([split.machine.dual_coef for split in splits]),
        intercept=np.array([split.machine.intercept for split in splits]),
        first=_members([split.first for split in splits], n_classes),
        second=_members([split.second for split in splits], n_classes),
        converged=np.array([split.machine.converged for split in splits]),
        n_iter=np.array([split.machine.n_iter for split in splits], dtype=np.intp),
    )


def _members(groups: list[tuple[int, ...]], n_classes: int) -> np.ndarray:
    members = np.zeros((len(groups), n_classes), dtype=bool)
    for row, group in enumerate(groups):
        members[row, list(group)] = True
    return members
