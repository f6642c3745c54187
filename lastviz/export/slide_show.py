"""Slides as one page of html that plays without a network: by keys, by hand, on paper, aloud."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

from .html_report import Block as ReportBlock
from .html_report import (
    Picture,
    Words,
    environment,
    file_text,
    hash_of,
    library,
    packed,
    plain_figure,
    web_link,
)

MOST_BYTES = 20_000_000
CLEAR = "rgba(0,0,0,0)"  # figures stand on the slide's own paper
WORDS = {
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
"""What the page says by itself, in English."""


class TooLarge(ValueError):
    """A page would have more bytes than it may.

    Attributes
    ----------
    size : int
        In bytes.
    heaviest : int
        Which slide has most of it, counted from 0.
    """

    def __init__(self, size: int, heaviest: int) -> None:
        super().__init__(
            f"the slides would have {size} bytes, more than are allowed; "
            f"slide {heaviest + 1} has most of them"
        )
        self.size, self.heaviest = size, heaviest


@dataclass(frozen=True, eq=False)
class Columns:
    """Blocks beside each other; on a phone below each other."""

    columns: Sequence[Sequence[ReportBlock]]  # sequence of sequences of blocks
    shares: Sequence[float] = ()  # of the width; equal ones if not given
    kind: ClassVar[str] = "columns"


@dataclass(frozen=True)
class Growth:
    """A growth that the reader plays."""

    story: str  # JSON, as the player of the slide show takes it
    step: int  # where it opens, counted from 0
    alt: str
    kind: ClassVar[str] = "growth"


Block = ReportBlock | Columns | Growth


@dataclass(frozen=True, eq=False)
class SliderStop:
    """What a slide shows at one stop of its slider."""

    word: str  # the value, as the slider says it
    blocks: Sequence[Block]  # in both themes; best as many of the same kinds as the slide has
    dark: Sequence[Block]  # in both themes; best as many of the same kinds as the slide has
    cut: Sequence[int] = ()  # nodes of the tree that are leaves there


@dataclass(frozen=True, eq=False)
class Live:
    """What a reader moves and types on a slide, without a server."""

    label: str = ""  # of the slider
    at: int = 0  # the stop that the slide shows
    stops: Sequence[SliderStop] = ()  # with fewer than two there is no slider
    # Takes typed rows, see `lastviz.export.html_report.live_tree`.
    tree: dict[str, object] | None = None


@dataclass(frozen=True, eq=False)
class Slide:
    """What fills the window at once."""

    question: str
    about: str = ""  # a line below it: data and models
    blocks: Sequence[Block] = ()  # in the light theme
    # The same in the dark theme, block by block; as the light ones if not given.
    dark: Sequence[Block] | None = None
    caption: str = ""  # below the blocks
    notes: str = ""  # for who speaks; seen on demand
    # Address of the scene; only one that begins with http:// or https:// is taken.
    link: str | None = None
    live: Live | None = None
    form: str = ""  # Html of ours below the blocks, which no stop of `live` replaces


@dataclass(frozen=True, eq=False)
class SlideShow:
    """All slides."""

    title: str
    slides: Sequence[Slide]  # at least one
    language: str = "en"  # code of the language of its words
    words: Mapping[str, str] = field(default_factory=lambda: WORDS)  # see `WORDS`
    style: str = ""  # rules for the html of `.Words`
    # Code that defines `mountPlayer`, which plays a `Growth`; needed where there is one.
    player: str = ""
    # Whether it judges answers, and tells a learning platform how far the reader is.
    is_lesson: bool = False


def as_slides(show: SlideShow, most: int = MOST_BYTES) -> str:
    """Return slides as one page that needs nothing else, and fetches nothing.

    Raises
    ------
    ValueError
        If a link is no address of the web.
    TooLarge
        If the page would have more than `most` bytes.
    """
    slides, data, lives = [], [], []
    for number, slide in enumerate(show.slides, start=1):
        web_link(slide.link)
        drawn: list[dict] = []
        blocks = _all_placed(slide.blocks, slide.dark, drawn, number)
        live = slide.live and _live(slide.live, blocks, drawn, number)
        slides.append({**vars(slide), "blocks": blocks})
        data.append(packed(_json(drawn)) if drawn else "")
        lives.append(packed(_json(live)) if live else "")
    code, code_hash = library()
    parts = [file_text("unpack.js"), _apart(show.player)]
    if any(lives):
        parts += [f"const WORDS = {_script(show.words)};\n", file_text("live.js")]
    loader = "".join([*parts, file_text("slide_show.js", *["scorm.js"] * show.is_lesson)])
    page = (
        environment()
        .get_template("slide_show.html")
        .render(
            show={**vars(show), "slides": slides},
            words=show.words,
            hashes=Markup(f"'{code_hash}' '{hash_of(loader)}'"),
            style=Markup(file_text("page.css") + show.style + file_text("slide_show.css")),
            library=Markup(code) if any(data) else "",
            data=[Markup(each) for each in data],
            lives=[Markup(each) for each in lives],
            loader=Markup(loader),
        )
    )
    size = len(page.encode())
    if size > most:
        raise TooLarge(size, max(range(len(data)), key=lambda i: len(data[i] + lives[i])))
    return page


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _script(value: object) -> str:
    """Return a value as a script may hold it."""
    return _json(value).replace("<", "\\u003c")


def _live(live: Live, blocks: list, drawn: list[dict], number: int) -> dict[str, object]:
    """Return what the page moves by itself; the slide's words become pieces that it can replace."""
    html = _as_pieces(blocks)
    stops = []
    for stop in live.stops:
        there: list[dict] = []
        placed = _all_placed(stop.blocks, stop.dark, there, number)
        pieces = _as_pieces(placed)
        found: dict[str, object] = {"word": stop.word, "cut": list(stop.cut), "html": {}}
        if (len(there), len(pieces)) == (len(drawn), len(html)):
            both = enumerate(zip(html, pieces, strict=True))
            found["html"] = {i: new for i, (old, new) in both if old != new}
        else:
            found["flow"] = "".join(map(_drawn_block(), placed))
        stops.append(found | {"drawn": difference(drawn, there)})
    return {"label": live.label, "at": live.at, "stops": stops, "tree": live.tree}


def _drawn_block() -> Callable[[object], str]:
    return environment().get_template("blocks.html").module.draw


def _as_pieces(blocks: list) -> list[str]:
    """Replace blocks without a picture by their html, in place; return it, in their order."""
    draw, found = _drawn_block(), []

    def replaced(blocks: list) -> None:
        for i, block in enumerate(blocks):
            kind = block["kind"] if isinstance(block, dict) else block.kind
            if kind == "columns":
                for column in block["columns"]:
                    replaced(column)
            elif kind not in ("picture", "growth"):
                html = draw(block)
                blocks[i] = {"kind": "piece", "place": len(found), "html": html}
                found.append(str(html))

    replaced(blocks)
    return found


def _apart(player: str) -> str:
    """Return the player's code so that no name inside meets one of the page's own."""
    return (
        f"const mountPlayer = (() => {{\n{player}\nreturn mountPlayer;\n}})();\n" if player else ""
    )


def _all_placed(
    blocks: Sequence[Block], dark: Sequence[Block] | None, drawn: list[dict], slide: int
) -> list:
    pairs = zip(blocks, dark or blocks, strict=True)
    return [_placed(one, other, drawn, slide) for one, other in pairs]


def _placed(light: Block, dark: Block, drawn: list[dict], slide: int) -> object:
    """Return a block as the template takes it; what is drawn goes to the list of the slide's."""
    if isinstance(light, Columns):
        columns = [
            [_placed(one, other, drawn, slide) for one, other in zip(a, b, strict=True)]
            for a, b in zip(light.columns, dark.columns, strict=True)
        ]
        shares = [float(share) for share in light.shares] or [1.0] * len(columns)
        return {"kind": light.kind, "columns": columns, "shares": shares}
    if isinstance(light, Words) and light.text != dark.text:
        return {"kind": light.kind, "html": light.html, "dark": dark.html}
    if not isinstance(light, Picture | Growth):
        return light
    number = f"{slide}-{len(drawn)}"
    about: dict[str, object] = {"kind": light.kind, "at": number}
    if isinstance(light, Growth):
        parts, others = json.loads(light.story), json.loads(dark.story)
        drawn.append(about | {"step": light.step})
        shown = {"alt": light.alt}
    else:
        parts, others = (plain_figure(each.figure, paper=CLEAR) for each in (light, dark))
        drawn.append(about | {"height": int(light.figure.height), "fixed": light.fixed})
        shown = {**vars(light), "height": drawn[-1]["height"], "width": None}
    drawn[-1] |= {"alt": light.alt, "light": parts, "dark": difference(parts, others)}
    return {**shown, "kind": light.kind, "number": number}


def difference(one: object, other: object) -> dict | None:
    """Return what makes one value of JSON the other, None where they are equal.

    ``{"is": value}`` stands in place of a value, ``{"in": {key: difference}}`` changes parts of it.
    """
    if one == other and type(one) is type(other):
        return None
    both: list[tuple[str, object, object]] | None = None
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        both = [(key, one[key], other[key]) for key in one]
    elif _is_nested(one) and _is_nested(other) and len(one) == len(other):
        both = [(str(i), *pair) for i, pair in enumerate(zip(one, other, strict=True))]
    if both is None:
        return {"is": other}
    return {"in": {key: found for key, a, b in both if (found := difference(a, b)) is not None}}


def _is_nested(value: object) -> bool:
    """Tell whether a value is a list with more than plain values in it."""
    return isinstance(value, list) and any(isinstance(each, dict | list) for each in value)
