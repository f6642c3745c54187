"""The only place that knows ``njit``: how kernels are compiled.

Where their machine code is kept is said in ``_machine_code.py``. Where there is no numba, as in a
browser, nothing is compiled: kernels are run as the Python that they are.
"""

from __future__ import annotations

from pathlib import Path

try:
    import numba
except ImportError:
    numba = None
else:
    from numba.core.types import unliteral

    from ._kernel_cache import KernelCache
    from ._machine_code import folder_name


def kernel(function):
    """Compile at first call, release the GIL, keep the machine code for the next process.

    A kernel that is called with a constant (``scan(0, cells)``) is not compiled for that
    constant but for its type, as everywhere else.
    """
    return _compiled(function, counts_references=True)


def plain_kernel(function):
    """Compile a kernel that makes no array and returns none: nothing counts references in it.

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
    template_for = getattr(compiled, "get_call_template", None)
    if template_for is not None:  # not where compiling is switched off

        def typed(args, kws):
            types = {name: unliteral(kind) for name, kind in kws.items()}
            return template_for(tuple(map(unliteral, args)), types)

        compiled.get_call_template = typed
        compiled._cache = KernelCache(function, folder_name(Path(function.__code__.co_filename)))
    return compiled


def inline_kernel(function):
    """Compile into its callers: for the bodies of hot loops, and for what has one caller.

    A kernel with one caller would be compiled twice, by itself and as a part of the caller, which
    is optimised as a whole; one below three others four times.
    """
    return function if numba is None else numba.njit(inline="always", error_model="numpy")(function)
