"""The only place that knows ``njit``: how kernels are compiled.

``_machine_code.py`` says where their machine code is kept, ``_tiers.py`` what a kernel does before
it is there. Where there is no numba, as in a browser, nothing is compiled: kernels are run as the
Python that they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import numba
except ImportError:
    numba = None
else:
    from ._kernel_cache import KernelCache
    from ._machine_code import folder_name
    from ._tiers import TIERS, WATCH, Inlined, Kernel


def kernel(function):
    """Compile a function while its first calls run interpreted.

    It releases the GIL, and its machine code is kept for the next process.

    A kernel that is called with a constant (``scan(0, cells)``) is not compiled for that
    constant but for its type, as everywhere else.
    """
    return _compiled(function, counts_references=True)


def plain_kernel(function):
    """Compile a kernel without reference counting.

    It must neither make nor return an array.

    Every array of a record is one more reference on the way into a kernel and one less on the way
    out, each an atomic step of some nanoseconds: more than the work on a node of few rows. What a
    plain kernel calls may make arrays of its own, but must not return one either.
    """
    return _compiled(function, counts_references=False)


def _compiled(function, counts_references):
    if numba is None:
        return function
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    # Said of every kernel, since one of which it is not said takes after its first caller.
    compiled = numba.njit(_nrt=counts_references, **options)(function)
    if hasattr(compiled, "py_func"):  # not where compiling is switched off
        folder = folder_name(Path(function.__code__.co_filename))
        compiled = Kernel.of(compiled, KernelCache(function, folder))
    return compiled


def inline_kernel(function):
    """Compile into callers: for hot loop bodies and functions with a single caller.

    A kernel with one caller would be compiled twice, by itself and as a part of the caller, which
    is optimised as a whole; one below three others four times.
    """
    if numba is None:
        return function
    compiled = numba.njit(inline="always", error_model="numpy")(function)
    return Inlined.of(compiled) if hasattr(compiled, "py_func") else compiled


@contextmanager
def wait_for_machine_code() -> Iterator[None]:
    """Compile kernels in this thread before they run.

    This is for blocks whose time is measured.
    """
    if numba is None:
        yield
        return
    TIERS.depth += 1
    try:
        yield
    finally:
        TIERS.depth -= 1


def is_interpreting() -> bool:
    """Whether kernels run as Python, or did a moment ago.

    Work that is otherwise quick may then be slow.
    """
    return numba is None or WATCH.is_busy
