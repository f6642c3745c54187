"""A page as a file: html that needs nothing else and fetches nothing.

Its sections stand below each other, as in a report, or turn one by one, as slides do. Pictures live
without a network, it prints, it is read aloud.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from lastviz.plots import Drawing, plotlyjs

from .blocks import Block, Columns, GrowthPlayer, Live, PageFile, Picture, Words

HERE = Path(__file__).parent
MOST_BYTES = 20_000_000
CLEAR, WHITE = "rgba(0,0,0,0)", "#FFFFFF"  # papers of figures that are in both themes, in one


class TooLarge(ValueError):
    """A page would have more bytes than it may.

    Attributes
    ----------
    size, most : int
        In bytes.
    heaviest : int
        Which section has most of it, counted from 0.
    """

    def __init__(self, size: int, most: int, heaviest: int) -> None:
        super().__init__(
            f"the page would have {size} bytes, at most {most} are allowed; "
            f"section {heaviest + 1} has most of them"
        )
        self.size, self.most, self.heaviest = size, most, heaviest


def as_page(page: PageFile, most: int = MOST_BYTES) -> str:
    """Page as a file.

    Raises
    ------
    ValueError
        If a link is no address of the web.
    TooLarge
        If it would have more than `most` bytes.
    """
    web_link(page.link)
    sections, data, lives = [], [], []
    for number, section in enumerate(page.sections, start=1):
        web_link(section.link)
        drawn: list[dict] = []
        blocks = _all_placed(section.blocks, section.dark, drawn, number)
        live = section.live and _live(section.live, blocks, drawn, number)
        sections.append({**vars(section), "blocks": blocks})
        data.append(pack(_json(drawn)) if drawn else "")
        lives.append(pack(_json(live)) if live else "")
    script = _script(page, any(lives)) if page.turns or any(data) else ""
    code, code_hash = library()
    html = _template().page(
        page,
        sections,
        hashes=f"'{code_hash}' '{_hash_of(script)}'" if script else "'none'",
        style=Markup(file_text("page.css") + page.style),
        library=Markup(code) if any(data) else "",
        data=[Markup(each) for each in data],
        lives=[Markup(each) for each in lives],
        script=Markup(script),
    )
    size = len(html.encode())
    if size > most:
        heaviest = max(range(len(data)), key=lambda i: len(data[i] + lives[i]))
        raise TooLarge(size, most, heaviest)
    return str(html)


def web_link(link: str | None) -> str | None:
    """Check that a link is an address of the web, or None; else ValueError."""
    if link is not None and not link.startswith(("http://", "https://")):
        raise ValueError(f"the link must begin with http:// or https://, got {link[:40]!r}")
    return link


def _script(page: PageFile, moves: bool) -> str:
    """The one script that a page runs, with the parts that it needs."""
    parts = []
    if page.player:  # apart, so that no name inside meets one of the page's own
        parts.append(f"const mountPlayer = (() => {{\n{page.player}\nreturn mountPlayer;\n}})();\n")
    if moves:
        words = _json(dict(page.words)).replace("<", "\\u003c")
        parts += [f"const WORDS = {words};\n", file_text("live.js")]
    parts.append(file_text("page.js", *["scorm.js"] * page.is_lesson))
    return "".join(parts)


def _hash_of(script: str) -> str:
    """A script as a policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def pack(text: str) -> str:
    """A text as the page unpacks it: compressed, in letters that no tag begins with."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


@cache
def library() -> tuple[str, str]:
    """Packed plotly.js, and its hash."""
    code = plotlyjs.FILE.read_text(encoding="utf-8")
    return pack(code), _hash_of(code)


@cache
def file_text(*names: str) -> str:
    """Text of files of this folder, one after the other."""
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


@cache
def _template():
    """The macros of page.html: ``draw`` makes a block html, ``page`` all of it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # few ever ask for it

    loader = FileSystemLoader(HERE)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html").module


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


# ---------------------------------------------------------------- blocks as the template takes them


def _all_placed(
    blocks: Sequence[Block], dark: Sequence[Block] | None, drawn: list[dict], section: int
) -> list:
    others = [None] * len(blocks) if dark is None else dark
    pairs = zip(blocks, others, strict=True)
    return [_placed(one, other, drawn, section) for one, other in pairs]


def _placed(light: Block, dark: Block | None, drawn: list[dict], section: int) -> object:
    """A block as the template takes it.

    Figures go to the list of the section's figures.

    Parameters
    ----------
    light : Block
    dark : Block or None
        The same in the dark theme; None where the page has the light one alone.
    drawn : list
    section : int
        Counted from 1.
    """
    if isinstance(light, Columns):
        others = [None] * len(light.columns) if dark is None else dark.columns
        columns = [
            _all_placed(one, other, drawn, section)
            for one, other in zip(light.columns, others, strict=True)
        ]
        shares = [float(share) for share in light.shares] or [1.0] * len(columns)
        return {"kind": light.kind, "columns": columns, "shares": shares}
    if isinstance(light, Words) and dark is not None and light.text != dark.text:
        return {"kind": light.kind, "html": light.html, "dark": dark.html}
    if not isinstance(light, Picture | GrowthPlayer):
        return light
    part = {"kind": light.kind, "at": f"{section}-{len(drawn)}", "alt": light.alt}
    if isinstance(light, GrowthPlayer):
        parts = [json.loads(each.story) for each in (light, dark) if each is not None]
        part["step"] = light.step
    else:
        paper = WHITE if dark is None else CLEAR
        parts = [plain_figure(each.figure, paper) for each in (light, dark) if each is not None]
        part |= {"height": int(light.figure.height), "fixed": light.fixed}
        part["least"] = light.figure.settings.get("meta", {}).get("least", 0)
    drawn.append(part | {"light": parts[0], "dark": difference(parts[0], parts[-1])})
    if isinstance(light, GrowthPlayer):
        return part
    return part | {"caption": light.caption, "width": light.width if dark is None else None}


def plain_figure(figure: Drawing, paper: str) -> dict:
    """Traces and layout for plotly.js, without marks of the app alone.

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


def difference(one: object, other: object) -> dict | None:
    """Change that makes one value of JSON the other, None where they are equal.

    ``{"is": value}`` stands in place of a value, ``{"in": {key: difference}}`` changes parts of it.
    """
    if one is other or (one == other and type(one) is type(other)):
        return None
    both: list[tuple[str, object, object]] | None = None
    nested = [
        value
        for value in (one, other)
        if isinstance(value, list) and any(isinstance(each, dict | list) for each in value)
    ]
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        both = [(key, one[key], other[key]) for key in one]
    elif len(nested) == 2 and len(one) == len(other):
        both = [(str(i), *pair) for i, pair in enumerate(zip(one, other, strict=True))]
    if both is None:
        return {"is": other}
    return {"in": {key: found for key, a, b in both if (found := difference(a, b)) is not None}}


# ---------------------------------------------------------------- what moves


def _live(live: Live, blocks: list, drawn: list[dict], section: int) -> dict[str, object]:
    """Moving parts of a page.

    The section's words become pieces that it can replace.
    """
    html = _as_pieces(blocks)
    stops = []
    for stop in live.stops:
        there: list[dict] = []
        placed = _all_placed(stop.blocks, stop.dark, there, section)
        pieces = _as_pieces(placed)
        found: dict[str, object] = {"word": stop.word, "cut": list(stop.cut), "html": {}}
        if (len(there), len(pieces)) == (len(drawn), len(html)):
            both = enumerate(zip(html, pieces, strict=True))
            found["html"] = {i: new for i, (old, new) in both if old != new}
        else:
            found["flow"] = "".join(map(_template().draw, placed))
        stops.append(found | {"drawn": difference(drawn, there)})
    return {"label": live.label, "at": live.at, "stops": stops, "tree": live.tree}


def _as_pieces(blocks: list) -> list[str]:
    """Replace blocks without a figure by their HTML, in place.

    Returns the HTML, in the order of the blocks.
    """
    found = []

    def replaced(blocks: list) -> None:
        for i, block in enumerate(blocks):
            kind = block["kind"] if isinstance(block, dict) else block.kind
            if kind == "columns":
                for column in block["columns"]:
                    replaced(column)
            elif kind not in ("picture", "growth"):
                html = _template().draw(block)
                blocks[i] = {"kind": "piece", "place": len(found), "html": html}
                found.append(str(html))

    replaced(blocks)
    return found


# ---- A page as a SCORM 1.2 package: what learning platforms take, and what they are told


CP = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
ADL = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
START = "index.html"
DAY = (1980, 1, 1, 0, 0, 0)  # of every file: the same quiz is the same package


def as_package(page: str, title: str) -> bytes:
    """SCORM 1.2 package, a zip file, with a page as its one lesson.

    Parameters
    ----------
    page : str
        Html that needs no other file, with ``scorm.js`` inside.
    title : str
        What the lesson is called on the platform.

    Notes
    -----
    The manifest is that of ADL, SCORM 1.2, The SCORM Content Aggregation Model (2001): one
    organization, one item, one resource of type "sco".
    """
    page_bytes = page.encode()
    name = "lastviz-" + hashlib.sha256(page_bytes).hexdigest()[:16]
    for prefix, space in (("", CP), ("adlcp", ADL)):
        ElementTree.register_namespace(prefix, space)
    manifest = ElementTree.Element(f"{{{CP}}}manifest", identifier=name, version="1.0")
    about = ElementTree.SubElement(manifest, f"{{{CP}}}metadata")
    ElementTree.SubElement(about, f"{{{CP}}}schema").text = "ADL SCORM"
    ElementTree.SubElement(about, f"{{{CP}}}schemaversion").text = "1.2"
    lessons = ElementTree.SubElement(manifest, f"{{{CP}}}organizations", default="lessons")
    lesson = ElementTree.SubElement(lessons, f"{{{CP}}}organization", identifier="lessons")
    ElementTree.SubElement(lesson, f"{{{CP}}}title").text = title
    item = ElementTree.SubElement(
        lesson, f"{{{CP}}}item", identifier="lesson", identifierref="page", isvisible="true"
    )
    ElementTree.SubElement(item, f"{{{CP}}}title").text = title
    resources = ElementTree.SubElement(manifest, f"{{{CP}}}resources")
    kind = {f"{{{ADL}}}scormtype": "sco", "type": "webcontent", "href": START}
    page_of = ElementTree.SubElement(resources, f"{{{CP}}}resource", identifier="page", **kind)
    ElementTree.SubElement(page_of, f"{{{CP}}}file", href=START)
    parts = {
        "imsmanifest.xml": ElementTree.tostring(manifest, "utf-8", xml_declaration=True),
        START: page_bytes,
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for file, inside in parts.items():
            packed.writestr(zipfile.ZipInfo(file, DAY), inside, zipfile.ZIP_DEFLATED)
    return content.getvalue()
