"""How heavy lastviz is: lines, files, texts, ways out, and calls for what a reader waits for.

Run it with ``python -m benchmarks.weight`` in a checkout; nothing has to be idle. Each figure is
printed beside the one in ``benchmarks/weight.txt``, above which none may rise: ``.ci/run`` fails
then. ``--keep`` writes what has fallen there. What pages, algorithms and criteria touch that are
added is counted by ``tests/test_adding.py``.
"""

from __future__ import annotations

import ast
import logging
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from lastviz import C45Classifier
from lastviz.host import jobs, language
from lastviz.ui.state.selection import DEFAULT
from tests.calls import calls_counted, files_entered
from tests.exits import EXITS
from tests.host.test_run import counted
from tests.patience import SECONDS
from tests.texts import catalogue
from tests.ui.conftest import opened

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "benchmarks" / "weight.txt"
SLACK = 1.02  # of calls: now and then a value that is kept is measured anew


def python_files(folder: str) -> list[Path]:
    """Python files of a folder of the project."""
    return sorted((ROOT / folder).rglob("*.py"))


def n_lines(folder: str) -> int:
    """Lines of Python in a folder."""
    return sum(len(path.read_bytes().splitlines()) for path in python_files(folder))


def n_texts() -> int:
    """Texts of the app: each has an entry in the Chinese catalogue."""
    return len(catalogue("zh"))


def n_used_once() -> int:
    """Names of private functions that stand once beside their only definition."""
    texts = [path.read_text(encoding="utf-8") for path in python_files("lastviz")]
    mentions = Counter(name for text in texts for name in re.findall(r"\b_[a-z]\w*", text))
    functions = [
        n for text in texts for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)
    ]
    definitions = Counter(node.name for node in functions)
    return sum(mentions[name] == 2 for name, n in definitions.items() if n == 1)


def files_of_a_fit() -> int:
    """Files of lastviz that one fit of C4.5 enters; a compiled kernel counts by its dispatcher."""
    X, y = np.random.default_rng(0).normal(size=(200, 4)), np.arange(200) % 3
    C45Classifier().fit(X, y)  # kernels are loaded
    return len(files_entered(lambda: C45Classifier().fit(X, y)))


def calls_of_a_change() -> int:
    """Calls for a change on *splits* that grows a model never seen; its kernels are loaded."""
    app = opened("splits")
    app.slider(key="held").set_value(38).run()
    calls: Counter[str] = Counter()
    app.slider(key="held").set_value(37)
    with calls_counted(calls):
        app.run()
    return calls.total()


def figures() -> dict[str, int]:
    """All figures by their names."""
    return {
        "lines of Python in lastviz": n_lines("lastviz"),
        "lines of it in ui": n_lines("lastviz/ui"),
        "files of it": len(python_files("lastviz")),
        "lines of tests": n_lines("tests"),
        "texts": n_texts(),
        "ways out": len(EXITS),
        "private functions used once": n_used_once(),
        "files that a fit of C4.5 enters": files_of_a_fit(),
        "calls for one picture of splits": min(counted(DEFAULT) for _ in range(4)),
        "calls for a change on splits": calls_of_a_change(),
    }


def kept() -> dict[str, int]:
    """The figures that are committed."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    return {name.strip(): int(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def risen(now: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Figures above the committed ones, which stand behind them."""
    before = kept()
    slack = {name: SLACK if name.startswith("calls") else 1.0 for name in before}
    return {
        name: (value, before[name])
        for name, value in now.items()
        if value > slack[name] * before[name]
    }


def main() -> int:
    """Print the table; with --keep write it down."""
    logging.disable(logging.WARNING)  # Streamlit's, that no page runs
    language.SPOKEN.set("en")
    jobs.PATIENCE = SECONDS  # the machine may be busy
    now = figures()
    if "--keep" in sys.argv[1:]:
        table = "".join(f"{name:36}{value}\n" for name, value in now.items())
        KEPT.write_text(table, encoding="utf-8")
    for name, value in now.items():
        print(f"{name:36}{value:9,d}{kept()[name]:9,d}")
    return bool(risen(now))


if __name__ == "__main__":
    sys.exit(main())
