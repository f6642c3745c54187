"""What the server tells browsers to refuse: pages live with it, strangers' pages do not."""

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from lastviz.host.security import HEADERS
from tests.patience import SECONDS

from .app import visit

pytestmark = pytest.mark.e2e

SCENES = {
    "": "",
    "data": "data=waveform&n_samples=20000",  # so many points are drawn by WebGL
    "boundaries": "data=moons&m=cart&m2=c45",
    "growth": "data=xor",
    "splits": "data=iris&m=cart",
    "latent": "data=iris&m=gsodt",
    "rules": "data=iris&lit=3",
    "pruning": "data=noisy_xor",
    "monotone": "data=era",
    "textbook": "",
}
REFUSED = """
window.refused = [];
document.addEventListener("securitypolicyviolation",
    (event) => window.refused.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""


@pytest.fixture
def watched(open_page):
    """A page with an ear on what the browser says, asks for and does not get."""
    page = open_page("/textbook")
    page.add_init_script(REFUSED)
    said, calls, missing = [], [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: calls.append(request.url))
    page.on("response", lambda got: got.status >= 400 and missing.append(got.url))
    return page, said, calls, missing


def test_pages_need_nothing_that_the_policy_refuses_and_nothing_that_is_missing(watched, server):
    page, said, calls, missing = watched
    own = (server, server.replace("http:", "ws:"))
    for name, query in SCENES.items():
        calls.clear()
        visit(page, f"{server}/{name}?{query}")
        assert page.evaluate("window.refused") == [], name
        assert [line for line in said if "Content Security Policy" in line] == [], name
        outward = [url for url in calls if url.startswith(("http", "ws"))]
        assert outward, name
        assert [url for url in outward if not url.startswith(own)] == [], name
        assert missing == [], name


def test_the_policy_is_watched_at_all(watched, server):
    page = watched[0]
    visit(page, server + "/data")
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.foreign = true";
            document.body.append(script);
            const image = new Image();
            image.src = "https://example.org/picture.png";
            document.body.append(image);
        }"""
    )
    page.wait_for_function("window.refused.length >= 2")
    assert page.evaluate("window.foreign") is None
    assert {line.split("-")[0] for line in page.evaluate("window.refused")} == {"script", "img"}


@pytest.mark.main
def test_every_answer_has_the_headers_and_the_meters_are_closed(server):
    for path in ("/", "/data", "/_stcore/health", "/app/static/plotly.min.js", "/favicon.png"):
        with urllib.request.urlopen(server + path, timeout=SECONDS) as answer:
            for name, value in HEADERS.items():
                assert answer.headers.get_all(name) == [value], (path, name)
            (policy,) = answer.headers.get_all("Content-Security-Policy")
            assert "frame-ancestors 'self'" in policy
            assert "default-src 'self'" in policy
    for path in ("/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics?families=x"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(server + path, timeout=SECONDS)
        refused.value.close()
        assert refused.value.code == 404
        assert refused.value.headers["X-Content-Type-Options"] == "nosniff"


def test_a_strangers_page_cannot_frame_the_app(open_page, server):
    page = open_page("/data")
    other = page.context.new_page()
    other.set_content(f'<iframe src="{server}/data" width="900" height="600"></iframe>')
    frame = other.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_count(0)
    assert not any(f.url.startswith(server) for f in other.frames)
    other.close()
