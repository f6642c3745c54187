"""What stands around pictures: headings, headlines, counts that add up, digits that differ."""

import re
from decimal import Decimal
from html import unescape

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import all_datasets
from lastviz.estimators import ESTIMATORS, REGRESSORS, CARTClassifier
from lastviz.inspection import scores, share_interval, supports
from lastviz.plots import largest_first, node_html, number
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.words import shares_words
from lastviz.ui.shared.headline import accuracy_cells, judged_cell
from lastviz.ui.shared.model_view import counts_words, model_title
from lastviz.ui.shared.node_card import node_texts, side_html
from lastviz.ui.shared.widgets import choice_title
from lastviz.ui.splits.words import branch_html
from lastviz.ui.state.selection import FIELDS, MAX_MODELS, Model, Selection
from lastviz.ui.text import adding_up
from tests.columns import COLUMNS

from .conftest import checked, html, opened, with_tables
from .opened_pages import seen
from .sent_texts import texts_sent


def titles(*models):
    selection = Selection(data="iris", models=models)
    return [*map(model_title, Work(selection).models)]


def differing(key):
    """Models of one algorithm, each with one parameter away from its default."""
    found = [Model(key)]
    for param in ESTIMATORS[key].cls.PARAMS:
        if param.kind is bool:
            found.append(Model(key, ((param.name, not param.default),)))
        elif param.kind is str and len(param.choices) > 1:
            other = next(c for c in param.choices if c != param.default)
            found.append(Model(key, ((param.name, other),)))
        elif param.kind is int and param.name != "random_state":
            low = 0 if param.low is None else int(param.low)
            found.append(Model(key, ((param.name, low + 7),)))
    return found


@pytest.mark.parametrize("key", ESTIMATORS)
def test_models_of_one_algorithm_are_told_apart_by_what_differs(key):
    models = differing(key)
    for other in models[1:]:
        names = titles(models[0], other)
        assert names[0] != names[1]
        assert all(name.startswith(ESTIMATORS[key].title + " (") for name in names)
    for first in range(0, len(models), MAX_MODELS):
        names = titles(*models[first : first + MAX_MODELS])
        assert len(set(names)) == len(names)


def test_equal_models_are_numbered_and_others_keep_their_name():
    pruned = Model("c45", (("pruning", "none"),))
    assert titles(Model("cart"), Model("c45")) == ["CART", "C4.5"]
    assert titles(Model("cart"), Model("cart")) == ["CART (no. 1)", "CART (no. 2)"]
    assert titles(Model("c45"), pruned, Model("c45")) == [
        "C4.5 (pruning: error-based, no. 1)",
        "C4.5 (pruning: none)",
        "C4.5 (pruning: error-based, no. 2)",
    ]


def test_headings_on_the_page_differ():
    app = seen("boundaries", data="iris", m="c45", m2="c45", **{"m2.pruning": "none"})
    found = re.findall(r'<h2 class="lv-name">(.*?)</h2>', html(app))
    assert found == ["C4.5 (pruning: error-based)", "C4.5 (pruning: none)"]


def test_no_menu_shows_a_name_of_the_code():
    declared = [
        *(p for e in (*ESTIMATORS.values(), *REGRESSORS.values()) for p in e.cls.PARAMS),
        *(p for e in all_datasets().values() for p in e.PARAMS),
        *(field.param for field in FIELDS.values() if getattr(field, "param", None)),
    ]
    for param in declared:
        shown = [choice_title(choice) for choice in param.choices]
        assert len(set(shown)) == len(shown), param.name
        assert not [title for title in shown if "_" in title or "+" in title], param.name


@pytest.mark.parametrize(
    "query",
    [
        {"data": "xor", "m": "hybrid", "m2": "cart"},
        {"data": "gauss_2d", "m": "cart"},
        {"data": "waveform", "m": "c45"},
        {"data": "xor", "m": "cart", "held": 0},
    ],
    ids=str,
)
def test_an_expectation_is_no_bound(query):
    """The best rule's accuracy is an average: a sample can lie above it, and does."""
    app = seen("boundaries", **query)
    said = " ".join(markdown.value for markdown in app.markdown)
    dataset = Work(app.session_state["selection"]).dataset
    best = f"{100 * (1 - dataset.bayes_error):.1f} %"
    assert f"an expected accuracy of {best} on new data" in said
    assert "can lie above it" in said
    for word in ("No rule", "more than", "by chance", "0.0 points"):
        assert word not in said


def test_the_page_data_calls_it_an_expectation():
    assert "expected error of the best possible rule (Bayes)" in html(seen("data", data="xor"))


@pytest.mark.parametrize("held", [0.3, 0.0])
def test_a_share_says_that_it_is_an_accuracy(held):
    said = html(seen("boundaries", data="iris", m="cart", m2="c45", held=held))
    cells = re.findall(r"<b>[\d.]+<small> %[^<]*</small></b><span>(.*?)</span>", said)
    assert cells
    beside = "held out" if held else "accuracy, training"  # its name, where the sentence says what
    assert all(cell == beside or cell.startswith("accuracy, ") for cell in cells)


def test_a_slice_says_what_a_ring_means():
    app = seen("boundaries", data="iris", m="cart")
    said = [caption.value for caption in app.caption]
    assert any("A ring marks a row" in text for text in said)


def test_one_colour_in_sight_is_said(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 20)), columns=[f"f{i}" for i in range(20)])
    table["class"] = np.where(table.f7 > 1.0, "rare", "usual")
    table.to_csv(tmp_path / "wide.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = opened("boundaries", data="folder.wide", m="cart")
    assert not any("No border crosses" in caption.value for caption in app.caption)
    selection = app.session_state["selection"].change(axes=("f0", "f1"))
    app.session_state["selection"] = selection
    checked(app.run())
    assert any("No border crosses this slice" in caption.value for caption in app.caption)
    app = checked(app.button(key="border0").click().run())
    assert {"axes", "at"} & set(app.query_params)
    assert not any("No border crosses" in caption.value for caption in app.caption)


def judged(n_training, n_held, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    parts = []
    for n in (n_training, n_held):
        y, predicted = rng.integers(0, n_classes, n), rng.integers(0, n_classes, n)
        parts.append((y, np.where(rng.random(n) < 0.7, y, predicted)))
    return parts, [scores(y, predicted, n_classes) for y, predicted in parts]


def always_right(y, new):
    counts = [sum(y == k) for k in range(max(y) + 1)]
    return sum(new == counts.index(max(counts)))


@pytest.mark.parametrize("seed", range(4))
def test_a_held_out_accuracy_has_counts_interval_and_baseline(seed):
    ((y, learnt), (new, predicted)), parts = judged(90, 57, seed=seed)
    first, second = accuracy_cells(*parts)
    right = sum(new == predicted)
    low, high = share_interval(int(right), 57)
    assert first == (
        f"{100 * right / 57:.1f}",
        f"% ({right} of 57)",
        "accuracy, held out",
        f"95 %: {100 * low:.1f} to {100 * high:.1f}",
        f"baseline {100 * always_right(y, new) / 57:.1f} %",
    )
    n = sum(y == learnt)
    assert second == (f"{100 * n / 90:.1f}", f"% ({n} of 90)", "accuracy, training")


def test_of_fewer_than_30_rows_counts_stand_alone():
    ((y, _), (new, predicted)), parts = judged(90, 29)
    first, _ = accuracy_cells(*parts)
    about = ("of 29", "accuracy, held out", f"baseline {always_right(y, new)} of 29")
    assert first == (str(sum(new == predicted)), *about)
    assert "%" in accuracy_cells(judged(90, 30)[1][0], judged(90, 30)[1][1])[0][1]


def test_without_held_out_rows_the_training_accuracy_has_the_baseline_and_no_interval():
    ((y, learnt), _), (training, none) = judged(90, 0)
    (only,) = accuracy_cells(training, none)
    n = sum(y == learnt)
    always = f"baseline {100 * always_right(y, y) / 90:.1f} %"
    assert only == (f"{100 * n / 90:.1f}", f"% ({n} of 90)", "accuracy, training", always)


def test_an_error_rate_has_what_an_accuracy_has():
    ((y, _), (new, predicted)), (training, part) = judged(90, 57)
    wrong = sum(new != predicted)
    low, high = share_interval(int(wrong), 57)
    assert judged_cell(part, "error", training, is_new=True, errors=True) == (
        f"{100 * wrong / 57:.1f}",
        f"% ({wrong} of 57)",
        "error",
        f"95 %: {100 * low:.1f} to {100 * high:.1f}",
        f"baseline {100 * (57 - always_right(y, new)) / 57:.1f} %",
    )


@pytest.mark.parametrize(("page", "scene"), [
    ("boundaries", {"data": "wine", "m": "cart"}),
    ("boundaries", {"data": "monotone", "m": "mcdf"}),
    ("monotone", {"data": "monotone", "m": "remt", "part": "audit"}),
    ("latent", {"data": "waveform", "m": "gsodt"}),
    ("rules", {"data": "breast_cancer", "m": "c45", "rule_view": "rules"}),
])  # fmt: skip
def test_pages_say_what_always_predicting_the_majority_class_comes_to(page, scene):
    app = seen(page, **scene)
    divided = Work(app.session_state["selection"]).first.division
    y, held = divided.y, divided.held_out_rows
    share = 100 * always_right(y[divided.train_rows], y[held]) / len(held)
    said = re.findall(r"<span>baseline ([\d.]+) %</span>", html(app))
    assert said
    assert {f"{share:.1f}", f"{100 - share:.1f}"} >= set(said)


@pytest.mark.parametrize(
    ("page", "query", "names"),
    [("boundaries", {}, {"node", "leaf"}), ("rules", {"node": 0}, {"node, 1 rule"})],
)
def test_one_node_is_one(page, query, names):
    """A tree that is its root alone has 1 node and 1 leaf, which is 1 rule."""
    said = html(seen(page, data="loan", m="cart", **{"m.min_samples_split": 100}, **query))
    cells = re.findall(r"<b>([^/]{0,60})</b><span>([^<]*)</span>", said)
    assert {("1", name) for name in names} <= set(cells)
    assert not re.search("nodes|leaves|rules", " ".join(name for _, name in cells))


@pytest.fixture
def digits():
    return Work(Selection(data="digits", models=(Model("gsodt"),))).first.picked.tree_


NAMES = tuple(f"class {k}" for k in range(10))


def numbers(html):
    """The numbers of a text, its marks and the numbers of classes left out."""
    text = re.sub(r"class \d+", "", unescape(re.sub(r"<[^>]+>", " ", html)))
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_the_largest_values_and_the_sum_of_the_others():
    assert largest_first(np.array([1.0, 0.0, 5.0, 2.0]), 2) == ([2, 3], 1.0)
    assert largest_first([3.0, 0.0], 5) == ([0], 0.0)


@pytest.mark.parametrize("node", [0, 1, 2])
def test_the_rows_of_the_classes_of_a_node_add_up(digits, node):
    total = digits.n_node_samples[node]
    assert np.count_nonzero(digits.value[node]) > 5
    rows, *of_classes = numbers(side_html(digits, "yes", node, "light"))
    assert (rows, sum(of_classes)) == (total, total)
    assert sum(numbers(counts_words(digits, node, NAMES))) == total
    _, _, held = node_html(digits, node, NAMES).split("<br>")
    assert sum(numbers(held)) == total
    texts = node_texts(digits, np.flatnonzero(digits.n_children == 0), NAMES, [node])
    place = 0 if node == 0 else 1  # after the root
    assert sum(float(n.replace(",", "")) for _, n in texts["steps"]["counts"][place]) == total
    assert texts["steps"]["counts"][place][-1][0] == -1
    shares = numbers(shares_words(supports(digits).classes[node], NAMES))
    assert sum(shares) == pytest.approx(100.0, abs=0.05 * len(shares))


def test_counts_are_exact_however_large():
    y = np.repeat([0, 1, 0, 1], [76_958, 28_914, 15_156, 78_972])
    tree = (
        CARTClassifier(max_depth=1).fit(np.repeat([0.0, 1.0], [105_872, 94_128])[:, None], y).tree_
    )
    assert numbers(side_html(tree, "no", 1, "light")) == [105_872.0, 76_958.0, 28_914.0]
    assert numbers(branch_html("no", np.array([1_234_567, 1_234_569]), 1e7, "light")) == [
        *(2_469_136.0, 1_234_567.0, 1_234_569.0)
    ]


def test_bars_of_thirty_classes_add_up():
    counts = np.arange(1, 31)
    total, *of_classes = numbers(branch_html("yes", counts, 30.0, "light"))
    assert (total, sum(of_classes)) == (465.0, 465.0)


@pytest.mark.parametrize("numbers_", [
    (209.98, 11.58, 178.96), (12.0000001, 0.0, 12.0), (5000.0, 0.0, 3000.0),
    (3.14159, 0.0, 3.14159), (0.00123, 0.0, 0.00456), (1.0 / 3.0, 0.1, 0.2),
])  # fmt: skip
def test_what_is_weighed_at_a_node_adds_up_as_it_is_printed(numbers_):
    printed = adding_up(*numbers_)
    whole, *parts, left = (Decimal(n.replace(",", "").replace("−", "-")) for n in printed)
    assert whole - sum(parts) == left
    assert float(left) == pytest.approx(numbers_[0] - sum(numbers_[1:]), rel=0.03, abs=1e-9)
    assert [float(n) for n in (whole, *parts)] == pytest.approx(numbers_, rel=0.005)


PAGES = ("rules", "growth", "splits", "boundaries", "pruning", "data", "latent", "monotone")
NUMBER = r"−?\d+(?:,\d{3})*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
INTERVAL = re.compile(rf"({NUMBER}) < value ≤ ({NUMBER})")
TEST = re.compile(rf"value (?:≤|>) ({NUMBER})")
D3 = re.compile(r"%\{[xy]:([^}]*)\}")


def write(where):
    """Write a table for each column; its classes take turns, the more often the farther up."""
    for name, values in COLUMNS.items():
        different, place = np.unique(values, return_inverse=True)
        label = np.floor(2 * np.log2(len(different) - place)).astype(int) % 3
        beside = np.round(np.random.default_rng(1).random(len(values)), 2)
        table = {"value": values, "beside": beside, "class": np.array(["a", "b", "c"])[label]}
        pd.DataFrame(table).to_csv(where / f"{name.replace(' ', '_')}.csv", index=False)


folder = with_tables(write)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_no_two_thresholds_alike(page, name):
    data = f"folder.{name.replace(' ', '_')}"
    app = seen(page, data=data, m="cart")
    told = [unescape(re.sub(r"<[^>]*>", " ", text)) for _, text in texts_sent(app)]
    for text in told:
        for low, high in INTERVAL.findall(text):
            assert low != high, text
        if name == "zip":
            assert not re.search(r"\b2\d,\d{3}\b", text), text
    assert not [form for text in told for form in D3.findall(text) if "," in form]
    tree = Work(Selection(data=data, models=(Model("cart"),))).first.picked.tree_
    feature = tree.feature_names.index("value")
    thresholds = np.unique(tree.threshold[tree.feature == feature]).tolist()
    own = {number(threshold, tree.decimals[feature]) for threshold in thresholds}
    assert len(own) == len(thresholds)
    read = {found for text in told for found in TEST.findall(text)}
    if page in ("rules", "growth", "boundaries", "pruning"):
        assert len(read & own) >= 2
        assert page == "growth" or read <= own  # there are runners-up, too
