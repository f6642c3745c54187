"""The view *In short* of the page *rules*: numbers against slow twins, views that links open."""

import dataclasses
import json
import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from lastviz.inspection import Costs, share_interval
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.scene import rule_scene, view_of
from lastviz.ui.rules.short import (
    deciding_rules,
    error_strip,
    intervals_figure,
    leaf_texts,
    verdict,
    verdict_of,
)
from lastviz.ui.shared.model_view import Priced
from lastviz.ui.state.link_texts import Hold
from lastviz.ui.state.pages import RulesView
from lastviz.ui.state.selection import DEFAULT
from tests.credit import write_credit
from tests.sentences.of_models import GUESSING, MISLED, wilson
from tests.sentences.rows import Look, selected

from .conftest import checked, html, opened
from .opened_pages import pictures, seen, without_tags

CANCER = "data=breast_cancer&m=c45&m.min_samples_leaf=5"
SCENES = (CANCER, "data=iris&m=cart", "data=wine&m=cart&held=0.5", "data=moons&m=oc1")


def scene_of(query):
    return rule_scene(Work(selected(query)), "light")


def met(query):
    """Leaf -> the held-out rows that come there, and how many of them are right."""
    look, found = Look(query), {}
    for i in look.held:
        leaf = look.leaf(look.values[i])
        rows, right = found.get(leaf, (0, 0))
        found[leaf] = rows + 1, right + int(look.tree.prediction[leaf] == look.y[i])
    return found


@pytest.mark.parametrize("query", SCENES)
def test_the_deciding_rules_are_the_leaves_with_most_held_out_rows(query):
    expected, scene = met(query), scene_of(query)
    found = deciding_rules(scene.found, 3)
    assert [each.rows for each in found] == sorted((n for n, _ in expected.values()))[:-4:-1]
    for each in found:
        assert (each.rows, each.right) == expected[each.rule.node]
        few = each.rows < 30
        assert each.interval == (None if few else share_interval(int(each.right), int(each.rows)))


def test_parts_of_rows_have_no_interval(tmp_path, monkeypatch):
    key = write_credit(tmp_path, seed=2)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    found = deciding_rules(scene_of(f"data={key}&m=c45").found, 99)
    parts = [each for each in found if each.rows != round(each.rows)]
    assert parts
    assert {each.interval for each in parts} == {None}


def test_without_held_out_rows_the_rules_with_most_training_rows_come_first():
    scene = scene_of("data=iris&m=cart&held=0")
    found = deciding_rules(scene.found, 3)
    assert [each.rows for each in found] == [each.rule.support for each in found]
    assert found[0].rows == max(rule.support for rule in scene.found.rules)
    assert intervals_figure(scene) is None


@pytest.mark.parametrize("costs", [Costs(1, 1), Costs(5, 1), Costs(1, 9), Costs(0, 2)])
def test_the_cheapest_constant_answer_is_that_of_all_tried(costs):
    scene, look = scene_of(CANCER), Look(CANCER)
    part = verdict_of(scene.found).part
    for k in (0, 1):
        tried = []
        for given in (0, 1):
            price = {k: costs.alarm, 1 - k: costs.miss}[given]
            tried.append(sum(price for i in look.held if look.y[i] != given))
        matrix = np.zeros((2, 2))
        matrix[k, 1 - k], matrix[1 - k, k] = costs.miss, costs.alarm
        given, least = Priced(matrix, scene.class_names, k).cheapest(part)
        assert least == min(tried) == tried[given]


def test_errors_of_two_classes_are_counted_and_priced():
    query = f"{CANCER}&cost_miss=5&cost_alarm=2"
    look, scene = Look(query), scene_of(query)
    said = [
        (int(look.tree.prediction[look.leaf(look.values[i])]), int(look.y[i])) for i in look.held
    ]
    counts = [sum(look.y[i] == k for i in look.train) for k in (0, 1)]
    rare = counts.index(min(counts))
    missed = sum(true == rare != given for given, true in said)
    alarms = sum(given == rare != true for given, true in said)
    of_class = sum(true == rare for _, true in said)
    others = len(said) - of_class
    least = min(2 * others, 5 * of_class)
    name = scene.class_names[rare if 2 * others < 5 * of_class else 1 - rare]
    assert without_tags(error_strip(scene)) == (
        f"{missed} of {of_class} {scene.class_names[rare]}: missed "
        f"{alarms} of {others} false alarms "
        f"{5 * missed + 2 * alarms} cost at 5 : 2 all called {name}: {least}"
    )


def test_of_more_classes_each_is_counted():
    query = "data=iris&m=cart"
    look, scene = Look(query), scene_of(query)
    right = [
        (sum(look.y[i] == k == look.class_at(look.values[i]) for i in look.held),
         sum(look.y[i] == k for i in look.held), scene.class_names[k])
        for k in range(3)
    ]  # fmt: skip
    assert without_tags(error_strip(scene)) == " ".join(
        f"{n} of {of} {name} right" for n, of, name in right
    )


STUMPS = tuple(f"data={data}&m=cart&m.max_depth=1" for data in ("iris", "wine", "monotone"))


@pytest.mark.parametrize("query", [*STUMPS, *MISLED, CANCER, "data=wine&m=gsodt&held=0"])
def test_the_baseline_is_always_the_class_that_most_training_rows_have(query):
    look, scene = Look(query), scene_of(query)
    rows = look.held if len(look.held) else look.train
    always = DummyClassifier(strategy="most_frequent")
    always.fit(look.values[look.train], look.y[look.train])
    said = verdict(scene.found, scene.class_names).values
    assert said["name"] == scene.class_names[always.predict(look.values[:1])[0]]
    assert said["base"] == pytest.approx(always.score(look.values[rows], look.y[rows]))


@pytest.mark.parametrize("query", [*MISLED, *GUESSING[:2], CANCER, STUMPS[0], STUMPS[2]])
def test_both_intervals_stand_on_one_axis_and_the_better_one_is_marked(query):
    look, scene = Look(query), scene_of(query)
    n = len(look.held)
    name, always = look.always(look.held)
    own = sum(right for _, right in met(query).values())
    drawn = {"this tree": own, f"always {name}": always}
    figure = intervals_figure(scene)
    axis = figure.layout["yaxis"]
    places = dict(zip(map(without_tags, axis["ticktext"]), axis["tickvals"], strict=True))
    assert places.keys() == drawn.keys()
    means, ends, best = {}, {}, set()
    for trace in figure.data:
        for x, y in zip(trace["x"], trace["y"], strict=True):
            if trace["meta"]["role"] == "interval" and np.isfinite(x):
                ends.setdefault(y, []).append(x)
            elif trace["meta"]["role"] == "mean":
                means[y] = x
                best |= {y} if trace["meta"]["state"] == "best" else set()
    for title, right in drawn.items():
        assert means[places[title]] == pytest.approx(100 * right / n)
        low, high = wilson(right, n)
        assert ends[places[title]] == pytest.approx([100 * low, 100 * high])
    low, high = wilson(drawn["this tree"], n)
    tree, other = places.values()
    assert best == ({tree} if always / n < low else {other} if always / n > high else set())


def test_the_rules_that_decide_most_have_counts_first_and_training_numbers_last():
    app = seen("rules", data="breast_cancer", m="c45")
    found = sorted(met("data=breast_cancer&m=c45").values())[:-4:-1]
    said = without_tags(html(app))
    assert f"3 rules decide {sum(n for n, _ in found)} of 171 held-out rows." in said
    (head,) = re.findall(r'lv-decided".*?<thead>(.*?)</thead>', html(app), re.S)
    assert without_tags(head) == "if then right 95 % training rows confidence, training"
    for rows, right in found:
        assert f"{right} of {rows}" in said
    stump = {"m.max_depth": 1, "m.min_impurity_decrease": 9}
    app = seen("rules", data="iris", m="cart", **stump)
    assert "One rule decides 45 of 45 held-out rows." in without_tags(html(app))


def test_the_tree_says_the_errors_of_its_leaves():
    query = "data=breast_cancer&m=c45"
    scene, found = scene_of(query), met(query)
    expected = {
        leaf: f"{found[leaf][0] - found[leaf][1]} of {found[leaf][0]} wrong"
        if leaf in found
        else "0 of 0 wrong"
        for leaf in range(scene.tree.n_nodes)
        if scene.tree.is_leaf(leaf)
    }
    assert leaf_texts(scene) == expected
    told = pictures(seen("rules", data="breast_cancer", m="c45"))["short_tree"]
    assert f"The tree of {scene.title} from left to right" in json.dumps(told)
    (beside,) = (t for t in told["figure"]["data"] if t["meta"]["role"] == "beside")
    assert set(beside["text"]) <= set(expected.values())


def test_what_would_change_a_picked_row_is_one_click_away():
    app = opened("rules", data="breast_cancer", m="c45", lit=20, rule_view="short")
    scene = scene_of("data=breast_cancer&m=c45&lit=20")
    name = scene.class_names[scene.sample.path.prediction]
    button = app.button(key="short_row")
    assert button.label == f"This row is predicted {name}: what would change it?"
    checked(button.click().run())
    assert app.query_params["rule_view"] in ("row", ["row"])
    assert any("What would change it?" in each.value for each in app.markdown)
    app = opened("rules", data="iris", m="cart", typed=",,4.75,1.5", rule_view="short")
    assert app.button(key="short_row").label.startswith("This row is predicted ")


SEEN_IN_SHORT = {"group_by", "group_class", "cost_miss", "cost_alarm", "cut", "costs"}
OTHER = {"typed": "1,2", "flip_holds": (Hold("x1", "stays"),)}


@pytest.mark.parametrize("field", dataclasses.fields(RulesView), ids=lambda field: field.name)
def test_a_link_from_before_there_were_views_opens_where_its_choice_shows(field):
    words = {"drawing": "icicle", "rows_of": "held_out", "order": "length", "flip_metric": "l2"}
    value = {**OTHER, **words}.get(field.name, 7)
    if field.name == "rule_view":
        assert view_of(DEFAULT) == "short"
        assert view_of(DEFAULT.change(rule_view="costs", typed="1,2")) == "short"
        return
    opens = view_of(DEFAULT.change(**{field.name: value}))
    assert (opens == "short") == (field.name in SEEN_IN_SHORT)


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("data=iris&m=cart", "short"),
        ("data=iris&m=cart&lit=3", "row"),
        ("data=iris&m=cart&lit=3&only=2", "rules"),
        ("data=iris&m=cart&node=2", "rules"),
        ("data=iris&m=cart&depth=1", "rules"),
        ("data=moons&m=cart&cost_miss=5", "short"),
        ("data=moons&m=cart&cost_miss=5&lit=3", "short"),
        ("data=iris&m=cart&lit=3&flip_to=2", "row"),
        ("data=iris&m=cart&group_by=2", "short"),
    ],
)
def test_what_a_link_names_opens_its_view(query, view):
    assert view_of(selected(query)) == view


def test_a_cost_changed_in_short_stays_in_short():
    app = opened("rules", data="breast_cancer", m="c45")
    app.session_state["fold.costs"] = True
    checked(app.run())
    checked(app.number_input(key="cost_miss").set_value(5.0).run())
    assert re.search(r"The errors of \S+ cost ", without_tags(html(app)))
    assert app.number_input(key="cost_miss").value == 5.0
    assert app.query_params["rule_view"] == "short"
    assert Work(app.session_state["selection"]).dataset.n_classes == 2
