"""MCDF: a forest for monotone data, whose subsets are drawn by weight and class."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from lastviz._params import param, with_params
from lastviz._random import node_rng
from lastviz._sentences import Refusal, Statement
from lastviz.criteria.rank import DominanceCounter, orient

from .base import CLASS_ORDER, MONOTONIC_CST, seed
from .forest import ForestClassifier, ForestProgress, TreeGrown, in_threads, with_most
from .remt import MONOTONE, REMTClassifier
from .subsets import Draw, SubsetPlan, class_quotas, draw_rows, nominal_mask, plan_subsets

COUNTED_AT_ONCE = 4096  # rows whose dominating rows are counted between two signs of life
MEANING_OF_M = (
    "it is M, the number of rows that each tree learns from; None lets eq 3 to 8 choose it"
)
MOST_ROWS_JUDGED = 50_000  # with error_scope="auto", beyond which a tree is judged on its subset


@with_params
class MCDFClassifier(ForestClassifier):
    """Monotonic classification based on decision forest.

    Grows REMT trees on small subsets with the class shares of all rows. After each tree the
    rows that it gets wrong are drawn more often, unless rows of a lower class dominate most of
    what should be above them: those are never drawn again. Half of a subset comes from the one
    before, half from rows that no tree has seen; when these run out, the forest is complete.

    Attributes
    ----------
    plan_ : SubsetPlan
        How the size of the subsets and the number of trees came about.
    draws_ : list of Draw
    vote_ : {"plurality", "median"}
        What decides.
    error_scope_ : {"all", "subset"}
        The rows that each tree was judged on.
    inclusion_degree_ : ndarray of float64, shape (n_samples,)
        Counted where a tree was wrong, NaN elsewhere.

    Notes
    -----
    h trees on M rows: O(h n_features M log M), and O(h n_samples depth) with error_scope="all".

    Deviation: the accepted error E of eq 3 is 0.039, where the paper has 1.2, with which its own
    sets of 1,000 rows get subsets of at most one row; 0.039 gives the 900 rows of its first large
    set. Deviation: eq 4 adds up the spreads of the features; by default their mean is taken, so
    that the size does not grow with the square of their number. Deviation: what eq 3 to 8 come to
    is clipped to between 30 rows and a quarter of all. Deviation: eq 12 divides by the rows of
    the same class or a higher one, by which rows of consistent data get less than 1; here by the
    rows that dominate, of which the share is meant. Deviation: eq 13 raises the weights of
    misclassified consistent rows, as the text says; its printed exponent raises those of the
    others. Deviation: unseen rows of weight 0 do not count as unseen, or the drawing would not
    end.

    References
    ----------
    Xu, H., Wang, W. and Ren, L. (2017). A method for monotonic classification based on
    decision forest. Journal of Computer Research and Development 54(7).
    """

    # fmt: off
    z: float = param(
        float, 1.96, low=0.0, low_open=True, high=10.0, slider=(1.0, 3.0, 0.01),
        label="Quantile Z", help="Of the confidence level: 1.96 is 95 %.", doc="For eq 3.",
    )
    error: float = param(
        float, 0.039, low=0.0, low_open=True, high=100.0, slider=(0.02, 0.1, 0.001),
        main=True, label="Accepted error E", help="Smaller makes the subsets larger.",
        doc="It is that of eq 3.",
    )
    theta: float = param(
        float, 0.05, low=0.0, high=1.0, slider=(0.0, 0.5, 0.01),
        label="Share theta", help="Subsets larger than this share are shrunk by eq 8.",
        doc="It is a share of all rows.",
    )
    sigma: str = param(
        str, "mean", choices=("mean", "sum"), label="Spread sigma",
        help="Mean or sum of the features' spreads.",
    )
    inclusion: float = param(
        float, 0.1, low=0.0, high=1.0, slider=(0.0, 1.0, 0.01), main=True,
        label="Inclusion e", help="Misclassified rows of a lower degree are dropped.",
        doc="From this inclusion degree (eq 12) on they are consistent.",
    )
    alpha: float = param(
        float, 0.5, low=0.0, high=0.95, slider=(0.0, 0.9, 0.05),
        label="Share alpha", help="Part of a subset that comes from the one before.",
    )
    subset_size: int | None = param(
        int, None, low=1, none=True, none_word="by the rule", unit="rows",
        slider=(10, 2000, 10), main=True, label="Rows of a subset M",
        help="None: eq 3 to 8 choose it.", meaning=MEANING_OF_M,
        doc="What they choose is clipped to between 30 rows and a quarter of all; a number is at "
            "most that of all rows.",
    )
    error_scope: str = param(
        str, "auto", choices=("auto", "all", "subset"),
        label="Errors counted on", help="All rows, or those that grew the tree.",
        doc="Eq 11 judges a tree on all rows, section 2.3 on its own subset; auto: on all rows up "
            "to 50,000.",
    )
    vote: str = param(
        str, "auto", choices=("auto", "plurality", "median"), main=True, label="Vote",
        help="The class of most trees, or their median class; "
             "auto: the median for a monotone forest, else the class of most trees.",
        doc="Of classes with as many trees the one of the larger sum of class supports (eq 15), "
            "then the lower one; of two medians the lower. The paper takes the plurality.",
    )
    monotone: bool = replace(
        MONOTONE,
        doc="Every tree votes by its monotone envelope, and the median decides: no two "
            "predictions contradict the directions. A plurality of monotone trees may contradict "
            "them, so that pair is refused.",
    )
    random_state: int | np.random.RandomState | None = seed("The same seed draws the same subsets.")
    monotonic_cst: object = MONOTONIC_CST
    class_order: object = CLASS_ORDER
    categorical_features: object = param(
        object, None, type_doc="sequence of int or of str, or mask, or None",
        doc="The features whose spread is that of categories (eq 7); they are split as numbers.",
    )
    n_jobs: int | None = param(
        object, None, type_doc="int or None",
        doc="Threads for the features of a tree's large nodes, for predictions and for counting "
            "who dominates whom; -1: one per processor. The result does not depend on it.",
    )
    # fmt: on

    def weights_before(self, tree: int) -> np.ndarray:
        """Weight of each row when the subset of `tree` was drawn (n_samples,)."""
        weights = np.full(self.plan_.n_samples, 1.0 / self.plan_.n_samples)
        for draw in self.draws_[:tree]:
            reweigh(weights, draw)
        return weights

    def _grow(self, X: np.ndarray, codes: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        self._jobs()  # refuses what is no number of threads
        self.vote_ = self._resolved_vote()
        self.error_scope_ = self.error_scope
        if self.error_scope == "auto":
            self.error_scope_ = "all" if len(X) <= MOST_ROWS_JUDGED else "subset"
        self.plan_ = self._plan(X)
        self.estimators_: list[REMTClassifier] = []
        self.draws_: list[Draw] = []
        self.inclusion_degree_ = np.full(len(X), np.nan)
        counter = DominanceCounter(orient(X, self.directions_), codes, len(self.classes_))
        sampler = _Sampler(codes, len(self.classes_), self.plan_, self.seed_)
        while sampler.draws_another():
            rows, retained, quota, n_unseen = sampler.draw()
            tree = yield from self._grow_tree(X, codes, rows, self.plan_.n_expected)
            judged = np.arange(len(X)) if self.error_scope_ == "all" else rows
            wrong = judged[self._predicted(tree, X[judged]) != codes[judged]]
            error = _share(sampler.weights, wrong, judged)
            consistent = yield from self._consistent(wrong, counter)
            draw = Draw(
                rows=rows,
                kept=retained,
                quota=quota,
                drawn=np.bincount(codes[rows], minlength=len(quota)),
                n_unseen=n_unseen,
                error=error,
                factor=(1.0 - error) / error if 0.0 < error < 0.5 else 1.0,
                raised=wrong[consistent].astype(np.int32),
                dropped=wrong[~consistent].astype(np.int32),
            )
            reweigh(sampler.weights, draw)
            self.estimators_.append(tree)
            self.draws_.append(draw)
            self.tree_weights_ = np.ones(len(self.estimators_))
            yield TreeGrown(len(self.estimators_) - 1, self.plan_.n_expected)

    def _resolved_vote(self) -> str:
        if self.vote == "auto":
            return "median" if self.monotone else "plurality"
        if self.vote == "plurality" and self.monotone:
            raise Refusal(
                "vote='plurality' breaks what monotone=True promises: the most frequent class "
                "of monotone trees need not be monotone, their median is; set vote='median' or "
                "'auto'"
            )
        return self.vote

    def _plan(self, X: np.ndarray) -> SubsetPlan:
        n, size = len(X), self.subset_size
        if size is not None and size > n:
            raise Refusal("subset_size must be from 1 to the {n} rows given, got {size}: {meaning}",
                          n=n, size=size, meaning=Statement(MEANING_OF_M))  # fmt: skip
        names = getattr(self, "feature_names_in_", None)
        return plan_subsets(
            X,
            nominal_mask(self.categorical_features, X.shape[1], names),
            z=self.z,
            error=self.error,
            theta=self.theta,
            alpha=self.alpha,
            sigma=self.sigma,
            subset_size=size,
        )

    def _predicted(self, tree: REMTClassifier, X: np.ndarray) -> np.ndarray:
        parts = in_threads(lambda part: tree.tree_.predict(X[part]), len(X), self._jobs())
        return np.concatenate(parts)

    def _consistent(
        self, wrong: np.ndarray, counter: DominanceCounter
    ) -> Generator[ForestProgress, None, np.ndarray]:
        """Mask of the consistent samples among `wrong`.

        Each sample is counted only once in all.
        """
        degree = self.inclusion_degree_
        new = wrong[np.isnan(degree[wrong])]
        for start in range(0, len(new), COUNTED_AT_ONCE):
            if start > 0:
                yield ForestProgress(len(self.estimators_), self.plan_.n_expected, start / len(new))
            rows = new[start : start + COUNTED_AT_ONCE]
            degree[rows] = counter.inclusion(rows, self._jobs())
        return degree[wrong] >= self.inclusion

    def _tree_params(self) -> dict[str, object]:
        return {"monotone": self.monotone}

    @property
    def _most_votes_decide(self) -> bool:
        return super()._most_votes_decide and self.vote_ == "plurality"

    def _decide(
        self, label: np.ndarray, leaf: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        votes, tied = self._count_votes(label)
        supports = np.zeros_like(votes)
        if self.vote_ == "median":
            middle = np.sort(label, axis=1)[:, (label.shape[1] - 1) // 2]
            return votes, tied, supports, middle
        conflict = np.flatnonzero(tied.sum(axis=1) > 1)
        for t, each in enumerate(self.estimators_):
            value = each.tree_.value[leaf[conflict, t]]
            supports[conflict] += value / value.sum(axis=1, keepdims=True)
        among = np.where(tied, supports, -1.0)
        return votes, tied, supports, with_most(among).argmax(axis=1)


class _Sampler:
    """Draws one subset after the other; `weights` belong to the caller between draws."""

    def __init__(self, codes: np.ndarray, n_classes: int, plan: SubsetPlan, seed: int) -> None:
        self.weights = np.full(plan.n_samples, 1.0 / plan.n_samples)
        self._plan = plan
        self._seed = seed
        self._tree = 0
        self._codes = codes
        self._quota = class_quotas(np.bincount(codes, minlength=n_classes), plan.size)
        self._unseen = [np.flatnonzero(codes == k) for k in range(n_classes)]
        self._is_unseen = np.ones(plan.n_samples, dtype=bool)
        self._last: list[np.ndarray] = [np.zeros(0, dtype=np.intp)] * n_classes

    def draws_another(self) -> bool:
        """Drop seen samples and those of weight 0.

        Returns whether enough are left for a subset.
        """
        left = self._is_unseen & (self.weights > 0.0)
        self._unseen = [pool[left[pool]] for pool in self._unseen]
        return self._tree == 0 or self._n_unseen() >= self._plan.size

    def draw(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Rows of the next subset, which of them are kept, the quotas, n_unseen."""
        rng = node_rng(self._seed, self._tree)
        n_unseen = self._n_unseen()
        pools = [rows[self.weights[rows] > 0.0] for rows in self._last]
        n_retained = min(self._plan.n_kept, sum(map(len, pools)))
        share = class_quotas(self._quota, n_retained)
        retained = draw_rows(pools, self.weights, share, rng)
        due = np.maximum(self._quota - [len(rows) for rows in retained], 0)
        due = class_quotas(due, self._plan.size - n_retained)
        fresh = draw_rows(self._unseen, self.weights, due, rng)
        self._is_unseen[np.concatenate(fresh)] = False
        self._last = [np.concatenate(both) for both in zip(retained, fresh, strict=True)]
        self._tree += 1
        rows = np.sort(np.concatenate(self._last))
        return rows, np.isin(rows, np.concatenate(retained)), self._quota, n_unseen

    def _n_unseen(self) -> int:
        return sum(map(len, self._unseen))


def reweigh(weights: np.ndarray, draw: Draw) -> None:
    """Change weights in place by the errors of a draw's tree, so that they sum to 1."""
    weights[draw.raised] *= draw.factor
    weights[draw.dropped] = 0.0
    total = weights.sum()
    if total > 0.0:
        weights /= total


def _share(weights: np.ndarray, wrong: np.ndarray, judged: np.ndarray) -> float:
    """Weighted share of errors among the rows that a tree is judged on."""
    total = weights[judged].sum()
    return float(weights[wrong].sum() / total) if total > 0.0 else 0.0
