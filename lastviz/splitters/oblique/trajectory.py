"""What a search over hyperplanes answers: its moves in order, and the winner."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from lastviz.splitters.splits import ObliqueSplit, Split


class Move(IntEnum):
    """How a search came to a hyperplane."""

    AXIS = 0
    RANDOM = 1
    COEFFICIENT = 2
    CONSTANT = 3
    JUMP = 4
    DELETION = 5

    @property
    def sentence(self) -> str:
        """Return the move in one English sentence for people."""
        return SENTENCES[self]


SENTENCES = {
    Move.AXIS: "Start from the best axis-parallel split.",
    Move.RANDOM: "Start anew from a random direction with its best threshold.",
    Move.COEFFICIENT: "Move one weight to its best value.",
    Move.CONSTANT: "Move the threshold to its best value.",
    Move.JUMP: "Jump along a random direction.",
    Move.DELETION: "Delete the feature that is missed least.",
}


@dataclass(frozen=True, eq=False)
class ObliqueSearch:
    """The hyperplanes that a search went through at one node.

    Attributes
    ----------
    restart, step : ndarray of intp, shape (n_moves,)
        The restart, and the number of the move in it, both from 0.
    kind : ndarray of intp, shape (n_moves,)
        A :class:`Move`.
    weights : ndarray of float64, shape (n_moves, n_features)
        In the original features; the largest is 1 or -1. Rows with
        ``x @ weights <= threshold`` go to the first child.
    threshold, score : ndarray of float64, shape (n_moves,)
        The score is that of the criterion; larger is better.
    counts : ndarray of intp, shape (n_classes,)
        Class counts of the node.
    winner : int
        The move whose hyperplane is the best of all, -1 if the node offers none.
    split : Split, ObliqueSplit or None
        What the node becomes: the winner's weights with the threshold midway between the two
        nearest rows, as a plain threshold where only one feature is left; None if nothing is
        gained.
    """

    restart: np.ndarray
    step: np.ndarray
    kind: np.ndarray
    weights: np.ndarray
    threshold: np.ndarray
    score: np.ndarray
    counts: np.ndarray
    winner: int
    split: Split | ObliqueSplit | None

    @property
    def n_moves(self) -> int:
        """Number of hyperplanes."""
        return len(self.kind)
