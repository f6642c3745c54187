"""The textbook's figures: what they mark, where the numbers stand."""

from functools import partial

import numpy as np

from lastviz.inspection import cut_sums, impurity_curves, partition
from lastviz.plots import (
    THEMES,
    Curve,
    branch_words,
    category_tree_plot,
    conditional_plot,
    cut_losses_plot,
    impurity_curves_plot,
    partition_plot,
    regression_steps_plot,
)
from lastviz.plots.visuals.theme import Size
from lastviz.plots.visuals.words import text_width
from tests.naive_textbook import id3

from .conftest import by_role, drawn_boxes, make_nominal, sine_steps, text_boxes

INK = THEMES["light"].ink


def test_the_own_p_is_marked_on_every_curve():
    own = impurity_curves(np.array([0.6]))
    shown = (Curve("entropy", "H", 0.5), Curve("gini", "Gini"), Curve("error", "error"))
    figure = impurity_curves_plot(impurity_curves(), own, shown, theme="light")
    (dots,) = by_role(figure, "own")
    np.testing.assert_allclose(dots.y, [0.970951 / 2, 0.48, 0.4], atol=1e-6)
    assert [len(trace.x) for trace in by_role(figure, "curve")] == [201] * 3
    assert any("p = 0.6" in a.text for a in figure.layout.annotations)


def test_every_combination_is_a_cell_its_rows_lie_in_it_and_lines_part_cells_of_different_leaves():
    table, tree = make_nominal()
    cells = partition(tree, table)
    figure = partition_plot(cells, tree, table, theme="light")
    tinted = sum(len(drawn_boxes(trace)) for trace in by_role(figure, "region"))
    assert tinted == cells.node.size
    rows = by_role(figure, "training")
    assert sorted(int(r) for trace in rows for r in trace.customdata) == list(range(1, 41))
    for trace in rows:
        at = np.array(trace.customdata, dtype=int) - 1
        assert (np.floor(trace.x) == cells.cell[at, 0]).all()
        assert (np.floor(trace.y) == cells.cell[at, 1]).all()
    (border,) = by_role(figure, "border")
    edges = int((cells.node[:, 1:] != cells.node[:, :-1]).sum())
    edges += int((cells.node[1:] != cells.node[:-1]).sum())
    along = np.column_stack([border.x, border.y])
    lengths = np.abs(np.diff(along, axis=0)).sum(axis=1)
    assert np.nansum(lengths) == edges


def test_shares_of_a_cell_add_up():
    counts = np.array([[6, 0], [1, 3]])
    names = (("a",), ("b", "c"))
    figure = conditional_plot(counts, names, theme="light", class_names=("yes", "no"))
    shares = np.array([trace.y for trace in by_role(figure, "share")])
    np.testing.assert_allclose(shares, [[1, 0.25], [0, 0.75]])


def test_names_of_cells_are_cut_to_the_room_that_the_figure_asks_for():
    counts, long = np.ones((3, 2)), "有自己的房子和一辆很旧的车 = 非常好"
    plot = partial(conditional_plot, counts, theme="light", class_names=("yes", "no"))
    few, many = plot([("a = b",)] * 3), plot([("a = b", long)] * 3)
    for figure, whole in ((few, "a = b"), (many, None)):
        names = {name for text in figure.layout.xaxis.ticktext for name in text.split("<br>")}
        margin = figure.layout.margin
        cell = (figure.layout.meta["least"] - margin.l - margin.r) / 3
        assert all(text_width(name, Size.tick) < cell for name in names)
        assert whole is None or names == {whole}
    assert long not in many.layout.xaxis.ticktext[0]
    assert many.layout.xaxis.ticktext[0].endswith("= 非常好")  # what tells it apart stays


def test_branches_say_their_categories_once_leaves_their_rows_and_a_frame_keeps_off_names():
    table, tree = make_nominal()
    figure = category_tree_plot(tree, theme="light", class_names=table.classes)
    (branches,) = by_role(figure, "branch")
    first = list(tree.children(0))
    names = table.categories[tree.feature[0]]
    assert [branch_words(tree, node) for node in first] == list(names)
    assert set(names) <= {text.replace("&amp;", "&") for text in branches.text}
    (words,) = by_role(figure, "leaf_words")
    assert len(words.text) == tree.n_leaves
    rows = sum(int(text.split(" · ")[1]) for text in words.text)
    assert rows == table.n_rows
    ends = np.array(
        [
            (x, y)
            for trace in figure.data
            if trace.mode == "text" and trace.textposition == "middle left"
            for x, y in zip(trace.x, trace.y, strict=True)
        ]
    )
    for here in np.column_stack([branches.x, branches.y]):
        assert np.count_nonzero(np.abs(ends - here).max(axis=1) < 7) == 1
    node = int(np.flatnonzero(tree.n_children)[1])
    figure = category_tree_plot(tree, theme="light", class_names=table.classes, selected=node)
    assert table.features[tree.feature[node]] in written_tests(figure)[node]
    (frame,) = figure.layout.shapes
    for (left, low, _, high), named, _ in text_boxes(figure, "test"):
        beside = left >= frame.xanchor + frame.x1
        assert named != node or beside or low >= frame.y1 or high <= frame.y0


def written_tests(figure):
    """The node of each test that stands in the figure, and its text."""
    return {
        int(node): text
        for trace in by_role(figure, "test")
        for node, text in zip(trace.customdata, trace.text, strict=True)
    }


def test_a_tree_of_one_leaf_is_drawn_and_says_how_many_rows_are_of_its_class():
    for labels, text in (([1, 1], "yes · 2"), ([1, 0, 0, 1, 0], "no · 3/5")):
        rows = [[code % 2 if len(labels) == 2 else 0] for code in range(len(labels))]
        tree = id3(rows, labels, [("a", "b")], ["x"], ["no", "yes"])
        figure = category_tree_plot(tree, theme="light", class_names=("no", "yes"))
        assert by_role(figure, "leaf_words")[0].text[0] == text


def test_the_smallest_loss_is_in_ink():
    x, y, _ = sine_steps(12)
    cuts = cut_sums(x, y)
    (bars,) = by_role(cut_losses_plot(cuts, theme="light"), "loss")
    assert [i for i, colour in enumerate(bars.marker.color) if colour == INK] == [cuts.best]
    np.testing.assert_array_equal(bars.y, cuts.loss)


def test_steps_are_the_leaves_and_nodes_fill_every_level():
    x, y, found = sine_steps()
    figure = regression_steps_plot(x, y, found, theme="light")
    (step,) = by_role(figure, "step")
    heights = {round(float(v), 9) for v in np.array(step.y) if np.isfinite(v)}
    assert heights == {round(float(v), 9) for v in found.mean[found.leaf]}
    (nodes,) = by_role(figure, "node")
    np.testing.assert_array_equal(nodes.y, found.depth)
    assert len(nodes.x) == len(found.mean)
