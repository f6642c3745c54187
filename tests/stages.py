"""Run the checks of one of three rings in stages and print what each took beside its budget.

``python tests/stages.py`` is ``make test``: what a developer runs all day. With ``--ci`` it is what
``.ci/run`` runs, which adds the rest of what a change can break, and with ``--all`` it is ``make
test-all``, which adds whole products where a sample runs always, and servers. docs/tests.md says
which test belongs to which ring. What fails is a check, never a budget: a slow or busy machine says
nothing of the code. ``--keep`` writes the table of the run into ``benchmarks/stages.txt``.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "benchmarks" / "stages.txt"
CORES = 2
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
QUICK = [*PYTEST, "-n", str(CORES), "--dist", "worksteal", "--ignore=tests/e2e"]
IN_BROWSER = [*PYTEST, "-n", str(CORES), "--dist", "loadfile", "tests/e2e"]
# Tests of random examples have a thousand each; see tests/conftest.py.
THOROUGH = "--hypothesis-profile=thorough"


class Ring(NamedTuple):
    """Minutes on two idle cores, and of processors the minutes of tests, without and with pages."""

    minutes: int
    budgets: tuple[float, float]
    tests: list[str]
    in_browser: list[str]


RINGS = {
    "": Ring(8, (6, 6), ["-m", "not ci and not slow"], ["-m", "main and not slow"]),
    "--ci": Ring(22, (9, 30), [THOROUGH, "-m", "not slow"], ["-m", "not slow"]),
    "--all": Ring(60, (60, 50), [THOROUGH], []),
}


class Stage(NamedTuple):
    """A command, and the minutes of processors that it is meant to take."""

    name: str
    budget: float
    command: list[str]


def with_kernels() -> list[str]:
    """Return the files with tests of kernels; collecting all others takes longer than these."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path) for path in files if "mark.kernel" in path.read_text(encoding="utf-8")]


def stages_of(ring: str) -> list[Stage]:
    """Return the stages of a ring: the same in each, with more tests."""
    _, budgets, tests, in_browser = RINGS[ring]
    uncompiled = ["env", "NUMBA_DISABLE_JIT=1", *QUICK, "-m", "kernel and not slow"]
    stages = [
        Stage("lint", 0.2, [sys.executable, "-m", "ruff", "check", "."]),
        Stage("format", 0.2, [sys.executable, "-m", "ruff", "format", "--check", "."]),
        Stage("compile kernels", 3.0, [sys.executable, "-m", "lastviz.warm_up"]),
        Stage("tests", budgets[0], [*QUICK, *tests]),
        Stage("kernels uncompiled", 2.0, [*uncompiled, *with_kernels()]),
        Stage("browser", budgets[1], [*IN_BROWSER, *in_browser]),
    ]
    return [stage for stage in stages if ring or stage.name != "kernels uncompiled"]


def adopt_orphans() -> None:
    """Become the parent of what outlives its own: most of what a browser does is done by such."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def minutes_of_processors() -> float:
    """Return the minutes of all processes that this one started, or adopted, and that ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    spent = os.times()
    return (spent.children_user + spent.children_system) / 60


def main() -> int:
    ring = next((argument for argument in sys.argv[1:] if argument in RINGS), "")
    if ring == "--all":
        os.environ["LASTVIZ_TEST_ALL"] = "1"  # what is not installed fails, see tests/needed.py
    # Else each process that a stage starts would compile the package and its tests anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    adopt_orphans()
    rows, failed, stages, start = [], [], stages_of(ring), time.monotonic()
    for stage in stages:
        print(f"\n== {stage.name}", flush=True)
        begin, spent = time.monotonic(), minutes_of_processors()
        done = subprocess.run(stage.command, cwd=ROOT, check=False)
        minutes, spent = (time.monotonic() - begin) / 60, minutes_of_processors() - spent
        rows.append(
            f"{stage.name:20} {minutes:5.1f} minutes, "
            f"{spent:5.1f} of {stage.budget:4.1f} of processors"
        )
        if done.returncode:
            failed.append(stage.name)
    minutes = (time.monotonic() - start) / 60
    rows.append(
        f"{minutes:.1f} minutes; on {CORES} idle processors at most {RINGS[ring].minutes} meant"
    )
    print("\n" + "\n".join(rows))
    if "--keep" in sys.argv[1:]:
        KEPT.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(stages) - len(failed)} passed, {len(failed)} failed", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
