"""What columns, values and classes are called, as one short text of a link, and back."""

from __future__ import annotations

import json

from lastviz._recent import recently
from lastviz.datasets.labels import Labels, checked_labels
from lastviz.ui.text import number, t

from .packed_text import packed_text, unpacked_text

MOST_LETTERS = 4000  # of a link; mail programs and proxies cut longer ones


def packed(labels: Labels) -> str:
    """Return labels as letters, digits, "-" and "_"; "" without any.

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
def unpacked(text: str) -> Labels:
    """Return the labels that :func:`packed` wrote; raises ValueError if it did not."""
    if not text:
        return Labels()
    try:
        names, units, values, colours = json.loads(unpacked_text(text))
        parts = [dict(names), dict(units), {c: dict(of) for c, of in values.items()}]
        return checked_labels(Labels(*parts, dict(colours)))
    except (RecursionError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def read_labels(text: str) -> str:
    """Return the labels of a link, as its text; raises ValueError if there are none in it."""
    if len(text) > MOST_LETTERS or not unpacked(text):
        raise ValueError(text[:20])
    return text
