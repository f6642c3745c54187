"""Rows on planes: brushed, in links, side by side, on the plane that is proposed."""

import re
from base64 import b64decode
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from lastviz.inspection import slice_agreement
from lastviz.plots.visuals.plane_axes import crowding, side_by_side, without_overlaps
from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.boundaries.details import plane_words, rows_table
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.work import Work
from lastviz.ui.data.figures import classes_figure
from lastviz.ui.latent import page as latent
from lastviz.ui.monotone.data import data_part
from lastviz.ui.rules import page as rules
from lastviz.ui.shared import brushing
from lastviz.ui.shared.blocks import Chart, report_blocks
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.splits import page as splits
from lastviz.ui.state import link_texts, session
from lastviz.ui.state.link_texts import MOST_BRUSHED, read_brushed, row_numbers, write_brushed
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests.credit import write_credit
from tests.sentences.rows import selected

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


def refuses(read, text):
    try:
        read(text)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(("n", "share"), [(40, 0.5), (400, 0.3), (5000, 0.4), (200_000, 0.001)])
def test_rows_come_back_from_their_text(n, share):
    rows = tuple(np.flatnonzero(np.random.default_rng(n).random(n) < share).tolist())
    text = write_brushed(rows)
    assert len(text) <= 1200
    assert read_brushed(text) == rows


def test_few_rows_are_readable_and_many_are_packed():
    assert write_brushed((0, 1, 2, 6)) == "1-3.7"
    assert write_brushed(tuple(range(0, 400, 2))).startswith("~")


def test_rows_too_many_for_a_link_stay_in_the_process_and_are_gone_elsewhere():
    rows = tuple(np.flatnonzero(np.random.default_rng(0).random(20_000) < 0.5).tolist())
    text = write_brushed(rows)
    assert len(text) < 30
    assert read_brushed(text) == rows
    link_texts._stored.clear()
    with pytest.raises(ValueError, match=text):
        read_brushed(text)


@pytest.mark.parametrize("text", ["", "0", "3-1", "~", "~AAAA", "!none", "x", "1-900000", "~é"])
def test_what_says_no_rows_is_refused(text):
    assert refuses(read_brushed, text)


def test_typed_row_numbers():
    assert row_numbers(" 3, 1; 5 - 7 6") == (0, 2, 4, 5, 6)
    assert row_numbers("") == ()
    for wrong in ("a", "0", "7-5", f"1-{MOST_BRUSHED + 1}", "1-2-3"):
        assert refuses(row_numbers, wrong)


def test_other_rows_are_not_brushed():
    brushed = DEFAULT.change(brushed=(1, 2))
    assert brushed.change(seed=2).view.brushed == ()
    assert brushed.change(data="moons").view.brushed == ()
    assert brushed.change(params=(("noise", 0.3),)).view.brushed == ()
    assert brushed.change(held=0.4).change_model(0, node=2).view.brushed == (1, 2)


MODELS = ("cart", "c45", "hybrid")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(1000, 2))
    y = np.where(X.sum(axis=1) + rng.normal(0, 1, 1000) > 4, "high", "low")
    table = pd.DataFrame(X, columns=["care", "speed"]).assign(grade=y)
    table.to_csv(tmp_path / "coarse.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))


def coarse(key="cart"):
    return Selection(data="folder.coarse", models=(Model(key),), target="grade")


@pytest.fixture
def grid():
    rng = np.random.default_rng(1)
    return rng.integers(0, 4, size=(500, 2)).astype(float)


def test_every_row_has_a_place_of_its_own_and_stays_on_its_side_of_every_threshold(grid):
    x, y = side_by_side(*grid.T)
    assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == len(grid)
    for moved, values in ((x, grid[:, 0]), (y, grid[:, 1])):
        for low, high in ((v, v + 1) for v in range(3)):
            for threshold in (low, (low + high) / 2):
                assert ((moved <= threshold) == (values <= threshold)).all()
        assert (values - moved).max() < 0.5
    again = side_by_side(*grid.T)
    np.testing.assert_array_equal(np.column_stack(again), np.column_stack([x, y]))


def test_rows_of_a_place_are_told_apart_wherever_they_stand_in_the_table(grid):
    x, y = side_by_side(*grid.T)
    order = np.random.default_rng(2).permutation(len(grid))
    mixed = np.column_stack(side_by_side(*grid[order].T))
    assert {*map(tuple, mixed.tolist())} == {*zip(x.tolist(), y.tolist(), strict=True)}


@pytest.mark.parametrize("values", [
    np.random.default_rng(0).normal(size=(300, 2)),
    np.random.default_rng(0).integers(0, 20, size=(300, 2)).astype(float),
    np.full((300, 2), np.nan),
    np.empty((0, 2)),
    np.ones((300, 2)),
])  # fmt: skip
def test_rows_that_do_not_hide_each_other_stay_where_they_are(values):
    assert side_by_side(*values.T) == (None, None)


def test_only_the_coarse_axis_moves():
    rng = np.random.default_rng(0)
    x, y = side_by_side(rng.integers(0, 3, 2000).astype(float), rng.integers(0, 60, 2000) / 7)
    assert x is not None
    assert y is None


@pytest.mark.parametrize("key", MODELS)
def test_a_drawn_row_lies_in_the_region_of_its_prediction(key):
    scene = scene_of(Work(coarse(key)), "light")
    plane, view = scene.plane, scene.views[0]
    places = np.column_stack([plane.x, plane.y])
    np.testing.assert_array_equal(view.tree.predict(places), view.predicted)


def test_the_pointer_and_the_table_say_the_values():
    scene = scene_of(Work(coarse()), "light")
    X = scene.plane.tables[scene.plane.form][1]
    table = rows_table(scene)
    np.testing.assert_array_equal(table[["care", "speed"]].to_numpy(), X)
    for trace in scene.pictures[0].figure.data:
        if trace["meta"].get("role") not in ("training", "held_out"):
            continue
        rows = np.asarray(trace["customdata"]) - 1
        said = [f"care {a:g}, speed {b:g}" for a, b in X[rows].tolist()]
        assert list(trace["hovertext"]) == said
        assert "%{x" not in trace["hovertemplate"]


def test_the_caption_says_how_many_rows_share_a_place():
    (said,) = plane_words(plane_of(Work(coarse())))
    assert said.startswith("Each grid point holds 40 rows on average. They are drawn side by side")
    assert plane_words(plane_of(Work(Selection(data="iris")))) == []


def test_rows_of_one_place_are_told_apart_and_their_values_are_said():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (2, 400)).astype(float)
    across, up, texts = without_overlaps(x, y)
    assert len(np.unique(np.column_stack([across, up]), axis=0)) == 400
    assert crowding(x, y) == 400 / 25
    assert crowding(x, x) is None
    for moved, values, words in zip((across, up), (x, y), texts, strict=True):
        assert np.all((moved <= values) & (moved > values - 0.5))
        assert [float(word) for word in words] == values.tolist()


def test_rows_with_places_of_their_own_stay():
    x, y = np.random.default_rng(1).normal(size=(2, 50))
    across, up, texts = without_overlaps(x, y)
    assert across is x
    assert up is y
    assert texts == (None, None)


@pytest.mark.parametrize(
    "query",
    [
        "data=moons",
        "data=gauss_2d",
        "data=monotone&held=0",
        "data=iris&columns=3",
        "data=iris",
        "data=breast_cancer",
        "data=waveform&n_samples=300",
        "data=folder.coarse",
    ],
)
def test_a_dot_of_the_page_data_stands_at_the_values_of_the_row_whose_number_it_has(query):
    work = Work(selected(query))
    X, held_out = work.dataset.numeric_X.to_numpy(float), work.first.division.held_out_rows
    dots = [trace for trace in classes_figure(work, "light").traces if "customdata" in trace]
    assert dots
    for trace in dots:
        rows = np.asarray(trace["customdata"]) - 1
        assert (work.dataset.codes[rows] == trace["meta"]["class"]).all()
        if X.shape[1] <= 2:
            assert (np.isin(rows, held_out) == (trace["meta"]["role"] == "held_out")).all()
        places = trace["x"], trace["y"]
        if "hovertext" in trace:
            said = [re.findall(r"\d+", text) for text in trace["hovertext"]]
            places = np.array(said, dtype=float).T
        for values in places:
            assert any(np.allclose(values, column, rtol=1e-6) for column in X[rows].T)


class Address(dict):
    """The query of an address."""

    def to_dict(self):
        return dict(self)

    def from_dict(self, query):
        self.clear()
        self.update(query)


CLICKED = {
    "latent": lambda work: latent.blocks(latent.page_scene(work, "light")),
    "monotone": lambda work: data_part(work, "light"),
    "rules": lambda work: rules.blocks(rules.rule_scene(work, "light")),
    "splits": lambda work: splits.blocks(splits.page_scene(work, "light")),
    "boundaries": lambda work: [boundaries._chart(scene_of(work, "light"), 0)],
}


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("latent", "data=iris&m=gsodt"),
        ("latent", "data=waveform&n_samples=300&m=lsodt"),
        ("monotone", "data=monotone&n_samples=100&m=remt"),
        ("rules", "data=wine&m=c45&node=2&rule_view=rules"),
        ("rules", "data=moons&m=oc1&node=1&rule_view=rules"),
        ("splits", "data=iris&m=cart"),
        ("boundaries", "data=iris&m=cart"),
        ("boundaries", "data=monotone&n_samples=100&m=mcdf"),
    ],
)
def test_a_click_marks_the_row_whose_number_the_pointer_reads_and_another_marks_none(
    monkeypatch, page, query
):
    address, clicked = Address(), 0
    reader = SimpleNamespace(
        session_state={session.SELECTION: selected(query)},
        context=SimpleNamespace(locale="en", is_embedded=False),
        query_params=address,
    )
    monkeypatch.setattr(session, "st", reader)
    for chart in report_blocks(CLICKED[page](Work(selected(query)))):
        if not isinstance(chart, Chart) or chart.on_click is None:
            continue
        for trace in chart.figure.data:
            if trace["meta"].get("role") not in ("training", "held_out"):
                continue
            assert "row %{customdata}" in trace["hovertemplate"]
            for number in (int(trace["customdata"][0]), int(trace["customdata"][-1])):
                click = {"row": number, "axis": "x", "x": 0.0, "y": 0.0}
                chart.on_click(click)
                assert address["lit"] == str(number)
                chart.on_click(click)
                assert "lit" not in address
                clicked += 1
    assert clicked >= 4


@pytest.fixture
def corner(tmp_path, monkeypatch):
    """Class 1 lies where three of six features are large: no plane through the medians has any."""
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(800, 6)).round(4), columns=list("abcdef"))
    table["class"] = np.where((table[["a", "b", "c"]] > 0.55).all(axis=1), "in", "out")
    table.to_csv(tmp_path / "corner.csv", index=False)
    return DEFAULT.having(data="folder.corner", models=(Model("cart"),))


def agreement(selection, plane):
    tree = Work(selection).first.tree
    divided = Work(selection).first.division
    return slice_agreement([tree], divided.values, divided.y, plane.features, plane.at[None])[0]


def test_it_opens_where_the_medians_show_no_border(corner):
    plane = plane_of(Work(corner))
    assert plane.proposed
    assert plane.row is not None
    assert {plane.names[f] for f in plane.features} <= set("abc")
    usual = plane_of(Work(corner.having(axes=plane_names(plane))))
    assert usual.row is None
    assert agreement(corner, usual) < agreement(corner, plane)


def plane_names(plane):
    return tuple(plane.names[f] for f in plane.features)


@pytest.mark.parametrize(
    "change", [{"held": 0.5}, {"models": (Model("cart", (("max_depth", 4),)),)}, {"bins": None}]
)
def test_it_stays_while_other_things_move(corner, change):
    one, other = plane_of(Work(corner)), plane_of(Work(corner.having(**change)))
    assert (one.features, one.row) == (other.features, other.row)


def test_what_is_chosen_is_taken(corner):
    assert plane_of(Work(corner.having(axes=("e", "f")))).row is None
    assert plane_names(plane_of(Work(corner.having(axes=("e", "f"))))) == ("e", "f")
    assert plane_of(Work(corner.having(at=7))).row == 7
    assert plane_of(Work(corner.having(at=70_000))).row is None


def test_usual_values_stay_where_they_show_the_classes_as_well():
    plane = plane_of(Work(DEFAULT.having(data="iris", models=(Model("cart"),))))
    assert plane.row is None
    assert plane_names(plane) == ("petal length", "petal width")


def test_algorithms_that_weigh_features_keep_the_usual_values(corner):
    assert plane_of(Work(corner.having(models=(Model("gsodt"),)))).row is None


def test_the_page_says_what_is_proposed_and_gives_it_up(corner):
    app = opened("boundaries", data="folder.corner", m="cart")
    row = plane_of(Work(corner)).row
    field = next(n for n in app.number_input if n.key == "slice")
    assert field.value == row + 1
    suggested = "since they separate the classes well"
    assert any(suggested in c.value for c in app.caption)
    app = field.set_value(None).run()
    assert app.session_state["selection"].view.at is None
    assert app.session_state["selection"].view.axes == plane_names(plane_of(Work(corner)))
    assert not any(suggested in c.value for c in app.caption)
    assert any("Show a slice with a border" in b.label for b in app.button)


def test_another_axis_keeps_the_row(corner):
    app = opened("boundaries", data="folder.corner", m="cart")
    axis = next(b for b in app.selectbox if b.key == "axis0")
    app = axis.set_value("f").run()
    assert app.session_state["selection"].view.at == plane_of(Work(corner)).row


def test_a_table_with_categories_and_gaps_opens(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    name = write_credit(tmp_path, "credit", n=400)
    plane = plane_of(Work(DEFAULT.having(data=name, models=(Model("c45"),))))
    assert len(plane.at) == 20
    seen("boundaries", data=name, m="c45", m2="gsodt")
