"""What a link says about the page *textbook*."""

from __future__ import annotations

from lastviz._params import Param

from .edited_tables import EditedPoints, EditedRows
from .selection import DEFAULT

__all__ = ["GROWERS", "LESSONS", "TEXTBOOK_FIELDS", "TEXTBOOK_TABLES"]

LESSONS = ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares")
GROWERS = ("id3", "id3_ratio", "c45", "cart")
_MOST = 2**31 - 1

TEXTBOOK_FIELDS = (
    Param("lesson", str, DEFAULT.lesson, choices=LESSONS),
    Param("grown", str, DEFAULT.grown, choices=GROWERS),
    Param("inner", int, None, low=0, high=_MOST, none=True),
    Param("root", int, DEFAULT.root, low=0, high=_MOST),
    Param("root2", int, DEFAULT.root2, low=0, high=_MOST),
    Param("leaf_price", float, DEFAULT.leaf_price, low=0.0, high=1e6, label="α, price of a leaf"),
    Param("pieces", int, None, low=1, high=_MOST, none=True),
)
TEXTBOOK_TABLES = {"loan": EditedRows, "points": EditedPoints}
