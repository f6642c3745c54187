"""A study: algorithms, data sets, folds and protocol, as a value and as a text file."""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lastviz._extras import lack_of
from lastviz._params import check_params
from lastviz.datasets import all_datasets

from .candidates import PEERS, candidates, checked_params, takes_unlabelled, title_of

PROTOCOLS: dict[str, str] = {
    "fixed": "the parameters as given; each point of a grid is an algorithm of its own",
    "best_on_test": "the point of the grid that is best on the test folds, as some papers did",
    "nested": "the point of the grid that is best in folds of the training rows alone",
}
TABLE = "table."  # how the key of a table begins that no registry has; its digest follows
MOST_POINTS = 1_000  # of a grid
MOST_TASKS = 2_000_000

Pairs = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class AlgorithmChoice:
    """An algorithm of a study."""

    key: str  # of `lastviz.studies.candidates.candidates`
    params: Pairs = ()  # tuple of (str, value), those that differ from the defaults
    # Values to choose from, for each parameter that is chosen.
    grid: tuple[tuple[str, tuple], ...] = ()
    name: str = ""  # what tables call it; unlike any other of the study
    unlabelled: bool = False  # whether it sees the test rows without their classes

    def points(self) -> tuple[Pairs, ...]:
        """Parameters of each point of the grid, complete and sorted; one at least."""
        names = [name for name, _ in self.grid]
        found = []
        for values in itertools.product(*(values for _, values in self.grid)):
            point = {**dict(self.params), **dict(zip(names, values, strict=True))}
            found.append(tuple(sorted(checked_params(self.key, point).items())))
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class DataChoice:
    """A data set of a study."""

    key: str  # of the registry, or `TABLE` and the digest of a table
    params: Pairs = ()  # tuple of (str, value)
    name: str = ""  # what tables call it
    # tuple of (str, value), what a table was read from: "file", "target" and "columns", the
    # features that were used.
    table: Pairs = ()


@dataclass(frozen=True)
class Study:
    """Algorithms and data sets to compare, and the protocol of the comparison."""

    name: str
    algorithms: tuple[AlgorithmChoice, ...]
    datasets: tuple[DataChoice, ...]
    repeats: int = 1  # divisions into folds
    folds: int = 10  # of each division
    protocol: str = "fixed"  # {"fixed", "best_on_test", "nested"}
    inner_folds: int = 4  # of the training rows, for "nested"
    seed: int = 0

    def to_toml(self) -> str:
        """Study as a text that :func:`study_of` reads."""
        lines = [f"name = {_toml(self.name)}"]
        fields = ("repeats", "folds", "protocol", "inner_folds", "seed")
        lines += [f"{field} = {_toml(getattr(self, field))}" for field in fields]
        for choice in self.algorithms:
            lines += ["", "[[algorithms]]", f"key = {_toml(choice.key)}"]
            lines.append(f"name = {_toml(choice.name)}")
            if choice.unlabelled:
                lines.append("unlabelled = true")
            lines += _table("algorithms.params", choice.params)
            lines += _table("algorithms.grid", choice.grid)
        for data in self.datasets:
            lines += ["", "[[datasets]]", f"key = {_toml(data.key)}", f"name = {_toml(data.name)}"]
            lines += _table("datasets.params", data.params)
            lines += _table("datasets.table", data.table)
        return "\n".join(lines) + "\n"

    def id_for(self, owner: str) -> str:
        """Twelve hex digits that name the study of this owner."""
        return hashlib.sha256(f"{owner}\n{self.to_toml()}".encode()).hexdigest()[:12]


def _table(title: str, pairs: Pairs) -> list[str]:
    if not pairs:
        return []
    return [f"[{title}]", *(f"{_toml(name)} = {_toml(value)}" for name, value in pairs)]


def _toml(value: object) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):  # JSON escapes all that TOML does, but for this one
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value) if isinstance(value, bool) else repr(value)


def read_study(path: str | Path, given: Sequence[str] = ()) -> Study:
    """Study of a file; see :func:`study_of`.

    Raises
    ------
    ValueError
        If it cannot be read, or is no study.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ValueError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as text: {error}.") from None
    return study_of(text, given, name=path.stem)


def study_of(text: str, given: Sequence[str] = (), name: str = "study") -> Study:
    """Study that a text in TOML describes.

    Parameters
    ----------
    text : str
    given : sequence of str
        Keys of data sets that are handed over beside those of the registry and tables.
    name : str
        Its name if the text has none.

    Raises
    ------
    ValueError
        In one sentence: not TOML, an unknown key, algorithm, data set, protocol or parameter,
        an illegal value, too much to compute.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"The study is not in TOML: {error}.") from None
    known = ("name", "repeats", "folds", "protocol", "inner_folds", "seed")
    _only(found, (*known, "algorithms", "datasets"), "The study")
    numbers = {
        "repeats": _number(found, "repeats", 1, 1, 10_000),
        "folds": _number(found, "folds", 10, 2, 10_000),
        "inner_folds": _number(found, "inner_folds", 4, 2, 100),
        "seed": _number(found, "seed", 0, 0, 2**32 - 1),
    }
    protocol = found.get("protocol", "fixed")
    if protocol not in tuple(PROTOCOLS):
        raise ValueError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}.")
    algorithms = [_algorithm(row, protocol) for row in _rows(found, "algorithms")]
    algorithms = [one for choices in algorithms for one in choices]
    datasets = [_data(row, given) for row in _rows(found, "datasets")]
    for what, rows in (("algorithms", algorithms), ("data sets", datasets)):
        names = [row.name for row in rows]
        twice = next((n for n in names if names.count(n) > 1), None)
        if twice is not None:
            raise ValueError(f"Two {what} are called {twice!r}; give one of them another name.")
    n_points = sum(len(choice.points()) for choice in algorithms)
    n_tasks = n_points * len(datasets) * numbers["repeats"] * numbers["folds"]
    if n_tasks > MOST_TASKS:
        raise ValueError(f"The study has {n_tasks:,} folds to compute, more than {MOST_TASKS:,}.")
    title = _text(found, "name", name)
    return Study(title, tuple(algorithms), tuple(datasets), protocol=protocol, **numbers)


def _only(found: Mapping, known: tuple[str, ...], where: str) -> None:
    strange = [key for key in found if key not in known]
    if strange:
        raise ValueError(f"{where} has an unknown key {strange[0]!r}; known: {', '.join(known)}.")


def _number(found: Mapping, key: str, default: int, low: int, high: int) -> int:
    value = found.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{key} must be a whole number from {low} to {high}, got {value!r}.")
    return value


def _text(found: Mapping, key: str, default: str) -> str:
    value = found.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a text, got {value!r}.")
    return value


def _rows(found: Mapping, key: str) -> list[Mapping]:
    rows = found.get(key, [])
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise ValueError(f"The study needs at least one [[{key}]].")
    return rows


def _parts(row: Mapping, part: str, where: str) -> dict[str, object]:
    value = row.get(part, {})
    if not isinstance(value, dict):
        raise ValueError(f"{where}: {part} must be a table of names and values, got {value!r}.")
    return {key: _plain(one) for key, one in value.items()}


def _plain(value: object) -> object:
    """Value of TOML as parameters know it; it has no word for None."""
    if isinstance(value, list):
        return tuple(_plain(one) for one in value)
    return None if isinstance(value, str) and value == "none" else value


def _algorithm(row: Mapping, protocol: str) -> list[AlgorithmChoice]:
    """Algorithm; with protocol "fixed" one for each point of its grid."""
    key = row.get("key")
    if key in PEERS and not PEERS[key].is_installed:
        raise ValueError(f"{lack_of(PEERS[key].package, title_of(key))}.")
    if not isinstance(key, str) or key not in candidates():
        known = ", ".join(candidates())
        raise ValueError(f"There is no algorithm {key!r}; the keys are: {known}.")
    where = f"Algorithm {key!r}"
    _only(row, ("key", "name", "params", "grid", "unlabelled"), where)
    unlabelled = row.get("unlabelled", False)
    if not isinstance(unlabelled, bool):
        raise ValueError(f"{where}: unlabelled must be true or false, got {unlabelled!r}.")
    if unlabelled and not takes_unlabelled(key):
        raise ValueError(f"{where} cannot see rows without classes; leave `unlabelled` out.")
    params, grid = _parts(row, "params", where), _parts(row, "grid", where)
    for name, values in grid.items():
        if not isinstance(values, tuple) or not values:
            raise ValueError(f"{where}: the grid of {name!r} must be a list of values.")
    n_points = 1
    for values in grid.values():
        n_points *= len(values)
    if n_points > MOST_POINTS:
        raise ValueError(f"{where}: a grid of {n_points:,} points is more than {MOST_POINTS:,}.")
    title = _text(row, "name", "") or title_of(key) + (", unlabelled" if unlabelled else "")
    choice = AlgorithmChoice(
        key, tuple(params.items()), tuple(sorted(grid.items())), title, unlabelled
    )
    try:
        choice.points()
    except (ValueError, TypeError) as error:
        raise ValueError(f"{where}: {error}.") from None
    if protocol != "fixed" or not grid:
        return [choice]
    return _one_a_point(choice)


def _one_a_point(choice: AlgorithmChoice) -> list[AlgorithmChoice]:
    names = [name for name, _ in choice.grid]
    found = []
    for values in itertools.product(*(values for _, values in choice.grid)):
        point = dict(zip(names, values, strict=True))
        words = ", ".join(f"{name} {_toml(value)}" for name, value in point.items())
        params = tuple({**dict(choice.params), **point}.items())
        title = f"{choice.name}, {words}"
        found.append(AlgorithmChoice(choice.key, params, (), title, choice.unlabelled))
    return found


def _data(row: Mapping, given: Sequence[str]) -> DataChoice:
    key = row.get("key")
    entries = all_datasets()
    is_given = isinstance(key, str) and (key in given or key.startswith(TABLE))
    if not is_given and (not isinstance(key, str) or key not in entries):
        known = ", ".join((*entries, *given))
        raise ValueError(f"There is no data set {key!r}; the keys are: {known}.")
    where = f"Data set {key!r}"
    _only(row, ("key", "name", "params", "table"), where)
    params, table = _parts(row, "params", where), _parts(row, "table", where)
    _only(table, ("file", "target", "columns"), f"The table of {where}")
    columns = table.get("columns", ())
    texts = (table.get("file", ""), table.get("target", ""))
    if not isinstance(columns, tuple) or not all(isinstance(x, str) for x in (*texts, *columns)):
        raise ValueError(f"{where}: its table must have texts and a list of columns.")
    title = key
    if not is_given:
        entry, title = entries[key], entries[key].title
        try:
            check_params(entry.PARAMS, params)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{where}: {error}.") from None
    elif params:
        raise ValueError(f"{where} is given and has no parameters.")
    name = _text(row, "name", "") or title
    return DataChoice(key, tuple(params.items()), name, tuple(table.items()))
