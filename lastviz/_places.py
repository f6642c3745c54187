"""Folder of the app, and the folders for files that an installed package makes.

In a checkout app.py, the pages and Streamlit's settings lie beside the package. A wheel brings them
in the folder ``_app``; they are copied to the user's cache, because the server hands out files from
beside app.py that are made at the first start, and a package's own folder may be read-only.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
BROUGHT = PACKAGE / "_app"


def is_installed() -> bool:
    """Whether this is a package from a wheel, not a checkout."""
    return BROUGHT.is_dir()


def user_cache() -> Path:
    """Cache folder of the user, for files that can be made again."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(caches) if caches else Path.home() / ".cache") / "lastviz"


@cache
def app_folder() -> Path:
    """Folder of app.py; of an installed package a copy, made if there is none yet."""
    if not is_installed():
        return PACKAGE.parent
    folder = user_cache() / f"app-{_digest(BROUGHT)}"
    if not folder.is_dir():
        part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
        try:
            shutil.copytree(BROUGHT, part, dirs_exist_ok=True)
            part.replace(folder)
        except OSError:  # another process was quicker, or there is no place to write
            shutil.rmtree(part, ignore_errors=True)
    return folder if folder.is_dir() else BROUGHT


def _digest(folder: Path) -> str:
    """Digest of a folder's content."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
