"""A table with words and gaps: handed in, learnt from, looked at, new rows scored."""

import csv

import numpy as np
import pytest
from playwright.sync_api import expect

from .app import downloaded, go_to, hand_in, ready

pytestmark = pytest.mark.e2e

JOBS = ("clerk", "cook", "smith")


def table():
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
    hand_in(page, "jobs.csv", table())
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-strip")).to_contain_text("rows that lack any")
    ready(page)
    hand_in(page, "new.csv", b"name,job,age\nA,cook,30\nB,,30\nC,king,60\n", place=1)
    expect(page.get_by_text("3 rows scored")).to_be_visible()
    found = downloaded(page, page.get_by_role("button", name="Download the scored rows"))
    file = tmp_path / "scored.csv"
    found.save_as(file)
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["name"] for row in rows] == ["A", "B", "C"]
    assert rows[0]["prediction"] == "yes"
    assert "job = cook" in rows[0]["rule"]
    go_to(page, "Explore", "Boundaries")
    page.wait_for_url("**/boundaries?**")
    ready(page)
    ticks = page.locator(".ytick text, .y2tick text, .yaxislayer-above text")
    expect(ticks.filter(has_text="clerk").first).to_be_visible()
    expect(ticks.filter(has_text="missing").first).to_be_visible()
    go_to(page, "Explore", "Splits")
    page.wait_for_url("**/splits?**")
    ready(page)
    expect(page.get_by_text("The best test of each feature")).to_be_visible()
    bars = page.locator(".bars .point path")
    expect(bars.first).to_be_visible()
    bars.nth(1).click(force=True)
    page.wait_for_url("**pick=**")
