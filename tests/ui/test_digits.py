"""What pages print of columns on all scales: thresholds that differ read differently."""

import html
import re

import numpy as np
import pandas as pd
import pytest

from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import Model, Selection
from tests.columns import COLUMNS

from .conftest import with_tables
from .opened_pages import seen
from .sent_texts import texts_sent

PAGES = ("rules", "growth", "splits", "boundaries", "pruning", "data", "latent", "monotone")
NUMBER = r"−?\d+(?:,\d{3})*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
INTERVAL = re.compile(rf"({NUMBER}) < value ≤ ({NUMBER})")
TEST = re.compile(rf"value (?:≤|>) ({NUMBER})")
D3 = re.compile(r"%\{[xy]:([^}]*)\}")


def write(where):
    """Write a table for each column; its classes take turns, the more often the farther up."""
    for name, values in COLUMNS.items():
        different, place = np.unique(values, return_inverse=True)
        label = np.floor(2 * np.log2(len(different) - place)).astype(int) % 3
        beside = np.round(np.random.default_rng(1).random(len(values)), 2)
        table = {"value": values, "beside": beside, "class": np.array(["a", "b", "c"])[label]}
        pd.DataFrame(table).to_csv(where / f"{name.replace(' ', '_')}.csv", index=False)


folder = with_tables(write)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_no_two_thresholds_alike(page, name):
    data = f"folder.{name.replace(' ', '_')}"
    app = seen(page, data=data, m="cart")
    told = [html.unescape(re.sub(r"<[^>]*>", " ", text)) for _, text in texts_sent(app)]
    for text in told:
        for low, high in INTERVAL.findall(text):
            assert low != high, text
        if name == "zip":
            assert not re.search(r"\b2\d,\d{3}\b", text), text
    assert not [form for text in told for form in D3.findall(text) if "," in form]
    tree = Work(Selection(data=data, models=(Model("cart"),))).first.picked.tree_
    feature = tree.feature_names.index("value")
    thresholds = np.unique(tree.threshold[tree.feature == feature]).tolist()
    own = {number(threshold, tree.decimals[feature]) for threshold in thresholds}
    assert len(own) == len(thresholds)
    read = {found for text in told for found in TEST.findall(text)}
    if page in ("rules", "growth", "boundaries", "pruning"):
        assert len(read & own) >= 2
        assert page == "growth" or read <= own  # there are runners-up, too
