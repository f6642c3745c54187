"""Formula cards of what is made of the order of the classes or of the rows themselves."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Candidate, Card, share_of
from .expression import Expression, Fraction, Number, Product, Sum, minus


def segments(here: Candidate) -> Card:
    """Return the children's segments, weighted by their rows."""
    first, second = here.segments
    return Card(
        Sum(
            Product(share_of(here.left, here.counts), Number(first)),
            Product(share_of(here.right, here.counts), Number(second)),
        )
    )


def segment_sum(here: Candidate) -> Card:
    """Return the children's segments added up."""
    first, second = here.segments
    return Card(Sum(Number(first), Number(second)))


def segment_ratio(here: Candidate) -> Card:
    """Return the smaller over the larger number of segments."""
    return Card(Fraction(Number(min(here.segments)), Number(max(here.segments))))


def _mean(terms: Sequence[Expression]) -> Expression:
    if not terms:
        return Number(0)
    share = Fraction(Number(1), Number(len(terms)), small=True)
    return Product(share, Sum(*terms, per_line=0), dots=False)


def _margin(here: Candidate) -> Expression:
    squares = [margin.square for margin in here.geometry.margins]
    return _mean([Number(s**0.5 if here.bnm_root else s) for s in squares])


def _margin_formula(here: Candidate) -> str:
    power = "" if here.bnm_root else "^2"
    return r"\frac{1}{C}\sum_{c=1}^{C}\lVert m_l^{(c)} - m_r^{(c)}\rVert" + power


def bnm_without_penalty(here: Candidate) -> Card:
    """Return the mean distance of the halves of the classes."""
    return Card(_margin(here), (r"\mathrm{BNM} = " + _margin_formula(here),))


def _penalties(here: Candidate) -> list[Expression]:
    """Return P and Q, a mean over the classes of each child."""
    out = []
    for child in (0, 1):
        near = [nearest for nearest in here.geometry.nearest if nearest.child == child]
        if here.penalty == "exact":
            terms: list[Expression] = [Number(nearest.own_distance) for nearest in near]
        else:
            terms = [
                Sum(Number(nearest.own_distance), Number(nearest.other_distance))
                for nearest in near
            ]
        out.append(_mean([Product(term) for term in terms]))
    return out


PENALTY_FORMULAS = {
    "approximate": (),
    "exact": (
        r"P + Q,\quad P = \frac{1}{C_l}\sum_{p=1}^{C_l}"
        r"\min\lVert x_l^{(p)} - x_l^{(\neq p)}\rVert",
    ),
    "none": (r"P + Q = 0",),
}


def penalty(here: Candidate) -> Card:
    """Return what BNM loses where classes come close."""
    return Card(Sum(*_penalties(here)), PENALTY_FORMULAS[here.penalty])


def bnm(here: Candidate) -> Card:
    """Return the distance of the halves of the classes less the penalty, if there is one."""
    formula = r"\mathrm{BNM}' = " + _margin_formula(here)
    if here.penalty == "none":
        return Card(_margin(here), (formula,))
    parts = [minus(part) for part in _penalties(here)]
    return Card(Sum(_margin(here), *parts), (formula + " - (P + Q)",))


def csn(here: Candidate) -> Card:
    """Return each child's spread within classes over the distance between them."""
    geometry, parts = here.geometry, []
    for child, side in enumerate((here.left, here.right)):
        between = [pair.square for pair in geometry.dichotomies if pair.child == child]
        if not between:
            parts.append(Product(share_of(side, here.counts), Number(0)))
            continue
        within = sum(spread.within for spread in geometry.spreads if spread.child == child)
        ratio = Fraction(Number(float(within)), Number(float(sum(between))))
        parts.append(Product(share_of(side, here.counts), ratio))
    return Card(Sum(*parts))
