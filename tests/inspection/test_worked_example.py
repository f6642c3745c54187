"""The numbers of the textbook's examples 5.1 to 5.4 and exercises 5.1 and 5.2, digit by digit."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz.inspection import NominalTable, cut_sums, impurity_curves, node_sums

AGE, JOB, HOUSE, CREDIT = range(4)
LOAN = """
youth no no fair no, youth no no good no, youth yes no good yes, youth yes yes fair yes,
youth no no fair no, middle no no fair no, middle no no good no, middle yes yes good yes,
middle no yes very_good yes, middle no yes very_good yes, old no yes very_good yes,
old no yes good yes, old yes no good yes, old yes no very_good yes, old no no fair no
"""
CATEGORIES = (
    ("youth", "middle", "old"),
    ("yes", "no"),
    ("yes", "no"),
    ("very_good", "good", "fair"),
)
CLASSES = ("yes", "no")


def table_of(rows):
    codes = [[c.index(v) for c, v in zip(CATEGORIES, row[:4], strict=True)] for row in rows]
    labels = np.array([CLASSES.index(row[4]) for row in rows], dtype=np.intp)
    names = ("age", "job", "house", "credit")
    return NominalTable(
        names, CATEGORIES, CLASSES, np.array(codes, dtype=np.intp).reshape(-1, 4), labels
    )


TABLE = table_of([row.split() for row in LOAN.split(",")])


def test_examples_5_2_and_5_4_and_exercise_5_1_at_the_root():
    sums = node_sums(TABLE)
    assert sums.counts.tolist() == [9, 6]
    assert sums.entropy == pytest.approx(0.970951, abs=5e-7)
    gains = [s.gain for s in sums.features]
    assert gains == pytest.approx([0.083007, 0.323650, 0.419973, 0.362990], abs=5e-7)
    assert sums.features[AGE].conditional == pytest.approx(0.888, abs=1e-3)
    assert sums.features[AGE].counts.tolist() == [[2, 3], [3, 2], [4, 1]]
    assert [s.feature for s in sums.ranking("gain")] == [HOUSE, CREDIT, JOB, AGE]
    information = [s.information for s in sums.features]
    assert information == pytest.approx([1.584963, 0.918296, 0.970951, 1.565596], abs=5e-7)
    ratio = [s.gain_ratio for s in sums.features]
    assert ratio == pytest.approx([0.052372, 0.352447, 0.432538, 0.231854], abs=5e-7)
    printed = [s.gain_ratio_entropy for s in sums.features]
    assert printed == pytest.approx([0.085491, 0.333333, 0.432538, 0.373850], abs=5e-7)
    assert [s.feature for s in sums.ranking("gain_ratio")] == [HOUSE, JOB, CREDIT, AGE]
    assert [s.feature for s in sums.ranking("gain_ratio_entropy")] == [HOUSE, CREDIT, JOB, AGE]
    assert sums.features[AGE].gini == pytest.approx([0.44, 0.48, 0.44], abs=1e-12)
    assert sums.features[JOB].gini == pytest.approx([0.32, 0.32], abs=1e-12)
    assert sums.features[HOUSE].gini == pytest.approx([0.266667] * 2, abs=5e-7)
    assert sums.features[CREDIT].gini == pytest.approx([0.363636, 0.474074, 0.32], abs=5e-7)
    assert [s.feature for s in sums.favourites("gini")] == [HOUSE]


def test_example_5_3_gains_where_there_is_no_house():
    rows = np.flatnonzero(TABLE.codes[:, HOUSE] == 1)
    sums = node_sums(TABLE, rows, [AGE, JOB, CREDIT])
    assert len(rows) == 9
    assert sums.entropy == pytest.approx(0.918296, abs=5e-7)
    gains = [s.gain for s in sums.features]
    assert gains == pytest.approx([0.251629, 0.918296, 0.473851], abs=5e-7)
    assert [s.feature for s in sums.favourites("gain")] == [JOB]


def test_exercise_5_2_every_cut():
    y = np.array([4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00])
    order = np.random.default_rng(0).permutation(10)
    sums = cut_sums(np.arange(1, 11)[order], y[order])
    assert sums.s.tolist() == list(range(1, 10))
    assert sums.threshold.tolist() == [s + 0.5 for s in range(1, 10)]
    c1 = [4.5, 4.625, 4.72, 4.875, 5.06, 5.3917, 5.75, 6.06, 6.3533]
    c2 = [6.8533, 7.1162, 7.4314, 7.78, 8.176, 8.4575, 8.6433, 8.85, 9.0]
    loss = [22.648, 17.702238, 12.193486, 7.3787, 3.35872, 5.073958, 10.052467, 15.1778, 21.328]
    assert sums.c1 == pytest.approx(c1, abs=5e-5)
    assert sums.c2 == pytest.approx(c2, abs=6e-5)
    assert sums.loss == pytest.approx(loss, abs=1e-6)
    assert sums.s[sums.best] == 5


def test_points_with_one_place_have_no_cut():
    assert cut_sums(np.array([2.0, 2.0]), np.array([1.0, 3.0])).best == -1
    assert len(cut_sums(np.zeros(0), np.zeros(0)).s) == 0


def test_a_single_class_gains_nothing_and_is_divided_by_nothing():
    sums = node_sums(TABLE, np.flatnonzero(TABLE.labels == 0))
    assert sums.entropy == 0.0
    assert all(s.gain == 0.0 and s.gain_ratio_entropy == -math.inf for s in sums.features)
    assert sums.favourites("gain_ratio_entropy") == []


def test_a_table_without_rows_is_refused():
    with pytest.raises(ValueError, match="at least one row"):
        node_sums(TABLE, np.zeros(0, dtype=np.intp))


row = st.tuples(*(st.sampled_from(c) for c in (*CATEGORIES, CLASSES)))


def entropy_of(values):
    n = len(values)
    return -sum(c / n * math.log2(c / n) for c in Counter(values).values())


@given(st.lists(row, min_size=1, max_size=25))
def test_the_sums_are_those_of_the_definitions(rows):
    sums = node_sums(table_of(rows))
    labels = [r[4] for r in rows]
    assert sums.entropy == pytest.approx(entropy_of(labels), abs=1e-12)
    for s in sums.features:
        values = [r[s.feature] for r in rows]
        groups = {v: [r[4] for r in rows if r[s.feature] == v] for v in set(values)}
        inside = sum(len(g) / len(rows) * entropy_of(g) for g in groups.values())
        assert s.conditional == pytest.approx(inside, abs=1e-12)
        assert s.information == pytest.approx(entropy_of(values), abs=1e-12)
        for i, category in enumerate(CATEGORIES[s.feature]):
            assert s.gini[i] == pytest.approx(_gini_of_test(values, labels, category), abs=1e-12)


def _gini_of_test(values, labels, category):
    total = 0.0
    for side in (True, False):
        group = [k for v, k in zip(values, labels, strict=True) if (v == category) == side]
        if not group:
            return math.inf
        shares = [c / len(group) for c in Counter(group).values()]
        total += len(group) / len(labels) * (1 - sum(p * p for p in shares))
    return total


def test_the_curves_meet_at_their_ends_and_in_the_middle():
    curves = impurity_curves()
    for values, middle in ((curves.entropy, 1.0), (curves.gini, 0.5), (curves.error, 0.5)):
        assert values[[0, 100, 200]] == pytest.approx([0.0, middle, 0.0])
    assert impurity_curves(np.array([0.6])).entropy[0] == pytest.approx(0.970951, abs=5e-7)
