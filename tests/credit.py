"""A generated table like those of banks: coded nominal columns, amounts, some values missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

N_CODES = (4, 5, 10, 5, 5, 4, 3, 4, 3, 3, 4, 2, 2)
"""Codes of each of the 13 nominal columns, in their order."""


def credit_table(
    n: int = 1000, *, seed: int = 0, missing: float = 0.01, as_numbers: bool = False
) -> pd.DataFrame:
    """Return a table of credits with 7 numeric and 13 nominal columns and the class "risk".

    Parameters
    ----------
    n : int, default 1000
        Rows.
    seed : int, default 0
    missing : float, default 0.01
        Share of the values of the first numeric and the first nominal columns (three of each)
        that are missing; 0 for a table without gaps.
    as_numbers : bool, default False
        Codes are the integers 1, 2, ..., which readers of tables take for numbers.

    Returns
    -------
    DataFrame
        Codes are texts such as "A11" (column 1, code 1) by default; about 30 per cent
        of the classes are "bad", the rest "good".
    """
    rng = np.random.default_rng(seed)
    duration = rng.choice([6, 9, 12, 15, 18, 24, 30, 36, 48, 60], n)
    numbers = {
        "duration": duration,
        "amount": np.round(np.exp(rng.normal(7.2, 0.6, n)) * np.sqrt(duration / 12)).astype(int),
        "rate": rng.integers(1, 5, n),
        "residence": rng.integers(1, 5, n),
        "age": rng.gamma(6.0, 3.0, n).astype(int) + 19,
        "credits": rng.choice([1, 2, 3, 4], n, p=[0.63, 0.33, 0.03, 0.01]),
        "people": rng.choice([1, 2], n, p=[0.85, 0.15]),
    }
    codes = [rng.choice(n_codes, n, p=rng.dirichlet(np.full(n_codes, 2.0))) for n_codes in N_CODES]
    effects = [
        rng.normal(0.0, 0.25, n_codes)[code] for n_codes, code in zip(N_CODES, codes, strict=True)
    ]
    risk = sum(effects) + duration / 48 - numbers["age"] / 80 + rng.logistic(0.0, 0.8, n)
    nominal = {
        f"status{i}": code + 1 if as_numbers else np.char.add(f"A{i}", (code + 1).astype(str))
        for i, code in enumerate(codes, start=1)
    }
    table = pd.DataFrame(nominal | numbers)
    for column in [*list(nominal)[:3], *list(numbers)[:3]]:
        table[column] = table[column].mask(rng.random(n) < missing)
    return table.assign(risk=np.where(risk > np.quantile(risk, 0.7), "bad", "good"))


def write_credit(folder: Path, name: str = "credit", **kwargs: object) -> str:
    """Write the table of :func:`credit_table` into a folder of data; return its key in the app."""
    credit_table(**kwargs).to_csv(Path(folder) / f"{name}.csv", index=False)
    return f"folder.{name}"
