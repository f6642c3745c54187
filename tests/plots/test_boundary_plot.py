from collections import Counter

import numpy as np
import pytest

from lastviz.plots import Points, boundary_and_tree_plot, boundary_plot
from lastviz.plots.visuals.theme import THEMES
from lastviz.plots.visuals.words import hover_format
from tests.calls import calls_counted

from .conftest import by_role, drawn_boxes, inner_node, make_scene


@pytest.fixture(scope="module")
def scene():
    return make_scene(400, 3, 10)


def draw(scene, theme="light", **options):
    return boundary_plot(scene.regions, scene.tree, scene.points, theme=theme, **options)


def corners(polygon):
    return {tuple(np.round(corner, 9)) for corner in polygon}


@pytest.mark.parametrize("depth", [None, 0, 2])
def test_every_visible_region_is_drawn_once_with_its_corners(scene, depth):
    figure = draw(scene, depth=depth)
    drawn = [box for trace in by_role(figure, "region") for box in drawn_boxes(trace)]
    wanted = [scene.regions.polygon(i) for i in scene.regions.visible(depth)]
    assert sorted(map(sorted, map(corners, drawn))) == sorted(map(sorted, map(corners, wanted)))


def test_regions_have_the_tint_of_their_class_and_one_trace_a_class_and_state(scene, theme):
    regions = by_role(draw(scene, theme, selected=1), "region")
    for trace in regions:
        faded = trace.meta["state"] == "faded"
        assert trace.fillcolor == THEMES[theme].region(trace.meta["class"], faded=faded)
        assert trace.name == scene.tree.classes[trace.meta["class"]].astype(str)
    kinds = [(t.meta["class"], t.meta["state"]) for t in regions]
    assert len(set(kinds)) == len(kinds) <= 2 * len(scene.tree.classes)


def test_outside_the_selected_node_regions_fade(scene):
    node = inner_node(scene.tree, 1)
    figure = draw(scene, selected=node)
    inside = np.isin(scene.regions.node, scene.tree.subtree(node))
    n_full = np.count_nonzero(inside & scene.regions.leaf)
    n_faded = np.count_nonzero(~inside & scene.regions.leaf)
    for state, n in (("full", n_full), ("faded", n_faded)):
        traces = [t for t in by_role(figure, "region") if t.meta["state"] == state]
        assert sum(len(drawn_boxes(t)) for t in traces) == n > 0


def test_the_selected_split_is_ink_on_a_halo_under_the_points(scene, theme):
    node = inner_node(scene.tree, 1)
    figure = draw(scene, theme, selected=node)
    (split,), (halo,) = by_role(figure, "chosen_split"), by_role(figure, "halo")
    i = int(np.flatnonzero(scene.regions.node == node)[0])
    ends = scene.regions.segment[i].reshape(2, 2)
    np.testing.assert_array_equal(np.column_stack([split.x, split.y]), ends)
    assert (split.line.color, split.line.width) == (THEMES[theme].ink, 3.5)
    assert (halo.line.color, halo.line.width) == (THEMES[theme].paper, 8)
    roles = [t.meta["role"] for t in figure.data]
    order = ["region", "split", "split_path", "halo", "chosen_split", "training", "held_out"]
    assert [r for r in dict.fromkeys(roles) if r != "wrong"] == order
    assert roles[-1] == "wrong"


def test_all_visible_splits_are_drawn_once(scene):
    node = inner_node(scene.tree, 2)
    figure = draw(scene, selected=node)
    roles = ("split", "split_path", "chosen_split")
    n_drawn = sum(len(drawn_boxes(t)) for role in roles for t in by_role(figure, role))
    assert n_drawn == np.count_nonzero(np.isfinite(scene.regions.segment[:, 0]))
    (path,) = by_role(figure, "split_path")
    assert len(drawn_boxes(path)) == scene.tree.depth[node]


def test_a_cut_tree_shows_only_the_splits_above_the_cut(scene):
    (splits,) = by_role(draw(scene, depth=1), "split")
    assert len(drawn_boxes(splits)) == 1


def test_a_selected_leaf_is_framed(scene, theme):
    leaf = int(np.flatnonzero(scene.regions.leaf)[0])
    figure = draw(scene, theme, selected=int(scene.regions.node[leaf]))
    (frame,) = by_role(figure, "chosen_region")
    assert frame.line.color == THEMES[theme].ink
    xy = np.column_stack([frame.x, frame.y])
    np.testing.assert_array_equal(xy[:-1], scene.regions.polygon(leaf))
    np.testing.assert_array_equal(xy[0], xy[-1])


def test_a_node_below_the_cut_frames_its_ancestor(scene):
    deepest = int(scene.tree.depth.argmax())
    figure = draw(scene, selected=deepest, depth=2)
    (frame,) = by_role(figure, "chosen_region")
    ancestor = scene.tree.path(deepest)[2]
    i = int(np.flatnonzero(scene.regions.node == ancestor)[0])
    np.testing.assert_array_equal(
        np.column_stack([frame.x, frame.y])[:-1], scene.regions.polygon(i)
    )


def test_hits_are_the_visible_regions(scene):
    hover = {int(node): f"node {node}" for node in scene.regions.node}
    figure = draw(scene, hover=hover, depth=2)
    visible = scene.regions.visible(2)
    hits = figure.layout.meta["hits"]
    assert [hit["node"] for hit in hits] == scene.regions.node[visible].tolist()
    window = scene.regions.bounds
    close = 1e-4 * min(window[1] - window[0], window[3] - window[2])
    for i, hit in zip(visible, hits, strict=True):
        np.testing.assert_allclose(hit["xy"], scene.regions.polygon(i), atol=close)
        assert hit["text"] == hover[hit["node"]]
        assert (hit["xaxis"], hit["yaxis"]) == ("x", "y")


def test_every_row_is_drawn_once_open_where_held_out(scene):
    figure = draw(scene)
    points = scene.points
    for role, held_out in (("training", False), ("held_out", True)):
        traces = by_role(figure, role)
        rows = np.concatenate([t.customdata for t in traces])
        assert sorted(rows) == np.flatnonzero(points.held_out == held_out).tolist()
        for trace in traces:
            assert (points.label[trace.customdata] == trace.meta["class"]).all()
            np.testing.assert_array_equal(trace.x, points.x[trace.customdata])
    (rings,) = by_role(figure, "wrong")
    assert rings.customdata.tolist() == np.flatnonzero(points.wrong).tolist()
    assert all(t.marker.symbol.endswith("-open") for t in by_role(figure, "held_out"))
    assert not any(t.marker.symbol.endswith("-open") for t in by_role(figure, "training"))


def test_hover_says_class_part_row_and_wrong(scene):
    figure = draw(scene, class_names=("first", "<second>", "third"), units=("cm", ""))
    second = by_role(figure, "training")[1]
    assert "<b>&lt;second&gt;</b>, training" in second.hovertemplate
    assert "row %{customdata}" in second.hovertemplate
    assert f"x<sub>1</sub> %{{x:{hover_format(scene.points.x)}}} cm" in second.hovertemplate
    told = {}
    for trace in by_role(figure, "training") + by_role(figure, "held_out"):
        texts = trace.text or [""] * len(trace.customdata)
        assert ("%{text}" in trace.hovertemplate) == bool(trace.text)
        told |= dict(zip(trace.customdata.tolist(), texts, strict=True))
    wrong = scene.points.wrong
    assert wrong.any()
    assert told == {i: ", misclassified" if wrong[i] else "" for i in range(len(wrong))}
    assert by_role(figure, "wrong")[0].hoverinfo == "skip"


def test_a_sample_is_marked(scene):
    (dot,) = by_role(draw(scene, sample=(0.5, 0.25)), "sample")
    assert (dot.x[0], dot.y[0]) == (0.5, 0.25)


def test_many_points_use_webgl(scene):
    many = make_scene(1600, 3, 10)
    kinds = {t.type for t in draw(many).data if t.customdata is not None}
    assert kinds == {"scattergl"}
    kinds = {t.type for t in draw(scene).data}
    assert kinds == {"scatter"}


def test_axes_say_what_they_are(scene):
    layout = draw(scene, view=(0, 1, 2, 3), units=("cm", ""), equal=True).layout
    names = {a.name: a.text for a in layout.annotations}
    assert names == {"x name": "x<sub>1</sub> (cm)", "y name": "x<sub>2</sub>"}
    assert layout.xaxis.range == (0, 1)
    assert layout.yaxis.range == (2, 3)
    assert layout.yaxis.scaleanchor == "x"
    assert draw(scene).layout.yaxis.scaleanchor is None


def test_one_feature_has_one_axis():
    scene = make_scene(features=(0, 0))
    points = Points.plain(scene.X[:, 0], np.zeros(len(scene.X)), scene.y)
    layout = boundary_plot(scene.regions, scene.tree, points, theme="light").layout
    assert [a.name for a in layout.annotations] == ["x name"]
    assert layout.yaxis.visible is False


def test_figure_and_tree_share_one_selection(scene, theme):
    node = inner_node(scene.tree, 1)
    hover = {k: f"node {k}" for k in range(scene.tree.n_nodes)}
    figure = boundary_and_tree_plot(
        scene.regions, scene.tree, scene.points, theme=theme, selected=node, hover=hover
    )
    assert len(by_role(figure, "chosen_split")) == 1
    assert len(figure.layout.shapes) == 1
    assert figure.layout.shapes[0].xref == "x2"
    hits = figure.layout.meta["hits"]
    assert {(hit["xaxis"], hit["yaxis"]) for hit in hits} == {("x", "y"), ("x2", "y2")}
    below = [hit for hit in hits if hit["xaxis"] == "x2"]
    assert {hit["node"] for hit in below} == set(range(scene.tree.n_nodes))
    assert all(hit["text"] == hover[hit["node"]] for hit in hits)
    assert {t.xaxis for t in by_role(figure, "ribbon")} == {"x2"}
    assert {t.xaxis for t in by_role(figure, "region")} == {"x"}
    assert figure.layout.height == 420 + 150
    assert figure.layout.xaxis2.fixedrange
    assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0]


def test_a_point_costs_no_call_of_its_own():
    calls = []
    for n in (500, 5000):
        scene = make_scene(n, 5, 200)
        draw(scene, hover=dict.fromkeys(range(scene.tree.n_nodes), "some text"))
        with calls_counted(counted := Counter()):
            draw(scene, hover=dict.fromkeys(range(scene.tree.n_nodes), "some text"))
        n_regions = len(scene.regions.visible())
        calls.append(counted.total() - n_regions)
    assert n_regions > 150
    assert calls[1] < calls[0] + 500
