"""Loading machine code into a server, so that no reader waits for it."""

from __future__ import annotations

from time import sleep

from llvmlite.binding import parse_bitcode
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

from lastviz import preparation
from lastviz._tiers import KERNELS

NAP = 1.0  # seconds between two looks whether somebody compiles


class PackedLibrary(JITCodeLibrary):
    """Machine code whose intermediate code stays compressed until a caller compiles.

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


def load_when_compiled() -> None:
    """Load all machine code once compilation is over.

    Until then calls load the code that they need.
    """
    while preparation.is_under_way():
        sleep(NAP)
    for kernel in KERNELS:
        kernel.load()
