"""A report as one page of html: it prints, it is read aloud, its figures live without a network."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

import numpy as np
from markupsafe import Markup

from lastviz.inspection import condition_of
from lastviz.plots import Drawing
from lastviz.plots.visuals.rule_rows import condition_words
from lastviz.tree import Kind, Tree
from lastviz.tree.routing import shares_of_nodes

from .code_words import held_tree, outcomes, plain, sending, used_features

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


# ---------------------------------------------------------------- html report


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


# ---- A tree as a browser follows a typed row through it: tests, their names, ends


def live_tree(
    tree: Tree, model: str, labels: Sequence[object], usual: Sequence[object]
) -> dict[str, object]:
    """Return a tree as a value of JSON, for ``live.js``.

    Parameters
    ----------
    tree : Tree
    model : str
        What it is called.
    labels : sequence
        What the classes are called; nothing for a tree of numbers.
    usual : sequence, shape (n_features,)
        What the fields hold at first: numbers, and names of categories.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, or a monotone envelope decides.
    """
    tree = held_tree(tree, "an offline page")
    conditions = [_condition(tree, node) for node in range(1, tree.n_nodes)]
    tree, planes, groups = sending(tree), {}, {}
    for node in np.flatnonzero(tree.n_children).tolist():
        row = int(tree.split_row[node])
        if tree.kind[node] == Kind.OBLIQUE:
            planes[node] = [*tree.oblique.weights[row].tolist(), float(tree.oblique.threshold[row])]
        elif tree.kind[node] == Kind.CATEGORIES:
            known = tree.feature_categories[tree.feature[node]]
            pairs = zip(known, tree.categories.branch[row].tolist(), strict=False)
            groups[node] = {str(label): branch for label, branch in pairs if branch >= 0}
    return {
        "model": model,
        "features": list(tree.feature_names),
        "asked": used_features(tree),
        "categories": [
            None if known is None else [str(label) for label in known]
            for known in tree.feature_categories
        ],
        "usual": [str(plain(value)) for value in usual],
        "missing": tree.missing.name.lower(),
        "first": tree.first_child.tolist(),
        "children": tree.n_children.tolist(),
        "feature": tree.feature.tolist(),
        "threshold": [str(value) for value in tree.threshold.tolist()],
        "lacking": tree.missing_branch.tolist(),
        "part": np.nan_to_num(tree.branch_weight).tolist(),
        "planes": planes,
        "groups": groups,
        "conditions": ["", *conditions],
        "outcomes": [str(plain(each)) for each in outcomes(tree, labels or None)],
        "shares": [] if tree.is_regression else shares_of_nodes(tree).tolist(),
        "labels": [str(label) for label in labels],
        "rows": tree.n_node_samples.tolist(),
        "mean": tree.prediction.tolist() if tree.is_regression else [],
    }


def _condition(tree: Tree, node: int) -> str:
    parent = int(tree.parent[node])
    branch = node - int(tree.first_child[parent])
    return condition_words(tree, [condition_of(tree, parent, branch)], html=False)


# ---- A page of html as a SCORM 1.2 package: what learning platforms take, and what they are told


CP = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
ADL = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
START = "index.html"
DAY = (1980, 1, 1, 0, 0, 0)  # of every file: the same quiz is the same package


def as_package(page: str, title: str) -> bytes:
    """Return a zip file with a page as its one lesson, a SCO.

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
