"""The view of near-best trees: the numbers are the library's, a picked tree becomes the model."""

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.estimators import what_if
from lastviz.inspection import near_best_trees
from lastviz.ui.splits.near_best import edits_of
from tests.sentences.rows import Look

from .conftest import opened, rerun_until
from .opened_pages import said

LINK = {"data": "iris", "m": "cart", "split_view": "near_best", "near_depth": "2"}


def has_table(app):
    return any("asked first" in frame.value for frame in app.dataframe)


def viewed(**more):
    return rerun_until(opened("splits", **(LINK | more)), has_table)


def counted(app, **options):
    look = Look(app.session_state["selection"])
    tree = CARTClassifier().fit(look.values[look.train], look.y[look.train]).tree_
    X, y = look.values[look.train], look.y[look.train]
    return near_best_trees(X, y, max_depth=2, trees=[tree], **options), look


def test_the_sentence_and_the_table_are_those_of_the_library():
    app = viewed()
    found, _ = counted(app)
    words = " ".join(html.value for html in app.get("html")) + said(app)
    assert f"{found.count} trees make at most {found.budget} training errors" in words
    (table,) = [frame.value for frame in app.dataframe if "asked first" in frame.value]
    names = list(found.rows.feature_names)
    shares = [100 * n / found.count for n in found.by_root()]
    assert len(table) == len(names)
    assert sorted(float(text.rstrip(" %")) for text in table["asked first"]) == pytest.approx(
        sorted(shares), abs=0.06
    )
    free = np.count_nonzero(found.price_of_leaving_out == 0)
    assert sum(table["errors more without it"] == "0") == free


def test_fewer_errors_leave_fewer_trees():
    app = viewed(near_errors="0")
    found, _ = counted(app)
    words = " ".join(html.value for html in app.get("html")) + said(app)
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
    app = opened("splits", data="breast_cancer", m="cart", split_view="near_best",
                 near_thresholds="100")  # fmt: skip
    rerun_until(app, lambda app: any("thresholds" in info.value for info in app.info))
    (box,) = [box for box in app.selectbox if box.label == "Thresholds per feature, at most"]
    assert box.options == ["5", "10", "20", "100"]
