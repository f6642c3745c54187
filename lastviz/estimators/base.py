"""What an algorithm says about itself: the data that it takes, parameters that many have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz._params import Param
from lastviz.tree import Reason, Tree

MAX_DEPTH = Param(
    "max_depth", int, None, low=1, none=True, slider=(1, 20, 1),
    label="Largest depth", help="Edges from the root to the deepest leaf; None: no limit.",
)  # fmt: skip
MIN_SAMPLES_SPLIT = Param(
    "min_samples_split", int, 2, low=2, slider=(2, 100, 1), unit="rows",
    label="Smallest node to split", help="A node with fewer rows becomes a leaf.",
)  # fmt: skip
MIN_SAMPLES_LEAF = Param(
    "min_samples_leaf", int, 1, low=1, slider=(1, 50, 1), unit="rows",
    label="Smallest leaf", help="Fewest rows on each side of a split.",
)  # fmt: skip


def seed(help: str, label: str = "Seed of the algorithm") -> Param:
    """Return the seed of what an algorithm draws as a parameter."""
    return Param(
        "random_state", int, 0, low=0, drawn=True, slider=(0, 99, 1), label=label, help=help
    )


def most_on(shares: np.ndarray, decided: np.ndarray) -> np.ndarray:
    """Return class shares (n, n_classes) whose largest is on the class that was decided for.

    Where it is not, as where a median decides or shares tie, the certainty in the decision that
    just makes it the largest is mixed in: scikit-learn's contract is that ``predict`` is the argmax
    of ``predict_proba``.
    """
    short = np.flatnonzero(shares.argmax(axis=1) != decided)
    lacks = shares[short].max(axis=1) - shares[short, decided[short]]
    mixed = shares.copy()
    mixed[short] /= 1.0 + lacks[:, None]
    mixed[short, decided[short]] = np.nextafter(mixed[short].max(axis=1), 2.0)
    return mixed


def shares_of(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return the class shares of rows as a tree reads them, the largest on what it predicts."""
    shares, leaf = tree.class_shares(X), tree.n_children == 0
    if (tree.value[leaf].argmax(axis=1) == tree.prediction[leaf]).all():
        return shares
    return most_on(shares, tree.predict(X))


@dataclass(frozen=True)
class Tags:
    """What an algorithm needs of its data."""

    nominal: bool = False  # whether it splits nominal columns as such
    # Whether a nominal column makes sense to it as one column of 0 and 1 for each value.
    indicators: bool = False
    missing: bool = False  # whether it treats missing values
    ordered_classes: bool = False  # whether it needs an order of the classes
    task: str = "classification"
    # Most distinct values of a numeric column that make sense to it; None: any number.
    max_values: int | None = None
    # Whether it grows many trees, in `estimators_`, and has no `tree_` of its own.
    forest: bool = False
    # Whether it turns a hyperplane at each node, move after move, until nothing is better.
    hyperplanes: bool = False
    # Key of the algorithm that it is without the step that is its own; None: it has no such.
    plain: str | None = None


@dataclass(frozen=True)
class Alternative:
    """A parameter that ended the growth of many rows, and the value that would not have."""

    param: str  # name of the parameter
    value: object  # its other value
    reason: Reason  # why growth ended there
    n_samples: int  # training rows in the leaves that were made for that reason
