"""From the bytes of a file to a table of cells, one module a format.

What a file is, its content says, not its name. A module here returns a :class:`RawTable`: names,
columns as they stand in the file, and the row of each sample; what a cell means is found out by
:mod:`lastviz.datasets.cells`. Heavy libraries are imported where they are used. A new format is a
module with a function and its row in :mod:`.opening`.
"""
