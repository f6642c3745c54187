"""Our trees against scikit-learn's: walked in step until a tie lets them part."""

import numpy as np

from lastviz.inspection import split_search


def best_is_unique(estimator, X, y, node):
    """Whether the best candidate is at least 1e-9 better than the second."""
    search = split_search(estimator, X, y, node)
    scores = np.sort(search.columns[search.rule.stages[-1].column])
    return len(scores) < 2 or scores[-1] - scores[-2] >= 1e-9


def compared_in_step(ours, theirs, X, y):
    """Compare a fitted estimator with a fitted ``sklearn.tree._tree.Tree``, node by node.

    Asserts that leaves, splits and impurities are equal wherever no candidate ties with the
    best; returns how many splits were compared.
    """
    tree, width = ours.tree_, np.ptp(X, axis=0)
    compared = 0
    waiting = [(0, 0, np.arange(len(X)))]
    while waiting:
        node, other, rows = waiting.pop()
        pure = theirs.impurity[other] < 1e-12  # weighted, it goes on where rounding leaves 1e-15
        assert tree.is_leaf(node) == (theirs.children_left[other] < 0 or pure)
        assert abs(tree.impurity[node] - theirs.impurity[other]) <= 1e-6 * theirs.impurity[0]
        weight = theirs.weighted_n_node_samples[other]
        assert abs(tree.weighted_n_node_samples[node] - weight) < 1e-6
        if tree.is_leaf(node):
            continue
        feature, threshold = theirs.feature[other], theirs.threshold[other]
        inside = X[rows, feature] <= threshold
        if best_is_unique(ours, X, y, node):
            compared += 1
            assert tree.feature[node] == feature
            assert abs(tree.threshold[node] - threshold) <= 1e-6 * width[feature]
        elif (inside != (X[rows, tree.feature[node]] <= tree.threshold[node])).any():
            continue  # a tie, which the two break in different ways
        first, second = tree.children(node)
        waiting.append((first, theirs.children_left[other], rows[inside]))
        waiting.append((second, theirs.children_right[other], rows[~inside]))
    return compared
