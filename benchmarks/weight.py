"""How heavy lastviz is: lines, files, calls for one picture, entries into one fit.

Run it with ``python -m benchmarks.weight`` in a checkout; nothing has to be idle. What pages,
algorithms and criteria touch that are added is counted by ``tests/test_adding.py``.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from inspect import getfile
from pathlib import Path

import numpy as np

from lastviz import CARTClassifier
from lastviz.host import jobs, language
from lastviz.ui.state.selection import DEFAULT
from tests.host.test_run import counted

ROOT = Path(__file__).parents[1]
ESTIMATORS = ROOT / "lastviz" / "estimators"
BASES = {Path(getfile(cls)) for cls in CARTClassifier.__mro__[:-1]}


def lines_of(folder: str) -> tuple[int, int]:
    """Return how many lines of Python a folder has, and files."""
    files = list((ROOT / folder).rglob("*.py"))
    return sum(len(file.read_bytes().splitlines()) for file in files), len(files)


def entries_of_a_fit() -> Counter[Path]:
    """Return how often one fit of CART calls into each file of the estimators."""
    X, y = np.random.default_rng(0).normal(size=(200, 4)), np.arange(200) % 3
    CARTClassifier().fit(X, y)  # kernels are loaded
    entries: Counter[Path] = Counter()

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.parent == ESTIMATORS:
            entries[path] += 1

    sys.setprofile(note)
    try:
        CARTClassifier().fit(X, y)
    finally:
        sys.setprofile(None)
    return entries


def main() -> None:
    """Print the table."""
    logging.disable(logging.WARNING)  # Streamlit's, that no page runs
    lines, files = lines_of("lastviz")
    language.SPOKEN.set("en")
    jobs.PATIENCE = 60.0  # seconds: the machine may be busy
    entries = entries_of_a_fit()
    rows = {
        "lines of Python in lastviz": lines,
        "of which ui": lines_of("lastviz/ui")[0],
        "files": files,
        "calls for one picture of splits": min(counted(DEFAULT) for _ in range(4)),
        "entries into cart.py and its bases for one fit": sum(entries[each] for each in BASES),
        "entries into all of estimators": entries.total(),
    }
    for name, value in rows.items():
        print(f"{name:48s}{value:9,d}")
    print(", ".join(f"{path.name} {n}" for path, n in entries.most_common()))


if __name__ == "__main__":
    main()
