import numpy as np
import pytest

from lastviz.plots.visuals.plane import below, select

from .conftest import make_scene


def test_below_is_the_subtree_and_a_node_below_the_cut_gives_way_to_its_ancestor():
    tree = make_scene(400, 3, 30).tree
    for node in range(tree.n_nodes):
        np.testing.assert_array_equal(np.flatnonzero(below(tree, [node])), tree.subtree(node))
    deepest = int(tree.depth.argmax())
    selection = select(tree, deepest, 2)
    assert tree.depth[selection.node] == 2
    assert selection.path == tuple(tree.path(deepest)[:3])
    assert selection.inside[deepest]


def test_without_a_node_everything_is_inside():
    selection = select(make_scene().tree, None, None)
    assert selection.node is None
    assert selection.inside.all()


@pytest.mark.parametrize("node", [-1, 10_000])
def test_an_unknown_node_is_named(node):
    with pytest.raises(ValueError, match=f"node from 0 to .* got {node}"):
        select(make_scene().tree, node, None)


def test_a_negative_depth_is_refused():
    with pytest.raises(ValueError, match="depth must be >= 0 or None, got -1"):
        select(make_scene().tree, None, -1)
