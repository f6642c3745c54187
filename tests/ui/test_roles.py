"""Roles of columns: guessed, confirmed, in links, and what the page *rules* makes of them."""

import numpy as np
import pandas as pd
import pytest

from lastviz.inspection.rules import explanation
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared.column_editors import role_changes
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.link_texts import read_roles, write_roles
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from lastviz.ui.state.session import data_params, model_params
from tests import naive_flip
from tests.leaky import leaky_credit

from .conftest import checked, opened, with_tables
from .opened_pages import said, seen, told


def write_people(where):
    """Persons whose loans depend on age, sex and income."""
    rng, n = np.random.default_rng(3), 300
    table = pd.DataFrame(
        {
            "person_id": rng.permutation(9000)[:n] + 1000,
            "age": rng.integers(18, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "income": rng.integers(10, 90, n),
            "debt": rng.integers(0, 50, n),
        }
    )
    score = table["income"] - table["debt"] + (table["age"] > 40) * 25 + (table["sex"] == "m") * 15
    table.assign(loan=np.where(score > 45, "yes", "no")).to_csv(where / "people.csv", index=False)
    leaky_credit().to_csv(where / "credit.csv", index=False)


folder = with_tables(write_people)
PEOPLE = "folder.people"
SMALL = (Model("cart", (("max_leaf_nodes", 7),)),)
LINK = {"data": PEOPLE, "columns": "auto", "m": "cart", "m.max_leaf_nodes": 7, "held": 0.3}


def people(**fields):
    return Work(DEFAULT.change(data=PEOPLE, models=SMALL).having(**fields))


@pytest.mark.parametrize("roles", [
    (),
    (("fixed", (1, 2, 5)),),
    (("fixed", ()), ("names", (0,)), ("sensitive", (1, 3)), ("time", (7,))),
])  # fmt: skip
def test_links_keep_roles(roles):
    assert not roles or read_roles(write_roles(roles)) == roles
    selection = Selection(data=PEOPLE, roles=roles)
    assert decode(encode(selection), data_params, model_params) == (selection, ())
    assert ("roles" in encode(selection)) == bool(roles)


@pytest.mark.parametrize("text", ["", "x1", "f0", "f3-1", "f1_q2"])
def test_other_texts_are_no_roles(text):
    with pytest.raises(ValueError, match=r"."):
        read_roles(text or "_")


def test_roles_are_guessed_for_tables_alone_and_the_trees_stay():
    work = people()
    roles = ("fixed", "sensitive", "names", "time")
    assert [work.columns_with(role) for role in roles] == [
        ("age", "sex"), ("age", "sex"), ("person_id",), (),
    ]  # fmt: skip
    assert Work(Selection(data="loan")).columns_with("fixed") == ()
    other = work.selection.change(roles=(("sensitive", (2,)),))
    assert Work(other).first.cache_key == work.first.cache_key
    assert Work(other).columns_with("sensitive") == ("sex",)
    assert other.change(data="folder.credit").roles == ()


def test_a_column_that_names_rows_is_not_learnt_from():
    loaded, selection = people().data, people().selection
    assert "person_id" not in loaded.dataset.kinds
    named = selection.change(**role_changes(loaded, selection, "names", [0, 4]))
    assert Work(named).dataset.feature_names == ("age", "sex", "income")
    back = named.change(**role_changes(Work(named).data, named, "names", [4]))
    assert Work(back).dataset.feature_names == ("person_id", "age", "sex", "income")
    none_left = role_changes(loaded, selection, "names", range(5))
    assert "columns" not in none_left
    assert role_changes(loaded, selection, "fixed", [3, 1]) == {"roles": (("fixed", (1, 3)),)}


@pytest.mark.parametrize("key", ["cart", "oc1", "c45"])
@pytest.mark.parametrize("row", range(0, 60, 7))
def test_what_cannot_change_stays_and_nothing_smaller_is_found_by_trying_all(key, row):
    """OC1 reads sex as two columns of 0 and 1, which stay as well."""
    limit = {"oc1": ("max_depth", 3), "c45": ("min_samples_leaf", 25)}
    params = (limit.get(key, SMALL[0].params[0]),)
    work = people(models=(Model(key, params),), highlighted=row, rule_view="row")
    scene = rule_scene(work, "light")
    places = work.first.features_with("fixed")
    assert set(places.values()) == {"age", "sex"}
    flip = scene.change.flip
    if not flip.found:
        return
    assert not set(flip.changed) & set(places)
    if key == "oc1":
        return
    values = work.first.division.values
    width = np.ptp(values, axis=0)
    categories = work.first.division.categories
    prices = [1.0 if c else 1.0 / w for c, w in zip(categories, width, strict=True)]
    ranges = np.array([values.min(axis=0), values.max(axis=0)]).T
    least = naive_flip.nearest_by_corners(
        scene.model, scene.change.x, scene.change.wanted, weights=prices, ranges=ranges,
        fixed=set(places), whole=range(values.shape[1]),
    )  # fmt: skip
    assert flip.distance == pytest.approx(least)


def names_tested(work, wanted):
    """Those of these columns that some test of the tree names, found by walking it."""
    tree, columns = work.first.tree, list(work.first.division.X.columns)
    inner = [node for node in range(len(tree.feature)) if tree.n_children[node]]
    found = {
        columns[f].split(" = ")[0]
        for node in inner
        for f in explanation.tested_features(tree, node)
    }
    return [name for name in wanted if name in found]


@pytest.mark.parametrize("key", ["cart", "c45", "oc1"])
def test_a_tree_says_which_sensitive_columns_it_splits_on(key):
    work = people(models=(Model(key),))
    assert list(work.first.tested_with("sensitive")) == names_tested(work, ["age", "sex"])
    assert (
        people(models=(Model(key),), roles=(("sensitive", ()),)).first.tested_with("sensitive")
        == ()
    )


def test_rules_and_boundaries_name_the_sensitive_columns():
    one, many = "The tree splits on age, a sensitive column.", "age and sex, sensitive columns."
    assert many in told(seen("rules", **LINK))
    assert many in told(seen("rules", **LINK, rule_view="rules"))
    assert one in told(seen("rules", **LINK, roles="s2"))
    assert "sensitive column" not in told(seen("rules", **LINK, roles="s"))
    assert "sensitive: age and sex" in told(seen("boundaries", **LINK))
    texts = rule_scene(people(), "light").marked({0: "age ≤ 40", 1: ""})
    tree = people().first.tree
    root = people().first.division.X.columns[tree.feature[0]]
    assert (texts[0] == "age ≤ 40 · sensitive") == (root in ("age", "sex"))


def test_the_page_says_what_stays_as_it_is():
    row = {"lit": 3, "rule_view": "row", "flip_holds": "income:r"}
    app = seen("rules", **LINK, **row)
    assert "What cannot be changed stays as it is: age and sex." in told(app)
    assert not {"age", "sex"} & set(app.multiselect(key="flip.stays").options)
    one = seen("rules", **LINK, **row, roles="f3")
    assert "What cannot be changed stays as it is: sex." in told(one)
    free = seen("rules", **LINK, **row, roles="f")
    assert "cannot be changed" not in told(free)
    assert "age" in free.multiselect(key="flip.stays").options


def test_a_row_is_found_and_named_by_the_column_that_names_rows():
    app = opened("rules", **LINK)
    name = str(people().data.full.X["person_id"].iloc[41])
    checked(app.text_input(key="find_row.person_id").set_value(name).run())
    assert app.session_state["selection"].view.highlighted == 41
    assert f"Row 42 ({name})" in told(app)


def test_groups_begin_with_the_sensitive_columns():
    app = seen("rules", **LINK, group_class=1)
    box = app.selectbox(key="group_by")
    assert box.options[:2] == ["age", "sex"]
    assert len(box.options) == 5
    assert box.value == 1


def test_a_guess_is_shown_as_one_and_confirmed_by_a_click():
    app = opened("data", **LINK)
    chips = [each.proto.popover.label for each in app.get("popover")]
    assert "Sensitive: **age and sex** ?" in chips
    assert "Time: **none**" in chips
    assert "Guessed from names and contents." in said(app, "caption")
    checked(app.button(key="confirm.sensitive").click().run())
    assert app.query_params["roles"] == "s2-3"
    chips = [each.proto.popover.label for each in app.get("popover")]
    assert "Sensitive: **age and sex**" in chips
    checked(app.multiselect(key="columns.fixed").set_value([1]).run())
    assert app.query_params["roles"] == "f2_s2-3"
    checked(app.multiselect(key="columns.names").set_value([]).run())
    assert app.query_params["roles"] == "f2_n_s2-3"
    assert "columns" not in app.query_params  # of a table that means all
