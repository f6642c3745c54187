"""What larger experiments found: tables of figures, each printed by a command of `benchmarks`.

May import everything but ``ui`` and pages. A new table is a CSV file here and its row in
:data:`RESULTS`.
"""

from .results import RESULTS, Result, results
from .textbook import PRINTED, differs

__all__ = ["PRINTED", "RESULTS", "Result", "differs", "results"]
