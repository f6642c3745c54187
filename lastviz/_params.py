"""One declaration per parameter: signature, validation, widget, documentation and test grid.

A class or a function declares a parameter where Python has its default, as ``name: type =
param(...)``; :func:`with_params` makes the rest of it. The border checks values with
:func:`check_params`, and the app draws a widget for each declaration.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from lastviz._sentences import Statement

LARGEST_INTEGER = 2**53  # twice of it is an int64, itself a float64 without rounding


@dataclass(frozen=True)
class Param:
    """A parameter: its type, its legal values and how people set it.

    Parameters
    ----------
    name : str
        The keyword of the signature.
    kind : {int, float, bool, str, object}
        Its type. ``str`` needs `choices`; ``object`` is what has neither widget nor check here:
        what is known about the data, or a number of threads.
    default : object
        The default of the signature.
    low, high : number or None
        Legal range, both ends included unless `low_open`; None means no bound, for an integer
        ``2**53`` either way.
    low_open : bool
        Whether `low` itself is illegal.
    none : bool
        Whether None is legal.
    none_word : str
        What None means, on the widget.
    choices : tuple of str
        The legal strings; a number may have words beside it, such as "auto".
    aliases : tuple of (str, str)
        Other words for some of the choices, as (word, choice): they are taken, not offered.
    label : str
        What the widget is called, in English.
    help : str
        One sentence for the tool tip and the documentation.
    doc : str
        What the documentation says after it.
    type_doc : str
        Its type in the documentation, where the other fields do not say it.
    unit : str
        The unit beside the value ("rows", "bits", ...), empty if it has none.
    slider : tuple of (number, number, number) or None
        Lowest, highest and step of the slider where it is narrower than the legal range.
    main : bool
        Whether it is one of the few that matter first; the others are folded away.
    needs : tuple of (str, tuple) or None
        Another parameter and its values for which this one has an effect.
    drawn : bool
        Whether Python also takes None and a RandomState, of which ``fit`` draws a value.
    share : bool
        Whether a fraction between 0 and 1 is legal in place of an integer.
    meaning : str
        What an error message says beside the legal values: what it is, and the remedy.
    """

    name: str
    kind: type
    default: object
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    none: bool = False
    none_word: str = "no limit"
    choices: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    label: str = ""
    help: str = ""
    doc: str = ""
    type_doc: str = ""
    unit: str = ""
    slider: tuple[float, float, float] | None = None
    main: bool = False
    needs: tuple[str, tuple] | None = None
    drawn: bool = False
    share: bool = False
    meaning: str = ""

    def legal(self, *, in_link: bool = False) -> Statement:
        """Legal values in words, for messages and documentation.

        With `in_link` as links spell them, ``none (no limit)`` in place of ``None``.
        """
        if self.kind is bool:
            words = Statement("true or false" if in_link else "True or False")
        elif self.kind is str:
            words = Statement("one of {words}", words=", ".join(map(repr, self.choices)))
        else:
            words = self._legal_numbers(in_link=in_link)
            if self.share and not in_link:
                words = Statement("{words}, a fraction between 0 and 1", words=words)
            for choice in self.choices:
                words = Statement("{words} or {choice!r}", words=words, choice=choice)
        if self.drawn and not in_link:
            return Statement("{words}, None or a RandomState", words=words)
        if not self.none:
            return words
        if not in_link:
            return Statement("{words} or None", words=words)
        none_word = Statement(self.none_word)
        return Statement("{words} or none ({none_word})", words=words, none_word=none_word)

    def _legal_numbers(self, *, in_link: bool) -> Statement:
        kind = Statement("a finite number")
        if self.kind is int:
            kind = Statement("a whole number" if in_link else "an integer")
        if self.low is None and self.high is None:
            return kind
        ends = {"kind": kind, "low": self.low, "high": self.high}
        if self.low is None:
            return Statement("{kind} <= {high:g}", **ends)
        if self.high is None:
            return Statement("{kind} > {low:g}" if self.low_open else "{kind} >= {low:g}", **ends)
        return Statement(
            "{kind} > {low:g} and <= {high:g}"
            if self.low_open
            else "{kind} >= {low:g} and <= {high:g}",
            **ends,
        )

    def check(self, value: object) -> object:
        """Plain Python value of `value`; ValueError if it is not valid.

        Another word for a choice becomes that choice.

        Raises
        ------
        ValueError
            ``"max_depth must be an integer >= 1 or None, got 0"``.
        """
        if value is None and (self.none or self.drawn):
            return None
        if self.drawn and isinstance(value, np.random.RandomState):
            return value
        if isinstance(value, str):
            value = dict(self.aliases).get(value, value)
        if isinstance(value, str) and value in self.choices:
            return value
        if self.kind is bool and isinstance(value, bool | np.bool_):
            return bool(value)
        if self.kind in (int, float) and self._is_number(value) and self._inside(value):
            return self.kind(value)
        if self.share and isinstance(value, float | np.floating) and 0.0 < value < 1.0:
            return float(value)
        meaning = f": {self.meaning}" if self.meaning else ""
        raise ValueError(f"{self.name} must be {self.legal()}, got {_shown(value)}{meaning}")

    def _is_number(self, value: object) -> bool:
        if isinstance(value, bool):
            return False
        if self.kind is int:
            return isinstance(value, Integral)
        return isinstance(value, Real) and _is_finite(value)

    def _inside(self, value: float) -> bool:
        if self.kind is int and abs(value) > LARGEST_INTEGER:
            return False
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return self.high is None or value <= self.high

    def documentation(self) -> str:
        """Its entry in the section "Parameters" of a numpydoc docstring."""
        types = [] if self.kind is str else [self.kind.__name__]
        if self.share:
            types.append("float")
        if self.choices:
            choices = ", ".join(map(json.dumps, self.choices))
            alone = self.kind is not str and len(self.choices) == 1
            types.append(choices if alone else f"{{{choices}}}")
        if self.drawn:
            types.append("RandomState")
        if self.none or self.drawn:
            types.append("None")
        default = json.dumps(self.default) if isinstance(self.default, str) else repr(self.default)
        words = [f"{self.label}: {self.help}" if self.label else self.help, self.doc]
        if self.needs is not None:
            other, values = self.needs
            words.append(f"It counts with {other} {_either(list(map(json.dumps, values)))}.")
        text = textwrap.fill(
            " ".join(filter(None, words)),
            width=96,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        head = f"{self.name} : {self.type_doc or _either(types)}, default {default}"
        return f"{head}\n{text}" if text else head


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def _shown(value: object) -> str:
    """Value as messages print it; a large integer by its number of binary digits."""
    if isinstance(value, Integral) and abs(int(value)) > LARGEST_INTEGER:
        return f"an integer of {int(value).bit_length()} bits; numbers up to 2**53 are taken"
    return repr(value.item() if isinstance(value, np.generic) else value)


def check_params(declared: tuple[Param, ...], values: Mapping[str, object]) -> dict[str, object]:
    """All declared parameters with `values` checked and defaults filled in.

    Raises
    ------
    ValueError
        If a value is illegal or a name is not declared.
    """
    unknown = sorted(set(values) - {param.name for param in declared})
    if unknown:
        legal = ", ".join(param.name for param in declared) or "none"
        raise ValueError(f"unknown parameter {unknown[0]!r}; the parameters are: {legal}")
    return {p.name: p.check(values.get(p.name, p.default)) for p in declared}


def defaults(declared: tuple[Param, ...]) -> dict[str, object]:
    """Default of each declared parameter by name."""
    return {param.name: param.default for param in declared}


Made = TypeVar("Made", bound=Callable[..., object])


def param(kind: type, default: object, **declared: Any) -> Any:
    """Declare a parameter as a default value.

    The parameter takes the name of the attribute or argument whose default it is.

    Type checkers take what it returns, a :class:`Param`, for any value.
    """
    return Param("", kind, default, **declared)


@dataclass_transform(eq_default=False, field_specifiers=(param,))
def with_params(made: Made) -> Made:
    """Add signature, documentation and `PARAMS` from declared parameters.

    `made` is a class or a function that declares its own.

    Parameters come in the order of their declarations, before those that a class inherits. Those
    without a widget are in `OTHER_PARAMS`, by name. Type checkers take a class for a dataclass.
    """
    if isinstance(made, type):
        own = {n: replace(p, name=n) for n, p in vars(made).items() if isinstance(p, Param)}
        for name in own:
            delattr(made, name)
        known = (*getattr(made, "PARAMS", ()), *getattr(made, "OTHER_PARAMS", {}).values())
        declared = [*own.values(), *(each for each in known if each.name not in own)]
        made.__init__ = _init(made, declared)
        made.OTHER_PARAMS = {each.name: each for each in declared if each.kind is object}
    else:
        signature = inspect.signature(made).parameters
        declared = [replace(p.default, name=name) for name, p in signature.items()]
        made.__defaults__ = tuple(each.default for each in declared)
    made.PARAMS = tuple(each for each in declared if each.kind is not object)
    made.__doc__ = _documented(made.__doc__, declared)
    return made


def _init(made: type, declared: Sequence[Param]) -> Callable[..., None]:
    """Write the ``__init__`` that a dataclass with these fields would have."""
    annotations: dict[str, object] = {}
    for each in reversed(made.__mro__):
        annotations |= inspect.get_annotations(each)
    body = {
        "__module__": made.__module__,  # whose names the annotations are
        "__qualname__": made.__qualname__,
        "__annotations__": {each.name: annotations.get(each.name, object) for each in declared},
        **{each.name: each.default for each in declared},
    }
    written = dataclass(eq=False, repr=False)(type(made.__name__, (), body)).__init__
    written.__module__ = made.__module__
    return written


def _documented(doc: str | None, declared: Sequence[Param]) -> str | None:
    """Numpydoc docstring with a section "Parameters".

    It is put before the first section, or at the end.
    """
    if doc is None or not declared:  # python -OO
        return doc
    section = "\n".join(["Parameters", "----------", *(each.documentation() for each in declared)])
    before, title, after = re.match(
        r"(.*?)(?:^(\w[\w ]*\n-+$)(.*))?\Z", inspect.cleandoc(doc), re.M | re.S
    ).groups(default="")
    return f"{before.rstrip()}\n\n{section}\n" + (f"\n{title}{after}" if title else "")
