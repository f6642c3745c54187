"""One row of the registry of data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lastviz._params import Param

from .dataset import Dataset

IN_THE_PLANE = "Made in the plane"
IN_MANY_DIMENSIONS = "Made in many dimensions"
MEASURED = "Measured"
FROM_FOLDER = "From the folder"
FROM_OPENML = "From OpenML"
NUMBERS_TO_LEARN = "Numbers to learn"
GROUPS = (
    IN_THE_PLANE,
    IN_MANY_DIMENSIONS,
    MEASURED,
    NUMBERS_TO_LEARN,
    FROM_FOLDER,
    FROM_OPENML,
)


@dataclass(frozen=True)
class DatasetEntry:
    """A data set that can be chosen: how it is called and how it is loaded.

    Parameters
    ----------
    key : str
        Its name in code and in links.
    title : str
        Its name for people.
    group : str
        One of `GROUPS`.
    load : callable
        ``load(**params) -> Dataset``.
    PARAMS : tuple of Param
        The parameters of `load`.
    description : str
        One sentence.
    n_features : int or None
        Number of features; None if that is known only after reading.
    bayes_predict : callable or None
        ``bayes_predict(X, **params) -> class indices``, the best possible rule, with the
        parameters of `load` less n_samples and random_state; None if it is not known.
    version : str
        Tells one state of a file from another; empty for what does not change.
    """

    key: str
    title: str
    group: str
    load: Callable[..., Dataset]
    PARAMS: tuple[Param, ...] = ()
    description: str = ""
    n_features: int | None = None
    bayes_predict: Callable[..., np.ndarray] | None = None
    version: str = ""
