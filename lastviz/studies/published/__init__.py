"""What the papers print: every figure of their tables, their claims, and their known errors.

Figures are CSV files here, read by :func:`published_cells`; all else is literal. A new table is
its rows in a file and a row of :data:`TABLES`. May import nothing but pandas and numpy.
"""

from .cells import (
    PAPERS,
    QUANTITIES,
    TABLES,
    Paper,
    PrintedCell,
    PrintedTable,
    Quantity,
    published_cells,
)
from .chapter import CHAPTER, EXAMPLES, PRINTED, Example, PrintedSum, differs
from .claims import CLAIMS, Claim, Tally, printed_values, tally
from .figures import FIGURES, BestWithin, MeanGap, PrintedFigure, Statement, best_values
from .misprints import MISPRINTS, Misprint, misprints_of
from .ours import ALL_SETS, Ours, our_figures, read_ours, sets_at_hand, write_ours
from .sets import PRINTED_SETS, PrintedSet, printed_set
