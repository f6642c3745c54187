"""No accuracy stands alone: its counts, its 95 % interval and the baseline stand beside it."""

import re

import numpy as np
import pytest

from lastviz.inspection import scores, share_interval
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.headline import accuracy_cells, judged_cell

from .conftest import html
from .opened_pages import seen


def judged(n_training, n_held, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    parts = []
    for n in (n_training, n_held):
        y, predicted = rng.integers(0, n_classes, n), rng.integers(0, n_classes, n)
        parts.append((y, np.where(rng.random(n) < 0.7, y, predicted)))
    return parts, [scores(y, predicted, n_classes) for y, predicted in parts]


def always_right(y, new):
    counts = [sum(y == k) for k in range(max(y) + 1)]
    return sum(new == counts.index(max(counts)))


@pytest.mark.parametrize("seed", range(4))
def test_a_held_out_accuracy_has_counts_interval_and_baseline(seed):
    ((y, learnt), (new, predicted)), parts = judged(90, 57, seed=seed)
    first, second = accuracy_cells(*parts)
    right = sum(new == predicted)
    low, high = share_interval(int(right), 57)
    assert first == (
        f"{100 * right / 57:.1f}",
        f"% ({right} of 57)",
        "accuracy, held out",
        f"95 %: {100 * low:.1f} to {100 * high:.1f}",
        f"baseline {100 * always_right(y, new) / 57:.1f} %",
    )
    n = sum(y == learnt)
    assert second == (f"{100 * n / 90:.1f}", f"% ({n} of 90)", "accuracy, training")


def test_of_fewer_than_30_rows_counts_stand_alone():
    ((y, _), (new, predicted)), parts = judged(90, 29)
    first, _ = accuracy_cells(*parts)
    about = ("of 29", "accuracy, held out", f"baseline {always_right(y, new)} of 29")
    assert first == (str(sum(new == predicted)), *about)
    assert "%" in accuracy_cells(judged(90, 30)[1][0], judged(90, 30)[1][1])[0][1]


def test_without_held_out_rows_the_training_accuracy_has_the_baseline_and_no_interval():
    ((y, learnt), _), (training, none) = judged(90, 0)
    (only,) = accuracy_cells(training, none)
    n = sum(y == learnt)
    always = f"baseline {100 * always_right(y, y) / 90:.1f} %"
    assert only == (f"{100 * n / 90:.1f}", f"% ({n} of 90)", "accuracy, training", always)


def test_an_error_rate_has_what_an_accuracy_has():
    ((y, _), (new, predicted)), (training, part) = judged(90, 57)
    wrong = sum(new != predicted)
    low, high = share_interval(int(wrong), 57)
    assert judged_cell(part, "error", training, is_new=True, errors=True) == (
        f"{100 * wrong / 57:.1f}",
        f"% ({wrong} of 57)",
        "error",
        f"95 %: {100 * low:.1f} to {100 * high:.1f}",
        f"baseline {100 * (57 - always_right(y, new)) / 57:.1f} %",
    )


@pytest.mark.parametrize(
    ("page", "scene"),
    [
        ("boundaries", {"data": "wine", "m": "cart"}),
        ("boundaries", {"data": "monotone", "m": "mcdf"}),
        ("monotone", {"data": "monotone", "m": "remt", "part": "audit"}),
        ("latent", {"data": "waveform", "m": "gsodt"}),
        ("rules", {"data": "breast_cancer", "m": "c45", "rule_view": "rules"}),
    ],
)
def test_pages_say_what_always_predicting_the_majority_class_comes_to(page, scene):
    app = seen(page, **scene)
    divided = Work(app.session_state["selection"]).first.division
    y, held = divided.y, divided.held_out_rows
    share = 100 * always_right(y[divided.train_rows], y[held]) / len(held)
    said = re.findall(r"<span>baseline ([\d.]+) %</span>", html(app))
    assert said
    assert {f"{share:.1f}", f"{100 - share:.1f}"} >= set(said)


@pytest.mark.parametrize(
    ("page", "query", "names"),
    [("boundaries", {}, {"node", "leaf"}), ("rules", {"node": 0}, {"node, 1 rule"})],
)
def test_one_node_is_one(page, query, names):
    """A tree that is its root alone has 1 node and 1 leaf, which is 1 rule."""
    said = html(seen(page, data="loan", m="cart", **{"m.min_samples_split": 100}, **query))
    cells = re.findall(r"<b>([^/]{0,60})</b><span>([^<]*)</span>", said)
    assert {("1", name) for name in names} <= set(cells)
    assert not re.search("nodes|leaves|rules", " ".join(name for _, name in cells))
