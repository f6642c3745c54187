"""A folder of CSV files as data sets, each with an optional JSON file that describes it.

``NAME.json`` beside ``NAME.csv`` may hold ``target``, ``class_order`` (low to high, null if
the order has no meaning), ``description``, ``source`` and ``features``: for each column its
``kind`` and, where they apply, ``order`` (low to high), ``direction`` (+1 or -1) and ``unit``.
For display alone: a feature's ``label`` and ``values`` (value -> label), ``target_label``, and
``classes`` with each class's ``label`` and ``colour`` ("#RRGGBB").
"""

from __future__ import annotations

import os
from functools import lru_cache, partial
from pathlib import Path

from .dataset import Dataset
from .entry import FROM_FOLDER, DatasetEntry
from .labels import Labels, read_sidecar
from .readers import read_table

__all__ = ["read_folder"]


def read_folder(folder: str | os.PathLike) -> dict[str, DatasetEntry]:
    """Return an entry for each CSV file of `folder`; the files are read when they are loaded.

    The keys are ``folder.NAME``, so that they cannot hide a data set of ours.

    Raises
    ------
    ValueError
        If there is no such folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}; LASTVIZ_DATA must name a folder")
    files = [path for path in folder.iterdir() if path.suffix in (".csv", ".json")]
    return dict(_entries(folder, tuple(sorted((p.name, p.stat().st_mtime_ns) for p in files))))


@lru_cache(maxsize=4)
def _entries(folder: Path, files: tuple[tuple[str, int], ...]) -> dict[str, DatasetEntry]:
    """List the entries; `files` (names and times) makes the cache notice a change."""
    paths = [folder / name for name, _ in files if name.endswith(".csv")]
    return {entry.key: entry for entry in map(_entry, paths)}


def _entry(path: Path) -> DatasetEntry:
    try:
        described, _ = _sidecar(path)
    except ValueError:
        described = {}  # loading the entry says what is wrong
    return DatasetEntry(
        key=f"folder.{path.stem}",
        title=path.stem,
        group=FROM_FOLDER,
        load=partial(_load, path),
        description=described.get("description", ""),
        n_features=len(described["features"]) if "features" in described else None,
        version=_version(path),
    )


def _version(path: Path) -> str:
    """Return where a CSV file and its sidecar lie and when they were written."""
    files = [file for file in (path, path.with_suffix(".json")) if file.exists()]
    return "|".join(f"{file}@{file.stat().st_mtime_ns}" for file in files)


def _load(path: Path) -> Dataset:
    described, labels = _sidecar(path)
    features = described.get("features", {})
    part = {
        key: {c: about[key] for c, about in features.items() if key in about}
        for key in ("kind", "order", "direction")
    }
    class_order = described.get("class_order") or ()
    return read_table(
        path,
        target=described.get("target"),
        kinds=part["kind"],
        orders=part["order"],
        class_order=tuple(class_order),
        ordered=bool(class_order),
        directions=part["direction"],
        units=labels.units,
        labels=labels.names,
        value_labels=labels.values,
        class_colours=labels.colours,
        **{key: described[key] for key in ("description", "source") if key in described},
    )


def _sidecar(path: Path) -> tuple[dict, Labels]:
    """Return what the JSON file beside a CSV file says; nothing if there is none."""
    sidecar = path.with_suffix(".json")
    if not sidecar.exists():
        return {}, Labels()
    return read_sidecar(sidecar.read_bytes(), sidecar.name)
