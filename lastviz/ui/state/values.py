"""Values of a selection that readers put together: a selection rule, the textbook's tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lastviz.criteria import CRITERIA
from lastviz.splitters import ChoiceRule, composed_rule

_NAME = r"[a-z][a-z0-9_]*"
_TEXT = re.compile(
    rf"(?P<first>{_NAME})(?:\+(?P<weight>\d+(?:\.\d+)?)\*(?P<second>{_NAME}))?"
    rf"(?:,(?P<k>\d+),(?P<last>{_NAME}))?"
)
MOST_SURVIVORS = 1000
MOST_WEIGHT = 1e9


class AbsentCriterion(ValueError):
    """A link names criteria that are not here: `names`."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


def here(*names: str | None) -> tuple[str, ...]:
    """Return criteria by name, those that are given.

    Raises
    ------
    AbsentCriterion
        If any is not in CRITERIA.
    """
    given = tuple(name for name in names if name is not None)
    absent = tuple(name for name in given if name not in CRITERIA)
    if absent:
        raise AbsentCriterion(absent)
    return given


@dataclass(frozen=True)
class OwnRule:
    """``top_k(first + weight second, k) -> best(last)``; parts may be left out."""

    first: str = "gini"  # a criterion
    second: str | None = None  # another one, added with `weight`
    weight: float = 0.1
    k: int = 5  # survivors of the first stage; without `last` the best one is taken at once
    last: str | None = None  # the criterion that decides between them

    def __str__(self) -> str:
        """Return the rule as a link says it: ``gini+0.1*bnm,5,csn``."""
        text = self.first
        if self.second is not None:
            text += f"+{self.weight:g}*{self.second}"
        if self.last is not None:
            text += f",{self.k},{self.last}"
        return text

    @classmethod
    def parse(cls, text: str) -> OwnRule:
        """Return the rule that `text` says.

        Raises
        ------
        AbsentCriterion
            If it names a criterion that is not here.
        ValueError
            If it says no rule.
        """
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError(text)
        here(found["first"], found["second"], found["last"])
        parts = found.groupdict()
        k = int(parts["k"] or cls.k)
        weight = float(parts["weight"] or cls.weight)
        if not (1 <= k <= MOST_SURVIVORS and weight <= MOST_WEIGHT):
            raise ValueError(text)
        return cls(parts["first"], parts["second"], weight, k, parts["last"])

    @property
    def parts(self) -> tuple[str, ...]:
        """The criteria that it reads."""
        return tuple(name for name in (self.first, self.second, self.last) if name is not None)

    @property
    def rule(self) -> ChoiceRule:
        """The rule as stages."""
        return composed_rule(self.first, self.second, self.weight, self.k, self.last)


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
    def parse(cls, text: str) -> EditedRows:
        """Return the table that `text` says; raises ValueError if it says none."""
        if text == _NOTHING:
            return cls(())
        if not _ROWS.fullmatch(text):
            raise ValueError(text)
        rows = tuple(
            tuple(EMPTY if sign == "-" else int(sign) for sign in row) for row in text.split(".")
        )
        if len(rows) > MOST_ROWS:
            raise ValueError(text)
        return cls(rows)


@dataclass(frozen=True)
class EditedPoints:
    """Table 5.2: x and y of each point, as they were typed."""

    rows: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Return the table as a link says it: ``1~4.5_2~4.75``."""
        return "_".join("~".join(row) for row in self.rows) or _NOTHING

    @classmethod
    def parse(cls, text: str) -> EditedPoints:
        """Return the table that `text` says; raises ValueError if it says none."""
        if text == _NOTHING:
            return cls(())
        rows = [tuple(map(cls.cell, row.split("~"))) for row in text.split("_")]
        if len(rows) > MOST_ROWS or any(len(row) != 2 for row in rows):
            raise ValueError(text)
        return cls(tuple(rows))

    @staticmethod
    def cell(typed: object) -> str:
        """Return what was typed as it can stand in a link."""
        text = "" if typed is None else str(typed)
        return re.sub(r"[_~\s]+", " ", text).strip()[:_LETTERS].strip()
