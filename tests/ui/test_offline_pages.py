"""The file of a page that works without a server: what is said beside its button."""

import base64
import gzip
import json
import re

import pytest

from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import page_file
from lastviz.ui.state.selection import DEFAULT
from tests.ui.conftest import opened


def test_a_page_of_numbers_takes_typed_rows():
    selection = DEFAULT.having(data="noisy_sine")
    saved = page_file.live_page(Work(selection), "boundaries", boundaries, None)
    packed = re.search(r'id="live-1">(.*?)<', saved)[1]
    live = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert live["tree"]["features"] == ["x"]
    assert len(live["tree"]["mean"]) > 3


def box(monkeypatch, limit):
    """The box of *boundaries*, opened by a reader, with a limit of bytes."""
    monkeypatch.setattr(page_file, "MOST_OF_ONE", limit)
    app = opened("boundaries", data="moons", n_samples="60", m="cart")
    app.session_state["page_file"] = True  # as a click on the button leaves it
    return app.run()


@pytest.mark.parametrize("limit", [1_000_000, 2_000_000])
def test_a_page_that_is_too_large_says_how_large_and_leaves_no_button(monkeypatch, limit):
    app = box(monkeypatch, limit)
    (fault,) = [error.value for error in app.error]
    said = float(fault.partition("would have ")[2].partition(" MB")[0])
    assert said * 1_000_000 > limit
    assert f"more than {limit // 1_000_000}." in fault
    assert not [
        each for each in app.get("download_button") if each.proto.label.startswith("Save the")
    ]


def test_a_page_that_fits_has_its_size_on_the_button(monkeypatch):
    app = box(monkeypatch, 3_000_000)
    assert not app.error
    (button,) = [each for each in app.get("download_button") if "MB" in each.proto.label]
    assert 1.9 < float(button.proto.label.split("(")[1].split(" ")[0]) < 3.0
