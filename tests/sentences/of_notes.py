"""Statements of notes below a page: searches that ended early, what tuning chose, near ties."""

from __future__ import annotations

from functools import cache as once
from functools import partial
from itertools import count as ticking
from unittest.mock import patch

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from lastviz import HybridTreeClassifier, OptimalTreeClassifier
from lastviz.splitters.optimal import optimal
from lastviz.tree import Reason
from lastviz.ui.compute import cache
from lastviz.ui.compute.tuning import tuned
from lastviz.ui.shared import early_stop, greed
from lastviz.ui.shared.tuned_params import tuned_words
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.splits.words import won_over
from tests.sentences.of_the_rest import written
from tests.sentences.rows import Kind, Look, count, percent, right_words, selected

SHARED = "ui/shared/"


# How near the best splits of other features come


def won(link):
    scene = split_scene(node_view(selected(link), "light"))
    return [won_over(scene.search, scene.tree.feature_names)]


@once
def n_near(link):
    """How many other features have a split within one per cent, counted candidate by candidate."""
    search = split_scene(node_view(selected(link), "light")).search
    last, best = search.rule.stages[-1], {}
    better = min if last.keeps == "argmin" else max
    for candidate in search.survivors[-2]:
        score, feature = float(search.columns[last.column][candidate]), search.feature[candidate]
        best[feature] = better(score, best.get(feature, score))
    own = best.pop(search.feature[search.winner])
    return sum(abs(own - score) <= own / 100 for score in best.values())


def none_near(link):
    return [] if n_near(link) else [{"share": "1"}]


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
    with patch.object(greed.cache, "trained_already", lambda *_: tree):
        return written(greed, greed._proof_note, look.selection, 0)


def errors_of(tree, look):
    return sum(tree.predict(look.values[look.train]) != look.y[look.train])


def proved(scene):
    tree, look = ended(scene)
    best = errors_of(ended((*scene[:2], None))[0], look)
    own, least = errors_of(tree, look), tree.lower_bound_
    assert least <= best <= own  # what is proved is true
    errors = count(own, "training error", "training errors")
    return [{"errors": errors, "least": least}] if 0 < least < own else []


# A parameter that ended growth early


def stopped(link):
    selection = selected(link)
    cache.fitted(selection, 0)
    found = early_stop.early_stop(selection, 0)
    return [] if found is None else [early_stop.sentence_of(found, "Tree")]


def two_rules(held, link):
    look = Look(link)
    rows = look.held if len(look.held) else look.train
    X, y = look.values[look.train], look.y[look.train]
    own, other = (HybridTreeClassifier(min_leaf_rule=rule).fit(X, y) for rule in
                  ("node", "candidate"))  # fmt: skip
    right = [int((tree.predict(look.values[rows]) == look.y[rows]).sum()) for tree in (own, other)]
    log = own.growth_log_
    look.tree = own.tree_
    small = set(log.node[log.reason == Reason.CHILD_TOO_SMALL].tolist())
    n_ended = sum(look.leaf(x) in small for x in X)
    if 4 * n_ended < len(X) or right[1] <= right[0] or held != bool(len(look.held)):
        return []
    name, base = look.always(rows)
    nodes = [count(tree.tree_.n_nodes, "node", "nodes") for tree in (own, other)]
    return [{
        "title": "Tree", "share": percent(n_ended / len(X)), "nodes": nodes[0],
        "reason": "The best split leaves too few rows in a child.",
        "own": right_words(right[0], len(rows), is_new=held), "label": "A child that is too small",
        "other_nodes": nodes[1], "other": right_words(right[1], len(rows), is_new=held),
        "name": name, "base": right_words(base, len(rows)),
    }]  # fmt: skip


# What cross-validation chooses of the settings that XOR is offered


def tuned_of(link):
    selection = selected(link)
    found = tuned(selection, "hybrid")
    return [] if found is None else [tuned_words(found, selection.models[0])]


@once
def crossed(data):
    """Right rows and leaves of each pair of settings, by scikit-learn's own loop."""
    look = Look(f"{data}&m=cart")
    X, y = look.values[look.train], look.y[look.train]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    pairs = [(w2, k) for w2 in (0.02, 0.05, 0.1) for k in (3, 10, 30)]
    trees = {(w2, k): HybridTreeClassifier(w2=w2, k=k) for w2, k in pairs}
    return {
        pair: (int((cross_val_predict(tree, X, y, cv=folds) == y).sum()),
               np.mean([tree.fit(X[a], y[a]).get_n_leaves() for a, _ in folds.split(X, y)]))
        for pair, tree in trees.items()
    }, len(y)  # fmt: skip


def choice(link):
    """Which of the three things is to be said of a link, and with which values."""
    data, _, model = link.partition("&m=")
    if not data.startswith("data=xor"):
        return "", {}
    found, n_rows = crossed(data)
    params = dict(part.removeprefix("m.").split("=") for part in model.split("&")[1:])
    setting = float(params.get("w2", 0.02)), int(params.get("k", 3))
    own = found.get(setting)
    most = max(right for right, _ in found.values())
    equal = [pair for pair, (right, _) in found.items() if right == most]
    best = min(equal, key=lambda pair: found[pair][1])
    values = {"folds": 5, "n": 9, "rows": n_rows, "right": most}
    if own is not None and own[0] == most:
        kind, best = "best", setting
    else:
        kind = "other" if own is None else "present"
        values["own"] = own and own[0]
    return kind, values | {"settings": f"Weight of BNM {best[0]:g}, Second look {best[1]}"}


def chosen(kind, link):
    found, values = choice(link)
    return [values] if found == kind else []


NEARNESS = f"{SHARED}runner_up_words.py::_near_words"
PROOF = f"{SHARED}greed.py::_proof_note"
STOP = f"{SHARED}early_stop.py::sentence_of"
TUNED = f"{SHARED}tuned_params.py::tuned_words"

ROWS = (
    Kind(
        NEARNESS, "No other feature", won, none_near,
        ("data=moons&m=cart", "data=iris&m=hybrid", "data=wine&m=c45"), "data=iris&m=cart&held=0",
    ),
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
        STOP, "of the held-out rows", stopped, partial(two_rules, True),
        ("data=breast_cancer&seed=1&m=hybrid", "data=moons&seed=0&m=hybrid",
         "data=moons&seed=3&m=hybrid"),
        ["data=wine&seed=2&m=hybrid", "data=breast_cancer&held=0&m=hybrid"],
    ),
    Kind(
        STOP, "{own} right of the training rows", stopped, partial(two_rules, False),
        ("data=breast_cancer&held=0&m=hybrid", "data=moons&noise=0.4&held=0&m=hybrid",
         "data=gauss_2d&n_samples=300&held=0&m=hybrid"),
        ["data=wine&held=0&m=hybrid", "data=moons&seed=0&m=hybrid"],
    ),
    Kind(
        TUNED, "none of {n} settings", tuned_of, partial(chosen, "best"),
        ("data=xor&noise=0.1&m=hybrid", "data=xor&noise=0.2&m=hybrid&m.w2=0.1&m.k=30",
         "data=xor&noise=0.3&m=hybrid&m.w2=0.1&m.k=3"),
        ["data=xor&noise=0.2&m=hybrid", "data=moons&m=hybrid"],
    ),
    Kind(
        TUNED, "other settings", tuned_of, partial(chosen, "other"),
        ("data=xor&noise=0.1&m=hybrid&m.k=7", "data=xor&noise=0.2&m=hybrid&m.k=7",
         "data=xor&noise=0.3&m=hybrid&m.k=7"),
        ["data=xor&noise=0.2&m=hybrid", "data=moons&m=hybrid"],
    ),
    Kind(
        TUNED, "The present setting", tuned_of, partial(chosen, "present"),
        ("data=xor&noise=0.2&m=hybrid", "data=xor&noise=0.3&m=hybrid",
         "data=xor&noise=0.3&m=hybrid&m.k=10"),
        ["data=xor&noise=0.2&m=hybrid&m.k=7", "data=moons&m=hybrid"],
    ),
)  # fmt: skip
