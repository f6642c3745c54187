"""The study that comes with lastviz: its file has what computing it gives, fold by fold."""

import numpy as np
import pandas as pd
import pytest

from lastviz.studies.example import FOLDS, STUDY, ExampleStudy
from lastviz.studies.metrics import METRICS
from lastviz.studies.study import read_study
from lastviz.studies.tasks import compute, plan

MEASURED = [*METRICS, "nodes", "leaves", "depth", "violations"]  # what no clock counts
NAMES = ["algorithm", "dataset", "repeat", "fold"]


@pytest.fixture(scope="module")
def planned():
    return plan(read_study(STUDY), {})


def check(planned, wanted):
    """Compute the folds that are `wanted` by cell, repeat and fold; compare all that they say."""
    cells, data = planned
    stored = pd.read_parquet(FOLDS).set_index(["cell", "repeat", "fold"])
    n = 0
    for cell in cells:
        for _, task in cell.tasks:
            if not wanted(cell.number, task.repeat, task.fold):
                continue
            row = stored.loc[cell.number, task.repeat, task.fold]
            found = compute(task, data[task.data])
            assert (row["algorithm"], row["dataset"]) == (cell.algorithm, cell.dataset)
            assert (found.reason, row["state"]) == ("", "done")
            figures = [found.figures.get(name, np.nan) for name in MEASURED]
            np.testing.assert_array_equal(row[MEASURED].to_numpy(float), figures, str(cell))
            n += 1
    return n


def test_a_fold_of_each_cell_is_computed_as_it_is_stored(planned):
    assert check(planned, lambda cell, repeat, fold: (repeat, fold) == (cell % 3, cell % 10)) == 36


@pytest.mark.slow
def test_every_fold_is_computed_as_it_is_stored(planned):
    assert check(planned, lambda cell, repeat, fold: True) == 1080


def test_it_is_all_of_the_study(planned):
    shipped, study = ExampleStudy(), read_study(STUDY)
    found = shipped.folds("")
    assert not found.duplicated(NAMES).any()
    assert len(found) == shipped.standing("", "").n_done == 1080
    assert shipped.study("", "") == study
    cells = shipped.cells("")
    assert [tuple(row) for row in cells.itertuples(index=False)] == [
        (cell.number, cell.algorithm, cell.dataset, cell.reason) for cell in planned[0]
    ]


def test_its_data_sets_are_called_in_the_language_of_the_reader():
    shipped = ExampleStudy(lambda name: {"Iris": "鸢尾花"}.get(name, "other"))
    assert shipped.study("", "").datasets[0].name == "鸢尾花"
    assert shipped.folds("")["dataset"].iloc[0] == shipped.cells("")["dataset"].iloc[0] == "鸢尾花"
    assert shipped.folds("")["dataset"].nunique() == 6
