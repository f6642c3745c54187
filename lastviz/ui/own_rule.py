"""A rule of choice that the reader puts together: two columns, a number of survivors, a third."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lastviz.criteria import CRITERIA
from lastviz.splitters import Blend, Rule, Stage, Term

__all__ = ["OwnRule"]

_NAME = "|".join(sorted(CRITERIA, key=len, reverse=True))
_TEXT = re.compile(
    rf"(?P<first>{_NAME})(?:\+(?P<weight>\d+(?:\.\d+)?)\*(?P<second>{_NAME}))?"
    rf"(?:,(?P<k>\d+),(?P<last>{_NAME}))?"
)
MOST_SURVIVORS = 1000


@dataclass(frozen=True)
class OwnRule:
    """``top_k(first + weight second, k) -> best(last)``; parts may be left out.

    Attributes
    ----------
    first : str
        A criterion.
    second : str or None
        Another one, added with `weight`.
    weight : float
    k : int
        Survivors of the first stage; without `last` the best one is taken at once.
    last : str or None
        The criterion that decides between them.
    """

    first: str = "gini"
    second: str | None = None
    weight: float = 0.1
    k: int = 5
    last: str | None = None

    def __str__(self) -> str:
        """Return the rule as a link says it: ``gini+0.1*bnm,5,csn``."""
        text = self.first
        if self.second is not None:
            text += f"+{self.weight:g}*{self.second}"
        if self.last is not None:
            text += f",{self.k},{self.last}"
        return text

    @classmethod
    def parse(cls, text: str) -> OwnRule | None:
        """Return the rule that `text` says, None if it says none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        parts = found.groupdict()
        k = int(parts["k"] or cls.k)
        if not 1 <= k <= MOST_SURVIVORS:
            return None
        weight = float(parts["weight"] or cls.weight)
        return cls(parts["first"], parts["second"], weight, k, parts["last"])

    @property
    def parts(self) -> tuple[str, ...]:
        """The criteria that it reads."""
        return tuple(name for name in (self.first, self.second, self.last) if name is not None)

    @property
    def score(self) -> str | Blend:
        """What the first stage reads: a column, or a weighted sum in which larger is better."""
        if self.second is None and not CRITERIA[self.first].smaller_is_better:
            return self.first
        terms = [Term(_sign(self.first), self.first)]
        if self.second is not None:
            terms.append(Term(_sign(self.second) * self.weight, self.second))
        return Blend(tuple(terms))

    @property
    def rule(self) -> Rule:
        """The rule as stages."""
        if self.last is None:
            return Rule((Stage("argmax", self.score),))
        keeps = "argmin" if CRITERIA[self.last].smaller_is_better else "argmax"
        return Rule((Stage("top_k", self.score, self.k), Stage(keeps, self.last)))


def _sign(criterion: str) -> float:
    return -1.0 if CRITERIA[criterion].smaller_is_better else 1.0
