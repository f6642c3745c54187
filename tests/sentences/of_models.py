"""Statements about trees: what they are right about, their borders, what greed and pruning cost."""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from lastviz.datasets import DATASETS
from lastviz.plots import number
from lastviz.ui.boundaries.details import notices, slice_notes
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute import ahead
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.details import story
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.pruning.words import errors_table, verdict
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.short import verdict as in_short_verdict
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.shared.headline import verdict_on
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.splits.ahead import words_of_three, words_of_two
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from tests import naive_optimal
from tests.sentences.rows import Kind, Look, Said, count, percent, right_words, selected

CUT = "ui/pruning/words.py::"
TITLES = {"cart": "CART", "c45": "C4.5", "oc1": "OC1", "remt": "REMT"}


def looks(scene):
    return [Look(scene, place) for place in range(len(selected(scene).models))]


def titled(look, place=0):
    return TITLES[look.selection.models[place].key]


# What cutting back does to held-out rows


def cut_words(scene):
    return verdict(pruning_scene(Work(selected(scene)), "light"))


def cut_table(scene):
    return [errors_table(pruning_scene(Work(selected(scene)), "light"))]


def cut(holds, *, on_training=False, is_cut=True):
    """The twin of a verdict that holds of the wrong rows before, after, and of chance."""

    def twin(scene):
        shown, look = pruning_scene(Work(selected(scene)), "light"), Look(scene)
        rows = look.held if len(look.held) else look.train
        if bool(len(shown.cut)) != is_cut or not (len(look.held) or on_training):
            return []
        wrong = [
            [tree.predict(look.values[[i]])[0] != look.y[i] for i in rows]
            for tree in (shown.tree, shown.trees.pruned(shown.at))
        ]
        grown, left = (sum(each) for each in wrong)
        ones = (zip(*pair, strict=True) for pair in (wrong, wrong[::-1]))
        n, m = (sum(bool(a and not b) for a, b in pairs) for pairs in ones)
        chance = 2 * sum(comb(n + m, k) for k in range(min(n, m) + 1)) / 2 ** (n + m)
        leaves = count(shown.tree.n_leaves, "leaf", "leaves")
        values = {"leaves": shown.trees.n_leaves[shown.at], "all": leaves}
        values |= {"n": len(rows), "after": left, "before": grown}
        values["rows"] = "held-out rows" if len(look.held) else "training rows"
        values["p"] = float(f"{chance:.2g}")
        return [values] if holds(grown, left, chance) else []

    return twin


def held_rows(scene):
    held = Look(scene).held
    return [{"n": len(held)}] if len(held) else []


# Models beside each other, against always predicting the majority class


def side_by_side(scene):
    shown = scene_of(Work(selected(scene)), "light")
    views = [*shown.views.values()]
    titles = [TITLES[model.key] for model in selected(scene).models]
    return verdict_on(titles, views, shown.class_names, Work(selected(scene)).first.division)


def classified(scene):
    """Rows that each gets right on its way from node to node, the best first."""
    if selected(scene).rules.cost_miss != 1:
        return []
    looks = [Look(scene, place) for place in range(len(selected(scene).models))]
    look = looks[0]
    rows = look.held if len(look.held) else look.train
    found = [sum(each.class_at(each.values[i]) == each.y[i] for i in rows) for each in looks]
    names = [TITLES[model.key] for model in selected(scene).models]
    order = sorted(range(len(found)), key=lambda place: -found[place])
    learnt = [look.y[i] for i in look.train]
    most = max(sorted(set(learnt)), key=learnt.count)
    behind = " and ".join(f"{names[i]}: {found[i]}" for i in order[1:])
    return [{"model": names[order[0]], "value": found[order[0]], "n": len(rows),
             "rows": "held-out rows" if len(look.held) else "training rows",
             "others": f" ({behind})" if behind else "",
             "base": sum(look.y[i] == most for i in rows),
             "name": class_names_of(Work(selected(scene)).dataset)[most]}]  # fmt: skip


# A tree against always predicting the majority class


def in_short(scene):
    shown = rule_scene(Work(selected(scene)), "light")
    return [in_short_verdict(shown.found, shown.class_names)]


def wilson(n_right, n):
    """Where the score test does not reject, found by halving."""

    def rejects(share):
        return abs(n_right / n - share) > 1.959963984540054 * (share * (1 - share) / n) ** 0.5

    ends = []
    for beyond in (0.0, 1.0):
        inside = n_right / n
        for _ in range(60):
            middle = (beyond + inside) / 2
            beyond, inside = (middle, inside) if rejects(middle) else (beyond, middle)
        ends.append(inside)
    return ends


def against(kind):
    """The twin of a verdict of a kind, of a tree as the page shows it."""

    def twin(scene):
        look = Look(scene)
        rows = look.held if len(look.held) else look.train
        right = sum(look.tree.prediction[look.leaf(look.values[i])] == look.y[i] for i in rows)
        names = rule_scene(Work(look.selection), "light").class_names
        learnt = [sum(look.y[i] == k for i in look.train) for k in range(len(names))]
        most = learnt.index(max(learnt))
        always = sum(look.y[i] == most for i in rows)
        low, high = wilson(right, len(rows))
        if not len(look.held):
            found = "none"
        elif len(rows) < 30:
            found = "few"
        elif low <= always / len(rows) <= high:
            found = "same"
        else:
            found = "better" if always / len(rows) < low else "worse"
        values = {"n": len(rows), "right": right, "name": names[most], "constant": always}
        values |= {"share": right / len(rows), "base": always / len(rows)}
        values |= {"low": low, "high": high}
        return [values] if found == kind else []

    return twin


# What a model is right about


def boundaries(scene):
    return notices(scene_of(Work(selected(scene)), "light"))


def disagreements(scene):
    found = []
    for (i, a), (j, b) in combinations(enumerate(looks(scene)), 2):
        n = sum(x != y for x, y in zip(a.predicted, b.predicted, strict=True))
        values = {"a": titled(a, i), "b": titled(b, j), "n": number(n)}
        found.append(values | {"all": number(len(a.y))})
    return found


def params_of(scene):
    selection = selected(scene)
    usual = {param.name: param.default for param in DATASETS[selection.data].PARAMS}
    return selection.data, usual | dict(selection.params)


def best_error(scene):
    """The error of the best rule: label noise, or the lesser densities on a grid added up."""
    data, params = params_of(scene)
    if data in ("diagonal", "checkerboard"):
        return params["label_noise"]
    centres, widths, codes = {
        "xor": lambda: (np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), [params["noise"]] * 4, "0011"),
        "gauss_2d": lambda: (np.zeros((2, 2)), [1.0, params["spread"]], "01"),
    }[data]()
    ends = 9 * max(widths)
    along = np.linspace(-ends, 1 + ends, 1501)
    density = {"0": 0.0, "1": 0.0}
    for (x, y), width, code in zip(centres, widths, codes, strict=True):
        one, two = (np.exp(-((along - c) ** 2) / (2 * width**2)) for c in (x, y))
        density[code] += np.outer(one, two) / (2 * np.pi * width**2 * len(codes))
    return float(np.minimum(*density.values()).sum() * (along[1] - along[0]) ** 2)


def overlapping(scene):
    if selected(scene).data in ("iris", "wine"):
        return []
    error = best_error(scene)
    return [{"share": percent(1 - error)}] if error else []


def apart(scene):
    return [] if overlapping(scene) else [{}]


def straight(scene):
    """Whether there are tests, and each of each tree reads one value of a row."""
    trees = [look.tree for look in looks(scene)]
    read = np.concatenate([tree.feature[tree.n_children > 0] for tree in trees])
    return [{}] if len(read) and (read >= 0).all() else []


# A slice through a model of more features than two


def sliced(scene):
    found = scene_of(Work(selected(scene)), "light")
    return [x for place in found.views for x in slice_notes(found, place)]


def in_slice(look, plane, across, upward):
    """The class of the model where two features are so, and the others as the slice has them."""
    x = plane.at_in(look.divided.form).astype(float).copy()
    first, second = plane.columns_in(look.divided.form)
    x[first], x[second] = across, upward
    return look.tree.predict(x[None])[0] if len(look.tree.kernel) else look.class_at(x)


def fidelity(scene):
    found = []
    for look in looks(scene):
        plane = plane_of(Work(look.selection))
        if plane.is_slice:
            own = look.predicted
            first, second = plane.columns_in(look.divided.form)
            places = look.values[:, [first, second]]
            same = [in_slice(look, plane, *at) == own[i] for i, at in enumerate(places)]
            found.append({"share": percent(np.mean(same))})
    return found


def of_one_class(scene):
    found = []
    for look in looks(scene):
        plane = plane_of(Work(look.selection))
        if plane.is_slice:
            x0, x1, y0, y1 = plane.within
            grid = ((x, y) for x in np.linspace(x0, x1, 60) for y in np.linspace(y0, y1, 60))
            classes = {int(in_slice(look, plane, *at)) for at in grid}
            names = scene_of(Work(look.selection), "light").class_names
            found += [{"label": names[k]} for k in classes if len(classes) == 1]
    return found


# Trees of three levels with each root, of two levels at a node


def node_of(scene):
    return split_scene(node_view(Work(selected(scene)), "light"))


def of_node(scene, work):
    node = node_of(scene)
    return work(node.at.table_key, node.values, node.y, node.rows, len(node.table.counts))


def prices(scene):
    return words_of_three(of_node(scene, ahead.prices_of) if scene else None)


@cache
def priced(scene):
    """The errors with each root, and the fewest."""
    look = Look(scene)
    X, y = look.values[look.train], look.y[look.train]
    cost = naive_optimal.cost_below_roots(X, y, 3)
    return sorted(cost.values()), naive_optimal.least_cost(X, y, 3)[0]


def equal_roots(scene):
    if scene is None:
        return []
    costs, fewest = priced(scene)
    near = int(1.1 * fewest)
    limits = {"ties": fewest, "close": fewest * 101 // 100, "near": near}
    within = {name: number(sum(cost <= most for cost in costs)) for name, most in limits.items()}
    return [{**within, "n": number(len(costs)), "most": number(near)}]


def two_levels(scene):
    return words_of_two(of_node(scene, ahead.levels_ahead)) if scene else []


def gini_errors(X, y, depth):
    """Errors of two greedy levels, and of the greedy root with its best children."""

    def impurity(labels):
        return len(labels) - (np.bincount(labels) ** 2).sum() / len(labels)

    best = min(
        ((round(impurity(y[s]) + impurity(y[~s]), 9), i)
         for i, s in enumerate(naive_optimal.roots(X, np.arange(len(y))))),
        default=None,
    )  # fmt: skip
    leaf = len(y) - np.bincount(y).max()
    if not depth or best is None or best[0] >= round(impurity(y), 9):
        return leaf, leaf
    side = naive_optimal.roots(X, np.arange(len(y)))[best[1]]
    greedy = sum(gini_errors(X[s], y[s], depth - 1)[0] for s in (side, ~side))
    children = sum(naive_optimal.least_cost(X[s], y[s], depth - 1)[0] for s in (side, ~side))
    return greedy, children


@cache
def ahead_of(scene):
    look = Look(scene)
    X, y = look.values[look.train], look.y[look.train]
    return *gini_errors(X, y, 2), naive_optimal.least_cost(X, y, 2)[0]


def greed_lost(scene):
    if scene is None:
        return []
    greedy, root, best = ahead_of(scene)
    return [{"n": number(greedy - best), "children": greedy - root, "root": root - best}]


# The end of a growth


def ended(scene):
    return [story(Work(selected(scene)), "light").steps[-1].say]


def right_in_training(scene):
    look = Look(scene)
    return [] if len(look.held) else [_right_against(look, look.train, is_new=False)]


def right_on_both(scene):
    look = Look(scene)
    return [_right_against(look, look.held, is_new=True)] if len(look.held) else []


def _right_against(look, rows, *, is_new):
    name, always = look.always(rows)
    own = right_words(look.right(rows), len(rows), is_new=is_new)
    return {"own": own, "name": name, "base": right_words(always, len(rows))}


WORDS = "ui/boundaries/details.py::"
AHEAD = "ui/splits/ahead.py::words_of_"
FINISHED = "ui/growth/words.py::last_step"
NOISY = (
    "data=moons&noise=0.4&n_samples=1000&m=cart&seed=2",
    "data=diagonal&label_noise=0.3&n_samples=1000&m=cart&seed=2",
    "data=diagonal&label_noise=0.2&n_samples=1000&m=cart&seed=1",
)
ALIKE = ("data=iris&m=cart", "data=wine&m=cart", "data=moons&m=cart")
OVERDONE = (
    "data=iris&m=cart&cut_at=0.4",
    "data=wine&m=cart&cut_at=0.3",
    "data=iris&m=c45&cut_at=0.4",
)
EQUAL = ("data=breast_cancer&m=c45", "data=checkerboard&m=cart", "data=moons&m=cart&seed=3")

IN_SHORT = "ui/rules/short.py::VERDICTS"
GUESSING = (
    "data=moons&noise=2&m=cart",
    "data=diagonal&label_noise=0.45&n_samples=1000&m=cart",
    "data=xor&m=cart&m.max_depth=1&seed=2",
)
MISLED = tuple(
    f"data=monotone&label_noise=0.4&n_samples=400&one=1&m=cart&class_weight=8_1&m.max_depth=4&seed={seed}"
    for seed in (1, 2, 3)
)
TOO_FEW = (
    "data=moons&n_samples=60&m=cart",
    "data=iris&held=0.1&m=cart",
    "data=wine&held=0.1&m=c45",
)
NO_NEW = ("data=iris&held=0&m=cart", "data=xor&held=0&m=cart", "data=breast_cancer&held=0&m=c45")

ROWS = [
    Said(
        IN_SHORT, "The tree classifies", in_short, against("better"),
        ("data=breast_cancer&m=c45", "data=iris&m=cart", "data=xor&noise=0.8&m=cart"),
        [GUESSING[0], MISLED[0]],
    ),
    Said(
        IN_SHORT, "worse than always", in_short, against("worse"), MISLED,
        ["data=wine&m=cart", GUESSING[1]],
    ),
    Said(
        IN_SHORT, "not shown to be better", in_short, against("same"), GUESSING,
        ["data=wine&m=cart", MISLED[1], TOO_FEW[0]],
    ),
    Said(
        IN_SHORT, "too few to judge", in_short, against("few"), TOO_FEW,
        ["data=moons&n_samples=100&m=cart", NO_NEW[0]],
    ),
    Said(
        IN_SHORT, "No rows are held out", in_short, against("none"), NO_NEW,
        ["data=wine&m=cart", TOO_FEW[1]],
    ),
    Said(
        f"{CUT}verdict", "wrong; before, {before}", cut_words,
        cut(lambda *_: True, on_training=True),
        (ALIKE[0], NOISY[0], "data=iris&held=0&m=cart"), "data=iris&m=cart&cut_at=0",
    ),
    Said(
        f"{CUT}verdict", "Nothing is cut", cut_words,
        cut(lambda *_: True, on_training=True, is_cut=False),
        tuple(f"data={data}&m=cart&cut_at=0" for data in ("iris", "wine", "iris&held=0")),
        "data=iris&m=cart",
    ),
    Said(
        "ui/shared/headline.py::models_verdict", "{value} of {n} {rows} correctly", side_by_side,
        classified, ("data=moons&m=cart", "data=iris&m=cart&m2=oc1", "data=wine&m=cart&held=0"),
        "data=moons&m=cart&cost_miss=5",
    ),
    Said(
        "ui/shared/headline.py::mcnemar_words", "this small can be chance", cut_words,
        cut(lambda a, b, p: a != b and p >= 0.05), ALIKE, [NOISY[0], EQUAL[0]],
    ),
    Said(
        "ui/shared/headline.py::mcnemar_words", "is significant at the 5 % level", cut_words,
        cut(lambda a, b, p: a != b and p < 0.05), (*NOISY[:2], OVERDONE[0]), [ALIKE[1], ALIKE[2]],
    ),
    Kind(
        f"{CUT}errors_table", "95 % intervals over", cut_table, held_rows, ALIKE,
        "data=iris&held=0&m=cart",
    ),
    Kind(
        f"{WORDS}notices", "disagree on", boundaries, disagreements,
        ("data=moons&m=cart&m2=c45", "data=iris&m=cart&m2=oc1", "data=wine&m=cart&m2=c45"),
        "data=moons&m=cart",
    ),
    Kind(
        f"{WORDS}notices", "The classes overlap", boundaries, overlapping,
        ("data=gauss_2d&m=cart", "data=xor&noise=0.35&m=cart",
         "data=diagonal&label_noise=0.2&m=cart"),
        "data=diagonal&m=cart",
    ),
    Kind(
        f"{WORDS}notices", "These classes do not overlap", boundaries, apart,
        ("data=diagonal&m=cart", "data=checkerboard&m=cart", "data=diagonal&angle=30.0&m=cart"),
        "data=gauss_2d&m=cart",
    ),
    Kind(
        f"{WORDS}notices", "Every border is horizontal", boundaries, straight,
        ("data=moons&m=cart", "data=iris&m=c45", "data=diagonal&m=cart&m2=c45"),
        ["data=diagonal&m=oc1", "data=xor&n_samples=40&m=c45&seed=1"],
    ),
    Kind(
        f"{WORDS}slice_words", "An exact slice", sliced, fidelity,
        ("data=wine&m=cart", "data=iris&m=cart&m2=c45", "data=breast_cancer&m=c45"),
        "data=moons&m=cart",
    ),
    Kind(
        f"{WORDS}slice_words", "A slice, on a fine grid", sliced, fidelity,
        ("data=wine&m=svm_tree", "data=iris&m=svm_tree", "data=iris&m=svm_tree&seed=2"),
        "data=moons&m=svm_tree",
    ),
    Kind(
        f"{WORDS}slice_words", "No border crosses this slice", sliced, of_one_class,
        ("data=breast_cancer&m=cart&m.max_depth=1",
         "data=breast_cancer&m=cart&m.max_depth=1&seed=2",
         "data=breast_cancer&m=cart&m.max_leaf_nodes=3"),
        "data=wine&m=cart",
    ),
    Kind(
        f"{AHEAD}three", "roots reach the fewest errors", prices, equal_roots,
        ("data=gauss_2d&n_samples=24&m=cart&seed=1", "data=gauss_2d&n_samples=24&m=cart&seed=5",
         "data=xor&n_samples=26&m=cart&seed=2"),
        None,
    ),
    Kind(
        f"{AHEAD}two", "that greedy search costs", two_levels, greed_lost,
        ("data=xor&n_samples=40&m=cart&seed=1", "data=gauss_2d&n_samples=40&m=cart&seed=1",
         "data=moons&n_samples=40&m=cart&seed=1"),
        None,
    ),
    Kind(
        FINISHED, "of the training rows correctly; always", ended, right_in_training,
        ("data=moons&m=cart&held=0", "data=iris&m=c45&held=0", "data=wine&m=oc1&held=0"),
        "data=moons&m=cart",
    ),
    Kind(
        FINISHED, "of the held-out rows correctly; always", ended, right_on_both,
        ("data=moons&m=cart", "data=iris&m=c45", "data=wine&m=oc1"), "data=moons&m=cart&held=0",
    ),
]  # fmt: skip
