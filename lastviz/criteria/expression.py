"""Sums and fractions of printed numbers, typeset and evaluated from one expression.

An expression is made of the numbers that a formula card prints. :meth:`Expression.latex` writes
it, :meth:`Expression.value` works it out, from the printed numbers or from the exact ones.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

DIGITS = 4
_TALL = (r"\frac", r"\tfrac", r"\sqrt", r"\begin")


def tex_number(value: float) -> str:
    """Number as LaTeX: integers exact, else at most four significant digits.

    Digits before the decimal point are never rounded away.
    """
    if math.isnan(value):
        return r"\text{–}"
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if float(value).is_integer() and abs(value) < 1e9:
        return str(int(value))
    if not 1e-4 <= abs(value) < 1e9:
        digits, power = f"{value:.{DIGITS - 1}e}".split("e")
        digits = digits.rstrip("0").rstrip(".")
        return rf"{digits} \cdot 10^{{{int(power)}}}"
    before = math.floor(math.log10(abs(value))) + 1
    text = f"{value:.{max(0, DIGITS - before)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Expression(ABC):
    """Something that is written with numbers and has a value."""

    @abstractmethod
    def latex(self) -> str:
        """Expression with its printed numbers."""

    @abstractmethod
    def value(self, read: Callable[[float], float] = float) -> float:
        """Value of the expression; `read` maps each of its numbers to the one used."""

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that it is made of."""
        return ()

    def numbers(self) -> Iterator[float]:
        """Yield its numbers, from left to right."""
        for part in self.parts:
            yield from part.numbers()


@dataclass(frozen=True)
class Number(Expression):
    """A printed number."""

    number: float

    def latex(self) -> str:
        """Rounded number."""
        return tex_number(self.number)

    def value(self, read: Callable[[float], float] = float) -> float:
        """Number as mapped by `read`."""
        return read(self.number)

    def numbers(self) -> Iterator[float]:
        """Yield the number."""
        yield float(self.number)


@dataclass(frozen=True, init=False)
class Sum(Expression):
    """A sum; more than `per_line` terms stand below each other."""

    terms: tuple[Expression, ...]
    per_line: int

    def __init__(self, *terms: Expression, per_line: int = 0) -> None:
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "per_line", per_line)

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The terms."""
        return self.terms

    def latex(self) -> str:
        """Terms with their signs; 0 if there are none."""
        signed = []
        for place, term in enumerate(self.terms):
            text = term.latex()
            signed.append(text if place == 0 or text.startswith("-") else f"+ {text}")
        step = self.per_line or max(len(signed), 1)
        lines = [" ".join(signed[i : i + step]) for i in range(0, len(signed), step)]
        if len(lines) > 1:
            below = r" \\ & ".join(lines)
            return rf"\begin{{aligned}} & {below} \end{{aligned}}"
        return lines[0] if lines else "0"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Sum."""
        return math.fsum(term.value(read) for term in self.terms)


@dataclass(frozen=True, init=False)
class Product(Expression):
    """A product; sums among its factors stand in brackets."""

    factors: tuple[Expression, ...]
    dots: bool

    def __init__(self, *factors: Expression, dots: bool = True) -> None:
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "dots", dots)

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The factors."""
        return self.factors

    def latex(self) -> str:
        """Factors, with dots between them."""
        return (r" \cdot " if self.dots else " ").join(_inside(f) for f in self.factors)

    def value(self, read: Callable[[float], float] = float) -> float:
        """Product."""
        return math.prod(factor.value(read) for factor in self.factors)


@dataclass(frozen=True)
class Fraction(Expression):
    """A fraction; `small` in a line of text."""

    above: Expression
    below: Expression
    small: bool = False

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Numerator and denominator."""
        return (self.above, self.below)

    def latex(self) -> str:
        """Fraction."""
        command = r"\tfrac" if self.small else r"\frac"
        return rf"{command}{{{self.above.latex()}}}{{{self.below.latex()}}}"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Quotient."""
        return self.above.value(read) / self.below.value(read)


@dataclass(frozen=True)
class _OfOne(Expression):
    inside: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The one operand."""
        return (self.inside,)


@dataclass(frozen=True)
class Power(_OfOne):
    """A square."""

    def latex(self) -> str:
        """Square, sums and fractions in brackets."""
        text = self.inside.latex()
        plain = isinstance(self.inside, Number) and not text.startswith("-") and "^" not in text
        return f"{text}^2" if plain else rf"\left({text}\right)^2"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Square."""
        return self.inside.value(read) ** 2


@dataclass(frozen=True)
class Root(_OfOne):
    """A square root."""

    def latex(self) -> str:
        """Root."""
        return rf"\sqrt{{{self.inside.latex()}}}"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Root."""
        return math.sqrt(self.inside.value(read))


@dataclass(frozen=True)
class Log(_OfOne):
    """A logarithm, natural or to base 2."""

    base: int | None = None

    def latex(self) -> str:
        """Logarithm."""
        name = r"\ln" if self.base is None else rf"\log_{{{self.base}}}"
        return rf"{name} {self.inside.latex()}"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Logarithm."""
        inside = self.inside.value(read)
        return math.log(inside) if self.base is None else math.log(inside, self.base)


@dataclass(frozen=True)
class Absolute(_OfOne):
    """An absolute value."""

    def latex(self) -> str:
        """LaTeX of the operand between bars."""
        return rf"\left|{self.inside.latex()}\right|"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Absolute value."""
        return abs(self.inside.value(read))


@dataclass(frozen=True, init=False)
class Largest(Expression):
    """The largest of some expressions."""

    choices: tuple[Expression, ...]

    def __init__(self, *choices: Expression) -> None:
        object.__setattr__(self, "choices", choices)

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Operands whose largest is taken."""
        return self.choices

    def latex(self) -> str:
        """All of them after max."""
        inside = r",\ ".join(choice.latex() for choice in self.choices)
        return rf"\max\left({inside}\right)"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Largest."""
        return max(choice.value(read) for choice in self.choices)


@dataclass(frozen=True)
class Call(Expression):
    """A function of the class counts of two children, whose formula is not known."""

    function: Callable[[np.ndarray, np.ndarray], np.ndarray]
    left: tuple[float, ...]
    right: tuple[float, ...]

    def latex(self) -> str:
        """Counts of both children."""
        first, second = (
            r",\, ".join(tex_number(count) for count in side) for side in (self.left, self.right)
        )
        return rf"\mathrm{{score}}\left({first} \mid {second}\right)"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Value of the function at the counts."""
        left, right = (np.array([[read(c) for c in side]]) for side in (self.left, self.right))
        return float(self.function(left, right)[0])

    def numbers(self) -> Iterator[float]:
        """Yield the counts."""
        yield from (float(count) for count in (*self.left, *self.right))


def minus(expression: Expression) -> Product:
    """Expression with the sign turned."""
    return _Minus(expression)


@dataclass(frozen=True, init=False)
class _Minus(Product):
    def __init__(self, inside: Expression) -> None:
        super().__init__(inside)

    def latex(self) -> str:
        """LaTeX of the operand after a minus sign, a sum in brackets."""
        return f"- {_inside(self.factors[0])}"

    def value(self, read: Callable[[float], float] = float) -> float:
        """Value with the sign turned."""
        return -self.factors[0].value(read)


def _inside(expression: Expression) -> str:
    text = expression.latex()
    several = isinstance(expression, Sum) and len(expression.terms) > 1
    if not several and not text.startswith("-"):
        return text
    # A line can break within brackets, but not within those that grow with what they hold.
    grows = any(tall in text for tall in _TALL)
    return rf"\left({text}\right)" if grows else f"({text})"
