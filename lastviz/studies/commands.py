"""Implementation of the commands of ``python -m lastviz.studies``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from lastviz._system import end_with_parent, n_processors
from lastviz.datasets import Dataset

from .kept_data import tables_in
from .latex import export
from .paper_tables import papers
from .run import FoldEvent, Progress, estimate, run, serve
from .store import StudyStore
from .study import Study, read_study


def _run(store: StudyStore, options: argparse.Namespace) -> None:
    study, given = _read(store, options)
    _go_on(store, study, given, options)


def _read(store: StudyStore, options: argparse.Namespace) -> tuple[Study, dict[str, Dataset]]:
    """Study of a file, and its tables by key.

    Those are kept, so that `resume` needs neither the files nor their folder.
    """
    study = read_study(options.study)
    folders = (Path(options.study).parent, os.environ.get("LASTVIZ_DATA"))
    given = tables_in((Path(folder) for folder in folders if folder), study)
    store.hand_in(study.id_for(""), {key: (table, "") for key, table in given.items()})
    return study, given


def _resume(store: StudyStore, options: argparse.Namespace) -> None:
    study_id = _named(store, options.study)
    given = store.given(study_id)
    _go_on(store, store.study(study_id, given=tuple(given)), given, options)


def _named(store: StudyStore, name: str) -> str:
    """Name in the store of a study that may be called by its title."""
    known = store.names("")
    found = [study_id for study_id, title, _ in known if name in (study_id, title)]
    if not found:
        raise ValueError(f"There is no study {name!r} here; `list` shows those there are.")
    if len(found) > 1:
        raise ValueError(f"{len(found)} studies are called {name!r}; say {' or '.join(found)}.")
    return found[0]


def _go_on(
    store: StudyStore, study: Study, given: Mapping[str, Dataset], options: argparse.Namespace
) -> None:
    if options.workers is not None and options.workers < 1:
        raise ValueError(f"--workers must be 1 or more, got {options.workers}.")
    events = run(
        study,
        store,
        given=given,
        n_workers=options.workers,
        scheduler=options.scheduler,
        retry_failed=options.retry_failed,
    )
    live, reported = sys.stdout.isatty(), set()
    with closing(events):
        for event in events:
            progress = event.progress if isinstance(event, FoldEvent) else event
            where = f"{event.cell.algorithm}, {event.cell.dataset}" if event is not progress else ""
            if isinstance(event, FoldEvent) and event.outcome.reason:
                text = f"{where}: {event.outcome.reason}"
                if where not in reported:  # the other folds of the cell fail alike
                    reported.add(where)
                    print(f"\r\033[K{text}" if live else text)
            if live:
                print(f"\r\033[K{_line(progress)}  {where}", end="", flush=True)
    if live:
        print("\r\033[K", end="")
    print(_line(progress))
    for _, cell in store.cells(progress.study).iterrows():
        if cell["reason"]:
            print(f"{cell['algorithm']}, {cell['dataset']}: {cell['reason']}")


def _line(progress: Progress) -> str:
    failed = f", {progress.n_failed} failed" if progress.n_failed else ""
    done = f"{progress.n_done} of {progress.n_folds} folds"
    return f"{progress.study}  {progress.state}  {done}{failed}"


def _estimate(store: StudyStore, options: argparse.Namespace) -> None:
    study, given = _read(store, options)
    found = estimate(study, store, given=given, n_workers=options.workers, try_out=True)
    print(f"{found.n_left} of {found.n_folds} folds are left: about {found.seconds:.0f} s")


def _serve(store: StudyStore, options: argparse.Namespace) -> None:
    logging.basicConfig(level=logging.WARNING)
    if options.beside:
        end_with_parent()  # a study is held as running then, and goes on with the next process
    serve(store, options.workers or max(1, n_processors() - 1))


def _list(store: StudyStore, options: argparse.Namespace) -> None:
    for row in store.studies():
        print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)


def _status(store: StudyStore, options: argparse.Namespace) -> None:
    study_id = _named(store, options.study)
    row = next(row for row in store.studies() if row.id == study_id)
    print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)
    folds = store.folds(study_id)
    for _, cell in store.cells(study_id).iterrows():
        here = folds[folds["cell"] == cell["cell"]]
        reasons = [cell["reason"], *here["reason"].dropna()]
        why = next((reason for reason in reasons if reason), "")
        done = int((here["state"] == "done").sum())
        print(f"  {cell['algorithm']}, {cell['dataset']}: {done} folds {why}".rstrip())


def _delete(store: StudyStore, options: argparse.Namespace) -> None:
    store.delete(_named(store, options.study))
    print(f"{options.study} is deleted.")


def _note(store: StudyStore, options: argparse.Namespace) -> None:
    study_id = _named(store, options.study)
    store.set_state(study_id, {"pause": "paused", "cancel": "cancelled"}[options.command])


def _export(store: StudyStore, options: argparse.Namespace) -> None:
    n = export(store, _named(store, options.study), Path(options.file))
    print(f"{n} folds are in {options.file}.")


COMMANDS: dict[str, Callable[[StudyStore, argparse.Namespace], None]] = {
    "run": _run,
    "resume": _resume,
    "estimate": _estimate,
    "serve": _serve,
    "list": _list,
    "status": _status,
    "delete": _delete,
    "pause": _note,
    "cancel": _note,
    "export": _export,
    "papers": papers,
}
