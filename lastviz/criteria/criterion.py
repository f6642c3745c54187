"""What a criterion is: one row with all that the project needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from .cards import CardMaker


@dataclass(frozen=True)
class Criterion:
    """A criterion of splits: larger is better, unless it says otherwise.

    Attributes
    ----------
    title : str
        What people call it.
    short : str
        The same in the head of a column.
    unit : str
        Unit of the score, empty if it has none.
    formula : str
        LaTeX, in general form.
    card : callable
        :class:`~lastviz.criteria.cards.Candidate` -> the formula with the candidate's numbers.
    impurity : callable
        Class counts (..., n_classes) -> impurity of the node; the one shown beside it where
        the score is no function of class counts.
    impurity_title : str
        What people call that impurity.
    code : int or None
        How kernels name it; None: they do not, it is a Python function.
    offered_by : mapping of str to str
        The families of estimators that take it as their `criterion`, and by which word.
    reads : {"counts", "order", "geometry"}
        What it is made of: the children's class counts; the order of the classes along a
        feature; the rows themselves, normalised.
    smaller_is_better : bool
    score : callable or None
        Class counts of the two children, each (..., n_classes) -> score of the split; None
        where they do not say it.
    of_goodness : callable or None
        What ``goodness_kernels`` call the goodness of partitions of a node, and the node's class
        counts -> their scores; None where those kernels do not know the criterion, or count in
        units of their own.
    is_decrease : bool
        Whether the score is the decrease of that impurity, each child weighted by its rows.
    ordered_classes : bool
        Whether it depends on the order of the classes, and on the direction of each feature;
        `score` is that of a feature with which the class rises.
    stands_for : str
        What its title is short for, empty where it is no abbreviation.
    idea : str
        In one sentence; empty of one that was registered.
    symbols : str
        What the letters of its formula mean, with LaTeX.
    """

    title: str
    short: str
    unit: str
    formula: str
    card: CardMaker
    impurity: Callable[[np.ndarray], np.ndarray]
    impurity_title: str
    code: int | None
    offered_by: Mapping[str, str] = field(default_factory=dict)
    reads: str = "counts"
    smaller_is_better: bool = False
    score: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    of_goodness: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    is_decrease: bool = False
    ordered_classes: bool = False
    stands_for: str = ""
    idea: str = ""
    symbols: str = ""
