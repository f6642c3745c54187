"""How a grown tree is cut back: a grown tree -> (smaller tree, events).

May import ``builders`` and what these may. A new pruner is one file with its table, which says
what each node costs as a leaf and as a subtree, and its row in :data:`PRUNERS`.
"""

from .by_hand import cut_by_hand, kept_by_hand, void_of_pruning
from .cost_complexity import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    cost_complexity_table,
    held_out_errors,
    held_out_losses,
    prune_at_price,
    prune_cost_complexity,
)
from .cross_validation import CrossValidatedPath, cross_validate_path, folds
from .description_length import description_length_table
from .entropy_cost import entropy_bits, entropy_cost_table, prune_entropy_cost
from .error_based import estimated_errors, prune_error_based, replacement_table
from .leaves import with_leaves_at
from .minimum_error import minimum_error_table
from .pessimistic import pessimistic_table
from .prune_table import PruneTable, cut_by_table, prune_table, with_ancestors
from .reduced_error import HeldOutRows, reduced_error_table
from .registry import PRUNERS, Pruner, TrainingRows

__all__ = [
    "PRUNERS",
    "CostComplexityPath",
    "CrossValidatedPath",
    "HeldOutRows",
    "PruneTable",
    "Pruner",
    "TrainingRows",
    "best_step",
    "cost_complexity_path",
    "cost_complexity_table",
    "cross_validate_path",
    "cut_by_hand",
    "cut_by_table",
    "description_length_table",
    "entropy_bits",
    "entropy_cost_table",
    "estimated_errors",
    "folds",
    "held_out_errors",
    "held_out_losses",
    "kept_by_hand",
    "minimum_error_table",
    "pessimistic_table",
    "prune_at_price",
    "prune_cost_complexity",
    "prune_entropy_cost",
    "prune_error_based",
    "prune_table",
    "reduced_error_table",
    "replacement_table",
    "void_of_pruning",
    "with_ancestors",
    "with_leaves_at",
]
