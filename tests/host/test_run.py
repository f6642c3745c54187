"""What a run of a page asks is worked out once, and neither later runs nor others see it."""

import threading
from collections import Counter

import pytest

import lastviz
from lastviz.criteria import CRITERIA
from lastviz.datasets import load_dataset, openml, to_csv
from lastviz.host import language
from lastviz.host.memory import resolved
from lastviz.ui import text
from lastviz.ui.compute import availability, uploads
from lastviz.ui.compute.work import Work, one_run, work_of
from lastviz.ui.splits import page as splits
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from tests.calls import calls_counted
from tests.ui.conftest import opened

ONCE = ("data_key", "division_key", "available", "missing_set", "data", "origin")


@pytest.fixture
def held(monkeypatch):
    files = {}
    monkeypatch.setattr(uploads.st, "session_state", files)
    return files


def counted(selection):
    """The calls for one picture of *splits*, as a run that speaks English asks for it."""
    calls = Counter()
    with one_run(), calls_counted(calls):
        splits.slide_blocks(Work(selection), "light")
    assert {name: calls[name] for name in ONCE} == dict.fromkeys(ONCE, 1)
    # The line of the second model is drawn beside the first one's, at the root.
    of_models = 1 if selection.models[0].node else len(selection.models)
    assert calls["fitted"] == of_models
    return calls.total()


@pytest.fixture
def english():
    before = language.SPOKEN.set("en")
    yield
    language.SPOKEN.reset(before)


# Now and then a value that is kept is measured anew, which is no part of the picture.
def test_one_picture_of_splits_takes_less_than_800_calls(english):
    assert 400 < min(counted(DEFAULT) for _ in range(4)) < 800


def test_a_picture_of_a_node_that_nobody_has_looked_at_takes_little_more(english):
    counted(DEFAULT)
    unseen = [DEFAULT.change_model(0, node=node) for node in (1, 2, 3, 4)]
    assert 400 < min(map(counted, unseen)) < 1200


@pytest.mark.parametrize("page", ["splits", "growth", "boundaries", "rules", "pruning"])
def test_a_whole_page_looks_once_at_what_the_data_are(page):
    app = opened(page)
    calls = Counter()
    with calls_counted(calls):
        app.run()
    assert calls["t"] > 100  # it has been drawn
    assert calls["data_key"] <= 2  # of the scene, and of the models that the page shows of it
    assert calls["openml_entries"] < 10


class Asked:
    """An object whose property says how often it was worked out."""

    def __init__(self):
        self.n = 0

    @resolved
    def answer(self):
        self.n += 1
        if self.n == 1:
            raise ValueError("not yet")
        return self.n

    @resolved
    def words(self):
        return text.t("Data")


def test_a_property_is_worked_out_once_an_object_and_an_error_is_no_answer():
    asked, other = Asked(), Asked()
    with pytest.raises(ValueError, match="not yet"):
        asked.answer  # noqa: B018
    assert [asked.answer, asked.answer, asked.n] == [2, 2, 2]
    assert other.n == 0


def test_a_run_has_one_work_for_a_selection_and_another_run_another():
    other = DEFAULT.change(seed=5)
    with one_run():
        first = work_of(DEFAULT)
        assert work_of(DEFAULT) is first
        assert work_of(other) is not first
        assert work_of(other).selection is other
    with one_run():
        assert work_of(DEFAULT) is not first
    assert work_of(DEFAULT) is not work_of(DEFAULT)  # no run


def test_a_run_beside_another_has_work_of_its_own():
    told = []
    with one_run():
        told.append(work_of(DEFAULT))
        visitor = threading.Thread(target=lambda: told.append(work_of(DEFAULT)))
        visitor.start()
        visitor.join()
        told.append(work_of(DEFAULT))
    assert told[0] is told[2] is not told[1]


def test_what_was_put_into_words_is_known_to_be_so_from_an_answer_that_was_kept():
    asked = Asked()
    for _ in range(2):
        uses = language.LANGUAGE_USES.count
        assert asked.words
        assert language.LANGUAGE_USES.count > uses
    asked.n = 1
    uses = language.LANGUAGE_USES.count
    assert asked.answer == asked.answer
    assert language.LANGUAGE_USES.count == uses


def test_a_table_that_was_replaced_in_the_folder_is_another_in_the_next_run(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    selection, keys, n_rows = Selection(data="folder.own"), [], []
    for n in (6, 8):
        (tmp_path / "own.csv").write_text("a,class\n" + "1,x\n2,y\n" * (n // 2))
        with one_run():
            keys.append(Work(selection).data_key)
            n_rows.append(Work(selection).dataset.n_samples)
    assert n_rows == [6, 8]
    assert keys[0] != keys[1]


def test_a_set_of_openml_is_missing_until_it_has_come_and_again_when_it_is_gone(monkeypatch):
    selection, here = Selection(data="openml.7"), {}
    monkeypatch.setattr(openml, "_entries", lambda folder, changed: dict(here))
    monkeypatch.setattr(openml.os, "stat", lambda folder: type("At", (), {"st_mtime_ns": 1}))
    told = []
    for entries in ({}, {"openml.7": lastviz.datasets.DATASETS["iris"]}, {}):
        here.clear()
        here.update(entries)
        with one_run():
            told.append(
                (availability.missing_set(selection), availability.available(selection).data)
            )
    assert told == [(7, "xor"), (None, "openml.7"), (7, "xor")]


def test_a_file_is_seen_by_who_holds_it_alone_and_no_longer_than_it_is_held(held):
    content = to_csv(load_dataset("iris"))
    selection = Selection(data=UPLOAD, upload=uploads.keep("iris.csv", content, 150))
    shapes = []
    for files in (dict(held), {}, dict(held)):
        held.clear()
        held.update(files)
        with one_run():
            shapes.append(Work(selection).dataset.n_samples)
    assert shapes == [150, 400, 150]


def test_a_criterion_that_was_registered_ranks_in_the_next_run():
    def key():
        with one_run():
            return Work(DEFAULT).first.node(0).table_key

    before = key()
    lastviz.register_criterion("own", lambda left, right: left[:, 0] - right[:, 0], title="Own")
    try:
        assert "own" in CRITERIA
        assert key() == (*before[:-1], (*before[-1], "own"))
    finally:
        lastviz.unregister_criterion("own")
    assert key() == before
