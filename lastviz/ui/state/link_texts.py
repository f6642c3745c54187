"""Values of a selection as parts of a link, counted from one, and back."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from threading import Lock
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import quote, unquote

import numpy as np

from lastviz._recent import recently
from lastviz.datasets.column_roles import ROLES
from lastviz.datasets.divisions import BLOCKS, GROUPS, LAST
from lastviz.datasets.painted import Painting
from lastviz.ui.text import t

from .fields import LARGEST

TURN = 180.0  # degrees: a line turned so far is itself
PLACE = re.compile(r"([a-z_0-9]{1,30})\.([1-9])")  # in the course: a scene and its step

Roles = tuple[tuple[str, tuple[int, ...]], ...]
"""The columns in each role that the user has set: (role, positions), by role."""

HELD_BY = re.compile(rf"{LAST}|{BLOCKS}|({LAST}|{GROUPS})[1-9][0-9]{{0,4}}")

Levels = tuple[tuple[int, tuple[int, ...]], ...]
"""The order of the values of some features: (feature, its values from low to high)."""

ALL_COLUMNS = (-1,)
"""Every feature is in use, those too that would be left out of a table of the reader's own."""

BALANCED = "balanced"
KINDS = ("numeric", "nominal", "ordinal")
HOLDS = {"stays": "s", "rises": "r", "falls": "f", "within": "w"}
MOST_FEATURES = 100_000


class Hold(NamedTuple):
    """Limit on a sample's feature: fixed, only rising, only falling, within two ends.

    Features go by name, since algorithms read the same data in other columns.
    """

    feature: str
    how: str
    low: float | None = None
    high: float | None = None


def write_runs(positions: tuple[int, ...]) -> str:
    """Positions as runs counted from one: (0, 1, 2, 6) is ``1-3.7``."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    return ".".join(f"{a + 1}-{b + 1}" if b > a else f"{a + 1}" for a, b in runs)


def read_runs(text: str, most: int = MOST_FEATURES) -> tuple[int, ...]:
    """Positions that :func:`write_runs` wrote, all below `most`; else ValueError."""
    positions: list[int] = []
    for run in text.split("."):
        first, _, last = run.partition("-")
        low, high = int(first) - 1, int(last or first) - 1
        if not 0 <= low <= high < most or (positions and low <= positions[-1]):
            raise ValueError(run)
        positions.extend(range(low, high + 1))
    return tuple(positions)


def write_columns(positions: tuple[int, ...]) -> str:
    """Features as runs of positions, or as "all" or "auto"."""
    if positions == ALL_COLUMNS:
        return "all"
    return write_runs(positions) if positions else "auto"


def read_columns(text: str) -> tuple[int, ...]:
    """Features that :func:`write_columns` wrote; raises ValueError otherwise."""
    named = {"all": ALL_COLUMNS, "auto": ()}
    return named[text] if text in named else read_runs(text)


# Raises ValueError if they are no weights.
def read_class_weight(text: str) -> str:
    """Class weights: "balanced", or numbers as ``5_1``."""
    if text in ("", BALANCED):
        return text
    weights = [float(part) for part in text.split("_")]
    if not all(math.isfinite(w) and w >= 0.0 for w in weights) or not any(weights):
        raise ValueError(text)
    return "_".join(f"{w:.15g}" for w in weights)


# Raises ValueError for any other form.
def read_kinds(text: str) -> tuple[tuple[int, str], ...]:
    """Pairs (position, kind) read from ``2nominal.7ordinal``."""
    pairs = []
    for part in text.split("."):
        kind = part.lstrip("0123456789")
        pairs.append((int(part.removesuffix(kind)) - 1, kind))
        if kind not in KINDS or pairs[-1][0] < 0:
            raise ValueError(part)
    return tuple(sorted(dict(pairs).items()))


def write_kinds(kinds: tuple[tuple[int, str], ...]) -> str:
    """Pairs (position, kind) written as ``2nominal.7ordinal``."""
    return ".".join(f"{position + 1}{kind}" for position, kind in kinds)


def write_roles(roles: Roles) -> str:
    """Columns in each role, by its letter: ``f2-3.7_s``, where none is sensitive."""
    return "_".join(role[0] + write_runs(positions) for role, positions in roles)


# Raises ValueError for any other text.
def read_roles(text: str) -> Roles:
    """Roles read from the text of :func:`write_roles`."""
    named = {role[0]: role for role in ROLES}
    parts = {part[:1]: part[1:] for part in text.split("_")}
    if not parts.keys() <= named.keys():
        raise ValueError(text)
    found = {named[letter]: read_runs(runs) if runs else () for letter, runs in parts.items()}
    return tuple(sorted(found.items()))


def read_held_by(text: str) -> str:
    """Way to hold out rows, such as ``groups3``, by the third column; else ValueError."""
    if text and not HELD_BY.fullmatch(text):
        raise ValueError(text)
    return text


def held_parts(text: str) -> tuple[str, int | None]:
    """Way to hold out rows, and the position of the column that it is by."""
    how = text.rstrip("0123456789")
    return how, int(text.removeprefix(how)) - 1 if how != text else None


def write_order(positions: tuple[int, ...]) -> str:
    """Positions in their order, as ``3.1.2``."""
    return ".".join(str(position + 1) for position in positions)


def read_order(text: str) -> tuple[int, ...]:
    """All positions in an order from ``3.1.2``; raises ValueError otherwise."""
    positions = tuple(int(part) - 1 for part in text.split("."))
    if sorted(positions) != list(range(len(positions))):
        raise ValueError(text)
    return positions


def write_levels(levels: Levels) -> str:
    """Orders of values, counted from one: ``2-3.1.2`` orders those of feature 2."""
    return "_".join(f"{i + 1}-{write_order(order)}" for i, order in levels)


# Raises ValueError for any other text.
def read_levels(text: str) -> Levels:
    """Levels read from the text of :func:`write_levels`."""
    orders = {}
    for part in text.split("_"):
        feature, _, order = part.partition("-")
        orders[int(feature) - 1] = read_order(order)
    if min(orders) < 0:
        raise ValueError(text)
    return tuple(sorted(orders.items()))


def read_directions(text: str) -> str:
    """Letters of the directions; at least one feature must have one."""
    if not set(text) <= set("rfn") or not set(text) & set("rf"):
        raise ValueError(text)
    return text


def write_typed(values: Sequence[str]) -> str:
    """Values of a sample as one text, "" if there is none: ``148,,sunny``."""
    text = ",".join(quote(value.strip(), safe="") for value in values)
    return text if text.strip(",") else ""


def read_typed(text: str, n_features: int) -> list[str]:
    """Values of :func:`write_typed`, as many as there are features; "" is missing."""
    values = [unquote(part) for part in text.split(",")] if text else []
    return (values + [""] * n_features)[:n_features]


def read_pair(text: str) -> tuple[int, int]:
    """Two different positions from ``1.2``; raises ValueError otherwise."""
    first, second = (int(part) - 1 for part in text.split("."))
    if first == second or not 0 <= min(first, second) <= max(first, second) < MOST_FEATURES:
        raise ValueError(text)
    return first, second


def write_pair(pair: tuple[int, int]) -> str:
    """Two positions as ``1.2``."""
    return ".".join(str(position + 1) for position in pair)


MOST_PRICED = 5  # classes whose errors have costs of their own
DEAREST = 1e6


def read_costs(text: str) -> tuple[float, ...]:
    """Matrix of costs as ``0,1,5,...``, row by row; raises ValueError otherwise."""
    costs = np.array([float(part) for part in text.split(",")])
    n = round(len(costs) ** 0.5)
    is_square = 3 <= n <= MOST_PRICED and len(costs) == n * n
    if not is_square or costs[:: n + 1].any() or not ((costs >= 0) & (costs <= DEAREST)).all():
        raise ValueError(text)
    return tuple(costs.tolist())


def write_costs(costs: tuple[float, ...]) -> str:
    """Matrix of costs as ``0,1,5,...``."""
    return ",".join(f"{cost:.6g}" for cost in costs)


def read_list(separator: str, most: int) -> Callable[[str], tuple[str, ...]]:
    """Function that reads up to `most` different words between separators."""

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, text.split(separator))))[:most]

    return read


def write_holds(holds: Sequence[Hold]) -> str:
    """Limits on features as ``age:s~duration:w6_24``."""

    def name(feature: str) -> str:
        return quote(feature, safe="").replace("~", "%7E")

    ends = ["" if hold.low is None else f"{hold.low!r}_{hold.high!r}" for hold in holds]
    return "~".join(
        f"{name(hold.feature)}:{HOLDS[hold.how]}{end}"
        for hold, end in zip(holds, ends, strict=True)
    )


# Raises ValueError for any other text.
def read_holds(text: str) -> tuple[Hold, ...]:
    """Limits on features read from the text of :func:`write_holds`, by feature."""
    holds = {}
    for part in text.split("~"):
        feature, _, code = part.partition(":")
        how = next((word for word, letter in HOLDS.items() if letter == code[:1]), "")
        low, high = map(float, code[1:].split("_")) if how == "within" else (None, None)
        bounded = low is None or (math.isfinite(low) and math.isfinite(high) and low <= high)
        if not (how and feature and bounded) or (how != "within" and code[1:]):
            raise ValueError(part)
        name = unquote(feature)
        holds[name] = Hold(name, how, low, high)
    return tuple(holds[name] for name in sorted(holds))


MOST_OF_A_PAINTING = 1700  # letters, so that a whole link stays below 2,000


def read_painting(text: str) -> str:
    """Painting's own text; ValueError if it says none."""
    return str(Painting.parse(text))


def is_long_painting(text: str) -> bool:
    """Whether a painting is too large for a link."""
    return len(text) > MOST_OF_A_PAINTING


def read_place(text: str) -> tuple[str, int]:
    """Scene and the step, counted from 1, that a link names: "xor.2".

    Raises
    ------
    ValueError
        If it names none.
    """
    found = PLACE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found[1], int(found[2])


def write_place(place: tuple[str, int]) -> str:
    """Place in the course as links say it."""
    return f"{place[0]}.{place[1]}"


def read_line(text: str) -> tuple[float, int]:
    """Angle of a line in degrees and its rank from 1: "45_2"."""
    theta, _, rank = text.partition("_")
    line = float(theta), int(rank)
    if not (0.0 <= line[0] < TURN and 1 <= line[1] <= LARGEST):
        raise ValueError(text)
    return line


def write_line(line: tuple[float, int]) -> str:
    """Line as links say it."""
    return f"{line[0]:g}_{line[1]}"


# ---- Rows that the reader brushed, as part of a link: runs, bits, or a name for very many


MOST_BRUSHED = 20_000
"""More rows than this are not brushed at once."""

MOST_LETTERS = 1200  # in a link; longer ones do not survive mail and chat
MOST_STORED = 256  # sets of rows that are too many for a link; the oldest go first
LARGEST_ROW = 1_000_000
BITS, NAME = "~", "!"  # what a text begins with that is no list of runs
_stored: OrderedDict[str, tuple[int, ...]] = OrderedDict()
_lock = Lock()


@recently(64)
def write_brushed(rows: tuple[int, ...]) -> str:
    """Rising positions as ``1-3.7``, as packed bits if those are shorter.

    Of rows that are too many for a link it is a name under which this process keeps them: the
    link works here, and elsewhere says that they are gone. O(largest row).
    """
    text = write_brushed_in_full(rows)
    if len(text) <= MOST_LETTERS:
        return text
    name = hashlib.blake2b(text.encode(), digest_size=9).hexdigest()
    with _lock:
        _stored[name] = rows
        _stored.move_to_end(name)
        while len(_stored) > MOST_STORED:
            _stored.popitem(last=False)
    return NAME + name


def write_brushed_in_full(rows: tuple[int, ...]) -> str:
    """As :func:`write_brushed`, however many rows there are: for files."""
    runs = write_runs(rows)
    return runs if len(runs) <= 60 else min(runs, BITS + _packed(rows), key=len)


def read_brushed(text: str) -> tuple[int, ...]:
    """Positions that :func:`write_brushed` wrote.

    Raises
    ------
    ValueError
        If it did not, or if the rows are not kept any more.
    """
    if text.startswith(NAME):
        with _lock:
            found = _stored.get(text.removeprefix(NAME))
        if found is None:
            raise ValueError(text)
        return found
    rows = (
        _unpacked(text.removeprefix(BITS))
        if text.startswith(BITS)
        else read_runs(text, LARGEST_ROW)
    )
    if not 0 < len(rows) <= MOST_BRUSHED:
        raise ValueError(text)
    return rows


def row_numbers(text: str) -> tuple[int, ...]:
    """Positions that a reader typed, counted from one: ``3, 17, 40-52``.

    Raises
    ------
    ValueError
        If the text holds anything else, or more than :data:`MOST_BRUSHED` rows.
    """
    found: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", text.strip()))):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= LARGEST_ROW or high - low >= MOST_BRUSHED:
            raise ValueError(part)
        found.update(range(low - 1, high))
    if len(found) > MOST_BRUSHED:
        raise ValueError(text)
    return tuple(sorted(found))


def _packed(rows: tuple[int, ...]) -> str:
    bits = np.zeros(rows[-1] + 1, dtype=bool)
    bits[list(rows)] = True
    packed = zlib.compress(np.packbits(bits).tobytes(), 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _unpacked(text: str) -> tuple[int, ...]:
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpack = zlib.decompressobj()
        content = unpack.decompress(packed, LARGEST_ROW // 8)
    except zlib.error as reason:
        raise ValueError(text) from reason
    if unpack.unconsumed_tail or not unpack.eof:
        raise ValueError(text)
    return tuple(np.flatnonzero(np.unpackbits(np.frombuffer(content, dtype=np.uint8))).tolist())


# ---- Long texts as short ones, as a link can hold them, and lists of records so and as files


MOST_BYTES = 200_000  # once it is inflated
RAW = -15  # deflated without a header
VERSION = 1  # of files

Record = TypeVar("Record")


def packed_text(text: str) -> str:
    """Text as letters, digits, "-" and "_"."""
    deflate = zlib.compressobj(9, wbits=RAW)
    data = deflate.compress(text.encode()) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked_text(packed: str) -> str:
    """Text that :func:`packed_text` packed; ValueError if it did not."""
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj(wbits=RAW)
        plain = inflate.decompress(data, MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from error
    if not inflate.eof:
        raise ValueError("it is longer than it may be, or cut off")
    return plain.decode("utf-8")


@dataclass(frozen=True)
class PackedRecords(Generic[Record]):
    """Form in which a list of records is written and read."""

    # A dataclass; its `checked` makes a record of parts from outside, or raises ValueError.
    kind: type[Record]
    format: str  # what a file calls itself and the list
    listed: str  # what a file calls itself and the list
    most: int  # records
    most_bytes: int  # of a file
    refused: str  # the sentence for a file that holds no such list
    n_later: int = 0  # last parts of a record, which older texts lack; left out where all are ""

    def write(self, records: Sequence[Record]) -> str:
        """Text of records for a link, "" without any."""
        parts = [self._without_default(astuple(each)) for each in records]
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        return packed_text(text) if records else ""

    def read(self, text: str) -> tuple[Record, ...]:
        """Records that :meth:`write` wrote; ValueError if it did not."""
        if not text:
            return ()
        try:
            return self._checked(json.loads(unpacked_text(text)))
        except RecursionError as error:
            raise ValueError(str(error)) from error

    def write_file(self, records: Sequence[Record]) -> str:
        """Text of records for a file that people can read."""
        listed = list(map(asdict, records))
        document = {"format": self.format, "version": VERSION, self.listed: listed}
        return json.dumps(document, ensure_ascii=False, indent=1)

    def read_file(self, content: bytes) -> tuple[Record, ...]:
        """Records in a file.

        Raises
        ------
        ValueError
            If there are none in it: a sentence for the reader.
        """
        names = [field.name for field in fields(self.kind)]
        try:
            if len(content) > self.most_bytes:
                raise ValueError(len(content))
            found = json.loads(content.decode("utf-8"))
            if found["format"] != self.format or found["version"] != VERSION:
                raise ValueError(found["format"])
            later = dict.fromkeys(names[len(names) - self.n_later :], "")
            rows = [later | each for each in found[self.listed]]
            return self._checked([[each[name] for name in names] for each in rows])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(t(self.refused)) from error

    def _without_default(self, parts: tuple) -> tuple:
        first = len(parts) - self.n_later
        return parts if any(parts[first:]) else parts[:first]

    def _checked(self, parts: object) -> tuple[Record, ...]:
        if not isinstance(parts, list) or not 1 <= len(parts) <= self.most:
            raise ValueError("there are some records, and not too many")
        return tuple(map(self.kind.checked, parts))
