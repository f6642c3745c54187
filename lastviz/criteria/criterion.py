"""What a criterion is: one row with all that the project needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from .cards import CardMaker


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
