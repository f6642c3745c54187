"""What errors cost at a threshold, on the page *rules*."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import Costs, cost_curve, decisions, saving_interval, scores
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.costs import _of_leaves, cost_scene, findings
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared.headline import models_verdict
from lastviz.ui.shared.model_view import Priced
from lastviz.ui.state.link_texts import read_costs, write_costs
from lastviz.ui.text import as_plain
from tests.credit import write_credit
from tests.sentences.rows import Look, selected

from .conftest import checked, html, opened
from .opened_pages import pictures, said, seen, words

COSTS = {"rule_view": "costs"}
CANCER = {"data": "breast_cancer", "m": "c45", "held": 0} | COSTS


def captions(app):
    return said(app, "caption")


def errors_in_table(app):
    """Rows of the rarer class that are missed and found, of the other one taken for it and not."""
    table = re.search(r'aria-label="errors and their costs".*?</table>', html(app), re.S)[0]
    wrong = re.findall(r"<b>([\d,]+)</b> ×", table)
    right = re.findall(r"<td>([\d,]+)</td>", table)
    missed, alarms, found, passed = (int(n.replace(",", "")) for n in wrong + right)
    return missed, found, alarms, passed


def shares():
    """The share of the rarer class in the leaf of each row, and the rows of that class."""
    data = load_dataset("breast_cancer")
    tree = C45Classifier().fit(data.numeric_X, data.codes).tree_
    label = int(np.bincount(data.codes).argmin())
    return tree.class_shares(data.numeric_X.to_numpy())[:, label], data.codes == label


@pytest.mark.parametrize(("miss", "alarm", "cut"), [(1, 1, 50), (5, 1, 20), (2.5, 0, 90)])
def test_errors_and_costs_are_those_of_the_tree(miss, alarm, cut):
    app = seen("rules", **CANCER, cost_miss=miss, cost_alarm=alarm, cut=cut)
    share, own = shares()
    called = share >= cut / 100
    missed, alarms = int((own & ~called).sum()), int((~own & called).sum())
    n_own, n_others = own.sum(), (~own).sum()
    assert errors_in_table(app) == (missed, n_own - missed, alarms, n_others - alarms)
    cost = (miss * missed + alarm * alarms) / len(own)
    assert f"{float(f'{cost:.3g}'):g} cost of a row" in words(app)
    right, n = int((called == own).sum()), len(own)
    share = f"{100 * right / n:.1f} % ({right} of {n}) accuracy, training"
    assert f"{share} baseline {100 * (~own).mean():.1f} %" in words(app)


def test_what_a_model_saves_is_told_from_chance():
    """Of two models in any order, and of one; of few rows nothing is told."""
    costs, names = np.array([[0.0, 1.0], [5.0, 0.0]]), ("good", "bad")
    y = np.repeat([0, 1], [70, 30])
    right, wrong = y.copy(), np.where(np.arange(100) % 3 == 0, 1 - y, y)
    near = y.copy()
    near[:2] = 1

    def told(rows, *predicted):
        parts = [scores(y[rows], each[rows], 2) for each in predicted]
        found = [y[rows], *(each[rows] for each in predicted)]
        priced = Priced(costs, names, 1)
        titles = [f"M{i}" for i in range(len(predicted))]
        return models_verdict(titles, parts, parts[0], names, is_new=True, priced=priced,
                              predicted=found)  # fmt: skip

    everything, alike = np.arange(100), "on the held-out rows can be chance."
    low, high = saving_interval(y, np.ones(100, dtype=int), right, costs)
    assert low > 0
    first, *more = told(everything, right)
    assert "cost 0, significantly less than calling every row bad (70), on 100 held-" in first
    assert more == [f"Saving: 70, 95 % interval {low:.3g} to {high:.3g} (bootstrap)."]
    first, saving = told(everything, wrong)
    assert "no less than" in first
    assert saving.startswith("Saving: -")
    for models in ((right, near, wrong), (wrong, near, right)):
        first, saving, *chance = told(everything, *models)
        best = "M0" if models[0] is right else "M2"
        assert first.startswith(f"The errors of {best} cost 0 (M1: 2 and M")
        assert saving.endswith("(bootstrap, Bonferroni over 6 pairs).")
        assert chance == [f"The difference between {best} and M1 {alike}"]
    first, few = told(everything[60:89], right)
    assert " % less than calling" in first
    assert few == "29 held-out rows are too few to tell this from chance."


def test_the_curve_has_the_thresholds_and_its_lowest_point_where_costs_say():
    told = pictures(seen("rules", **CANCER, cost_miss=5, cut=40))
    traces = {trace["meta"]["role"]: trace for trace in told["cost_curve"]["figure"]["data"]}
    assert set(traces) == {"cost", "cheapest", "chosen"}


def test_the_button_takes_the_threshold_of_the_costs():
    app = opened("rules", **CANCER, cost_miss=5)
    checked(app.button(key="cheapest_cut").click().run())
    assert float(app.query_params["cut"]) == pytest.approx(100 / 6, abs=1e-3)
    assert not [button for button in app.button if button.key == "cheapest_cut"]


def test_free_errors_have_a_sentence():
    app = opened("rules", **CANCER, cost_miss=0, cost_alarm=0)
    assert any("No error costs anything" in info.value for info in app.info)
    checked(app.number_input(key="cost_miss").set_value(3.0).run())
    assert not any("No error costs anything" in info.value for info in app.info)
    assert app.query_params["cost_miss"] == "3"


def test_leaves_are_judged_by_held_out_rows():
    app = seen("rules", data="breast_cancer", m="cart", **{"m.max_depth": 4}, **COSTS)
    assert "Mean gap" in captions(app)
    assert "Solid: held-out rows" in captions(app)
    traces = pictures(app)["reliability"]["figure"]["data"]
    (leaves,) = (trace for trace in traces if trace["meta"]["role"] == "leaf")
    assert len(leaves["text"]) > 1


def test_without_held_out_rows_nothing_is_judged():
    app = seen("rules", **CANCER)
    assert "only rows that the tree has not seen can show" in captions(app)
    assert "On training rows: none are held out." in captions(app)


def test_pure_leaves_are_told_to_have_no_threshold():
    app = seen("rules", data="xor", m="cart", **COSTS)
    assert "no threshold between changes anything" in captions(app)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"data": "digits", "m": "cart"}, "Errors between more than 5 classes have no costs here"),
        ({"data": "iris", "m": "svm_tree"}, "on the share does not apply"),
        ({"data": "xor", "m": "svm_tree"}, "on the share does not apply"),
        ({"data": "monotone", "n_classes": 2, "m": "remt"}, "on the share does not apply"),
    ],
)
def test_what_has_no_threshold_says_why(query, reason):
    assert reason in captions(seen("rules", **query, **COSTS))


@pytest.mark.parametrize("model", ["gsodt", "oc1", "id3", "cart"])
def test_many_models_have_costs(model):
    data = "loan" if model == "id3" else "moons"
    app = seen("rules", data=data, m=model, cost_miss=4, cut=30)
    assert len(errors_in_table(app)) == 4


def test_a_table_of_credits_is_counted_with_its_gaps(tmp_path, monkeypatch):
    key = write_credit(tmp_path, n=300)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = seen("rules", data=key, m="c45", cost_miss=5, cut=17)
    assert sum(errors_in_table(app)) == 90


@pytest.mark.parametrize("seed", [2, 4])
def test_the_panel_counts_the_errors_of_the_headline(tmp_path, monkeypatch, seed):
    """Some leaves hold both classes in equal shares, and say the class of the node above."""
    key = write_credit(tmp_path, seed=seed)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = seen("rules", data=key, m="c45", seed=seed, **COSTS)
    whole = seen("rules", data=key, m="c45", seed=seed, rule_view="rules")
    (wrong,) = re.findall(r"\((\d+) of 300\) held-out error", words(whole))
    missed, _, alarms, _ = errors_in_table(app)
    assert missed + alarms == int(wrong)
    assert "both classes in equal shares. At 50 %" in captions(app)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pruning", ["none", "error_based"])
def test_leaves_hold_both_classes_in_equal_shares_only_if_they_hold_any(
    tmp_path, monkeypatch, pruning, seed
):
    """Some codes have no row at a node, so that their leaves are empty."""
    key = write_credit(tmp_path, n=300, seed=seed, missing=0.0)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    query = f"data={key}&m=c45&m.pruning={pruning}"
    look, scene = Look(query), rule_scene(Work(selected(query)), "light")
    counts = {}
    for i in look.train:
        counts.setdefault(int(look.leaves[i]), Counter())[look.y[i]] += 1
    assert len(counts) < look.n_leaves or pruning != "none"
    n = sum(each[0] == each[1] for each in counts.values())
    said = " ".join(map(as_plain, findings(scene, cost_scene(scene))))
    assert re.findall(r"(\d+) lea\w+ holds? both classes", said) == ([str(n)] if n else [])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("Tree", [C45Classifier, CARTClassifier])
def test_at_one_half_the_panel_decides_as_the_tree(Tree, seed):
    """Few values, so that leaves of equal shares abound; some keep the class of the node above."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (120, 3)).astype(float)
    y = rng.integers(0, 2, 120)
    tree = Tree(max_depth=3).fit(X[:80], y[:80]).tree_
    division = Division(pd.DataFrame(X), "numbers", X, y, np.arange(80), np.arange(80, 120))
    predicted = tree.predict(X)
    for label in (0, 1):
        shares, _ = _of_leaves(f"{Tree.__name__}|{seed}|{label}", tree, division, label)
        found = decisions(shares, y == label, 0.5, Costs(1, 1))
        assert found.missed + found.alarms == np.count_nonzero(predicted != y)
        curve = cost_curve(shares, y == label, Costs(1, 1))
        at = np.flatnonzero(curve.threshold <= 0.5)[-1]
        assert curve.accuracy[at] == pytest.approx(found.accuracy)


# Costs of errors between three classes


MATRIX = [[0, 1, 9], [3, 0, 2], [20, 30.5, 0]]
THREE = {"data": "wine", "m": "cart", "m.max_depth": 1, "held": 0.4}


def by_expected_cost(look, costs):
    """The class of each row by the training rows of its leaf, each answer's cost added up."""
    train = [(look.leaf(look.values[i]), look.y[i]) for i in look.train]
    found = []
    for x in look.values:
        here = [k for leaf, k in train if leaf == look.leaf(x)]
        price = [sum(costs[k][given] for k in here) for given in range(len(costs))]
        found.append(price.index(min(price)))
    return found


def test_costs_between_three_classes_are_followed_everywhere():
    costs = ",".join(f"{cost:g}" for row in MATRIX for cost in row)
    plain, query = "&".join(f"{k}={v}" for k, v in THREE.items()), {**THREE, "costs": costs}
    look = Look(plain)
    names = [str(name) for name in load_dataset("wine").class_order]
    given = by_expected_cost(look, MATRIX)
    assert given != by_expected_cost(look, [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    total = sum(MATRIX[look.y[i]][given[i]] for i in look.held)
    least, name = min(
        (sum(MATRIX[look.y[i]][k] for i in look.held), names[k]) for k in range(3)
    )  # fmt: skip
    work = Work(selected(f"{plain}&costs={costs}"))
    assert work.first.fitted_any.estimator.predict(work.first.division.X).tolist() == given
    against = (
        f"The errors of CART cost {total:g}, significantly less than calling every row {name} "
        f"({least:g}), on {len(look.held)} held-out rows."
    )
    for view in ({}, {"rule_view": "rules"}, {"rule_view": "row", "lit": 3}):
        assert against in told_plainly(seen("rules", **query, **view)), view
    assert against in told_plainly(seen("boundaries", **query))
    assert f"{total:g} cost of the errors" in words(seen("boundaries", **query))


def told_plainly(app):
    """What a page says, without the gaps that tags leave."""
    return " ".join(re.sub(r"<[^>]+>", "", html(app)).split())


def test_a_cost_between_three_classes_is_a_field_that_the_link_has():
    app = opened("rules", **THREE, **COSTS)
    checked(app.number_input(key="cost.0.2").set_value(9.0).run())
    assert app.query_params["costs"] == "0,1,9,1,0,1,1,1,0"
    table = re.search(r'aria-label="errors and their costs".*?</table>', html(app), re.S)[0]
    assert "× 9 = " in table
    checked(app.number_input(key="cost.0.2").set_value(1.0).run())
    assert "costs" not in app.query_params


@pytest.mark.parametrize(
    "text", ["0,1,1", "1,1,1,1,1,1,1,1,1", "0,1,-1,1,0,1,1,1,0", "0,1,nan,1,0,1,1,1,0", "a"]
)
def test_costs_that_are_none_are_refused(text):
    with pytest.raises(ValueError, match=r"."):
        read_costs(text)
    costs = tuple(cost for row in MATRIX for cost in row)
    assert read_costs(write_costs(costs)) == costs
