"""The page *textbook* in a real browser: the verified numbers, and those of an edited table."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.inspection import node_sums
from lastviz.ui.state.fields import EditedRows
from lastviz.ui.textbook.scene import book_rows, read_rows

from .app import choose, ready

pytestmark = pytest.mark.e2e


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
    page.wait_for_url(lambda url: "loan=" in url)
    ready(page)
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
    type_into(page, row=3, at=330, text="many")
    expect(
        page.get_by_text(re.compile("Table 5.2, row 3, y: “.*many” is no number"))
    ).to_be_visible()
    assert table(page, "cuts")["5"][2] == "3.358720"


def test_a_row_can_be_changed_without_the_grid(open_page):
    page = open_page("/textbook?lesson=gini")
    sidebar = page.get_by_test_id("stSidebar")
    choose(page, sidebar.get_by_label("class", exact=False).last, "yes")
    page.wait_for_url(lambda url: "loan=" in url)
    ready(page)
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
