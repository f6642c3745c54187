"""Statements of the page *splits* about what else might have been chosen at a node."""

import csv
from collections import defaultdict
from functools import cache
from math import comb
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd

from lastviz import CARTClassifier, OptimalTreeClassifier, studies
from lastviz.inspection import lookahead as lookahead_of
from lastviz.plots import number
from lastviz.ui.compute import uploads
from lastviz.ui.compute.ahead import levels_ahead
from lastviz.ui.compute.work import Work
from lastviz.ui.splits import ahead, landscape, nominal, page
from lastviz.ui.splits.details import split_details
from lastviz.ui.splits.landscape import landscape_notes
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model
from tests import naive, naive_hybrid, naive_landscape
from tests.sentences.rows import Kind, Look, drawn, selected, texts_in

PLACE = "ui/splits/"
MEASURED = Path(studies.__file__).with_name("bnm_csn.csv")


@cache
def frame(n_values, seed):
    """A table of a number of so many values, a colour and a class that goes with the number."""
    rng = np.random.default_rng(seed)
    x = np.arange(8 * n_values) % n_values
    table = pd.DataFrame({"colour": rng.choice(["red", "blue"], len(x)), "x": x / 7})
    return table.assign(**{"class": np.where(x + rng.normal(size=len(x)) > n_values / 2, "p", "q")})


def selection_of(scene):
    """That of a link, or of the table of one number, or of a number and a colour."""
    if isinstance(scene, str):
        return selected(scene)
    key, n_values, seed = scene
    table = frame(n_values, seed)[["x", "class"] if key == "cart" else ["colour", "x", "class"]]
    file = uploads.keep(f"{scene}.csv", table.to_csv(index=False).encode(), len(table))
    return DEFAULT.change(data=UPLOAD, upload=file, models=(Model(key),), held=0.0)


def node_of(scene):
    return split_scene(node_view(Work(selection_of(scene)), "light"))


def rows_of(scene):
    """What the root is split by."""
    look = Look(selection_of(scene))
    return look, look.values[look.train], look.y[look.train]


# The details below the split


def details(scene):
    """What stands under a head of the details, of some of the data sets that were measured."""
    part, link, n_sets = scene
    table = studies.results("bnm_csn")
    table = table[table["dataset"].isin(table["dataset"].unique()[:n_sets])]
    place = "lastviz.ui.splits.details."
    with patch(f"{place}segments", return_value=part), patch(f"{place}results") as results:
        results.return_value = table
        return drawn("ui.splits.details", split_details, node_of(link))


def longest_list(scene):
    part, link, _ = scene
    opened = selection_of(link).splits.opened
    if part != "ranking" or opened is None:
        return []
    _, X, _ = rows_of(link)
    n = len(set(X[:, opened].tolist())) - 1
    return [{"n": 500, "all": number(n)}] if n > 500 else []


def compared(scene):
    """Of the candidates that no criterion refuses every second one, or third, up to a thousand."""
    part, link, _ = scene
    node = node_of(link)
    if part != "agreement" or len(set(node.y[node.rows].tolist())) < 2:
        return []
    columns = [column.tolist() for column in node.table.columns.values()]
    known = [row for row in zip(*columns, strict=True) if np.isfinite(row).all()]
    every = next(k for k in range(1, 99) if len(known[::k]) <= 1000)
    return [{"n": number(len(known[::every])), "all": number(len(known))}]


def measured(scene):
    """The gains over Gini of the sets of which every figure is known, in points."""
    part, _, n_sets = scene
    if part != "known":
        return []
    with MEASURED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sets = list(dict.fromkeys(row["dataset"] for row in rows))[:n_sets]
    whole = [each for each in sets
             if all(all(row.values()) for row in rows if row["dataset"] == each)]  # fmt: skip
    found = defaultdict(dict)
    for row in rows:
        if row["dataset"] in whole:
            found[row["algorithm"]][row["dataset"]] = float(row["nested_accuracy"])
    words, gini = [], found.pop("Gini")
    for name, own in found.items():
        gains = [own[each] - gini[each] for each in whole]
        mean = f"{100 * sum(gains) / len(gains):+.1f}".replace("-", "−")
        wins, losses = sum(g > 0 for g in gains), sum(g < 0 for g in gains)
        words.append(f"{name} {mean} points, better on {wins} sets, worse on {losses}")
    about = studies.RESULTS["bnm_csn"]
    return [{"words": "; ".join(words), "source": about.source, "command": about.command}]


# All lines of a plane


def lines_of(scene):
    node = node_of(scene)
    criterion = landscape._criterion(node)
    return node, criterion, None if node.is_pure else landscape._landscape(node, criterion)


def line_words(scene):
    node, _, found = lines_of(scene)
    if found is None or found.best is None:
        return []
    words = landscape_notes(found) + drawn("ui.splits.landscape", landscape._ground, node, found)
    if len(getattr(found.best, "weights", ())):
        words += drawn("ui.splits.landscape", landscape._regrown, node, found.best)
    return words


def points_of(scene):
    """The plane of the first two features, with its distinct points."""
    _, X, y = rows_of(scene)
    plane = X[:, :2]
    return plane, y, len(set(map(tuple, plane.tolist())))


def some_directions(scene):
    node, criterion, _ = lines_of(scene)
    if node.is_pure or criterion in ("gini", "gain_ratio"):
        return []
    return [{"points": number(points_of(scene)[2]), "n": 360}]


def titled(scene):
    titles = {"gini": "Gini gain", "gain_ratio": "gain ratio", "bnm": "BNM", "csn": "CSN"}
    node, criterion, _ = lines_of(scene)
    return [] if node.is_pure else [{"criterion": titles[criterion]}]


@cache
def regrown(scene):
    """Leaves, and which held-out rows are wrong, before and after: two trees below the line."""
    node, _, found = lines_of(scene)
    if node.is_pure or not len(getattr(found.best, "weights", ())):
        return None
    look, X, y = rows_of(scene)
    weights, threshold = found.best.weights, found.best.threshold
    first = X @ weights <= threshold
    below = [CARTClassifier().fit(X[side], y[side]) for side in (first, ~first)]
    leaves = look.n_leaves, sum(tree.tree_.n_leaves for tree in below)
    new = look.values[look.held]
    side = (new @ weights > threshold).astype(int)
    said = np.array([below[s].predict(row[None])[0] for s, row in zip(side, new, strict=True)])
    return leaves, look.predicted[look.held] != look.y[look.held], said != look.y[look.held]


def with_other_leaves(scene):
    found = regrown(scene)
    return [{"before": found[0][0], "after": found[0][1]}] if found else []


def judged(scene):
    found = regrown(scene)
    if not found or not len(found[1]):
        return []
    _, before, after = found
    better = sum(a and not b for a, b in zip(before, after, strict=True))
    worse = sum(b and not a for a, b in zip(before, after, strict=True))
    n = better + worse
    p = min(1.0, 2 * sum(comb(n, k) for k in range(min(better, worse) + 1)) / 2**n)
    return [{"n": len(before), "before": sum(before), "after": sum(after), "better": better,
             "worse": worse, "p": f"{p:.2g}"}]  # fmt: skip


# Two and three levels


def two_of(scene):
    node = node_of(scene)
    return levels_ahead(node.at.table_key, node.values, node.y, node.rows, len(node.table.counts))


def ahead_words(scene):
    return ahead.words_of_two(two_of(scene))


def of_twelve(scene):
    """Of too many steps: those are searched of which one split makes the fewest errors."""
    _, X, y = rows_of(scene)
    n, n_features = X.shape
    n_classes = len(set(y.tolist()))
    if n_features <= 12 or 2 * n_features**2 * n * (n_classes - 1) * np.log2(n) <= 2e8:
        return []
    searched = set(two_of(scene).features.tolist())
    fewest = [naive_landscape.stump_errors(X[:, [f]], y, n_classes) for f in range(n_features)]
    least = max(fewest[f] for f in searched)
    assert all(fewest[f] >= least for f in range(n_features) if f not in searched)
    return [{"n": len(searched)}]


def price_words(scene):
    return drawn("ui.splits.ahead", ahead.trees_below, node_of(scene))


@cache
def best_of_three(scene):
    """The training errors of a best tree of three levels, where not all roots are told apart."""
    _, X, y = rows_of(scene)
    if len(X) * X.shape[1] ** 2 <= 50_000:
        return None
    return int((OptimalTreeClassifier(max_depth=3).fit(X, y).predict(X) != y).sum())


def errors_below(scene, feature, threshold):
    """The training errors of a root with the best two levels below, by the search of two levels."""
    _, X, y = rows_of(scene)
    first, errors = X[:, feature] <= threshold, 0
    for side in (first, ~first):
        found = lookahead_of(X[side], y[side], np.arange(side.sum()), max(y) + 1)
        errors += min(found.leaf_errors, getattr(found.best, "errors", len(y)))
    return errors


def not_drawn(scene):
    fewest = best_of_three(scene)
    if fewest is None:
        return []
    _, X, _ = rows_of(scene)
    most = int(1.1 * fewest)
    ends = [errors_below(scene, f, min(X[:, f])) for f in range(X.shape[1])]
    return [{"most": most}] if max(ends) > most else []


# What a rule takes


def reason_words(scene):
    shown = page.page_scene(Work(selection_of(scene)), "light")
    if isinstance(shown, nominal.TestScene):
        return drawn("ui.splits.nominal", nominal._table, shown)
    return texts_in(shown.explanations())


def hybrid_rows(scene):
    look, X, y = rows_of(scene)
    return look, look.estimator.get_params(), X, y


def of_last_stage(scene):
    """Of the three of the largest Gini gain those of the smallest CSN; the first of them wins."""
    if "m=hybrid" not in str(scene):
        return []
    look, params, X, y = hybrid_rows(scene)
    if params["criterion"] != "csn":
        return []
    table = naive_hybrid.table(X, y, max(y) + 1)
    top = naive_hybrid.ordered_in_groups(table, lambda row: row["gini"])[:3]
    tied = naive_hybrid.least(top, lambda row: row["csn"])
    own = look.tree.feature[0], look.tree.threshold[0]
    assert own == (tied[0]["feature"], tied[0]["threshold"])
    names = list(look.divided.X.columns)
    tied.sort(key=lambda row: (row["feature"], row["threshold"]))
    tests = [f"{names[row['feature']]} ≤ {number(float(row['threshold']))}" for row in tied]
    return [{"n": len(tied), "tests": ", ".join(tests)}] if len(tied) > 1 else []


def along_the_feature(scene):
    """Of so many rows the penalty of a candidate is that along its feature, not the exact one."""
    if "m=hybrid" not in str(scene):
        return []
    _, params, X, y = hybrid_rows(scene)
    if params["penalty"] != "exact" or len(y) <= 1500:
        return []
    node, Z = node_of(scene), naive_hybrid.normalise(X)
    i = len(node.table.feature) // 3
    f = node.table.feature[i]
    left = X[:, f] <= node.table.threshold[i]
    penalty = naive_hybrid.penalty(Z[:, f], y, left, Z[left, f].max())
    own = naive_hybrid.bnm5(Z, y, left) - penalty
    np.testing.assert_allclose(node.table.columns["bnm"][i], own, rtol=1e-9)
    return [{"n": number(1500)}]


def equal_components(scene):
    """Of the components of the tree's own space, those that gain as much as the best."""
    node = node_of(scene)
    if node.basis is None:
        return []
    X, y = node.values[node.rows], node.y[node.rows]
    scored = []
    for f, t, a, b in naive.candidates(X, y, max(y) + 1):
        gain = naive.gain(a, b, naive.entropy)
        scored.append((gain / naive.entropy([sum(a), sum(b)]), gain, f, t))
    ratio, gain, *_ = max(scored)
    tied = [(f, t) for r, g, f, t in scored if abs(r - ratio) < 1e-9 and abs(g - gain) < 1e-9]
    tests = [f"u{f + 1} ≤ {number(float(t))}" for f, t in tied]
    return [{"n": len(tied), "tests": ", ".join(tests)}] if len(tied) > 1 else []


def all_tests(scene):
    """A test for each two neighbouring numbers, and one for all colours."""
    if isinstance(scene, str) or scene[0] == "cart":
        return []
    n = len(set(frame(*scene[1:])["x"])) - 1 + 1
    return [{"n": 500, "all": number(n)}] if n > 500 else []


def no_tree(link):
    selection = selected(link)
    return drawn("ui.splits.page", page._grow, selection.splits.rule)


def needs_order(link):
    parts = dict(parse_qsl(link))["rule"].replace("+1*", ",").split(",")
    ordered = [part for part in parts if part in ORDERED]
    return [{"criterion": ORDERED[ordered[0]]}] if ordered else []


ORDERED = {
    "rmi": "rank mutual information",
    "rmi_descending": "rank mutual information, descending",
    "rmi_mean": "rank mutual information, mean of both",
}
IRIS, XOR, MOONS = (f"data={key}&m=cart" for key in ("iris", "xor", "moons&n_samples=60"))
PURE = f"{IRIS}&node=1"
LONG = tuple(
    ("ranking", f"data={key}&m=cart&opened={f}", 0)
    for key, f in (("gauss_2d", 1), ("gauss_2d", 2), ("checkerboard&n_samples=2000", 1))
)
RANKED = tuple(
    ("agreement", link, 0) for link in (IRIS, "data=wine&m=cart", "data=gauss_2d&m=cart")
)
KNOWN = tuple(("known", IRIS, n) for n in (4, 9, 99))
LINES = tuple(f"{link}&n_samples=40" for link in (XOR, "data=diagonal&m=cart", "data=moons&m=c45"))
SOME = (f"{LINES[0]}&by=bnm", f"{LINES[1]}&by=csn", f"{LINES[2]}&by=bnm")
REGROWN = (f"{XOR}&n_samples=200", "data=diagonal&n_samples=200&m=cart", f"{XOR}&seed=2")
UNJUDGED = tuple(f"{link}&held=0" for link in REGROWN)
WIDE = ("data=digits&m=cart", "data=waveform_noise&m=cart", "data=digits&m=cart&seed=2")
PRICED = tuple(f"data=waveform&n_samples=180&m=cart&seed={seed}" for seed in (1, 2, 3))
CSN = tuple(f"data=iris&m=hybrid&m.criterion=csn&seed={seed}" for seed in (0, 1, 3))
EXACT = tuple(f"data={key}&m=hybrid&m.penalty=exact&m.max_depth=2&m.criterion=bnm" for key in (
    "gauss_2d&n_samples=2200", "xor&n_samples=2200", "moons&n_samples=2300"))  # fmt: skip
COMPONENTS = tuple(f"data={key}" for key in (
    "xor&n_samples=60&m=gsodt&seed=3", "moons&n_samples=40&m=lsodt&seed=0",
    "blobs&n_samples=45&m=gsodt&seed=0"))  # fmt: skip
TABLES = tuple(("c45", n, 1) for n in (510, 600, 620))
RULES = tuple(f"data=monotone&m=cart&rule={rule}" for rule in (
    "rmi", "gini%2B1*rmi_mean", "gini,5,rmi_descending"))  # fmt: skip
DETAILS, WORDS = f"{PLACE}details.py::", f"{PLACE}landscape.py::"
ROWS = [
    Kind(f"{DETAILS}ranking", "The best {n} of {all}.", details, longest_list, LONG,
         [("ranking", IRIS, 0), ("agreement", LONG[0][1], 0)]),
    Kind(f"{DETAILS}criteria_agreement", "Kendall's tau between", details, compared, RANKED,
         [("agreement", PURE, 0), LONG[0]]),
    Kind(f"{DETAILS}known_criteria", "Five-fold cross-validation", details, measured, KNOWN,
         RANKED[0]),
    Kind(f"{PLACE}landscape.py::_ground", "Landscape of {criterion}", line_words, titled,
         (LINES[0], LINES[2], SOME[1]), PURE),
    Kind(f"{WORDS}landscape_notes", "Darker is better", line_words, titled,
         (LINES[0], LINES[2], SOME[1]), PURE),
    Kind(f"{WORDS}landscape_notes", "directions were looked at", line_words, some_directions, SOME,
         [PURE, LINES[0]]),
    Kind(f"{WORDS}regrown_words", "Regrown from the best line", line_words, with_other_leaves,
         REGROWN, PURE),
    Kind(f"{WORDS}regrown_words", "held-out rows it makes", line_words, judged, REGROWN,
         [PURE, UNJUDGED[0]]),
    Kind(f"{PLACE}ahead.py::words_of_two", "Only the {n} features", ahead_words, of_twelve, WIDE,
         [IRIS, "data=waveform&n_samples=200&m=cart"]),
    Kind(f"{PLACE}ahead.py::trees_below", "Not drawn", price_words, not_drawn, PRICED, MOONS),
    Kind(f"{PLACE}words.py::BEST_BEFORE", "last step is shared", reason_words, of_last_stage, CSN,
         [IRIS, f"{CSN[0][:-1]}2"]),
    Kind(f"{PLACE}words.py::FIRST_OF_EQUALS", "shared by {n}: {tests}. Among equals, the first",
         reason_words, equal_components, COMPONENTS, "data=iris&m=gsodt"),
    Kind(f"{PLACE}threshold.py::_approximate", "With more than {n} rows", reason_words,
         along_the_feature, EXACT,
         [CSN[0], "data=xor&n_samples=400&m=hybrid&m.penalty=exact&m.criterion=bnm"]),
    Kind(f"{PLACE}nominal.py::_table", "The best {n} of {all}.", reason_words, all_tests,
         TABLES, [("c45", 90, 1), IRIS]),
    Kind(f"{PLACE}page.py::_grow", "no tree grows here", no_tree, needs_order, RULES,
         f"{IRIS}&rule=gini,5,csn"),
]  # fmt: skip
