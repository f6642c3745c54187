"""Rank mutual information with the counts of a cut filled in, as LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.plots import number
from lastviz.ui.text import t

__all__ = ["FROM_COUNTS", "RankTerm", "rank_caption", "rank_latex", "rank_terms", "sides"]

FROM_COUNTS = {
    "rmi": r"\mathrm{RMI} = \frac{1}{n} \sum_{k} R_k \ln \frac{n\, R_{\ge k}}{n_R\, T_{\ge k}}",
    "rmi_descending": r"\mathrm{RMI} = \frac{1}{n} \sum_{k} L_k "
    r"\ln \frac{n\, L_{\le k}}{n_L\, T_{\le k}}",
    "rmi_mean": r"\mathrm{RMI} = \frac{1}{2n} \Bigl[ \sum_{k} R_k "
    r"\ln \frac{n\, R_{\ge k}}{n_R\, T_{\ge k}} + \sum_{k} L_k "
    r"\ln \frac{n\, L_{\le k}}{n_L\, T_{\le k}} \Bigr]",
}
"""The criteria from class counts: T in the node, R on the upper side of the cut, L on the lower."""

PER_LINE = 2  # terms


@dataclass(frozen=True)
class RankTerm:
    """What one class adds: `rows` ln(n `with_side` / (`side` `with_node`)), before 1/n.

    Attributes
    ----------
    rows : int
        Rows of the class on the side that counts.
    with_side, with_node : int
        Rows there, and in the node, of the class and those beyond it.
    side : int
        Rows on that side.
    """

    rows: int
    with_side: int
    with_node: int
    side: int


def sides(
    left: np.ndarray, counts: np.ndarray, direction: int, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return class counts of the lower and the upper side of a cut, as the class goes.

    Without a `direction` (0) the upper side is the one by which criterion `name` is larger.
    """
    right = counts - left
    if direction == 0:
        score = CRITERIA[name].score
        rises, falls = score(left, right), score(right, left)
        direction = -1 if falls > rises else 1
    return (left, right) if direction > 0 else (right, left)


def rank_terms(lower: np.ndarray, upper: np.ndarray, *, descending: bool) -> list[RankTerm]:
    """Return what each class adds to the rank mutual information of a cut."""
    part = lower if descending else upper
    sums = [np.cumsum(c) if descending else np.cumsum(c[::-1])[::-1] for c in (part, lower + upper)]
    return [
        RankTerm(int(part[k]), int(sums[0][k]), int(sums[1][k]), int(part.sum()))
        for k in np.flatnonzero(part)
    ]


def rank_latex(name: str, lower: np.ndarray, upper: np.ndarray, value: float) -> str:
    """Return criterion `name` of a cut with its class counts, as LaTeX."""
    n = int(lower.sum() + upper.sum())
    wanted = {"rmi": (False,), "rmi_descending": (True,), "rmi_mean": (False, True)}[name]
    terms = [term for down in wanted for term in rank_terms(lower, upper, descending=down)]
    parts = [
        rf"{term.rows} \ln \tfrac{{{n} \cdot {term.with_side}}}{{{term.side} \cdot "
        rf"{term.with_node}}}"
        for term in terms
    ]
    lines = [" + ".join(parts[i : i + PER_LINE]) for i in range(0, len(parts), PER_LINE)]
    inside = r" \\ & + ".join(lines)
    scale = rf"\tfrac{{1}}{{{n * len(wanted)}}}"
    shown = number(float(value)).replace("−", "-")
    body = rf"{scale} \bigl[ {inside} \bigr] \\ & = \mathbf{{{shown}}}"
    return rf"\begin{{aligned}} & {body} \end{{aligned}}"


def rank_caption() -> str:
    """Return what the letters of rank mutual information from class counts mean."""
    return t(
        "$n$ rows in the node, $n_R$ of them on the upper side of the cut and $n_L$ on the lower; "
        "$T_k$, $R_k$ and $L_k$ are those of class $k$, and $T_{\\ge k}$ those of class $k$ or "
        "a higher one. In nats."
    )
