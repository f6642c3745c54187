"""Trees that go back to scikit-learn: what they predict, what they are, and what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_graphviz, export_text

import lastviz as lv
from lastviz.datasets import NUMBER_SETS, load_dataset
from lastviz.splitters.edits import Cut, ForcedSplit, MadeLeaf, Split
from lastviz.tree import Missing
from tests.same_trees import differences

SETS = ("iris", "wine", "breast_cancer", "moons", "xor", "three_spirals", "monotone", "two_spreads",
        "checkerboard", "circles")  # fmt: skip
MODELS = {
    "CART": lv.CARTClassifier(),
    "CART, entropy, best first": lv.CARTClassifier("entropy", max_leaf_nodes=9),
    "CART, twoing, priced": lv.CARTClassifier("twoing", ccp_alpha=0.01),
    "C4.5": lv.C45Classifier(),
    "C4.5 at values, unpruned": lv.C45Classifier(threshold="value", pruning="none"),
    "hybrid": lv.HybridTreeClassifier(),
    "REMT": lv.REMTClassifier(),
    "optimal": lv.OptimalTreeClassifier(max_depth=2),
}
FORGOTTEN = {"score", "key", "start", "end", "samples", "sample_weight", "grown_node", "missing",
             "missing_branch", "branch_weight", "feature_names", "threshold"}  # fmt: skip


def asked(tree, X, n=10_000):
    """Rows of values of the columns, beside them and on thresholds, some in single precision."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.choice(column, n) for column in X.T])
    rows[n // 2 :] += rng.normal(size=(n - n // 2, X.shape[1])) * X.std(axis=0) / 5
    rows[::3] = rows[::3].astype(np.float32)
    for f in np.unique(tree.feature[tree.feature >= 0]):
        cuts = tree.threshold[tree.feature == f]
        here = slice(0, n // 4)
        rows[here, f] = np.where(rng.random(n // 4) < 0.5, rng.choice(cuts, n // 4), rows[here, f])
        for cut in cuts:  # one of the values that round to its single
            known, short = X[np.float32(X[:, f]) == np.float32(cut), f], float(str(np.float32(cut)))
            own = short if np.isclose(short, cut, rtol=1e-15, atol=0.0) else cut
            rows[np.float32(rows[:, f]) == np.float32(cut), f] = known[0] if len(known) else own
    return rows


def check(model, X):
    """The tree of scikit-learn predicts the same, and comes back as the same tree."""
    for each in (lv.to_sklearn(model), lv.to_sklearn(model, X)):
        assert_array_equal(each.predict(X), model.predict(X))
    theirs, rows = each, asked(model.tree_, np.asarray(X, dtype=float))
    rows = pd.DataFrame(rows, columns=X.columns) if hasattr(X, "columns") else rows
    gap = np.full((1, theirs.n_features_in_), np.nan)
    gap = pd.DataFrame(gap, columns=X.columns) if hasattr(X, "columns") else gap
    if model.tree_.missing in (Missing.BRANCH, Missing.MAJORITY):
        assert type(theirs) in (DecisionTreeClassifier, DecisionTreeRegressor)
        assert_array_equal(theirs.predict(gap), model.predict(gap))
    else:
        with pytest.raises(ValueError, match="contains NaN"):
            theirs.predict(gap)
    assert_array_equal(theirs.predict(rows), model.predict(rows))
    assert_array_equal(theirs.apply(rows), model.apply(rows))
    if hasattr(model, "predict_proba"):
        ours, shares = model.predict_proba(rows), theirs.predict_proba(rows)
        assert_allclose(shares, ours, rtol=0, atol=2.0**-52)
        untied = ours.argmax(axis=1) == model.tree_.prediction[model.apply(rows)]
        assert_array_equal(shares[untied], ours[untied])
    back = lv.from_sklearn(theirs)
    assert_array_equal(back.predict(rows), model.predict(rows))
    unlike = set(differences(back.tree_, model.tree_)) - FORGOTTEN
    assert unlike <= ({"impurity", "prediction"} if isinstance(model, lv.REMTClassifier) else set())
    assert_allclose(back.tree_.threshold, model.tree_.threshold, rtol=1.2e-7)
    assert differences(lv.from_sklearn(lv.to_sklearn(back)).tree_, back.tree_) == []
    return theirs


def sampled(names, *always):
    return [n if n in always else pytest.param(n, marks=pytest.mark.slow) for n in names]


@pytest.mark.parametrize("name", sampled(SETS, "iris", "moons"))
@pytest.mark.filterwarnings("ignore:the classes are no numbers")
def test_a_tree_for_classes_predicts_the_same_and_comes_back(name):
    data = load_dataset(name)
    for model in MODELS.values():
        model = clone(model).fit(data.X, data.y)
        tree, leaf = model.tree_, np.flatnonzero(model.tree_.n_children == 0)
        if (tree.value[leaf, tree.prediction[leaf]] < tree.value[leaf].max(axis=1)).any():
            assert (name, type(model)) == ("three_spirals", lv.REMTClassifier)  # their median
            with pytest.raises(ValueError, match="of this one predicts another"):
                lv.to_sklearn(model)
        else:
            check(model, data.X)


@pytest.mark.parametrize("name", sampled(NUMBER_SETS, "noisy_sine"))
def test_a_tree_for_numbers_predicts_the_same_and_comes_back(name):
    data = load_dataset(name)
    for params in ({}, {"max_leaf_nodes": 9}, {"ccp_cv": 5}):
        check(lv.CARTRegressor(**params).fit(data.X, data.y), data.X)


def test_a_tree_changed_by_hand_goes_back():
    data = load_dataset("iris")
    for model in (lv.CARTClassifier(), lv.C45Classifier()):
        model.fit(data.X, data.y)
        edits = (ForcedSplit((), Split(3, 1.7)), MadeLeaf((1,)), Cut((0, 1)))
        changed = lv.what_if(model, data.X, data.y, edits)
        theirs = check(changed, data.X)
        assert theirs.tree_.feature[0] == 3
        assert theirs.tree_.threshold[0] == np.float32(1.7)
        assert theirs.tree_.node_count < lv.to_sklearn(model).tree_.node_count


def test_ties_keep_the_class_of_the_tree():
    X = np.repeat([[0.0], [1.0]], [6, 4], axis=0)
    model = lv.C45Classifier(pruning="none").fit(X, [1, 1, 1, 1, 1, 1, 0, 0, 1, 1])
    theirs = check(model, X)
    assert_allclose(model.predict_proba([[1.0]]), [[0.5, 0.5]], rtol=1e-15)
    assert_array_equal(theirs.predict([[1.0]]), [1])


def test_rows_without_a_value_take_the_branch_that_they_take_here():
    rng, (X, y) = np.random.default_rng(0), load_iris(return_X_y=True)
    rows = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    for fitted_on in (X, rows, np.where(X < 1.0, np.nan, X)):
        for model in (lv.CARTClassifier(), lv.CARTRegressor()):
            model.fit(fitted_on, y)
            theirs = lv.to_sklearn(model, rows)
            assert_array_equal(theirs.predict(rows), model.predict(rows))
            back = lv.from_sklearn(theirs)
            assert back.tree_.missing == Missing.BRANCH
            assert_array_equal(back.predict(rows), model.predict(rows))


def test_weights_and_singles_next_to_each_other_go_back():
    rng = np.random.default_rng(0)
    X = (1.0 + rng.integers(0, 9, (300, 2)) * 2.0**-23).astype(np.float32)
    y = rng.integers(0, 3, 300) * (X[:, 0] > X[:, 1])
    model = lv.CARTClassifier(class_weight="balanced").fit(X, y)
    for theirs in (lv.to_sklearn(model), lv.to_sklearn(model, X)):
        assert_array_equal(theirs.predict(X), model.predict(X))
        assert_array_equal(theirs.predict_proba(X), model.predict_proba(X))


def test_rows_decide_to_which_side_of_a_threshold_its_single_belongs():
    y, single = [0, 0, 1, 1], np.float32(1.7)
    above = np.array([[1.6], [1.7], [1.8], [2.0]])  # 1.7 is less than its single
    for X in (above, np.where(above == 1.7, 1.65, np.where(above == 1.8, single, above))):
        model = lv.C45Classifier(pruning="none").fit(X, y)
        model = lv.what_if(model, X, y, (ForcedSplit((), Split(0, 1.7)),))
        theirs = lv.to_sklearn(model, X)
        assert_array_equal(theirs.predict(X), y)
        assert_array_equal(theirs.predict([[1.7]]), [0] if X is above else [1])
    with pytest.raises(ValueError, match="row 1 of X stops at another leaf"):
        lv.to_sklearn(model, [[single], [1.7]])


def test_a_pipeline_with_it_is_pickled_cloned_and_drawn():
    data = load_dataset("iris")
    model = lv.CARTClassifier("entropy", max_depth=3).fit(data.X, data.y)
    theirs = lv.to_sklearn(model)
    steps = make_pipeline(FunctionTransformer(), theirs)
    again = pickle.loads(pickle.dumps(steps))
    assert_array_equal(again.predict(data.X), model.predict(data.X))
    fresh = clone(steps).fit(data.X, data.y)
    assert fresh[-1].criterion == "entropy"
    text = export_text(theirs, feature_names=list(data.X))
    assert text.count("class: ") == model.tree_.n_leaves
    assert theirs.get_depth() == model.get_depth()
    assert_allclose(theirs.feature_importances_, model.feature_importances_)
    drawn = export_graphviz(theirs, class_names=list(theirs.classes_))
    assert drawn.count("entropy = ") == drawn.count("value = ") == model.tree_.n_nodes


def test_what_scikit_learn_cannot_hold_is_refused_in_a_sentence():
    X, y = load_iris(return_X_y=True)
    words = pd.DataFrame({"sky": pd.Categorical(np.array(["a", "b", "c"])[y])})
    holes = X.copy()
    holes[::3, 2:] = np.nan
    second = X + 1.7e9
    refused = [
        (lv.OC1Classifier(n_restarts=1).fit(X, y), "compares one number"),
        (lv.GSODTClassifier().fit(X, y), "compares one number"),
        (lv.SVMTreeClassifier(kernel="linear", C=1.0).fit(X, y), "compares one number"),
        (lv.CARTClassifier().fit(words, y), "compares one number"),
        (lv.C45Classifier().fit(holes, y), "divided such rows"),
        (lv.MCDFClassifier().fit(X, y), "one tree of this package, got MCDFClassifier"),
        (DecisionTreeClassifier().fit(X, y), "got DecisionTreeClassifier"),
        (lv.REMTClassifier(monotone=True).fit(X, y), "monotone envelope"),
        (lv.CARTClassifier().fit(second, y), "two thresholds of 'x.' are one"),
    ]
    for model, reason in refused:
        with pytest.raises(ValueError, match=reason):
            lv.to_sklearn(model)
    with pytest.raises(ValueError, match="row 0 of X stops at another leaf"):
        lv.to_sklearn(lv.CARTClassifier(max_depth=1).fit(second, y), second)
    with pytest.raises(NotFittedError):
        lv.to_sklearn(lv.CARTClassifier())


def test_a_leaf_of_a_rarer_class_is_refused():
    X = np.zeros((5, 1))
    model = lv.REMTClassifier().fit(X, [0, 0, 1, 2, 2])
    assert model.predict(X)[0] == 1
    with pytest.raises(ValueError, match="leaf 0 of this one predicts another"):
        lv.to_sklearn(model)
