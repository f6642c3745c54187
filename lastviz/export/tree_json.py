"""A tree as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from lastviz.tree import CategorySplits, Kind, Missing, ObliqueSplits, Tree

from .code_words import labels_of, machines_refused, plain

__all__ = ["as_json", "tree_from_json"]

FORMAT = "lastviz tree 1"


def as_json(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return the structure of a tree as JSON; :func:`tree_from_json` reads it back.

    An object with "features", "categories" (of each feature, null if it is numeric), "classes",
    "missing" (what becomes of a missing value: "refuse", "fractions", "branch") and "nodes", in
    the order of their numbers: each with "parent", "rows" (weighted), "counts" of every class
    (of a regression tree the mean), "prediction" (position of its class, or the number) and,
    unless it is a leaf, "score", "children" and its "test": {"feature", "threshold"},
    {"weights", "threshold"} or {"feature", "branches"} with the position of a child for each
    category. A row takes the first child if its value, or the weighted sum of its values in the
    order of the features, is at most the threshold; a threshold of null asks whether the value
    is missing, and every row with one takes the first child. "missing_branch" is the position of
    the child of a row without a value, "share" a node's share of such a row. Which rows grew the
    tree is not in it.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree holds kernel machines.
    """
    machines_refused(tree, "JSON")
    whole = {
        "format": FORMAT,
        "features": list(tree.feature_names),
        "categories": [c and [plain(label) for label in c] for c in tree.feature_categories],
        "classes": labels_of(tree, labels),
        "missing": tree.missing.name.lower(),
    }
    nodes = [json.dumps(_node(tree, node)) for node in range(tree.n_nodes)]
    return json.dumps(whole)[:-1] + ', "nodes": [\n' + ",\n".join(nodes) + "\n]}\n"


def _node(tree: Tree, node: int) -> dict[str, object]:
    told = {
        "parent": int(tree.parent[node]),
        "rows": float(tree.weighted_n_node_samples[node]),
        "n_rows": int(tree.n_node_samples[node]),
        "counts": tree.value[node].tolist(),
        "prediction": tree.prediction[node].item(),
        "impurity": float(tree.impurity[node]),
    }
    if np.isfinite(tree.branch_weight[node]):
        told["share"] = float(tree.branch_weight[node])
    if tree.is_leaf(node):
        return told
    test = _test(tree, node)
    told |= {"score": float(tree.score[node]), "children": list(tree.children(node)), "test": test}
    if tree.missing_branch[node] >= 0:
        told["missing_branch"] = int(tree.missing_branch[node])
    return told


def _test(tree: Tree, node: int) -> dict[str, object]:
    row = tree.split_row[node]
    if tree.kind[node] == Kind.OBLIQUE:
        threshold = float(tree.oblique.threshold[row])
        return {"weights": tree.oblique.weights[row].tolist(), "threshold": threshold}
    feature = tree.feature[node]
    if tree.kind[node] == Kind.CATEGORIES:
        known = len(tree.feature_categories[feature])
        branches = tree.categories.branch[row, :known].tolist()
        return {"feature": tree.feature_names[feature], "branches": branches}
    threshold = None if tree.asks_missing(node) else float(tree.threshold[node])
    return {"feature": tree.feature_names[feature], "threshold": threshold}


def tree_from_json(text: str) -> Tree:
    """Return the tree that :func:`as_json` wrote: it routes and predicts as the first one did.

    It knows numbers of rows but not which rows: `samples` is empty and `key` 0.

    Raises
    ------
    ValueError
        If `text` is no JSON of that form.
    """
    try:
        whole = json.loads(text)
        if whole["format"] != FORMAT:
            raise ValueError(f"its format is {whole['format']!r}")
        return _built(whole)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ValueError(f"this is no JSON of a {FORMAT}: {error}") from error


def _built(whole: dict) -> Tree:
    nodes, features = whole["nodes"], tuple(whole["features"])
    structure, tests = _structure(nodes), _Tests(features)
    columns = [tests.read(node.get("test")) for node in nodes]
    kind, feature, threshold, split_row = zip(*columns, strict=True)
    return Tree(
        **structure,
        **_held(nodes, regression=not whole["classes"]),
        kind=np.array(kind, dtype=np.int8),
        feature=np.array(feature, dtype=np.intp),
        threshold=np.array(threshold, dtype=np.float64),
        split_row=np.array(split_row, dtype=np.intp),
        feature_names=features,
        classes=np.array([plain(label) for label in whole["classes"]]),
        feature_categories=tuple(c and tuple(c) for c in whole["categories"]),
        missing=Missing[whole["missing"].upper()],
        categories=CategorySplits.of([np.array(b) for b in tests.branches]),
        oblique=ObliqueSplits(
            np.array([w for w, _ in tests.hyperplanes]).reshape(-1, len(features)),
            np.array([end for _, end in tests.hyperplanes], dtype=np.float64),
        ),
    )


class _Tests:
    """Reads the tests, each into the table of its kind."""

    def __init__(self, features: tuple[str, ...]) -> None:
        self.features = features
        self.hyperplanes: list[tuple[list[float], float]] = []
        self.branches: list[list[int]] = []

    def read(self, test: dict | None) -> tuple[int, int, float, int]:
        """Return kind, feature, threshold and row of its table."""
        if test is None:
            return Kind.LEAF, -1, np.nan, -1
        if "weights" in test:
            self.hyperplanes.append((test["weights"], test["threshold"]))
            return Kind.OBLIQUE, -1, np.nan, len(self.hyperplanes) - 1
        feature = self.features.index(test["feature"])
        if "branches" in test:
            self.branches.append(test["branches"])
            return Kind.CATEGORIES, feature, np.nan, len(self.branches) - 1
        threshold = test["threshold"]
        return Kind.THRESHOLD, feature, np.inf if threshold is None else threshold, -1


def _structure(nodes: list[dict]) -> dict[str, np.ndarray]:
    children = [node.get("children", []) for node in nodes]
    parent = np.array([node["parent"] for node in nodes], dtype=np.intp)
    depth = np.zeros(len(nodes), dtype=np.intp)
    for node in range(1, len(nodes)):
        depth[node] = depth[parent[node]] + 1
    return {
        "parent": parent,
        "depth": depth,
        "first_child": np.array([c[0] if c else -1 for c in children], dtype=np.intp),
        "n_children": np.array([len(c) for c in children], dtype=np.intp),
        "score": np.array([node.get("score", np.nan) for node in nodes], dtype=np.float64),
        "missing_branch": np.array([node.get("missing_branch", -1) for node in nodes]),
        "branch_weight": np.array([node.get("share", np.nan) for node in nodes], dtype=np.float64),
    }


def _held(nodes: list[dict], *, regression: bool) -> dict[str, np.ndarray]:
    """Return what the nodes hold; whose rows they were is not told."""
    n, said = len(nodes), np.float64 if regression else np.intp

    def column(name: str, dtype: type) -> np.ndarray:
        return np.array([node[name] for node in nodes], dtype=dtype)

    return {
        "impurity": column("impurity", np.float64),
        "n_node_samples": column("n_rows", np.intp),
        "weighted_n_node_samples": column("rows", np.float64),
        "value": column("counts", np.float64),
        "prediction": column("prediction", said),
        "start": np.zeros(n, dtype=np.intp),
        "end": np.zeros(n, dtype=np.intp),
        "key": np.zeros(n, dtype=np.uint64),
        "grown_node": np.arange(n),
        "samples": np.empty(0, dtype=np.intp),
        "sample_weight": np.empty(0),
    }
