"""What is measured on a fold: equal to scikit-learn's scores, with a rule for every odd fold."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as reference
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import C45Classifier, CARTRegressor, GSODTClassifier, MCDFClassifier, REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import violations
from lastviz.studies import METRICS, measure


def ordered(n=240, classes=4):
    data = load_dataset("monotone", n_samples=n, n_classes=classes, label_noise=0.2)
    X, y = data.X.to_numpy(), data.codes
    return X[::2], y[::2], X[1::2], y[1::2]


X, y, X_test, y_test = ordered()


@pytest.mark.parametrize("make", [
    C45Classifier, REMTClassifier, lambda: DecisionTreeClassifier(max_depth=3),
    LogisticRegression, lambda: RandomForestClassifier(5),
])  # fmt: skip
def test_scores_are_those_of_scikit_learn(make):
    model = make().fit(X, y)
    found = measure(model, X_test, y_test, "classification", class_order=[0, 1, 2, 3])
    predicted = model.predict(X_test)
    assert found.keys() <= METRICS.keys()
    assert {type(value) for value in found.values()} == {float}  # databases know no others
    assert found["accuracy"] == reference.accuracy_score(y_test, predicted)
    balanced = reference.balanced_accuracy_score(y_test, predicted)
    assert found["balanced_accuracy"] == pytest.approx(balanced)
    assert found["mae"] == pytest.approx(reference.mean_absolute_error(y_test, predicted))
    kappa = reference.cohen_kappa_score(y_test, predicted, weights="quadratic")
    assert found["kappa"] == pytest.approx(kappa)
    if hasattr(model, "predict_proba"):
        loss = reference.log_loss(y_test, model.predict_proba(X_test))
        assert found["log_loss"] == pytest.approx(loss)
    else:
        assert "log_loss" not in found
    assert found == measure(
        model, X_test, y_test, "classification", [0, 1, 2, 3], predicted=predicted
    )


def test_scores_of_numbers_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.random((80, 2))
    y = X[:, 0] + 0.1 * rng.random(80)
    for model in (CARTRegressor(max_depth=3), DecisionTreeRegressor(max_depth=3)):
        found = measure(model.fit(X[:40], y[:40]), X[40:], y[40:], "regression")
        predicted = model.predict(X[40:])
        expected = reference.root_mean_squared_error(y[40:], predicted)
        assert found["rmse"] == pytest.approx(expected)
        assert found["r2"] == pytest.approx(reference.r2_score(y[40:], predicted))
        assert set(found) == {"rmse", "r2", "nodes", "leaves", "depth"}


def test_a_fold_without_a_class_and_a_class_that_was_never_learnt():
    X = np.arange(8.0)[:, None]
    y = np.array(["a", "a", "a", "a", "b", "b", "b", "b"], dtype=object)
    model = DecisionTreeClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lacking = measure(model, X[:3], y[:3], "classification", ["a", "b", "c"])
        new = np.array(["a", "c"], dtype=object)
        unseen = measure(model, X[3:5], new, "classification", ["a", "b", "c"])
        unordered = measure(model, X[3:5], new, "classification")
        empty = measure(model, X[:0], y[:0], "classification", ["a", "b", "c"], [1])
    assert lacking["balanced_accuracy"] == 1.0
    assert np.isnan(lacking["kappa"])
    assert lacking["log_loss"] == 0.0
    assert unseen["accuracy"] == unseen["balanced_accuracy"] == 0.5
    assert unseen["mae"] == 0.5  # b for c, one place off
    assert unseen["log_loss"] == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    assert "mae" not in unordered
    assert unordered["log_loss"] == unseen["log_loss"]
    assert empty.pop("nodes") == 3
    assert (empty.pop("leaves"), empty.pop("depth")) == (2, 1)
    assert np.isnan(list(empty.values())).all()
    assert set(empty) == {
        "accuracy", "balanced_accuracy", "mae", "kappa", "log_loss", "violations"
    }  # fmt: skip


def test_sizes_of_trees_and_of_what_holds_them():
    asked = (X_test, y_test, "classification")

    def size(model):
        found = measure(model.fit(X, y), *asked)
        return tuple(found.get(key) for key in ("nodes", "leaves", "depth"))

    ours, theirs = C45Classifier(), DecisionTreeClassifier(max_depth=4)
    expected = (ours.fit(X, y).tree_.n_nodes, ours.get_n_leaves(), ours.get_depth())
    assert size(ours) == expected
    slanted = GSODTClassifier()
    assert size(slanted)[1] == slanted.tree_.n_leaves
    expected = (theirs.fit(X, y).tree_.node_count, theirs.get_n_leaves(), theirs.get_depth())
    assert size(theirs) == expected
    assert size(make_pipeline(StandardScaler(), theirs))[1:] == expected[1:]
    assert size(GridSearchCV(theirs, {"max_depth": [4]}, cv=2)) == expected

    forest = RandomForestClassifier(7, max_depth=3, random_state=0)
    trees = forest.fit(X, y).estimators_
    summed = (
        sum(tree.tree_.node_count for tree in trees),
        sum(tree.get_n_leaves() for tree in trees),
        np.mean([tree.get_depth() for tree in trees]),
    )
    assert size(forest) == pytest.approx(summed)
    both = VotingClassifier([("forest", forest), ("tree", theirs)])
    assert size(both)[0] == summed[0] + expected[0]
    boosted = GradientBoostingClassifier(n_estimators=3)
    assert size(boosted)[1] == sum(t.get_n_leaves() for t in boosted.estimators_.ravel())
    binned = HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=4, min_samples_leaf=5)
    nodes, leaves, depth = size(binned)
    n_trees = 3 * 4  # one for each class and stage
    assert nodes == 2 * leaves - n_trees
    assert n_trees < leaves <= 4 * n_trees
    assert 1 <= depth <= 3
    subsets = MCDFClassifier(random_state=0)
    assert size(subsets)[2] == pytest.approx(subsets.mean_depth_)
    assert size(LogisticRegression()) == (None, None, None)
    mixed = VotingClassifier([("line", LogisticRegression()), ("tree", theirs)])
    assert size(mixed) == (None, None, None)


def test_violations_are_the_share_of_comparable_pairs():
    for model in (C45Classifier(), REMTClassifier(monotone=True)):
        model.fit(X, y)
        found = measure(model, X_test, y_test, "classification", range(4), [1, 1])
        pairs = violations(X_test, model.predict(X_test), np.array([1, 1]))
        assert found["violations"] == pairs.n_pairs / pairs.n_comparable
    assert found["violations"] == 0.0  # promised
    assert "violations" not in measure(model, X_test, y_test, "classification", None, [1, 1])
    assert "violations" not in measure(model, X_test, y_test, "classification", range(4), [0, 0])


def test_violations_of_numbers_against_every_pair():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({
        "a": rng.integers(0, 5, 60).astype(float),
        "b": pd.Categorical(rng.choice(["low", "mid", "high"], 60), ["low", "mid", "high"], True),
        "c": rng.choice(["red", "blue"], 60),
    })  # fmt: skip
    X.loc[3, "a"] = np.nan
    y = rng.random(60).round(1)

    class Said:
        def predict(self, X):
            return y

    found = measure(Said(), X, y, "regression", directions={"a": 1, "b": -1})
    table = np.column_stack([X["a"], -X["b"].cat.codes, X["c"] == "red"]).astype(float)
    comparable = against = 0
    for i in range(60):
        for j in range(60):
            above = (table[j] >= table[i])[:2].all() and table[j, 2] == table[i, 2]
            if i != j and above:
                alike = (table[i] == table[j]).all()
                comparable += 0.5 if alike else 1
                against += y[j] < y[i] and not alike
    assert against > 0
    assert found["violations"] == pytest.approx(against / comparable)


def test_bad_questions_are_refused_in_a_sentence():
    model = C45Classifier().fit(X, y)
    with pytest.raises(ValueError, match="task must be"):
        measure(model, X_test, y_test, "ranking")
    with pytest.raises(ValueError, match="X_test has 120 rows, y_test 119"):
        measure(model, X_test, y_test[1:], "classification")
    with pytest.raises(ValueError, match=r"class_order must name every class, 3 is missing"):
        measure(model, X_test, y_test, "classification", [0, 1, 2])
    with pytest.raises(ValueError, match="one prediction each"):
        measure(model, X_test, y_test, "classification", predicted=y_test[1:])
    with pytest.raises(ValueError, match="directions names 'x', which is not a column"):
        measure(model, X_test, y_test, "classification", range(4), {"x": 1})
