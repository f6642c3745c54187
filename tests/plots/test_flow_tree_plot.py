from itertools import combinations, pairwise

import numpy as np
import pytest

from lastviz.plots import flow_tree_plot, split_words
from lastviz.plots.visuals.flow_layout import flow_layout
from lastviz.plots.visuals.theme import THEMES, Size, symbol
from lastviz.plots.visuals.words import text_width

from .conftest import (
    by_role,
    drawn_boxes,
    inner_node,
    make_scene,
    stump_of_one_leaf,
    text_boxes,
)


@pytest.fixture(scope="module")
def tree():
    return make_scene(600, 3, 8).tree


def state_of(trace):
    return trace.meta.get("state")


def test_at_most_four_traces_a_class_for_ribbons_and_bars(tree):
    figure = flow_tree_plot(tree, theme="light", selected=inner_node(tree, 2))
    shapes = by_role(figure, "ribbon") + by_role(figure, "bar")
    assert len(shapes) <= 4 * len(tree.classes)
    kinds = [(t.meta["role"], t.meta["class"], t.meta["state"]) for t in shapes]
    assert len(set(kinds)) == len(kinds)


def test_ribbons_have_48_corners_leaves_their_symbol_and_nodes_answer_hover_and_click(tree):
    figure = flow_tree_plot(tree, theme="light")
    for trace in by_role(figure, "ribbon"):
        assert trace.fill == "toself"
        assert {len(part) for part in drawn_boxes(trace)} == {48}
    (leaves,) = by_role(figure, "leaf")
    predicted = tree.prediction[leaves.customdata]
    assert list(leaves.marker.symbol) == [symbol(k) for k in predicted]
    assert list(leaves.marker.color) == [THEMES["light"].hue(k) for k in predicted]
    (nodes,) = by_role(figure, "node")
    assert nodes.customdata.tolist() == list(range(tree.n_nodes))
    hits = {hit["node"]: hit for hit in figure.layout.meta["hits"]}
    assert set(hits) == set(range(tree.n_nodes))
    for node, x, y, text in zip(nodes.customdata, nodes.x, nodes.y, nodes.text, strict=True):
        corners = np.array(hits[int(node)]["xy"])
        assert (corners.min(axis=0) < (x, y)).all()
        assert (corners.max(axis=0) > (x, y)).all()
        assert hits[int(node)]["text"] == text


def test_without_a_choice_nothing_fades(tree):
    figure = flow_tree_plot(tree, theme="dark")
    assert {state_of(t) for t in by_role(figure, "bar")} == {"full"}
    assert not figure.layout.shapes


def test_a_selected_node_is_framed_and_what_is_not_below_it_fades(tree, theme):
    node = inner_node(tree, 1)
    figure = flow_tree_plot(tree, theme=theme, selected=node)
    (frame,) = figure.layout.shapes
    assert frame.line.color == THEMES[theme].ink
    box = next(hit for hit in figure.layout.meta["hits"] if hit["node"] == node)
    x = [corner[0] for corner in box["xy"]]
    assert min(x) < frame.xanchor < max(x)
    full = [t for t in by_role(figure, "bar") if state_of(t) == "full"]
    n_bars = sum(len(drawn_boxes(t)) for t in full)
    assert n_bars == np.count_nonzero(tree.value[tree.subtree(node)])


def test_the_path_of_a_sample_is_an_ink_line_with_dots(tree, theme):
    leaf = int(tree.depth.argmax())
    steps = tree.path(leaf)
    figure = flow_tree_plot(tree, theme=theme, path=steps)
    (line,), (dots,) = by_role(figure, "path"), by_role(figure, "path_node")
    assert line.line.color == dots.marker.color == THEMES[theme].ink
    assert len(dots.x) == len(steps)
    assert (np.diff(dots.x) > 0).all()
    full = [t for t in by_role(figure, "bar") if state_of(t) == "full"]
    assert sum(len(drawn_boxes(t)) for t in full) == np.count_nonzero(tree.value[steps])


def test_the_framed_node_has_no_dot(tree):
    node = inner_node(tree, 2)
    steps = tree.path(node)
    figure = flow_tree_plot(tree, theme="light", selected=node, path=steps)
    (dots,) = by_role(figure, "path_node")
    assert len(dots.x) == len(steps) - 1


def test_areas_of_one_column_do_not_overlap():
    tree = make_scene(1500, 5, 150).tree
    boxes = [np.array(h["xy"]) for h in flow_tree_plot(tree, theme="light").layout.meta["hits"]]
    spans = sorted((box[0, 0], box[:, 1].min(), box[:, 1].max()) for box in boxes)
    for (x, _, high), (next_x, low, _) in pairwise(spans):
        assert x != next_x or high <= low + 0.11  # corners are rounded to 0.1


def test_given_hover_texts_are_used_and_the_tree_does_not_zoom(tree):
    figure = flow_tree_plot(tree, theme="light", hover={0: "the root"}, height=140)
    (nodes,) = by_role(figure, "node")
    assert nodes.text[0] == "the root"
    assert nodes.text[1] == ""
    assert figure.layout.xaxis.fixedrange
    assert figure.layout.yaxis.fixedrange
    assert figure.layout.height == 140


def written(figure):
    return {int(node) for trace in by_role(figure, "test") for node in trace.customdata}


def test_texts_stand_above_nodes_where_they_find_room(tree):
    texts = {node: split_words(tree, node) for node in range(tree.n_nodes)}
    roomy = written(flow_tree_plot(tree, theme="light", texts=texts, height=500, width_hint=1200))
    assert roomy == set(np.flatnonzero(tree.n_children > 0).tolist())
    tight = written(flow_tree_plot(tree, theme="light", texts=texts, height=90, width_hint=300))
    assert 0 < len(tight) < len(roomy)


def test_texts_cover_no_bar_and_no_other_text():
    tree = make_scene(1500, 5, 40).tree
    texts = {node: split_words(tree, node) for node in range(tree.n_nodes)}
    leaf = int(tree.depth.argmax())
    figure = flow_tree_plot(
        tree, theme="light", texts=texts, path=tree.path(leaf), height=400, width_hint=900
    )
    layout = flow_layout(tree, height=400, width=900, keep=[leaf])
    boxes = [(*box, node) for box, node, _ in text_boxes(figure, "test")]
    assert len(boxes) > 5
    for left, low, right, high, node in boxes:
        beside = (layout.x <= left) | (layout.x >= right)
        clear = (layout.y + layout.bar / 2 <= low) | (layout.y - layout.bar / 2 >= high)
        assert (beside | clear | (layout.node == node)).all()
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize(("n", "n_classes", "leaves"), [(600, 3, 6), (600, 3, 9), (1500, 4, 12)])
def test_with_room_tests_keep_off_the_path_and_begin_at_their_nodes(n, n_classes, leaves):
    """Where a test ends at its bar it stands in the column before, as if it were another node's."""
    tree = make_scene(n, n_classes, leaves).tree
    texts = {node: split_words(tree, node) for node in range(tree.n_nodes)}
    for leaf in np.flatnonzero(tree.n_children == 0).tolist():
        figure = flow_tree_plot(
            tree, theme="light", texts=texts, path=tree.path(leaf), height=700, width_hint=1600
        )
        (path,) = by_role(figure, "path")
        layout = flow_layout(tree, height=700, width=1600, keep=[leaf])
        bar = dict(zip(layout.node.tolist(), layout.x.tolist(), strict=True))
        for (left, low, right, high), node, _ in text_boxes(figure, "test"):
            inside = (path.x > left) & (path.x < right)
            assert not ((path.y[inside] > low) & (path.y[inside] < high)).any()
            assert left >= bar[node] - 5


def test_a_text_keeps_to_its_bar_whatever_the_size_of_the_picture(tree):
    """Letters are as large in a wide picture, and in one that is lowered to fit a window."""
    texts = {node: split_words(tree, node) for node in range(tree.n_nodes)}
    figure = flow_tree_plot(tree, theme="light", texts=texts, height=400, width_hint=700)
    layout, n_beside = flow_layout(tree, height=400, width=700), 0
    for trace in by_role(figure, "test"):
        for x, y, side, node in zip(
            trace.x, trace.y, trace.textposition, trace.customdata, strict=True
        ):
            (i,) = np.flatnonzero(layout.node == node)
            up, across = side.split()
            assert abs(x - layout.x[i]) <= Size.bar / 2 + (5 if up == "middle" else 0)
            n_beside += up != "middle"
            edge = layout.y[i] + layout.bar[i] / 2 * {"top": 1, "bottom": -1}.get(up, 0)
            assert up == "middle" or abs(y - edge) <= 2.01
            assert (across == "left") == (x > layout.x[i] and up != "middle")
    assert n_beside


@pytest.mark.parametrize("seed", range(4))
def test_a_small_tree_says_its_tests_and_answers_by_itself(seed):
    tree = make_scene(600, 3, 4 + seed).tree
    figure = flow_tree_plot(tree, theme="light", height=300, width_hint=900)
    inner = np.flatnonzero(tree.n_children).tolist()
    assert written(figure) == set(inner)
    answers = {
        int(node): (text, x, y)
        for trace in by_role(figure, "answer")
        for node, text, x, y in zip(trace.customdata, trace.text, trace.x, trace.y, strict=True)
    }
    layout = flow_layout(tree, height=300, width=900)
    place = {int(node): i for i, node in enumerate(layout.node)}
    for node in inner:
        for child, answer in zip(tree.children(node), ("yes", "no"), strict=True):
            text, x, y = answers[child]
            assert text == answer
            assert layout.x[place[node]] < x - text_width(text) < x < layout.x[place[child]]
            assert y == pytest.approx(layout.y[place[child]])
    assert by_role(flow_tree_plot(tree, theme="light", texts={}), "answer") == []


def test_a_tree_of_more_leaves_says_no_answers():
    tree = make_scene(600, 3, 9).tree
    assert tree.n_leaves == 9
    assert by_role(flow_tree_plot(tree, theme="light"), "test") == []
    assert by_role(flow_tree_plot(tree, theme="light", texts={0: "x"}), "answer") == []


def test_above_60_leaves_there_is_hover_only():
    tree = make_scene(1500, 5, 61).tree
    texts = {node: split_words(tree, node) for node in range(tree.n_nodes)}
    figure = flow_tree_plot(tree, theme="light", texts=texts, height=2000, width_hint=2000)
    assert by_role(figure, "test") == []


def test_what_is_hidden_is_said():
    tree = make_scene(5000, 5, None).tree
    figure = flow_tree_plot(tree, theme="light")
    (note,) = figure.layout.annotations
    (nodes,) = by_role(figure, "node")
    shown_leaves = len(nodes.customdata) - len(set(tree.parent[nodes.customdata[1:]]))
    assert note.text.startswith(f"{tree.n_leaves - shown_leaves} more leaves")


def test_one_leaf_is_a_bar_with_its_symbol():
    scene = stump_of_one_leaf()
    figure = flow_tree_plot(scene.tree, theme="light", selected=0)
    assert by_role(figure, "ribbon") == []
    (bar,), (leaf,) = by_role(figure, "bar"), by_role(figure, "leaf")
    assert len(drawn_boxes(bar)) == 1
    assert len(leaf.x) == 1
    assert len(figure.layout.shapes) == 1
