"""The only place that knows ``njit``: how kernels are compiled.

Where their machine code is kept is said in ``_machine_code.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numba
from numba.core.caching import UserProvidedCacheLocator
from numba.core.types import unliteral

from ._machine_code import PACKAGE, folder_of


class KernelLocator(UserProvidedCacheLocator):
    """Tells numba the folder of a kernel's machine code."""

    def __init__(self, py_func: Callable, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._cache_path = str(folder_of(Path(py_file).resolve()))

    @classmethod
    def from_function(cls, py_func: Callable, py_file: str) -> KernelLocator | None:
        """Return the locator of one of our kernels, None for a function of somebody else."""
        if not Path(py_file).resolve().is_relative_to(PACKAGE):
            return None
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


numba.config.CACHE_LOCATOR_CLASSES = ",".join(
    [
        f"{KernelLocator.__module__}.{KernelLocator.__name__}",
        *("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator"),
        *("IPythonCacheLocator", "ZipCacheLocator"),
    ]
)


def kernel(function):
    """Compile at first call, release the GIL, keep the machine code for the next process.

    A kernel that is called with a constant (``scan(0, cells)``) is not compiled for that
    constant but for its type, as everywhere else.
    """
    return _compiled(function, counts_references=True)


def plain_kernel(function):
    """Compile a kernel that makes no array and returns none: nothing counts references in it.

    Every array of a record is one more reference on the way into a kernel and one less on the way
    out, each an atomic step of some nanoseconds: more than the work on a node of few rows. What a
    plain kernel calls may make arrays of its own, but must not return one either.
    """
    return _compiled(function, counts_references=False)


def _compiled(function, counts_references):
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    # Said of every kernel, since one of which it is not said takes after its first caller.
    compiled = numba.njit(cache=True, _nrt=counts_references, **options)(function)
    template_for = getattr(compiled, "get_call_template", None)
    if template_for is not None:  # not where compiling is switched off

        def typed(args, kws):
            types = {name: unliteral(kind) for name, kind in kws.items()}
            return template_for(tuple(map(unliteral, args)), types)

        compiled.get_call_template = typed
    return compiled


def inline_kernel(function):
    """Compile into its callers: for the bodies of hot loops, and for what has one caller.

    A kernel with one caller would be compiled twice, by itself and as a part of the caller, which
    is optimised as a whole; one below three others four times.
    """
    return numba.njit(inline="always", error_model="numpy")(function)
