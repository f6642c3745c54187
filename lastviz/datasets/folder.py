"""A folder of tables as data sets, each with an optional JSON file that describes it.

CSV, Excel, Parquet and ARFF, CSV compressed, too. Of a Parquet file so many rows are read
as the parameter `n_samples` says, evenly spaced, so that it may be far larger than other files.

``NAME.json`` beside ``NAME.csv`` may hold ``target``, ``class_order`` (low to high, null if
the order has no meaning), ``description``, ``source`` and ``features``: for each column its
``kind`` and, where they apply, ``order`` (low to high), ``direction`` (+1 or -1) and ``unit``.
For display alone: a feature's ``label`` and ``values`` (value -> label), ``target_label``, and
``classes`` with each class's ``label`` and ``colour`` ("#RRGGBB").
"""

from __future__ import annotations

import os
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path

from lastviz._params import Param
from lastviz.tables.columnar import drawn_from_parquet, size_of_parquet

from .dataset import Dataset
from .files import read_table
from .labels import Labels, read_sidecar
from .openml import FROM_FOLDER, DatasetEntry

PARQUET = ".parquet"
ENDINGS = (".csv", ".csv.gz", ".tsv", PARQUET, ".arff", ".xlsx")
"""Of tables; where two have one name, those that stand later here go by their whole name."""
MOST_ROWS_OF_FOLDER = 1_000_000
USUAL_ROWS, USUAL_VALUES = 200_000, 10_000_000  # of a Parquet file, unless more are asked for
MOST_VALUES = 20_000_000
MOST_BYTES = 1_000_000_000


def read_folder(folder: str | os.PathLike) -> dict[str, DatasetEntry]:
    """Entry for each table of `folder`; they are read when they are loaded.

    The keys are ``folder.NAME``, so that they cannot hide a data set of ours.

    Raises
    ------
    ValueError
        If there is no such folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}; LASTVIZ_DATA must name a folder")
    files = [path for path in folder.iterdir() if path.name.endswith((*ENDINGS, ".json"))]
    return dict(_entries(folder, tuple(sorted((p.name, p.stat().st_mtime_ns) for p in files))))


@lru_cache(maxsize=4)
def _entries(folder: Path, files: tuple[tuple[str, int], ...]) -> dict[str, DatasetEntry]:
    """List the entries; `files` (names and times) makes the cache notice a change."""
    names = [name for name, _ in files if name.endswith(ENDINGS)]
    by_name: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (ENDINGS.index(_ending(name)), name)):
        by_name[name if _stem(name) in by_name else _stem(name)] = name
    entries = (_entry(folder / name, key) for key, name in sorted(by_name.items()))
    return {entry.key: entry for entry in entries}


def _ending(name: str) -> str:
    return max((ending for ending in ENDINGS if name.endswith(ending)), key=len)


def _stem(name: str) -> str:
    return name.removesuffix(_ending(name))


def _entry(path: Path, name: str) -> DatasetEntry:
    params, n_features = (), None
    try:
        described, _ = _sidecar(path)
        if path.suffix == PARQUET:
            n_rows, n_columns = size_of_parquet(path)
            params, n_features = (_rows(n_rows, n_columns),), n_columns - 1
    except ValueError:
        described = {}  # loading the entry says what is wrong
    return DatasetEntry(
        key=f"folder.{name}",
        title=name,
        group=FROM_FOLDER,
        load=partial(_load, path, **{param.name: param.default for param in params}),
        PARAMS=params,
        description=described.get("description", ""),
        n_features=len(described["features"]) if "features" in described else n_features,
        version=_version(path),
    )


def _rows(n_rows: int, n_columns: int) -> Param:
    """Parameter that says how many rows of a Parquet file are read."""
    most = max(1, min(n_rows, MOST_ROWS_OF_FOLDER, MOST_VALUES // max(n_columns, 1)))
    return Param(
        "n_samples",
        int,
        min(most, USUAL_ROWS, max(1, USUAL_VALUES // max(n_columns, 1))),
        low=1,
        high=most,
        label="Rows",
        help="Of those of the file, evenly spaced from the first to the last.",
    )


def _sidecar_of(path: Path) -> Path:
    return path.with_name(_stem(path.name) + ".json")


def _version(path: Path) -> str:
    """Paths and modification times of a table and its sidecar."""
    files = [file for file in (path, _sidecar_of(path)) if file.exists()]
    return "|".join(f"{file}@{file.stat().st_mtime_ns}" for file in files)


def _load(path: Path, n_samples: int = USUAL_ROWS) -> Dataset:
    described, labels = _sidecar(path)
    features = described.get("features", {})
    part = {
        key: {c: about[key] for c, about in features.items() if key in about}
        for key in ("kind", "order", "direction")
    }
    class_order = described.get("class_order") or ()
    file: Path | BytesIO = path
    if path.suffix == PARQUET:
        file = BytesIO(drawn_from_parquet(path, n_samples))
        file.name = path.name
    return read_table(
        file,
        name=_stem(path.name),
        limit_bytes=MOST_BYTES,
        limit_rows=MOST_ROWS_OF_FOLDER,
        limit_values=MOST_VALUES + MOST_ROWS_OF_FOLDER,
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
    """Description and labels from the JSON file beside a table; empty without one."""
    sidecar = _sidecar_of(path)
    if not sidecar.exists():
        return {}, Labels()
    return read_sidecar(sidecar.read_bytes(), sidecar.name)
