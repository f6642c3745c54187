"""One fold, computed where this is imported: workers forked from there need not load libraries.

Compiled kernels alone: what has used threads of OpenMP must not be forked.
"""

from .study import study_of
from .tasks import compute, plan

_CELLS, _DATA = plan(
    study_of(
        '[[algorithms]]\nkey = "c45"\n[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "iris"'
    )
)
for _cell in _CELLS:
    compute(_cell.tasks[0][1], _DATA[_cell.data])
