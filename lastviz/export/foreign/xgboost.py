"""Models of XGBoost: the JSON that `save_model` writes.

Inputs and split values are numbers in single precision, and a row goes left if its value is less;
a category that a split lists goes right, a missing value where `default_left` says (XGBoost's
document "Introduction to Model IO" and its ``doc/model.schema``).
"""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np

from lastviz.estimators.scikit_learn import threshold_of_single
from lastviz.export.checked_values import MOST, Value

from .nodes import (
    LEFT,
    MOST_CATEGORIES,
    NO_CLASSES,
    RIGHT,
    FileNode,
    Head,
    SumOfTrees,
    before_single,
    check_groups,
    no_support,
    single,
)

NUMBERS = (
    "reg:squarederror", "reg:linear", "reg:absoluteerror", "reg:pseudohubererror",
    "reg:squaredlogerror",
)  # fmt: skip
BY_EXPONENT = ("count:poisson", "reg:gamma", "reg:tweedie")
TWO_CLASSES = ("binary:logistic", "binary:logitraw")
RAW = TWO_CLASSES[1]  # its base_score is a score since version 3
CLASSES = ("multi:softmax", "multi:softprob")
NOMINAL = "c"
PARTS = ("left_children", "right_children", "split_indices", "default_left", "split_type")


def from_json(document: Value) -> SumOfTrees:
    """Model of the JSON of ``Booster.save_model``."""
    learner = document.member("learner")
    booster, drop = learner.member("gradient_booster"), None
    name = booster.member("name").text()
    if name == "dart":
        drop, booster = booster.member("weight_drop"), booster.member("gbtree")
    elif name != "gbtree":
        raise no_support("gradient_booster", name[:40], "gbtree, dart")
    settings, model = learner.member("learner_model_param"), booster.member("model")
    k = max(_number(settings, "num_class"), 1)
    if settings.has("num_target") and _number(settings, "num_target") > 1:
        raise no_support("num_target", "a model of several targets", "1")
    objective = learner.member("objective").member("name").text()
    head = _head(learner, model, _number(settings, "num_feature"))
    grouped = [tree.member("categories_nodes") for tree in model.member("trees").items()]
    check_groups(sum(len(each.items()) for each in grouped), head)
    trees, scores = model.member("trees").items(), model.member("tree_info")
    scores = scores.integers(len(trees), 0, k)
    rates = np.ones(len(trees)) if drop is None else drop.reals((len(trees),))
    by_score: list[list[list[FileNode]]] = [[] for _ in range(k)]
    for tree, score, rate in zip(trees, scores.tolist(), rates.tolist(), strict=True):
        by_score[score].append(_nodes(tree, head, rate))
    version = document.member("version").integers(None, 0, 10**6).tolist()
    if objective == RAW and version < [3]:
        raise no_support("version", f"{RAW} before 3", "a model loaded and saved by XGBoost 3")
    start, classes = _start(settings.member("base_score"), objective, k)
    return SumOfTrees(
        start=start,
        trees=by_score,
        head=Head(head.features, head.categories, classes),
        algorithm="XGBoost",
        by_exponent=objective in BY_EXPONENT,
    )


def _number(settings: Value, name: str) -> int:
    given = settings.member(name)
    text = given.text()
    return Value(int(text) if text.isdecimal() and len(text) < 10 else text, given.where).integer(
        0, 10**6
    )


def _start(given: Value, objective: str, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores before the first tree, on the scale of the scores, and the classes."""
    text = given.text()
    try:
        listed = json.loads(text if text.startswith("[") else f"[{text}]")
    except ValueError:
        listed = []
    base = single(Value(listed, given.where).reals((len(listed),)))
    if len(base) not in (1, k):
        raise no_support(given.where, text[:40], f"{k} numbers")
    base = np.broadcast_to(base, k).copy()
    classes = NO_CLASSES
    with np.errstate(all="ignore"):
        if objective in TWO_CLASSES and k == 1:
            classes = np.arange(2)
            if objective != RAW:
                base = single(-np.log((np.float32(1) / base.astype(np.float32)) - np.float32(1)))
        elif objective in CLASSES and k > 1:
            classes = np.arange(k)
        elif objective in BY_EXPONENT:
            base = single(np.log(base.astype(np.float32)))
        elif objective not in NUMBERS:
            known = (*TWO_CLASSES, *CLASSES, *NUMBERS, *BY_EXPONENT)
            raise no_support("objective", objective[:40], ", ".join(known))
    if not np.isfinite(base).all():
        raise no_support(given.where, f"{text[:40]} of {objective}")
    return base, classes


def _head(learner: Value, model: Value, n: int) -> Head:
    """Columns by name; where the file has no names, as XGBoost calls them: f0, f1, ..."""
    given = learner.member("feature_names") if learner.has("feature_names") else None
    names = [name.text() for name in given.items()] if given is not None else []
    names = names or [f"f{i}" for i in range(n)]
    types = learner.member("feature_types").items() if learner.has("feature_types") else []
    nominal = [each.text() == NOMINAL for each in types] or [False] * n
    if not len(names) == len(nominal) == n:
        raise no_support("num_feature", f"{n} beside {len(names)} names of columns")
    stored = model.member("cats").member("enc").items() if model.has("cats") else []
    categories: list[tuple | None] = [None] * n
    for f in np.flatnonzero(nominal).tolist():
        named = _categories(stored[f]) if f < len(stored) else ()
        categories[f] = named or tuple(range(_most_code(model, f) + 1))
    return Head(tuple(names), tuple(categories), NO_CLASSES)


def _categories(stored: Value) -> tuple:
    """Categories of a column: bytes of texts in a row, or numbers."""
    values = stored.member("values")
    if not stored.has("offsets"):
        return tuple(values.labels())
    data = bytes(values.integers(None, -128, 256).astype(np.uint8).tolist())
    ends = stored.member("offsets").integers(None, 0, len(data) + 1).tolist()
    try:
        return tuple(data[a:b].decode() for a, b in pairwise(ends))
    except UnicodeDecodeError:
        raise no_support(values.where, "a text that is not UTF-8") from None


def _most_code(model: Value, feature: int) -> int:
    """Largest code of a category that a split of the column lists."""
    most = 0
    for tree in model.member("trees").items():
        asked = tree.member("split_indices").value
        for node, codes in _groups(tree).items():
            if isinstance(asked, list) and asked[node : node + 1] == [feature] and len(codes):
                most = max(most, int(codes.max()))
    return most


def _groups(tree: Value) -> dict[int, np.ndarray]:
    """Codes of categories that each split by categories lists, by its node."""
    codes = tree.member("categories").integers(None, 0, MOST_CATEGORIES)
    nodes = tree.member("categories_nodes").integers(None, 0, 10**7)
    start = tree.member("categories_segments").integers(len(nodes), 0, len(codes) + 1)
    size = tree.member("categories_sizes").integers(len(nodes), 0, len(codes) + 1)
    return {node: codes[a : a + n] for node, a, n in zip(
        nodes.tolist(), start.tolist(), size.tolist(), strict=True)}  # fmt: skip


def _nodes(tree: Value, head: Head, rate: float) -> list[FileNode]:
    n = len(tree.member("left_children").items())
    left, right, feature, goes_left, kind = (
        tree.member(name).integers(n, -1, 2**31) for name in PARTS
    )
    cut = single(tree.member("split_conditions").reals((n,), -MOST, MOST))
    width = tree.member("tree_param")
    if width.has("size_leaf_vector") and _number(width, "size_leaf_vector") > 1:
        raise no_support(tree.where, "a leaf of several numbers", "one_output_per_tree")
    gain = tree.member("loss_changes").reals((n,)) if tree.has("loss_changes") else np.full(n, 0.0)
    groups = _groups(tree) if kind.any() else {}
    # x < t of singles is x <= the number before it.
    threshold = threshold_of_single(before_single(cut))
    nodes = []
    for i in range(n):
        if left[i] < 0:
            nodes.append(FileNode(value=rate * cut[i]))
            continue
        node = FileNode((int(left[i]), int(right[i])), int(feature[i]), gain=float(gain[i]))
        node.missing = LEFT if goes_left[i] else RIGHT
        if kind[i] == 1:
            known = head.categories[node.feature] if node.feature < len(head.features) else None
            node.branch = np.full(len(known or ()), LEFT)
            listed = groups.get(i, np.empty(0, dtype=np.intp))
            node.branch[listed[listed < len(node.branch)]] = RIGHT
        else:
            node.threshold = float(threshold[i])
        nodes.append(node)
    return nodes
