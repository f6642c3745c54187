"""Run all checks in stages and print what each of them took of its budget.

``python tests/stages.py`` is what ``make test`` runs; with ``--all`` it is ``make test-all``, which
adds whole products where a sample runs always.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

IN_BROWSER = [*PYTEST, "-n", "2", "--dist", "loadfile", "tests/e2e"]
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}

# (name, budget in minutes, command, environment)
STAGES = (
    ("lint", 0.2, [sys.executable, "-m", "ruff", "check", "."], {}),
    ("format", 0.2, [sys.executable, "-m", "ruff", "format", "--check", "."], {}),
    ("compile kernels", 2.0, [sys.executable, "-m", "lastviz.warm_up"], {}),
    ("tests", 2.5, [*PYTEST, "-n", "2", "-m", "not e2e and not slow"], {}),
    ("kernels uncompiled", 0.5, [*PYTEST, "-n", "2", "-m", "kernel and not slow"], UNCOMPILED),
    ("browser", 3.0, [*IN_BROWSER, "-m", "e2e and not slow"], {}),
)
MORE_STAGES = (
    ("whole products", 40.0, [*PYTEST, "-n", "2", "-m", "slow and not e2e"], {}),
    ("browser, whole", 10.0, [*IN_BROWSER, "-m", "slow and e2e"], {}),
)


def main() -> int:
    rows, failed = [], []
    everything = "--all" in sys.argv[1:]
    stages = STAGES + (MORE_STAGES if everything else ())
    if everything:
        os.environ["LASTVIZ_TEST_ALL"] = "1"  # what is not installed fails, see tests/needed.py
    for name, budget, command, environment in stages:
        print(f"\n== {name}", flush=True)
        begin = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False)
        minutes = (time.monotonic() - begin) / 60
        rows.append(f"{name:20} {minutes:5.1f} of {budget:4.1f} minutes")
        if done.returncode:
            failed.append(name)
    print("\n" + "\n".join(rows))
    print(f"{len(stages) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
