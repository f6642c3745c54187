"""One fold, computed where this is imported: workers forked from there need not load libraries.

Compiled kernels alone: what has used threads of OpenMP must not be forked.
"""

from contextlib import suppress

from .study import study_of
from .tasks import compute, plan

_TEXT = '[[algorithms]]\nkey = "c45"\n[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "iris"'

with suppress(Exception):  # it saves time, and must not end whoever imports it
    _CELLS, _DATA = plan(study_of(_TEXT))
    for _cell in _CELLS:
        compute(_cell.tasks[0][1], _DATA[_cell.data])
