"""Slow twins of the textbook's trees: algorithm 5.2 on categories, 5.5 on one number."""

import itertools
import math
from collections import Counter

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.tree import CategorySplits, Kind, Tree


def entropy(labels):
    n = len(labels)
    return -sum(c / n * math.log2(c / n) for c in Counter(labels).values())


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
    return _tree(nodes, branches, categories, names, classes)


def _best(codes, labels, rows, used, n_features):
    here = [labels[r] for r in rows]
    if len(set(here)) < 2:
        return None
    gains = {f: gain([codes[r][f] for r in rows], here) for f in range(n_features) if f not in used}
    best = max(gains.values(), default=0.0)
    return next((f for f, g in gains.items() if g >= best - 1e-12), None) if best > 1e-12 else None


def _tree(nodes, branches, categories, names, classes):
    n = len(nodes)
    parent = np.array([node["parent"] for node in nodes])
    first = np.array([node.get("first", -1) for node in nodes])
    inner = first >= 0
    feature = np.array([-1 if node["split"] is None else node["split"] for node in nodes])
    size = np.array([len(node["rows"]) for node in nodes])
    depth, key = np.zeros(n, dtype=np.intp), np.full(n, ROOT_KEY)
    start = np.zeros(n, dtype=np.intp)
    n_children = np.array([node.get("n_children", 0) for node in nodes])
    for node in range(1, n):
        above = parent[node]
        depth[node] = depth[above] + 1
        key[node] = child_keys(key[above], np.asarray(node - first[above]))
        start[node] = start[above] + size[first[above] : node].sum()
    samples = np.empty(size[0], dtype=np.intp)
    for node in np.flatnonzero(~inner):
        samples[start[node] : start[node] + size[node]] = nodes[node]["rows"]
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first,
        n_children=n_children,
        kind=np.where(inner, Kind.CATEGORIES, Kind.LEAF).astype(np.int8),
        feature=feature,
        threshold=np.full(n, np.nan),
        impurity=np.zeros(n),
        score=np.where(inner, 0.0, np.nan),
        n_node_samples=size,
        weighted_n_node_samples=size.astype(float),
        value=np.array([node["counts"] for node in nodes], dtype=float),
        prediction=np.array([node["says"] for node in nodes]),
        start=start,
        end=start + size,
        key=key,
        grown_node=np.where(inner, np.arange(n), -1),
        samples=samples,
        sample_weight=np.ones(size[0]),
        feature_names=tuple(names),
        classes=np.arange(len(classes)),
        split_row=np.where(inner, np.cumsum(inner) - 1, -1),
        feature_categories=tuple(categories),
        categories=CategorySplits.of(branches),
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
