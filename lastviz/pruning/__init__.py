"""Pruning of a grown tree: a grown tree -> (smaller tree, events).

May import ``builders`` and what these may. A new pruner is its table, which says what each
node costs as a leaf and as a subtree, and its row in :data:`PRUNERS`.
"""

from .cost_complexity import CostComplexityPath as CostComplexityPath
from .cost_complexity import CrossValidatedPath as CrossValidatedPath
from .cost_complexity import best_step as best_step
from .cost_complexity import cost_complexity_path as cost_complexity_path
from .cost_complexity import cost_complexity_table as cost_complexity_table
from .cost_complexity import cross_validate_path as cross_validate_path
from .cost_complexity import folds as folds
from .cost_complexity import held_out_losses as held_out_losses
from .cost_complexity import losses_along as losses_along
from .cost_complexity import prune_at_price as prune_at_price
from .cost_complexity import prune_cost_complexity as prune_cost_complexity
from .error_based import estimated_errors as estimated_errors
from .error_based import prune_error_based as prune_error_based
from .error_based import replacement_table as replacement_table
from .estimates import HeldOutRows as HeldOutRows
from .estimates import description_length_table as description_length_table
from .estimates import entropy_bits as entropy_bits
from .estimates import entropy_cost_table as entropy_cost_table
from .estimates import minimum_error_table as minimum_error_table
from .estimates import pessimistic_table as pessimistic_table
from .estimates import prune_entropy_cost as prune_entropy_cost
from .estimates import reduced_error_table as reduced_error_table
from .prune_table import PruneTable as PruneTable
from .prune_table import cut_by_hand as cut_by_hand
from .prune_table import cut_by_table as cut_by_table
from .prune_table import kept_by_hand as kept_by_hand
from .prune_table import prune_table as prune_table
from .prune_table import void_of_pruning as void_of_pruning
from .prune_table import with_ancestors as with_ancestors
from .prune_table import with_leaves_at as with_leaves_at
from .registry import PRUNERS as PRUNERS
from .registry import Pruner as Pruner
from .registry import TrainingRows as TrainingRows
