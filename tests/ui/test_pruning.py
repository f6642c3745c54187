"""The page *pruning*: any algorithm whose tree can be cut back, a sentence for the others."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from lastviz.estimators import ESTIMATORS
from lastviz.host import jobs
from lastviz.host.jobs import Working
from lastviz.inspection import FAMILIES, mcnemar, pruned_trees
from lastviz.pruning import PRUNERS
from lastviz.ui.compute import pruning
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.figures import curve_figure, curve_table
from lastviz.ui.pruning.scene import (
    BESIDE,
    MOST_STOPS,
    pruning_scene,
    stop_value,
    stops_of,
    tree_at,
)
from lastviz.ui.pruning.words import (
    card_words,
    decision_table,
    errors_table,
    short,
    stop_words,
    verdict,
)
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import as_plain
from tests.sentences.of_models import ALIKE, NOISY, OVERDONE
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import seen, without_tags, words

SMALL = {"data": "moons", "n_samples": 200}


def selection_of(key="cart", data="moons", **pruning):
    params = (("n_samples", 200),) if data == "moons" else ()
    return Selection(data=data, params=params, models=(Model(key),)).change(**pruning)


def scene_of(**chosen):
    return pruning_scene(Work(selection_of(**chosen)), "light")


def test_a_stop_counts_its_leaves():
    assert stop_words(0.0321, 1) == f"{short(0.0321)}: 1 leaf"
    assert stop_words(0.0321, 8) == f"{short(0.0321)}: 8 leaves"


@pytest.mark.parametrize(
    "key", [k for k, e in ESTIMATORS.items() if not e.cls.TAGS.ordered_classes]
)
def test_every_algorithm_is_cut_back_or_says_why_not(key):
    app = seen("pruning", m=key, **({"data": "loan", "held": 0} if key == "id3" else SMALL))
    said = " ".join(box.value for box in app.info)
    if key == "svm_tree":
        assert "splits off one class at each node" in said
        assert app.button(key="to_cart").label == "Choose CART"
    else:
        assert "nothing cut" in words(app) or "nothing to cut back" in said


def test_a_forest_is_not_cut_back_and_a_button_leads_on():
    app = opened("pruning", data="monotone", n_samples=100, m="adaboost_m1")
    assert app.info
    checked(app.button(key="to_c45").click().run())
    assert app.session_state["selection"].models[0].key == "c45"
    assert "nothing cut" in words(app)


@pytest.mark.parametrize("pruner", FAMILIES)
@pytest.mark.parametrize("data", ["moons", "iris", "loan"])
def test_every_pruner_draws_its_trees(pruner, data):
    query = SMALL if data == "moons" else {"data": data}
    app = seen("pruning", m="c45", prune=pruner, beside=",".join(BESIDE), **query)
    shown = words(app)
    assert "nothing cut" in shown or app.info
    if not app.info:
        assert PRUNERS[pruner].title in shown
        assert {box.key for box in app.checkbox} == {f"beside.{k}" for k in BESIDE if k != pruner}


def test_the_numbers_are_those_of_the_trees():
    scene = scene_of(cut_at=0.01)
    division, tree = scene.division, scene.tree
    assert (
        scene.trees.n_leaves[scene.at]
        == PRUNERS["cost_complexity"].prune(tree, ccp_alpha=0.01)[0].n_leaves
    )
    pruned, rows = scene.trees.pruned(scene.at), division.held_out_rows
    wrong = np.mean(pruned.predict(division.values[rows]) != division.y[rows])
    assert scene.family.held_out[scene.at] == pytest.approx(wrong)
    view = scene.view(True)
    assert 1 - view.held_out.accuracy == pytest.approx(wrong)
    assert view.tree.n_leaves == pruned.n_leaves
    least, one_error = scene.best
    crossed = scene.crossed["cost_complexity"]
    limit = crossed.error[least] + crossed.standard_error[least]
    assert crossed.error[one_error] <= limit + 1e-9
    assert scene.trees.n_leaves[one_error] <= scene.trees.n_leaves[least]


def test_the_table_has_errors_with_their_intervals():
    scene = scene_of()
    rows, said = scene.division.held_out_rows, without_tags(errors_table(scene))
    trees = {"nothing cut": scene.tree, "one-SE rule": scene.trees.pruned(scene.chosen)}
    trees["root alone"] = scene.trees.pruned(len(scene.trees) - 1)
    assert trees["root alone"].n_leaves == 1
    for name, tree in trees.items():
        wrong = int((tree.predict(scene.division.values[rows]) != scene.division.y[rows]).sum())
        low, high = proportion_confint(wrong, len(rows))
        share = f"{100 * wrong / len(rows):.1f} % {100 * low:.1f} to {100 * high:.1f}"
        assert f"{name} {tree.n_leaves} {share}" in said


def proportion_confint(n, rows, z=1.959963984540054):
    """Wilson's interval by its formula."""
    share, middle = n / rows, z**2 / (2 * rows)
    half = z * np.sqrt(share * (1 - share) / rows + z**2 / (4 * rows**2))
    return [(share + middle + sign * half) / (1 + z**2 / rows) for sign in (-1, 1)]


def test_chance_parts_the_rows_that_differ_as_a_fair_coin_does():
    for n, m in ((0, 0), (3, 3), (1, 8), (9, 2), (0, 6)):
        outcomes = [sum(bits) for bits in product((0, 1), repeat=n + m)]
        rare = np.mean([min(k, n + m - k) <= min(n, m) for k in outcomes])
        assert mcnemar(n, m) == pytest.approx(rare)


@pytest.mark.parametrize("query", [*ALIKE, *NOISY[1:], *OVERDONE])
def test_rows_that_either_tree_alone_gets_wrong_tell_a_difference_from_chance(query):
    scene = pruning_scene(Work(selected(query)), "light")
    X, y = scene.division.values, scene.division.y
    trees = scene.tree, scene.trees.pruned(scene.at)
    pairs = [
        tuple(tree.predict(X[[i]])[0] == y[i] for tree in trees)
        for i in scene.division.held_out_rows
    ]
    worse, better = pairs.count((True, False)), pairs.count((False, True))
    p = binomtest(worse, worse + better).pvalue
    said = " ".join(map(as_plain, verdict(scene)))
    assert ("can be chance" in said) == (worse != better and p >= 0.05)
    assert (f"McNemar's exact test, p = {short(float(f'{p:.2g}'))})" in said) == (p < 0.05)


def test_rows_that_choose_do_not_report():
    scene = scene_of(beside=("reduced_error",))
    (other,) = scene.others
    choose, report = pruning.held_out_halves(scene.work)
    held = len(scene.division.held_out_rows)
    assert len(choose.y) + len(report.y) == held
    pruned, _ = PRUNERS["reduced_error"].prune(scene.tree, held_out=choose)
    assert other.n_leaves == pruned.n_leaves
    assert other.error == pytest.approx(np.mean(pruned.predict(report.X) != report.y))


@pytest.mark.parametrize("pruner", FAMILIES)
def test_what_is_weighed_at_a_node_is_what_decides(pruner):
    scene = scene_of(pruner=pruner, beside=BESIDE)
    for decision in scene.decisions():
        if decision.as_leaf is None:
            continue
        cheap = decision.as_leaf <= decision.inner + decision.inside + 1e-9
        assert decision.fate == "above" or (decision.fate == "goes") == cheap, decision
    table = scene.table_of(pruner, scene.value)
    gone = {int(n) for n in scene.cut}
    assert (scene.node in gone) == (scene.decisions()[0].fate == "goes")
    assert set(np.flatnonzero(table.cut)) >= gone


def test_a_stop_has_a_short_value_that_leads_back_to_it():
    tree = Work(selection_of()).first.grown
    for pruner in FAMILIES:
        trees = pruned_trees(tree, pruner)
        for stop in stops_of(trees):
            value = stop_value(trees, stop)
            assert tree_at(trees, value, None) == stop
            assert len(f"{value!r}") <= 8 or not trees.nested


def test_many_trees_have_few_stops():
    tree = Work(selection_of(data="waveform")).first.grown
    trees = pruned_trees(tree, "cost_complexity", risk="gini")
    stops = stops_of(trees)
    assert len(trees) > MOST_STOPS >= len(stops) > MOST_STOPS / 2
    assert (stops[0], stops[-1]) == (0, len(trees) - 1)


def test_the_page_opens_with_a_tree_that_is_better_cut_back():
    app = seen("pruning")
    scene = pruning_scene(Work(app.session_state["selection"]), "light")
    wrong = scene.family.held_out
    assert wrong[scene.at] < wrong[0]
    assert scene.trees.n_leaves[scene.at] < scene.trees.n_leaves[0]


def test_the_slider_writes_the_value_and_another_way_forgets_it():
    app = opened("pruning", m="cart", **SMALL)
    (slider,) = [s for s in app.select_slider if str(s.key).startswith("cut_at.")]
    slider.set_value(1)
    checked(app.run())
    at = app.session_state["selection"].pruning.cut_at
    assert "cut_at" in app.query_params
    assert tree_at(scene_of().trees, at, None) == 1
    checked(app.selectbox(key="pruner").select("minimum_error").run())
    assert "cut_at" not in app.query_params
    assert app.session_state["selection"].pruning.pruner == "minimum_error"


def test_the_pruning_of_the_model_itself_stays_off():
    said = [c.value for c in seen("pruning", m="c45", **SMALL).caption]
    assert any("fully grown tree" in sentence for sentence in said)
    said = [c.value for c in seen("pruning", m="cart", **SMALL).caption]
    assert not any("fully grown tree" in sentence for sentence in said)


def test_what_stands_beside_it_is_chosen():
    app = opened("pruning", m="cart", **SMALL)
    assert "Description length" not in words(app)
    app.checkbox(key="beside.mdl").check()
    checked(app.checkbox(key="beside.pessimistic").uncheck().run())
    assert "Description length" in words(app)
    assert "Pessimistic" not in words(app)


def test_without_held_out_rows_the_page_says_so():
    app = seen("pruning", m="cart", held=0, **SMALL)
    assert "No rows are held out" in " ".join(c.value for c in app.caption)
    assert "held-out error" not in words(app)
    assert '<p class="lv-say">' not in html(app)


def test_too_many_folds_are_one_sentence():
    app = seen("pruning", data="loan", m="cart", folds=40)
    said = " ".join(box.value for box in app.info)
    assert "40 folds need at least 40 rows" in said
    assert app.select_slider or app.slider(key="folds")


def test_the_table_has_every_tree():
    scene = scene_of(beside=("pessimistic", "minimum_error"))
    table = curve_table(scene)
    n_trees = len(scene.trees) + len(scene.families["minimum_error"].trees) + 1
    assert len(table) == n_trees
    assert table["leaves"].iloc[0] == scene.trees.n_leaves[0]
    alpha = table["value"].to_numpy(float)[: len(scene.trees)]
    assert (alpha == scene.trees.value).all()  # the critical ones, unrounded
    assert table["held-out error, %"].notna().all()
    assert table["cross-validated error, %"].notna().sum() == n_trees - 1
    assert "pruning,value,leaves" in table.to_csv(index=False).splitlines()[0]


def test_a_picked_node_is_weighed_and_a_leaf_is_not():
    assert scene_of(weighed=0).node == 0
    scene = scene_of(weighed=10**6)
    assert not scene.tree.is_leaf(scene.node)


def test_the_weighed_node_is_chosen_from_a_list_without_a_pointer():
    app = opened("pruning", m="cart", **SMALL)
    scene = scene_of()
    box = app.selectbox(key="weighed")
    assert box.value == scene.node
    inner = np.flatnonzero(scene.tree.n_children > 0).tolist()
    assert len(box.options) == len(inner)
    assert box.options[0] == f"root, {len(scene.division.train_rows)} rows"
    box.set_value(0)
    checked(app.run())
    assert app.session_state["selection"].pruning.weighed == 0
    assert app.query_params["weighed"] in ("0", ["0"])
    root = scene_of(weighed=0)
    assert decision_table(root, root.decisions()) in html(app)


def test_of_very_many_nodes_the_largest_are_in_the_list():
    app = seen("pruning", m="cart", data="waveform")
    shown = len(app.selectbox(key="weighed").options)
    assert 60 <= shown <= 61
    assert any(f"The {shown} largest of " in caption.value for caption in app.caption)


def test_the_tree_of_the_rule_is_selected_until_the_reader_selects_another():
    scene = scene_of()
    assert scene.at == scene.chosen == scene.best[1] > 0
    assert "selected" not in without_tags(errors_table(scene))
    assert "mine" not in roles(curve_figure(scene))
    other = scene_of(cut_at=0.0)
    assert other.at == 0 != other.chosen
    assert f"selected {other.tree.n_leaves} " in without_tags(errors_table(other))
    assert "mine" in roles(curve_figure(other))
    app = opened("pruning", m="cart", **SMALL)
    assert not [b for b in app.button if b.key == "cut_back"]
    (slider,) = [s for s in app.select_slider if str(s.key).startswith("cut_at.")]
    assert slider.value == scene.stops.index(scene.chosen)
    app = opened("pruning", m="cart", cut_at=0, **SMALL)
    checked(app.button(key="cut_back").click().run())
    assert app.session_state["selection"].pruning.cut_at is None


def test_while_the_rule_is_not_known_nothing_is_cut(monkeypatch):
    def working(selection):
        raise Working(jobs.JOBS.start("none", "nothing", lambda: iter(())))

    monkeypatch.setattr(pruning, "cross_validated", working)
    scene = scene_of()
    assert (scene.at, scene.chosen) == (0, None)


@pytest.mark.parametrize("data", ["moons", "waveform"])
@pytest.mark.parametrize("cut_at", [None, 0.0031, 0.0117, 0.032])
def test_slider_table_and_formula_say_one_alpha(data, cut_at):
    scene = scene_of(data=data, leaf_cost="gini", cut_at=cut_at)
    on_slider = stop_value(scene.trees, scene.stops[scene.stops.index(scene.at)])
    assert scene.trees.at(on_slider) == scene.at
    assert scene.decisions()[0].value == scene.value == on_slider
    said = short(on_slider)
    assert f"α = {said}" in without_tags(decision_table(scene, scene.decisions()))
    assert f"α of {said}" in without_tags(card_words(scene, scene.decisions()[0]))


def roles(figure):
    return {trace["meta"]["role"] for trace in figure.traces}


def test_what_rounding_leaves_of_a_difference_is_nothing():
    assert short(0.1 + 0.2 - 0.3) == short(-3.17e-18) == "0"
    assert short(1e-6) != "0"
