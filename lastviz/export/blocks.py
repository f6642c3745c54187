"""Content of a page as a file, as values: blocks, sections, moving parts, the whole."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

from lastviz.plots import Drawing

WORDS = {
    "contents": "Contents",
    "slide": "slide",
    "place": "{n} of {all}",
    "back": "Back",
    "next": "Next",
    "notes": "Notes",
    "blank": "Blank the screen",
    "full": "Full screen",
    "keys": "Keys",
    "timer": "Time since the start; press to restart",
    "link": "Open this in the app",
    "close": "Close",
    "turn": "to the next slide, and back",
    "ends": "to the first slide, and to the last",
    "growth": "where a tree grows: its steps; Page Down and Page Up turn the slides",
    "row": "Type a row for {model}",
    "predicted": "Predicted: {outcome}.",
    "rows": "Training rows there: {n}.",
    "parts": "A value is missing: the row goes to {n} leaves in parts.",
    "lacks": "The tree asks for {name}: type a value.",
    "wrong": "{name} takes a number, or nothing if it is unknown.",
}
"""What a page says by itself, in English."""


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
        """Address of its content, for a link."""
        return f"data:{self.mime};base64,{base64.b64encode(self.content.encode()).decode()}"


@dataclass(frozen=True)
class Words:
    """HTML of our own, such as a legend.

    Its texts are escaped already, and it holds no script.
    """

    text: str
    kind: ClassVar[str] = "words"
    dark: ClassVar[str] = ""  # it is the same in both themes

    @property
    def html(self) -> Markup:
        """The text as it goes into the page."""
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
    """A figure with its alternative text."""

    figure: Drawing  # in the light theme
    alt: str
    caption: str = ""
    width: int | None = None  # pixels that it has at most; the page's width if not given
    # Whether its height is that of its rows, so that a slide must not make it lower.
    fixed: bool = False
    kind: ClassVar[str] = "picture"


@dataclass(frozen=True, eq=False)
class Columns:
    """Blocks beside each other; on a phone below each other."""

    columns: Sequence[Sequence[Block]]
    shares: Sequence[float] = ()  # of the width; equal ones if not given
    kind: ClassVar[str] = "columns"


@dataclass(frozen=True)
class GrowthPlayer:
    """A growth that the reader plays."""

    story: str  # JSON, as the player takes it
    step: int  # where it opens, counted from 0
    alt: str
    say: str = ""  # of that step
    kind: ClassVar[str] = "growth"


Block = Heading | Text | Listing | File | Words | Table | Picture | Columns | GrowthPlayer


# ---------------------------------------------------------------- what moves


@dataclass(frozen=True, eq=False)
class SliderStop:
    """Content of a section at one stop of its slider."""

    word: str  # the value, as the slider says it
    blocks: Sequence[Block]  # in the light theme; best as many of the same kinds as the section has
    dark: Sequence[Block]  # the same in the dark theme
    cut: Sequence[int] = ()  # nodes of the tree that are leaves there


@dataclass(frozen=True, eq=False)
class Live:
    """Parts of a section that move without a server: slider and typed rows."""

    label: str = ""  # of the slider
    at: int = 0  # the stop that the section shows
    stops: Sequence[SliderStop] = ()  # with fewer than two there is no slider
    # Takes typed rows, see `lastviz.export.tree_json.live_tree`.
    tree: dict[str, object] | None = None


# ---------------------------------------------------------------- sections and pages


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page with a heading of its own.

    It fills the window where a page turns.
    """

    title: str
    blocks: Sequence[Block] = ()  # in the light theme
    # The same in the dark theme, block by block; as the light ones if not given.
    dark: Sequence[Block] | None = None
    question: str = ""  # a small line above a title that answers it
    about: str = ""  # a line below the title: data and models
    caption: str = ""  # below the blocks
    notes: str = ""  # for who speaks; seen on demand
    # Address of the scene; only one that begins with http:// or https:// is taken.
    link: str | None = None
    live: Live | None = None
    form: str = ""  # Html of ours below the blocks, which no stop of `live` replaces
    # Title of the fold that it and all after it lie in, where a page does not turn.
    fold: str = ""


@dataclass(frozen=True, eq=False)
class PageFile:
    """A page of HTML.

    Its sections stand below each other, or turn one at a time.
    """

    title: str
    sections: Sequence[Section]  # at least one
    turns: bool = False
    lead: Sequence[str] = ()  # lines below the title
    language: str = "en"  # code of the language of its words
    link: str | None = None  # Address of the scene, of http:// or https:// as well
    words: Mapping[str, str] = field(default_factory=lambda: WORDS)
    style: str = ""  # rules for the html of `Words`
    # Code that defines `mountPlayer`, which plays a `Growth`; needed where there is one.
    player: str = ""
    # Whether it judges answers, and tells a learning platform how far the reader is.
    is_lesson: bool = False
