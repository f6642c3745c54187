"""What a link says about the page *rules*, and the values of a sample that the reader typed."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, unquote

from lastviz._params import Param

__all__ = ["LAYOUTS", "ORDERS", "RULE_FIELDS", "read_typed", "write_typed"]

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
