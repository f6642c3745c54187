"""Cells of the papers as a visitor computes them: which studies they are, and what is kept."""

from __future__ import annotations

from contextlib import closing

import pytest

from lastviz.studies.kept_data import Drawn, packed, printed_data, size_of, unpacked
from lastviz.studies.published import (
    ALL_SETS,
    TABLES,
    Ours,
    our_figures,
    printed_set,
    published_cells,
)
from lastviz.studies.reproduction import (
    RECIPES,
    can_run_here,
    figure_in,
    is_study,
    run_name,
    studies_in_steps,
)
from lastviz.studies.run import run
from lastviz.studies.store import Store
from lastviz.studies.svm_divisions import svm_figures, svm_figures_in_steps


def result_of(steps):
    """Return what steps come to, and the shares that they told on the way."""
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as end:
            return end.value, shares


def cells_of(paper: str, table: int, **wanted: str) -> tuple:
    """Return the cells of a table with these facts."""
    return tuple(
        cell
        for cell in published_cells(paper, table)
        if all(getattr(cell, name) == value for name, value in wanted.items())
    )


@pytest.mark.parametrize(("paper", "table"), TABLES)
def test_every_cell_of_a_set_that_comes_with_the_project_can_be_run(paper: str, table: int) -> None:
    filled = our_figures(paper, table)
    for cell in published_cells(paper, table):
        if cell.dataset == ALL_SETS or not printed_set(paper, cell.dataset).key:
            continue
        if cell.key in filled:
            assert can_run_here(cell)
            assert not is_study(cell) or (cell.paper, cell.algorithm) in RECIPES


def test_a_drawn_set_is_kept_by_its_seed() -> None:
    (study,), shares = result_of(studies_in_steps(cells_of("mcdf", 2, dataset="Set2")))
    assert len(shares) == len(study.tables) == 5
    assert shares == [n / 5 for n in range(5)]
    for key, (known, name) in study.tables.items():
        assert name == "Set2"
        content = packed(known)
        assert len(content) < 200
        assert size_of(content) == (1000, known.n_features)
        again = unpacked(content)
        assert key == f"table.{again.digest}"
        assert again.digest == printed_data("mcdf", "Set2", known.draw).digest


def test_a_set_that_is_drawn_otherwise_today_is_refused() -> None:
    content = packed(Drawn("mcdf", "Set1", 0, "0" * 16, 1000, 2))
    with pytest.raises(ValueError, match="Set1 is generated differently"):
        unpacked(content)


def test_a_set_of_a_file_is_kept_whole() -> None:
    (study,), _ = result_of(studies_in_steps(cells_of("mcdf", 2, dataset="wine")))
    ((known, _),) = study.tables.values()
    assert unpacked(packed(known)).digest == known.digest
    assert size_of(packed(known)) == (178, 13)


def test_a_study_of_a_cell_gives_the_figure_that_came_with_the_project(tmp_path) -> None:
    (cell,) = cells_of("mcdf", 2, dataset="Set1", algorithm="AdaBoost.M1", metric="accuracy")
    (planned,), _ = result_of(studies_in_steps((cell,)))
    assert planned.study.name.startswith(run_name(cell))
    given = {key: unpacked(packed(known)) for key, (known, _) in planned.tables.items()}
    with closing(Store(f"sqlite:///{tmp_path / 'store.db'}")) as store:
        study_id = store.register(planned.study, planned.cells, "")
        assert figure_in(store.folds(study_id), planned.study, cell) == (0, 50)
        for _ in run(planned.study, store, given=given, n_workers=1):
            pass
        found = figure_in(store.folds(study_id), planned.study, cell)
    kept = our_figures("mcdf", 2)[cell.key]
    assert isinstance(found, Ours)
    assert (found.mean, found.n_folds) == (pytest.approx(kept.mean, rel=1e-4), kept.n_folds)


def test_cells_of_one_machine_share_its_divisions() -> None:
    cells = cells_of("svm_tree", 1, setting="sigma 5", algorithm="SVM tree (improved)")
    found, shares = result_of(svm_figures_in_steps(cells))
    assert shares == [0.0]
    assert found == svm_figures(cells)
    kept = our_figures("svm_tree", 1)
    for each in found:
        assert each.mean == pytest.approx(kept[each.key].mean, rel=1e-4)
        assert each.n_folds == kept[each.key].n_folds
