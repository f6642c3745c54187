"""How a grown tree is cut back: (tree, training data) -> (smaller tree, events).

May import ``builders`` and what these may. A new pruner is one file with one function and
its row in :data:`PRUNERS`.
"""

from .cost_complexity import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    held_out_errors,
    held_out_losses,
    prune_cost_complexity,
)
from .cross_validation import CrossValidatedPath, cross_validate_path, folds
from .entropy_cost import EntropyCosts, entropy_costs, prune_entropy_cost
from .error_based import prune_error_based

PRUNERS = {
    "error_based": prune_error_based,
    "error_based_normal": prune_error_based,
    "collapse": prune_error_based,
    "cost_complexity": prune_cost_complexity,
    "entropy_cost": prune_entropy_cost,
}

__all__ = [
    "PRUNERS",
    "CostComplexityPath",
    "CrossValidatedPath",
    "EntropyCosts",
    "best_step",
    "cost_complexity_path",
    "cross_validate_path",
    "entropy_costs",
    "folds",
    "held_out_errors",
    "held_out_losses",
    "prune_cost_complexity",
    "prune_entropy_cost",
    "prune_error_based",
]
