"""Small pictures of models: where much is drawn, tints and hues are left without outlines."""

import base64

import pytest

from lastviz.ui.compute.work import Work
from lastviz.ui.home.thumbnail import MOST_EDGED, MOST_OUTLINED, thumbnail
from lastviz.ui.state.selection import Model, Selection


def svg(selection):
    uri = thumbnail(Work(selection).first, width=108, height=60, theme="light")
    return base64.b64decode(uri.partition(",")[2]).decode()


@pytest.mark.parametrize(("noise", "rows"), [(0.05, 100), (0.35, 100), (0.05, 400), (0.35, 400)])
def test_outlines_go_where_they_would_be_all_that_is_seen(noise, rows):
    params = (("n_samples", rows), ("noise", noise))
    selection = Selection(data="xor", params=params, models=(Model("cart"),), held=0.0)
    drawn, leaves = svg(selection), Work(selection).first.tree.n_leaves
    assert ('fill="none" stroke=' in drawn) == (leaves <= MOST_OUTLINED)
    assert ('stroke-width=".7"' in drawn) == (rows <= MOST_EDGED)
