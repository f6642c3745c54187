"""A model told to others: as code, and later as rules and files.

May import everything from ``tree`` to ``plots``. A new form is one file and a line here.
"""

from .python import Recipe, as_python

__all__ = ["Recipe", "as_python"]
