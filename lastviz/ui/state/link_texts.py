"""Values of a selection as parts of a link, counted from one, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from lastviz.datasets.painted import Painting

from .fields import LARGEST

TURN = 180.0  # degrees: a line turned so far is itself
PLACE = re.compile(r"([a-z_0-9]{1,30})\.([1-9])")  # in the course: a scene and its step

Levels = tuple[tuple[int, tuple[int, ...]], ...]
"""The order of the values of some features: (feature, its values from low to high)."""

ALL_COLUMNS = (-1,)
"""Every feature is in use, those too that would be left out of a table of the reader's own."""

BALANCED = "balanced"
KINDS = ("numeric", "nominal", "ordinal")
HOLDS = {"stays": "s", "rises": "r", "falls": "f", "within": "w"}
MOST_FEATURES = 100_000


class Hold(NamedTuple):
    """What a feature of a sample may do: nothing, only rise, only fall, stay within two ends.

    Features go by name, since algorithms read the same data in other columns.
    """

    feature: str
    how: str
    low: float | None = None
    high: float | None = None


def write_runs(positions: tuple[int, ...]) -> str:
    """Return positions as runs counted from one: (0, 1, 2, 6) is ``1-3.7``."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    return ".".join(f"{a + 1}-{b + 1}" if b > a else f"{a + 1}" for a, b in runs)


def read_runs(text: str, most: int = MOST_FEATURES) -> tuple[int, ...]:
    """Return the positions that :func:`write_runs` wrote, all below `most`; else ValueError."""
    positions: list[int] = []
    for run in text.split("."):
        first, _, last = run.partition("-")
        low, high = int(first) - 1, int(last or first) - 1
        if not 0 <= low <= high < most or (positions and low <= positions[-1]):
            raise ValueError(run)
        positions.extend(range(low, high + 1))
    return tuple(positions)


def write_columns(positions: tuple[int, ...]) -> str:
    """Return features as runs, or which of them are meant."""
    if positions == ALL_COLUMNS:
        return "all"
    return write_runs(positions) if positions else "auto"


def read_columns(text: str) -> tuple[int, ...]:
    """Return the features that :func:`write_columns` wrote; raises ValueError otherwise."""
    named = {"all": ALL_COLUMNS, "auto": ()}
    return named[text] if text in named else read_runs(text)


def read_class_weight(text: str) -> str:
    """Return "balanced", or weights as ``5_1``; raises ValueError where they are none."""
    if text in ("", BALANCED):
        return text
    weights = [float(part) for part in text.split("_")]
    if not all(math.isfinite(w) and w >= 0.0 for w in weights) or not any(weights):
        raise ValueError(text)
    return "_".join(f"{w:.15g}" for w in weights)


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


def write_typed(values: Sequence[str]) -> str:
    """Return the values of a sample as one text, "" if there is none: ``148,,sunny``."""
    text = ",".join(quote(value.strip(), safe="") for value in values)
    return text if text.strip(",") else ""


def read_typed(text: str, n_features: int) -> list[str]:
    """Return the values of :func:`write_typed`, as many as there are features; "" is missing."""
    values = [unquote(part) for part in text.split(",")] if text else []
    return (values + [""] * n_features)[:n_features]


def read_pair(text: str) -> tuple[int, int]:
    """Return two different positions from ``1.2``; raises ValueError otherwise."""
    first, second = (int(part) - 1 for part in text.split("."))
    if first == second or not 0 <= min(first, second) <= max(first, second) < MOST_FEATURES:
        raise ValueError(text)
    return first, second


def write_pair(pair: tuple[int, int]) -> str:
    """Return two positions as ``1.2``."""
    return ".".join(str(position + 1) for position in pair)


def read_list(separator: str, most: int) -> Callable[[str], tuple[str, ...]]:
    """Return what reads up to `most` different words between separators."""

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, text.split(separator))))[:most]

    return read


def write_holds(holds: Sequence[Hold]) -> str:
    """Return what features may do as ``age:s~duration:w6_24``."""

    def name(feature: str) -> str:
        return quote(feature, safe="").replace("~", "%7E")

    ends = ["" if hold.low is None else f"{hold.low!r}_{hold.high!r}" for hold in holds]
    return "~".join(
        f"{name(hold.feature)}:{HOLDS[hold.how]}{end}"
        for hold, end in zip(holds, ends, strict=True)
    )


def read_holds(text: str) -> tuple[Hold, ...]:
    """Return what :func:`write_holds` wrote, by feature; raises ValueError if it did not."""
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
    """Return a painting's own text; ValueError if it says none."""
    return str(Painting.parse(text))


def is_long_painting(text: str) -> bool:
    """Tell whether a painting is too large for a link."""
    return len(text) > MOST_OF_A_PAINTING


def read_place(text: str) -> tuple[str, int]:
    """Return the scene and the step, counted from 1, that a link names: "xor.2".

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
    """Return a place in the course as links say it."""
    return f"{place[0]}.{place[1]}"


def read_line(text: str) -> tuple[float, int]:
    """Return the angle of a line in degrees and its rank from 1: "45_2"."""
    theta, _, rank = text.partition("_")
    line = float(theta), int(rank)
    if not (0.0 <= line[0] < TURN and 1 <= line[1] <= LARGEST):
        raise ValueError(text)
    return line


def write_line(line: tuple[float, int]) -> str:
    """Return a line as links say it."""
    return f"{line[0]:g}_{line[1]}"
