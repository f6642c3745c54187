"""Statements about order: of rows, of a model's predictions, and what order it takes."""

from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.ui.compute.work import Work
from lastviz.ui.monotone.scene import audit_scene, obstacle_of, order_scene
from lastviz.ui.monotone.words import order_notes, prediction_words, what_was_compared
from tests import naive_monotone
from tests.sentences.of_data import boxes
from tests.sentences.of_monotone_forests import end_of
from tests.sentences.page_of_monotone import column, names_of, part_of, selection_of, table
from tests.sentences.rows import Kind, Look, count

ORDERED = ("monotone", "monotone_large", "five_rows")  # by themselves, rising with all features
audited, of_order = (partial(part_of, part) for part in ("audit", "data"))


@cache
def rows_of(scene):
    """The rows that can be compared, turned so that all features rise, and their classes."""
    selection = selection_of(scene)
    dataset = Work(selection).dataset
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    signs = {"r": 1, "f": -1}
    turned = X * [signs[letter] for letter in selection.directions or "r" * X.shape[1]]
    whole = ~np.isnan(turned).any(axis=1)
    return turned[whole], y[whole], len(y)


@cache
def lower_above(scene):
    """Return for each row how many rows at or beyond it are lower in class."""
    X, y, _ = rows_of(scene)
    return np.array(
        [((x <= X).all(axis=1) & (y < label)).sum() for x, label in zip(X, y, strict=True)]
    )


# Pairs of rows


def pairs_listed(scene):
    n = int(lower_above(scene).sum())
    return [{"n": number(min(n, 1000)), "all": number(n)}] if n else []


def pairs_drawn(scene):
    n = int(lower_above(scene).sum())
    return [{"drawn": 300, "all": number(n), "listed": number(min(n, 20000))}] if n > 300 else []


def other_threshold(scene):
    selection = selection_of(scene)
    model = selection.models[0]
    own = dict(model.params).get("inclusion", 0.1)
    is_other = model.key == "mcdf" and own != selection.monotone.inclusion
    return [{"e": number(own)}] if is_other else []


def noted(scene):
    return order_notes(order_scene(Work(selection_of(scene))))


def lacking(scene):
    X, _, n = rows_of(scene)
    return [{"n": number(n - len(X))}] if len(X) < n else []


def wrong_way_round(scene):
    X, y, _ = rows_of(scene)
    n, can_be = int((lower_above(scene) > 0).sum()), int((y > min(y)).sum())
    falls = any(kendalltau(x, y).statistic < -0.1 for x in X.T)
    return [{"n": number(n), "all": number(can_be)}] if n > 0.9 * can_be and falls else []


def undirected(scene):
    selection = selection_of(scene)
    return [] if selection.directions or selection.data in ORDERED else [{}]


# Why there is no order


def obstacle(scene):
    return [obstacle_of(Work(selection_of(scene))) or ""]


def lacks(what):
    def twin(scene):
        selection = selection_of(scene)
        X = Work(selection).dataset.X
        numbers = [name for name in X if pd.api.types.is_numeric_dtype(X[name])]
        found = None
        if selection.one is not None:
            found = "classes"
        elif selection.data not in ORDERED and not selection.ordered:
            found = "order"
        elif not numbers:
            found = "numbers"
        elif X[numbers].isna().any(axis=1).all():
            found = "values"
        return [{}] if found == what else []

    return twin


# The audit


def inner_kinds(look):
    tree = look.tree
    return [] if tree is None else [int(k) for k in tree.kind[tree.n_children > 0]]


def has_no_boxes(scene):
    return [{}] if any(kind != Kinds.THRESHOLD for kind in inner_kinds(look_at(scene))) else []


@cache
def ends_of(look):
    """Return the thresholds of each feature in all trees, and what lies just beyond each."""
    trees = [each.tree_ for each in getattr(look.estimator, "estimators_", [look.estimator])]
    cuts = [
        sorted({float(cut) for tree in trees for cut in tree.threshold[tree.feature == f]})
        for f in range(look.values.shape[1])
    ]
    return [[-1e9, *(float(np.nextafter(cut, np.inf)) for cut in each)] for each in cuts]


@cache
def look_at(scene):
    return Look(selection_of(scene))


@cache
def neighbours(scene):
    """Return how many pairs of neighbours there are in the grid of cuts, and how many fall."""
    look, found = look_at(scene), []
    ends = ends_of(look)
    label = look.estimator.predict_codes(np.array(list(product(*ends))))
    label = label.reshape([len(each) for each in ends])
    for place in np.ndindex(label.shape):
        for axis in range(label.ndim):
            after = tuple(i + (f == axis) for f, i in enumerate(place))
            if after[axis] < label.shape[axis]:
                found.append(label[after] < label[place])
    return len(found), sum(found)


def is_of_trees(look):
    """Tell whether no leaf decides alone: several trees that do not add up, or an envelope."""
    model = look.selection.models[0]
    return model.key in ("mcdf", "adaboost_m1") or dict(model.params).get("monotone", False)


def is_grid(look):
    return is_of_trees(look) and np.prod([len(each) for each in ends_of(look)]) <= 1e6


def falls(scene):
    """Tell whether what a model of thresholds predicts falls somewhere."""
    look = look_at(scene)
    if is_grid(look):
        return neighbours(scene)[1] > 0
    low, high, label = zip(*boxes(look), strict=True)
    return naive_monotone.comparable_boxes(low, high, label, [1] * len(low[0]))[1] > 0


def in_many_features(scene):
    return [{}] if look_at(scene).values.shape[1] > 2 else []


def arrow(scene):
    return [{}] if falls(scene) else []


def compared(scene):
    return [what_was_compared(audit_scene(Work(selection_of(scene))))]


def grid_pairs(scene):
    return [{"n": number(neighbours(scene)[0])}] if is_grid(look_at(scene)) else []


def inside(low, high):
    """Return a point of a box."""
    return [max(a, -1e9) + 1 if b == np.inf else b for a, b in zip(low, high, strict=True)]


def score_pairs(scene):
    """Of each tree and border the pairs of leaves with different scores that can be compared."""
    look = Look(selection_of(scene))
    if look.selection.models[0].key != "monotone_boosting":
        return []
    n = 0
    for each in look.estimator.estimators_:
        look.tree = each.tree_
        low, high, _ = zip(*boxes(look), strict=True)
        leaves = [end_of(each.tree_, inside(*corners)) for corners in zip(low, high, strict=True)]
        for scores in each.scores_.T:
            label = [scores[leaf] for leaf in leaves]
            found = naive_monotone.comparable_boxes(low, high, label, [1] * len(low[0]))
            assert found[1] == 0
            n += found[0]
    trees = count(len(look.estimator.estimators_), "tree", "trees")
    return [{"n": number(n), "trees": trees}]


def sampled(scene):
    look = look_at(scene)
    too_many = is_of_trees(look) and not is_grid(look)
    return [{"n": number(10000)}] if too_many or has_no_boxes(scene) else []


def exampled(scene):
    found = audit_scene(Work(selection_of(scene)))
    return [] if found.example is None else [prediction_words(found)]


def example(scene):
    """What the model says of the two points that are shown, and how they lie."""
    look = look_at(scene)
    if not falls(scene):
        return []
    shown = audit_scene(Work(look.selection)).example
    a, b = shown.below, shown.above
    predict = look.estimator.predict_codes if look.tree is None else look.tree.predict
    low, high = (int(predict(each[None])[0]) for each in (a, b))
    assert (b >= a).all()
    assert high < low
    changed = [name for name, x, z in zip(look.divided.X, a, b, strict=True) if x != z]
    where = "at or beyond a in every feature"
    if len(changed) == 1:
        where = f"beyond a in {changed[0]} and equal in all else"
    names = names_of(look)
    return [{"low": names[low], "high": names[high], "where": where}]


def kind(unit, text, told, twin, true, never):
    return Kind(f"ui/monotone/{unit}", text, told, twin, true, never)


N, NOISY = "data=monotone&n_samples=60", "data=monotone&n_samples=60&label_noise=0.1"
IRIS, WINE = (f"data={key}&ordered=true" for key in ("iris", "wine"))
CLEAN, FIVE = f"{N}&m=remt", "data=five_rows&held=0&m=remt&m.min_gain=0"
STUMPS = tuple(f"{IRIS}&m={key}&m.max_depth=1" for key in ("remt", "cart", "c45"))
FORESTS = (f"{NOISY}&m=mcdf", f"{NOISY}&m=mcdf&seed=2", f"{NOISY}&m=adaboost_m1")
OBLIQUE = (f"{IRIS}&m=oc1", f"{WINE}&m=gsodt", f"{IRIS}&m=svm_tree")
SUMS = (
    f"{N}&m=monotone_boosting&m.max_iter=5",
    f"{N}&n_classes=2&m=monotone_boosting&m.max_iter=4&seed=2",
    f"{IRIS}&m=monotone_boosting&m.max_iter=3",
)
FEW = tuple(f"data=monotone&n_samples=30&label_noise=0.05&seed={seed}" for seed in (1, 2, 5))
SOME = tuple(f"data=monotone&n_samples={n}&label_noise=0.2" for n in (300, 320, 350))
MANY = (
    "data=monotone&n_samples=800&label_noise=0.45",
    "data=monotone&n_samples=900&label_noise=0.4",
    "data=monotone&n_samples=1000&label_noise=0.35&seed=2",
)
OTHER = (
    f"{N}&m=mcdf&m.inclusion=0.3",
    f"{N}&m=mcdf&inclusion=0.3",
    f"{N}&m=mcdf&inclusion=0.2&m.inclusion=0.5",
)
WHOLE = table(a=column(20), b=column(20))
HOLES = tuple(table(a=column(20, lacks=range(3, 3 + n)), b=column(20)) for n in (1, 2, 5))
OF_ONE = tuple(table(a=column(n, lacks=range(n // 2)), b=column(n)) for n in (20, 26, 30))
NOTHING = tuple(
    table(a=column(n, lacks=range(n // 2)), b=column(n, lacks=range(n // 2, n)))
    for n in (16, 20, 30)
)
WORDS = tuple(table(a=tuple("xyz" * n), b=tuple("uvw" * n)) for n in (5, 6))
TURNED = (
    f"{N}&directions=ff",
    "data=monotone&n_samples=100&directions=ff&seed=2",
    f"{IRIS}&directions=ffff",
)
ROWS = [
    kind("audit.py::audit_caption", "are not boxes", audited, has_no_boxes, OBLIQUE, CLEAN),
    kind("audit.py::audit_caption", "through the counter-example", audited, in_many_features,
         (f"{IRIS}&m=remt", f"{IRIS}&m=cart", f"{WINE}&m=cart", *STUMPS), FIVE),
    kind("audit.py::audit_caption", "from a to b;", audited, arrow,
         (FIVE, f"{IRIS}&m=remt", f"{NOISY}&m=cart", *FORESTS), STUMPS[0]),
    kind("data.py::drawn_words", "pairs are drawn", of_order, pairs_drawn,
         (SOME[0], *MANY), [FEW[0], CLEAN]),
    kind("data.py::_own_threshold", "on the left drops rows", of_order, other_threshold, OTHER,
         [f"{N}&m=mcdf", f"{N}&m=mcdf&inclusion=0.3&m.inclusion=0.3", f"{CLEAN}&inclusion=0.3"]),
    kind("data.py::_table", "{n} of {all} pairs.", of_order, pairs_listed,
         (FEW[0], *SOME, *FEW[1:]), CLEAN),
    kind("scene.py::obstacle_of", "One class against", obstacle, lacks("classes"),
         (f"{N}&one=1", "data=iris&one=2", f"{WINE}&one=1"), [N, "data=iris"]),
    kind("scene.py::obstacle_of", "have no order", obstacle, lacks("order"),
         ("data=iris", "data=wine", "data=moons"), [IRIS, "data=iris&one=2"]),
    kind("scene.py::obstacle_of", "No feature is numeric", obstacle, lacks("numbers"),
         ("data=loan&ordered=true", *WORDS), [NOTHING[0], WHOLE]),
    kind("scene.py::obstacle_of", "Every row has a missing", obstacle, lacks("values"), NOTHING,
         [OF_ONE[0], WORDS[0]]),
    kind("words.py::order_notes", "{n} row lacks|{n} rows lack", noted, lacking, HOLES, WHOLE),
    kind("words.py::order_notes", "wrong way round", noted, wrong_way_round, TURNED,
         [N, IRIS, "data=monotone&label_noise=0.2"]),
    kind("words.py::order_notes", "specifies no directions", noted, undirected,
         (IRIS, WINE, WHOLE), [N, f"{IRIS}&directions=rfrr"]),
    kind("words.py::what_was_compared", "A sum of trees", compared, score_pairs, SUMS, CLEAN),
    kind("words.py::what_was_compared", "each cell of the grid", compared, grid_pairs,
         (f"{N}&m=remt&m.monotone=true", FORESTS[0], f"{IRIS}&m=mcdf"), [CLEAN, f"{WINE}&m=mcdf"]),
    kind("words.py::what_was_compared", "are too many, or no boxes", compared, sampled,
         (OBLIQUE[0], f"{WINE}&m=mcdf", f"{N}&m=oc1"), [FORESTS[0], CLEAN]),
    kind("words.py::prediction_words", "Point a is predicted", exampled, example,
         (FIVE, f"{IRIS}&m=remt", FORESTS[0]), STUMPS[0]),
]  # fmt: skip
