"""Serve the app: ``python -m lastviz [--address ADDRESS] [--port PORT]``.

The server answers at once. Meanwhile what the pages need is imported and, where this is the first
start, a child process compiles the kernels; see :mod:`lastviz.preparation`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Thread

from . import preparation
from .security import Guard

APP = Path(__file__).resolve().parent.parent / "app.py"


def main() -> None:
    """Read the command line, begin to get ready, serve until stopped."""
    parser = argparse.ArgumentParser(prog="python -m lastviz", description="Serve lastviz.")
    parser.add_argument("--address", default="localhost")
    parser.add_argument("--port", type=int, default=8501)
    options = parser.parse_args()
    preparation.begin()
    import streamlit
    from starlette.middleware import Middleware
    from streamlit.starlette import App

    from lastviz.ui.components.served import PRELOAD, library_is_served

    library_is_served()  # the server looks for its folder when it starts, not later
    Thread(target=_get_ready, name="get ready", daemon=True).start()
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    guard = Middleware(Guard, page=page.read_text(encoding="utf-8") + PRELOAD)
    sys.argv = [str(APP)]  # Streamlit looks for its settings beside what was started
    where = {"server.address": options.address, "server.port": options.port}
    say = partial(_say, f"http://{options.address}:{options.port}")
    App(APP, middleware=[guard], lifespan=say).run(config=where)


@asynccontextmanager
async def _say(address: str, app: object) -> AsyncIterator[None]:
    """Say that the server answers, once it does."""
    print(f"lastviz is served on {address} (Ctrl-C stops it)", flush=True)
    yield


def _get_ready() -> None:
    """Import what the pages import and load the kernels, so that no reader waits for it."""
    from lastviz.ui import frame

    frame.warm_up()
    import lastviz.ui.boundaries.page  # noqa: F401


if __name__ == "__main__":
    main()
