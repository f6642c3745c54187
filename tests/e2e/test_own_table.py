"""What readers bring: tables, names for people, models, rows that are changed."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from lastviz import from_sklearn
from lastviz.datasets import load_dataset
from lastviz.export import model_as_json, model_from_json
from lastviz.ui.state.edit_codes import unpack_labels
from tests.credit import credit_table
from tests.leaky import leaky_credit

from .app import arrive, downloaded, enter, go_to, hand_in, kept, query, ready, visit

pytestmark = pytest.mark.e2e


class Clicks:
    """Clicks of a visitor, counted; choosing the file is one of them."""

    def __init__(self):
        self.n = 0

    def on(self, what):
        what.click()
        self.n += 1

    def begin(self, page):
        self.on(page.get_by_role("link", name="Open a table"))
        page.wait_for_url("**/data**")
        expect(page.get_by_role("heading", level=1)).to_have_text("What is in the data?")
        ready(page)

    def hand_in(self, page, **files):
        handed = [
            {"name": name.replace("_", "."), "mimeType": "text/plain", "buffer": content}
            for name, content in files.items()
        ]
        page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(handed)
        self.n += 1
        arrive(page, "**data=upload**")

    def go_to(self, page, title):
        self.on(page.get_by_test_id("stTopNavLink").get_by_text(title, exact=True))
        arrive(page, f"**/{title.lower()}**")


def traces(page):
    """What is drawn in all figures of the page: role and name of each trace."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((plot) =>
            plot.data.map((trace) => ({role: trace.meta?.role ?? "", name: trace.name ?? ""})))"""
    )


def csv_of(table):
    return table.to_csv(index=False).encode()


@pytest.mark.main
def test_a_credit_table_becomes_a_rule_tree_in_five_clicks(open_page):
    page, clicks = open_page("/data"), Clicks()
    clicks.hand_in(page, credit_csv=csv_of(credit_table()))
    expect(page.get_by_text("Nothing here would mislead a tree")).to_be_visible()
    clicks.go_to(page, "Rules")
    assert clicks.n <= 5
    expect(page.locator(".lv-decided")).to_contain_text("held-out rows")
    assert {"ribbon", "bar"} <= {trace["role"] for trace in traces(page)}
    assert query(page)["file"] == "credit.csv"


@pytest.mark.main
@pytest.mark.parametrize(
    ("way", "page_name", "seen"),
    [("See its border", "boundaries", ".lv-figure"), ("Explain one row", "rules", ".lv-path"),
     ("What do errors cost?", "rules", ".st-key-costs")],
)  # fmt: skip
def test_a_table_is_followed_by_its_tree_and_one_click_leads_on(open_page, way, page_name, seen):
    page, clicks = open_page("/data"), Clicks()
    clicks.hand_in(page, credit_csv=csv_of(credit_table()))
    expect(page.locator(".lv-say", has_text="always predicting")).to_be_visible()
    leaves = [t for t in traces(page) if t["role"] == "bar"]
    assert leaves
    clicks.on(page.get_by_role("button", name=way))
    arrive(page, f"**/{page_name}**")
    assert clicks.n == 2
    assert query(page)["m.max_leaf_nodes"] == "8"
    expect(page.locator(seen).first).to_be_visible()


def test_from_nothing_a_credit_table_has_a_border_in_four_clicks(open_page):
    page, clicks = open_page("/"), Clicks()
    clicks.begin(page)
    clicks.hand_in(page, credit_csv=csv_of(credit_table()))
    clicks.go_to(page, "Boundaries")
    assert clicks.n <= 4
    tinted = {trace["name"] for trace in traces(page) if trace["role"] == "region"}
    assert {"bad", "good"} <= tinted


def test_from_nothing_why_a_row_was_refused_and_what_would_change_it_takes_six(open_page):
    table = credit_table(missing=0.0)
    page, clicks = open_page("/"), Clicks()
    clicks.begin(page)
    clicks.hand_in(page, credit_csv=csv_of(table))
    clicks.go_to(page, "Rules")
    clicks.on(page.get_by_text("One row", exact=True))
    row = page.get_by_role("spinbutton", name="Row")
    enter(row, str(1 + int(np.flatnonzero(table.iloc[:, -1] == "bad")[0])))
    clicks.n += 1
    ready(page)
    assert clicks.n <= 6
    expect(page.locator(".lv-path").first).to_contain_text("bad")
    expect(page.locator(".lv-flip li").first).to_contain_text("→")


def test_what_names_rows_is_left_out_and_a_leak_with_one_click(open_page):
    page, clicks = open_page("/data"), Clicks()
    clicks.hand_in(page, credit_csv=csv_of(leaky_credit()))
    told = "Nearly every value is different in “customer_id” and “name”"
    expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_text("cannot generalise: “opened_on”")).to_be_visible()
    clicks.on(page.get_by_role("button", name="Leave out").first)
    expect(page.get_by_role("button", name="Undo")).to_have_count(3)
    page.wait_for_url("**columns=5-24**")
    clicks.go_to(page, "Rules")
    assert clicks.n <= 5
    for name in ("customer_id", "opened_on", "arrears_later"):
        expect(page.get_by_test_id("stMain").get_by_text(name)).to_have_count(0)


def test_a_table_and_its_sidecar_are_shown_with_names_for_people(open_page):
    sidecar = {
        "target": "risk",
        "classes": {"bad": {"label": "<b>Defaulted</b>", "colour": "#D55E00"}},
        "features": {"duration": {"label": "Duration", "unit": "months"}},
    }
    page, clicks = open_page("/data"), Clicks()
    side = json.dumps(sidecar).encode()
    clicks.hand_in(page, credit_csv=csv_of(credit_table(200)), credit_json=side)
    expect(page.locator(".lv-legend").first).to_contain_text("<b>Defaulted</b>")
    assert unpack_labels(query(page)["labels"]).names == {"duration": "Duration"}
    clicks.go_to(page, "Rules")
    expect(page.locator(".lv-legend")).to_contain_text("<b>Defaulted</b>")
    drawn = page.evaluate(
        """() => [...document.querySelectorAll(".js-plotly-plot")]
            .map((plot) => JSON.stringify(plot.data)).join("").toUpperCase()"""
    )
    assert "#D55E00" in drawn


WINE = load_dataset("wine")
LABELS = np.asarray(WINE.class_order)[WINE.codes]

NOT_OF_THE_EXAMPLE = ":not([class*='st-key-example-'] *)"


def hand_in_model(page, content, name="mine.json"):
    field = page.locator(".st-key-own_model_field input[type=file]")
    field.set_input_files({"name": name, "mimeType": "application/json", "buffer": content})


def stored(page):
    """Wait until the server has stored the model: before, it is gone with the session."""
    expect(page.get_by_text("Kept on this server for this browser", exact=False)).to_be_visible()
    ready(page)


def download(page, title):
    button = page.get_by_role("button", name=title, exact=True)
    return Path(downloaded(page, button).path()).read_bytes()


def go_to_page(page, path):
    visit(page, re.sub(r"/data\?", f"/{path}?", page.url))


@pytest.mark.main
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, RandomForestClassifier])
def test_a_model_of_ones_own_is_drawn_and_refused_in_a_sentence_where_its_search_is_asked(
    open_page, kind
):
    model = kind(max_depth=3, random_state=0).fit(WINE.X, LABELS)
    page = open_page("/data?data=wine")
    hand_in_model(page, model_as_json(from_sklearn(model)).encode())
    expect(page.get_by_text("It is the first model now", exact=False)).to_be_visible()
    page.wait_for_url("**m=**")
    stored(page)
    address = page.url
    go_to_page(page, "boundaries")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    expect(page.locator(".lv-notice")).to_contain_text("trained elsewhere")
    visit(page, address.replace("/data?", "/rules?") + "&rule_view=rules")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    tree = model_from_json(download(page, "Tree as JSON"))
    theirs = model.estimators_[0] if kind is RandomForestClassifier else model
    assert tree.tree_.n_nodes == theirs.tree_.node_count
    for path in ("splits", "pruning"):
        visit(page, address.replace("/data?", f"/{path}?"))
        expect(page.get_by_text("was not grown here", exact=False).first).to_be_visible()
        expect(page.locator(".st-key-example_shown")).to_contain_text("by an example")
        expect(page.locator(f".lv-figure{NOT_OF_THE_EXAMPLE}")).to_have_count(0)
    visit(page, address.replace("/data?", "/growth?"))
    if kind is RandomForestClassifier:
        expect(page.get_by_test_id("stAlert").first).to_be_visible()
        expect(page.locator(".st-key-example_shown")).to_contain_text("by an example")
        expect(page.locator(f".lv-growth{NOT_OF_THE_EXAMPLE}")).to_have_count(0)
    else:
        expect(page.locator(".lv-growth")).to_be_visible()
        expect(page.get_by_text("from the root down", exact=False)).to_be_visible()


@pytest.mark.main
def test_a_sum_of_trees_of_lightgbm_shows_its_regions_and_its_rules(open_page):
    page = open_page("/data?data=wine")
    content = (Path(__file__).parents[1] / "fixtures/foreign/app_wine.txt").read_bytes()
    hand_in_model(page, content, "model.txt")
    expect(page.get_by_text("LightGBM: 12 trees", exact=False)).to_be_visible()
    expect(page.get_by_text("one tree of CART with", exact=False)).to_be_visible()
    page.wait_for_url("**m=**")
    stored(page)
    address = page.url
    go_to_page(page, "boundaries")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    expect(page.locator(".lv-notice")).to_contain_text("trained elsewhere")
    visit(page, address.replace("/data?", "/rules?") + "&rule_view=rules")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    assert b"then" in download(page, "Rules as text")
    visit(page, address.replace("/data?", "/rules?") + "&rule_view=row&lit=3")
    expect(
        page.get_by_text("The trees add up to a score of each class", exact=False)
    ).to_be_visible()


def test_names_in_a_model_are_words(open_page):
    evil = "<img src=x onerror='window.hit=1'>"
    model = from_sklearn(DecisionTreeClassifier(max_depth=2).fit(WINE.X, LABELS))
    text = model_as_json(model).replace('"DecisionTreeClassifier"', f'"{evil}"')
    page = open_page("/data?data=wine")
    hand_in_model(page, text.encode())
    expect(page.get_by_text("It is the first model now", exact=False)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("window.hit") is None


JOBS = ("clerk", "cook", "smith")


def table_with_gaps():
    rng = np.random.default_rng(0)
    rows = []
    for i in range(120):
        age, job = int(rng.integers(18, 70)), JOBS[rng.integers(3)]
        label = "yes" if (age > 40) != (job == "cook") else "no"
        rows.append(f"{'' if i % 9 == 0 else age},{'' if i % 11 == 4 else job},{label}")
    return ("age,job,class\n" + "\n".join(rows)).encode()


@pytest.mark.main
def test_a_table_with_words_and_gaps_from_upload_to_scored_rows(open_page, tmp_path):
    page = open_page("/data?data=xor&m=c45")
    hand_in(page, "jobs.csv", table_with_gaps())
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-say").first).to_contain_text("of the rows have a gap")
    ready(page)
    hand_in(page, "new.csv", b"name,job,age\nA,cook,30\nB,,30\nC,king,60\n", place=1)
    expect(page.get_by_text("3 rows scored")).to_be_visible()
    file = kept(page, "Download the scored rows", tmp_path)
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["name"] for row in rows] == ["A", "B", "C"]
    assert rows[0]["prediction"] == "yes"
    assert "job = cook" in rows[0]["rule"]
    go_to(page, "Boundaries")
    arrive(page, "**/boundaries?**")
    ticks = page.locator(".ytick text, .y2tick text, .yaxislayer-above text")
    expect(ticks.filter(has_text="clerk").first).to_be_visible()
    expect(ticks.filter(has_text="missing").first).to_be_visible()
    go_to(page, "Splits")
    arrive(page, "**/splits?**")
    expect(page.get_by_text("The best test of each feature")).to_be_visible()
    bars = page.locator(".bars .point path")
    expect(bars.first).to_be_visible()
    bars.nth(1).click(force=True)
    page.wait_for_url("**pick=**")


@pytest.mark.main
def test_a_locked_feature_stays_out_of_the_answer(open_page):
    page = open_page("/data?data=xor&m=c45")
    table = credit_table(missing=0.0).to_csv(index=False).encode()
    hand_in(page, "credit.csv", table)
    arrive(page, "**data=upload**")
    go_to(page, "Rules")
    arrive(page, "**/rules?**")
    row = page.get_by_role("spinbutton", name="Row")
    enter(row, "12")
    arrive(page, "**lit=12**")
    first = page.locator(".lv-flip li").first
    expect(first).to_contain_text("→")
    name = first.inner_text().split(":")[0]
    page.get_by_text("What may change", exact=True).click()
    expect(page.get_by_role("combobox", name=re.compile("Must not change"))).to_be_visible()
    ready(page)  # a run that comes meanwhile closes the list of options
    page.get_by_role("combobox", name=re.compile("Must not change")).fill(name)
    page.get_by_role("option", name=name, exact=True).click()
    page.wait_for_url("**flip_holds=**")
    page.keyboard.press("Escape")
    changes = page.locator(".lv-flip ul")
    expect(changes).not_to_contain_text(f"{name}:")
    page.get_by_role("button", name="Show the changed sample").click()
    page.wait_for_url("**typed=**")
    expect(page.locator(".lv-say").first).to_contain_text("typed sample")
