"""Results of larger experiments: tables of figures, each printed by a `benchmarks` command.

May import everything but ``ui`` and pages. A new table is a CSV file here and its row in
:data:`RESULTS`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .results import RESULTS, Result, results  # light, and a module of the same name

if TYPE_CHECKING:
    from .folds import *  # noqa: F403
    from .metrics import *  # noqa: F403

__all__ = [
    "METRICS",
    "RESULTS",
    "Metric",
    "Result",
    "measure",
    "results",
    "stratified_folds",
]

_HOMES = {
    "folds": ("stratified_folds",),
    "metrics": ("METRICS", "Metric", "measure"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first needed.

    A command begins its workers before it imports anything.
    """
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
