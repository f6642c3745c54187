"""Studies from the command line: ``python -m lastviz.studies run study.toml``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from .line import StudyLine
from .run import FoldEvent, Progress, estimate, run
from .serving import serve
from .store import Store, StoreError
from .study import Study, read_study
from .tables import export
from .workers import WorkersError

OWNER = "LASTVIZ_OWNER"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lastviz.studies", description="Algorithms x data sets x folds, kept."
    )
    parser.add_argument("--store", help="of LASTVIZ_STORE; sqlite:///FILE or postgresql+psycopg://")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("run", "study.toml"), ("resume", "name of a study")):
        command = commands.add_parser(name, help=f"compute what is missing: {what}")
        command.add_argument("study")
        command.add_argument("--workers", type=int, help="processes; default one for each core")
        command.add_argument("--scheduler", help="of Dask: tcp://127.0.0.1:8786, tls://...")
        command.add_argument("--retry-failed", action="store_true")
    time = commands.add_parser("estimate", help="try one fold of each cell: study.toml")
    time.add_argument("study")
    time.add_argument("--workers", type=int, default=1)
    serving = commands.add_parser("serve", help="compute what servers were asked for; they do this")
    serving.add_argument("--workers", type=int, help="processes; default one less than cores")
    serving.add_argument("--beside", action="store_true", help="end when the input is closed")
    commands.add_parser("list", help="the studies that are kept")
    for name in ("status", "delete", "pause", "cancel"):
        commands.add_parser(name).add_argument("study", help="name of a study")
    saved = commands.add_parser("export", help="write the folds of a study")
    saved.add_argument("study", help="name of a study")
    saved.add_argument("file", help="FILE.csv or FILE.parquet")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return 0, or 1 after one sentence about what is wrong."""
    asked = _arguments().parse_args(arguments)
    try:
        with closing(Store(asked.store)) as store:
            _COMMANDS[asked.command](store, asked, os.environ.get(OWNER, ""))
    except KeyboardInterrupt:
        print("\nPaused; what is done is kept: `resume` goes on.", file=sys.stderr)
        return 130
    except (ValueError, OSError, StoreError, WorkersError) as error:
        print(f"\n{error}" if sys.stderr.isatty() else str(error), file=sys.stderr)
        return 1
    return 0


def _run(store: Store, asked: argparse.Namespace, owner: str) -> None:
    _go_on(store, read_study(asked.study), asked, owner)


def _resume(store: Store, asked: argparse.Namespace, owner: str) -> None:
    _go_on(store, store.study(asked.study, owner), asked, owner)


def _go_on(store: Store, study: Study, asked: argparse.Namespace, owner: str) -> None:
    if asked.workers is not None and asked.workers < 1:
        raise ValueError(f"--workers must be 1 or more, got {asked.workers}.")
    events = run(
        study,
        store,
        owner=owner,
        n_workers=asked.workers,
        scheduler=asked.scheduler,
        retry_failed=asked.retry_failed,
    )
    live, said = sys.stdout.isatty(), set()
    with closing(events):
        for event in events:
            progress = event.progress if isinstance(event, FoldEvent) else event
            where = f"{event.cell.algorithm}, {event.cell.dataset}" if event is not progress else ""
            if isinstance(event, FoldEvent) and event.outcome.reason:
                text = f"{where}: {event.outcome.reason}"
                if where not in said:  # the other folds of the cell fail alike
                    said.add(where)
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


def _estimate(store: Store, asked: argparse.Namespace, owner: str) -> None:
    study = read_study(asked.study)
    found = estimate(study, store, owner=owner, n_workers=asked.workers, try_out=True)
    print(f"{found.n_left} of {found.n_folds} folds are left: about {found.seconds:.0f} s")


def _serve(store: Store, asked: argparse.Namespace, owner: str) -> None:
    logging.basicConfig(level=logging.WARNING)
    if asked.beside:
        threading.Thread(target=_end_with_input, daemon=True).start()
    n_workers = asked.workers or max(1, len(os.sched_getaffinity(0)) - 1)
    with closing(StudyLine(store.address)) as line:
        serve(line, n_workers)


def _end_with_input() -> None:
    """End at once when whoever began this has ended: killed, it cannot say so.

    A study is held as running then, and goes on with the next process.
    """
    sys.stdin.buffer.read()
    os._exit(0)


def _list(store: Store, asked: argparse.Namespace, owner: str) -> None:
    for row in store.studies(owner):
        print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)


def _status(store: Store, asked: argparse.Namespace, owner: str) -> None:
    store.study(asked.study, owner)
    row = next(row for row in store.studies(owner) if row.id == asked.study)
    print(_line(Progress(row.id, row.n_done, row.n_failed, row.n_folds, row.state)), row.name)
    folds = store.folds(asked.study)
    for _, cell in store.cells(asked.study).iterrows():
        here = folds[folds["cell"] == cell["cell"]]
        reasons = [cell["reason"], *here["reason"].dropna()]
        why = next((reason for reason in reasons if reason), "")
        done = int((here["state"] == "done").sum())
        print(f"  {cell['algorithm']}, {cell['dataset']}: {done} folds {why}".rstrip())


def _delete(store: Store, asked: argparse.Namespace, owner: str) -> None:
    store.delete(asked.study, owner)
    print(f"{asked.study} is deleted.")


def _note(store: Store, asked: argparse.Namespace, owner: str) -> None:
    store.study(asked.study, owner)
    store.set_state(asked.study, {"pause": "paused", "cancel": "cancelled"}[asked.command])


def _export(store: Store, asked: argparse.Namespace, owner: str) -> None:
    store.study(asked.study, owner)
    n = export(store, asked.study, Path(asked.file))
    print(f"{n} folds are in {asked.file}.")


_COMMANDS = {
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
}

if __name__ == "__main__":
    sys.exit(main())
