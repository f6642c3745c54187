"""Edits of a tree as a part of a link: ``T3_2.45~1O3_0.5_4_-1.25_0.75~10L``.

A code stands behind the path of its node, a digit (of 36) a branch, and ``~`` before the next.

=======================  =====================================================================
``T3_2.45``              forced: x3 <= 2.45
``O3_0.5_4_-1.25_0.75``  forced: 0.5 x3 - 1.25 x4 <= 0.75
``C2_1a``                forced: the categories of x2 whose bits are set in 1a go first
``S1_3``                 forced: classes 1 and 3 go first
``L``, ``L2``            made a leaf, or one that predicts class 2
``X1_4``, ``Y1_4``       without x1 and x4, here or from here down
``P``, ``K``             pruned, or kept from pruning
=======================  =====================================================================

Features and classes count from one. A link knows neither how many features there are nor how many
categories: weights end with the last that is not 0, categories with the last that goes first.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from lastviz._recent import recently
from lastviz.datasets.labels import Labels, checked_labels
from lastviz.splitters.edits import (
    MOST_EDITS,
    CategorySplit,
    ClassSplit,
    Cut,
    Edit,
    ForcedSplit,
    Kept,
    MadeLeaf,
    ObliqueSplit,
    Path,
    Split,
    Without,
)
from lastviz.ui.text import number, t

from .link_texts import packed_text, unpacked_text

Edits = tuple[Edit, ...]

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
JOINT, BETWEEN = "~", "_"
ALL_GROWN = "none"  # a tree by hand without edits: all of it is grown
MOST_FEATURES = 100_000
MOST_CATEGORIES = 1_000
_PART = re.compile(r"([0-9a-z]*)([A-Z])(.*)")
_BARE = {"P": Cut, "K": Kept}
_TO_FIRST, _TO_SECOND = 0, 1


def in_order(edits: Iterable[Edit]) -> Edits:
    """Edits as a selection holds them: by path, then by the thing they decide."""
    return tuple(sorted(edits, key=lambda edit: (edit.path, edit.slot)))


def trim(edit: Edit) -> Edit:
    """Edit with as many weights or categories as its code names.

    Raises
    ------
    ValueError
        If no code says it: its path has a branch of more than one digit, its split has more than
        two branches, or a number is not finite.
    """
    path = read_path(write_path(edit.path))
    return _read(path, *_written(edit))


def write_edits(edits: Edits) -> str:
    """Edits in the form that :func:`read_edits` reads."""
    codes = ("".join((write_path(edit.path), *_written(edit))) for edit in edits)
    return JOINT.join(codes)


def read_edits(text: str) -> tuple[Edits, tuple[str, ...]]:
    """Edits of a text, and the parts of it that say none.

    A second edit that decides the same of the same node says none, nor does any beyond
    ``MOST_EDITS``.
    """
    found: dict[tuple[Path, str], Edit] = {}
    dropped = []
    for part in text.split(JOINT):
        try:
            edit = _edit(part)
        except (ValueError, OverflowError):
            dropped.append(part)
            continue
        slot = (edit.path, edit.slot)
        if slot in found or len(found) == MOST_EDITS:
            dropped.append(part)
        else:
            found[slot] = edit
    return in_order(found.values()), tuple(dropped)


def read_hand(text: str) -> Edits:
    """Edits of a tree by hand; raises ValueError if a part of the text says none."""
    if text == ALL_GROWN:
        return ()
    edits, dropped = read_edits(text)
    if dropped:
        raise ValueError(text)
    return edits


def write_hand(edits: Edits) -> str:
    """Edits of a tree by hand in the form that :func:`read_hand` reads."""
    return write_edits(edits) or ALL_GROWN


def _edit(part: str) -> Edit:
    parted = _PART.fullmatch(part)
    if parted is None:
        raise ValueError(part)
    path, letter, rest = parted.groups()
    return _read(read_path(path), letter, rest)


def _digit(branch: int) -> str:
    if branch >= len(DIGITS):
        raise ValueError(branch)
    return DIGITS[branch]


def read_path(text: str) -> Path:
    """Path of a node, a digit (of 36) a branch; raises ValueError if it is none."""
    return tuple(map(DIGITS.index, text))


def write_path(path: Path) -> str:
    """Path in the form that :func:`read_path` reads."""
    return "".join(map(_digit, path))


def _written(edit: Edit) -> tuple[str, str]:
    """Letter of an edit and the text after it."""
    if isinstance(edit, Without):
        return "Y" if edit.below else "X", _joined(edit.features)
    if isinstance(edit, ForcedSplit):
        return _written_split(edit.split)
    if isinstance(edit, MadeLeaf):
        return "L", "" if edit.says is None else _joined((edit.says,))
    return next((letter, "") for letter, kind in _BARE.items() if isinstance(edit, kind))


def _written_split(split: object) -> tuple[str, str]:
    if isinstance(split, Split):
        return "T", f"{split.feature + 1}{BETWEEN}{_number(split.threshold)}"
    if isinstance(split, ClassSplit):
        return "S", _joined(split.first)
    if isinstance(split, ObliqueSplit):
        used = np.flatnonzero(split.weights)
        terms = [f"{f + 1}{BETWEEN}{_number(split.weights[f])}" for f in used]
        return "O", BETWEEN.join((*terms, _number(split.threshold)))
    if np.any(split.branch > _TO_SECOND):
        raise ValueError("a code has two branches")
    bits = sum(1 << int(category) for category in np.flatnonzero(split.branch == _TO_FIRST))
    return "C", f"{split.feature + 1}{BETWEEN}{bits:x}"


# Raises ValueError if there is none.
def _read(path: Path, letter: str, rest: str) -> Edit:
    """Edit for a letter and the text after it."""
    if letter in _BARE and not rest:
        return _BARE[letter](path)
    if letter == "L":
        return MadeLeaf(path, _place(rest) if rest else None)
    parts = rest.split(BETWEEN)
    if letter in "XY":
        return Without(path, _places(parts), below=letter == "Y")
    if letter == "S":
        return ForcedSplit(path, ClassSplit(_places(parts)))
    if letter == "T":
        feature, threshold = parts
        return ForcedSplit(path, Split(_place(feature), _finite(threshold), 0.0))
    if letter == "O":
        return ForcedSplit(path, _oblique(parts))
    if letter == "C":
        feature, bits = parts
        return ForcedSplit(path, CategorySplit(_place(feature), _branches(int(bits, 16)), 0.0))
    raise ValueError(letter)


def _oblique(parts: Sequence[str]) -> ObliqueSplit:
    *terms, threshold = parts
    features, weights = _places(terms[::2]), [_finite(text) for text in terms[1::2]]
    if len(features) != len(weights) or 0.0 in weights:
        raise ValueError(BETWEEN.join(parts))
    found = np.zeros(features[-1] + 1)
    found[list(features)] = weights
    return ObliqueSplit(found, _finite(threshold), 0.0)


def _branches(bits: int) -> np.ndarray:
    if not 0 < bits < 1 << MOST_CATEGORIES:
        raise ValueError(bits)
    to_first = [bits >> category & 1 for category in range(bits.bit_length())]
    return np.where(to_first, _TO_FIRST, _TO_SECOND)


def _place(text: str) -> int:
    place = int(text) - 1
    if not (text.isdecimal() and 0 <= place < MOST_FEATURES):
        raise ValueError(text)
    return place


def _places(texts: Sequence[str]) -> tuple[int, ...]:
    """Increasing positions, at least one."""
    places = tuple(map(_place, texts))
    if not places or list(places) != sorted(set(places)):
        raise ValueError(texts)
    return places


def _joined(places: Iterable[int]) -> str:
    return BETWEEN.join(str(place + 1) for place in places)


def _number(value: float) -> str:
    """Number that reads back bit for bit; a plus would be a space in a link."""
    if not math.isfinite(value):
        raise ValueError(value)
    return repr(float(value)).removesuffix(".0").replace("+", "")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


# ---- What columns, values and classes are called, as one short text of a link, and back


MOST_LETTERS = 4000  # of a link; mail programs and proxies cut longer ones


def pack_labels(labels: Labels) -> str:
    """Labels as letters, digits, "-" and "_"; "" without any.

    Raises
    ------
    ValueError
        If they are too many for a link; the sentence says what to do.
    """
    if not labels:
        return ""
    parts = [labels.names, labels.units, labels.values, labels.colours]
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    found = packed_text(text)
    if len(found) > MOST_LETTERS:
        sentence = (
            "These labels would take {n} characters in the link, which has room for {most}. Label "
            "fewer values, or distribute the table with its sidecar file."
        )
        raise ValueError(t(sentence, n=number(len(found)), most=number(MOST_LETTERS)))
    return found


@recently(256)
def unpack_labels(text: str) -> Labels:
    """Labels that :func:`pack_labels` wrote; raises ValueError if it did not."""
    if not text:
        return Labels()
    try:
        names, units, values, colours = json.loads(unpacked_text(text))
        parts = [dict(names), dict(units), {c: dict(of) for c, of in values.items()}]
        return checked_labels(Labels(*parts, dict(colours)))
    except (RecursionError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def read_labels(text: str) -> str:
    """Labels of a link, as its text; raises ValueError if there are none in it."""
    if len(text) > MOST_LETTERS or not unpack_labels(text):
        raise ValueError(text[:20])
    return text
