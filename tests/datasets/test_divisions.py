"""Rows held out by whole units, against slow twins."""

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import Dataset
from lastviz.datasets.divisions import N_BLOCKS, held_units, units_aside


def twin_aside(codes, units, n_aside):
    """The rows set aside, unit by unit."""
    order = sorted(set(units.tolist()))
    if n_aside == 0 or len(order) == 1:
        return set()
    best, off = None, np.inf
    for k in range(1, len(order)):
        n = sum(u in order[:k] for u in units.tolist())
        if abs(n - n_aside) < off:
            best, off = k, abs(n - n_aside)
    gone = set(order[:best])
    back = set()
    for label in set(codes.tolist()):
        own = [u for u, c in zip(units.tolist(), codes.tolist(), strict=True) if c == label]
        if all(u in gone for u in own):
            back.add(max(own))
    return {i for i, u in enumerate(units.tolist()) if u in gone - back}


@pytest.mark.parametrize("seed", range(40))
def test_whole_units_go_and_every_class_stays(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    codes = rng.integers(0, 3, n)
    units = np.unique(rng.integers(0, rng.integers(1, 12), n), return_inverse=True)[1]
    before = set()
    for n_aside in range(n):
        aside = set(np.flatnonzero(units_aside(codes, units, n_aside)).tolist())
        assert aside == twin_aside(codes, units, n_aside)
        assert before <= aside
        assert set(codes[[i for i in range(n) if i not in aside]]) == set(codes)
        before = aside


def test_the_last_rows_are_the_last_ones():
    codes = np.zeros(10, dtype=int)
    units = held_units(10, "last", None, 0)
    assert np.flatnonzero(units_aside(codes, units, 3)).tolist() == [7, 8, 9]


def test_the_last_by_a_column_are_those_of_its_largest_values():
    when = pd.Series([5.0, 1.0, np.nan, 9.0, 9.0, 3.0])
    units = held_units(6, "last", when, 0)
    assert units.tolist() == [1, 3, 4, 0, 0, 2]
    ordered = pd.Series(["low", "high", None, "mid"]).astype(
        pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    )
    assert held_units(4, "last", ordered, 0).tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize("n", [1, 7, 20, 64, 1003])
def test_blocks_are_stretches_of_about_equally_many_rows(n):
    units = held_units(n, "blocks", None, 3)
    sizes = np.bincount(units)
    assert len(sizes) == min(n, N_BLOCKS)
    assert sizes.max() - sizes.min() <= 1
    assert np.count_nonzero(np.diff(units)) == len(sizes) - 1
    if n > 20:
        assert (units != held_units(n, "blocks", None, 4)).any()


def test_groups_are_the_rows_of_a_value_and_those_without_one():
    column = pd.Series(["b", "a", None, "b", "c", None])
    units = held_units(6, "groups", column, 0)
    assert sorted(set(units)) == [0, 1, 2, 3]
    assert units[0] == units[3]
    assert units[2] == units[5]


def test_a_data_set_is_split_by_units_and_refuses_other_ways():
    X = pd.DataFrame({"a": np.arange(8.0), "g": [1.0, 1, 2, 2, 3, 3, 4, 4]})
    data = Dataset(X, pd.Series(list("xyxyxyxy"), name="class"), kinds=dict.fromkeys(X, "numeric"))
    train, held = data.split(0.25, units=data.held_units("last"))
    assert (train.tolist(), held.tolist()) == ([0, 1, 2, 3, 4, 5], [6, 7])
    _, held = data.split(0.25, units=data.held_units("last", "a"))
    assert held.tolist() == [6, 7]
    _, held = data.split(0.25, units=data.held_units("groups", "g", 1))
    assert held.tolist() in ([0, 1], [2, 3], [4, 5], [6, 7])
    for how, column in (("first", None), ("groups", None)):
        with pytest.raises(ValueError, match="how must be one of"):
            data.held_units(how, column)
