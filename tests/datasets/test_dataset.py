"""The Dataset: what it completes, what it refuses, and that its steps keep rows aligned."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz.datasets import Dataset, load_dataset


@pytest.fixture
def mixed() -> Dataset:
    """Six rows with one column of each kind; row i has i in its first column."""
    X = pd.DataFrame(
        {
            "number": [0, 1, 2, 3, 4, 5],
            "real": [0.5, np.nan, 2.5, 1.0, 1.0, 9.0],
            "name": ["b", "a", "b", None, "c", "a"],
            "grade": ["low", "high", "mid", "mid", None, "low"],
        },
        index=[10, 11, 12, 13, 14, 15],
    )
    y = pd.Series(["yes", "no", "no", "maybe", "yes", "no"], index=X.index)
    return Dataset(
        X, y, kinds={"grade": "ordinal"}, orders={"grade": ("low", "mid", "high")},
        directions={"grade": 1}, units={"real": "cm"}, bayes_error=0.1,
    )  # fmt: skip


def test_completes_what_is_left_out(mixed):
    kinds = {"number": "numeric", "real": "numeric", "name": "nominal", "grade": "ordinal"}
    assert mixed.kinds == kinds
    assert mixed.orders == {"name": ("a", "b", "c"), "grade": ("low", "mid", "high")}
    assert mixed.directions == {"number": 0, "real": 0, "name": 0, "grade": 1}
    assert mixed.units == {"number": "", "real": "cm", "name": "", "grade": ""}
    assert mixed.class_order == ("maybe", "no", "yes")
    assert mixed.y.name == "class"
    assert list(mixed.X.index) == list(mixed.y.index) == [0, 1, 2, 3, 4, 5]
    assert mixed.X["number"].dtype == np.int64
    assert mixed.X["name"].dtype == pd.CategoricalDtype(["a", "b", "c"], ordered=False)
    assert mixed.X["grade"].dtype == pd.CategoricalDtype(["low", "mid", "high"], ordered=True)


def test_counts_and_codes(mixed):
    assert (mixed.n_samples, mixed.n_features, mixed.n_classes) == (6, 4, 3)
    assert mixed.codes.dtype == np.intp
    np.testing.assert_array_equal(mixed.codes, [2, 1, 1, 0, 2, 1])
    np.testing.assert_array_equal(mixed.class_counts, [1, 3, 2])
    assert mixed.has_missing
    assert not load_dataset("iris").has_missing


def test_numeric_X_has_places_for_ordinal_levels_and_no_nominal_column(mixed):
    assert list(mixed.numeric_X) == ["number", "real", "grade"]
    np.testing.assert_array_equal(mixed.numeric_X["grade"], [0, 2, 1, 1, np.nan, 0])
    assert (mixed.numeric_X.dtypes == np.float64).all()


def test_encoded_X_has_a_column_for_each_value_of_a_nominal_feature(mixed):
    encoded = mixed.encoded_X
    assert list(encoded) == ["number", "real", "name = a", "name = b", "name = c", "grade"]
    assert mixed.n_indicators == 3
    missing = mixed.X["name"].isna()
    assert encoded.loc[missing, "name = a"].isna().all()
    known = encoded.loc[~missing, ["name = a", "name = b", "name = c"]]
    assert (known.sum(axis=1) == 1).all()
    named = known.idxmax(axis=1).str.removeprefix("name = ")
    assert named.tolist() == mixed.X.loc[~missing, "name"].astype(str).tolist()
    assert (encoded.dtypes == np.float64).all()
    iris = load_dataset("iris")
    assert iris.encoded_X.equals(iris.numeric_X)


def test_numeric_X_keeps_ordinal_levels_that_are_rising_numbers():
    X = pd.DataFrame({"score": [5, 1, 3]})
    data = Dataset(X, pd.Series([0, 1, 1]), kinds={"score": "ordinal"})
    assert data.orders["score"] == (1, 3, 5)
    np.testing.assert_array_equal(data.numeric_X["score"], [5.0, 1.0, 3.0])


@pytest.mark.parametrize(("labels", "class_order"), [
    ([2, 1, 2], (1, 2)), ([2.0, 1.0, 2.0], (1, 2)), ([0.5, 1.0, 0.5], ("0.5", "1.0")),
    ([True, False, True], ("False", "True")), (["b", "a", "b"], ("a", "b")),
    (pd.Categorical([3, 1, 3]), (1, 3)), (["1", 2, "1"], ("1", "2")),
])  # fmt: skip
def test_labels_are_all_int_or_all_text(labels, class_order):
    data = Dataset(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), pd.Series(labels))
    assert data.class_order == class_order
    assert data.y.map(type).nunique() == 1
    np.testing.assert_array_equal(np.asarray(class_order)[data.codes], data.y)


X3 = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "u"]})
Y3 = pd.Series([0, 1, 0])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"X": X3[[]]}, "X has no column; at least one feature is needed"),
        ({"X": X3[:0], "y": Y3[:0]}, "X has no row"),
        ({"y": Y3[:2]}, "X has 3 rows but y has 2"),
        ({"X": X3.set_axis(["a", "a"], axis=1)}, "two columns are named 'a'; rename one"),
        ({"X": X3.set_axis(["a", "class"], axis=1)}, "two columns are named 'class'"),
        ({"X": X3.set_axis(["a", " "], axis=1)}, "every column needs a name made of text"),
        ({"X": X3.set_axis(["a", 1], axis=1)}, "every column needs a name made of text"),
        ({"kinds": {"c": "numeric"}}, "kinds names 'c', which is not a column of X"),
        ({"units": {"c": "cm"}}, "units names 'c', which is not a column of X"),
        ({"kinds": {"a": "real"}}, "the kind of column 'a' must be one of"),
        ({"kinds": {"b": "numeric"}}, "column 'b' cannot be numeric: 'u' is not a number"),
        ({"X": X3.assign(a=[1.0, np.inf, 2.0])}, "column 'a' holds infinite values"),
        ({"orders": {"b": ("v", "w")}}, r"column 'b' holds 'u', which is not in \['v', 'w'\]"),
        ({"orders": {"b": ("u", "v", "u")}}, "the order of column 'b' names a level twice"),
        ({"directions": {"a": 2}}, "the direction of 'a' must be 1, -1 or 0, got 2"),
        ({"y": Y3.where(Y3 == 0)}, "1 rows have no class; leave them out"),
        ({"y": Y3 * 0}, r"at least two classes are needed, got \(0,\)"),
        ({"class_order": (0, 2)}, r"y holds 1, which is not in \(0, 2\)"),
        ({"class_order": (0, 1, 0)}, r"class_order names a class twice: \(0, 1, 0\)"),
        ({"task": "ranking"}, "task must be one of .*, got 'ranking'"),
        ({"bayes_error": 1.5}, "bayes_error must lie between 0 and 1, got 1.5"),
    ],
)
def test_refuses_parts_that_do_not_fit(parts, message):
    with pytest.raises(ValueError, match=message):
        Dataset(**{"X": X3, "y": Y3, **parts})


def test_later_changes_of_the_callers_table_do_not_reach_it():
    X = X3.copy()
    data = Dataset(X, Y3)
    X.loc[0, "a"] = 99.0
    assert data.X.loc[0, "a"] == 1.0


def test_select_keeps_what_belongs_to_the_columns(mixed):
    chosen = mixed.select(["grade", "number"])
    assert list(chosen.X) == ["grade", "number"]
    assert chosen.directions == {"grade": 1, "number": 0}
    assert chosen.orders == {"grade": ("low", "mid", "high")}
    assert chosen.bayes_error is None
    assert mixed.select(list(mixed.X)[::-1]).bayes_error == 0.1
    with pytest.raises(ValueError, match="there is no feature 'size'; the features are: number"):
        mixed.select(["size"])


def test_scale_touches_numbers_only_and_makes_a_constant_zero(mixed):
    standard, unit = mixed.scale("standard"), mixed.scale("min-max")
    np.testing.assert_allclose(standard.X[["number", "real"]].mean(), 0, atol=1e-12)
    np.testing.assert_allclose(standard.X[["number", "real"]].std(ddof=0), 1)
    assert unit.X["real"].min() == 0.0
    assert unit.X["real"].max() == 1.0
    np.testing.assert_array_equal(unit.X["real"].isna(), mixed.X["real"].isna())
    pd.testing.assert_series_equal(standard.X["name"], mixed.X["name"])
    assert standard.units["real"] == ""
    assert mixed.scale("none") is mixed
    with pytest.raises(ValueError, match="scale must be one of"):
        mixed.scale("log")
    data = Dataset(pd.DataFrame({"a": [7, 7, 7]}), Y3)
    assert (data.scale("standard").X["a"] == 0).all()
    assert (data.scale("min-max").X["a"] == 0).all()


def test_one_against_rest(mixed):
    two = mixed.one_against_rest("no")
    assert two.class_order == ("no", "rest")
    np.testing.assert_array_equal(two.codes, (mixed.y != "no").astype(int))
    assert two.bayes_error is None
    assert load_dataset("digits").one_against_rest(3).class_order == ("3", "rest")
    with pytest.raises(ValueError, match="there is no class 'never'; the classes are"):
        mixed.one_against_rest("never")


def test_reorder_classes_changes_the_codes_not_the_labels(mixed):
    turned = mixed.reorder_classes(["no", "maybe", "yes"])
    assert turned.ordered
    assert not mixed.ordered
    np.testing.assert_array_equal(turned.y, mixed.y)
    np.testing.assert_array_equal(turned.codes, [2, 0, 0, 1, 2, 0])
    for order in (["no", "yes"], ["no", "no", "yes"], ["no", "yes", "never"]):
        with pytest.raises(ValueError, match="the order must name each of"):
            mixed.reorder_classes(order)


def test_with_kinds_and_back(mixed):
    named = mixed.with_kinds({"number": "nominal", "grade": "nominal"})
    assert named.orders["number"] == (0, 1, 2, 3, 4, 5)
    assert named.orders["grade"] == ("low", "mid", "high")
    back = named.with_kinds({"number": "numeric", "grade": "ordinal"})
    np.testing.assert_array_equal(back.X["number"], mixed.X["number"])
    pd.testing.assert_series_equal(back.X["grade"], mixed.X["grade"])
    turned = mixed.with_kinds({"name": "ordinal"}, {"name": ("c", "b", "a")})
    np.testing.assert_array_equal(turned.numeric_X["name"], [1, 2, 1, np.nan, 0, 2])
    with pytest.raises(ValueError, match="a kind must be one of"):
        mixed.with_kinds({"name": "text"})
    with pytest.raises(ValueError, match="column 'name' cannot be numeric: 'b' is not a number"):
        mixed.with_kinds({"name": "numeric"})


def test_with_directions(mixed):
    assert mixed.with_directions({"real": -1}).directions["real"] == -1
    assert mixed.with_directions({"real": -1}).directions["grade"] == 1


def test_sample_keeps_rows_together_and_shares(monkeypatch):
    data = load_dataset("wine")
    part = data.sample(60, random_state=3)
    assert part.n_samples == 60
    share = part.class_counts / 60 - data.class_counts / data.n_samples
    assert np.abs(share).max() < 1 / 60
    whole = data.X.assign(label=data.y)
    found = part.X.assign(label=part.y).merge(whole.drop_duplicates(), how="left", indicator=True)
    assert (found["_merge"] == "both").all()
    assert data.sample(1000).digest == data.digest
    with pytest.raises(ValueError, match="a sample needs at least 3 rows, one a class, got 2"):
        data.sample(2)


@settings(deadline=None)
@given(
    counts=st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(lambda c: max(c) > 0),
    held_out=st.floats(0, 0.99),
    seed=st.integers(0, 99),
)
def test_split_is_a_stratified_partition(counts, held_out, seed):
    codes = np.repeat(np.arange(len(counts)), counts)
    data = Dataset(
        pd.DataFrame({"row": np.arange(len(codes))}),
        pd.Series(codes),
        class_order=tuple(range(len(counts))),
    )
    train, out = data.split(held_out, seed)
    assert train.dtype == out.dtype == np.intp
    np.testing.assert_array_equal(np.sort(np.r_[train, out]), np.arange(len(codes)))
    assert (np.diff(train) > 0).all()
    assert (np.diff(out) > 0).all()
    present = np.count_nonzero(counts)
    assert len(out) == min(round(held_out * len(codes)), len(codes) - present)
    assert len(np.unique(codes[train])) == present
    np.testing.assert_array_equal(data.split(held_out, seed)[1], out)
    assert set(data.split(held_out / 2, seed)[1]) <= set(out)


def test_split_of_balanced_classes_is_exact_and_depends_on_the_seed():
    data = load_dataset("xor")
    train, out = data.split(0.3, 1)
    np.testing.assert_array_equal(np.bincount(data.codes[out]), [60, 60])
    assert len(train) == 280
    assert set(data.split(0.3, 2)[1]) != set(out)
    assert len(data.split(0.0, 1)[1]) == 0
    for share in (-0.1, 1.0, float("nan")):
        with pytest.raises(ValueError, match="held_out must be >= 0 and < 1"):
            data.split(share, 0)


def test_digest_names_the_content(mixed):
    assert len(mixed.digest) == 16
    assert mixed.digest == pickle.loads(pickle.dumps(mixed)).digest
    steps = [
        mixed, mixed.select(["number", "real"]), mixed.select(["real", "number"]),
        mixed.scale("standard"), mixed.scale("min-max"), mixed.one_against_rest("no"),
        mixed.reorder_classes(["no", "maybe", "yes"]), mixed.with_kinds({"number": "nominal"}),
        mixed.with_directions({"real": 1}), mixed.sample(5), mixed.sample(4),
    ]  # fmt: skip
    assert len({step.digest for step in steps}) == len(steps)
    assert mixed.scale("none").digest == mixed.digest


def test_every_step_keeps_rows_and_labels_together(mixed):
    label = dict(zip(mixed.X["number"], mixed.y, strict=True))
    for step in (
        mixed.select(["real", "number"]),
        mixed.reorder_classes(["yes", "no", "maybe"]),
        mixed.with_kinds({"name": "ordinal"}),
        mixed.sample(4, random_state=2),
    ):
        assert [label[i] for i in step.X["number"]] == list(step.y)
        assert [step.class_order[c] for c in step.codes] == list(step.y)


def test_classes_that_no_row_has_are_left_out_on_demand():
    data = load_dataset("monotone_large", n_samples=60, n_classes=8)
    assert data.n_classes == 8
    occurring = data.only_occurring_classes()
    assert 2 <= occurring.n_classes < 8
    assert (occurring.class_counts > 0).all()
    assert [occurring.class_order[k] for k in occurring.codes] == data.y.tolist()
    assert occurring.only_occurring_classes() is occurring


def test_numbers_to_learn_are_no_classes():
    X, y = pd.DataFrame({"x": [1, 2, 3, 4]}), pd.Series([0.5, 1.5, 1.5, 9.0], name="y")
    data = Dataset(X, y, task="regression")
    assert (data.n_classes, data.class_order, data.is_regression) == (0, (), True)
    assert data.y.dtype == np.float64
    assert data.digest != Dataset(X, y + 1, task="regression").digest
    train, held_out = data.split(0.5, random_state=0)
    assert sorted([*train, *held_out]) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="finite numbers in y and no classes"):
        Dataset(X, y, task="regression", class_order=("a", "b"))


def test_numbers_are_cut_into_intervals_of_equally_many_rows():
    X = pd.DataFrame({"x": np.arange(12.0), "few": [0, 1, 2] * 4, "word": list("abc") * 4})
    X.loc[3, "x"] = np.nan
    data = Dataset(X, pd.Series(["a", "b"] * 6), name="any").with_bins(3)
    assert data.kinds == {"x": "ordinal", "few": "numeric", "word": "nominal"}
    assert data.X["x"].value_counts(sort=False).tolist() == [4, 3, 4]
    assert data.X["x"].isna().tolist() == [row == 3 for row in range(12)]
    low, middle, high = data.orders["x"]
    cuts = [float(low.removeprefix("up to ")), float(high.removeprefix("above "))]
    assert middle == " to ".join(f"{cut:.4g}" for cut in cuts)
    by_hand = np.searchsorted(cuts, np.delete(X["x"].to_numpy(), 3))
    assert data.numeric_X["x"].dropna().tolist() == by_hand.tolist()


def test_ties_make_fewer_intervals_and_close_ends_are_told_apart():
    X = pd.DataFrame({"ties": [0.0] * 9 + [1.0, 2.0, 3.0], "close": 1e6 + np.arange(12.0)})
    data = Dataset(X, pd.Series(["a", "b"] * 6), name="any").with_bins(3)
    assert len(data.orders["ties"]) == 2
    assert len(set(data.orders["close"])) == 3
    with pytest.raises(ValueError, match="n_bins must be an integer >= 2, got 1"):
        data.with_bins(1)


@pytest.mark.parametrize("how", ["standard", "min-max"])
def test_scaling_by_some_rows_reads_no_other(mixed, how):
    rows = np.array([0, 2, 3])
    numeric = ["number", "real"]
    scaled = mixed.scale(how, rows=rows)
    alone = replace(mixed, X=mixed.X.iloc[rows], y=mixed.y.iloc[rows]).scale(how)
    np.testing.assert_allclose(scaled.X[numeric].iloc[rows], alone.X[numeric])
    others = [i for i in range(mixed.n_samples) if i not in rows]
    moved = mixed.X.copy()
    moved.loc[others, "number"] *= 1000
    again = replace(mixed, X=moved).scale(how, rows=rows)
    pd.testing.assert_frame_equal(again.X.iloc[rows], scaled.X.iloc[rows])


def test_a_column_that_no_learnt_row_knows_is_not_lost():
    data = Dataset(pd.DataFrame({"a": [np.nan, np.nan, 7.0]}), Y3)
    assert data.scale("standard", rows=np.array([0, 1])).X["a"].iloc[2] == 7.0


def test_intervals_by_some_rows_read_no_other():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6, 700, -800]})
    y = pd.Series(["a", "b"] * 4)
    rows = np.arange(6)
    data = Dataset(X, y).with_bins(3, rows=rows)
    alone = Dataset(X.iloc[rows], y.iloc[rows]).with_bins(3)
    assert data.orders == alone.orders
    assert data.X["a"].cat.codes.iloc[6:].tolist() == [2, 0]
