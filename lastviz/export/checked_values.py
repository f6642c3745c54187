"""Parts of a JSON document, checked as they are read and refused with their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from lastviz._sentences import Refusal, Statement

MOST = 1e200
"""What nodes of a tree hold stays below, so that sums are finite."""
NOT_FINITE = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


@dataclass(frozen=True)
class Value:
    """Part of a document, checked as it is read, with its place there."""

    value: object
    where: str

    def refuse(self, wanted: Statement) -> NoReturn:
        """Raise a ValueError with the wanted and the actual value."""
        shown = repr(self.value)
        shown = shown if len(shown) <= 40 else f"{shown[:39]}…"
        raise Refusal(
            "{where} must be {wanted}, got {shown}",
            where=self.where or Statement("the document"),
            wanted=wanted,
            shown=shown,
        )

    def has(self, name: str) -> bool:
        """Whether this object has a member."""
        if not isinstance(self.value, dict):
            self.refuse(Statement("an object"))
        return name in self.value

    def member(self, name: str) -> Value:
        """Member of this object."""
        where = f"{self.where}.{name}" if self.where else name
        if not self.has(name):
            raise Refusal("{where} is missing", where=where[:80])
        return Value(self.value[name], where)

    def items(self, n: int | None = None) -> list[Value]:
        """Values of this list, `n` of them if given."""
        if not isinstance(self.value, list) or n not in (None, len(self.value)):
            self.refuse(Statement("a list") if n is None else Statement("a list of {n}", n=n))
        return [Value(item, f"{self.where}[{i}]") for i, item in enumerate(self.value)]

    def text(self, *words: str) -> str:
        """The value, refused unless it is a text, and one of `words` if there are any."""
        if not isinstance(self.value, str) or (words and self.value not in words):
            self.refuse(
                Statement("one of {words}", words=", ".join(words))
                if words
                else Statement("a text")
            )
        return self.value

    def truth(self) -> bool:
        """Truth value."""
        if not isinstance(self.value, bool):
            self.refuse(Statement("true or false"))
        return self.value

    def integer(self, low: int, high: int) -> int:
        """Whole number of low, ..., high - 1."""
        if type(self.value) is not int or not low <= self.value < high:
            self.refuse(Statement("a whole number from {low} to {high}", low=low, high=high - 1))
        return self.value

    def real(self, low: float = -MOST, high: float = MOST) -> float:
        """Finite number between the two, both included."""
        if type(self.value) not in (int, float) or not low <= self.value <= high:
            self.refuse(Statement("a number from {low:g} to {high:g}", low=low, high=high))
        return float(self.value)

    def label(self) -> str | bool | int | float:
        """Name of a class or a category: a text, a truth value or a finite number."""
        known = isinstance(self.value, str | bool | int | float)
        if not known or self.value != self.value or self.value in (np.inf, -np.inf):
            self.refuse(Statement("a text or a number"))
        if type(self.value) is int and not -(2**63) <= self.value < 2**63:
            self.refuse(Statement("a number of at most 64 bits"))
        return self.value

    def labels(self) -> list[str | bool | int | float]:
        """List of different names."""
        found = [item.label() for item in self.items()]
        if len(set(found)) < len(found):
            self.refuse(Statement("a list without repetitions"))
        return found

    def integers(self, n: int | None, low: int, high: int, dtype: type = np.intp) -> np.ndarray:
        """List of `n` whole numbers of low, ..., high - 1."""
        items = self.value
        if not isinstance(items, list) or n not in (None, len(items)):
            self.items(n)
        if not all(type(v) is int and low <= v < high for v in items):
            [item.integer(low, high) for item in self.items()]
        return np.array(items, dtype=dtype)

    def reals(
        self,
        shape: tuple[int, ...],
        low: float = -MOST,
        high: float = MOST,
        *,
        finite: bool = True,
    ) -> np.ndarray:
        """Numbers in nested lists of this shape.

        `finite`: texts for infinite numbers and NaN are refused.
        """
        if len(shape) > 1:
            rows = [
                item.reals(shape[1:], low, high, finite=finite) for item in self.items(shape[0])
            ]
            return np.array(rows, dtype=np.float64).reshape(shape)
        items = self.value
        if not isinstance(items, list) or len(items) != shape[0]:
            self.items(shape[0])
        if all(type(v) is float and low <= v <= high for v in items):
            return np.array(items, dtype=np.float64)
        each = self.items()
        known = {} if finite else NOT_FINITE
        return np.array(
            [
                known[item.value]
                if isinstance(item.value, str) and item.value in known
                else item.real(low, high)
                for item in each
            ],
            dtype=np.float64,
        )

    def truths(self, shape: tuple[int, ...]) -> np.ndarray:
        """Truth values in nested lists of this shape."""
        if len(shape) > 1:
            rows = [item.truths(shape[1:]) for item in self.items(shape[0])]
            return np.array(rows, dtype=bool).reshape(shape)
        return np.array([item.truth() for item in self.items(shape[0])], dtype=bool)
