"""Printed results of the papers: all figures of their tables, claims, and known errors.

Figures are CSV files here, read by :func:`published_cells`; all else is literal. A new table is
its rows in a file and a row of :data:`TABLES`. May import nothing but pandas and numpy.
"""

from .cells import (
    ALL_SETS,
    PAPERS,
    QUANTITIES,
    TABLES,
    Ours,
    Paper,
    PrintedCell,
    PrintedTable,
    Quantity,
    our_figures,
    published_cells,
    read_ours,
    sets_at_hand,
    write_ours,
)
from .claims import CLAIMS, Claim, Tally, printed_values, tally
from .misprints import MISPRINTS, Misprint, misprints_of
from .sets import PRINTED_SETS, PrintedSet, printed_set
