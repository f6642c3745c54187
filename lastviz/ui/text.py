"""Words and numbers as people read them.

The English text is the key: code reads as the page does, and a second language is one file
``catalogues/<language>.json`` that maps English texts to translated ones. A text that the
file lacks appears in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from math import floor, log10
from pathlib import Path

from lastviz._sentences import Sentence, filled
from lastviz.host.jobs import Failed
from lastviz.host.language import ENGLISH, LANGUAGE_USES, SPOKEN, spoken
from lastviz.plots.visuals.words import number, say_by

GAP = re.compile(
    r"(?<=[\u3001-\u9fff\uff01-\uff60]) (?=[\u3001-\u9fff\uff01-\uff60])"
)  # none in Chinese
PLACE = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}")
TAGS = re.compile(r"<[^<>]*>|\*\*")
MEETING = re.compile("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]")  # one space apart
CATALOGUES = Path(__file__).parent / "catalogues"


class CannotShow(Failed):
    """What keeps something from being shown, as a sentence for the reader; the frame says it.

    Any other error is a fault of the program: it is logged, and the reader is told its id.
    """


def t(english: str, **values: object) -> str:
    """Return `english` in the language of the session, with ``{name}`` replaced by `values`."""
    LANGUAGE_USES.count += 1
    text = catalogue(SPOKEN.get(None) or spoken()).get(english, english)
    return GAP.sub("", filled(_spaced(text, values), values)) if values else text


def _spaced(text: str, values: Mapping[str, object]) -> str:
    """Return a Chinese text with spaces where a value brings Latin letters or digits beside it.

    What stands inside a value, such as the name of a column, stays as it is.
    """

    def place(found: re.Match) -> str:
        value = TAGS.sub("", str(values.get(found[1], "")))
        before, after = TAGS.sub("", text[: found.start()]), TAGS.sub("", text[found.end() :])
        left = " " if MEETING.fullmatch(before[-1:] + value[:1]) else ""
        right = " " if MEETING.fullmatch(value[-1:] + after[:1]) else ""
        return f"{left}{found[0]}{right}"

    return text if text.isascii() else PLACE.sub(place, text)


def translated(reason: object) -> str:
    """Return what an error or a hint of the layers below says, in the language of the session."""
    sentence = reason.args[0] if isinstance(reason, Exception) and reason.args else reason
    if not isinstance(sentence, Sentence):
        return str(sentence)
    values = {
        name: translated(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }
    return t(sentence.template, **values)


def plural(count: int, one: str, many: str, **values: object) -> str:
    """Return the text for `count` things: ``plural(3, "{n} row", "{n} rows")`` is "3 rows"."""
    return t(one if count == 1 else many, n=number(count), **values)


def ordinal(place: int) -> str:
    """Return a place in a line: "1st", "2nd", "3rd", "4th", "11th", "21st"."""
    ending = {1: "{n}st", 2: "{n}nd", 3: "{n}rd"}.get(place % 10, "{n}th")
    return t("{n}th" if place % 100 in (11, 12, 13) else ending, n=number(place))


def joined(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    first = names[0]
    for name in names[1:-1]:
        first = t("{first}, {next}", first=first, next=name)
    return t("{first} and {last}", first=first, last=names[-1])


def listed(names: Sequence[str], most: int) -> str:
    """Return names as a list that says how many are left out beyond `most`."""
    left = len(names) - most
    if left <= 0:
        return joined(names)
    return t("{names} and {n} more", names=t(", ").join(names[:most]), n=number(left))


def language() -> str:
    """Return the code of the session's language; what is made of it is of that language alone."""
    LANGUAGE_USES.count += 1
    return spoken()


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that there is a catalogue for, English first."""
    return (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.json")))


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share between 0 and 1 as per cent, without the sign: 0.083 is "8.3"."""
    return "–" if share is None or share != share else f"{100 * share:.{digits}f}"


def rounded(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits."""
    return number(float(f"{value:.{digits}g}"))


def adding_up(total: float, *parts: float) -> list[str]:
    """Return numbers, then what the printed parts leave of the printed total.

    All have as many decimals as show three digits of what is left.

    Examples
    --------
    >>> adding_up(209.98, 11.58, 178.96)
    ['210', '11.6', '179', '19.4']
    """
    left = abs(total - sum(parts))
    size = max(left if left > 1e-9 else abs(total), 1e-9)
    decimals = max(0, 2 - floor(log10(size)))
    printed = [Decimal(f"{n:.{decimals}f}") for n in (total, *parts)]
    printed.append(printed[0] - sum(printed[1:]))
    return [f"{n.normalize():,f}".replace("-", "−") for n in printed]


def plain(text: str) -> str:
    """Return `text` for a place that takes Markdown, with all its signs taken as they are."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else sign for sign in text)


say_by(t)


@cache
def catalogue(code: str) -> Mapping[str, str]:
    """Return the texts of a language by the English ones."""
    path = CATALOGUES / f"{code}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
