"""Working out what a formula card prints: a reader of the LaTeX that cards are made of."""

from __future__ import annotations

import math
import re

TOKEN = re.compile(r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[{}()|^+\-_,]")
IGNORED = {r"\left", r"\right", r"\cdot", r"\displaystyle"}


def worked_out(latex: str) -> tuple[float, str]:
    """Return what stands before the last equals sign comes to, and the text behind it."""
    before, _, after = latex.rpartition("=")
    before = re.sub(r"\\(begin|end)\{aligned\}|\\\\|&", " ", before)
    after = re.sub(r"\\end\{aligned\}|&", " ", after).strip()
    tokens = [t for t in TOKEN.findall(before) if t not in IGNORED]
    reader = _Reader(tokens)
    value = reader.sum()
    assert reader.place == len(tokens), f"not all of {before!r} was read"
    return value, after.removeprefix(r"\mathbf{").removesuffix("}")


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.place = tokens, 0

    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.next()
        assert expected in (None, token), f"{expected!r} expected, got {token!r}"
        self.place += 1
        return token

    def sum(self) -> float:
        sign = -1.0 if self.next() == "-" else 1.0
        if self.next() in ("+", "-"):
            self.take()
        total = sign * self.product()
        while self.next() in ("+", "-"):
            sign = 1.0 if self.take() == "+" else -1.0
            total += sign * self.product()
        return total

    def product(self) -> float:
        value = self.power()
        while self.next() not in ("", "+", "-", ")", "}", "|", ","):
            value *= self.power()
        return value

    def power(self) -> float:
        value = self.primary()
        if self.next() == "^":
            self.take()
            value **= self.group() if self.next() == "{" else float(self.take())
        return value

    def group(self, opening: str = "{", closing: str = "}") -> float:
        self.take(opening)
        value = self.sum()
        self.take(closing)
        return value

    def primary(self) -> float:
        token = self.next()
        if token in (r"\frac", r"\tfrac"):
            self.take()
            return self.group() / self.group()
        if token == r"\sqrt":
            self.take()
            return math.sqrt(self.group())
        if token in (r"\ln", r"\log"):
            self.take()
            if token == r"\log":
                self.take("_")
                assert self.group() == 2
                return math.log2(self.power())
            return math.log(self.power())
        if token == r"\max":
            self.take()
            self.take("(")
            values = [self.sum()]
            while self.next() == ",":
                self.take()
                values.append(self.sum())
            self.take(")")
            return max(values)
        if token == "(":
            return self.group("(", ")")
        if token == "|":
            self.take()
            value = self.sum()
            self.take("|")
            return abs(value)
        return float(self.take())
