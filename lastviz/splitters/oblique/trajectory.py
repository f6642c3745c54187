"""Result of a search over hyperplanes: its moves in order, and the winner."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from lastviz.splitters.search import ObliqueSplit, Split


class Move(IntEnum):
    """Kind of move by which a search reached a hyperplane."""

    AXIS = 0
    RANDOM = 1
    COEFFICIENT = 2
    CONSTANT = 3
    JUMP = 4
    DELETION = 5

    @property
    def sentence(self) -> str:
        """Move in one English sentence for people."""
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
    """The hyperplanes that a search went through at one node."""

    # restart, step: (n_moves,) intp, the restart, and the number of the move in it, both from 0
    restart: np.ndarray
    step: np.ndarray  # (n_moves,) intp, the restart, and the number of the move in it, both from 0
    kind: np.ndarray  # (n_moves,) intp, a `Move`
    # (n_moves, n_features) float64. In the original features; the largest is 1 or -1. Rows with `x
    # @ weights <= threshold` go to the first child.
    weights: np.ndarray
    # threshold, score: (n_moves,) float64, the score is that of the criterion; larger is better
    threshold: np.ndarray
    score: np.ndarray  # (n_moves,) float64, the score is that of the criterion; larger is better
    counts: np.ndarray  # (n_classes,) intp, class counts of the node
    winner: int  # the move whose hyperplane is the best of all, -1 if the node offers none
    # What the node becomes: the winner's weights with the threshold midway between the two nearest
    # rows, as a plain threshold where only one feature is left; None if nothing is gained.
    split: Split | ObliqueSplit | None

    @property
    def n_moves(self) -> int:
        """Number of hyperplanes."""
        return len(self.kind)
