import numpy as np

from lastviz import AdaBoostM1Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import forest_overview


def test_the_overview_counts_what_the_trees_do():
    data = load_dataset("monotone", n_samples=200, n_classes=4)
    X = data.X.to_numpy()
    forest = AdaBoostM1Classifier(n_estimators=5).fit(X, data.codes)
    found = forest_overview(forest, X)
    trees = [each.tree_ for each in forest.estimators_]
    for t, tree in enumerate(trees):
        assert (found.n_nodes[t], found.n_leaves[t]) == (tree.n_nodes, tree.n_leaves)
        assert found.agreement[t] == np.mean(tree.predict(X) == forest.predict(X))
    splits = np.zeros((2, found.depth.max()))
    for tree in trees:
        for node in np.flatnonzero(tree.n_children > 0):
            part = tree.weighted_n_node_samples[node] / tree.weighted_n_node_samples[0]
            splits[tree.feature[node], tree.depth[node]] += part / len(trees)
    np.testing.assert_allclose(found.splits, splits)
    np.testing.assert_allclose(found.splits[:, 0].sum(), 1.0)
    assert found.agreement[found.representative] == found.agreement.max()
    assert found.trees_with.max() <= len(trees)
