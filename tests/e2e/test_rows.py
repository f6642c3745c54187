"""The browser draws each row where it lies, whatever part of the data it belongs to."""

from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz.host import jobs
from lastviz.ui.compute.work import Work
from lastviz.ui.state.codec import decode
from lastviz.ui.state.session import data_params, model_params
from tests.patience import SECONDS

pytestmark = pytest.mark.e2e

DRAWN = """() => document.querySelector(".lv-figure")._fullData
    .filter((trace) => ["training", "held_out", "wrong"].includes(trace.meta?.role))
    .map(({ meta, x, y, customdata }) => [meta.role, meta.class ?? -1,
        [...customdata], [...x], [...y]])"""


@pytest.mark.parametrize("held", [0.0, 0.3, 0.65])
def test_rows_stand_where_they_are_however_they_are_divided(open_page, held, monkeypatch):
    query = f"data=moons&m=cart&held={held}"
    monkeypatch.setattr(jobs, "PATIENCE", SECONDS)
    selection, problems = decode(dict(parse_qsl(query)), data_params, model_params)
    assert not problems
    division = Work(selection).first.division
    values = division.X.to_numpy()
    page = open_page(f"/boundaries?{query}")
    page.wait_for_selector(".lv-frame .main-svg", state="attached")

    seen = {"training": [], "held_out": [], "wrong": []}
    for role, label, numbers, x, y in page.evaluate(DRAWN):
        rows = np.array(numbers) - 1
        np.testing.assert_allclose(np.column_stack([x, y]), values[rows], rtol=1e-6, atol=1e-6)
        if role != "wrong":
            assert set(division.y[rows]) == {label}
        seen[role] += rows.tolist()
    assert sorted(seen["training"]) == sorted(division.train_rows)
    assert sorted(seen["held_out"]) == sorted(division.held_out_rows)
    wrong = Work(selection).first.picked.tree_.predict(division.values) != division.y
    assert sorted(seen["wrong"]) == np.flatnonzero(wrong).tolist()
