"""Make the files that browsers fetch: ``python -m lastviz.ui.components``.

A server makes them as it starts. Where the folder of the app cannot be written to, as in a
container, they are made before.
"""

from __future__ import annotations

import sys
from importlib import import_module

from .served import SERVED, library_is_served

NAMES = """acting brush chart_host decision_line filtered_table frames grown_tree growth_player
    paint storyboard"""
# Functions that make one component each.
PARTS = ("_component", "_rows", "_strip", "_picture", "_tree", "_line")
MODULES = [import_module(f".{name}", __package__) for name in NAMES.split()]
MAKERS = [getattr(module, part) for module in MODULES for part in PARTS if hasattr(module, part)]


def make_all() -> bool:
    """Make all files; False if the served folder is not writable."""
    for make in MAKERS:
        make()
    return library_is_served()


if __name__ == "__main__":
    sys.exit(0 if make_all() else f"{SERVED.parent} cannot be written to")
