"""From the bytes of a file to columns with a meaning; no data set is known here.

What a file is, its content says, not its name (:mod:`.opening`). A module for each format returns
a :class:`~.raw.RawTable`: names, columns as they stand in the file, and the row of each sample.
:mod:`.columns` and :mod:`.target` find out what cells mean, :mod:`.table` does all of it. Heavy
libraries are imported where they are used. A new format is a module with a function and its row in
:mod:`.opening`.
"""

from .delimited import SEPARATORS
from .encodings import ENCODINGS
from .opening import is_plain
from .raw import LIMITS, Limits
from .reading import (
    AS_FOUND,
    DATE_ORDERS,
    MERGED,
    QUOTES,
    READ_AS,
    ColumnFound,
    ColumnReading,
    Found,
    Reading,
    Repair,
)
from .table import ReadTable, look_into, read_columns
