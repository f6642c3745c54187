"""Which classes part first: the class that is easiest to separate, or two groups of classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria.ties_kernels import tie_floors


@dataclass(frozen=True, eq=False)
class Peeling:
    """How the live classes compare, and which of them is peeled off."""

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
        """Whether the largest value alone did not decide."""
        return bool(np.count_nonzero(self.tied) > 1)


def peel(matrix: np.ndarray, live: np.ndarray) -> Peeling:
    """Return how the live classes compare under the max-min rule.

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
    """Tell which values tie with the largest of those `among`."""
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
    """Return two groups of the live classes: the least separable clusters merge until two remain.

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
    """Return the first pair (rising) whose separability ties with the lowest one."""
    first, second = np.triu_indices(len(links), k=1)
    values = links[first, second]
    lowest = values.min()
    slack = lowest if np.isinf(lowest) else 2 * lowest - tie_floors(lowest)
    pair = int(np.flatnonzero(values <= slack)[0])
    return int(first[pair]), int(second[pair])


def _merged(
    links: np.ndarray, first: int, second: int, sizes: tuple[int, int], linkage: str
) -> np.ndarray:
    """Return the separabilities after cluster `second` has joined `first`."""
    if linkage == "single":
        joint = np.minimum(links[first], links[second])
    else:
        joint = (sizes[0] * links[first] + sizes[1] * links[second]) / sum(sizes)
    links[first], links[:, first] = joint, joint
    links[first, first] = np.inf
    return np.delete(np.delete(links, second, axis=0), second, axis=1)
