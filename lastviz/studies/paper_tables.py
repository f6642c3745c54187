"""The command that computes the papers' tables: ``python -m lastviz.studies papers``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from .published import PAPERS, TABLES, Ours, published_cells, read_ours, write_ours
from .reproduction import cells_to_fill, figures_of, gaps, plans, why_not_run
from .run import Progress, run
from .store import StudyStore
from .svm_divisions import svm_figures


def table_named(text: str) -> tuple[str, int]:
    """Paper and number of a table that is named as "sodt2", "svm1" or "svm_tree1".

    Raises
    ------
    ValueError
        If there is none such, with those that there are.
    """
    name, number = text.rstrip("0123456789"), text[len(text.rstrip("0123456789")) :]
    found = [
        table for table in TABLES if name and number == str(table[1]) and table[0].startswith(name)
    ]
    if len(found) != 1:
        known = ", ".join(f"{paper}{table}" for paper, table in TABLES)
        raise ValueError(f"There is no table {text!r}; there are {known}.")
    return found[0]


def papers(store: StudyStore, options: argparse.Namespace) -> None:
    """Compute tables of papers, printing each figure beside the published one.

    Finished figures are kept.
    """
    paper, table = table_named(options.table) if options.table else (None, None)
    if options.empty:
        _print_gaps([(paper, table)] if paper else list(TABLES))
        return
    for name in (paper,) if paper else PAPERS:
        _one_paper(name, table, store, options)


def _print_gaps(tables: Sequence[tuple[str, int]]) -> None:
    """Print the empty cells, a line for each table and reason."""
    found = [(key, reason, cells) for key in tables for reason, cells in gaps(*key).items()]
    n_cells = sum(len(published_cells(*key)) for key in tables)
    print(f"{sum(len(cells) for *_, cells in found)} of {n_cells} cells are empty.")
    for (paper, table), reason, cells in found:
        names = ", ".join(dict.fromkeys(cell.dataset for cell in cells))
        print(f"{paper}{table}: {len(cells)} cells ({names}): {reason}")


def _one_paper(
    paper: str, table: int | None, store: StudyStore, options: argparse.Namespace
) -> None:
    cells = {
        (c.table, *c.key): c for c in published_cells(paper) if table is None or c.table == table
    }
    sets, algorithms = tuple(options.sets), tuple(options.algorithms)
    reasons = {cell: why_not_run(cell) for cell in cells.values()}
    for sentence in dict.fromkeys(
        f"{cell.paper} {cell.table}, {cell.dataset}: {why}" for cell, why in reasons.items() if why
    ):
        print(sentence)
    if paper == "svm_tree":
        _print_figures(
            svm_figures([c for c in cells.values() if not sets or c.dataset in sets]),
            cells,
            options.save,
        )
        return
    wanted = {
        (cell.dataset, cell.algorithm)
        for cell in cells_to_fill(paper)
        if table in (None, cell.table) or cell.table == 0
    }
    for plan in plans(paper, datasets=sets, algorithms=algorithms):
        if (plan.dataset, plan.algorithm) not in wanted:
            continue
        with closing(run(plan.study, store, given=plan.given, n_workers=options.workers)) as events:
            *_, last = (event for event in events if isinstance(event, Progress))
        try:
            _print_figures(figures_of(plan, store, last.study), cells, options.save)
        except ValueError as reason:
            print(f"{paper}, {plan.dataset}, {plan.algorithm}, {plan.protocol}: {reason}")


def _print_figures(figures: Iterable[Ours], cells: dict, file: str | None) -> None:
    figures = list(figures)
    for each in figures:
        cell = cells.get((each.table, *each.key))
        if cell is not None:
            print(
                f"{each.paper} {each.table}  {each.dataset}  {each.algorithm}  {each.metric} "
                f"{each.setting} {each.protocol}: paper {cell.mean:g}, ours {each.mean:.4g} "
                f"± {each.spread:.2g}, {each.n_folds} folds",
                flush=True,
            )
    if file:
        path = Path(file)
        there = {each.address: each for each in (read_ours(path) if path.exists() else [])}
        write_ours(path, (there | {each.address: each for each in figures}).values())
