"""Folders for the kernels' machine code, and the digests that name them.

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
import logging
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from stat import S_ISDIR, S_IWGRP, S_IWOTH
from tempfile import NamedTemporaryFile, gettempdir

from ._places import PACKAGE, is_installed, user_cache
from ._system import user_number

log = logging.getLogger("lastviz")


def cache_folder() -> Path | None:
    """Folder of the compiled kernels, made if need be; None if nothing can be kept.

    LASTVIZ_CACHE says which; else it lies beside a checkout, in the cache of the user, or in the
    temporary folder under the user's number. What lies in it is run, so it has to be ours.
    """
    found = next(filter(_is_fit, _places()), None)
    named = os.environ.get("LASTVIZ_CACHE")
    if named and found and found != Path(os.path.realpath(named)):
        say_once(
            f"LASTVIZ_CACHE={named} is not used but {found}: "
            "it must be a folder of your own that you, and nobody else, can write"
        )
    return found


def compiled_folder(name: str) -> Path | None:
    """Folder of compiled kernels by name, made if need be.

    A new one is copied from the folder that LASTVIZ_COMPILED names.

    An image that cannot be written to has kernels that were compiled when it was built; they are
    copied where more can be put beside them, for another processor or by parameters not met before.
    """
    root, before = cache_folder(), os.environ.get("LASTVIZ_COMPILED")
    image = Path(before) / name if before and _is_our_folder(Path(before) / name) else None
    if root is None:
        return image
    folder = root / name
    if not _is_our_folder(folder):
        _remove(folder)  # if it is there it was open to others
        if image and not _copy(image, folder):
            return image
    return folder if _is_fit(folder) else image


def is_ours(status: os.stat_result) -> bool:
    """Whether only this user and root can have written a file, or into a folder.

    Windows keeps others out of the folders of a user by rules that are not seen here.
    """
    me = user_number()
    return me is None or (status.st_uid in (0, me) and not status.st_mode & (S_IWGRP | S_IWOTH))


def read(path: Path) -> bytes | None:
    """Read a file; None if there is none, or others can have written it."""
    try:
        with path.open("rb") as file:
            return file.read() if is_ours(os.fstat(file.fileno())) else None
    except OSError:
        return None


def write(path: Path, content: bytes) -> None:
    """Write a file that only we can read, in one step."""
    with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
        try:
            file.write(content)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


@cache
def say_once(message: str) -> None:
    """Log a warning the first time."""
    log.warning(message)


def _places() -> Iterator[Path]:
    """Name the folders that may keep the compiled kernels, the best first."""
    if named := os.environ.get("LASTVIZ_CACHE"):
        yield Path(os.path.realpath(named))
    if not is_installed():
        yield PACKAGE.parent / ".numba_cache"
    with suppress(RuntimeError):  # we have no home
        yield user_cache() / "kernels"
    with suppress(OSError):  # there is no temporary folder
        me = user_number()
        yield Path(gettempdir()) / f"lastviz-{'kernels' if me is None else me}"


def _is_fit(folder: Path) -> bool:
    """Whether a folder, which is made if need be, is ours and can be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return _is_our_folder(folder) and os.access(folder, os.W_OK | os.X_OK)


def _is_our_folder(path: Path) -> bool:
    try:
        status = path.lstat()  # a link is no folder: who made it could turn it
    except OSError:
        return False
    return S_ISDIR(status.st_mode) and is_ours(status)


def _remove(path: Path) -> None:
    aside = path.with_name(f"{path.name}.{os.getpid()}.old")
    with suppress(OSError):  # it is not there
        path.rename(aside)  # what belongs to somebody else can be moved, at least
        shutil.rmtree(aside, ignore_errors=True)


def _copy(image: Path, folder: Path) -> bool:
    part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(mode=0o700, exist_ok=True)
        for file in image.iterdir():
            if (content := read(file)) is not None:
                write(part / file.name, content)
        part.replace(folder)
    except OSError:  # another process was quicker, or there is no space
        shutil.rmtree(part, ignore_errors=True)
    return folder.is_dir()


@cache
def folder_name(file: Path) -> str | None:
    """Folder name for the machine code of a kernel file, None if it is not ours."""
    file = file.resolve()
    if not file.is_relative_to(PACKAGE):
        return None
    return f"{file.parent.name}-{file.stem}-{digest_of(file)}"


def digest_of(file: Path, package: Path = PACKAGE) -> str:
    """Digest that names the machine code of a file.

    It covers numba's version and the kernels that the file reads.
    """
    return _digest(_read_by(file, package), package)


def digest_of_all(others: Iterable[Path] = (), package: Path = PACKAGE) -> str:
    """Digest that names the machine code of all kernel files and of `others`."""
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
    """Definitions of all records in files of kernels."""
    found = []
    for path in sorted(package.rglob("*_kernels.py")):
        classes = (n for n in ast.parse(path.read_bytes()).body if isinstance(n, ast.ClassDef))
        found += [f"{path.relative_to(package).as_posix()} {ast.dump(node)}" for node in classes]
    return "\n".join(found)


def _read_by(file: Path, package: Path) -> set[Path]:
    """File of kernels and all files of kernels that it imports, directly or not."""
    found, left = set(), {file}
    while left:
        path = left.pop()
        found.add(path)
        left |= _kernels_in(path, package) - found
    return found


@cache
def _kernels_in(file: Path, package: Path) -> frozenset[Path]:
    """Files of kernels that a file imports itself."""
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
