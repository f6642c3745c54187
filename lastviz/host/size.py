"""How many bytes a value takes: quick, and about right whatever it is made of.

What a value refers to is followed as Python's own collector does it, except what belongs to the
program (classes, modules, functions and the like). Of a container with more than :data:`FEW`
entries, :data:`SAMPLED` evenly spaced ones stand for all.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from gc import get_referents
from itertools import islice
from sys import getsizeof
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
)

import numpy as np

FEW = 32  # entries of a container that are all looked at
SAMPLED = 16  # of a larger one
LARGE = 4096  # bytes from which an array is accounted for by itself
HEADER = 112  # bytes of an array without its numbers
MOST_LOOKS = 20_000  # objects after which the rest is left out

TEXTS = (str, bytes, bytearray, float, complex, np.generic)
FREE = (int, type(None), range, slice)  # mostly shared by the whole program, or next to nothing
CONTAINERS = (list, tuple, set, frozenset)
PROGRAM = (
    *(type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, CodeType, FrameType),
    *(np.dtype, np.ufunc, Enum, weakref.ref),
)
PACKAGES = {"numba", "streamlit", "threading", "_thread", "logging", "concurrent"}

Parts = Iterable[tuple[object, float]]
"""What to look at next, each with how many of its kind it stands for."""


def size_of(value: object) -> int:
    """Return about how many bytes a value takes, with all that it refers to."""
    return measured(value).total


def measured(value: object) -> Size:
    """Return what a value takes, its large arrays one by one."""
    size = Size()
    waiting, seen = [(value, 1.0)], set()
    while waiting and len(seen) < MOST_LOOKS:
        one, weight = waiting.pop()
        look = _look_for(type(one))
        if look is not None and id(one) not in seen:
            seen.add(id(one))
            waiting.extend(look(size, one, weight))
    return size


class Size:
    """What a value takes.

    Attributes
    ----------
    small : float
        Bytes of everything but large arrays.
    arrays : dict of int to int
        Bytes of each large array, by the identity of what owns them: others may share it.
    """

    def __init__(self) -> None:
        self.small = 0.0
        self.arrays: dict[int, int] = {}
        self._owners: set[int] = set()

    @property
    def total(self) -> int:
        """All bytes."""
        return round(self.small) + sum(self.arrays.values())

    def text(self, one: object, weight: float) -> Parts:
        """Add what has no parts."""
        self.small += weight * getsizeof(one)
        return ()

    def sequence(self, one: Sequence | set, weight: float) -> Parts:
        """Add a list and the like; return its entries."""
        self.small += weight * getsizeof(one)
        return _sampled(one, len(one), weight)

    def mapping(self, one: dict, weight: float) -> Parts:
        """Add a dictionary; return its keys and values."""
        self.small += weight * getsizeof(one)
        n = len(one)
        return (*_sampled(one.keys(), n, weight), *_sampled(one.values(), n, weight))

    def array(self, one: np.ndarray, weight: float) -> Parts:
        """Add an array and what it is a view of; return what it refers to."""
        self.small += weight * HEADER
        owner = one
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self._add_buffer(owner if owner.base is None else owner.base, owner.nbytes, weight)
        return _sampled(owner.flat, owner.size, weight) if owner.dtype.hasobject else ()

    def other(self, one: object, weight: float) -> Parts:
        """Add an object of any other class; return what it refers to."""
        n_bytes = None if hasattr(one, "__dict__") else getattr(one, "nbytes", None)
        if isinstance(n_bytes, int):  # it owns a buffer, such as a column of Arrow's
            self._add_buffer(one, n_bytes, weight)
            return ()
        self.small += weight * type(one).__basicsize__
        return [(part, weight) for part in get_referents(one)]

    def _add_buffer(self, owner: object, n_bytes: int, weight: float) -> None:
        if id(owner) in self._owners:
            return
        self._owners.add(id(owner))
        if n_bytes >= LARGE and weight == 1.0:
            self.arrays[id(owner)] = n_bytes
        else:
            self.small += weight * n_bytes


@cache
def _look_for(kind: type) -> Callable[[Size, object, float], Parts] | None:
    """Return how to add an object of this class; None: it counts for nothing."""
    if issubclass(kind, FREE) or issubclass(kind, PROGRAM):
        return None
    if kind.__module__.partition(".")[0] in PACKAGES:
        return None
    if issubclass(kind, TEXTS):
        return Size.text
    if issubclass(kind, np.ndarray):
        return Size.array
    if issubclass(kind, dict):
        return Size.mapping
    return Size.sequence if issubclass(kind, CONTAINERS) else Size.other


def _sampled(parts: Iterable[object], n_parts: int, weight: float) -> Parts:
    if n_parts <= FEW:
        return [(part, weight) for part in parts]
    step = n_parts // SAMPLED
    can_skip = isinstance(parts, list | tuple | np.flatiter)
    chosen = list(parts[::step] if can_skip else islice(parts, 0, None, step))
    return [(part, weight * n_parts / len(chosen)) for part in chosen]
