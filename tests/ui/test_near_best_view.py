"""The view of near-best trees: the numbers are the library's, a picked tree becomes the model."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.estimators import what_if
from lastviz.inspection import near_best_trees
from lastviz.ui.splits.near_best import edits_of
from tests.sentences.rows import Look

from .conftest import opened, rerun_until

LINK = {"data": "iris", "m": "cart", "split_view": "near_best", "near_depth": "2"}


def has_table(app):
    return any("asked first" in frame.value for frame in app.dataframe)


def viewed(**more):
    return rerun_until(opened("splits", **(LINK | more)), has_table)


def look_tree(app):
    selection = app.session_state["selection"]
    look = Look(selection)
    params = dict(selection.models[0].params)
    return CARTClassifier(**params).fit(look.values[look.train], look.y[look.train]).tree_


def counted(app, tree=None):
    look = Look(app.session_state["selection"])
    shown = [look_tree(app) if tree is None else tree]
    X, y = look.values[look.train], look.y[look.train]
    return near_best_trees(X, y, max_depth=2, trees=shown), look


def shown_by(app):
    texts = [each.value for kind in ("html", "markdown", "caption") for each in app.get(kind)]
    return re.sub("<[^>]+>", "", " ".join(texts)).replace("\\", "")


def test_the_sentence_and_the_table_are_those_of_the_library():
    app = viewed()
    found, _ = counted(app)
    words = shown_by(app)
    assert (
        f"{found.count} trees at most 2 questions deep make at most {found.budget} training errors"
        in words
    )
    (table,) = [frame.value for frame in app.dataframe if "asked first" in frame.value]
    names = list(found.rows.feature_names)
    shares = [100 * n / found.count for n in found.table[:, 1:].sum(axis=(1, 2))]
    assert len(table) == len(names)
    assert sorted(float(text.rstrip(" %")) for text in table["asked first"]) == pytest.approx(
        sorted(shares), abs=0.06
    )
    free = np.count_nonzero(found.price_of_leaving_out == 0)
    assert sum(table["without it"] == "0") == free


def test_fewer_errors_leave_fewer_trees():
    app = viewed(near_errors="0")
    found, _ = counted(app)
    words = shown_by(app)
    assert f"make at most {found.best} training errors" in words
    assert str(found.count_within(found.best)) in words


def test_a_clicked_row_has_its_exact_number_of_trees():
    app = viewed(near_row="71")
    found, look = counted(app)
    rerun_until(app, lambda app: any("exactly" in text.value for text in app.markdown))
    (sentence,) = [text.value for text in app.markdown if "exactly" in text.value]
    for n in found.says(look.values[70]):
        assert str(n) in sentence


def test_the_picked_tree_becomes_the_model():
    app = viewed()
    (button,) = [button for button in app.button if button.key == "near_mine"]
    button.click().run()
    model = app.session_state["selection"].models[0]
    assert model.key == "cart"
    assert model.edits
    look = Look(app.session_state["selection"])
    wrong = np.count_nonzero(look.predicted[look.train] != look.y[look.train])
    assert wrong == counted(app)[0].best


@pytest.mark.parametrize(
    "link", ["data=iris&m=cart", "data=moons&m=cart&m.max_depth=2", "data=moons&m=cart&held=0"]
)
def test_the_statements_of_the_view_are_true(link):
    app = viewed(**dict(parse_qsl(link)))
    found, look = counted(app)
    words = shown_by(app)
    trees = found.sample(1000, app.session_state["selection"].seed)
    rows, part = (look.held, "held-out") if len(look.held) else (look.train, "training")
    votes = np.array([tree.predict(look.values[rows]) for tree in trees])
    most = np.max([(votes == k).mean(axis=0) for k in range(votes.max() + 1)], axis=0)
    few = np.count_nonzero(most < 0.9)
    assert f"For {few} of {len(rows)} {part} rows fewer than nine in ten trees agree." in words
    always = np.flatnonzero(np.isnan(found.price_of_leaving_out))
    names = [str(look.divided.X.columns[f]) for f in always]
    assert ("All of them ask for" in words) == bool(names)
    assert ("No feature is asked for" in words) == (not names)
    assert all(name in words for name in names)
    own, best = look_tree(app), found.trees([0], cost=found.best)[0]
    differ = np.count_nonzero(own.predict(look.values) != best.predict(look.values))
    assert f"The two trees differ on {differ} of {len(look.y)} rows." in words
    wrong = np.count_nonzero(own.predict(found.rows.X) != found.rows.y)
    is_beyond = own.max_depth <= 2 and wrong > found.budget
    assert ("The current tree is not one of them" in words) == is_beyond
    assert ("The current tree is deeper" in words) == (own.max_depth > 2)
    far = found.farthest(own)[0]
    assert f"differs from the current one on {far} of {len(look.train)} training rows." in words


@pytest.mark.parametrize("seed", range(6))
def test_edits_make_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    found = near_best_trees(X, y)
    cart = CARTClassifier().fit(X, y)
    for tree in found.sample(5, seed):
        made = what_if(cart, X, y, edits_of(tree))
        np.testing.assert_array_equal(made.tree_.predict(X), tree.predict(X))


def test_a_table_with_too_many_thresholds_says_so_and_offers_fewer():
    app = opened("splits", data="breast_cancer", m="cart", split_view="near_best", near_depth="3",
                 near_thresholds="100")  # fmt: skip
    rerun_until(app, lambda app: any("thresholds" in info.value for info in app.info))
    (box,) = [box for box in app.selectbox if box.label == "Thresholds per feature, at most"]
    assert box.options == ["5", "10", "20", "100"]
