"""By how much a split won over whom: against a look at every candidate."""

import numpy as np
import pytest

from lastviz import (
    C45Classifier,
    CARTClassifier,
    GSODTClassifier,
    HybridTreeClassifier,
    OC1Classifier,
    SVMTreeClassifier,
    what_if,
)
from lastviz.datasets import load_dataset
from lastviz.inspection import NEAR, how_won, runner_up, runner_ups, split_search
from lastviz.splitters import Split
from lastviz.splitters.edits import ForcedSplit

SETS = ("iris", "wine", "breast_cancer")


def of(name):
    data = load_dataset(name)
    return data.X.to_numpy(dtype=float), np.unique(np.asarray(data.y), return_inverse=True)[1]


X, y = of("iris")


@pytest.mark.parametrize("name", SETS)
def test_of_cart_it_is_the_best_split_of_another_feature(name):
    X, y = of(name)
    cart = CARTClassifier().fit(X, y)
    for node in np.flatnonzero(cart.grown_tree_.n_children).tolist():
        search = split_search(cart, X, y, node)
        found = runner_up(search)
        gini, chosen = search.columns["gini"], search.feature[search.winner]
        best = {int(f): gini[search.feature == f].max() for f in np.unique(search.feature)}
        others = {f: score for f, score in best.items() if f != chosen and score > -np.inf}
        if not others:
            assert found is None
            continue
        assert found.score == pytest.approx(max(others.values()), abs=1e-12)
        assert others[found.feature] == pytest.approx(found.score, abs=1e-12)
        assert found.winner_score == gini[search.winner]
        assert found.threshold == search.threshold[found.candidate]
        assert found.n_rivals == len(others)
        near = [s for s in others.values() if s >= (1 - NEAR) * found.winner_score]
        assert found.n_near == len(near)
        if found.score > 0:
            assert found.times == pytest.approx(found.winner_score / found.score)
        else:
            assert np.isnan(found.times)


@pytest.mark.parametrize(
    "estimator",
    [CARTClassifier(), C45Classifier(), GSODTClassifier(), HybridTreeClassifier(k=6)],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.parametrize("name", SETS)
def test_all_nodes_at_once_are_those_one_by_one(name, estimator):
    X, y = of(name)
    fitted = estimator.fit(X, y)
    inner = np.flatnonzero(fitted.grown_tree_.n_children).tolist()
    found = runner_ups(fitted, X, y)
    assert sorted(found) == inner
    for node in inner:
        search = split_search(fitted, X, y, node)
        assert found[node] == how_won(search)
        assert found[node].over == runner_up(search)


def test_where_small_is_good_the_smallest_of_the_others_comes_second():
    X, y = of("wine")
    model = HybridTreeClassifier(criterion="csn", k=50).fit(X, y)
    search = split_search(model, X, y, 0)
    found = runner_up(search)
    judged = search.survivors[-2]
    rivals = judged[search.feature[judged] != search.feature[search.winner]]
    assert found.score == search.columns["csn"][rivals].min()
    assert found.winner_score <= found.score


def test_the_petals_of_iris_tie_and_one_feature_and_a_split_by_hand_have_no_rival():
    found = runner_ups(CARTClassifier().fit(X, y), X, y)[0].over
    assert (found.feature, found.threshold) == (3, 0.8)
    assert found.times == pytest.approx(1.0)
    assert (found.n_rivals, found.n_near) == (3, 1)
    found = runner_ups(CARTClassifier(max_depth=1).fit(X[:, 2:3], y), X[:, 2:3], y)
    assert {node: won.over for node, won in found.items()} == {0: None}
    forced = what_if(CARTClassifier().fit(X, y), X, y, [ForcedSplit((), Split(0, 5.5, 0.0))])
    found = runner_ups(forced, X, y)
    assert 0 not in found
    assert found


def test_few_cells_leave_the_deeper_nodes_out():
    X, y = of("breast_cancer")
    cart = CARTClassifier().fit(X, y)
    assert list(runner_ups(cart, X, y, most_cells=1)) == [0]
    assert runner_ups(cart, X, y, most_cells=0) == {}


@pytest.mark.parametrize("estimator", [OC1Classifier(n_restarts=1), SVMTreeClassifier()])
def test_searches_without_such_candidates_have_none(estimator):
    assert runner_ups(estimator.fit(X, y), X, y) == {}


@pytest.mark.parametrize("name", SETS)
def test_the_winner_has_the_best_score_of_so_many_candidates(name):
    X, y = of(name)
    gini = split_search(CARTClassifier().fit(X, y), X, y, 0)
    won = how_won(gini)
    assert won.score == gini.columns["gini"].max() == gini.columns["gini"][gini.winner]
    distinct = [len(np.unique(column)) - 1 for column in X.T]
    assert won.n_judged == won.n_candidates == sum(distinct)
    shortlist = how_won(split_search(HybridTreeClassifier(k=6).fit(X, y), X, y, 0))
    assert (shortlist.n_judged, shortlist.n_candidates) == (6, won.n_candidates)
