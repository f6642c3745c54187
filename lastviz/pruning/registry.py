"""The pruners by name: all are called alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz._params import Param, check_params
from lastviz.tree import GrowthLog, Reason, Tree

from .cost_complexity import cost_complexity_table, prune_at_price
from .error_based import prune_error_based, replacement_table
from .estimates import (
    HeldOutRows,
    description_length_table,
    entropy_cost_table,
    minimum_error_table,
    pessimistic_table,
    reduced_error_table,
)
from .prune_table import PruneTable, cut_by_table


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The rows that grew a tree, for pruners that send them elsewhere."""

    # (n_features, n_samples) float64, as the tree reads them, one row per feature.
    columns: np.ndarray
    y: np.ndarray  # (n_samples,) intp, class indices
    # Class counts (n_nodes, n_classes) -> impurity of each node.
    impurity: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Pruner:
    """A way to cut a grown tree back."""

    title: str  # what people call it
    source: str  # where it comes from
    params: tuple[Param, ...] = ()
    reason: Reason = Reason.LEAF_ESTIMATE  # why a node becomes a leaf
    unit: str = "errors"  # what its costs count: "errors", "bits", or "" for shares
    # {"training", "held_out"} or None: which rows it asks for besides the tree.
    needs: str | None = None
    numbers: bool = False  # whether it prunes trees that predict numbers, too
    # Whether a larger value of its first parameter cuts the tree of a smaller one further.
    nested: bool = False
    from_root: bool = False  # whether it decides from the root down instead of from the leaves up
    # `(tree, held_out, kept=, **params) -> PruneTable`, without `held_out` unless it needs that;
    # None where the decision at a node is no comparison of two numbers.
    weigh: Callable[..., PruneTable] | None = None
    # `(tree, rows, kept=, **params) -> (Tree, GrowthLog)`, with the rows that it needs, where the
    # tree is not simply cut by the table.
    rebuild: Callable[..., tuple[Tree, GrowthLog]] | None = None

    def table(
        self,
        tree: Tree,
        *,
        held_out: HeldOutRows | None = None,
        kept: np.ndarray | None = None,
        **params: object,
    ) -> PruneTable:
        """Costs that the pruner compares at each node of a grown tree.

        Parameters
        ----------
        tree : Tree
        held_out : HeldOutRows, optional
            Asked for where `needs` says so.
        kept : ndarray of bool, shape (n_nodes,), optional
            Nodes that keep their split, see :func:`~lastviz.pruning.prune_table`.
        **params
            Values of :attr:`params`; those not given have their defaults.

        Raises
        ------
        ValueError
            If a parameter is not legal, rows are missing, the tree predicts what the pruner does
            not prune, or the pruner has no table.
        """
        if self.weigh is None:
            raise ValueError(f"{self.title} compares more than two numbers at a node: no table")
        given = self._rows(None, held_out)
        return self.weigh(tree, *given, kept=kept, **check_params(self.params, params))

    def prune(
        self,
        tree: Tree,
        *,
        training: TrainingRows | None = None,
        held_out: HeldOutRows | None = None,
        kept: np.ndarray | None = None,
        **params: object,
    ) -> tuple[Tree, GrowthLog]:
        """Cut a grown tree back, and tell how.

        Parameters and errors are those of :meth:`table`; `training` is asked for where `needs`
        says so.
        """
        if self.rebuild is None:
            table = self.table(tree, held_out=held_out, kept=kept, **params)
            return cut_by_table(tree, table, self.reason, from_root=self.from_root)
        given = self._rows(training, held_out)
        return self.rebuild(tree, *given, kept=kept, **check_params(self.params, params))

    def _rows(self, training: TrainingRows | None, held_out: HeldOutRows | None) -> tuple:
        if self.needs is None:
            return ()
        rows = {"training": training, "held_out": held_out}[self.needs]
        if rows is None:
            raise ValueError(f"{self.title} needs rows: give {self.needs}")
        return (rows,)


def _error_based(tree: Tree, training: TrainingRows, **how: object) -> tuple[Tree, GrowthLog]:
    return prune_error_based(tree, training.columns, training.y, training.impurity, **how)


CCP_ALPHA = Param(
    "ccp_alpha", float, 0.0, low=0.0, slider=(0.0, 0.1, 0.001), label="Price per leaf",
    help="Cut the tree back to where it costs least; 0: only what gains nothing.",
)  # fmt: skip
RISK = Param(
    "risk", str, "misclassification",
    choices=("misclassification", "gini", "entropy", "squared_error"),
    label="Cost of a leaf", help="What a leaf costs besides its price.",
)  # fmt: skip
CONFIDENCE = Param(
    "confidence", float, 0.25, low=0.0, low_open=True, high=0.5, slider=(0.01, 0.5, 0.01),
    label="Confidence of pruning", help="Smaller prunes more.",
    doc="It is that of the errors to expect in a leaf, in (0, 0.5].",
)  # fmt: skip
SUBTREE_RAISING = Param(
    "subtree_raising", bool, True, label="Subtree raising",
    help="A node may be replaced by its largest branch.",
)  # fmt: skip
ALPHA = Param(
    "alpha", float, 0.0, low=0.0, slider=(0.0, 20.0, 0.1), unit="bits", label="Price per leaf",
    help="What a leaf costs besides the entropy of its rows.",
)  # fmt: skip
LITERAL = Param(
    "literal", bool, False, label="Prune as printed",
    help="Collapse only sibling leaves; this can miss the cheapest tree.",
)  # fmt: skip
M = Param(
    "m", float, 2.0, low=0.0, slider=(0.0, 50.0, 0.5), unit="rows", label="Weight of all rows",
    help="How many rows of a leaf the class shares of all rows are worth.",
)  # fmt: skip

PRUNERS: dict[str, Pruner] = {
    "cost_complexity": Pruner(
        title="Cost-complexity",
        source="Breiman et al. (1984), chapter 3",
        params=(CCP_ALPHA, RISK),
        reason=Reason.WEAKEST_LINK,
        unit="",
        numbers=True,
        nested=True,
        weigh=cost_complexity_table,
        rebuild=prune_at_price,
    ),
    "entropy_cost": Pruner(
        title="Entropy cost",
        source="Li (2012), section 5.4",
        params=(ALPHA, LITERAL),
        reason=Reason.ENTROPY_COST,
        unit="bits",
        nested=True,
        weigh=entropy_cost_table,
    ),
    "error_based": Pruner(
        title="Error-based (C4.5)",
        source="Quinlan (1993), chapter 4",
        params=(CONFIDENCE, SUBTREE_RAISING),
        needs="training",
        rebuild=_error_based,
    ),
    "error_based_normal": Pruner(
        title="Error-based, normal limit",
        source="He, Xu and Chen (2009)",
        params=(CONFIDENCE, SUBTREE_RAISING),
        needs="training",
        rebuild=partial(_error_based, normal=True),
    ),
    "collapse": Pruner(
        title="Collapse only",
        source="Quinlan (1993), chapter 4",
        reason=Reason.NO_FEWER_ERRORS,
        needs="training",
        rebuild=partial(_error_based, collapse_only=True),
    ),
    "replacement": Pruner(
        title="Error-based, replacement",
        source="Quinlan (1993), chapter 4",
        params=(CONFIDENCE,),
        weigh=replacement_table,
    ),
    "reduced_error": Pruner(
        title="Reduced error",
        source="Quinlan (1987), section 3",
        reason=Reason.HELD_OUT_ERRORS,
        needs="held_out",
        weigh=reduced_error_table,
    ),
    "pessimistic": Pruner(
        title="Pessimistic",
        source="Quinlan (1987), section 4",
        reason=Reason.WITHIN_ONE_ERROR,
        from_root=True,
        weigh=pessimistic_table,
    ),
    "minimum_error": Pruner(
        title="Minimum error",
        source="Cestnik and Bratko (1991)",
        params=(M,),
        weigh=minimum_error_table,
    ),
    "mdl": Pruner(
        title="Description length",
        source="Quinlan and Rivest (1989)",
        reason=Reason.DESCRIPTION_LENGTH,
        unit="bits",
        weigh=description_length_table,
    ),
}
"""All pruners; a new one is one file with its table and its row here."""
