"""What a field of a selection is: one declaration for its default, range, link and resets.

A record of the selection is a frozen dataclass whose attributes are declared by :func:`number`,
:func:`word`, :func:`flag` or :func:`written`. Link, widgets, resets and tests derive from that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lastviz._params import Param

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
    """Declare a number; `low` is that of the program. `words` are those of :class:`Param`."""
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
    """Declare what is off or on; off by default."""
    return _declared(False, (bool, {}), link=link, resets_with=tuple(resets_with))


def written(
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
    """Return the declared fields of a record, in their order."""
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
