"""Alternating optimization row by row, with thresholds alone: slow and obvious."""

from collections import Counter
from itertools import pairwise


class Node:
    """A test `x[feature] <= threshold`, or a leaf (feature -1) that predicts `label`."""

    def __init__(self, tree, number, depth=0):
        self.number, self.depth = number, depth
        self.feature, self.threshold = int(tree.feature[number]), float(tree.threshold[number])
        self.label = int(tree.prediction[number])
        self.children = [Node(tree, child, depth + 1) for child in tree.children(number)]

    def child(self, x):
        return self.children[0 if x[self.feature] <= self.threshold else 1]

    def predict(self, x):
        return self.child(x).predict(x) if self.children else self.label

    def below(self):
        return [self] + [node for child in self.children for node in child.below()]


def alternate(tree, X, y, sweeps=20, cared_for=None):
    """Return the root of the improved tree, nothing removed yet, and the errors saved in turn.

    The care rows of the new tests are appended to `cared_for`.
    """
    root, saved = Node(tree, 0), []
    X = X.tolist()
    for _ in range(sweeps):
        before = len(saved)
        for node in sorted(root.below(), key=lambda node: (-node.depth, node.number)):
            rows = [i for i in range(len(y)) if passes(root, node, X[i])]
            if node.children:
                errors = wrong(root, X, y)
                care = care_rows(node, X, y, rows)
                if improve(node, X, care):
                    if cared_for is not None:
                        cared_for.append(sorted(care))
                    relabel(node, X, y, rows)
                    saved.append(errors - wrong(root, X, y))
        if len(saved) == before:
            return root, saved
    return root, saved


def passes(root, node, x):
    at = root
    while at is not node and at.children:
        at = at.child(x)
    return at is node


def wrong(root, X, y):
    return sum(root.predict(x) != label for x, label in zip(X, y, strict=True))


def care_rows(node, X, y, rows):
    """Return the rows that exactly one child predicts right, and whether it is the second."""
    one, two = node.children
    return {
        i: two.predict(X[i]) == y[i]
        for i in rows
        if (one.predict(X[i]) == y[i]) != (two.predict(X[i]) == y[i])
    }


def improve(node, X, care):
    """Give a node the test that sends the fewest rows the wrong way, if fewer than its own does."""
    if not care:
        return False

    def sent_wrong(feature, threshold):
        return sum((X[i][feature] > threshold) != second for i, second in care.items())

    best = None
    for feature in range(len(X[0])):
        values = sorted({X[i][feature] for i in care})
        cuts = [(a + b) / 2 for a, b in pairwise(values)] + values[-1:]
        for threshold in cuts:
            found = (sent_wrong(feature, threshold), feature, threshold)
            if best is None or found[0] < best[0]:
                best = found
    lowest = min(X[i][0] for i in care)
    lower = [x[0] for x in X if x[0] < lowest]
    all_second = (max(lower) + lowest) / 2 if lower else lowest - 1e-9
    if sent_wrong(0, all_second) < best[0]:
        best = (sent_wrong(0, all_second), 0, all_second)
    if best[0] >= sent_wrong(node.feature, node.threshold):
        return False
    node.feature, node.threshold = best[1:]
    return True


def relabel(node, X, y, rows):
    """Let all below a node predict their largest class; on a tie what they did before."""
    for other in node.below():
        here = Counter(int(y[i]) for i in rows if passes(node, other, X[i]))
        largest = max(here.values(), default=0)
        if here[other.label] < largest:
            other.label = min(c for c, count in here.items() if count == largest)


def stands(tree, X, y, node=0):
    """Return where a tree parts some rows, depth first: "leaf", or (first rows, below, below)."""
    rows = sorted(X)
    if len({int(y[i]) for i in rows}) == 1 or tree.is_leaf(node):
        return "leaf"
    one, two = tree.children(node)
    first = [i for i in rows if tree.apply(X[i][None])[0] in leaves_below(tree, one)]
    if len(first) in (0, len(rows)):
        return stands(tree, X, y, one if first else two)
    below = [{i: X[i] for i in some} for some in (first, sorted({*rows} - {*first}))]
    return first, stands(tree, below[0], y, one), stands(tree, below[1], y, two)


def leaves_below(tree, node):
    below = [leaf for child in tree.children(node) for leaf in leaves_below(tree, child)]
    return below or [node]
