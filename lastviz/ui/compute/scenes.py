"""Scenes that several visitors look at: a class that has opened one link.

What a page works out depends on its selection and the theme alone, so a scene that is asked for
again is the one that was there. Only what is asked for a second time is kept: of fifty readers who
each try something else nobody comes back, and to count what a scene takes costs time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar

from lastviz.host.jobs import WAITS
from lastviz.host.memory import MEMORY, Memory
from lastviz.ui.text import language

from .work import Work

MOST_NOTED = 1024  # keys that were asked for once

Scene = TypeVar("Scene")


class Scenes:
    """Scenes by key, kept from the second request on, as long as there is room.

    Parameters
    ----------
    memory : Memory, default that of the process
    """

    def __init__(self, memory: Memory = MEMORY) -> None:
        self._memory = memory
        self._noted: OrderedDict[int, None] = OrderedDict()
        self._lock = Lock()

    # One that lacks what still works, or was given up by who asks, is not kept.
    def find(self, key: Hashable, prepared: Callable[[], Scene]) -> Scene:
        """Scene of `key`; `prepared` works it out where it is not kept."""
        cached = self._memory.find((self, key))
        if cached is not None:
            return cached.value
        waits = WAITS.count
        scene = prepared()
        if WAITS.count == waits and self._is_known(key):
            self._memory.keep((self, key), scene)
        return scene

    def _is_known(self, key: Hashable) -> bool:
        """Whether a key has been asked for before; note that it has been now."""
        noted = hash(key)  # the key itself names what a visitor has handed in
        with self._lock:
            if noted in self._noted:
                return True
            self._noted[noted] = None
            if len(self._noted) > MOST_NOTED:
                self._noted.popitem(last=False)
            return False


SCENES = Scenes()


def scene_of_all(page: str, work: Work, theme: str, prepared: Callable[[], Scene]) -> Scene:
    """Scene of a page, shared with other sessions or computed by `prepared`.

    Parameters
    ----------
    page : str
        What names it.
    work : Work
    theme : {"light", "dark"}
    prepared : callable
        Works out the scene, which nobody changes afterwards.
    """
    # The data's key tells files of the same name and rows apart, and whether this session has it.
    return SCENES.find((page, work.data_key, work.selection, theme, language()), prepared)
