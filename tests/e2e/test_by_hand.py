"""A tree by hand in a real browser: with the mouse, with the keyboard alone, and back again."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset
from lastviz.datasets.painted import Painting
from lastviz.ui.compute.work import Work
from lastviz.ui.growth import by_hand
from lastviz.ui.state.edit_codes import read_hand
from lastviz.ui.state.selection import Selection
from tests.patience import until

from .app import SIZES, arrive, go_to, hand_in, query, ready, saved_page, still

pytestmark = pytest.mark.e2e


def crosswise():
    """An exclusive or as somebody paints it: four clouds of a dozen rows."""
    rng = np.random.default_rng(3)
    corner = np.repeat([[120, 120], [390, 390], [120, 390], [390, 120]], 12, axis=0)
    x, y = (corner + rng.integers(-90, 90, corner.shape)).T
    return str(Painting(x, y, np.repeat([0, 0, 1, 1], 12)))


CROSSWISE = crosswise()


def centre(element):
    box = until(element.bounding_box)  # what is drawn anew has none for a moment
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, element, to):
    page.mouse.move(*centre(element))
    page.mouse.down()
    x, y = centre(element)
    page.mouse.move(x + 8, y + 8)
    page.mouse.move(*to, steps=4)
    page.mouse.up()


def node(page, path):
    return page.locator(f'.lvh-node[data-path="{path}"]')


def chip(page, name):
    return page.locator(".lvh-chip", has_text=name).first


def built(page, before=""):
    """The tree of the address, which is no longer the one before, and its scene worked out here."""
    if before:
        page.wait_for_function("(text) => !location.search.includes(text)", arg=f"hand={before}")
    still(page)
    told = query(page)
    painted = told.get("painted", "")
    chosen = Selection(data=told["data"], painted=painted, held=float(told.get("held", 0.3)))
    text = told.get("hand", "L")
    return text, by_hand.hand_scene(Work(chosen.having(hand=read_hand(text))), "light")


def check_numbers(page, scene, path=()):
    """What stands beside the tree is what estimators and searches say."""
    panel = page.locator(".lvh-panel")
    wrong = scene.training.n_samples - scene.training.n_right
    expect(panel.locator("section").first).to_contain_text(f"{wrong} of {scene.training.n_samples}")
    cells = panel.locator(".lvh-confusion td").all_inner_texts()
    assert list(map(int, cells)) == scene.training.confusion.ravel().tolist()
    for each in by_hand.references(scene.work, scene.depth):
        if each.training is None:
            expect(panel).to_contain_text(each.reason)
        else:
            errors = each.training.n_samples - each.training.n_right
            expect(panel.locator(f".lvh-{each.key} b")).to_have_text(str(errors))
    stands = by_hand.standing(scene.model.node(by_hand.node_at(scene.model.tree, path)))
    expect(panel.locator(".lvh-rank")).to_have_text(str(stands.rank))
    if stands.rank > 1:
        share = round(100 * stands.score / stands.best)
        expect(panel).to_contain_text(f"yours {share}% of it.")


def test_the_loan_table_is_built_with_the_mouse(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0")
    expect(page.locator(".lvh-say")).to_contain_text("One leaf: 6 of 15 rows are wrong.")
    drag(page, chip(page, "house"), centre(node(page, "")))
    expect(node(page, "0")).to_be_visible()
    drag(page, chip(page, "age"), centre(node(page, "1")))
    expect(node(page, "11")).to_be_visible()
    text, _ = built(page)
    assert text == "C3_1~0L~1C1_1~10L~11L"
    page.locator(".lvh-level", has_text="middle").click()
    expect(page.locator('[data-side="0"] .lvh-level')).to_have_count(2)
    text, scene = built(page)
    assert text == "C3_1~0L~1C1_3~10L~11L"
    check_numbers(page, scene, (1,))
    target = page.locator('[data-side="1"]')
    drag(page, page.locator(".lvh-level", has_text="youth"), centre(target))
    expect(target.locator(".lvh-level")).to_have_count(2)
    assert built(page)[0] == "C3_1~0L~1C1_2~10L~11L"
    page.locator(".lvh-level", has_text="middle").click()
    expect(page.locator(".lvh-note")).to_have_text("Each side needs at least one value.")


@pytest.mark.parametrize("data", ["data=xor", f"data=painted&painted={CROSSWISE}&held=0"])
def test_a_threshold_is_dragged_along_its_histogram_and_on_the_plane(open_page, data):
    page = open_page(f"/growth?growth_view=hand&{data}")
    drag(page, chip(page, "x1"), centre(node(page, "")))
    handle = page.locator(".lvh-handle")
    expect(handle).to_be_visible()
    first, _ = built(page)
    x, y = centre(handle)
    drag(page, handle, (x + 60, y))
    second, scene = built(page, first)
    check_numbers(page, scene)
    page.locator(".lvh-grip").scroll_into_view_if_needed()
    still(page)
    box = page.locator(".lvh-plane svg").bounding_box()
    grip = page.locator(".lvh-plane .lvh-line").bounding_box()
    page.mouse.move(grip["x"], box["y"] + 60)
    page.mouse.down()
    page.mouse.move(grip["x"] - 40, box["y"] + 60, steps=4)
    page.mouse.up()
    _, scene = built(page, second)
    check_numbers(page, scene)
    undo = page.get_by_role("button", name="Undo", exact=True)
    undo.evaluate("() => [1, 2].map(() => document.querySelector('[data-focus=undo]').click())")
    page.wait_for_function("(text) => location.search.includes(text)", arg=f"hand={first}")
    for name, text in (("Redo", second), ("Undo", first), ("Redo", second)):
        still(page)  # a button that is drawn anew under the mouse is not pressed
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_function("(text) => location.search.includes(text)", arg=f"hand={text}")
    still(page)
    page.get_by_role("button", name="Let CART go on").click()
    expect(page.locator(".lvh-open")).to_have_count(0)
    text, scene = built(page)
    assert text == second.split("~")[0]
    check_numbers(page, scene)
    node(page, "0").click()
    expect(page.get_by_text("CART went on from here.")).to_be_visible()


def test_wine_is_built_with_the_keyboard_alone(open_page):
    page = open_page("/growth?growth_view=hand&data=wine")
    press = page.keyboard.press
    names = list(load_dataset("wine").feature_names)
    chip(page, "proline").focus()
    press("Enter")
    expect(page.locator(".lvh-over")).to_have_count(1)
    press("Enter")
    handle = page.locator(".lvh-handle")
    expect(handle).to_be_focused()
    first, _ = built(page)
    expect(handle).to_be_focused()
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowLeft"):
        press(key)
    expect(handle).to_be_focused()
    page.wait_for_function("(text) => !location.search.includes(text)", arg=f"hand={first}")
    _, scene = built(page)
    steps = [cut for cut, *_ in by_hand.cuts_of(scene.model.node(0), names.index("proline"))]
    begun = by_hand.first_split(
        scene.model.division, scene.model.division.train_rows, names.index("proline")
    )
    assert scene.model.tree.threshold[0] == steps[steps.index(begun.threshold) + 10]
    check_numbers(page, scene)
    press("Enter")
    expect(page.locator(".lvh-chip").first).to_be_focused()
    chip(page, "flavanoids").focus()
    press("Enter")
    press("ArrowRight")
    press("ArrowRight")
    press("Enter")
    expect(handle).to_be_focused()
    assert "~0T7_" in built(page)[0] or "~1T7_" in built(page)[0]
    _, scene = built(page)
    node(page, "00" if "~0T7_" in query(page)["hand"] else "10").focus()
    press("f")
    expect(page.locator(".lvh-done")).to_have_count(1)
    press("Control+z")
    expect(page.locator(".lvh-done")).to_have_count(0)
    press("Control+Shift+z")
    expect(page.locator(".lvh-done")).to_have_count(1)
    node(page, "").focus()
    press("Delete")
    expect(page.locator(".lvh-node")).to_have_count(1)
    assert built(page)[0] == "L"


def hand_of(page, text):
    """Wait until the address names a tree."""
    page.wait_for_function("(text) => location.search.includes(text)", arg=f"hand={text}")
    still(page)


def test_groups_a_class_undo_and_the_algorithm_need_no_mouse(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0")
    press = page.keyboard.press
    chip(page, "age").focus()
    press("Enter")
    press("Enter")
    hand_of(page, "C1_1~0L~1L")
    level = page.locator(".lvh-level", has_text="middle")
    level.focus()
    press("Enter")
    hand_of(page, "C1_3~0L~1L")
    expect(level).to_be_focused()
    node(page, "1").focus()
    press("Enter")
    still(page)
    page.get_by_label("Predicts", exact=True).focus()
    press("ArrowDown")
    hand_of(page, "C1_3~0L~1L2")
    press("Control+z")
    hand_of(page, "C1_3~0L~1L")
    press("Control+Shift+z")
    hand_of(page, "C1_3~0L~1L2")
    node(page, "0").focus()
    press("Enter")
    still(page)
    page.get_by_role("button", name="Let CART go on").focus()
    press("Enter")
    hand_of(page, "C1_3~1L2")


def test_plain_fields_choose_the_feature_and_the_threshold(open_page):
    page = open_page("/growth?growth_view=hand&data=xor")
    page.get_by_label("Split by").select_option(label="x2")
    page.get_by_role("button", name="Split", exact=True).click()
    field = page.get_by_role("spinbutton", name="Threshold of x2")
    expect(field).to_be_visible()
    first, _ = built(page)
    field.fill("0.2")
    field.press("Enter")
    _, scene = built(page, first)
    cuts = np.array([cut for cut, *_ in by_hand.cuts_of(scene.model.node(0), 1)])
    assert scene.model.tree.threshold[0] == cuts[np.abs(cuts - 0.2).argmin()]
    check_numbers(page, scene)


def test_rows_without_a_value_fall_as_in_the_tree(open_page):
    page = open_page("/data")
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 90)).round(2)
    lines = [f"{'' if i % 5 == 0 else a},{'' if i % 7 == 0 else b},{'yes' if a > b else 'no'}"
             for i, (a, b) in enumerate(zip(x, y, strict=True))]  # fmt: skip
    hand_in(page, "gaps.csv", "\n".join(["x,y,class", *lines]).encode())
    arrive(page, "**data=upload**")
    go_to(page, "Growth")
    arrive(page, "**/growth**")
    page.get_by_role("radio", name="By hand").click()
    still(page)
    drag(page, chip(page, "x"), centre(node(page, "")))
    expect(page.locator(".lvh-edit")).to_contain_text("have no value of x: they go to")
    told = page.locator(".lvh-node").all()
    n = [int(re.findall(r"\d+", each.get_attribute("aria-label"))[-1]) for each in told]
    assert n[1] + n[2] == n[0]
    handle = page.locator(".lvh-handle")
    handle.focus()
    before = page.locator(".lvh-panel").inner_text()
    page.keyboard.press("Shift+ArrowRight")
    still(page)
    assert page.locator(".lvh-panel").inner_text() != before


def test_many_leaves_scroll_in_their_own_room(open_page):
    cuts = [-0.2, *np.arange(0.0, 0.9, 0.1).round(1), 1.0]
    sides = "~".join(f"{'0' * n}T2_{cut}~{'0' * n}1L" for n, cut in enumerate(cuts[::-1]))
    deep = f"T1_0.5~{'~'.join(f'{side}{part}' for side in '01' for part in sides.split('~'))}"
    ends = "~".join(f"{side}{'0' * len(cuts)}L" for side in "01")
    page = open_page(f"/growth?growth_view=hand&data=xor&hand={deep}~{ends}")
    room = page.locator(".lvh-wide")
    page.locator(".lvh-class").nth(16).wait_for(state="attached")
    wide, seen = room.evaluate("(room) => [room.scrollWidth, room.clientWidth]")
    assert wide > seen
    all_of_it = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert all_of_it[0] <= all_of_it[1]


def test_a_leaf_says_the_class_that_is_named(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0&hand=C3_1~0L~1L&hand_at=1")
    page.get_by_label("Predicts", exact=True).select_option(label="yes")
    expect(node(page, "1")).to_have_class("lvh-node lvh-done")
    text, scene = built(page)
    assert text == "C3_1~0L~1L1"
    assert scene.training.n_samples - scene.training.n_right == 6
    expect(page.locator(".lvh-panel section").first).to_contain_text("6 of 15")
    page.get_by_role("button", name="Reopen").click()
    expect(node(page, "1")).to_have_class("lvh-node lvh-open")


def test_what_cannot_split_says_why(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0&hand=C3_1~0L~1L&hand_at=1")
    drag(page, chip(page, "house"), centre(node(page, "1")))
    expect(page.locator(".lvh-note")).to_have_text(
        "house cannot split this leaf: all its 9 values are the same."
    )


def test_the_tree_by_hand_becomes_the_first_model(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0&hand=C3_1~0L~1L")
    page.get_by_role("button", name="Make it the first model").click()
    page.wait_for_selector(".lv-growth")
    ready(page)
    assert query(page)["e"] == "C3_1~0L~1L"


def test_on_a_phone_a_feature_and_then_a_leaf_are_tapped(open_page):
    page = open_page("/growth?growth_view=hand&data=loan&held=0", size="phone")
    chip(page, "house").click()
    node(page, "").click()
    expect(node(page, "0")).to_be_visible()
    assert built(page)[0] == "C3_1~0L~1L"


def test_the_saved_page_shows_the_tree_by_hand_without_a_network(open_page, tmp_path, alone):
    page = open_page("/growth?growth_view=hand&data=loan&held=0&hand=C3_1~0L~1L")
    say = page.locator(".lvh-say").inner_text()
    alone.goto(saved_page(page, tmp_path).as_uri())
    body = alone.locator("body")
    for sentence in say.strip().split(". "):
        expect(body).to_contain_text(sentence.rstrip("."))
    expect(body).to_contain_text("best possible 3")
    expect(alone.locator(".picture svg").first).to_be_attached()


@pytest.mark.parametrize("size", ["projector", "small", "phone"])
def test_all_fits(open_page, size):
    page = open_page("/growth?growth_view=hand&data=xor&hand=T1_0.5~0T2_0.5~00L~01L~1L&hand_at=0")
    page.set_viewport_size(SIZES.get(size, {"width": 1280, "height": 720}))
    still(page)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    room = page.locator(".lv-hand").bounding_box()
    tree = page.locator(".lvh-tree").bounding_box()
    assert tree["width"] <= room["width"]
    for each in page.locator(".lvh-class, .lvh-test").all():
        box = each.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
