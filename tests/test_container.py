"""The container file, as far as it can be tried without an engine.

The app on a file system that cannot be written to is tests/e2e/test_read_only.py.
"""

import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from lastviz._machine_code import compiled_folder
from lastviz.ui.components import __main__ as components
from lastviz.ui.components import served

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
LINES = [line for line in TEXT.splitlines() if line and not line.startswith("#")]


def test_it_runs_as_a_user_who_owns_nothing_of_the_app():
    user = LINES.index("USER lastviz")
    assert not [line for line in LINES if "--chown" in line]
    assert all(line.split()[0] in ("ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD")
               for line in LINES[user + 1 :])  # fmt: skip
    assert [line for line in LINES if line.startswith("VOLUME")] == ["VOLUME /data"]


def test_all_that_is_written_goes_into_the_volume():
    said = " ".join(line.removeprefix("ENV ") for line in LINES if line.startswith("ENV"))
    places = dict(pair.split("=", 1) for pair in said.split())
    written = ("LASTVIZ_CACHE", "HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    assert all(places[name].startswith("/data") for name in written)
    assert f"LASTVIZ_CACHE={places['LASTVIZ_COMPILED']} python -m lastviz.warm_up" in TEXT


def test_it_copies_what_the_app_needs_and_no_secrets():
    copied = [part for line in LINES if line.startswith("COPY") for part in line.split()[1:-1]]
    assert all((ROOT / part).exists() for part in copied)
    assert not {".", ".streamlit", ".streamlit/"} & set(copied)
    needed = {"app.py", "pages", "lastviz", ".streamlit/config.toml", "deploy/haproxy.cfg.template"}
    assert needed <= set(copied)


@pytest.mark.parametrize("base", ["", "lastviz", "/tools/lastviz/"])
def test_its_health_check_honours_port_and_base_path(base):
    (check,) = [line for line in LINES if line.startswith("HEALTHCHECK")]
    code = re.search(r'python -c "(.*)"', check)[1]
    asked = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200 if len(asked) == 1 else 503)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("localhost", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = {**os.environ, "PORT": str(server.server_port), "BASE_PATH": base}
        done = [subprocess.run([sys.executable, "-c", code], env=own, stderr=-3) for _ in range(2)]
        server.shutdown()
    path = "/".join(["", *filter(None, [base.strip("/")]), "_stcore/health"])
    assert asked == [path, path]
    assert [each.returncode for each in done] == [0, 1]  # the second answer was no


def test_machine_code_of_an_image_is_copied_once_where_more_can_be_put_beside_it(
    tmp_path, monkeypatch
):
    image, cache = tmp_path / "image", tmp_path / "data" / "cache" / "kernels"
    monkeypatch.setenv("LASTVIZ_COMPILED", str(image))
    monkeypatch.setenv("LASTVIZ_CACHE", str(cache))
    (image / "tree-1").mkdir(parents=True)
    (image / "tree-1" / "a.nbi").write_text("index")
    (image / "tree-1").chmod(0o555)
    assert compiled_folder("tree-1") == cache / "tree-1"
    assert (cache / "tree-1" / "a.nbi").read_text() == "index"
    (cache / "tree-1" / "b.nbi").write_text("more")
    (cache / "tree-1" / "a.nbi").write_text("newer")
    compiled_folder("tree-1")
    assert (cache / "tree-1" / "a.nbi").read_text() == "newer"
    assert [path.name for path in cache.iterdir()] == ["tree-1"]
    assert not list(compiled_folder("unknown").iterdir())


def test_all_files_that_browsers_fetch_are_made_beforehand(tmp_path, monkeypatch):
    monkeypatch.setattr(served, "SERVED", tmp_path / "static" / "plotly.min.js")
    served.library_is_served.cache_clear()
    for make in components.MAKERS:
        make.cache_clear()
    try:
        assert components.make_all()
    finally:
        served.library_is_served.cache_clear()
    made = {path.name for path in (tmp_path / "static").iterdir()}
    named = re.compile(r'(?<![.\w])component\(\s*"(\w+)"')
    sources = (ROOT / "lastviz" / "ui").rglob("*.py")
    wanted = {n for path in sources for n in named.findall(path.read_text(encoding="utf-8"))}
    assert len(wanted) >= 7
    assert made == {"plotly.min.js", *(f"{name}.js" for name in wanted)}
