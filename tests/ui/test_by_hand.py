"""A tree by hand: its text, its splits among all candidates, and what it is compared with."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz import C45Classifier, CARTClassifier, OptimalTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.splitters import CategorySplit, Split
from lastviz.splitters.edits import ForcedSplit, MadeLeaf
from lastviz.tree import Reason
from lastviz.ui.compute import nodes, uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.growth import by_hand, hand_page
from lastviz.ui.growth import page as growth
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.edit_codes import read_edits, read_hand, write_hand
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.selection import UPLOAD, Model, Selection
from lastviz.ui.text import CannotShow, as_plain
from tests.ui.opened_pages import plain

BUILT = {
    "xor": "T1_0.5~0T2_0.55~00L~01L2~1L",
    "wine": "T1_13~0T11_0.9~00L~01L~1T7_1.5~10L~11L1",
    "loan": "C3_1~0L~1C1_3~10C2_1~100L~101L~11L",
}


def scene(data, code, key="cart", **more):
    chosen = Selection(data=data, models=(Model(key),), held=0.0 if data == "loan" else 0.3)
    return by_hand.hand_scene(Work(chosen.having(hand=read_hand(code), **more)), "light")


def gini(counts):
    shares = counts / counts.sum()
    return 1 - (shares**2).sum()


def gain(y, first, n_classes):
    counts = [np.bincount(part, minlength=n_classes) for part in (y, y[first], y[~first])]
    parts = sum(part.sum() * gini(part) for part in counts[1:])
    return gini(counts[0]) - parts / len(y)


def naive_gains(values, categories, y, n_classes):
    """Gain of every candidate of a node, one after the other."""
    found = []
    for j, known in enumerate(categories):
        there = sorted(set(values[:, j]))
        if known is None:
            parts = [{v for v in there if v <= cut} for cut in there[:-1]]
        else:  # of two classes those by share (Breiman et al., 1984, section 4.2.2)
            there.sort(key=lambda v: np.mean(y[values[:, j] == v]))
            parts = [set(there[:i]) for i in range(1, len(there))]
        found += [gain(y, np.isin(values[:, j], list(part)), n_classes) for part in parts]
    return np.array(found)


def rows_at(scene, path):
    """Training rows that reach a node, one after the other."""
    found, divided = [], scene.model.division
    for row in divided.train_rows.tolist():
        at, here = (), divided.values[row]
        while isinstance(edit := by_hand.edit_at(scene.edits, at), ForcedSplit) and at != path:
            split, value = edit.split, here[edit.split.feature]
            if isinstance(split, Split):
                at += (int(value > split.threshold),)
            else:
                at += (int(value >= len(split.branch) or split.branch[int(value)]),)
        found += [row] if at[: len(path)] == path else []
    return np.array(found, dtype=np.intp)


@pytest.mark.parametrize("data", BUILT)
def test_the_tree_is_what_the_text_says(data):
    found = scene(data, BUILT[data])
    tree, divided = found.model.tree, found.model.division
    assert write_hand(found.edits) == BUILT[data]
    assert tree.n_leaves == sum(isinstance(edit, MadeLeaf) for edit in found.edits)
    for edit in found.edits:
        node = nodes.shown_node(found.model.estimator, edit.path)
        rows = rows_at(found, edit.path)
        counts = np.bincount(divided.y[rows], minlength=found.model.dataset.n_classes)
        assert tree.value[node].tolist() == counts.tolist()
        if isinstance(edit, MadeLeaf):
            says = counts.argmax() if edit.says is None else edit.says
            assert tree.is_leaf(node)
            assert tree.prediction[node] == says
    wrong = sum(
        (divided.y[rows_at(found, e.path)] != tree.prediction[node_of(found, e)]).sum()
        for e in found.edits
        if isinstance(e, MadeLeaf)
    )
    assert found.training.n_samples - found.training.n_right == wrong


def node_of(found, edit):
    return nodes.shown_node(found.model.estimator, edit.path)


@pytest.mark.parametrize("data", BUILT)
def test_ranks_are_those_of_a_slow_search_and_of_the_page_splits(data):
    found = scene(data, BUILT[data])
    divided, n_classes = found.model.division, found.model.dataset.n_classes
    for edit in found.edits:
        if not isinstance(edit, ForcedSplit):
            continue
        node = found.model.node(node_of(found, edit))
        rows = rows_at(found, edit.path)
        values, y = divided.values[rows], divided.y[rows]
        gains = naive_gains(values, divided.categories, y, n_classes)
        first = np.isin(rows, rows_at(found, (*edit.path, 0)))
        own, stands = gain(y, first, n_classes), by_hand.standing(node)
        assert stands.score == pytest.approx(own)
        assert stands.best == pytest.approx(gains.max())
        assert stands.rank == 1 + (gains > own + 1e-12).sum()
        assert stands.n_tied == (np.abs(gains - own) <= 1e-12).sum()
        np.testing.assert_allclose(stands.scores, np.sort(gains)[::-1], atol=1e-12)
        if divided.is_plain:
            table = node.candidates
            i = table.find(edit.split.feature, edit.split.threshold)
            assert stands.rank == nodes.ranks(node.table_key, table, "gini")[i]


@pytest.mark.parametrize("data", ["xor", "wine"])
def test_a_threshold_steps_from_candidate_to_candidate(data):
    found = scene(data, BUILT[data])
    node = found.model.node(0)
    feature = node.stored_split.feature
    steps = list(by_hand.cuts_of(node, feature))
    table = node.candidates
    ranks = nodes.ranks(node.table_key, table, "gini")
    here = table.feature == feature
    found = [table.find(feature, cut) for cut, *_ in steps]
    assert found == np.flatnonzero(here).tolist()
    assert [rank for _, _, rank, _ in steps] == ranks[here].tolist()
    np.testing.assert_allclose([score for _, score, *_ in steps], table.columns["gini"][here])


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("data", BUILT)
def test_the_references_are_the_estimators_of_that_depth(data, depth):
    work = scene(data, BUILT[data]).work
    found = {each.key: each for each in by_hand.references(work, depth)}
    classes = {"cart": CARTClassifier, "c45": C45Classifier, by_hand.BEST: OptimalTreeClassifier}
    for key, cls in classes.items():
        divided = by_hand.reference_model(work, key, depth).division
        fitted = cls(max_depth=depth).fit(*divided.learnt)
        for part, rows in (
            (found[key].training, divided.train_rows),
            (found[key].held_out, divided.held_out_rows),
        ):
            right = fitted.predict(divided.X.iloc[rows]) == divided.y[rows] if len(rows) else []
            assert part.n_samples == len(rows)
            assert part.n_right == np.sum(right)
    assert found[by_hand.BEST].is_proved


def test_the_algorithm_goes_on_from_a_leaf_as_from_its_own():
    found = scene("xor", "T1_0.5~0L~1L")
    going = by_hand.going_on(found.edits, (0,))
    assert write_hand(going) == "T1_0.5~1L"
    grown = scene("xor", write_hand(going))
    X, y = found.model.division.learnt
    below = X[:, 0] <= 0.5 if isinstance(X, np.ndarray) else X.iloc[:, 0] <= 0.5
    alone = CARTClassifier().fit(X[below], y[below])
    tree = grown.model.tree
    assert len(tree.subtree(1)) == alone.tree_.n_nodes
    assert tree.is_leaf(2)
    assert by_hand.going_on(by_hand.OPEN, ()) == ()
    assert scene("xor", "none").model.tree.n_nodes == CARTClassifier().fit(X, y).tree_.n_nodes


def test_changes_by_hand():
    edits = by_hand.with_split(by_hand.OPEN, (), Split(0, 0.5))
    assert write_hand(edits) == "T1_0.5~0L~1L"
    edits = by_hand.with_split(edits, (1,), CategorySplit(1, np.array([1, 0, 0])))
    assert write_hand(edits) == "T1_0.5~0L~1C2_6~10L~11L"
    moved = by_hand.with_split(edits, (), Split(2, -1.5))
    assert write_hand(moved) == "T3_-1.5~0L~1C2_6~10L~11L"
    assert write_hand(by_hand.with_leaf(edits, (1, 0), 2)) == "T1_0.5~0L~1C2_6~10L3~11L"
    assert write_hand(by_hand.with_leaf(edits, (1,))) == "T1_0.5~0L~1L"


def test_a_tree_by_hand_has_at_most_twenty_four_leaves():
    edits, path = by_hand.OPEN, ()
    for i in range(by_hand.MOST_LEAVES - 1):
        edits = by_hand.with_split(edits, path, Split(0, float(-i)))
        path = (*path, 0)
    assert sum(isinstance(edit, MadeLeaf) for edit in edits) == by_hand.MOST_LEAVES
    with pytest.raises(CannotShow, match="at most 24 leaves"):
        by_hand.with_split(edits, path, Split(0, -99.0))


def test_what_cannot_be_told_any_more_becomes_an_open_leaf():
    found = scene("xor", "T1_0.5~0T1_0.7~00L~01L~1L9")
    assert write_hand(found.edits) == "T1_0.5~0L~1L"
    assert write_hand(scene("xor", "C1_1~0L~1L").edits) == "L"
    assert write_hand(scene("xor", "T9_1~0L~1L").edits) == "L"


@pytest.mark.parametrize("text", ["", "Q", "T1_0.5~?", "T1_nan", "L0"])
def test_a_link_without_a_tree_says_so(text):
    _, sentences = decode(
        {"hand": text, "growth_view": "hand"}, session.data_params, session.model_params
    )
    assert [s for s in sentences if "no tree by hand" in s]


def test_a_link_keeps_the_tree():
    built = {"hand": read_hand(BUILT["wine"]), "hand_at": (1,), "growth_view": "hand"}
    chosen = Selection(data="wine").having(**built)
    query = encode(chosen)
    assert query["hand"] == BUILT["wine"]
    assert query["hand_at"] == "1"
    assert decode(query, session.data_params, session.model_params)[0].growth == chosen.growth
    assert chosen.change(data="xor").growth.hand == by_hand.OPEN
    assert chosen.change(seed=2).growth.hand == chosen.growth.hand


def test_a_feature_begins_at_the_median_and_not_at_the_best_cut():
    found = scene("xor", "L")
    divided = found.model.division
    rows = divided.train_rows
    split = by_hand.first_split(divided, rows, 1)
    values = divided.values[rows, 1]
    assert abs((values <= split.threshold).sum() - len(rows) / 2) <= 1
    with pytest.raises(CannotShow, match="are the same"):
        by_hand.first_split(divided, rows[:1], 1)
    loan = scene("loan", "L").model.division
    assert by_hand.first_split(loan, loan.train_rows, 0).branch.tolist() == [0, 1, 1]


@pytest.mark.parametrize("key", ["cart", "c45"])
def test_a_leaf_predicts_the_class_that_it_was_named(key):
    X, y = load_dataset("iris").X, load_dataset("iris").codes
    edits = read_edits("T3_2.45~0L3~1L1")[0]
    cls = {"cart": CARTClassifier, "c45": C45Classifier}[key]
    tree = cls().fit(X, y, edits=edits).tree_
    assert tree.prediction[1:].tolist() == [2, 0]
    tree.validate()
    with pytest.raises(ValueError, match="cannot predict class 7"):
        cls().fit(X, y, edits=[MadeLeaf((), 7)])
    with pytest.raises(ValueError, match="class index"):
        cls().fit(X, y, edits=[MadeLeaf((), -1)])


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(-1, 2)), max_size=6), st.randoms())
@settings(max_examples=20, deadline=None)
def test_whatever_is_told_makes_a_tree_of_that_many_leaves(told, random):
    model = scene("xor", "L").model
    edits = by_hand.OPEN
    for feature, threshold in told:
        leaves = [edit.path for edit in edits if isinstance(edit, MadeLeaf)]
        edits = by_hand.with_split(edits, random.choice(leaves), Split(feature, threshold))
        edits = by_hand.possible_edits(edits, model)
    grown = scene("xor", write_hand(edits))
    assert grown.edits == edits
    n_leaves = sum(isinstance(edit, MadeLeaf) for edit in edits)
    assert grown.model.tree.n_leaves == n_leaves
    assert not grown.model.estimator.void_edits_
    reasons = set(grown.model.estimator.growth_log_.reason.tolist())
    assert reasons <= {Reason.CHOSEN_BY_HAND, Reason.LEAF_BY_HAND}


def with_gaps(seed=0, n=120):
    """A table of two numbers and a word, each of which some rows lack."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n)).round(2)
    colour = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
    y = np.where(x + (colour == "red") + rng.normal(0, 0.4, n) > 0.4, "yes", "no")
    table = pd.DataFrame({"x": x, "z": z, "colour": colour, "class": y})
    for name in ("x", "z", "colour"):
        table.loc[rng.random(n) < 0.2, name] = None
    content = table.to_csv(index=False).encode()
    file = uploads.keep(f"gaps{seed}.csv", content, len(table))
    return Selection(data=UPLOAD, upload=file, models=(Model("c45"),))


def gapped(code, **more):
    chosen = with_gaps().having(hand=read_hand(code), growth_view="hand", **more)
    return by_hand.hand_scene(Work(chosen), "light")


GAPS = "T1_0.4~0C3_1~00L~01T2_0.1~010L~011L~1L"


def test_rows_without_a_value_go_where_the_split_scores_better():
    found = gapped(GAPS)
    assert found.model.chosen.key == "cart"
    assert write_hand(found.edits) == GAPS
    divided, tree = found.model.division, found.model.tree
    told = by_hand.nodes_by_hand(found.edits, found.model)
    sent = 0
    for path, (edit, rows) in told.items():
        node = by_hand.node_at(tree, path)
        np.testing.assert_array_equal(np.sort(rows), np.sort(found.model.node(node).rows))
        if isinstance(edit, MadeLeaf):
            continue
        values, y = divided.values[rows, edit.split.feature], divided.y[rows]
        gap = np.isnan(values)
        if isinstance(edit.split, Split):
            first = values <= edit.split.threshold
        else:
            branch = np.r_[edit.split.branch, np.ones(3, dtype=int)]
            first = np.where(gap, False, branch[np.nan_to_num(values).astype(int)] == 0)
        inside = np.isin(rows, told[(*path, 0)][1])
        assert (inside[~gap] == first[~gap]).all()
        assert len(set(inside[gap])) <= 1
        both = [gain(y, first | (gap & side), 2) for side in (False, True)]
        own = gain(y, inside, 2)
        assert own == pytest.approx(max(both))
        stands = by_hand.standing(found.model.node(node))
        assert stands.score == pytest.approx(own)
        assert stands.rank == 1 + (stands.scores > own + 1e-12).sum()
        sent += gap.sum()
    assert sent > 0


def test_the_browser_sends_rows_without_a_value_as_the_tree_does():
    found = gapped(GAPS)
    told = json.loads(json.dumps(hand_page.payload(found, (), ""), allow_nan=False))
    divided = found.model.division
    rows = np.r_[divided.train_rows, divided.held_out_rows]
    predicted = found.model.tree.predict(divided.values)
    for i, row in enumerate(rows.tolist()):
        node = told["nodes"][0]
        while node["children"]:
            value = told["columns"][node["feature"]]["values"][i]
            if value is None:
                branch = node["missing"]
            elif "threshold" in node:
                branch = int(value > node["threshold"])
            else:
                branch = node["branch"][int(value)]
            node = told["nodes"][node["children"][branch]]
        assert node["says"] == predicted[row]


def test_a_cut_says_where_rows_without_a_value_go():
    found = gapped("T1_0.4~0L~1L")
    node = found.model.node(0)
    for cut, _, rank, missing in by_hand.cuts_of(node, 0):
        if not rank:
            continue
        moved = gapped(write_hand(by_hand.with_split(by_hand.OPEN, (), Split(0, cut))))
        assert moved.model.tree.sent_missing[0] == missing


def test_the_algorithm_goes_on_where_values_are_missing():
    found = gapped("T1_0.4~1L")
    told = hand_page.payload(found, (), "")
    json.dumps(told, allow_nan=False)
    assert found.model.tree.n_leaves > 2
    names = {each.key: each for each in by_hand.references(found.work, 2)}
    assert names["cart"].training.n_samples == names["c45"].training.n_samples
    assert names[by_hand.BEST].reason


def test_the_lesson_says_what_its_trees_show():
    """What its sentences claim of the trees that its steps open."""
    steps = next(each for each in SCENES if each.key == "build").steps
    work = [by_hand.hand_scene(Work(step.selection()), "light") for step in steps]
    loan = work[1].model.tree
    assert np.count_nonzero(loan.value[1]) == 1
    assert np.count_nonzero(loan.value[2]) == 2
    first = by_hand.standing(work[2].model.node(0))
    assert first.score < 0.02
    built = work[3]
    found = {each.key: each for each in by_hand.references(built.work, built.depth)}
    wrong = built.training.n_samples - built.training.n_right
    assert wrong < 0.1 * built.training.n_samples
    assert by_hand.standing(built.model.node(0)).rank > 10
    assert found["cart"].training.n_right < built.training.n_right


@pytest.mark.parametrize(
    ("data", "code"),
    [*BUILT.items(), ("xor", "T1_0.5~0L~1L"), ("loan", "L"), ("loan", "C2_1~0L~1L"), ("wine", "L")],
)
def test_the_finding_says_what_the_trees_do(data, code):
    found = scene(data, code)
    divided, depth = found.model.division, found.depth
    rows = divided.train_rows
    n = np.count_nonzero(found.model.tree.predict(divided.values[rows]) != divided.y[rows])
    said = plain(Say(*hand_page.hand_finding(found, ())).text)
    if code == "L":
        assert n == len(rows) - np.bincount(divided.y[rows]).max()
        assert said == (
            f"One leaf: {n} of {len(rows)} rows are wrong. "
            "Drag a feature onto it and ask your first question."
        )
        return
    errors = "error" if n == 1 else "errors"
    assert said == f"Your tree makes {n} {errors}."
    cart, _, best = by_hand.references(found.work, depth)
    other, least = (each.training.n_samples - each.training.n_right for each in (cart, best))
    beside = by_hand.references(found.work, depth)
    said = plain(Say(*hand_page.hand_finding(found, beside)).text)
    first = f"{errors}, as many as CART." if n == other else f"{errors}, CART {other}."
    rest = (
        f"No tree of depth {depth} makes fewer."
        if n <= least
        else f"The best possible tree of depth {depth} makes {least}."
    )
    assert said == f"Your tree makes {n} {first} {rest}"


def test_deeper_than_four_the_best_possible_tree_is_not_searched_for():
    found = scene("loan", BUILT["loan"])
    *others, best = by_hand.references(found.work, 5)
    assert all(each.training is not None for each in others)
    assert best.training is None
    assert best.reason == "The best possible tree is searched for down to depth 4."


def test_what_leaves_the_page_has_the_tree_and_the_comparison():
    found = scene("loan", BUILT["loan"])
    finding, training, legend, picture = hand_page.hand_blocks(found)
    assert "Your tree makes" in finding.text
    assert all(name in legend.text for name in class_names_of(found.model.dataset))
    assert picture.alt == "A tree by hand with 4 leaves, from left to right."
    wrong = found.training.n_samples - found.training.n_right
    known = {each.key: each for each in by_hand.references(found.work, found.depth)}
    others = [each.training.n_samples - each.training.n_right for each in known.values()]
    assert training.text == (
        f"Wrong of 15 training rows at depth 3: yours {wrong}, CART {others[0]}, "
        f"C4.5 {others[1]} and best possible {others[2]}."
    )
    assert hand_page.hand_blocks(scene("loan", "L"))[0].text.count("One leaf: 6 of 15 rows") == 1


def test_an_algorithm_that_cannot_go_on_leaves_it_to_cart():
    for key in ("svm_tree", "gsodt", "forest"):
        if key in ESTIMATORS:
            assert scene("xor", "T1_0.5~0L~1L", key=key).model.chosen.key == "cart"
    chosen = Selection(data="xor", models=(Model("cart", (("max_leaf_nodes", 4),)),))
    found = by_hand.hand_scene(Work(chosen.having(hand=read_hand("T1_0.5~0L~1L"))), "light")
    assert found.model.chosen.params == ()
    assert scene("xor", "T1_0.5~0L~1L", key="c45").model.chosen.key == "c45"


def test_weights_of_classes_count_in_the_tree():
    chosen = Selection(data="loan", held=0.0, class_weight="balanced")
    found = by_hand.hand_scene(Work(chosen.having(hand=read_hand("C3_1~0L~1L"))), "light")
    told = hand_page.payload(found, by_hand.references(found.work, 1), "")
    assert len(told["weights"]) == 15
    assert [each["says"] for each in told["nodes"]] == found.model.tree.prediction.tolist()
    json.dumps(told, allow_nan=False)


def test_too_many_values_are_refused_with_what_to_do():
    with pytest.raises(CannotShow, match="Take fewer rows or features"):
        scene("digits", "L")


def test_a_tree_by_hand_is_reported_with_its_sentence_and_numbers(monkeypatch):
    found = scene("xor", BUILT["xor"])
    monkeypatch.setattr(session, "current", lambda: found.work.selection.having(growth_view="hand"))
    html = growth.report(None)
    say, training, held_out, *_ = hand_page.hand_blocks(found)
    assert f"<h1>{as_plain(say.statements[0])}</h1>" in html
    assert as_plain(say.statements[1]) in html
    assert training.text in html
    assert held_out.text in html
    assert growth.has_report(Work(session.current()))
    assert not growth.has_report(found.work)
