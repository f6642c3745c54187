"""Content for the browser: files that it fetches once, and data in few bytes.

The files are plotly.js and the code of our components: Streamlit sends the code of a component with
every message to it; what the server serves as a file, the browser keeps.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache

import streamlit as st

from lastviz._places import app_folder
from lastviz._recent import recently
from lastviz.plots import plotlyjs
from lastviz.ui.state import session
from lastviz.ui.text import language, t

from .chart_code import SLIDE_PARTS, code_of, with_looks, words_of_slides

SERVED = app_folder() / "static" / "plotly.min.js"  # the server's folder is beside app.py
LONG = 4096  # bytes; fewer are not worth the work
SOURCE = f"app/static/{SERVED.name}?v={plotlyjs.VERSION}-cartesian"
PRELOAD = (
    "<script>document.head.append(Object.assign(document.createElement('link'), "
    f"{{rel: 'preload', as: 'script', href: new URL('{SOURCE}', document.baseURI)}}))</script>"
)
"""Fetches the library while the rest of a page is still coming; the only script in a page."""

# Calls are passed on in their order, also those that come before the file is there. A file that was
# asked for while the server was away is asked for again: a browser keeps the failure of an import
# by its address.
LOADER = """const address = new URL("{{address}}", document.baseURI);
const load = async (again = 0) => {
  try {
    return await import(again ? `${address}&again=${again}` : address);
  } catch (fault) {
    if (!(fault instanceof TypeError)) throw fault;
    await new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** again, 4000)));
    return load(again + 1);
  }
};
const loaded = load();
export default (call) => {
  const leave = loaded.then((file) => file.default(call));
  return () => leave.then((left) => left?.());
};
"""


# False if that folder is not writable.
@cache
def library_is_served() -> bool:
    """Copy plotly.js to the served folder if needed."""
    try:
        if not SERVED.exists() or SERVED.stat().st_size != plotlyjs.FILE.stat().st_size:
            SERVED.parent.mkdir(exist_ok=True)
            part = SERVED.with_suffix(f".{os.getpid()}.part")  # others may copy it, too
            shutil.copyfile(plotlyjs.FILE, part)
            part.replace(SERVED)
    except OSError:
        return False
    return True


# The same text is the same bytes: what the browser has is not sent again.
@recently(32)  # a class sees the same
def pack_text(text: str) -> bytes:
    """Text as ``unzipped`` (packed.js) reads it: a long one compressed."""
    data = text.encode()
    return data if len(data) < LONG else gzip.compress(data, compresslevel=1, mtime=0)


@cache
def small_component(name: str, *parts: str, html: str | None = None, css: str | None = None):
    """Component whose script, ``name.js`` behind `parts`, goes with every message."""
    js = code_of(*parts, f"{name}.js")
    name = f"lastviz_{name}"
    return st.components.v2.component(name, html=html, css=css, js=js, isolate_styles=False)


def component(name: str, *, js: str, html: str = "", css: str = "") -> object:
    """Component whose code the browser fetches as a file of its own.

    Where the served folder is not writable the code goes with every message instead.

    Parameters
    ----------
    name : str
    js : str
        A module whose default export Streamlit calls; ``{{source}}`` in it becomes the address
        of plotly.js.
    html, css : str
        These do go with every message: keep them short.
    """
    js = js.replace("{{source}}", SOURCE)
    file = SERVED.with_name(f"{name}.js")
    try:
        if not file.exists() or file.read_text(encoding="utf-8") != js:
            file.parent.mkdir(exist_ok=True)
            part = file.with_suffix(f".{os.getpid()}.part")
            part.write_text(js, encoding="utf-8")
            part.replace(file)
        version = hashlib.blake2b(js.encode(), digest_size=6).hexdigest()
        js = LOADER.replace("{{address}}", f"app/static/{file.name}?v={version}")
    except OSError:
        pass  # as it is, it works, too
    return st.components.v2.component(name, html=html, css=css, js=js, isolate_styles=False)


# ---- How a picture leaves a page as a slide: the menu, its words, and the code of both
#
# The chart host has all of it among its own; another component that draws with Plotly takes it as
# one object, see :func:`slides_code`.


# Also the scene to which an embedded frame links.
def slide_words(words: Callable[..., dict[str, str]] = words_of_slides) -> dict[str, str]:
    """Texts of the menu for saving a picture, or others."""
    scene = session.link() if session.is_embedded() else ""
    return {"scene": scene, **_in_language(words, language())}


# They are cached: a page needs them for each chart.
@cache
def _in_language(words: Callable[..., dict[str, str]], code: str) -> dict[str, str]:
    """Texts in the user's language, which `code` names."""
    return words(t)


# No name of the code inside meets one of the component's own.
def slides_code() -> str:
    """Functions of slides and of their menu as one object, `slides`."""
    names = "setUpTools, toggleMenu, closeMenu, onMenuKey, chooseBack, leave, watchPrint"
    parts = (
        "const slides = (() => {",
        "const page = (window.lastviz ??= { plotly: null, groups: new Map() });",
        'const TEMPLATES = "{{templates}}";',
        code_of(*SLIDE_PARTS),
        f"return {{ {names} }};",
        "})();",
    )
    return with_looks("\n".join(parts))
