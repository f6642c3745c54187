"""Statements about the smallest change of a row: what proves it, what keeps it from being."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.tree import Missing
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.flip import _certainty, _changes, _comparison, _nothing
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests import naive_flip
from tests.sentences.of_rules import (
    ALREADY,
    FEW,
    FLIP,
    NEAR,
    NO_LEAF,
    changes,
    names_of,
    nearest_of,
    nearest_row,
)  # fmt: skip
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, selected

page = on_page("rules")


def selection_of(scene):
    return selected(scene) if isinstance(scene, str) else made(*scene)


@cache
def scene_of(scene):
    return rule_scene(Work(selection_of(scene)), "light")


@cache
def made(by, seed, row=0):
    """A table of four numbers and a colour, whose class depends on some of them, and a row."""
    rng, n = np.random.default_rng(seed), 400 if by == "all" else 120
    table = pd.DataFrame(rng.random((n, 4)).round(2), columns=list("abcd"))
    is_yes = {"all": table.sum(axis=1) > 2.7, "two": table["a"] + table["b"] > 1}
    row = int(table.sum(axis=1).argmin()) if by == "all" else row
    if by != "all":
        table["colour"] = rng.choice(["red", "green"], n)
        is_yes["colour"] = table["colour"] == "red"
    table["class"] = np.where(is_yes[by], "yes", "no")
    content = table.to_csv(index=False).encode()
    file = uploads.keep(f"{by}{seed}.csv", content, len(table))
    model = replace(DEFAULT.models[0], key="oc1", params=())
    changed = DEFAULT.change(data=UPLOAD, upload=file, models=(model,))
    return changed.having(highlighted=row, flip_metric="l0" if by == "all" else "l1")


def told(scene):
    found = scene_of(scene)
    change = found.change
    return [(_changes if change.flip.found else _nothing)(found, change)]


def nearest_by_all(scene):
    """The distance to the nearest place of the wanted class, all corners tried; and how many move.

    Columns of 0 and 1 for categories stay, and held features as they must.
    """
    look = Look(selection_of(scene))
    change = scene_of(scene).change
    rules, columns = look.selection.rules, list(look.divided.X.columns)
    known = look.values
    ranges = np.array([(min(column), max(column)) for column in known.T])
    fixed = [
        place
        for place, name in enumerate(columns)
        if "=" in name or any(hold.feature == name for hold in rules.flip_holds)
    ]
    width = np.ptp(ranges, axis=1)
    return naive_flip.nearest_by_corners(
        look.estimator, change.x, change.wanted, metric=rules.flip_metric,
        weights=1 / np.where(width > 0, width, 1), ranges=ranges, fixed=fixed,
    )  # fmt: skip


def is_vote(look):
    return look.tree is None


def is_slanted(look):
    return look.tree is not None and (look.tree.kind == Kinds.OBLIQUE).any()


def is_machine(look):
    return look.tree is not None and len(look.tree.kernel) > 0


def is_envelope(look):
    return look.tree is not None and bool(look.estimator.get_params().get("monotone"))


def size_of(look):
    """Thresholds and leaves of all trees; more than 400 are not solved together."""
    trees = [each.tree_ for each in look.estimator.estimators_]
    cuts = {(int(f), float(cut)) for tree in trees
            for f, cut in zip(tree.feature, tree.threshold, strict=True) if f >= 0}  # fmt: skip
    return len(cuts) + sum(sum(not n for n in tree.n_children) for tree in trees)


def is_solved(look):
    is_sum = look.selection.models[0].key == "monotone_boosting"
    monotone = look.estimator.get_params().get("monotone")
    return is_vote(look) and not is_sum and not monotone and size_of(look) <= 400


def look_of(scene):
    return Look(selection_of(scene))


def proved(scene):
    """Nothing is nearer than what is told: of few trees or cells all corners say so."""
    found = scene_of(scene).change.flip.distance
    assert np.isclose(found, nearest_by_all(scene), rtol=1e-6)
    return True


def searched(scene):
    """Of few trees, of cells in two features, and of a tree nothing is nearer."""
    look = look_of(scene)
    if is_vote(look) or is_envelope(look):
        is_all = is_solved(look) or look.values.shape[1] == 2
        return [{}] if is_all and proved(scene) else []
    return [{}] if changes(scene) and proved(scene) else []


def in_a_plane(scene):
    """Of many trees over many features two may change: those on the axes."""
    look = look_of(scene)
    if is_solved(look) or not is_vote(look) or look.values.shape[1] == 2:
        return []
    x, y = look.selection.view.axes
    found = scene_of(scene).change.flip.distance
    assert found >= nearest_in_plane(look, scene) - 1e-9
    return [{"x": x, "y": y}] if np.isfinite(nearest_in_plane(look, scene)) else []


def out_of_plane(scene):
    look = look_of(scene)
    if is_solved(look) or not is_vote(look) or look.values.shape[1] == 2:
        return []
    x, y = look.selection.view.axes
    wanted = scene_of(scene).change.wanted
    values = {"x": x, "y": y, "name": names_of(look)[wanted]}
    return [] if np.isfinite(nearest_in_plane(look, scene)) else [values]


def nearest_in_plane(look, scene):
    change, columns = scene_of(scene).change, list(look.divided.X.columns)
    ranges = np.array([(min(column), max(column)) for column in look.values.T])
    fixed = [f for f, name in enumerate(columns) if name not in look.selection.view.axes]
    return naive_flip.nearest_by_corners(
        look.estimator, change.x, change.wanted, weights=1 / np.ptp(ranges, axis=1),
        ranges=ranges, fixed=fixed,
    )  # fmt: skip


def by_rows(scene):
    """The nearest row that the tree gives another class, of those in reach."""
    return [{}] if is_machine(look_of(scene)) and not kept_out(scene) else []


def kept_out(scene):
    """Whether all rows to which the tree gives the wanted class differ in what must stay."""
    look = look_of(scene)
    wanted = scene_of(scene).change.wanted
    x = look.values[look.selection.view.highlighted]
    columns = list(look.divided.X.columns)
    held = [columns.index(hold.feature) for hold in look.selection.rules.flip_holds]
    return not any(
        label == wanted and all(row[f] == x[f] for f in held)
        for row, label in zip(look.values, look.predicted, strict=True)
    )


def no_such_row(scene):
    look = look_of(scene)
    wanted = scene_of(scene).change.wanted
    return [{"name": names_of(look)[wanted]}] if is_machine(look) and kept_out(scene) else []


def more_than_two(scene):
    """No one or two features lead over the borders of any leaf of a wanted class."""
    look = look_of(scene)
    if not is_slanted(look) or look.selection.rules.flip_metric != "l0":
        return []
    change, tree = scene_of(scene).change, look.tree
    low, high = look.values.min(axis=0), look.values.max(axis=0)
    steps = np.linspace(0, 1, 120)
    for f, g in combinations(range(len(change.x)), 2):
        across, up = np.meshgrid(low[f] + steps * (high - low)[f], low[g] + steps * (high - low)[g])
        points = np.tile(change.x, (across.size, 1))
        points[:, f], points[:, g] = across.ravel(), up.ravel()
        if (tree.predict(points) == change.wanted).any():
            return []
    return [{}]


def bounded(scene):
    """As if the solver had stopped at a share of the way: the true way is no shorter."""
    link, share = scene
    found = scene_of(link)
    change = found.change
    way = nearest_by_all(link)
    flip = replace(change.flip, proved=share == 1.0, bound=share * way)
    return found, replace(change, flip=flip), share * way


def told_of_bounds(scene):
    found, change, _ = bounded(scene)
    return [_certainty(found, change)]


def stopped(scene):
    bound = bounded(scene)[2]
    return [] if scene[1] == 1.0 else [{"bound": number(bound)}]


def has_indicators(look):
    return any("=" in name for name in look.divided.X.columns)


def indicators_stay(scene):
    return [{}] if has_indicators(look_of(scene)) and not closed(scene) else []


def closed(scene):
    """Whether no number leads to the class while all categories stay."""
    look = look_of(scene)
    change, columns = scene_of(scene).change, list(look.divided.X.columns)
    low, high = look.values.min(axis=0), look.values.max(axis=0)
    free = [f for f, name in enumerate(columns) if "=" not in name]
    points = np.tile(change.x, (4000, 1))
    drawn = np.random.default_rng(0).random((4000, len(free)))
    points[:, free] = low[free] + drawn * (high - low)[free]
    return change.wanted not in look.tree.predict(points)


def only_indicators(scene):
    if not has_indicators(look_of(scene)) or not closed(scene):
        return []
    wanted = scene_of(scene).change.wanted
    return [{"name": names_of(look_of(scene))[wanted]}]


def nothing_allowed(scene):
    look = look_of(scene)
    if has_indicators(look) or look.tree is None:
        return []
    wanted, least = scene_of(scene).change.wanted, look.selection.rules.flip_rows
    has_leaf = any(look.tree.prediction[leaf] == wanted for leaf in set(look.leaves.tolist()))
    if not has_leaf or (len(look.y) > least and np.isfinite(nearest_by_all(scene))):
        return []
    return [{"name": names_of(look)[wanted]}]


# Beside the nearest row


def compared(link):
    found = scene_of(link)
    change = found.change
    return [_comparison(found, change, change.row[0])]


def differing(link):
    look, _, _, (_, n, label, _, point) = nearest_of(link)
    row = nearest_row(look, label)[1]
    x, other = look.values[look.selection.view.highlighted], look.values[row]
    differs = sum(a != b or a != c for a, b, c in zip(x, other, point, strict=True))
    left = differs - max(8, n)
    return [{"n": left, "row": number(row + 1)}] if left > 0 else []


def misjudged(link):
    look, _, _, (_, _, label, *_) = nearest_of(link)
    (predicted,) = look.tree.predict(look.values[[nearest_row(look, label)[1]]])
    return [] if predicted == label else [{"name": names_of(look)[predicted]}]


# What is unknown of a typed row


def typed(link):
    look = Look(link)
    texts = look.selection.rules.typed.split(",")
    return look, dict(zip(look.divided.X.columns, texts, strict=True))


def no_number(link):
    for name, text in typed(link)[1].items():
        if text:
            try:
                float(text)
            except ValueError:
                return [{"text": text, "name": name}]
    return []


def asked_on_the_way(link):
    """The first feature without a value that a test on the way asks for."""
    look, texts = typed(link)
    if no_number(link) or look.tree.missing != Missing.REFUSE:
        return []
    node, names = 0, list(texts)
    while look.tree.n_children[node]:
        name = names[look.tree.feature[node]]
        if not texts[name]:
            return [{"name": name}]
        branch = float(texts[name]) > look.tree.threshold[node]
        node = int(look.tree.first_child[node]) + int(branch)
    return []


def asked_elsewhere(link):
    """The first feature without a value that any test asks for, where the way is known."""
    look, texts = typed(link)
    if no_number(link) or asked_on_the_way(link):
        return []
    asked = set(look.tree.feature[look.tree.n_children > 0].tolist())
    lacks = [name for f, name in enumerate(texts) if not texts[name] and f in asked]
    return [{"name": lacks[0]}] if lacks else []


ROW = "&rule_view=row"
CLOUDS = "data=gauss_2d&n_samples=300&held=0&m=c45&lit="
VOTES = tuple(f"data=monotone&n_samples=60&m=mcdf&lit={row}&seed={seed}"
              for row, seed in ((9, 1), (20, 1), (5, 2)))  # fmt: skip
CELLS = (
    "data=monotone&n_samples=60&m=remt&m.monotone=true&lit=9",
    "data=monotone&n_samples=60&m=monotone_boosting&lit=9",
    "data=monotone&n_samples=500&m=adaboost_m1&lit=9",
)
MACHINES = tuple(f"data=iris&m=svm_tree&lit={row}" for row in (1, 60, 120))
HELD = "&flip_holds=" + "~".join(f"{name}:s" for name in ("petal+length", "petal+width"))
LOCKED = tuple(f"data=iris&m=svm_tree&lit={row}{HELD}" for row in (61, 75, 107))
NUMBERS = tuple(("two", seed, row) for seed, row in ((1, 0), (2, 3), (3, 7)))
COLOURS = tuple(("colour", seed, row) for seed, row in ((1, 0), (2, 3), (3, 7)))
SLANTED = tuple(("all", seed) for seed in (1, 2, 3))
ORDERED = "data=iris&ordered=true&m=monotone_boosting"
PLANES = tuple(f"{ORDERED}&lit={row}&x=petal+length&y=petal+width" for row in (60, 75, 120))
OUT = tuple(f"{ORDERED}&lit={row}&x=sepal+length&y=sepal+width" for row in (1, 10, 140))
ALL = "petal+length:s~petal+width:s~sepal+length:s~sepal+width:s"
STUCK = tuple(f"data=iris&m=cart&lit={row}&flip_holds={ALL}" for row in (1, 60, 130))
WIDE = tuple(f"data=wine&m=cart&m.max_depth=2&lit={row}" for row in (1, 70, 150))
NINE = "data=wine&columns=1-9&m=cart&m.max_depth=2&lit=1"
TYPED = f"data=iris&m=cart&m.max_depth=3&held=0{ROW}&typed="
STRICT = TYPED.replace("cart", "tao")  # refuses a gap where a test asks for it
KNOWN = f"{TYPED}5.1,3.5,1.4,0.2"


def of(unit, text, tell, twin, true, never):
    return Kind(FLIP + unit, text, tell, twin, true, never)


ROWS = [
    of("_length", "But the prediction for that row", told, misjudged,
       [f"{CLOUDS}{row}" for row in (1, 2, 22)], [f"{CLOUDS}4", NEAR[0]]),
    of("_certainty", "the search was complete", told, searched, (VOTES[0], CELLS[0], NEAR[0]),
       [PLANES[0], ALREADY[0]]),
    of("_certainty", "no corners to measure", told, by_rows, MACHINES, [NEAR[0], LOCKED[0]]),
    of("_certainty", "More than two features", told, more_than_two, SLANTED,
       ["data=iris&m=oc1&lit=60&flip_metric=l1", NEAR[0]]),
    of("_certainty", "The solver was stopped", told_of_bounds, stopped,
       tuple((link, share) for link, share in zip(VOTES, (0.5, 0.9, 0.2), strict=True)),
       (VOTES[0], 1.0)),
    of("_certainty", "only {x} and {y} were", told, in_a_plane, PLANES, [CELLS[0], VOTES[0]]),
    of("_nothing", "No change of {x} and {y}", told, out_of_plane, OUT, [PLANES[0], STUCK[0]]),
    of("_nothing", "keeps to what may change", told, no_such_row, LOCKED, [MACHINES[0], STUCK[0]]),
    of("_nothing", "choose an algorithm that reads categories", told, only_indicators, COLOURS,
       [NUMBERS[0], STUCK[0]]),
    of("_changes", "there is no such thing", told, indicators_stay, NUMBERS, [COLOURS[0], NEAR[0]]),
    of("_nothing", "leads to {name}: let more", told, nothing_allowed, (*STUCK[:2], FEW[0]),
       [NO_LEAF[0], NEAR[0]]),
    of("_comparison", "{n} more feature.|{n} more features.", compared, differing,
       (NINE, *WIDE[:2]), NEAR[0]),
    Kind("ui/rules/sample.py::_number", "is no value of", page, no_number,
         (f"{TYPED}5.1,high,1.4,0.2", f"{TYPED}5.1,3.5,,0.2x", f"{TYPED}one,3.5,1.4,"), KNOWN),
    Kind("inspection/rules/explanation.py::_check_known", "grown without missing", page,
         asked_on_the_way, (f"{STRICT}5.1,3.5,,0.2", f"{STRICT}5.1,3.5,5.4,", f"{STRICT},,,1.0"),
         [f"{STRICT}5.1,3.5,1.4,", f"{TYPED}5.1,3.5,,0.2"]),
    Kind("ui/rules/sample.py::_values", "is unknown: how far", page, asked_elsewhere,
         (f"{TYPED}5.1,3.5,1.4,", f"{TYPED},,1.2,", f"{TYPED}4.0,3.0,2.0,"),
         KNOWN),
]  # fmt: skip
