"""What a report says of a scene: numbers with their intervals, what to keep in mind."""

import base64
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from lastviz.datasets import PAINTED
from lastviz.export import rules_as_csv
from lastviz.export.blocks import Columns, Table
from lastviz.inspection import rules, share_interval
from lastviz.ui.boundaries.page import report as boundaries_page_report
from lastviz.ui.boundaries.page import scene_report_of
from lastviz.ui.boundaries.regression_view import number_view
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.work import Work
from lastviz.ui.data.figures import scene_of as scene_of_data
from lastviz.ui.data.page import report as data_page_report
from lastviz.ui.data.report import findings_section, report_of
from lastviz.ui.monotone.page import report as monotone_report
from lastviz.ui.pruning.page import report as pruning_page_report
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.rules import page as rules_page
from lastviz.ui.rules.page import blocks, rule_report
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.short import finding
from lastviz.ui.shared.blocks import Box
from lastviz.ui.shared.page_file import below_finding, finding_in, page_of, ready_scene
from lastviz.ui.shared.styles import CONTENT
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.page import report as splits_page_report
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.text import CannotShow, as_plain, number, percent
from tests.credit import credit_table

from .conftest import checked, opened
from .opened_pages import without_tags


class Tables(HTMLParser):
    """The cells of all tables, row by row, and all other words."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.words, self.inside = [], "", False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")
        if self.inside:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data
        self.words += data


def words_of(n_right, n):
    low, high = share_interval(n_right, n)
    return f"{percent(low)} to {percent(high)} %"


def of_rules(selection):
    return Tables(rule_report(rule_scene(Work(selection), "light"), "What?", None))


def test_an_accuracy_has_its_interval_and_the_caveat_of_it():
    selection = DEFAULT.having(data="wine", models=(Model("c45"),))
    scene = rule_scene(Work(selection), "light")
    part, found = scene.found.held_out, of_rules(selection)
    (told,) = [row[1] for row in found.rows if row[0] == "accuracy, held out"]
    low, high = (percent(bound) for bound in share_interval(part.n_right, part.n_samples))
    assert f"({part.n_right} of {part.n_samples}); 95 %: {low} to {high}; baseline" in told
    for k, name in enumerate(scene.class_names):
        row = next(row for row in found.rows if row[0] == name and len(row) == 6)
        assert row[-1] == words_of(part.confusion[k, k], part.confusion[k].sum())
    assert "not about another division" in found.words


def test_a_rule_that_no_row_meets_and_one_met_in_parts_have_no_interval():
    selection = DEFAULT.having(data="wine", models=(Model("cart"),), held=0.1)
    scene, found = rule_scene(Work(selection), "light"), of_rules(selection)
    at = max(i for i, row in enumerate(found.rows) if row[-1] == "95 % interval" and "if" in row)
    rows = found.rows[at + 1 : at + 1 + len(scene.found.rules)]
    for rule, row in zip(scene.found.rules, rows, strict=True):
        right, reached = scene.found.held_out_of(rule.node)
        assert row[-1] == (words_of(int(right), int(reached)) if reached else "–")
    assert any(row[-1] == "–" for row in rows)


@pytest.mark.parametrize("report", ["rules", "boundaries"])
def test_without_held_out_rows_nothing_is_promised(report):
    selection = DEFAULT.having(data="wine", models=(Model("cart"),), held=0.0)
    if report == "rules":
        found = of_rules(selection)
    else:
        found = Tables(scene_report_of(scene_of(Work(selection), "light"), "Where?", None))
    assert "interval" not in found.words
    assert "No rows were held out" in found.words


def reported(report, monkeypatch, selection):
    monkeypatch.setattr(session, "current", lambda: selection)
    page = report(None)
    assert 'class="picture"' in page
    return Tables(page)


@pytest.mark.parametrize(
    ("data", "key", "table"),
    [
        ("wine", "cart", "The best candidates"),
        ("waveform", "gsodt", "The best candidates"),
        ("loan", "id3", "All tests of this node"),
        ("gauss_2d", "oc1", "The best hyperplane of each start"),
        ("iris", "svm_tree", "Between all classes in play"),
    ],
)
def test_a_split_is_reported_whatever_was_searched(monkeypatch, data, key, table):
    selection = DEFAULT.having(data=data, models=(Model(key),))
    found = reported(splits_page_report, monkeypatch, selection)
    assert table in found.words
    at = node_view(Work(selection), "light")
    assert f"node {at.index} with" in found.words
    assert len(at.tree.children(at.index))
    for child in at.tree.children(at.index):
        assert number(int(at.tree.n_node_samples[child])) in found.words


def test_the_chosen_candidate_stands_in_the_table_of_its_report(monkeypatch):
    selection = DEFAULT.having(data="wine", models=(Model("cart"),))
    found = reported(splits_page_report, monkeypatch, selection)
    tree = node_view(Work(selection), "light").tree
    row = next(row for row in found.rows if row[0] == "chosen")
    assert row[1] == tree.feature_names[tree.feature[0]]
    assert row[2] == number(float(tree.threshold[0]))
    assert int(row[3]) + int(row[4]) == tree.n_node_samples[0]


def test_a_leaf_is_reported_with_the_reason_that_it_has_no_split(monkeypatch):
    selection = DEFAULT.having(data="xor", models=(Model("c45"),))
    found = reported(splits_page_report, monkeypatch, selection)
    assert "This leaf has no split." in found.words


def test_pruning_is_reported_with_every_tree_of_its_curve(monkeypatch):
    selection = DEFAULT.having(data="gauss_2d", models=(Model("cart"),))
    found = reported(pruning_page_report, monkeypatch, selection)
    scene = pruning_scene(Work(selection), "light")
    assert scene.title in found.words
    leaves = {row[2] for row in found.rows if len(row) == 7}
    assert {number(int(n)) for n in scene.trees.n_leaves} <= leaves


def test_data_are_reported_with_their_findings_and_columns(monkeypatch):
    selection = DEFAULT.having(data="wine")
    found = reported(data_page_report, monkeypatch, selection)
    assert "A first look" in found.words
    for name in scene_of_data(Work(selection), "light").dataset.feature_names:
        assert any(row[0] == name for row in found.rows), name
    nothing = DEFAULT.having(data=PAINTED, painted="")
    with pytest.raises(CannotShow):
        reported(data_page_report, monkeypatch, nothing)


@pytest.mark.parametrize("seed", range(4))
def test_the_missing_values_of_a_column_are_reported_as_a_share_of_all_rows(
    tmp_path, monkeypatch, seed
):
    table = credit_table(n=80 + 40 * seed, seed=seed, missing=0.15 * seed)
    table.to_csv(tmp_path / "credit.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    selection = DEFAULT.having(data="folder.credit")
    full = Work(selection).data.full
    section = findings_section(report_of(selection, full), full, Work(selection))
    (shown,) = (block for block in section.blocks if isinstance(block, Table))
    assert shown.columns[:3] == ["Feature", "Missing", "Different values"]
    assert [row[:3] for row in shown.rows] == [
        [name, f"{percent(column.isna().mean())} %", str(column.nunique())]
        for name, column in table.drop(columns="risk").items()
    ]


def test_numbers_are_reported_with_the_interval_of_their_error(monkeypatch):
    selection = DEFAULT.having(data="friedman")
    found = reported(boundaries_page_report, monkeypatch, selection)
    part = number_view(Work(selection)).held_out
    low, high = part.rmse_interval()
    assert low < part.rmse < high
    row = next(row for row in found.rows if row[0] == "RMSE on new rows, 95 % interval")
    assert row[1] == f"{number(low)} to {number(high)}"


def test_the_report_of_a_large_tree_begins_with_a_page_that_says_it_all():
    selection = DEFAULT.having(data="gauss_2d", models=(Model("cart"),), rule_view="rules")
    scene = rule_scene(Work(selection), "light")
    tree = scene.tree
    assert tree.n_leaves > 40
    page = rule_report(scene, "What?", None)
    first, *others = re.split(r"<h2 .*?</h2>", page)[1:]
    assert ">Summary</h2>" in page[: page.index(first)]
    assert first.count("<div><b>") == 3
    assert first.count('class="picture"') == 1
    assert "not about another division" in first
    assert not any("not about another division" in other for other in others)
    found = [row for row in Tables(first).rows if row[0].isdigit()]
    assert [float(row[3]) for row in found] == [rule.support for rule in rules(tree)[:3]]
    (listed,) = (other for other in others if "<h3>Rules</h3>" in other)
    listed = listed[listed.index("<h3>Rules</h3>") :]
    assert len([row for row in Tables(listed).rows if row[0].isdigit()]) == 40
    (name, content) = re.search(
        r'download="(\S+)" href="data:text/csv;base64,(\S+)"', listed
    ).groups()
    assert name == "gauss_2d-cart.csv"
    assert base64.b64decode(content).decode() == rules_as_csv(tree, [0, 1])


def test_the_report_of_a_small_tree_has_all_its_rules_and_no_file():
    page = rule_report(rule_scene(Work(DEFAULT.having(data="wine")), "light"), "What?", None)
    assert ">Summary</h2>" in page
    assert "download=" not in page


@pytest.mark.parametrize(
    ("page", "query", "reason"),
    [
        ("latent", {"data": "iris", "m": "cart"}, "CART searches for splits in the original"),
        ("monotone", {"data": "wine", "m": "cart"}, "These classes have no order"),
    ],
)
def test_a_report_that_cannot_be_says_why(page, query, reason):
    app = opened(page, **query)
    app.session_state["save"] = app.session_state["page_file"] = True
    app.session_state["page_form"] = "report"
    checked(app.run())
    assert any(reason in box.value for box in app.info)
    assert not [
        button for button in app.get("download_button") if "Save the report" in button.proto.label
    ]


@pytest.mark.parametrize("part", ["short", "data", "audit"])
def test_a_report_has_the_rules_of_style_of_all_that_stands_in_it(monkeypatch, part):
    selection = DEFAULT.having(data="monotone", models=(Model("cart"),)).change(part=part)
    monkeypatch.setattr(session, "current", lambda: selection)
    page = monotone_report(None)
    style = "".join(re.findall(r"<style.*?</style>", page, re.DOTALL))
    html = re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)
    classes = {name for names in re.findall(r'class="([^"]*)"', html) for name in names.split()}
    sheets = "".join(path.read_text(encoding="utf-8") for path in CONTENT)
    styled = {name for name in classes if re.search(rf"\.{name}\b", sheets)}
    assert styled
    assert [name for name in styled if not re.search(rf"\.{name}\b", style)] == []


VIEWS = {
    "in short": {},
    "in short, at a line": {"cost_miss": 5.0, "cut": 100 / 6},
    "one row": {"rule_view": "row", "highlighted": 20},
    "one row, at a line": {"rule_view": "row", "highlighted": 20, "cost_miss": 5.0, "cut": 100 / 6},
    "tree and rules": {"rule_view": "rules", "cost_miss": 5.0, "cut": 100 / 6},
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_leaves_as_it_is_seen(view):
    selection = DEFAULT.having(data="breast_cancer", models=(Model("c45"),), **VIEWS[view])
    scene = rule_scene(Work(selection), "light")
    shown = list(flat(blocks(scene)))
    words = (b.text for b in below_finding(shown) if b.kind == "words")
    on_page = "\n".join(unescape(without_tags(text)) for text in words)
    report = unescape(without_tags(rule_report(scene, "What?", None)))
    slide = ready_scene(Work(selection), "rules", rules_page, (), {}, own_files=True).slide
    content = unescape(without_tags(page_of([slide], "a", turns=True)))
    title = finding_in(shown)
    assert slide.title == title
    assert f"<h1>{title}</h1>" in unescape(rule_report(scene, "What?", None))
    if "row" not in view:
        assert title == as_plain(finding(scene)[0])
    assert on_page
    for left in (report, content):
        assert "What" in left
        for sentence in on_page.splitlines():
            assert sentence in left, (view, sentence)
    if selection.rules.is_priced:  # at 5 : 1, by counting
        y, held = scene.division.y, scene.division.held_out_rows
        k = scene.division.rarer_class
        missed = int(((y == k) & (scene.found.predicted != k))[held].sum())
        alarms = int(((y != k) & (scene.found.predicted == k))[held].sum())
        others = as_plain(finding(scene))
        assert f"cost {5 * missed + alarms}, " in f"{title} {others}"


def flat(given):
    """Blocks with those inside others, of which none is for some media alone."""
    for block in given:
        if isinstance(block, Box):
            yield from flat(block.blocks)
        elif isinstance(block, Columns):
            yield from (inner for column in block.columns for inner in flat(column))
        elif hasattr(block, "kind"):
            yield block
