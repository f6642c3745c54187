"""The page *splits*: what it says is what the search and the table say."""

import re
from dataclasses import replace

import numpy as np
import pytest

from lastviz import HybridTreeClassifier
from lastviz.criteria import CRITERIA
from lastviz.criteria.expression import tex_number
from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table, rank_columns, split_search
from lastviz.plots import number, plain_split
from lastviz.tree import Kind
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import report_blocks
from lastviz.ui.shared.figures import column_title
from lastviz.ui.splits.details import listed_candidates
from lastviz.ui.splits.node import node_features, node_view
from lastviz.ui.splits.page import blocks, page_scene
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.splits.threshold import lab_figure
from lastviz.ui.state.codec import encode
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import said, seen, words

XOR = {"data": "xor", "noise": 0.14, "n_samples": 200, "held": 0, "seed": 2}


def fitted(**params):
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    return HybridTreeClassifier(**params).fit(X, y), X, y


def test_the_chosen_split_its_stages_and_ranks_are_those_of_the_search():
    app = seen("splits", **XOR, m="hybrid", **{"m.w2": 0.1, "m.k": 5})
    model, X, y = fitted(w2=0.1, k=5)
    search = split_search(model, X, y, 0)
    table = candidate_table(X, y, np.arange(200), 2)
    text = words(app)
    assert f"{search.n_candidates} → 5" in text
    assert "5 → 1" in text
    threshold = f"{search.threshold[search.winner]:.4g}"
    assert threshold in text
    rank = rank_columns(table, "csn")[search.winner]
    assert f"CSN, rank {rank} of {search.n_candidates}" in text


@pytest.mark.parametrize("criterion", ["bnm%2Bcsn", "bnm", "csn", "spes"])
def test_a_report_has_the_formulas_of_the_rule_and_others_where_they_are_asked_for(criterion):
    """Of the details, too; then no formula stands twice."""
    link = f"data=xor&n_samples=60&m=hybrid&m.criterion={criterion}"
    told = {}
    for asked in ("", "&lab=formulas", "&lab=formulas&criteria=all"):
        scene = page_scene(Work(selected(link + asked)), "light")
        texts = [getattr(block, "text", "") for block in report_blocks(blocks(scene))]
        told[asked] = [text.split(" · ")[0] for text in texts if text.endswith("is good")]
    own = [CRITERIA[name].title for name in scene.candidates.read]
    assert told[""] == told["&lab=formulas"] == own
    *_, everything = told.values()
    assert everything[: len(own)] == own
    assert len(everything) == len(set(everything)) == len(scene.candidates.table.columns)


@pytest.mark.parametrize("criterion", ["bnm+csn", "bnm", "csn", "gain_ratio", "segment", "spce"])
def test_the_table_of_candidates_judged_is_the_search_replayed(criterion):
    model = Model("hybrid", (("criterion", criterion), ("k", 7)))
    selection = Selection(data="wine", held=0.0, models=(model,))
    estimator = Work(selection).first.estimator
    X, y = Work(selection).first.division.X, Work(selection).first.division.y
    for node in np.flatnonzero(estimator.tree_.n_children):
        grown = Work(selection).first.node(node).origin
        replayed, shown = (
            split_search(estimator, X, y, grown),
            Work(selection).first.node(node).search,
        )
        assert shown.rule == replayed.rule
        for ours, theirs in zip(shown.survivors, replayed.survivors, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        for name, column in replayed.columns.items():
            np.testing.assert_array_equal(shown.columns[name], column)
        np.testing.assert_array_equal(shown.threshold, replayed.threshold)


def test_a_moved_weight_moves_the_chosen_split():
    app = opened("splits", **XOR, m="hybrid", **{"m.w2": 0.1, "m.k": 5})
    before = re.search(r'lv-split"><b>(.*?)</b>', html(app))[1]
    slider = next(s for s in app.select_slider if "BNM" in s.label)
    slider.set_value(0.0).run()
    assert not app.exception
    after = re.search(r'lv-split"><b>(.*?)</b>', html(app))[1]
    assert before != after
    model, X, y = fitted(w2=0.0, k=5)
    search = split_search(model, X, y, 0)
    assert f"{search.threshold[search.winner]:.4g}".replace("-", "−") in after


def test_a_picked_candidate_is_lit_in_table_and_children():
    app = seen("splits", **XOR, m="hybrid", pick=31)
    model, X, y = fitted()
    table = candidate_table(X, y, np.arange(200), 2)
    of_tree = model.tree_.decimals[table.feature[30]]  # the same digits as beside the tree
    threshold = number(float(table.threshold[30]), max(of_tree, table.decimals_at(30)))
    picked = re.search(r'<tr class="lv-picked">(.*?)</tr>', html(app), re.S)[1]
    assert threshold in picked
    children = re.search(r'lv-children lv-picked">(.*?)</ul></div></div></div>', html(app), re.S)[1]
    counts = [int(n) for n in re.findall(r"<span>(\d+)</span>", children)]
    assert counts == [*table.left_counts[30], *table.right_counts[30]]


def test_a_rule_of_ones_own_is_applied_to_the_table():
    app = seen("splits", **XOR, m="cart", rule="gini+0.1*bnm,7,csn")
    _, X, y = fitted()
    table = candidate_table(X, y, np.arange(200), 2)
    rule = OwnRule.parse("gini+0.1*bnm,7,csn").rule
    winner = int(rule.apply(table.feature, table.columns)[-1][0])
    text = words(app)
    assert f"{table.n_candidates} → 7" in text
    row = re.search(r"<small>this rule.*?</tr>", html(app), re.S)[0]
    middle = (table.threshold[winner] + table.upper[winner]) / 2  # where CART would cut
    assert f"{middle:.4g}".replace("-", "−") in row


@pytest.mark.parametrize(
    "query",
    [
        {"data": "xor", "m": "hybrid", "m.k": 1000},
        {"data": "xor", "m": "hybrid", "m.w2": 0},
        {"data": "digits", "m": "hybrid", "m.max_depth": 2},
        {"data": "wine", "m": "c45", "lab": "agreement", "node": 3},
        {"data": "xor", "m": "cart", "node": 999, "pick": 99999, "lab": "formulas"},
        {"data": "gauss_2d", "n_samples": 200, "m": "cart", "lab": "panels"},
        {"data": "iris", "m": "c45", "m2": "hybrid", "lab": "growth"},
        {"data": "xor", "m": "cart", "lab": "known"},
        {"data": "moons", "m": "cart", "distances": "csn", "curves": "bnm.csn.ratio.hellinger"},
        {"data": "moons", "m": "gsodt", "m2": "oc1", "m2.n_restarts": 2, "lab": "growth"},
        {"data": "iris", "m": "lsodt", "m2": "svm_tree", "lab": "growth"},
        {"data": "iris", "m": "gsodt", "m.latent": "pca", "distances": "bnm", "lab": "formulas"},
        {"data": "iris", "m": "gsodt", "rule": "gini+0.1*bnm,7,csn", "lab": "agreement"},
        {"data": "iris", "m": "gsodt", "opened": 2, "pick": 100},
        {"data": "xor", "m": "c45", "m2": "c45", "m2.pruning": "none", "lab": "growth"},
    ],
)
def test_any_node_of_any_model_has_a_page(query):
    app = seen("splits", **query)
    assert "lv-ranks" in html(app)
    assert "nan" not in words(app)


@pytest.mark.parametrize("penalty", ["approximate", "exact"])
def test_what_is_measured_in_a_latent_space_is_measured_on_its_coordinates(penalty):
    selection = Selection(data="iris", models=(Model("gsodt", (("latent", "pca"),)),))
    scene = split_scene(node_view(Work(selection), "light"))
    estimator, rows = (Work(selection).first.estimator, Work(selection).first.division.train_rows)
    basis = estimator.grown_tree_.bases[0]
    Z = basis.coordinates(Work(selection).first.division.values[rows])
    naive = candidate_table(Z, Work(selection).first.division.y[rows], np.arange(len(rows)), 3)
    for name in ("gini", "bnm", "csn", "hellinger"):
        np.testing.assert_allclose(scene.columns[name], naive.columns[name], rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(scene.table.left_counts, naive.left_counts)
    middle = (naive.threshold + naive.upper) / 2
    np.testing.assert_allclose(scene.table.threshold, middle, atol=1e-9)
    scene.at.measures = {"penalty": penalty}
    geometry = scene.geometry(scene.chosen)
    sides = [len(side) for side in geometry.rows]
    assert sides == [int(estimator.grown_tree_.n_node_samples[c]) for c in (1, 2)]


def test_a_leaf_says_what_would_be():
    app = seen("splits", data="xor", m="cart", **{"m.max_depth": 1, "node": 1})
    assert "would be chosen here" in words(app)


def test_a_leaf_without_anything_to_gain_has_no_split():
    app = seen("splits", data="xor", m="cart", node=4)
    text = words(app)
    assert "This leaf has no split. All rows here have the same class." in text
    assert "would be chosen here" not in text
    assert "rank 1" not in text
    captions = [caption.value for caption in app.caption]
    assert any("there is nothing to rank" in caption for caption in captions)


def test_a_split_that_was_replaced_says_by_which():
    said = words(seen("splits", data="moons", held=0, m="tao", **{"m.oblique": "false"}))
    assert "was the first split here, on 400 rows; now x" in said


def test_a_pruned_leaf_says_what_was_cut():
    selection = Selection(data="gauss_2d", models=(Model("c45"),))
    estimator = Work(selection).first.estimator
    tree, grown = estimator.tree_, estimator.grown_tree_
    origins = {
        n: Work(selection).first.node(n).origin for n in np.flatnonzero(tree.n_children == 0)
    }
    leaf = next(n for n, origin in origins.items() if not grown.is_leaf(origin))
    app = seen("splits", **encode(selection) | {"node": int(leaf)})
    assert "was the split here before pruning" in words(app)
    shown = re.search(r'lv-split"><b>(.*?)</b>', html(app))[1]
    assert re.sub(r"<[^>]+>", "", shown) == plain_split(grown, origins[leaf])


@pytest.mark.parametrize(
    ("key", "data"), [("cart", "iris"), ("c45", "iris"), ("gsodt", "circles"), ("hybrid", "iris")]
)
def test_a_tie_is_named_with_all_that_share_it(key, data):
    criterion = (("criterion", "gini"),) if key == "hybrid" else ()
    selection = Selection(data=data, models=(Model(key, criterion),))
    search = Work(selection).first.node(0).search
    read = [search.columns[stage.column] for stage in search.rule.stages]
    same = [np.isclose(column, column[search.winner], atol=1e-12) for column in read]
    tied = np.flatnonzero(np.all(same, axis=0))
    text = words(seen("splits", **encode(selection)))
    if len(tied) == 1:
        assert "Rank 1 is shared by" not in text
        return
    assert f"Rank 1 is shared by {len(tied)}: " in text
    listed = re.search(r"Rank 1 is shared by \d+: (.*?)\. Among equals", text)[1]
    assert listed.count(" ≤ ") == min(len(tied), 12)


def test_what_the_rule_reads_is_shown_where_it_corrects_a_criterion():
    selection = Selection(data="iris", models=(Model("c45"),))
    search = Work(selection).first.node(0).search
    text = words(seen("splits", **encode(selection)))
    for name, title in (("gain", "information gain"), ("gain_ratio", "gain ratio")):
        value = search.columns[name][search.winner]
        assert re.search(rf"{value:.4g}\W+(bits\W+)?{title}, as the rule counts it", text)
    plain = Selection(data="iris", models=(Model("c45", (("mdl_correction", False),)),))
    assert "as the rule counts it" not in words(seen("splits", **encode(plain)))


def test_no_menu_and_no_table_shows_a_raw_key():
    for name, criterion in CRITERIA.items():
        assert "_" not in column_title(name)
        assert column_title(name) != name or "_" not in criterion.title
    app = seen("splits", data="iris", m="hybrid", rule="gini,5,csn")
    options = [o for box in (*app.selectbox, *app.multiselect) for o in box.options]
    heads = [head for frame in app.dataframe for head in frame.value.columns]
    assert len(options) > 50
    assert not [word for word in (*options, *heads) if "_" in word]


def test_wrong_parts_of_a_link_are_named():
    app = seen("splits", data="xor", m="cart", rule="gini>csn", curves="beauty")
    text = words(app)
    assert "gini&gt;csn" in text
    assert "criterion “beauty”, which is not here" in text


@pytest.mark.parametrize("text", ["gini", "gini+0.1*bnm", "gini+0.1*bnm,5,csn", "csn,3,gini"])
def test_a_rule_is_read_as_it_is_written(text):
    assert str(OwnRule.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "beauty", "gini,0,csn", "gini,5", "gini+bnm", "gini,5000,csn"]
)
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        OwnRule.parse(text)


@pytest.mark.parametrize(
    ("data", "key", "node"),
    [("iris", "cart", 0), ("wine", "c45", 2), ("loan", "id3", 0), ("waveform", "gsodt", 0),
     ("moons", "oc1", 0), ("three_spirals", "svm_tree", 0)],
)  # fmt: skip
def test_the_rows_of_a_node_are_shown_by_feature(data, key, node):
    selection = replace(DEFAULT, data=data, models=(Model(key, node=node),))
    seen("splits", data=data, m=key, node=str(node))
    at = node_view(Work(selection), "light")
    shown = node_features(at, 6)
    n_features = at.division.values.shape[1]
    assert len(shown) == min(6, n_features)
    columns = list(at.division.X.columns)
    for feature in shown:
        values = at.division.values[at.rows, columns.index(feature.name)]
        np.testing.assert_array_equal(feature.values, values)
    split = [feature for feature in shown if feature.threshold is not None]
    if at.grown.kind[at.origin] == Kind.THRESHOLD:
        assert [(f.name, f.threshold) for f in split] == [
            (columns[at.grown.feature[at.origin]], at.grown.threshold[at.origin])
        ]
        assert shown[0].chosen
    else:
        assert split == []


def test_all_features_of_a_node_are_shown_on_demand():
    app = opened("splits", data="waveform", m="cart")
    checked(app.toggle(key="every_feature").set_value(True).run())
    assert app.query_params["every_feature"] == "true"


@pytest.mark.parametrize(("model", "where"), [
    ("cart", "midway between the two rows"), ("c45", "midway between the two rows"),
    ("hybrid", "at the largest value on the yes side"),
])  # fmt: skip
def test_it_says_where_between_two_rows_a_threshold_stands(model, where):
    app = seen("splits", data="wine", m=model, held=0)
    assert f"This algorithm puts a threshold {where}" in words(app)
    model, wine = Work(app.session_state["selection"]).first.picked, load_dataset("wine")
    column = np.sort(wine.numeric_X.to_numpy()[:, model.tree_.feature[0]])
    threshold = model.tree_.threshold[0]
    assert (threshold in column) == ("value" in where)
    below, above = column[column <= threshold][-1], column[column > threshold][0]
    middle = below if "value" in where else (below + above) / 2
    assert threshold == pytest.approx(middle, rel=1e-12)


def test_rows_kept_for_pruning_are_named_where_the_others_are_counted():
    app = seen("boundaries", data="iris", m="oc1")
    model = Work(app.session_state["selection"]).first.picked
    assert model.n_held_out_ > 0
    n = len(Work(app.session_state["selection"]).first.division.train_rows)
    assert model.tree_.n_node_samples[0] == n - model.n_held_out_
    for page in (app, seen("splits", data="iris", m="oc1")):
        shown = re.sub(r"\s+", " ", words(page))
        assert f"{model.n_held_out_} of {n} training rows kept for pruning" in shown
    app = seen("boundaries", data="iris", m="cart")
    assert "kept for pruning" not in words(app)


@pytest.mark.parametrize(("data", "is_said"), [("loan", True), ("iris", False)])
def test_the_gain_of_nominal_features_is_said_to_be_with_a_branch_for_each(data, is_said):
    said = [caption.value for caption in seen("splits", data=data, m="cart").caption]
    assert any("that of a branch for each category" in each for each in said) == is_said


def test_the_gain_of_a_nominal_feature_is_with_a_branch_for_each_category():
    at = node_view(Work(Selection(data="loan", models=(Model("cart"),), held=0.0)), "light")
    for feature in node_features(at, 10):
        codes, y = feature.values.astype(int), at.division.y[at.rows]

        def gini(rows):
            return 1 - sum(np.mean(rows == k) ** 2 for k in (0, 1))

        parts = [y[codes == c] for c in np.unique(codes)]
        gain = gini(y) - sum(len(part) / len(y) * gini(part) for part in parts)
        assert feature.note.startswith(f"Gini gain {number(float(f'{gain:.3g}'))}")


@pytest.mark.parametrize("measured", ["bnm", "csn"])
def test_the_formula_of_the_drawn_distances_has_their_numbers(measured):
    _, X, y = fitted()
    table = candidate_table(X, y, np.arange(200), 2)
    app = seen("splits", **XOR, m="hybrid", pick=31, distances=measured)
    formulas = said(app, "latex")
    assert rf"\mathrm{{{measured.upper()}}}" in formulas
    assert tex_number(float(table.columns[measured][30])) in formulas


def test_criteria_are_expanded_below_the_table_that_names_them():
    text = words(seen("splits", **XOR, m="hybrid"))
    assert "BNM: between-node margin within the same class." in text
    assert "CSN: within-class compactness and between-class separation in the same node." in text


@pytest.mark.parametrize("start", ["cart", "c45", "optimal"])
def test_every_node_of_tao_is_shown_wherever_it_starts(start):
    model = Model("tao", (("start", start), ("max_depth", 3)))
    selection = DEFAULT.having(data="wine", models=(model,))
    for node in range(Work(selection).first.tree.n_nodes):
        shown = selection.having(models=(replace(model, node=node),))
        scene = split_scene(node_view(Work(shown), "light"))
        assert scene.at.index == node
        assert scene.at.stored_split is None or scene.chosen is not None


def test_the_lines_of_two_models_of_one_algorithm_have_names_that_find_room():
    models = (Model("hybrid"), Model("hybrid", (("k", 30), ("w2", 0.1))))
    selection = Selection(data="xor", params=(("noise", 0.1),), models=models, seed=1)
    figure = lab_figure(split_scene(node_view(Work(selection), "light")))
    names = [a["text"] for a in figure.layout["annotations"] if "leaves" in a["text"]]
    sides = sorted(re.sub("<[^>]+>", "", name) for name in names)
    leaves = [Work(selection).models[i].tree.n_leaves for i in (0, 1)]
    assert sides == [f"Left: {leaves[0]} leaves", f"Right: {leaves[1]} leaves"]


@pytest.mark.parametrize("key", ["cart", "hybrid"])
def test_each_feature_has_one_best_candidate(key):
    scene = split_scene(node_view(Work(Selection(data="wine", models=(Model(key),))), "light"))
    shown, _ = listed_candidates(scene, None)
    marked = {scene.chosen, scene.picked, scene.favourite}
    features = scene.table.feature[[i for i in shown.tolist() if i not in marked]].tolist()
    assert len(set(features)) == len(features)
    assert set(scene.table.feature[shown].tolist()) == set(scene.table.feature.tolist())


def gain_of(y, left):
    """Gini gain of a division, the slow way."""

    def gini(part):
        return 1 - sum(np.mean(part == code) ** 2 for code in np.unique(part))

    return gini(y) - sum(len(part) / len(y) * gini(part) for part in (y[left], y[~left]))


def test_the_best_of_each_feature_is_the_best_of_all_its_thresholds():
    scene = split_scene(node_view(Work(Selection(data="wine", models=(Model("cart"),))), "light"))
    X, y = scene.values[scene.rows], scene.y[scene.rows]
    best = {
        f: max(gain_of(y, column <= cut) for cut in np.unique(column)[:-1])
        for f, column in enumerate(X.T)
    }
    listed = scene.best_of_axes(5)
    features = [int(scene.table.feature[i]) for i in listed]
    assert features == sorted(best, key=best.get, reverse=True)[:5]
    assert scene.columns["gini"][listed] == pytest.approx([best[f] for f in features])


def test_a_page_says_the_criteria_of_the_rule_and_all_of_them_where_they_are_compared():
    own, every = (seen("splits", **XOR, m="cart", criteria=which) for which in ("own", "all"))
    assert "CSN" not in words(own)
    assert {"gain ratio", "BNM", "CSN"} <= set(re.findall(r"gain ratio|BNM|CSN", words(every)))
