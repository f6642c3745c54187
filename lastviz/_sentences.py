"""Sentences for people that whoever shows them can say in another language, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from ._recent import recently

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
ISOLATE, END = "\u2068", "\u2069"  # between them a text has a direction of its own


@recently(1024)
def isolate(text: str) -> str:
    """Text isolated from the direction of its surroundings, and they from its own.

    Examples
    --------
    A column in Hebrew would swap the two numbers of ``1 < name ≤ 3`` on the screen.
    """
    if text.isascii() or ISOLATE in text or not RIGHT_TO_LEFT.search(text):
        return text
    return f"{ISOLATE}{text}{END}"


# Shares in per cent are a hair more, so that ties round up, as readers, JavaScript and D3 do.
HUNDRED = 100.0 * (1.0 + 1e-12)
# Formats of people in English; pages have their own, by language.
FORMATS: Mapping[str, Callable[[Any], str]] = {
    "percent": lambda share: f"{HUNDRED * share:.1f} %",
    "hundredths": lambda share: f"{HUNDRED * share:.1f}",  # per cent without the sign
    "rounded": "{:.3g}".format,
    "chance": "{:.3g}".format,  # pages say of the smallest only that they are small
    "list": lambda names: " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))),
}
_OF_PEOPLE = re.compile(rf":({'|'.join(FORMATS)})}}")


class _Filling(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        of_people = FORMATS.get(format_spec)
        return isolate(of_people(value) if of_people else format(value, format_spec))


def fill(template: str, values: Mapping[str, object]) -> str:
    """A template with values in its places, those from right to left isolated."""
    turns = any(isinstance(v, str) and isolate(v) != v for v in values.values())
    if turns or _OF_PEOPLE.search(template):
        return _Filling().vformat(template, (), values)
    return template.format(**values)


class Statement(str):
    """English sentence with its values.

    A page says it in the language of the visitor.

    Two are equal if they read alike.

    Parameters
    ----------
    template : str
        The text with a place ``{name}`` for each of `values`, as :meth:`str.format` reads it. A
        place may have a format of people, see ``FORMATS``: ``{share:percent}``. What stands
        between ``**`` is bold.
    many : str, optional
        The template if the value ``n`` is not 1.
    role : str, optional
        What the sentence does among others, such as "so" and "not" in a conclusion.
    **values : object
        A value that is a Statement is said in the other language, too.

    Attributes
    ----------
    template, many, role, values
        As given.

    Examples
    --------
    >>> Statement("{name} has {n:,} rows", name="a.csv", n=1200)
    'a.csv has 1,200 rows'
    >>> Statement("{n} leaf is right on {share:percent}", "{n} leaves", n=1, share=0.5)
    '1 leaf is right on 50.0 %'
    """

    __slots__ = ("many", "role", "template", "values")

    def __new__(
        cls, template: str, many: str = "", /, *, role: str = "", **values: object
    ) -> Statement:
        """`template`, or `many`, with `values` filled in."""
        values = {name: _plain(value) for name, value in values.items()}
        text = many if many and values["n"] != 1 else template
        statement = super().__new__(cls, fill(text.replace("**", ""), values))
        statement.template, statement.many = template, many
        statement.role, statement.values = role, values
        return statement

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, object]]:
        """Parts that it is made of, for other processes."""
        return (self.template, self.many), {"role": self.role, **self.values}


def _plain(value: object) -> object:
    """Value with numbers of numpy as those of Python, which are printed as people do."""
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value)) if type(value) in (tuple, list) else value
    return value.item() if hasattr(value, "dtype") and hasattr(value, "item") else value


class Refusal(ValueError):
    """ValueError whose message is a :class:`Sentence`.

    Parameters
    ----------
    template : str or Statement
    **values : object
        As those of a Statement.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        is_sentence = isinstance(template, Statement)
        super().__init__(template if is_sentence else Statement(template, **values))

    @property
    def sentence(self) -> Statement:
        """Message of the error."""
        return self.args[0]
