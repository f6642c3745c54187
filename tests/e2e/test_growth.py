"""The growth in a real browser: keyboard, address, another order, a file from disk."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz import C45Classifier, SVMTreeClassifier, TAOClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import separability
from lastviz.plots import number
from lastviz.splitters.edits import Cut
from lastviz.tree import Action

from .app import SIZES, choose, ready, saved_page, visit

pytestmark = pytest.mark.e2e

SPIRALS = "/growth?data=three_spirals&held=0&m=svm_tree&m.sigma=18&m.C=100"

MATRIX = """() => [...document.querySelectorAll(".lvg-matrix tbody tr")].map((row) => ({
    cells: [...row.querySelectorAll("td:not(.lvg-bar)")].map((cell) => cell.textContent),
    masked: [...row.querySelectorAll("td.lvg-masked")].length,
    decides: [...row.querySelectorAll("td:not(.lvg-bar)")].findIndex(
        (cell) => cell.className === "lvg-decides"),
    bar: row.querySelector("td.lvg-bar").textContent,
}))"""

DRAWN = """() => Object.fromEntries([...document.querySelectorAll(".lvg-marks path")].map(
    (path) => [path.dataset.role, path.getAttribute("d").split(/[ML]/).length]))"""


def player(page):
    return page.locator(".lv-growth")


def at_step(page, step):
    expect(player(page)).to_have_attribute("data-step", str(step))


def steps_of(order="separability"):
    dataset = load_dataset("three_spirals", random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    model = SVMTreeClassifier(order=order, sigma=18.0, C=100.0).fit(X, y)
    return separability(model, X, y).steps


def check_matrix(page, step):
    shown = page.evaluate(MATRIX)
    for i, row in enumerate(shown):
        if not step.live[i]:
            assert row["bar"] == "peeled"
            continue
        assert row["bar"] == number(float(step.separability[i]))
        for j in np.flatnonzero(step.live):
            assert row["cells"][j] == ("" if i == j else number(float(step.matrix[i, j])))
        assert row["decides"] == (step.pair[1] if i == step.pair[0] else -1)


@pytest.mark.main
def test_the_spirals_are_stepped_with_the_keyboard_to_the_end_and_back(open_page):
    page = open_page(SPIRALS)
    at_step(page, 0)
    steps = steps_of()
    check_matrix(page, steps[0])
    drawn = page.evaluate(DRAWN)
    assert drawn["chosen_split"] > 100
    assert {"ground", "region", "margin", "support"} <= set(drawn)
    player(page).focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    check_matrix(page, steps[1])
    expect(page.locator(".lvg-count")).to_have_text("step 2 of 2")
    page.keyboard.press("ArrowRight")  # there is no further step
    at_step(page, 1)
    page.keyboard.press("ArrowLeft")
    at_step(page, 0)
    check_matrix(page, steps[0])
    page.keyboard.press("End")
    at_step(page, 1)
    page.wait_for_url(re.compile("step=2"))
    visit(page, page.url)
    at_step(page, 1)
    check_matrix(page, steps[1])
    expect(page.locator(".lvg-say")).to_have_attribute("aria-live", "polite")


def test_frames_play_without_a_run_and_the_address_follows_the_stop(open_page):
    page = open_page("/growth?data=xor&m=cart&m.max_leaf_nodes=6")
    player(page).focus()
    page.evaluate("""() => { window.runs = 0; new MutationObserver(() => window.runs++).observe(
        document.querySelector("[data-test-script-state]"),
        {attributes: true, attributeFilter: ["data-test-script-state"]}); }""")
    page.locator(".lv-growth select").select_option("4")
    player(page).focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(document.querySelector('.lv-growth').dataset.step) >= 4")
    assert page.evaluate("window.runs") == 0
    page.keyboard.press("Space")
    page.wait_for_url(re.compile(r"step=\d"))
    stopped = int(re.search(r"step=(\d+)", page.url)[1])
    at_step(page, stopped)
    page.go_back()
    at_step(page, 1)


def test_pruned_branches_are_dashed_and_the_end_is_whole(open_page):
    page = open_page("/growth?data=gauss_2d&n_samples=300&m=c45&m.mdl_correction=false&held=0")
    dataset = load_dataset("gauss_2d", n_samples=300, random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    model = C45Classifier(mdl_correction=False).fit(X, y)
    assert (model.growth_log_.action == Action.RAISE).any()
    player(page).focus()
    page.keyboard.press("End")
    expect(page.locator(".lvg-say b")).to_have_text("The tree is finished.")
    # What the browser counts after playing the log is what the tree that predicts says.
    cells = page.locator(".lv-growth .lv-strip div")
    expect(cells.nth(2)).to_have_text(f"{model.tree_.n_leaves}leaves so far")
    wrong = np.count_nonzero(model.tree_.predict(X) != y)
    expect(cells.nth(3).locator("b")).to_contain_text(f"{wrong} ")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "() => document.querySelector('.lvg-marks path[data-role=gone]')?.getAttribute('d')"
    )
    here = page.locator(".lvg-here td").all_text_contents()
    assert here[1] in ("collapsed", "pruned", "raised")


def test_an_exported_growth_plays_from_disk_and_another_order_is_another_growth(
    open_page, alone, tmp_path
):
    page = open_page(SPIRALS)
    alone.goto(saved_page(page, tmp_path).as_uri())
    at_step(alone, 0)
    steps = steps_of()
    check_matrix(alone, steps[0])
    alone.keyboard.press("ArrowRight")
    at_step(alone, 1)
    check_matrix(alone, steps[1])
    assert alone.evaluate(DRAWN)["chosen_split"] > 100
    choose(page, page.get_by_role("combobox", name="Order of the classes"), "natural")
    expect(page.locator(".lvg-say")).to_contain_text("in their given order")
    check_matrix(page, steps_of("natural")[0])


def test_two_models_go_step_by_step_together(open_page):
    page = open_page("/growth?data=xor&m=cart&m2=cart&m2.criterion=entropy&in_step=true")
    players = page.locator(".lv-growth")
    expect(players).to_have_count(2)
    first, second = players.nth(0), players.nth(1)
    expect(first).to_have_attribute("data-step", "1")
    expect(second).to_have_attribute("data-step", "1")
    first.locator(".lvg-next").click()
    first.locator(".lvg-next").click()
    for each in (first, second):
        expect(each).to_have_attribute("data-step", "3")
    second.focus()
    page.keyboard.press("End")
    last = [int(p.locator(".lvg-transport input").get_attribute("max")) for p in (first, second)]
    expect(second).to_have_attribute("data-step", str(last[1]))
    expect(first).to_have_attribute("data-step", str(min(last)))
    expect(page).to_have_url(re.compile(f"step={last[1]}"))
    for each, at in zip((first, second), (min(last), last[1]), strict=True):
        expect(each).to_have_attribute("data-step", str(at))


def test_back_right_after_a_stop_is_a_way_back(open_page):
    page = open_page("/growth?data=xor&m=cart")
    at_step(page, 1)
    player(page).focus()
    page.keyboard.press("End")
    page.wait_for_url(re.compile(r"step=\d"), wait_until="commit")
    last = int(re.search(r"step=(\d+)", page.url)[1])
    page.go_back(wait_until="commit")  # before the answer to the stop has come
    at_step(page, 1)
    page.go_forward(wait_until="commit")
    at_step(page, last)


@pytest.mark.parametrize(("edit", "edits"), [("", ()), ("&e=0P", [Cut((0,))])])
def test_the_curve_of_tao_ends_with_the_errors_of_the_tree(open_page, edit, edits):
    data = load_dataset("moons", random_state=1)
    tree = TAOClassifier().fit(data.numeric_X.to_numpy(), data.codes, edits=edits)
    page = open_page(f"/growth?data=moons&held=0&m=tao{edit}")
    curve = page.locator(".lvg-curve svg")
    expect(curve).to_have_attribute("aria-label", re.compile(r": 200(, \d+)+$"))
    errors = [int(n) for n in curve.get_attribute("aria-label").partition(": ")[2].split(", ")]
    assert errors[-1] == tree.n_errors_
    assert edits or errors == sorted(errors, reverse=True)


def test_the_rows_whose_class_depends_on_a_new_split_of_tao_are_lit(open_page):
    data = load_dataset("moons", random_state=1)
    tree = TAOClassifier().fit(data.numeric_X.to_numpy(), data.codes)
    log = tree.growth_log_
    event = int(np.flatnonzero(log.action == Action.REFIT)[0])
    page = open_page(f"/growth?data=moons&held=0&m=tao&step={event + 1}")
    at_step(page, event + 1)
    lit = page.locator(".lvg-marks path[data-role=care]")
    expect(lit).to_have_count(2)
    counts = sorted(int(path.get_attribute("data-rows")) for path in lit.all())
    assert counts == sorted(np.bincount(data.codes[tree.care_[0]], minlength=2).tolist())
    player(page).focus()
    page.keyboard.press("ArrowLeft")
    at_step(page, event)
    expect(lit).to_have_count(0)


def test_a_long_equation_goes_on_in_the_next_line(open_page):
    page = open_page("/growth?data=iris&m=gsodt")
    said = player(page).locator(".lvg-say")
    for size in SIZES.values():
        page.set_viewport_size(size)
        ready(page)
        expect(said.locator("i")).to_contain_text("petal width + …")
        assert said.evaluate("(each) => each.scrollWidth <= each.clientWidth")


def test_machines_of_many_features_are_drawn_by_their_values(open_page):
    page = open_page("/growth?data=wine&m=svm_tree")
    expect(page.locator(".lvg-frame .lvg-marks [data-role=ridge]")).to_have_count(3)  # of 3 classes
    page.locator(".lvg-next").click()
    at_step(page, 1)
    expect(page.locator(".lvg-frame .lvg-marks [data-role=ridge]")).to_have_count(2)


@pytest.mark.parametrize(
    ("library", "said"),
    [
        ("window.Plotly = { react() { throw new Error('broken'); }, purge() {} }", "went wrong"),
        (None, "plotly.min.js did not load"),
    ],
)
def test_why_a_growth_is_not_drawn_is_said(open_page, library, said):
    page = open_page("/privacy")
    serve = lambda route: route.fulfill(body=library) if library else route.abort()  # noqa: E731
    page.route("**/plotly.min.js*", serve)
    page.goto(page.url.replace("privacy", "growth"))
    expect(page.locator(".lvg-frame")).to_contain_text(said)
