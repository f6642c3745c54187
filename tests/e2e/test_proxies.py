"""The examples of web servers with TLS, in front of two workers and under a base path."""

import hashlib
import hmac
import http.client
import os
import shutil
import ssl
import subprocess
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.host.security import HEADERS
from lastviz.host.visitor import TRUSTED
from tests.patience import SECONDS, until

from .app import (
    PATIENCE,
    ROOT,
    SIZES,
    arrive,
    copy_link,
    free_port,
    hand_in,
    kept,
    ready,
    reload,
    still,
)
from .test_workers import Workers, worker_of

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

BASE = "/tools/lastviz"
SECRET = "the workers' secret"
NAMES = {"haproxy": ["haproxy", "-db", "-f", "deploy/haproxy_tls.cfg"],
         "caddy": ["caddy", "run", "--config", "deploy/Caddyfile"]}  # fmt: skip
UNSIGNED = ssl._create_unverified_context()  # by nobody whom this machine knows
TOO_LARGE = 120_000_000


@pytest.fixture(scope="module")
def workers(tmp_path_factory, store):
    """Serve as `make serve` does; stop the supervisor, which stops all."""
    if shutil.which("haproxy") is None:
        pytest.skip("HAProxy is not installed; make proxy installs it")
    environment = os.environ | {"LASTVIZ_STORE_FOLDER": str(store.folder),
                                "LASTVIZ_SECRET": SECRET, TRUSTED: "X-Real-IP"}  # fmt: skip
    with Workers(tmp_path_factory.mktemp("workers"), BASE, environment) as started:
        yield started


@pytest.fixture(scope="module", params=NAMES)
def site(request, workers, tmp_path_factory):
    """Serve with TLS in front of the workers; yield the address without TLS and the one with it."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed; make proxy installs it")
    folder = tmp_path_factory.mktemp(request.param)
    plain, secure = free_port(), free_port()
    sign = "" if request.param == "caddy" else "localhost:"
    given = {"HTTP": f"{sign}{plain}", "HTTPS": f"{sign}{secure}", "BASE_PATH": BASE,
             "LASTVIZ": workers.address.removeprefix("http://").removesuffix(BASE),
             "CERTIFICATE": str(folder / "both.pem"), "XDG_DATA_HOME": str(folder),
             "XDG_CONFIG_HOME": str(folder)}  # fmt: skip
    certify(folder)
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            NAMES[request.param], cwd=ROOT, env=os.environ | given, stdout=log, stderr=log
        )
    address = f"https://localhost:{secure}{BASE}"
    try:
        until(lambda: answers(f"{address}/_stcore/health"), why=folder / "log.txt")
        yield f"http://localhost:{plain}{BASE}", address
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


def certify(folder):
    """Make a certificate of localhost, as deploy/README.md does."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost"
    made = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command.split(), *made], cwd=folder, check=True, capture_output=True)
    parts = [(folder / name).read_text() for name in ("cert.pem", "key.pem")]
    (folder / "both.pem").write_text("".join(parts))


def answers(address):
    with suppress(OSError):
        asked(address).close()
        return True
    return False


def asked(address, **headers):
    request = urllib.request.Request(address, headers=headers)
    return urllib.request.urlopen(request, timeout=SECONDS, context=UNSIGNED)


@pytest.fixture
def page(browser, site):
    """A page in a browser that says another address of itself than the one it has."""
    context = browser.new_context(
        ignore_https_errors=True,
        extra_http_headers={"X-Real-IP": "192.0.2.7", "X-Forwarded-For": "192.0.2.7"},
        permissions=["clipboard-read", "clipboard-write"],
        viewport=SIZES["projector"],
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


def test_a_table_goes_in_and_a_scene_and_its_link_come_out(page, site, store, tmp_path):
    _, address = site
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{address}/data")
    ready(page)
    assert sockets == [f"{address.replace('https', 'wss')}/_stcore/stream"]
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    arrive(page, "**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    cookies = page.context.cookies(address)
    assert {cookie["name"] for cookie in cookies} >= {"LV", "_streamlit_xsrf"}
    assert all(cookie["secure"] for cookie in cookies)
    name = worker_of(page)
    reload(page)
    assert worker_of(page) == name
    expect(page.locator(".lv-say").first).to_contain_text("178")
    still(page)  # a menu does not stay open while the page still comes
    assert kept(page, "Save scene", tmp_path).stat().st_size > 1000
    copy_link(page)
    page.wait_for_function("async () => (await navigator.clipboard.readText()).length")
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"{address}/data?")
    come_from = {source for (source,) in store.read("SELECT source FROM uploads")}
    assert come_from <= {named("127.0.0.1/32"), named("::/64")}
    assert come_from


def named(network):
    """A name for a network, as lastviz/host/security.py makes it."""
    digest = hmac.new(SECRET.encode(), f"address {network}".encode(), hashlib.sha256)
    return "!" + digest.hexdigest()[:24]


def test_without_tls_one_is_sent_where_it_is(site):
    plain, _ = site
    where = plain.removeprefix("http://").removesuffix(BASE)
    connection = http.client.HTTPConnection(where, timeout=SECONDS)
    connection.request("GET", f"{BASE}/data?data=iris")
    answer = connection.getresponse()
    connection.close()
    assert answer.status in (301, 308)
    assert answer.headers["Location"].startswith("https://localhost")
    assert answer.headers["Location"].endswith(f"{BASE}/data?data=iris")


def test_headers_of_the_app_arrive_and_its_files_are_kept_by_browsers(site):
    _, address = site
    with asked(f"{address}/data") as answer:
        text = answer.read().decode()
        for name, value in HEADERS.items():
            assert answer.headers.get_all(name) == [value]
        assert "max-age" in answer.headers["Strict-Transport-Security"]
    script = text.partition('src="./')[2].partition('"')[0]
    with asked(f"{address}/{script}", **{"Accept-Encoding": "gzip"}) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Encoding"] == "gzip"
    with pytest.raises(urllib.error.HTTPError) as refused:
        asked(f"{address}/_stcore/metrics")
    refused.value.close()
    assert refused.value.code == 404


def test_what_is_too_large_is_refused_before_it_has_come(site):
    where = site[1].removeprefix("https://").removesuffix(BASE)
    connection = http.client.HTTPSConnection(where, timeout=SECONDS, context=UNSIGNED)
    connection.putrequest("PUT", f"{BASE}/_stcore/upload_file/session/file")
    connection.putheader("Content-Length", str(TOO_LARGE))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()
