"""Memory of computed results: for all sessions of the process, and for one run of a page.

The memory of the process is bounded by its bytes. Results of jobs, such as trained models, are in
it, too. ``LASTVIZ_CACHE_MB`` says how much may be kept; what was not used for longest goes first,
whatever it is, and what was not used for :data:`UNUSED` seconds goes in any case. Arrays that
several results share count once. :mod:`.size` tells how bytes are counted.

What one run of a page has looked up it keeps in :class:`resolved` properties.
"""

from __future__ import annotations

import functools
import os
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from gc import get_referents
from itertools import islice
from sys import getsizeof
from threading import Lock
from time import monotonic
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import TypeVar

import numpy as np

from .language import LANGUAGE_USES, current_language
from .turns import TURNS

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
    """Approximate size of a value in bytes, with everything it refers to."""
    return measure(value).total


def measure(value: object) -> MemorySize:
    """Size of a value, with its large arrays one by one."""
    size = MemorySize()
    waiting, seen = [(value, 1.0)], set()
    while waiting and len(seen) < MOST_LOOKS:
        one, weight = waiting.pop()
        look = _look_for(type(one))
        if look is None or id(one) in seen:
            continue
        seen.add(id(one))
        if look is getsizeof:
            size.small += weight * getsizeof(one)
        else:
            waiting.extend(look(size, one, weight))
    return size


class MemorySize:
    """Size of a value in memory.

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

    def sequence(self, one: Sequence | set, weight: float) -> Parts:
        """Add a list and the like; return its entries."""
        self.small += weight * getsizeof(one)
        return _sampled(one, len(one), weight)

    def mapping(self, one: dict, weight: float) -> Parts:
        """Add a dictionary; return its keys and values."""
        self.small += weight * getsizeof(one)
        n = len(one)
        if n <= FEW:
            return [(part, weight) for part in (*one.keys(), *one.values())]
        return (*_sampled(one.keys(), n, weight), *_sampled(one.values(), n, weight))

    def array(self, one: np.ndarray, weight: float) -> Parts:
        """Add an array and the array that it is a view of; return its referents."""
        self.small += weight * HEADER
        owner = one
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self._add_buffer(owner if owner.base is None else owner.base, owner.nbytes, weight)
        return _sampled(owner.flat, owner.size, weight) if owner.dtype.hasobject else ()

    def other(self, one: object, weight: float) -> Parts:
        """Add an object of any other class; return its referents."""
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
def _look_for(kind: type) -> Callable[..., object] | None:
    """Method that adds an object of this class, `getsizeof` for one without parts.

    None: it counts for nothing.
    """
    if issubclass(kind, FREE) or issubclass(kind, PROGRAM):
        return None
    if kind.__module__.partition(".")[0] in PACKAGES:
        return None
    if issubclass(kind, TEXTS):
        return getsizeof
    if issubclass(kind, np.ndarray):
        return MemorySize.array
    if issubclass(kind, dict):
        return MemorySize.mapping
    return MemorySize.sequence if issubclass(kind, CONTAINERS) else MemorySize.other


def _sampled(parts: Iterable[object], n_parts: int, weight: float) -> Parts:
    if n_parts <= FEW:
        return [(part, weight) for part in parts]
    step = n_parts // SAMPLED
    can_skip = isinstance(parts, list | tuple | np.flatiter)
    chosen = list(parts[::step] if can_skip else islice(parts, 0, None, step))
    return [(part, weight * n_parts / len(chosen)) for part in chosen]


# ---------------------------------------------------------------- memory


VARIABLE = "LASTVIZ_CACHE_MB"
WORKERS = "LASTVIZ_WORKERS"  # how many processes share the machine, as their launcher says
MEGABYTES = 256  # unless another number is asked for
UNUSED = 600.0  # seconds after its last use in which a value is kept
FEWEST = 64  # megabytes; less would not hold what one page needs
BESIDE = 1024  # bytes that an entry takes beside its value
MEASURED_AGAIN = {1, 4, 32, 256}  # uses: what a value computes when first asked for stays with it

Result = TypeVar("Result")


@dataclass(eq=False)
class CacheEntry:
    """Value kept in memory, with its size and its uses."""

    value: object
    counted: object  # the part of it that takes room
    size: MemorySize = field(default_factory=MemorySize)
    n_uses: int = 0
    used_at: float = 0.0  # when it was used last, by the clock of its memory


@dataclass
class SharedArray:
    """A large array and how many of the values that are kept hold it."""

    n_bytes: int
    n_holders: int = 0


class Memory:
    """Values by key, as many as fit; those not used for longest are forgotten.

    The newest is kept even if it alone takes more: who has made it asks for it again and again.

    Parameters
    ----------
    most_bytes : int
    clock : callable
        Returns seconds.

    Attributes
    ----------
    n_bytes : int
        What all values take.
    """

    def __init__(self, most_bytes: int, clock: Callable[[], float] = monotonic) -> None:
        self.most_bytes = most_bytes
        self._clock = clock
        self.n_bytes = 0
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, CacheEntry] = OrderedDict()
        self._arrays: dict[int, SharedArray] = {}

    def __len__(self) -> int:
        """Number of values kept."""
        return len(self._entries)

    def find(self, key: Hashable) -> CacheEntry | None:
        """Entry kept under a key, or None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            entry.used_at = self._clock()
            entry.n_uses += 1
        if entry.n_uses in MEASURED_AGAIN:
            self._settle(key, entry, measure(entry.counted), is_new=False)
        return entry

    def keep(self, key: Hashable, value: object, counted: object = None) -> None:
        """Keep a value, of which only `counted` takes room if that is given."""
        counted = value if counted is None else counted
        self._settle(key, CacheEntry(value, counted), measure(counted), is_new=True)

    def forget(self, key: Hashable) -> None:
        """Forget the value kept under a key, if any."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._release(entry.size)

    def forget_unused(self) -> int:
        """Forget values unused for :data:`UNUSED` seconds; return their number. O(those)."""
        dropped = []
        with self._lock:
            before = self._clock() - UNUSED
            while self._entries and next(iter(self._entries.values())).used_at < before:
                dropped.append(self._entries.popitem(last=False)[1])
                self._release(dropped[-1].size)
        return len(dropped)

    def forget_all_about(self, word: str) -> None:
        """Forget all values whose keys name a word, as the digest of a file. O(values)."""
        with self._lock:
            named = [key for key in self._entries if word in _words_of(key)]
            dropped = [self._entries.pop(key) for key in named]
            for entry in dropped:
                self._release(entry.size)

    def remembered(self, function: Callable[..., Result]) -> Callable[..., Result]:
        """Compute ``function(key, ...)`` once per key, and keep it.

        Sessions that ask while a key is being computed wait for it. Only the key counts, a text
        or a tuple; what comes after it is what the computation needs. Streamlit's caches do the
        same, but take half a millisecond a look, a dozen times a run. An error is not remembered.

        Where `function` was seen to put something into words, there is one value a language.
        """
        name = f"{function.__module__}.{function.__qualname__}"
        under_way: dict[tuple[Hashable, str], Future[Result]] = {}
        lock = Lock()
        speaks = False

        @functools.wraps(function)
        def look_up(key: Hashable, *args: object) -> Result:
            with lock:
                entry = self.find((name, key, current_language()) if speaks else (name, key))
                if entry is not None:
                    LANGUAGE_USES.count += speaks  # so does who asks
                    return entry.value
                request = (key, current_language())
                future = under_way.get(request)
                mine = future is None
                if mine:
                    future = under_way[request] = Future()
            if mine:
                compute(request, args, future)
            elif not future.done():
                with TURNS.away():  # who computes it may wait for its turn
                    future.exception()
            value = future.result()
            LANGUAGE_USES.count += speaks
            return value

        def compute(request: tuple[Hashable, str], args: tuple, future: Future) -> None:
            nonlocal speaks
            words = LANGUAGE_USES.count
            try:
                value = function(request[0], *args)
                speaks = speaks or LANGUAGE_USES.count != words
                self.keep((name, *request) if speaks else (name, request[0]), value)
                future.set_result(value)
            except BaseException as error:
                future.set_exception(error)
            finally:
                with lock:
                    del under_way[request]

        return look_up

    def remembered_by(self, key_of: Callable[..., Hashable]) -> Callable[[Callable], Callable]:
        """As :meth:`remembered`, for a function with the key `key_of` its arguments."""

        def decorated(function: Callable[..., Result]) -> Callable[..., Result]:
            @self.remembered
            @functools.wraps(function)
            def look_up(key: Hashable, compute: Callable[[], Result]) -> Result:
                return compute()

            @functools.wraps(function)
            def ask(*args: object, **named: object) -> Result:
                compute = functools.partial(function, *args, **named)
                return look_up(key_of(*args, **named), compute)

            return ask

        return decorated

    def _settle(self, key: Hashable, entry: CacheEntry, size: MemorySize, *, is_new: bool) -> None:
        """Account for an entry, and make room for it."""
        dropped = []  # what goes is taken apart when others may look again
        with self._lock:
            old = self._entries.get(key)
            if not is_new and old is not entry:
                return  # it has gone meanwhile
            if old is not None:
                self._release(old.size)
                dropped.append(old)
            entry.size, entry.used_at = size, self._clock()
            self._entries[key] = entry
            self._entries.move_to_end(key)
            self._hold(size)
            while self.n_bytes > self.most_bytes and len(self._entries) > 1:
                dropped.append(self._entries.popitem(last=False)[1])
                self._release(dropped[-1].size)

    def _hold(self, size: MemorySize) -> None:
        self.n_bytes += round(size.small) + BESIDE
        for owner, n_bytes in size.arrays.items():
            shared = self._arrays.get(owner)
            if shared is None:
                self._arrays[owner] = shared = SharedArray(n_bytes)
                self.n_bytes += n_bytes
            shared.n_holders += 1

    def _release(self, size: MemorySize) -> None:
        self.n_bytes -= round(size.small) + BESIDE
        for owner in size.arrays:
            shared = self._arrays[owner]
            shared.n_holders -= 1
            if not shared.n_holders:
                del self._arrays[owner]
                self.n_bytes -= shared.n_bytes


def _words_of(key: Hashable) -> str:
    """Texts in a key, one after the other."""
    if isinstance(key, tuple):
        return "|".join(map(_words_of, key))
    return key if isinstance(key, str) else ""


def megabytes() -> int:
    """Size limit of the memory in megabytes.

    Raises
    ------
    ValueError
        If the variable holds something else than a number that is large enough.
    """
    text = os.environ.get(VARIABLE, "").strip() or str(MEGABYTES)
    if not text.isascii() or not text.isdigit() or int(text) < FEWEST:
        raise ValueError(f"{VARIABLE} must be a whole number of at least {FEWEST}, got {text!r}")
    return int(text)


MEMORY = Memory(megabytes() * 2**20)
remembered, remembered_by = MEMORY.remembered, MEMORY.remembered_by
shared = remembered_by(lambda owner, *args: (owner.cache_key, *args))
"""Compute a method once per process for each key of its object and its arguments."""


class resolved(functools.cached_property[Result]):
    """Property that is computed once for each object.

    The object lives as long as one run of a page.

    What its function puts into words counts as spoken whenever it is read: so that what is
    remembered of it is remembered for one language. An error is no answer.
    """

    def __get__(self, instance: object, owner: type | None = None) -> Result:
        """Value of the property, from the second time on by itself where it has no words."""
        if instance is None:
            return self
        spoken_of = instance.__dict__.setdefault("_spoken", {})
        if self.attrname in spoken_of:
            LANGUAGE_USES.count += 1
            return spoken_of[self.attrname]
        uses = LANGUAGE_USES.count
        value = self.func(instance)
        has_words = LANGUAGE_USES.count != uses
        (spoken_of if has_words else instance.__dict__)[self.attrname] = value
        return value
