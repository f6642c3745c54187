"""What a PDF of the browser says and where its paths begin, read without another program."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.S)
TOKEN = re.compile(rb"<[0-9A-Fa-f]*>|\[|\]|/[^\s/<>\[\]()]+|[^\s<>\[\]/()]+")
PAINTS = {"f", "f*", "S", "s", "B", "B*", "b", "b*"}
Matrix = tuple[float, float, float, float, float, float]


@dataclass
class Paper:
    """One page: its size in points, its text, and where painted paths begin.

    Attributes
    ----------
    size : tuple of float
    text : str
    starts : list of (x, y)
        In points from the upper left corner; of a rectangle all four corners.
    """

    size: tuple[float, float] = (0.0, 0.0)
    text: str = ""
    starts: list[tuple[float, float]] = field(default_factory=list)


def read_pdf(content: bytes) -> Paper:
    """Return the only page of a PDF."""
    objects = {int(match[1]): match[2] for match in OBJECT.finditer(content)}
    (page,) = (body for body in objects.values() if b"/Type /Page\n" in body)
    paper = Paper()
    paper.size = tuple(map(float, re.search(rb"/MediaBox \[0 0 (\S+) (\S+)\]", page).groups()))
    _painted(objects, _reference(page, b"Contents"), page, (1, 0, 0, 1, 0, 0), paper)
    height = paper.size[1]
    paper.starts = [(x, height - y) for x, y in paper.starts]
    return paper


def _reference(body: bytes, name: bytes) -> int:
    return int(re.search(rb"/" + name + rb" (\d+) 0 R", body)[1])


def _stream(body: bytes) -> bytes:
    return zlib.decompress(body.partition(b"stream\n")[2].rpartition(b"\nendstream")[0])


def _letters(objects: dict[int, bytes], font: int) -> dict[int, str]:
    """Return what the glyphs of a font stand for."""
    table = _stream(objects[_reference(objects[font], b"ToUnicode")]).decode()
    said = lambda code: bytes.fromhex(code).decode("utf-16-be")  # noqa: E731
    letters = {}
    for part in re.findall(r"beginbfchar\n(.*?)endbfchar", table, re.S):
        letters |= {int(a, 16): said(b) for a, b in re.findall(r"<(\w+)> <(\w+)>", part)}
    for part in re.findall(r"beginbfrange\n(.*?)endbfrange", table, re.S):
        for low, high, first in re.findall(r"<(\w+)> <(\w+)> <(\w+)>", part):
            start = int(low, 16)
            for glyph in range(start, int(high, 16) + 1):
                letters[glyph] = chr(ord(said(first)) + glyph - start)
    return letters


def _operations(stream: bytes) -> Iterator[tuple[str, list[bytes]]]:
    operands: list[bytes] = []
    for token in TOKEN.findall(stream):
        if re.fullmatch(rb"[A-Za-z*]+", token):
            yield token.decode(), operands
            operands = []
        else:
            operands.append(token)


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
            e * g + f * i + k, e * h + f * j + m)  # fmt: skip


def _painted(
    objects: dict[int, bytes], stream: int, owner: bytes, at: Matrix, paper: Paper
) -> None:
    """Follow a content stream and the forms that it draws."""
    kept, path, letters = [], [], {}
    for name, operands in _operations(_stream(objects[stream])):
        if name == "q":
            kept.append(at)
        elif name == "Q":
            at = kept.pop()
        elif name == "cm":
            at = _times(tuple(map(float, operands)), at)
        elif name == "m":
            path.append(tuple(map(float, operands)))
        elif name == "re":
            x, y, w, h = map(float, operands)
            path += [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
        elif name in PAINTS or name == "n":
            if name != "n":
                paper.starts += [(x * at[0] + y * at[2] + at[4], x * at[1] + y * at[3] + at[5])
                                 for x, y in path]  # fmt: skip
            path = []
        elif name == "Tf":
            letters = _letters(objects, _reference(owner, operands[0][1:]))
        elif name in ("Tj", "TJ"):
            glyphs = b"".join(part[1:-1] for part in operands if part[:1] == b"<").decode()
            codes = (int(glyphs[i : i + 4], 16) for i in range(0, len(glyphs), 4))
            paper.text += "".join(letters[code] for code in codes)
        elif name == "Do":
            form = _reference(owner, operands[0][1:])
            if b"/Subtype /Form" in objects[form]:
                _painted(objects, form, objects[form], at, paper)
