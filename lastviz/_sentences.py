"""Sentences for people that whoever shows them can say in another language, too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter

from ._recent import recently

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
ISOLATE, END = "\u2068", "\u2069"  # between them a text has a direction of its own


@recently(1024)
def isolated(text: str) -> str:
    """Return a text that does not turn round what stands beside it, whatever its direction.

    Examples
    --------
    A column in Hebrew would swap the two numbers of ``1 < name ≤ 3`` on the screen.
    """
    if text.isascii() or ISOLATE in text or not RIGHT_TO_LEFT.search(text):
        return text
    return f"{ISOLATE}{text}{END}"


class _Isolating(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        return isolated(super().format_field(value, format_spec))


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return a template with values in its places, those from right to left isolated."""
    if any(isinstance(v, str) and isolated(v) != v for v in values.values()):
        return _Isolating().vformat(template, (), values)
    return template.format(**values)


class Sentence(str):
    """A text with its values filled in, which remembers both.

    Errors and hints of the layers below the pages are English; the pages look the template up
    in the reader's language and fill the same values in.

    Parameters
    ----------
    template : str
        The text with a place ``{name}`` for each of `values`, as :meth:`str.format` reads it.
    **values : object
        A value that is a Sentence is said in the other language, too.

    Examples
    --------
    >>> Sentence("{name} has {n:,} rows", name="a.csv", n=1200)
    'a.csv has 1,200 rows'
    """

    __slots__ = ("template", "values")

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        """Return `template` with `values` filled in."""
        values = {name: _plain(value) for name, value in values.items()}
        sentence = super().__new__(cls, filled(template, values))
        sentence.template, sentence.values = template, values
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """Return what it is made of, for other processes."""
        return (self.template,), self.values


def _plain(value: object) -> object:
    """Return a value with numbers of numpy as those of Python, which are printed as people do."""
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value)) if type(value) in (tuple, list) else value
    return value.item() if hasattr(value, "dtype") and hasattr(value, "item") else value


class Refusal(ValueError):
    """A ValueError that says what is wrong in a :class:`Sentence`.

    Parameters
    ----------
    template : str or Sentence
    **values : object
        As those of a Sentence.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        is_sentence = isinstance(template, Sentence)
        super().__init__(template if is_sentence else Sentence(template, **values))

    @property
    def sentence(self) -> Sentence:
        """What is wrong."""
        return self.args[0]
