"""Edits: what makes sense together, and which node a path names."""

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.splitters.edits import (
    CategorySplit,
    ClassSplit,
    Cut,
    ForcedSplit,
    Kept,
    MadeLeaf,
    ObliqueSplit,
    Split,
    Without,
    checked_edits,
    growth_edits,
    node_at,
    path_of,
    path_words,
)


def test_edits_are_sorted_by_path_from_the_root_down():
    leaf, forced, kept = MadeLeaf((1, 0)), ForcedSplit((), Split(0, 0.5)), Kept((0,))
    assert checked_edits([leaf, kept, forced]) == (forced, kept, leaf)


def test_growth_and_pruning_are_decided_apart():
    edits = checked_edits([Cut(()), ForcedSplit((), Split(0, 0.5)), Without((), (1,), below=True)])
    assert len(edits) == 3
    assert Cut(()) not in growth_edits(edits)
    assert len(growth_edits(edits)) == 2


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ([MadeLeaf((0,)), ForcedSplit((0,), Split(0, 0.5))], "the node 1 decide the same"),
        ([Cut(()), Kept(())], "the root decide the same"),
        ([MadeLeaf((k,)) for k in range(49)], "at most 48 edits can be made to a tree, got 49"),
        ([MadeLeaf([0])], "must be a tuple of branch numbers"),
        ([MadeLeaf((-1,))], "must be a tuple of branch numbers"),
        ([MadeLeaf((0.5,))], "must be a tuple of branch numbers"),
        ([Without((), ())], "rising column numbers"),
        ([Without((), (2, 1))], "rising column numbers"),
        ([Without((), (-1,))], "rising column numbers"),
        ([ForcedSplit((), Split(0, float("nan")))], "must be a number, got NaN"),
    ],
)
def test_senseless_edits_are_refused_in_a_sentence(edits, words):
    with pytest.raises(ValueError, match=words):
        checked_edits(edits)


@pytest.mark.parametrize("edits", [[3], [ForcedSplit((), 0.5)]])
def test_what_is_no_edit_is_refused(edits):
    with pytest.raises(TypeError, match="must be"):
        checked_edits(edits)


def test_forced_splits_are_equal_if_they_make_the_same_test():
    weights = np.array([0.5, -1.25])
    pairs = [
        (Split(0, 0.5, score=1.0), Split(0, 0.5)),
        (ObliqueSplit(weights, 0.75), ObliqueSplit(weights.copy(), 0.75)),
        (CategorySplit(1, np.array([0, 1, 0])), CategorySplit(1, np.array([0, 1, 0]))),
        (ClassSplit((2,)), ClassSplit((2,))),
    ]
    for one, other in pairs:
        assert ForcedSplit((0,), one) == ForcedSplit((0,), other)
        assert hash(ForcedSplit((0,), one)) == hash(ForcedSplit((0,), other))
        assert ForcedSplit((0,), one) != ForcedSplit((1,), other)
    firsts = [ForcedSplit((), one) for one, _ in pairs]
    assert len({*firsts}) == len(firsts)


def test_a_path_names_one_node_of_a_tree():
    iris = load_dataset("iris")
    tree = CARTClassifier().fit(iris.X, iris.y).tree_
    for node in range(tree.n_nodes):
        assert node_at(tree, path_of(tree, node)) == node
    assert node_at(tree, (0, 0)) is None
    assert node_at(tree, (2,)) is None


def test_paths_are_said_with_branches_from_one():
    assert path_words(()) == "the root"
    assert path_words((0, 1)) == "the node 1.2"
