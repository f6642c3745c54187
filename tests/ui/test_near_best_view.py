"""The view of near-best trees: the numbers are the library's, a picked tree becomes the model."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier
from lastviz.estimators import what_if
from lastviz.inspection import near_best_trees, share_interval, value_groups
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


def counted(app, tree=None, thresholds=20):
    look = Look(app.session_state["selection"])
    shown = [look_tree(app) if tree is None else tree]
    X, y = look.values[look.train], look.y[look.train]
    return near_best_trees(X, y, max_depth=2, max_thresholds=thresholds, trees=shown), look


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


def columns_of(look):
    return list(map(str, look.divided.X.columns))


def test_features_left_out_leave_the_exact_count_of_the_others():
    app = viewed(near_holds="petal width:s")
    found, look = counted(app)
    names = columns_of(look)
    out = names.index("petal width")
    rest = found.without([out])
    assert 0 < rest.count < found.count
    assert f"{rest.count} trees at most 2 questions deep make at most {found.budget}" in shown_by(
        app
    )
    (table,) = [frame.value for frame in app.dataframe if "asked first" in frame.value]
    assert set(table["feature"]) == {*names} - {names[out]}


def rises(tree, feature, klass, X):
    """Whether no row, moved up along one feature, is told a class first and another then."""
    cuts = np.sort([t for f, t in zip(tree.feature, tree.threshold, strict=True) if f == feature])
    for row in X:
        moved = np.tile(row, (len(cuts) + 1, 1))
        moved[:, feature] = [*cuts, (cuts[-1] if len(cuts) else 0) + 1]
        says = tree.predict(moved) == klass
        if (np.diff(says.astype(int)) < 0).any():
            return False
    return True


def grid(tree):
    """A point in each cell of the thresholds of a tree."""
    cuts = [np.unique(tree.threshold[tree.feature == j]) for j in range(tree.n_features)]
    ends = [np.append(each, (each[-1] if len(each) else 0) + 1) for each in cuts]
    return np.stack(np.meshgrid(*ends, indexing="ij"), axis=-1).reshape(-1, len(ends))


@pytest.mark.parametrize(("feature", "how"), [(0, "rises"), (1, "falls")])
def test_trees_of_a_direction_are_those_that_keep_to_it(feature, how):
    link = {"data": "moons", "n_samples": "120", "noise": "0.3", "m.max_depth": "2", "held": "0"}
    app = viewed(**link, near_holds=f"x{feature + 1}:{how[0]}")
    found, _ = counted(app)
    klass = int(how == "rises")  # of two, one rises where the other falls
    trees = found.trees(range(found.count))
    kept = sum(rises(tree, feature, klass, grid(tree)) for tree in trees)
    assert 0 < kept <= found.count <= 1000
    assert f"{kept} of them keep to the limits on directions and groups." in shown_by(app)


def test_trees_of_a_gap_are_those_of_groups_near_each_other():
    link = {"data": "breast_cancer", "m.max_depth": "2", "roles": "s3"}
    app = viewed(**link, near_holds="worst area:s", near_gap="84")
    found, look = counted(app)
    rest = found.without([columns_of(look).index("worst area")])
    assert rest.count <= 1000
    groups = value_groups(pd.Series(look.values[look.train, 2]))
    kept = 0
    for tree in rest.trees(range(rest.count)):
        says = tree.predict(look.values[look.train]) == 1
        shares = [says[group.rows].mean() for group in groups]
        kept += 100 * (max(shares) - min(shares)) <= 84
    assert 0 < kept < rest.count
    assert f"{kept} of them keep to the limits on directions and groups." in shown_by(app)


def test_of_many_trees_a_sample_says_how_many_keep_the_limits():
    link = {"data": "breast_cancer", "m.max_depth": "2", "roles": "s3"}
    app = viewed(**link, near_gap="84")
    found, _ = counted(app)
    assert found.count > 1000
    words = shown_by(app)
    kept = int(re.search(r"Of 1,000 drawn, (\d+) keep to the limits", words)[1])
    low, high = (100 * end for end in share_interval(kept, 1000))
    assert f"of all, {low:.1f} % to {high:.1f} %." in words
    assert f"All shares come from those {kept} drawn trees" in words


def test_limits_that_no_tree_keeps_are_said_with_what_to_do():
    app = opened("splits", **LINK, near_gap="0", roles="s1")
    rerun_until(app, lambda app: any("None of" in info.value for info in app.info))
    (said,) = [info.value for info in app.info if "None of" in info.value]
    assert "take a limit back" in said


def test_where_none_of_a_sample_keeps_the_limits_the_share_is_bounded():
    link = {"data": "moons", "m.max_depth": "2", "near_depth": "3", "near_holds": "x1:f"}
    app = opened("splits", **(LINK | link))
    rerun_until(app, lambda app: any("None of" in info.value for info in app.info))
    (said,) = [info.value for info in app.info if "None of 1,000 trees" in info.value]
    most = f"at most {100 * share_interval(0, 1000)[1]:.1f} % do (95 % interval)"
    assert most in said.replace("\\", "")


def test_the_view_asks_its_own_question():
    app = viewed()
    assert "Is this tree the explanation, or one of many?" in [each.value for each in app.title]


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
