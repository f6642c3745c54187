"""What holds for every forest, how MCDF draws its subsets, and AdaBoost.M1."""

import numpy as np
import pytest

from lastviz import AdaBoostM1Classifier, MCDFClassifier
from lastviz.builders import growth
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS, ForestProgress, TreeGrown
from lastviz.estimators.subsets import class_quotas, draw_rows, feature_spreads, plan_subsets
from lastviz.inspection import split_search, violations
from lastviz.splitters import same_split, stored_split

FORESTS = [entry.cls for entry in ESTIMATORS.values() if entry.cls.TAGS.forest]


def noisy_set(n=400, n_classes=4, seed=0, noise=0.1):
    data = load_dataset(
        "monotone", n_samples=n, n_classes=n_classes, label_noise=noise, random_state=seed
    )
    return data.X.to_numpy(), data.codes


@pytest.mark.parametrize("cls", FORESTS)
def test_every_tree_is_grown_in_turn_and_replayed_on_its_own_rows(cls):
    X, y = noisy_set(200)
    forest = cls()
    events = list(forest.grow(X, y))
    assert [event.tree for event in events] == list(range(len(forest.estimators_)))
    assert isinstance(events[0], TreeGrown)
    np.testing.assert_array_equal(cls().fit(X, y).predict(X), forest.predict(X))
    assert cls(random_state=1).fit(X, y).draws_[0].rows.tolist() != forest.draws_[0].rows.tolist()
    for t, each in enumerate(forest.estimators_):
        rows = forest.draws_[t].rows
        each.tree_.validate(X[rows])
        for node in range(each.tree_.n_nodes):
            if not each.tree_.is_leaf(node):
                found = split_search(forest, X, y, node, tree=t).split
                assert same_split(found, stored_split(each.tree_, node))
    with pytest.raises(ValueError, match="tree must be from 0 to"):
        split_search(forest, X, y, 0, tree=len(forest.estimators_))


# How MCDF draws


def plan(n, m=2, **options):
    X = np.random.default_rng(0).random((n, m))
    chosen = {"z": 1.96, "error": 0.039, "theta": 0.05, "alpha": 0.5, "sigma": "mean"}
    nominal = options.pop("nominal", np.zeros(m, dtype=bool))
    return plan_subsets(X, nominal, subset_size=None, **(chosen | options))


def test_the_numbers_of_equations_3_to_8():
    found = plan(1000)
    assert found.sigma == pytest.approx(0.2887, abs=0.005)
    assert found.raw == pytest.approx((1.96 * found.sigma / 0.039) ** 2)
    assert found.corrected == 10 * (found.raw * 1000 // ((found.raw + 1000) * 10))
    assert (found.size, found.n_expected, found.given) == (170, 9, False)
    assert (found.n_kept, found.n_fresh) == (85, 85)
    assert plan(100_000).corrected is None
    assert plan(100_000).size == int(plan(100_000).raw)
    assert plan(1000, error=1.2).size == 30
    assert plan(1000, error=0.001).size == 250
    assert plan(40).size == 10
    assert plan(1000, sigma="sum").sigma == pytest.approx(2 * found.sigma)


def test_900_rows_of_100_000_make_220_trees():
    X = np.zeros((100_000, 1))
    options = {"z": 1.96, "error": 0.039, "theta": 0.05, "alpha": 0.5, "sigma": "mean"}
    found = plan_subsets(X, np.array([False]), subset_size=900, **options)
    assert (found.n_expected, found.given) == (220, True)
    assert plan_subsets(X[:90_000], np.array([False]), subset_size=900, **options).n_expected == 198


def test_spreads_of_numeric_nominal_and_constant_features():
    X = np.c_[[0.0, 5.0, 10.0, 10.0], [1.0, 1.0, 2.0, 3.0], np.ones(4)]
    found = feature_spreads(X, np.array([False, True, False]))
    numbers, labels = [0.0, 0.5, 1.0, 1.0], [1, 1, 2, 3]
    differ = np.mean([[a != b for a in labels] for b in labels])
    np.testing.assert_allclose(found, [np.std(numbers), differ, 0.0])


def test_quotas_by_largest_remainder():
    np.testing.assert_array_equal(class_quotas(np.array([50, 30, 20]), 10), [5, 3, 2])
    np.testing.assert_array_equal(class_quotas(np.array([1, 1, 1]), 2), [1, 1, 0])
    np.testing.assert_array_equal(class_quotas(np.array([999, 1]), 10), [10, 0])


def test_rows_are_drawn_by_weight_and_class():
    rng = np.random.default_rng(0)
    pools = [np.arange(0, 6), np.arange(6, 8), np.arange(8, 12)]
    weights = np.ones(12)
    weights[0] = 1e6
    drawn = draw_rows(pools, weights, np.array([2, 5, 1]), rng)
    assert sum(map(len, drawn)) == 8
    assert len(drawn[0]) >= 2
    assert drawn[1].tolist() == [6, 7]  # all it has
    often = [0 in draw_rows(pools, weights, np.array([1, 0, 0]), rng)[0] for _ in range(50)]
    assert all(often)


def test_every_draw_is_as_recorded():
    X, y = noisy_set(600)
    forest = MCDFClassifier(subset_size=80, inclusion=0.5).fit(X, y)
    degree = violations(X, y).inclusion
    seen = np.zeros(len(y), dtype=bool)
    before = np.zeros(0, dtype=int)
    assert any(len(draw.dropped) for draw in forest.draws_)
    for t, draw in enumerate(forest.draws_):
        weights = forest.weights_before(t)
        assert weights.sum() == pytest.approx(1.0)
        assert len(np.unique(draw.rows)) == len(draw.rows) == 80
        np.testing.assert_array_equal(np.bincount(y[draw.rows], minlength=4), draw.drawn)
        assert set(draw.rows[draw.kept]) <= set(before)
        assert draw.kept.sum() == (0 if t == 0 else 40)
        assert draw.n_unseen == np.count_nonzero(~seen & (weights > 0))
        assert not seen[draw.rows[~draw.kept]].any()
        assert (weights[draw.rows] > 0).all()
        wrong = forest.estimators_[t].tree_.predict(X) != y
        assert draw.error == pytest.approx(weights[wrong].sum())
        np.testing.assert_array_equal(np.flatnonzero(wrong & (degree >= 0.5)), draw.raised)
        np.testing.assert_array_equal(np.flatnonzero(wrong & (degree < 0.5)), draw.dropped)
        factor = (1 - draw.error) / draw.error if draw.error < 0.5 else 1.0
        assert draw.factor == pytest.approx(factor)
        seen[draw.rows] = True
        before = draw.rows
    last = forest.weights_before(len(forest.draws_))
    assert np.count_nonzero(~seen & (last > 0)) < 80
    counted = ~np.isnan(forest.inclusion_degree_)
    np.testing.assert_array_equal(forest.inclusion_degree_[counted], degree[counted])
    forest = MCDFClassifier(subset_size=80, error_scope="subset").fit(X, y)
    for draw in forest.draws_:
        assert set(draw.raised) | set(draw.dropped) <= set(draw.rows)


def test_consistent_data_drop_no_row_and_keep_their_quotas():
    X, y = noisy_set(1000, noise=0.0)
    forest = MCDFClassifier().fit(X, y)
    assert len(forest.estimators_) == forest.plan_.n_expected
    assert not any(len(draw.dropped) for draw in forest.draws_)
    for draw in forest.draws_[:-1]:
        assert np.abs(draw.drawn - draw.quota).max() <= 2
    assert all((draw.factor == 1) or (draw.factor > 1) for draw in forest.draws_)


def test_the_number_of_threads_changes_nothing():
    rng = np.random.default_rng(0)
    X = rng.random((9000, 3))
    y = np.digitize(X.mean(axis=1) + rng.normal(0, 0.1, 9000), [0.4, 0.6])
    one, three = (MCDFClassifier(subset_size=2000, n_jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(one.inclusion_degree_, three.inclusion_degree_)
    for a, b in zip(one.draws_, three.draws_, strict=True):
        np.testing.assert_array_equal(a.rows, b.rows)
        assert a.error == b.error
    np.testing.assert_array_equal(one.predict(X), three.predict(X))
    with pytest.raises(ValueError, match="n_jobs must be an integer >= 1, -1"):
        MCDFClassifier(n_jobs=0).fit(X[:50], y[:50])


@pytest.mark.parametrize("large", [40, growth.LARGE])
@pytest.mark.parametrize("directions", [None, (1, -1, 0, 1, 0)])
def test_threads_grow_the_same_trees(monkeypatch, large, directions):
    monkeypatch.setattr(growth, "LARGE", large)
    rng = np.random.default_rng(1)
    X = np.c_[rng.random((700, 3)), rng.integers(0, 4, (700, 2))]
    y = np.digitize(X[:, 0] + 0.2 * X[:, 3] + rng.normal(0, 0.1, 700), [0.3, 0.6, 1.0])
    one, two, eight = (
        MCDFClassifier(subset_size=200, monotonic_cst=directions, n_jobs=jobs).fit(X, y)
        for jobs in (1, 2, 8)
    )
    assert max(each.tree_.n_nodes for each in one.estimators_) > 20
    for other in (two, eight):
        for a, b in zip(one.estimators_, other.estimators_, strict=True):
            for field in ("parent", "feature", "threshold", "score", "prediction", "samples"):
                np.testing.assert_array_equal(getattr(a.tree_, field), getattr(b.tree_, field))
            for field in ("node", "action", "reason", "score"):
                ours, theirs = getattr(a.growth_log_, field), getattr(b.growth_log_, field)
                np.testing.assert_array_equal(ours, theirs)


def test_a_large_tree_gives_signs_of_life(monkeypatch):
    monkeypatch.setattr(growth, "BUDGET", 2000)
    X, y = noisy_set(3000, noise=0.05)
    events = AdaBoostM1Classifier(n_estimators=1).grow(X, y)
    shares = [event.share for event in events if isinstance(event, ForestProgress)]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < shares[-1] < 1.0


def test_ties_go_to_the_larger_sum_of_supports():
    X, y = noisy_set(300)
    forest = MCDFClassifier(subset_size=40).fit(X, y)
    votes = forest.votes(X)
    rows = np.flatnonzero(votes.tied.sum(axis=1) > 1)
    assert len(rows)
    for row in rows:
        supports = np.zeros(4)
        for each, leaf in zip(forest.estimators_, votes.leaf[row], strict=True):
            supports += each.tree_.value[leaf] / each.tree_.value[leaf].sum()
        tied = np.flatnonzero(np.bincount(votes.label[row], minlength=4) == votes.votes[row].max())
        assert votes.decision[row] == tied[np.argmax(supports[tied])]
    median = MCDFClassifier(subset_size=40, vote="median").fit(X, y).votes(X)
    expected = np.sort(median.label, axis=1)[:, (median.label.shape[1] - 1) // 2]
    np.testing.assert_array_equal(median.decision, expected)


def ordinal_set(seed):
    """Graded features and classes, a third of the labels moved at random."""
    rng = np.random.default_rng(seed)
    n, m = 300, int(rng.integers(2, 6))
    X = rng.integers(0, 6, (n, m)).astype(float)
    y = np.digitize(X.mean(axis=1), [1.5, 2.3, 3.1, 3.8])
    return X, np.where(rng.random(n) < 0.35, rng.integers(0, 5, n), y)


def n_falls(forest, n_features):
    """How many of 20,000 pairs, of which one row dominates the other, fall in class."""
    rng = np.random.default_rng(1)
    low = rng.integers(0, 6, (20_000, n_features)).astype(float)
    high = np.minimum(low + rng.integers(0, 4, low.shape), 5.0)
    return int((forest.predict(low) > forest.predict(high)).sum())


def test_a_monotone_forest_keeps_its_promise_whatever_else_is_left_alone():
    broken_by_plurality = 0
    for seed in range(6):
        X, y = ordinal_set(seed)
        forest = MCDFClassifier(monotone=True, subset_size=40).fit(X, y)
        assert forest.vote_ == "median"
        assert n_falls(forest, X.shape[1]) == 0
        forest.vote_ = "plurality"
        broken_by_plurality += n_falls(forest, X.shape[1])
    assert broken_by_plurality > 0, "the sets should tell the two votes apart"


def test_a_vote_that_breaks_the_promise_and_a_subset_that_cannot_be_are_refused():
    X, y = noisy_set(100)
    with pytest.raises(ValueError, match="vote='plurality' breaks what monotone=True promises"):
        MCDFClassifier(monotone=True, vote="plurality").fit(X, y)
    assert MCDFClassifier().fit(X, y).vote_ == "plurality"
    assert MCDFClassifier(vote="median").fit(X, y).vote_ == "median"
    with pytest.raises(ValueError, match=r"subset_size must be from 1 to the 100 rows.*it is M"):
        MCDFClassifier(subset_size=101).fit(X, y)
    with pytest.raises(
        ValueError, match="subset_size must be an integer >= 1 or None, got 0: it is M"
    ):
        MCDFClassifier(subset_size=0).fit(X, y)
    assert len(MCDFClassifier(subset_size=100).fit(X, y).estimators_) == 1
    assert MCDFClassifier(subset_size=1).fit(X, y).plan_.n_fresh == 1


# Bad input


def test_classes_of_text_are_taken_in_the_order_of_the_alphabet_with_a_warning():
    X, y = noisy_set(100)
    for cls in FORESTS:
        with pytest.warns(UserWarning, match="'a' < 'b' < 'c' < 'd'") as said:
            by_text = cls().fit(X, np.array(list("abcd"))[y]).predict(X)
        assert len(said) == 1
        np.testing.assert_array_equal(by_text, np.array(list("abcd"))[cls().fit(X, y).predict(X)])
        names = cls(class_order=list("dcba"), monotonic_cst=[-1, -1])
        assert names.fit(X, np.array(list("abcd"))[y]).score(X, np.array(list("abcd"))[y]) > 0.6


def test_constant_features_and_inconsistent_rows_are_survived():
    X, y = noisy_set(200)
    forest = MCDFClassifier().fit(np.c_[X, np.ones(200)], y)
    assert forest.plan_.spreads[2] == 0
    worst = MCDFClassifier(inclusion=1.0, subset_size=20).fit(X, y[::-1])
    assert len(worst.estimators_) < worst.plan_.n_expected
    alike = MCDFClassifier().fit(np.ones((80, 2)), np.arange(80) % 2)
    assert alike.plan_.size == 20
    assert set(alike.predict(np.ones((3, 2)))) == {0}


def test_a_class_with_fewer_rows_than_its_quota_gives_all_it_has():
    X, y = noisy_set(400, noise=0.3)
    y[y == 3] = 2
    y[:5] = 3
    forest = MCDFClassifier(subset_size=100, inclusion=1.0, alpha=0.0).fit(X, y)
    assert all(len(draw.rows) == 100 for draw in forest.draws_)
    assert any((draw.drawn < draw.quota).any() for draw in forest.draws_)


def test_categories_are_named_by_index_name_or_mask():
    data = load_dataset("monotone_large", n_samples=300, n_features=4)
    fitted = [
        MCDFClassifier(categorical_features=given).fit(data.X, data.codes)
        for given in ([2, 3], ["x3", "x4"], np.array([False, False, True, True]))
    ]
    for each in fitted:
        np.testing.assert_array_equal(each.plan_.nominal, [False, False, True, True])
        assert each.plan_.spreads[2] == pytest.approx(10 / 11, abs=0.02)
    with pytest.raises(ValueError, match="categorical_features must name features of X"):
        MCDFClassifier(categorical_features=[4]).fit(data.X, data.codes)


# AdaBoost.M1


def test_adaboost_follows_its_errors():
    X, y = noisy_set(300)
    forest = AdaBoostM1Classifier(n_estimators=5).fit(X, y)
    weights = np.full(300, 1 / 300)
    for t, draw in enumerate(forest.draws_):
        np.testing.assert_allclose(forest.weights_before(t), weights)
        wrong = forest.estimators_[t].tree_.predict(X) != y
        error = weights[wrong].sum()
        assert draw.error == pytest.approx(error)
        assert forest.tree_weights_[t] == pytest.approx(np.log((1 - error) / error))
        weights = np.where(wrong, weights, weights * error / (1 - error))
        weights /= weights.sum()
        assert weights[wrong].sum() == pytest.approx(0.5)
        assert len(draw.rows) == 300


def test_adaboost_goes_on_with_equal_weights_where_it_would_stop():
    X, y = noisy_set(200, noise=0.4)
    stopped = AdaBoostM1Classifier(n_estimators=20).fit(X, y)
    forest = AdaBoostM1Classifier(n_estimators=20, restart=True).fit(X, y)
    n = len(stopped.estimators_)
    assert n < len(forest.estimators_) < 20  # the rounds without a tree count
    np.testing.assert_array_equal(stopped.tree_weights_, forest.tree_weights_[:n])
    assert [draw.restarted for draw in forest.draws_[: n + 1]] == [False] * n + [True]
    assert max(draw.error for draw in forest.draws_) < 0.5
    even = weights = np.full(200, 1 / 200)
    for t, draw in enumerate(forest.draws_):
        weights = even if draw.restarted else weights
        np.testing.assert_allclose(forest.weights_before(t), weights)
        wrong = forest.estimators_[t].tree_.predict(X) != y
        assert draw.error == pytest.approx(weights[wrong].sum())
        weights = np.where(wrong, weights, weights * draw.error / (1 - draw.error))
        weights /= weights.sum()


def test_adaboost_stops_where_nothing_is_left_to_learn():
    X = np.repeat(np.arange(20.0), 10)[:, None]
    forest = AdaBoostM1Classifier().fit(X, (X[:, 0] > 9).astype(int))
    assert len(forest.estimators_) == 1
    chance = AdaBoostM1Classifier().fit(np.ones((30, 1)), np.arange(30) % 3)
    assert (len(chance.estimators_), chance.tree_weights_.tolist()) == (1, [1.0])


@pytest.mark.parametrize(
    "forest",
    [*(MCDFClassifier(subset_size=80, **p) for p in ({}, {"vote": "median"}, {"monotone": True})),
     AdaBoostM1Classifier()],
)  # fmt: skip
def test_counting_votes_decides_as_the_leaves_do(forest):
    X, y = noisy_set(700, n_classes=4, noise=0.3)
    places = np.random.default_rng(1).random((1000, X.shape[1]))
    forest.fit(X, y)
    votes = forest.votes(places)
    weighted = isinstance(forest, AdaBoostM1Classifier)
    assert len(forest.estimators_) > 1 if weighted else (votes.tied.sum(axis=1) > 1).any()
    np.testing.assert_array_equal(forest.predict_codes(places), votes.decision)
    np.testing.assert_array_equal(forest.predict_codes(places[:5]), votes.decision[:5])
