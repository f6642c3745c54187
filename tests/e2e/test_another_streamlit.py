"""A Streamlit whose insides are called otherwise: the app goes on without its shorter ways.

The names are changed in all of Streamlit's sources as they are imported, so that Streamlit itself
works as before.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from lastviz.host.shortcuts import SHORTCUTS

from .app import PICTURES, ROOT, App, go_to, ready, seed_field

pytestmark = pytest.mark.e2e

READERS = ("host/shorter.py", "host/shortcuts.py", "ui/state/resumption.py")
SOURCES = "".join((ROOT / "lastviz" / name).read_text("utf-8") for name in READERS)
INSIDE = {name.strip(".") for name in re.findall(r"\._[a-z]\w+", SOURCES)}
PUBLIC = {"on_script_will_rerun", "filtered_state", "request_rerun"}
STILL_TAKEN = {"filtered_state"}  # it reads nothing that is private
RENAMING = """
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path

INSIDE = re.compile(r"\\b({names})\\b")
plain = SourceFileLoader.get_code

def renamed(self, name):
    if not name.startswith("streamlit."):
        return plain(self, name)
    source = INSIDE.sub(r"\\1_now", Path(self.path).read_text("utf-8"))
    return compile(source, self.path, "exec", dont_inherit=True)

SourceFileLoader.get_code = renamed
"""


def test_pages_are_drawn_and_changed_without_the_shorter_ways(open_page, tmp_path):
    names = "|".join(INSIDE | ({each.name for each in SHORTCUTS} - PUBLIC))
    (tmp_path / "sitecustomize.py").write_text(RENAMING.format(names=names))
    app = App(tmp_path)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    app.environment = os.environ | {"PYTHONPATH": path}
    with app:
        page = open_page(f"{app.address}/boundaries?data=moons&m=cart&seed=3")
        page.wait_for_selector(".lv-figure .main-svg")
        ready(page)
        before = page.evaluate(PICTURES)
        seed_field(page).fill("7")
        seed_field(page).press("Enter")
        page.wait_for_url("**seed=7**")
        ready(page)
        expect(seed_field(page)).to_have_value("7")
        assert page.evaluate(PICTURES) != before
        assert "Something went wrong" not in page.locator("body").inner_text()
        go_to(page, "Explore", "Rules")
        page.wait_for_url("**/rules**")
        ready(page)
    log = app.log.read_text("utf-8")
    assert "Traceback" not in log
    left = re.findall(r"Streamlit [\d.]+ is left to do (\w+) its own way", log)
    assert sorted(left) == sorted(e.name for e in SHORTCUTS if e.name not in STILL_TAKEN)
