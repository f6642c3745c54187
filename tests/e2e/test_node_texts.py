"""What the browser says of nodes, piece by piece, is what the server would say of them whole."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz.inspection import conditions
from lastviz.plots import condition_words, number, split_words
from lastviz.ui.compute import cache, jobs
from lastviz.ui.shared.model_view import class_names_of, held_rows
from lastviz.ui.state.codec import decode
from lastviz.ui.state.session import data_params, model_params

from .conftest import OpenPage

pytestmark = pytest.mark.e2e

SCENES = {
    "thresholds": "data=waveform&n_samples=500&m=cart",
    "thresholds, cut": "data=waveform&n_samples=500&m=cart&depth=4",
    "hyperplanes": "data=iris&m=gsodt",
    "categories, missing values": "data=loan&m=c45",
    "machines": "data=three_spirals&m=svm_tree",
}
AREAS = """() => [...document.querySelectorAll(".lv-table table")[0].querySelectorAll("td")]
    .map((cell) => cell.textContent)"""


def described(tree, node, names, shown):
    """The class, the rule, the rows by class and the test of a node, in plain words."""
    rule = [condition_words(tree, (each,)) for each in conditions(tree, node)]
    rows = held_rows(tree, node)
    counts = tree.value[node]
    top = [k for k in np.argsort(-counts, kind="stable")[:5] if counts[k] > 0]
    held = ", ".join(f"{names[k]} {number(round(float(counts[k]), 6))}" for k in top)
    lines = [names[tree.prediction[node]], " <br>and ".join(rule).replace(" <br>", "<br>")]
    lines.append(f"{number(rows)} {'row' if rows == 1 else 'rows'}: {held}")
    if not tree.is_leaf(node) and node in shown:
        lines.append(f"next: {split_words(tree, node)}")
    text = "<br>".join(line for line in lines if line)
    plain = [html.unescape(re.sub(r"</?(b|sub)>", " ", line)) for line in text.split("<br>")]
    return "; ".join(" ".join(line.split()) for line in plain)


@pytest.mark.parametrize("query", SCENES.values(), ids=SCENES)
def test_a_node_is_described_by_its_rule(open_page: OpenPage, query: str, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    selection, problems = decode(dict(parse_qsl(query)), data_params, model_params)
    assert not problems
    tree = cache.tree_of(selection, 0).tree_
    names = class_names_of(cache.data(selection).dataset)
    depth = selection.view.depth
    drawn = range(tree.n_nodes) if depth is None else np.flatnonzero(tree.depth <= depth).tolist()
    shown = [n for n in drawn if depth is None or tree.depth[n] < depth]
    expected = {described(tree, node, names, shown) for node in drawn}

    page = open_page(f"/boundaries?{query}")
    page.wait_for_selector(".lv-frame .main-svg", state="attached")  # training may take a while
    page.locator(".lv-frame").first.press("t")
    page.wait_for_selector(".lv-table table")
    found = [" ".join(text.split()) for text in page.evaluate(AREAS)]
    assert len(found) >= min(tree.n_nodes, 10)
    assert set(found) <= expected, set(found) - expected
