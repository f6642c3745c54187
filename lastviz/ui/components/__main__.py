"""Make the files that browsers fetch: ``python -m lastviz.ui.components``.

A server makes them as it starts. Where the folder of the app cannot be written to, as in a
container, they are made before.
"""

from __future__ import annotations

import sys

from . import brush, chart_host, filtered_table, frames, grown_tree, growth_player, paint
from .served import SERVED, library_is_served

WITH_FILES = (brush, chart_host, filtered_table, frames, grown_tree, growth_player, paint)


def make_all() -> bool:
    """Make all files; False if the served folder is not writable."""
    for module in WITH_FILES:
        module._component()
    chart_host._rows()
    return library_is_served()


if __name__ == "__main__":
    sys.exit(0 if make_all() else f"{SERVED.parent} cannot be written to")
