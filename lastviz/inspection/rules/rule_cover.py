"""Whether the rules of a tree exclude each other and leave nothing out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.inspection.textbook.partition import combinations
from lastviz.tree import Tree

from .rules import NominalCondition, conditions

MOST_COMBINATIONS = 200_000


@dataclass(frozen=True, eq=False)
class RuleCover:
    """How many rules hold for each combination of categories."""

    leaves: np.ndarray  # (n_rules,) intp, the leaf of each rule, in the order of their numbers
    covered: np.ndarray  # (n_rules,) intp, combinations that each rule holds for
    by_rules: np.ndarray  # (n_rules + 1,) intp. Combinations for which 0, 1, 2, ... rules hold.

    @property
    def n_combinations(self) -> int:
        """Number of combinations that were tried: all there are."""
        return int(self.by_rules.sum())

    @property
    def exclusive(self) -> bool:
        """Whether no two rules hold at once."""
        return not self.by_rules[2:].any()

    @property
    def complete(self) -> bool:
        """Whether some rule always holds."""
        return int(self.by_rules[0]) == 0


def rule_cover(tree: Tree) -> RuleCover:
    """Try every rule of a tree of nominal features on every combination of their categories.

    Raises
    ------
    ValueError
        If a feature is numeric, or there are more than :data:`MOST_COMBINATIONS`.

    Notes
    -----
    Li, Statistical Learning Methods, section 5.1.2: the rules of a tree are mutually exclusive
    and complete. The rules are tried as they are written, the tree itself is not asked.
    """
    if any(names is None for names in tree.feature_categories):
        raise ValueError("combinations can be counted where every feature is nominal")
    sizes = tuple(len(names) for names in tree.feature_categories)
    n = int(np.prod([float(size) for size in sizes]))
    if n > MOST_COMBINATIONS:
        raise ValueError(
            f"the features have {n:,} combinations of categories, more than the "
            f"{MOST_COMBINATIONS:,} that are tried"
        )
    codes = combinations(sizes)
    leaves = np.flatnonzero(tree.n_children == 0)
    holds = np.column_stack([_holds(tree, int(leaf), codes) for leaf in leaves])
    by_rules = np.bincount(holds.sum(axis=1), minlength=len(leaves) + 1)
    return RuleCover(leaves, holds.sum(axis=0), by_rules)


def _holds(tree: Tree, leaf: int, codes: np.ndarray) -> np.ndarray:
    """Return for which combinations every condition of a rule holds."""
    held = np.ones(len(codes), dtype=bool)
    for condition in conditions(tree, leaf):
        assert isinstance(condition, NominalCondition)
        held &= np.isin(codes[:, condition.feature], condition.categories)
    return held
