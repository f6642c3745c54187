"""Files that browsers keep, answered by a server of two lines with two folders."""

import asyncio
import gzip

import pytest

from lastviz.host import files
from lastviz.host.files import Document, Files
from tests.own_loop import finished

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


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/media/report.html", 200, b"text/html"),
        ("/data", 304, b"text/html"),
        ("/_stcore/health", 200, b"text/plain"),
    ],
)
def test_what_is_no_page_goes_as_it_is(path, status, kind):
    said = finished(answer(paged(status, kind), path))
    assert b"".join(message["body"] for message in said[1:]) == b"old"
    assert dict(said[0]["headers"])[b"etag"] == b"1"
