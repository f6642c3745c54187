"""A tree that asks whether a value is missing, and one with limits of growth, on every page."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import plane_of, regions_in
from lastviz.ui.state.selection import DEFAULT, Model

from .conftest import html, with_tables
from .opened_pages import seen

LIMITS = {
    "m.max_features": "sqrt", "m.min_impurity_decrease": "0.01",
    "m.min_weight_fraction_leaf": "0.05",
}  # fmt: skip


def write_lacks(folder):
    """Write a table in which whoever gives no income and no town is of a class of their own."""
    rng, n = np.random.default_rng(0), 120
    table = pd.DataFrame(
        {
            "income": rng.normal(3, 1, n).round(2),
            "age": rng.normal(40, 9, n).round(),
            "town": rng.choice(["north", "south"], n),
        }
    )
    silent, rude = rng.random(n) < 0.3, rng.random(n) < 0.3
    table["class"] = np.where(silent, "silent", np.where(rude, "rude", "open"))
    table.loc[silent, "income"] = np.nan
    table.loc[rude, "town"] = np.nan
    table.to_csv(Path(folder) / "lacks.csv", index=False)


folder = with_tables(write_lacks)


def said(app):
    """All that stands on the page, without tags, and what its charts hold."""
    words = html(app) + " ".join(m.value for m in (*app.markdown, *app.caption))
    return re.sub(r"<[^>]+>", "", words)


def test_the_tests_are_named_where_they_are_chosen():
    selection = DEFAULT.having(data="folder.lacks", models=(Model("cart"),), held=0)
    tree = Work(selection).first.tree
    asks = [node for node in range(tree.n_nodes) if tree.asks_missing(node)]
    assert {tree.feature_names[tree.feature[node]] for node in asks} == {"income", "town"}
    for node in asks:
        app = seen("splits", data="folder.lacks", m="cart", held=0, node=node)
        name = tree.feature_names[tree.feature[node]]
        assert f"{name} is not missing" in said(app)
    app = seen("boundaries", data="folder.lacks", m="cart", held=0, detail="rules")
    cells = " ".join(frame.value.to_csv() for frame in app.dataframe)
    assert "income is missing" in cells
    assert "town is missing" in cells


def test_the_plane_is_tinted_as_such_a_tree_predicts():
    selection = DEFAULT.having(
        data="folder.lacks", models=(Model("cart"),), held=0, axes=("income", "town")
    )
    plane = plane_of(Work(selection))
    found = regions_in(Work(selection).first, plane)
    tree = Work(selection).first.tree
    values = Work(selection).first.division.values
    drawn = np.tile(plane.at_in("columns"), (len(values), 1))
    drawn[:, [0, 2]] = values[:, [0, 2]]
    predicted = tree.predict(drawn)
    shown = found.visible()
    for row in range(len(values)):
        place = np.array([plane.across.places[row], plane.upward.places[row]])
        labels = {
            int(found.prediction[i]) for i in shown
            if (found.polygon(i).min(axis=0) < place).all()
            and (place < found.polygon(i).max(axis=0)).all()
        }  # fmt: skip
        assert labels == {int(predicted[row])}
