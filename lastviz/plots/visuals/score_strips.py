"""Score curves as strips: one criterion over the thresholds of one feature.

In every strip outward is better, and a criterion has one scale for all features, so that the
strips of a criterion can be compared. A criterion of which little is good is turned over and
drawn on a logarithmic scale, since its bad values lie decades away from its good ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lastviz.criteria.ties_kernels import TIE

from .encode import narrow
from .marks import symbols
from .theme import Size, Theme
from .words import hover_format

MOST_DRAWN = 2000
"""Points of a drawn curve; of more, the largest of each stretch and the marked ones remain."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One criterion of all candidates."""

    title: str  # as plotly html, short
    values: np.ndarray  # (n_candidates,), scores; not finite where there is none
    smaller_is_better: bool = False

    @cached_property
    def height(self) -> np.ndarray:
        """Outward position of each candidate; NaN without a score."""
        values = np.where(np.isfinite(self.values), self.values, np.nan)
        if not self.smaller_is_better:
            return values
        positive = values[values > 0]
        least = float(positive.min()) if len(positive) else 1.0
        return -np.log10(np.maximum(values, least / 10.0))

    @cached_property
    def range(self) -> tuple[float, float]:
        """Lowest and highest place of the scale, with a little room."""
        height = self.height
        shown = height[np.isfinite(height)]
        if not len(shown):
            return 0.0, 1.0
        # A few hopeless candidates must not press all others flat.
        low, high = float(np.quantile(shown, 0.02)), float(shown.max())
        if not self.smaller_is_better:
            low = min(float(shown.min()), 0.0) if shown.min() > -high else low
        unit = max(abs(high), 1.0)
        room = 0.08 * (high - low) if high - low > TIE * unit else 0.5 * unit
        return low - room, high + room


@dataclass(frozen=True, eq=False)
class CandidateCurves:
    """The candidates of a node, and which of them are marked."""

    feature: np.ndarray  # (n_candidates,) intp, rising
    threshold: np.ndarray  # (n_candidates,) float64, rising within a feature
    names: tuple[str, ...]  # of the features, as plotly html
    chosen: int | None = None  # the one that the node was split at
    picked: int | None = None  # the one that the reader picked
    # intp, those that the first stages of the rule kept.
    survivors: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def of(self, feature: int) -> np.ndarray:
        """Candidates of a feature."""
        first, last = np.searchsorted(self.feature, [feature, feature + 1])
        return np.arange(first, last)

    def marked(self, feature: int) -> Sequence[tuple[str, int]]:
        """Marked candidates of a feature with their roles, the topmost last."""
        marks = [("survivor", int(i)) for i in self.survivors]
        marks += [("chosen", self.chosen), ("picked", self.picked)]
        return [(role, i) for role, i in marks if i is not None and self.feature[i] == feature]


def curve_trace(
    candidates: CandidateCurves,
    strip: Strip,
    feature: int,
    theme: Theme,
    *,
    upright: bool,
    most: int = MOST_DRAWN,
) -> dict:
    """Score curve of a feature as a trace; `upright` lets thresholds rise upwards."""
    which = candidates.of(feature)
    keep = [i for _, i in candidates.marked(feature)]
    which = thin_out(which, strip.height[which], np.asarray(keep, dtype=np.intp), most)
    low, high = strip.range
    across, out = candidates.threshold[which], narrow(np.clip(strip.height[which], low, high))
    name = candidates.names[feature]
    x, y = (out, across) if upright else (across, out)
    letter = "y" if upright else "x"
    return {
        "type": "scatter",
        "mode": "lines" if len(which) > 1 else "markers",  # a line of one candidate is not seen
        "marker": {"color": theme.grey7, "size": Size.dot - 3},
        "name": strip.title,
        "meta": {"role": "curve", "feature": int(feature)},
        "x": x,
        "y": y,
        "customdata": narrow(strip.values[which]),
        "line": {
            "color": theme.grey7,
            "width": Size.curve,
            "shape": "vh" if upright else "hv",
            "simplify": False,
        },
        "hovertemplate": f"{name} ≤ %{{{letter}:{hover_format(across)}}}<br>"
        f"{strip.title} %{{customdata:{hover_format(strip.values[which])}}}<extra></extra>",
    }


def thin_out(
    which: np.ndarray, height: np.ndarray, keep: np.ndarray, most: int = MOST_DRAWN
) -> np.ndarray:
    """At most about `most` of `which`: the highest of each stretch, and `keep`."""
    if len(which) <= most:
        return which
    stretch = np.arange(len(which)) * most // len(which)
    order = np.lexsort((np.nan_to_num(-height, nan=np.inf), stretch))
    first = np.r_[True, np.diff(stretch[order]) > 0]
    return np.union1d(which[order[first]], keep)


def dot_trace(
    candidates: CandidateCurves,
    strip: Strip,
    role: str,
    indices: Sequence[int],
    theme: Theme,
    *,
    upright: bool,
) -> dict:
    """Dots of marked candidates on their curve."""
    indices = np.asarray(indices, dtype=np.intp)
    low, high = strip.range
    height = np.nan_to_num(strip.height[indices], nan=low)
    across, out = candidates.threshold[indices], np.clip(height, low, high)
    x, y = (out, across) if upright else (across, out)
    colour = {"chosen": theme.ink, "picked": theme.accent, "survivor": theme.grey5}[role]
    size = Size.dot - 3 if role == "survivor" else Size.dot
    look = "circle", size, colour, (Size.dot_edge, theme.paper)
    return symbols(x, y, *look, role=f"{role}_dot", name=role, cliponaxis=False)


def strip_axis(strip: Strip) -> dict:
    """Settings of the axis across a strip: its scale, nothing drawn, no zoom."""
    low, high = strip.range
    return {"range": [low, high], "visible": False, "fixedrange": True}
