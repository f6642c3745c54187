"""What a report says of a scene: numbers with their intervals, what to keep in mind."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from lastviz.inspection import share_interval
from lastviz.ui.boundaries.details import scene_report_of
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.rules.details import rule_report
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.text import percent

INTERVAL = "accuracy on new rows, 95 % interval"


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
    return Tables(rule_report(rule_scene(selection, "light"), "What?", None))


def test_an_accuracy_has_its_interval_and_the_caveat_of_it():
    selection = DEFAULT.having(data="wine", models=(Model("c45"),))
    scene = rule_scene(selection, "light")
    part, found = scene.found.held_out, of_rules(selection)
    assert [INTERVAL, words_of(part.n_right, part.n_samples)] in found.rows
    for k, name in enumerate(scene.class_names):
        row = next(row for row in found.rows if row[0] == name and len(row) == 6)
        assert row[-1] == words_of(part.confusion[k, k], part.confusion[k].sum())
    assert "says nothing about another division" in found.words


def test_a_rule_that_no_row_meets_and_one_met_in_parts_have_no_interval():
    selection = DEFAULT.having(data="wine", models=(Model("cart"),), held=0.1)
    scene, found = rule_scene(selection, "light"), of_rules(selection)
    at = next(i for i, row in enumerate(found.rows) if row[-1] == "95 % interval" and "if" in row)
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
        found = Tables(scene_report_of(scene_of(selection, "light"), "Where?", None))
    assert "interval" not in found.words
    assert "No rows were held out" in found.words
