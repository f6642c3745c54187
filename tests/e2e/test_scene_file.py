"""A scene that travels, what stays with its visitor, and what is left when it is deleted."""

import os
import queue
import re
import socket
import subprocess
import sys
import zipfile
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.datasets.labels import Labels
from lastviz.host.store import Upload
from lastviz.ui.compute.scene_file import write
from lastviz.ui.compute.uploads import digest_of
from lastviz.ui.privacy.page import STORAGE
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests.patience import LONG, SECONDS, until

from .app import (
    PATIENCE,
    ROOT,
    arrive,
    copy_link,
    downloaded,
    enter,
    hand_in,
    kept,
    pictures_of,
    ready,
    reload,
    sampled,
    seed_field,
    set_seed,
    unlike,
    visit,
)
from .test_security import REFUSED

pytestmark = pytest.mark.e2e

WINE = to_csv(load_dataset("wine"))
IRIS = "/rules?data=iris&m=cart&lit=3"
PAGES = sampled(["data", "boundaries", "growth", "splits", "rules", "pruning"], "data", "rules")
GIVE_ME = "Please provide wines.csv, 178 rows"
NO_STORAGE = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no"); } });
"""


def title(page):
    return page.get_by_role("heading", level=1)


def typed_name(page):
    (name,) = parse_qs(urlsplit(page.url).query)["typed"]
    return name


def with_wine(page):
    hand_in(page, "wines.csv", WINE)
    page.wait_for_url("**data=upload**")
    page.get_by_text("Kept on this server").wait_for()
    expect(page.locator(".lv-say").first).to_contain_text("178")
    ready(page)


def type_a_value(page, value):
    page.get_by_text("Type a sample", exact=True).click()
    field = page.get_by_role("textbox", name="petal length", exact=True)
    enter(field, value)
    page.wait_for_url(re.compile("typed="))
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.wait_for_function("localStorage.getItem('lastviz-visitor')")
    ready(page)


def test_a_typed_value_is_not_in_the_address_goes_by_back_and_outlives_f5(open_page):
    page = open_page(IRIS)
    type_a_value(page, "4.75")
    assert "4.75" not in page.url
    assert re.fullmatch("![0-9a-f]{24}", typed_name(page))
    page.go_back()
    page.wait_for_url("**lit=3**")
    expect(page.locator(".lv-say")).not_to_contain_text("typed sample")
    ready(page)
    page.go_forward()
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    ready(page)
    reload(page)
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.get_by_text("Type a sample", exact=True).click()
    expect(page.get_by_role("textbox", name="petal length", exact=True)).to_have_value("4.75")


def test_a_copied_link_has_no_typed_value_and_not_even_its_name_but_a_saved_scene_has(
    open_page, tmp_path
):
    page = open_page(IRIS)
    type_a_value(page, "4.75")
    name = typed_name(page)
    copy_link(page)
    link = page.get_by_label("Link to this scene").input_value()
    assert "typed" not in link
    assert name not in link
    stranger = open_page(page.url, elsewhere=True)
    expect(stranger.locator(".lv-notice")).to_contain_text("do not contain typed values")
    expect(stranger.locator(".lv-say")).not_to_contain_text("typed sample")
    stranger.wait_for_url(lambda url: "typed" not in url)
    expect(page.get_by_text("A copied link leaves out the values")).to_be_visible()
    file = kept(page, "Save scene", tmp_path)
    other = open_page("/data", elsewhere=True)
    drop(other, file)
    other.wait_for_url("**/rules?**")
    expect(other.locator(".lv-say")).to_contain_text("typed sample")
    assert "4.75" not in other.url


def test_an_old_link_with_values_is_read_once_and_they_leave_the_address(open_page):
    page = open_page("/textbook")
    start = page.evaluate("history.length")
    visit(page, page.url.split("/textbook")[0] + "/rules?data=iris&m=cart&typed=,,4.75,1.5")
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.wait_for_url(re.compile("typed=(!|%21)"))
    assert "4.75" not in page.url
    assert page.evaluate("history.length") == start + 1
    set_seed(page, 3)
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.go_back()
    expect(seed_field(page)).to_have_value("1")
    ready(page)
    assert "4.75" not in page.url
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.go_back()
    page.wait_for_url("**/textbook**")


@pytest.mark.parametrize("path", PAGES)
def test_f5_keeps_an_upload_on_every_page(open_page, path):
    page = open_page("/data")
    with_wine(page)
    visit(page, page.url.replace("/data?", f"/{path}?"))
    reload(page)
    expect(page.get_by_text("178 rows, 13 features, 3 classes")).to_be_visible()
    expect(page.locator(".lv-figure").first).to_be_visible()


def test_f5_keeps_an_upload_where_the_browser_stores_nothing(open_page):
    page = open_page("/textbook", elsewhere=True)
    page.add_init_script(NO_STORAGE)
    visit(page, page.url.replace("/textbook", "/data"))
    with_wine(page)
    ready(page)
    reload(page)
    expect(page.locator(".lv-say").first).to_contain_text("178")
    stranger = page.context.new_page()  # another window of the same browser is another visitor
    stranger.add_init_script(NO_STORAGE)
    stranger.goto(page.url)
    expect(title(stranger)).to_have_text(GIVE_ME)


@pytest.mark.main
def test_two_visitors_never_see_each_others_data(open_page):
    rows = WINE.decode().splitlines()
    other = "\n".join([rows[0], *reversed(rows[1:])]).replace("14.23", "11.11").encode()
    anna, ben = open_page("/data"), open_page("/data", elsewhere=True)
    with_wine(anna)
    hand_in(ben, "wines.csv", other)
    ben.wait_for_url("**data=upload**")
    ben.get_by_text("178 rows, 13 features, 3 classes").wait_for()
    for page in (anna, ben):
        page.get_by_text("Kept on this server").wait_for()
    links = [anna.url, ben.url]
    assert links[0] != links[1]
    ben.goto(links[0])
    expect(title(ben)).to_have_text(GIVE_ME)
    anna.goto(links[1])
    expect(title(anna)).to_have_text(GIVE_ME)
    hand_in(anna, "wines.csv", WINE)
    expect(anna.get_by_text("This is another file")).to_be_visible()
    for page, link in ((anna, links[0]), (ben, links[1])):
        page.goto(link)
        expect(page.locator(".lv-say").first).to_contain_text("178")


def test_a_link_without_its_data_takes_the_file_and_the_same_scene_stands(open_page):
    page = open_page("/data")
    with_wine(page)
    table = page.url.split("&m=")[0]  # without the model that it is followed by
    link = table.replace("/data?", "/rules?") + "&m=c45&lit=7&held=0.2"
    stranger = open_page(link, elsewhere=True)
    expect(title(stranger)).to_have_text(GIVE_ME)
    expect(stranger.locator(".lv-figure")).to_have_count(0)
    hand_in(stranger, "another name.csv", WINE)
    expect(stranger.locator(".lv-say").first).to_contain_text("7")
    ready(stranger)
    assert stranger.url == link


def drop(page, file):
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)


def wait_for_pictures(page):
    """Wait until both pictures are drawn: before, the browser is asked whose the file is."""
    page.wait_for_function("document.querySelectorAll('.lv-figure .main-svg').length >= 2")
    ready(page)


def shot(page):
    page.mouse.move(1, 450)
    return page.locator(".lv-figure").first.screenshot(animations="disabled")


@pytest.mark.main
@pytest.mark.parametrize("where", ["data?data=xor", ""])
def test_a_saved_scene_is_dropped_elsewhere_and_the_same_picture_stands(open_page, tmp_path, where):
    page = open_page("/data")
    with_wine(page)
    settings = "&m=c45&m2=cart&held=0.2&x=alcohol&y=flavanoids&lit=7&brush=1-9.30"
    table = page.url.split("&m=")[0]  # without the model that it is followed by
    page.goto(table.replace("/data?", "/boundaries?") + settings)
    wait_for_pictures(page)
    address, pictures, picture = page.url, pictures_of(page, 2), shot(page)
    file = kept(page, "Save scene", tmp_path)
    assert file.name == "wines.lastviz"

    other = open_page(f"/{where}", elsewhere=True)
    drop(other, file)
    other.wait_for_url("**/boundaries?**")
    wait_for_pictures(other)
    expect(other.get_by_text("178 rows, 13 features, 3 classes")).to_be_visible()
    assert parse_qs(urlsplit(other.url).query) == parse_qs(urlsplit(address).query)
    assert not unlike(other, pictures)
    assert shot(other) == picture


def test_a_saved_scene_opens_where_a_link_asks_for_its_file(open_page, tmp_path):
    page = open_page("/data")
    with_wine(page)
    file = kept(page, "Save scene", tmp_path)
    stranger = open_page(page.url, elsewhere=True)
    expect(title(stranger)).to_have_text(GIVE_ME)
    drop(stranger, file)
    expect(stranger.locator(".lv-say").first).to_contain_text("178")


def test_scripts_in_names_and_labels_are_words_on_every_page(open_page, server, tmp_path):
    evil = "<img src=x onerror='window.hit=1'>"
    script = "<script>window.hit=1</script>"
    lines = [f"{i},{i * 7 % 11},{script if i % 3 else 'a'}" for i in range(60)]
    data = "\n".join([f"{evil},{script},class", *lines]).encode()
    said = Labels(names={evil: evil + "!", script: script + "!"}, units={evil: evil})
    upload = Upload(digest_of(data), f"{evil}.csv", 60)
    selection = DEFAULT.having(data=UPLOAD, upload=upload, labels=pack_labels(said), typed="1,2")
    file = tmp_path / "evil.lastviz"
    file.write_bytes(write(selection, "rules", data))

    page = open_page("/data", elsewhere=True)
    page.add_init_script(REFUSED)
    visit(page, server + "/data")
    drop(page, file)
    page.wait_for_url("**/rules?**")
    expect(page.locator(".lv-say")).to_contain_text("typed sample")
    page.wait_for_function("localStorage.getItem('lastviz-visitor')")
    ready(page)
    address = page.url
    for path in ("rules", "data", "boundaries", "growth", "splits", "pruning"):
        page.goto(address.replace("/rules?", f"/{path}?"))
        page.locator(".lv-figure .main-svg").first.wait_for()
        ready(page)
        assert page.evaluate("window.hit") is None, path
        assert page.evaluate("window.refused") == [], path
        assert page.locator("img[src=x]").count() == 0, path


def test_what_was_handed_in_is_listed_taken_away_and_deleted(open_page):
    page = open_page("/data")
    table = to_csv(load_dataset("wine"))
    hand_in(page, "wines.csv", table)
    arrive(page, "**data=upload**")
    page.get_by_role("link", name="What is stored, and for how long?").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "What is stored about me, and for how long?"
    )
    expect(page.locator(".lv-kept")).to_contain_text("wines.csv")
    with zipfile.ZipFile(
        downloaded(page, page.get_by_role("button", name="Save it all")).path()
    ) as archive:
        assert archive.read("files/wines.csv") == table
    assert len(page.evaluate(f"localStorage.getItem('{STORAGE}')")) == 64
    page.get_by_role("button", name="Delete it all").click()
    page.get_by_role("button", name="Yes, delete it all").click()
    expect(page.get_by_text("All of it is deleted.")).to_be_visible()
    expect(page.locator(".lv-kept")).to_have_count(0)
    page.wait_for_function(f"localStorage.getItem('{STORAGE}') === null")
    assert "upload" not in page.url
    reload(page)
    expect(page.get_by_text("Nothing about you is stored here.")).to_be_visible()
    assert page.evaluate(f"localStorage.getItem('{STORAGE}')") is None  # none is made for looking


FACTOR = 60  # a minute passes in a second
TEXT = "Quuxmark"
APP = Path(__file__).with_name("fast_clock_app.py")


@pytest.fixture
def served(tmp_path):
    """The app with a fast clock: its address, and what asks it who holds the text."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {"LASTVIZ_STORE_FOLDER": str(tmp_path / "store"), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, APP, str(FACTOR), TEXT, "--port", str(port)], cwd=ROOT,
        env={**os.environ, **folders}, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    lines: queue.Queue[str] = queue.Queue()

    def said(begin):
        while not (line := lines.get(timeout=SECONDS)).startswith(begin):
            pass
        return line.strip()

    def held():
        while not lines.empty():
            lines.get()
        return said("held by ")

    with process:
        reading = Thread(target=lambda: [lines.put(line) for line in process.stdout])
        reading.start()
        said("lastviz is served")
        yield f"http://localhost:{port}", held
        process.terminate()
        reading.join(SECONDS)


def test_what_was_handed_in_is_held_by_nothing_after_the_time_that_privacy_names(served, browser):
    """Also where another visitor stays, and no other session closes."""
    address, held = served
    rows = "".join(f"{i},{i % 7},{TEXT}{i % 5},{'yes' if i % 3 else 'no'}\n" for i in range(900))
    staying, leaving = browser.new_context(), browser.new_context()
    for context in (staying, leaving):
        context.set_default_timeout(PATIENCE)
    page = leaving.new_page()
    visit(page, f"{address}/data")
    hand_in(page, f"{TEXT}.csv", f"a,b,{TEXT} column,class\n{rows}".encode())
    arrive(page, "**data=upload**")
    scored = f"a,b,{TEXT} column,{TEXT}\n" + "".join(
        f"{i},{i % 7},{TEXT}{i % 5},{TEXT} {i}\n" for i in range(30)
    )
    field = page.get_by_test_id("stFileUploader").filter(has_text="Rows to be scored")
    file = {"name": f"{TEXT}.csv", "mimeType": "text/csv", "buffer": scored.encode()}
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    ready(page)
    table = page.url
    for each in ("boundaries", "growth", "splits", "pruning", "compare", "rules"):
        visit(page, table.replace("/data?", f"/{each}?"))
    other = staying.new_page()
    visit(other, f"{address}/boundaries")
    assert held() != "held by 0:"
    leaving.close()
    until(lambda: held() == "held by 0:", LONG)
    staying.close()
