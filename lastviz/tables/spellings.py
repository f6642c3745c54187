"""Names that people take for one: composed and decomposed letters, blanks that nobody sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .raw import different

if TYPE_CHECKING:
    import pyarrow as pa

# Signs that look like another one, each before it; they count only where two names collide.
PAIRS = (
    "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXаaеeѕsіiјjоoрpсcуyхx"  # Cyrillic
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοo"  # Greek
    "‐-‑-‒-–-—-−-’'‘'ʼ'´'`'”\"“\""
)
TWINS = str.maketrans(PAIRS[::2], PAIRS[1::2])
BLANKS = re.compile(r"[\s\u2800\u3164]+")
UNSEEN = ("Cf", "Cc")  # categories of signs without a shape


def look_of(name: str) -> str:
    """Return what a name looks like: equal for names that no eye tells apart."""
    blanks = BLANKS.sub(" ", unicodedata.normalize("NFC", name))
    seen = (
        sign
        for sign in blanks
        if unicodedata.category(sign) not in UNSEEN and not "\ufe00" <= sign <= "\ufe0f"
    )
    return "".join(seen).strip().translate(TWINS)


def case_of(name: str) -> str:
    """Return what a name looks like in small letters, and a number without its leading zeros."""
    plain = look_of(name).casefold()
    return plain.lstrip("0") or plain if plain.isdigit() else plain


LOOKS = {"looks": look_of, "case": case_of}


def merged_spellings(text: pa.ChunkedArray, how: str) -> pa.ChunkedArray:
    """Return names with one spelling each: the one that most cells have, else the first."""
    import pyarrow as pa

    cells, codes = different(text)
    words = cells.to_pylist()
    counts = np.bincount(codes, minlength=len(words) + 1)
    keys = [LOOKS[how](word) for word in words]
    best: dict[str, int] = {}
    for place, key in enumerate(keys):
        if counts[place] > counts[best.setdefault(key, place)]:
            best[key] = place
    spelt = pa.array([*(words[best[key]] for key in keys), None], pa.string())
    return pa.chunked_array([spelt.take(pa.array(codes))])


def spelt_as(text: pa.ChunkedArray, levels: Iterable[str], how: str) -> pa.ChunkedArray:
    """Return names in the spelling of the levels that they look like."""
    import pyarrow as pa

    known = {LOOKS[how](level): level for level in levels}
    cells, codes = different(text)
    spelt = pa.array([*(known.get(LOOKS[how](c), c) for c in cells.to_pylist()), None], pa.string())
    return pa.chunked_array([spelt.take(pa.array(codes))])
