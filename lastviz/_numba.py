"""The only place that knows ``njit``: how kernels are compiled and where they are cached.

numba looks only at the file of the decorated function when it decides whether a cached
kernel is fresh, so a change of an inlined helper in another file would go unnoticed. The
cache folder is therefore named by a digest of the source of *all* kernels.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numba

__all__ = ["cache_folder", "inline_kernel", "kernel"]


def digest_of(package: Path) -> str:
    """Return what names the machine code of a package: the source of its kernels, and numba's."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in [package / "_numba.py", *sorted(package.rglob("*_kernels.py"))]:
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of the compiled kernels (LASTVIZ_CACHE, else beside the package)."""
    root = os.environ.get("LASTVIZ_CACHE")
    home = Path(root) if root else Path(__file__).resolve().parent.parent / ".numba_cache"
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        import tempfile

        home = Path(tempfile.gettempdir()) / "lastviz_numba_cache"
    return home / digest_of(Path(__file__).resolve().parent)


numba.config.CACHE_DIR = str(cache_folder())


def kernel(function):
    """Compile at first call, release the GIL, keep the machine code for the next process."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def inline_kernel(function):
    """Compile into its callers: for the bodies of hot loops."""
    return numba.njit(inline="always", error_model="numpy")(function)
