"""What the promise to be monotone costs on Set1 to Set4, and whether it is kept.

Ten-fold cross-validation, the mean over several draws; each fold's model is asked about 1,000
random comparable pairs of points, 10,000 a draw. Run it with
``python -m benchmarks.monotone_price [DRAWS]``.
"""

from __future__ import annotations

import sys

import numpy as np

from lastviz.splitters import result_of
from lastviz.studies import PRICED, SETS, Priced, price_of_monotonicity, set_of_the_paper

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
