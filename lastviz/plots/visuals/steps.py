"""The steps of a tree over one feature."""

from __future__ import annotations

import numpy as np

from .marks import segments
from .theme import Size, Theme


def step_traces(
    start: np.ndarray,
    end: np.ndarray,
    value: np.ndarray,
    theme: Theme,
    selected: np.ndarray | None = None,
) -> list[dict]:
    """Return the steps of what a tree predicts over one feature, and grey lines between them.

    Parameters
    ----------
    start, end, value : ndarray, shape (n,)
        Of each step, in rising order.
    selected : ndarray of bool, shape (n,), or None
        Steps in the accent colour, none if not given.
    """
    flat = np.column_stack([start, value, end, value])
    jumps = np.column_stack([end, value, end, np.roll(value, -1)])[:-1]
    chosen = np.zeros(len(value), dtype=bool) if selected is None else selected
    traces = [
        segments(jumps, theme.grey3, Size.split, role="jump", name="thresholds"),
        segments(flat[~chosen], theme.ink, Size.chosen, role="step", name="prediction"),
    ]
    if selected is not None:
        own = {"role": "selected", "name": "selected"}
        traces.append(segments(flat[chosen], theme.accent, Size.chosen, **own))
    return traces
