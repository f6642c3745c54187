"""Slow twins of the textbook's trees: algorithm 5.2 on categories, 5.5 on one number."""

import itertools
import math
from collections import Counter

import numpy as np

from tests import naive
from tests.random_trees import tree_of_categories


def entropy(labels):
    return naive.entropy(Counter(labels).values())


def gain(codes, labels):
    groups = {v: [k for c, k in zip(codes, labels, strict=True) if c == v] for v in set(codes)}
    return entropy(labels) - sum(len(g) / len(labels) * entropy(g) for g in groups.values())


def id3(codes, labels, categories, names, classes):
    """Grow the tree of algorithm 5.2: a branch for each category that the node's rows have."""
    nodes = [{"rows": list(range(len(labels))), "parent": -1, "says": None}]
    n_classes, used = len(classes), {0: set()}
    branches = []
    for i, node in enumerate(nodes):  # grows while it is read
        node["split"] = _best(codes, labels, node["rows"], used[i], len(categories))
        counts = np.bincount([labels[r] for r in node["rows"]], minlength=n_classes)
        node["counts"] = counts
        node["says"] = int(counts.argmax())
        if node["split"] is None:
            continue
        node["first"], feature = len(nodes), node["split"]
        branches.append(np.full(len(categories[feature]), -1))
        present = sorted({codes[r][feature] for r in node["rows"]})
        node["n_children"] = len(present)
        for branch, category in enumerate(present):
            branches[-1][category] = branch
            rows = [r for r in node["rows"] if codes[r][feature] == category]
            used[len(nodes)] = used[i] | {feature}
            nodes.append({"rows": rows, "parent": i})
    return _tree(nodes, branches, categories, names)


def _best(codes, labels, rows, used, n_features):
    here = [labels[r] for r in rows]
    if len(set(here)) < 2:
        return None
    gains = {f: gain([codes[r][f] for r in rows], here) for f in range(n_features) if f not in used}
    best = max(gains.values(), default=0.0)
    return next((f for f, g in gains.items() if g >= best - 1e-12), None) if best > 1e-12 else None


def _tree(nodes, branches, categories, names):
    first = np.array([node.get("first", -1) for node in nodes])
    feature = np.array([-1 if node["split"] is None else node["split"] for node in nodes])
    value = np.array([node["counts"] for node in nodes], dtype=float)
    rows = [(leaf, nodes[leaf]["rows"]) for leaf in np.flatnonzero(first < 0)]
    parent, n_children, says = (
        np.array([node.get(name, 0) for node in nodes]) for name in ("parent", "n_children", "says")
    )
    return tree_of_categories(
        parent, first, n_children, value, says, feature, names, categories, branches, rows
    )


def regression_nodes(x, y, low=-math.inf, high=math.inf, depth=0):
    """Yield (low, high, mean, loss, rows, depth, threshold) of every node of algorithm 5.5."""
    loss = sum((v - np.mean(y)) ** 2 for v in y)
    cuts = sorted(set(x))
    best = None
    for a, b in itertools.pairwise(cuts):
        sides = [
            [v for u, v in zip(x, y, strict=True) if (u <= a) == side] for side in (True, False)
        ]
        total = sum(sum((v - np.mean(s)) ** 2 for v in s) for s in sides)
        if loss > 1e-12 and (best is None or total < best[0] - 1e-12):
            best = total, (a + b) / 2
    threshold = math.nan if best is None else best[1]
    yield low, high, float(np.mean(y)), float(loss), len(y), depth, threshold
    if best is not None:
        for side, ends in ((True, (low, threshold)), (False, (threshold, high))):
            part = [(u, v) for u, v in zip(x, y, strict=True) if (u <= threshold) == side]
            yield from regression_nodes(*zip(*part, strict=True), *ends, depth + 1)
