"""Tables of measured figures beside the published ones, and the commands that wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """A table of figures.

    Attributes
    ----------
    file : str
        Its CSV file, beside this module.
    source : str
        Where the published figures stand.
    command : str
        What writes the file.
    """

    file: str
    source: str
    command: str


RESULTS: dict[str, Result] = {
    "bnm_csn": Result(
        file="bnm_csn.csv",
        source="Du and Chen (2023), Tables 2 to 4",
        command="python -m benchmarks.hybrid_tables FOLDER PUBLISHED.csv --save FILE",
    ),
}


def results(key: str) -> pd.DataFrame:
    """Table of :data:`RESULTS`.

    For "bnm_csn" one row for each data set and algorithm, with accuracy, depth and leaves three
    times: `paper`; `best`, at the grid point that is best on the test folds, as in the paper;
    `nested`, with the grid point chosen inside the training folds.
    """
    import pandas as pd

    return pd.read_csv(Path(__file__).with_name(RESULTS[key].file))
