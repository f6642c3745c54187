"""The textbook's two tables as the reader has changed them, and how a link says them."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["EMPTY", "MOST_ROWS", "EditedPoints", "EditedRows"]

MOST_ROWS = 60
EMPTY = -1
_ROWS = re.compile(r"(?:[0-9-]{5})(?:\.[0-9-]{5})*")
_NOTHING = "none"
_LETTERS = 12  # of a cell of numbers


@dataclass(frozen=True)
class EditedRows:
    """Table 5.1: in each row the places of its four categories and of its class.

    A cell without a value is :data:`EMPTY`.
    """

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        """Return the table as a link says it, a digit a cell: ``01120.2100-``."""
        rows = ("".join("-" if c == EMPTY else str(c) for c in row) for row in self.rows)
        return ".".join(rows) or _NOTHING

    @classmethod
    def parse(cls, text: str) -> EditedRows | None:
        """Return the table that `text` says, None if it says none."""
        if text == _NOTHING:
            return cls(())
        if not _ROWS.fullmatch(text):
            return None
        rows = tuple(
            tuple(EMPTY if sign == "-" else int(sign) for sign in row) for row in text.split(".")
        )
        return cls(rows) if len(rows) <= MOST_ROWS else None


@dataclass(frozen=True)
class EditedPoints:
    """Table 5.2: x and y of each point, as they were typed."""

    rows: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Return the table as a link says it: ``1~4.5_2~4.75``."""
        return "_".join("~".join(row) for row in self.rows) or _NOTHING

    @classmethod
    def parse(cls, text: str) -> EditedPoints | None:
        """Return the table that `text` says, None if it says none."""
        if text == _NOTHING:
            return cls(())
        rows = [tuple(map(cls.cell, row.split("~"))) for row in text.split("_")]
        if len(rows) > MOST_ROWS or any(len(row) != 2 for row in rows):
            return None
        return cls(tuple(rows))

    @staticmethod
    def cell(typed: object) -> str:
        """Return what was typed as it can stand in a link."""
        text = "" if typed is None else str(typed)
        return re.sub(r"[_~\s]+", " ", text).strip()[:_LETTERS].strip()
