"""The record of a criterion: one row with all that the project needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from .cards import CardMaker
from .impurity import class_entropy, impurity_decrease


@dataclass(frozen=True)
class Criterion:
    """A criterion of splits: larger is better, unless it says otherwise."""

    title: str  # what people call it
    short: str  # the same in the head of a column
    unit: str  # unit of the score, empty if it has none
    formula: str  # LaTeX, in general form
    card: CardMaker  # `Candidate` -> the formula with the candidate's numbers
    # Class counts (..., n_classes) -> impurity of the node; the one shown beside it where the score
    # is no function of class counts.
    impurity: Callable[[np.ndarray], np.ndarray]
    impurity_title: str  # what people call that impurity
    code: int | None  # how kernels name it; None: they do not, it is a Python function
    # The families of estimators that take it as their `criterion`, and by which word.
    offered_by: Mapping[str, str] = field(default_factory=dict)
    # {"counts", "order", "geometry"}: what it is made of: the children's class counts; the order of
    # the classes along a feature; the rows themselves, normalised.
    reads: str = "counts"
    smaller_is_better: bool = False
    # Class counts of the two children, each (..., n_classes) -> score of the split; None where they
    # do not say it.
    score: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    # What `goodness_kernels` call the goodness of partitions of a node, and the node's class counts
    # -> their scores; None where those kernels do not know the criterion, or count in units of
    # their own.
    of_goodness: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    # Whether the score is the decrease of that impurity, each child weighted by its rows.
    is_decrease: bool = False
    # Whether it depends on the order of the classes, and on the direction of each feature; `score`
    # is that of a feature with which the class rises.
    ordered_classes: bool = False
    stands_for: str = ""  # what its title is short for, empty where it is no abbreviation
    idea: str = ""  # in one sentence; empty of one that was registered
    symbols: str = ""  # what the letters of its formula mean, with LaTeX


# ---- Criteria that compare the two sides of a split directly, from class counts
#
# As in ``impurity.py`` the classes are on the last axis; larger is better.


def misclassification(counts: np.ndarray) -> np.ndarray:
    """Share 1 - max_k p_k of rows that are not of the most frequent class.

    Notes
    -----
    0 for a node without rows. Breiman et al. (1984), section 4.1.
    """
    counts = _by_class(counts)
    total = counts.sum(axis=0)
    return np.divide(_minority(counts), total, out=np.zeros_like(total), where=total > 0)


def twoing(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Twoing criterion, from the class counts of two children.

    ``p_1 p_2 / 4 (sum_k |p_k1 - p_k2|)^2`` of counts (..., n_classes).

    Notes
    -----
    p_1, p_2 are the children's shares of the rows, p_kj the share of class k in child j. From
    0 (alike) to 1/4 (halves without a common class). Breiman et al. (1984), section 4.3.2.
    """
    left, right = _by_class(left), _by_class(right)
    n_left, n_right = left.sum(axis=0), right.sum(axis=0)
    apart = np.abs(left / n_left - right / n_right).sum(axis=0)
    n = n_left + n_right
    return n_left / n * (n_right / n) * np.square(apart) / 4.0


def sum_minority(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Decrease of the sum of minorities by the split, as a share of the samples.

    Notes
    -----
    A minority is the rows that are not of their node's most frequent class. Heath, Kasif and
    Salzberg (1993); Murthy, Kasif and Salzberg (1994), section 2.4.
    Deviation: the papers minimise the number itself; the share saved orders splits alike.
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    return (_minority(both) - _minority(left) - _minority(right)) / both.sum(axis=0)


def max_minority(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Decrease from the node's minority to the larger minority of its children.

    Notes
    -----
    As a share of the rows. References and deviation as for :func:`sum_minority`.
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    larger = np.maximum(_minority(left), _minority(right))
    return (_minority(both) - larger) / both.sum(axis=0)


def chi2(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Pearson's chi-squared of the table of two children's class counts.

    Notes
    -----
    sum over children and classes of (n_jk - e_jk)^2 / e_jk with e_jk = n_j n_k / n. Mingers
    (1989), "An empirical comparison of selection measures for decision-tree induction".
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    n, total = both.sum(axis=0), np.zeros(both.shape[1:])
    for child in (left, right):
        expected = both * (child.sum(axis=0) / n)
        terms = np.divide(
            np.square(child - expected), expected, out=np.zeros_like(child), where=expected > 0
        )
        total += terms.sum(axis=0)
    return total


def g_statistic(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """G statistic: 2 n ln 2 times the information gain in bits.

    Mingers (1989).
    """
    n = np.sum(left, axis=-1) + np.sum(right, axis=-1)
    return 2.0 * np.log(2.0) * n * impurity_decrease(left, right, class_entropy)


def _by_class(counts: np.ndarray) -> np.ndarray:
    """Counts with the classes as the first axis.

    For many splits, numpy sums quickly over a few classes there.
    """
    return np.ascontiguousarray(np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0))


def _minority(by_class: np.ndarray) -> np.ndarray:
    return by_class.sum(axis=0) - by_class.max(axis=0)
