"""A tree as JSON, and back."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
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
    entry = {
        "parent": int(tree.parent[node]),
        "rows": float(tree.weighted_n_node_samples[node]),
        "n_rows": int(tree.n_node_samples[node]),
        "counts": tree.value[node].tolist(),
        "prediction": tree.prediction[node].item(),
        "impurity": float(tree.impurity[node]),
    }
    if np.isfinite(tree.branch_weight[node]):
        entry["share"] = float(tree.branch_weight[node])
    if tree.is_leaf(node):
        return entry
    test = _test(tree, node)
    entry |= {"score": float(tree.score[node]), "children": list(tree.children(node)), "test": test}
    if tree.missing_branch[node] >= 0:
        entry["missing_branch"] = int(tree.missing_branch[node])
    return entry


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

    It knows numbers of rows but not which rows: `samples` is empty.

    Raises
    ------
    ValueError
        If `text` is no JSON of that form, or says of a tree what cannot be; the message names
        the place, such as ``nodes[3].test.threshold``.
    """
    try:
        tree = _built(_Value(_parsed(text), ""))
        tree.validate()
    except ValueError as error:
        raise ValueError(f"this is no JSON of a {FORMAT}: {error}") from error
    return tree


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"it cannot be read ({error})") from error


MOST = 1e200
"""Numbers of rows and values that nodes hold stay below, so that their sums are finite."""
_MISSING = {missing.name.lower(): missing for missing in Missing}


@dataclass(frozen=True)
class _Value:
    """A part of a document and where it stands; what it must be is asked of it."""

    value: object
    where: str

    def refuse(self, wanted: str) -> NoReturn:
        shown = repr(self.value)
        shown = shown if len(shown) <= 40 else f"{shown[:39]}…"
        raise ValueError(f"{self.where or 'the document'} must be {wanted}, got {shown}")

    def has(self, name: str) -> bool:
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return name in self.value

    def member(self, name: str) -> _Value:
        where = f"{self.where}.{name}" if self.where else name
        if not self.has(name):
            raise ValueError(f"{where} is missing")
        return _Value(self.value[name], where)

    def items(self, n: int | None = None) -> list[_Value]:
        if not isinstance(self.value, list) or n not in (None, len(self.value)):
            self.refuse("a list" if n is None else f"a list of {n}")
        return [_Value(item, f"{self.where}[{i}]") for i, item in enumerate(self.value)]

    def text(self, *words: str) -> str:
        if not isinstance(self.value, str) or (words and self.value not in words):
            self.refuse(f"one of {', '.join(words)}" if words else "a text")
        return self.value

    def whole(self, low: int, high: int) -> int:
        """Return a whole number of low, ..., high - 1."""
        if type(self.value) is not int or not low <= self.value < high:
            self.refuse(f"a whole number from {low} to {high - 1}")
        return self.value

    def real(self, low: float = -MOST, high: float = MOST) -> float:
        """Return a finite number between the two, both included."""
        if type(self.value) not in (int, float) or not low <= self.value <= high:
            self.refuse(f"a number from {low:g} to {high:g}")
        return float(self.value)

    def score(self) -> float:
        """Return a number that need not be finite."""
        if type(self.value) is int:
            return self.real()
        return self.value if type(self.value) is float else self.refuse("a number")

    def label(self) -> str | bool | int | float:
        if not isinstance(self.value, str | bool | int | float) or self.value != self.value:
            self.refuse("a text or a number")
        return self.value

    def distinct(self, found: list) -> list:
        if len(set(found)) < len(found):
            self.refuse("a list without repetitions")
        return found


def _built(whole: _Value) -> Tree:
    whole.member("format").text(FORMAT)
    names = whole.member("features")
    features = tuple(names.distinct([name.text() for name in names.items()]))
    categories = [
        None if known.value is None else tuple(known.distinct([c.label() for c in known.items()]))
        for known in whole.member("categories").items(len(features))
    ]
    labels = whole.member("classes")
    classes = labels.distinct([label.label() for label in labels.items()])
    nodes = whole.member("nodes").items()
    if not nodes:
        whole.member("nodes").refuse("a list of at least one node")
    tests = _Tests(features, categories)
    structure = _structure(nodes)
    columns = [
        tests.read(node, n) for node, n in zip(nodes, structure["n_children"].tolist(), strict=True)
    ]
    kind, feature, threshold, split_row = zip(*columns, strict=True)
    one_type = len({type(label) for label in classes}) <= 1
    return Tree(
        **structure,
        **_held(nodes, len(classes)),
        kind=np.array(kind, dtype=np.int8),
        feature=np.array(feature, dtype=np.intp),
        threshold=np.array(threshold, dtype=np.float64),
        split_row=np.array(split_row, dtype=np.intp),
        feature_names=features,
        classes=np.array(classes) if one_type else np.array(classes, dtype=object),
        feature_categories=tuple(categories),
        missing=_MISSING[whole.member("missing").text(*_MISSING)],
        categories=CategorySplits.of([np.array(b, dtype=np.intp) for b in tests.branches]),
        oblique=ObliqueSplits(
            np.array([w for w, _ in tests.hyperplanes]).reshape(-1, len(features)),
            np.array([end for _, end in tests.hyperplanes], dtype=np.float64),
        ),
    )


class _Tests:
    """Reads the tests, each into the table of its kind."""

    def __init__(self, features: tuple[str, ...], categories: list[tuple | None]) -> None:
        self.features, self.categories = features, categories
        self.hyperplanes: list[tuple[list[float], float]] = []
        self.branches: list[list[int]] = []

    def read(self, node: _Value, n_children: int) -> tuple[int, int, float, int]:
        """Return kind, feature, threshold and row of its table."""
        if not n_children:
            if node.has("test"):
                raise ValueError(f"{node.where} has a test but no children")
            return Kind.LEAF, -1, np.nan, -1
        test, largest = node.member("test"), sys.float_info.max
        if test.has("weights"):
            weights = test.member("weights").items(len(self.features))
            weights = [weight.real(-largest, largest) for weight in weights]
            self.hyperplanes.append((weights, test.member("threshold").real(-largest, largest)))
            return Kind.OBLIQUE, -1, np.nan, len(self.hyperplanes) - 1
        feature = self.features.index(test.member("feature").text(*self.features))
        known = self.categories[feature]
        if known is not None:
            branches = test.member("branches").items(len(known))
            self.branches.append([branch.whole(-1, n_children) for branch in branches])
            return Kind.CATEGORIES, feature, np.nan, len(self.branches) - 1
        threshold = test.member("threshold")
        cut = np.inf if threshold.value is None else threshold.real(-largest, largest)
        return Kind.THRESHOLD, feature, cut, -1


def _structure(nodes: list[_Value]) -> dict[str, np.ndarray]:
    n = len(nodes)
    children = [_children(node, i, n) for i, node in enumerate(nodes)]
    parent = [node.member("parent").whole(min(i - 1, 0), i) for i, node in enumerate(nodes)]
    depth, key = np.zeros(n, dtype=np.intp), np.full(n, ROOT_KEY)
    for node in range(1, n):
        above = parent[node]
        if node not in children[above]:
            raise ValueError(f"nodes[{node}].parent is {above}, which does not have this child")
        depth[node] = depth[above] + 1
        key[node] = child_keys(key[above], np.asarray(children[above].index(node)))

    def branch(node: _Value, n_children: int) -> int:
        given = node.has("missing_branch")
        return node.member("missing_branch").whole(0, n_children) if given else -1

    return {
        "parent": np.array(parent, dtype=np.intp),
        "depth": depth,
        "key": key,
        "first_child": np.array([c[0] if c else -1 for c in children], dtype=np.intp),
        "n_children": np.array([len(c) for c in children], dtype=np.intp),
        "score": np.array(
            [node.member("score").score() if node.has("score") else np.nan for node in nodes]
        ),
        "missing_branch": np.array(
            [branch(node, len(c)) for node, c in zip(nodes, children, strict=True)]
        ),
        "branch_weight": np.array(
            [node.member("share").real(0.0, 1.0) if node.has("share") else np.nan for node in nodes]
        ),
    }


def _children(node: _Value, i: int, n: int) -> list[int]:
    """Return the numbers of a node's children, which lie side by side after it."""
    if not node.has("children"):
        return []
    given = node.member("children")
    found = [child.whole(i + 1, n) for child in given.items()]
    if not found or found != list(range(found[0], found[0] + len(found))):
        given.refuse("a list of numbers that follow each other")
    return found


def _held(nodes: list[_Value], n_classes: int) -> dict[str, np.ndarray]:
    """Return what the nodes hold; whose rows they were is not known. No classes: numbers."""
    n, low = len(nodes), 0.0 if n_classes else -MOST

    def column(name: str, low: float) -> np.ndarray:
        return np.array([node.member(name).real(low) for node in nodes])

    def predicted(node: _Value) -> int | float:
        prediction = node.member("prediction")
        return prediction.whole(0, n_classes) if n_classes else prediction.real()

    counts = [node.member("counts").items(n_classes or 1) for node in nodes]
    return {
        "impurity": column("impurity", -MOST),
        "n_node_samples": np.array([node.member("n_rows").whole(0, 2**53) for node in nodes]),
        "weighted_n_node_samples": column("rows", 0.0),
        "value": np.array([[count.real(low) for count in row] for row in counts]),
        "prediction": np.array([predicted(node) for node in nodes]),
        "start": np.zeros(n, dtype=np.intp),
        "end": np.zeros(n, dtype=np.intp),
        "grown_node": np.arange(n),
        "samples": np.empty(0, dtype=np.intp),
        "sample_weight": np.empty(0),
    }
