"""The page *papers*: printed figures beside ours, what is known of a cell, what claims come to."""

import re

import pytest

from lastviz.studies.published import TABLES, our_figures, published_cells
from lastviz.ui.papers.figure_scene import (
    FIGURES_BY_NAME,
    figure_scene,
    machine_rows,
    pair_table,
)
from lastviz.ui.papers.figures import best_figures, model_figures
from lastviz.ui.papers.scene import paper_scene
from lastviz.ui.papers.words import claims_table, grid, numbers, statements_table, table_rows
from lastviz.ui.state.selection import DEFAULT

from .conftest import checked, html, opened

NAMES = [f"{paper}{number}" for paper, number in TABLES]


@pytest.fixture(autouse=True)
def without_a_folder(monkeypatch):
    monkeypatch.delenv("LASTVIZ_DATA", raising=False)


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_shown_with_all_its_cells(name):
    scene = paper_scene(DEFAULT.change(paper_table=name))
    shown = grid(scene)
    for cell in published_cells(scene.table.paper, scene.table.number):
        assert f"{cell.mean:.{cell.digits}f}" in shown
    filled = sum(place.ours is not None for place in scene.places)
    assert shown.count("<b>") == filled
    assert shown.count("<td ") + shown.count("<td>") - 1 == len(scene.rows) * len(scene.columns)
    assert len(table_rows(scene)) == len(scene.places)
    assert claims_table(scene).count("<tr>") == 1 + len(scene.claims)


def test_a_cell_is_as_dark_as_it_lies_far_from_the_print():
    scene = paper_scene(DEFAULT.change(paper_table="sodt2"))
    place = scene.by_cell["twonorm", "CART-LC", "error", ""]
    assert place.apart == pytest.approx((place.ours.mean - place.cell.mean) / place.cell.spread)
    rows = re.findall(r"<tr>.*?</tr>", grid(scene))
    row = next(row for row in rows if "Twonorm" in row)
    cell = next(part for part in row.split("<td") if f"{place.cell.mean:.1f}?" in part)
    assert "lv-apart-3" in cell
    assert not place.is_target  # the print's program searched otherwise
    assert place not in scene.compared
    near = sum(abs(each.apart) <= 1.0 for each in scene.compared)
    assert f"<b>{near}<small> of {len(scene.compared)}</small></b>" in numbers(scene)


def test_figures_with_parameters_chosen_by_training_rows_stand_in_the_same_places():
    first = paper_scene(DEFAULT.change(paper_table="bnm_csn2"))
    other = paper_scene(DEFAULT.change(paper_table="bnm_csn2", tuned="nested"))
    key = ("divorce", "BNM+CSN+Gini", "accuracy", "")
    nested = our_figures("bnm_csn", 2, "nested")
    assert first.by_cell[key].ours == our_figures("bnm_csn", 2)[key]
    assert other.by_cell[key].ours == nested[key]
    plain = ("divorce", "Gini", "accuracy", "")  # nothing to choose
    assert plain not in nested
    assert other.by_cell[plain].ours == first.by_cell[plain].ours


def test_a_claim_is_decided_by_ours_and_noise_decides_nothing():
    scene = paper_scene(DEFAULT.change(paper_table="sodt2"))
    found = {claim.key: counted for claim, counted in scene.claims}
    assert found["gsodt_below_c45"].verdict[0].startswith("holds")
    assert ("twonorm", "error", "") in found["gsodt_below_c45"].holds
    assert ("gauss_2D", "error", "") in found["gsodt_below_c45"].level
    assert found["sodt_fast"].verdict == ("not tested", {})
    svm = paper_scene(DEFAULT.change(paper_table="svm_tree1"))
    (claim,) = [counted for claim, counted in svm.claims if claim.key == "improved_on_spirals"]
    assert claim.n_tested == 9


def test_the_page_is_walked_through_and_a_cell_goes_to_compare():
    app = opened("papers", paper_table="bnm_csn2", paper_cell="XOR")
    assert "Pima diabetes" in html(app)
    app = checked(app.selectbox(key="paper_of").select("sodt").run())
    assert app.selectbox(key="paper_table").value == "sodt2"
    app = checked(app.selectbox(key="paper_row").select("waveform").run())
    app = checked(app.selectbox(key="paper_column").select(("GSODT", "error", "")).run())
    assert any("ours 16" in each.value for each in app.caption)
    assert not app.button(key="paper_again").disabled
    app = checked(app.button(key="paper_again").click().run())
    view = app.session_state["selection"].compare
    assert view.compared == ("gsodt~unlabelled=true",)
    assert view.compared_on == ("waveform~n_samples=5000",)
    assert (view.protocol, view.repeats, view.study_folds) == ("fixed", 5, 10)


def test_a_cell_that_cannot_run_says_why_and_its_buttons_are_grey():
    app = opened("papers", paper_table="mcdf2", paper_cell="score~MCDF~accuracy~")
    assert any("not public" in each.value for each in app.caption)
    assert app.button(key="paper_again").disabled
    assert app.button(key="paper_open").disabled


def test_a_cell_is_opened_as_a_scene():
    app = opened("papers", paper_table="mcdf2", paper_cell="Set2~MCDF~accuracy~")
    app = checked(app.button(key="paper_open").click().run())
    selection = app.session_state["selection"]
    assert (selection.data, dict(selection.params)) == (
        "monotone",
        {"n_classes": 4, "n_samples": 1000},
    )
    assert [model.key for model in selection.models] == ["mcdf"]


def test_a_strange_table_in_a_link_is_a_sentence():
    app = opened("papers", paper_table="nature7")
    assert "nature7" in html(app) + " ".join(each.value for each in (*app.info, *app.warning))


@pytest.mark.parametrize("name", list(FIGURES_BY_NAME))
def test_every_figure_is_drawn(name):
    app = opened("papers", paper_table=name)
    figure = FIGURES_BY_NAME[name]
    assert figure.shows.split(":")[0] in " ".join(each.value for each in app.caption).replace(
        "\\", ""
    )
    assert html(app).count("<tr><td>") == len(figure.says)
    doors = [each for each in app.button if (each.key or "").startswith("paper_open_")]
    assert len(doors) == len(figure.scenes)


def test_the_figure_of_four_clusters_has_the_trees_that_the_paper_shows():
    scene = figure_scene(DEFAULT.change(paper_table="bnm_csn_figure1"))
    titles = [title for title, _ in model_figures(scene)]
    assert titles[0].startswith("Gini: 8 leaves")
    assert titles[-1] == "BNM+CSN+Gini: 4 leaves, depth 2"


def test_best_values_are_counted_over_the_data_sets_at_hand():
    scene = figure_scene(DEFAULT.change(paper_table="bnm_csn_figure2"))
    said = scene.figure.says[0]
    own = our_figures("bnm_csn", 0)
    best = [each.mean for key, each in own.items() if key[1:3] == ("BNM+Gini", "best_w2")]
    inside = sum(0.01 <= value <= 0.03 for value in best)
    assert said.found(scene.ours) == (pytest.approx(100 * inside / len(best)), len(best))
    assert f"{100 * inside / len(best):.0f} %</b>" in statements_table(scene)
    (weights, _), (sizes, _) = best_figures(scene)
    assert (weights, sizes) == ("best w2", "best k")


def test_differences_are_those_of_the_tables():
    scene = figure_scene(DEFAULT.change(paper_table="mcdf_figure2"))
    said = scene.figure.says[0]
    mcdf = our_figures("mcdf", 2)["Set1", "MCDF", "accuracy", ""].mean
    remt = our_figures("mcdf", 0)["Set1", "REMT", "accuracy", ""].mean
    assert said.found(scene.ours) == (pytest.approx(100 * (mcdf - remt)), 1)
    assert said.found({}) == (pytest.approx(float("nan"), nan_ok=True), 0)


def test_machines_of_the_svm_tree_learn_from_fewer_rows_each():
    costs = machine_rows(figure_scene(DEFAULT.change(paper_table="svm_tree_figure2")))
    assert costs["machines"].tolist() == [2, 3, 3]
    assert costs.iloc[:, 2].tolist() == [480 + 320, 3 * 480, 2 * 480]
    assert costs.iloc[0, 3] == pytest.approx((480 + 320) / 480)


def test_equally_far_classes_are_not_equally_separable():
    pairs = pair_table(figure_scene(DEFAULT.change(paper_table="svm_tree_figure1")))
    spread = pairs.iloc[:, 1:].max() / pairs.iloc[:, 1:].min()
    assert spread.iloc[0] > 1.5 > 1.1 > spread.iloc[1]


def test_a_row_and_a_table_go_to_compare():
    app = opened("papers", paper_table="sodt2", paper_cell="bupa~C4.5~error~")
    assert app.button(key="paper_again").disabled  # its file is not here
    assert app.button(key="paper_again_row").disabled
    app = checked(app.button(key="paper_again_table").click().run())
    view = app.session_state["selection"].compare
    assert len(view.compared) == 7
    assert [each.split("~")[0] for each in view.compared_on] == [
        "gauss_2d", "waveform", "waveform_noise", "twonorm", "ringnorm", "threenorm",
    ]  # fmt: skip
    assert (view.protocol, view.repeats, view.study_folds) == ("fixed", 1, 10)
