"""The Python of a page: its blocks, run one after the other as a reader would.

Known to the tests and to the site, which shows what the blocks print and draw.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
from dataclasses import dataclass

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes
    ----------
    language, code : str
    line : int
        Of its fence, counted from one.
    """

    language: str
    code: str
    line: int


def blocks_of(text: str, language: str = "python") -> list[Block]:
    """Return the fenced blocks of a page in one language."""
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
        if found[1] == language
    ]


def run(code: str, names: dict[str, object]) -> tuple[str, object]:
    """Run a block; return what it printed, and the value of its last line if that is one.

    Parameters
    ----------
    code : str
    names : dict
        What the blocks before left; it is changed.
    """
    parsed = ast.parse(code)
    last = None
    if parsed.body and isinstance(parsed.body[-1], ast.Expr):
        last = ast.Expression(parsed.body.pop().value)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(parsed, "<block>", "exec"), names)
        value = None if last is None else eval(compile(last, "<block>", "eval"), names)
    return printed.getvalue(), value
