"""Models of CatBoost: the JSON that ``save_model(..., format="json")`` writes.

A row's place among the leaves of an oblivious tree has a bit for each split, the first one lowest:
1 if the value, in single precision, is above the border, or if it is the category (CatBoost's
document "Model export as JSON").
"""

from __future__ import annotations

import numpy as np

from lastviz.estimators.scikit_learn import threshold_of_single
from lastviz.export.checked_values import MOST, Value

from .nodes import (
    LEFT,
    NO_CLASSES,
    NOWHERE,
    RIGHT,
    FileNode,
    Head,
    SumOfTrees,
    check_groups,
    no_support,
    single,
)

DEEPEST = 16  # CatBoost's own limit
TREATMENTS = {"AsIs": LEFT, "AsFalse": LEFT, "AsTrue": RIGHT}
NUMBERS = ("RMSE", "MAE", "Quantile", "Huber", "LogCosh", "MAPE", "Lq", "Expectile")
BY_EXPONENT = ("Poisson", "Tweedie")


def from_json(document: Value) -> SumOfTrees:
    """Model of CatBoost's JSON."""
    if not document.has("oblivious_trees"):
        raise no_support("trees", "another grow_policy", "grow_policy=SymmetricTree")
    info, columns = document.member("features_info"), {}
    for kind in ("text_features", "embedding_features"):
        if info.has(kind) and info.member(kind).items():
            raise no_support("features_info", kind, "numbers, categories")
    floats = info.member("float_features").items() if info.has("float_features") else []
    nominal = (
        info.member("categorical_features").items() if info.has("categorical_features") else []
    )
    hashes = _hashes(info) if nominal else {}
    for each in (*floats, *nominal):
        columns[each.member("flat_feature_index").integer(0, 10**6)] = each
    places = {place: f for f, place in enumerate(sorted(columns))}
    names = tuple(_name(columns[place], place) for place in sorted(columns))
    known: list[tuple | None] = [None] * len(names)
    asked = [places[each.value["flat_feature_index"]] for each in floats]
    grouped = [places[each.value["flat_feature_index"]] for each in nominal]
    for f in grouped:
        known[f] = tuple(hashes.values())
    missing = [TREATMENTS[each.member("nan_value_treatment").text(*TREATMENTS)] for each in floats]
    trees = document.member("oblivious_trees").items()
    head = Head(names, tuple(known), NO_CLASSES)
    depths = [min(len(tree.member("splits").items()), DEEPEST + 1) for tree in trees]
    check_groups(sum(2**depth for depth in depths), head)
    scale, bias = _scale(document)
    k = len(bias)
    by_score: list[list[list[FileNode]]] = [[] for _ in range(k)]
    for tree in trees:
        splits = [_split(each, asked, missing, grouped, hashes)
                  for each in tree.member("splits").items()]  # fmt: skip
        if len(splits) > DEEPEST:
            raise no_support(tree.where, f"a depth above {DEEPEST}")
        n = 2 ** len(splits)
        values = tree.member("leaf_values").reals((k * n,)).reshape(n, k) * scale
        rows = tree.member("leaf_weights").reals((n,), 0.0) if tree.has("leaf_weights") else None
        for score in range(k):
            by_score[score].append(_nodes(splits, values[:, score], rows))
    classes, by_exponent = _classes(document.member("model_info"), k)
    return SumOfTrees(bias, by_score, Head(names, tuple(known), classes), "CatBoost", by_exponent)


def _scale(document: Value) -> tuple[float, np.ndarray]:
    if not document.has("scale_and_bias"):
        return 1.0, np.zeros(1)
    scale, bias = document.member("scale_and_bias").items(2)
    if not isinstance(bias.value, list):
        bias = Value([bias.value], bias.where)
    return scale.real(), bias.reals((max(len(bias.items()), 1),))


def _classes(info: Value, k: int) -> tuple[np.ndarray, bool]:
    """Classes, none of numbers, and whether a number is e to the score."""
    settings = info.value.get("params") if isinstance(info.value, dict) else None
    loss = settings.get("loss_function") if isinstance(settings, dict) else None
    loss = str(loss.get("type", "")) if isinstance(loss, dict) else ""
    if info.has("class_params"):
        named = info.member("class_params").member("class_names")
        classes = named.labels()
        if len(classes) != (k if k > 1 else 2) or loss == "MultiClassOneVsAll":
            what = f"{loss} of {len(classes)} classes by {k} scores"
            raise no_support("loss_function", what, "Logloss, MultiClass")
        one_type = len({type(label) for label in classes}) == 1
        return np.array(classes, dtype=None if one_type else object), False
    if k > 1 or (loss and loss not in NUMBERS + BY_EXPONENT):
        known = ", ".join(("Logloss", "MultiClass", *NUMBERS, *BY_EXPONENT))
        raise no_support("loss_function", loss[:40], known)
    return NO_CLASSES, loss in BY_EXPONENT


def _hashes(info: Value) -> dict[int, str]:
    """Categories of all columns by the number that CatBoost makes of each."""
    if not info.has("cat_features_hash"):
        raise no_support("features_info", "categories without cat_features_hash",
                          "save_model(..., pool=the training data)")  # fmt: skip
    return {
        each.member("hash").integer(-(2**31), 2**32) % 2**32: each.member("value").text()
        for each in info.member("cat_features_hash").items()
    }


def _name(column: Value, place: int) -> str:
    for member in ("feature_name", "feature_id"):
        if column.has(member) and column.member(member).text():
            return column.member(member).text()
    return str(place)


def _split(
    given: Value, asked: list[int], missing: list[int], grouped: list[int], hashes: dict[int, str]
) -> FileNode:
    """Split without its children."""
    kind = given.member("split_type").text()
    if kind == "FloatFeature":
        number = given.member("float_feature_index").integer(0, len(asked))
        border = float(threshold_of_single(single(given.member("border").real(-MOST, MOST))))
        return FileNode((), asked[number], border, missing=missing[number])
    if kind != "OneHotFeature":
        raise no_support(given.where, f"{kind[:40]}, a statistic of the training data",
                          "one_hot_max_size of all categories")  # fmt: skip
    number = given.member("cat_feature_index").integer(0, len(grouped))
    value = given.member("value").integer(-(2**31), 2**32) % 2**32
    branch = np.array([RIGHT if each == value else LEFT for each in hashes])
    return FileNode((), grouped[number], branch=branch, missing=NOWHERE)


def _nodes(splits: list[FileNode], values: np.ndarray, rows: np.ndarray | None) -> list[FileNode]:
    """Nodes of an oblivious tree, its last split at the root."""
    nodes: list[FileNode] = []
    none: dict[int, tuple[float, float]] = {}
    waiting = [(len(splits) - 1, 0, none, None)]
    while waiting:
        depth, leaf, ends, parent = waiting.pop()
        while depth >= 0:  # a border that earlier ones decide
            split = splits[depth]
            low, high = ends.get(split.feature, (-np.inf, np.inf))
            if split.branch is not None or low < split.threshold < high:
                break
            leaf += 2**depth if split.threshold <= low else 0
            depth -= 1
        if parent is not None:
            parent.children = (*parent.children, len(nodes))
        if depth < 0:
            nodes.append(
                FileNode(value=float(values[leaf]), rows=0.0 if rows is None else rows[leaf])
            )
            continue
        node = FileNode((), split.feature, split.threshold, split.branch, split.missing)
        nodes.append(node)
        below, above = ends, ends
        if split.branch is None:
            below = ends | {split.feature: (low, split.threshold)}
            above = ends | {split.feature: (split.threshold, high)}
        waiting.append((depth - 1, leaf + 2**depth, above, node))
        waiting.append((depth - 1, leaf, below, node))
    return nodes
