"""Studies: two cores against one, 100,000 stored folds opened, ten sets by six algorithms.

Run it with ``python -m benchmarks.studies_speed [cores] [open] [large]``, on Linux; by default
the first two. `large` takes some minutes.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from lastviz.studies.latex import comparable_folds
from lastviz.studies.run import estimate
from lastviz.studies.statistics import standings, study_scores
from lastviz.studies.store import StudyStore
from lastviz.studies.study import Study, study_of
from lastviz.studies.tasks import Outcome, plan

PAIRS = 3
FIVE = ("cart", "c45", "gsodt", "lsodt", "k_nn")
BOTH = '[[algorithms]]\nkey = "hybrid"\nname = "BNM+CSN"\nparams = {criterion = "bnm+csn"}\n'
SUBREAPER = 36  # of prctl: what a command leaves behind is ours to wait for


def text_of(datasets: dict[str, dict[str, int]], repeats: int) -> str:
    """Return a study of CART, C4.5, GSODT, LSODT, k-NN and BNM+CSN."""
    algorithms = "".join(f'[[algorithms]]\nkey = "{key}"\n' for key in FIVE) + BOTH
    sets = "".join(
        f'[[datasets]]\nkey = "{key}"\n' + "".join(f"params.{k} = {v}\n" for k, v in own.items())
        for key, own in datasets.items()
    )
    return f"repeats = {repeats}\nfolds = 10\n{algorithms}{sets}"


SHORT = text_of({"iris": {}, "wine": {}, "xor": {}, "breast_cancer": {}}, repeats=20)
LONG = text_of({"waveform": {"n_samples": 5000}, "twonorm": {"n_samples": 5000}}, repeats=8)
LARGE = text_of(
    {
        **{key: {} for key in ("iris", "wine", "breast_cancer", "digits")},
        "xor": {"n_samples": 1000},
        "gauss_2d": {"n_samples": 2000},
        **{k: {"n_samples": 5000} for k in ("waveform", "twonorm", "ringnorm", "waveform_noise")},
    },
    repeats=10,
)


def command(text: str, cores: str, folder: Path) -> tuple[float, float]:
    """Return seconds of the clock and of the processors of a whole command, start-up included."""
    file = folder / "study.toml"
    file.write_text(text)
    store = f"sqlite:///{folder / f'{time.monotonic_ns()}.sqlite'}"
    line = [sys.executable, "-m", "lastviz.studies", "--store", store, "run", str(file)]
    line = ["taskset", "-c", cores, *line, "--workers", str(cores.count(",") + 1)]
    before = os.times()
    begin = time.perf_counter()
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    _, status, _ = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, "the study failed"
    while True:  # the process that workers were forked from
        try:
            os.wait()
        except ChildProcessError:
            break
    after = os.times()
    spent = after.children_user + after.children_system
    return seconds, spent - before.children_user - before.children_system


def two_cores() -> None:
    """Print whole commands on one core and on two, in turn."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    print("| study, folds | 1 core: s | CPU s | 2 cores: s | CPU s | times as fast |")
    print("|---|---|---|---|---|---|")
    for name, text in (("4 small sets", SHORT), ("2 sets of 5,000 rows", LONG)):
        n_folds = sum(len(cell.tasks) for cell in plan(study_of(text))[0])
        with tempfile.TemporaryDirectory() as folder:
            pairs = [
                (command(text, "0", Path(folder)), command(text, "0,1", Path(folder)))
                for _ in range(PAIRS)
            ]
        one, two = (np.median([pair[place] for pair in pairs], axis=0) for place in (0, 1))
        ratio = statistics.median(a[0] / b[0] for a, b in pairs)
        print(
            f"| {name}, {n_folds:,} | {one[0]:.1f} | {one[1]:.1f} | {two[0]:.1f} | {two[1]:.1f} "
            f"| {ratio:.2f} |"
        )


def filled(store: StudyStore) -> Study:
    """Store a study of 100,000 folds with drawn figures."""
    keys = (
        "cart",
        "c45",
        "gsodt",
        "lsodt",
        "hybrid",
        "k_nn",
        "oc1",
        "cart_lc",
        "svc",
        "random_forest",
    )
    algorithms = "".join(f'[[algorithms]]\nkey = "{key}"\n' for key in keys)
    sets = "".join(
        f'[[datasets]]\nkey = "xor"\nname = "XOR {n}"\nparams = {{n_samples = {n}}}\n'
        for n in range(200, 210)
    )
    study = study_of(f'name = "Large"\nrepeats = 100\nfolds = 10\n{algorithms}{sets}')
    cells, _ = plan(study)
    store.register(study, cells)
    rng = np.random.default_rng(0)
    names = ("accuracy", "balanced_accuracy", "log_loss", "nodes", "leaves", "depth", "fit_seconds")
    tasks = [task for cell in cells for _, task in cell.tasks]
    for begin in range(0, len(tasks), 5000):
        part = tasks[begin : begin + 5000]
        store.save(
            (task, Outcome(task.key, dict(zip(names, rng.random(len(names)).tolist(), strict=True)),
                           "", "", 0.01))
            for task in part
        )  # fmt: skip
    return study


def best(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor of the quickest of five calls."""
    found = []
    for _ in range(5):
        begin, spent = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - begin, time.process_time() - spent))
    return min(found)


def opening() -> None:
    """Print what it takes to list, read and score 100,000 folds."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'large.sqlite'}"
        with closing(StudyStore(address)) as store:
            study_id = filled(store).id_for("")
        with closing(StudyStore(address)) as store:
            folds = comparable_folds(store.folds(study_id))
            table = folds.assign(value=folds["accuracy"])
            steps = {
                "list of studies": lambda: store.studies(),
                "table of folds": lambda: comparable_folds(store.folds(study_id)),
                "scores and standings": lambda: standings(study_scores(table)),
            }
            took = {name: best(call) for name, call in steps.items()}
            print(f"| {len(folds):,} folds | s | CPU s |\n|---|---|---|")
            took["together"] = tuple(map(sum, zip(*took.values(), strict=True)))
            for name, (seconds, spent) in took.items():
                print(f"| {name} | {seconds:.2f} | {spent:.2f} |")


def large() -> None:
    """Print what the large study takes on two cores, and what was expected."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    study = study_of(LARGE)
    with tempfile.TemporaryDirectory() as folder:
        with closing(StudyStore(f"sqlite:///{Path(folder) / 'tried.sqlite'}")) as store:
            expected = estimate(study, store, n_workers=2, try_out=True)
        print(f"{expected.n_folds:,} folds; expected {expected.seconds / 60:.1f} min on two cores")
        seconds, spent = command(LARGE, "0,1", Path(folder))
        print(f"taken {seconds / 60:.1f} min by the clock, {spent / 60:.1f} min of the processors")


if __name__ == "__main__":
    parts = {"cores": two_cores, "open": opening, "large": large}
    for part in sys.argv[1:] or ("cores", "open"):
        parts[part]()
        print()
