"""The table of candidates, what a split measures, and where two trees part."""

from itertools import pairwise

import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier, GSODTClassifier, HybridTreeClassifier
from lastviz.criteria import CRITERIA
from lastviz.inspection import (
    agreement,
    apply_rule,
    best_of_each_feature,
    candidate_table,
    feature_cuts,
    rank_columns,
    split_geometry,
    split_search,
    tied_candidates,
    tied_ranks,
)
from lastviz.splitters import Blend, ChoiceRule, RuleTerm, Stage, presort
from tests import naive, naive_hybrid, naive_mixed, naive_oblique
from tests.conftest import waveform


@pytest.fixture(scope="module")
def node():
    X, y = waveform(300, seed=0)
    X = np.c_[X[:, 7:11], np.round(X[:, 12]), np.ones(300)]
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    return X, y, tree.node_samples(1)[0]


@pytest.mark.ci
def test_any_node_has_every_column(node):
    X, y, rows = node
    table = candidate_table(presort(X), y, rows, 3)
    assert set(table.columns) == set(CRITERIA)
    twin = naive_hybrid.table(X[rows], y[rows], 3, ranked=True)
    assert table.n_candidates == len(twin)
    sides = list(zip(table.left_counts, table.right_counts, strict=True))
    for name, column in table.columns.items():
        if name in twin[0]:
            expected = [row[name] for row in twin]
        else:  # a partition has no other criterion than its counts
            by_counts = naive_oblique.SCORES | naive_mixed.STATISTICS
            expected = [by_counts[name](*side) for side in sides]
        np.testing.assert_allclose(column, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(table.left_counts + table.right_counts - table.counts, 0)
    anew = candidate_table(X, y, rows[::-1], 3, criteria=("bnm", "csn"))
    np.testing.assert_array_equal(anew.columns["csn"], table.columns["csn"])
    assert list(anew.columns) == ["bnm", "csn"]


@pytest.mark.parametrize("name", CRITERIA)
def test_each_column_alone_is_the_column_of_the_whole(node, name):
    X, y, rows = node
    whole = candidate_table(X, y, rows, 3, segments="minimum")
    alone = candidate_table(X, y, rows, 3, criteria=(name,), segments="minimum")
    np.testing.assert_array_equal(alone.columns[name], whole.columns[name])


def test_without_penalty_bnm_is_its_margin(node):
    table = candidate_table(*node, 3, penalty="none", bnm_root=True)
    np.testing.assert_array_equal(table.columns["bnm"], table.columns["bnm5"])
    assert not table.columns["penalty"].any()


def test_unknown_criteria_and_options_are_named(node):
    with pytest.raises(ValueError, match=r"criteria must be among gini.*got 'beauty'"):
        candidate_table(*node, 3, criteria=("beauty",))
    with pytest.raises(ValueError, match="penalty must be one of"):
        candidate_table(*node, 3, penalty="huge")
    with pytest.raises(ValueError, match="at most 10 classes, got 70"):
        candidate_table(*node, 70, ecoc="exhaustive")


def test_small_children_are_inadmissible_and_rank_last(node):
    table = candidate_table(*node, 3, min_samples_leaf=20)
    smallest = np.minimum(table.left_counts.sum(axis=1), table.right_counts.sum(axis=1))
    for name in ("gini", "csn", "segments"):
        assert ((table.columns[name] == -np.inf) == (smallest < 20)).all()
        ranks = rank_columns(table, name)
        assert ranks.min() == 1
        assert (ranks[smallest < 20] == (smallest >= 20).sum() + 1).all()


def test_ranks_the_best_of_each_feature_and_rules_that_no_paper_has(node):
    table = candidate_table(*node, 3)
    for name, criterion in CRITERIA.items():
        best = np.flatnonzero(rank_columns(table, name) == 1)
        extreme = np.min if criterion.smaller_is_better else np.max
        assert (table.columns[name][best] == extreme(table.columns[name])).all()
    mixed = Blend((RuleTerm(1.0, "gini"), RuleTerm(0.1, "bnm")))
    best = best_of_each_feature(table, ("gini", "csn", mixed))
    np.testing.assert_array_equal(best.features, np.arange(5))
    for i, feature in enumerate(best.features):
        here = table.feature == feature
        gini, csn = table.columns["gini"], table.columns["csn"]
        assert gini[best.candidate[i, 0]] == pytest.approx(gini[here].max(), abs=1e-11)
        assert csn[best.candidate[i, 1]] == pytest.approx(csn[here].min(), rel=1e-11)
        total = (gini + 0.1 * table.columns["bnm"])[here].max()
        assert table.scores(mixed)[best.candidate[i, 2]] == pytest.approx(total, abs=1e-11)
    first = Blend((RuleTerm(0.5, "hellinger"), RuleTerm(0.5, "csn", "reversed")))
    top, winner = apply_rule(
        table, ChoiceRule((Stage("top_k", first, 12), Stage("argmax", "gain_ratio")))
    )
    assert len(top) == 12
    falling = table.scores(first)[top]
    assert all(a >= b - 1e-12 for a, b in pairwise(falling))
    ratios = table.columns["gain_ratio"]
    assert ratios[winner[0]] >= ratios[top].max() - 1e-12


def test_equals_share_a_rank_as_the_rule_of_choice_sees_them():
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 7, 60):
        scores = rng.choice([0.0, 0.25, 3.0, -np.inf], size=n) + rng.choice([0.0, 4e-13], size=n)
        expected = np.zeros(n, dtype=int)
        waiting = sorted(range(n), key=lambda i: -scores[i])
        while waiting:
            best = scores[waiting[0]]
            slack = 0.0 if np.isinf(best) else 1e-12 * max(1.0, abs(best))
            group = [i for i in waiting if scores[i] >= best - slack]
            expected[group] = n - len(waiting) + 1
            waiting = [i for i in waiting if i not in group]
        np.testing.assert_array_equal(tied_ranks(scores), expected)
    steps = 1.0 - 6e-13 * np.arange(5)  # each step is a tie, all of them together are not
    np.testing.assert_array_equal(tied_ranks(steps), [1, 1, 3, 3, 5])


def test_columns_are_ranked_each_by_itself():
    rng = np.random.default_rng(1)
    steps = 1.0 - 6e-13 * np.arange(40)
    table = np.column_stack([steps, rng.permutation(steps), rng.integers(0, 5, 40), np.zeros(40)])
    expected = np.column_stack([tied_ranks(column) for column in table.T])
    np.testing.assert_array_equal(tied_ranks(table), expected)
    assert tied_ranks(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("estimator", [CARTClassifier(), C45Classifier(), GSODTClassifier()])
def test_tied_candidates_are_those_that_order_alone_put_behind(estimator):
    rng = np.random.default_rng(3)
    x = rng.permutation(np.repeat(np.arange(6.0), 4))
    X = np.c_[rng.normal(size=24), x, 2.0 * x, np.roll(x, 5)]
    y = (np.abs(x - 2.5) > 1).astype(int)  # 0..1 | 2..3 | 4..5: two cuts of x are equally good
    search = split_search(estimator.fit(X, y), X, y, 0)
    tied = tied_candidates(search)
    assert search.winner == tied[0]
    for column in search.columns.values():
        np.testing.assert_allclose(column[tied], column[search.winner], atol=1e-12)
    if not isinstance(estimator, GSODTClassifier):
        np.testing.assert_array_equal(search.feature[tied], [1, 1, 2, 2])
        assert len(np.unique(search.threshold[tied])) == 4


def test_without_a_winner_nothing_is_tied():
    X, y = np.ones((6, 1)), np.array([0, 1, 0, 1, 0, 1])
    assert len(tied_candidates(split_search(CARTClassifier().fit(X, y), X, y, 0))) == 0


@pytest.mark.parametrize("criterion", ["gini", "bnm", "csn", "bnm+csn", "spes", "spce"])
def test_applying_an_estimators_rule_finds_its_split(node, criterion):
    X, y, _ = node
    estimator = HybridTreeClassifier(criterion=criterion, w2=0.05, k=7, max_depth=2).fit(X, y)
    table = candidate_table(presort(X), y, np.arange(len(y)), 3)
    search = split_search(estimator, X, y, 0)
    survivors = apply_rule(table, search.rule)
    for ours, theirs in zip(survivors, search.survivors, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    winner = table.find(int(estimator.tree_.feature[0]), float(estimator.tree_.threshold[0]))
    assert winner == survivors[-1][0]
    assert table.find(0, -1e9) == -1


def test_agreement_is_one_with_itself_and_between_the_bounds(node):
    found = agreement(candidate_table(*node, 3))
    assert found.tau.shape == (len(CRITERIA),) * 2
    np.testing.assert_array_equal(np.diag(found.tau), 1)
    assert (np.abs(found.tau) <= 1).all()
    pair = [found.columns.index(name) for name in ("gini", "gain")]
    assert found.tau[pair[0], pair[1]] > 0.7
    lone = agreement(candidate_table(np.array([[0.0], [1.0]]), np.array([0, 1]), [0, 1], 2))
    assert np.isnan(lone.tau).all()


def test_a_node_without_candidates_has_an_empty_table():
    table = candidate_table(np.ones((5, 2)), np.array([0, 1, 0, 1, 0]), np.arange(5), 2)
    assert table.n_candidates == 0
    assert best_of_each_feature(table).candidate.shape == (0, len(CRITERIA))
    assert np.isnan(agreement(table).tau).all()
    single = candidate_table(np.ones((5, 2)), np.array([0, 1, 0, 1, 0]), [3], 2)
    assert single.n_candidates == 0


def test_a_large_node_is_ranked_by_some_of_its_candidates():
    X, y = waveform(5000, seed=0)
    presorted, rows = presort(X), np.arange(5000)
    table = candidate_table(presorted, y, rows, 3)
    assert table.n_candidates > 100_000
    assert agreement(table).n_candidates <= 1000


# What a split measures


@pytest.mark.parametrize("penalty", ["approximate", "exact", "none"])
@pytest.mark.parametrize("ecoc", ["one_vs_rest", "exhaustive", "one_vs_one"])
def test_the_drawn_parts_sum_to_the_criteria(node, penalty, ecoc):
    X, y, rows = node
    rows = rows[:60]
    table = candidate_table(X, y, rows, 3, penalty=penalty, ecoc=ecoc)
    for i in range(0, table.n_candidates, 17):
        found = split_geometry(
            X, y, rows, int(table.feature[i]), table.threshold[i], penalty=penalty, ecoc=ecoc
        )
        squares = [margin.square for margin in found.margins]
        assert found.bnm5 == pytest.approx(np.mean(squares) if squares else 0.0)
        for child, part in enumerate(found.penalty_parts):
            sums = [p.own_distance + p.other_distance for p in found.nearest if p.child == child]
            assert part == pytest.approx(np.mean(sums) if sums else 0.0)
        for child, value in enumerate(found.child_csn):
            within = sum(s.within for s in found.spreads if s.child == child)
            between = sum(d.square for d in found.dichotomies if d.child == child)
            assert value == pytest.approx(within / between if between else 0.0)
        for name in ("bnm5", "bnm", "csn"):
            assert getattr(found, name) == pytest.approx(table.columns[name][i], abs=1e-9)
        counts = np.zeros((2, 3))
        for s in found.spreads:
            counts[s.child, s.cls] = s.n
        np.testing.assert_array_equal(counts, [table.left_counts[i], table.right_counts[i]])


def test_drawn_points_are_in_the_units_of_the_data():
    X = np.array([[0.0, 10.0], [1.0, 20.0], [4.0, 10.0], [5.0, 20.0]])
    y = np.array([0, 1, 0, 1])
    found = split_geometry(X, y, np.arange(4), 0, 2.5)
    assert found.threshold == 1.0
    np.testing.assert_array_equal(found.margins[0].left_mean, [0.0, 10.0])
    np.testing.assert_array_equal(found.margins[0].right_mean, [4.0, 10.0])
    assert found.margins[0].square == pytest.approx(0.64)
    assert [(p.own, p.other) for p in found.nearest] == [(0, 1), (1, 0), (2, 3), (3, 2)]
    assert found.penalty_parts[0] == pytest.approx(0.2)


def test_a_split_with_an_empty_child_is_refused(node):
    X, y, rows = node
    with pytest.raises(ValueError, match="rows on both sides"):
        split_geometry(X, y, rows, 0, 1e9)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_threshold_of_each_feature_reaches_its_gain(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, (60, 4)).astype(float), rng.integers(0, 3, 60)
    X[:, 2] = 1.0  # constant
    X[rng.random(60) < 0.3, 1] = np.nan
    found = feature_cuts(X, y, 3, (None, None, None, tuple(range(9))))
    assert found.gain[2] == 0.0
    assert np.isnan(found.threshold[[2, 3]]).all()
    for f in (0, 1):
        known = ~np.isnan(X[:, f])
        x, label = X[known, f], y[known]
        gains = {
            cut: known.mean()
            * naive.gain(
                np.bincount(label[x <= cut], minlength=3),
                np.bincount(label[x > cut], minlength=3),
                naive.gini,
            )
            for cut in (np.unique(x)[:-1] + np.unique(x)[1:]) / 2
        }
        assert found.gain[f] == pytest.approx(max(gains.values()))
        assert gains[found.threshold[f]] == pytest.approx(max(gains.values()))
