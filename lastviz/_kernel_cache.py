"""File cache of our kernels' machine code for numba, safe against damaged and foreign files.

numba's own files are trusted blindly: a damaged one fails every later start, and one that somebody
else has written runs what he likes. Here each compiled kernel is one file, which begins with a
digest of the rest and says itself what it is, so that there is no index to be kept in step. What is
not ours, not whole or from another version is no machine code, and is made again; what cannot be
written is compiled in memory.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ._machine_code import compiled_folder, log, read, say_once, write

MAGIC = b"lastviz kernel 1"  # with the number of this format
HEAD = len(MAGIC) + hashlib.blake2b().digest_size


class KernelCache(FunctionCache):
    """Cache of a kernel's machine code, as numba uses it; it never raises.

    `folder` is the name of the folder, None for a function whose machine code is not kept.
    """

    def __init__(self, py_func: Callable, folder: str | None) -> None:
        self._name, self._py_func = repr(py_func), py_func
        self._cache_file = KernelFiles(py_func, folder)
        self.enable()

    @property
    def cache_path(self) -> Path | None:
        """The folder, for who looks at the statistics of a kernel."""
        return self._cache_file.folder()

    def signatures(self, target_context: object) -> list[Hashable]:
        """Signatures with machine code of this kernel on disk.

        Only machine code of this very text of the kernel, on this processor, counts.
        """
        target_context.refresh()
        codegen = target_context.codegen()
        keys = self._cache_file.keys()
        return [key[0] for key in keys if key == self._index_key(key[0], codegen)]

    def has_files(self) -> bool:
        """Whether there is machine code, for whatever."""
        return bool(self._cache_file.paths())

    def load_overload(self, sig: object, target_context: object) -> CompileResult | None:
        """Load the kernel as it was compiled for a signature, None if that is not there."""
        target_context.refresh()
        key = self._index_key(sig, target_context.codegen())
        try:
            found = self._cache_file.load(key) if self._enabled else None
            return found and CompileResult._rebuild(target_context, *found)
        except Exception as error:  # whole, and yet not to be read: by another version
            log.info("%s is compiled again: %r", self._name, error)
            self._cache_file.drop(key)
            return None

    def save_overload(self, sig: object, data: CompileResult) -> None:
        """Keep a compiled kernel, unless it names addresses of this process."""
        try:
            if self._enabled and not data.library.has_dynamic_globals:
                self._cache_file.save(self._index_key(sig, data.codegen), data._reduce())
        except Exception as error:
            why = error.strerror if isinstance(error, OSError) else repr(error)
            say_once(f"Compiled kernels are not kept, the next start compiles again: {why}")


class KernelFiles:
    """The files of a kernel, one for each signature and kind of processor."""

    def __init__(self, py_func: Callable, folder: str | None) -> None:
        code, python = py_func.__code__, sys.implementation.cache_tag
        self._folder = folder
        self._begin = f"{code.co_name}-{code.co_firstlineno}.{python}."

    def folder(self) -> Path | None:
        """Find the folder; None if there is none that is ours, or nothing is to be kept."""
        return self._folder and compiled_folder(self._folder)

    def load(self, key: Hashable) -> tuple | None:
        """Value saved under a key, or None."""
        folder = self.folder()
        stream = _open(folder / self._file(key)) if folder else None
        # Two keys may look the same, and files can be renamed.
        return pickle.load(stream) if stream and pickle.load(stream) == key else None

    def save(self, key: Hashable, data: tuple) -> None:
        """Write a file in one step: nobody sees a part of it."""
        if not self._folder:
            return
        folder = self.folder()
        if folder is None:
            raise OSError(None, "no folder that is ours alone can be written")
        rest = dumps(key) + dumps(data)
        write(folder / self._file(key), MAGIC + hashlib.blake2b(rest).digest() + rest)

    def drop(self, key: Hashable) -> None:
        """Delete the file of a key."""
        folder = self.folder()
        if folder:
            _delete(folder / self._file(key))

    def flush(self) -> None:
        """Delete all files."""
        for path in self.paths():
            _delete(path)

    def keys(self) -> list[Hashable]:
        """Read under which keys there are files."""
        found = []
        for path in self.paths():
            with suppress(Exception):
                if stream := _open(path):
                    found.append(pickle.load(stream))
        return found

    def paths(self) -> list[Path]:
        folder = self.folder()
        with suppress(OSError):
            names = os.listdir(folder) if folder else []
            return [folder / name for name in names if name.startswith(self._begin)]
        return []

    def _file(self, key: Hashable) -> str:
        digest = hashlib.blake2b(str(key).encode(), digest_size=8).hexdigest()
        return f"{self._begin}{digest}.nbc"


def _open(path: Path) -> BytesIO | None:
    """Read a file past its digest; delete one that is foreign or incomplete."""
    content = read(path) or b""
    if content[:HEAD] == MAGIC + hashlib.blake2b(memoryview(content)[HEAD:]).digest():
        stream = BytesIO(content)
        stream.seek(HEAD)
        return stream
    _delete(path)
    return None


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
