"""The page *papers*: printed figures beside ours, the picture, what claims come to, old links."""

import math
import re
from collections import Counter
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz.studies.published import (
    CLAIMS,
    MISPRINTS,
    TABLES,
    misprints_of,
    our_figures,
    published_cells,
)
from lastviz.studies.reproduction import plans
from lastviz.studies.tasks import plan
from lastviz.ui.compare.controls import draft_of, study_of_draft
from lastviz.ui.compute.work import Work
from lastviz.ui.papers.dots import REACH, apart_figure
from lastviz.ui.papers.page import slide_blocks
from lastviz.ui.papers.scene import paper_scene, study_of
from lastviz.ui.papers.words import claims_list, findings, grid, left_out, notes, table_rows
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.selection import DEFAULT

from .conftest import checked, html, opened
from .opened_pages import seen

NAMES = [f"{paper}{number}" for paper, number in TABLES]


@pytest.fixture(autouse=True)
def without_a_folder(monkeypatch):
    monkeypatch.delenv("LASTVIZ_DATA", raising=False)


def scene_of(name, **view):
    return paper_scene(DEFAULT.change(paper_table=name, **view))


def place_of(scene, *key):
    (found,) = (place for place in scene.places if place.cell.key == key)
    return found


DRAWN = [name for name in NAMES if scene_of(name).compared]


def slow_differences(name):
    """Row, difference in standard deviations, and whether the print is in doubt."""
    paper, number = next(key for key in TABLES if f"{key[0]}{key[1]}" == name)
    ours, found = our_figures(paper, number), []
    for cell in published_cells(paper, number):
        own = ours.get(cell.key)
        if own is None or "seconds" in cell.metric or cell.dataset == "all":
            continue
        spread = cell.spread if cell.spread > 0 else own.spread  # NaN is not above 0
        if spread > 0:
            doubted = any(not each.is_target for each in misprints_of(cell))
            found.append(((cell.dataset, cell.setting), (own.mean - cell.mean) / spread, doubted))
    return found


# The table


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_shown_with_all_its_cells(name):
    scene = scene_of(name)
    shown = grid(scene, {})
    for cell in published_cells(scene.table.paper, scene.table.number):
        assert f"{cell.mean:.{cell.digits}f}" in shown
    assert shown.count("<b>") == sum(place.ours is not None for place in scene.places)
    assert shown.count("<td ") + shown.count("<td>") - 1 == len(scene.rows) * len(scene.columns)
    assert len(scene.rows) * len(scene.columns) == len(scene.places) == len(table_rows(scene))
    assert claims_list(scene).count("<details>") == len(scene.claims)


def test_a_cell_says_how_far_it_lies_from_the_print_and_is_as_dark():
    scene = scene_of("sodt2")
    place = place_of(scene, "twonorm", "CART-LC", "error", "")
    assert place.apart == pytest.approx((place.ours.mean - place.cell.mean) / place.cell.spread)
    rows = re.findall(r"<tr>.*?</tr>", grid(scene, {}))
    row = next(row for row in rows if "Twonorm" in row)
    cell = next(part for part in row.split("<td") if f"{place.cell.mean:.1f}?" in part)
    assert "lv-apart-3" in cell
    assert f"<b>{place.ours.mean:.1f}</b>" in cell
    assert f"<i>−{abs(place.apart):.1f}</i>" in cell
    assert not place.is_target  # the print's program searched otherwise
    assert place not in scene.compared


def test_figures_with_parameters_chosen_by_training_rows_stand_in_the_same_places():
    first, other = scene_of("bnm_csn2"), scene_of("bnm_csn2", tuned="nested")
    key = ("divorce", "BNM+CSN+Gini", "accuracy", "")
    nested = our_figures("bnm_csn", 2, "nested")
    assert place_of(first, *key).ours == our_figures("bnm_csn", 2)[key]
    assert place_of(other, *key).ours == nested[key]
    plain = ("divorce", "Gini", "accuracy", "")  # nothing to choose
    assert plain not in nested
    assert place_of(other, *plain).ours == place_of(first, *plain).ours


@pytest.mark.parametrize("name", NAMES)
def test_every_empty_cell_has_its_reason_in_the_notes(name):
    scene = scene_of(name)
    told = notes(scene)
    counted = [each for each in told if re.match(r"(One cell is|\d+ cells are) empty, ", each)]
    n = [1 if each.startswith("One") else int(each.split()[0]) for each in counted]
    assert sum(n) == sum(place.ours is None for place in scene.places)
    assert all(each.rstrip().endswith(".") for each in told)
    wrong = [each for each in MISPRINTS if (each.paper, each.table) == (
        scene.table.paper, scene.table.number)]  # fmt: skip
    assert [each for each in told if any(each.startswith(m.what) for m in wrong)] == [
        f"{each.what} {each.reason}"
        for each in dict.fromkeys(m for place in scene.places for m in place.misprints)
    ]


def test_means_over_all_sets_are_those_over_the_sets_at_hand():
    scene = scene_of("bnm_csn4")
    place = place_of(scene, "all", "BNM+Gini", "accuracy", "")
    own = our_figures("bnm_csn", 2)
    values = [each.mean for key, each in own.items() if key[1] == "BNM+Gini"]
    assert place.ours.mean == pytest.approx(sum(values) / len(values))
    assert np.isnan(place.apart)  # over other sets than the print's
    assert f"over the {len(values)} of 21 data sets that are at hand" in " ".join(notes(scene))
    assert not any("at hand" in each for each in notes(scene_of("bnm_csn2")))
    found = {claim.key: counted for claim, counted in scene.claims}
    assert found["each_part_helps"].n_tested == 1


@pytest.mark.parametrize("name", NAMES)
def test_times_are_shown_but_not_compared(name):
    scene = scene_of(name)
    timed = [place for place in scene.places if "seconds" in place.cell.metric and place.ours]
    assert all(place.ours.mean > 0 and np.isnan(place.apart) for place in timed)


# A figure leads to its study


LINKED = [
    ("sodt", 2, ("gauss_2D", "C4.5", "error", ""), "paper"),
    ("sodt", 3, ("twonorm", "LSODT-L2", "nodes", ""), "paper"),
    ("sodt", 2, ("waveform", "OC1", "error", ""), "paper"),
    ("bnm_csn", 2, ("waveform1_R", "BNM+CSN+Gini", "accuracy", ""), "paper"),
    ("bnm_csn", 2, ("waveform2_R", "SPES", "accuracy", ""), "nested"),
    ("mcdf", 2, ("Set2", "MCDF", "accuracy", ""), "paper"),
    ("mcdf", 2, ("wine", "AdaBoost.M1", "mae", ""), "paper"),
]


def assert_same_folds(cell, protocol):
    """The study that a figure leads to has the tasks of the command, to the last seed."""
    query = encode(study_of(cell, protocol))
    selection, problems = decode(query, session.data_params, session.model_params)
    assert problems == ()
    study, tables = study_of_draft(draft_of(Work(selection), None), Work(selection))
    cells, _ = plan(study, {name: data for name, (data, _) in tables.items()})
    found = plans(cell.paper, datasets=(cell.dataset,), algorithms=(cell.algorithm,))
    (own,) = (each for each in found if each.protocol == protocol)
    wanted, _ = plan(own.study, own.given)
    keys = [sorted(task.key for each in both for _, task in each.tasks) for both in (cells, wanted)]
    assert keys[0] == keys[1]


@pytest.mark.parametrize(("paper", "table", "key", "protocol"), LINKED)
def test_the_study_of_a_figure_has_the_very_folds_of_the_command(paper, table, key, protocol):
    (cell,) = (each for each in published_cells(paper, table) if each.key == key)
    assert_same_folds(cell, protocol)


def test_a_table_in_the_folder_leads_to_its_study(tmp_path, monkeypatch):
    rows = "\n".join(f"{i},{i % 7},{'ab'[i % 2]}" for i in range(40))
    (tmp_path / "pima.csv").write_text(f"x,y,class\n{rows}\n", encoding="utf-8")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    key = ("pima", "C4.5", "error", "")
    (cell,) = (each for each in published_cells("sodt", 2) if each.key == key)
    assert_same_folds(cell, "paper")


@pytest.mark.parametrize(("paper", "table", "key"), [
    ("svm_tree", 1, ("three_spirals", "SVM tree (improved)", "accuracy_class_1", "sigma 5")),
    ("mcdf", 5, ("LargeSet1", "MCDF", "accuracy", "")),  # its symbolic columns are levels
    ("mcdf", 2, ("score", "MCDF", "accuracy", "")),  # not public
    ("bnm_csn", 4, ("all", "Gini", "accuracy", "")),
    ("sodt", 2, ("pima", "C4.5", "error", "")),  # its file is not at hand
])  # fmt: skip
def test_what_only_the_command_computes_leads_nowhere(paper, table, key):
    (cell,) = (each for each in published_cells(paper, table) if each.key == key)
    assert study_of(cell, "paper") is None


def test_the_page_shows_picture_table_and_claims():
    app = opened("papers", paper_table="bnm_csn2")
    shown = html(app)
    assert "Pima diabetes" in shown
    links = re.findall(r'href="compare\?([^"]*)"', shown)
    assert len(links) == 3 * 8  # the three waves, by eight algorithms
    protocols = [dict(parse_qsl(unescape(link))).get("protocol", "fixed") for link in links[:8]]
    assert Counter(protocols) == {"fixed": 2, "best_on_test": 6}  # C4.5 and Gini choose nothing
    assert len(app.get("bidi_component")) >= 1
    told = " ".join(each.value.replace("\\", "") for each in app.caption)
    dates = [each.date for each in our_figures("bnm_csn", 2).values()]
    command = "`python -m lastviz.studies papers --table bnm_csn2`"
    assert f"Our figures are computed by {command}; the latest is of {max(dates)}." in told
    app = checked(app.selectbox(key="paper_of").select("svm_tree").run())
    assert app.selectbox(key="paper_table").value == "svm_tree1"
    assert app.query_params["paper_table"] == "svm_tree1"


# The claims


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_a_verdict_is_shown_with_the_figures_that_decide_it(claim):
    table = claim.table or next(number for paper, number in TABLES if paper == claim.paper)
    scene = scene_of(f"{claim.paper}{table}")
    (found,) = (counted for each, counted in scene.claims if each is claim)
    (place,) = (n for n, (each, _) in enumerate(scene.claims) if each is claim)
    part = unescape(claims_list(scene)).split("<details>")[1 + place]
    assert claim.sentence in part
    assert f"<b>{found.verdict}</b></summary>" in part
    assert part.count("<tr>") == 1 + len(claim.rows)
    own = scene.figures_for(claim)
    for key in claim.cells:
        if key in own and not claim.spread:
            assert f"{key[1]} " in part
    words = {"holds": found.holds, "does not hold": found.fails, "within noise": found.level,
             "not tested": found.lacking}  # fmt: skip
    for outcome, rows in words.items():
        assert part.count(f"<td>{outcome}</td>") == len(rows)


def test_a_claim_is_decided_by_ours_and_noise_decides_nothing():
    found = {claim.key: counted for claim, counted in scene_of("sodt2").claims}
    assert found["gsodt_below_c45"].verdict.startswith("holds")
    assert ("twonorm", "error", "") in found["gsodt_below_c45"].holds
    assert ("gauss_2D", "error", "") in found["gsodt_below_c45"].level
    fast = found["sodt_fast"]
    assert ("waveform", "seconds", "") in fast.holds
    assert ("spectf", "seconds", "") in fast.lacking  # its file is not at hand
    svm = {claim.key: counted for claim, counted in scene_of("svm_tree1").claims}
    assert svm["improved_on_spirals"].n_tested == 9
    mcdf = {claim.key: counted for claim, counted in scene_of("mcdf3").claims}
    assert mcdf["mcdf_fastest"].n_tested >= 9


# The picture


@pytest.mark.parametrize("name", NAMES)
def test_what_is_judged_and_what_is_left_out_add_up_to_the_table(name):
    scene = scene_of(name)
    assert len(scene.compared) + sum(left_out(scene).values()) == len(scene.places)
    for statement in findings(scene):
        if "left" in statement.values:
            left, total, reasons = (statement.values[n] for n in ("left", "total", "reasons"))
            assert total - left == len(scene.compared)
            assert sum(each.values["n"] for each in reasons.values["reasons"]) == left
    assert "reproduced" not in " ".join(findings(scene))


@pytest.mark.parametrize("name", DRAWN)
def test_each_dot_lies_where_a_slow_recomputation_puts_it(name):
    scene = scene_of(name)
    figure = apart_figure(scene, "light")
    traces = {trace["name"]: trace for trace in figure.traces}
    expected = slow_differences(name)
    kinds = {
        "within": lambda x, doubted: abs(x) <= 1 and not doubted,
        "outside": lambda x, doubted: 1 < abs(x) <= REACH and not doubted,
        "uncertain": lambda x, doubted: abs(x) <= REACH and doubted,
    }
    for role, belongs in kinds.items():
        own = [(scene.rows.index(row), x) for row, x, doubted in expected if belongs(x, doubted)]
        trace = traces[role]
        rows = [math.floor(y + 0.5) for y in trace["y"]]
        drawn = sorted(zip(rows, trace["x"], strict=True))
        assert np.ravel(drawn) == pytest.approx(np.ravel(sorted(own)))
    for role, sign in (("below", -1), ("above", 1)):
        rows = sorted(scene.rows.index(row) for row, x, _ in expected if sign * x > REACH)
        assert sorted(traces[role]["y"]) == rows
        assert all(sign * x > REACH for x in traces[role]["x"])
    assert len(figure.figure.data) == len(figure.traces)  # plotly checks it


@pytest.mark.parametrize("name", DRAWN)
def test_the_farthest_cell_of_a_row_is_named(name):
    scene = scene_of(name)
    labels = apart_figure(scene, "light").settings["yaxis"]["ticktext"]
    for row, label in zip(scene.rows, labels, strict=True):
        apart = [x for own, x, doubted in slow_differences(name) if own == row and not doubted]
        farthest = max(apart, key=abs, default=0.0)
        assert ("<b>" in label) == (abs(farthest) > 1.0)
        if abs(farthest) > 1.0:
            assert f"{'+' if farthest > 0 else '−'}{abs(farthest):.1f}</b>" in label


def test_a_table_that_cannot_be_compared_has_its_numbers_and_no_picture():
    app = seen("papers", paper_table="mcdf3")
    assert "No cell of this table can be compared with its print." in html(app)
    assert "class='lv-paper-grid'" in html(app)


@pytest.mark.parametrize(("name", "n_pictures"), [("sodt2", 1), ("mcdf3", 0)])
def test_a_slide_has_the_picture_else_the_table_and_the_claims(name, n_pictures):
    blocks = slide_blocks(Work(DEFAULT.change(paper_table=name)), "light")
    kinds = Counter(type(block).__name__ for block in blocks)
    assert kinds["Picture"] == n_pictures
    words = "".join(block.text for block in blocks if type(block).__name__ == "Words")
    assert ("lv-paper-grid" in words) == (not n_pictures)
    assert "lv-claims" in words
    assert "href" not in words


# Links of earlier releases


@pytest.mark.parametrize(("query", "table", "told"), [
    ({"paper_table": "mcdf_figure2"}, "mcdf2", "Figures of papers are no longer shown"),
    ({"paper_table": "svm_tree_figure1", "paper_view": "picture"}, "svm_tree1",
     "Figures of papers are no longer shown"),
    ({"paper_table": "textbook_example3"}, "sodt2", "worked examples are on the page Textbook."),
    ({"paper_table": "nature7"}, "sodt2", "“nature7”|paper_table=nature7"),
    ({"paper_table": "bnm_csn3", "paper_cell": "XOR~Gini~leaves~", "paper_view": "numbers",
      "paper_claim": "bnm_fewer_leaves"}, "bnm_csn3", ""),
])  # fmt: skip
def test_an_old_link_opens_the_nearest_table_with_one_sentence(query, table, told):
    selection, problems = decode(query, session.data_params, session.model_params)
    assert selection.papers.paper_table == table
    assert len(problems) == bool(told)
    app = seen("papers", **query)
    assert app.selectbox(key="paper_table").value == table
    assert "lv-claims" in html(app)
    if told:
        (problem,) = problems
        assert re.search(told, problem)
        shown = [each.value.replace("\\", "") for each in (*app.info, *app.warning)]
        assert sum(bool(re.search(told, each)) for each in [*shown, html(app)]) == 1
