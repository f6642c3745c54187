"""What the commands of ``python -m lastviz.studies`` do."""

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

from .database import hidden
from .kept_data import tables_in
from .latex import export
from .line import StudyLine
from .paper_tables import papers
from .run import FoldEvent, Progress, estimate, run, serve
from .study import Study, read_study


def _run(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    study, given = _read(store, options, owner)
    _go_on(store, study, given, options, owner)


def _read(
    store: StudyLine, options: argparse.Namespace, owner: str
) -> tuple[Study, dict[str, Dataset]]:
    """Return the study of a file, and its tables by key.

    Those are kept, so that `resume` needs neither the files nor their folder.
    """
    study = read_study(options.study)
    folders = (Path(options.study).parent, os.environ.get("LASTVIZ_DATA"))
    given = tables_in((Path(folder) for folder in folders if folder), study)
    store.hand_in(study.id_for(hidden(owner)), {key: (table, "") for key, table in given.items()})
    return study, given


def _resume(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    study_id = _named(store, options.study, owner)
    given = store.given(study_id)
    _go_on(store, store.study(study_id, owner, tuple(given)), given, options, owner)


def _named(store: StudyLine, name: str, owner: str) -> str:
    """Return the id of a study of this owner, which may be called by its name."""
    known = store.names(owner)
    found = [study_id for study_id, title, _ in known if name in (study_id, title)]
    if not found:
        raise ValueError(f"There is no study {name!r} here; `list` shows those there are.")
    if len(found) > 1:
        raise ValueError(f"{len(found)} studies are called {name!r}; say {' or '.join(found)}.")
    return found[0]


def _go_on(
    store: StudyLine,
    study: Study,
    given: Mapping[str, Dataset],
    options: argparse.Namespace,
    owner: str,
) -> None:
    if options.workers is not None and options.workers < 1:
        raise ValueError(f"--workers must be 1 or more, got {options.workers}.")
    events = run(
        study,
        store,
        owner=owner,
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


def _estimate(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    study, given = _read(store, options, owner)
    found = estimate(
        study, store, given=given, owner=owner, n_workers=options.workers, try_out=True
    )
    print(f"{found.n_left} of {found.n_folds} folds are left: about {found.seconds:.0f} s")


def _serve(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    logging.basicConfig(level=logging.WARNING)
    if options.beside:
        end_with_parent()  # a study is held as running then, and goes on with the next process
    serve(store, options.workers or max(1, n_processors() - 1))


def _list(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    for row in store.studies(owner):
        print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)


def _status(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    study_id = _named(store, options.study, owner)
    row = next(row for row in store.studies(owner) if row.id == study_id)
    print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)
    folds = store.folds(study_id)
    for _, cell in store.cells(study_id).iterrows():
        here = folds[folds["cell"] == cell["cell"]]
        reasons = [cell["reason"], *here["reason"].dropna()]
        why = next((reason for reason in reasons if reason), "")
        done = int((here["state"] == "done").sum())
        print(f"  {cell['algorithm']}, {cell['dataset']}: {done} folds {why}".rstrip())


def _delete(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    store.delete(_named(store, options.study, owner), owner)
    print(f"{options.study} is deleted.")


def _note(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    study_id = _named(store, options.study, owner)
    store.set_state(study_id, {"pause": "paused", "cancel": "cancelled"}[options.command])


def _export(store: StudyLine, options: argparse.Namespace, owner: str) -> None:
    n = export(store, _named(store, options.study, owner), Path(options.file), owner)
    print(f"{n} folds are in {options.file}.")


COMMANDS: dict[str, Callable[[StudyLine, argparse.Namespace, str], None]] = {
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
