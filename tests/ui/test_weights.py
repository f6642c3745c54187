"""Weights of rows and classes in the app: what they reach, what is said, what is refused."""

import re

import numpy as np
import pandas as pd
import pytest

from lastviz.estimators import entry_of
from lastviz.inspection import finds_stored_split
from lastviz.ui.compute import pruning
from lastviz.ui.compute.availability import takes_weights, weighing
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.exports import settings_section
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import DEFAULT, Model
from tests.credit import write_credit

from .conftest import opened
from .opened_pages import seen, words

MOONS = DEFAULT.having(data="moons", models=(Model("cart"),))


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A table whose column n says how often each row counts, and the same with rows repeated."""
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120)}).round(3)
    X["n"] = rng.integers(1, 5, 120)
    X["class"] = np.where(X.a + X.b + rng.normal(size=120) > 0, "yes", "no")
    X.to_csv(tmp_path / "counted.csv", index=False)
    repeated = X.loc[X.index.repeat(X.n)].drop(columns="n")
    repeated.to_csv(tmp_path / "repeated.csv", index=False)
    both = DEFAULT.having(held=0.0, models=(Model("cart", (("max_depth", 4),)),))
    weighed = both.having(data="folder.counted", columns=(0, 1, 2), weight=2)
    return weighed, both.having(data="folder.repeated", columns=(0, 1))


def test_a_weight_is_as_good_as_so_many_rows(counted):
    one, other = (Work(selection).first.tree for selection in counted)
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_allclose(one.threshold, other.threshold)
    np.testing.assert_allclose(one.value, other.value)
    assert one.value[0].sum() > one.n_node_samples[0] == 120


def test_a_weight_is_as_good_as_so_many_rows_on_the_page(counted):
    said = []
    for selection in counted:
        app = seen("rules", **encode(selection), rule_view="rules")
        said.append(re.search(r"of ([\d,]+) training rows", words(app))[1])
    assert said[0] == said[1]


@pytest.mark.parametrize("key", ["cart", "c45"])
def test_the_estimator_gets_the_weights_and_replay_is_exact(key):
    selection = MOONS.having(models=(Model(key),), class_weight="5_1")
    fitted = Work(selection).first.estimator
    divided = Work(selection).first.division
    rows = divided.train_rows
    X, y = divided.X.iloc[rows], divided.y[rows]
    own = entry_of(key).cls(**fitted.get_params())
    own.fit(X, y, sample_weight=np.where(y == 0, 5.0, 1.0))
    np.testing.assert_array_equal(own.tree_.value, fitted.tree_.value)
    np.testing.assert_array_equal(own.tree_.threshold, fitted.tree_.threshold)
    grown = fitted.grown_tree_
    assert grown.n_node_samples[0] < grown.weighted_n_node_samples[0]
    for node in np.flatnonzero(grown.n_children > 0)[:20].tolist():
        assert finds_stored_split(fitted, X, y, node)


def test_another_weight_is_another_tree_and_another_key():
    plain, weighed = MOONS, MOONS.having(class_weight="20_1")
    assert Work(plain).first.cache_key != Work(weighed).first.cache_key
    one, other = (Work(s).first.tree.prediction for s in (plain, weighed))
    assert len(one) != len(other) or (one != other).any()


def test_cross_validation_grows_with_the_weights(monkeypatch):
    seen = []
    cls = entry_of("cart").cls
    grow = cls.grow

    def listening(self, X, y, sample_weight=None, **more):
        seen.append((len(y), None if sample_weight is None else set(np.round(sample_weight, 6))))
        return grow(self, X, y, sample_weight, **more)

    monkeypatch.setattr(cls, "grow", listening)
    selection = MOONS.having(class_weight="7_1", seed=91)
    pruning.cross_validated(Work(selection))
    assert len(seen) == 1 + selection.pruning.folds
    assert all(weights == {1.0, 7.0} for _, weights in seen)


def test_numbers_are_learnt_with_weights():
    link = {"data": "friedman", "n_samples": 200, "held": 0, "r.max_depth": 2}
    assert "Rows count by their weights for CART" in words(seen("boundaries", **link, weight="5"))
    assert "count by their weights" not in words(seen("boundaries", **link))


def test_an_optimal_tree_of_weighted_rows_is_shown_but_for_its_search(counted):
    weighed, repeated = (s.having(models=(Model("optimal"),)) for s in counted)
    one, other = (Work(s).first.tree for s in (weighed, repeated))
    np.testing.assert_array_equal(one.value, other.value)
    for page in ("boundaries", "growth", "rules", "pruning"):
        assert not seen(page, **encode(weighed)).exception
    app = seen("splits", **encode(weighed))
    assert any("the search of this tree is not shown" in each.value for each in app.info)
    app = seen("boundaries", data="wine", m="optimal", class_weight="balanced")
    assert any("whole numbers" in each.value for each in app.info)


def test_who_takes_weights_is_asked_of_the_algorithm():
    assert [
        k for k in ("id3", "c45", "cart", "gsodt", "oc1", "mcdf") if takes_weights(entry_of(k).cls)
    ] == ["id3", "c45", "cart"]
    selection = MOONS.having(models=(Model("cart"), Model("oc1")), class_weight="5_1")
    said = weighing(selection, Work(selection).dataset)
    assert len(said) == 2
    assert "CART" in said[0]
    assert "OC1" in said[1]


def test_splits_shows_the_weighted_search_alone():
    app = seen("splits", data="moons", m="cart", class_weight="5_1")
    selection = MOONS.having(class_weight="5_1")
    root = Work(selection).first.grown.weighted_n_node_samples[0]
    assert f"{root:,.0f} rows here" in words(app)
    assert not [t for t in app.markdown if "lines of the plane" in t.value.lower()]


def test_the_report_says_the_weights():
    selection = MOONS.having(class_weight="5_1", held=0.25)
    rows = settings_section(Work(selection)).blocks[0].rows
    assert ["weights of the classes", "5, 1"] in rows
    assert ["held out", "25 %"] in rows


@pytest.mark.parametrize("text", ["5_1", "balanced", "0.5_1_3"])
def test_weights_travel_in_links(text):
    selection = DEFAULT.having(class_weight=text, weight=2)
    query = encode(selection)
    assert query["weight"] == "3"
    assert query["class_weight"] == text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"class_weight": "1_2_3"}, "2 weights are needed, got 3"),
        ({"weight": "9"}, "counts up to 9"),
    ],
)
def test_weights_that_the_data_do_not_have_are_said(query, said):
    assert said in words(seen("boundaries", data="moons", **query))


def test_a_nominal_column_is_no_weight(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    name = write_credit(tmp_path, "credit", n=200, missing=0.0)
    features = Work(DEFAULT.having(data=name)).data.full
    place = next(i for i, f in enumerate(features.feature_names) if features.kinds[f] == "nominal")
    app = seen("rules", data=name, m="cart", weight=str(place + 1))
    assert "holds no numbers, so it cannot be the weight of the rows" in words(app)


def test_the_page_data_sets_them():
    app = opened("data", data="moons")
    box = next(b for b in app.selectbox if b.label == "Weights of the classes")
    app = box.set_value("typed").run()
    assert app.session_state["selection"].class_weight == "1_1"
    fields = [n for n in app.number_input if str(n.key).startswith("class_weight_")]
    app = fields[0].set_value(5.0).run()
    assert app.session_state["selection"].class_weight == "5_1"
    fields = [n for n in app.number_input if str(n.key).startswith("class_weight_")]
    app = fields[0].set_value(0.0).run()
    fields = [n for n in app.number_input if str(n.key).startswith("class_weight_")]
    app = fields[1].set_value(0.0).run()
    assert app.session_state["selection"].class_weight == "0_1"
    assert any("no row would count" in w.value for w in app.warning)
    box = next(b for b in app.selectbox if b.label == "Column of the weights")
    app = box.set_value(0).run()
    assert app.session_state["selection"].weight == 0


def test_other_classes_forget_their_weights():
    selection = DEFAULT.having(data="iris", class_weight="1_2_3")
    assert selection.change(one=1).class_weight == ""
    assert selection.change(data="wine").class_weight == ""
    assert selection.change(held=0.5).class_weight == "1_2_3"
