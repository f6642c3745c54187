"""What the app says of values: true where it is said, and not said where it would not be true."""

import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz import CARTClassifier, HybridTreeClassifier
from lastviz.inspection import NEAR
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import report_blocks
from lastviz.ui.shared.course_strip import fill_text
from lastviz.ui.splits import page as splits_page
from lastviz.ui.splits import words as split_words
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.state.codec import decode
from lastviz.ui.state.lessons import scene_named
from lastviz.ui.state.session import data_params, model_params
from lastviz.ui.text import number, percent


def selected(query):
    selection, problems = decode(dict(parse_qsl(query)), data_params, model_params)
    assert problems == ()
    return selection


def node_of(query):
    return split_scene(node_view(Work(selected(query)), "light"))


def shown(query):
    """What the page shows of a node, whatever was searched there."""
    return splits_page.page_scene(Work(selected(query)), "light")


def told(scene):
    return " ".join(block.text for block in report_blocks(scene.explanations()))


def words(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def figure(value):
    """A number as sentences write it, three digits."""
    return number(float(f"{value:.3g}"))


# Scores of a leaf


@pytest.mark.parametrize("query", ["data=iris&m=cart&node=1", "data=wine&m=cart&node=5"])
def test_a_pure_leaf_has_no_scores_made_of_rounding(query):
    scene = node_of(query)
    assert scene.is_pure
    strips = [strip for strip in scene.strips() if not strip.smaller_is_better]
    assert strips[0].title == "Gini"
    assert set(strips[0].values[np.isfinite(strips[0].values)]) <= {0.0}
    low, high = strips[0].range
    assert high - low >= 1.0


# How a split compares with the best one of another feature


def rivals(search):
    """The best scores by feature at the last stage, looked at one by one, and the winner's."""
    judged = search.survivors[-2]
    last, best = search.rule.stages[-1], {}
    for candidate in judged:
        score = float(search.columns[last.column][candidate])
        feature = int(search.feature[candidate])
        better = min if last.keeps == "argmin" else max
        best[feature] = better(score, best.get(feature, score))
    return best.pop(int(search.feature[search.winner])), list(best.values())


@pytest.mark.parametrize(
    "query",
    ["data=moons&m=cart", "data=xor&m=cart&noise=0.2", "data=iris&m=hybrid", "data=wine&m=c45",
     "data=wine&m=hybrid&m.k=50"],
)  # fmt: skip
def test_a_split_is_compared_with_the_runner_up_by_a_ratio(query):
    scene = node_of(query)
    said = words(split_words.won_over(scene.search, scene.tree.feature_names))
    own, others = rivals(scene.search)
    smaller = scene.search.rule.stages[-1].keeps == "argmin"
    second = min(others) if smaller else max(others)
    ratio = max(own, second) / min(own, second)
    by_one_column = len({stage.column for stage in scene.search.rule.stages}) == 1
    judged = scene.search.survivors[-2]
    of = f"of {number(scene.search.n_candidates)} candidates"
    if not by_one_column:
        of = f"of {len(judged)} shortlisted candidates ({number(scene.search.n_candidates)} in all)"
    assert said.startswith("Smallest" if smaller else "Largest")
    assert f" {of}, {number(own)}; runner-up " in said
    assert f", {number(second)} (" in said
    more = f"{100 * (ratio - 1):.0f} % higher; small is good"
    if ratio >= 2:
        more = f"{figure(ratio)} times as large; small is good"
    assert (more if smaller else f"{100 * (1 - 1 / ratio):.0f} % lower") in said
    near = sum(abs(own - each) <= NEAR * own for each in others)
    assert (f"{near} other feature" in said) == (near > 0)


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("data=gauss_2d&n_samples=1000&m=c45&m.mdl_correction=false", "at least the mean gain"),
        ("data=wine&m=hybrid", "the best 3 by"),
        ("data=iris&m=cart&columns=1&held=0", None),
    ],
)
def test_what_excluded_the_other_features_is_said(query, step):
    scene = node_of(query)
    said = words(split_words.won_over(scene.search, scene.tree.feature_names))
    if step is None:
        assert said.endswith("No other feature has an admissible candidate here.")
        assert set(scene.search.feature) == {scene.search.feature[scene.search.winner]}
        return
    judged, n = len(scene.search.survivors[-2]), number(scene.search.n_candidates)
    only = f"The only one of {n} candidates that was shortlisted; "
    assert said.startswith(only) if judged == 1 else f"of {judged} shortlisted" in said
    own = scene.search.feature[scene.search.winner]
    stages = zip(scene.search.rule.stages, scene.search.survivors, strict=True)
    (excluded_by, *_) = [
        stage for stage, kept in stages if {int(scene.search.feature[i]) for i in kept} == {own}
    ]
    assert excluded_by.keeps == {"at least the mean gain": "at_least_mean"}.get(step, "top_k")
    assert f"excluded by this step of the rule: keep {step}" in said.replace("those with ", "")


def entropy(y):
    shares = np.bincount(y) / len(y)
    return -sum(p * np.log2(p) for p in shares if p)


def test_what_takes_the_gain_from_a_leaf_is_said():
    scene = node_of("data=xor&m=c45&noise=0.2")
    X, y = scene.values[scene.rows], scene.y[scene.rows]
    n, gains = len(y), {}
    for f in range(X.shape[1]):
        for cut in np.unique(X[:, f])[:-1]:
            left = X[:, f] <= cut
            parts = sum(part.sum() / n * entropy(y[part]) for part in (left, ~left))
            gains[f, float(cut)] = entropy(y) - parts, min(left.sum(), (~left).sum())
    least = min(max(0.1 * n / 2, 2), 25)
    best = max(gains.values())
    assert best[1] < least
    admitted = {key: gain for key, (gain, rows) in gains.items() if rows >= least}
    prices = {f: np.log2(sum(key[0] == f for key in admitted)) / n for f in range(X.shape[1])}
    top = max(admitted, key=lambda key: admitted[key] - prices[key[0]])
    assert admitted[top] < prices[top[0]]
    said = words(split_words.gain_lost(scene))
    assert f"gains {figure(best[0])} bits, but leaves too few rows on one side." in said
    costs = f"gains {figure(admitted[top])} bits; the choice among its thresholds costs "
    assert f"{costs}{figure(prices[top[0]])} bits." in said
    assert said in words(split_words.split_headline(scene))


@pytest.mark.parametrize("query", ["data=iris&m=c45", "data=iris&m=c45&node=1", "data=wine&m=cart"])
def test_no_gain_is_said_to_be_lost_where_there_is_a_split_or_nothing_to_gain(query):
    assert split_words.gain_lost(node_of(query)) == ""


# Lessons, on other seeds than their own too


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_the_lesson_of_a_line_by_hand_says_what_stands_at_the_root(seed):
    scene = scene_named("what_if")
    selection = scene.at(1) if seed is None else scene.at(1).change(seed=seed)
    (edit,) = selection.models[0].edits
    divided = Work(selection).first.division
    X, y = divided.values[divided.train_rows], divided.y[divided.train_rows]
    plain = CARTClassifier().fit(X, y).tree_
    tree = Work(selection).first.tree
    assert edit.path == ()
    assert (tree.feature[0], tree.threshold[0]) == (edit.split.feature, edit.split.threshold)
    assert (plain.feature[0], plain.threshold[0]) != (tree.feature[0], tree.threshold[0])
    text = fill_text(scene.steps[0].text, selection)
    assert (
        f"split the root at x{edit.split.feature + 1} ≤ {number(edit.split.threshold)}, which"
        in text
    )
    assert f"{tree.n_leaves} leaves instead of {plain.n_leaves}." in text


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_the_lesson_of_two_criteria_says_how_often_both_trees_are_right(seed):
    scene = scene_named("xor")
    selection = scene.at(5) if seed is None else scene.at(5).change(seed=seed)
    divided = Work(selection).first.division
    X, y = divided.values[divided.train_rows], divided.y[divided.train_rows]
    held = divided.held_out_rows
    plain, tuned = (HybridTreeClassifier(**given).fit(X, y) for given in ({}, {"k": 30, "w2": 0.1}))
    own, other = (
        percent((each.predict(divided.values[held]) == divided.y[held]).mean())
        for each in (plain, tuned)
    )
    text = fill_text(scene.steps[4].text, selection)
    assert f"grows {plain.tree_.n_leaves} leaves. With" in text
    assert f"grows {tuned.tree_.n_leaves} leaves; accuracy" in text
    assert f"on the {len(held)} rows held out: {own} and {other} %" in text
    assert "enough" not in text


# A split that was forced by hand


@pytest.mark.parametrize("query", ["data=xor&held=0&m=cart", "data=iris&m=cart", "data=wine&m=c45"])
def test_a_forced_split_is_the_one_that_is_marked(query):
    plain = node_of(query)
    feature = 0 if plain.tree.feature[0] else 1
    threshold = float(np.median(plain.values[plain.rows, feature]))
    scene = node_of(f"{query}&e=T{feature + 1}_{threshold!r}")
    n_yes = np.count_nonzero(plain.values[plain.rows, feature] <= threshold)
    assert scene.tree.n_node_samples[scene.tree.first_child[0]] == n_yes
    marked = scene.candidates().picked
    assert scene.table.feature[marked] == feature
    assert scene.table.left_counts[marked].sum() == n_yes
    said = words(split_words.favourites(scene))
    assert "forced by hand" in said
    assert "without the edit" in said
    assert "chosen" not in said
    assert "forced by hand" not in words(split_words.favourites(plain))
    assert "chosen" in words(split_words.favourites(plain))


@pytest.mark.parametrize(
    ("query", "edit", "said"),
    [
        ("data=iris&held=0&m=gsodt", "T1_5.5", "component 1 ≤ 5.5"),
        ("data=xor&held=0&m=cart", "O1_1_2_0.5_0.3", "x1 + 0.5 x2 ≤ 0.3"),
        ("data=xor&held=0&m=oc1", "T1_0.5", "x1 ≤ 0.5"),
        ("data=iris&held=0&m=cart_lc&node=2", "1O1_1_2_0.5_7", "≤ 7"),
        ("data=loan&held=0&m=cart", "C1_1", "age is youth"),
        ("data=loan&held=0&m=c45", "C1_1", "age is youth"),
        ("data=iris&held=0&m=svm_tree", "S2", "f(versicolor | setosa, virginica) > 0"),
    ],
)
def test_wherever_a_split_is_forced_its_branches_are_shown_and_nothing_else_is_called_chosen(
    query, edit, said
):
    plain, scene = shown(query), shown(f"{query}&e={edit}")
    tree = scene.at.tree
    (box,) = re.findall(
        r'<div class="lv-children lv-picked">.*?</ul></div></div></div>', told(scene)
    )
    assert said in words(told(scene))
    counts = [float(n) for n in re.findall(r"<span>([0-9.]+)</span></li>", box)]
    children = tree.value[tree.children(scene.at.index)]
    assert counts == children.ravel().tolist()
    assert "forced by hand" in words(told(scene)).lower()
    assert "chosen" not in words(told(scene)).replace("would be chosen here", "")
    assert "forced" not in told(plain).lower()
    assert "lv-picked" not in told(plain)
    assert "chosen split" in words(told(plain))


def forced_lines(query):
    figure = report_blocks(shown(query).pictures())[0].figure
    return [shape for shape in figure.settings["shapes"] if shape.get("name") == "forced"]


@pytest.mark.parametrize("model", ["cart", "oc1"])
def test_a_forced_line_is_drawn_in_the_plane_of_two_features(model):
    query = f"data=xor&held=0&m={model}"
    (line,) = forced_lines(f"{query}&e=O1_1_2_0.5_0.3")
    for end in "01":
        assert line[f"x{end}"] + 0.5 * line[f"y{end}"] == pytest.approx(0.3)
    assert forced_lines(query) == []


@pytest.mark.parametrize(
    ("query", "usual", "edited"),
    [
        ("data=iris&held=0&m=cart&node=2&e=1T2_2.35", "chosen", "forced by hand"),
        ("data=xor&held=0&m=oc1&e=T1_0.5", "selected split", "without the edit"),
    ],
)
def test_the_legend_calls_marks_of_an_edited_node_as_the_picture_does(query, usual, edited):
    for text, said, other in ((query, edited, usual), (query.split("&e=")[0], usual, edited)):
        blocks = report_blocks(splits_page.blocks(shown(text)))
        legend = words(next(b.text for b in blocks if "lv-legend" in getattr(b, "text", "")))
        assert said in legend
        assert other not in legend
