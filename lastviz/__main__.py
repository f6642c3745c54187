"""Serve the app: ``lastviz [open FILE] [--address ADDRESS] [--port PORT] [--base-path PATH]``.

``lastviz open FILE`` serves it with a table and opens the page *data* about it in a browser. In a
checkout the same is ``python -m lastviz``; ``streamlit run app.py`` serves the same by
:func:`around`. ``lastviz render SCENE --png FILE`` draws a scene without a server.

The server answers at once. Meanwhile what the pages need is imported and, where this is the first
start, a child process compiles the kernels; see :mod:`lastviz.preparation`.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import os
import re
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

from . import __version__, preparation
from ._places import app_folder
from .host.files import WHERE_ALL_BEGINS, Document, Files
from .host.metrics import PATH, Metrics, open_port, token_given
from .host.security import Guard, embedders, hosts_of
from .host.workers import address_of, base_path

APP = app_folder() / "app.py"
FORMS = ("png", "pdf", "html")  # of a scene that is drawn


def main() -> None:
    """Read the command line, begin to get ready, serve until stopped."""
    options = _options()
    if options.scene is not None:
        _render(options)
        return
    page = _page_of(options.file) if options.file else None
    parts = around(options.address, options.base_path, page)
    from streamlit.starlette import App

    sys.argv = [str(APP)]  # Streamlit looks for its settings beside what was started
    where = {"server.address": options.address, "server.port": options.port}
    where["server.baseUrlPath"] = options.base_path.strip("/")
    App(APP, **parts).run(config=where)


def around(address: str | None, base: str, page: str | None = None) -> dict[str, object]:
    """Begin to get ready, and return the keywords for Streamlit's ``App``.

    Parameters
    ----------
    address : str or None
        The server's, None for all of its machine.
    base : str
        What addresses begin with; see :func:`.host.workers.base_path`.
    page : str, optional
        Is opened in the reader's browser.
    """
    try:
        sites = embedders()
    except ValueError as fault:
        sys.exit(f"lastviz: {fault}")
    preparation.begin()
    import streamlit
    from starlette.middleware import Middleware

    from lastviz.host.intake import Intake
    from lastviz.ui.components.served import PRELOAD, SERVED, library_is_served

    library_is_served()  # the server looks for its folder when it starts, not later
    Thread(target=_get_ready, name="get ready", daemon=True).start()
    open_port(_n_folds)
    static = Path(streamlit.__file__).parent / "static"
    document = (static / "index.html").read_text(encoding="utf-8")
    document = document.replace("<head>", f"<head>{WHERE_ALL_BEGINS}", 1)
    hosts = hosts_of(*filter(None, [address]))
    hashed = {f"{base}/static/{kind}": static / "static" / kind for kind in ("js", "css")}
    middleware = [
        Middleware(Guard, page=document + PRELOAD, hosts=hosts, sites=sites),
        Middleware(Intake),
        Middleware(Document, page=document),
        Middleware(Files, hashed=hashed, versioned={f"{base}/app/static": SERVED.parent}),
        Middleware(Metrics, path=base + PATH, token=token_given(), n_folds=_n_folds),
    ]
    return {"middleware": middleware, "lifespan": partial(_say, page)}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lastviz", description="See how decision trees think.")
    parser.add_argument("--version", action="version", version=f"lastviz {__version__}")
    parser.add_argument("--address", default="localhost")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--base-path", default="", help="what stands before the app's addresses")
    parser.set_defaults(file=None, scene=None)
    commands = parser.add_subparsers(metavar="{open FILE, render SCENE}")
    opening = commands.add_parser("open", help="serve with a table and show it in a browser")
    opening.add_argument("file", type=Path, help="CSV, Excel, Parquet or ARFF")
    opening.add_argument("--address", default=argparse.SUPPRESS)
    opening.add_argument("--port", type=int, default=argparse.SUPPRESS)
    opening.add_argument("--base-path", default=argparse.SUPPRESS)
    drawing = commands.add_parser("render", help="draw a scene as its slide shows it")
    drawing.add_argument("scene", help="a saved scene, or an address: boundaries?data=xor&m=cart")
    for form in FORMS:
        drawing.add_argument(f"--{form}", type=Path, metavar="FILE")
    drawing.add_argument("--size", type=_size, default="1920x1080", help="of a PNG, in pixels")
    drawing.add_argument("--theme", choices=("light", "dark"), default="light", help="of a PNG")
    drawing.add_argument("--language", default="en")
    options = parser.parse_args()
    if options.scene is not None and not any(vars(options)[form] for form in FORMS):
        drawing.error("name a file for the picture: --png FILE, --pdf FILE or --html FILE")
    try:
        options.base_path = base_path(options.base_path)
    except ValueError as error:
        parser.error(f"argument --base-path: {error}")
    if options.file is not None and options.file.is_dir():
        parser.error(
            f"{str(options.file)!r} is a folder; open one of its tables, or serve all of them: "
            f"LASTVIZ_DATA={options.file} lastviz"
        )
    if options.file is not None and not options.file.is_file():
        parser.error(f"there is no file {str(options.file)!r}")
    return options


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1920x1080")
    return int(found[1]), int(found[2])


def _render(options: argparse.Namespace) -> None:
    """Draw a scene, or end with a sentence that says why it cannot be."""
    from streamlit.logger import set_log_level

    set_log_level("ERROR")  # it misses a reader's session
    from lastviz.ui.story.rendering import render
    from lastviz.ui.text import languages

    files = {form: vars(options)[form] for form in FORMS if vars(options)[form]}
    try:
        if options.language not in languages():
            raise ValueError(f"the languages are {', '.join(languages())}")
        render(options.scene, files, options.size, options.theme, options.language)
    except (ValueError, OSError) as reason:
        sys.exit(f"lastviz: {reason}")


def _page_of(file: Path) -> str:
    """Put a table, with its sidecar, into LASTVIZ_DATA; return the page about it."""
    from .datasets.folder import ENDINGS, read_folder

    folder = Path(tempfile.mkdtemp(prefix="lastviz-open-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    sidecar = file.with_name(f"{file.name.split('.')[0]}.json")
    for each in {file, sidecar} if sidecar.is_file() else {file}:
        try:
            (folder / each.name).symlink_to(each.resolve())
        except OSError:  # on Windows, where only some may make links
            shutil.copyfile(each, folder / each.name)
    os.environ["LASTVIZ_DATA"] = str(folder)
    keys = list(read_folder(folder))
    if not keys:
        sys.exit(f"lastviz: {file.name} is no table that is known here: {', '.join(ENDINGS)}")
    try:
        read_folder(folder)[keys[0]].load()
    except ValueError as reason:  # else the first scene would stand there in its place
        sys.exit(f"lastviz: {file.name} cannot be read: {reason}")
    return f"data?{urlencode({'data': keys[0]})}"


@asynccontextmanager
async def _say(page: str | None, app: object) -> AsyncIterator[None]:
    """Say that the server answers, once it does; open a page in the reader's browser."""
    from streamlit import get_option

    from .host.jobs import has_page_open
    from .host.visitor import end_sessions

    host, port = get_option("server.address") or "localhost", get_option("server.port")
    address = address_of(host, port, base_path(get_option("server.baseUrlPath")))
    ending = asyncio.create_task(end_sessions(has_page_open))
    print(f"lastviz is served on {address} (Ctrl-C stops it)", flush=True)
    if page is not None:
        print(f"{address}/{page}", flush=True)
        Thread(target=webbrowser.open, args=(f"{address}/{page}",), daemon=True).start()
    yield
    ending.cancel()


def _n_folds() -> dict[str, int]:
    """Folds in the store of studies by their state, for who counts."""
    from lastviz.ui.compute import studies

    return studies.n_folds()


def _get_ready() -> None:
    """Import the pages' modules and load the kernels before a visitor waits for them."""
    from lastviz.ui import frame

    frame.warm_up()
    import lastviz.ui.boundaries.page  # noqa: F401


if __name__ == "__main__":
    main()
