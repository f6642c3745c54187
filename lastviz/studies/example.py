"""The finished study that comes with lastviz, and its folds as they were computed.

Both files are what these two commands read and write, in the folder of this module::

    python -m lastviz.studies --store sqlite:///example.sqlite run example_study.toml
    python -m lastviz.studies --store sqlite:///example.sqlite export "Six algorithms on six data \
sets" example_study.parquet
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .study import Study, read_study
from .tasks import StudyStanding

if TYPE_CHECKING:
    import pandas as pd

    from lastviz.datasets import Dataset

EXAMPLE = "example"
"""What stands for its name, which those in a store cannot be."""
STUDY = Path(__file__).with_name("example_study.toml")
FOLDS = STUDY.with_suffix(".parquet")


class ExampleStudy:
    """A study from files.

    It answers the queries about a study that a :class:`lastviz.studies.store.StudyStore` does.

    It is everybody's and nobody can change it.

    Parameters
    ----------
    words : callable, optional
        Puts what it is called, and its data sets, into the reader's language.
    """

    def __init__(self, words: Callable[[str], str] = str) -> None:
        self._words = words
        self._names: dict[str, str] = {}
        for data in _study().datasets:
            name = words(data.name)
            taken = name in self._names.values()  # a language may have one word for two
            self._names[data.name] = f"{name} ({len(self._names) + 1})" if taken else name

    def study(self, study_id: str, owner: str, given: Iterable[str] = ()) -> Study:
        """The study: its algorithms, data sets and protocol."""
        found = _study()
        named = tuple(replace(data, name=self._names[data.name]) for data in found.datasets)
        return replace(found, name=self._words(found.name), datasets=named)

    def standing(self, study_id: str, owner: str) -> StudyStanding:
        """Progress of the study."""
        return StudyStanding("done", len(_folds()), 0, len(_folds()), 0, "")

    def cells(self, study_id: str) -> pd.DataFrame:
        """Its cells, see :meth:`lastviz.studies.store.StudyStore.cells`."""
        known = self.folds(study_id)[["cell", "algorithm", "dataset"]].drop_duplicates(
            ignore_index=True
        )
        return known.assign(reason="")

    def folds(self, study_id: str) -> pd.DataFrame:
        """Its folds, see :meth:`lastviz.studies.store.StudyStore.folds`."""
        return _folds().assign(dataset=_folds()["dataset"].map(self._names))

    def state_for(self, study_id: str, owner: str) -> str:
        """State of the study."""
        return "done"

    def tables(self, study_id: str) -> dict[str, str]:
        """Tables that were handed in: none, the data sets are those of the registry."""
        return {}

    def given(self, study_id: str, keys: Iterable[str] | None = None) -> dict[str, Dataset]:
        """Same tables themselves."""
        return {}

    def sizes(self, study_id: str) -> dict[str, tuple[int, int]]:
        """Sizes of its tables."""
        return {}


@cache
def _study() -> Study:
    return read_study(STUDY)


@cache
def _folds() -> pd.DataFrame:
    import pandas as pd

    return pd.read_parquet(FOLDS)
