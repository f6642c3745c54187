"""The only place that knows ``njit``: how kernels are compiled and where they are cached.

numba looks only at the file of the decorated function when it decides whether cached machine
code is fresh, so a change of an inlined helper in another file would go unnoticed. The folder of
a file's machine code is therefore named by a digest of its source and of all kernels that it
imports, directly or not, and of the records that kernels hand to each other: a kernel is compiled
for the fields of its arguments, whether or not its file imports them. It does not depend on where
the package lies, and a change compiles again what it concerns and no more.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import UserProvidedCacheLocator

__all__ = ["cache_folder", "inline_kernel", "is_compiled", "kernel"]

PACKAGE = Path(__file__).resolve().parent


def cache_folder() -> Path:
    """Return the folder of the compiled kernels (LASTVIZ_CACHE, else beside the package)."""
    root = os.environ.get("LASTVIZ_CACHE")
    home = Path(root) if root else PACKAGE.parent / ".numba_cache"
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        import tempfile

        home = Path(tempfile.gettempdir()) / "lastviz_numba_cache"
    return home


def digest_of(file: Path, package: Path = PACKAGE) -> str:
    """Return what names the machine code of a file: numba's version and the kernels it reads."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({package / "_numba.py", *_read_by(file, package)}):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(_records(package).encode())
    return digest.hexdigest()[:16]


@cache
def _records(package: Path) -> str:
    """Return the definitions of all records in files of kernels."""
    found = []
    for path in sorted(package.rglob("*_kernels.py")):
        classes = (n for n in ast.parse(path.read_bytes()).body if isinstance(n, ast.ClassDef))
        found += [f"{path.relative_to(package).as_posix()} {ast.dump(node)}" for node in classes]
    return "\n".join(found)


def _read_by(file: Path, package: Path) -> set[Path]:
    """Return a file of kernels and all files of kernels that it imports, directly or not."""
    found, left = set(), {file}
    while left:
        path = left.pop()
        found.add(path)
        left |= _kernels_in(path, package) - found
    return found


@cache
def _kernels_in(file: Path, package: Path) -> frozenset[Path]:
    """Return the files of kernels that a file imports itself."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        start = file.parents[node.level - 1] if node.level else package.parent
        module = start.joinpath(*(node.module or "").split(".")) if node.module else start
        for path in (module, *(module / alias.name for alias in node.names)):
            source = path.with_suffix(".py")
            if source.name.endswith("_kernels.py") and source.is_file():
                found.add(source)
    return frozenset(found)


def folder_of(file: Path) -> Path:
    """Return the folder of the machine code of a file of kernels."""
    return cache_folder() / f"{file.parent.name}-{file.stem}-{digest_of(file)}"


def is_compiled() -> bool:
    """Tell whether there is machine code for every file of kernels, as it stands."""
    return all(any(folder_of(file).glob("*.nbi")) for file in _files_with_kernels())


def _files_with_kernels() -> list[Path]:
    """Return the files that have a kernel of their own, not only bodies for others."""
    files = sorted(PACKAGE.rglob("*_kernels.py"))
    return [file for file in files if "\n@kernel\n" in file.read_text(encoding="utf-8")]


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
    """Compile at first call, release the GIL, keep the machine code for the next process."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def inline_kernel(function):
    """Compile into its callers: for the bodies of hot loops."""
    return numba.njit(inline="always", error_model="numpy")(function)
