"""Where numba keeps the machine code of our kernels: what it asks, in a file that it may import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

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
