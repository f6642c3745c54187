"""The page *monotone*: what it says is what the engine says of data and model."""

import re
from dataclasses import replace
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from lastviz import CARTClassifier, MCDFClassifier, REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import monotonicity_audit, violations
from lastviz.plots import number
from lastviz.ui.compute import monotone, python_code
from lastviz.ui.compute.work import Work
from lastviz.ui.monotone.audit import plane_figure
from lastviz.ui.monotone.scene import OrderScene
from lastviz.ui.monotone.short import rows_figure, short_scene
from lastviz.ui.shared.order_editor import directions_after, letters_of
from lastviz.ui.state import session
from lastviz.ui.state.moved import WITH_AND_WITHOUT
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests import naive_monotone
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import seen, told

NOISY = {"data": "monotone", "n_samples": 200, "label_noise": 0.1, "m": "remt"}
FIVE = {"data": "five_rows", "held": 0, "m": "remt", "m.min_gain": 0, "part": "audit"}


def cells(app):
    found = re.findall(r"<div><b>(.*?)</b><span>(.*?)</span></div>", html(app))
    return {label: re.sub(r"<small>.*", "", value).strip() for value, label in found}


def noisy():
    dataset = load_dataset("monotone", n_samples=200, label_noise=0.1, random_state=1)
    return dataset, dataset.X.to_numpy(), dataset.codes


def test_contradicting_pairs_are_counted_and_the_slider_counts_rows_below():
    _, X, y = noisy()
    found = violations(X, y)
    app = opened("monotone", **NOISY)
    shown = cells(app)
    assert shown["rows"] == "200"
    assert shown["comparable pairs"] == f"{found.n_comparable:,}"
    assert any(
        value == f"{found.n_pairs:,}" for label, value in shown.items() if "contradict" in label
    )
    assert shown["rows with D &lt; 1"] == str(np.count_nonzero(found.n_contradicting))
    app = checked(app.slider(key="inclusion_degree").set_value(0.75).run())
    assert app.query_params["inclusion"] == "0.75"
    n = np.count_nonzero(found.inclusion < 0.75)
    assert cells(app)["rows with D &lt; e = 0.75"] == str(n)


def test_a_forest_with_another_threshold_is_told():
    assert "drops rows below" not in told(seen("monotone", **NOISY | {"m": "mcdf"}))
    app = seen("monotone", **NOISY | {"m": "mcdf", "m.inclusion": 0.3})
    assert "The forest on the left drops rows below 0.3." in told(app)


def test_the_card_is_about_the_lit_row():
    _, X, y = noisy()
    i = int(np.flatnonzero(violations(X, y).n_contradicting)[3])
    above = np.greater_equal(X, X[i]).all(axis=1)
    in_class = above & (y >= y[i])
    app = seen("monotone", **NOISY, lit=i + 1)
    own = app.get("latex")[1].value
    assert rf"D(x_{{{i + 1}}}) = \frac{{{in_class.sum()}}}{{{above.sum()}}}" in own


def test_the_picked_pair_is_in_the_table_and_contradicts():
    dataset, X, y = noisy()
    found = violations(X, y, limit=20_000)
    scene = OrderScene(Work(Selection()), dataset, ("a", "b", "c", "d"), X, y, np.arange(200),
                       ("x1", "x2"), np.array([1, 1]), found, 0.1, (0, 1))  # fmt: skip
    a, b = scene.listed.T
    assert (X[a] <= X[b]).all()
    assert (y[a] > y[b]).all()
    assert len(scene.drawn_pairs) == min(300, found.n_pairs)
    assert set(scene.drawn_pairs.ravel()) <= set(scene.drawn())
    np.testing.assert_array_equal(scene.ends(scene.listed[:1])[0], np.r_[X[a[0]], X[b[0]]])


@pytest.mark.parametrize("n_classes", [2, 10])
def test_two_to_ten_classes(n_classes):
    for part in ("data", "audit"):
        app = seen("monotone", **NOISY | {"n_classes": n_classes, "part": part})
        assert f"class {n_classes}" in told(app)


def test_the_counter_example_of_five_rows_is_told_and_mended():
    app = opened("monotone", **FIVE)
    dataset = load_dataset("five_rows")
    model = REMTClassifier(min_gain=0).fit(dataset.X.to_numpy(), dataset.codes)
    audit = monotonicity_audit(model)
    assert "Not monotone" in told(app)
    assert cells(app)["comparisons"] == str(audit.n_compared)
    assert cells(app)["contradict"] == str(audit.n_violating)
    assert "Point a is predicted **class 2**" in told(app)
    table = app.dataframe[0].value
    example = audit.counter_example
    np.testing.assert_array_equal(table["a"].astype(float), example.below)
    np.testing.assert_array_equal(table["b"].astype(float), example.above)
    app = checked(app.button(key="make_monotone").click().run())
    assert "Proven monotone" in told(app)
    assert app.query_params["m.monotone"] == "true"


@pytest.mark.parametrize("vote", ["auto", "plurality", "median"])
def test_a_forest_is_audited_and_mended(vote):
    app = opened("monotone", **NOISY | {"m": "mcdf", "m.vote": vote}, part="audit")
    assert "Not monotone" in told(app)
    assert "two neighbouring cells" in told(app)
    app = checked(app.button(key="make_monotone").click().run())
    assert "Proven monotone" in told(app)
    assert app.query_params["m.monotone"] == "true"
    assert "m.vote" not in app.query_params


def test_many_features_are_told_along_one_of_them():
    app = seen("monotone", data="monotone_large", n_samples=500, m="remt", part="audit")
    assert "Not monotone" in told(app)
    table = app.dataframe[0].value
    assert (table["a"] != table["b"]).sum() == 1
    assert "equal in all else" in told(app)


def test_the_audit_leads_to_what_the_promise_costs():
    app = opened("monotone", **NOISY, part="audit")
    app = checked(app.button(key="compare1").click().run())
    assert app.title[0].value == "Which one is better, and is it real?"
    compared = app.session_state[session.SELECTION].compare
    assert ",".join(compared.compared) == WITH_AND_WITHOUT["compared"]
    names = next(box for box in app.multiselect if box.label == "Algorithms").value
    assert len(names) == len(compared.compared) == 5
    assert not [box.value for box in app.warning]


LEFT = {
    "part=node&node=2&m=remt": ("splits", "now explains the nodes of monotone trees"),
    "part=forest&m=mcdf&tree=2": ("growth", "how their rows were drawn are on the page Growth"),
    "part=comparison&m=mcdf&sets=Set1": ("compare", "are compared on the page Compare now"),
    "part=audit&m=remt&price=true": ("monotone", "What monotonicity costs is compared on"),
}


@pytest.mark.parametrize("link", LEFT)
def test_a_link_to_what_another_page_shows_opens_that_page_and_says_so(link):
    page, sentence = LEFT[link]
    query = dict(parse_qsl(f"data=monotone&n_samples=60&{link}"))
    app = opened("monotone", **query)
    assert app.session_state[session.NAME] == page
    said = told(app)
    assert said.count(sentence) == 1
    assert "is not known here" not in said
    if page == "compare":
        names = next(box for box in app.multiselect if box.label == "Data sets").value
        assert len(names) == 4
    elsewhere = opened("rules", **query)
    assert elsewhere.session_state[session.NAME] == "rules"


def test_unordered_classes_are_asked_for_an_order():
    app = opened("monotone", data="iris", m="cart")
    assert "These classes have no order" in told(app)
    app = checked(app.toggle(key="ordered-asked").set_value(True).run())
    assert app.query_params["ordered"] == "true"
    assert "assumed to rise with every feature" in told(app)
    dataset = load_dataset("iris")
    straight = violations(dataset.X.to_numpy(), dataset.codes).n_comparable
    assert cells(app)["comparable pairs"] == f"{straight:,}"
    app = checked(app.button(key="take_suggestion").click().run())
    assert app.query_params["directions"] == "rfrr"
    X = dataset.X.to_numpy()
    turned_round = violations(X, dataset.codes, (1, -1, 1, 1)).n_comparable
    assert cells(app)["comparable pairs"] == f"{turned_round:,}"


@pytest.mark.parametrize(
    "selection",
    [
        Selection(data="monotone", params=(("n_samples", 120),)),
        Selection(data="monotone", held=0.6, seed=3),
        Selection(data="iris", ordered=True),
        Selection(data="wine", ordered=True, held=0.5),
        Selection(data="five_rows", held=0),
    ],
)
def test_directions_are_suggested_from_the_training_rows_alone(selection):
    dataset = Work(selection).dataset
    train, held = dataset.split(selection.held, selection.seed)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    found = monotone.suggested_directions(Work(selection))
    assert found.n_samples == len(train)
    expected = [kendalltau(column, y[train]).statistic for column in X[train].T]
    np.testing.assert_allclose(found.tau, expected)
    if len(held):
        of_all = [kendalltau(column, y).statistic for column in X.T]
        assert not np.allclose(found.tau, of_all)


def test_the_page_says_from_which_rows_directions_are_suggested():
    assert "in the training rows where its p-value" in told(seen("monotone", **NOISY))


def test_directions_that_the_training_rows_contradict_are_told():
    assert "contradict the direction" not in told(seen("monotone", **NOISY))
    selection = Selection(data="iris", ordered=True)
    (doubted,) = monotone.doubted_directions(Work(selection))
    tau = monotone.suggested_directions(Work(selection)).tau
    assert (doubted.feature, doubted.direction, doubted.tau) == ("sepal width", 1, tau[1])
    app = seen("monotone", data="iris", ordered="true", m="remt")
    said = "contradict the direction of sepal width: its Kendall's tau with the class is"
    assert f"{said} {number(round(tau[1], 2))}." in told(app).replace("\\", "")
    falling = replace(selection, directions="rfff")
    found = monotone.doubted_directions(Work(falling))
    assert [each.feature for each in found] == ["petal width", "petal length"]
    assert all(each.direction == -1 and each.tau > 0.5 for each in found)
    assert monotone.doubted_directions(Work(replace(selection, ordered=False))) == ()


def test_directions_are_edited_one_at_a_time():
    whole = load_dataset("iris")
    assert letters_of(whole, DEFAULT) == "rrrr"
    assert directions_after("rrrr", [0, 1, 2, 3], {1: {"direction": "f"}}) == "rfrr"
    assert directions_after("rfrr", [1, 3], {1: {"direction": "n"}}) == "rfrn"
    with pytest.raises(ValueError, match="At least one feature must have a direction"):
        directions_after("nrn", [1], {0: {"direction": "n"}})


def test_data_the_wrong_way_round_are_told():
    assert "wrong way round" not in told(opened("monotone", **NOISY))
    app = opened("monotone", **NOISY, directions="ff")
    assert "rows above the lowest class are contradicted by a row above them" in told(app)
    assert "wrong way round" in told(app)
    app = checked(app.button(key="take_suggestion").click().run())
    assert app.query_params["directions"] == "rr"
    assert "wrong way round" not in told(app)


def test_odd_columns_of_a_file_are_explained():
    table = b"a,b,flat,grade\n1,1,7,1\n2,,7,1\n3,3,7,2\n4,2,7,2\n5,5,7,3\n6,9,7,3\n"
    app = opened("data")
    checked(app.file_uploader[0].set_value(("grades.csv", table, "text/csv")).run())
    app.session_state[session.OF_PAGE] = ""  # without its frame, a page knows the first one's
    app = checked(app.switch_page("pages/monotone.py").run())
    app = checked(app.toggle(key="ordered-asked").set_value(True).run())
    said = told(app)
    assert "1 row lacks a value and cannot be compared; it is left out." in said
    assert cells(app)["rows"] == "5"


def test_bad_sizes_of_subsets_say_what_m_is():
    app = seen("monotone", **NOISY | {"m": "mcdf", "m.subset_size": 1000, "part": "audit"})
    assert "subset_size must be from 1 to the 140 rows given, got 1000: it is M" in told(app)
    app = seen("monotone", **NOISY | {"m": "mcdf", "m.subset_size": 0, "part": "audit"})
    assert "m.subset_size must be a whole number &gt;= 1 or none (by the rule)" in told(app)
    assert "it is M, the number of rows that each tree learns from" in told(app)


def test_one_class_against_the_rest_has_no_order():
    app = seen("monotone", **NOISY, one=1)
    assert "One class against the rest has no order" in told(app)


@pytest.mark.parametrize("part", ["data", "audit"])
def test_one_feature_is_enough(part):
    app = seen("monotone", data="iris", ordered="true", columns=3, m="mcdf", part=part)
    if part == "audit":
        assert "With one feature there is no plane to draw" in told(app)


def test_the_order_is_part_of_the_python_that_rebuilds_the_model():
    selection = Selection(data="iris", ordered=True, directions="rfrn", models=(Model("remt"),))
    script = python_code.python_of(Work(selection))
    scope = {}
    exec(compile(script, "recipe", "exec"), scope)
    assert scope["dataset"].ordered
    assert scope["remt"].monotonic_cst == [1, -1, 1, 0]


# In short

HELD = "REMT with the monotonicity constraint"
SHORT = {"data": "monotone", "n_samples": 80, "label_noise": 0.15, "part": "short"}


def all_contradictions(X, y):
    """Each pair (lower, upper) of rows of which the upper one is lower in class, one by one."""
    return [
        (i, j)
        for i in range(len(X))
        for j in range(len(X))
        if y[j] < y[i] and naive_monotone.dominates(X[j], X[i])
    ]


def test_one_pair_shows_what_a_contradiction_is():
    scene = short_scene(Work(selected("data=monotone&n_samples=80&label_noise=0.15")))
    y, pairs = scene.order.y, all_contradictions(scene.order.X.tolist(), scene.order.y.tolist())
    (pair,) = map(tuple, scene.pair.tolist())
    assert pair in pairs
    assert y[pair[0]] - y[pair[1]] == max(y[i] - y[j] for i, j in pairs)
    chosen = short_scene(Work(selected("data=monotone&n_samples=80&label_noise=0.15&pair=3")))
    assert chosen.pair.tolist() == [chosen.order.picked.tolist()]


@pytest.mark.parametrize("query", [{}, {"held": 0}, {"m": "remt"}, {"m": "mcdf"}])
def test_the_first_look_tells_each_verdict_its_count_and_the_errors(query):
    app = seen("monotone", **{"m": "cart"} | SHORT | query)
    dataset = load_dataset("monotone", n_samples=80, label_noise=0.15, random_state=1)
    X, y = dataset.X.to_numpy(), dataset.codes
    held = query.get("held", 0.3)
    train, new = dataset.split(held, 1) if held else (np.arange(80), np.arange(0))
    rows = new if len(new) else train
    models = {"cart": {"CART": CARTClassifier()}, "mcdf": {"MCDF": MCDFClassifier(random_state=1)}}
    models = models.get(query.get("m", "cart"), {})
    models |= {"REMT": REMTClassifier(), HELD: REMTClassifier(monotone=True)}
    said, shown = told(app), html(app)
    errors, off = {}, {}
    for name, model in models.items():
        fitted = model.fit(X[train], y[train])
        off[name] = fitted.predict(X[rows]) != y[rows]
        errors[name] = int(off[name].sum())
        audit = monotonicity_audit(fitted)
        counted = f"<td>{audit.n_violating:,} of {audit.n_compared:,}</td>"
        wrong = f"<td>{errors[name]} of {len(rows)}</td>"
        row = next(r for r in shown.split("<tr")[1:] if f">{name}</th>" in r)
        assert counted in row
        assert wrong in row
        verdict = "Proven monotone" if audit.proven else "Not monotone"
        assert f"<td>{verdict}</td>" in row
        first, last = next(iter(models)), list(models)[-1]
        if name in (first, last):
            assert f"{name} is {verdict.lower()}" in said
    kind = "held-out" if len(new) else "training"
    assert f"{kind} rows wrong" in shown
    n, m = ((off[one] & ~off[other]).sum() for one, other in ((first, last), (last, first)))
    rare = np.mean(
        [min(sum(c), n + m - sum(c)) <= min(n, m) for c in product((0, 1), repeat=n + m)]
    )
    small = len(new) > 0 and n != m and rare >= 0.05
    chance = f"The difference between {first} and {last} on the held-out rows can be chance."
    assert (chance in said) == small
    pairs = all_contradictions(X.tolist(), y.tolist())
    assert f"{len(pairs):,} of {violations(X, y).n_comparable:,} comparable pairs" in said


def test_the_model_held_monotone_stands_beside_cart():
    said = told(seen("monotone", **SHORT, m="remt", **{"m.monotone": "true", "m.min_gain": 0.05}))
    assert "CART is not monotone" in said
    assert f"{HELD} is proven monotone" in said
    plain = short_scene(Work(selected("data=monotone&n_samples=80&m=remt&m.min_gain=0.05")))
    assert [dict(each.work.first.chosen.params) for each in plain.models] == [
        {"min_gain": 0.05},
        {"min_gain": 0.05, "monotone": True},
    ]


def test_consistent_rows_are_said_to_be_and_nothing_is_framed():
    said = told(seen("monotone", **SHORT | {"label_noise": 0}, m="cart"))
    assert re.search(r"\b0 of [\d,]+ comparable pairs contradict", said)


def test_rows_of_one_place_are_drawn_side_by_side_and_said_to_be(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(1, 5, (200, 2))
    grade = np.clip(X.sum(axis=1) // 2 + rng.integers(-1, 2, 200), 1, 3)
    table = pd.DataFrame(X, columns=["care", "speed"]).assign(grade=grade)
    table.to_csv(tmp_path / "coarse.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    query = {"data": "folder.coarse", "target": "grade", "ordered": "true", "m": "cart"}
    said = "Rows that share a place are drawn side by side; the pointer says their values."
    assert said in told(seen("monotone", **query, part="short"))
    assert said not in told(seen("monotone", **SHORT, m="cart"))
    of_file = {"data": "folder.coarse", "target": "grade", "ordered": True}
    scene = short_scene(Work(Selection(**of_file, models=(Model("cart"),))))
    figures = [rows_figure(scene, "light")]
    figures += [plane_figure(m, "light", scene.window(("care", "speed"))) for m in scene.pictured]
    for figure in figures:
        places = {}
        for trace in figure.traces:
            if trace["meta"].get("role") in ("training", "held_out"):
                rows = np.asarray(trace["customdata"]).reshape(len(trace["x"]), -1)[:, 0]
                places |= dict(zip(rows, zip(trace["x"], trace["y"], strict=True), strict=True))
        assert len(set(places.values())) == len(places) == 200
        for row, place in places.items():
            assert np.abs(np.array(place) - X[row - 1]).max() < 0.5


@pytest.mark.parametrize(
    "query", [{"columns": 3}, {"columns": "1,2", "m": "mcdf"}, {"m": "svm_tree"}, {"m": "oc1"}]
)
def test_any_ordered_data_and_any_model_have_a_first_look(query):
    app = seen(
        "monotone", **{"data": "iris", "ordered": "true", "m": "c45", "part": "short"} | query
    )
    said = told(app)
    assert f"{HELD} is proven monotone" in said or "No contradiction was found" in said
    assert ("With one feature there is no plane to draw" in said) == (query == {"columns": 3})


def test_errors_on_new_rows_alone_have_a_ring_and_all_rings_one_size():
    scene = short_scene(Work(selected("data=monotone&n_samples=1500&label_noise=0.1&m=cart")))
    names = tuple(scene.order.names)
    for model in scene.pictured:
        figure = plane_figure(model, "light", scene.window(names))
        (rings,) = [each for each in figure.traces if each["meta"].get("role") == "wrong"]
        assert rings["marker"]["size"] == 17
        rows = np.asarray(rings["customdata"]).ravel() - 1
        assert set(rows) <= set(
            model.division.held_out_rows[model.wrong[model.division.held_out_rows]]
        )
