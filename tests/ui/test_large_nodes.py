"""A node with very many candidates: scored by a job, with the numbers of any other node."""

import numpy as np
import pytest

from lastviz.host import jobs
from lastviz.host.jobs import State, Working
from lastviz.ui.compute import nodes
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import Model, Selection


def test_many_candidates_are_scored_by_a_job_and_alike(monkeypatch):
    selection = Selection(data="iris", models=(Model("cart"),), seed=11)
    plain = Work(selection).first.node(0).candidates
    key = Work(selection).first.node(0).table_key
    ranks = {name: nodes.ranks(key, plain, name).copy() for name in plain.columns}
    monkeypatch.setattr(nodes, "MANY_VALUES", 0)
    monkeypatch.setattr(nodes, "MANY_CANDIDATES", 0)
    again = selection.change(seed=12).change(seed=11)
    table = Work(again).first.node(0).candidates
    assert jobs.JOBS.find((*key, "candidates")).state is State.DONE
    np.testing.assert_array_equal(table.threshold, plain.threshold)
    for name, expected in ranks.items():
        np.testing.assert_array_equal(table.scores(name), plain.scores(name))
        np.testing.assert_array_equal(nodes._ranks.__wrapped__(key, table)[name], expected)


def test_while_they_are_scored_the_page_waits_for_the_job(monkeypatch):
    selection = Selection(data="iris", models=(Model("cart"),), seed=13)
    _ = Work(selection).first.fitted
    monkeypatch.setattr(nodes, "MANY_VALUES", 0)
    monkeypatch.setattr(jobs.JOBS, "start", lambda *_: _Late())
    with pytest.raises(Working):
        _ = Work(selection).first.node(0).candidates


class _Late:
    """A job that is not over."""

    title, state = "late", State.WORKING

    def outcome(self, _viewer):
        raise Working(self)
