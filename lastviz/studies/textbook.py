"""What the textbook prints for its own tables: Li, Statistical Learning Methods, chapter 5."""

from __future__ import annotations

__all__ = ["PRINTED", "differs"]

PRINTED: dict[tuple[str, ...], str] = {
    # Example 5.2
    ("entropy",): "0.971",
    ("conditional", "age"): "0.888",
    ("conditional", "credit"): "0.608",
    ("gain", "age"): "0.083",
    ("gain", "job"): "0.324",
    ("gain", "house"): "0.420",
    ("gain", "credit"): "0.363",
    # Example 5.3, the rows without a house of their own
    ("no house", "entropy"): "0.918",
    ("no house", "conditional", "age"): "0.667",
    ("no house", "gain", "age"): "0.251",
    ("no house", "gain", "job"): "0.918",
    ("no house", "gain", "credit"): "0.474",
    # Example 5.4: Gini(D, A = a)
    ("gini", "age", "youth"): "0.44",
    ("gini", "age", "middle"): "0.48",
    ("gini", "age", "old"): "0.44",
    ("gini", "job", "yes"): "0.32",
    ("gini", "house", "yes"): "0.27",
    ("gini", "credit", "very good"): "0.36",
    ("gini", "credit", "good"): "0.47",
    ("gini", "credit", "fair"): "0.32",
}
"""Numbers as they are printed, by what they are and what they are about."""


def differs(printed: str, exact: float) -> bool:
    """Tell whether a printed number is not `exact` rounded to as many decimals."""
    decimals = len(printed.partition(".")[2])
    return abs(float(printed) - exact) > 0.5 * 10.0**-decimals + 1e-12
