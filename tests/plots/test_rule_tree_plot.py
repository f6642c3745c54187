"""The rule tree: rows that say what the rules hold, the path of a sample, what is closed."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz import plots
from lastviz.inspection import NominalCondition, rules
from lastviz.plots.visuals.flow_layout import flow_layout
from lastviz.plots.visuals.plane import select
from lastviz.plots.visuals.rule_rows import PITCH
from tests.tree.test_nominal_tree import by_branch, grown

from .conftest import by_role, make_scene, text_boxes

tree = make_scene(600, 3, 8).tree


def drawn(tree, **options):
    numbers = {rule.node: rule.number for rule in rules(tree)}
    return plots.rule_tree_plot(tree, theme="light", numbers=numbers, **options)


def test_every_leaf_has_a_row_with_its_numbers_and_a_bar_of_one_length():
    figure = drawn(tree)
    (row,) = by_role(figure, "row")
    for rule in rules(tree):
        texts = [
            t for t, y in zip(row.text, row.y, strict=True) if y == height_of(figure, rule.node)
        ]
        assert texts[:2] == [str(rule.number), plots.number(rule.support)]
        if 0.005 <= rule.confidence < 0.995 or rule.confidence == 1:
            assert texts[2] == f"{100 * rule.confidence:.0f} %"
    bars = by_role(figure, "class_supports")
    ends = {}
    for bar in bars:
        xy = np.column_stack([bar.x, bar.y]).reshape(-1, 5, 2)
        for box in xy:
            ends.setdefault(round(float(np.nanmean(box[:, 1])), 3), []).append(
                (np.nanmin(box[:, 0]), np.nanmax(box[:, 0]))
            )
    assert len(ends) == tree.n_leaves
    for parts in ends.values():
        assert sum(b - a for a, b in parts) == pytest.approx(100.0)


def height_of(figure, node):
    (nodes,) = by_role(figure, "node")
    return nodes.y[list(nodes.customdata).index(node)]


def test_rows_stand_apart_and_bars_have_the_height_of_their_rows():
    tree = make_scene(1500, 3, 30).tree
    layout = flow_layout(tree, height=196, pitch=PITCH)
    y = np.sort(layout.y[layout.leaf])
    assert np.diff(y).min() >= PITCH - 1e-9
    np.testing.assert_allclose(layout.height, 196 * tree.weighted_n_node_samples[layout.node]
                               / tree.weighted_n_node_samples[0])  # fmt: skip
    assert layout.total >= PITCH * layout.n_leaves - 1e-9


def test_nodes_with_few_rows_stay_closed_and_a_wanted_one_is_drawn_whatever_it_holds():
    tree = make_scene(1500, 5, None).tree
    layout = flow_layout(tree, least=100.0)
    opened = layout.node[~layout.leaf]
    assert (tree.weighted_n_node_samples[opened] >= 100).all()
    closed = layout.node[layout.leaf]
    inner = closed[tree.n_children[closed] > 0]
    assert (tree.weighted_n_node_samples[inner] < 100).all()
    assert layout.hidden_leaves == tree.n_leaves - layout.n_leaves
    deep = int(tree.depth.argmax())
    layout = plots.rule_layout(tree, select(tree, None, None), {deep: 1.0}, most=10)
    assert deep in layout.node
    assert layout.n_leaves < tree.n_leaves


def test_more_rules_than_can_be_read_are_drawn_without_numbers():
    tree = make_scene(1500, 5, 150).tree
    figure = drawn(tree)
    assert not by_role(figure, "row")
    assert len(by_role(figure, "node")[0].customdata) == tree.n_nodes
    assert figure.layout.height < 1200


def test_the_way_of_a_sample_in_parts_is_thinner_where_only_a_part_goes():
    one, other = tree.children(0)
    paths = by_role(drawn(tree, visited={0: 1.0, one: 0.3, other: 0.7}), "path")
    assert len(paths) == 1
    whole = by_role(drawn(tree, visited={0: 1.0, one: 1.0}), "path")
    assert whole[0].line.width > paths[0].line.width


def test_icicles_share_their_parents_height():
    figure = plots.icicle_plot(tree, theme="light")
    boxes = {hit["node"]: np.array(hit["xy"]) for hit in figure.layout.meta["hits"]}
    assert set(boxes) == set(range(tree.n_nodes))
    height = {node: np.ptp(box[:, 1]) for node, box in boxes.items()}
    for node in range(tree.n_nodes):
        if not tree.is_leaf(node):
            parts = sum(height[child] for child in tree.children(node))
            assert parts == pytest.approx(height[node], abs=0.5)
        share = tree.weighted_n_node_samples[node] / tree.weighted_n_node_samples[0]
        assert height[node] == pytest.approx(share * height[0], abs=0.5)


def test_a_tree_of_categories_is_drawn_and_its_tests_have_words():
    tree = grown()
    assert plots.split_words(tree, 0) == "colour"
    assert plots.split_words(tree, 0, branch=1) == "colour = green"
    assert plots.rule_words(tree, 4) == "colour = red and size ≤ 2.5"
    two = [NominalCondition(0, (0, 2), missing=True)]
    words = plots.condition_words(tree, two, html=False)
    assert words == "colour ∈ {red, blue} or missing"
    assert plots.rule_words(by_branch(tree), 2) == "colour = green or missing"
    assert len(by_role(drawn(tree, texts={0: "colour"}), "node")[0].customdata) == 6


def texts_of(tree):
    return {node: plots.split_words(tree, node) for node in range(tree.n_nodes)}


def written(figure):
    """The box (left, low, right, high) of the test of each node that has one, and its text."""
    return {node: (box, text) for box, node, text in text_boxes(figure, "test")}


def apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize(
    ("n", "n_classes", "leaves", "n_features"),
    [(200, 2, 2, 3), (600, 3, 4, 20), (600, 3, 8, 2), (1500, 5, 60, 20), (3000, 5, 60, 2)],
)
@pytest.mark.parametrize("chosen", ["nothing", "a leaf", "a path"])
def test_every_drawn_inner_node_has_its_test(n, n_classes, leaves, n_features, chosen):
    tree = make_scene(n, n_classes, leaves, n_features).tree
    leaf = int(tree.depth.argmax())
    how = {"selected": leaf} if chosen == "a leaf" else {}
    how |= {"visited": dict.fromkeys(tree.path(leaf), 1.0)} if chosen == "a path" else {}
    found = written(drawn(tree, texts=texts_of(tree), **how))
    layout = plots.rule_layout(tree, select(tree, how.get("selected"), None), how.get("visited"))
    assert set(found) == set(layout.node[~layout.leaf].tolist())
    bars = zip(
        layout.node.tolist(),
        (layout.x - 4.75).tolist(), (layout.y - layout.bar / 2).tolist(),
        (layout.x + 4.75).tolist(), (layout.y + layout.bar / 2).tolist(), strict=True,
    )  # fmt: skip
    bars = list(bars)
    for node, (box, text) in found.items():
        assert text
        assert box[2] <= layout.width + 1
        assert all(apart(box, other) for key, (other, _) in found.items() if key != node)
        assert all(apart(box, bar) for key, *bar in bars if key != node)


def test_a_tree_cut_at_a_depth_has_the_test_of_its_root():
    tree = make_scene(600, 3, None, 20).tree
    for depth in (1, 2, 3, 5, 8):
        figure = drawn(tree, texts=texts_of(tree), depth=depth, most=60)
        layout = plots.rule_layout(tree, select(tree, None, depth), None, most=60)
        assert set(layout.node[~layout.leaf].tolist()) <= set(written(figure))


@pytest.mark.parametrize("letters", [4, 30, 120])
def test_long_names_are_shortened_and_their_thresholds_stay(letters):
    tree = make_scene(600, 3, 30, 20).tree
    names = tuple(f"{'n' * (letters - 3)}{i:03d}" for i in range(tree.n_features))
    tree = replace(tree, feature_names=names)
    found = written(drawn(tree, texts=texts_of(tree)))
    assert set(found) == set(np.flatnonzero(tree.n_children > 0).tolist())
    for node, (_, text) in found.items():
        whole = text == plots.split_words(tree, node)
        assert whole or text.endswith("…") or f" {plots.number(tree.threshold[node])}" in text


@pytest.mark.parametrize("least", [0.0, 30.0, 2.0])
@pytest.mark.parametrize("path", [False, True])
def test_every_opened_icicle_has_its_test(least, path):
    tree = make_scene(1500, 5, 150, 6).tree
    leaf = int(tree.depth.argmax())
    visited = dict.fromkeys(tree.path(leaf), 1.0) if path else None
    how = {"least": least, "visited": visited, "most": 60}
    figure = plots.icicle_plot(tree, theme="light", texts=texts_of(tree), **how)
    layout = plots.icicle_layout(
        tree, select(tree, None, None), visited, least=least, most=60, width=1080
    )
    inner = layout.node[~layout.leaf].tolist()
    found = written(figure)
    assert set(inner) <= set(found)
    boxes = {hit["node"]: np.array(hit["xy"]) for hit in figure.layout.meta["hits"]}
    for node in inner:
        box, text = found[node]
        assert text
        assert box[2] <= boxes[node][:, 0].max() + 1
        assert all(apart(box, other) for key, (other, _) in found.items() if key != node)
        assert np.ptp(boxes[node][:, 1]) >= 19.5 or node in (visited or ())


def _written(figure, name):
    shown = [trace for trace in figure.data if trace.name == name]
    return {int(n): text for t in shown for n, text in zip(t.customdata, t.text, strict=True)}


def test_links_say_which_side_of_the_threshold_their_child_is():
    tree = make_scene(600, 3, 4).tree
    figure = plots.node_link_plot(tree, theme="light", width_hint=1600)
    said, asked = _written(figure, "answer"), _written(figure, "test")
    assert sorted(said) == list(range(1, tree.n_nodes))
    for node in np.flatnonzero(tree.n_children).tolist():
        low, high = tree.children(node)
        threshold = plots.number(float(tree.threshold[node]))
        assert (said[low], said[high]) == (f"≤ {threshold}", f"&gt; {threshold}")
        assert asked[node] == plots.feature_html(tree.feature_names[tree.feature[node]])
    ends = _written(figure, "leaf words")
    leaves = np.flatnonzero(tree.n_children == 0).tolist()
    counts = {leaf: tree.value[leaf][tree.value[leaf] > 0] for leaf in leaves}
    assert {len(each) > 1 for each in counts.values()} == {False, True}
    for leaf in leaves:
        rows = plots.number(float(counts[leaf].sum()))
        of_class = plots.number(float(tree.value[leaf, tree.prediction[leaf]]))
        mixed = len(counts[leaf]) > 1
        assert ends[leaf].endswith(f" · {of_class}/{rows}" if mixed else f" · {rows}")


def test_a_feature_of_several_words_has_two_lines_where_one_is_too_short():
    tree = make_scene(600, 3, 6).tree
    names = tuple(f"mean concave points {k}" for k in range(len(tree.feature_names)))
    named = replace(tree, feature_names=names)
    lines = set(_written(plots.node_link_plot(named, theme="light"), "test").values())
    used = {names[f] for f in tree.feature[tree.n_children > 0]}
    assert lines == {f"mean concave<br>points {name[-1]}" for name in used}
    wide = _written(plots.node_link_plot(named, theme="light", width_hint=2400), "test")
    assert set(wide.values()) == used


def test_a_tree_too_deep_for_its_links_has_every_test_beside_its_node():
    tree = make_scene(600, 12, 45).tree
    assert tree.max_depth > 9
    figure = plots.node_link_plot(tree, theme="light")
    assert not _written(figure, "answer")
    written = {int(n) for t in figure.data if t.meta["role"] == "test" and t.name != "leaf words"
               for n in t.customdata}  # fmt: skip
    drawn = {int(n) for t in figure.data if t.meta["role"] == "leaf" for n in t.customdata}
    opened = {int(p) for n in drawn for p in tree.path(n)[:-1]}
    assert written == opened


def test_parents_stand_in_the_middle_of_their_children_one_column_before_them():
    (flow,) = plots.node_link_plot(tree, theme="light").layout.meta["flows"].values()
    at = {node: (x, y) for node, x, y in zip(flow["node"], flow["x"], flow["y"], strict=True)}
    step = at[tree.children(0)[0]][0] - at[0][0]
    for node in np.flatnonzero(tree.n_children).tolist():
        low, *_, high = (at[child] for child in tree.children(node))
        assert at[node][1] == pytest.approx((low[1] + high[1]) / 2)
        assert low[0] - at[node][0] == pytest.approx(step)
