"""Words and numbers as people read them.

The English text is the key: code reads as the page does, and a second language is one catalogue
of gettext, ``lastviz/locale/<language>/LC_MESSAGES/lastviz.po``. A text that it lacks appears in
English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from gettext import GNUTranslations, NullTranslations
from html import escape
from io import BytesIO
from math import floor, log10
from numbers import Real
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from markupsafe import Markup

from lastviz._places import PACKAGE
from lastviz._sentences import HUNDRED, Statement, fill, isolate
from lastviz.host.jobs import Failed
from lastviz.host.language import ENGLISH, LANGUAGE_USES, SPOKEN, current_language
from lastviz.plots.visuals.words import number, plain_text, say_by

GAP = re.compile(
    r"(?<=[\u3001-\u9fff\uff01-\uff60]) (?=[\u3001-\u9fff\uff01-\uff60])"
)  # none in Chinese
PLACE = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}")
TAGS = re.compile(r"<[^<>]*>|\*\*")
MEETING = re.compile("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]")  # one space apart
LOCALE = PACKAGE / "locale"
SMALLEST = 0.001  # chance: a smaller one is only called so
CATALOGUE = Path("LC_MESSAGES") / "lastviz.po"  # of each language


class CannotShow(Failed):
    """Reason why something cannot be shown, as a sentence that the frame displays.

    Any other error is a fault of the program: it is logged, and the reader is told its id.
    """


def t(english: str, **values: object) -> str:
    """Translation of `english` for the session, with ``{name}`` replaced by `values`."""
    if not english:  # in a catalogue it stands for the head
        return ""
    LANGUAGE_USES.count += 1  # as in `_spoken`: the most frequent call of a page is one
    text = translations(SPOKEN.get(None) or current_language()).gettext(english)
    if not values:
        return text
    return GAP.sub("", fill(text if text.isascii() else _spaced(text, values), values))


def _spoken() -> NullTranslations:
    LANGUAGE_USES.count += 1
    return translations(SPOKEN.get(None) or current_language())


# What stands inside a value, such as the name of a column, stays as it is.
def _spaced(text: str, values: Mapping[str, object]) -> str:
    """Chinese text with spaces where a value brings Latin letters or digits beside it."""

    def place(found: re.Match) -> str:
        value = TAGS.sub("", str(values.get(found[1], "")))
        before, after = TAGS.sub("", text[: found.start()]), TAGS.sub("", text[found.end() :])
        left = " " if MEETING.fullmatch(before[-1:] + value[:1]) else ""
        right = " " if MEETING.fullmatch(value[-1:] + after[:1]) else ""
        return f"{left}{found[0]}{right}"

    return PLACE.sub(place, text)


# It says again what somebody typed, digit by digit.
def translate(reason: object) -> str:
    """Message of an error or hint of the lower layers, in the session's language."""
    sentence = reason.args[0] if isinstance(reason, Exception) and reason.args else reason
    if not isinstance(sentence, Statement):
        return str(sentence)
    values = {
        name: translate(value) if isinstance(value, Statement) else value
        for name, value in sentence.values.items()
    }
    if sentence.many:
        return plural(values["n"], sentence.template, sentence.many, **values)
    return t(sentence.template, **values)


def plural(count: float, one: str, many: str, **values: object) -> str:
    """Text for `count` things: ``plural(3, "{n} row", "{n} rows")`` is "3 rows"."""
    text, values = _spoken().ngettext(one, many, _counted(count)), {"n": number(count), **values}
    return GAP.sub("", fill(text if text.isascii() else _spaced(text, values), values))


def _counted(count: float) -> int:
    """Number that decides about the form: rules of plurals know no fractions."""
    return int(count) if float(count).is_integer() else 2


# ---- Statements in the reader's language: the only place that knows markup and formats of numbers


Paragraph = Statement | Sequence[Statement]
"""A sentence, or those of a paragraph."""


class _Markup(NamedTuple):
    """Escapes and bold marks of a kind of text."""

    escape: Callable[[str], str]
    bold: tuple[str, str]


def plain(text: str) -> str:
    """Text for a place that takes Markdown, with all its signs escaped."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else sign for sign in text)


_PLAIN = _Markup(str, ("", ""))
_HTML = _Markup(partial(escape, quote=False), ("<b>", "</b>"))
_MARKDOWN = _Markup(plain, ("**", "**"))


# For labels, cells of tables and screen readers.
def as_plain(statements: Paragraph) -> str:
    """Statements as text without markup."""
    return _paragraph(statements, _PLAIN)


def as_html(statements: Paragraph) -> str:
    """Statements as html."""
    return _paragraph(statements, _HTML)


def as_markdown(statements: Paragraph) -> str:
    """Statements for Streamlit's captions and notes."""
    return _paragraph(statements, _MARKDOWN)


def _paragraph(statements: Paragraph, markup: _Markup) -> str:
    sentences = [statements] if isinstance(statements, Statement) else statements
    return paragraph(_rendered(statement, markup) for statement in sentences)


# Its values are in words, all signs but its bold marks escaped.
def _rendered(statement: Statement, markup: _Markup) -> str:
    """One statement, translated."""
    values, catalogue = statement.values, _spoken()
    if statement.many:
        count = _counted(values["n"])
        template = catalogue.ngettext(statement.template, statement.many, count)
    else:
        template = catalogue.gettext(statement.template)
    text, is_bold, was_value, is_spaced = "", False, False, not template.isascii()
    for literal, name, form, conversion in Formatter().parse(template):
        for n, part in enumerate(literal.split("**")):
            if n:
                is_bold = not is_bold
                text += markup.bold[0 if is_bold else 1]
            text += (_gap(text, part) if was_value else "") + markup.escape(part)
            was_value = was_value and not part
        if name is not None:
            value = repr(values[name]) if conversion == "r" else values[name]
            words = isolate(_worded(value, form or "", markup))
            text += (_gap(text, words) if is_spaced else "") + words
            was_value = is_spaced
    return GAP.sub("", text)


def _gap(before: str, after: str) -> str:
    """Space that stands between a Chinese letter and a Latin one or a digit."""
    return " " if MEETING.fullmatch(TAGS.sub("", before)[-1:] + TAGS.sub("", after)[:1]) else ""


# A statement itself, HTML of ours, names, a number or a text.
def _worded(value: object, form: str, markup: _Markup) -> str:
    """One value of a statement in words."""
    if isinstance(value, Statement):
        return _rendered(value, markup)
    if isinstance(value, Markup):
        return str(value) if markup is _HTML else markup.escape(plain_text(value))
    if form == "list":
        return join_names([_worded(each, "", markup) for each in value])
    if isinstance(value, Real) and not isinstance(value, bool):
        return markup.escape(figure(value, form))
    return markup.escape(format(value, form))


def figure(value: float, form: str = "") -> str:
    """A number as people read it, in a format that places of statements have."""
    match form:
        case "":
            return number(value)
        case "percent":
            return f"{percent(value)} %"
        case "hundredths":
            return percent(value)
        case "rounded":
            return round_digits(value)
        case "chance" if value < SMALLEST:
            return t("less than {n}", n=number(SMALLEST))
        case "chance" if value > 1 - SMALLEST:
            return t("more than {n}", n=number(1 - SMALLEST))
        case "chance":
            return round_digits(value)
    return format(value, form).replace("-", "−")


def paragraph(sentences: Iterable[str]) -> str:
    """Statements one after another, with the gap that the language sets between them."""
    return t("{sentence} {next}", sentence="", next="").join(sentences)


def ordinal(place: int) -> str:
    """Place in a line: "1st", "2nd", "3rd", "4th", "11th", "21st"."""
    ending = {1: "{n}st", 2: "{n}nd", 3: "{n}rd"}.get(place % 10, "{n}th")
    return t("{n}th" if place % 100 in (11, 12, 13) else ending, n=number(place))


def join_names(names: Sequence[str]) -> str:
    """Names as a list in a sentence: "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    first = names[0]
    for name in names[1:-1]:
        first = t("{first}, {next}", first=first, next=name)
    return t("{first} and {last}", first=first, last=names[-1])


def list_names(names: Sequence[str], most: int) -> str:
    """Names as a list in a sentence, with the number left out beyond `most`."""
    left = len(names) - most
    if left <= 0:
        return join_names(names)
    return t("{names} and {n} more", names=t(", ").join(names[:most]), n=number(left))


# Things derived from it belong to that language alone.
def language() -> str:
    """Code of the session's language."""
    LANGUAGE_USES.count += 1
    return current_language()


@cache
def languages() -> tuple[str, ...]:
    """Codes of all languages that there is a catalogue for, English first."""
    return (ENGLISH, *sorted(path.parts[-3] for path in LOCALE.glob(f"*/{CATALOGUE}")))


def percent(share: float | None, digits: int = 1) -> str:
    """Share between 0 and 1 as per cent, without the sign: 0.083 is "8.3"."""
    return "–" if share is None or share != share else f"{HUNDRED * share:.{digits}f}"


def round_digits(value: float, digits: int = 3) -> str:
    """Number with so many significant digits."""
    return number(float(f"{value:.{digits}g}"))


def adding_up(total: float, *parts: float) -> list[str]:
    """Numbers, then the rest that the printed parts leave of the printed total.

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


say_by(t)


@cache
def translations(code: str) -> NullTranslations:
    """Texts of a language by the English ones."""
    source = LOCALE / code / CATALOGUE
    if not source.is_file():
        return NullTranslations()
    compiled = source.with_suffix(".mo")
    if not compiled.is_file() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns:
        return GNUTranslations(BytesIO(_compile(source, compiled)))
    return GNUTranslations(BytesIO(compiled.read_bytes()))


# It is kept beside its source, which takes ten times as long.
def _compile(source: Path, compiled: Path) -> bytes:
    """The catalogue as gettext reads it."""
    from babel.messages.mofile import write_mo  # late: only after the catalogue has changed
    from babel.messages.pofile import read_po

    made = BytesIO()
    with source.open("rb") as file:
        write_mo(made, read_po(file, ignore_obsolete=True))
    part = compiled.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(made.getvalue())
        part.replace(compiled)
    except OSError:  # the package's own folder may be read-only
        part.unlink(missing_ok=True)
    return made.getvalue()
