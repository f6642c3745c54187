"""The page *papers*: printed figures beside ours, what is known of a cell, what claims come to."""

import math
import re
from contextlib import closing
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lastviz.studies.database import address_of_store
from lastviz.studies.line import StudyLine
from lastviz.studies.published import (
    CLAIMS,
    EXAMPLES,
    TABLES,
    differs,
    our_figures,
    published_cells,
)
from lastviz.studies.run import serve
from lastviz.ui.compute import studies
from lastviz.ui.papers.claims import chapter_scene, chapter_table, claims_table, deciding_table
from lastviz.ui.papers.figures import best_figures, model_figures
from lastviz.ui.papers.scene import (
    FIGURES_BY_NAME,
    figure_scene,
    machine_rows,
    pair_table,
    paper_scene,
)
from lastviz.ui.papers.words import (
    cell_words,
    empty_cells,
    grid,
    numbers,
    statements_table,
    table_rows,
)
from lastviz.ui.state.selection import DEFAULT
from tests.patience import SECONDS

from .conftest import ROOT, checked, html, opened, rerun_until

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
    assert claims_table(scene, link_to).count("<tr>") == 1 + len(scene.claims)


def link_to(claim):
    return f"paper_claim={claim.key}"


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
    assert f"<b>{near}<small> of {len(scene.compared)} comparable</small></b>" in numbers(scene)


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
    fast = found["sodt_fast"]
    assert ("waveform", "seconds", "") in fast.holds
    assert ("spectf", "seconds", "") in fast.lacking  # its file is not at hand
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
    assert app.button(key="paper_run").disabled  # nobody is known yet whose study it would be


def test_a_cell_that_cannot_run_says_why_and_its_buttons_are_grey():
    app = opened("papers", paper_table="mcdf2", paper_cell="score~MCDF~accuracy~")
    assert any("not public" in each.value for each in app.caption)
    assert app.button(key="paper_run").disabled
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


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_a_verdict_leads_to_the_figures_that_decide_it(claim):
    table = f"{claim.paper}{claim.table or 2}"
    if table not in NAMES:
        table = next(name for name in NAMES if name.startswith(claim.paper))
    before = paper_scene(DEFAULT.change(paper_table=table))
    links = re.findall(r"<a href='\?([^']*)'", claims_table(before, link_to))
    assert len(links) == len(before.claims)
    keys = [parse_qs(link.replace("&amp;", "&"))["paper_claim"][0] for link in links]
    assert claim.key in keys
    scene = paper_scene(DEFAULT.change(paper_table=table).having(paper_claim=claim.key))
    assert scene.claim is claim
    shown = deciding_table(scene)
    assert shown.count("<tr>") == 1 + len(claim.rows)
    framed = grid(scene).count("lv-here")
    assert framed == (len(set(claim.cells)) if claim.table is not None else 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_empty_cell_has_its_reason_on_the_page(name):
    scene = paper_scene(DEFAULT.change(paper_table=name))
    empty = sum(place.ours is None for place in scene.places)
    told = empty_cells(scene)
    n = [1 if each.startswith("One") else int(each.split()[0]) for each in told]
    assert sum(n) == empty
    assert all(each.rstrip().endswith(".") for each in told)


def test_means_over_all_sets_are_those_over_the_sets_at_hand():
    scene = paper_scene(DEFAULT.change(paper_table="bnm_csn4"))
    place = scene.by_cell["all", "BNM+Gini", "accuracy", ""]
    own = our_figures("bnm_csn", 2)
    values = [each.mean for key, each in own.items() if key[1] == "BNM+Gini"]
    assert place.ours.mean == pytest.approx(sum(values) / len(values))
    assert np.isnan(place.apart)  # over other sets than the print's
    (line,) = [each for each in cell_words(scene) if "at hand" in each]
    assert f"{len(values)} of 21" in line
    found = {claim.key: counted for claim, counted in scene.claims}
    assert found["each_part_helps"].n_tested == 1


def test_times_are_shown_but_not_compared():
    scene = paper_scene(DEFAULT.change(paper_table="mcdf3"))
    place = scene.by_cell["Set1", "REMT", "seconds", ""]
    assert 0 < place.ours.mean < 1
    assert scene.compared == ()
    found = {claim.key: counted for claim, counted in scene.claims}
    assert found["mcdf_fastest"].n_tested >= 9


TOKEN = "b2" * 32


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setattr(studies.COMPUTING, "ensure", lambda: None)


def as_visitor(**query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = value
    app.session_state["visitor"] = TOKEN
    return checked(app.switch_page("pages/papers.py").run())


def with_study(app):
    return rerun_until(app, lambda app: app.session_state["selection"].compare.study)


def test_a_cell_is_run_at_the_papers_protocol_and_gives_the_figure_that_comes_along(store):
    cell = {"paper_table": "sodt2", "paper_cell": "gauss_2D~C4.5~error~"}
    app = as_visitor(**cell)
    app = with_study(checked(app.button(key="paper_run").click().run()))
    study_id = app.session_state["selection"].compare.study
    assert "gauss_2D, 5" in html(app)  # a data set of the study, on the page compare
    with closing(StudyLine(address_of_store())) as line:
        found = line.study(study_id, TOKEN, line.tables(study_id))
        assert (found.protocol, found.folds, found.repeats) == ("fixed", 10, 1)
        serve(line, 1, idle=0.1)
    app = as_visitor(**cell)
    ours = our_figures("sodt", 2)["gauss_2D", "C4.5", "error", ""]
    told = [each.value.replace("\\", "") for each in app.caption]
    (own,) = [each for each in told if each.startswith("Run here")]
    mean, spread = own.removeprefix("Run here: ").split(" ± ")
    assert mean == f"{ours.mean:.1f}"
    assert float(spread) == pytest.approx(ours.spread, abs=0.001)


def test_a_row_is_run_as_one_study_for_as_many_draws(store):
    app = as_visitor(paper_table="mcdf2", paper_cell="wine~MCDF~accuracy~")
    app = with_study(checked(app.button(key="paper_run_row").click().run()))
    study_id = app.session_state["selection"].compare.study
    with closing(StudyLine(address_of_store())) as line:
        found = line.study(study_id, TOKEN, line.tables(study_id))
    assert [a.key for a in found.algorithms] == ["adaboost_m1", "mcdf"]
    assert found.repeats == 5
    assert "does not fit" not in html(app)  # wine's classes have an order there


def test_a_set_of_half_a_million_rows_is_drawn_anew_for_its_study(store):
    app = as_visitor(paper_table="mcdf5", paper_cell="LargeSet4~MCDF~accuracy~")
    app = with_study(checked(app.button(key="paper_run").click().run()))
    with closing(StudyLine(address_of_store())) as line:
        study_id = app.session_state["selection"].compare.study
        assert list(line.sizes(study_id).values()) == [(500_000, 8)]
        assert line.n_bytes(study_id) < 2_000  # the seed is kept, not the rows


def test_a_cell_of_the_svm_tree_is_computed_on_the_page():
    cell = "three_spirals~SVM tree (improved)~accuracy_class_2~sigma 5"
    numbers_shown = {"paper_table": "svm_tree1", "paper_view": "numbers"}
    app = opened("papers", paper_cell=cell, **numbers_shown)
    assert "run 94.88" not in html(app)
    app = checked(app.button(key="paper_run").click().run())
    app = rerun_until(app, lambda app: "run 94.88 ± " in html(app))
    assert any("Run here" in each.value for each in app.caption)


def test_machines_of_a_cell_are_opened_as_a_scene():
    app = opened("papers", paper_table="svm_tree1")
    app = checked(app.button(key="paper_open").click().run())
    (model,) = app.session_state["selection"].models
    assert dict(model.params)["sigma"] == 15.0


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_chapters_sums_are_worked_out_and_agree_but_for_the_one_with_a_reason(name):
    scene = chapter_scene(DEFAULT.change(paper_table=name))
    for printed, ours in scene.rows:
        decimals = len(printed.printed.partition(".")[2])
        assert ours == pytest.approx(float(printed.printed), abs=10**-decimals)
        assert differs(printed.printed, ours) == bool(printed.reason)
    assert chapter_table(scene).count("<tr>") == 1 + len(scene.rows)


def test_the_second_row_of_gains_is_about_those_without_a_house():
    scene = chapter_scene(DEFAULT.change(paper_table="textbook_example3"))
    assert len(scene.sums.rows) == 9
    labels = [0] * 3 + [1] * 6  # three of the nine got a loan
    entropy = -sum(p * math.log2(p) for p in (labels.count(0) / 9, labels.count(1) / 9))
    assert scene.rows[0][1] == pytest.approx(entropy)
    assert [printed.feature for printed, _ in scene.rows] == ["", "age", "job", "credit"]


def test_an_example_leads_to_where_its_sums_are_written_out():
    app = opened("papers", paper_table="textbook_example4")
    assert "Gini(D, house = yes)" in html(app)
    assert "0.266667" in html(app)
    assert app.selectbox(key="paper_of").value == "textbook"
    app = checked(app.button(key="paper_open").click().run())
    assert app.title[0].value == "How is it calculated?"
    assert app.session_state["selection"].textbook.lesson == "gini"
    app = opened("papers", paper_table="sodt2")
    app = checked(app.selectbox(key="paper_of").select("textbook").run())
    assert app.query_params["paper_table"] == "textbook_example2"
