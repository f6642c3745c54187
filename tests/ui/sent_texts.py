"""Every text that a page sends to the browser: widgets, prose, tables, figures and their words."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from lastviz.ui.components import chart_code

TABLE = Path(chart_code.__file__).parent / "chart" / "table.js"

# What no reader sees: names for the program, code, addresses, looks.
UNSEEN_FIELDS = {
    "id", "icon", "form_id", "js_content", "css_content", "css_source_path", "js_source_path",
    "component_name", "deferred_file_id", "page", "page_script_hash", "query_string",
    "label_visibility", "element_type", "tag", "url", "columns", "column_order", "script", "type",
    "language",
}  # fmt: skip
UNSEEN_KEYS = {
    "type", "mode", "color", "colorscale", "symbol", "family", "role", "axis", "xaxis", "yaxis",
    "xref", "yref", "xanchor", "yanchor", "anchor", "bdata", "dtype", "template", "key", "filename",
    "group", "shape", "dash", "hoverinfo", "fill", "fillcolor", "uirevision", "rows_key", "side",
    "dragmode", "hovermode", "orientation", "textposition", "layer", "barmode", "clickmode",
    "fixedrange", "constrain", "legendgroup", "scaleanchor", "tickmode", "ticks", "showticklabels",
    "symbols", "colors", "colours", "matches", "overlaying", "xsizemode", "ysizemode", "rangemode",
    "align", "valign", "textangle", "style", "kind", "ref", "source", "sha", "hash", "among",
    "rows", "state", "constraintext", "slider", "query", "theme", "language",
}  # fmt: skip
AROUND = set(re.findall(r'"(\w+)"', re.search(r"AROUND = (\[.*?\])", TABLE.read_text())[1]))
TAGS = re.compile(r"<(style|script|code|cite|annotation|pre)\b.*?</\1>", re.S)
ATTRIBUTE = re.compile(r"""\b(?:alt|title|aria-label|placeholder|data-\w*text)=("[^"]*"|'[^']*')""")


def texts_sent(app: AppTest) -> Iterator[tuple[str, str]]:
    """Yield (where, text) for all that the page says, seen or read aloud."""
    for block in (app.main, app.sidebar, *app._tree.children.values()):
        yield from _of_block(block)


def _of_block(block: object) -> Iterator[tuple[str, str]]:
    proto = getattr(block, "proto", None)
    if proto is not None:
        yield from _of_proto(proto, getattr(block, "type", ""))
    for child in getattr(block, "children", {}).values():
        yield from _of_block(child)


def _of_proto(proto: Message, where: str) -> Iterator[tuple[str, str]]:
    for field, value in proto.ListFields():
        if field.name in UNSEEN_FIELDS:
            continue
        at = f"{where}.{field.name}"
        parts = value if field.is_repeated and not isinstance(value, (str, bytes)) else [value]
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            parts = value.values()
        for part in parts:
            if isinstance(part, Message):
                yield from _of_proto(part, at)
            elif isinstance(part, bytes):
                yield from _of_bytes(part, at)
            elif isinstance(part, str):
                yield from _of_text(part, at)


def _of_bytes(data: bytes, where: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a component's data: lines of JSON, some of them compressed."""
    if data[:6] == b"ARROW1" or data[:4] == b"\xff\xff\xff\xff":
        return
    text = _unpacked(data)
    for part in text.split("\n"):
        try:
            yield from _of_json(json.loads(part), where)
        except ValueError:
            if part.strip():
                yield where, part


def _unpacked(data: bytes) -> str:
    head, _, rest = data.partition(b"\n")
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data).decode()
    if rest[:2] == b"\x1f\x8b":
        return head.decode() + "\n" + gzip.decompress(rest).decode()
    return data.decode(errors="ignore")


def _of_text(text: str, where: str) -> Iterator[tuple[str, str]]:
    if text[:1] in "{[":
        try:
            yield from _of_json(json.loads(text), where)
            return
        except ValueError:
            pass
    for spoken in ATTRIBUTE.findall(text):
        yield f"{where} spoken", spoken[1:-1]
    yield where, TAGS.sub(" ", text)


def _of_json(value: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        unseen = UNSEEN_KEYS if _is_named(value) else {*UNSEEN_KEYS, "name"}
        for key, part in value.items():
            if key not in unseen:
                yield from _of_json(part, f"{where}.{key}")
    elif isinstance(value, list):
        for part in value:
            yield from _of_json(part, where)
    elif isinstance(value, str):
        yield from _of_text(value, where)


def _is_named(part: dict) -> bool:
    """Tell whether the name of a part of a figure is read: table.js lists marks and curves."""
    if not {"xref", "xaxis", "marker", "line", "hoverinfo"} & part.keys():
        return True
    role = (part.get("meta") or {}).get("role")
    if (role, part.get("name")) in chart_code.MARKS:  # the browser says it in other words
        return False
    is_mark = part.get("type") == "bar" or role == "curve" or "markers" in part.get("mode", "")
    return is_mark and role not in AROUND
