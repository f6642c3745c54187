"""What larger experiments found: tables of figures, each printed by a command of `benchmarks`.

May import everything but ``ui`` and pages. A new table is a CSV file here and its row in
:data:`RESULTS`.
"""

from .monotone_level import MODELS, SETS, Level, level_in_steps, set_of_the_paper
from .results import RESULTS, Result, results

__all__ = [
    "MODELS",
    "RESULTS",
    "SETS",
    "Level",
    "Result",
    "level_in_steps",
    "results",
    "set_of_the_paper",
]
