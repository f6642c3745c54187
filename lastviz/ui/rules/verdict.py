"""What the tree's held-out rows say of it: against the baseline, rule by rule, error by error."""

from __future__ import annotations

from dataclasses import dataclass

from lastviz.inspection import Costs, Rule, Scores, baseline, share_interval
from lastviz.ui.shared.headline import FEW, majority

from .scene import TreeRules


@dataclass(frozen=True)
class Verdict:
    """A tree against always predicting the majority class of the training rows.

    Attributes
    ----------
    kind : {"better", "worse", "same", "few", "none"}
        The baseline is below, above or within the 95 % interval of the tree; too few rows are
        held out, or none.
    part : Scores
        Of the rows held out, of the training rows if there are none.
    always : Scores
        Of the baseline on the same rows.
    majority : int
        The class that the baseline predicts.
    """

    kind: str
    part: Scores
    always: Scores
    majority: int


def verdict_of(found: TreeRules) -> Verdict:
    """Return how a tree stands against the baseline."""
    part = found.held_out or found.training
    always = baseline(found.training, part)
    low, high = share_interval(part.n_right, part.n_samples)
    if not found.held_out:
        kind = "none"
    elif part.n_samples < FEW:
        kind = "few"
    elif low <= always.accuracy <= high:
        kind = "same"
    else:
        kind = "better" if low > always.accuracy else "worse"
    return Verdict(kind, part, always, majority(found.training))


@dataclass(frozen=True)
class Decided:
    """A rule and the rows that it decides.

    Attributes
    ----------
    rule : Rule
    rows, right : float
        Held-out rows that meet it and those of them that it is right about; training rows where
        none are held out. Parts of rows where values are missing.
    """

    rule: Rule
    rows: float
    right: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of its accuracy; None of few rows and of parts of rows."""
        is_whole = self.rows == round(self.rows) and self.right == round(self.right)
        if not is_whole or self.rows < FEW:
            return None
        return share_interval(round(self.right), round(self.rows))


def deciding_rules(found: TreeRules, most: int) -> list[Decided]:
    """Return the rules that decide most held-out rows, of equals the one with the lower number."""
    decided = [
        Decided(rule, *(found.held_out_of(rule.node) or _learnt(rule))[::-1])
        for rule in found.rules
    ]
    decided = [each for each in decided if each.rows > 0]
    return sorted(decided, key=lambda each: (-each.rows, each.rule.number))[:most]


def _learnt(rule: Rule) -> tuple[float, float]:
    return float(rule.support * rule.confidence), float(rule.support)


def cheapest_constant(part: Scores, k: int, costs: Costs) -> tuple[int, float]:
    """Return which of two classes is the cheapest to give to every row, and what that costs.

    Parameters
    ----------
    part : Scores
    k : int
        The class that is missed, or given by false alarm.
    costs : Costs
    """
    of_class, others = part.confusion[k].sum(), part.confusion[1 - k].sum()
    price = {1 - k: float(costs.miss * of_class), k: float(costs.alarm * others)}
    cheapest = min(price, key=price.__getitem__)
    return cheapest, price[cheapest]
