"""Counts and shares that stand side by side add up to the total beside them, however many."""

import re
from decimal import Decimal
from html import unescape

import numpy as np
import pytest

from lastviz.estimators import CARTClassifier
from lastviz.inspection import supports
from lastviz.plots import largest_first, node_html
from lastviz.ui.boundaries.details import notices
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.words import shares_words
from lastviz.ui.shared.model_view import counts_words
from lastviz.ui.shared.node_card import node_texts, side_html
from lastviz.ui.splits.words import branch_html
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import adding_up


@pytest.fixture
def digits():
    return Work(Selection(data="digits", models=(Model("gsodt"),))).first.picked.tree_


NAMES = tuple(f"class {k}" for k in range(10))


def numbers(html):
    """The numbers of a text, its marks and the numbers of classes left out."""
    text = re.sub(r"class \d+", "", unescape(re.sub(r"<[^>]+>", " ", html)))
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_the_largest_values_and_the_sum_of_the_others():
    assert largest_first(np.array([1.0, 0.0, 5.0, 2.0]), 2) == ([2, 3], 1.0)
    assert largest_first([3.0, 0.0], 5) == ([0], 0.0)


@pytest.mark.parametrize("node", [0, 1, 2])
def test_the_rows_of_the_classes_of_a_node_add_up(digits, node):
    total = digits.n_node_samples[node]
    assert np.count_nonzero(digits.value[node]) > 5
    rows, *of_classes = numbers(side_html(digits, "yes", node, "light"))
    assert (rows, sum(of_classes)) == (total, total)
    assert sum(numbers(counts_words(digits, node, NAMES))) == total
    _, _, held = node_html(digits, node, NAMES).split("<br>")
    assert sum(numbers(held)) == total
    texts = node_texts(digits, np.flatnonzero(digits.n_children == 0), NAMES, [node])
    place = 0 if node == 0 else 1  # after the root
    assert sum(float(n.replace(",", "")) for _, n in texts["steps"]["counts"][place]) == total
    assert texts["steps"]["counts"][place][-1][0] == -1
    shares = numbers(shares_words(supports(digits).classes[node], NAMES))
    assert sum(shares) == pytest.approx(100.0, abs=0.05 * len(shares))


def test_counts_are_exact_however_large():
    y = np.repeat([0, 1, 0, 1], [76_958, 28_914, 15_156, 78_972])
    tree = (
        CARTClassifier(max_depth=1).fit(np.repeat([0.0, 1.0], [105_872, 94_128])[:, None], y).tree_
    )
    assert numbers(side_html(tree, "no", 1, "light")) == [105_872.0, 76_958.0, 28_914.0]
    assert numbers(branch_html("no", np.array([1_234_567, 1_234_569]), 1e7, "light")) == [
        *(2_469_136.0, 1_234_567.0, 1_234_569.0)
    ]


def test_bars_of_thirty_classes_add_up():
    counts = np.arange(1, 31)
    total, *of_classes = numbers(branch_html("yes", counts, 30.0, "light"))
    assert (total, sum(of_classes)) == (465.0, 465.0)


@pytest.mark.parametrize("seed", range(8))
def test_a_difference_is_that_of_the_accuracies_beside_it(seed):
    selection = Selection(data="breast_cancer", models=(Model("cart"),), seed=seed)
    sentence = notices(scene_of(Work(selection), "light"))[0]
    found = re.findall(r"(\d+\.\d) (?:%|percentage)", sentence)
    if len(found) == 3:
        seen, unseen, gap = map(float, found)
        assert abs(seen - unseen) == pytest.approx(gap, abs=1e-9), sentence
    else:
        assert "same accuracy" in sentence


@pytest.mark.parametrize("numbers_", [
    (209.98, 11.58, 178.96), (12.0000001, 0.0, 12.0), (5000.0, 0.0, 3000.0),
    (3.14159, 0.0, 3.14159), (0.00123, 0.0, 0.00456), (1.0 / 3.0, 0.1, 0.2),
])  # fmt: skip
def test_what_is_weighed_at_a_node_adds_up_as_it_is_printed(numbers_):
    printed = adding_up(*numbers_)
    whole, *parts, left = (Decimal(n.replace(",", "").replace("−", "-")) for n in printed)
    assert whole - sum(parts) == left
    assert float(left) == pytest.approx(numbers_[0] - sum(numbers_[1:]), rel=0.03, abs=1e-9)
    assert [float(n) for n in (whole, *parts)] == pytest.approx(numbers_, rel=0.005)
