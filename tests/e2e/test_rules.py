"""The pages rules, textbook, papers and compare in a real browser."""

import csv
import re

import pytest
from playwright.sync_api import expect

from lastviz import C45Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import explain, node_sums, rules
from lastviz.ui.state.fields import EditedRows
from lastviz.ui.textbook.scene import book_rows, read_rows

from .app import LONG, SIZES, App, arrive, choose, enter, kept, ready, still

pytestmark = pytest.mark.e2e

SCENE = "/rules?data=breast_cancer&m=c45&held=0&lit=20"

# Where the middle of a node's bar lies on the page.
PLACE = """(node) => {
    const gd = document.querySelector(".lv-figure"), { xaxis, yaxis } = gd._fullLayout;
    const bar = gd.layout.meta.hits.findLast((hit) => hit.node === node);
    const [left, right, low, high] = bar.box, box = gd.getBoundingClientRect();
    return [box.left + xaxis._offset + xaxis.d2p((left + right) / 2),
            box.top + yaxis._offset + yaxis.d2p((low + high) / 2)];
}"""


def fitted():
    data = load_dataset("breast_cancer")
    return C45Classifier().fit(data.numeric_X, data.codes), data


def value_of(page, i):
    return page.locator(".lv-strip div b").nth(i).inner_text()


@pytest.mark.main
def test_a_node_is_clicked_a_sample_typed_a_file_taken(open_page, tmp_path):
    model, data = fitted()
    tree = model.tree_
    page = open_page(SCENE)
    assert value_of(page, 1) == str(tree.n_nodes)
    say = page.locator(".lv-say").first
    expect(say).to_contain_text("Row 20 (")

    page.wait_for_selector(".st-key-rule_tree .main-svg")
    leaf = rules(tree)[0].node
    page.mouse.click(*page.evaluate(PLACE, leaf))
    page.wait_for_url(re.compile(rf"node={leaf}\b"))
    expect(page.locator(".lv-card")).to_be_visible()

    # The first value that the tree asks for goes to the other side of its threshold.
    x = data.numeric_X.iloc[19].copy()
    feature, threshold = int(tree.feature[0]), float(tree.threshold[0])
    typed = threshold + 1 if x.iloc[feature] <= threshold else threshold - 1
    page.get_by_text("Type a sample", exact=True).click()
    field = page.get_by_role("textbox", name=tree.feature_names[feature], exact=True)
    enter(field, repr(typed))
    page.wait_for_url(re.compile(r"typed="))
    expect(say).to_contain_text("The typed sample is predicted")
    x.iloc[feature] = typed
    end = explain(model, x.to_numpy()).main_end
    number = next(rule.number for rule in rules(tree) if rule.node == end)
    expect(say).to_contain_text(f"by rule {number}")

    names = {}
    exec(kept(page, "Python function", tmp_path).read_text(encoding="utf-8"), names)
    said = [names["predict"](row) for row in data.numeric_X.to_dict("records")]
    assert said == [data.class_order[k] for k in model.predict(data.numeric_X)]


def test_a_phone_shows_the_table_first_and_the_tree_on_demand(open_page):
    page = open_page(f"{SCENE}&rule_view=rules", size="phone")
    expect(page.locator(".lv-filtered")).to_be_visible()
    expect(page.locator(".st-key-rule_tree")).to_be_hidden()
    page.locator(".lv-rule-switch").get_by_text("Tree").click()
    expect(page.locator(".st-key-rule_tree .main-svg").first).to_be_visible()
    expect(page.locator(".lv-filtered")).to_be_hidden()


def test_the_class_filter_and_the_order_play_in_the_browser(open_page):
    page = open_page("/rules?data=breast_cancer&m=c45&held=0&rule_view=rules")
    model, _ = fitted()
    found = rules(model.tree_)
    table = page.locator(".lv-filtered")
    rows, caption = table.locator("tbody tr"), table.get_by_role("status")
    numbers = lambda: [int(text) for text in rows.locator("td:nth-child(1)").all_inner_texts()]  # noqa: E731
    assert numbers() == [rule.number for rule in found]

    page.context.set_offline(True)  # the server cannot help
    table.get_by_label("Class").select_option("1")
    of_class = [rule.number for rule in found if rule.prediction == 1]
    expect(rows).to_have_count(len(of_class))
    assert numbers() == of_class
    at_once = caption.inner_text()
    table.get_by_role("button", name="rule", exact=True).click()
    assert numbers() == sorted(of_class, reverse=True)
    page.context.set_offline(False)

    arrive(page, "**only=2**")
    assert caption.inner_text() == at_once
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    second = next(rule for rule in found if rule.number == sorted(of_class)[-2])
    page.wait_for_url(re.compile(rf"node={second.node}\b"))
    expect(table.locator("tr[aria-selected=true]")).to_have_count(1)
    while "only" in page.url:
        ready(page)
        page.go_back()
    expect(rows).to_have_count(len(found))


WITHIN = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [said, main] = [".lv-say", "[data-testid=stMain]"].map(box);
    const drawn = box(".st-key-short_intervals .lv-frame");
    return said.bottom < drawn.bottom && drawn.bottom <= innerHeight && drawn.right <= main.right;
}"""


@pytest.mark.main
@pytest.mark.parametrize("size", ["projector", "phone"])
def test_a_cold_page_begins_in_short(open_page, size):
    page = open_page("/rules", size=size)
    ready(page)
    expect(page.locator(".lv-say b")).to_contain_text("The tree classifies")
    page.wait_for_selector(".st-key-short_intervals .main-svg")
    assert page.evaluate(WITHIN)
    expect(page.locator(".lv-decided tbody tr")).to_have_count(3)
    expect(page.locator(".st-key-short_tree .main-svg").first).to_be_attached()
    expect(page.locator(".lv-filtered")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size == "projector":
        question, views = (page.locator(s).bounding_box() for s in ("h1", ".st-key-rule_view"))
        middle = question["y"] + question["height"] / 2
        assert views["y"] < middle < views["y"] + views["height"]
        say = page.locator(".lv-say").bounding_box()
        assert views["y"] + views["height"] <= say["y"]
        page.emulate_media(media="print")
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        page.set_viewport_size({"width": 688, "height": 1017})
        sheet = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom"), "14mm"))
        assert sheet.count(b"/Type /Page\n") == 1
        page.emulate_media(media="screen")
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        page.set_viewport_size(SIZES[size])
        ready(page)
    page.get_by_text("What do errors cost?").click()
    expect(page.locator(".st-key-costs .main-svg").first).to_be_attached()


def table(page, name):
    """The rows of a table of sums, by their heads."""
    rows = page.locator(f'table[data-name="{name}"] tbody tr')
    expect(rows.first).to_be_visible()
    found = {}
    for cells in rows.evaluate_all("rows => rows.map(r => [...r.cells].map(c => c.innerText))"):
        found[cells[0].strip()] = [cell.strip() for cell in cells[1:]]
    return found


def column(page, name, place):
    return [float(cells[place]) for cells in table(page, name).values()]


def type_into(page, *, row, at, text):
    """Type into a cell of the table: `row` counts from one, `at` is its place in pixels."""
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("canvas").first).to_be_visible()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + at, box["y"] + 35 * (row + 0.5))
    expect(grid.locator('td[aria-selected="true"]').first).to_be_attached()
    page.keyboard.press("Enter")
    page.locator("#portal input, #portal textarea").first.wait_for()
    page.keyboard.type(text, delay=60)
    page.keyboard.press("Enter")


@pytest.mark.main
def test_a_typed_cell_changes_sums_link_and_ranking_and_back_undoes_it(open_page):
    page = open_page("/textbook?lesson=gain")
    type_into(page, row=4, at=265, text="no")  # the house of row 4
    arrive(page, lambda url: "loan=" in url)
    text = re.search(r"loan=([^&]+)", page.url)[1]
    changed = EditedRows.parse(text)
    rows = [list(row) for row in book_rows().rows]
    rows[3][2] = 1
    assert changed == EditedRows(tuple(map(tuple, rows)))
    gains = [round(sums.gain, 6) for sums in node_sums(read_rows(changed)).features]
    expect(page.locator('table[data-name="gain"]')).to_contain_text(f"{gains[2]:.6f}")
    assert column(page, "gain", 1) == gains
    page.go_back()
    expect(page.locator('table[data-name="gain"]')).to_contain_text("0.419973")
    assert "loan=" not in page.url


def test_a_text_among_the_numbers_is_named_and_the_losses_stay(open_page):
    page = open_page("/textbook?lesson=squares")
    type_into(page, row=3, at=420, text="many")
    expect(
        page.get_by_text(re.compile("Table 5.2, row 3, y: “.*many” is no number"))
    ).to_be_visible()
    assert table(page, "cuts")["5"][2] == "3.358720"


def test_a_row_can_be_changed_without_the_grid(open_page):
    page = open_page("/textbook?lesson=gini")
    sidebar = page.get_by_test_id("stSidebar")
    choose(page, sidebar.get_by_label("class", exact=False).last, "yes")
    arrive(page, lambda url: "loan=" in url)
    changed = EditedRows.parse(re.search(r"loan=([^&]+)", page.url)[1])
    wanted = [g for sums in node_sums(read_rows(changed)).features for g in sums.gini.tolist()]
    assert column(page, "gini", 1) == pytest.approx(wanted, abs=1e-6)
    page.get_by_role("button", name="Back to the book's table").click()
    page.wait_for_url(lambda url: "loan=" not in url)


def test_a_phone_shows_sums_and_table_one_below_the_other(open_page):
    page = open_page("/textbook?lesson=tree", size="phone")
    above = page.locator(".st-key-lesson-body").bounding_box()
    below = page.locator(".st-key-book-table").bounding_box()
    assert below["y"] >= above["y"] + above["height"] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 391


def test_a_claim_unfolds_and_a_figure_leads_to_its_study(open_page):
    page = open_page("/papers?paper_table=sodt2")
    grid = page.locator(".lv-paper-grid")
    expect(grid.locator("tbody tr")).to_have_count(12)
    box = grid.bounding_box()
    assert box["width"] <= 1440 - 272  # wider tables scroll in their own room
    claim = page.locator(".lv-claims details").first
    expect(claim.locator("table")).to_be_hidden()
    claim.locator("summary").click()
    expect(claim.locator("tbody tr")).to_have_count(12)
    twonorm = grid.locator("tr", has_text="Twonorm")
    twonorm.locator("a").nth(3).click()
    arrive(page, "**/compare?**")
    assert page.locator(".lv-cells thead th").count() == 5  # as many draws as the command takes
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which one is better")
    expect(page.get_by_role("button", name="Begin the study")).to_be_enabled()


N_FOLDS = 3 * 3 * 10
PLAN = (
    "/compare?compared=cart,k_nn,random_forest~n_estimators=200&compared_on=iris,wine,moons~n_samples=150"
    "&study_folds=10"
)


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A server with a store of studies of its own, that may be killed."""
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    with App(tmp_path) as app:
        yield app


def rows_of(download):
    with open(download.path(), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def wait_for_all_folds(page):
    """Wait as long as more folds are done from time to time."""
    done = "[...document.querySelectorAll('.lv-cells td')].map((cell) => cell.dataset.done).join()"
    all_done = f"document.body.innerText.includes('Done {N_FOLDS} of {N_FOLDS} folds')"
    while not page.evaluate(all_done):
        changed = f"(before) => {done} !== before || {all_done}"
        page.wait_for_function(changed, arg=page.evaluate(done), timeout=LONG)


@pytest.mark.slow
def test_a_study_survives_the_death_of_the_server(app, open_page):
    page = open_page(app.address + PLAN)
    begin = page.locator(".st-key-study_begin button:enabled")  # once the browser is known
    begin.wait_for()
    ready(page)
    begin.click()
    page.wait_for_url("**study=**")
    page.wait_for_selector('.lv-cells td[data-done]:not([data-done="0"])', timeout=LONG)
    assert page.locator(".lv-cells tbody td").count() == 9
    app.kill()
    app.start()
    # What is left is computed by another process, begun by the new server.
    wait_for_all_folds(page)
    ready(page)
    assert page.locator('.lv-cells td[data-done="10"]').count() == 9
    said = page.locator("p.lv-say").inner_text()
    assert "best mean rank" in said
    assert "study=" in page.url

    with page.expect_download() as saved:
        page.get_by_role("button", name="Folds as CSV").click()
    rows = rows_of(saved.value)
    places = {(r["algorithm"], r["dataset"], r["repeat"], r["fold"]) for r in rows}
    assert len(rows) == len(places) == N_FOLDS
    assert {row["state"] for row in rows} == {"done"}

    again = open_page(page.url)
    again.wait_for_selector("p.lv-say")
    assert again.locator("p.lv-say").inner_text() == said


@pytest.mark.parametrize("size", ["projector", "phone"])
def test_a_cold_window_opens_on_a_conclusion_and_one_click_makes_it_mine(open_page, size):
    page = open_page("/compare", size=size)
    said = page.locator("p.lv-say b")
    expect(said).to_contain_text("has the best mean rank")
    expect(said).to_be_in_viewport()
    expect(page.get_by_text("Example study, finished")).to_be_in_viewport()
    expect(page.locator('[class*="st-key-study_set_"] .js-plotly-plot').first).to_be_in_viewport()
    if size == "phone":
        return
    page.get_by_role("button", name="Make it mine").click()
    page.locator(".st-key-study_begin button:enabled").wait_for()
    ready(page)
    assert "compared=gsodt" in page.url
    page.get_by_role("button", name="See a finished study").click()
    expect(said).to_contain_text("has the best mean rank")


def test_the_line_among_the_rules_is_dragged_and_moved_by_keys(open_page):
    page = open_page("/rules?data=breast_cancer&m=cart&m.max_leaf_nodes=8&cost_miss=5")
    rows = page.locator(".lv-line-row")
    line = page.get_by_role("slider", name="Line between malignant and benign")
    called = page.locator(".lv-line-row.lv-called")
    before, n = called.count(), rows.count()
    assert 0 < before < n

    def says():
        """Return the sentence, once it says what the numbers beside the rules say."""
        cost = page.locator(".lv-line-sum").inner_text()
        expect(page.locator(".lv-say")).to_contain_text(f"cost {cost},")
        return page.locator(".lv-say").inner_text()

    line.press("End")
    expect(called).to_have_count(n)
    page.wait_for_url(re.compile(r"cut=0\b"))
    assert "no less than calling" in says()
    line.press("ArrowUp")
    page.wait_for_url(re.compile(r"cut=(?!0\b)"))
    assert "no less than calling" not in says()

    still(page)
    top = rows.first.bounding_box()  # the line goes as far up as it can
    at = line.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    page.mouse.move(at["x"], top["y"] + 2, steps=8)
    assert called.count() < before
    shown = page.locator(".lv-line-sum").inner_text()
    page.mouse.up()
    expect(page.locator(".lv-say")).to_contain_text(f"cost {shown},")
    ready(page)
    assert f"cost {shown}," in says()


@pytest.mark.parametrize(
    ("fold", "named"), [("By group", "group_by="), ("What do errors cost?", "rule_view=costs")]
)
def test_a_fold_that_is_opened_is_in_the_link_and_one_that_is_closed_is_not(open_page, fold, named):
    page = open_page("/rules?data=breast_cancer&m=cart&m.max_depth=2")
    head = page.locator("summary", has_text=fold)
    head.click()
    page.wait_for_url(re.compile(named))
    ready(page)
    page.reload()
    ready(page)
    expect(page.locator("details[open] > summary", has_text=fold)).to_be_visible()
    head.click()
    page.wait_for_url(lambda url: named not in url)
