"""Data sets of OpenML, asked from a stand-in on this machine."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from lastviz.datasets import all_datasets, fetch_openml, load_dataset, openml_client, wanted_of
from lastviz.datasets import openml as module
from lastviz.datasets.openml import openml_number
from tests.openml_stand_in import BROKEN, SLOW, stand_in


@pytest.fixture(autouse=True)
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("LASTVIZ_OPENML_FOLDER", str(tmp_path / "sets"))
    with stand_in() as address:
        monkeypatch.setenv("LASTVIZ_OPENML", address)
        yield tmp_path / "sets"


def fetched(wanted: str) -> int:
    steps = fetch_openml(wanted)
    while True:
        sleep(0.01)
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_a_data_set_comes_by_its_number(archive: Path) -> None:
    assert fetched("7") == 7
    entry = all_datasets()["openml.7"]
    assert (entry.title, entry.group, entry.n_features) == ("fruit", "From OpenML", 2)
    dataset = load_dataset("openml.7")
    assert dataset.feature_names == ("weight", "colour")  # the number of a row is no feature
    assert dataset.kinds == {"weight": "numeric", "colour": "nominal"}
    assert dataset.orders["colour"] == ("dark red", "green", "red")
    assert dataset.class_order == ("apple", "pear")
    assert dataset.y.tolist() == ["pear", "apple", "apple", "pear", "apple", "pear"]
    assert np.isnan(dataset.X["weight"][2])
    assert dataset.X["colour"].isna().tolist() == [False, False, False, True, False, False]
    assert dataset.source == "OpenML 7, version 1, licence CC0"
    assert dataset.description == "A small table made for the tests of this project."
    assert {path.name for path in archive.iterdir()} == {"7.json", "7.parquet"}


def test_it_comes_by_its_name_and_may_have_numbers_to_learn() -> None:
    assert fetched("prices") == 8
    dataset = load_dataset("openml.8")
    assert dataset.is_regression
    assert dataset.y.tolist() == [100.5, 160.0, 240.25, 118.0]


def test_a_name_may_hold_what_an_address_may_not() -> None:
    assert fetched(wanted_of("Dark fruit (v1)+")) == 13
    with pytest.raises(ValueError, match="OpenML has no data set 'no such name'"):
        fetched("no such name")


def test_what_was_fetched_needs_no_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched("7")
    monkeypatch.setenv("LASTVIZ_OPENML", "http://127.0.0.1:9")
    assert load_dataset("openml.7").n_samples == 6


@pytest.mark.ci
@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("404", "OpenML has no data set '404'"),
        ("no-such-name", "OpenML has no data set 'no-such-name'"),
        ("9", "damaged"),
        ("10", "names 0 columns to learn, one is needed"),
        (str(BROKEN), "answered with error 503; try again later"),
    ],
)
def test_what_cannot_be_had_is_said(wanted: str, sentence: str, archive: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        fetched(wanted)
    assert not archive.exists()


@pytest.mark.ci
def test_without_a_network_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LASTVIZ_OPENML", "http://127.0.0.1:9")
    with pytest.raises(ValueError, match=r"OpenML does not answer .*hand that in"):
        fetched("7")


@pytest.mark.ci
def test_a_silent_archive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 1.0)
    with pytest.raises(ValueError, match="more than 1 seconds"):
        fetched(str(SLOW))


def test_who_stops_asking_ends_the_child() -> None:
    steps = fetch_openml(str(SLOW))
    assert next(steps) == 0
    steps.close()  # returns only once the child is gone


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(" 31 ", "31"), ("Credit-G", "credit-g"), ("https://www.openml.org/d/31", "31")],
)
def test_what_is_asked_for_may_be_written_in_many_ways(text: str, wanted: str) -> None:
    assert wanted_of(text) == wanted


@pytest.mark.parametrize("text", ["", "../etc", "a/b", "-rf", "x" * 200, "31?x=1", "a\nb"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has a number, such as 31, or a name"):
        wanted_of(text)


@pytest.mark.parametrize("key", ["openml.", "openml.0", "openml.-1", "openml.1x", "xor"])
def test_other_keys_name_no_data_set_of_openml(key: str) -> None:
    assert openml_number(key) is None


def test_all_sets_together_are_bounded_and_the_oldest_goes(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(openml_client, "LIMIT_FOLDER", 100)
    for number in range(5):
        for ending, n_bytes in (("parquet", 30), ("json", 5)):
            file = tmp_path / f"{number}.{ending}"
            file.write_bytes(b"x" * n_bytes)
            os.utime(file, (1000 + number, 1000 + number))
    openml_client._make_room(tmp_path, 30)
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{number}.{ending}" for number in (3, 4) for ending in ("parquet", "json")
    }
