"""All candidates of a node by every criterion at once: the table behind "why this split?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.stats import kendalltau

from lastviz._params import check_params
from lastviz.criteria import CRITERIA, Candidate
from lastviz.criteria.column_kernels import Options
from lastviz.criteria.ties_kernels import TIE
from lastviz.estimators import CARTClassifier, HybridTreeClassifier
from lastviz.estimators.base import MIN_SAMPLES_LEAF
from lastviz.estimators.reading import TrainingData
from lastviz.splitters import Blend, CandidateTable, ChoiceRule, Presorted, Stage, presort
from lastviz.splitters.hybrid.hybrid import ECOC, PENALTIES
from lastviz.splitters.hybrid.workspace import score_candidates

from .replay import tied_ranks
from .split_geometry import SplitGeometry

_OF_HYBRID = ("penalty", "ecoc", "segments", "bnm_root")
TABLE_PARAMS = (
    *(each for each in HybridTreeClassifier.PARAMS if each.name in _OF_HYBRID),
    replace(MIN_SAMPLES_LEAF, name="min_samples_leaf"),
)

_MOST_CLASSES_EXHAUSTIVE = 10
# Candidates that Kendall's tau is computed on; its noise is then about 0.02.
_THINNED = 1000


def candidate_table(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    *,
    criteria: Sequence[str] | None = None,
    directions: np.ndarray | None = None,
    may_fail: bool = False,
    **options: object,
) -> CandidateTable:
    """All candidates of a node of any threshold tree, by every criterion.

    Parameters
    ----------
    data : Presorted or ndarray, shape (n_samples, n_features)
        The training data.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    rows : ndarray of intp
        The rows of the node.
    n_classes : int
    criteria : sequence of str, optional
        Keys of CRITERIA; default: all.
    directions : ndarray of int, shape (n_features,), optional
        1, -1 or 0: for criteria of ordered classes, whether the class rises or falls with each
        feature, or neither is known (the better of both); default: it rises with all.
    may_fail : bool, default False
        Whether a registered criterion that fails costs its own column alone; why is in
        `failed` of the table.
    **options
        See :data:`TABLE_PARAMS`: penalty, ecoc, segments, bnm_root, min_samples_leaf.

    Raises
    ------
    ValueError
        If a criterion or an option is unknown, "exhaustive" meets more than 10 classes, or a
        registered criterion fails that must not.

    Notes
    -----
    Distances are measured on the rows of the node, each feature scaled to 0..1 over them.
    O(n_rows n_features^2); the exact penalty O(n_rows^2 n_features^2).
    """
    names = tuple(CRITERIA) if criteria is None else tuple(criteria)
    unknown = [name for name in names if name not in CRITERIA]
    if unknown:
        raise ValueError(f"criteria must be among {', '.join(CRITERIA)}, got {unknown[0]!r}")
    values = check_params(TABLE_PARAMS, options)
    if values["ecoc"] == "exhaustive" and n_classes > _MOST_CLASSES_EXHAUSTIVE:
        raise ValueError(
            f"ecoc='exhaustive' is for at most {_MOST_CLASSES_EXHAUSTIVE} classes, got "
            f"{n_classes}; use 'one_vs_rest' or 'one_vs_one'"
        )
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    here = data.take(rows) if isinstance(data, Presorted) else presort(np.asarray(data)[rows])
    table = score_candidates(
        here,
        np.asarray(y)[rows],
        n_classes,
        names,
        _options(values),
        directions,
        may_fail=may_fail,
    )
    if np.count_nonzero(table.counts) < 2:  # a gain of a pure node is what rounding leaves
        for name, column in table.columns.items():
            if not CRITERIA[name].smaller_is_better:
                column[np.abs(column) <= TIE] = 0.0
    return table


def _options(values: dict) -> Options:
    return Options(
        scale=1.0,
        min_leaf=values["min_samples_leaf"],
        penalty=PENALTIES[values["penalty"]],
        ecoc=ECOC[values["ecoc"]],
        fewest=values["segments"] == "minimum",
        root=values["bnm_root"],
    )


def rank_columns(table: CandidateTable, column: str | Blend) -> np.ndarray:
    """Each candidate's rank, 1 the best, equals sharing the best of their ranks.

    What counts as equal is said at :func:`.ties.tied_ranks`.

    Parameters
    ----------
    table : CandidateTable
    column : str or Blend
        A criterion of the table or a weighted sum of them.

    Returns
    -------
    ndarray of intp, shape (n_candidates,)
        Inadmissible candidates rank last. O(n_candidates log n_candidates).
    """
    return tied_ranks(table.scores(column))


@dataclass(frozen=True, eq=False)
class BestOfFeatures:
    """The best candidate of each feature under each criterion."""

    features: np.ndarray  # (n,) intp, the features with a candidate, rising
    columns: tuple[str | Blend, ...]
    # (n, n_columns) intp, rows of the table; -1 where no candidate is admissible.
    candidate: np.ndarray


def best_of_each_feature(
    table: CandidateTable, columns: Sequence[str | Blend] | None = None
) -> BestOfFeatures:
    """Best candidate of each feature by every criterion; ties: lower threshold."""
    columns = tuple(table.columns) if columns is None else tuple(columns)
    features = np.unique(table.feature)
    candidate = np.full((len(features), len(columns)), -1, dtype=np.intp)
    stage = Stage("best_within_feature", "")
    for j, column in enumerate(columns):
        best = stage.keep(table.scores(column), table.feature)
        candidate[np.searchsorted(features, table.feature[best]), j] = best
    return BestOfFeatures(features, columns, candidate)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Similarity of the criteria's orders of the candidates."""

    columns: tuple[str, ...]
    # (n_columns, n_columns), Kendall's tau-b, 1 the same order, -1 the reverse; NaN where a column
    # is constant.
    tau: np.ndarray
    n_candidates: int  # how many candidates it was computed on
    n_all: int  # how many are admissible


def agreement(table: CandidateTable, columns: Sequence[str] | None = None) -> Agreement:
    """Kendall's tau between criteria over all admissible candidates.

    Notes
    -----
    With more than 1,000 admissible candidates, every n-th of them is taken, evenly over
    features and thresholds.
    """
    columns = tuple(table.columns) if columns is None else tuple(columns)
    scores = np.array([table.scores(c) for c in columns]).reshape(len(columns), -1)
    admitted = np.flatnonzero((scores > -np.inf).all(axis=0))
    step = max(-(-len(admitted) // _THINNED), 1)
    taken = scores[:, admitted[::step]]
    tau = np.eye(len(columns))
    if taken.shape[1] < 2:
        tau[:] = np.nan
    else:
        tau[np.ptp(taken, axis=1) == 0] = np.nan
        for a, b in combinations(range(len(columns)), 2):
            tau[a, b] = tau[b, a] = kendalltau(taken[a], taken[b]).statistic
    return Agreement(columns, tau, taken.shape[1], len(admitted))


def apply_rule(table: CandidateTable, rule: ChoiceRule) -> tuple[np.ndarray, ...]:
    """Candidates that survive each stage of a rule, as rows of the table.

    Parameters
    ----------
    table : CandidateTable
    rule : Rule
        Any stages over the table's columns: ``ChoiceRule((Stage("top_k", Blend((Term(1.0, "gini"),
        Term(0.02, "bnm"))), 10), Stage("argmin", "csn")))`` is BNM+CSN.
    """
    return rule.apply(table.feature, table.columns)


# ---- A candidate of a table as the formula cards of the criteria read it


def card_candidate(
    table: CandidateTable,
    i: int,
    *,
    geometry: SplitGeometry | None = None,
    penalty: str = "approximate",
    bnm_root: bool = False,
    direction: int = 1,
) -> Candidate:
    """Candidate `i` of a table, with everything that the cards of its criteria need.

    Parameters
    ----------
    table : CandidateTable
        With the columns "segments", "segment_sum" and "ratio" if cards of these are wanted.
    i : int
    geometry : SplitGeometry, optional
        For the cards of BNM and CSN.
    penalty : str, default "approximate"
    bnm_root : bool, default False
        How BNM was measured, as in :func:`candidate_table`.
    direction : {1, -1, 0}, default 1
        For criteria of ordered classes: whether the class rises or falls with the feature; 0:
        whichever is larger, which each card asks for itself.
    """
    left = table.left_counts[i]
    return Candidate(
        left=left,
        right=table.counts - left,
        segments=_segments(table, i) if "ratio" in table.columns else None,
        geometry=geometry,
        penalty=penalty,
        bnm_root=bnm_root,
        direction=direction,
    )


def _segments(table: CandidateTable, i: int) -> tuple[int, int]:
    """Segments of both children: those that the three columns are made of.

    left / n a + right / n b is the expected number and a + b the sum, but for equal halves.
    """
    n_left, n = int(table.left_counts[i].sum()), int(table.counts.sum())
    n_right = n - n_left
    expected, total, ratio = (
        float(table.columns[name][i]) for name in ("segments", "segment_sum", "ratio")
    )
    if n_left != n_right:
        first = round((n * expected - n_right * total) / (n_left - n_right))
    else:
        first = round(total * ratio / (1.0 + ratio))
    return first, round(total) - first


# ---- Which features tell the classes apart by themselves


MOST_PARTS = 10


@dataclass(frozen=True, eq=False)
class FeatureCuts:
    """The best single test of each feature, by Gini gain."""

    gain: np.ndarray  # (n_features,), see `feature_gains`
    # (n_features,), of a numeric feature that gains anything, the lowest of the best; else NaN.
    threshold: np.ndarray


def feature_gains(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    n_classes: int,
    categories: Sequence[tuple | None] | None = None,
    *,
    beside: int | None = None,
) -> np.ndarray:
    """Largest Gini gain that one test of each feature reaches on all rows.

    Parameters
    ----------
    data : Presorted or ndarray of float64, shape (n_samples, n_features)
        Numbers, codes of categories, NaN where a value is missing.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    categories : sequence of (tuple or None), optional
        The categories of nominal features, None for numeric ones; default: all are numeric.
    beside : int, optional
        A feature that is known: the mean gains in ten parts of the rows in its order, so that a
        feature which says the same gains little.

    Returns
    -------
    ndarray, shape (n_features,)
        Of a numeric feature by its best threshold, of a nominal one by a branch for each
        category; times the share of the rows whose value is known. 0 for a constant feature.
        O(n_features n_samples log n_samples).
    """
    if beside is None:
        return feature_cuts(data, y, n_classes, categories).gain
    X = data.X if isinstance(data, Presorted) else np.asarray(data, dtype=np.float64)
    order = np.argsort(X[:, beside], kind="stable")
    parts = np.array_split(order, min(MOST_PARTS, len(order)))
    return np.mean([feature_gains(X[part], y[part], n_classes, categories) for part in parts], 0)


def feature_cuts(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    n_classes: int,
    categories: Sequence[tuple | None] | None = None,
) -> FeatureCuts:
    """Gains of :func:`feature_gains`, and the thresholds that reach them."""
    if isinstance(data, Presorted):
        return _by_thresholds(data, y, n_classes)
    X = np.asarray(data, dtype=np.float64)
    gains, thresholds = np.zeros(X.shape[1]), np.full(X.shape[1], np.nan)
    nominal = np.array([c is not None for c in categories or (None,) * X.shape[1]], dtype=bool)
    for f in np.flatnonzero(nominal):
        gains[f] = _by_categories(X[:, f], y, n_classes)
    known = ~np.isnan(X)
    complete = np.flatnonzero(~nominal & known.all(axis=0))
    if len(complete):
        found = _by_thresholds(presort(X[:, complete]), y, n_classes)
        gains[complete], thresholds[complete] = found.gain, found.threshold
    for f in np.flatnonzero(~nominal & ~known.all(axis=0)):
        here = known[:, f]
        if here.any():
            part = _by_thresholds(presort(X[here][:, [f]]), y[here], n_classes)
            gains[f], thresholds[f] = here.mean() * part.gain[0], part.threshold[0]
    return FeatureCuts(gains, thresholds)


def _by_thresholds(presorted: Presorted, y: np.ndarray, n_classes: int) -> FeatureCuts:
    data = TrainingData.of_sorted(presorted, y, n_classes)
    splitter = CARTClassifier().recipe(data).splitter()
    search = splitter.search(splitter.root())
    gains = np.zeros(presorted.X.shape[1])
    scores = search.columns["gini"]
    np.maximum.at(gains, search.feature, scores)
    thresholds = np.full(len(gains), np.nan)
    best = np.flatnonzero((scores >= gains[search.feature]) & (scores > 0))[::-1]
    thresholds[search.feature[best]] = search.threshold[best]
    return FeatureCuts(gains, thresholds)


def _by_categories(codes: np.ndarray, y: np.ndarray, n_classes: int) -> float:
    known = codes >= 0
    if not known.any():
        return 0.0
    values, place = np.unique(codes[known], return_inverse=True)
    counts = np.zeros((len(values), n_classes))
    np.add.at(counts, (place, y[known]), 1.0)
    impurity = CRITERIA["gini"].impurity
    share = counts.sum(axis=1) / counts.sum()
    decrease = float(impurity(counts.sum(axis=0)) - share @ impurity(counts))
    return float(known.mean()) * decrease
