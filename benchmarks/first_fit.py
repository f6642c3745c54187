"""The first call in a fresh Python with nothing compiled, beside the same call with all compiled.

``python -m benchmarks.first_fit [--checkout] [--warm FOLDER] [--rounds N] [NAME ...]``. Called are
``lastviz.show``, each estimator's ``fit`` and each display, on iris (numbers are learnt from its
last column), each in a process of its own that has the wheel, or with ``--checkout`` this checkout.
The seconds are those of the import and the call, medians of the rounds; cold, the folder for
machine code is empty. ``--warm`` names one that is full; else it is filled first, which takes
minutes. Nothing fails: the bound of 1.5 times warm and a second is printed beside.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lastviz import displays
from lastviz.estimators import ESTIMATORS, REGRESSORS
from tests.e2e.app import ROOT
from tests.e2e.wheels import built

TIMES, MORE = 1.5, 1.0  # warm, and seconds
LONGEST = 600.0  # seconds of a process
DATA = """
import time
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
X, y = load_iris(return_X_y=True)
"""
OF_SCIKIT_LEARN = "model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)"
SLANTED = "from lastviz import OC1Classifier\nmodel = OC1Classifier(random_state=0).fit(X, y)"
OF_ANOTHER_MODEL = {"HyperplaneDisplay": SLANTED}


def calls() -> dict[str, tuple[str, str]]:
    """Return by its name what goes before a call, and the call."""
    found = {"show": (OF_SCIKIT_LEARN, "import lastviz; lastviz.show(model, X, y)")}
    for entries, rows in ((ESTIMATORS, "X, y"), (REGRESSORS, "X[:, :3], X[:, 3]")):
        for entry in entries.values():
            name = entry.cls.__name__
            found[name] = "", f"import lastviz; lastviz.{name}().fit({rows})"
    for name in filter(lambda name: name.endswith("Display"), displays.__all__):
        call = f"import lastviz; lastviz.{name}.from_estimator(model, X, y).plot()"
        found[name] = OF_ANOTHER_MODEL.get(name, OF_SCIKIT_LEARN), call
    return found


def main() -> None:
    options = argparse.ArgumentParser(description="Measure the first call in a fresh Python.")
    options.add_argument("--checkout", action="store_true", help="no wheel is made")
    options.add_argument("--warm", type=Path, help="a folder of machine code that is full")
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("names", nargs="*", metavar="NAME", help="by default all")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="lastviz-first-fit-") as folder:
        base = Path(folder)
        package = ROOT if asked.checkout else base / "site"
        if not asked.checkout:
            zipfile.ZipFile(built(base)).extractall(package)
        own = {"PYTHONPATH": str(package), "XDG_CACHE_HOME": str(base / "cache")}
        warm = asked.warm or base / "warm"
        if asked.warm is None:
            command = [sys.executable, "-m", "lastviz.warm_up"]
            environment = os.environ | own | {"LASTVIZ_CACHE": str(warm)}
            subprocess.run(command, cwd=base, env=environment, check=True)
        print("| call | cold, s | warm, s | bound, s | |\n|---|---|---|---|---|")
        for name, (before, call) in calls().items():
            if asked.names and name not in asked.names:
                continue
            code = f"{DATA}{before}\nbegin = time.perf_counter()\n{call}\n"
            code += "print(time.perf_counter() - begin)"
            seconds = {"cold": [], "warm": []}
            for _ in range(asked.rounds):
                with tempfile.TemporaryDirectory(dir=base) as empty:
                    seconds["cold"].append(_seconds(code, base, own | {"LASTVIZ_CACHE": empty}))
                seconds["warm"].append(_seconds(code, base, own | {"LASTVIZ_CACHE": str(warm)}))
            cold, hot = (statistics.median(found) for found in seconds.values())
            bound = TIMES * hot + MORE
            over = "over" if cold > bound else ""
            print(f"| {name} | {cold:.2f} | {hot:.2f} | {bound:.2f} | {over} |", flush=True)


def _seconds(code: str, folder: Path, own: Mapping[str, str]) -> float:
    """Return what a process that runs the code prints; whatever it began ends with it."""
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(
        command, cwd=folder, env=os.environ | own, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        said, errors = process.communicate(timeout=LONGEST)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise RuntimeError(errors)
    return float(said.split()[-1])


if __name__ == "__main__":
    main()
