"""Data sets to learn from: generators, measured samples, tables read from files.

May import ``lastviz._params`` and ``lastviz.tables``, which reads files; only ``studies``, ``ui``
and pages import it. Start with :class:`Dataset`; :data:`DATASETS` lists what can be chosen. A new
data set is a function that returns a Dataset and declares its parameters, and one row below.
"""

from __future__ import annotations

import os
from dataclasses import replace

from lastviz._params import check_params
from lastviz.tables import ColumnReading, Reading

from . import breiman, examples, gaussian, monotone, shapes
from . import monotone as large
from .column_roles import guessed_roles, proposed_columns
from .dataset import Dataset
from .examples import regression_5_2
from .files import FileTable, read_file, read_table, to_csv
from .folder import read_folder
from .monotone import LARGE_SETS
from .new_rows import NewRows, read_rows, scaled_like
from .openml import (
    GROUPS,
    IN_MANY_DIMENSIONS,
    IN_THE_PLANE,
    MEASURED,
    NUMBERS_TO_LEARN,
    DatasetEntry,
    fetch_openml,
    openml_entries,
    openml_key,
    openml_number,
    wanted_of,
)
from .painted import PAINTED, painted_dataset
from .report import report

__all__ = [
    "DATASETS",
    "GROUPS",
    "LARGE_SETS",
    "NUMBER_SETS",
    "PAINTED",
    "ColumnReading",
    "Dataset",
    "DatasetEntry",
    "FileTable",
    "NewRows",
    "Reading",
    "all_datasets",
    "fetch_openml",
    "guessed_roles",
    "load_dataset",
    "openml_key",
    "openml_number",
    "painted_dataset",
    "proposed_columns",
    "read_file",
    "read_folder",
    "read_rows",
    "read_table",
    "regression_5_2",
    "report",
    "scaled_like",
    "to_csv",
    "wanted_of",
]

DATASETS: dict[str, DatasetEntry] = {
    "xor": DatasetEntry(
        "xor",
        "XOR",
        IN_THE_PLANE,
        gaussian.xor,
        "Four clusters, opposite ones of the same class: no single split gains anything.",
        2,
        gaussian.xor_bayes_predict,
    ),
    "gauss_2d": DatasetEntry(
        "gauss_2d",
        "Gauss 2-D",
        IN_THE_PLANE,
        gaussian.gauss_2d,
        "A narrow and a wide normal class with the same centre: the best boundary is a circle.",
        2,
        gaussian.gauss_2d_bayes_predict,
    ),
    "three_spirals": DatasetEntry(
        "three_spirals",
        "Three spirals",
        IN_THE_PLANE,
        shapes.three_spirals,
        "Three arms wound around each other, one a class.",
        2,
    ),
    "monotone": DatasetEntry(
        "monotone",
        "Monotone",
        IN_THE_PLANE,
        monotone.monotone,
        "Ordered classes that never fall as a feature grows.",
        2,
        monotone.monotone_bayes_predict,
    ),
    "five_rows": DatasetEntry(
        "five_rows",
        "Five consistent rows",
        IN_THE_PLANE,
        monotone.five_rows,
        "No row contradicts another, yet the tree that fits them is not monotone.",
        2,
    ),
    "two_spreads": DatasetEntry(
        "two_spreads",
        "Two spreads",
        IN_THE_PLANE,
        gaussian.two_spreads,
        "Three centres equally far apart, but one class is tight and easier to separate.",
        2,
        gaussian.two_spreads_bayes_predict,
    ),
    "diagonal": DatasetEntry(
        "diagonal",
        "Diagonal",
        IN_THE_PLANE,
        shapes.diagonal,
        "A slanted line between two classes: splits on one feature can only build stairs.",
        2,
        shapes.diagonal_bayes_predict,
    ),
    "checkerboard": DatasetEntry(
        "checkerboard",
        "Checkerboard",
        IN_THE_PLANE,
        shapes.checkerboard,
        "A checkerboard of two classes: axis-parallel splits fit its shape, yet the first ones "
        "gain almost nothing.",
        2,
        shapes.checkerboard_bayes_predict,
    ),
    "moons": DatasetEntry(
        "moons",
        "Moons",
        IN_THE_PLANE,
        shapes.moons,
        "Two interleaving half circles.",
        2,
    ),
    "circles": DatasetEntry(
        "circles",
        "Circles",
        IN_THE_PLANE,
        shapes.circles,
        "A circle inside another one.",
        2,
    ),
    "blobs": DatasetEntry(
        "blobs",
        "Blobs",
        IN_THE_PLANE,
        gaussian.blobs,
        "One round cluster a class, their centres on a circle.",
        2,
        gaussian.blobs_bayes_predict,
    ),
    "waveform": DatasetEntry(
        "waveform",
        "Waveform",
        IN_MANY_DIMENSIONS,
        breiman.waveform,
        "Noisy mixtures of two of three waves, read at 21 times.",
        21,
        breiman.waveform_bayes_predict,
    ),
    "waveform_noise": DatasetEntry(
        "waveform_noise",
        "Waveform with noise",
        IN_MANY_DIMENSIONS,
        breiman.waveform_noise,
        "The waveform data with 19 features that say nothing.",
        40,
        breiman.waveform_bayes_predict,
    ),
    "twonorm": DatasetEntry(
        "twonorm",
        "Twonorm",
        IN_MANY_DIMENSIONS,
        breiman.twonorm,
        "Two equal normal classes in 20 dimensions: the best boundary is a slanted plane.",
        20,
        breiman.twonorm_bayes_predict,
    ),
    "ringnorm": DatasetEntry(
        "ringnorm",
        "Ringnorm",
        IN_MANY_DIMENSIONS,
        breiman.ringnorm,
        "A narrow normal class inside a wide one in 20 dimensions: the best boundary is a ball.",
        20,
        breiman.ringnorm_bayes_predict,
    ),
    "threenorm": DatasetEntry(
        "threenorm",
        "Threenorm",
        IN_MANY_DIMENSIONS,
        breiman.threenorm,
        "A class of two clusters and a class between them in 20 dimensions.",
        20,
        breiman.threenorm_bayes_predict,
    ),
    "monotone_large": DatasetEntry(
        "monotone_large",
        "Monotone, large",
        IN_MANY_DIMENSIONS,
        large.monotone_large,
        "Ordered classes that rise with every feature, half of them with eleven values.",
        8,
        large.monotone_large_bayes_predict,
    ),
    "iris": DatasetEntry(
        "iris",
        "Iris",
        MEASURED,
        examples.iris,
        description="150 iris flowers of three species, measured in centimetres.",
        n_features=4,
    ),
    "wine": DatasetEntry(
        "wine",
        "Wine",
        MEASURED,
        examples.wine,
        description="178 wines of three cultivars, by thirteen chemical measurements.",
        n_features=13,
    ),
    "loan": DatasetEntry(
        "loan",
        "Loan (textbook)",
        MEASURED,
        examples.loan,
        description="15 loan applications: age, job, home ownership and credit.",
        n_features=4,
    ),
    "breast_cancer": DatasetEntry(
        "breast_cancer",
        "Breast cancer",
        MEASURED,
        examples.breast_cancer,
        description="569 tumours, benign or malignant, by thirty measurements of cell nuclei.",
        n_features=30,
    ),
    "digits": DatasetEntry(
        "digits",
        "Digits",
        MEASURED,
        examples.digits,
        description="1797 handwritten digits of 8 x 8 pixels with 17 grey levels.",
        n_features=64,
    ),
}

NUMBER_SETS: dict[str, DatasetEntry] = {
    "regression_5_2": DatasetEntry(
        "regression_5_2",
        "Ten points (textbook)",
        NUMBERS_TO_LEARN,
        regression_5_2,
        description="Ten points for a regression tree by least squares.",
        n_features=1,
    ),
    "noisy_sine": DatasetEntry(
        "noisy_sine",
        "Noisy sine",
        NUMBERS_TO_LEARN,
        examples.noisy_sine,
        "A sine over one feature, with noise: steps can only follow it.",
        1,
    ),
    "friedman": DatasetEntry(
        "friedman",
        "Friedman",
        NUMBERS_TO_LEARN,
        examples.friedman,
        "A sum of a wave of two features, a parabola and two straight lines.",
        5,
    ),
}
"""What can be chosen with numbers to learn instead of classes."""


def all_datasets() -> dict[str, DatasetEntry]:
    """All data sets by key.

    They come from both registries, the folder that LASTVIZ_DATA names, and earlier fetches from
    OpenML.

    Raises
    ------
    ValueError
        If LASTVIZ_DATA names no folder.
    """
    folder = os.environ.get("LASTVIZ_DATA")
    named = read_folder(folder) if folder else {}
    return {**DATASETS, **NUMBER_SETS, **named, **openml_entries()}


def load_dataset(key: str, **params: object) -> Dataset:
    """Data set called `key`, made with these parameters.

    Parameters
    ----------
    key : str
        A key of :func:`all_datasets`, or "painted".
    **params
        Parameters of its entry's `PARAMS`; the others keep their defaults.

    Raises
    ------
    ValueError
        If there is no such data set, or a parameter is unknown or illegal.
    """
    if key == PAINTED:
        return painted_dataset(**params)
    entries = DATASETS if key in DATASETS else all_datasets()
    if key not in entries:
        raise ValueError(f"there is no data set {key!r}; the keys are: {', '.join(entries)}")
    entry = entries[key]
    dataset = entry.load(**check_params(entry.PARAMS, params))
    return replace(dataset, name=entry.title, description=entry.description)
