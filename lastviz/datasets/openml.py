"""Data sets of OpenML, by number or name: fetched once by a child process, kept in a folder.

The child (:mod:`.openml_client`) can be given up, and nothing that comes from outside is parsed in
the process that serves pages. What was fetched is kept as one Parquet file and one JSON file a data
set; ``LASTVIZ_OPENML_FOLDER`` names the folder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Thread
from typing import BinaryIO

import numpy as np
import pandas as pd

from lastviz._params import Param
from lastviz._sentences import Refusal

from .dataset import Dataset

IN_THE_PLANE = "Made in the plane"
IN_MANY_DIMENSIONS = "Made in many dimensions"
MEASURED = "Measured"
FROM_FOLDER = "From the folder"
FROM_OPENML = "From OpenML"
NUMBERS_TO_LEARN = "Numbers to learn"
GROUPS = (
    IN_THE_PLANE,
    IN_MANY_DIMENSIONS,
    MEASURED,
    NUMBERS_TO_LEARN,
    FROM_FOLDER,
    FROM_OPENML,
)


@dataclass(frozen=True)
class DatasetEntry:
    """A data set that can be chosen: how it is called and how it is loaded.

    Parameters
    ----------
    key : str
        Its name in code and in links.
    title : str
        Its name for people.
    group : str
        One of `GROUPS`.
    load : callable
        ``load(**params) -> Dataset``.
    description : str
        One sentence.
    n_features : int or None
        Number of features; None if that is known only after reading.
    bayes_predict : callable or None
        ``bayes_predict(X, **params) -> class indices``, the best possible rule, with the
        parameters of `load` less n_samples and random_state; None if it is not known.
    version : str
        Tells one state of a file from another; empty for what does not change.
    PARAMS : tuple of Param
        The parameters of `load`; those that it declares itself need not be said.
    """

    key: str
    title: str
    group: str
    load: Callable[..., Dataset]
    description: str = ""
    n_features: int | None = None
    bayes_predict: Callable[..., np.ndarray] | None = None
    version: str = ""
    PARAMS: tuple[Param, ...] = ()

    def __post_init__(self) -> None:
        """Take the parameters that a generator declares."""
        object.__setattr__(self, "PARAMS", self.PARAMS or getattr(self.load, "PARAMS", ()))


# ---------------------------------------------------------------- openml


PREFIX = "openml."
KEY = re.compile(r"openml\.([1-9][0-9]{0,8})")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.()+-]{0,127}")
FOLDER = "LASTVIZ_OPENML_FOLDER"
LONGEST = 180.0  # seconds for one data set, all answers together
LOOK = 0.05  # seconds between two looks at how much has come
MODULE = "lastviz.datasets.openml_client"


def openml_number(key: str) -> int | None:
    """Number of the data set that a registry's key names, None for other keys."""
    found = KEY.fullmatch(key)
    return int(found[1]) if found else None


def openml_key(number: int) -> str:
    """Registry's key of the data set of that number."""
    return f"{PREFIX}{number}"


def wanted_of(text: str) -> str:
    """Number of the requested data set, or its name as OpenML spells names.

    Raises
    ------
    ValueError
        If it can be neither.
    """
    name = text.strip()
    name = name.removeprefix("https://").removeprefix("www.").removeprefix("openml.org/d/")
    if not NAME.fullmatch(name):
        raise Refusal(
            "a data set of OpenML has a number, such as 31, or a name, such as credit-g; "
            "got {asked!r}",
            asked=name[:40],
        )
    return name.lower()


def openml_entries() -> dict[str, DatasetEntry]:
    """Entry for each data set that was fetched; its file is read when it is loaded."""
    folder = str(openml_folder())
    try:
        changed = os.stat(folder).st_mtime_ns  # as each file that comes or goes
    except OSError:
        return {}
    return _entries(folder, changed)


def fetch_openml(wanted: str) -> Iterator[int]:
    """Fetch a data set; yield how many bytes have come so far, return its number.

    Parameters
    ----------
    wanted : str
        A number or a name, as :func:`wanted_of` returns it.

    Returns
    -------
    int
        The number of the data set, as value of the generator. It is now one of
        :func:`openml_entries`.

    Raises
    ------
    ValueError
        If there is no such data set, it cannot be learnt from here, or the archive does not
        answer; the message says what to do.
    """
    command = [sys.executable, "-m", MODULE, wanted]
    output = bytearray()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as child:
        reader = Thread(target=_read_all, args=(child.stdout, output), daemon=True)
        reader.start()
        try:
            yield from _bytes_so_far(reader, output)
        finally:
            child.kill()  # nothing if it has ended
            reader.join()
    answer = _answer_in(output)
    if "fault" in answer:
        raise Refusal(answer["fault"], **answer["values"])
    return answer["number"]


def _read_all(answer: BinaryIO, output: bytearray) -> None:
    """Append the output of a child process to `output`, to its end.

    No system can wait for a pipe otherwise.
    """
    while some := answer.read1():
        output.extend(some)


def _bytes_so_far(reader: Thread, output: bytearray) -> Iterator[int]:
    """Yield the number of bytes received, until the output is complete.

    It is the last line of `output`; `reader` adds to it.
    """
    n_bytes, began = 0, time.monotonic()
    while reader.is_alive():
        reader.join(LOOK)
        for line in output.splitlines()[-1:]:
            n_bytes = int(line) if line.isdigit() else n_bytes
        if time.monotonic() - began > LONGEST:
            raise Refusal(
                "OpenML took more than {n:g} seconds for this data set; try again later, "
                "or download its file and hand that in",
                n=LONGEST,
            )
        yield n_bytes


def _answer_in(output: bytearray) -> dict:
    for line in output.splitlines()[-1:]:
        if line.startswith(b"{"):
            return json.loads(line)
    return {"fault": "fetching from OpenML ended unexpectedly; there may be too little memory"}


def openml_folder() -> Path:
    """Folder of the fetched data sets."""
    return _folder(os.environ.get(FOLDER), os.environ.get("XDG_CACHE_HOME"))


@lru_cache(maxsize=4)
def _folder(named: str | None, caches: str | None) -> Path:
    return Path(named) if named else Path(caches or Path.home() / ".cache") / "lastviz" / "openml"


@lru_cache(maxsize=4)
def _entries(folder: str, changed: int) -> dict[str, DatasetEntry]:
    """Entries of the folder by key.

    `changed`, a time, makes the cache notice another state of the folder.
    """
    entries = {}
    for file in sorted(Path(folder).glob("*.json")):
        if openml_number(PREFIX + file.stem) is not None:
            entry = _entry(Path(folder), int(file.stem), file.stat().st_mtime_ns)
            entries[entry.key] = entry
    return entries


def _entry(folder: Path, number: int, written: int) -> DatasetEntry:
    known = json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))
    return DatasetEntry(
        key=openml_key(number),
        title=known["name"],
        group=FROM_OPENML,
        load=partial(_load, folder / f"{number}.parquet", known),
        description=known["description"],
        n_features=known["n_features"],
        version=f"{number}@{written}",
    )


def _load(path: Path, known: dict) -> Dataset:
    frame = pd.read_parquet(path)
    y = frame.pop(known["target"])
    if known["task"] == "classification":
        y = y.astype(str)
    classes = tuple(known["classes"])
    return Dataset(
        frame, y, task=known["task"], class_order=classes, name=known["name"],
        description=known["description"], source=known["source"],
    )  # fmt: skip
