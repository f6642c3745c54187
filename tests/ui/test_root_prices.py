"""The price of every root on the page *splits*: its numbers are those of all trees tried."""

from __future__ import annotations

import numpy as np
import pytest

from lastviz.inspection import RootPrices, root_prices
from lastviz.ui.compute import cache
from lastviz.ui.splits.lookahead import sentences_of
from lastviz.ui.state.selection import Model, Selection

from .conftest import opened


def test_the_page_says_what_its_root_costs_and_how_many_are_as_good():
    app = opened("splits", data="moons", m="cart", lab="prices")
    divided = cache.division(Selection(data="moons", models=(Model("cart"),)))
    train = divided.train_rows
    X, y = divided.values[train], divided.y[train]
    found = root_prices(X, y, np.arange(len(y)), 2, beyond=None)
    (said,) = [m.value.replace("\\", "") for m in app.markdown if "roots reach" in m.value]
    assert said.endswith("trees that have this node split it by x2.")
    ties, near = (found.n_within(n) for n in (found.fewest, found.near))
    assert f"{ties} of {len(found.errors)} roots reach the fewest errors" in said
    assert f"{near} stay at or below {found.near}." in said
    assert f"the best reaches {found.fewest}." in said or f"makes {found.fewest}" in said


def test_candidates_are_listed_with_their_prices():
    app = opened("splits", data="moons", m="cart", lab="ranking")
    divided = cache.division(Selection(data="moons", models=(Model("cart"),)))
    X, y = divided.values[divided.train_rows], divided.y[divided.train_rows]
    found = root_prices(X, y, np.arange(len(y)), 2, beyond=None)
    (table,) = [f.value for f in app.dataframe if "fewest errors, three levels" in f.value]
    shown = table[["feature", "threshold", "fewest errors, three levels"]]
    for name, threshold, errors in shown.itertuples(index=False):
        feature = int(name[1:]) - 1
        column = X[:, feature]
        last = column[column <= threshold].max()
        assert found.errors[(found.feature == feature) & (found.threshold == last)] == [errors]


@pytest.mark.parametrize(
    ("own", "begins"),
    [
        (None, "2 of 4 roots"),
        (30.0, "No tree of depth three that begins with the chosen split makes fewer than 30"),
        (11.0, "No tree of depth three that begins with the chosen split makes fewer than 11"),
        (10.0, "The chosen split is a best root"),
    ],
)
def test_each_case_has_its_sentence(own, begins):
    errors = np.array([10.0, 11.0, np.nan, 10.0])
    found = RootPrices(np.zeros(4, int), np.arange(4.0), errors, 3, 10, 11, 40)
    said = " ".join(sentences_of(found, own))
    assert said.startswith(begins)
    assert "2 of 4 roots reach the fewest errors, 2 come within 1 % of them" in said
    assert said.endswith("3 stay at or below 11.")


def test_what_has_no_price_says_why():
    latent = opened("splits", data="wine", m="gsodt", lab="prices")
    assert any("not in a latent space" in c.value for c in latent.caption)
    large = opened("splits", data="digits", m="cart", lab="prices")
    assert any("Too large for the price of every root" in c.value for c in large.caption)
