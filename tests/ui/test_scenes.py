"""Scenes that several visitors look at: worked out once, and never while something is missing."""

from types import SimpleNamespace

import pytest

from lastviz.host.jobs import Working
from lastviz.host.memory import Memory
from lastviz.ui.compute.scenes import Scenes
from lastviz.ui.rules.page import NEW_ROWS

from .conftest import checked, html, opened
from .opened_pages import seen


@pytest.fixture
def scenes():
    return Scenes(Memory(2**20))


def test_what_is_asked_for_a_second_time_is_kept(scenes):
    made = [scenes.find("a", list) for _ in range(4)]
    assert made[0] is not made[1]
    assert made[1] is made[2] is made[3]


def test_what_is_asked_for_once_takes_no_room(scenes):
    for name in "abc":
        scenes.find(name, list)
    assert len(scenes._memory) == 0


def test_each_key_has_its_own(scenes):
    for _ in range(3):
        found = [scenes.find(key, lambda key=key: [key]) for key in (1, 2)]
    assert found == [[1], [2]]


def test_a_scene_that_lacks_something_is_not_kept(scenes):
    job = SimpleNamespace(title="", state=SimpleNamespace(value=""))

    def without():
        try:
            raise Working(job)
        except Working:
            return []

    assert scenes.find("a", without) is not scenes.find("a", without)
    assert len(scenes._memory) == 0
    whole = [scenes.find("a", list) for _ in range(3)]
    assert whole[1] is whole[2]


def test_an_error_is_not_kept(scenes):
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            scenes.find("a", lambda: 1 / 0)
    assert scenes.find("a", list) == []


def test_the_third_of_a_class_is_sent_what_the_second_was(monkeypatch):
    from lastviz.ui.components import chart_host

    written = []
    encode = chart_host.figure_json
    monkeypatch.setattr(chart_host, "library_is_served", lambda: True)
    monkeypatch.setattr(
        chart_host, "figure_json", lambda *args, **how: written.append(1) or encode(*args, **how)
    )
    link = {"data": "moons", "n_samples": 123, "m": "cart", "seed": 77}
    for n_written in (1, 2, 2):
        opened("boundaries", **link)
        assert len(written) == n_written
    opened("boundaries", **link, depth=1)
    assert len(written) == 3


def with_rows_of_ones_own(*values):
    """The page *rules* of a new visitor who hands in rows of moons; what its lost rows are."""
    app = opened("rules", data="moons", m="cart", rows_of="new")
    lines = [f"{x},{y},0" for x, y in values]
    file = ("rows.csv", "\n".join(["x1,x2,class", *lines]).encode(), "text/csv")
    app = checked(app.file_uploader(key=NEW_ROWS).set_value(file).run())
    return checked(app.run())  # as often as a scene must be asked for to be kept


def test_rows_that_one_visitor_hands_in_are_never_shown_to_another():
    one = with_rows_of_ones_own((0.1, 0.2), (0.3, 0.4), (0.5, 0.6))
    assert "of 3 new rows" in html(one)
    another = with_rows_of_ones_own((1.1, -0.2))
    assert "of 3 new rows" not in html(another)
    assert "of 1 new row" in html(another)
    without = seen("rules", data="moons", m="cart", rows_of="new")
    assert any("Upload a file of new rows" in str(each.value) for each in without.info)
