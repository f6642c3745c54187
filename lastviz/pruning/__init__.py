"""How a grown tree is cut back: (tree, training data) -> (smaller tree, events).

May import ``builders`` and what these may. A new pruner is one file with one function and
its row in :data:`PRUNERS`.
"""

from .cost_complexity import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    held_out_errors,
    prune_cost_complexity,
)
from .error_based import prune_error_based

PRUNERS = {
    "error_based": prune_error_based,
    "error_based_normal": prune_error_based,
    "cost_complexity": prune_cost_complexity,
}

__all__ = [
    "PRUNERS",
    "CostComplexityPath",
    "best_step",
    "cost_complexity_path",
    "held_out_errors",
    "prune_cost_complexity",
    "prune_error_based",
]
