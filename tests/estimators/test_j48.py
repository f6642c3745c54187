"""C4.5 beside Weka's J48: trees of nominal sets, node by node."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier

FIXTURES = Path(__file__).parents[1] / "fixtures" / "j48"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.dot"))


def j48_tree(text):
    """{node: (feature, {category: child})} or {node: (class, rows, errors)} of a leaf."""
    nodes, edges = {}, {}
    for line in text.splitlines():
        edge = re.match(r"N(\d+)->N(\d+) \[label=\"'= (.*)'\"\]", line)
        leaf = re.match(r"N(\d+) \[label=\"'(\S+) \(([\d.]+)(?:/([\d.]+))?\)'", line)
        inner = re.match(r'N(\d+) \[label="(\S+)" \]', line)
        if edge:
            edges.setdefault(int(edge[1]), {})[edge[3]] = int(edge[2])
        elif leaf:
            nodes[int(leaf[1])] = (leaf[2], float(leaf[3]), float(leaf[4] or 0))
        elif inner:
            nodes[int(inner[1])] = (int(inner[2][1:]),)
    return {n: (*found, edges[n]) if n in edges else found for n, found in nodes.items()}


def same(tree, node, theirs, number):
    """Compare the subtree of `node` with that of J48's node `number`; return its size."""
    found = theirs[number]
    if tree.is_leaf(node):
        label, n, errors = found
        value = tree.value[node]
        assert n == tree.weighted_n_node_samples[node]
        assert errors == pytest.approx(n - value.max())
        predicted = str(tree.classes[tree.prediction[node]])
        if n == 0:
            # J48's class of an empty leaf is the first of its parent's largest ones
            above = tree.value[tree.parent[node]]
            assert label == str(tree.classes[above.argmax()])
            assert above[tree.prediction[node]] == above.max()
        elif np.count_nonzero(value == value.max()) == 1:
            assert predicted == label
        return 1
    feature, edges = found
    assert feature == tree.feature[node]
    categories = tree.feature_categories[feature]
    assert list(edges) == [str(c) for c in categories]
    children = zip(tree.children(node), edges.values(), strict=True)
    return 1 + sum(same(tree, child, theirs, other) for child, other in children)


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_is_that_of_j48(name):
    table = pd.read_csv(FIXTURES / f"{name}.csv", dtype=str)
    theirs = j48_tree((FIXTURES / f"{name}.dot").read_text())
    estimator = C45Classifier(pruning="collapse", min_samples_leaf=1, threshold="value")
    tree = estimator.fit(table.iloc[:, :-1], table["class"].to_numpy()).tree_
    assert same(tree, 0, theirs, 0) == tree.n_nodes == len(theirs)


def test_there_are_nine_of_them_of_many_sizes():
    sizes = [len(j48_tree((FIXTURES / f"{name}.dot").read_text())) for name in NAMES]
    assert len(sizes) == 9
    assert min(sizes) == 5
    assert max(sizes) > 200
