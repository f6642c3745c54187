"""Folds as tasks: their keys, rows and figures follow from what they are about, not from order.

``python -m tests.studies.test_tasks`` writes the figures that are kept; do so only together with a
raised version of the algorithms whose figures have changed.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lastviz import HybridTreeClassifier
from lastviz.datasets import Dataset, load_dataset
from lastviz.studies.candidates import PEERS, RESULTS_VERSION, features_of, obstacle
from lastviz.studies.study import study_of
from lastviz.studies.tasks import TIMES, compute, fold_of_rows, plan
from tests.needed import needs

KEPT = Path(__file__).with_name("figures_of_folds.json")
OURS = [key for key in RESULTS_VERSION if key not in PEERS]


def study(*algorithms, data=("iris",), more=""):
    parts = [more, *(f"[[algorithms]]\n{text}" for text in algorithms)]
    return study_of("\n".join(parts + [f'[[datasets]]\nkey = "{key}"' for key in data]))


def figures(outcome):
    return {key: value for key, value in outcome.figures.items() if key not in TIMES}


def one_fold(key):
    """One fold of one cell, on the first data set that the algorithm takes."""
    for data in ("monotone", "loan", "friedman"):
        (cell,), loaded = plan(study(f'key = "{key}"', data=(data,), more="folds = 5"))
        if not cell.reason:
            return compute(cell.tasks[1][1], loaded[cell.data])
    raise AssertionError(f"{key} takes none")


@pytest.mark.parametrize("key", OURS)
def test_figures_change_only_with_the_version(key):
    kept = json.loads(KEPT.read_text())[key]
    assert kept["version"] == RESULTS_VERSION[key], "write the figures that belong to the version"
    found = figures(one_fold(key))
    assert found.keys() == kept["figures"].keys(), "raise RESULTS_VERSION"
    for name, value in kept["figures"].items():
        assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-12), "raise RESULTS_VERSION"


@pytest.mark.parametrize("key", PEERS)
def test_peers_compute(key):
    needs(PEERS[key].is_installed, PEERS[key].package)
    outcome = one_fold(key)
    assert outcome.reason == ""
    assert outcome.figures["accuracy"] > 0.6
    assert all(outcome.figures[time] >= 0 for time in TIMES)


def test_divisions_are_stratified_and_differ_by_repeat_seed_and_data():
    data = load_dataset("iris")
    fold = fold_of_rows(data, 10, 0, 0)
    for place in range(10):
        assert np.bincount(data.codes[fold == place]).tolist() == [5, 5, 5]
    assert (fold_of_rows(data, 10, 0, 0) == fold).all()
    others = [fold_of_rows(data, 10, 1, 0), fold_of_rows(data, 10, 0, 1)]
    assert all((other != fold).any() for other in others)
    numbers = load_dataset("friedman")
    fold = fold_of_rows(numbers, 5, 0, 0)
    assert np.ptp(np.bincount(fold)) <= 1
    assert (fold_of_rows(numbers, 5, 1, 0) != fold).any()


def test_the_key_is_that_of_the_work_not_of_the_study():
    def keys(*algorithms, **about):
        return {t.key for cell in plan(study(*algorithms, **about))[0] for _, t in cell.tasks}

    base = keys('key = "k_nn"')
    assert len(base) == 10
    assert keys('key = "k_nn"\nparams = {n_neighbors = 5}', more='name = "other"') == base
    assert base < keys('key = "k_nn"', 'key = "c45"', more="repeats = 2")
    for different in (
        keys('key = "k_nn"\nparams = {n_neighbors = 4}'),
        keys('key = "k_nn"', more="seed = 1"),
        keys('key = "k_nn"', more="folds = 9"),
        keys('key = "k_nn"', data=("wine",)),
    ):
        assert not base & different
    grid = 'key = "k_nn"\ngrid = {n_neighbors = [3, 5]}'
    assert base < keys(grid, more='protocol = "best_on_test"')
    assert not base & keys(grid, more='protocol = "nested"')


def test_a_raised_version_makes_other_keys(monkeypatch):
    def key():
        return plan(study('key = "c45"'))[0][0].tasks[0][1].key

    before = key()
    monkeypatch.setitem(RESULTS_VERSION, "c45", RESULTS_VERSION["c45"] + 1)
    assert key() != before


def test_any_order_gives_the_same_figures():
    made = study('key = "mcdf"', 'key = "oc1"', data=("monotone",), more="folds = 3")
    cells, loaded = plan(made)
    tasks = [task for cell in cells for _, task in cell.tasks]
    forward = {task.key: figures(compute(task, loaded[task.data])) for task in tasks}
    backward = {task.key: figures(compute(task, loaded[task.data])) for task in tasks[::-1]}
    assert forward == backward


def test_nested_chooses_inside_the_training_rows():
    grid = 'key = "k_nn"\ngrid = {n_neighbors = [1, 90]}'
    (cell,), loaded = plan(study(grid, more='protocol = "nested"\nfolds = 5'))
    assert len(cell.tasks) == 5
    outcome = compute(cell.tasks[0][1], loaded[cell.data])
    assert json.loads(outcome.chosen)["n_neighbors"] == 1
    (fixed,), _ = plan(study('key = "k_nn"\nparams = {n_neighbors = 1}', more="folds = 5"))
    assert figures(compute(fixed.tasks[0][1], loaded[cell.data])) == figures(outcome)


def test_unlabelled_rows_change_what_is_learnt():
    both = ('key = "gsodt"', 'key = "gsodt"\nunlabelled = true')
    cells, loaded = plan(study(*both, data=("breast_cancer",), more="folds = 4"))
    found = [
        [figures(compute(task, loaded[cell.data])) for _, task in cell.tasks] for cell in cells
    ]
    assert found[0] != found[1]


def test_a_fold_without_a_class_and_an_algorithm_that_fails():
    y = pd.Series([0] * 20 + [1] * 19 + [2])
    X = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0)[::-1]})
    data = Dataset(X, y, name="Rare")
    cells, loaded = plan(
        replace(
            study('key = "c45"', 'key = "k_nn"\nparams = {n_neighbors = 39}', more="folds = 4"),
            datasets=study_of(
                "[[algorithms]]\nkey = 'c45'\n[[datasets]]\nkey = 'rare'", ["rare"]
            ).datasets,
        ),
        {"rare": data},
    )
    trees, neighbours = ([compute(t, loaded[c.data]) for _, t in c.tasks] for c in cells)
    assert all(not outcome.reason for outcome in trees)
    assert all("n_neighbors" in outcome.reason for outcome in neighbours)
    assert all("\n" not in outcome.reason for outcome in neighbours)


def test_cells_that_cannot_run_say_why():
    cells, _ = plan(study('key = "remt"', 'key = "hybrid"', data=("iris", "loan")))
    reasons = {(cell.algorithm, cell.dataset): cell.reason for cell in cells}
    assert "order with a meaning" in reasons["REMT", "Iris"]
    assert reasons["Hybrid (BNM / CSN)", "Iris"] == ""
    assert "at least 20 rows" in reasons["Hybrid (BNM / CSN)", "Loan (textbook)"]
    assert "nominal" in obstacle("svm_tree", load_dataset("loan"))
    weighted = load_dataset("iris").weigh_classes("balanced")
    assert "weights" in obstacle("c45", weighted)


def test_the_hybrid_criteria_read_each_value_and_each_gap_as_a_column():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=80), rng.choice(["x", "y", None], 80)
    y = pd.Series((a + (b == "x") > 0.5).astype(int))
    data = Dataset(pd.DataFrame({"a": a, "b": pd.Series(b, dtype="category")}), y, name="Gaps")
    X, ways, levels = features_of("hybrid", data)
    assert X.shape == (80, 4)
    assert ways == (0, 0, 0, 0)
    assert levels == ()
    assert (X[:, 1:].sum(axis=1) == 1).all()
    assert (X[:, 3] == [value is None for value in b]).all()
    text = 'folds = 4\n[[algorithms]]\nkey = "hybrid"\nparams = {criterion = "bnm+csn"}\n'
    (cell,), loaded = plan(study_of(text + '[[datasets]]\nkey = "own"', ["own"]), {"own": data})
    outcome = compute(cell.tasks[0][1], loaded[cell.data])
    assert outcome.reason == ""
    assert outcome.figures["accuracy"] > 0.7
    gone = data.X.assign(a=data.X["a"].where(data.X["a"] < 1))
    assert "“a” lacks some" in obstacle("hybrid", Dataset(gone, y, name="Gone"))


def test_the_hybrid_is_measured_on_the_columns_that_its_refusal_asks_for():
    dataset = load_dataset("loan")
    with pytest.raises(ValueError, match=r"pandas\.get_dummies"):
        HybridTreeClassifier().fit(dataset.X, dataset.codes)
    as_asked = pd.get_dummies(dataset.X, dtype=float)
    measured = features_of("hybrid", dataset).X
    assert measured.shape == as_asked.shape
    assert {column.tobytes() for column in measured.T} == {
        as_asked[name].to_numpy(float).tobytes() for name in as_asked
    }


if __name__ == "__main__":
    kept = {k: {"version": RESULTS_VERSION[k], "figures": figures(one_fold(k))} for k in OURS}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
