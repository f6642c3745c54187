"""Client of OpenML: that of scikit-learn, in a process of its own.

Run as ``... openml_client WHAT``.

Every answer has a time-out and a limit of bytes. ``LASTVIZ_OPENML`` may name a mirror that is asked
instead of the archive itself. What it prints is how many bytes have come, then one line of JSON:
the number of the data set, or what is wrong.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import warnings
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import BaseHandler, Request, build_opener, install_opener

import pandas as pd

from lastviz._sentences import Refusal, Statement

from .openml import openml_folder

MIRROR = "LASTVIZ_OPENML"
PATIENCE = 20.0  # seconds that the archive may be silent
LIMIT_BYTES = 200 * 2**20  # of all answers together
LIMIT_FOLDER = 1000 * 2**20  # bytes of all sets in the folder
LIMIT_CLASSES = 64
LIMIT_COLUMNS = 2_000
SAVED = 0o600
ADDRESS = "%/:?#[]@!$&'()*+,;=~"  # signs of an address that mean something, or are written out

UNKNOWN = "OpenML has no data set {wanted!r}"


def main(wanted: str) -> None:
    """Fetch a data set into the folder and print its number, or the error."""
    socket.setdefaulttimeout(PATIENCE)
    try:
        answer = {"number": _fetched(wanted)}
    except ValueError as error:
        reason = error.args[0] if error.args else ""
        sentence = reason if isinstance(reason, Statement) else Statement("{reason}", reason=reason)
        answer = {"fault": sentence.template, "values": sentence.values}
    print(json.dumps(answer), flush=True)


def _fetched(wanted: str) -> int:
    warnings.simplefilter("ignore")  # of several versions of one name; the page says which it is
    _open_by_limits()
    try:
        bunch = _downloaded(wanted)
    except HTTPError as error:
        if error.code in (404, 412):
            raise Refusal(UNKNOWN, wanted=wanted) from None
        raise Refusal(
            "OpenML answered with error {code}; try again later", code=error.code
        ) from None
    except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise Refusal(
            "OpenML does not answer ({reason}); this server may have no network: download the file "
            "elsewhere and hand that in",
            reason=str(reason or "time-out"),
        ) from None
    return _saved(bunch)


def _downloaded(wanted: str) -> object:
    from sklearn.datasets import fetch_openml as client

    named = {"data_id": int(wanted)} if wanted.isdigit() else {"name": wanted}
    try:
        return client(**named, cache=False, as_frame=True, n_retries=1, delay=0.1)
    except ValueError as error:
        raise _explained(wanted, str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise Refusal("OpenML's answer cannot be understood ({error})", error=repr(error)) from None


def _explained(wanted: str, reason: str) -> Refusal:
    if "not found" in reason or "No active" in reason:
        return Refusal(UNKNOWN, wanted=wanted)
    if "tokenizing" in reason or "parse" in reason.lower():
        return Refusal(
            "the file that OpenML has for {wanted!r} is damaged: {reason}",
            wanted=wanted,
            reason=reason.strip()[:200],
        )
    if "Sparse" in reason:
        return Refusal(
            "the data set {wanted!r} is sparse, which cannot be drawn here", wanted=wanted
        )
    if "missing" in reason:
        return Refusal(
            "some rows of {wanted!r} have no class; download its file and leave them out",
            wanted=wanted,
        )
    return Refusal("OpenML cannot give {wanted!r}: {reason}", wanted=wanted, reason=reason[:200])


def _open_by_limits() -> None:
    """Make the client's urllib count bytes, stop at a limit and use the mirror."""
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

        def http_request(self, request: Request) -> Request:
            """Names stand in addresses as they are, with their blanks."""
            request.full_url = quote(request.full_url, safe=ADDRESS)
            return request

        def http_response(self, _request: Request, response: object) -> object:
            response.fp = _Counted(response.fp)
            return response

        https_request = http_request
        https_response = http_response

    install_opener(build_opener(ToMirror, Bounded))


class _Counted:
    """The bytes of an answer, counted; too many are refused."""

    so_far = 0
    reported = 0

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
            raise Refusal("it is larger than {most} MB", most=LIMIT_BYTES >> 20)
        if cls.so_far - cls.reported > 100_000:
            cls.reported = cls.so_far
            print(cls.so_far, flush=True)


def _saved(bunch: object) -> int:
    """Write a fetched data set to the folder; return its number.

    Anyone who lists the folder sees all of it or nothing.
    """
    details, frame = bunch.details, bunch.frame
    number, name = int(details["id"]), str(details["name"])
    known = _described(bunch, number, name)
    numeric = known["task"] == "regression"
    target = known["target"]
    frame[target] = frame[target].astype(float if numeric else str)
    folder = openml_folder()
    folder.mkdir(parents=True, exist_ok=True)
    content = frame.to_parquet(index=False)
    _make_room(folder, len(content))
    _replace(folder / f"{number}.parquet", content)
    _replace(folder / f"{number}.json", json.dumps(known).encode())
    return number


def _make_room(folder: Path, n_bytes: int) -> None:
    """Give up the sets that were fetched first, which can be fetched again."""
    sets = sorted(folder.glob("*.parquet"), key=lambda file: file.stat().st_mtime)
    total = n_bytes + sum(file.stat().st_size for file in sets)
    while sets and total > LIMIT_FOLDER:
        oldest = sets.pop(0)
        total -= oldest.stat().st_size
        for file in (oldest.with_suffix(".json"), oldest):
            file.unlink(missing_ok=True)


def _described(bunch: object, number: int, name: str) -> dict:
    targets, features = list(bunch.target_names or ()), list(bunch.feature_names)
    if len(targets) != 1:
        raise Refusal(
            "{name!r} names {n} columns to learn, one is needed; download its file and hand that "
            "in",
            name=name,
            n=len(targets),
        )
    if not features or len(features) > LIMIT_COLUMNS:
        raise Refusal(
            "{name!r} has {n:,} features; 1 to {most:,} fit",
            name=name,
            n=len(features),
            most=LIMIT_COLUMNS,
        )
    y = bunch.frame[targets[0]]
    numeric = pd.api.types.is_numeric_dtype(y)
    classes = [] if numeric else [str(c) for c in _levels(y)]
    if not numeric and not 2 <= len(classes) <= LIMIT_CLASSES:
        raise Refusal(
            "{name!r} has {n:,} classes; 2 to {most} fit",
            name=name,
            n=len(classes),
            most=LIMIT_CLASSES,
        )
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
    """Classes that occur, in the archive's order."""
    levels = y.cat.categories if isinstance(y.dtype, pd.CategoricalDtype) else sorted(y.unique())
    present = set(y.unique())
    return [level for level in levels if level in present]


def _first_sentence(text: str) -> str:
    """First line of a description that is a sentence, without its markup."""
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
