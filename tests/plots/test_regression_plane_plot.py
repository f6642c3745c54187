"""The heat map of a tree of numbers: exact boxes in shades that follow the prediction."""

import numpy as np

from lastviz import CARTRegressor
from lastviz.inspection import tree_regions
from lastviz.plots import regression_plane_plot

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = np.array([1.0, 2.0, 3.0, 7.0])


def drawn(held_out=None):
    tree = CARTRegressor().fit(X, Y).tree_
    regions = tree_regions(tree, (-1.0, 2.0, -1.0, 2.0))
    rows = np.column_stack([X, Y])
    return regression_plane_plot(
        regions, tree.prediction, rows, theme="light", target="y", held_out=held_out
    )


def traces(figure, role):
    return [trace for trace in figure.data if trace["meta"]["role"] == role]


def test_the_boxes_are_the_trees_own_and_darken_with_the_prediction():
    boxes = traces(drawn(), "prediction")
    assert [box["meta"]["shade"] for box in boxes] == [0, 10, 21, 63]  # (y - 1) / 6 of 63
    ink = [int(box["fillcolor"][1:3], 16) for box in boxes]
    assert ink == sorted(ink, reverse=True)
    assert len(set(ink)) == 4
    last = boxes[-1]
    assert (np.nanmin(last["x"]), np.nanmax(last["x"])) == (0.5, 2.0)
    assert (np.nanmin(last["y"]), np.nanmax(last["y"])) == (0.5, 2.0)


def test_rows_have_the_scale_of_the_boxes_and_their_own_sign_when_held_out():
    figure = drawn(held_out=np.array([False, True, False, False]))
    (training,), (held,) = traces(figure, "training"), traces(figure, "held_out")
    assert list(held["marker"]["color"]) == [2.0]
    assert list(training["marker"]["color"]) == [1.0, 3.0, 7.0]
    assert held["marker"]["symbol"] != training["marker"]["symbol"]
    for trace in (training, held):
        assert (trace["marker"]["cmin"], trace["marker"]["cmax"]) == (1.0, 7.0)
    assert training["marker"]["colorbar"]["title"]["text"] == "y"
