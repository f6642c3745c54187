"""What larger experiments find: tables of figures, each printed by a command of `benchmarks`.

May import everything but ``ui`` and pages. A new table is a CSV file here and its row in
:data:`RESULTS`. Beside them, what the pages cross-validate while the reader waits.
"""

from .monotone_price import PRICED, Priced, price_of_monotonicity, stratified_folds
from .ordinal_boosting import OrdinalBoosting
from .results import RESULTS, Result, results

__all__ = [
    "PRICED",
    "RESULTS",
    "OrdinalBoosting",
    "Priced",
    "Result",
    "price_of_monotonicity",
    "results",
    "stratified_folds",
]
