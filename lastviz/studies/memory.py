"""Memory that a fold takes: growth of its process, at its peak, above the level before.

What earlier folds have freed goes back to the system first, so that the order of folds does not
matter. Known on Linux alone, whose kernel can be asked to forget an earlier peak.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from math import nan
from pathlib import Path
from threading import Lock

MEMORY = "memory"  # in figures, megabytes
STATUS = Path("/proc/self/status")
FORGET = Path("/proc/self/clear_refs")
PEAK = "5"  # what the kernel is to forget
KILOBYTES = 1024.0  # of a megabyte

_lock = Lock()
_under_way = 0
_mixed = False  # whether another one began since the only one did


def give_back() -> None:
    """Release memory that the C library keeps for later, where it can."""
    with suppress(OSError, AttributeError, TypeError):  # other systems, other libraries of C
        ctypes.CDLL(None).malloc_trim(0)


class PeakMemory:
    """A context; afterwards `megabytes` says how far the process grew in it.

    Attributes
    ----------
    megabytes : float
        To some hundredths; NaN where the system does not tell, or where another thread was in such
        a context meanwhile.
    """

    def __init__(self) -> None:
        self.megabytes = nan
        self._before: float | None = None

    def __enter__(self) -> PeakMemory:
        """Release free memory and reset the peak that the system records."""
        global _under_way, _mixed
        with _lock:
            _under_way += 1
            _mixed = _under_way > 1
        if not _mixed:
            give_back()
            with suppress(OSError):  # other systems
                FORGET.write_text(PEAK, encoding="ascii")
                self._before = _kilobytes("VmRSS")
        return self

    def __exit__(self, *error: object) -> None:
        """Read the peak."""
        global _under_way
        peak = None if self._before is None else _kilobytes("VmHWM")
        with _lock:
            _under_way -= 1
            alone = not _mixed and not _under_way
        if alone and peak is not None:
            self.megabytes = max(peak - self._before, 0.0) / KILOBYTES


def _kilobytes(name: str) -> float:
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(name)))
