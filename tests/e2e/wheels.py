"""Building the wheel as somebody does who has the sources alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from .app import ROOT

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "static", ".numba_cache", "__pycache__", "docs", "build", "tests"
)


def built(base: Path) -> Path:
    """Build the wheel from a copy of the sources, in a folder; return its path."""
    shutil.copytree(ROOT, base / "sources", ignore=LEFT_OUT)
    wheel = _build(base / "sources", "wheel", base)
    shutil.rmtree(base / "sources")
    return wheel


def built_from_sdist(base: Path) -> Path:
    """Build the archive of the sources, unpack it, and build the wheel from what it has."""
    shutil.copytree(ROOT, base / "sources", ignore=LEFT_OUT)
    with tarfile.open(_build(base / "sources", "sdist", base)) as archive:
        archive.extractall(base / "unpacked", filter="data")
    (unpacked,) = (base / "unpacked").iterdir()
    return _build(unpacked, "wheel", base / "again")


def _build(sources: Path, target: str, folder: Path) -> Path:
    before = set(folder.glob("*"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=sources, check=True, capture_output=True)
    (made,) = (path for path in set(folder.glob("*")) - before if path.is_file())
    return made
