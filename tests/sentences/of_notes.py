"""Statements of notes below a page: searches that ended early, what tuning chose, near ties."""

from functools import cache as once
from functools import partial
from itertools import count as ticking
from unittest.mock import patch

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from lastviz import HybridTreeClassifier, OptimalTreeClassifier
from lastviz.plots import number
from lastviz.splitters.cells.presort import presort
from lastviz.splitters.optimal import optimal
from lastviz.ui.compute.resampling import tune
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.shared.job_box import bounds_words, proof_words
from lastviz.ui.shared.widgets import tuned_words, why_missed
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.splits.words import won_over
from tests import naive_hybrid
from tests.sentences.rows import Kind, Look, count, selected

SHARED = "ui/shared/"


# How near the best splits of other features come


def won(link):
    scene = split_scene(node_view(Work(selected(link)), "light"))
    return [won_over(scene.search, scene.tree.feature_names)]


@once
def n_near(link):
    """How many other features have a split within one per cent, counted candidate by candidate."""
    search = split_scene(node_view(Work(selected(link)), "light")).search
    last, best = search.rule.stages[-1], {}
    better = min if last.keeps == "argmin" else max
    for candidate in search.survivors[-2]:
        score, feature = float(search.columns[last.column][candidate]), search.feature[candidate]
        best[feature] = better(score, best.get(feature, score))
    own = best.pop(search.feature[search.winner])
    return sum(abs(own - score) <= own / 100 for score in best.values())


def some_near(link):
    return [{"n": n_near(link), "share": "1"}] if n_near(link) else []


# A search for the best tree that its limit ended; the clock ticks once a look


@once
def ended(scene):
    """The tree that was found in so many looks at the clock, and its training rows."""
    link, depth, looks = scene
    look = Look(f"{link}&m=cart")
    rows, limit = look.train, None if looks is None else float(looks)
    tree = OptimalTreeClassifier(max_depth=depth, time_limit=limit)
    with patch.object(optimal, "_now", ticking().__next__):
        return tree.fit(look.values[rows], look.y[rows]), look


def proof(scene):
    tree, look = ended(scene)
    with patch.object(ModelWork, "trained_already", lambda _: tree):
        return [proof_words(Work(look.selection).first)]


def errors_of(tree, look):
    return sum(tree.predict(look.values[look.train]) != look.y[look.train])


def proved(scene):
    tree, look = ended(scene)
    best = errors_of(ended((*scene[:2], None))[0], look)
    own, least = errors_of(tree, look), tree.lower_bound_
    assert least <= best <= own  # what is proved is true
    errors = count(own, "training error", "training errors")
    return [{"errors": errors, "least": least}] if 0 < least < own else []


def not_proved(scene):
    tree, _ = ended(scene)
    return [{}] if not tree.lower_bound_ else []


@once
def bounds(scene):
    """What a search for the best root says last of how far it is, after so many looks."""
    link, depth, looks = scene
    look = Look(f"{link}&m=cart")
    X, y = look.values[look.train], look.y[look.train]
    with patch.object(optimal, "_now", ticking().__next__):
        splitter = optimal.OptimalSplitter(presort(X), y, int(y.max()) + 1, depth, time_limit=looks)
        return [*splitter.search_in_steps(splitter.root())], look


def so_far(scene):
    found, _ = bounds(scene)
    return [bounds_words(each) for each in found[-1:]]


def between(scene):
    found, look = bounds(scene)
    best = errors_of(ended((*scene[:2], None))[0], look)
    for each in found:
        assert each.least <= best <= each.found  # what is proved is true
    return [{"errors": count(each.found, "training error", "training errors"), "least": each.least}
            for each in found[-1:] if each.least]  # fmt: skip


# What cross-validation chooses of the settings that data with two features are offered


def tuned_of(link):
    selection = selected(link)
    found = tune(Work(selection), "hybrid", selection.models[0].params)
    return [] if found is None else [tuned_words(found, "hybrid")]


def missed(link):
    selection = selected(link)
    found = tune(Work(selection), "hybrid", selection.models[0].params)
    _ = Work(selection).first.fitted
    return [] if found is None else [why_missed(Work(selection).first, found)]


@once
def crossed(data, own):
    """Right rows of each pair of settings, by scikit-learn's own loop, and their trees."""
    look = Look(f"{data}&m=cart")
    X, y = look.values[look.train], look.y[look.train]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    pairs = dict.fromkeys([*((w2, k) for w2 in (0.02, 0.05, 0.1) for k in (3, 10, 30)), own])
    trees = {(w2, k): HybridTreeClassifier(w2=w2, k=k) for w2, k in pairs}
    return (
        {
            pair: (int((cross_val_predict(tree, X, y, cv=folds) == y).sum()), tree.fit(X, y))
            for pair, tree in trees.items()
        },
        X,
        y,
    )


def of_pair(pair):
    return f"Weight of BNM {pair[0]:g}, Length of the shortlist {pair[1]}"


def choice(link):
    """The setting of a link, the one to be offered, and what is known of all of them."""
    data, _, model = link.partition("&m=")
    params = dict(part.removeprefix("m.").split("=") for part in model.split("&")[1:])
    own = float(params.get("w2", 0.02)), int(params.get("k", 3))
    found, X, y = crossed(data, own)
    most, n = max(right for right, _ in found.values()), len(y)
    within = np.sqrt(n * (most + 2) / (n + 4) * (n + 2 - most) / (n + 4))
    near = [pair for pair in found if most - found[pair][0] <= within]
    fewest = min(found[pair][1].get_n_leaves() for pair in near)
    best = [pair for pair in near if found[pair][1].get_n_leaves() == fewest]
    return own, own if own in best else max(best, key=lambda pair: found[pair][0]), found, X, y


def chosen(kind, link):
    if selected(link).data in ("wine", "iris"):  # more than two features
        return []
    own, best, found, _, y = choice(link)
    if (own == best) != (kind == "best"):
        return []
    leaves = count(found[best][1].get_n_leaves(), "leaf", "leaves")
    values = {"settings": of_pair(best), "leaves": leaves, "folds": 5, "rows": len(y)}
    if kind == "best":
        return [values | {"n": len(found)}]
    present = {"own_leaves": found[own][1].get_n_leaves(), "own": found[own][0]}
    return [values | present | {"right": found[best][0]}]


def unlisted(link):
    """The rank of the better setting's first split, candidate by candidate."""
    own, best, found, X, y = choice(link)
    tree = found[best][1].tree_
    rows = naive_hybrid.table(X, y, max(y) + 1)
    first = next(r for r in rows if r["feature"] == tree.feature[0]
                 and r["threshold"] == tree.threshold[0])  # fmt: skip
    score = {id(r): r["gini"] + own[0] * r["bnm"] for r in rows}
    rank = 1 + sum(score[id(r)] > score[id(first)] + 1e-12 for r in rows)
    test = f"x{first['feature'] + 1} ≤ {number(float(first['threshold']))}"
    return [{"test": test, "rank": rank, "all": len(rows), "k": own[1]}] if rank > own[1] else []


def unproved(scene):
    """The errors of a search that has proved nothing: a tree without errors could be found."""
    found, _ = bounds(scene)
    errors = [
        count(e.found, "training error", "training errors") for e in found[-1:] if not e.least
    ]
    return [{"errors": each} for each in errors]


NEARNESS = f"{SHARED}node_card.py::_near_words"
PROOF = f"{SHARED}job_box.py::proof_words"
SO_FAR = f"{SHARED}job_box.py::bounds_words"
TUNED = f"{SHARED}widgets.py::tuned_words"
MISSED = f"{SHARED}widgets.py::why_missed"

ROWS = (
    Kind(
        NEARNESS, "{n} other feature |{n} other features ", won, some_near,
        ("data=iris&m=cart&held=0", "data=wine&m=cart&node=2",
         "data=waveform&n_samples=300&m=cart&node=22"),
        "data=moons&m=cart",
    ),
    Kind(
        PROOF, "makes at least", proof, proved,
        (("data=moons", 2, 20), ("data=moons", 3, 20), ("data=xor", 2, 20)),
        [("data=moons", 2, None), ("data=wine", 2, 3)],
    ),
    Kind(
        PROOF, "may be better", proof, not_proved,
        (("data=wine", 2, 3), ("data=moons", 3, 3), ("data=xor", 3, 5)),
        [("data=moons", 2, None), ("data=moons", 2, 20)],
    ),
    Kind(
        SO_FAR, "no tree makes fewer", so_far, between,
        (("data=moons", 2, 20), ("data=moons", 3, 40), ("data=xor", 2, 20)),
        [("data=moons", 2, 0), ("data=moons", 3, 3)],
    ),
    Kind(
        SO_FAR, "no bound yet", so_far, unproved,
        (("data=wine", 2, 3), ("data=moons", 3, 3), ("data=xor", 3, 5)),
        [("data=moons", 2, 0), ("data=xor", 2, 20)],
    ),
    Kind(
        TUNED, "grows fewer", tuned_of, partial(chosen, "best"),
        ("data=xor&noise=0.1&m=hybrid&m.k=10", "data=xor&noise=0.2&m=hybrid&m.w2=0.1",
         "data=xor&noise=0.1&m=hybrid&m.k=7"),
        ["data=xor&noise=0.2&m=hybrid", "data=wine&m=hybrid"],
    ),
    Kind(
        TUNED, "at present {own}", tuned_of, partial(chosen, "present"),
        ("data=xor&noise=0.2&m=hybrid", "data=xor&noise=0.1&m=hybrid", "data=moons&m=hybrid"),
        ["data=xor&noise=0.1&m=hybrid&m.k=7", "data=iris&m=hybrid"],
    ),
    Kind(
        MISSED, "not on the present shortlist", missed, unlisted,
        ("data=xor&noise=0.2&m=hybrid", "data=xor&noise=0.1&m=hybrid",
         "data=xor&noise=0.05&n_samples=200&m=hybrid"),
        ["data=moons&m=hybrid", "data=circles&m=hybrid"],
    ),
)  # fmt: skip
