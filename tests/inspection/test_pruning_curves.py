import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lastviz import C45Classifier, CARTClassifier, OC1Classifier, REMTClassifier
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import (
    FAMILIES,
    CrossValidated,
    cross_validate_in_steps,
    least_and_one_error,
    pruned_trees,
)
from lastviz.pruning import PRUNERS, HeldOutRows, cost_complexity_path, cross_validate_path, folds
from lastviz.tree import Missing
from tests.conftest import walked, waveform


def wave(n=300, seed=0):
    X, y = waveform(n, seed)
    return X[:, 4:14], y


@pytest.mark.parametrize("key", FAMILIES)
def test_each_tree_is_what_the_pruner_leaves_at_its_value(key):
    X, y = wave()
    tree = CARTClassifier().fit(X, y).tree_
    found = pruned_trees(tree, key)
    new = HeldOutRows(*wave(200, seed=7))
    errors = found.errors(new)
    assert len(found) > 5
    assert found.nested == (key in ("cost_complexity", "entropy_cost"))
    for i in range(0, len(found), 3):
        value = float(found.value[i])
        pruned, _ = PRUNERS[key].prune(tree, **{FAMILIES[key]: value})
        mine = found.pruned(i)
        mine.validate()
        assert sorted(mine.key.tolist()) == sorted(pruned.key.tolist())
        assert found.n_leaves[i] == pruned.n_leaves
        assert errors[i] == pytest.approx(np.mean(pruned.predict(new.X) != new.y), abs=1e-12)
        assert found.at(value) == i


def test_a_value_between_two_trees_leaves_the_larger_one():
    X, y = wave()
    tree = CARTClassifier().fit(X, y).tree_
    path = pruned_trees(tree, "cost_complexity")
    assert path.at((path.value[3] + path.value[4]) / 2) == 3
    assert path.at(1e9) == len(path) - 1
    confidence = pruned_trees(tree, "replacement")
    assert (np.diff(confidence.value) < 0).all()
    assert confidence.at(1.0) == 0
    assert confidence.at(confidence.value[2] * 0.999) == 2


@pytest.mark.parametrize("risk", ["misclassification", "gini"])
def test_the_folds_of_a_price_are_those_of_the_estimator(risk):
    X, y = wave()
    estimator = CARTClassifier()
    tree = estimator.fit(X, y).tree_
    family = pruned_trees(tree, "cost_complexity", risk=risk)
    steps = cross_validate_in_steps(
        estimator, pd.DataFrame(X), y, [family], n_folds=5, random_state=3
    )
    (found,), shares = walked(steps)
    fold = folds(y, 5, 3, stratify=True)
    expected = cross_validate_path(
        cost_complexity_path(tree, risk),
        lambda rows: CARTClassifier().fit(X[rows], y[rows]).tree_,
        X, y, fold, risk=risk,
    )  # fmt: skip
    np.testing.assert_allclose(found.error, expected.loss, atol=1e-12)
    np.testing.assert_allclose(found.standard_error, expected.standard_error, atol=1e-12)
    assert (np.diff(shares) >= 0).all()
    assert shares[0] == 0.0
    assert 0.8 <= shares[-1] < 1.0


PARTED = {
    "gini": CARTClassifier(),
    "entropy": CARTClassifier(criterion="entropy", min_samples_leaf=3, max_depth=4),
    "sums": CARTClassifier(max_leaf_nodes=6, min_impurity_decrease=0.01),
    "c45": C45Classifier(),
    "values": C45Classifier(criterion="gain", threshold="value", min_samples_leaf=4),
    "textbook": C45Classifier(mdl_correction=False, average_gain=False, pruning="none"),
    "falling": REMTClassifier(
        class_order=[0, 1, 2], monotonic_cst=[-1, 1, 0, -1], threshold="value"
    ),
    **{key: entry.cls() for key, entry in ESTIMATORS.items() if not entry.cls.TAGS.forest},
}


@pytest.mark.kernel
@pytest.mark.parametrize("name", PARTED)
def test_a_part_of_the_rows_grows_the_tree_that_it_grows_alone(name, make_data):
    for seed in range(3):
        X, y = make_data(seed, n=90)
        whole = clone(PARTED[name])
        if whole.TAGS.ordered_classes:
            whole.set_params(class_order=[0, 1, 2])
        if (parts := whole.trees_of_parts(X, y)) is None:  # it is grown by fit then
            return
        data, grow = parts
        rng = np.random.default_rng(seed)
        for rows in (np.arange(3, 90), np.sort(rng.choice(90, 45, replace=False))):
            alone = clone(whole).fit(X[rows], y[rows])
            parted, own = grow(rows), alone.grown_tree_
            assert np.array_equal(alone.classes_, np.unique(y))
            for field in ("feature", "threshold", "parent", "kind", "value", "prediction"):
                np.testing.assert_array_equal(getattr(parted, field), getattr(own, field))
            assert np.array_equal(parted.apply(data.X), own.apply(alone.encode(X)))


def test_what_depends_on_all_rows_is_grown_by_fit():
    X, y = wave(60)
    for estimator in (CARTClassifier(min_samples_leaf=0.1), OC1Classifier(n_restarts=1)):
        assert estimator.trees_of_parts(X, y) is None
    X[0, 0] = np.nan
    for estimator in (CARTClassifier(), C45Classifier()):
        assert estimator.trees_of_parts(X, y) is None


def test_folds_without_a_class_are_grown_by_fit():
    X, y = wave(150)
    y[0] = 3  # in one fold alone
    family = pruned_trees(CARTClassifier().fit(X, y).tree_, "cost_complexity")
    given = CARTClassifier(), pd.DataFrame(X), y, [family]
    (found,), _ = walked(cross_validate_in_steps(*given, n_folds=5, random_state=1))
    fold, wrong = folds(y, 5, 1, stratify=True), 0
    for k in range(5):
        alone = CARTClassifier().fit(X[fold != k], y[fold != k])
        wrong += np.count_nonzero(alone.predict(X[fold == k]) != y[fold == k])
    assert found.error[0] == pytest.approx(wrong / 150)


def test_cross_validation_prunes_each_fold_at_the_same_value():
    X, y = wave(150)
    estimator = CARTClassifier()
    family = pruned_trees(estimator.fit(X, y).tree_, "minimum_error")
    steps = cross_validate_in_steps(
        estimator, pd.DataFrame(X), y, [family], n_folds=4, random_state=0
    )
    (found,), _ = walked(steps)
    fold = folds(y, 4, 0, stratify=True)
    for i, m in enumerate(family.value.tolist()):
        wrong = 0
        for k in range(4):
            tree = CARTClassifier().fit(X[fold != k], y[fold != k]).tree_
            pruned, _ = PRUNERS["minimum_error"].prune(tree, m=m)
            wrong += np.count_nonzero(pruned.predict(X[fold == k]) != y[fold == k])
        assert found.error[i] == pytest.approx(wrong / 150)


def test_rows_in_parts_and_categories_are_judged_by_what_the_trees_predict():
    rng = np.random.default_rng(0)
    colour = rng.choice(["blue", "green", "red"], 90)
    X = pd.DataFrame({"colour": pd.Categorical(colour), "size": rng.normal(size=90)})
    y = ((colour == "red") ^ (X["size"] > 0)).to_numpy().astype(int)
    y[::7] = 1 - y[::7]
    X.loc[::5, "size"] = np.nan
    estimator = C45Classifier(min_samples_leaf=1).fit(X, y)
    assert estimator.tree_.missing == Missing.FRACTIONS
    family = pruned_trees(estimator.grown_tree_, "cost_complexity")
    rows = HeldOutRows(estimator.encode(X), y)
    errors = family.errors(rows)
    assert errors[-1] == np.mean(family.pruned(len(family) - 1).predict(rows.X) != y)
    (found,), _ = walked(
        cross_validate_in_steps(estimator, X, y, [family], n_folds=3, random_state=0)
    )
    assert np.isfinite(found.error).all()


def test_hyperplanes_are_cut_back_too():
    X, y = wave(150)
    estimator = OC1Classifier(n_restarts=1).fit(X, y)
    families = [pruned_trees(estimator.grown_tree_, key) for key in FAMILIES]
    found, _ = walked(
        cross_validate_in_steps(estimator, pd.DataFrame(X), y, families, n_folds=2, random_state=0)
    )
    assert [len(each.error) for each in found] == [len(each) for each in families]


def test_the_smaller_of_equal_trees_is_chosen():
    found = CrossValidated(np.array([0.3, 0.2, 0.2, 0.23, 0.4]), np.full(5, 0.04))
    assert least_and_one_error(found, np.array([9, 7, 5, 2, 1])) == (2, 3)
    assert least_and_one_error(found, np.array([9, 5, 7, 2, 1])) == (1, 3)


def test_no_held_out_rows_have_no_errors():
    X, y = wave(60)
    family = pruned_trees(CARTClassifier().fit(X, y).tree_, "cost_complexity")
    assert np.isnan(family.errors(HeldOutRows(X[:0], y[:0]))).all()
