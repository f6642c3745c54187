"""By group on the page *rules*: counts by the values of a column, against pandas."""

import numpy as np
import pandas as pd
import pytest

from lastviz.inspection import group_scores, share_interval, value_groups
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.groups import group_table
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared.headline import FEW
from tests.credit import credit_table
from tests.sentences.rows import selected

from .conftest import checked, opened


def twin(column, y, predicted, k):
    """The same counts by pandas."""
    rows = pd.DataFrame({"group": column, "y": y, "said": predicted})
    found = {}
    for name, part in rows.groupby("group", sort=True, observed=True, dropna=False):
        true, said = part.y == k, part.said == k
        found[name] = (
            len(part), (part.y == part.said).sum(), (true & ~said).sum(), (~true & said).sum(),
            said.mean(),
        )  # fmt: skip
    return found


@pytest.mark.parametrize("name", ["status1", "status3", "duration", "age", "credits", "amount"])
def test_numbers_are_those_of_pandas(name):
    table = credit_table(600, seed=2)
    rng = np.random.default_rng(0)
    y = (table["risk"] == "bad").to_numpy().astype(int)
    predicted = np.where(rng.random(len(y)) < 0.2, 1 - y, y)
    column, groups = table[name], value_groups(table[name])
    assert sorted(np.concatenate([g.rows for g in groups])) == list(range(len(y)))
    found = group_scores(groups, y, predicted, 1)
    label = pd.Series(np.nan, index=table.index, dtype="float64")
    for i, group in enumerate(groups):
        label.iloc[group.rows] = i
        if group.value is not None:
            assert (column.iloc[group.rows] == group.value).all()
        elif group.is_missing:
            assert column.iloc[group.rows].isna().all()
        elif not np.isnan(group.low):
            inside = column.iloc[group.rows]
            assert ((inside > group.low) & (inside <= group.high)).all()
    expected = twin(label, y, predicted, 1)
    for i, row in found.iterrows():
        counts = tuple(row[["n", "n_right", "missed", "alarms", "rate"]])
        assert counts == pytest.approx(expected[i])
        assert (row["low"], row["high"]) == share_interval(int(row["n_right"]), int(row["n"]))
    assert len(groups) <= 7


def test_of_many_values_the_rarest_are_one_group():
    column = pd.Series(list("aaaabbbccddeefg"))
    groups = value_groups(column)
    assert [g.value for g in groups] == ["a", "b", "c", "d", "e", None]
    assert column.iloc[groups[-1].rows].tolist() == ["f", "g"]
    (alone,) = value_groups(pd.Series([2.5] * 4))
    assert alone.value == 2.5


def test_small_groups_have_counts_alone():
    scene = rule_scene(Work(selected("data=loan&m=c45")), "light")
    table = group_table(scene)
    assert (table["rows"] < FEW).all()
    assert table["accuracy (95 % interval)"].eq("under 30 rows").all()
    assert not table.filter(like="missed").iloc[:, 0].str.contains("%").any()
    scene = rule_scene(Work(selected("data=breast_cancer&m=c45&group_by=1")), "light")
    table = group_table(scene)
    assert table["rows"].sum() == len(scene.division.held_out_rows)
    assert table["accuracy (95 % interval)"].str.contains(" to ").all()


def test_a_column_and_a_class_are_chosen_and_what_is_counted_is_said():
    app = opened("rules", data="breast_cancer", m="c45")
    assert not [c for c in app.caption if c.value.startswith("Counted on")]
    app.session_state["fold.groups"] = True
    checked(app.run())
    said = [c.value for c in app.caption if c.value.startswith("Counted on")]
    assert said == ["Counted on held-out rows. Counts cannot say why groups differ."]
    app.selectbox(key="group_by").set_value(0)
    checked(app.selectbox(key="group_class").set_value(0).run())
    assert (app.query_params["group_by"], app.query_params["group_class"]) == ("1", "1")
    app = opened("rules", data="iris", m="cart", held=0, group_by=99)
    assert any(c.value.startswith("Counted on training rows.") for c in app.caption)
    whole = Work(app.session_state["selection"]).data.full
    assert app.selectbox(key="group_by").value < whole.X.shape[1]
