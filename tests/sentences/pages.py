"""What a page says: every text that it sends to the browser, of its pictures what they show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from urllib.parse import parse_qsl

from tests.ui.conftest import opened, sent


def on_page(page: str) -> Callable[[str], list[str]]:
    """Return what tells all texts of a page that a link opens."""
    return partial(_said, page)


@cache
def _said(page: str, link: str) -> list[str]:
    texts = _texts(opened(page, **dict(parse_qsl(link)))._tree)
    return [text for text in texts if not text.startswith(("<style", "<script"))]


def _texts(block: object) -> Iterator[str]:
    for each in block.children.values():
        proto = getattr(each, "proto", None)
        yield from filter(None, (getattr(proto, name, "") for name in ("body", "help")))
        if getattr(proto, "component_name", "") == "lastviz_chart":
            yield json.loads(sent(proto.bytes))["alt"]
        yield from _texts(each) if hasattr(each, "children") else ()
