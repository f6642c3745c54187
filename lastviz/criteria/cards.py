"""Formula cards: each criterion with the numbers of one candidate in it.

What a card works out from the numbers that it prints is the criterion's score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .expression import (
    Absolute,
    Call,
    Expression,
    Fraction,
    Largest,
    Log,
    Number,
    Power,
    Product,
    Root,
    Sum,
    minus,
    tex_number,
)
from .impurity import class_entropy

PER_LINE = 2  # long terms


class Geometry(Protocol):
    """Measurements of BNM and CSN, see :class:`lastviz.inspection.SplitGeometry`."""

    rows: tuple
    margins: tuple
    nearest: tuple
    spreads: tuple
    dichotomies: tuple


@dataclass(frozen=True, eq=False)
class Candidate:
    """One candidate, as the cards read it."""

    left: np.ndarray  # (n_classes,), class counts of its children
    right: np.ndarray  # (n_classes,), class counts of its children
    segments: tuple[int, int] | None = None  # segments of the children, where they were counted
    geometry: Geometry | None = None  # where distances were measured
    penalty: str = "approximate"  # {"approximate", "exact", "none"}: how BNM is penalised
    bnm_root: bool = False  # whether BNM is the mean of distances, not of their squares
    # {1, -1, 0}: whether the class rises or falls along the feature; 0: whichever scores more.
    direction: int = 1

    @property
    def counts(self) -> np.ndarray:
        """Class counts of the node."""
        return self.left + self.right


@dataclass(frozen=True)
class Card:
    """A criterion with numbers in it."""

    numbers: Expression  # what comes to the score
    # LaTeX in general form, where it is not the criterion's own or besides it.
    formula: tuple[str, ...] = ()

    def latex(self, score: float) -> str:
        """Expression, and the score that it comes to."""
        text, value = self.numbers.latex(), rf"\mathbf{{{tex_number(score)}}}"
        if text.endswith(r"\end{aligned}"):
            return text.removesuffix(r"\end{aligned}") + rf"\\ & = {value} \end{{aligned}}"
        return f"{text} = {value}"


CardMaker = Callable[[Candidate], Card]


def share_of(part: np.ndarray, total: np.ndarray) -> Fraction:
    """Share of the rows of a node that a child holds."""
    return Fraction(Number(part.sum()), Number(total.sum()))


def _decrease(here: Candidate, impurity: Callable[[np.ndarray], np.ndarray]) -> Sum:
    children = [
        minus(Product(share_of(side, here.counts), Number(float(impurity(side)))))
        for side in (here.left, here.right)
    ]
    return Sum(Number(float(impurity(here.counts))), *children)


def decrease(impurity: Callable[[np.ndarray], np.ndarray]) -> CardMaker:
    """Card of the decrease of an impurity, the children weighted by their rows."""
    return lambda here: Card(_decrease(here, impurity))


def gain_ratio(here: Candidate) -> Card:
    """Information gain over the entropy of the children's sizes."""
    shares = [share_of(side, here.counts) for side in (here.left, here.right)]
    information = Sum(*(minus(Product(p, Log(p, 2), dots=False)) for p in shares))
    return Card(Fraction(_decrease(here, class_entropy), information))


def gain_over_entropy(here: Candidate) -> Card:
    """Information gain over the node's entropy."""
    entropy = Number(float(class_entropy(here.counts)))
    return Card(Fraction(_decrease(here, class_entropy), entropy))


def chi2(here: Candidate) -> Card:
    """Card of Pearson's chi-squared: a sum over the node's children and classes."""
    terms = []
    for side in (here.left, here.right):
        for k in np.flatnonzero(here.counts):
            expected = Number(float(side.sum() * here.counts[k] / here.counts.sum()))
            apart = Sum(Number(side[k]), minus(expected))
            terms.append(Fraction(Power(apart), expected))
    return Card(Sum(*terms, per_line=2 * PER_LINE))


def g_statistic(here: Candidate) -> Card:
    """Likelihood ratio, a term for each class of each child."""
    n, terms = Number(here.counts.sum()), []
    for side in (here.left, here.right):
        for k in np.flatnonzero(side):
            observed = Product(Number(side[k]), n)
            expected = Product(Number(side.sum()), Number(here.counts[k]))
            ratio = Fraction(observed, expected, small=True)
            terms.append(Product(Number(2), Number(side[k]), Log(ratio)))
    return Card(Sum(*terms, per_line=PER_LINE))


def twoing(here: Candidate) -> Card:
    """Twoing value from the classes' shares in the children."""
    n, n_left, n_right = (Number(c.sum()) for c in (here.counts, here.left, here.right))
    apart = [
        Absolute(
            Sum(
                Fraction(Number(here.left[k]), n_left, small=True),
                minus(Fraction(Number(here.right[k]), n_right, small=True)),
            )
        )
        for k in np.flatnonzero(here.counts)
    ]
    sizes = Fraction(Product(n_left, n_right), Product(Number(4), Power(n)))
    return Card(Product(sizes, Power(Sum(*apart)), dots=False))


def max_minority(here: Candidate) -> Card:
    """Node's minority less the larger one of the children, as shares of the rows."""
    n = Number(here.counts.sum())
    of_node, *of_children = (
        Fraction(Number(c.sum() - c.max()), n) for c in (here.counts, here.left, here.right)
    )
    return Card(Sum(of_node, minus(Largest(*of_children))))


def hellinger(here: Candidate) -> Card:
    """Distance of the class that lies farthest from the rest."""
    n, best, farthest = here.counts.sum(), -1.0, Root(Number(0))
    for k in np.flatnonzero((here.counts > 0) & (here.counts < n)):
        squares = []
        for side in (here.left, here.right):
            own = Fraction(Number(side[k]), Number(here.counts[k]), small=True)
            rest = Number(side.sum() - side[k])
            others = Fraction(rest, Number(n - here.counts[k]), small=True)
            squares.append(Power(Sum(Root(own), minus(Root(others)))))
        distance = Root(Sum(*squares))
        if distance.value() > best:
            best, farthest = distance.value(), distance
    return Card(farthest)


RANK_FORMULAS = {
    (False,): r"\mathrm{RMI} = \frac{1}{n} \sum_{k} R_k \ln "
    r"\frac{n\, R_{\ge k}}{n_R\, T_{\ge k}}",
    (True,): r"\mathrm{RMI} = \frac{1}{n} \sum_{k} L_k "
    r"\ln \frac{n\, L_{\le k}}{n_L\, T_{\le k}}",
    (False, True): r"\mathrm{RMI} = \frac{1}{2n} \Bigl[ \sum_{k} R_k "
    r"\ln \frac{n\, R_{\ge k}}{n_R\, T_{\ge k}} + \sum_{k} L_k "
    r"\ln \frac{n\, L_{\le k}}{n_L\, T_{\le k}} \Bigr]",
}


def rank_information(*descending: bool) -> CardMaker:
    """Card of rank mutual information: of one family of dominance sets or of both.

    Its letters: T in the node, R on the upper side of the cut, L on the lower.
    """
    return lambda here: _rank_card(here, descending)


def _rank_card(here: Candidate, descending: tuple[bool, ...]) -> Card:
    scale = Fraction(Number(1), Number(here.counts.sum() * len(descending)), small=True)
    found = []
    for lower, upper in ((here.left, here.right), (here.right, here.left)):
        terms = [term for down in descending for term in _rank_terms(lower, upper, down)]
        found.append(Product(scale, Sum(*terms, per_line=PER_LINE), dots=False))
    rises, falls = found
    takes_falls = here.direction < 0 or (here.direction == 0 and falls.value() > rises.value())
    return Card(falls if takes_falls else rises, (RANK_FORMULAS[descending],))


def _rank_terms(lower: np.ndarray, upper: np.ndarray, descending: bool) -> list[Expression]:
    """Contribution of each class: rows ln(n with_side / (side with_node))."""
    part, both = lower if descending else upper, lower + upper
    with_side, with_node = (
        np.cumsum(c) if descending else np.cumsum(c[::-1])[::-1] for c in (part, both)
    )
    n, side = Number(both.sum()), Number(part.sum())
    out: list[Expression] = []
    for k in np.flatnonzero(part):
        above, below = Product(n, Number(with_side[k])), Product(side, Number(with_node[k]))
        logarithm = Log(Fraction(above, below, small=True))
        out.append(Product(Number(part[k]), logarithm, dots=False))
    return out


def plain_card(score: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> CardMaker:
    """Card of a criterion of which only the function is known."""
    return lambda here: Card(Call(score, tuple(here.left.tolist()), tuple(here.right.tolist())))


# ---- Formula cards of what is made of the order of the classes or of the rows themselves


def segments(here: Candidate) -> Card:
    """Children's segments, weighted by their rows."""
    first, second = here.segments
    return Card(
        Sum(
            Product(share_of(here.left, here.counts), Number(first)),
            Product(share_of(here.right, here.counts), Number(second)),
        )
    )


def segment_sum(here: Candidate) -> Card:
    """Children's segments added up."""
    first, second = here.segments
    return Card(Sum(Number(first), Number(second)))


def segment_ratio(here: Candidate) -> Card:
    """Smaller over the larger number of segments."""
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
    """Mean distance of the halves of the classes."""
    return Card(_margin(here), (r"\mathrm{BNM} = " + _margin_formula(here),))


def _penalties(here: Candidate) -> list[Expression]:
    """Penalties P and Q, each a mean over the classes of a child."""
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
    """Card of the penalty: the loss of BNM where classes come close."""
    return Card(Sum(*_penalties(here)), PENALTY_FORMULAS[here.penalty])


def bnm(here: Candidate) -> Card:
    """Distance of the halves of the classes less the penalty, if there is one."""
    formula = r"\mathrm{BNM}' = " + _margin_formula(here)
    if here.penalty == "none":
        return Card(_margin(here), (formula,))
    parts = [minus(part) for part in _penalties(here)]
    return Card(Sum(_margin(here), *parts), (formula + " - (P + Q)",))


def csn(here: Candidate) -> Card:
    """Each child's spread within classes over the distance between them."""
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
