"""What is known about monotone data: the order of the classes, the direction of each feature."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np


def encode_ordered(y: np.ndarray, class_order: Sequence | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes that occur, from low to high, and the class index of each row.

    Without an order it is that of the numbers, or with a warning that of the alphabet.

    Raises
    ------
    ValueError
        If the order does not name each class once.
    """
    present, codes = np.unique(y, return_inverse=True)
    if class_order is None:
        if present.dtype.kind not in "iufb":
            names = " < ".join(map(repr, present[:4].tolist()))
            names += " < ..." if len(present) > 4 else ""
            warnings.warn(
                f"the classes are no numbers, so their order is taken to be that of the alphabet, "
                f"{names}; name them from low to high in class_order if it is another",
                stacklevel=2,
            )
        return present, codes
    order = list(class_order)
    missing = [label for label in present.tolist() if label not in order]
    if missing or len(set(order)) < len(order):
        what = f"{missing[0]!r} is missing" if missing else "a class is named twice"
        raise ValueError(
            f"class_order must name each class once, from low to high: {what} in {order}"
        )
    places = np.array([order.index(label) for label in present.tolist()])
    rising = np.argsort(places)
    index = np.empty(len(present), dtype=np.intp)
    index[rising] = np.arange(len(present))
    return present[rising], index[codes]


def directions_of(monotonic_cst: Sequence[int] | None, n_features: int) -> np.ndarray:
    """Return 1, -1 or 0 for each feature; all 1 if nothing is given.

    Raises
    ------
    ValueError
        If there is not one direction per feature, or one is none of 1, -1 and 0.
    """
    if monotonic_cst is None:
        return np.ones(n_features, dtype=np.intp)
    directions = np.asarray(monotonic_cst)
    if directions.shape != (n_features,):
        raise ValueError(
            f"monotonic_cst must hold one direction per feature, {n_features} in all, got shape "
            f"{directions.shape}"
        )
    if not np.isin(directions, (-1, 0, 1)).all():
        raise ValueError(f"monotonic_cst must hold 1, -1 or 0, got {directions.tolist()}")
    return directions.astype(np.intp)
