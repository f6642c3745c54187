"""What the browser says of nodes, piece by piece, is what the server would say of them whole."""

import html
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz.host import jobs
from lastviz.inspection import class_counts, conditions, rules
from lastviz.plots import condition_words, number, split_words
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of, held_rows
from lastviz.ui.state.codec import decode
from lastviz.ui.state.session import data_params, model_params
from tests.patience import SECONDS

pytestmark = pytest.mark.e2e

SCENES = {
    "thresholds": "data=waveform&n_samples=500&m=cart",
    "thresholds, cut": "data=waveform&n_samples=500&m=cart&depth=4",
    "categories, node-link": "data=loan&m=c45&drawing=node-link",
    "hyperplanes": "data=iris&m=gsodt",
    "categories, missing values": "data=loan&m=c45",
    "machines": "data=three_spirals&m=svm_tree",
    "ten classes": "data=digits&m=cart&depth=3&pixels=plane",
    "ten classes, hyperplanes": "data=digits&m=gsodt&depth=3&pixels=plane",
}
AREAS = """() => [...document.querySelectorAll(".lv-table table")[0].querySelectorAll("td")]
    .map((cell) => cell.textContent)"""


RULES = {
    "thresholds": "data=waveform&n_samples=500&m=cart&held=0.2",
    "thresholds, none held out": "data=moons&n_samples=200&m=cart&held=0",
    "thresholds, icicle": "data=wine&m=c45&drawing=icicle",
    "categories, node-link": "data=loan&m=c45&drawing=node-link",
    "hyperplanes": "data=iris&m=gsodt",
    "categories, missing values": "data=loan&m=c45",
    "machines": "data=three_spirals&m=svm_tree",
    "ten classes": "data=digits&m=cart&m.max_depth=3",
    "ten classes, hyperplanes": "data=digits&m=gsodt&m.max_depth=3",
}


def plain(lines):
    """Lines of html as the table of a figure has them."""
    text = "<br>".join(line for line in lines if line)
    words = [html.unescape(re.sub(r"</?(b|sub)>", " ", line)) for line in text.split("<br>")]
    return "; ".join(" ".join(line.split()) for line in words)


def rule_of(tree, node):
    """The rule of a node as html, one line for each condition."""
    parts = [condition_words(tree, (each,)) for each in conditions(tree, node)]
    return "<br>and ".join(parts)


def described(tree, node, names, shown):
    """The class, the rule, the rows by class and the test of a node, in plain words."""
    rows = held_rows(tree, node)
    counts = tree.value[node]
    top = [k for k in np.argsort(-counts, kind="stable")[:5] if counts[k] > 0]
    parts = [f"{names[k]} {number(round(float(counts[k]), 6))}" for k in top]
    if others := round(float(counts.sum() - counts[top].sum()), 6):
        parts.append(f"other classes {number(others)}")
    held = ", ".join(parts)
    lines = [names[tree.prediction[node]], rule_of(tree, node)]
    lines.append(f"{number(rows)} {'row' if rows == 1 else 'rows'}: {held}")
    if not tree.is_leaf(node) and node in shown:
        lines.append(f"next: {split_words(tree, node)}")
    return plain(lines)


def described_as_rule(tree, node, names, kept, numbers):
    """The class, the rule, the supports, the held-out rows and the test of a node."""
    counts = tree.value[node]
    rows, shares = tree.weighted_n_node_samples[node], counts / counts.sum()
    top = [k for k in np.argsort(-shares, kind="stable")[:4] if shares[k] > 0]
    share = 100 * rows / tree.weighted_n_node_samples[0]
    n_rows = number(float(rows))
    name = names[tree.prediction[node]]
    lines = [f"rule {numbers[node]}: {name}" if node in numbers else name, rule_of(tree, node)]
    lines.append(f"{n_rows} training {'row' if rows == 1 else 'rows'}, {share:.1f} % of all")
    parts = [f"{names[k]} {100 * shares[k]:.1f} %" for k in top]
    if others := round(float(1 - shares[top].sum()), 6):
        parts.append(f"other classes {100 * others:.1f} %")
    lines.append(", ".join(parts))
    if kept is not None:
        n_kept, right = kept[node].sum(), kept[node][tree.prediction[node]]
        of = f"{number(float(right))} of {number(float(n_kept))}"
        met = f"classifies {of} held-out rows correctly"
        lines.append(met if n_kept else "no held-out row reaches this node")
    if not tree.is_leaf(node):
        lines.append(f"next: {split_words(tree, node)}")
    return plain(lines)


def selected(query, monkeypatch):
    """The selection of a query, and a model's tree that is there at once."""
    monkeypatch.setattr(jobs, "PATIENCE", SECONDS)
    selection, problems = decode(dict(parse_qsl(query)), data_params, model_params)
    assert not problems
    return selection, Work(selection).first.picked.tree_


def areas_of(page):
    """What the first figure says of its areas."""
    page.wait_for_selector(".lv-frame .main-svg", state="attached")  # training may take a while
    page.locator(".lv-frame").first.press("t")
    page.wait_for_selector(".lv-table table")
    return [" ".join(text.split()) for text in page.evaluate(AREAS)]


ALWAYS = (
    "thresholds", "thresholds, none held out", "hyperplanes", "machines", "categories, node-link",
)  # fmt: skip


def sampled(scenes):
    """The queries of scenes; those that are not looked at always are slow."""
    return [
        pytest.param(query, id=name, marks=[] if name in ALWAYS else pytest.mark.slow)
        for name, query in scenes.items()
    ]


@pytest.mark.parametrize("query", sampled(SCENES))
def test_a_node_is_described_by_its_rule(open_page, query, monkeypatch):
    selection, tree = selected(query, monkeypatch)
    names = class_names_of(Work(selection).dataset)
    depth = selection.view.depth
    drawn = range(tree.n_nodes) if depth is None else np.flatnonzero(tree.depth <= depth).tolist()
    shown = [n for n in drawn if depth is None or tree.depth[n] < depth]
    expected = {described(tree, node, names, shown) for node in drawn}

    found = areas_of(open_page(f"/boundaries?{query}"))
    assert len(found) >= min(tree.n_nodes, 10)
    assert set(found) <= expected, set(found) - expected


@pytest.mark.parametrize("query", sampled(RULES))
def test_a_rule_is_described_by_its_supports(open_page, query, monkeypatch):
    selection, tree = selected(query, monkeypatch)
    division, kept = Work(selection).first.division, None
    if len(division.held_out_rows):
        rows = division.held_out_rows
        kept = class_counts(tree, division.values[rows], division.y[rows])
    names = class_names_of(Work(selection).dataset)
    numbers = {rule.node: rule.number for rule in rules(tree)}
    nodes = range(tree.n_nodes)
    expected = {described_as_rule(tree, node, names, kept, numbers) for node in nodes}

    found = areas_of(open_page(f"/rules?{query}&rule_view=rules"))
    assert len(found) >= min(tree.n_nodes, 10)
    assert set(found) <= expected, set(found) - expected
