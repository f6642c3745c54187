"""TAO: the training error never rises, equal to the slow twin, from any tree, edits, limits."""

from itertools import islice

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.tree import DecisionTreeClassifier

from lastviz import (
    C45Classifier,
    CARTClassifier,
    GSODTClassifier,
    MCDFClassifier,
    OC1Classifier,
    OptimalTreeClassifier,
    TAOClassifier,
    what_if,
)
from lastviz.builders import Alternation
from lastviz.criteria import CRITERIA
from lastviz.datasets import load_dataset
from lastviz.inspection import growth_frames, growth_regions
from lastviz.splitters import ObliqueSplit, Split
from lastviz.splitters.edits import ForcedSplit, Kept, MadeLeaf, Without
from lastviz.tree import Action, Reason
from tests.naive_alternating import alternate, stands, wrong


def random_problem(seed):
    """Rows with ties and repeated rows, of two to four classes."""
    rng = np.random.default_rng(seed)
    n, m, n_classes = int(rng.integers(6, 80)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    X = rng.integers(0, rng.choice([3, 8, 50]), size=(n, m)).astype(float)
    return X, np.unique(rng.integers(0, n_classes, n), return_inverse=True)[1]


def random_tree(X, y, seed):
    """A tree that knows nothing of the classes: grown for others, with the rows' own in it."""
    rng = np.random.default_rng(seed)
    edits, waiting = [], [((), np.arange(len(X)))]
    while waiting:
        path, rows = waiting.pop()
        apart = [f for f in range(X.shape[1]) if len(np.unique(X[rows, f])) > 1]
        if len(path) == 3 or not apart:
            continue
        f = int(rng.choice(apart))
        threshold = float(rng.choice(np.unique(X[rows, f])[:-1]))
        edits.append(ForcedSplit(path, Split(f, threshold)))
        first = X[rows, f] <= threshold
        waiting += [((*path, 0), rows[first]), ((*path, 1), rows[~first])]
    return edits


def drawn_line(X, seed):
    """A hyperplane across the middle of the rows as the root, if they lie on both its sides."""
    weights = np.random.default_rng(seed).normal(size=X.shape[1])
    line = ObliqueSplit(weights, float(np.median(X @ weights)))
    return [ForcedSplit((), line)] if 0 < line.goes_first(X).sum() < len(X) else []


def errors_in_turn(estimator, X, y):
    """Return the training errors of the start, and after each event since."""
    start, log = estimator.grown_tree_, estimator.growth_log_
    saved = log.score[log.n_growth_events :]
    assert (saved >= 0).all()
    return (start.predict(X) != y).sum() - np.r_[0, np.cumsum(saved)]


@pytest.mark.ci
@pytest.mark.kernel
@pytest.mark.parametrize("oblique", [False, True])
@pytest.mark.parametrize("start", ["cart", "random", "edited"])
@pytest.mark.parametrize("block", [0, *(pytest.param(k, marks=pytest.mark.ci) for k in (1, 2, 3))])
def test_the_training_error_never_rises(oblique, start, block):
    for seed in range(50 * block, 50 * block + 50):
        X, y = random_problem(seed)
        edits = {"cart": [], "random": random_tree(X, y, seed), "edited": drawn_line(X, seed)}[
            start
        ]
        estimator = TAOClassifier(oblique=oblique, max_depth=3).fit(X, y, edits=edits)
        errors = errors_in_turn(estimator, X, y)
        assert errors[-1] == (estimator.predict(X) != y).sum() == estimator.n_errors_, seed
        assert (np.diff(errors) <= 0).all()
        accepted = estimator.growth_log_.action == Action.REFIT
        assert (estimator.growth_log_.score[accepted] >= 1).all(), seed
        estimator.tree_.validate(X)
        assert oblique or start == "edited" or not len(estimator.tree_.oblique)
        _check_frames(estimator, X, y)


def _check_frames(estimator, X, y):
    """The regions that *growth* draws count the errors that the log tells."""
    bounds = (-1.0, 51.0, -1.0, 51.0)
    features = (0, min(1, X.shape[1] - 1))
    told = growth_regions(estimator, X, y, bounds, features, np.zeros(X.shape[1]))
    frames, log = growth_frames(estimator), estimator.growth_log_
    value = estimator.grown_tree_.value.copy()
    prediction = estimator.grown_tree_.prediction.copy()
    expected = errors_in_turn(estimator, X, y)
    for raised in told.raised:
        value[raised.position], prediction[raised.position] = raised.value, raised.prediction
        after = raised.event + 1
        leaves = [n for n in frames.alive(after) if frames.split(after, n) is None]
        errors = value[leaves].sum() - value[leaves, prediction[leaves]].sum()
        assert errors == expected[after - log.n_growth_events]


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_thresholds_are_those_of_the_slow_twin(seed):
    X, y = random_problem(seed)
    edits = random_tree(X, y, seed) if seed % 2 else []
    estimator = TAOClassifier(oblique=False, max_depth=3).fit(X, y, edits=edits)
    care = []
    root, saved = alternate(estimator.grown_tree_, X, y, cared_for=care)
    assert [sorted(rows.tolist()) for rows in estimator.care_] == care
    log = estimator.growth_log_
    np.testing.assert_array_equal(log.score[log.action == Action.REFIT], saved)
    assert wrong(root, X.tolist(), y) == estimator.n_errors_
    np.testing.assert_array_equal([root.predict(x) for x in X.tolist()], estimator.predict(X))


STARTS = {"c45": C45Classifier(max_depth=3), "optimal": OptimalTreeClassifier(max_depth=3)}


@pytest.mark.parametrize("name", STARTS)
def test_a_start_by_its_name_is_the_tree_of_that_algorithm(name):
    for seed in range(10):
        X, y = random_problem(seed)
        own = clone(STARTS[name]).fit(X, y)
        estimator = TAOClassifier(start=name, max_depth=3).fit(X, y)
        leaves = np.column_stack([estimator.grown_tree_.apply(X), own.tree_.apply(X)])
        assert len(np.unique(leaves, axis=0)) == estimator.grown_tree_.n_leaves
        assert estimator.grown_tree_.n_leaves <= own.tree_.n_leaves
        errors = errors_in_turn(estimator, X, y)
        assert errors[0] == (own.predict(X) != y).sum()
        assert errors[-1] == (estimator.predict(X) != y).sum()
        for same in (own, FrozenEstimator(own), own.tree_, STARTS[name]):
            again = clone(TAOClassifier(start=same, max_depth=3)).fit(X, y)
            np.testing.assert_array_equal(again.predict(X), estimator.predict(X))
        assert not hasattr(STARTS[name], "tree_")


@pytest.mark.parametrize("seed", range(40))
def test_a_given_tree_stands_on_other_rows_as_the_slow_twin_says(seed):
    X, y = random_problem(seed)
    given = CARTClassifier(max_depth=4).fit(X, y, edits=drawn_line(X, seed))
    X, y = X[::3], np.unique(y[::3], return_inverse=True)[1]
    estimator = TAOClassifier(start=given.tree_, oblique=False).fit(X, y)
    rows = dict(enumerate(X))
    assert stands(given.tree_, rows, y) == stands(estimator.grown_tree_, rows, y)
    grown = estimator.growth_log_.reason[: estimator.growth_log_.n_growth_events]
    assert {*grown} <= {Reason.GIVEN, Reason.GIVEN_LEAF, Reason.PURE}
    if not len(given.tree_.oblique):
        root, _ = alternate(estimator.grown_tree_, X, y)
        np.testing.assert_array_equal([root.predict(x) for x in X.tolist()], estimator.predict(X))


def test_a_start_may_be_a_tree_of_scikit_learn_or_one_changed_by_hand():
    dataset = load_dataset("xor")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0)
    fitted = clone(theirs).fit(X, y)
    for start in (theirs, fitted):
        estimator = TAOClassifier(start=start).fit(X, y)
        np.testing.assert_array_equal(estimator.grown_tree_.predict(X), fitted.predict(X))
    root = Split(0, float(np.median(X[:, 0])) + 0.4)
    by_hand = what_if(CARTClassifier().fit(X, y), X, y, [ForcedSplit((), root), MadeLeaf((0,))])
    estimator = TAOClassifier(start=by_hand).fit(X, y)
    assert estimator.grown_tree_.threshold[0] == root.threshold
    assert estimator.grown_tree_.n_leaves == by_hand.tree_.n_leaves
    again = what_if(estimator, X, y, [MadeLeaf((1,))])
    assert again.grown_tree_.n_leaves == 2
    with pytest.raises(ValueError, match="no feature is searched; start from CART"):
        what_if(estimator, X, y, [Without((), (0,))])


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("id3", "start must be one of 'cart', 'c45', 'optimal', got 'id3': an estimator"),
        (None, "start must be one of .* got None: an estimator of one tree or a Tree is taken"),
        (MCDFClassifier(), "MCDFClassifier is neither"),
        (CARTClassifier().fit([[0.0], [1.0]], [0, 1]), "has 1 features and X has 4"),
        (GSODTClassifier(), "must split by thresholds and hyperplanes of numeric columns alone"),
        ("optimal", "max_depth must be an integer >= 1 and <= 4, got 5"),
    ],
)
def test_a_start_that_it_cannot_improve_is_refused(start, message):
    dataset = load_dataset("iris")
    with pytest.raises(ValueError, match=message):
        TAOClassifier(start=start, max_depth=5).fit(dataset.numeric_X.to_numpy(), dataset.codes)


def test_a_start_may_have_hyperplanes():
    dataset = load_dataset("moons", n_samples=120)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    estimator = TAOClassifier(start=OC1Classifier(max_depth=2), oblique=False).fit(X, y)
    own = OC1Classifier(max_depth=2).fit(X, y)
    assert len(estimator.grown_tree_.oblique)
    assert estimator.n_errors_ <= (own.predict(X) != y).sum()


@pytest.mark.parametrize("name", ["xor", "moons", "iris", "wine"])
def test_thresholds_of_the_best_tree_stay(name):
    dataset = load_dataset(name)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    best = OptimalTreeClassifier(max_depth=3).fit(X, y)
    work = Alternation(best.tree_, X, y, oblique=False)
    work.run(20)
    assert not work.splits
    assert work.tree(CRITERIA["gini"]).n_leaves <= best.tree_.n_leaves


def test_sweeps_go_on_until_nothing_improves():
    dataset = load_dataset("waveform", n_samples=400)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    whole = TAOClassifier().fit(X, y)
    assert 1 < whole.n_iter_ < 20
    again = Alternation(whole.tree_, X, y, oblique=True)
    again.run(1)
    assert not again.splits
    once = TAOClassifier(max_iter=1).fit(X, y)
    assert (
        whole.n_errors_
        < once.n_errors_
        < (CARTClassifier(max_depth=4).fit(X, y).predict(X) != y).sum()
    )


@pytest.mark.ci
@pytest.mark.parametrize("start", ["cart", "optimal"])
def test_sweeps_that_are_ended_early_leave_the_best_tree_so_far(start):
    dataset = load_dataset("wine")
    X, y = dataset.numeric_X.to_numpy(), np.arange(len(dataset.codes)) % 3
    ends, shares = [], []
    for n_events in (0, 1, 5, 10, 1000):
        estimator = TAOClassifier(start=start, max_depth=3)
        swept = (event for event in estimator.grow(X, y) if hasattr(estimator, "tree_"))
        events = list(islice(swept, n_events + 1))
        shares = [event.share for event in events]
        assert shares == sorted(shares)
        del swept  # closes it
        errors = errors_in_turn(estimator, X, y)
        ends.append(int((estimator.predict(X) != y).sum()))
        assert errors[-1] == ends[-1] == estimator.n_errors_ <= errors[0]
        estimator.tree_.validate(X)
    whole = TAOClassifier(start=start, max_depth=3).fit(X, y)
    assert ends == sorted(ends, reverse=True)
    assert ends[0] > ends[-1] == whole.n_errors_
    assert shares[-1] <= whole.n_iter_ / whole.max_iter


def test_a_forced_test_is_where_it_starts_and_a_kept_one_stays():
    dataset = load_dataset("xor")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    estimator = TAOClassifier(oblique=False, max_depth=2).fit(X, y)
    root = Split(0, float(np.median(X[:, 0])) + 0.4)
    moved = what_if(estimator, X, y, [ForcedSplit((), root)])
    assert moved.grown_tree_.threshold[0] == root.threshold
    assert moved.tree_.threshold[0] != root.threshold
    kept = what_if(moved, X, y, [Kept(())])
    log = kept.growth_log_
    assert not ((log.node == 0) & (log.action > Action.LEAF)).any()


def test_tests_without_use_are_removed():
    reasons = set()
    for seed in range(40):
        X, y = random_problem(seed)
        estimator = TAOClassifier(max_depth=3).fit(X, y, edits=random_tree(X, y, seed))
        tree, log = estimator.tree_, estimator.growth_log_
        reasons |= {Reason(int(r)) for r in log.reason[log.n_growth_events :]}
        assert tree.n_node_samples.min() > 0
        for node in np.flatnonzero(tree.n_children):
            children = list(tree.children(node))
            same = tree.prediction[children[0]] == tree.prediction[children[1]]
            assert not (same and (tree.n_children[children] == 0).all())
    assert reasons == {Reason.FEWER_SENT_WRONG, Reason.ONE_SIDE, Reason.NO_FEWER_ERRORS}
