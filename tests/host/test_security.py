"""The headers of every answer, by a server of two lines."""

from base64 import b64encode
from hashlib import sha256

import pytest

from lastviz.host.security import (
    CLOSED,
    EMBED,
    HEADERS,
    HOSTS,
    Guard,
    content_policy,
    embedders,
    headers,
    hosts_of,
)
from tests.own_loop import finished


def asked(path, kind="http", headers=(), sent=(), **more):
    """What a guarded application, which answers 200 and some headers, says to a request."""
    said, reached = [], []

    async def app(scope, receive, send):
        reached.append(scope["path"])
        await send({"type": f"{kind}.response.start", "status": 200, "headers": list(headers)})

    async def send(message):
        said.append(message)

    guard = Guard(app, "<script>let a = 1</script><script src='x.js'></script>", **more)
    finished(guard({"type": kind, "path": path, "headers": sent}, None, send))
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


@pytest.fixture
def hosts(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Lab7")
    monkeypatch.setenv(HOSTS, "trees.example.org, *.school.example")
    return hosts_of("0.0.0.0", "lab.local")


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST.:8501", "127.0.0.1:8501", "[::1]:8501", "192.0.2.7"),
        *("lab7", "lab7.local:80", "lab.local", "trees.example.org:443", "a.b.school.example"),
    ],
)
def test_the_operators_hosts_the_machine_and_numbers_are_answered(host, kind, hosts):
    said, reached = asked("/data", kind, sent=[(b"host", host.encode())], hosts=hosts)
    assert reached == ["/data"]
    assert said[0]["status"] == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example"),
        *("trees.example.org.evil.example", "evilschool.example", "school.example", ""),
        *("localhost@evil.example", "localhost, evil.example", "localhost/evil.example", "[::1"),
    ],
)
def test_foreign_hosts_reach_nothing(host, hosts):
    sent = [(b"accept", b"*/*"), (b"Host", host.encode())]
    (start, body), reached = asked("/data", sent=sent, hosts=hosts)
    assert reached == []
    assert start["status"] == 400
    assert {name.lower().encode() for name in HEADERS} <= dict(start["headers"]).keys()
    assert HOSTS in body["body"].decode()
    said, reached = asked("/_stcore/stream", "websocket", sent=sent, hosts=hosts)
    assert reached == []
    assert said == [{"type": "websocket.close", "code": 1008}]


def test_a_second_host_is_looked_at_too_and_none_is_no_browser(hosts):
    both = [(b"host", b"localhost"), (b"host", b"evil.example")]
    assert asked("/data", sent=both, hosts=hosts)[1] == []
    assert asked("/data", hosts=hosts)[1] == ["/data"]


def test_who_names_a_star_answers_for_every_name(monkeypatch):
    monkeypatch.setenv(HOSTS, "*")
    assert asked("/", sent=[(b"host", b"any.example")], hosts=hosts_of())[1] == ["/"]


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


@pytest.mark.parametrize(("named", "sites"), [
    ("", ()),
    ("https://moodle.example.edu", ("https://moodle.example.edu",)),
    (
        "https://Moodle.example.edu/, http://localhost:9000  https://[::1]:8 http://localhost:9000",
        ("https://moodle.example.edu", "http://localhost:9000", "https://[::1]:8"),
    ),
])  # fmt: skip
def test_exactly_the_sites_that_the_operator_names_may_show_it(monkeypatch, named, sites):
    monkeypatch.setenv(EMBED, named)
    assert embedders() == sites
    (start,), _ = asked("/data", headers=[(b"X-Frame-Options", b"DENY")], sites=embedders())
    said = dict(start["headers"])
    rule = said[b"content-security-policy"].decode().rpartition("; ")[2]
    assert rule.split() == ["frame-ancestors", "'self'", *sites]
    assert (b"x-frame-options" in {n.lower() for n in said}) == (not sites)
    assert HEADERS.keys() - headers(sites) == ({"X-Frame-Options"} if sites else set())


@pytest.mark.parametrize("named", [
    *("*", "moodle.example.edu", "https://", "https://*.example.edu", "https://a.example/course"),
    *("ftp://a.example", "https://a.example;script-src", "'none'", "https://a b.example"),
])  # fmt: skip
def test_what_names_no_site_is_refused(monkeypatch, named):
    monkeypatch.setenv(EMBED, f"https://moodle.example.edu {named}")
    with pytest.raises(ValueError, match=f"{EMBED} names sites"):
        embedders()
