"""Rows that lie upon each other on a coarse grid are drawn side by side, and their values stay."""

import numpy as np
import pandas as pd
import pytest

from lastviz.plots.visuals.plane_axes import crowding, side_by_side, without_overlaps
from lastviz.ui.boundaries.details import plane_words, rows_table
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.state.selection import Model, Selection

MODELS = ("cart", "c45", "hybrid")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(1000, 2))
    y = np.where(X.sum(axis=1) + rng.normal(0, 1, 1000) > 4, "high", "low")
    table = pd.DataFrame(X, columns=["care", "speed"]).assign(grade=y)
    table.to_csv(tmp_path / "coarse.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))


def coarse(key="cart"):
    return Selection(data="folder.coarse", models=(Model(key),), target="grade")


@pytest.fixture
def grid():
    rng = np.random.default_rng(1)
    return rng.integers(0, 4, size=(500, 2)).astype(float)


def test_every_row_has_a_place_of_its_own_and_stays_on_its_side_of_every_threshold(grid):
    x, y = side_by_side(*grid.T)
    assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == len(grid)
    for moved, values in ((x, grid[:, 0]), (y, grid[:, 1])):
        for low, high in ((v, v + 1) for v in range(3)):
            for threshold in (low, (low + high) / 2):
                assert ((moved <= threshold) == (values <= threshold)).all()
        assert (values - moved).max() < 0.5
    again = side_by_side(*grid.T)
    np.testing.assert_array_equal(np.column_stack(again), np.column_stack([x, y]))


def test_rows_of_a_place_are_told_apart_wherever_they_stand_in_the_table(grid):
    x, y = side_by_side(*grid.T)
    order = np.random.default_rng(2).permutation(len(grid))
    mixed = np.column_stack(side_by_side(*grid[order].T))
    assert {*map(tuple, mixed.tolist())} == {*zip(x.tolist(), y.tolist(), strict=True)}


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).normal(size=(300, 2)),
        np.random.default_rng(0).integers(0, 20, size=(300, 2)).astype(float),
        np.full((300, 2), np.nan),
        np.empty((0, 2)),
        np.ones((300, 2)),
    ],
)
def test_rows_that_do_not_hide_each_other_stay_where_they_are(values):
    assert side_by_side(*values.T) == (None, None)


def test_only_the_coarse_axis_moves():
    rng = np.random.default_rng(0)
    x, y = side_by_side(rng.integers(0, 3, 2000).astype(float), rng.integers(0, 60, 2000) / 7)
    assert x is not None
    assert y is None


@pytest.mark.parametrize("key", MODELS)
def test_a_drawn_row_lies_in_the_region_of_its_prediction(key):
    scene = scene_of(Work(coarse(key)), "light")
    plane, view = scene.plane, scene.views[0]
    places = np.column_stack([plane.x, plane.y])
    np.testing.assert_array_equal(view.tree.predict(places), view.predicted)


def test_the_pointer_and_the_table_say_the_values():
    scene = scene_of(Work(coarse()), "light")
    X = scene.plane.tables[scene.plane.form][1]
    table = rows_table(scene)
    np.testing.assert_array_equal(table[["care", "speed"]].to_numpy(), X)
    for trace in scene.pictures[0].figure.data:
        if trace["meta"].get("role") not in ("training", "held_out"):
            continue
        rows = np.asarray(trace["customdata"]) - 1
        said = [f"care {a:g}, speed {b:g}" for a, b in X[rows].tolist()]
        assert list(trace["hovertext"]) == said
        assert "%{x" not in trace["hovertemplate"]


def test_the_caption_says_how_many_rows_share_a_place():
    (said,) = plane_words(plane_of(Work(coarse())))
    assert said.startswith("Each grid point holds 40 rows on average. They are drawn side by side")
    assert plane_words(plane_of(Work(Selection(data="iris")))) == []


def test_rows_of_one_place_are_told_apart_and_their_values_are_said():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (2, 400)).astype(float)
    across, up, texts = without_overlaps(x, y)
    assert len(np.unique(np.column_stack([across, up]), axis=0)) == 400
    assert crowding(x, y) == 400 / 25
    assert crowding(x, x) is None
    for moved, values, words in zip((across, up), (x, y), texts, strict=True):
        assert np.all((moved <= values) & (moved > values - 0.5))
        assert [float(word) for word in words] == values.tolist()


def test_rows_with_places_of_their_own_stay():
    x, y = np.random.default_rng(1).normal(size=(2, 50))
    across, up, texts = without_overlaps(x, y)
    assert across is x
    assert up is y
    assert texts == (None, None)
