"""What a run of a page asks is worked out once, and neither later runs nor others see it."""

import threading
from collections import Counter

import pytest

import lastviz
from lastviz.criteria import CRITERIA
from lastviz.datasets import load_dataset, openml, to_csv
from lastviz.host import language
from lastviz.host.memory import once_a_run, one_run
from lastviz.ui import text
from lastviz.ui.compute import availability, cache, nodes, uploads
from lastviz.ui.splits import page as splits
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from tests.calls import calls_counted
from tests.ui.conftest import opened

ONCE = ("data_key", "division_key", "available", "missing_set", "data", "grown_node")


@pytest.fixture
def held(monkeypatch):
    files = {}
    monkeypatch.setattr(uploads.st, "session_state", files)
    return files


def counted(selection):
    """The calls for one picture of *splits*, as a run that speaks English asks for it."""
    calls = Counter()
    with one_run(), calls_counted(calls):
        splits.pictured(selection, "light")
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


def test_an_answer_is_worked_out_once_a_run_for_each_selection_and_place():
    asked = []

    @once_a_run
    def answer(selection, place=0, *, loud=False):
        asked.append((selection.seed, place, loud))
        return [selection.seed]

    other = DEFAULT.change(seed=5)
    with one_run():
        first = answer(DEFAULT)
        assert answer(DEFAULT) is first
        assert [answer(other), answer(DEFAULT, 1), answer(DEFAULT, loud=True)] == [[5], [1], [1]]
        assert answer(other) == [5]
    assert asked == [(1, 0, False), (5, 0, False), (1, 1, False), (1, 0, True)]
    with one_run():
        assert answer(DEFAULT) is not first
    assert answer(DEFAULT) is not answer(DEFAULT)  # no run


def test_an_error_is_asked_for_again_and_ends_no_run():
    asked = []

    @once_a_run
    def answer(selection):
        asked.append(selection)
        if len(asked) == 1:
            raise ValueError("not yet")
        return len(asked)

    with one_run():
        with pytest.raises(ValueError, match="not yet"):
            answer(DEFAULT)
        assert [answer(DEFAULT), answer(DEFAULT)] == [2, 2]
    with pytest.raises(TypeError):
        answer()
    assert answer(DEFAULT) == 3


def test_a_run_beside_another_has_answers_of_its_own():
    names, told = iter(["one", "other"]), []
    answer = once_a_run(lambda selection: next(names))
    with one_run():
        told.append(answer(DEFAULT))
        visitor = threading.Thread(target=lambda: told.append(answer(DEFAULT)))
        visitor.start()
        visitor.join()
        told.append(answer(DEFAULT))
    assert told == ["one", "other", "one"]


def test_what_was_put_into_words_is_known_to_be_so_from_an_answer_that_was_kept():
    answer = once_a_run(lambda selection: text.t("Data"))
    with one_run():
        for _ in range(2):
            uses = language.LANGUAGE_USES.count
            answer(DEFAULT)
            assert language.LANGUAGE_USES.count > uses
        silent = once_a_run(lambda selection: 7)
        uses = language.LANGUAGE_USES.count
        assert silent(DEFAULT) == silent(DEFAULT)
        assert language.LANGUAGE_USES.count == uses


def test_a_table_that_was_replaced_in_the_folder_is_another_in_the_next_run(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    selection, keys, n_rows = Selection(data="folder.own"), [], []
    for n in (6, 8):
        (tmp_path / "own.csv").write_text("a,class\n" + "1,x\n2,y\n" * (n // 2))
        with one_run():
            keys.append(cache.data_key(selection))
            n_rows.append(cache.data(selection).dataset.n_samples)
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
            told.append((availability.missing_set(selection), cache.available(selection).data))
    assert told == [(7, "xor"), (None, "openml.7"), (7, "xor")]


def test_a_file_is_seen_by_who_holds_it_alone_and_no_longer_than_it_is_held(held):
    content = to_csv(load_dataset("iris"))
    selection = Selection(data=UPLOAD, upload=uploads.keep("iris.csv", content, 150))
    shapes = []
    for files in (dict(held), {}, dict(held)):
        held.clear()
        held.update(files)
        with one_run():
            shapes.append(cache.data(selection).dataset.n_samples)
    assert shapes == [150, 400, 150]


def test_a_criterion_that_was_registered_ranks_in_the_next_run():
    def key():
        with one_run():
            return nodes.table_key(DEFAULT, 0, 0)

    before = key()
    lastviz.register_criterion("own", lambda left, right: left[:, 0] - right[:, 0], title="Own")
    try:
        assert "own" in CRITERIA
        assert key() == f"{before}.own"
    finally:
        lastviz.unregister_criterion("own")
    assert key() == before
