"""The first page, the pages of Start, and the main job from end to end."""

import os
import re
from urllib.parse import urlsplit

import numpy as np
import psutil
import pytest
from playwright.sync_api import expect

from lastviz import C45Classifier, CARTClassifier
from lastviz.datasets import load_dataset, read_table, to_csv
from tests.patience import until

from .app import arrive, copy_link, enter, go_to, hand_in, open_menu, ready

pytestmark = pytest.mark.e2e


def leave_for_another_browser(page):
    """Let pages opened from now on be those of a visitor who has never been here."""
    page.evaluate("localStorage.clear()")


@pytest.mark.main
def test_a_click_anywhere_on_a_card_opens_its_scene(open_page):
    page = open_page("/")
    box = page.locator(".st-key-scene-greedy .lv-pictures").bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + 40)
    page.wait_for_url("**/boundaries?data=three_spirals**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw the line")
    ready(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("See how a decision tree thinks")


def test_cards_are_reached_by_keyboard(open_page):
    page = open_page("/")
    card = page.get_by_role("link", name="Where do hidden directions help?")
    card.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/boundaries?data=waveform**")


@pytest.mark.main
def test_a_table_is_handed_in_and_its_columns_are_chosen(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-say").first).to_contain_text("178")
    ready(page)
    page.go_back()
    expect(page.locator(".lv-say").first).to_contain_text("569")
    page.go_forward()
    expect(page.locator(".lv-say").first).to_contain_text("178")


def test_a_link_to_a_file_elsewhere_asks_for_it_and_takes_it(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    leave_for_another_browser(page)
    other = open_page(page.url)
    expect(other.get_by_role("heading", level=1)).to_have_text("Please provide wines.csv, 178 rows")
    hand_in(other, "wines.csv", to_csv(load_dataset("wine")))
    expect(other.locator(".lv-say").first).to_contain_text("178")
    assert other.url == page.url


def test_a_file_is_found_again_by_its_own_browser(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    token = page.evaluate("localStorage.getItem('lastviz-visitor')")
    assert len(token) == 64
    assert token not in page.url
    page.reload()
    expect(page.locator(".lv-say").first).to_contain_text("178")
    other = open_page(page.url.replace("/data?", "/boundaries?"))
    expect(other.locator(".lv-notice")).to_have_count(0)
    assert other.evaluate("localStorage.getItem('lastviz-visitor')") == token
    expect(page.get_by_role("button", name="Remove from this server")).to_be_visible()
    page.get_by_role("button", name="Remove from this server").click()
    expect(page.locator(".lv-say").first).to_contain_text("400")
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_have_text("Please provide wines.csv, 178 rows")
    expect(other.locator(".lv-figure")).to_have_count(0)


def test_a_file_is_shared_by_a_code_until_it_is_withdrawn(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    page.get_by_text("Share with a class").click()
    page.get_by_role("button", name="Make a code").click()
    code, link = (page.get_by_test_id("stCode").nth(place) for place in (0, 1))
    expect(link).to_contain_text("share=")
    code, link = code.inner_text().strip(), link.inner_text().strip()
    assert "/data?data=upload&" in link
    assert f"&share={code}" in link

    leave_for_another_browser(page)
    by_link = open_page(link)
    expect(by_link.locator(".lv-say").first).to_contain_text("178")
    expect(by_link.get_by_text("Shared with you until")).to_be_visible()
    assert by_link.evaluate("localStorage.getItem('lastviz-visitor')") is None
    by_code = open_page("/data")
    enter(by_code.get_by_label("A table shared with you", exact=True), "wrong")
    expect(by_code.get_by_role("alert")).to_contain_text("does not exist")
    enter(by_code.get_by_label("A table shared with you", exact=True), code)
    expect(by_code.locator(".lv-say").first).to_contain_text("178")
    by_code.wait_for_url(f"**share={code}**")

    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    by_code.reload()
    expect(by_code.get_by_text("no longer shared")).to_be_visible()
    expect(by_code.locator(".lv-say")).to_have_count(0)


@pytest.mark.main
def test_on_a_phone_the_choices_wait_behind_their_button(open_page):
    page = open_page("/data", size="phone")
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.get_by_label("Data set", exact=True)).not_to_be_in_viewport()
    wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wider


@pytest.mark.main
def test_the_figures_follow_the_theme(open_page):
    page = open_page("/data")
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--lv-ink').trim()"
    page.wait_for_function(f"{ink} === '#1B2029'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{ink} === '#EEF0F3'")


@pytest.mark.skipif(os.name == "nt", reason="the event loop that sends at once is not for Windows")
def test_files_are_sent_at_once(server):
    """What waits for an acknowledgement (Nagle) takes 40 ms a file; there are a hundred."""
    port = str(urlsplit(server).port)
    (process,) = (each for each in psutil.Process().children() if port in each.cmdline())
    assert any("uvloop" in each.path for each in process.memory_maps())


PICTURE = ".lv-alone-plane svg"
FRAME = "() => document.querySelector('.lv-alone').dataset.question"
MARKS = "() => document.querySelector('.lv-alone-plane svg').innerHTML"
SAID = "() => document.querySelector('.lv-alone-say').innerText"
QUESTIONS = 6
# What is seen of each question, between two steps of the page: a test that asks may come too late.
LOOKS = f"""
window.looks = {{}};
setInterval(() => {{
    const parts = document.querySelectorAll(".lv-alone, .lv-alone-plane svg, .lv-alone-say");
    if (parts.length < 3) return;
    const [question, ...seen] = [{FRAME}, {SAID}, {MARKS}].map((look) => look());
    if (question !== undefined) window.looks[question] ??= seen;
}}, 20);
"""


def wrong(said):
    return int(re.search(r"(\d+) of 300", said)[1])


@pytest.mark.main
def test_the_tree_grows_by_itself_then_stands_and_a_dot_stops_it_at_its_question(open_page):
    page = open_page("/")
    page.add_init_script(LOOKS)
    page.reload()  # the page itself may take longer to be quiet than the tree to grow
    page.wait_for_function(f"window.looks[{QUESTIONS}]")
    seen = page.evaluate("window.looks")
    counts = [wrong(seen[key][0]) for key in sorted(seen)]
    assert len(seen) > 3
    assert counts == sorted(counts, reverse=True)
    assert len({marks for _, marks in seen.values()}) == len(seen)
    last = page.evaluate(MARKS)
    page.wait_for_timeout(1500)
    assert page.evaluate(MARKS) == last
    page.get_by_role("button", name="Again").click()
    page.wait_for_function(f"{FRAME[6:]} < {QUESTIONS}")
    page.wait_for_function(f"{FRAME[6:]} == {QUESTIONS}")
    page.get_by_role("button", name="Again").click()
    dot = page.get_by_role("button", name="Question 2")
    dot.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lv-alone-say")).to_contain_text("Question 2")
    page.wait_for_timeout(1500)
    expect(page.locator(".lv-alone-say")).to_contain_text("Question 2")
    expect(dot).to_have_attribute("aria-current", "step")
    told = page.locator(PICTURE).get_attribute("aria-label")
    assert f"{wrong(page.evaluate(SAID))} of 300 dots are still wrong" in told


def test_without_motion_the_grown_tree_is_there_at_once_and_stands(open_page):
    page = open_page("/privacy")
    page.emulate_media(reduced_motion="reduce")
    page.goto(page.url.replace("/privacy", "/"))
    page.wait_for_selector(f"{PICTURE} path")
    first = page.evaluate(MARKS)
    assert page.evaluate(FRAME) == str(QUESTIONS)
    page.wait_for_timeout(1500)
    assert page.evaluate(MARKS) == first
    page.get_by_role("button", name="Play it").click()
    page.wait_for_function(f"{FRAME[6:]} < {QUESTIONS}")


def test_the_tree_that_grew_is_the_one_that_boundaries_opens(open_page):
    page = open_page("/")
    page.wait_for_function(f"{FRAME[6:]} == {QUESTIONS}")
    left = wrong(page.evaluate(SAID))
    link = page.get_by_role("link", name="Make it yours")
    address = link.get_attribute("href")
    link.click()
    arrive(page, "**/boundaries?data=moons**")
    found = """() => document.querySelector('.lv-figure').data
        .filter((trace) => trace.meta?.role === 'wrong').map((trace) => trace.x.length)"""
    assert page.evaluate(found) == [left]
    elsewhere = open_page(address, elsewhere=True)  # the link alone says as much
    assert elsewhere.evaluate(found) == [left]


def test_a_lesson_that_was_gone_through_has_its_tick_also_another_day(open_page):
    page = open_page("/")
    path = page.locator(".st-key-course_path")
    expect(path.get_by_role("img", name="done")).to_have_count(0)
    path.get_by_role("link", name="What is a split?").click()
    for n in (1, 2):
        expect(page.locator(".lv-course")).to_contain_text(f"Step {n} of 3")
        ready(page)
        page.get_by_role("button", name="Next step").click()
    expect(page.locator(".lv-course")).to_contain_text("Step 3 of 3")
    ready(page)
    page = open_page("/")  # with nothing but what the browser keeps
    expect(page.get_by_role("img", name="Lesson 1, done")).to_be_visible()
    page.get_by_role("link", name="Go on with 2").click()
    expect(page.locator(".lv-course")).to_contain_text("Which question is most informative?")


def test_the_first_screen_has_the_tree_the_doors_and_the_course(open_page):
    page = open_page("/")
    page.set_viewport_size({"width": 1440, "height": 900})
    for key in ("hero", "doors", "course_path"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] + box["height"] <= 900
    page.set_viewport_size({"width": 390, "height": 844})
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_table_may_be_dropped_anywhere_on_its_card(open_page):
    page = open_page("/")
    ready(page)
    card = page.locator(".st-key-door-data").bounding_box()
    assert card is not None
    corner = [card["x"] + 0.95 * card["width"], card["y"] + 0.1 * card["height"]]
    page.evaluate(
        """([x, y]) => {
            const dataTransfer = new DataTransfer();
            const rows = "a,b,c\\n1,2,x\\n2,3,y\\n3,1,x\\n4,4,y\\n";
            dataTransfer.items.add(new File([rows], "small.csv", { type: "text/csv" }));
            for (const type of ["dragenter", "dragover", "drop"])
                document.elementFromPoint(x, y).dispatchEvent(
                    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        corner,
    )
    page.wait_for_url("**/data?**file=small.csv**")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("upload") / "crescents.csv"
    path.write_bytes(to_csv(load_dataset("moons", n_samples=300, noise=0.3, random_state=7)))
    return path


def expected(path, depth=None):
    """(held-out, training) accuracy in per cent of both models of an own table, without the app."""
    dataset = read_table(path.read_bytes(), name=path.name)
    train, held_out = dataset.split(0.3, random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    out = []
    readable = CARTClassifier(max_leaf_nodes=8, ccp_cv=10, ccp_rule="1se", random_state=1)
    for estimator in (readable, C45Classifier(max_depth=4)):
        tree = estimator.fit(X[train], y[train]).tree_
        predicted = tree.prediction[tree.at_depth(depth)[tree.apply(X)]]
        right = predicted == y
        out.append([f"{100 * np.mean(right[rows]):.1f}" for rows in (held_out, train)])
    return out


def shown(page):
    heads = page.locator(".lv-head").all()
    said = [head.locator("b").all_text_contents() for head in heads]  # a narrow one hides some
    return [re.findall(r"(\d+\.\d)\s%\s\(", " ".join(numbers)) for numbers in said]


def go_to_boundaries(page):
    go_to(page, "Boundaries")
    page.get_by_role("heading", name="Where does each algorithm draw the line?").wait_for()
    ready(page)


def upload(page, path):
    page.locator("input[type=file]").first.set_input_files(path)
    arrive(page, lambda url: "file=" in url)


def wait_for_accuracies(page, wanted):
    """Wait for what the script says; a frame of the slider says it before, and is drawn over."""

    def are_shown():
        page.wait_for_timeout(100)
        ready(page)
        return shown(page) == wanted

    until(are_shown, why=wanted)


@pytest.mark.main
def test_upload_train_cut_share_and_undo(open_page, table):
    page = open_page("/data")
    upload(page, table)
    expect(page.get_by_test_id("stMain")).to_contain_text("300")
    go_to_boundaries(page)
    wait_for_accuracies(page, expected(table))

    slider = page.get_by_role("slider", name="Show levels up to")
    deepest = int(slider.get_attribute("aria-valuemax") or slider.get_attribute("max"))
    slider.focus()
    slider.press("Home")
    page.wait_for_url(lambda url: "depth=0" in url)
    slider.press("ArrowRight")
    page.wait_for_url(lambda url: "depth=1" in url)
    wait_for_accuracies(page, expected(table, depth=1))
    assert deepest >= 2  # trees of an own table are small ones

    # what the button copies comes with the last thing that a run sends
    open_menu(page, "Share")
    expect(page.locator(".lv-copy-field").first).to_have_value(re.compile("depth=1"))
    wait_for_accuracies(page, expected(table, depth=1))
    copy_link(page)
    link = page.evaluate("navigator.clipboard.readText()")
    assert "depth=1" in link

    other = open_page(link, elsewhere=True)
    asked = other.get_by_role("heading", name="Please provide crescents.csv, 300 rows")
    expect(asked).to_be_visible()
    other.locator("input[type=file]").first.set_input_files(table)
    expect(asked).to_have_count(0)
    ready(other)
    wait_for_accuracies(other, expected(table, depth=1))

    page.go_back()
    page.wait_for_url(lambda url: "depth=0" in url)
    wait_for_accuracies(page, expected(table, depth=0))
    page.go_back()
    wait_for_accuracies(page, expected(table))


@pytest.mark.main
def test_a_copied_link_opens_the_same_scene(open_page):
    page = open_page("/boundaries?data=waveform&n_samples=600&m=c45&m2=cart&m2.max_leaf_nodes=9")
    before = shown(page)
    copy_link(page)
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link)
    wait_for_accuracies(other, before)
    texts = [p.locator(".lv-card").all_inner_texts() for p in (page, other)]
    assert texts[0] == texts[1]
