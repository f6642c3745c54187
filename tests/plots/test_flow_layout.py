"""Geometry of the flow tree, for trees from one leaf to hundreds."""

import numpy as np
import pytest

from lastviz.plots.visuals.flow_layout import MAX_LEAVES, flow_layout, smoothstep, strips

from .conftest import make_scene, stump_of_one_leaf

SIZES = (2, 3, 8, 60, 150)


@pytest.fixture(params=SIZES, ids=lambda n: f"{n} leaves")
def tree(request):
    return make_scene(1500, 5, request.param).tree


def tops(layout):
    return layout.y + layout.bar / 2


def bottoms(layout):
    return layout.y - layout.bar / 2


def test_nodes_lie_inside_without_overlap_in_the_middle_of_their_children(tree):
    layout = flow_layout(tree, width=500, height=150)
    assert bottoms(layout).min() >= 0
    assert tops(layout).max() <= 150
    assert layout.x.min() >= 0
    assert layout.x.max() <= 500
    layout = flow_layout(tree)
    top, bottom = tops(layout), bottoms(layout)
    assert layout.leaf.sum() == tree.n_leaves
    for column in (layout.leaf, *(layout.x == x for x in np.unique(layout.x))):
        here = np.flatnonzero(column)
        here = here[np.argsort(-layout.y[here])]
        assert (bottom[here[:-1]] >= top[here[1:]] - 1e-9).all()
    for i in np.flatnonzero(~layout.leaf):
        children = np.flatnonzero(layout.parent == i)
        assert layout.y[i] == pytest.approx((top[children[0]] + bottom[children[-1]]) / 2)
        assert layout.node[children[0]] == tree.first_child[layout.node[i]]
        assert layout.y[children[0]] > layout.y[children[1]]
    step = np.diff(np.unique(layout.x))
    assert np.allclose(step, step[0])
    order = np.argsort(layout.x, kind="stable")
    assert (np.diff(tree.depth[layout.node[order]]) >= 0).all()
    for i in np.flatnonzero(layout.leaf):  # room is the distance to the next leaf of the column
        others = layout.leaf & (layout.x == layout.x[i])
        others[i] = False
        nearest = np.abs(layout.y[others] - layout.y[i]).min(initial=np.inf)
        assert layout.room[i] == pytest.approx(nearest)


def test_heights_are_rows_and_strips_fill_them_without_gap_in_class_order(tree):
    layout = flow_layout(tree)
    np.testing.assert_allclose(
        layout.height, layout.scale * tree.weighted_n_node_samples[layout.node]
    )
    assert (layout.bar >= layout.height - 1e-12).all()
    assert layout.bar.min() > 0
    strip = strips(layout, tree)
    parent = layout.parent[strip.child]
    into = np.bincount(strip.child, strip.height, minlength=len(layout.node))
    np.testing.assert_allclose(into[1:], layout.height[1:])
    out = np.bincount(parent, strip.height, minlength=len(layout.node))
    np.testing.assert_allclose(out[~layout.leaf], layout.height[~layout.leaf])
    for top, at in ((strip.top_start, parent), (strip.top_end, strip.child)):
        for i in np.unique(at):
            here = np.flatnonzero(at == i)
            here = here[np.argsort(-top[here], kind="stable")]
            assert top[here[0]] == pytest.approx(layout.y[i] + layout.height[i] / 2)
            np.testing.assert_allclose(top[here[1:]], (top - strip.height)[here[:-1]], atol=1e-9)
            assert at is not parent or (np.diff(strip.label[here]) >= 0).all()


def test_thin_strips_are_left_out_but_no_edge_is():
    scene = make_scene(1500, 5, 150)
    layout = flow_layout(scene.tree)
    few, every = strips(layout, scene.tree, least=1.0), strips(layout, scene.tree)
    assert len(few.child) < len(every.child)
    assert set(few.child) == set(range(1, len(layout.node)))


def test_one_leaf_stands_alone_in_the_middle():
    tree = stump_of_one_leaf().tree
    layout = flow_layout(tree, height=150)
    assert len(layout.node) == 1
    assert layout.leaf.all()
    assert layout.y[0] == pytest.approx(75)
    assert 0.5 * 150 > layout.bar[0] > 0.3 * 150
    assert len(strips(layout, tree).child) == 0


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_cut_tree_ends_at_its_depth(depth):
    tree = make_scene(1500, 5, 60).tree
    layout = flow_layout(tree, depth=depth)
    assert tree.depth[layout.node].max() == depth
    assert layout.leaf[tree.depth[layout.node] == depth].all()
    assert layout.hidden_leaves == 0
    leaf_rows = tree.n_node_samples[layout.node[layout.leaf]].sum()
    assert leaf_rows == tree.n_node_samples[0]


def test_many_leaves_collapse_by_support_but_what_must_be_kept_is_drawn():
    tree = make_scene(5000, 5, None).tree
    layout = flow_layout(tree)
    assert tree.n_leaves > MAX_LEAVES >= layout.n_leaves > MAX_LEAVES / 2
    assert layout.hidden_leaves == tree.n_leaves - layout.n_leaves
    closed = layout.node[layout.leaf & (tree.n_children[layout.node] > 0)]
    opened = layout.node[~layout.leaf]
    assert tree.n_node_samples[closed].max() < layout.least_rows
    assert tree.n_node_samples[opened].min() == layout.least_rows
    deepest = int(tree.depth.argmax())
    assert deepest not in flow_layout(tree).node
    layout = flow_layout(tree, keep=[deepest])
    assert deepest in layout.node
    assert set(layout.parent) <= set(range(-1, len(layout.node)))


def test_curves_leave_and_arrive_level():
    curve = smoothstep(np.array([0.0]), np.array([10.0]), 201)[0]
    assert curve[0] == 0
    assert curve[-1] == 10
    assert curve[100] == pytest.approx(5)
    assert curve[1] - curve[0] < 0.01
    assert (np.diff(curve) >= 0).all()
