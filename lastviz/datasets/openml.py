"""Data sets of OpenML, by number or name: fetched once by a child process, kept in a folder.

scikit-learn's client asks the archive. It runs in a process of its own, which can be given up:
a time-out of every answer, a limit of bytes, and nothing that comes from outside is parsed in the
process that serves pages. What was fetched is kept as one Parquet file and one JSON file a data
set; ``LASTVIZ_OPENML_FOLDER`` names the folder. ``LASTVIZ_OPENML`` may name a mirror that is asked
instead of the archive itself.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

import pandas as pd

from .dataset import Dataset
from .entry import FROM_OPENML, DatasetEntry

__all__ = ["fetch_openml", "openml_entries", "openml_key", "openml_number", "wanted_of"]

PREFIX = "openml."
KEY = re.compile(r"openml\.([1-9][0-9]{0,8})")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.()+-]{0,127}")
FOLDER = "LASTVIZ_OPENML_FOLDER"
MIRROR = "LASTVIZ_OPENML"
PATIENCE = 20.0  # seconds that the archive may be silent
LONGEST = 180.0  # seconds for one data set, all answers together
LIMIT_BYTES = 200 * 2**20  # of one answer
LIMIT_CLASSES = 64
LIMIT_COLUMNS = 2_000
MODULE = "lastviz.datasets.openml"
SAVED = 0o600


def openml_number(key: str) -> int | None:
    """Return the number of the data set that a registry's key names, None for other keys."""
    found = KEY.fullmatch(key)
    return int(found[1]) if found else None


def openml_key(number: int) -> str:
    """Return the registry's key of the data set of that number."""
    return f"{PREFIX}{number}"


def wanted_of(text: str) -> str:
    """Return what a reader asks for: a number, or a name as OpenML spells names.

    Raises
    ------
    ValueError
        If it can be neither.
    """
    asked = text.strip()
    asked = asked.removeprefix("https://").removeprefix("www.").removeprefix("openml.org/d/")
    if not NAME.fullmatch(asked):
        raise ValueError(
            "a data set of OpenML has a number, such as 31, or a name, such as credit-g; "
            f"got {asked[:40]!r}"
        )
    return asked.lower()


def openml_entries() -> dict[str, DatasetEntry]:
    """Return an entry for each data set that was fetched; its file is read when it is loaded."""
    folder = str(_folder(os.environ.get(FOLDER), os.environ.get("XDG_CACHE_HOME")))
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
    said = bytearray()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as child:
        try:
            yield from _bytes_so_far(child, said)
        finally:
            child.kill()  # nothing if it has ended
    answer = _answer_in(said)
    if "fault" in answer:
        raise ValueError(answer["fault"])
    return answer["number"]


def _bytes_so_far(child: subprocess.Popen, said: bytearray) -> Iterator[int]:
    """Yield how many bytes have come until the child ends; `said` becomes all that it says."""
    os.set_blocking(child.stdout.fileno(), False)
    n_bytes, began = 0, time.monotonic()
    while True:
        ended = child.poll() is not None  # before the last look at what it says
        said += child.stdout.read() or b""
        for line in said.splitlines()[-1:]:
            n_bytes = int(line) if line.isdigit() else n_bytes
        if ended:
            return
        if time.monotonic() - began > LONGEST:
            raise ValueError(
                f"OpenML took more than {LONGEST:g} seconds for this data set; try again later, "
                "or download its file and hand that in"
            )
        yield n_bytes


def _answer_in(said: bytearray) -> dict:
    for line in said.splitlines()[-1:]:
        if line.startswith(b"{"):
            return json.loads(line)
    return {"fault": "fetching from OpenML ended unexpectedly; there may be too little memory"}


@lru_cache(maxsize=4)
def _folder(named: str | None, caches: str | None) -> Path:
    return Path(named) if named else Path(caches or Path.home() / ".cache") / "lastviz" / "openml"


@lru_cache(maxsize=4)
def _entries(folder: str, changed: int) -> dict[str, DatasetEntry]:
    """List the entries; `changed`, a time, makes the cache notice another state of the folder."""
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


# What the child process does


def main(wanted: str) -> None:
    """Fetch a data set into the folder and say, in JSON, its number or what is wrong."""
    import socket

    socket.setdefaulttimeout(PATIENCE)
    try:
        answer = {"number": _fetched(wanted)}
    except ValueError as error:
        answer = {"fault": str(error)}
    print(json.dumps(answer), flush=True)


def _fetched(wanted: str) -> int:
    import warnings
    from urllib.error import HTTPError, URLError

    warnings.simplefilter("ignore")  # of several versions of one name; the page says which it is
    _open_by_limits()
    try:
        bunch = _asked(wanted)
    except HTTPError as error:
        raise ValueError(
            f"OpenML has no data set {wanted!r}"
            if error.code in (404, 412)
            else f"OpenML answered with error {error.code}; try again later"
        ) from None
    except (URLError, TimeoutError, ConnectionError) as error:
        raise ValueError(
            f"OpenML does not answer ({getattr(error, 'reason', error) or 'time-out'}); this "
            "server may have no network: download the file elsewhere and hand that in"
        ) from None
    return _saved(bunch)


def _asked(wanted: str) -> object:
    from sklearn.datasets import fetch_openml as client

    named = {"data_id": int(wanted)} if wanted.isdigit() else {"name": wanted}
    try:
        return client(**named, cache=False, as_frame=True, n_retries=1, delay=0.1)
    except ValueError as error:
        raise ValueError(_explained(wanted, str(error))) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"OpenML's answer cannot be understood ({error!r})") from None


def _explained(wanted: str, said: str) -> str:
    if "not found" in said or "No active" in said:
        return f"OpenML has no data set {wanted!r}"
    if "tokenizing" in said or "parse" in said.lower():
        return f"the file that OpenML has for {wanted!r} is damaged: {said.strip()[:200]}"
    if "Sparse" in said:
        return f"the data set {wanted!r} is sparse, which cannot be drawn here"
    if "missing" in said:
        return f"some rows of {wanted!r} have no class; download its file and leave them out"
    return f"OpenML cannot give {wanted!r}: {said[:200]}"


def _open_by_limits() -> None:
    """Make urllib, which the client uses, count bytes, stop at a limit and ask the mirror."""
    from urllib.request import BaseHandler, Request, build_opener, install_opener

    mirror = os.environ.get(MIRROR)

    class ToMirror(BaseHandler):
        handler_order = 100

        def https_open(self, request: Request) -> object | None:
            if mirror is None or not request.host.endswith("openml.org"):
                return None
            url = mirror.rstrip("/") + request.selector
            return self.parent.open(Request(url, headers=dict(request.headers)))

    class Bounded(BaseHandler):
        handler_order = 900

        def http_response(self, _request: Request, response: object) -> object:
            response.fp = _Counted(response.fp)
            return response

        https_response = http_response

    install_opener(build_opener(ToMirror, Bounded))


class _Counted:
    """The bytes of an answer, counted; too many are refused."""

    so_far = 0
    told = 0

    def __init__(self, file: object) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def read(self, *args: int) -> bytes:
        return self._noted(self._file.read(*args))

    def read1(self, *args: int) -> bytes:
        return self._noted(self._file.read1(*args))

    def readinto(self, buffer: bytearray) -> int:
        n_bytes = self._file.readinto(buffer)
        self._note(n_bytes or 0)
        return n_bytes

    def readline(self, *args: int) -> bytes:
        return self._noted(self._file.readline(*args))

    def _noted(self, data: bytes) -> bytes:
        self._note(len(data))
        return data

    @classmethod
    def _note(cls, n_bytes: int) -> None:
        cls.so_far += n_bytes
        if cls.so_far > LIMIT_BYTES:
            raise ValueError(f"it is larger than {LIMIT_BYTES >> 20} MB")
        if cls.so_far - cls.told > 100_000:
            cls.told = cls.so_far
            print(cls.so_far, flush=True)


def _saved(bunch: object) -> int:
    """Write what was fetched; whoever lists the folder sees all of it or nothing."""
    details, frame = bunch.details, bunch.frame
    number, name = int(details["id"]), str(details["name"])
    known = _described(bunch, number, name)
    numeric = known["task"] == "regression"
    target = known["target"]
    frame[target] = frame[target].astype(float if numeric else str)
    folder = _folder(os.environ.get(FOLDER), os.environ.get("XDG_CACHE_HOME"))
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / f"{number}.parquet", frame.to_parquet(index=False))
    _replace(folder / f"{number}.json", json.dumps(known).encode())
    return number


def _described(bunch: object, number: int, name: str) -> dict:
    targets, features = list(bunch.target_names or ()), list(bunch.feature_names)
    if len(targets) != 1:
        raise ValueError(
            f"{name!r} names {len(targets) or 'no'} columns to learn, one is needed; "
            "download its file and hand that in"
        )
    if not features or len(features) > LIMIT_COLUMNS:
        raise ValueError(f"{name!r} has {len(features):,} features; 1 to {LIMIT_COLUMNS:,} fit")
    y = bunch.frame[targets[0]]
    numeric = pd.api.types.is_numeric_dtype(y)
    classes = [] if numeric else [str(c) for c in _levels(y)]
    if not numeric and not 2 <= len(classes) <= LIMIT_CLASSES:
        raise ValueError(f"{name!r} has {len(classes):,} classes; 2 to {LIMIT_CLASSES} fit")
    details = bunch.details
    licence = f", licence {details['licence']}" if details.get("licence") else ""
    return {
        "name": name,
        "target": targets[0],
        "task": "regression" if numeric else "classification",
        "classes": classes,
        "n_features": len(features),
        "description": _first_sentence(bunch.DESCR),
        "source": f"OpenML {number}, version {details.get('version', '?')}{licence}",
    }


def _levels(y: pd.Series) -> list:
    """Return the classes that occur, in the archive's order."""
    levels = y.cat.categories if isinstance(y.dtype, pd.CategoricalDtype) else sorted(y.unique())
    present = set(y.unique())
    return [level for level in levels if level in present]


def _first_sentence(text: str) -> str:
    """Return the first line of a description that is a sentence, without its markup."""
    for line in (text or "").splitlines():
        plain = re.sub(r"[*#_`>]+|\[([^]]*)\]\([^)]*\)", r"\1", line).strip()
        if len(plain) > 40 and not plain.lower().startswith(("author", "source", "please cite")):
            return plain[:200]
    return ""


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.chmod(SAVED)
    part.replace(path)


if __name__ == "__main__":
    main(sys.argv[1])
