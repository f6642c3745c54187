"""A table of credits as visitors bring them: names of rows, dates and a leak in it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .credit import credit_table


def leaky_credit(n: int = 1000, *, seed: int = 0) -> pd.DataFrame:
    """Return :func:`.credit.credit_table` with a customer_id, a name, opened_on and a leak.

    The leak, arrears_later, is 0 for good credits and 1 to 8 for bad ones.
    """
    rng = np.random.default_rng(seed + 1)
    table = credit_table(n, seed=seed)
    table.insert(0, "customer_id", rng.permutation(90_000)[:n] + 10_000)
    table.insert(1, "name", [f"Person {place}" for place in rng.permutation(n)])
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    table.insert(2, "opened_on", days.strftime("%Y-%m-%d"))
    leak = np.where(table["risk"] == "bad", rng.integers(1, 9, n), 0)
    table.insert(3, "arrears_later", leak)
    return table
