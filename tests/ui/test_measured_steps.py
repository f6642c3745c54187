"""What is measured is measured on the rows to learn from: scales and intervals know no others."""

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import load_dataset
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.data.score_rows import score_file
from lastviz.ui.state.selection import Model, Selection

from .opened_pages import seen

STEPS = [{"scaling": "standard"}, {"scaling": "min-max"}, {"bins": 3}]


def table_of_two():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=120), "z": rng.normal(size=120)})
    table["class"] = np.where(table.x > 0, "yes", "no")
    return table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return tmp_path


def selected(key, step, **more):
    return Selection(data=f"folder.{key}", models=(Model("cart"),), **step, **more)


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("held", [0.3, 0.6])
def test_rows_held_out_change_nothing_of_what_is_learnt(folder, step, held):
    table = table_of_two()
    table.to_csv(folder / "plain.csv", index=False)
    rows = Work(selected("plain", {}, held=held)).first.division.held_out_rows
    table.loc[rows, ["x", "z"]] *= 1000
    table.to_csv(folder / "wild.csv", index=False)
    plain, wild = (Work(selected(key, step, held=held)).first.division for key in ("plain", "wild"))
    np.testing.assert_array_equal(plain.train_rows, wild.train_rows)
    learnt = plain.train_rows
    np.testing.assert_allclose(plain.values[learnt], wild.values[learnt], atol=1e-9)
    trees = [Work(selected(key, step, held=held)).first.estimator for key in ("plain", "wild")]
    np.testing.assert_allclose(trees[0].tree_.threshold, trees[1].tree_.threshold, atol=1e-9)


def test_a_standard_scale_has_mean_zero_on_the_rows_to_learn_from():
    divided = Work(Selection(data="wine", scaling="standard", held=0.4)).first.division
    learnt = divided.values[divided.train_rows]
    np.testing.assert_allclose(learnt.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(learnt.std(axis=0), 1)
    assert np.abs(divided.values[divided.held_out_rows].mean(axis=0)).max() > 1e-3


@pytest.mark.parametrize("data", ["wine", "diabetes"])
@pytest.mark.parametrize("step", STEPS[:2], ids=str)
def test_another_division_scales_anew(data, step):
    first, second = (
        Work(Selection(data=data, seed=seed, **step)).data.dataset.X for seed in (1, 2)
    )
    assert not np.allclose(first, second)


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_the_script_divides_before_it_measures(step):
    selection = Selection(data="wine", models=(Model("cart"),), **step)
    script, scope = python_of(Work(selection)), {}
    assert script.index(".split(") < script.index("rows=train")
    exec(script, scope)
    ours = Work(selection).first.tree
    np.testing.assert_allclose(ours.threshold, scope["cart"].tree_.threshold)


@pytest.mark.parametrize("how", ["standard", "min-max"])
def test_new_rows_are_scaled_by_the_same_rows(how):
    selection = Selection(data="wine", scaling=how, models=(Model("cart"),))
    wine = load_dataset("wine")
    divided = Work(selection).first.division
    said = score_file(Work(selection), wine.X.to_csv(index=False).encode(), "new.csv").table[
        "prediction"
    ]
    tree = Work(selection).first.tree
    labels = [str(wine.class_order[k]) for k in tree.predict(divided.values)]
    assert said.tolist() == labels


@pytest.mark.parametrize("step", [{"scaling": "standard"}, {"bins": 3}], ids=str)
def test_the_page_data_says_which_rows_are_measured(step):
    app = seen("data", data="wine", held=0.5, **step)
    assert any("training rows" in c.value for c in app.caption)
