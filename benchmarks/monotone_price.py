"""What the promise to be monotone costs on Set1 to Set4, and whether it is kept.

Ten-fold cross-validation, the mean over several draws; each fold's model is asked about 1,000
random comparable pairs of points, 10,000 a draw. Run it with
``python -m benchmarks.monotone_price [DRAWS]``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.monotone_level import SETS, set_of_the_paper
from lastviz.estimators import MCDFClassifier, MonotoneBoostingClassifier, REMTClassifier
from lastviz.inspection import comparable_pairs, scores
from lastviz.splitters import result_of
from lastviz.studies.folds import stratified_folds

PAIRS = 1000  # comparable pairs of points that each model is asked about

PRICED: dict[str, tuple[str, bool]] = {
    "remt": ("REMT", False),
    "remt_monotone": ("REMT, envelope", True),
    "mcdf": ("MCDF", False),
    "mcdf_monotone": ("MCDF, envelopes and median vote", True),
    "boosting": ("Boosting without directions", False),
    "boosting_monotone": ("Monotone boosting", True),
}
"""Title of each model, and whether it promises to be monotone; pairs differ in the promise."""


@dataclass(frozen=True, eq=False)
class Priced:
    """One model over all folds.

    Attributes
    ----------
    key : str
        Of :data:`PRICED`.
    accuracy, error : ndarray of float64, shape (n_folds,)
        Share of right classes (CA), and mean distance of classes (MAE), on each held-out fold.
    contradicting : int
        Sampled comparable pairs of points whose predictions contradict the directions.
    n_pairs : int
        How many were sampled.
    """

    key: str
    accuracy: np.ndarray
    error: np.ndarray
    contradicting: int
    n_pairs: int


def price_of_monotonicity(
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    directions: np.ndarray,
    *,
    models: Sequence[str] = tuple(PRICED),
    n_folds: int = 10,
    random_state: int = 0,
    params: Mapping[str, Mapping[str, object]] | None = None,
) -> Generator[float, None, list[Priced]]:
    """Cross-validate models of :data:`PRICED` on the same folds.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices from low to high.
    n_classes : int
    directions : ndarray of {1, -1, 0}, shape (n_features,)
    models : sequence of str
        Keys of :data:`PRICED`, by default all.
    n_folds : int, default 10
        Fewer if there are fewer rows.
    random_state : int, default 0
        Seed of the folds, the models and the sampled pairs.
    params : mapping, optional
        Parameters of "remt" and "mcdf", other than those of the promise.

    Yields
    ------
    float
        Share of the work that is done.

    Raises
    ------
    ValueError
        If there are fewer than two rows, or a model cannot be trained.
    """
    if len(y) < 2:
        raise ValueError(f"cross-validation needs at least two rows, got {len(y)}")
    fold = stratified_folds(y, min(n_folds, len(y)), random_state)
    makers = _makers(directions, random_state, params or {})
    makers = {key: makers[key] for key in models}
    low, high = X.min(axis=0), X.max(axis=0)
    found: dict[str, list[tuple[float, float, int]]] = {key: [] for key in makers}
    n_steps, done = (fold.max() + 1) * len(makers), 0
    for k in range(fold.max() + 1):
        train, held = fold != k, fold == k
        rng = np.random.default_rng([random_state, k])
        below, above = comparable_pairs(low, high, directions, PAIRS, rng)
        for key, make in makers.items():
            model = make(int((train).sum())).fit(X[train], y[train])
            right = scores(y[held], model.predict(X[held]), n_classes)
            wrong = int((model.predict(below) > model.predict(above)).sum())
            found[key].append((right.accuracy, right.mean_absolute_error, wrong))
            done += 1
            yield done / n_steps
    return [_priced(key, np.array(parts)) for key, parts in found.items()]


def _makers(
    directions: np.ndarray, seed: int, params: Mapping[str, Mapping[str, object]]
) -> dict[str, Callable[[int], object]]:
    """Return how to make each model for a number of training rows."""
    cst = directions.tolist()
    remt = {**params.get("remt", {}), "monotonic_cst": cst}
    mcdf = {**params.get("mcdf", {}), "monotonic_cst": cst, "random_state": seed}

    def forest(n_rows: int, **promise: object) -> MCDFClassifier:
        size = mcdf.get("subset_size")
        own = mcdf if size is None else {**mcdf, "subset_size": min(int(size), n_rows)}
        return MCDFClassifier(**{**own, **promise})

    return {
        "remt": lambda n: REMTClassifier(**{**remt, "monotone": False}),
        "remt_monotone": lambda n: REMTClassifier(**{**remt, "monotone": True}),
        "mcdf": lambda n: forest(n, monotone=False),
        "mcdf_monotone": lambda n: forest(n, monotone=True, vote="median"),
        "boosting": lambda n: MonotoneBoostingClassifier(
            monotonic_cst=[0] * len(cst), random_state=seed
        ),
        "boosting_monotone": lambda n: MonotoneBoostingClassifier(
            monotonic_cst=cst, random_state=seed
        ),
    }


def _priced(key: str, parts: np.ndarray) -> Priced:
    n_pairs = PAIRS * len(parts)
    return Priced(key, parts[:, 0], parts[:, 1], int(parts[:, 2].sum()), n_pairs)


FORESTS = ("mcdf", "mcdf_monotone")


def priced(name: str, seed: int, models: tuple[str, ...] = FORESTS) -> dict[str, Priced]:
    """Return the models on one draw of a set of the paper, by key."""
    dataset = set_of_the_paper(name, seed)
    steps = price_of_monotonicity(
        dataset.X.to_numpy(),
        dataset.codes,
        dataset.n_classes,
        np.array([1, 1]),
        models=models,
        random_state=seed,
    )
    return {each.key: each for each in result_of(steps)}


def main(draws: int) -> None:
    print("| set | model | CA | MAE | contradicting pairs |")
    print("|---|---|---|---|---|")
    for name in SETS:
        found = [priced(name, seed, tuple(PRICED)) for seed in range(draws)]
        for key, (title, _) in PRICED.items():
            each = [draw[key] for draw in found]
            ca, mae = (
                np.mean([getattr(d, field) for d in each]) for field in ("accuracy", "error")
            )
            wrong, pairs = (sum(getattr(d, f) for d in each) for f in ("contradicting", "n_pairs"))
            print(f"| {name} | {title} | {ca:.3f} | {mae:.3f} | {wrong} of {pairs:,} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
