"""Trees of machines in words and figures."""

import numpy as np
import pytest

from lastviz import SVMTreeClassifier
from lastviz.inspection import regions
from lastviz.plots import Points, boundary_and_tree_plot, rule_words, split_words
from lastviz.plots.visuals.theme import THEMES

from .conftest import by_role


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(5), 12)
    X = 4 * rng.normal(size=(5, 2))[y] + rng.normal(size=(60, 2))
    model = SVMTreeClassifier(order="natural", sigma=2.0, C=1.0)
    return X, y, model.fit(X, np.array(list("a<cde"))[y])


def test_a_machine_is_told_by_the_classes_that_it_parts(fitted):
    tree = fitted[2].tree_
    assert split_words(tree, 0) == "f(&lt; | 4 classes) &gt; 0"
    assert split_words(tree, 0, branch=1) == "f(&lt; | 4 classes) ≤ 0"
    node = tree.children(0)[1]
    assert rule_words(tree, node, html=False) == "f(< | 4 classes) ≤ 0"
    below = tree.children(node)[0]
    assert rule_words(tree, below, joint="; ", html=False) == (
        "f(< | 4 classes) ≤ 0; f(a | c, d, e) > 0"
    )
    assert split_words(tree, below) == ""


def drawn_segments(traces):
    ends = [np.isfinite(np.array(trace.x, dtype=float)) for trace in traces]
    return sum(int((e[:-1] & e[1:]).sum()) for e in ends)


@pytest.mark.parametrize("selected", [None, 0, 2, 3])
def test_curved_splits_are_drawn_and_the_selected_one_is_ink(fitted, selected):
    X, y, estimator = fitted
    found = regions(estimator, (-12.0, 12.0, -12.0, 12.0))
    points = Points(
        x=X[:, 0], y=X[:, 1], label=y, held_out=np.zeros(60, dtype=bool),
        wrong=np.zeros(60, dtype=bool), row=np.arange(60),
    )  # fmt: skip
    tree = estimator.tree_
    figure = boundary_and_tree_plot(found, tree, points, theme="light", selected=selected)
    regions_drawn = {trace.meta["class"] for trace in by_role(figure, "region")}
    assert regions_drawn == {int(tree.prediction[n]) for n in found.node[found.visible()]}
    drawn = [*by_role(figure, "split"), *by_role(figure, "split_path")]
    chosen = by_role(figure, "chosen_split")
    rows = np.flatnonzero(found.node[found.curve_row] == (-1 if selected is None else selected))
    assert len(chosen) == (1 if len(rows) else 0)
    for trace in chosen:
        assert trace.line.color == THEMES["light"].ink
        assert drawn_segments([trace]) == len(rows)
    assert drawn_segments(drawn) == len(found.curve) - len(rows)
