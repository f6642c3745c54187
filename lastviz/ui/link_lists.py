"""Lists of features and classes as parts of a link, counted from one."""

from __future__ import annotations

__all__ = ["KINDS", "read_directions", "read_kinds", "read_order", "read_runs", "write_runs"]

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


def read_order(text: str) -> tuple[int, ...]:
    """Return all positions in an order from ``3.1.2``; raises ValueError otherwise."""
    positions = tuple(int(part) - 1 for part in text.split("."))
    if sorted(positions) != list(range(len(positions))):
        raise ValueError(text)
    return positions


def read_directions(text: str) -> str:
    """Return the letters of the directions; at least one feature must have one."""
    if not set(text) <= set("rfn") or not set(text) & set("rf"):
        raise ValueError(text)
    return text
