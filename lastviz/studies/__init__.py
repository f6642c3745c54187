"""What larger experiments find: tables of figures, each printed by a command of `benchmarks`.

May import everything but ``ui`` and pages. A new table is a CSV file here and its row in
:data:`RESULTS`. Beside them, what the pages cross-validate while the reader waits.
"""

from .folds import stratified_folds
from .metrics import METRICS, Metric, measure
from .monotone_level import MODELS, SETS, Level, level_in_steps, set_of_the_paper
from .monotone_price import PRICED, Priced, price_of_monotonicity
from .ordinal_boosting import OrdinalBoosting
from .results import RESULTS, Result, results
from .textbook import PRINTED, differs

__all__ = [
    "METRICS",
    "MODELS",
    "PRICED",
    "PRINTED",
    "RESULTS",
    "SETS",
    "Level",
    "Metric",
    "OrdinalBoosting",
    "Priced",
    "Result",
    "differs",
    "level_in_steps",
    "measure",
    "price_of_monotonicity",
    "results",
    "set_of_the_paper",
    "stratified_folds",
]
