"""The app with a clock that runs faster, which says again and again who still holds a text.

``python fast_clock_app.py FACTOR TEXT [what python -m lastviz takes]``
"""

from __future__ import annotations

import gc
import sys
import time
from threading import Thread

import pandas as pd

from lastviz.__main__ import main
from lastviz.host import memory, store, turns, visitor

FACTOR, TEXT = float(sys.argv[1]), sys.argv[2]
BEGAN = time.time()
PAUSE = 5.0  # seconds; looking through all objects takes one or two


def clock() -> float:
    return BEGAN + FACTOR * (time.time() - BEGAN)


def holds(thing: object) -> bool:
    """Tell whether an object has the text in a text, in bytes or in a column of its own."""
    if isinstance(thing, pd.DataFrame):
        return TEXT in " ".join(map(str, thing.columns))
    if isinstance(thing, pd.Series):
        return TEXT in f"{thing.name} {thing.head().tolist()}"
    parts = gc.get_referents(thing)
    found = any(type(part) is str and part != TEXT and TEXT in part for part in parts)
    return found or any(type(part) is bytes and TEXT.encode() in part for part in parts)


def say() -> None:
    """Say how many objects hold the text, and what they are, again and again."""
    while True:
        time.sleep(PAUSE)
        with turns.TURNS.turn():  # a tuple that is being made does not bear to be looked at
            gc.unfreeze()  # those that were there when the app was tidied up count, too
            kinds = [type(each).__name__ for each in gc.get_objects() if holds(each)]
        print(f"held by {len(kinds)}: {' '.join(sorted(set(kinds)))}", flush=True)


def hurry() -> None:
    """Let what waits for visitors to be gone wait less; a file has real minutes to be read."""
    visitor.PRESENCE._clock = memory.MEMORY._clock = clock
    store.the_store()._clock = clock
    visitor.EVERY, visitor.OFTEN = visitor.EVERY / FACTOR, visitor.OFTEN / FACTOR
    turns.QUIET /= FACTOR


if __name__ == "__main__":
    del sys.argv[1:3]
    hurry()
    Thread(target=say, daemon=True).start()
    main()
