"""A table of one's own: from the file to a rule tree in a few clicks, and names for people."""

import json

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz.ui.state.edit_codes import unpack_labels
from tests.credit import credit_table
from tests.leaky import leaky_credit

from .app import query, ready

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
        page.wait_for_url("**data=upload**")
        ready(page)

    def go_to(self, page, section, title):
        self.on(page.get_by_test_id("stTopNavSection").filter(has_text=section))
        self.on(page.get_by_test_id("stTopNavPopover").get_by_text(title, exact=True))
        page.wait_for_url(f"**/{title.lower()}**")
        ready(page)


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
    clicks.go_to(page, "Explore", "Rules")
    assert clicks.n <= 5
    expect(page.locator(".lv-decided")).to_contain_text("held-out rows")
    assert {"ribbon", "bar"} <= {trace["role"] for trace in traces(page)}
    assert query(page)["file"] == "credit.csv"


def test_from_nothing_a_credit_table_has_a_border_in_four_clicks(open_page):
    page, clicks = open_page("/"), Clicks()
    clicks.begin(page)
    clicks.hand_in(page, credit_csv=csv_of(credit_table()))
    clicks.go_to(page, "Explore", "Boundaries")
    assert clicks.n <= 4
    tinted = {trace["name"] for trace in traces(page) if trace["role"] == "region"}
    assert {"bad", "good"} <= tinted


def test_from_nothing_why_a_row_was_refused_and_what_would_change_it_takes_six(open_page):
    table = credit_table(missing=0.0)
    page, clicks = open_page("/"), Clicks()
    clicks.begin(page)
    clicks.hand_in(page, credit_csv=csv_of(table))
    clicks.go_to(page, "Explore", "Rules")
    clicks.on(page.get_by_text("One row", exact=True))
    row = page.get_by_role("spinbutton", name="Row")
    row.fill(str(1 + int(np.flatnonzero(table.iloc[:, -1] == "bad")[0])))
    row.press("Enter")
    clicks.n += 1
    ready(page)
    assert clicks.n <= 6
    expect(page.locator(".lv-path").first).to_contain_text("bad")
    expect(page.locator(".lv-flip li").first).to_contain_text("→")


def test_what_names_rows_is_left_out_and_a_leak_with_one_click(open_page):
    page, clicks = open_page("/data"), Clicks()
    clicks.hand_in(page, credit_csv=csv_of(leaky_credit()))
    expect(page.get_by_text("“customer_id” and “name” identify rows")).to_be_visible()
    expect(page.get_by_text("“opened_on” holds dates")).to_be_visible()
    clicks.on(page.get_by_role("button", name="Leave out").first)
    expect(page.get_by_role("button", name="Undo")).to_have_count(3)
    page.wait_for_url("**columns=5-24**")
    clicks.go_to(page, "Explore", "Rules")
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
    expect(page.locator(".lv-legend")).to_contain_text("<b>Defaulted</b>")
    assert unpack_labels(query(page)["labels"]).names == {"duration": "Duration"}
    clicks.go_to(page, "Explore", "Rules")
    expect(page.locator(".lv-legend")).to_contain_text("<b>Defaulted</b>")
    drawn = page.evaluate(
        """() => [...document.querySelectorAll(".js-plotly-plot")]
            .map((plot) => JSON.stringify(plot.data)).join("").toUpperCase()"""
    )
    assert "#D55E00" in drawn
