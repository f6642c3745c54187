"""A report as one page of html: it prints, it is read aloud, its figures live without a network."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from lastviz.plots import Drawing

from .offline_page import (
    environment,
    file_text,
    hash_of,
    library,
    packed,
    plain_figure,
    web_link,
)

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
class File:
    """A file of text that the page holds and hands out."""

    name: str
    mime: str
    content: str
    label: str
    kind: ClassVar[str] = "file"

    @property
    def address(self) -> str:
        """What a link to its content says."""
        return f"data:{self.mime};base64,{base64.b64encode(self.content.encode()).decode()}"


@dataclass(frozen=True)
class Words:
    """Html that we wrote, such as a legend: its texts are escaped already, it holds no script."""

    text: str
    kind: ClassVar[str] = "words"
    dark: ClassVar[str] = ""  # it is the same in both themes

    @property
    def html(self) -> Markup:
        """What goes into the page as it is."""
        return Markup(self.text)


@dataclass(frozen=True, eq=False)
class Table:
    """A table; `folded` behind its caption."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]  # as long as `columns` each
    folded: bool = False
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with what it shows, for those who do not see it."""

    figure: Drawing  # in the light theme
    alt: str
    caption: str = ""
    width: int | None = None  # pixels that it has at most; the page's width if not given
    # Whether its height is that of its rows, so that a slide must not make it lower.
    fixed: bool = False
    kind: ClassVar[str] = "picture"


Block = Heading | Text | Listing | File | Words | Table | Picture


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a report with a heading of its own."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, eq=False)
class Report:
    """All that a report says."""

    title: str
    lead: Sequence[str]  # lines below the title
    sections: Sequence[Section]
    language: str = "en"  # code of the language of its words
    # Address of the scene; only one that begins with http:// or https:// is taken.
    link: str | None = None
    link_words: str = "Open this in the app"  # what the link and the list of sections are called
    contents: str = "Contents"  # what the link and the list of sections are called
    style: str = ""  # rules for the html of `Words`, beside the report's own


def as_html(report: Report) -> str:
    """Return a report as one page that needs nothing else, and fetches nothing.

    Raises
    ------
    ValueError
        If the link is no address of the web, or the page would have more than 6 MB.
    """
    web_link(report.link)
    drawn: list[dict] = []
    sections = [
        {"title": section.title, "blocks": [_placed(block, drawn) for block in section.blocks]}
        for section in report.sections
    ]
    code, code_hash = library()
    loader = file_text("unpack.js", "report.js")
    hashes = f"'{code_hash}' '{hash_of(loader)}'" if drawn else "'none'"
    page = (
        environment()
        .get_template("report.html")
        .render(
            report={**vars(report), "sections": sections},
            hashes=Markup(hashes),
            style=Markup(file_text("page.css", "report.css") + report.style),
            library=Markup(code),
            pictures=Markup(packed(json.dumps(drawn, separators=(",", ":")))) if drawn else "",
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
    drawn.append(plain_figure(block.figure, paper="#FFFFFF"))
    about = {
        "kind": block.kind,
        "number": number,
        "height": int(block.figure.height),
        "width": block.width,
        "fixed": block.fixed,
    }
    return about | {"alt": block.alt, "caption": block.caption}
