"""The course in every language, by the keyboard; the address says the scene."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from lastviz.ui.state.lessons import SCENES
from lastviz.ui.text import languages, translations

from .app import (
    PATIENCE,
    App,
    choose,
    go_to,
    open_more,
    query,
    ready,
    seed_field,
    set_seed,
    visit,
)

pytestmark = pytest.mark.e2e

SENTENCE = re.compile(r"\b[a-z]{3,} [a-z]{2,} [a-z]{2,}\b")  # three words of English in a row
STEP_WORDS = ".lv-course p"


def said(page, english, code):
    return translations(code).gettext(english)


# Every second scene in one language always, all in all among the slow tests.
READ = [
    pytest.param(
        scene, code, id=f"{scene.key}-{code}",
        marks=[pytest.mark.slow] * ((n + place) % (2 * len(languages())) > 0),
    )
    for n, scene in enumerate(SCENES)
    for place, code in enumerate(languages())
]  # fmt: skip


@pytest.mark.parametrize(("scene", "code"), READ)
def test_a_scene_is_read_to_its_end_by_keys(open_page, scene, code):
    query = urlencode({**scene.query_of(1), "lang": code})
    page = open_page(f"/{scene.steps[0].page}?{query}")
    texts = []
    for n, step in enumerate(scene.steps, start=1):
        expect(page).to_have_url(re.compile(rf"/{step.page}\?.*scene={scene.key}\.{n}"))
        ready(page)
        if "ask" in step.query:
            page.get_by_role("button", name=said(page, "Skip the question", code)).focus()
            page.keyboard.press("Enter")
            expect(page.locator(".lvq-go")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator(".lv-guess")).to_have_count(0)
            ready(page)
        text = page.locator(STEP_WORDS).first.inner_text()
        assert "{" not in text
        texts.append(text)
        assert not page.get_by_test_id("stException").count()
        if n < len(scene.steps):
            page.get_by_role("button", name=said(page, "Next step", code)).focus()
            page.keyboard.press("Enter")
    assert len(set(texts)) == len(scene.steps)
    if code != "en":
        assert not [text for text in texts if SENTENCE.search(text)]


@pytest.mark.main
def test_the_switch_keeps_the_scene_and_streamlits_own_words_follow(open_page):
    page = open_page("/boundaries?data=moons&models=cart")
    choose(page, page.get_by_role("combobox", name="Language"), "中文")
    expect(page.get_by_role("heading", level=1)).to_have_text("各算法把边界画在哪里？")
    expect(page).to_have_url(re.compile(r"data=moons.*lang=zh|lang=zh.*data=moons"))
    ready(page)
    assert page.evaluate("document.documentElement.lang") == "zh"
    expect(page.locator(".st-key-data input")).to_have_value(re.compile("双月"))
    page.get_by_test_id("stMainMenu").click()
    expect(page.get_by_text("Settings", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    visit(page, page.url.replace("/boundaries", "/data"))
    expect(page.get_by_text("Browse files")).to_have_count(0)
    expect(page.get_by_text("Drag and drop")).to_have_count(0)


def test_streamlits_own_dialogs_and_hints_speak_the_language(open_page):
    page = open_page("/nonsense?lang=zh")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("找不到页面")
    expect(dialog).to_contain_text("请求的页面不存在。现显示首页。")
    page = open_page("/compare?data=xor&lang=zh")
    page.get_by_test_id("stMultiSelect").first.get_by_role("combobox").fill("zzzz")
    expect(page.get_by_text("没有结果", exact=True)).to_be_visible()
    page = open_page("/data?data=iris&lang=zh")
    field = page.get_by_test_id("stFileUploaderDropzoneInput").last  # of a model
    field.set_input_files({"name": "a.exe", "mimeType": "", "buffer": b"MZ"})
    uploader = page.get_by_test_id("stFileUploader").last
    expect(uploader).to_contain_text(re.compile("出错： ?这里不接受这类文件。"))
    table = page.get_by_test_id("stDataFrame").last
    table.hover()
    table.get_by_role("button", name="搜索：表格的前几行").click()
    expect(table).to_contain_text("输入以搜索")


def test_a_name_of_the_data_stays_though_streamlit_uses_it(open_page):
    page = open_page("/rules?data=breast_cancer&m=c45&lang=zh")
    page.evaluate(
        """() => {
            const own = document.createElement("div");
            own.dataset.testid = "stOwn";
            own.textContent = "Median";
            document.querySelector("[data-testid=stMain]").append(own);
        }"""
    )
    page.wait_for_timeout(300)
    expect(page.get_by_test_id("stOwn")).to_have_text("Median")


def test_a_lost_server_is_told_in_the_language(browser, tmp_path):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with App(tmp_path) as app:
        visit(page, f"{app.address}/privacy?lang=zh")
    expect(page.get_by_role("dialog")).to_contain_text("服务器没有应答")
    expect(page.get_by_role("dialog")).to_contain_text("服务器恢复后自动继续")
    expect(page.get_by_text("streamlit run")).to_be_hidden()  # nobody but its host can do that
    with app:
        expect(page.get_by_text("连接已恢复。")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.close()


def test_a_scene_is_gone_through_by_the_keyboard(open_page):
    page = open_page("/")
    ready(page)
    card = page.get_by_role("link", name="What was noise, what was structure?")
    card.focus()
    page.keyboard.press("Enter")
    strip = page.locator(".lv-course")
    expect(strip).to_contain_text("Step 1 of 4")
    ready(page)
    marked = page.locator(".st-key-plane0").first
    assert marked.evaluate("e => getComputedStyle(e).outlineStyle") == "dashed"
    for n, where in ((2, "boundaries"), (3, "growth"), (4, "pruning")):
        page.get_by_role("button", name="Next step").focus()
        page.keyboard.press("Enter")
        expect(strip).to_contain_text(f"Step {n} of 4")
        expect(page).to_have_url(re.compile(rf"/{where}\?.*scene=overfitting\.{n}"))
        ready(page)
    page.get_by_role("button", name="Leave the course").focus()
    page.keyboard.press("Enter")
    expect(strip).to_have_count(0)


@pytest.mark.main
def test_back_undoes_forward_redoes_and_a_change_after_back_starts_a_new_branch(open_page):
    page = open_page("/data")
    set_seed(page, 5)
    set_seed(page, 6)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    expect(seed_field(page)).to_have_value("1")
    assert query(page) == {}
    page.go_forward()
    expect(seed_field(page)).to_have_value("5")
    page.go_forward()
    expect(seed_field(page)).to_have_value("6")
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    set_seed(page, 7)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")


@pytest.mark.main
def test_the_scene_is_kept_over_pages_and_back_leaves_no_trap(open_page):
    page = open_page("/data")
    set_seed(page, 5)
    go_to(page, "Boundaries")
    page.wait_for_url("**/boundaries?**")
    expect(seed_field(page)).to_have_value("5")
    assert query(page)["seed"] == "5"
    set_seed(page, 6)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    page.wait_for_url("**/data?**")
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    expect(seed_field(page)).to_have_value("1")


@pytest.mark.main
def test_a_cold_deep_link_keeps_its_scene_and_its_page(open_page):
    page = open_page("/boundaries?data=three_spirals&seed=9&m=c45")
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw the line")
    expect(seed_field(page)).to_have_value("9")
    assert query(page) == {"data": "three_spirals", "seed": "9", "m": "c45"}
    expect(page.get_by_test_id("stTopNavLink").first).to_be_visible()


@pytest.mark.main
def test_fast_changes_are_all_kept(open_page):
    page = open_page("/data")
    open_more(page)
    step = page.get_by_test_id("stNumberInputStepUp").last
    for _ in range(8):
        step.click()
    page.wait_for_url("**seed=9**")
    expect(seed_field(page)).to_have_value("9")
