"""A candidate of a table as the formula cards of the criteria read it."""

from __future__ import annotations

from lastviz.criteria import Candidate
from lastviz.splitters import CandidateTable

from .split_geometry import SplitGeometry


def card_candidate(
    table: CandidateTable,
    i: int,
    *,
    geometry: SplitGeometry | None = None,
    penalty: str = "approximate",
    bnm_root: bool = False,
    direction: int = 1,
) -> Candidate:
    """Return candidate `i` of a table with what the cards of its criteria need.

    Parameters
    ----------
    table : CandidateTable
        With the columns "segments", "segment_sum" and "ratio" if cards of these are wanted.
    i : int
    geometry : SplitGeometry, optional
        For the cards of BNM and CSN.
    penalty : str, default "approximate"
    bnm_root : bool, default False
        How BNM was measured, as in :func:`candidate_table`.
    direction : {1, -1, 0}, default 1
        For criteria of ordered classes: whether the class rises or falls with the feature; 0:
        whichever is larger, which each card asks for itself.
    """
    left = table.left_counts[i]
    return Candidate(
        left=left,
        right=table.counts - left,
        segments=_segments(table, i) if "ratio" in table.columns else None,
        geometry=geometry,
        penalty=penalty,
        bnm_root=bnm_root,
        direction=direction,
    )


def _segments(table: CandidateTable, i: int) -> tuple[int, int]:
    """Return the segments of both children: those that the three columns are made of.

    left / n a + right / n b is the expected number and a + b the sum, but for equal halves.
    """
    n_left, n = int(table.left_counts[i].sum()), int(table.counts.sum())
    n_right = n - n_left
    expected, total, ratio = (
        float(table.columns[name][i]) for name in ("segments", "segment_sum", "ratio")
    )
    if n_left != n_right:
        first = round((n * expected - n_right * total) / (n_left - n_right))
    else:
        first = round(total * ratio / (1.0 + ratio))
    return first, round(total) - first
