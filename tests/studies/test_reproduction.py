"""The papers' tables computed anew: the figures that come with the project, and their command."""

import csv
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lastviz import REMTClassifier
from lastviz.studies.__main__ import main
from lastviz.studies.candidates import RESULTS_VERSION, features_of, make
from lastviz.studies.kept_data import as_printed, printed_data
from lastviz.studies.paper_tables import table_named
from lastviz.studies.published import (
    CLAIMS,
    PAPERS,
    QUANTITIES,
    TABLES,
    our_figures,
    printed_set,
    published_cells,
    read_ours,
)
from lastviz.studies.published.cells import FILE, Ours, write_ours
from lastviz.studies.reproduction import (
    NOT_YET,
    RECIPES,
    cells_to_fill,
    figures_of,
    plans,
    why_not_run,
)
from lastviz.studies.run import Progress, run
from lastviz.studies.store import StudyStore
from lastviz.studies.svm_divisions import divide_rows, svm_figures
from lastviz.studies.tasks import fold_of_rows


@pytest.fixture(autouse=True)
def without_a_folder(monkeypatch):
    monkeypatch.delenv("LASTVIZ_DATA", raising=False)


def test_each_figure_that_comes_along_is_of_a_cell_and_of_todays_algorithm():
    found = read_ours(FILE)
    assert len(found) > 200
    assert len({each.address for each in found}) == len(found)
    printed = {(p, cell.table, *cell.key) for p in PAPERS for cell in published_cells(p)}
    printed |= {(c.paper, 0, *key) for c in CLAIMS if c.table is None for key in c.cells}
    for each in found:
        assert (each.paper, each.table, *each.key) in printed
        key = RECIPES[each.paper, each.algorithm].key if each.paper != "svm_tree" else "svm_tree"
        assert each.results_version == RESULTS_VERSION[key], each
        assert np.isfinite(each.mean)
        assert each.spread >= 0
        assert each.n_folds >= 3


def test_most_cells_of_the_generated_sets_lie_within_two_deviations_of_the_print():
    cells = {(c.table, *c.key): c for c in published_cells("sodt")}
    ours = [each for each in read_ours(FILE) if each.paper == "sodt" and each.table == 2]
    mine = [each for each in ours if each.algorithm not in ("OC1", "CART-LC")]
    apart = [abs(o.mean - cells[2, *o.key].mean) / cells[2, *o.key].spread for o in mine]
    assert len(apart) >= 45
    assert np.mean(np.array(apart) <= 2.0) >= 0.8


def test_ours_are_those_of_an_independent_implementation():
    """At least 80 % within two standard errors, corrected for training rows in common."""
    ours = our_figures("sodt", 2) | our_figures("sodt", 3)
    near = []
    with Path(__file__).with_name("sodt_study.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            own = ours.get((row["dataset"], row["algorithm"], row["metric"], ""))
            if own is not None:
                error = own.spread * np.sqrt(1 / own.n_folds + 1 / 9)
                near.append(abs(own.mean - float(row["value"])) <= 2 * error)
    assert len(near) == 100
    assert np.mean(near) >= 0.8


def test_the_command_lists_empty_cells_with_their_reasons(capsys, tmp_path):
    asked = ["--store", f"sqlite:///{tmp_path / 'store.db'}", "papers", "--empty"]
    assert main(asked) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    n = sum(int(line.split()[1]) for line in lines)
    assert first == f"{n} of 672 cells are empty."
    assert n == sum(
        cell.key not in our_figures(*key) for key in TABLES for cell in published_cells(*key)
    )
    assert all(line.count(": ") >= 2 and line.endswith(".") for line in lines)
    assert not any(NOT_YET in line for line in lines)  # all that can be had is computed
    assert main([*asked, "--table", "mcdf2"]) == 0
    assert "12 of 48 cells are empty." in capsys.readouterr().out


def test_symbolic_columns_are_told_to_the_forest():
    """What the size of subsets depends on (eq. 7)."""
    data = replace(printed_set("mcdf", "LargeSet1"), params={"n_samples": 2000, "n_features": 8})
    assert data.symbolic == ("x5", "x6", "x7", "x8")
    features = features_of("mcdf", as_printed("mcdf", data))
    assert features.levels == (4, 5, 6, 7)
    forest = make("mcdf", {}, "classification", features, 0)
    assert forest.categorical_features == [4, 5, 6, 7]
    assert make("remt", {}, "classification", features, 0).monotonic_cst == [1] * 8


def test_a_row_is_computed_again_to_the_last_digit(tmp_path):
    wanted = ("gauss_2D", "C4.5")
    (plan,) = plans("sodt", datasets=wanted[:1], algorithms=wanted[1:])
    with closing(StudyStore(f"sqlite:///{tmp_path / 'store.db'}")) as store:
        *_, last = run(plan.study, store, given=plan.given, n_workers=1)
        assert isinstance(last, Progress)
        found = {each.address: each for each in figures_of(plan, store, last.study)}
    kept = {e.address: e for e in read_ours(FILE) if (e.dataset, e.algorithm) == wanted
            and e.paper == "sodt"}  # fmt: skip
    assert set(found) == set(kept)
    assert {key[1] for key in kept} == {2, 3}
    for key, each in found.items():
        assert f"{each.mean:.6g}" == f"{kept[key].mean:.6g}"
        assert f"{each.spread:.6g}" == f"{kept[key].spread:.6g}"


def test_a_figure_is_the_mean_over_folds_and_their_deviation_within_a_division(tmp_path):
    (plan,) = plans("mcdf", datasets=("Set1",), algorithms=("REMT",))
    with closing(StudyStore(f"sqlite:///{tmp_path / 'store.db'}")) as store:
        *_, last = run(plan.study, store, given=plan.given, n_workers=1)
        (accuracy,) = [e for e in figures_of(plan, store, last.study) if e.metric == "accuracy"]
    accuracies = []
    for data in plan.given.values():
        fold, X, y = fold_of_rows(data, 10, 0, 0), data.numeric_X.to_numpy(), data.codes
        here = []
        for k in range(10):
            ways = [data.directions[name] for name in data.numeric_X.columns]
            model = REMTClassifier(monotonic_cst=ways).fit(X[fold != k], y[fold != k])
            here.append(np.mean(model.predict(X[fold == k]) == y[fold == k]))
        accuracies.append(here)
    assert accuracy.mean == pytest.approx(np.mean(accuracies))
    assert accuracy.spread == pytest.approx(np.mean(np.std(accuracies, axis=1, ddof=1)))
    assert (accuracy.n_folds, accuracy.n_divisions) == (50, 5)


def test_what_cannot_run_says_why_and_what_to_do():
    cells = {
        (c.paper, c.dataset): c
        for p in PAPERS
        for c in published_cells(p, None if p != "mcdf" else 2)
    }
    assert "LASTVIZ_DATA" in why_not_run(cells["sodt", "pima"])
    assert "OpenML has it as number 37" in why_not_run(cells["sodt", "pima"])
    assert "not public" in why_not_run(cells["mcdf", "score"])
    drawing = next(c for c in published_cells("mcdf", 5) if c.metric == "sampling_seconds")
    assert "not measured separately" in why_not_run(drawing)
    assert why_not_run(cells["sodt", "waveform"]) == ""
    for paper in PAPERS:
        for cell in cells_to_fill(paper):
            assert QUANTITIES[cell.metric].metric or paper == "svm_tree"


def test_a_folder_fills_more_cells(tmp_path, monkeypatch):
    before = len(cells_to_fill("sodt"))
    rows = "\n".join(f"{i},{i % 7},{'ab'[i % 2]}" for i in range(40))
    (tmp_path / "pima.csv").write_text(f"x,y,class\n{rows}\n", encoding="utf-8")
    monkeypatch.setenv("LASTVIZ_DATA", os.fspath(tmp_path))
    timed = 6  # of SODT, OC1 and CART-LC, for a claim
    assert len(cells_to_fill("sodt")) == before + 14 + timed
    assert printed_data("sodt", "pima").n_samples == 40


def test_waves_of_one_class_against_the_rest_and_ordered_classes():
    wave = printed_data("bnm_csn", "waveform1_R")
    assert wave.n_classes == 2
    assert "rest" in wave.class_order
    assert printed_data("mcdf", "wine").ordered


def test_a_division_keeps_a_third_of_each_class_for_the_test():
    y = np.repeat([0, 1, 2], [30, 60, 91])
    train, test = divide_rows(y, 3)
    assert np.bincount(y[test]).tolist() == [10, 20, 30]
    assert sorted([*train, *test]) == list(range(len(y)))


def test_a_machine_is_divided_again_to_the_same_figures():
    wanted = ("SVM tree (improved)", "sigma 5")
    cells = [c for c in published_cells("svm_tree", 1) if (c.algorithm, c.setting) == wanted]
    kept, found = our_figures("svm_tree", 1), svm_figures(cells)
    assert len(found) == len(cells) == 3
    for each in found:
        assert each.mean == pytest.approx(kept[each.key].mean, rel=1e-4)
        assert each.n_folds == kept[each.key].n_folds


def test_tables_are_named_shortly_and_a_wrong_name_is_a_sentence(capsys, tmp_path):
    assert table_named("sodt2") == ("sodt", 2)
    assert table_named("svm1") == ("svm_tree", 1)
    assert {table_named(f"{paper}{number}") for paper, number in TABLES} == set(TABLES)
    address = f"sqlite:///{tmp_path / 'store.db'}"
    assert main(["--store", address, "papers", "--table", "nonsense9"]) == 1
    assert "There is no table 'nonsense9'; there are sodt2" in capsys.readouterr().err


def test_the_command_prints_and_keeps_its_figures(capsys, tmp_path):
    file, address = tmp_path / "ours.csv", f"sqlite:///{tmp_path / 'store.db'}"
    asked = ["--store", address, "papers", "--table", "mcdf2", "--save", str(file)]
    asked += ["--sets", "Set1", "--algorithms", "REMT"]
    assert main(asked) == 0
    assert "mcdf 2, score: The marks" in capsys.readouterr().out
    assert [each.metric for each in read_ours(file)] == ["accuracy", "depth", "seconds"]
    other = Ours(*("sodt", 2, "x", "y", "error", "", "paper", 1.5, 0.5, 10, 1, 1, "d", "v"))
    write_ours(file, [*read_ours(file), other])
    assert main(asked) == 0  # what else is in the file stays
    assert {each.dataset for each in read_ours(file)} == {"Set1", "x"}
