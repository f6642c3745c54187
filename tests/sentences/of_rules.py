"""Statements about rules: what would change a decision, and what else than the tree decides."""

from collections import Counter
from functools import cache
from itertools import product
from unittest.mock import MagicMock, patch

import numpy as np

from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.flip import _changes, _nothing
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.tables import _how_many, _passing, lost_panel
from lastviz.ui.rules.tree import who_decides
from lastviz.ui.shared.model_view import class_names_of
from tests.sentences.rows import Kind, Look, count, selected

FLIP = "ui/rules/flip.py::"


def scene_of(link):
    return rule_scene(Work(selected(link)), "light")


def names_of(look):
    return class_names_of(Work(look.selection).dataset)


# What would change the class of a row


def flip_words(link):
    scene = scene_of(link)
    change = scene.change
    return [(_changes if change.flip.found else _nothing)(scene, change)]


@cache
def places(link):
    """Return the row of a link and, cell by cell of the grid of all thresholds, the way there.

    Each is (distance, features that change, class, training rows of it there, place).
    """
    look = Look(link)
    tree, rules = look.tree, look.selection.rules
    x = look.values[look.selection.view.highlighted]
    inner = [node for node in range(len(tree.feature)) if tree.n_children[node]]
    held = [hold.feature for hold in rules.flip_holds]
    columns = list(look.divided.X.columns)
    ends = []
    for feature, name in enumerate(columns):
        cuts = [float(tree.threshold[node]) for node in inner if tree.feature[node] == feature]
        if name in held:
            cuts = []
        ends.append(
            [x[feature]]
            + [cut for cut in cuts if cut < x[feature]]
            + [np.nextafter(cut, np.inf) for cut in cuts if cut >= x[feature]]
        )
    found, support = [], Counter((int(look.leaves[i]), int(look.y[i])) for i in look.train)
    for point in product(*ends):
        leaf = look.leaf(np.array(point))
        label = int(tree.prediction[leaf])
        changed = sum(a != b for a, b in zip(point, x, strict=True))
        found.append((way(look, x, point), changed, label, support[leaf, label], point))
    return look, found


def way(look, x, point):
    """Return the sum of the changes, each as a share of its column's range."""
    total = 0.0
    for column, (a, b) in enumerate(zip(x, point, strict=True)):
        known = look.values[:, column]
        total += abs(a - b) / (max(known) - min(known))
    return total


def wished(look, found):
    """Return the class that a row has and those that it might have."""
    now = found[0][2]
    asked = look.selection.rules.flip_to
    others = {int(label) for label in look.y} - {now}
    return now, others if asked is None else {asked}


def nearest_of(link):
    """Return the nearest place of another class, or none."""
    look, found = places(link)
    now, wanted = wished(look, found)
    least = look.selection.rules.flip_rows
    reached = [each for each in found if each[2] in wanted and each[3] >= least]
    return look, now, wanted, min(reached, default=None)


def changes(link):
    look, now, wanted, best = nearest_of(link)
    if best is None or now in wanted:
        return []
    distance, _, label, *_ = best
    far, row = nearest_row(look, label)
    return [{"d": number(distance), "far": number(far), "row": number(row + 1)}]


def nearest_row(look, label):
    """Return how far the nearest other row of a class is, and which it is."""
    own = look.selection.view.highlighted
    x = look.values[own]
    return min(
        (way(look, x, look.values[i]), i)
        for i in range(len(look.y))
        if look.y[i] == label and i != own
    )


def is_already(link):
    look, now, wanted, _ = nearest_of(link)
    return [{"name": names_of(look)[now]}] if now in wanted else []


def has_no_leaf(link):
    """The class that is asked for where no leaf has it."""
    look, _, wanted, _ = nearest_of(link)
    if len(wanted) != 1:
        return []
    (label,) = wanted
    leaves = np.flatnonzero(look.tree.n_children == 0)
    return [] if label in look.tree.prediction[leaves] else [{"name": names_of(look)[label]}]


# What else than the tree decides


def decides(link):
    return [who_decides(scene_of(link))]


def of_forest(link):
    trees = getattr(Look(link).estimator, "estimators_", [None])
    shown = scene_of(link).place
    return [{"n": shown + 1, "all": len(trees)}] if len(trees) > 1 else []


def of_pruned(link):
    """The rows that the root was grown on are all training rows but a share of each class."""
    look = Look(link)
    share = look.estimator.get_params().get("pruning_fraction", 0)
    n, grown = len(look.train), round(float(sum(look.tree.value[0])))
    if not share or not getattr(look.estimator, "prune", True):
        return []
    assert abs(n - grown - share * n) <= len(set(look.y.tolist()))
    return [{"n": number(grown), "all": number(n)}]


# Where wrong rows are lost


def lost_words(link):
    with patch("lastviz.ui.rules.tables.st") as page:
        page.columns.return_value = [MagicMock(), MagicMock()]
        lost_panel(scene_of(link))
        return [call.args[0] for call in page.caption.call_args_list]


def wrong_rows(link):
    """Return the model, its training rows that are wrong, and those that never were right."""
    look, wrong, never = Look(link), [], []
    for i in look.train:
        leaf = node = look.leaf(look.values[i])
        if look.tree.prediction[leaf] == look.y[i]:
            continue
        wrong.append(i)
        path = [leaf]
        while node:
            node = int(look.tree.parent[node])
            path.append(node)
        if all(look.tree.prediction[each] != look.y[i] for each in path):
            never.append(i)
    return look, wrong, never


def all_right(link):
    look, wrong, _ = wrong_rows(link)
    return [] if wrong else [{"rows": count(len(look.train), "training row", "training rows")}]


def some_wrong(link):
    look, wrong, _ = wrong_rows(link)
    rows = count(len(look.train), "training row", "training rows")
    return [{"rows": rows, "n": number(len(wrong))}] if wrong else []


def never_right(link):
    n = len(wrong_rows(link)[2])
    return [{"n": number(n)}] if n else []


# How many rules a list has


def list_words(link):
    if link is None:
        return []
    scene = scene_of(link)
    chosen = scene.work.selection.rules.only
    rules = _passing(scene.found.rules, scene.work.selection)
    return [_how_many(scene, [r for r in rules if chosen in (None, r.prediction)])]


def lists(link):
    """Rules of a class, with so many rows, and the share of the rows that they hold."""
    if link is None:
        return []
    look = Look(link)
    tree, rules = look.tree, look.selection.rules
    leaves = [node for node in range(len(tree.feature)) if not tree.n_children[node]]
    support = {leaf: float(sum(tree.value[leaf])) for leaf in leaves}
    listed = [
        leaf
        for leaf in leaves
        if rules.only in (None, tree.prediction[leaf]) and support[leaf] >= rules.from_rows
    ]
    share = 100 * sum(support[leaf] for leaf in listed) / sum(support.values())
    shown = {"n": number(len(listed)), "all": number(len(leaves))}
    return [shown | {"share": number(float(f"{share:.3g}"))}]


NEAR = (
    "data=iris&m=cart&m.max_depth=3&lit=60",
    "data=moons&m=cart&m.max_depth=3&lit=7",
    "data=gauss_2d&m=cart&m.max_depth=4&lit=30&flip_to=2",
)
ALREADY = (
    "data=iris&m=cart&held=0&lit=1&flip_to=1",
    "data=iris&m=cart&held=0&lit=150&flip_to=3&m.max_depth=3",
    "data=iris&m=c45&held=0&lit=1&flip_to=1",
)
NO_LEAF = (
    "data=iris&m=cart&m.max_depth=1&held=0&lit=1&flip_to=3",
    "data=wine&m=cart&m.max_depth=1&held=0&lit=1&flip_to=3",
    "data=iris&m=c45&m.max_depth=1&held=0&lit=100&flip_to=3",
)
FEW = tuple(
    f"data={key}&m=cart&m.max_depth=2&held=0&lit={row}&flip_to={to}&flip_rows=5000"
    for key, row, to in (("iris", 1, 2), ("wine", 1, 2), ("iris", 60, 1))
)
FORESTS = (
    "data=monotone&m=adaboost_m1&seed=2",
    "data=monotone&m=mcdf&seed=3",
    "data=monotone&m=mcdf",
)
RIGHT = ("data=xor&m=cart&noise=0.05", "data=wine&m=cart", "data=iris&m=cart")
WRONG = tuple(f"data={key}&m=cart&m.max_depth=2" for key in ("iris", "wine", "gauss_2d"))
NEVER_RIGHT = tuple(f"data={key}&m=cart&m.max_depth=1" for key in ("iris", "wine"))
PRUNED = tuple(f"data={key}&m=oc1" for key in ("iris", "wine", "moons"))
OF_A_CLASS = (f"{WRONG[0]}&only=2", f"{PRUNED[1]}&only=1", f"{PRUNED[0]}&from_rows=40")
TABLES = "ui/rules/tables.py::"
ROWS = [
    Kind(TABLES + "lost_panel", "classifies all", lost_words, all_right, RIGHT, WRONG[0]),
    Kind(TABLES + "lost_panel", "deepest node", lost_words, some_wrong, WRONG, RIGHT[0]),
    Kind(TABLES + "_by_node", "Wrong all along", lost_words, never_right,
         (*NEVER_RIGHT, "data=iris&m=c45&m.max_depth=1"), RIGHT[0]),
    Kind(TABLES + "_how_many", "of {all} rules", list_words, lists,
         (*OF_A_CLASS, WRONG[0], PRUNED[0]), None),
    Kind(FLIP + "_length", "Distance {d}", flip_words, changes, NEAR, ALREADY[0]),
    Kind(FLIP + "_changes", "already", flip_words, is_already, ALREADY, NEAR[0]),
    Kind(FLIP + "_nothing", "No leaf of the tree", flip_words, has_no_leaf, NO_LEAF,
         [NEAR[0], FEW[0]]),
    Kind("ui/rules/tree.py::who_decides", "votes of all trees", decides,
         of_forest, FORESTS, NEAR[0]),
    Kind("ui/rules/tree.py::who_decides", "pruned by the others", decides, of_pruned,
         ("data=iris&m=oc1", "data=wine&m=oc1&m.pruning_fraction=0.2", "data=moons&m=cart_lc"),
         ["data=iris&m=oc1&m.pruning_fraction=0", NEAR[0]]),
]  # fmt: skip
