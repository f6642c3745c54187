"""Trees and forests from JSON: every value is checked before anything is made of it.

What a document says is what somebody wrote, so no number may lead out of an array, no sum may
overflow and no mistake may show as anything but a ValueError that names its place.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lastviz._sentences import Refusal, Statement
from lastviz.estimators import (
    DECISIONS,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
    make_imported,
)
from lastviz.tree import (
    NO_MACHINES,
    CategorySplits,
    FeatureScaling,
    KernelFunction,
    KernelSplits,
    Kind,
    LatentBasis,
    Missing,
    ObliqueSplits,
    Tree,
)

from .checked_values import MOST, Value
from .tree_json import FORMAT, INTEGER_COLUMNS, KERNELS, KINDS, REAL_COLUMNS

LARGEST = sys.float_info.max
MOST_ROWS = 2**53
MOST_CATEGORIES = 32_000  # branches are stored in 16 bits
MOST_DECIMALS = 400
_MISSING = {missing.name.lower(): missing for missing in Missing}

Model = (
    ImportedTreeClassifier
    | ImportedForestClassifier
    | ImportedTreeRegressor
    | ImportedForestRegressor
)


def tree_from_json(text: str | bytes) -> Tree:
    """Tree that :func:`.as_json` wrote, equal to the first one bit by bit.

    Unless it was written with its rows it knows how many rows it held, but not which: `samples`
    is empty.

    Raises
    ------
    ValueError
        If `text` is no JSON of that form, holds several trees, or says of a tree what cannot
        be; the message names the place, such as ``trees[0].nodes.threshold[3]``.
    """

    def only(document: Value) -> Tree:
        trees = _trees(document)
        if len(trees) > 1:
            raise Refusal("it holds {n} trees; read it with model_from_json", n=len(trees))
        return trees[0]

    return _read(text, only)


def model_from_json(text: str | bytes) -> Model:
    """Model that predicts as the one did that :func:`.model_as_json` wrote.

    Raises
    ------
    ValueError
        As :func:`tree_from_json`, but for several trees.
    """

    def model_of(document: Value) -> Model:
        decision = document.member("decision").text(*DECISIONS)
        algorithm = document.member("algorithm").text() if document.has("algorithm") else ""
        trees = _trees(document)
        weights = None
        if document.has("weights"):
            weights = document.member("weights").reals((len(trees),), 0.0, 1e9)
        adds = decision in ("scores", "sums")
        scores = _scores(document, trees, decision) if adds else None
        about = {"weights": weights, "scores": scores, "algorithm": algorithm[:80]}
        model = make_imported(trees, decision, **about)
        if document.has("reading"):
            model.reading_ = document.member("reading").text()
        return model

    return _read(text, model_of)


def _read(text: str | bytes, build: Callable[[Value], Tree | Model]) -> Tree | Model:
    try:
        document = Value(_parsed(text), "")
        document.member("format").text(FORMAT)
        return build(document)
    except ValueError as error:
        reason = error.args[0] if isinstance(error, Refusal) else " ".join(str(error).split())
        raise Refusal(
            "this is no JSON of a {format}: {said}", format=FORMAT, said=reason
        ) from error


def _parsed(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise Refusal("its text is not UTF-8") from error
    except (TypeError, RecursionError) as error:
        raise Refusal("it cannot be read ({error})", error=error) from error


def _scores(document: Value, trees: list[Tree], decision: str) -> list[np.ndarray]:
    """Scores of the start and of the nodes of each tree."""
    k = max(len(trees[0].classes) - (decision == "scores"), 0)
    each = zip(document.member("trees").items(), trees, strict=True)
    tables = [item.member("nodes").member("scores").reals((tree.n_nodes, k)) for item, tree in each]
    return [document.member("start").reals((k,)), *tables]


@dataclass(frozen=True)
class _Head:
    """Features, categories and classes common to all trees of a document."""

    features: tuple[str, ...]
    categories: tuple[tuple | None, ...]
    classes: np.ndarray


def _trees(document: Value) -> list[Tree]:
    head = _head(document)
    given = document.member("trees")
    if not given.items():
        given.refuse(Statement("a list of at least one tree"))
    trees = []
    for item in given.items():
        try:
            tree = _tree(item, head)
            tree.validate()
        except ValueError as error:
            reason = str(error)
            place = "" if reason.startswith(item.where) else f"{item.where}: "
            raise Refusal("{place}{said}", place=place, said=error.args[0]) from error
        trees.append(tree)
    return trees


def _head(document: Value) -> _Head:
    names = document.member("features")
    features = tuple(name.text() for name in names.items())
    names.labels()  # none twice
    categories = tuple(
        None if known.value is None else tuple(known.labels())
        for known in document.member("categories").items(len(features))
    )
    for known, item in zip(categories, document.member("categories").items(), strict=True):
        if known is not None and len(known) > MOST_CATEGORIES:
            item.refuse(Statement("at most {n} categories", n=MOST_CATEGORIES))
    classes = document.member("classes").labels()
    one_type = len({type(label) for label in classes}) == 1
    plain = np.array(classes, dtype=None if one_type else object)
    return _Head(features, categories, plain if classes else np.zeros(0, dtype=np.intp))


def _tree(item: Value, head: _Head) -> Tree:
    nodes = item.member("nodes")
    n, k = len(nodes.member("parent").items()), len(head.classes)
    if not n:
        nodes.member("parent").refuse(Statement("a list of at least one node"))
    branches, hyperplanes = _branches(item, head), _hyperplanes(item, head)
    machines, bases = _machines(item, head), _bases(item, head)
    most = max(map(len, (branches, hyperplanes, machines)))
    highest = {
        "depth": n, "n_children": n + 1, "feature": len(head.features),
        "n_node_samples": MOST_ROWS, "split_row": most, "basis_id": len(bases),
        "grown_node": MOST_ROWS,
    }  # fmt: skip
    columns = {
        name: nodes.member(name).integers(n, -1, highest.get(name, n)) for name in INTEGER_COLUMNS
    }
    held = ("weighted_n_node_samples",)
    for name in REAL_COLUMNS:
        low, high = (0.0 if name in held else -LARGEST), (MOST if name in held else LARGEST)
        if name == "impurity":
            low, high = -MOST, MOST
        columns[name] = nodes.member(name).reals((n,), low, high, finite=name in held)
    kinds = [kind.text(*KINDS) for kind in nodes.member("kind").items(n)]
    kind = np.array([KINDS[word] for word in kinds], dtype=np.int8)
    if ((columns["split_row"] >= 0) != (kind > Kind.THRESHOLD)).any():
        nodes.member("split_row").refuse(Statement("-1 at leaves and thresholds, and there alone"))
    prediction = nodes.member("prediction")
    rows = item.member("rows") if item.has("rows") else None
    return Tree(
        **columns,
        **_rows(rows, n),
        kind=kind,
        value=nodes.member("value").reals((n, k or 1), 0.0 if k else -MOST),
        prediction=prediction.integers(n, 0, k) if k else prediction.reals((n,)),
        key=_keys(nodes.member("key"), n),
        feature_names=head.features,
        classes=head.classes,
        feature_categories=head.categories,
        missing=_MISSING[item.member("missing").text(*_MISSING)],
        categories=branches,
        oblique=hyperplanes,
        kernel=machines,
        bases=bases,
        known_decimals=_decimals(item, len(head.features)),
        costs=item.member("costs").reals((k, k), 0.0) if item.has("costs") else None,
    )


def _decimals(item: Value, n_features: int) -> tuple[int, ...] | None:
    if not item.has("decimals"):
        return None
    return tuple(
        item.member("decimals").integers(n_features, -MOST_DECIMALS, MOST_DECIMALS).tolist()
    )


def _keys(given: Value, n: int) -> np.ndarray:
    def key(item: Value) -> int:
        text = item.text()
        if len(text) != 16 or not set(text) <= set("0123456789abcdef"):
            item.refuse(Statement("16 digits of 0-9 and a-f"))
        return int(text, 16)

    return np.array([key(item) for item in given.items(n)], dtype=np.uint64)


def _branches(item: Value, head: _Head) -> CategorySplits:
    if not item.has("branches"):
        return CategorySplits.of()
    rows = item.member("branches").items()
    width = len(rows[0].items()) if rows else 0
    most = max((len(known) for known in head.categories if known is not None), default=0)
    if width > most:
        rows[0].refuse(
            Statement("a list of at most {n}, one for each category of a feature", n=most)
        )
    found = [row.integers(width, -1, MOST_CATEGORIES, np.int16) for row in rows]
    return CategorySplits(np.array(found, dtype=np.int16).reshape(len(rows), width))


def _hyperplanes(item: Value, head: _Head) -> ObliqueSplits:
    if not item.has("hyperplanes"):
        return ObliqueSplits.none(len(head.features))
    given = item.member("hyperplanes")
    n = len(given.member("threshold").items())
    weights = given.member("weights").reals((n, len(head.features)), -LARGEST, LARGEST)
    return ObliqueSplits(weights, given.member("threshold").reals((n,), -LARGEST, LARGEST))


def _machines(item: Value, head: _Head) -> KernelSplits:
    if not item.has("machines"):
        return NO_MACHINES
    given, m, k = item.member("machines"), len(head.features), len(head.classes)
    if not k:
        given.refuse(Statement("not available for regression trees"))
    n, n_vectors = len(given.member("intercept").items()), len(given.member("rows").items())
    n_entries = len(given.member("index").items())
    start = given.member("start").integers(n + 1, 0, n_entries + 1)
    if start[0] != 0 or start[-1] != n_entries or (np.diff(start) < 0).any():
        given.member("start").refuse(Statement("rising from 0 to {n}", n=n_entries))
    kernel = KernelFunction(
        KERNELS[given.member("kernel").text(*KERNELS)],
        given.member("sigma").real(1e-100, 1e100),
        given.member("degree").integer(1, 11),
    )
    scaling = FeatureScaling(
        given.member("offset").reals((m,), -LARGEST, LARGEST),
        given.member("scale").reals((m,), 0.0, LARGEST),
    )
    return KernelSplits(
        scaling=scaling,
        kernel=kernel,
        rows=given.member("rows").integers(n_vectors, 0, MOST_ROWS),
        vectors=given.member("vectors").reals((n_vectors, m), -1e100, 1e100),
        start=start,
        index=given.member("index").integers(n_entries, 0, n_vectors),
        dual_coef=given.member("dual_coef").reals((n_entries,)),
        intercept=given.member("intercept").reals((n,)),
        first=given.member("first").truths((n, k)),
        second=given.member("second").truths((n, k)),
        converged=given.member("converged").truths((n,)),
        n_iter=given.member("n_iter").integers(n, 0, MOST_ROWS),
    )


def _bases(item: Value, head: _Head) -> tuple[LatentBasis, ...]:
    if not item.has("bases"):
        return ()
    found, m = [], len(head.features)
    for basis in item.member("bases").items():
        names = tuple(name.text() for name in basis.member("names").items())
        c = len(names)
        kurtosis = basis.member("excess_kurtosis")
        found.append(
            LatentBasis(
                space=basis.member("space").text(),
                directions=basis.member("directions").reals((m, c), -LARGEST, LARGEST),
                centre=basis.member("centre").reals((m,), -LARGEST, LARGEST),
                singular_values=basis.member("singular_values").reals((c,), 0.0, LARGEST),
                explained_share=basis.member("explained_share").reals((c,), finite=False),
                names=names,
                resolution=basis.member("resolution").reals((c,), 0.0, LARGEST),
                excess_kurtosis=(
                    None if kurtosis.value is None else kurtosis.reals((c,), finite=False)
                ),
                converged=basis.member("converged").truth(),
                identifiable=basis.member("identifiable").truth(),
            )
        )
    return tuple(found)


def _rows(given: Value | None, n: int) -> dict[str, np.ndarray]:
    """Samples held by the nodes, empty arrays if the document holds none."""
    if given is None:
        nothing = np.zeros(n, dtype=np.intp)
        empty = np.empty(0, dtype=np.intp)
        return {"start": nothing, "end": nothing, "samples": empty, "sample_weight": np.empty(0)}
    n_rows = len(given.member("samples").items())
    if not n_rows:
        given.member("samples").refuse(Statement("a list of at least one row"))
    found = {name: given.member(name).integers(n, 0, n_rows + 1) for name in ("start", "end")}
    found["samples"] = given.member("samples").integers(n_rows, 0, MOST_ROWS)
    found["sample_weight"] = given.member("sample_weight").reals((n_rows,), 0.0)
    return found
