"""A tree as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from lastviz.tree import Kind, ObliqueSplits, Tree

from .code_words import labels_of, machines_refused, plain

__all__ = ["as_json", "tree_from_json"]

FORMAT = "lastviz tree 1"


def as_json(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return the structure of a tree as JSON; :func:`tree_from_json` reads it back.

    An object with "features", "classes" and "nodes", in the order of their numbers: each with
    "parent", "rows" (weighted), "counts" of every class, "prediction" (position of its class)
    and, unless it is a leaf, "score", "children" and its "test": {"feature", "threshold"} or
    {"weights", "threshold"}. A row takes the first child if its value, or the weighted sum of
    its values in the order of the features, is at most the threshold. Names of the rows that
    grew the tree are not in it.

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
        "classes": labels_of(tree, labels),
    }
    nodes = [json.dumps(_node(tree, node)) for node in range(tree.n_nodes)]
    return json.dumps(whole)[:-1] + ', "nodes": [\n' + ",\n".join(nodes) + "\n]}\n"


def _node(tree: Tree, node: int) -> dict[str, object]:
    told = {
        "parent": int(tree.parent[node]),
        "rows": float(tree.weighted_n_node_samples[node]),
        "n_rows": int(tree.n_node_samples[node]),
        "counts": tree.value[node].tolist(),
        "prediction": int(tree.prediction[node]),
        "impurity": float(tree.impurity[node]),
    }
    if tree.is_leaf(node):
        return told
    test: dict[str, object] = {"feature": tree.feature_names[tree.feature[node]]}
    threshold = tree.threshold[node]
    if tree.kind[node] == Kind.OBLIQUE:
        row = tree.split_row[node]
        test = {"weights": tree.oblique.weights[row].tolist()}
        threshold = tree.oblique.threshold[row]
    test["threshold"] = float(threshold)
    told |= {"score": float(tree.score[node]), "children": list(tree.children(node)), "test": test}
    return told


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
    n, inner = len(nodes), [i for i, node in enumerate(nodes) if "test" in node]
    columns = {
        "first_child": np.full(n, -1, dtype=np.intp),
        "n_children": np.zeros(n, dtype=np.intp),
        "kind": np.full(n, Kind.LEAF, dtype=np.int8),
        "feature": np.full(n, -1, dtype=np.intp),
        "threshold": np.full(n, np.nan),
        "score": np.full(n, np.nan),
        "split_row": np.full(n, -1, dtype=np.intp),
        "depth": np.zeros(n, dtype=np.intp),
    }
    oblique: list[tuple[list[float], float]] = []
    for i in inner:
        node, test = nodes[i], nodes[i]["test"]
        columns["first_child"][i] = node["children"][0]
        columns["n_children"][i] = len(node["children"])
        columns["score"][i] = node["score"]
        columns["depth"][node["children"]] = columns["depth"][i] + 1
        if "weights" in test:
            columns["kind"][i], columns["split_row"][i] = Kind.OBLIQUE, len(oblique)
            oblique.append((test["weights"], test["threshold"]))
        else:
            columns["kind"][i] = Kind.THRESHOLD
            columns["feature"][i] = features.index(test["feature"])
            columns["threshold"][i] = test["threshold"]
    return Tree(
        **columns,
        **_held(nodes),
        feature_names=features,
        classes=np.array([plain(label) for label in whole["classes"]]),
        oblique=_hyperplanes(oblique, len(features)),
    )


def _hyperplanes(found: list[tuple[list[float], float]], n_features: int) -> ObliqueSplits:
    weights = np.array([w for w, _ in found], dtype=np.float64).reshape(-1, n_features)
    return ObliqueSplits(weights, np.array([threshold for _, threshold in found], dtype=np.float64))


def _held(nodes: list[dict]) -> dict[str, np.ndarray]:
    """Return what the nodes hold; whose rows they were is not told."""
    n = len(nodes)

    def column(name: str, dtype: type) -> np.ndarray:
        return np.array([node[name] for node in nodes], dtype=dtype)

    return {
        "parent": column("parent", np.intp),
        "impurity": column("impurity", np.float64),
        "n_node_samples": column("n_rows", np.intp),
        "weighted_n_node_samples": column("rows", np.float64),
        "value": column("counts", np.float64),
        "prediction": column("prediction", np.intp),
        "start": np.zeros(n, dtype=np.intp),
        "end": np.zeros(n, dtype=np.intp),
        "key": np.zeros(n, dtype=np.uint64),
        "grown_node": np.arange(n),
        "samples": np.empty(0, dtype=np.intp),
        "sample_weight": np.empty(0),
    }
