"""Waiting for machine code: on a first start the kernels are compiled while pages are shown.

A child process compiles them part by part. A job that needs a part waits for it between two of
its steps, so that neither its thread nor the page works meanwhile. Where no child is under way,
the job compiles what it needs. Before a job works the machine code of its parts is loaded, which
would count as its own time otherwise.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from time import sleep

from llvmlite.binding import parse_bitcode
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

from lastviz import preparation
from lastviz.warm_up import PARTS, warm_up

from .jobs import Work

NAP = 0.5  # seconds between two looks for a part to load

_ready: set[str] = set()  # parts that need not be looked for any more
_loaded: set[str] = set()  # parts that this process has run


class PackedLibrary(JITCodeLibrary):
    """Machine code from a file, whose intermediate code stays packed until a caller is compiled.

    numba unpacks it as it loads: 60 MB for all parts, and here a caller is hardly ever compiled.
    """

    _packed: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: object, state: tuple) -> PackedLibrary:
        library = super()._unserialize(codegen, state)
        if state[1] == "object":  # machine code, and intermediate code beside it
            library._packed, library._shared_module = state[2][1], None
        return library

    def _get_module_for_linking(self) -> object:
        if self._packed is not None and self._shared_module is None:
            self._shared_module = parse_bitcode(self._packed)
        return super()._get_module_for_linking()


JITCPUCodegen._library_class = PackedLibrary


def are_ready(parts: Iterable[str]) -> bool:
    """Tell whether parts of :data:`lastviz.warm_up.PARTS` are compiled."""
    return all(map(_is_ready, parts))


def is_complete() -> bool:
    """Tell whether nothing is being compiled: all is ready, or what is missing has to wait."""
    return are_ready(PARTS) or not preparation.is_under_way()


def progress() -> tuple[int, int]:
    """Return how many parts are compiled, and how many there are."""
    return sum(map(_is_ready, PARTS)), len(PARTS)


def until_ready(parts: Iterable[str]) -> Generator[None, None, None]:
    """Yield until parts are compiled; see :data:`lastviz.host.jobs.Work`."""
    for part in parts:
        if not _is_ready(part):
            preparation.want(part)
        while not _is_ready(part):
            if preparation.is_under_way():
                yield None
            else:
                _load(part)
                preparation.note_prepared(part)


def once_ready(parts: Iterable[str], work: Work) -> Work:
    """Return work that first waits until parts are compiled, and loads them."""

    def steps() -> Generator[float | None, None, object]:
        if not are_ready(parts):
            yield from until_ready(parts)
            yield 0.0
        if not preparation.is_switched_off():
            for part in parts:
                _load(part)
        return (yield from work())

    return steps


def load_as_ready() -> None:
    """Load the machine code of each part in turn, as soon as it is there.

    A part that nobody compiles any more is left to whoever needs it. Where nothing is compiled,
    there is nothing to load.
    """
    for part in () if preparation.is_switched_off() else PARTS:
        while not _is_ready(part) and preparation.is_under_way():
            sleep(NAP)
        if _is_ready(part):
            _load(part)


def _load(part: str) -> None:
    if part not in _loaded:
        warm_up([part])
        _loaded.add(part)


def _is_ready(part: str) -> bool:
    if part not in _ready and preparation.is_prepared(part):
        _ready.add(part)
    return part in _ready
