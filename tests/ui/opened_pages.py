"""Pages that tests look at: each is opened once in a process, and read by all who ask for it."""

import json
import os
import re
from functools import cache
from html import unescape

from streamlit.testing.v1 import AppTest

from .conftest import html, opened, sent


def seen(page: str, **query: object) -> AppTest:
    """The app on a page, opened by a link; others read it too, so that nothing may be pressed."""
    texts = tuple(sorted((name, str(value)) for name, value in query.items()))
    return _opened_once(page, texts, os.environ.get("LASTVIZ_DATA", ""))


@cache
def _opened_once(page: str, query: tuple[tuple[str, str], ...], folder: str) -> AppTest:
    app = opened(page, **dict(query))
    app._run = _refused  # what every element calls that is pressed
    return app


def _refused(*_: object, **__: object) -> None:
    raise AssertionError("other tests look at this page: one that is changed has to be opened")


def without_tags(text: str) -> str:
    """The words of some html, one space apart."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def plain(text: str) -> str:
    """Html as it is read."""
    return unescape(re.sub(r"<[^>]+>", "", text)).strip()


def words(app: AppTest) -> str:
    """What is written on a page as html."""
    return without_tags(html(app))


def said(app: AppTest, *kinds: str) -> str:
    """What elements of some kinds say, without the marks that keep signs from being Markdown."""
    kinds = kinds or ("markdown", "caption", "info", "warning", "latex")
    values = (str(element.value) for kind in kinds for element in app.get(kind))
    return re.sub(r"\\(?=\W)", "", " ".join(values))


def told(app: AppTest) -> str:
    """All that a page says in words."""
    return without_tags(f"{html(app)} {said(app)}")


def sent_to(app: AppTest, component: str) -> dict[str, str]:
    """What the components of a kind were sent, by their keys."""
    return {
        element.proto.id.split("-", 2)[2]: sent(element.proto.bytes)
        for element in app.get("bidi_component")
        if element.proto.component_name == f"lastviz_{component}"
    }


def pictures(app: AppTest) -> dict[str, dict]:
    """What the charts of a page were told, by their keys."""
    return {key: json.loads(text) for key, text in sent_to(app, "chart").items()}


def stories(app: AppTest) -> dict[str, dict]:
    """What the growth players of a page tell, by their keys, and at which step they begin."""
    found = {}
    for key, text in sent_to(app, "growth_player").items():
        at, story = map(json.loads, text.split("\n", 1))
        found[key] = story | {"begins": at["step"]}
    return found
