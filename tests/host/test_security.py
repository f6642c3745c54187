"""The headers of every answer, and files that browsers keep, by servers of two lines."""

import asyncio
import gzip
from base64 import b64encode
from hashlib import sha256

import pytest

from lastviz.host import files
from lastviz.host.files import Document, Files
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


@pytest.mark.parametrize("host", [
    *("evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example"),
    *("trees.example.org.evil.example", "evilschool.example", "school.example", ""),
    *("localhost@evil.example", "localhost, evil.example", "localhost/evil.example", "[::1"),
])  # fmt: skip
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


CODE = "export default 1;\n" * 100


@pytest.fixture
def folders(tmp_path):
    for name in ("hashed", "versioned"):
        (tmp_path / name / "deeper").mkdir(parents=True)
        (tmp_path / name / "a.B1.js").write_text(CODE)
        (tmp_path / name / "deeper" / "a.js").write_text(CODE)
        (tmp_path / name / "a.html").write_text(CODE)
        (tmp_path / name / ".hidden.js").write_text(CODE)
    (tmp_path / "secret.js").write_text(CODE)
    return tmp_path


def served(folders):
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 404, "headers": []})

    return Files(app, {"/static/js": folders / "hashed"}, {"/app/static": folders / "versioned"})


async def answer(
    server, path, query=b"", method="GET", headers=((b"accept-encoding", b"br, gzip"),)
):
    said = []

    async def send(message):
        said.append(message)

    scope = {"type": "http", "path": path, "query_string": query, "method": method}
    await server({**scope, "headers": list(headers)}, None, send)
    return said


@pytest.mark.parametrize(("path", "query"), [
    ("/static/js/a.B1.js", b""), ("/app/static/a.B1.js", b"v=1"),
])  # fmt: skip
def test_a_file_is_sent_compressed_and_may_be_kept(folders, path, query):
    start, body = finished(answer(served(folders), path, query))
    headers = dict(start["headers"])
    assert start["status"] == 200
    assert gzip.decompress(body["body"]).decode() == CODE
    assert headers[b"content-type"].startswith(b"text/javascript")
    assert headers[b"content-encoding"] == b"gzip"
    assert int(headers[b"content-length"]) == len(body["body"]) < len(CODE)
    assert b"immutable" in headers[b"cache-control"]
    assert headers[b"vary"] == b"Accept-Encoding"


@pytest.mark.parametrize(("path", "query", "method", "headers"), [
    ("/app/static/a.B1.js", b"", "GET", {"accept-encoding": "gzip"}),  # may change
    ("/static/js/a.B1.js", b"", "HEAD", {"accept-encoding": "gzip"}),
    ("/static/js/a.B1.js", b"", "GET", {}),
    ("/static/js/a.B1.js", b"", "GET", {"accept-encoding": "gzip", "range": "bytes=0-9"}),
    ("/static/js/a.html", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js/gone.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js/.hidden.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js/../secret.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js/..\\secret.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js/deeper/a.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/static/js//a.B1.js", b"", "GET", {"accept-encoding": "gzip"}),
    ("/elsewhere/a.B1.js", b"", "GET", {"accept-encoding": "gzip"}),
])  # fmt: skip
def test_all_else_goes_on(folders, path, query, method, headers):
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    (start,) = finished(answer(served(folders), path, query, method, pairs))
    assert start["status"] == 404


def test_a_file_is_read_once_by_many_and_again_when_it_has_changed(folders, monkeypatch):
    read = []
    once = files._read
    monkeypatch.setattr(files, "_read", lambda path: read.append(path) or once(path))
    server, path = served(folders), "/static/js/a.B1.js"

    async def many():
        return await asyncio.gather(*(answer(server, path) for _ in range(20)))

    async def all_of_it():
        first = await many()
        (folders / "hashed" / "a.B1.js").write_text("changed")
        return first, await answer(server, path)

    first, (_, changed) = finished(all_of_it())
    assert {body["body"] for _, body in first} == {gzip.compress(CODE.encode(), 6, mtime=0)}
    assert gzip.decompress(changed["body"]) == b"changed"
    assert len(read) == 2


def test_a_file_that_goes_while_it_is_read_is_left_to_the_application(folders, monkeypatch):
    def gone(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(files, "_read", gone)
    (start,) = finished(answer(served(folders), "/static/js/a.B1.js"))
    assert start["status"] == 404


def paged(status, kind):
    """Return a server of one answer in two parts, its documents replaced."""

    async def app(scope, receive, send):
        headers = [(b"content-type", kind), (b"etag", b"1"), (b"set-cookie", b"a=b")]
        headers += [(b"Content-Length", b"3")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"ol", "more_body": True})
        await send({"type": "http.response.body", "body": b"d"})

    return Document(app, CODE)


def test_a_page_is_our_document_packed_or_not():
    server = paged(200, b"text/html; charset=utf-8")
    for accepted, opened in ((b"gzip", gzip.decompress), (b"br", bytes)):
        said = finished(answer(server, "/data", headers=[(b"accept-encoding", accepted)]))
        body, headers = said[1], dict(said[0]["headers"])
        assert opened(body["body"]).decode() == CODE
        assert int(headers[b"content-length"]) == len(body["body"])
        assert headers[b"set-cookie"] == b"a=b"
        assert not {b"etag", b"Content-Length"} & headers.keys()
        assert (b"content-encoding" in headers) == (accepted == b"gzip")
    assert finished(answer(server, "/", method="HEAD"))[1]["body"] == b""


@pytest.mark.parametrize(("path", "status", "kind"), [
    ("/media/report.html", 200, b"text/html"),
    ("/data", 304, b"text/html"),
    ("/_stcore/health", 200, b"text/plain"),
])  # fmt: skip
def test_what_is_no_page_goes_as_it_is(path, status, kind):
    said = finished(answer(paged(status, kind), path))
    assert b"".join(message["body"] for message in said[1:]) == b"old"
    assert dict(said[0]["headers"])[b"etag"] == b"1"
