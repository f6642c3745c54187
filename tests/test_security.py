"""The headers of every answer, by a server of two lines."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest

from lastviz.security import CLOSED, HEADERS, Guard, content_policy

from .own_loop import finished


def asked(path, kind="http", headers=()):
    """What a guarded application, which answers 200 and some headers, says to a request."""
    said, reached = [], []

    async def app(scope, receive, send):
        reached.append(scope["path"])
        await send({"type": f"{kind}.response.start", "status": 200, "headers": list(headers)})

    async def send(message):
        said.append(message)

    guard = Guard(app, "<script>let a = 1</script><script src='x.js'></script>")
    finished(guard({"type": kind, "path": path}, None, send))
    return said, reached


def test_all_headers_are_said_once_whatever_the_application_says():
    (start,), _ = asked("/data", headers=[(b"X-Frame-Options", b"ALLOWALL"), (b"etag", b"1")])
    names = [name.decode() for name, _ in start["headers"]]
    assert sorted(names) == sorted(
        ["etag", "content-security-policy", *(name.lower() for name in HEADERS)]
    )
    assert dict(start["headers"])[b"x-frame-options"] == b"SAMEORIGIN"
    assert dict(start["headers"])[b"etag"] == b"1"


@pytest.mark.parametrize("path", [*CLOSED, CLOSED[0] + "/", "/some/base" + CLOSED[0]])
def test_what_is_closed_does_not_reach_the_application(path):
    said, reached = asked(path)
    assert reached == []
    assert said[0]["status"] == 404
    assert (b"x-content-type-options", b"nosniff") in said[0]["headers"]


def test_websockets_pass():
    said, reached = asked("/_stcore/stream", kind="websocket")
    assert reached == ["/_stcore/stream"]
    assert said[0]["headers"] == []


def test_the_policy_allows_the_scripts_of_the_page_by_their_hashes_and_no_others():
    script = "\n window.x = 1\n"
    rules = dict(
        rule.split(" ", 1)
        for rule in content_policy(f"<html><script>{script}</script></html>").split("; ")
    )
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in rules["script-src"]
    assert "'unsafe-inline'" not in rules["script-src"]
    assert rules["object-src"] == "'none'"
    assert rules["default-src"] == rules["frame-ancestors"] == "'self'"
    assert not any("http" in sources or "*" in sources for sources in rules.values())
