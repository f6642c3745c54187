"""Trees and forests as JSON, with every bit of their arrays; the reader is in `json_reader`."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from lastviz._sentences import Refusal
from lastviz.estimators import (
    ESTIMATORS,
    REGRESSORS,
    BoostedTreeClassifier,
    Draw,
    ImportedBoosting,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
    Resample,
    Round,
    SubsetPlan,
)
from lastviz.estimators.machine_settings import SettingsCrossValidation, Tried
from lastviz.inspection import condition_of
from lastviz.plots.visuals.rule_rows import condition_words
from lastviz.pruning import CostComplexityPath
from lastviz.splitters import CategorySplit, KernelSplit, ObliqueSplit, Split
from lastviz.splitters.edits import ClassSplit, Cut, ForcedSplit, Kept, MadeLeaf, Without
from lastviz.tree import (
    CategorySplits,
    FeatureScaling,
    GrowthLog,
    KernelFunction,
    KernelSplits,
    Kind,
    LatentBasis,
    ObliqueSplits,
    ThresholdsInRows,
    Tree,
    tree_of,
)
from lastviz.tree.kernel_splits import KERNEL_CODES
from lastviz.tree.routing import votes_of_nodes

from .code_words import (
    held_tree,
    labels_of,
    no_envelope,
    outcomes,
    plain,
    sending,
    sums_refusal,
    used_features,
)
from .onnx_graph import trees_of

FORMAT = "lastviz model 1"
KINDS = {kind.name.lower(): kind for kind in Kind}
KERNELS = dict(KERNEL_CODES)
NOT_FINITE = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
INTEGER_COLUMNS = (
    "parent", "depth", "first_child", "n_children", "feature", "n_node_samples", "grown_node",
    "split_row", "basis_id", "missing_branch",
)  # fmt: skip
REAL_COLUMNS = ("threshold", "impurity", "score", "weighted_n_node_samples", "branch_weight")


def as_json(
    tree: Tree, labels: Sequence[object] | None = None, *, rows: bool = False, reading: str = ""
) -> str:
    """Tree as JSON; :func:`.tree_from_json` brings it back, bit by bit.

    The form is that of ``docs/model.schema.json``: the columns of the table of nodes, the tables
    of the splits beside them. A number that is not finite is one of the texts "NaN", "Infinity"
    and "-Infinity".

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.
    rows : bool, default False
        Whether to tell which rows of the training data each node holds, too.
    reading : str, optional
        How the columns were read from a file: a :class:`~lastviz.datasets.Reading` as a text.

    Raises
    ------
    ValueError
        If there are not as many labels as classes, a name is neither a text nor a number, or a
        monotone envelope decides.
    """
    tree = tree_of(tree)
    reason = json_refusal(tree)
    if reason is not None:
        raise Refusal(reason)
    return _document([tree], labels, decision="tree", rows=rows, reading=reading)


def model_as_json(
    estimator: object, labels: Sequence[object] | None = None, *, reading: str = ""
) -> str:
    """Fitted tree or forest as JSON; :func:`.model_from_json` makes a model of it.

    Parameters
    ----------
    estimator : estimator
        Of this package, fitted; one of scikit-learn goes through ``lastviz.from_sklearn``.
    labels : sequence, optional
        What the classes are called; the estimator's own if not given.
    reading : str, optional
        As of :func:`as_json`; the model that is read has it as ``reading_``.

    Raises
    ------
    ValueError
        If it decides by a monotone envelope, which is more than its trees, or by sums of scores.
    """
    reason = json_refusal(estimator)
    if reason is not None:
        raise Refusal(reason)
    algorithm = getattr(estimator, "algorithm_", type(estimator).__name__)
    each = getattr(estimator, "estimators_", None)
    if each is None:
        return _document(
            trees_of(estimator), labels, decision="tree", algorithm=algorithm, reading=reading
        )
    vote = {"plurality": "votes_then_supports", "median": "median"}
    decision = getattr(estimator, "decision_", None)
    decision = decision or vote.get(getattr(estimator, "vote_", ""), "votes")
    start = getattr(estimator, "start_", None)
    scores = None if start is None else [start, *(one.scores_ for one in each)]
    decision = "scores" if start is not None and decision != "sums" else decision
    weights = [float(weight) for weight in getattr(estimator, "tree_weights_", [])]
    trees = [one.tree_ for one in each]
    return _document(
        trees,
        labels,
        decision=decision,
        weights=weights,
        scores=scores,
        algorithm=algorithm,
        reading=reading,
    )


def json_refusal(estimator: object, labels: Sequence[object] | None = None) -> str | None:
    """Reason why :func:`model_as_json` cannot write a model, or None. O(n_trees).

    Parameters
    ----------
    estimator : Tree or estimator
        Of this package, fitted.
    labels : sequence, optional
        As there; they are no reason.
    """
    reason = sums_refusal(estimator, "JSON")
    return no_envelope("JSON") if trees_of(estimator)[0].enveloped else reason


def _document(
    trees: Sequence[Tree],
    labels: Sequence[object] | None,
    *,
    decision: str,
    weights: Sequence[float] | None = None,
    scores: Sequence[np.ndarray] | None = None,
    algorithm: str = "",
    rows: bool = False,
    reading: str = "",
) -> str:
    first = trees[0]
    head = {
        "format": FORMAT,
        "algorithm": algorithm,
        "features": list(first.feature_names),
        "categories": [
            None if known is None else [plain(label) for label in known]
            for known in first.feature_categories
        ],
        "classes": labels_of(first, labels),
        "decision": decision,
    }
    if reading:
        head["reading"] = reading
    if decision not in ("tree", "mean"):
        head["weights"] = list(weights) if weights else [1.0] * len(trees)
    if scores is not None:
        head["start"] = _reals(scores[0])
    try:
        text = json.dumps(head, allow_nan=False)[:-1]
    except TypeError as error:
        raise ValueError(f"a name must be a text or a number ({error})") from error
    own = [None] * len(trees) if scores is None else scores[1:]
    written = [_written(tree, rows, table) for tree, table in zip(trees, own, strict=True)]
    return text + ', "trees": [\n' + ",\n".join(written) + "\n]}\n"


def _written(tree: Tree, rows: bool, scores: np.ndarray | None) -> str:
    """One tree, a line for each of its members."""
    members: dict[str, object] = {"missing": tree.missing.name.lower()}
    nodes: dict[str, object] = {name: getattr(tree, name).tolist() for name in INTEGER_COLUMNS}
    names = {code: name for name, code in KINDS.items()}
    nodes["kind"] = [names[Kind(code)] for code in tree.kind.tolist()]
    nodes |= {name: _reals(getattr(tree, name)) for name in REAL_COLUMNS}
    nodes["value"] = _reals(tree.value)
    nodes["prediction"] = (
        _reals(tree.prediction) if tree.is_regression else tree.prediction.tolist()
    )
    nodes["key"] = [f"{key:016x}" for key in tree.key.tolist()]
    if scores is not None:
        nodes["scores"] = _reals(scores)
    members["nodes"] = nodes
    if len(tree.categories):
        members["branches"] = tree.categories.branch.tolist()
    if len(tree.oblique):
        weights, threshold = _reals(tree.oblique.weights), _reals(tree.oblique.threshold)
        members["hyperplanes"] = {"weights": weights, "threshold": threshold}
    if len(tree.kernel):
        members["machines"] = _machines(tree)
    if tree.bases:
        members["bases"] = [_basis(basis) for basis in tree.bases]
    if tree.known_decimals is not None or tree.cuts is not None:
        members["decimals"] = list(tree.decimals)
    if tree.costs is not None:
        members["costs"] = _reals(tree.costs)
    if rows and len(tree.samples):
        members["rows"] = {
            "start": tree.start.tolist(),
            "end": tree.end.tolist(),
            "samples": tree.samples.tolist(),
            "sample_weight": _reals(tree.sample_weight),
        }
    lines = [f"{json.dumps(name)}: {_lines(value)}" for name, value in members.items()]
    return "{" + ",\n".join(lines) + "}"


def _lines(value: object) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, allow_nan=False)
    inside = [f"{json.dumps(k)}: {json.dumps(v, allow_nan=False)}" for k, v in value.items()]
    return "{\n" + ",\n".join(inside) + "}"


def _machines(tree: Tree) -> dict[str, object]:
    table = tree.kernel
    names = {code: name for name, code in KERNELS.items()}
    return {
        "kernel": names[table.kernel.code],
        "sigma": table.kernel.sigma,
        "degree": int(table.kernel.degree),
        "offset": _reals(table.scaling.offset),
        "scale": _reals(table.scaling.scale),
        "vectors": _reals(table.vectors),
        "rows": table.rows.tolist(),
        "start": table.start.tolist(),
        "index": table.index.tolist(),
        "dual_coef": _reals(table.dual_coef),
        "intercept": _reals(table.intercept),
        "first": table.first.tolist(),
        "second": table.second.tolist(),
        "converged": table.converged.tolist(),
        "n_iter": table.n_iter.tolist(),
    }


def _basis(basis: LatentBasis) -> dict[str, object]:
    kurtosis = basis.excess_kurtosis
    return {
        "space": basis.space,
        "directions": _reals(basis.directions),
        "centre": _reals(basis.centre),
        "singular_values": _reals(basis.singular_values),
        "explained_share": _reals(basis.explained_share),
        "names": list(basis.names),
        "resolution": _reals(basis.resolution),
        "excess_kurtosis": None if kurtosis is None else _reals(kurtosis),
        "converged": bool(basis.converged),
        "identifiable": bool(basis.identifiable),
    }


def _reals(values: np.ndarray) -> list:
    """Numbers as JSON holds them; NaN and infinities become texts."""
    values = np.asarray(values, dtype=np.float64)
    if np.isfinite(values).all():
        return values.tolist()
    if values.ndim > 1:
        return [_reals(row) for row in values]
    return [NOT_FINITE.get(repr(value), value) for value in values.tolist()]


# ---- What a skops file of a model holds, by name: what its reader may trust


IMPORTED = (
    ImportedBoosting,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
)
RECORDS = (
    CategorySplit, CategorySplits, ClassSplit, CostComplexityPath, Cut, Draw, FeatureScaling,
    ForcedSplit, GrowthLog, Kept, KernelFunction, KernelSplit, KernelSplits, LatentBasis,
    MadeLeaf, ObliqueSplit, ObliqueSplits, Resample, Round, SettingsCrossValidation, Split,
    SubsetPlan, ThresholdsInRows, Tree, Tried, Without,
)  # fmt: skip


def trusted_types() -> list[str]:
    """Types of this package that a fitted model is made of, for ``skops.io.load``.

    None of them runs anything when it is read: they are estimators and records of arrays.

    Returns
    -------
    list of str
        Full names, sorted; skops itself knows those of numpy and scikit-learn.

    Examples
    --------
    >>> "lastviz.tree.tree.Tree" in trusted_types()
    True
    """
    algorithms = [BoostedTreeClassifier]
    algorithms += [entry.cls for entry in (*ESTIMATORS.values(), *REGRESSORS.values())]
    return sorted(
        f"{each.__module__}.{each.__qualname__}" for each in (*algorithms, *IMPORTED, *RECORDS)
    )


# ---- For pages without a server


def live_tree(
    tree: Tree, model: str, labels: Sequence[object], usual: Sequence[object]
) -> dict[str, object]:
    """Tree as a value of JSON for the browser.

    A typed row follows it there, see ``live.js``.

    Parameters
    ----------
    tree : Tree
    model : str
        What it is called.
    labels : sequence
        What the classes are called; nothing for a tree of numbers.
    usual : sequence, shape (n_features,)
        What the fields hold at first: numbers, and names of categories.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, or a monotone envelope decides.
    """
    tree = held_tree(tree, "an offline page")
    conditions = [_condition(tree, node) for node in range(1, tree.n_nodes)]
    tree, planes, groups = sending(tree), {}, {}
    for node in np.flatnonzero(tree.n_children).tolist():
        row = int(tree.split_row[node])
        if tree.kind[node] == Kind.OBLIQUE:
            planes[node] = [*tree.oblique.weights[row].tolist(), float(tree.oblique.threshold[row])]
        elif tree.kind[node] == Kind.CATEGORIES:
            known = tree.feature_categories[tree.feature[node]]
            pairs = zip(known, tree.categories.branch[row].tolist(), strict=False)
            groups[node] = {str(label): branch for label, branch in pairs if branch >= 0}
    return {
        "model": model,
        "features": list(tree.feature_names),
        "asked": used_features(tree),
        "categories": [
            None if known is None else [str(label) for label in known]
            for known in tree.feature_categories
        ],
        "usual": [str(plain(value)) for value in usual],
        "missing": tree.missing.name.lower(),
        "first": tree.first_child.tolist(),
        "children": tree.n_children.tolist(),
        "feature": tree.feature.tolist(),
        "threshold": [str(value) for value in tree.threshold.tolist()],
        "lacking": tree.missing_branch.tolist(),
        "part": np.nan_to_num(tree.branch_weight).tolist(),
        "planes": planes,
        "groups": groups,
        "conditions": ["", *conditions],
        "outcomes": [str(plain(each)) for each in outcomes(tree, labels or None)],
        "votes": [] if tree.is_regression else votes_of_nodes(tree).tolist(),
        "labels": [str(label) for label in labels],
        "rows": tree.n_node_samples.tolist(),
        "mean": tree.prediction.tolist() if tree.is_regression else [],
    }


def _condition(tree: Tree, node: int) -> str:
    parent = int(tree.parent[node])
    branch = node - int(tree.first_child[parent])
    return condition_words(tree, [condition_of(tree, parent, branch)], html=False)
