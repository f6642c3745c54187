"""Studies from the command line: ``python -m lastviz.studies run study.toml``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing

from lastviz._extras import is_installed, lack_of

from . import workers

OWNER = "LASTVIZ_OWNER"  # that earlier releases read
BEGUN = ("run", "resume", "serve")  # commands that compute in processes
NAME = "name or id of a study, as `list` prints them"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lastviz.studies", description="Algorithms x data sets x folds, kept."
    )
    parser.add_argument("--store", help="of LASTVIZ_STORE; sqlite:///FILE or postgresql+psycopg://")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("run", "study.toml"), ("resume", NAME)):
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
        commands.add_parser(name).add_argument("study", help=NAME)
    papers = commands.add_parser(
        "papers", help="compute the papers' tables, the print's beside ours"
    )
    papers.add_argument("--table", help="such as sodt2 or svm1; default: all")
    papers.add_argument("--sets", nargs="+", default=(), help="as printed; default: all")
    papers.add_argument("--algorithms", nargs="+", default=(), help="as printed; default: all")
    papers.add_argument("--workers", type=int, default=1)
    papers.add_argument("--save", help="also write our figures into this CSV file, to those there")
    papers.add_argument("--empty", action="store_true", help="only list empty cells, and why")
    saved = commands.add_parser("export", help="write the folds of a study, or it for a paper")
    saved.add_argument("study", help=NAME)
    saved.add_argument("file", help="FILE.csv or FILE.parquet; FILE.tex or FILE.bib")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns 0, or 1 after one sentence about the error.
    """
    options = _arguments().parse_args(arguments)
    if not is_installed("sqlalchemy"):
        print(lack_of("sqlalchemy", "Keeping studies"), file=sys.stderr)
        return 1
    if os.environ.get(OWNER):
        print(f"{OWNER} is not read any more: keep studies apart by --store.", file=sys.stderr)
        return 1
    if options.command in BEGUN and options.workers != 1 and not getattr(options, "scheduler", ""):
        workers.begin()  # imports on another core what is imported here
    from .commands import COMMANDS
    from .store import StoreError, StudyStore
    from .workers import WorkersError

    try:
        with closing(StudyStore(options.store)) as store:
            COMMANDS[options.command](store, options)
    except KeyboardInterrupt:
        print("\nPaused; what is done is kept: `resume` goes on.", file=sys.stderr)
        return 130
    except (ValueError, OSError, StoreError, WorkersError) as error:
        print(f"\n{error}" if sys.stderr.isatty() else str(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # of a name that a terminal cannot write
    sys.exit(main())
