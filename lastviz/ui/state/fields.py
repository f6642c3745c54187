"""What a link says in texts of its own: lists, a typed sample, the textbook's tables."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, unquote

from lastviz._params import Param

from .selection import DEFAULT
from .values import EditedPoints, EditedRows

__all__ = [
    "GROWERS",
    "KINDS",
    "LAYOUTS",
    "LESSONS",
    "ORDERS",
    "READERS",
    "RULE_FIELDS",
    "TEXTBOOK_FIELDS",
    "TEXTBOOK_TABLES",
    "WRITERS",
    "Levels",
    "read_typed",
    "write_typed",
]

Levels = tuple[tuple[int, tuple[int, ...]], ...]
"""The order of the values of some features: (feature, its values from low to high)."""

KINDS = ("numeric", "nominal", "ordinal")


def write_runs(positions: tuple[int, ...]) -> str:
    """Return positions as runs counted from one: (0, 1, 2, 6) is ``1-3.7``."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    return ".".join(f"{a + 1}-{b + 1}" if b > a else f"{a + 1}" for a, b in runs)


def read_runs(text: str) -> tuple[int, ...]:
    """Return the positions that :func:`write_runs` wrote; raises ValueError if it did not."""
    positions: list[int] = []
    for run in text.split("."):
        first, _, last = run.partition("-")
        low, high = int(first) - 1, int(last or first) - 1
        if not 0 <= low <= high < 100_000 or (positions and low <= positions[-1]):
            raise ValueError(run)
        positions.extend(range(low, high + 1))
    return tuple(positions)


def read_kinds(text: str) -> tuple[tuple[int, str], ...]:
    """Return (position, kind) pairs from ``2nominal.7ordinal``; raises ValueError otherwise."""
    pairs = []
    for part in text.split("."):
        kind = part.lstrip("0123456789")
        pairs.append((int(part.removesuffix(kind)) - 1, kind))
        if kind not in KINDS or pairs[-1][0] < 0:
            raise ValueError(part)
    return tuple(sorted(dict(pairs).items()))


def write_kinds(kinds: tuple[tuple[int, str], ...]) -> str:
    """Return (position, kind) pairs as ``2nominal.7ordinal``."""
    return ".".join(f"{position + 1}{kind}" for position, kind in kinds)


def write_order(positions: tuple[int, ...]) -> str:
    """Return positions in an order as ``3.1.2``."""
    return ".".join(str(position + 1) for position in positions)


def read_order(text: str) -> tuple[int, ...]:
    """Return all positions in an order from ``3.1.2``; raises ValueError otherwise."""
    positions = tuple(int(part) - 1 for part in text.split("."))
    if sorted(positions) != list(range(len(positions))):
        raise ValueError(text)
    return positions


def write_levels(levels: Levels) -> str:
    """Return the orders of values, counted from one: ``2-3.1.2`` orders those of feature 2."""
    return "_".join(f"{i + 1}-{write_order(order)}" for i, order in levels)


def read_levels(text: str) -> Levels:
    """Return what :func:`write_levels` wrote; raises ValueError if it did not."""
    orders = {}
    for part in text.split("_"):
        feature, _, order = part.partition("-")
        orders[int(feature) - 1] = read_order(order)
    if min(orders) < 0:
        raise ValueError(text)
    return tuple(sorted(orders.items()))


def read_directions(text: str) -> str:
    """Return the letters of the directions; at least one feature must have one."""
    if not set(text) <= set("rfn") or not set(text) & set("rf"):
        raise ValueError(text)
    return text


WRITERS = {
    "columns": write_runs,
    "kinds": write_kinds,
    "levels": write_levels,
    "classes": write_order,
    "directions": str,
}
READERS = {
    "columns": read_runs,
    "kinds": read_kinds,
    "levels": read_levels,
    "classes": read_order,
    "directions": read_directions,
}
"""How the lists of a selection are written into a link and read from it, by field."""


LAYOUTS = ("flow", "icicle")
ORDERS = ("support", "confidence", "coverage", "length")
LARGEST = 2**31 - 1

RULE_FIELDS = (
    Param("drawing", str, "flow", choices=LAYOUTS),
    Param("least", int, None, low=1, high=LARGEST, none=True),
    Param("only", int, None, low=1, high=LARGEST, none=True),
    Param("from_rows", int, 0, low=0, high=LARGEST),
    Param("from_confidence", int, 0, low=0, high=100),
    Param("order", str, "support", choices=ORDERS),
)


def write_typed(values: Sequence[str]) -> str:
    """Return the values of a sample as one text, "" if there is none: ``148,,sunny``."""
    text = ",".join(quote(value.strip(), safe="") for value in values)
    return text if text.strip(",") else ""


def read_typed(text: str, n_features: int) -> list[str]:
    """Return the values of :func:`write_typed`, as many as there are features; "" is missing."""
    values = [unquote(part) for part in text.split(",")] if text else []
    return (values + [""] * n_features)[:n_features]


LESSONS = ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares")
GROWERS = ("id3", "id3_ratio", "c45", "cart")
_MOST = 2**31 - 1

TEXTBOOK_FIELDS = (
    Param("lesson", str, DEFAULT.lesson, choices=LESSONS),
    Param("grown", str, DEFAULT.grown, choices=GROWERS),
    Param("inner", int, None, low=0, high=_MOST, none=True),
    Param("root", int, DEFAULT.root, low=0, high=_MOST),
    Param("root2", int, DEFAULT.root2, low=0, high=_MOST),
    Param("leaf_price", float, DEFAULT.leaf_price, low=0.0, high=1e6, label="α, price of a leaf"),
    Param("pieces", int, None, low=1, high=_MOST, none=True),
)
TEXTBOOK_TABLES = {"loan": EditedRows, "points": EditedPoints}
