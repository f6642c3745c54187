"""Where the machine code of the kernels is kept, and what names it.

numba looks only at the file of the decorated function when it decides whether cached machine
code is fresh, so a change of an inlined helper in another file would go unnoticed. The folder of
a file's machine code is therefore named by a digest of its source and of all kernels that it
imports, directly or not, and of the records that kernels hand to each other: a kernel is compiled
for the fields of its arguments, whether or not its file imports them. It does not depend on where
the package lies, and a change compiles again what it concerns and no more.

Nothing here imports numba: who only asks whether there is machine code need not wait for it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ._places import PACKAGE, is_installed, user_cache


def cache_folder() -> Path:
    """Return the folder of the compiled kernels.

    LASTVIZ_CACHE says which; else it lies beside a checkout, or in the cache of the user.
    """
    root = os.environ.get("LASTVIZ_CACHE")
    own = user_cache() / "kernels" if is_installed() else PACKAGE.parent / ".numba_cache"
    home = Path(root) if root else own
    if root or is_installed():
        with suppress(OSError):
            home.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        import tempfile

        home = Path(tempfile.gettempdir()) / "lastviz_numba_cache"
    return home


def folder_of(file: Path) -> Path:
    """Return the folder of the machine code of a file of kernels."""
    return brought(f"{file.parent.name}-{file.stem}-{digest_of(file)}")


def brought(name: str) -> Path:
    """Return a folder of the compiled kernels, copied from what LASTVIZ_COMPILED names.

    An image that cannot be written to has kernels that were compiled when it was built; they are
    copied where more can be put beside them, for another processor or by parameters not met before.
    """
    folder, before = cache_folder() / name, os.environ.get("LASTVIZ_COMPILED")
    if before and not folder.exists() and (Path(before) / name).is_dir():
        part = folder.with_name(f"{name}.{os.getpid()}.part")
        try:
            part.mkdir(parents=True, exist_ok=True)
            for file in (Path(before) / name).iterdir():
                shutil.copyfile(file, part / file.name)
            part.replace(folder)
        except OSError:  # another process was quicker, or there is no place to write
            shutil.rmtree(part, ignore_errors=True)
    return folder


def digest_of(file: Path, package: Path = PACKAGE) -> str:
    """Return what names the machine code of a file: numba's version and the kernels it reads."""
    return _digest(_read_by(file, package), package)


def digest_of_all(others: Iterable[Path] = (), package: Path = PACKAGE) -> str:
    """Return what names the machine code of all files of kernels, and what `others` say."""
    return _digest({*package.rglob("*_kernels.py"), *others}, package)


def _digest(files: Iterable[Path], package: Path) -> str:
    digest = hashlib.sha256(version("numba").encode())
    for path in sorted({package / "_numba.py", *files}):
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
