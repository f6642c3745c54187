"""A report as one page of html: it prints, it is read aloud, its figures live without a network."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from markupsafe import Markup

from lastviz.plots import Drawing

__all__ = [
    "Heading",
    "Listing",
    "Picture",
    "Report",
    "Section",
    "Table",
    "Text",
    "Words",
    "as_html",
]

HERE = Path(__file__).parent
MOST_BYTES = 6_000_000


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    kind: ClassVar[str] = "text"


@dataclass(frozen=True)
class Listing:
    """Lines of code."""

    text: str
    kind: ClassVar[str] = "listing"


@dataclass(frozen=True)
class Words:
    """Html that we wrote, such as a legend: its texts are escaped already, it holds no script."""

    text: str
    kind: ClassVar[str] = "words"

    @property
    def html(self) -> Markup:
        """What goes into the page as it is."""
        return Markup(self.text)


@dataclass(frozen=True, eq=False)
class Table:
    """A table; `folded` behind its caption.

    Attributes
    ----------
    caption : str
    columns : sequence of str
    rows : sequence of sequences of str
        As long as `columns` each.
    folded : bool, default False
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with what it shows, for those who do not see it.

    Attributes
    ----------
    figure : Drawing
        In the light theme.
    alt, caption : str
    width : int, optional
        Pixels that it has at most; the page's width if not given.
    """

    figure: Drawing
    alt: str
    caption: str
    width: int | None = None
    kind: ClassVar[str] = "picture"


Block = Heading | Text | Listing | Words | Table | Picture


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a report with a heading of its own."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, eq=False)
class Report:
    """All that a report says.

    Attributes
    ----------
    title : str
    lead : sequence of str
        Lines below the title.
    sections : sequence of Section
    language : str, default "en"
        Code of the language of its words.
    link : str, optional
        Address of the scene; only one that begins with http:// or https:// is taken.
    link_words, contents : str
        What the link and the list of sections are called.
    style : str, default ""
        Rules for the html of :class:`Words`, beside the report's own.
    """

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    language: str = "en"
    link: str | None = None
    link_words: str = "Open this in the app"
    contents: str = "Contents"
    style: str = ""


def as_html(report: Report) -> str:
    """Return a report as one page that needs nothing else, and fetches nothing.

    Every text is escaped. A policy in its head lets run the two scripts by their hashes that
    draw the figures, and nothing else; styles are free, since plotly.js sets them while it draws.

    Raises
    ------
    ValueError
        If the link is no address of the web, or the page would have more than 6 MB.
    """
    if report.link is not None and not report.link.startswith(("http://", "https://")):
        raise ValueError(f"the link must begin with http:// or https://, got {report.link[:40]!r}")
    drawn: list[dict] = []
    sections = [
        {"title": section.title, "blocks": [_placed(block, drawn) for block in section.blocks]}
        for section in report.sections
    ]
    library, library_hash = _library()
    loader = _loader()
    hashes = f"'{library_hash}' '{_hash(loader)}'" if drawn else "'none'"
    page = (
        _environment()
        .get_template("report.html")
        .render(
            report={**vars(report), "sections": sections},
            hashes=Markup(hashes),
            style=Markup((HERE / "report.css").read_text(encoding="utf-8") + report.style),
            library=Markup(library),
            pictures=Markup(_packed(json.dumps(drawn, separators=(",", ":")))) if drawn else "",
            loader=Markup(loader),
        )
    )
    size = len(page.encode())
    if size > MOST_BYTES:
        raise ValueError(f"the report would have {size} bytes, at most {MOST_BYTES} are allowed")
    return page


def _placed(block: Block, drawn: list[dict]) -> Block | dict[str, object]:
    """Return a block as the template takes it; the data of a figure go to the list of all."""
    if not isinstance(block, Picture):
        return block
    number = len(drawn)
    drawn.append(_plain(block.figure))
    about = {
        "kind": block.kind,
        "number": number,
        "height": int(block.figure.height),
        "width": block.width,
    }
    return about | {"alt": block.alt, "caption": block.caption}


def _plain(figure: Drawing) -> dict:
    """Return traces and layout as plotly.js takes them, without what only the app understands.

    WebGL compiles code at run time, which the page's policy forbids: points are drawn as SVG.
    """
    parts = json.loads(figure.figure.to_json())
    for trace in parts["data"]:
        if trace.get("type") == "scattergl":
            trace["type"] = "scatter"
    layout = parts["layout"]
    for name in ("meta", "uirevision", "transition", "width"):
        layout.pop(name, None)
    layout["paper_bgcolor"] = "#FFFFFF"
    return {"data": parts["data"], "layout": layout}


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


@cache
def _library() -> tuple[str, str]:
    """Return plotly.js packed, 2 MB instead of 5, and the hash of what is packed."""
    from plotly.offline import get_plotlyjs

    code = get_plotlyjs()
    return _packed(code), _hash(code)


@cache
def _loader() -> str:
    return (HERE / "report.js").read_text(encoding="utf-8")


@cache
def _environment():
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # few ever ask for it

    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=False
    )
