"""The table of candidates of one node, against the formulas."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz.criteria.scan_kernels import log_table
from lastviz.splitters import (
    CandidateTable,
    ChoiceRule,
    Stage,
    ThresholdSplitter,
    presort,
    search_in,
)
from lastviz.splitters.cells import presort as presort_module
from lastviz.splitters.cells.cells_kernels import pack_cells
from lastviz.splitters.threshold import threshold as threshold_module
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.curves_kernels import score_curves
from tests import naive

GINI = Choice(0, 1.0, 1, False, False, False, False, True)
C45 = Choice(2, 1.0, 2, True, True, True, True, False)


def search(X, y, n_classes, choice):
    splitter = ThresholdSplitter(presort(X), y, n_classes, choice)
    return splitter.search(splitter.root())


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(3))
def test_every_candidate_is_listed_with_its_counts_and_score(make_data, seed):
    X, y = make_data(seed, n=40, m=3, n_classes=3)
    found = search(X, y, 3, GINI)
    expected = naive.candidates(X, y, 3)
    assert found.n_candidates == len(expected)
    for i, (feature, threshold, left, right) in enumerate(expected):
        assert (found.feature[i], found.threshold[i]) == (feature, threshold)
        np.testing.assert_array_equal(found.left_counts[i], left)
        np.testing.assert_array_equal(found.right_counts[i], right)
        gain = naive.gain(left, right, naive.gini)
        assert found.columns["gini"][i] == pytest.approx(gain, abs=1e-9)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(3))
def test_the_columns_of_c45(make_data, seed):
    X, y = make_data(seed, n=60, m=3, n_classes=3)
    found = search(X, y, 3, C45)
    smallest = max(2, 0.1 * 60 / 3)
    expected = naive.candidates(X, y, 3)
    admitted = [min(left.sum(), right.sum()) >= smallest for _, _, left, right in expected]
    tries = np.bincount(found.feature[admitted], minlength=3)
    for i, (feature, _, left, right) in enumerate(expected):
        if not admitted[i]:
            assert found.columns["gain"][i] == -np.inf
            continue
        gain = naive.gain(left, right, naive.entropy) - np.log2(tries[feature]) / 60
        ratio = gain / naive.entropy([left.sum(), right.sum()])
        assert found.columns["gain"][i] == pytest.approx(gain, abs=1e-9)
        assert found.columns["gain_ratio"][i] == pytest.approx(ratio, abs=1e-9)


@pytest.mark.kernel
@pytest.mark.parametrize("choice", [GINI, C45])
def test_threads_score_as_one_does(make_data, monkeypatch, choice):
    X, y = make_data(1, n=60, m=5, n_classes=3)
    alone = search(X, y, 3, choice)
    monkeypatch.setattr(presort_module, "SHARE", 100)
    shared = search(X, y, 3, choice)
    np.testing.assert_array_equal(shared.feature, alone.feature)
    for key, values in alone.columns.items():
        np.testing.assert_array_equal(shared.columns[key], values)
    assert shared.split == alone.split


def test_thresholds_and_counts_wait_until_they_are_read(make_data, monkeypatch):
    made = []
    for name in ("_thresholds", "_left_counts"):
        work = getattr(threshold_module, name)

        def noted(*given, name=name, work=work):
            made.append(name)
            return work(*given)

        monkeypatch.setattr(threshold_module, name, noted)
    X, y = make_data(0, n=40, m=3, n_classes=3)
    found = search(X, y, 3, GINI)
    assert made == []
    assert found.left_counts is found.left_counts
    assert found.threshold is found.threshold
    assert len(found.left_counts) == len(found.threshold) == found.n_candidates
    assert sorted(made) == ["_left_counts", "_thresholds"]  # once each


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_each_feature_is_the_first_that_ties_with_its_largest(seed):
    rng = np.random.default_rng(seed)
    feature = np.sort(rng.integers(0, 8, size=40))
    values = rng.integers(0, 3, size=40) + rng.choice([0.0, 1e-13, -1e-13], size=40)
    values[rng.random(40) < 0.5] = -np.inf
    values[rng.random(40) < 0.1] = np.nan
    kept = Stage("best_within_feature", "a").keep(values, feature)
    expected = []
    for f in range(8):
        mine = [i for i in np.flatnonzero(feature == f) if values[i] > -np.inf]
        if mine:
            largest = max(values[i] for i in mine)
            floor = largest - 1e-12 * max(1.0, abs(largest))
            expected.append(next(i for i in mine if values[i] >= floor))
    assert kept.tolist() == expected


def test_a_rule_keeps_the_first_of_equals():
    feature = np.array([0, 0, 0, 1, 1])
    columns = {"a": np.array([1.0, 3.0, 3.0 + 1e-13, 3.0, -np.inf])}
    rule = ChoiceRule((Stage("best_within_feature", "a"), Stage("argmax", "a")))
    best, winner = rule.apply(feature, columns)
    np.testing.assert_array_equal(best, [1, 3])
    np.testing.assert_array_equal(winner, [1])


def test_a_rule_may_admit_nothing():
    rule = ChoiceRule((Stage("positive", "a"), Stage("at_least_mean", "a"), Stage("argmax", "a")))
    survivors = rule.apply(np.array([0, 1]), {"a": np.array([0.0, -np.inf])})
    assert [len(s) for s in survivors] == [0, 0, 0]


def test_stages_keep_what_they_say():
    feature, columns = np.arange(4), {"a": np.array([0.1, 0.2, -0.5, 0.4])}
    for keeps, expected in (("positive", [0, 1, 3]), ("at_least_mean", [0, 1, 3]), ("argmax", [3])):
        (kept,) = ChoiceRule((Stage(keeps, "a"),)).apply(feature, columns)
        np.testing.assert_array_equal(kept, expected)


def test_a_node_without_two_values_has_no_candidates():
    found = search(np.ones((5, 2)), np.array([0, 1, 0, 1, 0]), 2, GINI)
    assert found.n_candidates == 0
    assert found.split is None


@pytest.mark.ci
@pytest.mark.kernel
@pytest.mark.parametrize("criterion", [GINI.criterion, C45.criterion])
def test_wide_cells_score_as_narrow_ones(criterion):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (40, 2)).astype(float), rng.integers(0, 3, 40)
    presorted, counts = presort(X), np.bincount(y)
    inverse, table = 1.0 / np.maximum(np.arange(41), 1), log_table(40, 2.0**40)
    curves = []
    for word, top in ((np.uint32, 31), (np.uint64, 63)):
        packing = (word(6), word(63), word(2 ** (top - 6) - 1), word(2**top))
        cells = np.empty(presorted.order.shape, dtype=word)
        pack_cells(presorted.order, presorted.fresh, y.astype(word), packing, cells)
        scores, n_cuts = np.empty((2, 39)), np.empty(2, dtype=np.int64)
        code = np.full(2, criterion)
        score_curves(cells, packing, counts, inverse, table, code, 2, scores, n_cuts)
        curves.append(scores)
    np.testing.assert_array_equal(*curves)


def test_a_search_of_some_candidates_stands_among_all(make_data):
    X, y = make_data(4, n=60, m=3, n_classes=2)
    every = search(X, y, 2, GINI)
    values = [np.unique(column) for column in X.T]
    table = replace(every, upper=np.concatenate([column[1:] for column in values]))
    some = np.arange(0, every.n_candidates, 7)
    scores = {name: column[some] for name, column in every.columns.items()}
    few = CandidateTable(
        every.feature[some], every.threshold[some], scores, every.left_counts[some], every.counts
    )
    found = search_in(few, every.rule)
    among = found.among(table)
    assert among.n_candidates == every.n_candidates
    assert (among.winner, among.split) == (some[found.winner], found.split)
    left_out = np.setdiff1d(np.arange(every.n_candidates), some)
    np.testing.assert_array_equal(among.columns["gini"][some], scores["gini"])
    assert (among.columns["gini"][left_out] == -np.inf).all()
