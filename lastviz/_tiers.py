"""Kernels run as Python until their machine code is there: tiers, as in other virtual machines.

A kernel that is called without machine code for its arguments is interpreted, which costs a small
table less than a second where compiling takes many. Inside it other kernels are interpreted, too,
at no cost beyond their own: it runs in a *world*, a copy of its module's names in which every
kernel is the plain function. What is interpreted for longer than :data:`PAYS` is worth compiling,
and a child process is asked for it (see :mod:`lastviz.preparation`). As soon as a kernel's machine
code is on the disk the worlds name the kernel itself, so that a loop which is being interpreted
goes on with compiled steps. Nothing here is in the way of a kernel whose machine code is loaded.
"""

from __future__ import annotations

import logging
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock, RLock, Thread, get_ident, local
from time import perf_counter, sleep
from types import FunctionType

from numba.core import sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import OmittedArg
from numba.core.registry import CPUDispatcher
from numba.core.types import unliteral

from . import preparation
from ._kernel_cache import KernelCache
from ._system import lock

PAYS = 1.0  # seconds interpreted after which machine code is worth asking for
TELLS = 2.0  # seconds after which a reader of the log is told why it takes so long
EVERY = 0.25  # seconds between two looks at what is interpreted, and for machine code
QUIET = 5.0  # seconds without a look after which nobody looks any more

log = logging.getLogger("lastviz")


class Tiers(local):
    """Whether a kernel without machine code is compiled before it runs.

    Otherwise it is interpreted.

    Attributes
    ----------
    always : bool, default False
        Whether it is in this process: in tests, and where nobody compiles beside it.
    depth : int
        How many blocks of this thread, one in the other, say so, as where time is measured.
    """

    always = False
    depth = 0

    @property
    def wait(self) -> bool:
        """Whether kernels are compiled before they run, here and now."""
        return self.depth > 0 or self.always


TIERS = Tiers()
KERNELS: list[Kernel] = []
"""All kernels of the modules that are imported."""


class Inlined(CPUDispatcher):
    """A kernel that has machine code as a part of its callers alone."""

    _interpreted: FunctionType | None = None

    @classmethod
    def of(cls, compiled: CPUDispatcher) -> Inlined:
        """Inlined function made of a numba dispatcher."""
        compiled.__class__ = cls
        return compiled

    @property
    def interpreted(self) -> FunctionType:
        """The kernel as Python, in its module's world."""
        if self._interpreted is None:
            with _lock:
                if self._interpreted is None:
                    self._interpreted = _in_world(self.py_func)
        return self._interpreted

    def _compile_for_args(self, *args: object, **kws: object) -> Callable:
        if TIERS.wait:
            return super()._compile_for_args(*args, **kws)
        return self.interpreted


class Kernel(Inlined):
    """A kernel that is called: its machine code, or itself as Python."""

    _folder: Path | None = None  # of its machine code, once it has one

    @classmethod
    def of(cls, compiled: CPUDispatcher, code: KernelCache) -> Kernel:
        """Kernel made of a numba dispatcher, with its machine code on disk."""
        kernel = super().of(compiled)
        kernel._cache = code
        kernel._looked = {}  # what was looked for -> when the folder had changed last
        kernel._places = ()  # worlds that name it, with the name
        KERNELS.append(kernel)
        return kernel

    def get_call_template(self, args: tuple, kws: dict) -> object:
        """Type it for the types of constants: no kernel is compiled for a constant."""
        kinds = {name: unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(unliteral, args)), kinds)

    def _compile_for_args(self, *args: object, **kws: object) -> Callable:
        if TIERS.wait:
            return CPUDispatcher._compile_for_args(self, *args, **kws)
        kinds = tuple(
            types.Omitted(a.value) if isinstance(a, OmittedArg) else self.typeof_pyval(a)
            for a in args
        )
        self._types_active_call.clear()
        if self._has_news(kinds) and self._load(kinds):
            return self.overloads[kinds].entry_point
        return partial(self._interpret, kinds)

    def compile(self, sig: object) -> object:
        """Compile a signature, or take the machine code that another process makes."""
        with global_compiler_lock:
            kinds = tuple(sigutils.normalize_signature(sig)[0])
            if not self._load(kinds):
                with self._alone():
                    return super().compile(sig)
            return self.overloads[kinds].entry_point

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time compile this kernel.

        No two kernels wait for each other.
        """
        with ExitStack() as files:
            with suppress(OSError, TypeError):  # where nothing can be kept each compiles for itself
                path = self._cache.cache_path / f"{self.py_func.__name__}.lock"
                lock(files.enter_context(path.open("ab")))
            yield

    def _load(self, kinds: tuple) -> bool:
        with global_compiler_lock:
            if kinds in self.overloads:
                return True
            found = self._cache.load_overload(kinds, self.targetctx)
            if found is None:
                return False
            self._cache_hits[kinds] += 1
            self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
            self.add_overload(found)
        return True

    def load(self) -> None:
        """Load all machine code that has come since it was last looked for."""
        if self._has_news("all"):
            with global_compiler_lock:
                for kinds in self._cache.signatures(self.targetctx):
                    self._load(kinds)

    def _has_news(self, about: object) -> bool:
        """Whether its machine code folder has changed since the last look."""
        if self._folder is None:
            self._folder = self._cache.cache_path
        try:
            changed = self._folder.stat().st_mtime_ns
        except (AttributeError, OSError):  # it has none
            return False
        is_news = changed != self._looked.get(about)
        self._looked[about] = changed
        return is_news

    def _interpret(self, kinds: tuple, *args: object) -> object:
        """Run the kernel as Python and count the seconds.

        They are not counted for a step of a kernel that is itself counted.
        """
        thread = get_ident()
        if thread in WATCH.calls:
            return self.interpreted(*args)
        begin = perf_counter()
        WATCH.calls[thread] = self, kinds, begin
        WATCH.go_on()
        try:
            return self.interpreted(*args)
        finally:
            del WATCH.calls[thread]
            WATCH.seconds[self, kinds] += perf_counter() - begin

    def is_named_again(self) -> None:
        """Let the worlds name the kernel itself, if machine code of it has come."""
        if self._places and (self.overloads or (self._has_news("") and self._cache.has_files())):
            for world, name in self._places:
                world[name] = self
            self._places = ()


class Watch:
    """Watch over interpreted kernels.

    It requests machine code where that pays, and takes it up once it is there.

    Attributes
    ----------
    calls : dict
        The kernel, the types of its arguments and the beginning, for each thread that interprets.
    seconds : Counter
        Those of the calls that have ended, by kernel and types.
    """

    def __init__(self) -> None:
        self.calls: dict[int, tuple[Kernel, tuple, float]] = {}
        self.seconds: Counter[tuple[Kernel, tuple]] = Counter()
        self._requests: Counter[tuple[Kernel, tuple]] = Counter()
        self._has_warned = False
        self._lock = Lock()
        self._thread: Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a kernel is interpreted now, or was a moment ago."""
        return self._thread is not None and self._thread.is_alive()

    def go_on(self) -> None:
        """Begin to look, if nobody does."""
        if not self.is_busy:  # in a process that was forked the thread is none of its own
            with self._lock:
                if not self.is_busy:
                    self._thread = Thread(target=self._look_on, name="watch", daemon=True)
                    self._thread.start()

    def _look_on(self) -> None:
        last = perf_counter()
        while perf_counter() - last < QUIET:
            sleep(EVERY)
            if self.calls:
                last = perf_counter()
            self.look()

    def look(self) -> None:
        """Look once."""
        for kernel in KERNELS:
            kernel.is_named_again()
        now, seconds = perf_counter(), self.seconds.copy()
        for kernel, kinds, begin in list(self.calls.values()):
            seconds[kernel, kinds] += now - begin
        if not self._has_warned and seconds.total() > TELLS:
            self._has_warned = True
            log.warning(
                "lastviz is slow the first time: it runs as Python until its machine code is "
                "compiled, which is kept for the next time."
            )
        for (kernel, kinds), spent in seconds.items():
            if spent > PAYS * 2 ** self._requests[kernel, kinds]:  # again: a child may have died
                self._requests[kernel, kinds] += 1
                kernel._looked.clear()  # two files within one tick of a clock are one change
                wish = pickle.dumps((kernel.py_func.__module__, kernel.py_func.__name__, kinds))
                if not preparation.want(wish):
                    Tiers.always = True  # nobody compiles beside this process


WATCH = Watch()
_lock = RLock()
_worlds: dict[str, dict[str, object]] = {}  # of modules, by their names


def compile_wish(wish: bytes) -> None:
    """Compile a kernel that another process requests."""
    from importlib import import_module

    module, name, kinds = pickle.loads(wish)
    getattr(import_module(module), name).compile(kinds)


def _in_world(function: FunctionType) -> FunctionType:
    return FunctionType(
        function.__code__,
        _world_of(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


def _world_of(namespace: dict[str, object]) -> dict[str, object]:
    """Copy a module's names, with every kernel as the plain function that it is."""
    name = namespace["__name__"]
    if name not in _worlds:
        world = _worlds[name] = dict(namespace)
        for key, value in namespace.items():
            if isinstance(value, Inlined):
                world[key] = value.interpreted
            if isinstance(value, Kernel):
                value._places += ((world, key),)
    return _worlds[name]
