"""Brushed rows on the pages: counted by class and leaf, named without a mouse, and as a file."""

from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from lastviz.ui.compute.work import Work
from lastviz.ui.shared import brushing
from lastviz.ui.state.link_texts import write_brushed
from lastviz.ui.state.selection import DEFAULT, Model

from .conftest import checked, html, opened
from .opened_pages import seen

CASES = [
    ("iris", "cart"),
    ("wine", "c45"),
    ("three_spirals", "svm_tree"),
    ("waveform", "gsodt"),
    ("loan", "id3"),
    ("moons", "oc1"),
]
ROWS = (0, 2, 3, 5, 8, 11)


def selection_of(data, key):
    selection = replace(DEFAULT, data=data, models=(Model(key),))
    return selection.having(brushed=ROWS)


def array(packed):
    return np.frombuffer(b64decode(packed["bdata"]), dtype=packed["dtype"])


@pytest.mark.parametrize(("data", "key"), CASES)
def test_the_table_counts_brushed_rows_by_leaf_and_class(data, key):
    app = seen("boundaries", data=data, m=key, brush=write_brushed(ROWS))
    selection = selection_of(data, key)
    tree, division = Work(selection).first.picked.tree_, Work(selection).first.division
    assert "**6 brushed rows**" in [text.value for text in app.markdown]
    table = app.dataframe[0].value
    ends = tree.apply(division.values[list(ROWS)])
    assert sorted(table["leaf"]) == sorted(set(ends.tolist()))
    for leaf, rows, wrong in zip(
        table["leaf"], table["brushed rows"], table["of another class"], strict=True
    ):
        here = np.array(ROWS)[ends == leaf]
        assert rows == len(here)
        assert wrong == np.count_nonzero(division.y[here] != tree.prediction[leaf])


@pytest.mark.parametrize(("data", "key"), CASES)
def test_the_browser_is_told_where_every_row_ends(data, key):
    selection = selection_of(data, key)
    _ = Work(selection).first.fitted
    tree, division = Work(selection).first.picked.tree_, Work(selection).first.division
    passing = brushing.passing_rows(Work(selection).first)
    assert array(passing["node"]).tolist() == tree.apply(division.values).tolist()
    assert array(passing["parent"]).tolist() == tree.parent.tolist()
    assert passing["n"] == len(division.y)
    assert not {"row", "share"} & passing.keys()


def test_a_row_that_ends_in_parts_is_told_with_its_shares(monkeypatch):
    selection = selection_of("wine", "c45")
    tree, division = Work(selection).first.picked.tree_, Work(selection).first.division
    values = division.values.copy()
    values[:, tree.feature[0]] = np.nan
    passing = brushing._passing("holes", tree, values, None)
    total = np.zeros(len(values))
    np.add.at(total, array(passing["row"]), array(passing["share"]))
    assert len(array(passing["row"])) > len(values)
    np.testing.assert_allclose(total, 1.0)


def test_of_many_rows_only_the_brushed_are_told(monkeypatch):
    monkeypatch.setattr(brushing, "MOST_BRUSHED", 100)
    selection = selection_of("iris", "cart")
    assert array(brushing.passing_rows(Work(selection).first)["row"]).tolist() == list(ROWS)


@pytest.mark.parametrize(
    "page", ["data", "growth", "splits", "latent", "rules", "pruning", "monotone"]
)
def test_every_page_with_rows_counts_them(page):
    app = opened(page, data="iris", m="cart", brush="1-3.7")
    assert "**4 brushed rows**" in [text.value for text in app.markdown]
    checked(app.button(key="brush_clear").click().run())
    assert "brush" not in app.query_params
    assert "brushed rows" not in html(app)


def test_rows_that_the_data_lack_are_not_counted():
    app = seen("boundaries", data="iris", m="cart", brush="1.2.900")
    assert "**2 brushed rows**" in [text.value for text in app.markdown]


def test_all_rows_of_a_node_are_brushed_by_name():
    app = opened("boundaries", data="iris", m="cart", node="2")
    app.expander[-1].open = True
    app.session_state["fold.brush"] = True
    checked(app.run())
    box = app.selectbox(key=brushing.OFFER)
    offer = next(option for option in box.options if option.startswith("node 2 of"))
    box.select(offer)
    checked(app.run())
    assert "**100 brushed rows**" in [text.value for text in app.markdown]
    assert app.selectbox(key=brushing.OFFER).value is None


def test_typed_rows_are_brushed_and_what_is_none_is_said():
    app = opened("boundaries", data="iris", m="cart")
    app.session_state["fold.brush"] = True
    checked(app.run())
    checked(app.text_input(key=brushing.TYPED).set_value("3, 17, 149-160").run())
    assert app.query_params["brush"] == "3.17.149-150"
    assert "The data have 150 rows" in app.info[0].value
    checked(app.text_input(key=brushing.TYPED).set_value("a few").run())
    assert "names no rows" in app.info[0].value
    assert app.query_params["brush"] == "3.17.149-150"


def test_the_file_has_the_rows_with_their_values_and_predictions():
    selection = selection_of("iris", "cart")
    _ = Work(selection).first.fitted
    table = brushing._brushed(Work(selection), np.array(ROWS))
    dataset = Work(selection).dataset
    assert table["row"].tolist() == [row + 1 for row in ROWS]
    assert table["true class"].tolist() == dataset.y.iloc[list(ROWS)].tolist()
    np.testing.assert_allclose(table[dataset.X.columns], dataset.X.iloc[list(ROWS)])
    assert "predicted by CART" in table.columns
