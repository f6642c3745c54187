"""A weighted sum of features in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .numbers import number

__all__ = ["largest_weight", "weighted_sum"]


def largest_weight(weights: np.ndarray) -> float:
    """Return the weight of largest size, with its sign: what an equation is divided by."""
    return float(weights[np.abs(weights).argmax()])


def weighted_sum(
    weights: np.ndarray,
    names: Sequence[str],
    *,
    terms: int = 3,
    exact: bool = False,
    rest: str = "…",
) -> str:
    """Return a weighted sum for reading: the largest weights first, then an ellipsis.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    names : sequence of str
        The features, as they shall be printed.
    terms : int, default 3
        How many are printed; weights of 0 are left out and not counted.
    exact : bool, default False
        Print all terms, in the order of the features, with every digit.
    rest : str, default "…"
        Stands for the terms left out; {n} is their number.

    Examples
    --------
    >>> weighted_sum(np.array([0.12, -0.8, 0.5, 0.1]), ["a", "b", "c", "d"])
    '−0.8 b + 0.5 c + 0.12 a + …'
    """
    used = np.flatnonzero(weights)
    if not exact:
        used = used[np.argsort(-np.abs(weights[used]), kind="stable")]
    shown = used if exact else used[:terms]
    parts = [_term(float(weights[i]), names[i], exact=exact) for i in shown]
    text = " ".join(f"{sign} {rest}" for sign, rest in parts)
    text = text.removeprefix("+ ")
    if text.startswith("\N{MINUS SIGN} "):
        text = "\N{MINUS SIGN}" + text[2:]
    n_left_out = len(used) - len(shown)
    return f"{text} + {rest.format(n=n_left_out)}" if n_left_out else text


def _term(weight: float, name: str, *, exact: bool) -> tuple[str, str]:
    size = abs(weight)
    digits = repr(size) if exact else number(float(f"{size:.3g}"))
    sign = "\N{MINUS SIGN}" if weight < 0 else "+"
    return sign, name if digits in ("1", "1.0") else f"{digits} {name}"
