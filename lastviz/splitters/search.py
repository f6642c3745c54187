"""What a search for a split answers: the winner, and the table it was chosen from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rule import Rule

__all__ = ["NodeContext", "Search", "Split"]


@dataclass(frozen=True, eq=False)
class NodeContext:
    """All that a splitter sees of a node.

    Attributes
    ----------
    rows : ndarray of intp
        Rows of the training data, rising.
    weights : ndarray of float64
        Their weights.
    depth : int
    key : int
        The node's key, see :mod:`lastviz._random`.
    side : int
        Which branch of its parent it is; -1 at the root.
    inherited : object
        The splitter's own frozen record, handed from parent to child.
    """

    rows: np.ndarray
    weights: np.ndarray
    depth: int
    key: int
    side: int = -1
    inherited: object = None


@dataclass(frozen=True)
class Split:
    """A chosen split: rows with ``x[feature] <= threshold`` go to the first child."""

    feature: int
    threshold: float
    score: float


@dataclass(frozen=True, eq=False)
class Search:
    """All candidates of a node, how they scored, and which of them each stage kept.

    Candidates are ordered by feature, then by threshold.

    Attributes
    ----------
    feature : ndarray of intp, shape (n_candidates,)
    threshold : ndarray of float64, shape (n_candidates,)
    columns : dict of str to ndarray, shape (n_candidates,)
        One score per criterion; -inf where the candidate is not admissible.
    left_counts : ndarray of intp, shape (n_candidates, n_classes)
        Class counts of the first child.
    counts : ndarray of intp, shape (n_classes,)
        Class counts of the node.
    rule : Rule
    survivors : tuple of ndarray
        Candidates left after each stage of the rule.
    """

    feature: np.ndarray
    threshold: np.ndarray
    columns: dict[str, np.ndarray]
    left_counts: np.ndarray
    counts: np.ndarray
    rule: Rule
    survivors: tuple[np.ndarray, ...]

    @property
    def n_candidates(self) -> int:
        """Number of candidates, admissible or not."""
        return len(self.feature)

    @property
    def winner(self) -> int:
        """The chosen candidate, -1 if the rule admits none."""
        return int(self.survivors[-1][0]) if len(self.survivors[-1]) else -1

    @property
    def split(self) -> Split | None:
        """The chosen candidate as a split, None if the rule admits none."""
        i = self.winner
        if i < 0:
            return None
        score = self.rule.score(self.columns, self.survivors)
        return Split(int(self.feature[i]), float(self.threshold[i]), score)

    @property
    def right_counts(self) -> np.ndarray:
        """Class counts of the second child, shape (n_candidates, n_classes)."""
        return self.counts - self.left_counts
