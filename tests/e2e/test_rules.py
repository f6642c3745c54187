"""The page *rules* in a real browser: a scene, a node, a typed sample, a file."""

import re

import pytest
from playwright.sync_api import expect

from lastviz import C45Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import explain, rules

from .app import SIZES, downloaded, ready

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
    assert value_of(page, 3) == "row 20"

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
    field.fill(repr(typed))
    field.press("Enter")
    page.wait_for_url(re.compile(r"typed="))
    expect(page.locator(".lv-strip div b").nth(3)).to_have_text("typed sample")
    x.iloc[feature] = typed
    end = explain(model, x.to_numpy()).main_end
    number = next(rule.number for rule in rules(tree) if rule.node == end)
    expect(page.locator(".lv-strip div").nth(4).locator("span")).to_contain_text(
        f"by rule {number},"
    )

    found = downloaded(page, page.get_by_role("button", name="Python function"))
    file = tmp_path / found.suggested_filename
    found.save_as(file)
    names = {}
    exec(file.read_text(encoding="utf-8"), names)
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

    page.wait_for_url("**only=2**")
    ready(page)
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
