"""Costs, thresholds and the reliability of leaves, against counting row by row."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from lastviz import C45Classifier, CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import (
    Costs,
    cost_curve,
    decisions,
    difference_interval,
    ranking_curve,
    reliability,
    saving_interval,
)
from tests import naive
from tests.credit import credit_table


def counted(shares, in_class, threshold, costs):
    """Row by row."""
    cost = right = 0
    for share, own in zip(shares, in_class, strict=True):
        called = share >= threshold
        cost += 0 if called == own else costs.miss if own else costs.alarm
        right += called == own
    return cost, right / len(shares)


def drawn(seed, n=200):
    rng = np.random.default_rng(seed)
    in_class = rng.random(n) < 0.3
    shares = np.round(np.clip(0.3 + 0.3 * in_class + rng.normal(0, 0.2, n), 0, 1), 1)
    return shares, in_class


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("costs", [Costs(1, 1), Costs(5, 1), Costs(0, 2), Costs(0, 0)])
def test_decisions_are_counted(seed, costs):
    shares, in_class = drawn(seed)
    for threshold in (0.0, 0.25, 0.5, 0.7, 1.0, 1.1):
        found = decisions(shares, in_class, threshold, costs)
        total, accuracy = counted(shares, in_class, threshold, costs)
        assert found.total == pytest.approx(total)
        assert found.mean_cost == pytest.approx(total / len(shares))
        assert found.accuracy == pytest.approx(accuracy)
        assert found.n_rows == len(shares)


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_is_the_cost_at_every_threshold(seed):
    shares, in_class = drawn(seed)
    costs = Costs(3, 1)
    curve = cost_curve(shares, in_class, costs)
    ends = [*curve.threshold[1:], 1.2]
    for at, end, cost, accuracy in zip(
        curve.threshold, ends, curve.cost, curve.accuracy, strict=True
    ):
        middle = (at + end) / 2
        total, right = counted(shares, in_class, middle, costs)
        assert cost == pytest.approx(total / len(shares))
        assert accuracy == pytest.approx(right)


def test_the_cheapest_answer_follows_from_the_costs():
    assert Costs(1, 1).threshold == 0.5
    assert Costs(5, 1).threshold == pytest.approx(1 / 6)
    assert Costs(0, 2).threshold == 1.0
    assert np.isnan(Costs(0, 0).threshold)


def test_on_the_training_rows_no_threshold_is_cheaper_than_that_of_the_costs():
    dataset = load_dataset("breast_cancer")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    for costs in (Costs(1, 1), Costs(7, 1), Costs(1, 4)):
        shares = tree.class_shares(X)[:, 1]
        best = decisions(shares, y == 1, costs.threshold, costs).mean_cost
        assert best == pytest.approx(cost_curve(shares, y == 1, costs).cost.min())


def test_nothing_is_wrong_without_rows():
    found = decisions(np.zeros(0), np.zeros(0, dtype=bool), 0.5, Costs(1, 1))
    assert found.n_rows == 0
    assert np.isnan(found.accuracy)
    assert np.isnan(found.mean_cost)


@pytest.mark.parametrize("costs", [Costs(-1, 1), Costs(1, np.inf), Costs(np.nan, 1)])
def test_costs_are_numbers_from_zero(costs):
    with pytest.raises(ValueError, match="must be a number >= 0"):
        decisions(np.zeros(1), np.zeros(1, dtype=bool), 0.5, costs)


@pytest.mark.parametrize("Estimator", [CARTClassifier, C45Classifier])
def test_shares_of_leaves_are_those_of_their_rows(Estimator):
    table = credit_table(600)
    X, y = table.drop(columns="risk"), (table["risk"] == "bad").to_numpy().astype(int)
    nominal = X.select_dtypes(exclude="number").columns
    X[nominal] = X[nominal].astype("category")
    est = Estimator(max_depth=4).fit(X[:400], y[:400])
    codes = est.encode(X[400:])
    found = reliability(est.tree_, codes, y[400:], 1)
    row, node, weight = est.tree_.leaf_weights(codes)
    for leaf, share, n in zip(found.node, found.found, found.n_rows, strict=True):
        here = node == leaf
        assert n == pytest.approx(weight[here].sum())
        assert share * n == pytest.approx((weight[here] * y[400:][row[here]]).sum())
    assert 0 <= found.error <= 1


def test_training_rows_are_perfectly_reliable():
    dataset = load_dataset("iris")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    tree = CARTClassifier(max_depth=2).fit(X, y).tree_
    found = reliability(tree, X, y, 2)
    assert found.error == pytest.approx(0)
    assert found.n_rows == pytest.approx(found.n_training)


@pytest.mark.parametrize("seed", range(4))
def test_ranks_are_those_of_scikit_learn(seed):
    shares, in_class = drawn(seed)
    curve = ranking_curve(shares, in_class)
    false, true, thresholds = roc_curve(in_class, shares, drop_intermediate=False)
    np.testing.assert_array_equal(curve.threshold, thresholds)
    np.testing.assert_allclose(curve.recall, true)
    np.testing.assert_allclose(curve.false_positive_rate, false)
    precision, recall, _ = precision_recall_curve(in_class, shares)
    np.testing.assert_allclose(curve.precision, precision[::-1])
    np.testing.assert_allclose(curve.recall, recall[::-1])
    assert curve.auc == pytest.approx(roc_auc_score(in_class, shares))
    assert curve.average_precision == pytest.approx(average_precision_score(in_class, shares))
    inside, outside = shares[in_class], shares[~in_class]
    wins = np.sign(inside[:, None] - outside[None, :])
    assert curve.auc == pytest.approx(np.mean(0.5 * (wins + 1.0)))
    assert ranking_curve(shares[in_class], in_class[in_class]) is None
    for cut in range(101):
        at, made = curve.at(cut / 100), decisions(shares, in_class, cut / 100, Costs(1, 1))
        assert (curve.found[at], curve.alarms[at]) == (made.found, made.alarms)


@pytest.mark.parametrize("gap", [0.0, 1.0, 2.0])
def test_the_interval_of_the_area_holds_as_often_as_it_says(gap):
    """Normal scores, whose true area is known."""
    rng, true, held, n_tables = np.random.default_rng(1), norm.cdf(gap / np.sqrt(2.0)), 0, 400
    for _ in range(n_tables):
        in_class = np.arange(60) < 20
        curve = ranking_curve(rng.normal(size=60) + gap * in_class, in_class)
        low, high = curve.auc_interval()
        assert 0.0 <= low <= curve.auc <= high <= 1.0
        held += low <= true <= high
    assert held / n_tables >= 0.92


def test_a_perfect_ranking_has_an_interval_too():
    curve = ranking_curve(np.arange(20.0), np.arange(20) >= 10)
    low, high = curve.auc_interval()
    assert (curve.auc, high) == (1.0, 1.0)
    assert 0.6 < low < 0.95
    assert curve.auc_interval(0.8)[0] > low
    turned = ranking_curve(-np.arange(20.0), np.arange(20) >= 10)
    assert turned.auc_interval() == pytest.approx((0.0, 1.0 - low))


@pytest.mark.parametrize(("n", "costs"), [(30, [[0, 1], [5, 0]]), (40, [[0, 1], [1, 0]]),
                                          (12, [[0, 1, 2], [3, 0, 1], [9, 4, 0]])])  # fmt: skip
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_saving_has_the_quantiles_of_all_draws(n, costs, level):
    rng = np.random.default_rng(n)
    y, dear, cheap = rng.integers(len(costs), size=(3, n))
    chances = naive.savings(y.tolist(), dear.tolist(), cheap.tolist(), costs)
    ends = saving_interval(y, dear, cheap, np.array(costs, dtype=float), level)
    for end, below in zip(ends, ((1 - level) / 2, (1 + level) / 2), strict=True):
        less = sum(chance for total, chance in chances.items() if total < end - 1e-9)
        same = sum(chance for total, chance in chances.items() if total <= end + 1e-9)
        assert less - 0.01 <= below <= same + 0.01
    back = saving_interval(y, cheap, dear, np.array(costs, dtype=float), level)
    assert back == pytest.approx((-ends[1], -ends[0]), abs=2.0)


def test_differences_of_shares_are_newcombes():
    """The examples of his table II, by the interval with Wilson's limits."""
    cases = {((56, 70), (48, 80)): (0.0524, 0.3339), ((9, 10), (3, 10)): (0.1705, 0.8090),
             ((10, 10), (0, 10)): (0.6075, 1.0)}  # fmt: skip
    for counts, ends in cases.items():
        assert difference_interval(*counts) == pytest.approx(ends, abs=5e-5)
    low, high = difference_interval((48, 80), (56, 70))
    assert (-high, -low) == pytest.approx(difference_interval((56, 70), (48, 80)))
