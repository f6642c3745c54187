"""A field of a selection: one declaration for its default, range, link and resets.

A record of the selection is a frozen dataclass whose attributes are declared by :func:`number`,
:func:`word`, :func:`flag` or :func:`custom`. Link, widgets, resets and tests derive from that.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lastviz._params import Param
from lastviz.criteria import CRITERIA
from lastviz.splitters import ChoiceRule, composed_rule

LARGEST = 2**31 - 1

DATA = ("data", "upload", "target", "reading")
"""A new value of one of these makes a view of the data meaningless."""
TREES = (*DATA, "trees")
"""Other data, another division or other parameters make a view of the trees meaningless."""

UNREADABLE = "The link's {key}={text} cannot be read."
ROW = "row"  # in the metadata of a dataclass field


@dataclass(frozen=True)
class Field:
    """A field of a selection."""

    name: str  # unique over all records
    default: object
    param: Param | None  # its legal values, label and widget, where it is one number, word or flag
    link: tuple[str, ...]  # its name in a link; several for a value of several texts
    # Whether links and people count it from one, where the program counts from zero.
    counted_from_one: bool = False
    # It returns to its default when one of these fields changes; "trees" stands for all that makes
    # other trees.
    resets_with: tuple[str, ...] = ()
    # Texts of a link, one argument each -> value, ValueError if they say none; None: by `param`.
    read: Callable[..., object] | None = None
    # Value -> text of a link, several as a tuple; None: by `param`.
    write: Callable[[Any], str | tuple[str, ...]] | None = None
    refused: str = UNREADABLE  # the sentence for a text that says no value, with {key} and {text}
    # Value -> whether it may hold what is nobody else's business, see `.private`; None: no value
    # does.
    private: Callable[[Any], bool] | None = None


def number(
    kind: type,
    default: float | None,
    *,
    low: float,
    high: float = LARGEST,
    link: str = "",
    counted_from_one: bool = False,
    resets_with: Iterable[str] = (),
    **words: object,
) -> Any:
    """Declare a number; `low` is that of the program.

    `words` are those of :class:`Param`.
    """
    legal = {"low": low + counted_from_one, "high": high, "none": default is None, **words}
    return _declared(
        default,
        (kind, legal),
        link=link,
        counted_from_one=counted_from_one,
        resets_with=tuple(resets_with),
    )


def word(
    choices: tuple[str, ...],
    default: str | None = None,
    *,
    link: str = "",
    resets_with: Iterable[str] = (),
    **words: object,
) -> Any:
    """Declare a choice among words; the first is the default if none is given."""
    legal = (str, {"choices": choices, **words})
    chosen = choices[0] if default is None else default
    return _declared(chosen, legal, link=link, resets_with=tuple(resets_with))


def flag(*, link: str = "", resets_with: Iterable[str] = ()) -> Any:
    """Declare a setting that is off or on, off by default."""
    return _declared(False, (bool, {}), link=link, resets_with=tuple(resets_with))


def custom(
    default: object,
    read: Callable[..., object],
    write: Callable[[Any], str | tuple[str, ...]] = str,
    *,
    link: str | tuple[str, ...] = "",
    resets_with: Iterable[str] = (),
    refused: str = UNREADABLE,
    private: Callable[[Any], bool] | None = None,
) -> Any:
    """Declare a value that has a text of its own in links."""
    about = {"read": read, "write": write, "refused": refused, "private": private}
    return _declared(default, None, link=link, resets_with=tuple(resets_with), **about)


def _declared(default: object, legal: tuple[type, dict] | None, **about: object) -> Any:
    return dataclasses.field(default=default, metadata={ROW: (legal, about)})


@cache
def fields_of(record: type) -> tuple[Field, ...]:
    """Declared fields of a record, in their order."""
    found = []
    for field in dataclasses.fields(record):
        if ROW not in field.metadata:
            continue
        legal, about = field.metadata[ROW]
        link = about["link"] or field.name
        about = {**about, "link": (link,) if isinstance(link, str) else link}
        param = None
        if legal is not None:
            kind, words = legal
            counted = about.get("counted_from_one", False) and field.default is not None
            param = Param(
                field.name, kind, field.default + 1 if counted else field.default, **words
            )
        found.append(Field(field.name, field.default, param, **about))
    return tuple(found)


# ---- Values of a selection that readers put together: a selection rule, the textbook's tables


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


class NotShownNow(ValueError):
    """Error for a link that names something a page no longer has.

    `value` is the nearest present value, and `sentence` says so.
    """

    def __init__(self, value: object, sentence: str) -> None:
        super().__init__(sentence)
        self.value = value
        self.sentence = sentence


def here(*names: str | None) -> tuple[str, ...]:
    """Criteria by name, without those that are None.

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
        """Rule as a link says it: ``gini+0.1*bnm,5,csn``."""
        text = self.first
        if self.second is not None:
            text += f"+{self.weight:g}*{self.second}"
        if self.last is not None:
            text += f",{self.k},{self.last}"
        return text

    @classmethod
    def parse(cls, text: str) -> OwnRule:
        """Rule that `text` says.

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
        """Table as a link says it, a digit a cell: ``01120.2100-``."""
        rows = ("".join("-" if c == EMPTY else str(c) for c in row) for row in self.rows)
        return ".".join(rows) or _NOTHING

    @classmethod
    def parse(cls, text: str) -> EditedRows:
        """Table that `text` says; raises ValueError if it says none."""
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
        """Table as a link says it: ``1~4.5_2~4.75``."""
        return "_".join("~".join(row) for row in self.rows) or _NOTHING

    @classmethod
    def parse(cls, text: str) -> EditedPoints:
        """Table that `text` says; raises ValueError if it says none."""
        if text == _NOTHING:
            return cls(())
        rows = [tuple(map(cls.cell, row.split("~"))) for row in text.split("_")]
        if len(rows) > MOST_ROWS or any(len(row) != 2 for row in rows):
            raise ValueError(text)
        return cls(tuple(rows))

    @staticmethod
    def cell(typed: object) -> str:
        """Typed text of a cell in the form that a link can hold."""
        text = "" if typed is None else str(typed)
        return re.sub(r"[_~\s]+", " ", text).strip()[:_LETTERS].strip()
