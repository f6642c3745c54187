"""How a grown tree is cut back: (tree, training data) -> (smaller tree, events).

May import ``builders`` and what these may. A new pruner is one file with one function and
its row in :data:`PRUNERS`.
"""

from .error_based import prune_error_based

PRUNERS = {"error_based": prune_error_based, "error_based_normal": prune_error_based}

__all__ = ["PRUNERS", "prune_error_based"]
