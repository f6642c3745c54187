"""Models of LightGBM: the text that ``Booster.save_model`` writes.

Decisions are those of LightGBM's ``Tree::NumericalDecision`` and ``CategoricalDecision`` (tree.h):
doubles are compared by <=; a missing value counts as 0 unless the node knows missing values.
"""

from __future__ import annotations

import json

import numpy as np

from lastviz.export.checked_values import Value

from .nodes import (
    LEFT,
    MOST_CATEGORIES,
    NO_CLASSES,
    RIGHT,
    FileNode,
    Head,
    SumOfTrees,
    check_groups,
    no_support,
)

ZERO = float(np.float32(1e-35))  # numbers up to it are 0 for nodes that know zeros as missing
NO_MISSING, ZERO_MISSING = 0, 1
IS_NOMINAL, GOES_LEFT = 1, 2  # bits of decision_type, which missing values come after
NUMBERS = ("regression", "regression_l1", "huber", "fair", "quantile", "mape")
BY_EXPONENT = ("poisson", "gamma", "tweedie")
OBJECTIVES = ("binary", "multiclass", *NUMBERS, *BY_EXPONENT)


def from_text(text: str) -> SumOfTrees:
    """Model of the text that ``Booster.save_model`` writes."""
    trees, end, tail = text.partition("\nend of trees")
    head, *blocks = trees.split("\nTree=")
    if not blocks or not end:
        raise no_support("end of trees", "a file that ends before it", "the whole of save_model")
    head = _Block(head, "its head")
    pandas = [line for line in tail.splitlines() if line.startswith("pandas_categorical:")]
    columns = _columns(head, pandas[0].partition(":")[2] if pandas else "null")
    trees = [_Block(each, f"Tree={t}") for t, each in enumerate(blocks)]
    check_groups(sum(int(each.members.get("num_cat", "0")) for each in trees), columns)
    found = [_nodes(each, columns) for each in trees]
    (k,) = head.numbers("num_tree_per_iteration", 1, int)
    name, *settings = head.members.get("objective", "none").split()
    wrong = [
        each for each in settings if each.startswith(("sqrt", "sigmoid")) and each[-2:] != ":1"
    ]
    if name not in OBJECTIVES or wrong:
        raise no_support("objective", " ".join([name, *wrong]), ", ".join(OBJECTIVES))
    if k < 1 or len(found) % k:
        raise no_support("num_tree_per_iteration", f"{k} for {len(found)} trees")
    if "average_output" in head.members:
        for node in (node for tree in found for node in tree if node.value is not None):
            node.value /= len(found) // k
    classes = {"binary": np.arange(2), "multiclass": np.arange(k)}.get(name, NO_CLASSES)
    head = Head(columns.features, columns.categories, classes)
    by_score = [found[score::k] for score in range(k)]
    return SumOfTrees(np.zeros(k), by_score, head, "LightGBM", name in BY_EXPONENT)


class _Block:
    """Lines ``name=values`` of the head or of a tree."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        lines = (line.partition("=") for line in text.splitlines())
        self.members = {name: value for name, _, value in lines}

    def words(self, name: str) -> list[str]:
        """Values of a line."""
        if name not in self.members:
            raise no_support(self.where, f"a lack of {name}")
        return self.members[name].split()

    def numbers(self, name: str, n: int, kind: type = float) -> list:
        """Values of a line, `n` numbers."""
        try:
            found = [kind(word) for word in self.words(name)]
        except ValueError:
            found = []
        if len(found) != n or not all(abs(each) < 1e300 for each in found):
            raise no_support(self.where, f"anything but {n} numbers as {name}")
        return found


def _columns(head: _Block, pandas: str) -> Head:
    """Columns; categories by the names in a pandas table, else by number."""
    names, infos = head.words("feature_names"), head.words("feature_infos")
    nominal = [not info.startswith("[") and info != "none" for info in infos]
    try:
        known = json.loads(pandas) or []
        most = [max(map(int, info.split(":"))) if each else 0
                for info, each in zip(infos, nominal, strict=True)]  # fmt: skip
    except (ValueError, RecursionError):
        known, most = None, [0]
    fits = isinstance(known, list) and (not known or len(known) == sum(nominal))
    if not fits or len(names) != len(infos) or max(most, default=0) >= MOST_CATEGORIES:
        raise no_support(head.where, "a pandas_categorical, feature_names or feature_infos that "
                          "disagree")  # fmt: skip
    named = iter(known)
    categories = tuple(
        None if not each
        else tuple(Value(next(named), "pandas_categorical").labels()) if known
        else tuple(range(top + 1))
        for each, top in zip(nominal, most, strict=True)
    )  # fmt: skip
    return Head(tuple(names), categories, NO_CLASSES)


def _nodes(tree: _Block, columns: Head) -> list[FileNode]:
    if tree.members.get("is_linear", "0").strip() not in ("", "0"):
        raise no_support(tree.where, "linear models in its leaves", "linear_tree=false")
    (n_leaves,) = tree.numbers("num_leaves", 1, int)
    values = tree.numbers("leaf_value", n_leaves)
    if n_leaves == 1:
        return [FileNode(value=values[0])]
    rows, n = tree.numbers("leaf_count", n_leaves), n_leaves - 1
    feature, gain = tree.numbers("split_feature", n, int), tree.numbers("split_gain", n)
    threshold, bits = tree.numbers("threshold", n), tree.numbers("decision_type", n, int)
    left, right = tree.numbers("left_child", n, int), tree.numbers("right_child", n, int)
    groups = _groups(tree)
    nodes = []
    for i in range(n):
        children = tuple(c if c >= 0 else n + ~c for c in (left[i], right[i]))
        node = FileNode(children, feature[i], gain=gain[i], missing=RIGHT)
        if bits[i] & IS_NOMINAL and 0 <= feature[i] < len(columns.features):
            group = groups.get(threshold[i], np.empty(0, dtype=np.intp))
            node.branch = np.full(len(columns.categories[feature[i]] or ()), RIGHT)
            node.branch[group[group < len(node.branch)]] = LEFT
        else:
            node.threshold = threshold[i]
            _send_missing(node, bits[i] >> 2 & 3, bool(bits[i] & GOES_LEFT), f"{tree.where}, {i}")
        nodes.append(node)
    return nodes + [FileNode(value=v, rows=n) for v, n in zip(values, rows, strict=True)]


def _groups(tree: _Block) -> dict[int, np.ndarray]:
    """Codes of the categories that go left, by the number of their group."""
    n = int(tree.members.get("num_cat", "0"))
    ends = tree.numbers("cat_boundaries", n + 1, int) if n else [0]
    words = tree.numbers("cat_threshold", ends[-1], int) if n else []
    codes = {}
    for group in range(n):
        own = words[ends[group] : ends[group + 1]]
        bits = [32 * w + bit for w, word in enumerate(own) for bit in range(32) if word >> bit & 1]
        codes[group] = np.array(bits, dtype=np.intp)
    return codes


def _send_missing(node: FileNode, missing: int, goes_left: bool, where: str) -> None:
    """Set the branch of missing values; zeros go with their neighbours."""
    node.missing = LEFT if goes_left else RIGHT
    if missing == NO_MISSING:
        node.missing = LEFT if node.threshold >= 0 else RIGHT
    elif missing == ZERO_MISSING and -ZERO <= node.threshold < ZERO:  # all zeros go one way
        node.threshold = ZERO if goes_left else float(np.nextafter(-ZERO, -np.inf))
    elif missing == ZERO_MISSING and (node.threshold >= ZERO) != goes_left:
        raise no_support(where, "sending zeros elsewhere than the numbers beside them",
                          "zero_as_missing=false")  # fmt: skip
