"""Algorithms and data sets of a study as short texts, for links and choosers.

``cart~max_depth=3``, ``k_nn~n_neighbors=1|3|5`` (several values to choose among),
``gsodt~unlabelled=true``, ``xor~n_samples=200``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from urllib.parse import unquote

from lastviz._params import Param, defaults
from lastviz.ui.shared.widgets import choice_title
from lastviz.ui.text import number, t, translated

UNLABELLED = "unlabelled"
MOST_VALUES = 20  # of a parameter that is chosen

Pairs = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Entry:
    """An algorithm or a data set with what differs from its defaults."""

    key: str
    params: Pairs = ()  # tuple of (str, value)
    grid: tuple[tuple[str, tuple], ...] = ()  # values to choose among
    unlabelled: bool = False  # whether the rows held out take part without their classes

    @property
    def text(self) -> str:
        """The text that :func:`entry_of_text` reads."""
        parts = [_quoted(self.key), *(f"{name}={_written(value)}" for name, value in self.params)]
        parts += [f"{name}={'|'.join(map(_written, values))}" for name, values in self.grid]
        return "~".join([*parts, *([f"{UNLABELLED}=true"] if self.unlabelled else [])])

    def points(self) -> list[Entry]:
        """Return an entry for each combination of the values that can be chosen among."""
        names = [name for name, _ in self.grid]
        every = product(*(values for _, values in self.grid))
        own = ({**dict(self.params), **dict(zip(names, values, strict=True))} for values in every)
        return [Entry(self.key, tuple(sorted(each.items())), (), self.unlabelled) for each in own]


def _quoted(key: str) -> str:
    """Return a key, which may be the name of a file, without the signs that part texts."""
    return "".join(f"%{ord(sign):02X}" if sign in "%,~|=" else sign for sign in key)


def key_of_text(text: str) -> str:
    """Return the key that the text of an entry begins with."""
    return unquote(text.partition("~")[0])


def entry_of_text(text: str, declared: Sequence[Param]) -> Entry:
    """Return the entry that a text says.

    Raises
    ------
    ValueError
        If a parameter is unknown or illegal; the sentence names it.
    """
    key, parts = key_of_text(text), text.split("~")[1:]
    known = {param.name: param for param in declared}
    params, grid, unlabelled = [], [], False
    for part in parts:
        name, _, value = part.partition("=")
        if name == UNLABELLED and name not in known:
            unlabelled = value == "true"
        elif name not in known:
            raise ValueError(t("“{key}” has no parameter “{name}”.", key=key, name=name[:40]))
        elif "|" in value:
            grid.append((name, tuple(_value(known[name], one) for one in value.split("|"))))
        else:
            params.append((name, _value(known[name], value)))
    return Entry(key, tuple(sorted(params)), tuple(sorted(grid)), unlabelled)


def read_values(param: Param, text: str) -> tuple:
    """Return the values that a reader typed with commas between them, each once.

    Raises
    ------
    ValueError
        If one is illegal, or there are too many.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) > MOST_VALUES:
        sentence = "At most {n} values can be offered here."
        raise ValueError(t(sentence, n=MOST_VALUES))
    return tuple(dict.fromkeys(_value(param, word) for word in words))


def named(title: str, own: Entry, others: Sequence[Entry], declared: Sequence[Param]) -> str:
    """Return what an entry is called: its title, and what tells it from others of its key."""
    alike = [other for other in others if other.key == own.key and other != own]
    parts = []
    usual = defaults(declared)
    for param in declared:
        values = [_all_of(each, param.name, usual[param.name]) for each in (own, *alike)]
        if any(value != values[0] for value in values):
            words = t(", ").join(_value_words(value) for value in values[0])
            label = t(param.label or param.name)
            parts.append(t("{param}: {value}", param=_lowered(label), value=words))
    if own.unlabelled:
        parts.append(t("sees test rows without classes"))
    return t("{title} ({parts})", title=title, parts=t(", ").join(parts)) if parts else title


def distinct(title: str, taken: Collection[str]) -> str:
    """Return a title, with a number behind it where it is `taken`."""
    n, found = 1, title
    while found in taken:
        n += 1
        found = t("{name} ({n})", name=title, n=n)
    return found


def _all_of(entry: Entry, name: str, default: object) -> tuple:
    return dict(entry.grid).get(name, (dict(entry.params).get(name, default),))


def _lowered(label: str) -> str:
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def _value_words(value: object) -> str:
    if value is None:
        return t("none")
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    return choice_title(value) if isinstance(value, str) else number(value)


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _value(param: Param, text: str) -> object:
    value: object = text
    if param.none and text in ("none", param.none_word):
        return None
    if param.kind is bool:
        value = {"true": True, "false": False}.get(text, text)
    elif param.kind is not str and text not in param.choices:
        try:
            value = param.kind(text)
        except ValueError:
            value = text
    try:
        return param.check(value)
    except (ValueError, OverflowError):
        sentence = "{name} must be {legal}, got “{text}”."
        label = t(param.label or param.name)
        raise ValueError(
            t(sentence, name=label, legal=translated(param.legal(in_link=True)), text=text[:40])
        ) from None
