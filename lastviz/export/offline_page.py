"""What pages of html have in common that need nothing else: plotly.js inside, a policy, figures.

Every text is escaped by the templates. A policy in the head lets run the scripts whose hashes it
names and nothing else; styles are free, since plotly.js sets them while it draws.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from pathlib import Path

from lastviz.plots import Drawing

HERE = Path(__file__).parent


def web_link(link: str | None) -> str | None:
    """Return an address of the web, or None; ValueError if it is something else."""
    if link is not None and not link.startswith(("http://", "https://")):
        raise ValueError(f"the link must begin with http:// or https://, got {link[:40]!r}")
    return link


def plain_figure(figure: Drawing, *, paper: str) -> dict:
    """Return traces and layout as plotly.js takes them, without what only the app understands.

    WebGL compiles code at run time, which a page's policy forbids: points are drawn as SVG.
    """
    parts = json.loads(figure.figure.to_json())
    for trace in parts["data"]:
        if trace.get("type") == "scattergl":
            trace["type"] = "scatter"
    layout = parts["layout"]
    for name in ("meta", "uirevision", "transition", "width"):
        layout.pop(name, None)
    layout["paper_bgcolor"] = paper
    return {"data": parts["data"], "layout": layout}


def hash_of(script: str) -> str:
    """Return a script as a policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def packed(text: str) -> str:
    """Return a text as the page unpacks it: compressed, in letters that no tag begins with."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


@cache
def library() -> tuple[str, str]:
    """Return plotly.js packed, 2 MB instead of 5, and the hash of what is packed."""
    from plotly.offline import get_plotlyjs

    code = get_plotlyjs()
    return packed(code), hash_of(code)


@cache
def file_text(*names: str) -> str:
    """Return what is in files of this folder, one after the other."""
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


@cache
def environment():
    """Return what fills the templates of this folder."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # few ever ask for it

    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=False
    )
